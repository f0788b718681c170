#include "replan_world.h"
#include "test.h"

#include <math.h>

static const tr_search_budget no_limit = {0, 0};

static uint32_t cell_of(const world *w, uint32_t node) {
    return tr_route_map_row(&w->map, node) * w->columns + tr_route_map_column(&w->map, node);
}

// The cost of a path, step by step; UINT64_MAX when a step is not allowed.
static uint64_t cost_of(const world *w, const tr_route_result *path, double *length) {
    uint64_t cost = 0;
    *length = 0;
    for (uint32_t i = 1; i < path->cell_count; i++) {
        uint32_t from = cell_of(w, path->cells[i - 1]), to = cell_of(w, path->cells[i]);
        int32_t right = (int32_t)(to % w->columns) - (int32_t)(from % w->columns);
        int32_t up = (int32_t)(to / w->columns) - (int32_t)(from / w->columns);
        if (right < -1 || right > 1 || up < -1 || up > 1 || world_step(w, from, right, up) == 0)
            return UINT64_MAX;
        cost += world_step(w, from, right, up);
        *length += sqrt(right * right + up * up) * w->map.grid.cell;
    }
    return cost;
}

// What a find gave against a plan from scratch. false, with a message, when they differ.
static bool agrees(const world *w, tr_status status, const tr_replan *replan) {
    uint64_t expected = world_dijkstra(w);
    tr_route_result path = tr_replan_last(replan);
    double length;
    if (expected == UINT64_MAX) {
        CHECK_INT(status, TR_NOT_FOUND);
        CHECK_INT(path.cell_count, 0);
        CHECK_INT(path.goal, TR_NONE);
        return status == TR_NOT_FOUND;
    }
    CHECK_INT(status, TR_OK);
    CHECK_INT(path.cost, expected);
    if (status != TR_OK || path.cost != expected)
        return false;
    CHECK(path.cell_count > 0 && path.cells[0] == world_node(w, w->start));
    CHECK(path.cell_count > 0 && path.cells[path.cell_count - 1] == world_node(w, w->goal));
    CHECK_INT(cost_of(w, &path, &length), expected);
    CHECK_NEAR(path.length, length, 1e-9 * (1 + length));
    CHECK_INT(path.goal, 0);
    CHECK(!path.start_moved && !path.goal_moved);
    return true;
}

static tr_replan *create(world *w, const tr_allocator *allocator) {
    tr_replan *replan = NULL;
    tr_error error;
    CHECK_INT(tr_replan_create(allocator, &w->map, &w->params, &replan, &error), TR_OK);
    if (replan) {
        CHECK_INT(tr_replan_set_start(replan, world_node(w, w->start)), TR_OK);
        CHECK_INT(tr_replan_set_goal(replan, world_node(w, w->goal)), TR_OK);
    }
    return replan;
}

static void place_ends(const world *w, tr_replan *replan) {
    CHECK_INT(tr_replan_set_start(replan, world_node(w, w->start)), TR_OK);
    CHECK_INT(tr_replan_set_goal(replan, world_node(w, w->goal)), TR_OK);
}

// Block or free the cells of a rectangle at random; returns it.
static tr_cells change_cells(world *w, tr_random *random, uint32_t column, uint32_t row, uint32_t side,
                             uint32_t percent) {
    tr_cells cells = {column, row, column + side < w->columns ? column + side : w->columns,
                      row + side < w->rows ? row + side : w->rows};
    for (uint32_t r = cells.row_begin; r < cells.row_end; r++)
        for (uint32_t c = cells.column_begin; c < cells.column_end; c++) {
            world_set(w, c, r, tr_random_below(random, 100) < percent);
            if (w->weights && tr_random_below(random, 2))
                w->weights[r * w->columns + c] = (uint8_t)tr_random_below(random, 60);
        }
    CHECK_INT(tr_route_map_set(&w->map, &w->bitmap, cells), TR_OK);
    return cells;
}

// A place on the path that was last found, or anywhere when there is none.
static uint32_t cell_on_path(const world *w, const tr_replan *replan, tr_random *random) {
    tr_route_result path = tr_replan_last(replan);
    return path.cell_count ? cell_of(w, path.cells[tr_random_below(random, path.cell_count)])
                           : tr_random_below(random, w->columns * w->rows);
}

