// Orders: one after the other, in between, instead; cancelled, late, impossible. Every order ends.
#include "theatre.h"

static const tr_order wait_half = {.kind = TR_ORDER_WAIT, .seconds = 0.5};

static tr_order go(float x, float z) {
    return (tr_order){.kind = TR_ORDER_GO, .goal = {x, 0, z}};
}

TEST(orders_are_numbered_from_0_and_carried_out_in_turn) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -2);
        CHECK_INT(give_order(&t, a, go(0, 0), TR_ORDER_QUEUE), 0);
        CHECK_INT(give_order(&t, a, wait_half, TR_ORDER_QUEUE), 1);
        CHECK_INT(give_order(&t, a, go(2, 0), TR_ORDER_QUEUE), 2);
        CHECK_INT(tr_stage_order_count(t.stage, a, NULL), 3);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_PENDING);
        tick(&t);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_UNDER_WAY);
        CHECK_INT(report_of(&t, a, 2).state, TR_ORDER_PENDING);
        play(&t, 30);
        for (uint32_t i = 0; i < 3; i++)
            CHECK_INT(report_of(&t, a, i).state, TR_ORDER_DONE);
        CHECK(report_of(&t, a, 0).end <= report_of(&t, a, 1).begin);
        CHECK(report_of(&t, a, 1).end <= report_of(&t, a, 2).begin);
        CHECK_NEAR(report_of(&t, a, 1).end - report_of(&t, a, 1).begin, 0.5, 0.04);
        check_arrived(&t, a);
    }
    close_theatre(&t);
}

// The least speed between the third metre and the last two.
static float slowest_on_the_way(bool passes) {
    theatre t;
    float slowest = INFINITY;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, -5, -5);
        tr_order corner = go(-4, 0), last = go(0.5f, 5);
        corner.passes = last.passes = passes; // nothing follows the last one
        give_order(&t, a, corner, TR_ORDER_QUEUE);
        give_order(&t, a, last, TR_ORDER_QUEUE);
        for (tr_status status = TR_OK; status == TR_OK && tr_stage_time(t.stage) < 40;) {
            status = tick(&t);
            tr_vec2 at = place_of(&t, a);
            bool on_way = at.z > -2.5f && at.z < 3;
            slowest = on_way ? fminf(slowest, view_of(&t, a).speed) : slowest;
        }
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        check_arrived(&t, a);
        CHECK_NEAR(place_of(&t, a).x, 0.5, 0.1);
    }
    close_theatre(&t);
    return slowest;
}

TEST(an_actor_passes_a_goal_without_stopping_if_it_is_told_to) {
    CHECK(slowest_on_the_way(false) < 0.05f);
    CHECK(slowest_on_the_way(true) > 0.8f);
}

// The goals identify the orders, whatever their numbers are.
TEST(an_order_may_come_next_and_the_others_keep_their_numbers) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -2);
        uint32_t first = give_order(&t, a, go(0, -1), TR_ORDER_QUEUE);
        uint32_t last = give_order(&t, a, go(2, 0), TR_ORDER_QUEUE);
        tick(&t);
        uint32_t next = give_order(&t, a, go(-2, 0), TR_ORDER_NEXT);
        CHECK_NEAR(report_of(&t, a, first).order.goal.z, -1, 0);
        CHECK_NEAR(report_of(&t, a, last).order.goal.x, 2, 0);
        CHECK_NEAR(report_of(&t, a, next).order.goal.x, -2, 0);
        play(&t, 40);
        CHECK(report_of(&t, a, first).end <= report_of(&t, a, next).begin);
        CHECK(report_of(&t, a, next).end <= report_of(&t, a, last).begin);
        CHECK_NEAR(place_of(&t, a).x, 2, 0.15);
    }
    close_theatre(&t);
}

