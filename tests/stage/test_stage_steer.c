// People steered by a velocity, as by a player.
#include "theatre.h"

static void steer(theatre *t, tr_actor_id actor, float x, float z) {
    tr_error error = {0};
    CHECK_INT(tr_stage_steer(t->stage, actor, (tr_vec2){x, z}, &error), TR_OK);
    CHECK_TEXT(error.message, "");
}

TEST(a_steered_actor_keeps_its_velocity_until_it_gets_another) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, -4, -4);
        for (int i = 0; i < 120; i++) {
            steer(&t, a, 0, 1.2f);
            CHECK_INT(tick(&t), TR_OK);
        }
        tr_vec2 at = place_of(&t, a);
        CHECK_NEAR(at.x, -4, 0.1);
        CHECK_NEAR(at.z, -4 + 4 * 1.2, 0.8); // it moves its weight over one foot first
        CHECK_NEAR(view_of(&t, a).speed, 1.2, 0.15);
        for (int i = 0; i < 120; i++) {
            steer(&t, a, 1, 0);
            CHECK_INT(tick(&t), TR_OK);
        }
        tr_vec2 then = place_of(&t, a);
        CHECK(then.x - at.x > 1.8f && then.x - at.x < 4.2f); // the curve costs about a second and a half
        CHECK_NEAR(sin(view_of(&t, a).heading), 1, 0.05);
        CHECK_INT(tr_stage_order_count(t.stage, a, NULL), 1); // one order, whose velocity changes
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_UNDER_WAY);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_velocity_of_zero_means_standing) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -4);
        steer(&t, a, 0, 1.2f);
        ticks(&t, 60);
        steer(&t, a, 0, 0);
        ticks(&t, 60);
        tr_vec2 at = place_of(&t, a);
        ticks(&t, 30);
        CHECK_NEAR(place_of(&t, a).z, at.z, 1e-4);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_UNDER_WAY);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        CHECK_INT(tick(&t), TR_DONE);
    }
    close_theatre(&t);
}

TEST(a_steered_actor_stops_at_a_wall_or_goes_along_it) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, 1, 6, 1.3f);
        tr_actor_id straight = add_actor(&t, -3, -2), slanting = add_actor(&t, 0, -2);
        for (int i = 0; i < 180; i++) {
            steer(&t, straight, 0, 1.2f);
            steer(&t, slanting, 0.8f, 0.8f);
            CHECK_INT(tick(&t), TR_OK);
            CHECK(place_of(&t, straight).z < 0.72f);
            CHECK(place_of(&t, slanting).z < 0.72f);
        }
        CHECK(place_of(&t, straight).z > 0.2f);
        CHECK(place_of(&t, slanting).x > 3.5f); // on along the wall
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(no_actor_is_steered_into_another) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id player = add_actor(&t, 0, -4);
        add_actor(&t, 0, -1);
        add_walker(&t, -5, 1, 5, 1);
        for (int i = 0; i < 240; i++) {
            steer(&t, player, 0, 1.5f);
            CHECK_INT(tick(&t), TR_OK);
        }
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(steering_replaces_other_orders_and_an_order_replaces_steering) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, 0, -4, 0, 4);
        ticks(&t, 30);
        steer(&t, a, 1, 0);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_CANCELLED);
        ticks(&t, 60);
        CHECK_INT(report_of(&t, a, 1).state, TR_ORDER_UNDER_WAY);
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {-3, 0, -3}}, TR_ORDER_REPLACE);
        CHECK_INT(report_of(&t, a, 1).state, TR_ORDER_CANCELLED);
        play(&t, 40);
        check_arrived(&t, a);
    }
    close_theatre(&t);
}
