// Searches: the Moving AI maps with a check of their optimal lengths, and floods.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/io/moving_ai.h"
#include "troupe/plan/field.h"

#include <math.h>
#include <stdio.h>

static const char *const maps[] = {"arena2", "AR0011SR", "brc202d", "Aurora", "maze512-8-0", "16room_000"};
#define MAP_COUNT ((uint32_t)(sizeof maps / sizeof maps[0]))

typedef struct stand {
    tr_moving_ai_scenario scenario;
    tr_bitmap blocked;
    tr_route_map map;
    tr_route *route;
    tr_error error;
} stand;

static void take_down(stand *s) {
    tr_moving_ai_free_scenario(NULL, &s->scenario);
    tr_bitmap_destroy(NULL, &s->blocked);
    tr_route_destroy(s->route);
    tr_route_map_destroy(&s->map);
}

static tr_status read_files(stand *s, const char *folder, const char *name, tr_grid *grid) {
    char path[1024];
    tr_bytes text = {NULL, 0};
    tr_allocator memory = tr_allocator_default();
    snprintf(path, sizeof path, "%s/maps/%s.map", folder, name);
    tr_status status = tr_file_read(&memory, path, &text, &s->error);
    if (status == TR_OK)
        status = tr_moving_ai_read_map(&memory, text.data, text.size, grid, &s->blocked, &s->error);
    tr_bytes_free(&memory, &text);
    if (status != TR_OK)
        return status;
    snprintf(path, sizeof path, "%s/maps/%s.map.scen", folder, name);
    status = tr_file_read(&memory, path, &text, &s->error);
    if (status == TR_OK)
        status = tr_moving_ai_read_scenario(&memory, text.data, text.size, &s->scenario, &s->error);
    tr_bytes_free(&memory, &text);
    return status;
}

static tr_status set_up(stand *s, const char *folder, const char *name) {
    tr_grid grid;
    tr_status status = read_files(s, folder, name, &grid);
    if (status == TR_OK && (status = tr_route_map_create(NULL, &grid, &s->map, &s->error)) == TR_OK)
        status = tr_route_create(NULL, tr_route_map_nodes(&s->map), &s->route, &s->error);
    if (status == TR_OK)
        tr_route_map_set(&s->map, &s->blocked, tr_grid_all(&grid));
    return status;
}

typedef struct outcome {
    double mean_us, expansions_per_us;
    uint32_t agree;
} outcome;

// All queries of the scenario, each once.
static outcome run_queries(stand *s, tr_route_method method) {
    outcome all = {0, 0, 0};
    uint64_t nanoseconds = 0, expanded = 0;
    tr_route_params params = tr_route_params_default();
    params.method = method;
    for (uint32_t i = 0; i < s->scenario.count; i++) {
        const tr_moving_ai_query *query = &s->scenario.queries[i];
        uint32_t start = tr_route_map_node(&s->map, query->start_column, query->start_row);
        uint32_t goal = tr_route_map_node(&s->map, query->goal_column, query->goal_row);
        uint64_t begin = tr_clock_nanoseconds();
        tr_status status = tr_route_find_cells(s->route, &s->map, &params, start, &goal, 1, NULL);
        nanoseconds += tr_clock_nanoseconds() - begin;
        tr_route_result result = tr_route_last(s->route);
        expanded += result.counters.expanded;
        all.agree += status == TR_OK && tr_moving_ai_agrees(&s->scenario, i, result.length);
    }
    all.mean_us = (double)nanoseconds / 1e3 / s->scenario.count;
    all.expansions_per_us = (double)expanded * 1e3 / (double)nanoseconds;
    return all;
}

static void add_map(bench_report *bench, const stand *s, const char *name, const char *id_end, outcome all,
                    const char *method) {
    bench_result result = {.value = all.mean_us, .unit = "us", .paper = NAN, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "route.%s.%s", name, id_end);
    snprintf(result.what, sizeof result.what,
             "%s, mean of %u queries, %u of them optimal, %.1f million expansions a second", method,
             s->scenario.count, all.agree, all.expansions_per_us);
    bench_add(bench, &result);
}

static bool measure_map(bench_report *bench, const char *name) {
    stand s = {0};
    tr_status status = set_up(&s, bench_data(bench), name);
    if (status == TR_NO_FILE) {
        bench_note(bench, "the Moving AI maps were not found: --data names the folder that holds maps/");
    } else if (status != TR_OK) {
        command_complain_of(&s.error);
    } else {
        add_map(bench, &s, name, "astar_us", run_queries(&s, TR_ROUTE_ASTAR), "A*");
        add_map(bench, &s, name, "jps_us", run_queries(&s, TR_ROUTE_JPS), "jump points");
    }
    take_down(&s);
    return status == TR_OK || status == TR_NO_FILE;
}

typedef struct flood_stand {
    tr_route_map map;
    tr_field *field;
    uint32_t goal;
    tr_status status;
} flood_stand;

static void flood(void *user) {
    flood_stand *s = user;
    tr_route_params params = tr_route_params_default();
    s->status = tr_field_flood(s->field, &s->map, &params, &s->goal, 1, NULL);
}

// 512 x 512 cells with random boxes on about a twentieth of them.
static bool measure_flood(bench_report *bench) {
    flood_stand s = {.status = TR_OK};
    tr_grid grid = {{0, 0}, 1, 512, 512};
    tr_random random = tr_random_seed(bench_seed(bench, 5));
    tr_bitmap blocked = {0};
    bool fine = tr_bitmap_create(NULL, 512, 512, &blocked) == TR_OK &&
                tr_route_map_create(NULL, &grid, &s.map, NULL) == TR_OK &&
                tr_field_create(NULL, tr_route_map_nodes(&s.map), &s.field, NULL) == TR_OK;
    for (int i = 0; fine && i < 300; i++) {
        uint32_t column = tr_random_below(&random, 500), row = tr_random_below(&random, 500);
        for (uint32_t k = 0; k < 144; k++)
            tr_bitmap_set(&blocked, column + k % 12, row + k / 12);
    }
    tr_vec2 middle = {256, 256};
    bench_result result = {.id = "route.field_mcells",
                           .what = "distance field over 512 x 512 cells, millions of cells a second",
                           .unit = "M/s",
                           .paper = NAN,
                           .peer_value = NAN};
    if (fine) {
        tr_route_map_set(&s.map, &blocked, tr_grid_all(&grid));
        s.goal = tr_route_map_nearest_free(&s.map, middle, 50);
        double nanoseconds = bench_time(flood, &s);
        result.value = (double)tr_field_reached(s.field) * 1e3 / nanoseconds;
        bench_add(bench, &result);
    }
    tr_field_destroy(s.field);
    tr_route_map_destroy(&s.map);
    tr_bitmap_destroy(NULL, &blocked);
    if (!fine || s.status != TR_OK)
        command_complain("the distance field could not be measured");
    return fine && s.status == TR_OK;
}

bool bench_route(bench_report *bench) {
    bool fine = true;
    for (uint32_t i = 0; i < MAP_COUNT && fine; i++) {
        bench_progress(bench, "Moving AI maps", (double)i / MAP_COUNT);
        fine = measure_map(bench, maps[i]);
    }
    return fine && measure_flood(bench);
}
