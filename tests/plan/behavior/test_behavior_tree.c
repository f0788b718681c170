#include "behavior_room.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/plan/behavior_tree.h"

static room r;
static tr_behavior_tree *tree;

static bool open_tree(float width, float depth) {
    room_begin(&r);
    tr_behavior_tree_def def = {.node_max = 2000};
    bool fine = room_open(&r, NULL, width, depth);
    def.behavior = r.behavior;
    return fine && tr_behavior_tree_create(&def, &tree, &r.error) == TR_OK;
}

static void close_tree(void) {
    tr_behavior_tree_destroy(tree);
    tree = NULL;
    room_close(&r);
}

static tr_status find(const tr_behavior_query *query) {
    return tr_behavior_tree_find(tree, r.search, r.map, query, &r.plan, &r.result, &r.error);
}

TEST(a_plan_by_trees_leads_around_walls_to_rest_at_the_goal) {
    REQUIRE(open_tree(24, 24));
    room_box(&r, 7, 0, 11, 17, 12);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {4, 20};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    query.heading = 2;
    CHECK_INT(room_find(&r, &query), TR_OK);
    double least = r.plan.cost;
    uint64_t expanded = r.result.expanded;
    for (int i = 0; i < 4; i++) {
        query.heuristic = i < 2 ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
        query.inflation = i % 2 ? 2 : 1.5f;
        CHECK_INT(find(&query), TR_OK);
        room_check(&r, &query);
        CHECK(r.plan.cost > least * 0.999 && r.plan.cost < least * 1.25);
        CHECK(i > 1 || r.result.expanded * 10 < expanded); // the field knows the dead end
    }
    close_tree();
}

TEST(a_tree_jumps_over_a_log_and_crawls_under_an_arch) {
    for (int arch = 0; arch < 2; arch++) {
        REQUIRE(open_tree(30, 24));
        room_box(&r, 7, 0, 11, 13, 11.5f);
        room_box(&r, arch ? 3 : 5, 13, 11, 17, 11.5f);
        room_box(&r, 7, 17, 11, 30, 11.5f);
        REQUIRE(room_walls(&r));
        tr_vec2 goal = {15, 19};
        tr_behavior_query query = room_query(tr_vec2_make(11.1f, 4.1f), &goal);
        query.heuristic = TR_BEHAVIOR_FIELD;
        query.inflation = 2;
        CHECK_INT(find(&query), TR_OK);
        room_check(&r, &query);
        CHECK_INT(room_uses(&r, MACHINE_CRAWL), arch);
        CHECK_INT(room_uses(&r, MACHINE_JUMP), !arch);
        close_tree();
    }
}

TEST(trees_visit_several_goals_in_their_order) {
    REQUIRE(open_tree(24, 24));
    const tr_vec2 goals[3] = {{4, 20}, {20, 20}, {12, 6}};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), goals);
    query.goal_count = 3;
    query.inflation = 1.5f;
    query.heuristic = TR_BEHAVIOR_FIELD;
    CHECK_INT(find(&query), TR_OK);
    room_check(&r, &query);
    uint32_t next = 0;
    for (uint32_t k = 0; k + 1 < r.plan.action_count; k++)
        for (uint32_t i = 0; i <= 64 && next < 2; i++) { // by passing
            tr_vec2 way = tr_vec2_subtract(r.actions[k + 1].position, r.actions[k].position);
            tr_vec2 at = tr_vec2_add(r.actions[k].position, tr_vec2_scale(way, (float)i / 64));
            if (tr_vec2_length(tr_vec2_subtract(at, goals[next])) <= query.tolerance + 0.01f)
                next++;
        }
    CHECK_INT(next, 2);
    close_tree();
}

