#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/smoothness.h"
#include "troupe/motion/arm_timing.h"

#include <math.h>
#include <string.h>

#define POSITIONS_MAX 4096

static tr_posture random_posture(tr_random *random, const tr_arm *arm) {
    tr_posture posture;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        posture.q[i] = tr_random_between(random, arm->low.q[i], arm->high.q[i]);
    return posture;
}

static double between(tr_vec3 a, tr_vec3 b) {
    double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
    return sqrt(x * x + y * y + z * z);
}

static tr_vec3 wrist_of(const tr_arm *arm, const tr_posture *posture) {
    tr_vec3 points[4];
    tr_arm_points(arm, posture, points);
    return points[2];
}

// From one posture to another with a bump in between, like a smoothed path around an obstacle.
static void make_knots(tr_random *random, const tr_arm *arm, float bump, tr_posture *knots, uint32_t count) {
    tr_posture from = random_posture(random, arm), to = random_posture(random, arm);
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        float off = tr_random_between(random, -bump, bump);
        bool stiff = arm->low.q[i] == arm->high.q[i];
        for (uint32_t k = 0; k < count; k++) {
            float t = count > 1 ? (float)k / (float)(count - 1) : 0;
            knots[k].q[i] = from.q[i] + t * (to.q[i] - from.q[i]) + (stiff ? 0 : off * 4 * t * (1 - t));
        }
    }
}

static tr_smoothness smoothness_of(const tr_arm *arm, const tr_arm_timing *arm_timing, double rate) {
    static tr_vec3 positions[POSITIONS_MAX];
    uint32_t count = (uint32_t)ceil(arm_timing->duration * rate) + 1;
    count = count < 8 ? 8 : count > POSITIONS_MAX ? POSITIONS_MAX : count;
    double exact = (count - 1) / arm_timing->duration; // so that the last one is the end
    for (uint32_t i = 0; i < count; i++) {
        tr_posture posture = tr_arm_timing_at(arm_timing, i / exact, NULL);
        positions[i] = wrist_of(arm, &posture);
    }
    tr_smoothness smoothness;
    CHECK(tr_smoothness_measure(positions, count, exact, NULL, &smoothness, NULL) == TR_OK);
    return smoothness;
}

TEST(a_straight_reach_is_as_smooth_as_minimum_jerk_at_any_rate) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    // In front of the chest, the elbow bent: where wrists go almost straight.
    tr_posture knots[2] = {{{0.30f, 0.81f, 0.17f, 1.24f}}, {{0.62f, 0.86f, 0.17f, 1.30f}}};
    tr_arm_path arm_path = {knots, 2};
    tr_arm_timing arm_timing;
    REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
    const double rates[] = {30, 60, 200};
    for (int i = 0; i < 3; i++) {
        tr_smoothness s = smoothness_of(&arm, &arm_timing, rates[i]);
        CHECK_NEAR(s.ldlj, -5.3, 0.3);
        CHECK(s.sparc > -1.6);
        CHECK_INT(s.speed_peaks, 1);
        CHECK_NEAR(s.peak_speed, 1.875 * s.path_length / s.duration, 0.03 * s.peak_speed);
    }
}

// The overall goal: the bounds that reaching has to pass, on the postures and detours of a desk.
TEST(reaches_with_a_gentle_bump_stay_smooth_with_one_or_two_peaks) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    const tr_posture low = {{-0.4f, 0, -0.2f, 0.9f, -0.4f, -0.4f, -0.1f}},
                     high = {{0.9f, 0.9f, 0.9f, 2.1f, 0.6f, 0.6f, 0.1f}};
    tr_arm near = arm;
    near.low = low;
    near.high = high;
    tr_random random = tr_random_seed(5);
    uint32_t total = 0, rough = 0, ragged = 0, peaks = 0;
    for (int n = 0; n < 300; n++) {
        tr_posture knots[8];
        uint32_t count = 2 + tr_random_below(&random, 7);
        make_knots(&random, &near, 0.12f, knots, count);
        tr_arm_path arm_path = {knots, count};
        tr_arm_timing arm_timing;
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
        tr_smoothness s = smoothness_of(&arm, &arm_timing, 60);
        if (s.path_length < 0.15)
            continue;
        total++;
        rough += s.ldlj < -7;
        ragged += s.sparc < -1.7;
        peaks += s.speed_peaks > 2;
    }
    CHECK(total > 200);
    CHECK(rough * 20 < total);
    CHECK(ragged * 20 < total);
    CHECK_INT(peaks, 0);
}

