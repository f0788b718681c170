// No point of the arm gets further from the middle of a stretch than its bound says, on straight lines and on
// curves; and the bound is what the ends of a short stretch show.
#include "plan/arm/arm_stretch.h"
#include "arm_oracle.h"
#include "test.h"

typedef struct curve {
    tr_posture middle, rate, bend; // middle + rate t + bend t^2 / 2
} curve;

static tr_posture curve_at(const curve *it, double t) {
    tr_posture posture;
    for (int k = 0; k < TR_ARM_ANGLES; k++)
        posture.q[k] = (float)(it->middle.q[k] + it->rate.q[k] * t + it->bend.q[k] * t * t / 2);
    return posture;
}

static curve random_curve(const tr_arm *arm, tr_random *random, int round, bool bends) {
    const float sizes[4] = {0.005f, 0.05f, 0.4f, 1.2f};
    float size = sizes[round / 6 % 4];
    curve it = {.middle = oracle_random_posture(arm, random)};
    bool helps = round % 4 == 0;
    for (int k = 0; k < (helps ? TR_ARM_ANGLES : TR_ARM_JOINTS); k++) {
        it.rate.q[k] = tr_random_between(random, -size, size);
        it.bend.q[k] = bends ? tr_random_between(random, -size, size) * 0.7f : 0;
    }
    return it;
}

static tr_arm random_arm(tr_random *random, int round) {
    tr_arm arm = tr_arm_default(round % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
    oracle_random_base(&arm, random);
    if (round % 3 == 0)
        tr_arm_allow_help(&arm);
    return arm;
}

static tr_arm_stretch_bound measure(const tr_arm *arm, const curve *it) {
    tr_posture begin = curve_at(it, -1), end = curve_at(it, 1), bend;
    bool is_straight = true;
    for (int k = 0; k < TR_ARM_ANGLES; k++) {
        bend.q[k] = fabsf(it->bend.q[k]);
        is_straight &= bend.q[k] == 0;
    }
    tr_arm_stretch stretch = {&begin, &it->middle, &end, is_straight ? NULL : &bend};
    return tr_arm_stretch_measure(arm, &stretch, 0.6f);
}

// The greatest distance of each point from its place in the middle.
static void travel(const tr_arm *arm, const curve *it, double most[4]) {
    tr_vec3 from[4], to[4];
    tr_arm_points(arm, &it->middle, from);
    for (int k = 0; k < 4; k++)
        most[k] = 0;
    for (int step = -12; step <= 12; step++) {
        tr_posture posture = curve_at(it, step / 12.0);
        tr_arm_points(arm, &posture, to);
        for (int k = 0; k < 4; k++)
            most[k] = fmax(most[k], oracle_distance(from[k], to[k]));
    }
}

static void check_travels(bool bends, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    int exceeded = 0;
    double bound_sum[4] = {0}, travel_sum[4] = {0};
    for (int round = 0; round < 8000; round++) {
        tr_arm arm = random_arm(&random, round);
        curve it = random_curve(&arm, &random, round, bends);
        tr_arm_stretch_bound bound = measure(&arm, &it);
        double most[4];
        travel(&arm, &it, most);
        for (int link = 0; link < 3; link++)
            exceeded += fmax(most[link], most[link + 1]) > bound.link[link] + 1e-7;
        exceeded += most[0] > bound.trunk + 1e-6;
        if (round % 4 != 0) {
            bound_sum[round / 6 % 4] += bound.link[2];
            travel_sum[round / 6 % 4] += fmax(most[2], most[3]);
        }
    }
    CHECK_INT(exceeded, 0);
    if (!bends)
        CHECK(bound_sum[0] < 1.01 * travel_sum[0] && bound_sum[1] < 1.02 * travel_sum[1] &&
              bound_sum[2] < 1.5 * travel_sum[2]);
}

TEST(no_point_gets_further_along_a_straight_stretch_than_its_bound) {
    check_travels(false, 51);
}

TEST(no_point_gets_further_along_a_bent_stretch_than_its_bound) {
    check_travels(true, 52);
}

TEST(no_point_of_the_hand_gets_further_as_seen_from_the_upper_arm) {
    tr_random random = tr_random_seed(53);
    for (int round = 0; round < 5000; round++) {
        tr_arm arm = random_arm(&random, round);
        curve it = random_curve(&arm, &random, round, round % 5 == 0);
        tr_arm_stretch_bound bound = measure(&arm, &it);
        tr_arm_place from = tr_arm_put(&arm, &it.middle);
        tr_posture posture = curve_at(&it, tr_random_between(&random, -1, 1));
        tr_arm_place to = tr_arm_put(&arm, &posture);
        const tr_vec3 before[2] = {from.wrist, from.tip}, after[2] = {to.wrist, to.tip};
        for (int k = 0; k < 2; k++) {
            tr_vec3 a = tr_quat_rotate(tr_quat_conjugate(from.upper),
                                       tr_vec3_subtract(before[k], from.elbow)),
                    b = tr_quat_rotate(tr_quat_conjugate(to.upper), tr_vec3_subtract(after[k], to.elbow));
            CHECK(oracle_distance(a, b) < bound.hand + 1e-6f);
        }
    }
}

TEST(the_points_of_a_stretch_are_those_of_its_middle) {
    tr_random random = tr_random_seed(54);
    for (int round = 0; round < 300; round++) {
        tr_arm arm = random_arm(&random, round);
        curve it = random_curve(&arm, &random, round, false);
        tr_arm_stretch_bound bound = measure(&arm, &it);
        tr_vec3 points[4];
        tr_arm_points(&arm, &it.middle, points);
        CHECK(memcmp(points, bound.points, sizeof points) == 0);
    }
}
