#include "limb_cases.h"

#include <string.h>

#define CASES 10000

typedef struct limb_look {
    point hip, knee, end, thigh, shank, normal, line;
    double upper, lower, distance, sine; // of the bend
} limb_look;

static limb_look look(const limb_case *at) {
    limb_look seen = {.hip = point_of(at, at->upper), .knee = point_of(at, at->lower)};
    seen.end = point_of(at, at->end);
    seen.thigh = minus(seen.knee, seen.hip), seen.shank = minus(seen.end, seen.knee);
    seen.upper = size_of(seen.thigh), seen.lower = size_of(seen.shank);
    seen.normal = outer(seen.thigh, seen.shank);
    seen.sine = size_of(seen.normal) / (seen.upper * seen.lower);
    seen.line = minus(seen.end, seen.hip);
    seen.distance = size_of(seen.line);
    return seen;
}

// The hinge in the axes of the world, from the model.
static point hinge_of(const limb_case *at) {
    tr_vec3 h = tr_affine_turn(&at->model[at->lower], at->limb.hinge);
    return wide(tr_vec3_scale(h, 1 / tr_vec3_length(h)));
}

// A point at some distance that the limb reaches, in any direction; `far`: beyond it, or too near.
static tr_vec3 random_goal(const limb_case *at, const limb_look *seen, tr_random *random, bool far) {
    double grown = (seen->upper + seen->lower) / ((double)at->limb.upper_length + at->limb.lower_length);
    double low = at->limb.reach_min * grown, high = at->limb.reach_max * grown;
    // Joints between, bent otherwise than at rest, make bones that fold less.
    low = fmax(low, fabs(seen->upper - seen->lower));
    double distance = low + (high - low) * (0.001 + 0.998 * tr_random_unit(random));
    if (far)
        distance = tr_random_below(random, 3) ? high * (1 + tr_random_unit(random)) + 1e-3 : low * 0.5;
    tr_vec3 way = tr_quat_rotate(random_turn(random), tr_vec3_make(0, 0, 1));
    return tr_vec3_add(narrow(seen->hip), tr_vec3_scale(way, (float)distance));
}

static float reach(limb_case *at, const tr_limb_goal *goal) {
    return tr_limb_reach(&at->limb, at->skeleton, goal, &at->pose, &at->place, at->model);
}

static bool measure(limb_case *at) {
    return tr_limb_measure(at->skeleton, at->upper, at->lower, at->end, &at->limb, NULL) == TR_OK;
}

static double model_error(const limb_case *at) {
    double worst = 0;
    for (uint32_t i = 0; i < at->count; i++) {
        double off = size_of(minus(point_of(at, i), wide(tr_affine_position(&at->model[i]))));
        worst = off > worst ? off : worst;
    }
    return worst;
}

TEST(the_end_comes_to_every_goal_within_reach) {
    tr_random random = tr_random_seed(1);
    double worst = 0, worst_bone = 0, worst_model = 0;
    for (int i = 0; i < CASES; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, i % 2));
        REQUIRE(measure(&at));
        limb_look before = look(&at);
        tr_limb_goal goal = {.position = random_goal(&at, &before, &random, false), .weight = 1};
        goal.swivel = i % 3 ? 0 : tr_random_between(&random, -3, 3);
        CHECK_NEAR(reach(&at, &goal), 0, 1e-6);
        limb_look after = look(&at);
        double off = size_of(minus(after.end, wide(goal.position)));
        worst = off > worst ? off : worst;
        double bones = fabs(after.upper - before.upper) + fabs(after.lower - before.lower) +
                       size_of(minus(after.hip, before.hip));
        worst_bone = bones > worst_bone ? bones : worst_bone;
        double model = model_error(&at);
        worst_model = model > worst_model ? model : worst_model;
        destroy_case(&at);
    }
    CHECK_NEAR(worst, 0, 1e-5);
    CHECK_NEAR(worst_bone, 0, 1e-5);
    CHECK_NEAR(worst_model, 0, 1e-5);
}