// Random walls, some of them low or hanging, and people who were planned before.
static void make_world(tr_random *random, uint32_t walls) {
    for (uint32_t band = 0; band < 3; band++)
        tr_bitmap_clear(&r.walls[band]);
    tr_behavior_map_withdraw_all(r.map);
    for (uint32_t i = 0; i < walls; i++) {
        float x = tr_random_between(random, 1, 14), z = tr_random_between(random, 1, 14);
        float far_x = x + tr_random_between(random, 0.3f, 5), far_z = z + tr_random_between(random, 0.3f, 1);
        room_box(&r, i % 4 == 3 ? 5 : i % 4 == 2 ? 3 : 7, x, z, far_x, far_z);
    }
    room_walls(&r);
}

typedef struct comparison {
    uint32_t found, missed, more, none;
    double costs, worst;
    uint64_t tests, tree_tests;
} comparison;

// Drawn one number after the other: compilers evaluate arguments in any order.
static tr_vec2 draw_place(tr_random *random) {
    float x = tr_random_between(random, 1, 15), z = tr_random_between(random, 1, 15);
    return tr_vec2_make(x, z);
}

static void compare(tr_random *random, comparison *sum) {
    tr_vec2 goal = draw_place(random), start = draw_place(random);
    tr_behavior_query query = room_query(start, &goal);
    query.heading = tr_random_between(random, -3, 3);
    query.frame = tr_random_below(random, 60);
    query.heuristic = TR_BEHAVIOR_FIELD;
    tr_status by_search = room_find(&r, &query);
    double cost = r.plan.cost;
    uint64_t tests = r.result.tests;
    query.inflation = 2;
    query.budget.expansions = 20000;
    tr_status by_tree = find(&query);
    CHECK(by_tree == TR_OK || by_tree == TR_NOT_FOUND || by_tree == TR_PARTIAL);
    sum->found += by_search == TR_OK;
    sum->missed += by_search == TR_OK && by_tree != TR_OK;
    sum->more += by_search != TR_OK && by_tree == TR_OK;
    sum->none += by_search != TR_OK && by_tree != TR_OK;
    if (by_tree == TR_OK)
        room_check(&r, &query);
    if (by_search != TR_OK || by_tree != TR_OK || cost <= 0)
        return;
    double ratio = r.plan.cost / cost;
    sum->costs += ratio;
    sum->worst = ratio > sum->worst ? ratio : sum->worst;
    sum->tests += tests;
    sum->tree_tests += r.result.tests;
}

TEST(in_many_small_worlds_trees_find_a_valid_plan_where_a_search_does) {
    tr_random random = tr_random_seed(17);
    comparison sum = {0};
    REQUIRE(open_tree(16, 16));
    for (uint32_t world = 0; world < 60; world++) {
        make_world(&random, 2 + world % 10);
        for (uint32_t i = 0; i < 14; i++) {
            compare(&random, &sum);
            if (r.plan.action_count > 0 && i % 4 == 3)
                CHECK(room_commit(&r, i));
        }
    }
    printf("  found by the search %u, of these not by trees %u, only by trees %u, by neither %u\n"
           "  cost %.3f of that of the search, worst %.2f; moves tested %.0f, by trees %.0f\n",
           sum.found, sum.missed, sum.more, sum.none, sum.costs / (sum.found - sum.missed), sum.worst,
           (double)sum.tests / sum.found, (double)sum.tree_tests / sum.found);
    CHECK(sum.found > 300 && sum.none > 100);
    CHECK(sum.missed * 100 <= sum.found);
    CHECK(sum.costs / (sum.found - sum.missed) < 1.2);
    close_tree();
}

TEST(planning_by_trees_in_pieces_finds_the_same_plan) {
    REQUIRE(open_tree(24, 24));
    room_box(&r, 7, 4, 11, 24, 12);
    room_box(&r, 7, 4, 5, 4.5f, 11);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {20, 20};
    tr_behavior_query query = room_query(tr_vec2_make(20, 4), &goal);
    query.heuristic = TR_BEHAVIOR_FIELD;
    query.inflation = 1.5f;
    CHECK_INT(find(&query), TR_OK);
    room_check(&r, &query);
    double cost = r.plan.cost;
    uint64_t trees = r.result.expanded;
    uint32_t calls = 0;
    query.budget.expansions = 2;
    tr_status status = find(&query);
    for (; status == TR_PARTIAL && calls < 10000; calls++) {
        CHECK_NEAR(r.plan.end.x, r.result.nearest.x, 0);
        status = tr_behavior_resume(r.search, query.budget, &r.plan, &r.result, &r.error);
    }
    CHECK_INT(status, TR_OK);
    CHECK(calls > 0);
    CHECK_NEAR(r.plan.cost, cost, 0);
    CHECK_INT(r.result.expanded, trees);
    room_check(&r, &query);
    close_tree();
}

