#include "behavior_room.h"
#include "troupe/base/random.h"

static room r;

TEST(a_plan_leads_around_walls_to_rest_at_the_goal) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 24, 24));
    room_box(&r, 7, 0, 11, 17, 12);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {4, 20};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    query.heading = 2;
    uint32_t nodes[2];
    double costs[2];
    for (int i = 0; i < 2; i++) {
        query.heuristic = i ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
        CHECK_INT(room_find(&r, &query), TR_OK);
        room_check(&r, &query);
        nodes[i] = r.result.nodes;
        costs[i] = r.plan.cost;
    }
    CHECK(costs[0] > 30 && costs[1] < costs[0] * 1.01);
    CHECK(nodes[1] * 2 < nodes[0]); // the field knows the dead end
    query.inflation = 1.5f;
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    CHECK(r.result.nodes < nodes[1] && r.plan.cost < costs[0] * 1.5);
    room_close(&r);
}

TEST(a_log_is_jumped_and_an_arch_is_crawled_under_unless_the_user_prefers_another_way) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 30, 24));
    room_box(&r, 7, 0, 11, 13, 11.5f);
    room_box(&r, 5, 13, 11, 17, 11.5f); // a log: free above it
    room_box(&r, 7, 17, 11, 27, 11.5f); // and at the far end the way is open
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {15, 19};
    tr_behavior_query query = room_query(tr_vec2_make(15.1f, 4.1f), &goal);
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    CHECK_INT(room_uses(&r, MACHINE_JUMP), 1);
    double jumps = r.plan.cost;
    CHECK_INT(tr_behavior_set_weight(r.behavior, MACHINE_JUMP, 12, NULL), TR_OK);
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    CHECK_INT(room_uses(&r, MACHINE_JUMP), 0);
    CHECK(r.plan.cost > jumps + 5);
    CHECK_INT(tr_behavior_set_weight(r.behavior, MACHINE_JUMP, 4, NULL), TR_OK);
    room_box(&r, 7, 27, 11, 30, 11.5f); // no other way: it jumps after all
    REQUIRE(room_walls(&r));
    CHECK_INT(room_find(&r, &query), TR_OK);
    CHECK_INT(room_uses(&r, MACHINE_JUMP), 1);
    room_box(&r, 2, 13, 11, 17, 11.5f); // something above the log closes it
    REQUIRE(room_walls(&r));
    CHECK_INT(room_find(&r, &query), TR_NOT_FOUND);
    CHECK_CONTAINS(r.error.message, "walls lie between the start (15.1, 4.1) and goal 0 (15, 19)");
    for (uint32_t band = 0; band < 3; band++)
        tr_bitmap_clear(&r.walls[band]);
    room_box(&r, 7, 0, 11, 13, 11.5f);
    room_box(&r, 3, 13, 11, 17, 11.5f); // an arch: free below it
    room_box(&r, 7, 17, 11, 30, 11.5f);
    REQUIRE(room_walls(&r));
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    CHECK_INT(room_uses(&r, MACHINE_CRAWL), 1);
    CHECK_INT(room_uses(&r, MACHINE_JUMP), 0);
    room_close(&r);
}

TEST(slopes_cost_what_the_machine_says) {
    static float heights[96 * 96];
    double costs[2], highest[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        room_begin(&r);
        r.machine.def.up = i ? 6 : 0;
        REQUIRE(room_open(&r, NULL, 24, 24));
        for (uint32_t k = 0; k < 96 * 96; k++) { // a hill in the middle, 2 m high
            float x = (float)(k % 96) / 4 - 12, z = (float)(k / 96) / 4 - 12, distance = sqrtf(x * x + z * z);
            heights[k] = distance < 6 ? 2 - distance / 3 : 0;
        }
        CHECK_INT(tr_behavior_map_set_heights(r.map, heights, NULL), TR_OK);
        tr_vec2 goal = {12, 22};
        tr_behavior_query query = room_query(tr_vec2_make(12, 2), &goal);
        CHECK_INT(room_find(&r, &query), TR_OK);
        room_check(&r, &query);
        for (uint32_t k = 0; k < r.plan.action_count; k++)
            highest[i] = (double)r.actions[k].height > highest[i] ? (double)r.actions[k].height : highest[i];
        costs[i] = r.plan.cost;
        room_close(&r);
    }
    CHECK(highest[0] > 1.5 && highest[1] < 1);
    CHECK(costs[1] > costs[0] && costs[1] < costs[0] + 12);
}

TEST(several_goals_are_visited_in_their_order) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 24, 24));
    const tr_vec2 goals[3] = {{4, 20}, {20, 20}, {12, 6}};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), goals);
    query.goal_count = 3;
    query.inflation = 1.3f;
    for (int turn = 0; turn < 2; turn++) {
        query.heuristic = turn ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
        CHECK_INT(room_find(&r, &query), TR_OK);
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
    }
    room_close(&r);
}

TEST(one_who_is_there_has_an_empty_plan) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 10, 10));
    tr_vec2 goal = {4.2f, 4};
    tr_behavior_query query = room_query(tr_vec2_make(4, 4), &goal);
    CHECK_INT(room_find(&r, &query), TR_OK);
    CHECK_INT(r.plan.action_count, 0);
    CHECK_NEAR(r.plan.cost, 0, 0);
    CHECK(room_commit(&r, 0));
    CHECK_INT(r.spot_count, 1);
    query.label = MACHINE_JOG; // who jogs there has to come to rest first
    tr_behavior_map_withdraw(r.map, 0);
    CHECK_INT(room_find(&r, &query), TR_OK);
    CHECK(r.plan.action_count > 0);
    CHECK_INT(r.actions[r.plan.action_count - 1].state, MACHINE_END);
    room_close(&r);
}