// Against the plain profile of minimum jerk along the way, which does not know of bends.
TEST(bends_have_less_jerk_than_with_a_profile_that_ignores_them) {
    tr_random random = tr_random_seed(9);
    static tr_vec3 positions[257];
    double gain = 0;
    int worse = 0;
    for (int n = 0; n < 60; n++) {
        tr_arm arm = tr_arm_default(n % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        tr_posture knots[5];
        make_knots(&random, &arm, 0.8f, knots, 5);
        tr_arm_path arm_path = {knots, 5};
        tr_arm_timing arm_timing;
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
        // The same way, with its shares timed by the quintic.
        uint32_t count = 65;
        double way[1025], whole = 0;
        tr_vec3 last = wrist_of(&arm, &knots[0]);
        for (int k = 0; k <= 1024; k++) {
            tr_posture posture = tr_arm_path_at(&arm_path, 4.0 * k / 1024, NULL);
            tr_vec3 now = wrist_of(&arm, &posture);
            way[k] = whole += between(now, last);
            last = now;
        }
        for (uint32_t i = 0, k = 0; i < count; i++) {
            double t = (double)i / (count - 1), share = t * t * t * (10 - 15 * t + 6 * t * t) * whole;
            while (k < 1023 && way[k + 1] < share)
                k++;
            double part = way[k + 1] > way[k] ? (share - way[k]) / (way[k + 1] - way[k]) : 0;
            tr_posture posture = tr_arm_path_at(&arm_path, 4 * (k + part) / 1024, NULL);
            positions[i] = wrist_of(&arm, &posture);
        }
        tr_smoothness plain, ours = smoothness_of(&arm, &arm_timing, 64 / arm_timing.duration);
        REQUIRE(tr_smoothness_measure(positions, count, 64 / arm_timing.duration, NULL, &plain, NULL) ==
                TR_OK);
        gain += ours.ldlj - plain.ldlj;
        worse += ours.ldlj < plain.ldlj - 0.15;
    }
    CHECK(gain / 60 > 0.3);
    CHECK_INT(worse, 0);
}

// Every timing begins and ends where its arm path does, never goes back, and its velocity is the change of
// its posture.
static void check_stroke(const tr_arm *arm, const tr_arm_timing *arm_timing, bool from_rest) {
    const tr_arm_path *arm_path = &arm_timing->arm_path;
    tr_posture first = tr_arm_timing_at(arm_timing, 0, NULL),
               last = tr_arm_timing_at(arm_timing, arm_timing->duration, NULL);
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        CHECK_NEAR((double)first.q[i], (double)arm_path->knots[0].q[i], 1e-5);
        CHECK_NEAR((double)last.q[i], (double)arm_path->knots[arm_path->count - 1].q[i], 1e-6);
    }
    double before = -1;
    const int steps = 400;
    for (int k = 0; k <= steps; k++) {
        double u = tr_arm_timing_u(arm_timing, arm_timing->duration * k / steps);
        CHECK(u >= before - 1e-9 && u <= arm_path->count - 1.0);
        before = u;
    }
    double h = arm_timing->duration / 4000, worst = 0, most = 0;
    for (int k = 1; k < 40; k++) {
        double time = arm_timing->duration * k / 40;
        tr_posture v, a = tr_arm_timing_at(arm_timing, time - h, NULL),
                      b = tr_arm_timing_at(arm_timing, time + h, NULL);
        tr_arm_timing_at(arm_timing, time, &v);
        for (int i = 0; i < TR_ARM_ANGLES; i++) {
            double rate = ((double)b.q[i] - (double)a.q[i]) / (2 * h);
            worst = fmax(worst, fabs(rate - (double)v.q[i]));
            most = fmax(most, fabs(rate));
        }
    }
    CHECK(worst < 0.01 * most + 2e-3);
    tr_posture v;
    tr_arm_timing_at(arm_timing, arm_timing->duration * (1 - 1e-6), &v);
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        CHECK_NEAR((double)v.q[i], 0, 1e-3);
    if (from_rest) {
        tr_arm_timing_at(arm_timing, 0, &v);
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            CHECK_NEAR((double)v.q[i], 0, 1e-3);
    }
    (void)arm;
}

TEST(timings_run_from_end_to_end_and_never_back) {
    tr_random random = tr_random_seed(3);
    for (int n = 0; n < 120; n++) {
        tr_arm arm = tr_arm_default(n % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.4f + 0.1f * (float)(n % 6));
        if (n % 3 == 0)
            tr_arm_allow_help(&arm);
        tr_posture knots[12];
        uint32_t count = 2 + tr_random_below(&random, 11);
        make_knots(&random, &arm, 0.5f, knots, count);
        tr_arm_path arm_path = {knots, count};
        tr_arm_timing arm_timing;
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
        check_stroke(&arm, &arm_timing, true);
        // The timed way is longer than the wrist's by the rotations of the joints.
        double wrist = tr_arm_path_wrist_length(&arm_path, &arm, 2000),
               turned = tr_arm_path_length(&arm_path, 2000);
        CHECK(arm_timing.length > wrist * 0.999 && arm_timing.length < (wrist + 0.03 * turned) * 1.001);
    }
}

