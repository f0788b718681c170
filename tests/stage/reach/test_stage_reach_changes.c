// Reaching while objects move: goals that move, obstacles that come into the way for a while or for good; and
// what holds for every play: the same bits for any number of threads, no allocation.
#include "reach_theatre.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"

static float distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

// A thing that is at `from` until `begin`, then slides to `to` in `seconds`, waits and may slide back.
static void slide(tr_scene *scene, uint32_t object, tr_vec3 from, tr_vec3 to, double begin, double seconds,
                  double back) {
    tr_transform there[5];
    const double times[5] = {0, begin, begin + seconds, back, back + seconds};
    for (int i = 0; i < 5; i++) {
        there[i] = tr_transform_identity();
        there[i].position = i == 2 || i == 3 ? to : from;
    }
    tr_trajectory_def def = {.times = times, .transforms = there, .count = back > 0 ? 5 : 3};
    CHECK_INT(tr_scene_set_trajectory(scene, object, &def, NULL), TR_OK);
    tr_scene_set_time(scene, 0);
}

TEST(a_goal_that_moves_is_followed) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        // While the hand is on its way (it sets out after some 0.3 s) the cup goes to the left.
        slide(t.scene, t.cup, tr_vec3_make(0, 0, 0), tr_vec3_make(0.2f, 0, -0.05f), 0.6, 0.5, 0);
        give(&t,
             (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup, .hands = TR_HAND_RIGHT});
        play_on(&t, 10);
        tr_order_report report = report_of(&t, 0);
        CHECK_INT(report.state, TR_ORDER_DONE);
        CHECK(report.reach.plans > 1 && report.reach.plans < 12);
        tr_vec3 middle = {-0.1f, TABLE_TOP + 0.05f, 0.55f};
        CHECK(distance(place_of(&t, TR_ROLE_RIGHT_HAND), middle) < 0.33f);
        CHECK(report.end > 1);
        // And when it moves while it is held.
        give(&t, (tr_order){.kind = TR_ORDER_REACH,
                            .has_object = true,
                            .object = t.cup,
                            .hands = TR_HAND_RIGHT,
                            .hold = 3});
        double now = tr_stage_time(t.stage);
        slide(t.scene, t.cup, tr_vec3_make(0.2f, 0, -0.05f), tr_vec3_make(0, 0, 0.05f), now + 1, 0.5, 0);
        play_on(&t, 20);
        CHECK_INT(report_of(&t, 1).state, TR_ORDER_DONE);
        CHECK(report_of(&t, 1).reach.plans > 1);
        CHECK(report_of(&t, 1).end - now > 4); // the hold begins anew
    }
    close_reach_theatre(&t);
}

TEST(the_hand_goes_around_an_obstacle_that_comes_into_its_way) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        // A board comes down between the hand and the cup, before the hand is there.
        uint32_t board =
            add_block(t.scene, "board", tr_vec3_make(-0.5f, 0, -0.015f), tr_vec3_make(-0.2f, 0.2f, 0.015f));
        slide(t.scene, board, tr_vec3_make(0, 2.2f, 0.5f), tr_vec3_make(0, TABLE_TOP + 0.002f, 0.5f), 0.25,
              0.3, 0);
        give(&t,
             (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup, .hands = TR_HAND_RIGHT});
        play_on(&t, 10);
        tr_order_report report = report_of(&t, 0);
        if (report.state != TR_ORDER_DONE)
            test_failed(__FILE__, __LINE__, "%s", report.reason);
        CHECK(report.reach.plans > 1);
    }
    close_reach_theatre(&t);
}

// A box around the goal, which comes after the hand has set out and goes again, or does not.
static void play_boxed_in(double back, tr_order_report *report, double *still) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        uint32_t box =
            add_block(t.scene, "box", tr_vec3_make(-0.3f, -0.2f, -0.25f), tr_vec3_make(0.3f, 0.25f, 0.2f));
        slide(t.scene, box, tr_vec3_make(0, 5, 0), tr_vec3_make(-0.3f, TABLE_TOP + 0.25f, 0.75f), 0.5, 0.05,
              back);
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = {-0.3f, 1.2f, 0.68f}, .hands = TR_HAND_RIGHT});
        tr_status status = TR_OK;
        tr_vec3 last = place_of(&t, TR_ROLE_RIGHT_HAND);
        *still = 0;
        while (status == TR_OK && tr_stage_time(t.stage) < 15) {
            status = tick(&t);
            tr_vec3 now = place_of(&t, TR_ROLE_RIGHT_HAND);
            if (tr_stage_time(t.stage) > 1)
                *still += distance(now, last) < 1e-5f ? 1.0 / 30 : 0;
            last = now;
        }
        *report = report_of(&t, 0);
    }
    close_reach_theatre(&t);
}

