#include "arm_oracle.h"
#include "test.h"
#include "troupe/base/scalar.h"

static const float rest[3] = {0, 0, 0};

static tr_arm_goal goal_at(tr_vec3 wrist) {
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = wrist};
    return goal;
}

// Human arms of both sides, some with help, somewhere in the world; some with limits of any kind.
static tr_arm random_arm(tr_random *random, int round) {
    tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
    oracle_random_base(&arm, random);
    if (round % 3 == 0)
        tr_arm_allow_help(&arm);
    if (round % 5 == 0)
        for (int k = 0; k < TR_ARM_JOINTS; k++) {
            float a = tr_random_between(random, -3.1f, 3.1f), b = tr_random_between(random, -3.1f, 3.1f);
            arm.low.q[k] = a < b ? a : b;
            arm.high.q[k] = a < b ? b : a;
            if (k == TR_ELBOW_FLEXION) {
                arm.low.q[k] = fabsf(arm.low.q[k]) * 0.2f;
                arm.high.q[k] = arm.low.q[k] + fabsf(a) * 0.7f;
            }
        }
    return arm;
}

// How far a swivel is inside the nearest range of this branch [rad]: negative outside.
static double depth_in(const tr_arm_family *family, uint32_t branch, double swivel) {
    double best = -10;
    for (uint32_t k = 0; k < family->range_count; k++) {
        const tr_arm_range *range = &family->ranges[k];
        if (range->branch != branch)
            continue;
        for (int turn = -1; turn <= 1; turn++) {
            double at = swivel + turn * 2 * TR_PI, low = at - range->low, high = range->high - at;
            best = fmax(best, fmin(low, high));
        }
        if (range->high - range->low > 2 * TR_PI - 1e-5)
            best = 10;
    }
    return best;
}

static double greatest_difference(const tr_posture *a, const tr_posture *b) {
    double most = 0;
    for (int k = 0; k < TR_ARM_ANGLES; k++)
        most = fmax(most, fabs((double)a->q[k] - b->q[k]));
    return most;
}

static uint32_t branch_of(const tr_posture *posture) {
    uint32_t shoulder = cos(posture->q[TR_SHOULDER_ABDUCTION]) < 0,
             wrist = cos(posture->q[TR_WRIST_FLEXION]) < 0;
    return shoulder | wrist << 1;
}

// Postures where float's last digit is not blown up: the elbow bent, no lock, the wrist not above the
// shoulder.
static bool is_well_told(const tr_arm *arm, const tr_posture *posture) {
    tr_arm_place place = tr_arm_put(arm, posture);
    tr_vec3 t = tr_vec3_subtract(place.wrist, place.shoulder);
    tr_vec3 up = tr_vec3_make(place.trunk.m[0][1], place.trunk.m[1][1], place.trunk.m[2][1]);
    float d = tr_vec3_length(t), level = d - fabsf(tr_vec3_dot(t, up));
    return sin(posture->q[TR_ELBOW_FLEXION]) > 0.05 && fabs(cos(posture->q[TR_SHOULDER_ABDUCTION])) > 0.05 &&
           fabs(cos(posture->q[TR_WRIST_FLEXION])) > 0.05 && d > 0.02f && level > 0.002f;
}

TEST(every_posture_within_the_limits_is_in_the_family_of_its_wrist) {
    tr_random random = tr_random_seed(11);
    int asked = 0, branches[2] = {0, 0};
    for (int round = 0; round < 8000; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        if (!is_well_told(&arm, &posture))
            continue;
        asked++;
        tr_arm_goal goal = goal_at(tr_arm_put(&arm, &posture).wrist);
        tr_arm_family family;
        CHECK_INT(tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family), TR_OK);
        float swivel = tr_arm_swivel(&arm, &posture);
        uint32_t branch = branch_of(&posture) & 1;
        branches[branch]++;
        CHECK(depth_in(&family, branch, swivel) > -1e-4);
        REQUIRE(
            tr_arm_family_at(&arm, &family, &goal, swivel, branch, posture.q + TR_FOREARM_PRONATION, &found));
        CHECK_NEAR(greatest_difference(&found, &posture), 0, 1e-4);
    }
    CHECK(asked > 6000 && branches[0] > 1000 && branches[1] > 300);
}

TEST(members_of_a_family_hold_the_wrist_at_the_goal_and_keep_the_limits) {
    tr_random random = tr_random_seed(12);
    uint64_t members = 0;
    double worst = 0;
    for (int round = 0; round < 3000; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        tr_arm_goal goal = goal_at(tr_arm_put(&arm, &posture).wrist);
        tr_arm_family family;
        if (tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family))
            continue;
        for (uint32_t k = 0; k < family.range_count; k++)
            for (int step = 0; step <= 8; step++) {
                const tr_arm_range *range = &family.ranges[k];
                float swivel = range->low + (range->high - range->low) * (float)step / 8;
                bool is_there = tr_arm_family_at(&arm, &family, &goal, swivel, range->branch, rest, &found);
                CHECK(is_there);
                if (!is_there)
                    continue;
                members++;
                CHECK(tr_arm_allows(&arm, &found, 0));
                worst = fmax(worst, oracle_distance(tr_arm_put(&arm, &found).wrist, goal.wrist));
            }
    }
    CHECK(members > 30000);
    CHECK(worst < 2e-6);
}

