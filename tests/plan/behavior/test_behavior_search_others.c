// Plans among others who move, and states with parameters. Motions are judged frame by frame, in doubles.
#include "behavior_room.h"
#include "troupe/base/random.h"

#define PEOPLE 14

static room r;
static tr_behavior_spot motions[PEOPLE][ROOM_SPOTS];
static uint32_t counts[PEOPLE];

// Where one with one disc is at a time, counted in frames.
static void place_at(uint32_t who, double time, double at[2]) {
    const tr_behavior_spot *spots = motions[who];
    uint32_t i = 0;
    while (i + 1 < counts[who] && spots[i + 1].frame <= time)
        i++;
    const tr_behavior_spot *a = &spots[i], *b = i + 1 < counts[who] ? a + 1 : a;
    double t = b == a || time < a->frame ? 0 : (time - a->frame) / (double)(b->frame - a->frame);
    at[0] = (double)a->x + ((double)b->x - (double)a->x) * t;
    at[1] = (double)a->z + ((double)b->z - (double)a->z) * t;
}

static double least_distance(uint32_t a, uint32_t b) {
    double least = 1e9, p[2], q[2];
    for (double time = 0; time < 1500; time += 0.25) {
        place_at(a, time, p);
        place_at(b, time, q);
        double distance = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]));
        if (time >= motions[a][0].frame && time >= motions[b][0].frame && distance < least)
            least = distance;
    }
    return least;
}

TEST(people_who_plan_one_after_the_other_never_touch) {
    uint32_t planned = 0, close = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        tr_random random = tr_random_seed(51 + seed);
        room_begin(&r);
        REQUIRE(room_open(&r, NULL, 20, 20));
        room_box(&r, 7, 9, 9, 11, 11);
        REQUIRE(room_walls(&r));
        for (uint32_t who = 0; who < PEOPLE; who++) { // from a circle through its middle to the other side
            double angle = 2 * TR_PI * who / PEOPLE, sine, cosine;
            tr_sin_cos(angle, &sine, &cosine);
            tr_vec2 goal = {(float)(10 - 8.2 * sine), (float)(10 - 8.2 * cosine)};
            tr_behavior_query query =
                room_query(tr_vec2_make((float)(10 + 8 * sine), (float)(10 + 8 * cosine)), &goal);
            query.heading = (float)(angle + TR_PI);
            query.inflation = 1.5f;
            query.heuristic = TR_BEHAVIOR_FIELD;
            query.frame = tr_random_below(&random, 20);
            query.seed = seed;
            tr_status status = room_find(&r, &query);
            counts[who] = 0;
            if (status != TR_OK)
                continue;
            room_check(&r, &query);
            CHECK(room_commit(&r, who));
            memcpy(motions[who], r.spots, r.spot_count * sizeof *r.spots);
            counts[who] = r.spot_count;
            planned++;
        }
        for (uint32_t a = 0; a < PEOPLE; a++)
            for (uint32_t b = 0; b < a; b++) {
                double distance = counts[a] && counts[b] ? least_distance(a, b) : 9;
                CHECK(distance >= 2 * (double)r.machine.def.radius);
                close += distance < 1.2;
            }
        room_close(&r);
    }
    CHECK(planned > 6 * PEOPLE * 9 / 10 && close > 30);
}