TEST(the_plane_of_the_limb_swings_with_it_and_the_knee_keeps_its_side) {
    tr_random random = tr_random_seed(2);
    uint32_t looked_at = 0;
    for (int i = 0; i < CASES; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, false));
        REQUIRE(measure(&at));
        limb_look before = look(&at);
        // Bent in the direction of its hinge; other tests check the rest.
        bool bent = inner(before.normal, hinge_of(&at)) > 0.11 * before.upper * before.lower;
        tr_limb_goal goal = {.position = random_goal(&at, &before, &random, false), .weight = 1};
        reach(&at, &goal);
        limb_look after = look(&at);
        tr_quat swing = tr_quat_between(narrow(before.line), narrow(after.line));
        point normal = wide(tr_quat_rotate(swing, narrow(before.normal)));
        double size = size_of(normal);
        if (bent && inner(before.line, after.line) > -0.99 * before.distance * after.distance &&
            before.distance > 0.01 && after.sine > 1e-3) {
            looked_at++;
            CHECK_NEAR(inner(normal, after.thigh) / size, 0, 1e-5);
            CHECK_NEAR(inner(normal, after.shank) / size, 0, 1e-5);
            CHECK(inner(normal, after.normal) > 0);
        }
        destroy_case(&at);
    }
    CHECK(looked_at > CASES / 4);
}

TEST(a_limb_that_is_straight_or_bent_backwards_bends_about_its_hinge) {
    tr_random random = tr_random_seed(3);
    for (int i = 0; i < CASES; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, i % 2));
        REQUIRE(measure(&at));
        // From a straight limb turn the knee about the hinge: a hair either way, or far backwards.
        tr_pose_set_rest(&at.pose, at.skeleton);
        tr_pose_to_model(at.skeleton, &at.pose, &at.place, at.model);
        limb_look rest = look(&at);
        double sine = rest.sine, cosine = inner(rest.thigh, rest.shank) / (rest.upper * rest.lower);
        double bend = tr_arc_tangent(sine, cosine);
        double wanted = i % 4 ? tr_random_between(&random, -0.02f, 0.02f) : -1;
        tr_quat rotation = tr_pose_rotation(&at.pose, at.lower);
        tr_pose_set_rotation(&at.pose, at.lower,
                             tr_quat_multiply(rotation, tr_quat_about(at.limb.hinge, wanted - bend)));
        tr_pose_to_model(at.skeleton, &at.pose, &at.place, at.model);
        limb_look before = look(&at);
        // A mirrored joint turns in the opposite sense: the present shape of the limb tells what bends it.
        bool as_meant = fabs(before.sine - fabs(sin(wanted))) < 0.01;
        tr_limb_goal goal = {.position = random_goal(&at, &before, &random, false), .weight = 1};
        CHECK_NEAR(reach(&at, &goal), 0, 1e-6);
        limb_look after = look(&at);
        if (as_meant && after.sine > 0.01 && at.limb.reach_max > 0)
            CHECK(inner(after.normal, hinge_of(&at)) > 0);
        CHECK_NEAR(size_of(minus(after.end, wide(goal.position))), 0, 1e-5);
        destroy_case(&at);
    }
}

TEST(limbs_point_at_goals_out_of_reach_and_report_the_distance_left) {
    tr_random random = tr_random_seed(4);
    for (int i = 0; i < CASES / 5; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, i % 2));
        REQUIRE(measure(&at));
        limb_look before = look(&at);
        tr_limb_goal goal = {.position = random_goal(&at, &before, &random, true), .weight = 1};
        float left = reach(&at, &goal);
        limb_look after = look(&at);
        point way = minus(wide(goal.position), after.hip);
        CHECK_NEAR(left, size_of(minus(wide(goal.position), after.end)), 1e-5);
        CHECK(left > 0);
        CHECK_NEAR(size_of(outer(way, after.line)) / size_of(way), 0, 1e-5);
        double straight = after.distance / (after.upper + after.lower);
        if (fabs(after.upper - after.lower) < 0.99 * (after.upper + after.lower)) // otherwise it cannot fold
            CHECK(straight <= 0.99901);
        if (size_of(way) > after.distance)
            CHECK_NEAR(left, size_of(way) - after.distance, 1e-5);
        destroy_case(&at);
    }
}

