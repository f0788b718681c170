// Bad arms, goals out of reach, the places where angles are badly told, and how people hold the arm.
#include "arm_oracle.h"
#include "test.h"
#include "troupe/base/scalar.h"

static const float rest[3] = {0, 0, 0};

static tr_arm plain_arm(tr_arm_side side) {
    tr_arm arm = tr_arm_default(side, 1.75f);
    arm.base = tr_affine_identity();
    arm.shoulder = tr_vec3_make(side == TR_ARM_LEFT ? 0.2f : -0.2f, 1.4f, 0);
    arm.length[0] = 0.3f;
    arm.length[1] = 0.27f;
    return arm;
}

static tr_arm_goal goal_from(const tr_arm *arm, float x, float y, float z) {
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION};
    goal.wrist = tr_vec3_add(arm->shoulder, tr_vec3_make(x, y, z));
    return goal;
}

static tr_arm_reason reason_for(const tr_arm *arm, float x, float y, float z) {
    tr_arm_family family;
    tr_arm_goal goal = goal_from(arm, x, y, z);
    tr_status status = tr_arm_solve(arm, rest, &goal, &family);
    CHECK_INT(status, family.reason == TR_ARM_REACHES ? TR_OK : TR_NOT_FOUND);
    CHECK((family.range_count > 0) == (status == TR_OK));
    return family.reason;
}

TEST(a_default_arm_is_valid_on_both_sides_and_with_help) {
    for (int side = 0; side < 2; side++) {
        tr_arm arm = tr_arm_default((tr_arm_side)side, 1.6f);
        CHECK_INT(tr_arm_check(&arm, NULL), TR_OK);
        tr_arm_allow_help(&arm);
        CHECK_INT(tr_arm_check(&arm, NULL), TR_OK);
        CHECK(arm.high.q[TR_WAIST_LEAN] > 0.8f && arm.low.q[TR_WAIST_TURN] < -0.6f);
    }
}

static void check_refusal(const tr_arm *arm, const char *words) {
    tr_error error = {0};
    CHECK_INT(tr_arm_check(arm, &error), TR_INVALID);
    CHECK_CONTAINS(error.message, words);
}

TEST(a_bad_arm_is_refused_with_the_value) {
    tr_arm good = tr_arm_default(TR_ARM_RIGHT, 1.75f), arm = good;
    arm.length[1] = 0;
    check_refusal(&arm, "forearm is 0 m");
    arm = good;
    arm.length[0] = NAN;
    check_refusal(&arm, "upper arm is nan");
    arm = good;
    arm.length[2] = 0;
    CHECK_INT(tr_arm_check(&arm, NULL), TR_OK);
    arm.radius[2] = -1;
    check_refusal(&arm, "radius of the hand is -1 m");
    arm = good;
    arm.low.q[TR_WRIST_FLEXION] = 2;
    check_refusal(&arm, "wrist flexion exclude everything: the lower is 2");
    arm = good;
    arm.high.q[TR_SHOULDER_ROTATION] = 4;
    check_refusal(&arm, "shoulder rotation are -1.22173 and 4");
    arm = good;
    arm.low.q[TR_ELBOW_FLEXION] = -0.5f;
    check_refusal(&arm, "elbow flexion are -0.5");
    arm = good;
    arm.high.q[TR_COLLAR] = NAN;
    check_refusal(&arm, "collar are 0 and nan");
    arm = good;
    arm.shoulder.y = INFINITY;
    check_refusal(&arm, "shoulder is at");
    arm = good;
    arm.side = (tr_arm_side)7;
    check_refusal(&arm, "side is 7");
    arm = tr_arm_default(TR_ARM_LEFT, NAN);
    CHECK_INT(tr_arm_check(&arm, NULL), TR_INVALID);
    arm = tr_arm_default(TR_ARM_LEFT, 0);
    CHECK_INT(tr_arm_check(&arm, NULL), TR_INVALID);
}

TEST(a_base_that_is_not_a_turn_is_refused) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    arm.base.m[1][1] = 2;
    check_refusal(&arm, "axis 1 of the base has length 2");
    arm.base = tr_affine_identity();
    arm.base.m[0][1] = 0.5f;
    check_refusal(&arm, "axis 0 of the base");
    arm.base = tr_affine_identity();
    arm.base.m[0][0] = -1;
    check_refusal(&arm, "mirrored");
    arm.base = tr_affine_identity();
    arm.base.m[2][3] = NAN;
    check_refusal(&arm, "base is at");
}

