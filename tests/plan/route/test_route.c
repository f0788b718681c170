// Routes against a plain Dijkstra that shares nothing with them, on thousands of random maps in every mode.
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/route.h"

#include <math.h>
#include <string.h>

#define SIDE_MAX 24
#define ROOT_2 1.4142135623730951

// A map as letters: the judge's own.
typedef struct plain_map {
    int32_t columns, rows;
    bool blocked[SIDE_MAX][SIDE_MAX];
    uint8_t weights[SIDE_MAX * SIDE_MAX];
} plain_map;

static bool is_open(const plain_map *map, int32_t column, int32_t row) {
    return column >= 0 && row >= 0 && column < map->columns && row < map->rows && !map->blocked[row][column];
}

static bool may_step(const plain_map *map, const tr_route_params *params, int32_t column, int32_t row,
                     int32_t dx, int32_t dz) {
    if ((!dx && !dz) || !is_open(map, column + dx, row + dz))
        return false;
    if (!dx || !dz)
        return true;
    if (params->neighbours == 4)
        return false;
    int open = is_open(map, column + dx, row) + is_open(map, column, row + dz);
    return params->cut_corners ? open >= 1 : open == 2;
}

static uint32_t step_cost(const plain_map *map, const tr_route_params *params, bool weighted, int32_t column,
                          int32_t row, int32_t dx, int32_t dz) {
    uint32_t cost = params->metric == TR_ROUTE_PAPER ? (dx && dz ? 7 : 5) : (dx && dz ? 1393 : 985);
    if (!weighted)
        return cost;
    uint32_t a = map->weights[row * map->columns + column];
    uint32_t b = map->weights[(row + dz) * map->columns + column + dx];
    return cost * (32 + a + b) / 32;
}

// Costs from the start to everywhere: sweep until nothing changes. Slow and plain.
static void judge(const plain_map *map, const tr_route_params *params, bool weighted, int32_t start_column,
                  int32_t start_row, uint32_t costs[SIDE_MAX][SIDE_MAX]) {
    memset(costs, 0xff, sizeof(uint32_t) * SIDE_MAX * SIDE_MAX);
    costs[start_row][start_column] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t row = 0; row < map->rows; row++)
            for (int32_t column = 0; column < map->columns; column++) {
                if (costs[row][column] == UINT32_MAX)
                    continue;
                for (int32_t dz = -1; dz <= 1; dz++)
                    for (int32_t dx = -1; dx <= 1; dx++) {
                        if (!may_step(map, params, column, row, dx, dz))
                            continue;
                        uint32_t cost =
                            costs[row][column] + step_cost(map, params, weighted, column, row, dx, dz);
                        if (cost < costs[row + dz][column + dx]) {
                            costs[row + dz][column + dx] = cost;
                            changed = true;
                        }
                    }
            }
    }
}

static void random_map(tr_random *random, plain_map *map) {
    map->columns = 1 + (int32_t)tr_random_below(random, SIDE_MAX);
    map->rows = 1 + (int32_t)tr_random_below(random, SIDE_MAX);
    uint32_t share = tr_random_below(random, 60);
    bool rooms = tr_random_below(random, 3) == 0;
    for (int32_t row = 0; row < map->rows; row++)
        for (int32_t column = 0; column < map->columns; column++) {
            map->blocked[row][column] = tr_random_below(random, 100) < share;
            if (rooms) // walls with gaps
                map->blocked[row][column] =
                    (row % 6 == 3 || column % 7 == 4) && tr_random_below(random, 5) != 0;
            map->weights[row * map->columns + column] =
                (uint8_t)(tr_random_below(random, 3) ? 0 : tr_random_below(random, 256));
        }
}

static bool make_route_map(const plain_map *plain, tr_route_map *map) {
    tr_grid grid = {{-3, 5}, 0.5f, (uint32_t)plain->columns, (uint32_t)plain->rows};
    tr_bitmap blocked;
    if (tr_bitmap_create(NULL, grid.columns, grid.rows, &blocked) != TR_OK ||
        tr_route_map_create(NULL, &grid, map, NULL) != TR_OK)
        return false;
    for (int32_t row = 0; row < plain->rows; row++)
        for (int32_t column = 0; column < plain->columns; column++)
            if (plain->blocked[row][column])
                tr_bitmap_set(&blocked, (uint32_t)column, (uint32_t)row);
    bool fine = tr_route_map_set(map, &blocked, tr_grid_all(&grid)) == TR_OK;
    tr_bitmap_destroy(NULL, &blocked);
    return fine;
}

