// Kinds of goals: in a region, beside an object, after an actor, near a point, on a floor.
#include "theatre.h"
#include "troupe/base/random.h"

TEST(an_actor_goes_into_a_region_and_stops_inside) {
    theatre t;
    tr_random random = tr_random_seed(3);
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "box", -1, -1, 1, 1);
        tr_actor_id a = add_actor(&t, -5, -5);
        for (int i = 0; i < 6; i++) {
            float x = tr_random_between(&random, -4.5f, 3), z = tr_random_between(&random, 1.5f, 3);
            tr_box region = {{x, -0.5f, z}, {x + 1.5f, 1, z + 1.5f}};
            tr_order order = {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_REGION, .region = region};
            uint32_t number = give_order(&t, a, order, TR_ORDER_QUEUE);
            play(&t, 40 * (i + 1));
            CHECK_INT(report_of(&t, a, number).state, TR_ORDER_DONE);
            tr_vec2 at = place_of(&t, a);
            CHECK(at.x > x - 0.05f && at.x < x + 1.55f && at.z > z - 0.05f && at.z < z + 1.55f);
        }
    }
    close_theatre(&t);
}

TEST(a_region_that_is_partly_in_a_wall_is_entered_where_there_is_room) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        add_box(t.scene, "box", -1, 0, 3, 3);
        tr_actor_id a = add_actor(&t, -5, -5);
        tr_box region = {{-2, 0, -0.5f}, {2, 1, 2.5f}};
        tr_order order = {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_REGION, .region = region};
        give_order(&t, a, order, TR_ORDER_QUEUE);
        play(&t, 40);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        tr_vec2 at = place_of(&t, a);
        CHECK(at.x > -2.05f && at.x < 2.05f && at.z > -0.55f && at.z < 2.55f);
        CHECK(at.x < -1.25f || at.z < -0.25f);
    }
    close_theatre(&t);
}

// How far the disc's middle is from a box, seen from above.
static float off_box(tr_vec2 at, tr_box box) {
    float x = fmaxf(fmaxf(box.min.x - at.x, at.x - box.max.x), 0);
    float z = fmaxf(fmaxf(box.min.z - at.z, at.z - box.max.z), 0);
    return hypotf(x, z);
}

TEST(an_actor_goes_beside_an_object_wherever_it_has_moved) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        uint32_t table =
            add_block(t.scene, "table", tr_vec3_make(-0.5f, 0, -0.8f), tr_vec3_make(0.5f, 0.8f, 0.8f));
        tr_actor_id a = add_actor(&t, -5, -5);
        tr_order order = {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_OBJECT, .object = table};
        give_order(&t, a, order, TR_ORDER_QUEUE);
        play(&t, 40);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        float off = off_box(place_of(&t, a), tr_scene_object(t.scene, table).bounds);
        CHECK(off > 0.3f && off < 0.8f);
        tr_affine there = tr_affine_place(tr_vec3_make(3, 0, 3), 0);
        CHECK_INT(tr_scene_place(t.scene, table, &there), TR_OK);
        order.near = 0.5f;
        give_order(&t, a, order, TR_ORDER_QUEUE);
        play(&t, 80);
        CHECK_INT(report_of(&t, a, 1).state, TR_ORDER_DONE);
        off = off_box(place_of(&t, a), tr_scene_object(t.scene, table).bounds);
        CHECK(off > 0.3f && off < 1.3f);
        check_apart(&t);
    }
    close_theatre(&t);
}

TEST(an_actor_follows_another_as_long_as_that_one_exists) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id leader = add_actor(&t, 0, -3), follower = add_actor(&t, -1, -4);
        send_to(&t, leader, 4, 4);
        send_to(&t, leader, -4, 4);
        tr_order follow = {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_ACTOR, .target = leader};
        give_order(&t, follower, follow, TR_ORDER_QUEUE);
        float furthest = 0;
        for (int i = 0; i < 900; i++) {
            CHECK_INT(tick(&t), TR_OK); // following does not end
            tr_vec2 a = place_of(&t, leader), b = place_of(&t, follower);
            furthest = fmaxf(furthest, hypotf(a.x - b.x, a.z - b.z));
        }
        CHECK(furthest < 4.5f);
        tr_vec2 a = place_of(&t, leader), b = place_of(&t, follower);
        CHECK(hypotf(a.x - b.x, a.z - b.z) < 1.5f); // side by side
        CHECK_NEAR(a.x, -4, 0.15);
        check_apart(&t);
        CHECK_INT(tr_stage_remove_actor(t.stage, leader), TR_OK);
        play(&t, 60);
        CHECK_INT(report_of(&t, follower, 0).state, TR_ORDER_DONE);
    }
    close_theatre(&t);
}

TEST(two_actors_that_follow_each_other_meet) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, -4, 0), b = add_actor(&t, 4, 0);
        tr_order order = {.kind = TR_ORDER_GO, .goal_kind = TR_GOAL_ACTOR, .target = b};
        give_order(&t, a, order, TR_ORDER_QUEUE);
        order.target = a;
        give_order(&t, b, order, TR_ORDER_QUEUE);
        ticks(&t, 450);
        tr_vec2 p = place_of(&t, a), q = place_of(&t, b);
        CHECK(hypotf(p.x - q.x, p.z - q.z) < 1.6f);
        check_apart(&t);
        CHECK_INT(tr_stage_cancel(t.stage, a, TR_NONE), TR_OK);
        CHECK_INT(tr_stage_cancel(t.stage, b, TR_NONE), TR_OK);
        CHECK_INT(tick(&t), TR_DONE);
    }
    close_theatre(&t);
}

TEST(a_goal_may_be_near_enough) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        tr_actor_id a = add_actor(&t, 0, -4);
        tr_order order = {.kind = TR_ORDER_GO, .goal = {0, 0, 4}, .near = 2};
        give_order(&t, a, order, TR_ORDER_QUEUE);
        play(&t, 30);
        tr_vec2 at = place_of(&t, a);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_DONE);
        CHECK(!report_of(&t, a, 0).beside);
        CHECK(hypotf(at.x, 4 - at.z) <= 2.05f);
        CHECK(at.z < 3); // it saves itself the rest
    }
    close_theatre(&t);
}

TEST(the_height_of_a_goal_selects_its_floor) {
    theatre t;
    if (open_theatre(&t, NULL)) {
        // A table top of 4 x 4 m, 3 m up, that no stairs lead to.
        add_block(t.scene, "upper", tr_vec3_make(-2, 2.8f, -2), tr_vec3_make(2, 3, 2));
        tr_actor_id a = add_actor(&t, -4, -4);
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {0, 3, 0}}, TR_ORDER_QUEUE);
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {0, 3, 1}, .any_floor = true},
                   TR_ORDER_QUEUE);
        give_order(&t, a, (tr_order){.kind = TR_ORDER_GO, .goal = {0, 0, -1}}, TR_ORDER_QUEUE);
        play(&t, 60);
        CHECK_INT(report_of(&t, a, 0).state, TR_ORDER_FAILED);
        CHECK(report_of(&t, a, 0).reason[0]);
        CHECK_INT(report_of(&t, a, 1).state, TR_ORDER_DONE);
        CHECK_INT(report_of(&t, a, 2).state, TR_ORDER_DONE);
        CHECK_NEAR(view_of(&t, a).position.y, 0, 1e-3);
    }
    close_theatre(&t);
}