TEST(goals_out_of_reach_have_the_reason) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    CHECK_INT(reason_for(&arm, 0, 0, 0.5f), TR_ARM_REACHES);
    CHECK_INT(reason_for(&arm, 0, 0, 0.58f), TR_ARM_TOO_FAR);
    CHECK_INT(reason_for(&arm, 0, 0, 5000), TR_ARM_TOO_FAR);
    CHECK_INT(reason_for(&arm, 0, 0, 0.05f), TR_ARM_TOO_NEAR);
    CHECK_INT(reason_for(&arm, 0, 0, 0), TR_ARM_TOO_NEAR);
    CHECK_INT(reason_for(&arm, 0.1f, 0, -0.5f), TR_ARM_LIMITS); // behind the back, shoulder high
    for (int k = 0; k < TR_ARM_REASON_COUNT; k++)
        CHECK(tr_arm_reason_name((tr_arm_reason)k)[0] != 0);
    CHECK_TEXT(tr_arm_reason_name((tr_arm_reason)99), "unknown");
}

TEST(a_hand_that_cannot_be_turned_so_has_its_own_reason) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    tr_arm_goal goal = goal_from(&arm, 0, -0.1f, 0.45f);
    goal.kind = TR_ARM_GOAL_POSE;
    goal.rotation = tr_quat_about(tr_vec3_make(1, 0, 0), TR_PI / 2); // fingers back to the shoulder
    tr_arm_family family;
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_NOT_FOUND);
    CHECK_INT(family.reason, TR_ARM_HAND_LIMITS);
}

TEST(limits_that_leave_nothing_give_nothing) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    arm.low.q[TR_SHOULDER_FLEXION] = arm.high.q[TR_SHOULDER_FLEXION] = -3;
    CHECK_INT(reason_for(&arm, 0, -0.2f, 0.4f), TR_ARM_LIMITS);
    arm = plain_arm(TR_ARM_RIGHT);
    arm.low.q[TR_ELBOW_FLEXION] = arm.high.q[TR_ELBOW_FLEXION] = 1;
    CHECK_INT(reason_for(&arm, 0, -0.2f, 0.5f), TR_ARM_TOO_FAR);
    CHECK_INT(reason_for(&arm, 0, -0.2f, 0.3f), TR_ARM_TOO_NEAR);
}

TEST(a_goal_that_is_no_number_is_invalid) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    tr_arm_family family;
    tr_posture posture;
    tr_arm_goal goal = goal_from(&arm, NAN, 0, 0);
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_INVALID);
    CHECK(!tr_arm_family_at(&arm, &family, &goal, 0, 0, rest, &posture));
    goal = goal_from(&arm, 0, 0, 0.4f);
    const float help[3] = {0, INFINITY, 0};
    CHECK_INT(tr_arm_solve(&arm, help, &goal, &family), TR_INVALID);
    goal.kind = TR_ARM_GOAL_DIRECTION;
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_INVALID); // a direction of length 0
    goal.direction = tr_vec3_make(0, NAN, 1);
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_INVALID);
    goal.kind = TR_ARM_GOAL_POSE;
    goal.rotation = (tr_quat){0, 0, 0, 0};
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_INVALID);
    goal.rotation.x = NAN;
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_INVALID);
    goal.kind = (tr_arm_goal_kind)9;
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_INVALID);
    goal = goal_from(&arm, 0, 0, 0.4f);
    CHECK_INT(tr_arm_solve(&arm, rest, &goal, &family), TR_OK);
    CHECK(!tr_arm_family_at(&arm, &family, &goal, NAN, 0, rest, &posture));
    const float no_hand[3] = {NAN, NAN, NAN};
    CHECK(tr_arm_family_at(&arm, &family, &goal, tr_arm_natural_swivel(&arm, &family), 0, no_hand, &posture));
    CHECK(tr_arm_allows(&arm, &posture, 0));
}

// All members at the ends and the middle of every range, at a goal where angles are badly told.
static void check_family(const tr_arm *arm, const tr_arm_goal *goal) {
    tr_arm_family family;
    tr_posture posture;
    REQUIRE(tr_arm_solve(arm, rest, goal, &family) == TR_OK);
    for (uint32_t k = 0; k < family.range_count; k++)
        for (int step = 0; step <= 16; step++) {
            const tr_arm_range *range = &family.ranges[k];
            float swivel = range->low + (range->high - range->low) * (float)step / 16;
            REQUIRE(tr_arm_family_at(arm, &family, goal, swivel, range->branch, rest, &posture));
            CHECK(tr_arm_allows(arm, &posture, 0));
            CHECK(oracle_distance(tr_arm_put(arm, &posture).wrist, goal->wrist) < 2e-6);
        }
}

