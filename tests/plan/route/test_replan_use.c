// Limits, budgets, memory, and that what is kept is worth it.
#include "replan_world.h"
#include "test.h"
#include "troupe/base/hash.h"

static const tr_search_budget no_limit = {0, 0};

static tr_replan *create(world *w, const tr_allocator *allocator) {
    tr_replan *replan = NULL;
    CHECK_INT(tr_replan_create(allocator, &w->map, &w->params, &replan, NULL), TR_OK);
    return replan;
}

static void place_ends(const world *w, tr_replan *replan) {
    CHECK_INT(tr_replan_set_start(replan, world_node(w, w->start)), TR_OK);
    CHECK_INT(tr_replan_set_goal(replan, world_node(w, w->goal)), TR_OK);
}

static void open_world(world *w, uint32_t mode, uint32_t columns, uint32_t rows) {
    tr_random random = tr_random_seed(1);
    CHECK(world_create(w, mode, columns, rows, 0, &random));
}

static void set_cell(world *w, uint32_t column, uint32_t row, bool is_free) {
    world_set(w, column, row, !is_free);
    tr_route_map_set_cell(&w->map, column, row, is_free);
}

static void check_finds(const world *w, tr_replan *replan) {
    uint64_t expected = world_dijkstra(w);
    place_ends(w, replan);
    CHECK_INT(tr_replan_find(replan, no_limit, NULL), expected == UINT64_MAX ? TR_NOT_FOUND : TR_OK);
    if (expected != UINT64_MAX)
        CHECK_INT(tr_replan_last(replan).cost, expected);
}

TEST(a_route_to_where_it_begins_is_one_cell) {
    for (uint32_t side = 1; side < 8; side += 6) {
        world w;
        open_world(&w, 2, side, side);
        tr_replan *replan = create(&w, NULL);
        REQUIRE(replan);
        w.start = w.goal = side * side / 2;
        place_ends(&w, replan);
        CHECK_INT(tr_replan_find(replan, no_limit, NULL), TR_OK);
        tr_route_result path = tr_replan_last(replan);
        CHECK_INT(path.cell_count, 1);
        CHECK_INT(path.cost, 0);
        CHECK_NEAR(path.length, 0, 0);
        CHECK_INT(path.cells[0], world_node(&w, w.start));
        tr_replan_destroy(replan);
        world_destroy(&w);
    }
}

static void check_blocked_ends(uint32_t mode) {
    world w;
    tr_error error;
    open_world(&w, mode, 9, 7);
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    w.start = 9 + 1;
    w.goal = 5 * 9 + 7;
    check_finds(&w, replan);
    set_cell(&w, 1, 1, false);
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "the start, cell 1, 1, is blocked");
    CHECK_INT(tr_replan_last(replan).cell_count, 0);
    set_cell(&w, 1, 1, true);
    set_cell(&w, 7, 5, false);
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_NOT_FOUND);
    CHECK_CONTAINS(error.message, "the goal, cell 7, 5, is blocked");
    set_cell(&w, 7, 5, true);
    check_finds(&w, replan);
    CHECK(tr_replan_last(replan).cell_count > 6);
    set_cell(&w, 4, 0, false); // off the path
    check_finds(&w, replan);
    uint32_t start = w.start;
    w.start = 4; // onto the blocked cell and back again
    check_finds(&w, replan);
    w.start = start;
    check_finds(&w, replan);
    CHECK(tr_replan_last(replan).cell_count > 6);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(a_blocked_start_or_goal_has_no_path_until_it_is_freed) {
    for (uint32_t mode = 0; mode < WORLD_MODES; mode++)
        check_blocked_ends(mode);
}