TEST(the_circle_is_where_the_elbow_goes) {
    tr_random random = tr_random_seed(13);
    for (int round = 0; round < 2000; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        tr_arm_goal goal = goal_at(tr_arm_put(&arm, &posture).wrist);
        tr_arm_family family;
        if (tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family))
            continue;
        float swivel = family.ranges[0].low, s = sinf(swivel), c = cosf(swivel);
        REQUIRE(tr_arm_family_at(&arm, &family, &goal, swivel, family.ranges[0].branch, rest, &found));
        tr_vec3 across = tr_vec3_add(tr_vec3_scale(family.low, c), tr_vec3_scale(family.out, s));
        tr_vec3 elbow = tr_vec3_add(family.centre, tr_vec3_scale(across, family.radius));
        CHECK(oracle_distance(elbow, tr_arm_put(&arm, &found).elbow) < 2e-6);
    }
}

// An independent answer to "does this swivel keep the limits": the angles from the family's matrix, in double
// precision and with libm.
static double excess(double angle, double low, double high) {
    double best = 10;
    for (int turn = -1; turn <= 1; turn++) {
        double at = angle + turn * 2 * TR_PI;
        best = fmin(best, fmax(low - at, at - high));
    }
    return best;
}
static double matrix_at(const float rows[3][3][3], int i, int j, double swivel) {
    return rows[0][i][j] + cos(swivel) * rows[1][i][j] + sin(swivel) * rows[2][i][j];
}
static double shoulder_excess(const tr_arm *arm, const tr_arm_family *family, double swivel,
                              uint32_t branch) {
    const float(*rows)[3][3] = family->shoulder_rows;
    double sign = branch & 1 ? -1 : 1, c = sign * matrix_at(rows, 1, 1, swivel),
           s = -sign * matrix_at(rows, 2, 1, swivel);
    double q[3] = {atan2(s, c), atan2(matrix_at(rows, 0, 1, swivel), sign * hypot(c, s)),
                   atan2(sign * matrix_at(rows, 0, 2, swivel), sign * matrix_at(rows, 0, 0, swivel))};
    double worst = -10;
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, excess(q[k], arm->low.q[k], arm->high.q[k]));
    return worst;
}
static double hand_excess(const tr_arm *arm, const tr_arm_family *family, double swivel, uint32_t branch) {
    const float(*rows)[3][3] = family->hand_rows;
    double sign = branch & 2 ? -1 : 1, c = sign * matrix_at(rows, 2, 2, swivel),
           s = sign * matrix_at(rows, 0, 2, swivel);
    double q[3] = {atan2(s, c), atan2(-matrix_at(rows, 1, 2, swivel), sign * hypot(c, s)),
                   atan2(sign * matrix_at(rows, 1, 0, swivel), sign * matrix_at(rows, 1, 1, swivel))};
    double worst = -10;
    for (int k = 0; k < 3; k++)
        worst = fmax(worst, excess(q[k], arm->low.q[4 + k], arm->high.q[4 + k]));
    return worst;
}

static void check_samples(const tr_arm *arm, const tr_arm_family *family, bool posed, uint64_t seen[2]) {
    for (int step = 0; step < 720; step++)
        for (uint32_t branch = 0; branch < (posed ? 4u : 2u); branch++) {
            double swivel = -TR_PI + (step + 0.37) * (2 * TR_PI / 720),
                   over = shoulder_excess(arm, family, swivel, branch);
            if (posed)
                over = fmax(over, hand_excess(arm, family, swivel, branch));
            double depth = depth_in(family, branch, swivel);
            seen[over < 0]++;
            if (over < -1e-5)
                CHECK(depth > -1e-5);
            if (over > 1e-5)
                CHECK(depth < 1e-5);
        }
}

TEST(ranges_agree_with_swivels_tried_one_by_one) {
    tr_random random = tr_random_seed(14);
    uint64_t seen[2] = {0, 0};
    for (int round = 0; round < 400; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random);
        tr_vec3 wrist = tr_arm_put(&arm, &posture).wrist;
        tr_arm_goal goal = goal_at(tr_vec3_add(wrist, oracle_random_point(&random, 0.1f)));
        tr_arm_family family;
        tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family);
        if (family.reason == TR_ARM_REACHES || family.reason == TR_ARM_LIMITS)
            check_samples(&arm, &family, false, seen);
    }
    CHECK(seen[0] > 50000 && seen[1] > 20000);
}