// Every step legal, the sum as stated, the ends where they belong.
static void check_path(const plain_map *plain, const tr_route_map *map, const tr_route_params *params,
                       bool weighted, uint32_t start, uint32_t goal, const tr_route_result *result) {
    REQUIRE(result->cell_count >= 1);
    CHECK_INT(result->cells[0], start);
    CHECK_INT(result->cells[result->cell_count - 1], goal);
    uint32_t cost = 0;
    double length = 0;
    for (uint32_t i = 0; i + 1 < result->cell_count; i++) {
        int32_t column = (int32_t)tr_route_map_column(map, result->cells[i]),
                row = (int32_t)tr_route_map_row(map, result->cells[i]);
        int32_t dx = (int32_t)tr_route_map_column(map, result->cells[i + 1]) - column;
        int32_t dz = (int32_t)tr_route_map_row(map, result->cells[i + 1]) - row;
        REQUIRE(dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1);
        CHECK(may_step(plain, params, column, row, dx, dz));
        cost += step_cost(plain, params, weighted, column, row, dx, dz);
        length += 0.5 * (dx && dz ? ROOT_2 : 1);
    }
    CHECK_INT(cost, result->cost);
    CHECK_NEAR(result->length, length, 1e-9 * (1 + length));
}

// A free cell, or false.
static bool random_free(tr_random *random, const plain_map *map, int32_t *column, int32_t *row) {
    for (int attempt = 0; attempt < 50; attempt++) {
        *column = (int32_t)tr_random_below(random, (uint32_t)map->columns);
        *row = (int32_t)tr_random_below(random, (uint32_t)map->rows);
        if (is_open(map, *column, *row))
            return true;
    }
    return false;
}

static void check_query(tr_route *route, const tr_route_map *map, const plain_map *plain, tr_random *random,
                        const tr_route_params *params, bool weighted) {
    int32_t column, row, goal_columns[3], goal_rows[3];
    uint32_t goals[3], count = 1 + tr_random_below(random, 3), best = UINT32_MAX, costs[SIDE_MAX][SIDE_MAX];
    if (!random_free(random, plain, &column, &row))
        return;
    judge(plain, params, weighted, column, row, costs);
    for (uint32_t i = 0; i < count; i++) {
        if (!random_free(random, plain, &goal_columns[i], &goal_rows[i]))
            return;
        goals[i] = tr_route_map_node(map, (uint32_t)goal_columns[i], (uint32_t)goal_rows[i]);
        uint32_t cost = costs[goal_rows[i]][goal_columns[i]];
        best = cost < best ? cost : best;
    }
    uint32_t start = tr_route_map_node(map, (uint32_t)column, (uint32_t)row);
    tr_status status = tr_route_find_cells(route, map, params, start, goals, count, NULL);
    // A budget of a few expansions at a time must come to the same.
    while (status == TR_PARTIAL)
        status = tr_route_resume(route, params->budget, NULL);
    tr_route_result result = tr_route_last(route);
    CHECK_INT(status, best == UINT32_MAX ? TR_NOT_FOUND : TR_OK);
    if (status != TR_OK)
        return;
    CHECK_INT(result.cost, best);
    REQUIRE(result.goal < count);
    check_path(plain, map, params, weighted, start, goals[result.goal], &result);
}

TEST(every_mode_agrees_with_a_plain_judge_on_10000_random_maps) {
    tr_random random = tr_random_seed(11);
    tr_route *route;
    REQUIRE(tr_route_create(NULL, 64 * (SIDE_MAX + 2), &route, NULL) == TR_OK);
    for (int trial = 0; trial < 10000; trial++) {
        plain_map plain;
        tr_route_map map;
        random_map(&random, &plain);
        REQUIRE(make_route_map(&plain, &map));
        for (uint32_t mode = 0; mode < 18; mode++) { // 3 methods, 3 rules of steps, 2 metrics
            tr_route_params params = tr_route_params_default();
            params.method = (tr_route_method)(mode % 3);
            params.neighbours = mode / 3 % 3 == 2 ? 4 : 8;
            params.cut_corners = mode / 3 % 3 == 1;
            params.metric = mode / 9 ? TR_ROUTE_PAPER : TR_ROUTE_TRUE;
            params.budget.expansions = trial % 4 == 0 ? 3 : 0;
            bool weighted = trial % 5 == 0;
            tr_route_map_set_weights(&map, weighted ? plain.weights : NULL);
            check_query(route, &map, &plain, &random, &params, weighted);
        }
        tr_route_map_destroy(&map);
    }
    tr_route_destroy(route);
}

