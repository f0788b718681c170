// Fields against the route planner, cell by cell, on random maps.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/field.h"

#define SIDE_MAX 70

typedef struct world {
    tr_grid grid;
    tr_route_map map;
    tr_route *route;
    tr_field *field;
    uint8_t weights[SIDE_MAX * SIDE_MAX];
} world;

static bool make_world(world *w, tr_random *random, const tr_allocator *allocator) {
    tr_grid grid = {{0, 0}, 1, 1 + tr_random_below(random, SIDE_MAX), 1 + tr_random_below(random, SIDE_MAX)};
    w->grid = grid;
    w->route = NULL;
    w->field = NULL;
    if (tr_route_map_create(allocator, &grid, &w->map, NULL) != TR_OK ||
        tr_route_create(allocator, tr_route_map_nodes(&w->map), &w->route, NULL) != TR_OK ||
        tr_field_create(allocator, tr_route_map_nodes(&w->map), &w->field, NULL) != TR_OK)
        return false;
    uint32_t share = tr_random_below(random, 50);
    for (uint32_t i = 0; i < grid.columns * grid.rows; i++) {
        tr_route_map_set_cell(&w->map, i % grid.columns, i / grid.columns,
                              tr_random_below(random, 100) >= share);
        w->weights[i] = (uint8_t)tr_random_below(random, 256);
    }
    return true;
}

static void drop_world(world *w) {
    tr_field_destroy(w->field);
    tr_route_destroy(w->route);
    tr_route_map_destroy(&w->map);
}

// A random free node; TR_NONE when the map has none.
static uint32_t random_free(const world *w, tr_random *random) {
    tr_vec2 point = {tr_random_between(random, 0, (float)w->grid.columns),
                     tr_random_between(random, 0, (float)w->grid.rows)};
    return tr_route_map_nearest_free(&w->map, point, 1000);
}

static void check_paths(const world *w, tr_random *random) {
    for (int i = 0; i < 5; i++) {
        uint32_t start = random_free(w, random), cells[SIDE_MAX * SIDE_MAX], count, shorter;
        uint32_t cost = tr_field_cost(w->field, start);
        tr_status status = tr_field_path(w->field, start, cells, SIDE_MAX * SIDE_MAX, &count);
        CHECK_INT(status, cost == UINT32_MAX ? TR_NOT_FOUND : TR_OK);
        if (status != TR_OK)
            continue;
        CHECK_INT(cells[0], start);
        CHECK_INT(tr_field_cost(w->field, cells[count - 1]), 0);
        for (uint32_t k = 0; k + 1 < count; k++)
            CHECK(tr_field_cost(w->field, cells[k + 1]) < tr_field_cost(w->field, cells[k]));
        CHECK_INT(tr_field_path(w->field, start, cells, count - 1, &shorter), TR_LIMIT);
        CHECK_INT(shorter, count);
    }
}

TEST(every_cell_costs_what_a_route_from_it_costs) {
    tr_random random = tr_random_seed(21);
    for (int trial = 0; trial < 120; trial++) {
        world w;
        REQUIRE(make_world(&w, &random, NULL));
        tr_route_params params = tr_route_params_default();
        params.neighbours = trial % 4 == 3 ? 4 : 8;
        params.cut_corners = trial % 3 == 1;
        params.metric = trial % 2 ? TR_ROUTE_PAPER : TR_ROUTE_TRUE;
        tr_route_map_set_weights(&w.map, trial % 5 == 4 ? w.weights : NULL);
        uint32_t goals[2] = {random_free(&w, &random), random_free(&w, &random)};
        if (goals[0] != TR_NONE) {
            CHECK_INT(tr_field_flood(w.field, &w.map, &params, goals, 2, NULL), TR_OK);
            uint64_t reached = 0;
            for (uint32_t i = 0; i < w.grid.columns * w.grid.rows; i++) {
                uint32_t node = tr_route_map_node(&w.map, i % w.grid.columns, i / w.grid.columns);
                uint32_t cost = tr_field_cost(w.field, node);
                reached += cost != UINT32_MAX;
                if (!tr_route_map_is_free(&w.map, node)) {
                    CHECK_INT(cost, UINT32_MAX);
                    continue;
                }
                if (i % 7 != (uint32_t)trial % 7)
                    continue;
                tr_status status = tr_route_find_cells(w.route, &w.map, &params, node, goals, 2, NULL);
                CHECK_INT(cost, status == TR_OK ? tr_route_last(w.route).cost : UINT32_MAX);
            }
            CHECK_INT(tr_field_reached(w.field), reached);
            check_paths(&w, &random);
        }
        drop_world(&w);
    }
}