TEST(bad_arguments_are_refused_and_change_nothing) {
    world w;
    tr_error error;
    open_world(&w, 2, 10, 6);
    tr_replan *replan = NULL;
    tr_route_params params = w.params;
    params.neighbours = 6;
    CHECK_INT(tr_replan_create(NULL, &w.map, &params, &replan, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "neighbours is 6");
    CHECK(replan == NULL);
    params.neighbours = 8;
    params.metric = (tr_route_metric)7;
    CHECK_INT(tr_replan_create(NULL, &w.map, &params, &replan, &error), TR_INVALID);
    CHECK_INT(tr_replan_create(NULL, NULL, &w.params, &replan, &error), TR_INVALID);
    CHECK_INT(tr_replan_create(NULL, &w.map, NULL, &replan, &error), TR_INVALID);

    REQUIRE((replan = create(&w, NULL)));
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the start of the route is not set");
    CHECK_INT(tr_replan_set_start(replan, world_node(&w, 0)), TR_OK);
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "the goal of the route is not set");
    CHECK_INT(tr_replan_set_goal(replan, world_node(&w, 59)), TR_OK);
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_OK);
    uint32_t cost = tr_replan_last(replan).cost;
    const uint32_t outside[] = {0, 1, w.map.pitch, w.map.pitch + 11, 7 * w.map.pitch + 1, TR_NONE};
    for (uint32_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        CHECK_INT(tr_replan_set_start(replan, outside[i]), TR_INVALID);
        CHECK_INT(tr_replan_set_goal(replan, outside[i]), TR_INVALID);
    }
    CHECK_INT(tr_replan_changed(replan, (tr_cells){0, 0, 11, 6}), TR_INVALID);
    CHECK_INT(tr_replan_changed(replan, (tr_cells){0, 0, 10, 7}), TR_INVALID);
    CHECK_INT(tr_replan_changed(replan, (tr_cells){5, 5, 2, 2}), TR_OK); // empty
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_OK);
    CHECK_INT(tr_replan_last(replan).cost, cost);
    w.map.grid.rows = 5;
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "10 x 5 cells now, the route was made for 10 x 6");
    w.map.grid.rows = 6;
    tr_route_map_destroy(&w.map);
    CHECK_INT(tr_replan_set_start(replan, 0), TR_INVALID);
    CHECK_INT(tr_replan_set_start(replan, w.map.pitch), TR_INVALID);
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_INVALID);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(nothing_is_a_legal_replanner_to_end_and_to_ask) {
    tr_replan_destroy(NULL);
    CHECK_INT(tr_replan_set_start(NULL, 0), TR_INVALID);
    CHECK_INT(tr_replan_set_goal(NULL, 0), TR_INVALID);
    CHECK_INT(tr_replan_changed(NULL, (tr_cells){0, 0, 1, 1}), TR_INVALID);
    CHECK_INT(tr_replan_find(NULL, no_limit, NULL), TR_INVALID);
    CHECK_INT(tr_replan_last(NULL).cell_count, 0);
    CHECK_INT(tr_replan_last(NULL).goal, TR_NONE);
}

// Block two by two cells on the path, or free a larger place; both planners are told.
static void disturb(world *w, tr_replan *replans[2], tr_random *random) {
    tr_route_result path = tr_replan_last(replans[0]);
    uint32_t cell = tr_random_below(random, w->columns * w->rows);
    bool is_block = path.cell_count > 4 && tr_random_below(random, 3);
    if (is_block) {
        uint32_t node = path.cells[1 + tr_random_below(random, path.cell_count - 2)];
        cell = tr_route_map_row(&w->map, node) * w->columns + tr_route_map_column(&w->map, node);
    }
    uint32_t column = cell % w->columns, row = cell / w->columns, side = is_block ? 2 : 6;
    tr_cells cells = {column, row, column + side < w->columns ? column + side : w->columns,
                      row + side < w->rows ? row + side : w->rows};
    for (uint32_t r = cells.row_begin; r < cells.row_end; r++)
        for (uint32_t c = cells.column_begin; c < cells.column_end; c++)
            world_set(w, c, r, is_block);
    CHECK_INT(tr_route_map_set(&w->map, &w->bitmap, cells), TR_OK);
    for (int i = 0; i < 2; i++)
        CHECK_INT(tr_replan_changed(replans[i], cells), TR_OK);
}