TEST(a_hand_whose_way_is_blocked_stops_and_goes_on_when_it_is_free_or_reports_why_not) {
    tr_order_report report = {0};
    double still = 0;
    play_boxed_in(1.8, &report, &still);
    CHECK_INT(report.state, TR_ORDER_DONE);
    CHECK(still > 0.3);
    CHECK(report.reach.plans >= 2);
    play_boxed_in(0, &report, &still);
    CHECK_INT(report.state, TR_ORDER_FAILED);
    CHECK(report.reason[0]);
    CHECK(still > 1);
    CHECK(report.end - report.begin > 2 && report.end - report.begin < 4);
}

TEST(the_hand_stops_reaching_for_an_object_that_is_removed) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        for (int i = 0; i < 22; i++)
            tick(&t);
        CHECK_INT(tr_scene_remove_object(t.scene, t.cup), TR_OK);
        play_on(&t, 10);
        CHECK_INT(report_of(&t, 0).state, TR_ORDER_FAILED);
        CHECK_TEXT(report_of(&t, 0).reason, "the object no longer exists");
        CHECK_INT(report_of(&t, 1).state, TR_ORDER_DONE);
    }
    close_reach_theatre(&t);
}

TEST(a_goal_that_never_keeps_still_is_given_up) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, false)) {
        tr_transform there[3];
        const double times[3] = {0, 1, 2};
        for (int i = 0; i < 3; i++) {
            there[i] = tr_transform_identity();
            there[i].position.x = i == 1 ? 0.2f : 0;
        }
        tr_trajectory_def def = {.times = times, .transforms = there, .count = 3, .loop = true};
        CHECK_INT(tr_scene_set_trajectory(t.scene, t.cup, &def, NULL), TR_OK);
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        play_on(&t, 20);
        CHECK_INT(report_of(&t, 0).state, TR_ORDER_FAILED);
        CHECK_CONTAINS(report_of(&t, 0).reason, "keeps moving");
        CHECK_INT(report_of(&t, 1).state, TR_ORDER_DONE);
    }
    close_reach_theatre(&t);
}

TEST(random_points_are_reached_or_refused_and_nothing_is_touched) {
    reach_theatre t;
    uint32_t done = 0, failed = 0;
    tr_random random = tr_random_seed(77);
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        for (uint32_t i = 0; i < 24; i++) {
            tr_order order = {.kind = TR_ORDER_REACH};
            order.point.x = tr_random_between(&random, -0.5f, 0.5f);
            order.point.y = tr_random_between(&random, 0.9f, 1.6f);
            order.point.z = tr_random_between(&random, 0.25f, 0.7f);
            order.hands = tr_random_below(&random, 3);
            give(&t, order);
            if (i % 4 == 3)
                give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        }
        play_on(&t, 200);
        for (uint32_t i = 0; i < tr_stage_order_count(t.stage, t.actor, NULL); i++) {
            tr_order_report report = report_of(&t, i);
            done += report.state == TR_ORDER_DONE && report.order.kind == TR_ORDER_REACH;
            failed += report.state == TR_ORDER_FAILED;
            CHECK(report.state == TR_ORDER_DONE || report.reason[0]);
            CHECK(report.state == TR_ORDER_DONE || report.order.kind == TR_ORDER_REACH);
        }
        CHECK(done > 12);
        CHECK_INT(done + failed, 24);
    }
    close_reach_theatre(&t);
}

