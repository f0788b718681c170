// A way through the sample house, from storey to storey, and what a link saves.
#include "troupe/plan/path.h"
#include "troupe/world/sample.h"

#include <stdio.h>

static void find(tr_path *path, const tr_ground *ground, uint32_t size, tr_vec3 start, tr_vec3 goal) {
    static const char *const words[] = {"walk", "leap", "link"};
    tr_error error = {.message = ""};
    tr_path_params params = tr_path_params_default(size);
    if (tr_path_find(path, ground, &params, start, &goal, 1, &error) != TR_OK) {
        printf("%s\n", error.message);
        return;
    }
    tr_path_result way = tr_path_last(path);
    printf("%.2f m, worth %.2f m of level ground, %llu nodes expanded\n", way.length, way.cost,
           (unsigned long long)way.counters.expanded);
    for (uint32_t i = 0; i < way.point_count; i++) {
        const tr_path_point *point = &way.points[i];
        printf("  %s to (%.2f, %.2f, %.2f)\n", words[point->move], point->position.x, point->position.y,
               point->position.z);
    }
}

static void look(tr_path *path, tr_ground *ground, const tr_sample *house) {
    tr_error error = {.message = ""};
    tr_ground_body adult = tr_ground_body_of_height(1.8f);
    uint32_t size = 0;
    adult.radius = 0.2f;
    if (tr_ground_add_size(ground, &adult, &size, &error) != TR_OK) {
        printf("%s\n", error.message);
        return;
    }
    find(path, ground, size, house->start, house->goal);
    tr_ground_link lift = {TR_GROUND_LIFT, house->start, house->goal, true, false, 3};
    if (tr_ground_set_links(ground, &lift, 1, &error) != TR_OK)
        printf("%s\n", error.message);
    find(path, ground, size, house->start, house->goal);
}

int main(void) {
    tr_error error = {.message = "no memory"};
    tr_sample_def sample = {.name = "house"};
    tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_ground_def def = tr_ground_def_default();
    tr_sample house = {.scene = NULL};
    tr_raster *raster = NULL;
    tr_ground *ground = NULL;
    tr_path *path = NULL;
    bool made = tr_sample_make(&sample, &house, &error) == TR_OK &&
                tr_raster_create(&soft, &raster, &error) == TR_OK &&
                tr_ground_create(&def, raster, house.scene, &ground, &error) == TR_OK &&
                tr_path_create(NULL, &path, &error) == TR_OK;
    if (made)
        look(path, ground, &house);
    else
        fprintf(stderr, "%s\n", error.message);
    tr_path_destroy(path);
    tr_ground_destroy(ground);
    tr_raster_destroy(raster);
    tr_scene_destroy(house.scene);
    return made ? 0 : 1;
}
