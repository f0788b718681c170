// Orders to reach and to lower arms: hands come where they are to, touch nothing on the way, and the body
// stands.
#include "reach_theatre.h"
#include "motion/cast/cast.h"
#include "troupe/base/hash.h"
#include "troupe/motion/audit.h"

static float distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}

static void check_done(const reach_theatre *t, uint32_t order) {
    tr_order_report report = report_of(t, order);
    if (report.state != TR_ORDER_DONE)
        test_failed(__FILE__, __LINE__, "order %u: state %d, %s", order, (int)report.state, report.reason);
}

TEST(a_hand_comes_to_a_point_and_stays_as_long_as_ordered) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        tr_vec3 point = {-0.2f, 1.25f, 0.35f};
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = point, .hands = TR_HAND_RIGHT, .hold = 0.5});
        tr_vec3 feet[2] = {place_of(&t, TR_ROLE_LEFT_FOOT), place_of(&t, TR_ROLE_RIGHT_FOOT)};
        play_on(&t, 10);
        check_done(&t, 0);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_RIGHT_HAND), point), 0, 0.002);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_LEFT_FOOT), feet[0]), 0, 0.001);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_RIGHT_FOOT), feet[1]), 0, 0.001);
        tr_order_report report = report_of(&t, 0);
        CHECK_INT(report.reach.plans, 1);
        CHECK_INT(report.reach.side, TR_ARM_RIGHT);
        CHECK(report.reach.by != TR_REACH_BY_NOTHING);
        CHECK(report.reach.duration > 0.2 && report.reach.duration < 3);
        CHECK_NEAR(report.reach.move_end - report.reach.move_begin, report.reach.duration, 0.07);
        CHECK_NEAR(report.end - report.reach.move_end, 0.5, 0.04);
        CHECK(report.reach.wrist_length > 0.3 && report.reach.wrist_length < 1.5);
        // It stays there when there are no further orders.
        for (int i = 0; i < 90; i++)
            tick(&t);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_RIGHT_HAND), point), 0, 0.002);
    }
    close_reach_theatre(&t);
}

TEST(the_reported_path_is_the_one_that_was_taken) {
    static const tr_vec3 points[4] = {
        {-0.3f, 1.0f, 0.45f}, {-0.1f, 1.3f, 0.3f}, {-0.45f, 1.02f, 0.42f}, {-0.2f, 0.8f, 0.3f}};
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, false)) {
        for (uint32_t i = 0; i < 4; i++) {
            give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = points[i], .hands = TR_HAND_RIGHT});
            tr_vec3 was = place_of(&t, TR_ROLE_RIGHT_HAND);
            double way = 0;
            float gap = INFINITY;
            do {
                tick(&t);
                tr_vec3 is = place_of(&t, TR_ROLE_RIGHT_HAND);
                way += report_of(&t, i).reach.plans ? (double)distance(was, is) : 0;
                gap = fminf(gap, gap_of_arms(&t));
                was = is;
            } while (report_of(&t, i).state <= TR_ORDER_UNDER_WAY);
            check_done(&t, i);
            CHECK_NEAR(way, report_of(&t, i).reach.wrist_length, 0.01 + 0.01 * way);
            CHECK(report_of(&t, i).reach.clearance < gap + 1e-3f);
        }
    }
    close_reach_theatre(&t);
}

// The nearest the right or left hand's capsule is to one object.
static float gap_to_object(const reach_theatre *t, uint32_t object, tr_role hand) {
    tr_actor_view view = view_of(t, t->actor);
    const tr_body_def *body = tr_body_view(view.character->body);
    tr_object_view seen = tr_scene_object(t->scene, object);
    tr_mesh_view mesh = tr_scene_mesh(t->scene, seen.mesh);
    float nearest = INFINITY;
    for (uint32_t i = 0; i < body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i];
        if (tr_skeleton_joint(view.character->skeleton, capsule->joint).role != hand)
            continue;
        tr_vec3 a = tr_affine_apply(&view.model[capsule->joint], capsule->a);
        tr_vec3 b = tr_affine_apply(&view.model[capsule->joint], capsule->b);
        for (uint32_t k = 0; k < mesh.triangle_count; k++) {
            tr_vec3 corners[3];
            for (uint32_t c = 0; c < 3; c++)
                corners[c] = tr_affine_apply(&seen.placement, mesh.positions[mesh.indices[3 * k + c]]);
            nearest = fminf(nearest,
                            sqrtf(tr_distance_segment_triangle(a, b, corners, NULL, NULL)) - capsule->radius);
        }
    }
    return nearest;
}