// A partial path begins at the start and can be walked.
static void check_partial(const world *w, const tr_replan *replan) {
    tr_route_result path = tr_replan_last(replan);
    REQUIRE(path.cell_count > 0 && path.cells[0] == world_node(w, w->start));
    CHECK_INT(path.goal, TR_NONE);
    uint64_t cost = 0;
    for (uint32_t i = 1; i < path.cell_count; i++) {
        int32_t by = (int32_t)(path.cells[i] - path.cells[i - 1]), pitch = (int32_t)w->map.pitch;
        int32_t up = by > 1 ? 1 : by < -1 ? -1 : 0, right = by - up * pitch;
        uint32_t node = path.cells[i - 1];
        uint32_t cell = tr_route_map_row(&w->map, node) * w->columns + tr_route_map_column(&w->map, node);
        uint32_t step = world_step(w, cell, right, up);
        CHECK(step > 0);
        cost += step;
    }
    CHECK_INT(path.cost, cost);
}

TEST(a_search_in_small_parts_gives_the_path_of_one_in_a_single_part) {
    tr_random random = tr_random_seed(5);
    for (uint32_t mode = 0; mode < WORLD_MODES; mode++) {
        world w;
        REQUIRE(world_create(&w, mode, 60, 50, 20, &random));
        tr_replan *replans[2] = {create(&w, NULL), create(&w, NULL)};
        REQUIRE(replans[0] && replans[1]);
        uint32_t parts = 0;
        for (uint32_t step = 0; step < 40; step++) {
            disturb(&w, replans, &random);
            if (step % 5 == 0)
                w.start = tr_random_below(&random, 60 * 50);
            if (step % 7 == 0)
                w.goal = tr_random_below(&random, 60 * 50);
            place_ends(&w, replans[0]);
            place_ends(&w, replans[1]);
            tr_search_budget budget = {1 + tr_random_below(&random, 40), 0};
            tr_status status;
            while ((status = tr_replan_find(replans[1], budget, NULL)) == TR_PARTIAL) {
                check_partial(&w, replans[1]);
                CHECK(tr_replan_last(replans[1]).counters.expanded <= budget.expansions);
                parts++;
            }
            CHECK_INT(tr_replan_find(replans[0], no_limit, NULL), status);
            tr_route_result a = tr_replan_last(replans[0]), b = tr_replan_last(replans[1]);
            REQUIRE(a.cell_count == b.cell_count && a.cost == b.cost);
            for (uint32_t i = 0; i < a.cell_count; i++)
                CHECK_INT(a.cells[i], b.cells[i]);
        }
        CHECK(parts > 10);
        tr_replan_destroy(replans[0]);
        tr_replan_destroy(replans[1]);
        world_destroy(&w);
    }
}