TEST(bad_floods_get_a_sentence) {
    tr_random random = tr_random_seed(22);
    world w;
    tr_error error = {0};
    REQUIRE(make_world(&w, &random, NULL));
    tr_route_params params = tr_route_params_default();
    uint32_t goal = random_free(&w, &random), border = 0;
    CHECK_INT(tr_field_flood(w.field, &w.map, &params, &border, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "goal 0, node 0, is not a free cell");
    CHECK_INT(tr_field_flood(w.field, &w.map, &params, &goal, 0, &error), TR_INVALID);
    params.neighbours = 5;
    CHECK_INT(tr_field_flood(w.field, &w.map, &params, &goal, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "neighbours is 5");
    CHECK_INT(tr_field_cost(w.field, UINT32_MAX), UINT32_MAX);
    CHECK_INT(tr_field_next(w.field, goal), TR_NONE); // nothing was flooded yet
    tr_field *tiny;
    CHECK_INT(tr_field_create(NULL, 0, &tiny, &error), TR_INVALID);
    REQUIRE(tr_field_create(NULL, 10, &tiny, NULL) == TR_OK);
    params.neighbours = 8;
    CHECK_INT(tr_field_flood(tiny, &w.map, &params, &goal, 1, &error), TR_LIMIT);
    tr_field_destroy(tiny);
    drop_world(&w);
}

TEST(over_a_map_that_was_changed_since_ways_end_and_never_go_in_circles) {
    tr_random random = tr_random_seed(25);
    uint32_t closed = 0;
    for (int trial = 0; trial < 60; trial++) {
        world w;
        REQUIRE(make_world(&w, &random, NULL));
        tr_route_params params = tr_route_params_default();
        uint32_t goal = random_free(&w, &random), cells[SIDE_MAX * SIDE_MAX], count;
        if (goal != TR_NONE) {
            CHECK_INT(tr_field_flood(w.field, &w.map, &params, &goal, 1, NULL), TR_OK);
            for (uint32_t i = 0; i < w.grid.columns * w.grid.rows; i++)
                if (tr_random_below(&random, 4) == 0)
                    tr_route_map_set_cell(&w.map, i % w.grid.columns, i / w.grid.columns, i % 2);
            for (uint32_t i = 0; i < w.grid.columns * w.grid.rows; i++) {
                uint32_t node = tr_route_map_node(&w.map, i % w.grid.columns, i / w.grid.columns);
                tr_status status = tr_field_path(w.field, node, cells, SIDE_MAX * SIDE_MAX, &count);
                CHECK(status == TR_OK || status == TR_NOT_FOUND);
                closed += status == TR_NOT_FOUND && tr_field_cost(w.field, node) != UINT32_MAX;
                CHECK_INT(count > 0, status == TR_OK);
                for (uint32_t k = 1; k < count; k++)
                    CHECK(tr_route_map_is_free(&w.map, cells[k]) &&
                          tr_field_cost(w.field, cells[k]) < tr_field_cost(w.field, cells[k - 1]));
            }
        }
        drop_world(&w);
    }
    CHECK(closed > 100);
}

static bool create_world(const tr_allocator *allocator) {
    tr_random random = tr_random_seed(23);
    world w;
    bool fine = make_world(&w, &random, allocator);
    drop_world(&w);
    return fine;
}

TEST(nothing_leaks_whichever_allocation_fails_and_floods_allocate_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_world) >= 11);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_random random = tr_random_seed(24);
    world w;
    REQUIRE(make_world(&w, &random, &allocator));
    uint64_t calls = memory.calls;
    tr_route_params params = tr_route_params_default();
    uint32_t goal = random_free(&w, &random);
    CHECK_INT(tr_field_flood(w.field, &w.map, &params, &goal, 1, NULL), TR_OK);
    CHECK_INT(memory.calls, calls);
    drop_world(&w);
}