TEST(where_trees_find_no_plan_the_reason_is_said) {
    REQUIRE(open_tree(20, 20));
    room_box(&r, 7, 12, 12, 18, 12.5f); // a closed room
    room_box(&r, 7, 12, 17.5f, 18, 18);
    room_box(&r, 7, 12, 12, 12.5f, 18);
    room_box(&r, 7, 17.5f, 12, 18, 18);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {15, 15};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    CHECK_INT(find(&query), TR_NOT_FOUND);
    CHECK_CONTAINS(r.error.message, "walls lie between the start (4, 4) and goal 0 (15, 15)");
    goal = tr_vec2_make(4, 16);
    query.frame_max = 60;
    CHECK_INT(find(&query), TR_NOT_FOUND);
    CHECK_CONTAINS(r.error.message, "with more time there may be a way");
    query.frame_max = 0;
    query.as_written = true;
    CHECK_INT(find(&query), TR_INVALID);
    query.as_written = false;
    query.method = TR_BEHAVIOR_TRUNCATED;
    CHECK_INT(find(&query), TR_INVALID);
    query.method = TR_BEHAVIOR_ASTAR;
    CHECK_INT(find(&query), TR_OK);
    r.plan.action_max = 2;
    CHECK_INT(find(&query), TR_LIMIT);
    r.plan.action_max = ROOM_ACTIONS;
    CHECK_INT(tr_behavior_set_weight(r.behavior, MACHINE_JUMP, 3, NULL), TR_OK);
    CHECK_INT(find(&query), TR_INVALID);
    CHECK_CONTAINS(r.error.message, "the tree was made when state 'jump' had weight 1.6, not 3");
    CHECK_INT(tr_behavior_resume(r.search, query.budget, &r.plan, NULL, NULL), TR_INVALID);
    close_tree();
}

TEST(a_search_that_trees_fill_leads_as_far_as_it_goes) {
    REQUIRE(open_tree(24, 24));
    tr_behavior_search_destroy(r.search);
    REQUIRE(tr_behavior_search_create(NULL, 30, &r.search, NULL) == TR_OK);
    room_box(&r, 7, 4, 11, 24, 12);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {20, 20};
    tr_behavior_query query = room_query(tr_vec2_make(20, 4), &goal);
    CHECK_INT(find(&query), TR_LIMIT);
    CHECK_CONTAINS(r.error.message, "the tree is full: it has 30 nodes");
    CHECK(r.plan.action_count > 0 && r.result.nodes <= 30);
    close_tree();
}

