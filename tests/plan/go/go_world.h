// A floor of 12 x 12 m with a ground and a planner, for the tests of way and go.
#pragma once
#include "test.h"
#include "troupe/plan/go.h"
#include "world/little.h"

#include <math.h>
#include <string.h>

typedef struct go_world {
    tr_scene *scene;
    tr_raster *raster;
    tr_ground *ground;
    tr_go *go;
    tr_way way;
    uint32_t size;
} go_world;

static inline void go_world_begin(go_world *w) {
    memset(w, 0, sizeof *w);
    CHECK_INT(tr_scene_create(NULL, &w->scene), TR_OK);
    little_box(w->scene, little_make_box(-6, -0.2f, -6, 6, 0, 6), 0);
}

static inline bool go_world_open(go_world *w) {
    tr_ground_def def = tr_ground_def_default();
    tr_ground_body body = tr_ground_body_of_height(1.75f);
    tr_error error = {.message = ""};
    w->raster = little_raster(0);
    if (tr_ground_create(&def, w->raster, w->scene, &w->ground, &error) == TR_OK &&
        tr_ground_add_size(w->ground, &body, &w->size, &error) == TR_OK &&
        tr_go_create(NULL, &w->go, &error) == TR_OK && tr_way_create(NULL, 192, 48, &w->way, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "%s", error.message);
    return false;
}

static inline void go_world_close(go_world *w) {
    tr_way_destroy(NULL, &w->way);
    tr_go_destroy(w->go);
    tr_ground_destroy(w->ground);
    tr_raster_destroy(w->raster);
    tr_scene_destroy(w->scene);
}

static inline tr_status go_world_find(go_world *w, tr_vec3 from, tr_vec3 to, tr_go_result *result,
                                      tr_error *error) {
    tr_go_query query = tr_go_query_default(w->size);
    query.start = from;
    query.goals = &to;
    query.goal_count = 1;
    query.lane = query.bend = 0; // the shortest way, which tests know
    return tr_go_find(w->go, w->ground, &query, &w->way, result, error);
}

// What holds for every way: points in order, lengths and times that rise, pieces end to end.
static inline void go_check_way(const tr_way *way) {
    REQUIRE(way->point_count > 0 && way->piece_count > 0);
    for (uint32_t i = 1; i < way->point_count; i++) {
        const tr_way_point *a = &way->points[i - 1], *b = a + 1;
        CHECK_NEAR(b->along - a->along, hypotf(b->position.x - a->position.x, b->position.z - a->position.z),
                   1e-3);
        CHECK(b->time >= a->time);
        CHECK(b->room <= TR_WAY_SIDE);
    }
    CHECK_NEAR(way->points[0].along, 0, 0);
    CHECK_NEAR(tr_way_length(way), way->points[way->point_count - 1].along, 0);
    uint32_t next = 0;
    for (uint32_t i = 0; i < way->piece_count; i++) {
        const tr_way_piece *piece = &way->pieces[i];
        CHECK_INT(piece->first, next);
        CHECK(piece->count >= 1);
        next = piece->first + piece->count - 1;
        REQUIRE(next < way->point_count);
        CHECK_NEAR(piece->begin, way->points[piece->first].along, 1e-3);
        CHECK_NEAR(piece->end, way->points[next].along, 1e-3);
    }
    CHECK_INT(next, way->point_count - 1);
}
