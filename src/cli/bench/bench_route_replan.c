// Something is put on the path: how long until there is a new one? A map of 512 x 512 cells with random
// rectangles; 3 x 3 cells are moved again and again onto the path as it is then. The same on weighted ground,
// and a walk along the path while something moves that is not in the way. Beside it, plans from scratch.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/plan/replan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 512
#define RECTANGLES 300
#define QUERIES 25
#define MOVES 40 // for each query

typedef struct experiment {
    const char *id, *what;
    tr_route_method method; // of the plan from scratch
    const char *peer;
    bool is_weighted, is_walk;
} experiment;

static const experiment experiments[] = {
    {"replan", "3 x 3 cells moved onto the path (by jump points)", TR_ROUTE_ASTAR, "our A* from scratch",
     false, false},
    {"replan_weighted", "the same on weighted ground (by D* Lite)", TR_ROUTE_ASTAR, "our A* from scratch",
     true, false},
    {"replan_walk", "a step along the path, 3 x 3 cells moved elsewhere", TR_ROUTE_JPS,
     "our jump-point search from scratch", false, true},
};

// The map, both planners, and where the obstacle is.
typedef struct stand {
    const experiment *experiment;
    tr_bitmap walls, blocked; // without the obstacle, and with it
    uint8_t weights[SIDE * SIDE];
    tr_route_map map;
    tr_route_params params;
    tr_replan *replan;
    tr_route *route;
    tr_cells obstacle;
    uint32_t start, goal;
    double replan_ns[QUERIES * MOVES], scratch_ns[QUERIES * MOVES];
    uint32_t count;
    tr_random random;
    tr_error error;
    tr_status status;
} stand;

// A third of the rectangles of the weighted map are ground to be avoided instead of walls.
static void draw_walls(stand *s) {
    for (uint32_t i = 0; i < RECTANGLES; i++) {
        uint32_t column = tr_random_below(&s->random, SIDE), row = tr_random_below(&s->random, SIDE);
        uint32_t width = 1 + tr_random_below(&s->random, 30), height = 1 + tr_random_below(&s->random, 30);
        for (uint32_t r = row; r < row + height && r < SIDE; r++)
            for (uint32_t c = column; c < column + width && c < SIDE; c++)
                if (s->experiment->is_weighted && i % 3 == 0)
                    s->weights[r * SIDE + c] = 16;
                else
                    tr_bitmap_set(&s->walls, c, r);
    }
    memcpy(s->blocked.words, s->walls.words, tr_bitmap_bytes(&s->walls));
}

static void take_down(stand *s) {
    tr_replan_destroy(s->replan);
    tr_route_destroy(s->route);
    tr_route_map_destroy(&s->map);
    tr_bitmap_destroy(NULL, &s->walls);
    tr_bitmap_destroy(NULL, &s->blocked);
}

static void set_up(stand *s, const bench_report *bench, const experiment *e) {
    tr_grid grid = {{0, 0}, 0.1f, SIDE, SIDE};
    memset(s, 0, sizeof *s);
    s->experiment = e;
    s->random = tr_random_seed(bench_seed(bench, 512));
    s->params = tr_route_params_default();
    s->params.method = e->method;
    if ((s->status = tr_bitmap_create(NULL, SIDE, SIDE, &s->walls)) != TR_OK ||
        (s->status = tr_bitmap_create(NULL, SIDE, SIDE, &s->blocked)) != TR_OK ||
        (s->status = tr_route_map_create(NULL, &grid, &s->map, &s->error)) != TR_OK)
        return;
    draw_walls(s);
    tr_route_map_set_weights(&s->map, e->is_weighted ? s->weights : NULL);
    if ((s->status = tr_route_map_set(&s->map, &s->blocked, tr_grid_all(&grid))) == TR_OK &&
        (s->status = tr_replan_create(NULL, &s->map, &s->params, &s->replan, &s->error)) == TR_OK)
        s->status = tr_route_create(NULL, tr_route_map_nodes(&s->map), &s->route, &s->error);
}

static uint32_t random_free(stand *s) {
    for (;;) {
        uint32_t column = tr_random_below(&s->random, SIDE), row = tr_random_below(&s->random, SIDE);
        if (tr_route_map_is_free(&s->map, tr_route_map_node(&s->map, column, row)))
            return tr_route_map_node(&s->map, column, row);
    }
}

static void copy_cells(stand *s, tr_cells cells, bool is_obstacle) {
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++)
        for (uint32_t column = cells.column_begin; column < cells.column_end; column++) {
            uint64_t bit = (uint64_t)1 << (column & 63);
            size_t word = (size_t)row * s->blocked.stride + (column >> 6);
            uint64_t now = is_obstacle ? bit : s->walls.words[word] & bit;
            s->blocked.words[word] = (s->blocked.words[word] & ~bit) | now;
        }
}