TEST(who_waits_for_another_to_pass_waits) {
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 30, 12));
    room_box(&r, 7, 0, 0, 30, 5);
    room_box(&r, 7, 0, 7, 30, 12);
    room_box(&r, 0, 0, 0, 0, 0);
    REQUIRE(room_walls(&r)); // a corridor that is too narrow for two
    const tr_behavior_spot log[] = {
        {14, 6, 0}, {14, 6, 150}, {14, 40, 200}}; // something leaves after five seconds
    CHECK_INT(tr_behavior_map_commit(r.map, 5, log, 3, 0.4f, NULL), TR_OK);
    tr_vec2 goal = {27, 6};
    tr_behavior_query query = room_query(tr_vec2_make(3, 6), &goal);
    query.heading = (float)(TR_PI / 2);
    query.inflation = 2;
    CHECK_INT(room_find(&r, &query), TR_OK);
    room_check(&r, &query);
    CHECK(r.plan.end_frame > 220);
    uint32_t waits = room_uses(&r, MACHINE_WAIT) + room_uses(&r, MACHINE_END) - 1;
    CHECK(waits > 0);
    tr_behavior_map_withdraw(r.map, 5);
    CHECK_INT(room_find(&r, &query), TR_OK);
    CHECK(r.plan.end_frame < 330);
    CHECK_INT(room_uses(&r, MACHINE_WAIT), 0);
    room_close(&r);
}

static void add_turns(test_machine *m, tr_behavior_move turns[3]) {
    for (int i = 0; i < 3; i++) {
        float side = (float)(i - 1);
        turns[i] = machine_move("turn", 0.75f * side, i == 1 ? 2 : 1.6f, 0.9f * side, 24);
        turns[i].parameter = 50 * side;
    }
    m->states[MACHINE_LEFT].moves = turns;
    m->states[MACHINE_LEFT].move_count = 3;
    m->states[MACHINE_LEFT].parametrised = true;
}

TEST(a_turn_with_a_parameter_points_at_the_goal) {
    tr_behavior_move turns[3];
    double costs[2] = {0, 0};
    uint32_t aimed = 0;
    for (int i = 0; i < 2; i++) {
        tr_random random = tr_random_seed(61);
        room_begin(&r);
        if (i)
            add_turns(&r.machine, turns);
        REQUIRE(room_open(&r, NULL, 30, 30));
        for (int k = 0; k < 40; k++) {
            tr_vec2 goal = {tr_random_between(&random, 2, 28), tr_random_between(&random, 2, 28)};
            tr_behavior_query query = room_query(tr_vec2_make(15, 15), &goal);
            query.inflation = 1.2f;
            query.heuristic = k % 2 ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
            CHECK_INT(room_find(&r, &query), TR_OK);
            room_check(&r, &query);
            costs[i] += r.plan.cost;
            for (uint32_t a = 0; a < r.plan.action_count; a++) {
                float p = r.actions[a].parameter;
                aimed += r.actions[a].state == MACHINE_LEFT && p > -50 && p < 50 && (p > 0.1f || p < -0.1f);
            }
            CHECK_INT(tr_behavior_plan_spots(r.behavior, &r.plan, r.spots, ROOM_SPOTS, &r.spot_count), TR_OK);
        }
        room_close(&r);
    }
    CHECK(aimed > 10);
    CHECK(costs[1] < costs[0]);
}

