// Links: lifts that carry between floors, opened and closed while people are on the way.
#include "theatre.h"
#include "motion/cast/cast.h"
#include "troupe/stage/save.h"

#include <stdlib.h>

// The floor of the theatre, and another one this high above a part of it [m], reached only by a lift.
static bool open_with_lift_of(theatre *t, bool closed, float rise) {
    tr_scene *scene = NULL;
    memset(t, 0, sizeof *t);
    t->character = some_character();
    if (!t->character || tr_scene_create(NULL, &scene) != TR_OK)
        return false;
    t->scene = scene;
    add_block(scene, "floor", tr_vec3_make(-4, -0.2f, -4), tr_vec3_make(4, 0, 4));
    add_block(scene, "upper", tr_vec3_make(-4, rise - 0.2f, 0), tr_vec3_make(4, rise, 4));
    tr_ground_link lift = {TR_GROUND_LIFT, {0, 0, 0.4f}, {0, rise, 0.45f}, true, closed, 3};
    tr_stage_def def = tr_stage_def_default(scene);
    def.record = true;
    def.links = &lift;
    def.link_count = 1;
    tr_error error = {0};
    CHECK_INT(tr_stage_create(&def, &t->stage, &error), TR_OK);
    CHECK_TEXT(error.message, "");
    return t->stage;
}

static bool open_with_lift(theatre *t, bool closed) {
    return open_with_lift_of(t, closed, 3);
}

static tr_order up(void) {
    return (tr_order){.kind = TR_ORDER_GO, .goal = {1, 3, 3}};
}

// An actor that goes to the floor above.
static tr_actor_id send_up(theatre *t, float x, float z) {
    tr_actor_id actor = add_actor(t, x, z);
    give_order(t, actor, up(), TR_ORDER_QUEUE);
    return actor;
}

static void check_failed(const theatre *t, tr_actor_id actor) {
    CHECK_INT(report_of(t, actor, 0).state, TR_ORDER_FAILED);
    CHECK(report_of(t, actor, 0).reason[0]);
}

static void check_above(const theatre *t, tr_actor_id actor, uint32_t order) {
    CHECK_INT(report_of(t, actor, order).state, TR_ORDER_DONE);
    CHECK_NEAR(view_of(t, actor).position.y, 3, 0.02);
    CHECK_INT(tr_stage_counters_of(t->stage, actor).deviations, 0);
}

TEST(a_lift_carries_to_the_floor_above_and_back) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = send_up(&t, 2, -3);
        send_to(&t, a, -2, -3);
        play(&t, 90);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK_NEAR(view_of(&t, a).position.y, 0, 1e-3);
        check_arrived(&t, a);
        CHECK_INT(tr_stage_counters_of(t.stage, a).deviations, 0);
    }
    close_theatre(&t);
}

// Up to a height on its ride; false: it was never there.
static bool ride_to(theatre *t, tr_actor_id who, float height) {
    tr_status status = TR_OK;
    while (status == TR_OK && tr_stage_time(t->stage) < 60 && view_of(t, who).position.y < height)
        status = tick(t);
    return view_of(t, who).position.y >= height && view_of(t, who).doing == TR_ACTOR_RIDES;
}

TEST(feet_stand_on_a_lift_as_on_the_floor) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = add_actor(&t, 0, -1);
        give_order(&t, a, up(), TR_ORDER_QUEUE);
        CHECK(ride_to(&t, a, 0.01f));
        tr_actor_view view = view_of(&t, a);
        tr_vec3 before[2] = {{0, 0, 0}, {0, 0, 0}};
        uint32_t count = 0;
        for (; view.doing == TR_ACTOR_RIDES && count < 200; count++) {
            for (uint32_t side = 0; side < 2; side++) {
                tr_vec3 ankle = tr_affine_position(&view.model[view.character->legs.feet[side].ankle]);
                ankle.y -= view.position.y;
                if (count)
                    CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(ankle, before[side])), 0, 1e-4);
                before[side] = ankle;
            }
            CHECK_INT(view.contacts, 15);
            tick(&t);
            view = view_of(&t, a);
        }
        CHECK(count > 60 && count < 150);
        CHECK(view.position.y == 3);
    }
    close_theatre(&t);
}