TEST(ranges_of_a_hand_held_so_agree_with_swivels_tried_one_by_one) {
    tr_random random = tr_random_seed(15);
    uint64_t seen[2] = {0, 0};
    for (int round = 0; round < 400; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random);
        tr_arm_place place = tr_arm_put(&arm, &posture);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSE, .wrist = place.wrist};
        goal.rotation = tr_quat_blend(place.hand, oracle_random_turn(&random), 0.2f);
        tr_arm_family family;
        tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family);
        check_samples(&arm, &family, true, seen);
    }
    CHECK(seen[0] > 50000 && seen[1] > 5000);
}

TEST(every_posture_is_in_the_family_of_its_hand) {
    tr_random random = tr_random_seed(16);
    int asked = 0;
    for (int round = 0; round < 8000; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        if (!is_well_told(&arm, &posture))
            continue;
        asked++;
        tr_arm_place place = tr_arm_put(&arm, &posture);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSE, .wrist = place.wrist, .rotation = place.hand};
        tr_arm_family family;
        CHECK_INT(tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family), TR_OK);
        float swivel = tr_arm_swivel(&arm, &posture);
        CHECK(depth_in(&family, branch_of(&posture), swivel) > -1e-4);
        REQUIRE(tr_arm_family_at(&arm, &family, &goal, swivel, branch_of(&posture), rest, &found));
        CHECK_NEAR(greatest_difference(&found, &posture), 0, 2e-4);
    }
    CHECK(asked > 6000);
}

TEST(members_with_the_hand_held_so_hold_it_so) {
    tr_random random = tr_random_seed(17);
    uint64_t members = 0;
    for (int round = 0; round < 3000; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        tr_arm_place place = tr_arm_put(&arm, &posture);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSE, .wrist = place.wrist, .rotation = place.hand};
        tr_arm_family family;
        if (tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family))
            continue;
        for (uint32_t k = 0; k < family.range_count; k++) {
            float swivel = (family.ranges[k].low + family.ranges[k].high) / 2;
            REQUIRE(tr_arm_family_at(&arm, &family, &goal, swivel, family.ranges[k].branch, rest, &found));
            tr_arm_place at = tr_arm_put(&arm, &found);
            members++;
            CHECK(tr_arm_allows(&arm, &found, 0));
            CHECK(oracle_distance(at.wrist, goal.wrist) < 2e-6);
            tr_quat off = tr_quat_multiply(at.hand, tr_quat_conjugate(place.hand));
            CHECK(tr_vec3_length(tr_vec3_make(off.x, off.y, off.z)) < 2e-6f);
        }
    }
    CHECK(members > 2500);
}

static double pointing_error(const tr_arm *arm, const tr_posture *posture, tr_vec3 direction) {
    tr_arm_place place = tr_arm_put(arm, posture);
    tr_vec3 along = tr_quat_rotate(place.hand, tr_vec3_make(0, -1, 0));
    return oracle_distance(along, tr_vec3_scale(direction, 1 / tr_vec3_length(direction)));
}

TEST(a_hand_points_where_it_is_told_with_the_pronation_nearest_to_the_wish) {
    tr_random random = tr_random_seed(18);
    int pointed = 0, wished = 0;
    for (int round = 0; round < 3000; round++) {
        tr_arm arm = random_arm(&random, round);
        tr_posture posture = oracle_random_posture(&arm, &random), found;
        if (!is_well_told(&arm, &posture))
            continue;
        tr_arm_place place = tr_arm_put(&arm, &posture);
        tr_arm_goal goal = {.kind = TR_ARM_GOAL_DIRECTION, .wrist = place.wrist};
        goal.direction = tr_vec3_scale(tr_vec3_subtract(place.tip, place.wrist), 3);
        tr_arm_family family;
        REQUIRE(tr_arm_solve(&arm, posture.q + TR_ARM_JOINTS, &goal, &family) == TR_OK);
        float hand[3] = {tr_random_between(&random, -2, 2), 0, 0}, swivel = tr_arm_swivel(&arm, &posture);
        bool is_there = tr_arm_family_at(&arm, &family, &goal, swivel, branch_of(&posture), hand, &found);
        CHECK(is_there);
        if (!is_there)
            continue;
        pointed++;
        CHECK(tr_arm_allows(&arm, &found, 0));
        CHECK(pointing_error(&arm, &found, goal.direction) < 2e-5);
        CHECK(oracle_distance(tr_arm_put(&arm, &found).wrist, goal.wrist) < 2e-6);
        float low = arm.low.q[TR_FOREARM_PRONATION], high = arm.high.q[TR_FOREARM_PRONATION];
        float wish = hand[0] < low ? low : hand[0] > high ? high : hand[0];
        double off = fabs((double)found.q[TR_FOREARM_PRONATION] - wish);
        wished += off == 0;
        // The pronation that it came from is one answer: the nearest is no further.
        CHECK(off < fabs((double)posture.q[TR_FOREARM_PRONATION] - wish) + 1e-4);
    }
    CHECK(pointed > 2000 && wished > 100 && wished < pointed);
}
