// The axis of the charts of `troupe bench`.
#include "cli/bench/bench_axis.h"
#include "test.h"

#include <math.h>

static bench_axis axis_of(const char *quantity, const double *values, uint32_t count) {
    bench_axis axis = bench_axis_begin(quantity);
    for (uint32_t i = 0; i < count; i++)
        bench_axis_add(&axis, values[i]);
    bench_axis_finish(&axis);
    axis.left = 100;
    axis.right = 200;
    return axis;
}

static void check_tick(const bench_axis *axis, uint32_t number, const char *word) {
    double ticks[BENCH_TICKS_MAX];
    char text[48] = "";
    if (number < bench_axis_ticks(axis, ticks))
        bench_axis_word(axis, ticks[number], text, sizeof text);
    CHECK_TEXT(text, word);
}

static void check_figure(double value, const char *unit, const char *expected) {
    char text[48];
    bench_figure(value, unit, text, sizeof text);
    CHECK_TEXT(text, expected);
}

TEST(times_share_an_axis_and_other_units_have_their_own) {
    CHECK_TEXT(bench_quantity("us"), "time");
    CHECK_TEXT(bench_quantity("s"), "time");
    CHECK_TEXT(bench_quantity("MB"), bench_quantity("bytes"));
    CHECK_TEXT(bench_quantity("cells"), "cells");
    CHECK_NEAR(bench_in_base("ms", 20), 0.02, 1e-12);
    CHECK_NEAR(bench_in_base("cells", 20), 20, 0);
}

TEST(figures_within_two_decades_are_linear) {
    const double values[] = {0.003, 0.268, (double)NAN};
    bench_axis axis = axis_of("time", values, 3);
    double ticks[BENCH_TICKS_MAX];
    CHECK(!axis.is_log);
    CHECK_NEAR(axis.low, 0, 0);
    CHECK_NEAR(axis.high, 0.3, 1e-12);
    CHECK_INT(bench_axis_ticks(&axis, ticks), 7);
    check_tick(&axis, 0, "0");
    check_tick(&axis, 1, "50 ms");
    CHECK_NEAR((double)bench_axis_pixel(&axis, 0.15), 150, 1e-3);
}

TEST(figures_beyond_two_decades_are_logarithmic) {
    const double values[] = {2e-6, 0.2, 0};
    bench_axis axis = axis_of("time", values, 3);
    double ticks[BENCH_TICKS_MAX];
    CHECK(axis.is_log);
    CHECK_INT(bench_axis_ticks(&axis, ticks), 6);
    check_tick(&axis, 0, "1 us");
    check_tick(&axis, 5, "100 ms");
    CHECK_NEAR((double)bench_axis_pixel(&axis, 0), 100, 1e-3); // no bar
    CHECK_NEAR((double)bench_axis_pixel(&axis, 0.2), 200, 1e-3);
    CHECK((double)bench_axis_pixel(&axis, 2e-6) > 101);
}

TEST(negative_figures_go_to_the_left_of_zero) {
    const double values[] = {-8.8, -0.001, 3};
    bench_axis axis = axis_of("without a unit", values, 3);
    CHECK(!axis.is_log);
    CHECK_NEAR(axis.low, -10, 1e-9);
    CHECK(bench_axis_pixel(&axis, -8.8) < bench_axis_pixel(&axis, 0));
    check_tick(&axis, 0, "-10");
}

TEST(an_axis_of_nothing_but_zeros_or_without_figures_has_a_length) {
    const double zeros[] = {0, 0};
    for (uint32_t count = 0; count <= 2; count += 2) {
        bench_axis axis = axis_of("share", zeros, count);
        CHECK(axis.high > axis.low);
        CHECK(!axis.is_log);
        CHECK(isfinite(bench_axis_pixel(&axis, 0)));
    }
}

TEST(figures_have_three_digits_and_a_handy_unit) {
    check_figure(0.0234, "ms", "23.4 us");
    check_figure(40000, "ms", "40 s");
    check_figure(999.9, "us", "1 ms");
    check_figure(0, "us", "0 us");
    check_figure(195951369, "bytes", "196 MB");
    check_figure(7.54, "bytes", "7.54 B");
    check_figure(6730, "cells", "6,730");
    check_figure(2880000000, "cells", "2,880,000,000");
    check_figure(24.53, "times", "24.5 times");
    check_figure(87.5, "%", "87.5 %");
    check_figure(-1234, "", "-1,234");
}