TEST(a_budget_of_time_ends_a_search_and_the_next_goes_on) {
    world w;
    open_world(&w, 4, 400, 400);
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    for (uint32_t row = 0; row < 399; row++)
        set_cell(&w, 200, row, false);
    w.start = 0;
    w.goal = 399;
    place_ends(&w, replan);
    uint32_t parts = 0;
    tr_status status;
    while ((status = tr_replan_find(replan, (tr_search_budget){0, 1}, NULL)) == TR_PARTIAL)
        REQUIRE(parts++ < 160000);
    CHECK_INT(status, TR_OK);
    CHECK(parts > 0);
    CHECK_INT(tr_replan_last(replan).cost, world_dijkstra(&w));
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(changes_that_nobody_told_are_found_by_the_maps_revision) {
    world w;
    open_world(&w, 2, 200, 20);
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    w.start = 10 * 200;
    w.goal = 10 * 200 + 199;
    check_finds(&w, replan);
    for (uint32_t row = 1; row < 20; row++)
        set_cell(&w, 127, row, false); // the last bit of a word and the first of the next
    for (uint32_t row = 0; row < 19; row++)
        set_cell(&w, 64, row, false);
    check_finds(&w, replan);
    set_cell(&w, 64, 19, false);
    check_finds(&w, replan);
    set_cell(&w, 64, 7, true);
    check_finds(&w, replan);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(a_rectangle_that_is_only_the_last_of_several_is_not_trusted) {
    for (uint32_t mode = 0; mode < 6; mode++) {
        world w;
        open_world(&w, mode, 30, 30);
        tr_replan *replan = create(&w, NULL);
        REQUIRE(replan);
        w.start = 15 * 30;
        w.goal = 15 * 30 + 29;
        check_finds(&w, replan);
        for (uint32_t row = 0; row < 29; row++)
            set_cell(&w, 10, row, false);
        set_cell(&w, 20, 15, false);
        CHECK_INT(tr_replan_changed(replan, (tr_cells){20, 15, 21, 16}), TR_OK);
        check_finds(&w, replan);
        tr_replan_destroy(replan);
        world_destroy(&w);
    }
}

TEST(weights_may_come_change_and_go) {
    world w;
    tr_random random = tr_random_seed(77);
    REQUIRE(world_create(&w, 8, 40, 30, 10, &random));
    uint8_t *weights = w.weights, other[40 * 30];
    for (uint32_t i = 0; i < sizeof other; i++)
        other[i] = (uint8_t)tr_random_bits(&random);
    const uint8_t *turns[] = {weights, NULL, other, weights, NULL};
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    for (uint32_t i = 0; i < 50; i++) {
        w.weights = (uint8_t *)turns[i % 5];
        tr_route_map_set_weights(&w.map, w.weights);
        check_finds(&w, replan);
        weights[tr_random_below(&random, sizeof other)] = 200; // told of below
        if (w.weights)
            CHECK_INT(tr_replan_changed(replan, tr_grid_all(&w.map.grid)), TR_OK);
        check_finds(&w, replan);
        w.start = tr_random_below(&random, sizeof other);
    }
    w.weights = weights;
    tr_replan_destroy(replan);
    world_destroy(&w);
}

static void check_following(uint32_t mode) {
    world w;
    tr_random random = tr_random_seed(4);
    REQUIRE(world_create(&w, mode, 200, 200, 15, &random));
    set_cell(&w, 0, 0, true);
    set_cell(&w, 199, 199, true);
    w.start = 0;
    w.goal = 200 * 200 - 1;
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    check_finds(&w, replan);
    uint64_t first = tr_replan_last(replan).counters.expanded, later = 0;
    CHECK(first > 100);
    for (uint32_t i = 0; i < 150; i++) {
        REQUIRE(tr_replan_last(replan).cell_count > 1);
        uint32_t node = tr_replan_last(replan).cells[1];
        w.start = tr_route_map_row(&w.map, node) * 200 + tr_route_map_column(&w.map, node);
        if (i % 25 == 0) {
            check_finds(&w, replan);
        } else {
            place_ends(&w, replan);
            CHECK_INT(tr_replan_find(replan, no_limit, NULL), TR_OK);
        }
        later += tr_replan_last(replan).counters.expanded;
    }
    CHECK(later < first / 10);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(a_start_that_follows_the_path_costs_next_to_nothing) {
    for (uint32_t mode = 0; mode < WORLD_MODES; mode++)
        check_following(mode);
}

// D* Lite takes the other end for its root then.
TEST(a_goal_that_moves_again_and_again_costs_little_after_the_second_time) {
    world w;
    tr_random random = tr_random_seed(8);
    REQUIRE(world_create(&w, 4, 200, 200, 25, &random));
    for (uint32_t column = 150; column < 200; column++)
        set_cell(&w, column, 199, true);
    set_cell(&w, 0, 0, true);
    w.start = 0;
    w.goal = 200 * 200 - 1;
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    uint64_t expanded[50];
    for (uint32_t i = 0; i < 50; i++) {
        check_finds(&w, replan);
        expanded[i] = tr_replan_last(replan).counters.expanded;
        w.goal--;
    }
    uint64_t later = 0;
    for (uint32_t i = 3; i < 50; i++)
        later += expanded[i];
    CHECK(expanded[0] > 1000 && expanded[1] > 1000 && expanded[2] > 1000);
    CHECK(later / 47 < expanded[0] / 10);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(changes_that_cannot_matter_cost_no_search) {
    world w;
    open_world(&w, 2, 100, 40);
    for (uint32_t row = 0; row < 30; row++)
        set_cell(&w, 50, row, false);
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    w.start = 5 * 100 + 20;
    w.goal = 5 * 100 + 80;
    check_finds(&w, replan);
    uint32_t cost = tr_replan_last(replan).cost;
    CHECK(tr_replan_last(replan).counters.expanded > 0);
    set_cell(&w, 10, 35, false); // off the path
    check_finds(&w, replan);
    CHECK_INT(tr_replan_last(replan).counters.expanded, 0);
    set_cell(&w, 10, 35, true); // too far round to be of use
    check_finds(&w, replan);
    CHECK_INT(tr_replan_last(replan).counters.expanded, 0);
    set_cell(&w, 50, 5, true); // a gap in the wall, too narrow for nothing but the straight way
    check_finds(&w, replan);
    CHECK_INT(tr_replan_last(replan).cost, 60 * 985);
    CHECK(tr_replan_last(replan).cost < cost);
    for (uint32_t row = 0; row < 40; row++)
        set_cell(&w, 50, row, false);
    check_finds(&w, replan);
    set_cell(&w, 30, 5, false); // still no way
    check_finds(&w, replan);
    CHECK_INT(tr_replan_last(replan).counters.expanded, 0);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(a_start_that_jumps_to_and_fro_for_long_keeps_its_costs) {
    world w;
    open_world(&w, 0, 4000, 1);
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    w.goal = 2000;
    for (uint32_t i = 0; i < 150; i++) { // what the keys grow by passes 2^28 on the way
        w.start = i % 2 ? 3999 : 0;
        place_ends(&w, replan);
        CHECK_INT(tr_replan_find(replan, no_limit, NULL), TR_OK);
        CHECK_INT(tr_replan_last(replan).cost, 985 * (i % 2 ? 1999 : 2000));
    }
    tr_replan_destroy(replan);
    world_destroy(&w);
}

TEST(a_path_that_costs_more_than_can_be_counted_is_a_limit_and_not_a_no) {
    world w;
    tr_error error;
    open_world(&w, 6, 1000, 500); // one corridor to and fro, the heaviest ground
    memset(w.weights, 255, 1000 * 500);
    for (uint32_t row = 1; row < 500; row += 2)
        for (uint32_t column = 0; column < 999; column++)
            world_set(&w, row / 2 % 2 ? column + 1 : column, row, true);
    REQUIRE(tr_route_map_set(&w.map, &w.bitmap, tr_grid_all(&w.map.grid)) == TR_OK);
    tr_replan *replan = create(&w, NULL);
    REQUIRE(replan);
    w.start = 0;
    w.goal = 498 * 1000;
    place_ends(&w, replan);
    CHECK_INT(tr_replan_find(replan, no_limit, &error), TR_LIMIT);
    CHECK_CONTAINS(error.message, "3758096383 or more");
    CHECK_INT(tr_replan_last(replan).cell_count, 0);
    w.goal = 100 * 1000;
    check_finds(&w, replan);
    memset(w.weights, 0, 1000 * 500);
    CHECK_INT(tr_replan_changed(replan, tr_grid_all(&w.map.grid)), TR_OK);
    w.goal = 498 * 1000;
    check_finds(&w, replan);
    tr_replan_destroy(replan);
    world_destroy(&w);
}

static bool attempt_to_create(const tr_allocator *allocator) {
    world w;
    tr_error error;
    tr_replan *replan = NULL;
    open_world(&w, 2, 30, 20);
    tr_status status = tr_replan_create(allocator, &w.map, &w.params, &replan, &error);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    CHECK((status == TR_OK) == (replan != NULL));
    tr_replan_destroy(replan);
    world_destroy(&w);
    return status == TR_OK;
}

TEST(a_replanner_survives_every_allocation_failure) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt_to_create) > 8);
}

static void check_no_allocation(uint32_t mode) {
    world w;
    tr_random random = tr_random_seed(6);
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    REQUIRE(world_create(&w, mode, 80, 80, 15, &random));
    tr_replan *replans[2] = {create(&w, &allocator), create(&w, &allocator)};
    REQUIRE(replans[0] && replans[1]);
    uint64_t calls = memory.calls;
    for (uint32_t i = 0; i < 60; i++) {
        disturb(&w, replans, &random);
        w.goal = i % 3 ? w.goal : tr_random_below(&random, 80 * 80);
        check_finds(&w, replans[0]);
    }
    CHECK_INT(memory.calls, calls);
    tr_replan_destroy(replans[0]);
    tr_replan_destroy(replans[1]);
    CHECK_INT(memory.live_bytes, 0);
    world_destroy(&w);
}

TEST(nothing_is_allocated_after_create) {
    for (uint32_t mode = 0; mode < WORLD_MODES; mode++)
        check_no_allocation(mode);
}

// The same bits for every compiler and level of optimisation.
TEST(the_same_changes_give_the_same_paths_everywhere) {
    world w;
    tr_random random = tr_random_seed(2002);
    uint64_t hash = TR_HASH_START;
    REQUIRE(world_create(&w, 4, 120, 90, 20, &random));
    tr_replan *replans[2] = {create(&w, NULL), create(&w, NULL)};
    REQUIRE(replans[0] && replans[1]);
    for (uint32_t i = 0; i < 60; i++) {
        disturb(&w, replans, &random);
        w.start = i % 4 ? w.start : tr_random_below(&random, 120 * 90);
        check_finds(&w, replans[0]);
        tr_route_result path = tr_replan_last(replans[0]);
        if (path.cell_count > 0)
            hash = tr_hash(hash, path.cells, path.cell_count * sizeof *path.cells);
        hash = tr_hash(hash, &path.length, sizeof path.length);
    }
    CHECK_HASH(hash, 0xc00145fb4a4bc37c);
    tr_replan_destroy(replans[0]);
    tr_replan_destroy(replans[1]);
    world_destroy(&w);
}

// Several rectangles at a time, told one after the other; weights come and go, so that both ways of keeping a
// route take over from each other.
TEST(many_small_changes_told_one_by_one_cost_what_a_new_search_costs) {
    uint32_t kept = 0, found = 0;
    for (uint32_t seed = 0; seed < 40; seed++) {
        tr_random random = tr_random_seed(seed);
        world w;
        REQUIRE(world_create(&w, 2 + seed % 2, 70 + tr_random_below(&random, 60), 40, 12, &random));
        uint8_t *weights = calloc((size_t)w.columns * w.rows, 1);
        tr_replan *replan = create(&w, NULL);
        REQUIRE(replan && weights);
        for (uint32_t i = 0; i < w.columns * w.rows; i++)
            weights[i] = (uint8_t)tr_random_below(&random, 40);
        check_finds(&w, replan);
        for (uint32_t round = 0; round < 40; round++) {
            if (tr_random_below(&random, 10) == 0) {
                w.weights = w.weights ? NULL : weights;
                tr_route_map_set_weights(&w.map, w.weights);
                CHECK_INT(tr_replan_changed(replan, tr_grid_all(&w.map.grid)), TR_OK);
            }
            for (uint32_t k = tr_random_below(&random, 50); k > 0; k--) {
                uint32_t column = tr_random_below(&random, w.columns), row = tr_random_below(&random, w.rows);
                tr_cells cells = {column, row, column + 1 + tr_random_below(&random, 3),
                                  row + 1 + tr_random_below(&random, 3)};
                cells.column_end = cells.column_end < w.columns ? cells.column_end : w.columns;
                cells.row_end = cells.row_end < w.rows ? cells.row_end : w.rows;
                for (uint32_t r = cells.row_begin; r < cells.row_end; r++)
                    for (uint32_t c = cells.column_begin; c < cells.column_end; c++)
                        world_set(&w, c, r, tr_random_below(&random, 100) < 12);
                CHECK_INT(tr_route_map_set(&w.map, &w.bitmap, cells), TR_OK);
                CHECK_INT(tr_replan_changed(replan, cells), TR_OK);
            }
            check_finds(&w, replan);
            found += tr_replan_last(replan).cell_count > 0;
            kept += tr_replan_last(replan).cell_count > 0 && tr_replan_last(replan).counters.expanded == 0;
        }
        tr_replan_destroy(replan);
        w.weights = NULL;
        free(weights);
        world_destroy(&w);
    }
    CHECK(found > 500 && kept > 20);
}