static uint32_t distance(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

// The middle of the obstacle: on the path but not over its ends, or well away from all of it.
static uint32_t choose_place(stand *s, tr_route_result path) {
    uint32_t share = path.cell_count / 4, node;
    if (!s->experiment->is_walk)
        return path.cells[share + tr_random_below(&s->random, 2 * share)];
    bool is_near;
    do {
        node = random_free(s);
        is_near = false;
        for (uint32_t i = 0; i < path.cell_count && !is_near; i++)
            is_near = distance(node % s->map.pitch, path.cells[i] % s->map.pitch) < 4 &&
                      distance(node / s->map.pitch, path.cells[i] / s->map.pitch) < 4;
    } while (is_near);
    return node;
}

static tr_cells place_obstacle(stand *s) {
    uint32_t node = choose_place(s, tr_replan_last(s->replan));
    uint32_t column = tr_route_map_column(&s->map, node), row = tr_route_map_row(&s->map, node);
    tr_cells cells = {column > 0 ? column - 1 : 0, row > 0 ? row - 1 : 0, column + 2, row + 2};
    cells.column_end = cells.column_end < SIDE ? cells.column_end : SIDE;
    cells.row_end = cells.row_end < SIDE ? cells.row_end : SIDE;
    return cells;
}

// The map changes, and the replanner is told, which alone is timed.
static uint64_t change(stand *s, tr_cells cells, bool is_obstacle) {
    copy_cells(s, cells, is_obstacle);
    if (tr_route_map_set(&s->map, &s->blocked, cells) != TR_OK)
        s->status = tr_fail(&s->error, TR_INVALID, "the map cannot be changed");
    uint64_t begin = tr_clock_nanoseconds();
    tr_replan_changed(s->replan, cells);
    return tr_clock_nanoseconds() - begin;
}

static void move_obstacle(stand *s) {
    tr_cells old = s->obstacle;
    s->obstacle = place_obstacle(s);
    if (s->experiment->is_walk)
        s->start = tr_replan_last(s->replan).cells[1];
    uint64_t told = change(s, old, false) + change(s, s->obstacle, true);
    uint64_t begin = tr_clock_nanoseconds();
    tr_replan_set_start(s->replan, s->start);
    tr_status kept = tr_replan_find(s->replan, (tr_search_budget){0, 0}, &s->error);
    uint64_t middle = tr_clock_nanoseconds();
    tr_status scratch = tr_route_find_cells(s->route, &s->map, &s->params, s->start, &s->goal, 1, &s->error);
    s->replan_ns[s->count] = (double)(told + middle - begin);
    s->scratch_ns[s->count++] = (double)(tr_clock_nanoseconds() - middle);
    if (kept != scratch || (kept == TR_OK && tr_replan_last(s->replan).cost != tr_route_last(s->route).cost))
        s->status = tr_fail(&s->error, TR_INVALID, "replanning and a plan from scratch disagree");
}

static void measure(stand *s) {
    for (uint32_t query = 0; query < QUERIES && s->status == TR_OK;) {
        s->start = random_free(s);
        s->goal = random_free(s);
        tr_replan_set_start(s->replan, s->start);
        tr_replan_set_goal(s->replan, s->goal);
        if (tr_replan_find(s->replan, (tr_search_budget){0, 0}, &s->error) != TR_OK ||
            tr_replan_last(s->replan).cell_count < SIDE / 4)
            continue;
        query++;
        for (uint32_t move = 0; move < MOVES && s->status == TR_OK; move++)
            if (tr_replan_last(s->replan).cell_count > 0)
                move_obstacle(s);
    }
}

static void add_results(bench_report *bench, stand *s) {
    const experiment *e = s->experiment;
    bench_result result = {.unit = "us", .paper = NAN, .peer = e->peer};
    result.value = bench_median(s->replan_ns, s->count) / 1e3; // which sorts them
    result.peer_value = bench_median(s->scratch_ns, s->count) / 1e3;
    snprintf(result.id, sizeof result.id, "route.%s_us", e->id);
    snprintf(result.what, sizeof result.what, "%s, 512 x 512, median of %u", e->what, s->count);
    bench_add(bench, &result);
    result.value = s->replan_ns[s->count * 95 / 100] / 1e3;
    result.peer_value = s->scratch_ns[s->count * 95 / 100] / 1e3;
    snprintf(result.id, sizeof result.id, "route.%s_p95_us", e->id);
    snprintf(result.what, sizeof result.what, "%s, 95 of 100 take less", e->what);
    bench_add(bench, &result);
}

bool bench_route_replan(bench_report *bench) {
    stand *s = malloc(sizeof *s);
    bool fine = s != NULL;
    for (uint32_t i = 0; i < sizeof experiments / sizeof experiments[0] && fine; i++) {
        bench_progress(bench, experiments[i].id, (double)i / 3);
        set_up(s, bench, &experiments[i]);
        if (s->status == TR_OK)
            measure(s);
        if ((fine = s->status == TR_OK))
            add_results(bench, s);
        else
            command_complain("%s: %s (%s)", experiments[i].id, s->error.message, tr_status_name(s->status));
        take_down(s);
    }
    free(s);
    return fine;
}
