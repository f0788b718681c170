// A scene of others as Recast's own demonstration would take it: its surface, and the ways over it for the
// same agent. For the tests of this folder.
#pragma once
#include "cli/bench/bench.h"
#include "test.h"
#include "troupe/io/scene_file.h"
#include "troupe/plan/surface_route.h"

#include <string.h>

#define GROUND_CELL 0.3f
#define GROUND_POINTS_MAX 16384

static const bench_agent ground_agent = {
    .height = 2.0f, .radius = 0.6f, .climb = 0.9f, .slope = 45, .cell_height = 0.2f};

typedef struct ground {
    tr_scene *scene;
    tr_raster *raster;
    tr_surface *surface;
    tr_surface_route *route;
    tr_surface_route_point points[GROUND_POINTS_MAX];
} ground;

static void ground_destroy(ground *g) {
    tr_surface_route_destroy(g->route);
    tr_surface_destroy(g->surface);
    tr_raster_destroy(g->raster);
    tr_scene_destroy(g->scene);
}

// One foot goes from a cell to the next: Detour knows no gaps that are stepped across.
static tr_status ground_prepare(ground *g, tr_error *error) {
    tr_raster_def raster = {.backend = TR_RASTER_SOFT};
    tr_surface_def def = tr_surface_def_default();
    def.merge = ground_agent.climb;
    def.guess = false; // nor does it guess what a table is
    tr_status status = tr_voxel_grid_cover(tr_scene_bounds(g->scene), GROUND_CELL, ground_agent.cell_height,
                                           0, 0, &def.grid, error);
    if (status != TR_OK || (status = tr_raster_create(&raster, &g->raster, error)) != TR_OK ||
        (status = tr_surface_create(&def, &g->surface, error)) != TR_OK ||
        (status = tr_surface_build(g->surface, g->raster, g->scene, error)) != TR_OK)
        return status;
    tr_surface_route_def route = {
        .surface = g->surface,
        .person = {ground_agent.height, ground_agent.radius, GROUND_CELL, ground_agent.climb},
        .border_neighbours = 8};
    if ((status = tr_surface_route_create(&route, &g->route, error)) == TR_OK)
        status = tr_surface_route_mark_border(g->route, NULL, 0, error);
    return status;
}

// false: a test failed or was skipped, and that was said.
static bool ground_create(ground *g, const char *name) {
    const char *folder = test_data_folder();
    char path[1024];
    tr_error error = {0};
    memset(g, 0, sizeof *g);
    if (!folder) {
        test_skip("there is no shared data");
        return false;
    }
    snprintf(path, sizeof path, "%s/scenes/%s.obj", folder, name);
    tr_scene_read_options options = tr_scene_read_options_default();
    tr_status status = tr_scene_create(NULL, &g->scene);
    if (status == TR_OK)
        status = tr_scene_file_read(path, &options, g->scene, &error);
    if (status == TR_OK)
        status = ground_prepare(g, &error);
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", path, error.message);
    return status == TR_OK;
}

// The straightened length of the shortest way, in three dimensions [m]; NAN when there is none.
static double ground_length(ground *g, tr_vec3 start, tr_vec3 goal, float reach) {
    tr_surface_route_params params = tr_surface_route_params_default();
    params.method = TR_SURFACE_ROUTE_EFFORT;
    params.up = params.down = 0; // Detour counts lengths alone
    params.reach = reach;
    if (tr_surface_route_find(g->route, &params, start, &goal, 1, NULL) != TR_OK)
        return (double)NAN;
    uint32_t count;
    double length = 0;
    tr_status status =
        tr_surface_route_straighten(g->route, start, goal, g->points, GROUND_POINTS_MAX, &count, &length);
    CHECK_INT(status, TR_OK);
    return length;
}

static int ground_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
