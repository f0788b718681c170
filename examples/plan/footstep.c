// Footsteps up a stair and over a gap: where each foot goes, and how much of its sole is carried.
#include "troupe/plan/footstep.h"

#include <stdio.h>

// A block between z0 and z1, two metres wide.
static void add_block(tr_scene *scene, float z0, float z1, float bottom, float top) {
    const tr_vec3 corners[8] = {{-1, bottom, z0}, {-1, bottom, z1}, {1, bottom, z1}, {1, bottom, z0},
                                {-1, top, z0},    {-1, top, z1},    {1, top, z1},    {1, top, z0}};
    static const uint32_t sides[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                       1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    tr_mesh_def mesh = {.positions = corners, .position_count = 8, .indices = sides, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity(), .tags = TR_TAG_WALKABLE};
    uint32_t number;
    if (tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK)
        tr_scene_add_object(scene, &object, &number, NULL);
}

static int walk(const tr_surface *surface, tr_footstep_scratch *scratch) {
    tr_footstep_params params = tr_footstep_params_default(1.75f);
    const tr_surface_route_point way[] = {{.position = {0, 0.1f, 0}},
                                          {.position = {0, 0.1f, 1.5f}},
                                          {.position = {0, 0.95f, 3}},
                                          {.position = {0, 0.95f, 5.5f}}};
    const tr_footstep feet[2] = {{.side = 0, .position = {0.065f, 0.1f, 0}},
                                 {.side = 1, .position = {-0.065f, 0.1f, 0}}};
    tr_footstep footsteps[64];
    uint32_t count;
    tr_vec3 stuck;
    tr_status status = tr_footstep_plan(
        scratch,
        &(tr_footstep_query){
            .surface = surface, .points = way, .point_count = 4, .feet = feet, .first = 2, .params = &params},
        footsteps, 64, &count, &stuck);
    if (status != TR_OK) {
        fprintf(stderr, "%s at (%.2f, %.2f, %.2f)\n", tr_status_name(status), stuck.x, stuck.y, stuck.z);
        return 1;
    }
    for (uint32_t i = 0; i < count; i++)
        printf("%s at %5.2f m, %5.2f m high, %3.0f %% of the sole carried\n",
               footsteps[i].side ? "right" : "left ", footsteps[i].position.z, footsteps[i].position.y,
               100 * footsteps[i].support);
    return 0;
}

int main(void) {
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_surface *surface = NULL;
    tr_footstep_scratch *scratch = NULL;
    tr_surface_def def = tr_surface_def_default();
    int result = 1;
    if (tr_scene_create(NULL, &scene) == TR_OK) {
        add_block(scene, -1, 1.5f, -0.1f, 0.1f);
        for (int i = 1; i <= 5; i++) // five treads, the last one long
            add_block(scene, 1.21f + 0.29f * (float)i, i < 5 ? 1.5f + 0.29f * (float)i : 4, -0.2f,
                      0.1f + 0.17f * (float)i);
        add_block(scene, 4.5f, 6, 0.75f, 0.95f); // beyond a gap
        if (tr_voxel_grid_cover(tr_scene_bounds(scene), 0.05f, 0.05f, 0, 0, &def.grid, NULL) == TR_OK &&
            tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, NULL) == TR_OK &&
            tr_surface_create(&def, &surface, NULL) == TR_OK &&
            tr_surface_build(surface, raster, scene, NULL) == TR_OK &&
            tr_footstep_scratch_create(NULL, &scratch, NULL) == TR_OK)
            result = walk(surface, scratch);
    }
    tr_footstep_scratch_destroy(scratch);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return result;
}