// A large open map with a long wall: jumps across many words in all directions, against A*.
TEST(jumps_over_many_words_find_what_a_star_finds) {
    tr_random random = tr_random_seed(12);
    tr_grid grid = {{0, 0}, 1, 300, 270};
    tr_route_map map;
    tr_route *route;
    REQUIRE(tr_route_map_create(NULL, &grid, &map, NULL) == TR_OK);
    REQUIRE(tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK);
    for (int trial = 0; trial < 60; trial++) {
        for (uint32_t row = 0; row < grid.rows; row++)
            for (uint32_t column = 0; column < grid.columns; column++)
                tr_route_map_set_cell(&map, column, row, true);
        for (uint32_t i = 0; i < (uint32_t)trial; i++) { // walls and boxes
            uint32_t column = tr_random_below(&random, grid.columns),
                     row = tr_random_below(&random, grid.rows);
            uint32_t width = 1 + tr_random_below(&random, i % 2 ? 120 : 8),
                     height = 1 + tr_random_below(&random, i % 2 ? 8 : 120);
            for (uint32_t z = row; z < row + height && z < grid.rows; z++)
                for (uint32_t x = column; x < column + width && x < grid.columns; x++)
                    tr_route_map_set_cell(&map, x, z, false);
        }
        for (int query = 0; query < 20; query++) {
            tr_vec2 ends[2];
            for (int i = 0; i < 2; i++)
                ends[i] = tr_grid_centre(&grid, tr_random_below(&random, grid.columns),
                                         tr_random_below(&random, grid.rows));
            tr_route_params params = tr_route_params_default();
            params.reach = 1000;
            params.cut_corners = query % 2;
            tr_status by_a_star = tr_route_find(route, &map, &params, ends[0], &ends[1], 1, NULL);
            tr_route_result a_star = tr_route_last(route);
            params.method = TR_ROUTE_JPS;
            CHECK_INT(tr_route_find(route, &map, &params, ends[0], &ends[1], 1, NULL), by_a_star);
            tr_route_result jumped = tr_route_last(route);
            CHECK_INT(jumped.cost, a_star.cost);
            CHECK_INT(jumped.cell_count > 0, a_star.cell_count > 0);
            CHECK(jumped.counters.expanded <= a_star.counters.expanded);
        }
    }
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
}

typedef struct small_world {
    tr_route_map map;
    tr_route *route;
} small_world;

// Ten by ten, free but for a wall at column 5 with a gap at the bottom.
static bool make_small(small_world *world) {
    tr_grid grid = {{0, 0}, 1, 10, 10};
    if (tr_route_map_create(NULL, &grid, &world->map, NULL) != TR_OK ||
        tr_route_create(NULL, tr_route_map_nodes(&world->map), &world->route, NULL) != TR_OK)
        return false;
    for (uint32_t row = 0; row < 10; row++)
        for (uint32_t column = 0; column < 10; column++)
            tr_route_map_set_cell(&world->map, column, row, column != 5 || row == 9);
    return true;
}

static void drop_small(small_world *world) {
    tr_route_destroy(world->route);
    tr_route_map_destroy(&world->map);
}