TEST(a_jump_with_a_parameter_lands_in_the_middle_of_the_obstacle) {
    tr_behavior_move jumps[2];
    tr_behavior_disc discs[2][16];
    uint32_t found = 0;
    double off = 0;
    for (int k = 0; k < 20; k++) {
        room_begin(&r);
        for (int i = 0; i < 2; i++) { // the parameter is how far it runs before it jumps
            float run = i ? 3 : 0.5f;
            uint32_t takeoff = i ? 35 : 5;
            jumps[i] = machine_move("jump", 0, run + 2.6f, 0, takeoff + 35);
            jumps[i].parameter = run;
            jumps[i].action = takeoff + 15;
            jumps[i].discs = discs[i];
            jumps[i].disc_count = 16;
            for (uint32_t d = 0; d < 16; d++) {
                float z = d <= 8 ? run * (float)d / 8 : run + 2.6f * (float)(d - 8) / 7;
                uint32_t frame = d <= 8 ? takeoff * d / 8 : takeoff + 5 * (d - 8);
                discs[i][d] = (tr_behavior_disc){0, z, (uint16_t)frame, d > 8 && d < 15};
            }
        }
        r.machine.states[MACHINE_JUMP].moves = jumps;
        r.machine.states[MACHINE_JUMP].move_count = 2;
        r.machine.states[MACHINE_JUMP].parametrised = true;
        REQUIRE(room_open(&r, NULL, 6, 20));
        float z = 9 + 0.13f * (float)k;
        room_box(&r, 5, 0, z, 6, z + 0.2f); // a log across the room
        REQUIRE(room_walls(&r));
        tr_vec2 goal = {3, 17};
        tr_behavior_query query = room_query(tr_vec2_make(3, 3), &goal);
        query.inflation = 1.5f;
        query.parameters = k % 2 ? 3 : 0; // the aimed one alone has to do
        if (room_find(&r, &query) == TR_OK) {
            found++;
            CHECK_INT(tr_behavior_plan_spots(r.behavior, &r.plan, r.spots, ROOM_SPOTS, &r.spot_count), TR_OK);
            CHECK_INT(room_uses(&r, MACHINE_JUMP), 1);
            for (uint32_t a = 0; a < r.plan.action_count; a++)
                if (r.actions[a].state == MACHINE_JUMP && k % 2 == 0) {
                    double way = (double)r.actions[a].parameter + 2.6 * 3 / 7; // the disc at the action
                    off += fabs((double)r.actions[a].position.z + way - (double)z - 0.25) / 10;
                }
        }
        room_close(&r);
    }
    CHECK_INT(found, 20);
    CHECK(off < 0.45);
}

TEST(the_outlook_is_made_anew_when_weights_or_tolerance_change) {
    tr_behavior_search *fresh = NULL;
    room_begin(&r);
    REQUIRE(room_open(&r, NULL, 30, 30));
    tr_vec2 goals[2] = {{5, 8}, {24, 9}};
    tr_behavior_query query = room_query(tr_vec2_make(15, 15), goals);
    query.heuristic = TR_BEHAVIOR_FIELD;
    query.inflation = 1.3f;
    for (int i = 0; i < 6; i++) {
        CHECK_INT(tr_behavior_set_weight(r.behavior, MACHINE_LEFT, 1 + (float)(i % 3), NULL), TR_OK);
        query.tolerance = i < 4 ? 0.5f : 0.9f;
        query.goal_count = 1 + (uint32_t)i % 2;
        CHECK_INT(room_find(&r, &query), TR_OK);
        room_check(&r, &query);
        double cost = r.plan.cost;
        uint32_t nodes = r.result.nodes;
        REQUIRE(tr_behavior_search_create(NULL, 1u << 17, &fresh, NULL) == TR_OK);
        CHECK_INT(tr_behavior_find(fresh, NULL, r.map, &query, &r.plan, &r.result, NULL), TR_OK);
        CHECK_NEAR(r.plan.cost, cost, 0);
        CHECK_INT(r.result.nodes, nodes);
        tr_behavior_search_destroy(fresh);
    }
    room_close(&r);
}

TEST(in_open_ground_the_outlook_makes_the_tree_smaller) {
    uint64_t nodes[2] = {0};
    double costs[2] = {0};
    for (int field = 0; field < 2; field++) {
        tr_random random = tr_random_seed(81);
        room_begin(&r);
        REQUIRE(room_open(&r, NULL, 40, 40));
        for (int i = 0; i < 30; i++) {
            tr_vec2 goal = {tr_random_between(&random, 2, 38), tr_random_between(&random, 2, 38)};
            tr_behavior_query query = room_query(tr_vec2_make(20, 20), &goal);
            query.heuristic = field ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
            query.inflation = 1.2f;
            CHECK_INT(room_find(&r, &query), TR_OK);
            room_check(&r, &query);
            nodes[field] += r.result.nodes;
            costs[field] += r.plan.cost;
        }
        room_close(&r);
    }
    CHECK(nodes[1] * 3 < nodes[0] * 2);
    CHECK(costs[1] < costs[0] * 1.1);
}