TEST(odd_goals_neither_crash_nor_spoil_the_pose) {
    tr_random random = tr_random_seed(5);
    const float odd[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 300; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, i % 2));
        REQUIRE(measure(&at));
        tr_vec3 hip = tr_affine_position(&at.model[at.upper]);
        tr_limb_goal at_hip = {.position = hip, .weight = 1};
        CHECK_NEAR(reach(&at, &at_hip), look(&at).distance, 1e-5);
        tr_limb_goal far_away = {.position = {3e38f, -3e38f, 3e38f}, .weight = 1};
        CHECK(reach(&at, &far_away) > 1e38f);
        limb_look seen = look(&at);
        CHECK_NEAR(seen.distance / (seen.upper + seen.lower),
                   at.limb.reach_max / (at.limb.upper_length + at.limb.lower_length), 1e-5);
        tr_affine before[CASE_JOINTS_MAX];
        memcpy(before, at.model, sizeof before);
        for (int j = 0; j < 3; j++) {
            tr_limb_goal bad[] = {{.position = {odd[j], 0, 0}, .weight = 1},
                                  {.position = {0, 0, odd[j]}, .weight = 1},
                                  {.position = {0, 0, 0}, .weight = j == 1 ? -1 : odd[j]},
                                  {.position = {0, 0, 0}, .weight = 1, .swivel = odd[j]}};
            for (int k = 0; k < 4; k++)
                CHECK(reach(&at, &bad[k]) == INFINITY);
        }
        CHECK(memcmp(before, at.model, at.count * sizeof *before) == 0);
        tr_limb wrong = at.limb;
        wrong.end = at.count;
        CHECK(tr_limb_reach(&wrong, at.skeleton, &at_hip, &at.pose, &at.place, at.model) == INFINITY);
        destroy_case(&at);
    }
}

TEST(a_weight_takes_the_end_part_of_the_way) {
    tr_random random = tr_random_seed(6);
    for (int i = 0; i < CASES / 5; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, i % 2));
        REQUIRE(measure(&at));
        limb_look before = look(&at);
        tr_affine model[CASE_JOINTS_MAX];
        memcpy(model, at.model, sizeof model);
        tr_quat rotation = random_turn(&random);
        tr_limb_goal goal = {random_goal(&at, &before, &random, false), &rotation, 0, 0};
        CHECK_NEAR(reach(&at, &goal), size_of(minus(wide(goal.position), before.end)), 1e-5);
        CHECK(memcmp(model, at.model, at.count * sizeof *model) == 0);
        goal.weight = tr_random_unit(&random);
        float left = reach(&at, &goal);
        limb_look after = look(&at);
        point way = minus(wide(goal.position), before.end);
        point part = {before.end.x + goal.weight * way.x, before.end.y + goal.weight * way.y,
                      before.end.z + goal.weight * way.z};
        double distance = size_of(minus(part, before.hip));
        bool can = distance > fabs(before.upper - before.lower) && distance < before.upper + before.lower;
        if (can) {
            CHECK_NEAR(size_of(minus(after.end, part)), 0, 1e-5);
            CHECK_NEAR(left, (1 - goal.weight) * size_of(way), 1e-5);
        }
        destroy_case(&at);
    }
}

TEST(the_end_gets_the_rotation_of_the_goal) {
    tr_random random = tr_random_seed(7);
    for (int i = 0; i < CASES / 5; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, false));
        REQUIRE(measure(&at));
        limb_look before = look(&at);
        tr_quat rotation = random_turn(&random);
        tr_limb_goal goal = {random_goal(&at, &before, &random, false), &rotation, 1, 0};
        reach(&at, &goal);
        tr_vec3 v = random_vector(&random, 1);
        tr_vec3 wanted = tr_quat_rotate(rotation, v), got = tr_affine_turn(&at.model[at.end], v);
        CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(wanted, got)), 0, 3e-6);
        destroy_case(&at);
    }
}

TEST(a_swivel_turns_the_knee_about_the_line_and_leaves_the_end) {
    tr_random random = tr_random_seed(8);
    for (int i = 0; i < CASES / 5; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, false));
        REQUIRE(measure(&at));
        limb_look start = look(&at);
        tr_limb_goal goal = {.position = random_goal(&at, &start, &random, false), .weight = 1};
        reach(&at, &goal);
        limb_look before = look(&at);
        goal.swivel = tr_random_between(&random, -3, 3);
        bool bent = inner(before.normal, hinge_of(&at)) > 0.11 * before.upper * before.lower;
        reach(&at, &goal);
        limb_look after = look(&at);
        CHECK_NEAR(size_of(minus(after.end, before.end)), 0, 1e-5);
        tr_vec3 knee = tr_quat_rotate(tr_quat_about(narrow(before.line), goal.swivel), narrow(before.thigh));
        if (bent)
            CHECK_NEAR(size_of(minus(after.thigh, wide(knee))), 0, 1e-5);
        destroy_case(&at);
    }
}