TEST(an_order_may_take_the_place_of_all_others) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -4);
        uint32_t old[2] = {give_order(&t, a, go(0, 5), TR_ORDER_QUEUE),
                           give_order(&t, a, go(5, 5), TR_ORDER_QUEUE)};
        ticks(&t, 60);
        tr_vec2 then = place_of(&t, a);
        CHECK(then.z > -3.5f);
        uint32_t number = give_order(&t, a, go(-3, -4), TR_ORDER_REPLACE);
        play(&t, 40);
        for (int i = 0; i < 2; i++) {
            CHECK_INT(report_of(&t, a, old[i]).state, TR_ORDER_CANCELLED);
            CHECK_TEXT(report_of(&t, a, old[i]).reason, "");
        }
        CHECK_INT(report_of(&t, a, number).state, TR_ORDER_DONE);
        check_arrived(&t, a);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_cancelled_walker_comes_to_rest_soon_and_stays) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -4, 0, 5);
        ticks(&t, 60);
        CHECK(view_of(&t, a).speed > 0.8f);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        tr_vec2 then = place_of(&t, a);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_CANCELLED);
        CHECK_INT(tick(&t), TR_DONE);
        ticks(&t, 60);
        tr_vec2 at = place_of(&t, a);
        CHECK(hypotf(at.x - then.x, at.z - then.z) < 1.5f);
        ticks(&t, 30);
        CHECK_NEAR(place_of(&t, a).z, at.z, 1e-4);
        CHECK_INT(view_of(&t, a).doing, TR_ACTOR_STANDS);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(one_order_of_several_is_cancelled_and_the_others_are_done) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -2);
        uint32_t numbers[3];
        for (int i = 0; i < 3; i++)
            numbers[i] = give_order(&t, a, go(0, -1 + (float)i), TR_ORDER_QUEUE);
        tick(&t);
        CHECK_INT(tr_stage_cancel(t.stage, a, numbers[1]), TR_OK);
        CHECK_INT(tr_stage_cancel(t.stage, a, 99), TR_NOT_FOUND);
        play(&t, 30);
        CHECK_INT(report_of(&t, a, numbers[0]).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, a, numbers[1]).state, TR_ORDER_CANCELLED);
        CHECK_INT(report_of(&t, a, numbers[2]).state, TR_ORDER_DONE);
        check_arrived(&t, a);
        CHECK_INT(tr_stage_cancel(t.stage, a, numbers[0]), TR_OK); // it has ended: nothing happens
        CHECK_INT(report_of(&t, a, numbers[0]).state, TR_ORDER_DONE);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
    }
    close_theatre(&t);
}

TEST(the_order_under_way_is_cancelled_and_the_next_begins) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -4, 0, 5);
        send_to(&t, a, -3, -4);
        ticks(&t, 45);
        CHECK_INT(tr_stage_cancel(t.stage, a, 0), TR_OK);
        play(&t, 30);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_CANCELLED);
        check_arrived(&t, a);
    }
    close_theatre(&t);
}

TEST(an_order_that_takes_longer_than_its_deadline_fails_and_reports_it) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -5), b = add_actor(&t, 3, -5);
        tr_order late = go(0, 5), early = go(3, -3);
        late.deadline = 2;
        early.deadline = 30;
        give_order(&t, a, late, TR_ORDER_QUEUE);
        give_order(&t, b, early, TR_ORDER_QUEUE);
        play(&t, 30);
        tr_order_report report = report_of(&t, a, 0);
        CHECK_INT(report.state, TR_ORDER_FAILED);
        CHECK_CONTAINS(report.reason, "within 2 s");
        CHECK_NEAR(report.end - report.begin, 2, 0.04);
        check_arrived(&t, b);
        ticks(&t, 60);
        CHECK_INT(view_of(&t, a).doing, TR_ACTOR_STANDS);
    }
    close_theatre(&t);
}

