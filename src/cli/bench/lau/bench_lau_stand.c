// A scene with a planner of behaviors, for the figures of Lau & Kuffner 2005.
#include "bench_lau_figures.h"
#include "cli/commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RUNS 5
#define NODES (1u << 20) // of a tree: the exact searches of figure 4 take 240,000

#define EDGE 1.0f // of the map around the scene [m]

static tr_status make_scene(lau_stand *stand, const lau_scene *scene) {
    tr_sample_def sample = {.name = scene->sample, .seed = scene->seed};
    tr_sample_crowd_def crowd = {.kind = scene->crowd, .people = scene->people, .seed = scene->seed};
    if (!scene->crowd)
        return tr_sample_make(&sample, &stand->sample, &stand->error);
    tr_status status = tr_sample_crowd_create(&crowd, &stand->crowd, &stand->error);
    if (status == TR_OK)
        stand->sample = *tr_sample_crowd_scene(stand->crowd);
    return status;
}

static tr_status make_map(lau_stand *stand, const tr_behavior *machine, const lau_scene *scene) {
    tr_box box = stand->sample.ground;
    tr_grid grid = {.origin = {box.min.x - EDGE, box.min.z - EDGE}, .cell = scene->cell};
    grid.columns = (uint32_t)ceilf((box.max.x - box.min.x + 2 * EDGE) / scene->cell);
    grid.rows = (uint32_t)ceilf((box.max.z - box.min.z + 2 * EDGE) / scene->cell);
    tr_behavior_map_def def = {.grid = grid, .behavior = machine, .seconds = scene->seconds};
    tr_raster_def soft = {.backend = TR_RASTER_SOFT};
    tr_status status = tr_raster_create(&soft, &stand->raster, &stand->error);
    if (status == TR_OK)
        status = tr_behavior_map_create(&def, &stand->map, &stand->error);
    tr_behavior_scene from = {.scene = stand->sample.scene,
                              .raster = stand->raster,
                              .floors = &stand->sample.start,
                              .floor_count = 1};
    return status == TR_OK ? tr_behavior_map_build(stand->map, &from, &stand->error) : status;
}

lau_stand *lau_open(const tr_behavior *machine, const lau_scene *scene, tr_error *error) {
    lau_stand *stand = calloc(1, sizeof *stand);
    if (!stand) {
        tr_fail(error, TR_OUT_OF_MEMORY, "no memory to plan in");
        return NULL;
    }
    tr_status status = make_scene(stand, scene);
    if (status == TR_OK)
        status = make_map(stand, machine, scene);
    if (status == TR_OK)
        status = tr_behavior_search_create(NULL, NODES, &stand->search, &stand->error);
    if (status == TR_OK)
        status = tr_behavior_search_reserve(stand->search, machine, stand->map, TR_BEHAVIOR_GOALS_MAX,
                                            &stand->error);
    stand->plan = (tr_behavior_plan){.actions = stand->actions, .action_max = LAU_ACTIONS};
    if (status == TR_OK)
        return stand;
    *error = stand->error;
    lau_close(stand);
    return NULL;
}

void lau_close(lau_stand *stand) {
    if (!stand)
        return;
    tr_behavior_search_destroy(stand->search);
    tr_behavior_map_destroy(stand->map);
    tr_raster_destroy(stand->raster);
    if (stand->crowd)
        tr_sample_crowd_destroy(stand->crowd);
    else
        tr_scene_destroy(stand->sample.scene);
    free(stand);
}

tr_behavior_query lau_query(tr_vec3 start, const tr_vec2 *goals, uint32_t count) {
    tr_behavior_query query = tr_behavior_query_default();
    query.start = (tr_vec2){start.x, start.z};
    query.heading = atan2f(goals[0].x - start.x, goals[0].z - start.z);
    query.goals = goals;
    query.goal_count = count;
    return query;
}

tr_behavior_query lau_query_of(const lau_stand *stand, tr_vec2 *goal) {
    *goal = (tr_vec2){stand->sample.goal.x, stand->sample.goal.z};
    return lau_query(stand->sample.start, goal, 1);
}

double lau_plan_ms(lau_stand *stand, const tr_behavior_query *query) {
    double times[RUNS];
    for (int i = 0; i < RUNS; i++) {
        uint64_t begin = bench_thread_nanoseconds();
        tr_status status = tr_behavior_find(stand->search, NULL, stand->map, query, &stand->plan,
                                            &stand->result, &stand->error);
        times[i] = (double)(bench_thread_nanoseconds() - begin) / 1e6;
        if (status != TR_OK)
            return NAN;
    }
    return bench_median(times, RUNS);
}

void lau_add(bench_report *bench, const char *figure, const char *name, const char *what, double value,
             const char *unit, double paper) {
    bench_result result = {.value = value, .unit = unit, .paper = paper, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "lau.%s.%s", figure, name);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

bool lau_complain(const char *figure, const tr_error *error) {
    command_complain("bench lau, %s: %s", figure, error->message);
    return false;
}