static void make_maze(room *m, uint32_t seed) {
    tr_random random = tr_random_seed(seed);
    for (int i = 0; i < 14; i++) {
        float x = tr_random_between(&random, 3, 20), z = tr_random_between(&random, 5, 18);
        room_box(m, 7, x, z, x + tr_random_between(&random, 0.5f, 4),
                 z + tr_random_between(&random, 0.5f, 1));
    }
}

TEST(a_search_that_is_cut_into_pieces_finds_the_same_plan) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 24, 24));
    make_maze(&r, 7);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {20, 21};
    tr_behavior_query query = room_query(tr_vec2_make(2, 2), &goal);
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    double cost = r.plan.cost, before = 1e9;
    uint32_t count = r.plan.action_count, nodes = r.result.nodes, calls = 0;
    static tr_behavior_action first[ROOM_ACTIONS];
    memcpy(first, r.actions, count * sizeof *first);
    query.budget.expansions = 50;
    tr_status status = room_find(&r, &query);
    for (; status == TR_PARTIAL && calls < 10000; calls++) {
        CHECK((double)r.result.distance < before + 1e-6 || query.heuristic);
        CHECK_NEAR(r.plan.end.x, r.result.nearest.x, 0);
        before = (double)r.result.distance;
        status = tr_behavior_resume(r.search, query.budget, &r.plan, &r.result, &r.error);
    }
    CHECK_INT(status, TR_OK);
    CHECK(calls > 3);
    CHECK_NEAR(r.plan.cost, cost, 0);
    CHECK_INT(r.result.nodes, nodes);
    CHECK_INT(r.plan.action_count, count);
    for (uint32_t i = 0; i < count && i < r.plan.action_count; i++)
        CHECK(first[i].state == r.actions[i].state && first[i].frame == r.actions[i].frame);
    CHECK_INT(tr_behavior_resume(r.search, query.budget, &r.plan, NULL, NULL), TR_OK); // it stays found
    room_close(&r);
}

TEST(the_tree_can_be_drawn) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 24, 24));
    tr_vec2 goal = {20, 21};
    tr_behavior_query query = room_query(tr_vec2_make(2, 2), &goal);
    tr_behavior_place place;
    CHECK_INT(tr_behavior_search_places(r.search), 0);
    CHECK_INT(room_find(&r, &query), TR_OK);
    uint32_t expanded = 0, count = tr_behavior_search_places(r.search);
    CHECK_INT(count, r.result.nodes);
    for (uint32_t i = 0; i < count; i++) {
        REQUIRE(tr_behavior_search_place(r.search, i, &place));
        CHECK_INT(place.parent == TR_NONE, i == 0);
        CHECK(i == 0 || (place.parent < i && place.state < MACHINE_STATES && place.cost > 0));
        expanded += place.expanded;
    }
    CHECK_INT(expanded, r.result.expanded);
    CHECK(!tr_behavior_search_place(r.search, count, &place));
    room_close(&r);
}

TEST(clips_are_picked_by_the_seed_and_the_same_query_gives_the_same_plan) {
    room_begin(&r);
    tr_behavior_move clips[3] = {machine_move("a", 0, 2, 0, 24), machine_move("b", 0.05f, 2.05f, 0, 24),
                                 machine_move("c", -0.05f, 1.95f, 0, 24)};
    r.machine.states[MACHINE_STRAIGHT].moves = clips;
    r.machine.states[MACHINE_STRAIGHT].move_count = 3;
    REQUIRE(room_open(&r, NULL, 24, 40));
    tr_vec2 goal = {12, 36};
    uint32_t used[3] = {0}, differ = 0, states[40] = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        tr_behavior_query query = room_query(tr_vec2_make(12, 2), &goal);
        query.seed = seed / 2;
        query.inflation = 1.2f;
        CHECK_INT(room_find(&r, &query), TR_OK);
        room_check(&r, &query);
        for (uint32_t i = 0; i < r.plan.action_count && i < 40; i++) {
            uint32_t what = r.actions[i].state << 8 | r.actions[i].move;
            if (r.actions[i].state == MACHINE_STRAIGHT)
                used[r.actions[i].move]++;
            CHECK(seed % 2 == 0 || what == states[i]);
            differ += seed % 2 == 0 && seed > 0 && what != states[i];
            states[i] = what;
        }
    }
    CHECK(used[0] > 0 && used[1] > 0 && used[2] > 0 && differ > 5);
    room_close(&r);
}

TEST(where_one_clip_collides_another_is_taken) {
    room_begin(&r);
    tr_behavior_move clips[4];
    for (int i = 0; i < 4; i++)
        clips[i] =
            machine_move("swings", i == 2 ? 0 : 0.9f, 2, 0, 24); // only one of them stays in the corridor
    r.machine.states[MACHINE_STRAIGHT].moves = clips;
    r.machine.states[MACHINE_STRAIGHT].move_count = 4;
    r.machine.def.state_count = MACHINE_JUMP; // and there is nothing else that goes straight on
    r.machine.states[MACHINE_SHORT].weight = r.machine.states[MACHINE_END].weight = 100;
    REQUIRE(room_open(&r, NULL, 10, 30));
    room_box(&r, 7, 0, 0, 4, 30);
    room_box(&r, 7, 6, 0, 10, 30);
    REQUIRE(room_walls(&r));
    tr_vec2 goal = {5, 25.2f};
    tr_behavior_query query = room_query(tr_vec2_make(5, 2), &goal);
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    CHECK(room_uses(&r, MACHINE_STRAIGHT) >= 9);
    for (uint32_t i = 0; i < r.plan.action_count; i++)
        CHECK(r.actions[i].state != MACHINE_STRAIGHT || r.actions[i].move == 2);
    room_close(&r);
}
