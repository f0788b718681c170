// Links: lifts that carry between floors, opened and closed while people are on the way.
#include "theatre.h"

// The floor of the theatre, and another 3 m above a part of it that only a lift leads to.
static bool open_with_lift(theatre *t, bool closed) {
    tr_scene *scene = NULL;
    memset(t, 0, sizeof *t);
    t->character = some_character();
    if (!t->character || tr_scene_create(NULL, &scene) != TR_OK)
        return false;
    t->scene = scene;
    add_block(scene, "floor", tr_vec3_make(-4, -0.2f, -4), tr_vec3_make(4, 0, 4));
    add_block(scene, "upper", tr_vec3_make(-4, 2.8f, 0), tr_vec3_make(4, 3, 4));
    tr_ground_link lift = {TR_GROUND_LIFT, {0, 0, -0.6f}, {0, 3, 0.45f}, true, closed, 3};
    lift.from = tr_vec3_make(0, 0, 0.4f);
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    def.links = &lift;
    def.link_count = 1;
    tr_error error = {0};
    CHECK_INT(tr_stage_create(&def, &t->stage, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return t->stage;
}

static tr_order up(void) {
    return (tr_order){.kind = TR_ORDER_GO, .goal = {1, 3, 3}};
}

// Somebody who goes to the floor above.
static tr_actor_id send_up(theatre *t, float x, float z) {
    tr_actor_id actor = add_actor(t, x, z);
    give_order(t, actor, up(), TR_ORDER_QUEUE);
    return actor;
}

// Somebody who is on the way up, between the floors.
static tr_actor_id lift_up(theatre *t) {
    tr_actor_id actor = send_up(t, 0, -1);
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(t->stage) < 40 && view_of(t, actor).ground < 1)
        status = tick(t);
    CHECK(view_of(t, actor).ground >= 1 && view_of(t, actor).ground < 3);
    return actor;
}

static void check_failed(const theatre *t, tr_actor_id actor) {
    CHECK_INT(report_of(t, actor, 0).state, TR_ORDER_FAILED);
    CHECK(report_of(t, actor, 0).reason[0]);
}

static void check_above(const theatre *t, tr_actor_id actor, uint32_t order) {
    CHECK_INT(report_of(t, actor, order).state, TR_ORDER_DONE);
    CHECK_NEAR(view_of(t, actor).ground, 3, 0.02);
    CHECK_INT(tr_stage_counters_of(t->stage, actor).deviations, 0);
}

TEST(a_lift_carries_to_the_floor_above_and_back) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = send_up(&t, 2, -3);
        send_to(&t, a, -2, -3);
        play(&t, 90);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK_NEAR(view_of(&t, a).ground, 0, 1e-3);
        check_arrived(&t, a);
        CHECK_INT(tr_stage_counters_of(t.stage, a).deviations, 0);
    }
    close_theatre(&t);
}

TEST(a_closed_link_is_no_way_until_it_is_opened) {
    theatre t;
    if (open_with_lift(&t, true)) {
        tr_actor_id a = send_up(&t, 2, -3);
        play(&t, 10);
        check_failed(&t, a);
        CHECK_INT(tr_stage_close_link(t.stage, 0, false), TR_OK);
        give_order(&t, a, up(), TR_ORDER_QUEUE);
        play(&t, 60);
        check_above(&t, a, 1);
    }
    close_theatre(&t);
}

TEST(a_link_that_is_closed_before_somebody_gets_there_ends_the_order_with_a_reason) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = send_up(&t, 2, -3);
        ticks(&t, 30);
        CHECK_INT(tr_stage_close_link(t.stage, 0, true), TR_OK);
        play(&t, 60);
        check_failed(&t, a);
        ticks(&t, 60);
        CHECK_INT(view_of(&t, a).doing, TR_ACTOR_STANDS);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(a_lift_that_is_closed_while_it_carries_somebody_carries_on) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = lift_up(&t);
        CHECK_INT(tr_stage_close_link(t.stage, 0, true), TR_OK);
        play(&t, 80);
        check_above(&t, a, 0);
    }
    close_theatre(&t);
}

// Whatever happens while somebody is carried: it gets off above, and goes on from there.
static void check_ride(void (*meddle)(theatre *t, tr_actor_id who)) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = lift_up(&t);
        meddle(&t, a);
        tr_vec2 at = place_of(&t, a);
        while (view_of(&t, a).ground < 2.98f && tr_stage_time(t.stage) < 60) {
            tick(&t);
            CHECK_NEAR(place_of(&t, a).x, at.x, 1e-5);
            CHECK_NEAR(place_of(&t, a).z, at.z, 1e-5);
        }
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {-2, 3, 3}}, TR_ORDER_QUEUE);
        play(&t, 90);
        CHECK_NEAR(view_of(&t, a).ground, 3, 0.02);
        CHECK_NEAR(place_of(&t, a).x, -2, 0.15);
        CHECK_INT(tr_stage_counters_of(t.stage, a).deviations, 0);
    }
    close_theatre(&t);
}

static void cancel(theatre *t, tr_actor_id who) {
    CHECK_INT(tr_stage_cancel(t->stage, who, TR_NONE), TR_OK);
}

static void replace(theatre *t, tr_actor_id who) {
    give_order(t, who, (tr_order){.kind = TR_ORDER_GO, .goal = {2, 3, 2}}, TR_ORDER_REPLACE);
}

static void put_box_beside(theatre *t, tr_actor_id who) {
    (void)who;
    add_block(t->scene, "box", tr_vec3_make(0.8f, 3, 0.3f), tr_vec3_make(1.2f, 4, 0.7f));
}

TEST(nobody_gets_off_a_lift_between_two_floors) {
    check_ride(cancel);
    check_ride(replace);
    check_ride(put_box_beside);
}

TEST(a_link_that_is_not_there_is_refused) {
    theatre t;
    if (open_with_lift(&t, false)) {
        CHECK_INT(tr_stage_close_link(t.stage, 1, true), TR_INVALID);
        CHECK_INT(tr_stage_close_link(t.stage, TR_NONE, true), TR_INVALID);
        tr_ground_link nowhere = {TR_GROUND_LIFT, {0, 0, -90}, {0, 3, 1}, true, false, 3};
        tr_stage_def def = tr_stage_def_default(t.scene);
        def.links = &nowhere;
        def.link_count = 1;
        tr_stage *stage = NULL;
        tr_error error = {0};
        CHECK_INT(tr_stage_create(&def, &stage, &error), TR_INVALID);
        CHECK(error.message[0] && !stage);
        def.links = NULL;
        CHECK_INT(tr_stage_create(&def, &stage, &error), TR_INVALID);
    }
    close_theatre(&t);
}