TEST(a_start_or_goal_inside_an_obstacle_is_moved_to_the_nearest_free_cell_and_said_so) {
    small_world world;
    REQUIRE(make_small(&world));
    tr_route_params params = tr_route_params_default();
    tr_vec2 inside = {5.6f, 2.5f}, free_place = {1.5f, 1.5f};
    CHECK_INT(tr_route_find(world.route, &world.map, &params, free_place, &inside, 1, NULL), TR_OK);
    tr_route_result result = tr_route_last(world.route);
    CHECK(!result.start_moved && result.goal_moved);
    CHECK_INT(tr_route_map_column(&world.map, result.cells[result.cell_count - 1]), 6);
    CHECK_INT(tr_route_find(world.route, &world.map, &params, inside, &free_place, 1, NULL), TR_OK);
    CHECK(tr_route_last(world.route).start_moved && !tr_route_last(world.route).goal_moved);
    tr_error error = {0};
    params.reach = 0.5f; // the nearest centre is 0.9 m away
    CHECK_INT(tr_route_find(world.route, &world.map, &params, free_place, &inside, 1, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "no free cell within 0.5 m of the goal (5.6, 2.5)");
    drop_small(&world);
}

TEST(the_nearest_of_several_goals_wins) {
    small_world world;
    REQUIRE(make_small(&world));
    tr_vec2 start = {0.5f, 0.5f}, goals[3] = {{9.5f, 0.5f}, {4.5f, 8.5f}, {3.5f, 3.5f}};
    for (int method = 0; method < 3; method++) {
        tr_route_params params = tr_route_params_default();
        params.method = (tr_route_method)method;
        CHECK_INT(tr_route_find(world.route, &world.map, &params, start, goals, 3, NULL), TR_OK);
        CHECK_INT(tr_route_last(world.route).goal, 2);
        CHECK_NEAR(tr_route_last(world.route).length, 3 * ROOT_2, 1e-12);
    }
    drop_small(&world);
}

// Of all cells whose edges were followed: how near to (9, 0) the nearest one is, by steps as the metric
// counts.
typedef struct nearness {
    const tr_route_map *map;
    uint32_t least;
} nearness;

static uint32_t steps_to_goal(const tr_route_map *map, uint32_t node) {
    uint32_t dx = 9 - tr_route_map_column(map, node), dz = tr_route_map_row(map, node);
    return dx > dz ? 985 * dx + 408 * dz : 985 * dz + 408 * dx;
}

static void hear_nearness(void *user, tr_search_event event, uint32_t node, uint32_t parent, uint32_t cost,
                          uint32_t total) {
    nearness *n = user;
    (void)parent, (void)cost, (void)total;
    if ((event == TR_SEARCH_EXPANDS || event == TR_SEARCH_ARRIVES) && steps_to_goal(n->map, node) < n->least)
        n->least = steps_to_goal(n->map, node);
}

// A search in parts of `expansions` each: what is there in between, and that the end is that of one search.
static void check_parts(small_world *world, tr_route_params params, uint64_t expansions) {
    tr_vec2 start = {0.5f, 0.5f}, goal = {9.5f, 0.5f};
    CHECK_INT(tr_route_find(world->route, &world->map, &params, start, &goal, 1, NULL), TR_OK);
    tr_route_result whole = tr_route_last(world->route);
    uint32_t cells[100];
    REQUIRE(whole.cell_count <= 100);
    memcpy(cells, whole.cells, sizeof *cells * whole.cell_count);
    nearness n = {&world->map, UINT32_MAX};
    tr_search_listener listener = {hear_nearness, &n};
    params.listener = &listener;
    params.budget.expansions = expansions;
    tr_status status = tr_route_find(world->route, &world->map, &params, start, &goal, 1, NULL);
    for (uint64_t parts = 1; status == TR_PARTIAL; parts++) {
        tr_route_result part = tr_route_last(world->route);
        REQUIRE(part.cell_count >= 1 && parts * expansions < whole.counters.expanded);
        CHECK_INT(part.cells[0], tr_route_map_node(&world->map, 0, 0));
        if (params.method != TR_ROUTE_DIJKSTRA) // which knows of no direction
            CHECK_INT(steps_to_goal(&world->map, part.cells[part.cell_count - 1]), n.least);
        CHECK_INT(part.goal, TR_NONE);
        CHECK_INT(part.counters.expanded, parts * expansions);
        status = tr_route_resume(world->route, params.budget, NULL);
    }
    CHECK_INT(status, TR_OK);
    tr_route_result result = tr_route_last(world->route);
    CHECK_INT(result.goal, 0);
    CHECK_INT(result.cost, whole.cost);
    CHECK(result.length == whole.length);
    CHECK_INT(result.counters.expanded, whole.counters.expanded);
    REQUIRE(result.cell_count == whole.cell_count);
    CHECK(memcmp(result.cells, cells, sizeof *cells * result.cell_count) == 0);
}

TEST(a_budget_gives_the_best_so_far_and_going_on_ends_as_one_search_does) {
    small_world world;
    REQUIRE(make_small(&world));
    for (int method = TR_ROUTE_DIJKSTRA; method <= TR_ROUTE_JPS; method++) {
        tr_route_params params = tr_route_params_default();
        params.method = (tr_route_method)method;
        for (uint64_t expansions = 1; expansions < 9; expansions++)
            check_parts(&world, params, expansions);
    }
    // By hand: (0, 0) to (4, 9), straight through the gap to (6, 9) as corners are not cut, and to (9, 0).
    CHECK_NEAR(tr_route_last(world.route).length, (4 * ROOT_2 + 5) + 2 + (3 * ROOT_2 + 6), 1e-12);
    drop_small(&world);
}

TEST(going_on_keeps_the_number_of_the_goal_and_what_was_moved) {
    small_world world;
    REQUIRE(make_small(&world));
    tr_route_params params = tr_route_params_default();
    params.reach = 0.6f;
    params.budget.expansions = 3;
    // The first goal is too deep in the wall and left out; the second comes out at its left, the start right.
    tr_vec2 start = {5.95f, 0.5f}, goals[2] = {{5.5f, 2.5f}, {5.05f, 2.5f}};
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, goals, 2, NULL), TR_PARTIAL);
    CHECK(tr_route_last(world.route).start_moved && !tr_route_last(world.route).goal_moved);
    tr_search_budget no_limit = {0, 0};
    CHECK_INT(tr_route_resume(world.route, no_limit, NULL), TR_OK);
    tr_route_result result = tr_route_last(world.route);
    CHECK_INT(result.goal, 1);
    CHECK(result.start_moved && result.goal_moved);
    CHECK_INT(result.cells[0], tr_route_map_node(&world.map, 6, 0));
    CHECK_INT(result.cells[result.cell_count - 1], tr_route_map_node(&world.map, 4, 2));
    tr_route_map_set_cell(&world.map, 5, 9, false); // the gap
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, goals, 2, NULL), TR_PARTIAL);
    CHECK(tr_route_last(world.route).cell_count > 0);
    CHECK_INT(tr_route_resume(world.route, no_limit, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_route_last(world.route).cell_count, 0);
    CHECK_INT(tr_route_last(world.route).goal, TR_NONE);
    drop_small(&world);
}

