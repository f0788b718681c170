// Three people and one door: each is planned around those before, and waits or walks round.
#include "troupe/plan/traffic.h"

#include <stdio.h>

static bool add_box(tr_scene *scene, tr_vec3 min, tr_vec3 max) {
    static const uint32_t indices[36] = {0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1,
                                         2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3};
    tr_vec3 corners[8];
    for (int i = 0; i < 8; i++)
        corners[i] = tr_vec3_make(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
    tr_mesh_def mesh = {.positions = corners, .position_count = 8, .indices = indices, .triangle_count = 12};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    return tr_scene_add_mesh(scene, &mesh, &object.mesh, NULL) == TR_OK &&
           tr_scene_add_object(scene, &object, &number, NULL) == TR_OK;
}

// Two rooms of 5 x 4 m and a door of 1.1 m between them.
static bool build(tr_scene *scene, tr_raster *raster, tr_surface **surface) {
    tr_surface_def def = tr_surface_def_default();
    bool added = add_box(scene, tr_vec3_make(0, -0.2f, 0), tr_vec3_make(10, 0, 4)) &&
                 add_box(scene, tr_vec3_make(4.9f, 0, 0), tr_vec3_make(5.1f, 2.5f, 1.4f)) &&
                 add_box(scene, tr_vec3_make(4.9f, 0, 2.5f), tr_vec3_make(5.1f, 2.5f, 4));
    return added && tr_voxel_grid_cover(tr_scene_bounds(scene), 0.1f, 0.1f, 0, 0, &def.grid, NULL) == TR_OK &&
           tr_surface_create(&def, surface, NULL) == TR_OK &&
           tr_surface_build(*surface, raster, scene, NULL) == TR_OK;
}

static bool walk(tr_traffic *traffic, tr_climb *climb, tr_vec3 start, tr_vec3 goal) {
    tr_traffic_params params = tr_traffic_params_default();
    tr_traffic_point points[256];
    tr_error error = {.message = "somebody is in the way"};
    uint32_t count, blocked_by;
    tr_status status =
        tr_traffic_find(traffic, climb, &params, start, goal, points, 256, &count, &blocked_by, &error);
    if (status != TR_OK) {
        printf("no way: %s (track %d)\n", error.message, (int)blocked_by);
        return false;
    }
    printf("person %u arrives after %.2f s:\n", tr_traffic_count(traffic), points[count - 1].time);
    for (uint32_t i = 0; i < count; i++)
        printf("  %5.2f s  (%.2f, %.2f)\n", points[i].time, points[i].position.x, points[i].position.z);
    const tr_person *person = tr_climb_person(climb);
    tr_traffic_track track = {points, count, tr_traffic_radius(person), person->height, true};
    return tr_traffic_add(traffic, &track, &error) == TR_OK;
}

int main(void) {
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_surface *surface = NULL;
    tr_climb *climb = NULL;
    tr_traffic *traffic = NULL;
    tr_climb_def def = {.person = tr_person_of_height(1.8f), .border_neighbours = 4};
    def.person.radius = 0.25f;
    bool made = tr_scene_create(NULL, &scene) == TR_OK &&
                tr_raster_create(&(tr_raster_def){.backend = TR_RASTER_SOFT}, &raster, NULL) == TR_OK &&
                build(scene, raster, &surface);
    def.surface = surface;
    made = made && tr_climb_create(&def, &climb, NULL) == TR_OK &&
           tr_traffic_create(NULL, &traffic, NULL) == TR_OK;
    bool all = made && walk(traffic, climb, tr_vec3_make(1, 0, 2), tr_vec3_make(9, 0, 2)) &&
               walk(traffic, climb, tr_vec3_make(8, 0, 1.2f), tr_vec3_make(1.5f, 0, 3)) &&
               walk(traffic, climb, tr_vec3_make(2, 0, 3.3f), tr_vec3_make(9, 0, 1));
    tr_traffic_destroy(traffic);
    tr_climb_destroy(climb);
    tr_surface_destroy(surface);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return all ? 0 : 1;
}