TEST(a_hand_comes_to_an_object_and_stops_just_before_it) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        play_on(&t, 10);
        check_done(&t, 0);
        CHECK_INT(report_of(&t, 0).reach.side, TR_ARM_RIGHT); // either: the cup is on the right
        float gap = gap_to_object(&t, t.cup, TR_ROLE_RIGHT_HAND);
        CHECK(gap > 0.001f && gap < 0.03f);
        // From there to the bottle, with the same hand, and with the one that is nearer.
        give(&t, (tr_order){
                     .kind = TR_ORDER_REACH, .has_object = true, .object = t.bottle, .hands = TR_HAND_RIGHT});
        play_on(&t, 20);
        check_done(&t, 1);
        gap = gap_to_object(&t, t.bottle, TR_ROLE_RIGHT_HAND);
        CHECK(gap > 0.001f && gap < 0.03f);
        give(&t, (tr_order){.kind = TR_ORDER_LOWER, .hands = TR_HAND_RIGHT});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.bottle});
        play_on(&t, 30);
        check_done(&t, 2);
        check_done(&t, 3);
        CHECK_INT(report_of(&t, 3).reach.side, TR_ARM_LEFT);
        gap = gap_to_object(&t, t.bottle, TR_ROLE_LEFT_HAND);
        CHECK(gap > 0.001f && gap < 0.03f);
    }
    close_reach_theatre(&t);
}

TEST(the_hand_points_in_the_ordered_direction) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        tr_vec3 down = {0.1f, -1, 0.3f};
        give(&t, (tr_order){.kind = TR_ORDER_REACH,
                            .point = {0.2f, 1.3f, 0.4f},
                            .hands = TR_HAND_LEFT,
                            .has_direction = true,
                            .direction = down,
                            .tolerance = 0.2f,
                            .seconds = 1.4});
        play_on(&t, 10);
        check_done(&t, 0);
        tr_order_report report = report_of(&t, 0);
        tr_arm_place place = tr_arm_put(&report.reach.arm, &report.reach.posture);
        tr_vec3 way = tr_vec3_subtract(place.tip, place.wrist);
        double cosine = tr_vec3_dot(way, down) / (tr_vec3_length(way) * tr_vec3_length(down));
        CHECK(acos(cosine) < 0.2 + 1e-3);
        CHECK_NEAR(report.reach.duration, 1.4, 1e-6);
        CHECK_NEAR(distance(place.wrist, place_of(&t, TR_ROLE_LEFT_HAND)), 0, 0.002);
    }
    close_reach_theatre(&t);
}

TEST(arms_hang_again_before_their_owner_walks_off) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        give(&t, (tr_order){.kind = TR_ORDER_WAIT, .seconds = 0.5});
        give(&t, (tr_order){.kind = TR_ORDER_GO, .goal = {0, 0, -2}});
        tr_status status = TR_OK;
        float lowest = INFINITY;
        while (status == TR_OK && tr_stage_time(t.stage) < 20) {
            status = tick(&t);
            tr_actor_view view = view_of(&t, t.actor);
            if (view.doing != TR_ACTOR_STANDS)
                lowest = fminf(lowest,
                               place_of(&t, TR_ROLE_RIGHT_UPPER_ARM).y - place_of(&t, TR_ROLE_RIGHT_HAND).y);
        }
        for (uint32_t i = 0; i < 3; i++)
            check_done(&t, i);
        CHECK(lowest > 0.3f && lowest < INFINITY); // it hung in every moment of walking
        CHECK_NEAR(view_of(&t, t.actor).position.z, -2, 0.15);
    }
    close_reach_theatre(&t);
}