TEST(a_tree_has_what_its_definition_says) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 10, 10));
    const tr_behavior_tree_def good = {.behavior = r.behavior};
    tr_behavior_tree_def bad[] = {{.behavior = NULL}, good, good, good, good, good, good};
    bad[1].node_max = (1u << 20) + 1;
    bad[2].levels = 65;
    bad[3].parameters = 65;
    bad[4].cell = -1;
    bad[5].angle = NAN;
    bad[6].alike = 9;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_INT(tr_behavior_tree_create(&bad[i], &tree, &r.error), TR_INVALID);
    tr_behavior_tree_def def = good;
    def.node_max = 300;
    def.levels = 4;
    REQUIRE(tr_behavior_tree_create(&def, &tree, &r.error) == TR_OK);
    CHECK(tr_behavior_tree_bytes(tree) > 300 * 40);
    CHECK_INT(tr_behavior_tree_places(tree, 2), 0);
    for (uint32_t label = 0; label < 2; label++) {
        uint32_t count = tr_behavior_tree_places(tree, label), levels[300];
        CHECK(count > 30 && count <= 300);
        for (uint32_t i = 0; i < count; i++) {
            tr_behavior_place place, before = {.state = TR_NONE};
            REQUIRE(tr_behavior_tree_place(tree, label, i, &place));
            REQUIRE(place.parent == TR_NONE || place.parent < i);
            levels[i] = place.parent == TR_NONE ? 1 : levels[place.parent] + 1;
            CHECK(levels[i] <= 4);
            if (place.parent != TR_NONE)
                tr_behavior_tree_place(tree, label, place.parent, &before);
            const tr_behavior_state *state = &r.machine.states[place.state];
            uint32_t from = before.state == TR_NONE ? label : r.machine.states[before.state].end;
            CHECK_INT(state->begin, from);
            CHECK_INT(place.frame, before.frame + state->moves->frames);
            CHECK_NEAR(place.cost, before.cost + tr_behavior_cost(r.behavior, place.state, 0), 1e-2);
        }
        CHECK(!tr_behavior_tree_place(tree, label, count, &(tr_behavior_place){0}));
    }
    close_tree();
}

static bool plan_with(const tr_allocator *allocator) {
    room_begin(&r);
    tr_behavior_tree_def def = {.allocator = allocator, .node_max = 200};
    bool fine = room_open(&r, allocator, 8, 8);
    def.behavior = r.behavior;
    fine = fine && tr_behavior_tree_create(&def, &tree, &r.error) == TR_OK;
    fine = fine && tr_behavior_tree_reserve(tree, r.search, r.map, 1, &r.error) == TR_OK;
    tr_vec2 goal = {6, 6};
    tr_behavior_query query = room_query(tr_vec2_make(2, 2), &goal);
    if (fine)
        CHECK_INT(find(&query), TR_OK);
    tr_behavior_tree_destroy(tree);
    tree = NULL;
    room_close(&r);
    return fine;
}

TEST(every_allocation_of_a_tree_may_fail) {
    CHECK_EVERY_ALLOCATION_FAILURE(plan_with);
}

TEST(nothing_is_allocated_while_planning_by_trees) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    room_begin(&r);
    REQUIRE(room_open(&r, &allocator, 24, 24));
    tr_behavior_tree_def def = {.allocator = &allocator, .behavior = r.behavior, .node_max = 500};
    REQUIRE(tr_behavior_tree_create(&def, &tree, &r.error) == TR_OK);
    REQUIRE(tr_behavior_tree_reserve(tree, r.search, r.map, 1, &r.error) == TR_OK);
    uint64_t calls = memory.calls;
    tr_vec2 goal = {20, 21};
    tr_behavior_query query = room_query(tr_vec2_make(2, 2), &goal);
    query.heuristic = TR_BEHAVIOR_FIELD;
    CHECK_INT(find(&query), TR_OK);
    CHECK_INT(memory.calls, calls);
    close_tree();
    CHECK_INT(memory.live_bytes, 0);
}

TEST(plans_by_trees_have_the_same_bits_everywhere) {
    tr_random random = tr_random_seed(73);
    uint64_t hash = 0;
    REQUIRE(open_tree(16, 16));
    make_world(&random, 7);
    for (uint32_t i = 0; i < 12; i++) {
        tr_vec2 goal = draw_place(&random), start = draw_place(&random);
        tr_behavior_query query = room_query(start, &goal);
        query.heuristic = i % 3 ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
        query.inflation = i % 2 ? 2 : 1.5f;
        tr_status status = find(&query);
        hash = tr_hash(hash, &status, sizeof status);
        for (uint32_t k = 0; status == TR_OK && k < r.plan.action_count; k++) {
            const tr_behavior_action *a = &r.actions[k];
            const float numbers[3] = {a->position.x, a->position.z, a->heading};
            hash = tr_hash(hash, &a->state, sizeof a->state);
            hash = tr_hash(hash, numbers, sizeof numbers);
        }
    }
    CHECK_HASH(hash, 0x6f86a69ff8af6a86);
    close_tree();
}