TEST(a_moving_start_is_taken_over) {
    tr_random random = tr_random_seed(4);
    for (int n = 0; n < 200; n++) {
        tr_arm arm = tr_arm_default(n % 2 ? TR_ARM_LEFT : TR_ARM_RIGHT, 1.75f);
        tr_posture knots[5], velocity, along;
        uint32_t count = 2 + tr_random_below(&random, 4);
        make_knots(&random, &arm, 0.3f, knots, count);
        tr_arm_path arm_path = {knots, count};
        tr_arm_path_at(&arm_path, 0, &along);
        // As the path goes, from a crawl to a throw.
        float speed = tr_random_unit(&random) * tr_random_unit(&random) * 12;
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            velocity.q[i] = along.q[i] * speed;
        tr_arm_timing_params params = {.velocity = &velocity};
        tr_arm_timing arm_timing;
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, &params, &arm_timing, NULL) == TR_OK);
        CHECK(arm_timing.duration > 0 && isfinite(arm_timing.duration));
        CHECK(arm_timing.start_speed * arm_timing.duration <= 2.5 * arm_timing.length * (1 + 1e-9));
        check_stroke(&arm, &arm_timing, false);
        tr_posture begins;
        tr_arm_timing_at(&arm_timing, 0, &begins);
        for (int i = 0; i < TR_ARM_ANGLES; i++)
            CHECK_NEAR((double)begins.q[i], (double)velocity.q[i], 1e-3 + 2e-3 * fabs((double)velocity.q[i]));
    }
}

TEST(a_start_that_moves_away_from_the_path_counts_as_rest) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_posture knots[2] = {{{0.2f, 0.3f, 0, 1}}, {{0.8f, 0.4f, 0.2f, 1.5f}}}, back = {{-2, 0, 0, -2}},
               velocity;
    tr_arm_path arm_path = {knots, 2};
    tr_arm_timing_params params = {.velocity = &back};
    tr_arm_timing arm_timing, rest;
    REQUIRE(tr_arm_timing_make(&arm, &arm_path, &params, &arm_timing, NULL) == TR_OK);
    REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &rest, NULL) == TR_OK);
    CHECK(arm_timing.start_speed == 0 && arm_timing.duration == rest.duration);
    tr_arm_timing_at(&arm_timing, 0, &velocity);
    CHECK(velocity.q[0] == 0);
}

TEST(durations_follow_fitts_law_and_people) {
    // 30 cm to a target of 5 cm: log2(12) bits.
    CHECK_NEAR(tr_arm_timing_fitts(0.3, 0.05), 0.0128 + 0.0947 * log2(12), 1e-9);
    CHECK_NEAR(tr_arm_timing_fitts(0.3, 0.025) - tr_arm_timing_fitts(0.3, 0.05), 0.0947, 1e-9);
    CHECK_NEAR(tr_arm_timing_fitts(0.01, 0.5), 0.0128, 1e-12);
    CHECK(isfinite(tr_arm_timing_fitts(NAN, 0.1)) && isfinite(tr_arm_timing_fitts(1, 0)) &&
          isfinite(tr_arm_timing_fitts(INFINITY, 1)));
    static const float fastest[TR_ARM_ANGLES] = {4, 4, 4.5f, 5, 6, 5, 5, 1.6f, 1.6f, 2};
    tr_random random = tr_random_seed(8);
    for (int n = 0; n < 100; n++) {
        tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
        if (n % 2)
            tr_arm_allow_help(&arm);
        tr_posture knots[4];
        make_knots(&random, &arm, 0.2f, knots, 4);
        tr_arm_path arm_path = {knots, 4};
        tr_arm_timing arm_timing, hasty, precise;
        tr_arm_timing_params twice = {.pace = 2}, fine = {.target_width = 0.01f};
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, &twice, &hasty, NULL) == TR_OK);
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, &fine, &precise, NULL) == TR_OK);
        CHECK_NEAR(hasty.duration, arm_timing.duration / 2, 1e-9);
        CHECK(precise.duration >= arm_timing.duration - 1e-9);
        CHECK(arm_timing.duration >=
              1.8 * tr_arm_timing_fitts(tr_arm_path_wrist_length(&arm_path, &arm, 500), 0.05) - 1e-3);
        for (int k = 0; k <= 200; k++) {
            tr_posture v;
            tr_arm_timing_at(&arm_timing, arm_timing.duration * k / 200, &v);
            for (int i = 0; i < TR_ARM_ANGLES; i++)
                CHECK(fabsf(v.q[i]) <= fastest[i] * 1.03f);
        }
    }
}