TEST(limbs_with_scales_that_differ_by_axis_reach_their_goals) {
    tr_random random = tr_random_seed(9);
    uint32_t reached = 0, possible = 0;
    for (int i = 0; i < 2000; i++) {
        limb_case at;
        REQUIRE(make_case(&at, &random, false));
        REQUIRE(measure(&at));
        tr_transform upper = tr_pose_get(&at.pose, at.upper);
        upper.scale.x = tr_random_between(&random, 0.9f, 1.1f);
        upper.scale.y = tr_random_between(&random, 0.9f, 1.1f);
        tr_pose_set(&at.pose, at.upper, upper);
        tr_pose_to_model(at.skeleton, &at.pose, &at.place, at.model);
        limb_look before = look(&at);
        // Not near the ends of its range, which change as the bones turn.
        tr_vec3 aim = tr_vec3_subtract(random_goal(&at, &before, &random, false), narrow(before.hip));
        double middle = 0.5 * (fmax(before.upper, before.lower) + before.upper + before.lower);
        aim = tr_vec3_scale(aim, (float)middle * 0.8f / tr_vec3_length(aim));
        tr_limb_goal goal = {.position = tr_vec3_add(narrow(before.hip), aim), .weight = 1};
        float left = reach(&at, &goal);
        double off = size_of(minus(look(&at).end, wide(goal.position)));
        CHECK_NEAR(off, left, 1e-5); // the distance left is reported correctly on failure
        bool can = 0.8 * middle > 1.1 * fabs(before.upper - before.lower) &&
                   0.8 * middle < 0.95 * (before.upper + before.lower);
        possible += can;
        reached += can && off < 1e-3;
        destroy_case(&at);
    }
    CHECK(possible > 1500 && reached > possible * 95 / 100);
}

// A leg and an arm of a body that faces +Z, each straight, with limits or without.
static tr_skeleton *make_body(bool limits, float knee_ahead) {
    tr_joint_limit knee = {.active = limits, .twist_axis = 1, .low = {0, 0, 0}, .high = {2.4f, 0, 0}};
    tr_joint_limit elbow = {.active = limits, .twist_axis = 0, .low = {0, -2.5f, 0}, .high = {0, 0, 0}};
    const tr_quat turned = {0, 0, 0, 1};
    const tr_joint_def joints[] = {
        {"hips", TR_NONE, {{0, 1, 0}, turned, {1, 1, 1}}, TR_ROLE_HIPS, false, {0}},
        {"thigh", 0, {{0.1f, 0, 0}, turned, {1, 1, 1}}, TR_ROLE_LEFT_THIGH, false, {0}},
        {"shank", 1, {{0, -0.45f, knee_ahead}, turned, {1, 1, 1}}, TR_ROLE_LEFT_SHANK, false, knee},
        {"foot", 2, {{0, -0.45f, -knee_ahead}, turned, {1, 1, 1}}, TR_ROLE_LEFT_FOOT, false, {0}},
        {"arm", 0, {{0.2f, 0.5f, 0}, turned, {1, 1, 1}}, TR_ROLE_LEFT_UPPER_ARM, false, {0}},
        {"forearm", 4, {{0.3f, 0, 0}, turned, {1, 1, 1}}, TR_ROLE_LEFT_FOREARM, false, elbow},
        {"hand", 5, {{0.25f, 0, 0}, turned, {1, 1, 1}}, TR_ROLE_LEFT_HAND, false, {0}},
    };
    tr_skeleton_def def = {.joints = joints, .joint_count = sizeof joints / sizeof *joints};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

TEST(the_hinge_comes_from_the_rest_pose_the_limit_or_the_body) {
    for (int limits = 0; limits < 2; limits++) {
        tr_skeleton *body = make_body(limits, 0);
        REQUIRE(body);
        tr_limb leg, arm;
        CHECK_INT(tr_limb_measure(body, 1, 2, 3, &leg, NULL), TR_OK);
        CHECK_INT(tr_limb_measure(body, 4, 5, 6, &arm, NULL), TR_OK);
        CHECK_NEAR(leg.hinge.x, 1, 1e-6); // about +X the shank goes backwards
        CHECK_NEAR(arm.hinge.y, -1, 1e-6);
        CHECK_NEAR(leg.upper_length, 0.45, 1e-6);
        CHECK_NEAR(arm.lower_length, 0.25, 1e-6);
        CHECK_NEAR(leg.reach_max, 0.9 * 0.999, 1e-6);
        if (limits)
            CHECK_NEAR(leg.reach_min, sqrt(2 * 0.45 * 0.45 * (1 + cos(2.4))), 1e-6);
        tr_skeleton_destroy(body);
    }
    tr_skeleton *bent = make_body(false, -0.1f); // a bird's
    REQUIRE(bent);
    tr_limb leg;
    CHECK_INT(tr_limb_measure(bent, 1, 2, 3, &leg, NULL), TR_OK);
    CHECK_NEAR(leg.hinge.x, -1, 1e-6);
    tr_skeleton_destroy(bent);
}

TEST(no_goal_bends_a_hinge_past_its_limit) {
    tr_skeleton *body = make_body(true, 0);
    REQUIRE(body);
    tr_limb limbs[2];
    REQUIRE(tr_limb_measure(body, 1, 2, 3, &limbs[0], NULL) == TR_OK);
    REQUIRE(tr_limb_measure(body, 4, 5, 6, &limbs[1], NULL) == TR_OK);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, 7, &pose, NULL) == TR_OK);
    tr_affine model[7];
    tr_random random = tr_random_seed(10);
    for (int i = 0; i < 2000; i++) {
        const tr_limb *limb = &limbs[i % 2];
        tr_pose_set_rest(&pose, body);
        tr_pose_to_model(body, &pose, NULL, model);
        tr_vec3 hip = tr_affine_position(&model[limb->upper]);
        tr_limb_goal goal = {.position = tr_vec3_add(hip, random_vector(&random, 0.6f)), .weight = 1};
        tr_limb_reach(limb, body, &goal, &pose, NULL, model);
        CHECK_NEAR(tr_skeleton_limit_excess(body, limb->lower, tr_pose_rotation(&pose, limb->lower)), 0,
                   2e-3);
    }
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(body);
}