TEST(a_high_lift_carries_to_its_top) {
    theatre t;
    if (open_with_lift_of(&t, false, 20)) {
        tr_actor_id a = add_actor(&t, 2, -3);
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {1, 20, 3}}, TR_ORDER_QUEUE);
        play(&t, 90);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK_NEAR(view_of(&t, a).position.y, 20, 0.02);
        CHECK_INT(tr_stage_counters_of(t.stage, a).deviations, 0);
    }
    close_theatre(&t);
}

TEST(a_stage_that_is_saved_in_the_middle_of_a_ride_goes_on_bit_for_bit) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = add_actor(&t, 0, -1);
        give_order(&t, a, up(), TR_ORDER_QUEUE);
        CHECK(ride_to(&t, a, 1));
        uint64_t size = 0;
        tr_stage *other = NULL;
        CHECK_INT(tr_stage_save(t.stage, NULL, 0, &size, NULL), TR_LIMIT);
        void *bytes = malloc(size);
        const tr_character *const kinds[] = {t.character};
        tr_stage_load_def def = {.scene = t.scene, .characters = kinds, .character_count = 1};
        if (bytes && tr_stage_save(t.stage, bytes, size, &size, NULL) == TR_OK)
            CHECK_INT(tr_stage_load(&def, bytes, size, &other, NULL), TR_OK);
        free(bytes);
        for (uint32_t i = 0; other && i < 400; i++) {
            CHECK_INT(tr_stage_step(other, TR_STAGE_TICK, NULL), tick(&t));
            tr_actor_view one = view_of(&t, a), two = {0};
            tr_stage_look(other, a, &two);
            CHECK(memcmp(one.model, two.model, one.pose->joint_count * sizeof *one.model) == 0);
        }
        CHECK(other != NULL);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        tr_stage_destroy(other);
    }
    close_theatre(&t);
}

TEST(a_second_actor_waits_for_the_lift) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = add_actor(&t, 0, -1), b = add_actor(&t, 0, -2.5f);
        give_order(&t, a, up(), TR_ORDER_QUEUE);
        give_order(&t, b, (tr_order){.kind = TR_ORDER_GO, .goal = {-2, 3, 3}}, TR_ORDER_QUEUE);
        play(&t, 120);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, b, 0).state, TR_ORDER_DONE);
        check_apart(&t);
        CHECK_INT(tr_stage_counters_of(t.stage, b).deviations, 0);
    }
    close_theatre(&t);
}

TEST(a_closed_link_is_not_used_until_it_is_opened) {
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

TEST(a_link_that_is_closed_before_an_actor_gets_there_ends_the_order_with_a_reason) {
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

TEST(a_lift_that_is_closed_during_a_ride_finishes_it) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = add_actor(&t, 0, -1);
        give_order(&t, a, up(), TR_ORDER_QUEUE);
        CHECK(ride_to(&t, a, 1) && view_of(&t, a).position.y < 3);
        CHECK_INT(tr_stage_close_link(t.stage, 0, true), TR_OK);
        play(&t, 80);
        check_above(&t, a, 0);
    }
    close_theatre(&t);
}

// Whatever happens while an actor is carried: it gets off above, and goes on from there.
static void check_ride(void (*meddle)(theatre *t, tr_actor_id who)) {
    theatre t;
    if (open_with_lift(&t, false)) {
        tr_actor_id a = add_actor(&t, 0, -1);
        give_order(&t, a, up(), TR_ORDER_QUEUE);
        CHECK(ride_to(&t, a, 1) && view_of(&t, a).position.y < 3);
        meddle(&t, a);
        tr_vec2 at = place_of(&t, a);
        while (view_of(&t, a).position.y < 2.98f && tr_stage_time(t.stage) < 60) {
            tick(&t);
            CHECK_NEAR(place_of(&t, a).x, at.x, 1e-5);
            CHECK_NEAR(place_of(&t, a).z, at.z, 1e-5);
        }
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {-2, 3, 3}}, TR_ORDER_QUEUE);
        play(&t, 90);
        CHECK_NEAR(view_of(&t, a).position.y, 3, 0.02);
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

TEST(no_actor_gets_off_a_lift_between_two_floors) {
    check_ride(cancel);
    check_ride(replace);
    check_ride(put_box_beside);
}

TEST(an_unknown_link_is_refused) {
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
