#include "test.h"
#include "troupe/base/random.h"
#include "troupe/motion/smoothness.h"

#include <math.h>
#include <stdlib.h>

#define COUNT_MAX 2048

static double minimum_jerk(double t) {
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * t * (10 - 15 * t + 6 * t * t);
}

// Along a slanted line: `first` and `second` are two minimum jerk movements that overlap.
static uint32_t fill(tr_vec3 *positions, double rate, double duration, double length, double second_from) {
    uint32_t count = (uint32_t)(rate * duration + 0.5) + 1;
    for (uint32_t i = 0; i < count; i++) {
        double t = i / rate / duration, way = minimum_jerk(t);
        if (second_from > 0)
            way = 0.5 * minimum_jerk(t / (1 - second_from)) +
                  0.5 * minimum_jerk((t - second_from) / (1 - second_from));
        positions[i] = tr_vec3_make((float)(0.6 * length * way), (float)(0.8 * length * way + 1), 0.25f);
    }
    return count;
}

static tr_smoothness measure(const tr_vec3 *positions, uint32_t count, double rate) {
    tr_smoothness smoothness = {0};
    CHECK(tr_smoothness_measure(positions, count, rate, NULL, &smoothness, NULL) == TR_OK);
    return smoothness;
}

TEST(minimum_jerk_has_its_known_value) {
    static tr_vec3 positions[COUNT_MAX];
    const double rates[] = {30, 60, 100, 200, 500}, durations[] = {0.5, 0.8, 1.5};
    for (int r = 0; r < 5; r++)
        for (int d = 0; d < 3; d++) {
            uint32_t count = fill(positions, rates[r], durations[d], 0.4, 0);
            tr_smoothness s = measure(positions, count, rates[r]);
            // 720 / 1.875^2 = 204.8
            CHECK_NEAR(s.ldlj, -log(204.8), r == 0 && d == 0 ? 0.12 : 0.08);
            CHECK(s.sparc > -1.45 && s.sparc < -1.35);
            CHECK_INT(s.speed_peaks, 1);
            CHECK_NEAR(s.path_length, 0.4, 1e-5);
            CHECK_NEAR(s.duration, durations[d], 1e-9);
            CHECK_NEAR(s.peak_speed, 1.875 * 0.4 / durations[d], 0.02 * s.peak_speed);
        }
}

TEST(two_submovements_are_less_smooth_the_further_apart_they_are) {
    static tr_vec3 positions[COUNT_MAX];
    uint32_t count = fill(positions, 100, 1, 0.3, 0);
    tr_smoothness last = measure(positions, count, 100);
    for (double from = 0.3; from < 0.56; from += 0.05) {
        count = fill(positions, 100, 1, 0.3, from);
        tr_smoothness s = measure(positions, count, 100);
        CHECK(s.ldlj < last.ldlj);
        CHECK(s.sparc < last.sparc + 0.02);
        CHECK_INT(s.speed_peaks, from > 0.38 ? 2 : 1);
        last = s;
    }
    CHECK(last.ldlj < -7.5 && last.sparc < -1.7);
}

TEST(numbers_do_not_depend_on_size_speed_or_place) {
    static tr_vec3 positions[COUNT_MAX], moved[COUNT_MAX];
    uint32_t count = fill(positions, 120, 1, 0.3, 0.4);
    tr_smoothness here = measure(positions, count, 120);
    for (uint32_t i = 0; i < count; i++)
        moved[i] = tr_vec3_make(positions[i].z * 3 + 2, positions[i].x * 3, positions[i].y * 3 - 1);
    tr_smoothness there = measure(moved, count, 60);
    CHECK_NEAR(there.duration, 2 * here.duration, 1e-9);
    CHECK_NEAR(there.peak_speed, 1.5 * here.peak_speed, 1e-4);
    CHECK_NEAR(there.ldlj, here.ldlj, 0.12); // 50 ms are less of a movement twice as long
    CHECK_NEAR(there.sparc, here.sparc, 0.02);
    CHECK_INT(there.speed_peaks, here.speed_peaks);
}

// ------------------------------------------------------------------- another way to the same numbers, with
// libm

static double other_sparc(const tr_vec3 *p, uint32_t count, double rate) {
    uint32_t n = count - 1, points = 1;
    while (points < n)
        points *= 2;
    points *= 16;
    static double amplitude[1 << 16];
    uint32_t lines = 0, last = 0;
    for (uint32_t f = 0; f < points / 2 && f * rate / points <= 10 + 1e-12; f++, lines++) {
        double re = 0, im = 0;
        for (uint32_t i = 0; i < n; i++) {
            double speed = sqrt(pow((double)p[i + 1].x - (double)p[i].x, 2) +
                                pow((double)p[i + 1].y - (double)p[i].y, 2) +
                                pow((double)p[i + 1].z - (double)p[i].z, 2)) *
                           rate;
            double angle = -2 * 3.14159265358979323846 * (double)f * i / points;
            re += speed * cos(angle);
            im += speed * sin(angle);
        }
        amplitude[f] = hypot(re, im);
    }
    for (uint32_t f = 0; f < lines; f++)
        if (amplitude[f] / amplitude[0] >= 0.05)
            last = f;
    double length = 0;
    for (uint32_t f = 1; f <= last; f++)
        length += hypot(1.0 / last, (amplitude[f] - amplitude[f - 1]) / amplitude[0]);
    return -length;
}