// The knee of a leg whose animation trembles about straight must not tremble between front and back.
TEST(a_trembling_straight_limb_has_a_steady_knee) {
    tr_skeleton *body = make_body(false, 0);
    REQUIRE(body);
    tr_limb leg;
    REQUIRE(tr_limb_measure(body, 1, 2, 3, &leg, NULL) == TR_OK);
    tr_pose pose;
    REQUIRE(tr_pose_create(NULL, 7, &pose, NULL) == TR_OK);
    tr_affine model[7];
    tr_random random = tr_random_seed(11);
    tr_vec3 first = {0, 0, 0};
    for (int i = 0; i < 500; i++) {
        tr_pose_set_rest(&pose, body);
        tr_pose_set_rotation(&pose, 2, tr_quat_from_vector(random_vector(&random, 0.01f)));
        tr_pose_to_model(body, &pose, NULL, model);
        tr_limb_goal goal = {.position = {0.1f, 0.2f, 0}, .weight = 1};
        CHECK(tr_limb_reach(&leg, body, &goal, &pose, NULL, model) == 0);
        tr_vec3 knee = tr_affine_position(&model[2]);
        first = i ? first : knee;
        CHECK(knee.z > 0.1f);
        CHECK_NEAR(tr_vec3_length(tr_vec3_subtract(knee, first)), 0, 0.06);
    }
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(body);
}

TEST(joints_that_do_not_form_a_limb_are_refused_by_name) {
    tr_skeleton *body = make_body(false, 0);
    REQUIRE(body);
    tr_limb limb;
    tr_error error;
    CHECK_INT(tr_limb_measure(body, 1, 2, 6, &limb, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "hand");
    CHECK_INT(tr_limb_measure(body, 2, 1, 3, &limb, &error), TR_INVALID);
    CHECK_INT(tr_limb_measure(body, 1, 1, 3, &limb, &error), TR_INVALID);
    CHECK_INT(tr_limb_measure(body, 1, 2, 7, &limb, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "7");
    CHECK_INT(tr_limb_measure(body, TR_NONE, 2, 3, &limb, NULL), TR_INVALID);
    tr_skeleton_destroy(body);

    const tr_joint_def joints[] = {{"a", TR_NONE, {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, false, {0}},
                                   {"b", 0, {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, false, {0}},
                                   {"c", 1, {{0, 1, 0}, {0, 0, 0, 1}, {1, 1, 1}}, 0, false, {0}}};
    tr_skeleton_def def = {.joints = joints, .joint_count = 3};
    tr_skeleton *flat = NULL;
    REQUIRE(tr_skeleton_create(&def, &flat, NULL) == TR_OK);
    CHECK_INT(tr_limb_measure(flat, 0, 1, 2, &limb, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, "0 and 1 m");
    tr_skeleton_destroy(flat);
}