TEST(a_point_too_far_for_the_arm_is_reached_with_the_trunk_and_a_further_one_refused) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        tr_vec3 far = {-0.15f, 1.2f, 0.78f};
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = far, .hands = TR_HAND_RIGHT});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = {0, 1.2f, 2}});
        give(&t, (tr_order){.kind = TR_ORDER_WAIT, .seconds = 0.1});
        tr_status status = TR_OK;
        float nearest = INFINITY, lean = 0;
        while (status == TR_OK && tr_stage_time(t.stage) < 30) {
            status = tick(&t);
            nearest = fminf(nearest, distance(place_of(&t, TR_ROLE_RIGHT_HAND), far));
            lean = fmaxf(lean, place_of(&t, TR_ROLE_NECK).z);
        }
        check_done(&t, 0);
        check_done(&t, 1);
        CHECK(nearest < 0.02f);
        CHECK(lean > 0.05f);
        CHECK_INT(report_of(&t, 2).state, TR_ORDER_FAILED);
        CHECK_TEXT(report_of(&t, 2).reason, tr_reach_reason_name(TR_REACH_GOAL_TOO_FAR));
        CHECK_INT(report_of(&t, 2).reach.plans, 0);
        check_done(&t, 3);
    }
    close_reach_theatre(&t);
}

TEST(both_hands_may_reach_and_are_lowered_one_by_one_or_together) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        tr_vec3 right = {-0.25f, 1.2f, 0.4f}, left = {0.25f, 1.3f, 0.4f};
        tr_vec3 hung = place_of(&t, TR_ROLE_RIGHT_HAND);
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = right, .hands = TR_HAND_RIGHT});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = left, .hands = TR_HAND_LEFT});
        play_on(&t, 10);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_RIGHT_HAND), right), 0, 0.002);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_LEFT_HAND), left), 0, 0.002);
        give(&t, (tr_order){.kind = TR_ORDER_LOWER, .hands = TR_HAND_RIGHT});
        play_on(&t, 20);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_LEFT_HAND), left), 0, 0.002);
        CHECK(distance(place_of(&t, TR_ROLE_RIGHT_HAND), hung) < 0.08f);
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = right, .hands = TR_HAND_RIGHT});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER}); // nothing is left to do
        play_on(&t, 30);
        for (uint32_t i = 0; i < 6; i++)
            check_done(&t, i);
        for (int i = 0; i < 60; i++)
            tick(&t);
        CHECK(distance(place_of(&t, TR_ROLE_RIGHT_HAND), hung) < 0.05f);
    }
    close_reach_theatre(&t);
}

TEST(an_arm_that_is_in_the_way_of_the_other_comes_down_first) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        tr_vec3 point = {-0.05f, 1.3f, 0.4f};
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = point, .hands = TR_HAND_RIGHT});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = point, .hands = TR_HAND_LEFT});
        play_on(&t, 10);
        check_done(&t, 0);
        check_done(&t, 1);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_LEFT_HAND), point), 0, 0.002);
        CHECK(place_of(&t, TR_ROLE_RIGHT_UPPER_ARM).y - place_of(&t, TR_ROLE_RIGHT_HAND).y > 0.3f);
        tr_clip *clip = NULL;
        CHECK_INT(tr_stage_clip(t.stage, t.actor, NULL, &clip, NULL), TR_OK);
        tr_audit_params params = tr_audit_params_default();
        params.ground = 0;
        params.body = t.character->body;
        tr_audit audit;
        CHECK_INT(tr_audit_measure(NULL, t.character->skeleton, clip, &params, &audit, NULL), TR_OK);
        CHECK_INT(audit.self_collisions, 0);
        tr_clip_destroy(clip);
    }
    close_reach_theatre(&t);
}

TEST(an_arm_comes_down_when_the_other_needs_the_trunk) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        tr_vec3 far = {-0.15f, 1.2f, 0.78f};
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = {0.3f, 1.3f, 0.35f}, .hands = TR_HAND_LEFT});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = far, .hands = TR_HAND_RIGHT});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = {0.3f, 1.3f, 0.35f}, .hands = TR_HAND_LEFT});
        play_on(&t, 20);
        for (uint32_t i = 0; i < 3; i++)
            check_done(&t, i);
        CHECK(report_of(&t, 1).reach.posture.q[TR_WAIST_LEAN] > 0.05f);
        CHECK_NEAR(distance(place_of(&t, TR_ROLE_LEFT_HAND), tr_vec3_make(0.3f, 1.3f, 0.35f)), 0, 0.002);
        CHECK(place_of(&t, TR_ROLE_RIGHT_UPPER_ARM).y - place_of(&t, TR_ROLE_RIGHT_HAND).y > 0.3f);
    }
    close_reach_theatre(&t);
}