TEST(there_is_no_going_on_but_with_a_partial_search_on_its_map) {
    small_world world;
    REQUIRE(make_small(&world));
    tr_error error = {0};
    tr_vec2 start = {0.5f, 0.5f}, goal = {9.5f, 0.5f}, outside = {-1, 3};
    tr_search_budget no_limit = {0, 0};
    tr_route_params params = tr_route_params_default(), partial = params;
    partial.budget.expansions = 3;
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &goal, 1, NULL), TR_OK);
    CHECK_INT(tr_route_resume(world.route, no_limit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "no search to continue");
    tr_grid little = {{0, 0}, 1, 1, 1};
    tr_route_map other;
    REQUIRE(tr_route_map_create(NULL, &little, &other, NULL) == TR_OK);
    CHECK_INT(tr_route_find(world.route, &world.map, &partial, start, &goal, 1, NULL), TR_PARTIAL);
    CHECK_INT(tr_route_find(world.route, &other, &params, start, &outside, 1, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_route_resume(world.route, no_limit, &error), TR_INVALID); // not with cells of the first map
    uint8_t weights[100] = {0};
    tr_route_map_set_weights(&world.map, weights);
    CHECK_INT(tr_route_find(world.route, &world.map, &partial, start, &goal, 1, NULL), TR_PARTIAL);
    tr_route_map_set_weights(&world.map, NULL);
    CHECK_INT(tr_route_resume(world.route, no_limit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the size or the weights of the map have changed");
    tr_route_map_destroy(&other);
    drop_small(&world);
}

TEST(every_method_that_is_cut_short_comes_nearer_to_the_goal) {
    small_world world;
    REQUIRE(make_small(&world));
    tr_vec2 start = {0.5f, 0.5f}, goal = {9.5f, 0.5f};
    for (int method = 0; method < 2; method++) { // jump points may see the whole map in one expansion
        tr_route_params params = tr_route_params_default();
        params.method = (tr_route_method)method;
        params.budget.expansions = 30;
        CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &goal, 1, NULL), TR_PARTIAL);
        tr_route_result result = tr_route_last(world.route);
        REQUIRE(result.cell_count > 1);
        CHECK_INT(tr_route_map_column(&world.map, result.cells[result.cell_count - 1]), 4); // at the wall
    }
    drop_small(&world);
}

// 40,000 parts of one expansion: this test is slow if the result of a part takes longer than the part.
TEST(a_search_in_the_smallest_parts_never_falls_back) {
    tr_grid grid = {{0, 0}, 1, 400, 400};
    tr_route_map map;
    tr_route *route;
    REQUIRE(tr_route_map_create(NULL, &grid, &map, NULL) == TR_OK);
    REQUIRE(tr_route_create(NULL, tr_route_map_nodes(&map), &route, NULL) == TR_OK);
    for (uint32_t i = 0; i < grid.columns * grid.rows; i++)
        tr_route_map_set_cell(&map, i % grid.columns, i / grid.columns, true);
    tr_route_params params = tr_route_params_default();
    params.method = TR_ROUTE_DIJKSTRA;
    params.budget.expansions = 1;
    tr_vec2 start = {200.5f, 200.5f}, goal = {399.5f, 399.5f};
    tr_status status = tr_route_find(route, &map, &params, start, &goal, 1, NULL);
    uint32_t nearest = 0, parts = 0;
    for (; status == TR_PARTIAL && parts < 40000; parts++) {
        tr_route_result part = tr_route_last(route);
        uint32_t column = tr_route_map_column(&map, part.cells[part.cell_count - 1]);
        CHECK(column >= nearest); // never further away than the part before
        nearest = column;
        status = tr_route_resume(route, params.budget, NULL);
    }
    CHECK_INT(parts, 40000);
    CHECK(nearest > 270);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
}

TEST(bad_queries_get_a_sentence_and_change_nothing) {
    small_world world;
    REQUIRE(make_small(&world));
    tr_error error = {0};
    tr_vec2 start = {0.5f, 0.5f}, goal = {9.5f, 0.5f}, outside = {-1, 3}, broken = {NAN, 0};
    tr_route_params params = tr_route_params_default();
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &outside, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the goal (-1, 3) is not on the map");
    CHECK_INT(tr_route_find(world.route, &world.map, &params, broken, &goal, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the start (nan, 0)");
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &goal, 0, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "there are 0 goals");
    params.neighbours = 6;
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &goal, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "neighbours is 6");
    params = tr_route_params_default();
    params.reach = -1;
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &goal, 1, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "reach is -1");
    uint32_t wall = tr_route_map_node(&world.map, 5, 0), corner = tr_route_map_node(&world.map, 0, 0),
             border = 0;
    params = tr_route_params_default();
    CHECK_INT(tr_route_find_cells(world.route, &world.map, &params, corner, &wall, 1, &error), TR_INVALID);
    CHECK_INT(tr_route_find_cells(world.route, &world.map, &params, border, &corner, 1, &error), TR_INVALID);
    tr_route *tiny;
    REQUIRE(tr_route_create(NULL, 50, &tiny, NULL) == TR_OK);
    CHECK_INT(tr_route_find(tiny, &world.map, &params, start, &goal, 1, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "the route was made for 50");
    CHECK_INT(tr_route_resume(tiny, params.budget, &error), TR_INVALID);
    tr_route_destroy(tiny);
    CHECK_INT(tr_route_find(world.route, &world.map, &params, start, &goal, 1, NULL), TR_OK);
    drop_small(&world);
}

TEST(planning_allocates_nothing) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    tr_grid grid = {{0, 0}, 1, 100, 80};
    tr_route_map map;
    tr_route *route;
    REQUIRE(tr_route_map_create(&allocator, &grid, &map, NULL) == TR_OK);
    REQUIRE(tr_route_create(&allocator, tr_route_map_nodes(&map), &route, NULL) == TR_OK);
    tr_bitmap blocked;
    REQUIRE(tr_bitmap_create(NULL, 100, 80, &blocked) == TR_OK);
    uint64_t calls = memory.calls;
    tr_route_map_set(&map, &blocked, tr_grid_all(&grid));
    tr_vec2 start = {0.5f, 0.5f}, goal = {99.5f, 79.5f};
    for (uint32_t i = 0; i < 300; i++) { // through all generations of the node states, too
        tr_route_params params = tr_route_params_default();
        params.method = (tr_route_method)(i % 3);
        CHECK_INT(tr_route_find(route, &map, &params, start, &goal, 1, NULL), TR_OK);
    }
    CHECK_INT(memory.calls, calls);
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    tr_bitmap_destroy(NULL, &blocked);
    CHECK_INT(memory.live_bytes, 0);
}

static bool create_all(const tr_allocator *allocator) {
    tr_grid grid = {{0, 0}, 1, 20, 20};
    tr_route_map map;
    tr_route *route = NULL;
    bool fine = tr_route_map_create(allocator, &grid, &map, NULL) == TR_OK &&
                tr_route_create(allocator, tr_route_map_nodes(&map), &route, NULL) == TR_OK;
    tr_route_destroy(route);
    tr_route_map_destroy(&map);
    return fine;
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(create_all) >= 8);
}
