// People that are moved elsewhere, and people that are removed.
#include "theatre.h"

TEST(an_actor_that_is_put_elsewhere_goes_on_from_there) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_walker(&t, -4, -4, 4, -4);
        ticks(&t, 45);
        tr_error error = {0};
        CHECK_INT(tr_stage_place_actor(t.stage, a, tr_vec3_make(4, 0, 4), 1.2f, &error), TR_OK);
        CHECK_TEXT(error.message, "");
        CHECK_NEAR(place_of(&t, a).x, 4, 1e-5);
        CHECK_NEAR(place_of(&t, a).z, 4, 1e-5);
        CHECK_NEAR(view_of(&t, a).heading, 1.2, 1e-5);
        CHECK_NEAR(view_of(&t, a).speed, 0, 1e-6);
        tick(&t);
        CHECK_NEAR(place_of(&t, a).z, 4, 0.05);
        play(&t, 40);
        check_arrived(&t, a);
        CHECK_INT(tr_stage_counters_of(t.stage, a).deviations, 0);
    }
    close_theatre(&t);
}

TEST(no_actor_is_put_into_a_wall_or_onto_another) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "box", -1, -1, 1, 1);
        tr_actor_id a = add_actor(&t, -4, -4), b = add_actor(&t, 4, 4);
        tick(&t);
        const tr_vec3 bad[] = {{0, 0, 0},   {1.1f, 0, 0},   {4.2f, 0, 4},    {50, 0, 0},
                               {0, NAN, 0}, {0, 0, -5.95f}, {INFINITY, 0, 0}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
            tr_error error = {0};
            CHECK_INT(tr_stage_place_actor(t.stage, a, bad[i], 0, &error), TR_INVALID);
            CHECK(error.message[0]);
            CHECK_NEAR(place_of(&t, a).x, -4, 1e-5); // where it was
        }
        tr_error error = {0};
        CHECK_INT(tr_stage_place_actor(t.stage, a, tr_vec3_make(3, 0, 3), NAN, &error), TR_INVALID);
        CHECK_INT(tr_stage_place_actor(t.stage, a, tr_vec3_make(4.2f, 0, 4), 0, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, tr_stage_actor_name(t.stage, b));
        CHECK_INT(tr_stage_place_actor(t.stage, a, tr_vec3_make(3.3f, 0, 4), 0, NULL), TR_OK);
        ticks(&t, 10);
        check_apart(&t);
    }
    close_theatre(&t);
}

// A closed box is hollow, and its floor is free but near its walls.
TEST(no_actor_is_put_anywhere_inside_a_hollow_object) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "box", -1, -1, 1, 1);
        tr_actor_id a = add_actor(&t, -4, -4);
        tick(&t);
        uint32_t refused = 0;
        for (int i = 0; i < 21 * 21; i++) {
            tr_vec3 point = {-0.99f + 0.099f * (float)(i % 21), 0, -0.99f + 0.099f * (float)(i / 21)};
            tr_status status = tr_stage_place_actor(t.stage, a, point, 0, NULL);
            tr_vec2 at = place_of(&t, a);
            CHECK(fabsf(at.x) > 1 || fabsf(at.z) > 1);
            refused += status == TR_INVALID;
        }
        CHECK(refused > 400);
    }
    close_theatre(&t);
}

// The walker is committed to come where the other is put: that is refused, or the two keep apart.
TEST(an_actor_that_is_put_before_a_walker_is_not_run_into) {
    for (int i = 0; i < 12; i++) {
        theatre t;
        if (open_theatre(&t, NULL)) {
            tr_actor_id walker = add_walker(&t, 0, -5, 0, 5), other = add_actor(&t, 4, 4);
            ticks(&t, 90);
            tr_vec2 at = place_of(&t, walker);
            tr_vec3 before = {at.x + 0.05f * (float)i, 0, at.z + 0.62f + 0.1f * (float)i};
            tr_status status = tr_stage_place_actor(t.stage, other, before, 0, NULL);
            CHECK(status == TR_OK || status == TR_INVALID);
            play(&t, 60);
            check_arrived(&t, walker);
            check_apart(&t);
        }
        close_theatre(&t);
    }
}

TEST(an_actor_that_waits_for_a_removed_one_goes_on) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        // A passage that one fills, with no room to give way but far off.
        add_box(t.scene, "left", -6, -3, -0.45f, 3);
        add_box(t.scene, "right", 0.45f, -3, 6, 3);
        add_box(t.scene, "end", -6, 3, 6, 3.2f);
        tick(&t);
        tr_actor_id plug = add_actor(&t, 0, 0);
        tr_actor_id a = add_walker(&t, 0, -5, 0, 2), b = add_walker(&t, 1, -5, 0, 1);
        ticks(&t, 240);
        CHECK_INT(tr_stage_remove_actor(t.stage, plug), TR_OK);
        play(&t, 120);
        CHECK_INT(tr_stage_actor_count(t.stage), 2);
        for (int i = 0; i < 2; i++) {
            tr_order_report report = report_of(&t, i ? b : a, 0);
            CHECK(report.state == TR_ORDER_DONE || (report.state == TR_ORDER_FAILED && report.reason[0]));
        }
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(any_actor_may_be_removed_at_any_time) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "wall", -6, -0.1f, -0.5f, 0.1f);
        add_box(t.scene, "wall", 0.5f, -0.1f, 6, 0.1f);
        for (int i = 0; i < 6; i++)
            add_walker(&t, -5 + 2 * (float)i, i % 2 ? -4 : 4, 5 - 2 * (float)i, i % 2 ? 4 : -4);
        while (tr_stage_actor_count(t.stage)) {
            ticks(&t, 40);
            uint32_t which = tr_stage_actor_count(t.stage) / 2;
            CHECK_INT(tr_stage_remove_actor(t.stage, tr_stage_actor(t.stage, which)), TR_OK);
            check_apart(&t);
        }
        CHECK_INT(tick(&t), TR_DONE);
        add_walker(&t, 0, -3, 0, 3);
        play(&t, 60);
    }
    close_theatre(&t);
}