TEST(a_straight_arm_turns_about_its_line) {
    for (int side = 0; side < 2; side++) {
        tr_arm arm = plain_arm((tr_arm_side)side);
        float out = side ? 1 : -1, span = 0.57f;
        const float ways[6][3] = {{0, -1, 0},      {0, 0, 1},
                                  {out, 0, 0},     {out * 0.6f, 0, 0.8f},
                                  {0, 0.6f, 0.8f}, {out * 0.6f, -0.8f, 0}};
        for (int k = 0; k < 6; k++) {
            tr_arm_goal goal = goal_from(&arm, ways[k][0] * span, ways[k][1] * span, ways[k][2] * span);
            check_family(&arm, &goal);
        }
    }
}

TEST(an_arm_level_sideways_is_found_whatever_way_its_angles_are_shared) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    tr_arm_goal goal = goal_from(&arm, -0.57f, 0, 0);
    tr_arm_family family;
    REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
    // rotation - flexion goes from -70 - 170 to 90 + 50 degrees: more than a whole turn.
    CHECK(family.ranges[0].high - family.ranges[0].low > 6.28f);
    arm.low.q[TR_SHOULDER_ROTATION] = arm.high.q[TR_SHOULDER_ROTATION] = 0.5f;
    check_family(&arm, &goal);
    arm.low.q[TR_SHOULDER_FLEXION] = 0.1f;
    arm.high.q[TR_SHOULDER_FLEXION] = 0.2f;
    check_family(&arm, &goal);
    REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
    CHECK_NEAR(family.ranges[0].high - family.ranges[0].low, 0.1, 1e-5);
    arm.high.q[TR_SHOULDER_ABDUCTION] = 1.5f;
    CHECK_INT(reason_for(&arm, -0.57f, 0, 0), TR_ARM_LIMITS);
}

TEST(a_wrist_above_or_below_the_shoulder_has_its_circle) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    tr_arm_goal above = goal_from(&arm, 0, 0.5f, 0), below = goal_from(&arm, 0, -0.45f, 0);
    check_family(&arm, &below);
    tr_arm_family family;
    REQUIRE(tr_arm_solve(&arm, rest, &above, &family) == TR_OK || family.reason == TR_ARM_LIMITS);
    REQUIRE(tr_arm_solve(&arm, rest, &below, &family) == TR_OK);
    CHECK_NEAR(family.low.x, -1, 1e-6); // outwards
}

TEST(a_stiff_joint_leaves_single_swivels) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    arm.low.q[TR_SHOULDER_ROTATION] = arm.high.q[TR_SHOULDER_ROTATION] = 0;
    tr_arm_goal goal = goal_from(&arm, -0.15f, -0.2f, 0.35f);
    tr_arm_family family;
    REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
    for (uint32_t k = 0; k < family.range_count; k++)
        CHECK(family.ranges[k].high - family.ranges[k].low < 1e-4f);
    check_family(&arm, &goal);
}

TEST(joints_without_limits_give_the_whole_circle) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    for (int k = 0; k < 3; k++) {
        arm.low.q[k] = (float)-TR_PI;
        arm.high.q[k] = (float)TR_PI;
    }
    tr_arm_goal goal = goal_from(&arm, -0.15f, -0.2f, 0.35f);
    tr_arm_family family;
    REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
    CHECK_INT(family.range_count, 2);
    for (uint32_t k = 0; k < 2; k++)
        CHECK(family.ranges[k].high - family.ranges[k].low > 6.28318f);
    check_family(&arm, &goal);
}

TEST(families_of_both_arms_are_mirror_images) {
    tr_random random = tr_random_seed(31);
    for (int round = 0; round < 500; round++) {
        tr_arm right = tr_arm_default(TR_ARM_RIGHT, 1.75f), left = tr_arm_default(TR_ARM_LEFT, 1.75f);
        tr_posture posture = oracle_random_posture(&right, &random), a, b;
        tr_arm_goal goal = {.kind = (tr_arm_goal_kind)(round % 3)}, mirrored;
        tr_arm_place place = tr_arm_put(&right, &posture);
        goal.wrist = place.wrist;
        goal.direction = tr_vec3_subtract(place.tip, place.wrist);
        goal.rotation = place.hand;
        mirrored = goal;
        mirrored.wrist.x = -goal.wrist.x;
        mirrored.direction.x = -goal.direction.x;
        mirrored.rotation.y = -goal.rotation.y;
        mirrored.rotation.z = -goal.rotation.z;
        tr_arm_family one, other;
        CHECK_INT(tr_arm_solve(&right, rest, &goal, &one), tr_arm_solve(&left, rest, &mirrored, &other));
        REQUIRE(one.range_count == other.range_count && one.range_count > 0);
        CHECK(memcmp(one.ranges, other.ranges, one.range_count * sizeof(tr_arm_range)) == 0);
        CHECK(one.low.x == -other.low.x && one.out.x == -other.out.x && one.out.z == other.out.z);
        float swivel = tr_arm_swivel(&right, &posture);
        CHECK(swivel == tr_arm_swivel(&left, &posture));
        bool is_one = tr_arm_family_at(&right, &one, &goal, swivel, 0, rest, &a);
        CHECK(is_one == tr_arm_family_at(&left, &other, &mirrored, swivel, 0, rest, &b));
        if (is_one)
            CHECK(memcmp(&a, &b, sizeof a) == 0);
    }
}

