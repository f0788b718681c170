// What cannot be planned, and what must not be asked.
#include "behavior_room.h"
#include "troupe/base/random.h"

static room r;

static void check_answer(const tr_behavior_query *query, tr_status status, const char *sentence) {
    CHECK_INT(room_find(&r, query), status);
    CHECK_CONTAINS(r.error.message, sentence);
    CHECK_INT(r.plan.action_count, 0);
}

TEST(where_there_is_no_plan_the_reason_is_said) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 20, 20));
    room_box(&r, 7, 12, 12, 18, 12.5f); // a closed room
    room_box(&r, 7, 12, 17.5f, 18, 18);
    room_box(&r, 7, 12, 12, 12.5f, 18);
    room_box(&r, 7, 17.5f, 12, 18, 18);
    room_box(&r, 7, 3, 12, 6, 15);
    REQUIRE(room_walls(&r));
    tr_vec2 goals[] = {{15, 15}, {4.5f, 13.5f}, {40, 3}, {15, 4}};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goals[0]);
    check_answer(&query, TR_NOT_FOUND,
                 "walls lie between the start (4, 4) and goal 0 (15, 15), on every way");
    query.goals = &goals[1];
    check_answer(&query, TR_NOT_FOUND, "goal 0 (4.5, 13.5) is inside an obstacle");
    query.goals = &goals[2];
    check_answer(&query, TR_NOT_FOUND, "goal 0 (40, 3) is outside the map");
    query.goals = &goals[3];
    query.start = tr_vec2_make(4, 13);
    check_answer(&query, TR_NOT_FOUND, "the start (4, 13) is inside an obstacle");
    query.start = tr_vec2_make(-1, 13);
    check_answer(&query, TR_NOT_FOUND, "the start (-1, 13) is outside the map");
    query.start = tr_vec2_make(4, 4);
    const tr_behavior_spot rests = {15, 4, 60};
    CHECK_INT(tr_behavior_map_commit(r.map, 1, &rests, 1, 0.6f, NULL), TR_OK);
    check_answer(&query, TR_NOT_FOUND, "somebody or something rests at goal 0 (15, 4)");
    query.start = tr_vec2_make(15, 4);
    query.frame = 90;
    query.goals = &(tr_vec2){4, 4};
    check_answer(&query, TR_NOT_FOUND, "somebody or something is at the start (15, 4) at frame 90");
    tr_behavior_map_withdraw(r.map, 1);
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    query.frame_max = 120;
    check_answer(&query, TR_NOT_FOUND, "with more time there may be a way");
    CHECK_CONTAINS(r.error.message, "every way is blocked: of");
    query.frame_max = 0;
    query.start = tr_vec2_make(15, 0.2f); // at the edge of the map, and it faces outwards
    query.heading = 3;
    check_answer(&query, TR_NOT_FOUND,
                 "every way is blocked at the start (15, 0.2): no move is possible there");
    room_close(&r);
}

TEST(a_tree_that_is_full_leads_as_far_as_it_goes) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 24, 24));
    tr_behavior_search_destroy(r.search);
    REQUIRE(tr_behavior_search_create(NULL, 60, &r.search, NULL) == TR_OK);
    room_box(&r, 7, 4, 11, 24, 12);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {20, 20};
    tr_behavior_query query = room_query(tr_vec2_make(20, 4), &goal);
    CHECK_INT(room_find(&r, &query), TR_LIMIT);
    CHECK_CONTAINS(r.error.message, "the tree is full: it has 60 nodes");
    CHECK_INT(r.result.nodes, 60);
    CHECK(r.plan.action_count > 0 && r.result.distance < 16);
    CHECK_INT(tr_behavior_resume(r.search, query.budget, &r.plan, NULL, NULL), TR_LIMIT);
    r.plan.action_max = 0;
    CHECK_INT(room_find(&r, &query), TR_LIMIT);
    CHECK_CONTAINS(r.error.message, "actions, there is room for 0");
    tr_behavior_search *none;
    CHECK_INT(tr_behavior_search_create(NULL, 1u << 25, &none, &r.error), TR_INVALID);
    room_close(&r);
}

typedef void query_change(tr_behavior_query *query);
static void no_goals(tr_behavior_query *q) {
    q->goal_count = 0;
}
static void missing_goals(tr_behavior_query *q) {
    q->goals = NULL;
}
static void many_goals(tr_behavior_query *q) {
    q->goal_count = 65;
}
static void bad_goal(tr_behavior_query *q) {
    static const tr_vec2 goal = {NAN, 0};
    q->goals = &goal;
}
static void bad_start(tr_behavior_query *q) {
    q->start.x = INFINITY;
}
static void bad_heading(tr_behavior_query *q) {
    q->heading = NAN;
}
static void bad_label(tr_behavior_query *q) {
    q->label = 2;
}
static void bad_tolerance(tr_behavior_query *q) {
    q->tolerance = 0;
}
static void bad_method(tr_behavior_query *q) {
    q->method = (tr_behavior_method)7;
}
static void bad_heuristic(tr_behavior_query *q) {
    q->heuristic = (tr_behavior_heuristic)2;
}
static void deflated(tr_behavior_query *q) {
    q->inflation = 0.5f;
}
static void no_queue(tr_behavior_query *q) {
    q->method = TR_BEHAVIOR_TRUNCATED;
    q->queue_max = 0;
}
static void bad_cell(tr_behavior_query *q) {
    q->cell = NAN;
}
static void bad_angle(tr_behavior_query *q) {
    q->angle = 0;
}
static void bad_seconds(tr_behavior_query *q) {
    q->seconds = -1;
}
static void many_parameters(tr_behavior_query *q) {
    q->parameters = 65;
}

