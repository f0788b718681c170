// A way over four steps, in pieces: walked, stepped over by footsteps, walked.
#include "troupe/plan/go.h"

#include <stdio.h>

static bool add_box(tr_scene *scene, tr_vec3 a, tr_vec3 b) {
    const tr_vec3 p[8] = {{a.x, a.y, a.z}, {b.x, a.y, a.z}, {b.x, a.y, b.z}, {a.x, a.y, b.z},
                          {a.x, b.y, a.z}, {b.x, b.y, a.z}, {b.x, b.y, b.z}, {a.x, b.y, b.z}};
    const uint32_t indices[] = {0, 5, 1, 0, 4, 5, 1, 6, 2, 1, 5, 6, 2, 7, 3, 2, 6, 7,
                                3, 4, 0, 3, 7, 4, 4, 6, 5, 4, 7, 6, 0, 1, 2, 0, 2, 3};
    tr_mesh_def mesh = {.positions = p, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    return tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK &&
           tr_scene_add_object(scene, &object, &number, NULL) == TR_OK;
}

// A floor, four steps of 17 cm, and a platform.
static bool add_stairs(tr_scene *scene) {
    bool good = add_box(scene, tr_vec3_make(-2, -0.2f, -5), tr_vec3_make(2, 0, 0));
    for (int i = 0; i < 4 && good; i++) {
        float z = 0.3f * (float)i, top = 0.17f * (float)(i + 1);
        good = add_box(scene, tr_vec3_make(-2, top - 0.17f, z), tr_vec3_make(2, top, i < 3 ? z + 0.3f : 5));
    }
    return good;
}

int main(void) {
    static const char *const kinds[] = {"walk", "step", "ride"};
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_ground *ground = NULL;
    tr_go *go = NULL;
    tr_way way = {0};
    tr_error error = {0};
    tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_ground_def def = tr_ground_def_default();
    tr_ground_body body = tr_ground_body_of_height(1.75f);
    uint32_t size;
    if (tr_scene_create(NULL, &scene) != TR_OK || !add_stairs(scene) ||
        tr_raster_create(&soft, &raster, &error) != TR_OK ||
        tr_ground_create(&def, raster, scene, &ground, &error) != TR_OK ||
        tr_ground_add_size(ground, &body, &size, &error) != TR_OK ||
        tr_go_create(NULL, &go, &error) != TR_OK || tr_way_create(NULL, 64, 8, &way, &error) != TR_OK)
        return 1;
    tr_vec3 goal = {0.5f, 0.68f, 4};
    tr_go_query query = tr_go_query_default(size);
    query.start = tr_vec3_make(0, 0, -4);
    query.goals = &goal;
    query.goal_count = 1;
    tr_status status = tr_go_find(go, ground, &query, &way, NULL, &error);
    printf("%.2f m in %u pieces\n", tr_way_length(&way), way.piece_count);
    for (uint32_t i = 0; i < way.piece_count; i++) {
        const tr_way_piece *piece = &way.pieces[i];
        const tr_way_point *end = &way.points[piece->first + piece->count - 1];
        printf("  %s from %.2f to %.2f m, there after %.1f s at (%.2f, %.2f, %.2f)\n", kinds[piece->kind],
               piece->begin, piece->end, end->time, end->position.x, end->position.y, end->position.z);
    }
    tr_way_destroy(NULL, &way);
    tr_go_destroy(go);
    tr_ground_destroy(ground);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return status == TR_OK ? 0 : 1;
}