TEST(the_recording_passes_an_audit) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.cup});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = t.bottle});
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        play_on(&t, 20);
        tr_clip *clip = NULL;
        CHECK_INT(tr_stage_clip(t.stage, t.actor, NULL, &clip, NULL), TR_OK);
        tr_audit_params params = tr_audit_params_default();
        params.scene = t.scene;
        params.ground = 0;
        params.body = t.character->body;
        tr_audit audit;
        CHECK_INT(tr_audit_measure(NULL, t.character->skeleton, clip, &params, &audit, NULL), TR_OK);
        CHECK_INT(audit.collisions, 0);
        CHECK_INT(audit.self_collisions, 0);
        CHECK_INT(audit.joint_limit_violations, 0);
        CHECK(audit.slide_mm_max < 1);
        tr_clip_destroy(clip);
    }
    close_reach_theatre(&t);
}

TEST(an_enclosed_goal_is_given_up_soon_if_nothing_moves) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, false)) {
        // A cupboard with room for hand and forearm, shut, and a ball in the middle of it.
        add_block(t.scene, "cupboard", tr_vec3_make(-0.5f, 1.1f, 0.36f), tr_vec3_make(0.5f, 1.8f, 0.9f));
        uint32_t ball =
            add_block(t.scene, "ball", tr_vec3_make(-0.04f, 1.36f, 0.6f), tr_vec3_make(0.04f, 1.44f, 0.68f));
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .has_object = true, .object = ball});
        give(&t, (tr_order){.kind = TR_ORDER_REACH, .point = {0, 1.4f, 0.5f}, .hands = TR_HAND_LEFT});
        play_on(&t, 20);
        for (uint32_t i = 0; i < 2; i++) {
            tr_order_report report = report_of(&t, i);
            CHECK_INT(report.state, TR_ORDER_FAILED);
            CHECK(report.reason[0] != 0);
            CHECK(report.end - report.begin < 1.5); // for both hands, each taken in 0.3 s
        }
    }
    close_reach_theatre(&t);
}

TEST(invalid_reach_orders_are_refused) {
    reach_theatre t;
    if (open_reach_theatre(&t, NULL, NULL, true)) {
        const tr_order bad[] = {
            {.kind = TR_ORDER_REACH, .point = {NAN, 0, 0}},
            {.kind = TR_ORDER_REACH, .point = {0, INFINITY, 0}},
            {.kind = TR_ORDER_REACH, .hands = 4},
            {.kind = TR_ORDER_LOWER, .hands = 7},
            {.kind = TR_ORDER_REACH, .has_object = true, .object = 99},
            {.kind = TR_ORDER_REACH, .seconds = -1},
            {.kind = TR_ORDER_REACH, .seconds = NAN},
            {.kind = TR_ORDER_REACH, .hold = INFINITY},
            {.kind = TR_ORDER_REACH, .tolerance = -1},
            {.kind = TR_ORDER_REACH, .tolerance = 4},
            {.kind = TR_ORDER_REACH, .has_direction = true},
            {.kind = TR_ORDER_REACH, .has_direction = true, .direction = {0, NAN, 1}},
            {.kind = (tr_order_kind)9},
        };
        for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
            tr_error error = {0};
            CHECK_INT(tr_stage_order(t.stage, t.actor, &bad[i], TR_ORDER_QUEUE, NULL, &error), TR_INVALID);
            CHECK(error.message[0]);
        }
        CHECK_INT(tr_stage_order_count(t.stage, t.actor, NULL), 0);
        // Lowering arms that hang is done at once.
        give(&t, (tr_order){.kind = TR_ORDER_LOWER});
        play_on(&t, 1);
        check_done(&t, 0);
    }
    close_reach_theatre(&t);
}