// A sum of slow sines on top of a movement, all with derivatives that are known.
typedef struct wave {
    double size[3][4], phase[3][4];
} wave;

static void wave_at(const wave *w, double t, double duration, double position[3], double velocity[3],
                    double jerk[3]) {
    double x = t / duration;
    for (int axis = 0; axis < 3; axis++) {
        position[axis] = 0.3 * minimum_jerk(x);
        velocity[axis] = 0.3 * 30 * x * x * (1 - x) * (1 - x) / duration;
        jerk[axis] = 0.3 * (60 - 360 * x + 360 * x * x) / (duration * duration * duration);
        for (int k = 0; k < 4; k++) {
            double f = 2 * 3.14159265358979 * (k + 1) * 0.5;
            position[axis] += w->size[axis][k] * sin(f * t + w->phase[axis][k]);
            velocity[axis] += w->size[axis][k] * f * cos(f * t + w->phase[axis][k]);
            jerk[axis] -= w->size[axis][k] * f * f * f * cos(f * t + w->phase[axis][k]);
        }
    }
}

TEST(random_movements_agree_with_derivatives_in_closed_form_and_a_plain_transform) {
    static tr_vec3 positions[COUNT_MAX];
    tr_random random = tr_random_seed(12);
    for (int n = 0; n < 40; n++) {
        wave w;
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < 4; k++) {
                w.size[axis][k] = (double)tr_random_between(&random, 0, 0.03f);
                w.phase[axis][k] = (double)tr_random_between(&random, 0, 6);
            }
        double duration = (double)tr_random_between(&random, 0.6f, 2), rate = 100, peak = 0, integral = 0;
        uint32_t count = (uint32_t)(duration * rate) + 1;
        duration = (count - 1) / rate;
        double p[3], v[3], j[3];
        for (uint32_t i = 0; i < count; i++) {
            wave_at(&w, i / rate, duration, p, v, j);
            positions[i] = tr_vec3_make((float)p[0], (float)p[1], (float)p[2]);
        }
        for (int i = 0; i < 20000; i++) {
            wave_at(&w, (i + 0.5) / 20000 * duration, duration, p, v, j);
            peak = fmax(peak, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
            integral += (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]) * duration / 20000;
        }
        tr_smoothness s = measure(positions, count, rate);
        CHECK_NEAR(s.ldlj, -log(duration * duration * duration / (peak * peak) * integral), 0.1);
        CHECK_NEAR(s.sparc, other_sparc(positions, count, rate), 1e-6);
    }
}

TEST(peaks_are_counted_by_their_dips) {
    tr_vec3 positions[64] = {{0, 0, 0}};
    const double speeds[] = {0, 1, 2, 1.95, 2, 1, 0.97, 1.2, 0.3, 0.02, 0.05, 0.01, 0.5, 0};
    for (int i = 0; i < 14; i++)
        positions[i + 1] = tr_vec3_make(positions[i].x + (float)speeds[i], 0, 0);
    // 2 (the dip of 2.5 % does not count), 1.2 after 0.97, and 0.5; 0.05 is too low.
    CHECK_INT(measure(positions, 15, 1).speed_peaks, 3);
    for (int i = 0; i < 9; i++) // steady: one peak
        positions[i] = tr_vec3_make(0, (float)i, 0);
    CHECK_INT(measure(positions, 9, 1).speed_peaks, 1);
}

TEST(invalid_movements_are_refused_with_the_value) {
    tr_vec3 positions[16] = {{0, 0, 0}};
    tr_smoothness smoothness;
    tr_error error = {0};
    CHECK(tr_smoothness_measure(positions, 16, 30, NULL, &smoothness, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "moves by 0");
    positions[5].x = 1;
    CHECK(tr_smoothness_measure(positions, 16, 30, NULL, &smoothness, &error) == TR_OK);
    CHECK(tr_smoothness_measure(positions, 7, 30, NULL, &smoothness, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "7 positions");
    CHECK(tr_smoothness_measure(positions, 16, 0, NULL, &smoothness, &error) == TR_INVALID);
    CHECK(tr_smoothness_measure(positions, 16, NAN, NULL, &smoothness, &error) == TR_INVALID);
    CHECK(tr_smoothness_measure(positions, 16, -3, NULL, &smoothness, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "-3");
    positions[9].y = NAN;
    CHECK(tr_smoothness_measure(positions, 16, 30, NULL, &smoothness, &error) == TR_INVALID);
    CHECK_CONTAINS(error.message, "position 9");
    CHECK(smoothness.ldlj == 0 && smoothness.speed_peaks == 0);
    for (int i = 0; i < 16; i++) // as far as floats go
        positions[i] = tr_vec3_make(i % 2 ? 3e38f : -3e38f, 0, 0);
    tr_status status = tr_smoothness_measure(positions, 16, 1e6, NULL, &smoothness, &error);
    CHECK(status == TR_INVALID || isfinite(smoothness.ldlj));
}

static bool measure_with(const tr_allocator *allocator) {
    tr_vec3 positions[40];
    uint32_t count = fill(positions, 30, 1, 0.3, 0);
    tr_smoothness smoothness;
    return tr_smoothness_measure(positions, count, 30, allocator, &smoothness, NULL) == TR_OK;
}

TEST(measuring_without_memory_leaves_nothing_behind) {
    CHECK(CHECK_EVERY_ALLOCATION_FAILURE(measure_with) == 2);
}