// One thing happens in the world; the rectangle that changed, empty when none did.
static tr_cells change(world *w, const tr_replan *replan, tr_random *random) {
    uint32_t cells = w->columns * w->rows, what = tr_random_below(random, 16);
    uint32_t place =
        tr_random_below(random, 2) ? cell_on_path(w, replan, random) : tr_random_below(random, cells);
    if (what < 3)
        w->start = cell_on_path(w, replan, random);
    else if (what == 3)
        w->start = tr_random_below(random, cells);
    else if (what < 6)
        w->goal =
            tr_random_below(random, 3) ? cell_on_path(w, replan, random) : tr_random_below(random, cells);
    else if (what == 6) {
        uint32_t old = w->start;
        w->start = w->goal;
        w->goal = old;
    } else if (what < 13) // small things come and go
        return change_cells(w, random, place % w->columns, place / w->columns, 1 + tr_random_below(random, 3),
                            tr_random_below(random, 2) ? 100 : tr_random_below(random, 101));
    else if (what < 15)
        return change_cells(w, random, place % w->columns, place / w->columns, 1 + tr_random_below(random, 9),
                            tr_random_below(random, 60));
    return (tr_cells){0, 0, 0, 0};
}

// A sequence of changes with a find after some of them. false: it went wrong.
static bool live(world *w, tr_random *random, uint32_t steps) {
    tr_replan *replan = create(w, NULL);
    bool fine = replan != NULL;
    for (uint32_t step = 0; step < steps && fine; step++) {
        tr_cells cells = change(w, replan, random);
        CHECK_INT(tr_replan_changed(replan, cells), TR_OK);
        place_ends(w, replan);
        tr_search_budget budget = {tr_random_below(random, 4) ? 0 : 1 + tr_random_below(random, 30), 0};
        if (tr_random_below(random, 4) == 0)
            continue; // several changes before the next find
        tr_status status = tr_replan_find(replan, budget, NULL);
        if (status != TR_PARTIAL)
            fine = agrees(w, status, replan);
    }
    if (fine)
        fine = agrees(w, tr_replan_find(replan, no_limit, NULL), replan);
    tr_replan_destroy(replan);
    return fine;
}

TEST(the_cost_equals_a_plan_from_scratch_on_thousands_of_small_maps_in_every_mode) {
    tr_random random = tr_random_seed(31);
    for (uint32_t i = 0; i < 3600; i++) {
        world w;
        uint32_t columns = 1 + tr_random_below(&random, 16), rows = 1 + tr_random_below(&random, 16);
        REQUIRE(world_create(&w, i % WORLD_MODES, columns, rows, tr_random_below(&random, 50), &random));
        bool fine = live(&w, &random, 24);
        world_destroy(&w);
        if (!fine)
            test_failed(__FILE__, __LINE__, "map %u of %u x %u", i, columns, rows);
        REQUIRE(fine);
    }
}

TEST(the_cost_equals_a_plan_from_scratch_over_long_sequences_in_every_mode) {
    tr_random random = tr_random_seed(32);
    for (uint32_t mode = 0; mode < WORLD_MODES; mode++) {
        world w;
        REQUIRE(world_create(&w, mode, 140 - mode, 60 + mode, 15 + mode, &random));
        bool fine = live(&w, &random, 250);
        world_destroy(&w);
        if (!fine)
            test_failed(__FILE__, __LINE__, "mode %u", mode);
        REQUIRE(fine);
    }
}

// The sequence of a character that walks while things are put in its way.
TEST(a_walk_over_a_changing_map_stays_a_cheapest_one) {
    tr_random random = tr_random_seed(33);
    for (uint32_t mode = 0; mode < WORLD_MODES; mode++) {
        world w;
        REQUIRE(world_create(&w, mode, 100, 100, 10, &random));
        w.start = 0;
        w.goal = 100 * 100 - 1;
        change_cells(&w, &random, 0, 0, 3, 0);
        change_cells(&w, &random, 97, 97, 3, 0);
        tr_replan *replan = create(&w, NULL);
        REQUIRE(replan);
        uint32_t steps = 0;
        for (; w.start != w.goal && steps < 1000; steps++) {
            tr_route_result path = tr_replan_last(replan);
            if (path.cell_count > 12) {
                uint32_t ahead = cell_of(&w, path.cells[2 + tr_random_below(&random, 8)]);
                tr_cells cells = change_cells(&w, &random, ahead % 100, ahead / 100, 2, steps % 3 ? 50 : 0);
                CHECK_INT(tr_replan_changed(replan, cells), TR_OK);
            }
            place_ends(&w, replan);
            tr_status status = tr_replan_find(replan, no_limit, NULL);
            REQUIRE(agrees(&w, status, replan));
            path = tr_replan_last(replan);
            if (status == TR_OK && path.cell_count > 1)
                w.start = cell_of(&w, path.cells[1]);
            else // walled in: clear the ground
                CHECK_INT(tr_replan_changed(replan, change_cells(&w, &random, 0, 0, 100, 0)), TR_OK);
        }
        CHECK(steps < 1000);
        tr_replan_destroy(replan);
        world_destroy(&w);
    }
}
