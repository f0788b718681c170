#include "test.h"
#include "troupe/base/hash.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define POINTS 1000000

// Uniform in (-range, range), all 53 bits in use.
static double draw(tr_random *random, double range) {
    uint64_t bits = (uint64_t)tr_random_bits(random) << 32 | tr_random_bits(random);
    return ((double)(bits >> 11) * (2.0 / 9007199254740992.0) - 1) * range;
}

static void check_sin_cos_within(double range, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    double worst_sine = 0, worst_cosine = 0;
    for (int i = 0; i < POINTS / 4; i++) {
        double angle = draw(&random, range), s, c;
        tr_sin_cos(angle, &s, &c);
        worst_sine = fmax(worst_sine, fabs(s - sin(angle)));
        worst_cosine = fmax(worst_cosine, fabs(c - cos(angle)));
    }
    CHECK_NEAR(worst_sine, 0, 4e-16);
    CHECK_NEAR(worst_cosine, 0, 4e-16);
}

TEST(sine_and_cosine_agree_with_libm_on_a_million_angles) {
    check_sin_cos_within(TR_PI / 4, 1);
    check_sin_cos_within(2 * TR_PI, 2);
    check_sin_cos_within(100, 3);
    check_sin_cos_within(1e6, 4);
}

TEST(sine_and_cosine_agree_with_libm_around_every_quarter_turn) {
    double worst = 0;
    for (int quarter = -40000; quarter <= 40000; quarter++) {
        double angle = quarter * (TR_PI / 2), s, c;
        for (int nudge = -1; nudge <= 1; nudge++) {
            double at = nudge == 0 ? angle : nextafter(angle, nudge * INFINITY);
            tr_sin_cos(at, &s, &c);
            worst = fmax(worst, fmax(fabs(s - sin(at)), fabs(c - cos(at))));
        }
    }
    CHECK_NEAR(worst, 0, 4e-16);
}

TEST(special_angles_are_exact) {
    double s, c;
    tr_sin_cos(0, &s, &c);
    CHECK(s == 0 && c == 1);
    tr_sin_cos(TR_PI / 2, &s, &c);
    CHECK(s == 1);
    tr_sin_cos(TR_PI, &s, &c);
    CHECK(c == -1);
    tr_sin_cos(-TR_PI / 2, &s, &c);
    CHECK(s == -1);
    tr_sin_cos(1e-310, &s, &c);
    CHECK(s == 1e-310 && c == 1);
}

TEST(sine_is_odd_and_cosine_even_to_the_bit) {
    tr_random random = tr_random_seed(5);
    for (int i = 0; i < 10000; i++) {
        double angle = draw(&random, 1000), s, c, negative_s, negative_c;
        tr_sin_cos(angle, &s, &c);
        tr_sin_cos(-angle, &negative_s, &negative_c);
        CHECK(s == -negative_s && c == negative_c);
        CHECK_NEAR(s * s + c * c, 1, 5e-16);
    }
}

TEST(angles_out_of_range_give_nan) {
    static const double bad[] = {1e6, -1e6, 1e300, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        double s = 0, c = 0;
        tr_sin_cos(bad[i], &s, &c);
        CHECK(isnan(s) && isnan(c));
    }
    double s, c;
    tr_sin_cos(nextafter(1e6, 0), &s, &c);
    CHECK_NEAR(s, sin(nextafter(1e6, 0)), 4e-16);
}

TEST(arc_tangent_agrees_with_libm_on_a_million_points) {
    tr_random random = tr_random_seed(6);
    double worst = 0;
    for (int i = 0; i < POINTS; i++) {
        double y = draw(&random, i & 1 ? 1 : 1e-6), x = draw(&random, i & 2 ? 1 : 1e-9);
        worst = fmax(worst, fabs(tr_arc_tangent(y, x) - atan2(y, x)));
    }
    CHECK_NEAR(worst, 0, 1e-15);
}

TEST(special_points_have_exact_angles) {
    CHECK(tr_arc_tangent(0, 0) == 0);
    CHECK(tr_arc_tangent(0, 1) == 0);
    CHECK(tr_arc_tangent(0, -1) == TR_PI);
    CHECK(tr_arc_tangent(-0.0, -1) == TR_PI);
    CHECK(tr_arc_tangent(1, 0) == TR_PI / 2);
    CHECK(tr_arc_tangent(-1, 0) == -TR_PI / 2);
    CHECK(tr_arc_tangent(1, 1) == TR_PI / 4);
    CHECK(tr_arc_tangent(1, -1) == 3 * TR_PI / 4);
    CHECK(tr_arc_tangent(-1, -1) == -3 * TR_PI / 4);
    CHECK(tr_arc_tangent(5e-324, 5e-324) == TR_PI / 4);
    CHECK(tr_arc_tangent(1e300, 1e-300) == TR_PI / 2);
    CHECK(tr_arc_tangent(1e-300, 1e300) == 0);
}

TEST(points_that_are_not_finite_or_too_far_give_nan) {
    CHECK(isnan(tr_arc_tangent(NAN, 1)));
    CHECK(isnan(tr_arc_tangent(1, NAN)));
    CHECK(isnan(tr_arc_tangent(INFINITY, 1)));
    CHECK(isnan(tr_arc_tangent(1, -INFINITY)));
    CHECK(isnan(tr_arc_tangent(1, 2e300)));
}

TEST(the_bits_are_the_same_on_every_machine) {
    tr_random random = tr_random_seed(7);
    uint64_t hash = TR_HASH_START;
    for (int i = 0; i < 100000; i++) {
        double results[3];
        double angle = draw(&random, 1000), y = draw(&random, 1), x = draw(&random, 1);
        tr_sin_cos(angle, &results[0], &results[1]);
        results[2] = tr_arc_tangent(y, x);
        hash = tr_hash(hash, results, sizeof results);
    }
    CHECK_HASH(hash, 0x827d58ab82271c5f);
}
