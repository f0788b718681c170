// Two rooms and a door that a coarse map closes: finer cells find the way, and only around the wall.
#include "troupe/plan/refine.h"
#include "troupe/plan/line_of_sight.h"

#include <stdio.h>
#include <stdlib.h>

// An upright rectangle: a wall seen edge-on is still a wall.
static tr_status add_wall(tr_scene *scene, float x, float z_begin, float z_end, tr_error *error) {
    const tr_vec3 corners[4] = {{x, 0, z_begin}, {x, 2, z_begin}, {x, 2, z_end}, {x, 0, z_end}};
    const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    const tr_mesh_def mesh = {
        .positions = corners, .position_count = 4, .indices = indices, .triangle_count = 2};
    tr_object_def object = {.placement = tr_affine_identity()};
    uint32_t number;
    tr_status status = tr_scene_add_mesh(scene, &mesh, &object.mesh, error);
    return status == TR_OK ? tr_scene_add_object(scene, &object, &number, error) : status;
}

static int show(const tr_refine_result *way, tr_vec2 start, tr_vec2 goal) {
    printf("found with cells of %.2f m, %u searches, %.1f %% of the finest cells projected\n",
           way->map->grid.cell, way->searches, 100.0 * (double)way->projected / (double)way->whole);
    uint32_t max = way->cell_count + 2, count = 0;
    double length = 0;
    tr_vec2 *points = malloc(max * sizeof *points);
    if (!points || tr_line_of_sight_pull(way->map, way->cells, way->cell_count, start, goal, false, points,
                                         max, &count, &length) != TR_OK) {
        free(points);
        return 1;
    }
    printf("%u cells, %.2f m; pulled tight %u points, %.2f m\n", way->cell_count, way->length, count, length);
    free(points);
    return 0;
}

static int run(tr_scene *scene, tr_raster *raster, tr_error *error) {
    tr_occupancy_def coarse = tr_occupancy_def_default(0);
    coarse.grid = (tr_grid){{0, 0}, 0.4f, 25, 25};
    tr_refine_def def = tr_refine_def_default(&coarse);
    tr_refine *refine = NULL;
    const tr_vec2 start = {2, 2}, goal = {8, 8};
    int result = 1;
    if (add_wall(scene, 5, 0, 4, error) == TR_OK && add_wall(scene, 5, 4.9f, 10, error) == TR_OK &&
        tr_refine_create(&def, &refine, error) == TR_OK &&
        tr_refine_find(refine, raster, scene, start, goal, error) == TR_OK) {
        tr_refine_result way = tr_refine_last(refine);
        result = show(&way, start, goal);
    }
    tr_refine_destroy(refine);
    return result;
}

int main(void) {
    const tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_scene *scene = NULL;
    tr_raster *raster = NULL;
    tr_error error = {0};
    int result = 1;
    if (tr_scene_create(NULL, &scene) == TR_OK && tr_raster_create(&soft, &raster, &error) == TR_OK)
        result = run(scene, raster, &error);
    if (result)
        fprintf(stderr, "%s\n", error.message);
    tr_raster_destroy(raster);
    tr_scene_destroy(scene);
    return result;
}