static uint64_t hash_of_play(uint32_t members) {
    reach_theatre t;
    tr_tasks *tasks = NULL;
    uint64_t hash = TR_HASH_START;
    if (members)
        CHECK_INT(tr_tasks_create(NULL, members, &tasks, NULL), TR_OK);
    if (open_reach_theatre(&t, tasks, NULL, false)) {
        slide(t.scene, t.cup, tr_vec3_make(0, 0, 0), tr_vec3_make(0.15f, 0, 0), 0.7, 0.3, 0);
        tr_actor_id others[3];
        for (uint32_t i = 0; i < 3; i++) {
            tr_stage_actor_def def = {.character = t.character, .position = {(float)i - 1, 0, -2}};
            tr_order order = {.kind = TR_ORDER_REACH, .point = {(float)i - 1, 1.3f, -1.6f}};
            CHECK_INT(tr_stage_add_actor(t.stage, &def, &others[i], NULL), TR_OK);
            CHECK_INT(tr_stage_order(t.stage, others[i], &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        }
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        for (int i = 0; i < 120; i++) {
            CHECK(tr_stage_step(t.stage, TR_STAGE_TICK, NULL) <= TR_DONE);
            for (uint32_t k = 0; k < 4; k++) {
                tr_actor_view view = view_of(&t, tr_stage_actor(t.stage, k));
                hash = tr_hash(hash, view.model, view.pose->joint_count * sizeof *view.model);
            }
        }
        CHECK_INT(report_of(&t, 0).state, TR_ORDER_DONE);
        for (uint32_t i = 0; i < 3; i++) {
            tr_order_report report = {0};
            CHECK_INT(tr_stage_order_report(t.stage, others[i], 0, &report), TR_OK);
            CHECK_INT(report.state, TR_ORDER_DONE);
        }
    }
    close_reach_theatre(&t);
    tr_tasks_destroy(tasks);
    return hash;
}

TEST(reaching_is_the_same_bit_for_bit_for_any_number_of_threads) {
    uint64_t alone = hash_of_play(0);
    for (uint32_t members = 1; members <= 4; members += 1 + members / 2)
        CHECK_HASH(hash_of_play(members), alone);
}

// The cup goes to and fro, and is reached for while it does.
TEST(ticks_of_a_reach_allocate_nothing_once_the_cup_has_been_everywhere) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, &allocator, false)) {
        const double times[] = {0, 0.5, 1, 2};
        tr_transform there[4];
        for (int i = 0; i < 4; i++)
            there[i] = tr_transform_identity();
        there[1].position = tr_vec3_make(0.1f, 0, -0.05f);
        tr_trajectory_def def = {.times = times, .transforms = there, .count = 4, .loop = true};
        CHECK_INT(tr_scene_set_trajectory(t.scene, t.cup, &def, NULL), TR_OK);
        tr_order reach = {.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup};
        give(&t, reach);
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        for (int i = 0; i < 60; i++)
            tick(&t);
        uint64_t calls = memory.calls;
        for (int i = 0; i < 240; i++)
            tick(&t);
        CHECK(report_of(&t, 0).reach.plans > 1);
        CHECK_INT(memory.calls, calls);
    }
    close_reach_theatre(&t);
    CHECK_INT(memory.live_bytes, 0);
}

TEST(ticks_of_a_reach_allocate_nothing_while_nothing_moves) {
    test_memory memory = {0};
    tr_allocator allocator = test_memory_allocator(&memory);
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, &allocator, false)) {
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        tick(&t);
        uint64_t calls = memory.calls;
        play_on(&t, 10);
        CHECK_INT(report_of(&t, 0).state, TR_ORDER_DONE);
        CHECK_INT(memory.calls, calls);
    }
    close_reach_theatre(&t);
    CHECK_INT(memory.live_bytes, 0);
}

static bool attempt(const tr_allocator *allocator) {
    tr_scene *scene = NULL;
    tr_stage *stage = NULL;
    tr_actor_id actor = 0;
    tr_status status = tr_scene_create(NULL, &scene);
    if (status == TR_OK)
        add_block(scene, "floor", tr_vec3_make(-1, -0.2f, -1), tr_vec3_make(1, 0, 1));
    if (status == TR_OK)
        add_block(scene, "shelf", tr_vec3_make(-1, 1, 0.6f), tr_vec3_make(1, 1.05f, 0.9f));
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    def.allocator = allocator;
    if (status == TR_OK)
        status = tr_stage_create(&def, &stage, NULL);
    tr_stage_actor_def who = {.character = some_character(), .radius = 0.15f};
    tr_order order = {.kind = TR_ORDER_REACH, .point = {-0.2f, 1.3f, 0.35f}};
    if (status == TR_OK)
        status = tr_stage_add_actor(stage, &who, &actor, NULL);
    if (status == TR_OK)
        status = tr_stage_order(stage, actor, &order, TR_ORDER_QUEUE, NULL, NULL);
    for (int i = 0; i < 20 && status == TR_OK; i++)
        status = tr_stage_step(stage, TR_STAGE_TICK, NULL);
    CHECK(status == TR_OK || status == TR_OUT_OF_MEMORY);
    tr_stage_destroy(stage);
    tr_scene_destroy(scene);
    return status == TR_OK;
}

TEST(without_memory_a_stage_with_a_reach_order_reports_it_and_leaks_nothing) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(attempt) > 60);
}
