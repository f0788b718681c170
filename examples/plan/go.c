// A way across the sample office, in time past somebody who stands on it, around it, and a place out of the
// way.
#include "troupe/plan/go.h"
#include "troupe/world/sample.h"

#include <stdio.h>

typedef struct office {
    tr_sample sample;
    tr_raster *raster;
    tr_ground *ground;
    tr_go *go;
    tr_way way;
    tr_timeline *timeline;
    uint32_t size, walker, other;
} office;

static tr_status open_office(office *o, tr_error *error) {
    tr_sample_def sample = {.name = "office"};
    tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_ground_body body = tr_ground_body_of_height(1.75f);
    tr_timeline_def timeline = {0};
    tr_status status = tr_sample_make(&sample, &o->sample, error);
    tr_ground_def def = tr_ground_def_default();
    if (status == TR_OK)
        status = tr_raster_create(&soft, &o->raster, error);
    if (status == TR_OK)
        status = tr_ground_create(&def, o->raster, o->sample.scene, &o->ground, error);
    if (status == TR_OK)
        status = tr_ground_add_size(o->ground, &body, &o->size, error);
    if (status == TR_OK)
        status = tr_go_create(NULL, &o->go, error);
    if (status == TR_OK)
        status = tr_way_create(NULL, 128, 16, &o->way, error);
    return status == TR_OK ? tr_timeline_create(&timeline, &o->timeline, error) : status;
}

static void close_office(office *o) {
    tr_timeline_destroy(o->timeline);
    tr_way_destroy(NULL, &o->way);
    tr_go_destroy(o->go);
    tr_ground_destroy(o->ground);
    tr_raster_destroy(o->raster);
    tr_scene_destroy(o->sample.scene);
}

// One at the begin of the way, another 1.5 m further on it.
static void meet(office *o) {
    tr_vec3 at = tr_way_at(&o->way, 0), ahead = tr_way_at(&o->way, 1.5f);
    if (tr_timeline_add(o->timeline, at, 0.3f, 1.75f, &o->walker, NULL) != TR_OK ||
        tr_timeline_add(o->timeline, ahead, 0.3f, 1.75f, &o->other, NULL) != TR_OK)
        return;
    tr_go_walker walker = {.body = o->walker,
                           .size = o->size,
                           .radius = 0.3f,
                           .height = 1.75f,
                           .margin = 0.1f,
                           .position = at,
                           .speed = 1.3f,
                           .way = &o->way,
                           .tick_seconds = 1.0 / 30};
    walker.until = tr_way_length(&o->way);
    tr_go_around_result around;
    if (tr_go_around(o->go, o->ground, o->timeline, &walker, &around) == TR_OK)
        printf("around the other: %u corners, back on the way after %.1f m, %.1f s saved\n",
               around.point_count, around.rejoins, around.gain);
    else
        printf("waiting is as good as going around\n");
    // And the other may leave the strip that the walker needs.
    tr_go_claim claim = {&o->way, 0, 4, 0.7f};
    tr_go_walker idle = walker;
    tr_vec3 place;
    idle.body = o->other;
    idle.position = ahead;
    idle.claims = &claim;
    idle.claim_count = 1;
    if (tr_go_aside(o->go, o->ground, o->timeline, &idle, &place) == TR_OK)
        printf("or the other steps aside, to (%.2f, %.2f)\n", place.x, place.z);
}

// The same for a disc without a controller: when it is where, so that it meets nobody.
static void pace(office *o, const tr_go_query *query) {
    tr_go_disc disc = {.radius = 0.3f,
                       .height = 1.75f,
                       .margin = 0.1f,
                       .tick_seconds = 1.0 / 30,
                       .wait_max = 10,
                       .around = true};
    tr_go_pace_result result;
    tr_timeline_remove(o->timeline, o->walker); // it is the one that is planned now
    if (tr_go_pace(o->go, o->ground, o->timeline, query, &disc, &o->way, &result, NULL) == TR_OK)
        printf("as a disc: there after %.1f s, %.1f s of it waiting, %u times off its way\n",
               result.ticks * disc.tick_seconds, result.waits, result.arounds);
    else
        printf("somebody is in the way for good\n");
}

int main(void) {
    office o = {0};
    tr_error error = {0};
    tr_status status = open_office(&o, &error);
    tr_go_query query = tr_go_query_default(o.size);
    tr_vec3 goal = {8.5f, 0, 8};
    tr_go_result result;
    query.start = tr_vec3_make(-8.5f, 0, -6);
    query.goals = &goal;
    query.goal_count = 1;
    if (status == TR_OK)
        status = tr_go_find(o.go, o.ground, &query, &o.way, &result, &error);
    if (status == TR_OK) {
        printf("%.1f m, %u corners, %llu nodes expanded\n", result.length, o.way.point_count,
               (unsigned long long)result.counters.expanded);
        meet(&o);
        pace(&o, &query);
    } else {
        fprintf(stderr, "%s\n", error.message);
    }
    close_office(&o);
    return status == TR_OK ? 0 : 1;
}
