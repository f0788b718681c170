// People who are dragged over rough ground, as by a mouse.
#include "dragged.h"

static tr_stage_def recording(uint32_t steps) {
    tr_stage_def def = tr_stage_def_default(NULL);
    def.record = true;
    def.steps_ahead = steps;
    return def;
}

TEST(a_dragged_actor_crosses_uneven_ground_with_feet_that_stand_on_its_triangles) {
    tr_stage_def def = recording(3);
    for (uint64_t seed = 0; seed < 4; seed++) {
        dragged d;
        if (open_dragged(&d, "uneven", seed, &def)) {
            drag_for(&d, 1, 0, 12);
            tr_actor_view view = see_dragged(&d);
            CHECK(view.position.z > 4.5f);
            tr_audit audit = measure_dragged(&d);
            CHECK(audit.plants > 10);
            CHECK(audit.slide_mm_max < 1);
            CHECK(audit.penetration_mm_max < 1);
            CHECK(audit.joint_limit_violations <= 2); // of 360 frames: one of 24 walks has any
            CHECK_INT(tr_stage_counters_of(d.stage, d.actor).deviations, 0);
        }
        close_dragged(&d);
    }
}

// With one step it depends on where she comes from, as in the paper.
TEST(with_one_step_she_may_fall_into_the_trap_and_with_three_she_strides_over_it) {
    uint32_t trapped = 0;
    for (uint32_t i = 0; i < 16; i++) {
        tr_stage_def def = recording(i % 2 ? 3 : 1);
        dragged d;
        if (open_dragged_at(&d, "trap", 0, tr_vec3_make(0, 0, -0.7f + 0.08f * (float)(i / 2)), &def)) {
            drag_for(&d, 1, 0, 9);
            tr_vec3 at = see_dragged(&d).position;
            if (def.steps_ahead == 3)
                CHECK(at.z > 4 && fabsf(at.y) < 0.01f);
            else if (at.y < -0.1f) {
                trapped++;
                CHECK(at.z > 2 && at.z < 2.8f);
                CHECK_CONTAINS(last_report(&d).reason, "foot finds no step: ");
            }
            CHECK(measure_dragged(&d).penetration_mm_max < 1);
        }
        close_dragged(&d);
    }
    CHECK(trapped > 0 && trapped < 8);
}

TEST(where_no_step_exists_she_stands_and_goes_on_when_she_is_turned) {
    dragged d;
    if (open_dragged(&d, "uneven", 0, NULL)) {
        drag_for(&d, -1, 0, 10); // backwards, to the edge of the floor
        tr_actor_view view = see_dragged(&d);
        CHECK(view.position.z < -1);
        CHECK_NEAR(view.heading, 0, 0.1);
        CHECK_NEAR(view.speed, 0, 1e-3);
        tr_order_report report = last_report(&d);
        CHECK_INT(report.state, TR_ORDER_UNDER_WAY);
        CHECK_CONTAINS(report.reason, "foot finds no step: ");
        drag_for(&d, 1, 0, 4);
        CHECK_TEXT(last_report(&d).reason, "");
        CHECK(see_dragged(&d).position.z > view.position.z + 1.5f);
        CHECK_INT(tr_stage_order_count(d.stage, d.actor, NULL), 1); // one order, whose drag changes
    }
    close_dragged(&d);
}

TEST(a_drag_to_the_side_turns_her_in_an_arc) {
    dragged d;
    if (open_dragged_at(&d, "corridor", 0, tr_vec3_make(0, 0, 0), NULL)) {
        tr_vec3 begin = see_dragged(&d).position;
        float before = see_dragged(&d).heading;
        drag_for(&d, 1, 0.6f, 2.5);
        CHECK(see_dragged(&d).heading > before + 0.6f);
        tr_vec3 at = see_dragged(&d).position;
        CHECK(hypotf(at.x - begin.x, at.z - begin.z) > 1);
        CHECK_INT(tr_stage_counters_of(d.stage, d.actor).deviations, 0);
    }
    close_dragged(&d);
}

TEST(she_steps_to_the_side_and_turns_on_the_spot) {
    tr_stage_def def = recording(3);
    dragged d;
    if (open_dragged_at(&d, "corridor", 0, tr_vec3_make(0, 0, 0), &def)) {
        drag_as(&d, (tr_drag){.aside = -0.6f}, 3);
        tr_actor_view view = see_dragged(&d);
        CHECK(view.position.x < -0.5f); // she faces +Z, so her right is -X
        CHECK_NEAR(view.position.z, 0, 0.12);
        CHECK_NEAR(view.heading, 0, 0.05);
        drag_as(&d, (tr_drag){.turn = -1}, 5);
        CHECK(see_dragged(&d).heading < -1);
        tr_vec3 at = see_dragged(&d).position;
        CHECK(hypotf(at.x - view.position.x, at.z - view.position.z) < 0.3f);
        tr_audit audit = measure_dragged(&d);
        CHECK(audit.slide_mm_max < 1);
        CHECK(audit.penetration_mm_max < 1);
        CHECK_INT(audit.joint_limit_violations, 0);
        CHECK_INT(tr_stage_counters_of(d.stage, d.actor).deviations, 0);
    }
    close_dragged(&d);
}

TEST(a_drag_of_zero_means_standing_in_balance) {
    dragged d;
    if (open_dragged(&d, "uneven", 1, NULL)) {
        drag_for(&d, 1, 0, 3);
        drag_for(&d, 0, 0, 2);
        tr_actor_view view = see_dragged(&d);
        CHECK_NEAR(view.speed, 0, 1e-4);
        CHECK((view.contacts & 3) != 0);      // the left foot stands,
        CHECK((view.contacts >> 2 & 3) != 0); // and the right one
        drag_for(&d, 0, 0, 1);
        CHECK_NEAR(see_dragged(&d).position.z, view.position.z, 1e-4);
    }
    close_dragged(&d);
}