TEST(bad_queries_get_a_sentence) {
    static const struct {
        query_change *change;
        const char *sentence;
    } cases[] = {
        {no_goals, "there are 0 goals"},      {missing_goals, "there are 0 goals"},
        {many_goals, "there are 65 goals"},   {bad_goal, "goal 0 is (nan, 0)"},
        {bad_start, "the start is (inf, 4)"}, {bad_heading, "with heading nan"},
        {bad_label, "label 2, there are 2"},  {bad_tolerance, "the tolerance is 0 m"},
        {bad_method, "there is no method 7"}, {bad_heuristic, "with heuristic 2"},
        {deflated, "the inflation is 0.5"},   {no_queue, "queue_max is 0"},
        {bad_cell, "cells of nan m"},         {bad_angle, "sectors of 0 rad"},
        {bad_seconds, "slots of -1 s"},       {many_parameters, "65 parameters"},
    };
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 20, 20));
    tr_vec2 goal = {15, 15};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
        cases[i].change(&query);
        check_answer(&query, TR_INVALID, cases[i].sentence);
    }
    CHECK_INT(tr_behavior_resume(r.search, (tr_search_budget){0, 0}, &r.plan, NULL, &r.error), TR_INVALID);
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    query.cell = 1e-30f;
    query.angle = 1e-30f;
    CHECK_INT(room_find(&r, &query), TR_LIMIT);
    room_close(&r);
}

TEST(a_machine_that_the_map_was_not_made_for_is_refused) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 20, 20));
    test_machine machine;
    tr_behavior *other = NULL;
    tr_vec2 goal = {15, 15};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    for (int i = 0; i < 4; i++) {
        machine_make(&machine);
        machine.def.radius = i == 1 ? 0.5f : 0.35f;
        machine.def.frames_per_second = i == 2 ? 25 : 30;
        machine.bands[1].high = i == 3 ? 9 : 2.3f;
        machine.states[MACHINE_STRAIGHT].weight = 1.5f; // another preference does not matter
        REQUIRE(tr_behavior_create(&machine.def, &other, NULL) == TR_OK);
        tr_status status = tr_behavior_find(r.search, other, r.map, &query, &r.plan, NULL, &r.error);
        CHECK_INT(status, i ? TR_INVALID : TR_OK);
        tr_behavior_destroy(other);
    }
    CHECK_CONTAINS(r.error.message, "the map was made for another machine");
    room_close(&r);
}

TEST(costs_that_are_too_great_are_a_limit) {
    room_begin(&r);
    for (int i = 0; i < MACHINE_STATES; i++)
        r.machine.states[i].weight = 1e6f;
    REQUIRE(room_open(&r, NULL, 20, 20));
    tr_vec2 goal = {15, 15};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    CHECK_INT(room_find(&r, &query), TR_LIMIT);
    CHECK_CONTAINS(r.error.message, "more than 2^20");
    room_close(&r);
}

TEST(spots_of_a_plan_are_counted_even_if_they_do_not_fit) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 20, 20));
    tr_vec2 goal = {15, 15};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    uint32_t count, fewer;
    CHECK_INT(room_find(&r, &query), TR_OK);
    CHECK_INT(tr_behavior_plan_spots(r.behavior, &r.plan, r.spots, ROOM_SPOTS, &count), TR_OK);
    CHECK(count > 30);
    for (uint32_t i = 1; i < count; i++)
        CHECK(r.spots[i].frame > r.spots[i - 1].frame);
    CHECK_INT(r.spots[count - 1].frame, r.plan.end_frame);
    CHECK_INT(tr_behavior_plan_spots(r.behavior, &r.plan, r.spots, count - 1, &fewer), TR_LIMIT);
    CHECK_INT(fewer, count);
    r.actions[0].state = 99;
    CHECK_INT(tr_behavior_plan_spots(r.behavior, &r.plan, r.spots, count, &fewer), TR_INVALID);
    room_close(&r);
}

static bool plan_once(const tr_allocator *allocator) {
    room_begin(&r);
    tr_vec2 goal = {7, 7};
    tr_behavior_query query = room_query(tr_vec2_make(2, 2), &goal);
    query.heuristic = TR_BEHAVIOR_FIELD;
    bool made = room_open(&r, allocator, 10, 10);
    if (made) {
        tr_status status = room_find(&r, &query);
        CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
        made = status == TR_OK;
    }
    room_close(&r);
    return made;
}

TEST(no_memory_is_a_status) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(plan_once) > 20);
    tr_behavior_search_destroy(NULL);
}

TEST(a_search_that_was_reserved_for_allocates_nothing) {
    test_memory memory = {0};
    tr_allocator counting = test_memory_allocator(&memory);
    room_begin(&r);
    REQUIRE(room_open(&r, &counting, 10, 10));
    CHECK_INT(tr_behavior_search_reserve(r.search, r.behavior, r.map, 2, NULL), TR_OK);
    uint64_t calls = memory.calls;
    const tr_vec2 goals[2] = {{7, 7}, {3, 6}};
    tr_behavior_query query = room_query(tr_vec2_make(2, 2), goals);
    for (uint32_t i = 0; i < 4; i++) {
        query.heuristic = i % 2 ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
        query.goal_count = 1 + i / 2;
        CHECK_INT(room_find(&r, &query), TR_OK);
    }
    CHECK_INT(memory.calls, calls);
    CHECK_INT(tr_behavior_search_reserve(r.search, r.behavior, r.map, 65, &r.error), TR_INVALID);
    room_close(&r);
}