TEST(a_turn_of_the_hand_alone_takes_time) {
    tr_arm arm = tr_arm_default(TR_ARM_LEFT, 1.75f);
    tr_posture knots[2] = {{{0.2f, 0.3f, 0, 1, -1}}, {{0.2f, 0.3f, 0, 1, 1}}}, velocity;
    tr_arm_path arm_path = {knots, 2};
    tr_arm_timing arm_timing;
    REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
    CHECK(arm_timing.duration > 0.4 && arm_timing.duration < 1.2);
    tr_posture middle = tr_arm_timing_at(&arm_timing, arm_timing.duration / 2, &velocity);
    CHECK_NEAR((double)middle.q[TR_FOREARM_PRONATION], 0, 1e-4);
    CHECK_NEAR((double)velocity.q[TR_FOREARM_PRONATION], 1.875 * 2 / arm_timing.duration, 0.05);
}

TEST(a_requested_duration_is_kept) {
    tr_arm arm = tr_arm_default(TR_ARM_LEFT, 1.75f);
    tr_posture knots[3] = {{{0}}, {{0.4f, 0.2f, 0, 0.5f}}, {{0.8f, 0.1f, 0.3f, 1.5f}}};
    tr_arm_path arm_path = {knots, 3};
    tr_arm_timing arm_timing;
    tr_arm_timing_params params = {.duration = 3.5};
    REQUIRE(tr_arm_timing_make(&arm, &arm_path, &params, &arm_timing, NULL) == TR_OK);
    CHECK(arm_timing.duration == 3.5);
    check_stroke(&arm, &arm_timing, true);
    // Times outside are those of the ends.
    tr_posture before = tr_arm_timing_at(&arm_timing, -5, NULL),
               after = tr_arm_timing_at(&arm_timing, 1e9, NULL);
    CHECK(memcmp(&after, &knots[2], sizeof after) == 0);
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        CHECK_NEAR((double)before.q[i], 0, 1e-6);
    CHECK(isfinite(tr_arm_timing_at(&arm_timing, NAN, NULL).q[0]));
}

TEST(arm_paths_without_length_take_no_time) {
    tr_arm arm = tr_arm_default(TR_ARM_LEFT, 1.75f);
    tr_posture knots[3] = {{{0.3f, 0.2f, 0.1f, 1}}, {{0.3f, 0.2f, 0.1f, 1}}, {{0.3f, 0.2f, 0.1f, 1}}}, v;
    for (uint32_t count = 1; count <= 3; count++) {
        tr_arm_path arm_path = {knots, count};
        tr_arm_timing arm_timing;
        REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
        CHECK(arm_timing.duration == 0);
        tr_posture at = tr_arm_timing_at(&arm_timing, 0, &v);
        CHECK(memcmp(&at, &knots[0], sizeof at) == 0 && v.q[0] == 0);
    }
}

TEST(invalid_input_is_refused_with_the_value) {
    tr_arm arm = tr_arm_default(TR_ARM_LEFT, 1.75f);
    tr_posture knots[2] = {{{0}}, {{1, 0, 0, 1}}}, nothing = {{NAN}};
    tr_arm_path arm_path = {knots, 2}, empty = {knots, 0};
    tr_arm_timing arm_timing;
    tr_error error = {0};
    CHECK(tr_arm_timing_make(&arm, &empty, NULL, &arm_timing, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "without knots");
    CHECK(tr_arm_timing_at(&arm_timing, 1, NULL).q[0] == 0 && tr_arm_timing_u(&arm_timing, 1) == 0);
    const tr_arm_timing_params bad[] = {{.duration = -1}, {.duration = NAN},     {.duration = INFINITY},
                                        {.pace = -2},     {.pace = INFINITY},    {.target_width = -0.1f},
                                        {.pace = NAN},    {.target_width = NAN}, {.velocity = &nothing}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(tr_arm_timing_make(&arm, &arm_path, &bad[i], &arm_timing, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "velocity");
    knots[1].q[2] = INFINITY;
    CHECK(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "knot 1");
}

TEST(an_arm_path_of_very_many_knots_is_timed_as_well) {
    static tr_posture knots[700];
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    for (int k = 0; k < 700; k++) {
        float t = (float)k / 699;
        knots[k] = (tr_posture){{0.2f + t, 0.3f * t, 0.1f + 0.2f * t * t, 1 + 0.5f * t}};
    }
    tr_arm_path arm_path = {knots, 700};
    tr_arm_timing arm_timing;
    REQUIRE(tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, NULL) == TR_OK);
    check_stroke(&arm, &arm_timing, true);
    CHECK(smoothness_of(&arm, &arm_timing, 60).ldlj > -6.5);
}