TEST(impossible_orders_are_refused_when_they_are_given) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, 0);
        const tr_order bad[] = {
            {.kind = TR_ORDER_GO, .goal = {NAN, 0, 0}},
            {.kind = TR_ORDER_GO, .goal = {0, INFINITY, 0}},
            {.kind = TR_ORDER_GO, .speed = -1},
            {.kind = TR_ORDER_GO, .speed = NAN},
            {.kind = TR_ORDER_GO, .has_heading = true, .heading = NAN},
            {.kind = TR_ORDER_GO, .near = -1},
            {.kind = TR_ORDER_GO, .deadline = -1},
            {.kind = TR_ORDER_GO, .deadline = NAN},
            {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_REGION, .region = {{1, 0, 1}, {0, 0, 0}}},
            {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_OBJECT, .object = 99},
            {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_ACTOR, .target = 99},
            {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_ACTOR, .target = a},
            {.kind = TR_ORDER_GO, .goal_kind = (tr_goal_kind)9},
            {.kind = TR_ORDER_WAIT, .seconds = -1},
            {.kind = TR_ORDER_WAIT, .seconds = INFINITY},
            {.kind = TR_ORDER_STEER, .velocity = {NAN, 0}},
            {.kind = (tr_order_kind)9},
        };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            tr_error error = {0};
            tr_status status = tr_stage_order(t.stage, a, &bad[i], TR_ORDER_REPLACE, NULL, &error);
            if (status != TR_INVALID || !error.message[0])
                test_failed(__FILE__, __LINE__, "order %zu: %s, \"%s\"", i, tr_status_name(status),
                            error.message);
        }
        CHECK_INT(tr_stage_order_count(t.stage, a, NULL), 0);
        CHECK_INT(tick(&t), TR_DONE);
    }
    close_theatre(&t);
}

TEST(an_actor_whose_goal_is_occupied_stops_beside_it) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        // Two actors with orders to stand at the same place: the second stops beside it.
        tr_actor_id a = add_walker(&t, 0, -4, 0, 0), b = add_walker(&t, 0, 5, 0, 0);
        play(&t, 60);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, b, 0).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, a, 0).beside + report_of(&t, b, 0).beside, 1);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_stage_without_recording_drops_old_reports_and_tells_which_are_kept) {
    theatre t;
    if (open_theatre_with(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, 0);
        tr_order brief = {.kind = TR_ORDER_WAIT, .seconds = 0};
        for (uint32_t i = 0; i < 100; i++) {
            CHECK_INT(give_order(&t, a, brief, TR_ORDER_QUEUE), i);
            tick(&t);
        }
        play(&t, 30);
        uint32_t first = 0, count = tr_stage_order_count(t.stage, a, &first);
        CHECK_INT(count, 100);
        CHECK(first > 50 && first < 100);
        tr_order_report report;
        CHECK_INT(tr_stage_order_report(t.stage, a, first - 1, &report), TR_NOT_FOUND);
        CHECK_INT(tr_stage_order_report(t.stage, a, first, &report), TR_OK);
        CHECK_INT(tr_stage_order_report(t.stage, a, 99, &report), TR_OK);
        CHECK_INT(report.state, TR_ORDER_DONE);
        CHECK_INT(tr_stage_order_report(t.stage, a, 100, &report), TR_NOT_FOUND);
    }
    close_theatre(&t);
}

TEST(an_actor_that_was_stopped_on_its_way_can_reach) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -4, 0, 4);
        ticks(&t, 60);
        tr_order reach = {.kind = TR_ORDER_REACH, .point = {0.2f, 1.2f, 0}};
        reach.point.z = place_of(&t, a).z + 0.9f; // where it comes to a stand
        uint32_t number = give_order(&t, a, reach, TR_ORDER_REPLACE);
        play(&t, 20);
        CHECK(report_of(&t, a, number).state > TR_ORDER_UNDER_WAY);
        CHECK(report_of(&t, a, number).reach.plans > 0 || report_of(&t, a, number).reason[0]);
    }
    close_theatre(&t);
}