TEST(clamping_keeps_what_is_inside_and_takes_no_number_for_the_lower_limit) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_posture posture = {{0}};
    posture.q[TR_ELBOW_FLEXION] = 9;
    posture.q[TR_WRIST_FLEXION] = NAN;
    CHECK(!tr_arm_allows(&arm, &posture, 100));
    posture = tr_arm_clamp(&arm, posture);
    CHECK(tr_arm_allows(&arm, &posture, 0));
    CHECK(posture.q[TR_ELBOW_FLEXION] == arm.high.q[TR_ELBOW_FLEXION] && posture.q[0] == 0);
    posture.q[0] = arm.high.q[0] + 0.01f;
    CHECK(!tr_arm_allows(&arm, &posture, 0.005f) && tr_arm_allows(&arm, &posture, 0.02f));
}

TEST(the_natural_elbow_hangs_below_the_line_and_a_little_outwards) {
    for (int side = 0; side < 2; side++) {
        tr_arm arm = plain_arm((tr_arm_side)side);
        tr_random random = tr_random_seed(32);
        for (int round = 0; round < 300; round++) {
            float across = tr_random_between(&random, -0.15f, 0.15f),
                  up = tr_random_between(&random, -0.3f, 0.2f),
                  ahead = tr_random_between(&random, 0.25f, 0.4f);
            tr_arm_goal goal = goal_from(&arm, across, up, ahead);
            tr_arm_family family;
            REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
            float swivel = tr_arm_natural_swivel(&arm, &family);
            CHECK(swivel > -0.4f && swivel < 1.4f);
        }
    }
}

TEST(the_natural_swivel_is_one_that_the_limits_allow) {
    tr_random random = tr_random_seed(33);
    int clamped = 0;
    for (int round = 0; round < 3000; round++) {
        tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = tr_arm_put(&arm, &posture).wrist};
        tr_arm_family family;
        REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
        float swivel = tr_arm_natural_swivel(&arm, &family);
        bool is_held = tr_arm_family_at(&arm, &family, &goal, swivel, 0, rest, &found) ||
                       tr_arm_family_at(&arm, &family, &goal, swivel, 1, rest, &found);
        CHECK(is_held);
        for (uint32_t k = 0; k < family.range_count; k++)
            clamped += swivel == family.ranges[k].low || swivel == family.ranges[k].high;
    }
    CHECK(clamped > 100);
}

TEST(comfort_is_lost_near_limits_with_a_raised_elbow_and_by_help) {
    tr_arm arm = plain_arm(TR_ARM_RIGHT);
    tr_arm_allow_help(&arm);
    tr_posture easy = {{0.35f, 0.17f, 0.26f, 1.4f, 0, 0, 0, 0, 0, 0}}, other = easy;
    float least = tr_arm_comfort(&arm, &easy);
    CHECK(least >= 0 && least < 0.5f);
    other.q[TR_WRIST_FLEXION] = arm.high.q[TR_WRIST_FLEXION];
    CHECK(tr_arm_comfort(&arm, &other) > least + 1);
    other = easy;
    other.q[TR_WAIST_LEAN] = 0.1f;
    CHECK(tr_arm_comfort(&arm, &other) > least + 0.2f);
    tr_arm_goal goal = goal_from(&arm, 0, -0.1f, 0.4f);
    tr_arm_family family;
    REQUIRE(tr_arm_solve(&arm, rest, &goal, &family) == TR_OK);
    float natural = tr_arm_natural_swivel(&arm, &family);
    tr_posture low, high;
    REQUIRE(tr_arm_family_at(&arm, &family, &goal, natural, 0, rest, &low));
    REQUIRE(tr_arm_family_at(&arm, &family, &goal, natural + 0.8f, 0, rest, &high));
    CHECK(tr_arm_comfort(&arm, &low) < tr_arm_comfort(&arm, &high));
}
