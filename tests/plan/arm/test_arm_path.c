#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/arm_path.h"

#include <math.h>

static void draw_knots(tr_random *random, tr_posture *knots, uint32_t count) {
    for (uint32_t k = 0; k < count; k++)
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            knots[k].q[i] = tr_random_between(random, -2, 2);
}

// De Boor's recursion, in the plain form of the books, over knots with the phantoms written out.
static double basis(int degree, int number, double u) {
    if (degree == 0)
        return u >= number && u < number + 1 ? 1 : 0;
    return (u - number) / degree * basis(degree - 1, number, u) +
           (number + degree + 1 - u) / degree * basis(degree - 1, number + 1, u);
}

static double oracle(const tr_posture *knots, uint32_t count, double u, int i) {
    double sum = 0;
    for (int k = -1; k <= (int)count; k++) {
        double value = k < 0             ? 2.0 * knots[0].q[i] - knots[1].q[i]
                       : k == (int)count ? 2.0 * knots[count - 1].q[i] - knots[count - 2].q[i]
                                         : (double)knots[k].q[i];
        sum += value * basis(3, k - 2, u);
    }
    return sum;
}

TEST(a_sweep_is_the_b_spline_of_the_books) {
    tr_random random = tr_random_seed(1);
    tr_posture knots[9];
    for (int round = 0; round < 300; round++) {
        uint32_t count = 2 + tr_random_below(&random, 8);
        draw_knots(&random, knots, count);
        tr_arm_path arm_path = {knots, count};
        double u = tr_random_unit(&random) * (count - 1.0);
        tr_posture at = tr_arm_path_at(&arm_path, u, NULL);
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            CHECK_NEAR(at.q[i], oracle(knots, count, u, i), 1e-5);
    }
}

TEST(it_begins_at_the_first_knot_and_ends_at_the_last) {
    tr_random random = tr_random_seed(2);
    tr_posture knots[6];
    for (int round = 0; round < 100; round++) {
        uint32_t count = 1 + tr_random_below(&random, 6);
        draw_knots(&random, knots, count);
        tr_arm_path arm_path = {knots, count};
        tr_posture first = tr_arm_path_at(&arm_path, -3, NULL), last = tr_arm_path_at(&arm_path, 100, NULL);
        for (int i = 0; i < TR_ARM_ANGLES; i++) {
            CHECK_NEAR(first.q[i], knots[0].q[i], 1e-6);
            CHECK_NEAR(last.q[i], knots[count - 1].q[i], 1e-6);
        }
    }
}

TEST(its_velocity_is_its_derivative_and_begins_along_the_first_leg) {
    tr_random random = tr_random_seed(3);
    tr_posture knots[7], velocity;
    for (int round = 0; round < 200; round++) {
        draw_knots(&random, knots, 7);
        tr_arm_path arm_path = {knots, 7};
        double u = 0.01 + tr_random_unit(&random) * 5.98, h = 1e-3;
        tr_posture before = tr_arm_path_at(&arm_path, u - h, NULL),
                   after = tr_arm_path_at(&arm_path, u + h, NULL);
        tr_arm_path_at(&arm_path, u, &velocity);
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            CHECK_NEAR(velocity.q[i], ((double)after.q[i] - before.q[i]) / (2 * h), 2e-3);
        tr_arm_path_at(&arm_path, 0, &velocity);
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            CHECK_NEAR(velocity.q[i], knots[1].q[i] - knots[0].q[i], 1e-5);
    }
}

TEST(two_knots_are_a_straight_line_and_one_knot_stays) {
    tr_posture knots[2] = {{{0}}, {{1, -1, 0.5f}}}, velocity;
    tr_arm_path line = {knots, 2}, point = {knots + 1, 1}, nothing = {knots, 0};
    for (int k = 0; k <= 10; k++)
        CHECK_NEAR(tr_arm_path_at(&line, k / 10.0, NULL).q[1], -k / 10.0, 1e-6);
    CHECK_NEAR(tr_arm_path_at(&point, 0.5, &velocity).q[2], 0.5, 0);
    CHECK_NEAR(velocity.q[0], 0, 0);
    CHECK_NEAR(tr_arm_path_at(&nothing, 0.5, NULL).q[0], 0, 0);
    CHECK_NEAR(tr_arm_path_at(&line, NAN, NULL).q[0], 0, 0);
    CHECK_NEAR(tr_arm_path_length(&line, 7), 1.5, 1e-6);
}

TEST(it_never_leaves_the_hull_of_its_knots) {
    tr_random random = tr_random_seed(5);
    tr_posture knots[8];
    for (int round = 0; round < 300; round++) {
        draw_knots(&random, knots, 8);
        tr_arm_path arm_path = {knots, 8};
        tr_posture at = tr_arm_path_at(&arm_path, tr_random_unit(&random) * 7.0, NULL);
        for (int i = 0; i < TR_ARM_ANGLES; i++) {
            float low = knots[0].q[i], high = low;
            for (int k = 1; k < 8; k++)
                low = fminf(low, knots[k].q[i]), high = fmaxf(high, knots[k].q[i]);
            CHECK(at.q[i] >= low - 1e-6f && at.q[i] <= high + 1e-6f);
        }
    }
}

TEST(the_wrist_goes_as_far_as_its_points_are_apart) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_posture knots[2] = {{{0}}, {{0}}};
    knots[1].q[TR_SHOULDER_FLEXION] = 1.5f; // the straight arm swings: an arc about the shoulder
    tr_arm_path arm_path = {knots, 2};
    CHECK_NEAR(tr_arm_path_wrist_length(&arm_path, &arm, 100), 1.5 * ((double)arm.length[0] + arm.length[1]),
               1e-3);
}