TEST(drags_that_are_not_finite_are_refused) {
    dragged d;
    if (open_dragged(&d, "uneven", 0, NULL)) {
        tr_error error = {0};
        CHECK_INT(tr_stage_drag(d.stage, d.actor, (tr_drag){.ahead = NAN}, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, "a drag has ahead nan");
        CHECK_INT(tr_stage_drag(d.stage, d.actor, (tr_drag){.turn = 1000}, &error), TR_INVALID);
        CHECK_INT(tr_stage_drag(d.stage, 77, (tr_drag){.ahead = 1}, &error), TR_INVALID);
    }
    close_dragged(&d);
}

TEST(drags_with_a_duration_follow_each_other_without_a_stop_and_without_a_drift) {
    dragged d;
    if (open_dragged(&d, "uneven", 0, NULL)) {
        for (int i = 0; i < 20; i++) {
            tr_order order = {.kind = TR_ORDER_DRAG, .drag = {.ahead = i % 2 ? 1 : 0.9f}, .seconds = 0.11};
            CHECK_INT(tr_stage_order(d.stage, d.actor, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        }
        float slowest = 10;
        for (int i = 0; i < 200 && drag_tick(&d) == TR_OK; i++)
            if (tr_stage_time(d.stage) > 1.2 && tr_stage_time(d.stage) < 2.2)
                slowest = fminf(slowest, see_dragged(&d).speed);
        CHECK(slowest > 0.3f);
        tr_order_report last;
        CHECK_INT(tr_stage_order_report(d.stage, d.actor, 19, &last), TR_OK);
        CHECK_INT(last.state, TR_ORDER_DONE);
        CHECK_NEAR(last.begin, 19 * 0.11, 1e-6);
    }
    close_dragged(&d);
}

// The upper body minds what is there: under the slide she bends, past the tables she flexes an arm.
TEST(she_is_dragged_under_a_slide_and_past_tables_and_touches_nothing) {
    static const char *const scenes[] = {"slide", "tables"};
    for (int i = 0; i < 2; i++) {
        tr_stage_def def = recording(3);
        dragged d;
        if (open_dragged_at(&d, scenes[i], 0, tr_vec3_make(0, 0, -4), &def)) {
            drag_for(&d, 1, 0, 11);
            CHECK(see_dragged(&d).position.z > 3);
            tr_audit audit = measure_dragged(&d);
            CHECK_INT(audit.collisions, 0);
            CHECK_INT(audit.joint_limit_violations, 0);
            CHECK(audit.slide_mm_max < 1);
            CHECK_INT(tr_stage_counters_of(d.stage, d.actor).deviations, 0);
        }
        close_dragged(&d);
    }
}

// Two people side by side on the trail: neither gets into the other, and nobody sinks in.
TEST(two_people_walk_the_trail) {
    tr_stage_def def = recording(3);
    dragged d;
    if (open_dragged_at(&d, "trail", 1, tr_vec3_make(-0.55f, 0, -0.5f), &def)) {
        tr_stage_actor_def other = {
            .character = some_character(), .position = {0.55f, 0, -0.9f}, .plain = 1, .speed = 1};
        tr_actor_id second;
        tr_order order = {.kind = TR_ORDER_DRAG, .drag = {.ahead = 1}};
        CHECK_INT(tr_stage_add_actor(d.stage, &other, &second, NULL), TR_OK);
        CHECK_INT(tr_stage_order(d.stage, second, &order, TR_ORDER_QUEUE, NULL, NULL), TR_OK);
        drag_for(&d, 0.9f, 0, 25);
        tr_actor_view beside = {0};
        CHECK_INT(tr_stage_look(d.stage, second, &beside), TR_OK);
        CHECK(see_dragged(&d).position.z > 8 || last_report(&d).reason[0]);
        CHECK(beside.position.z > 5);
        CHECK(tr_stage_counters_of(d.stage, second).nearest > -1e-5f);
        CHECK_INT(tr_stage_counters_of(d.stage, second).deviations, 0);
        tr_audit audit = measure_dragged(&d);
        CHECK(audit.slide_mm_max < 1);
        CHECK(audit.penetration_mm_max < 5);
    }
    close_dragged(&d);
}

static bool run_out(const tr_allocator *allocator) {
    tr_stage_def def = tr_stage_def_default(NULL);
    def.allocator = allocator;
    dragged d = {0};
    tr_sample_def made = {.name = "uneven"};
    tr_error error = {0};
    if (tr_sample_make(&made, &d.sample, &error) != TR_OK)
        return false;
    def.scene = d.sample.scene;
    def.area = (tr_box){{-1, -1, -2}, {1, 2, 1}};
    def.cell = 0.1f;
    tr_stage_actor_def actor = {.character = some_character(), .position = {0, 0, -0.3f}};
    tr_status status = tr_stage_create(&def, &d.stage, &error);
    if (status == TR_OK)
        status = tr_stage_add_actor(d.stage, &actor, &d.actor, &error);
    if (status == TR_OK)
        status = tr_stage_drag(d.stage, d.actor, (tr_drag){.ahead = 1}, &error);
    for (int i = 0; i < 20 && status == TR_OK; i++)
        status = tr_stage_step(d.stage, TR_STAGE_TICK, &error);
    close_dragged(&d);
    return status == TR_OK;
}

TEST(running_out_of_memory_is_reported) {
    CHECK_EVERY_ALLOCATION_FAILURE(run_out);
}
