// The axis of a bar chart: what is measured on it, from where to where, and the words at its ticks.
#pragma once
#include "troupe/base/api.h"

#define BENCH_TICKS_MAX 24

// What a unit measures. Figures of the same quantity share an axis: "us" and "ms" are both "time".
const char *bench_quantity(const char *unit);
// A figure in the unit that the axis of its quantity counts in: seconds, bytes, or the unit itself.
double bench_in_base(const char *unit, double value);

typedef struct bench_axis {
    const char *quantity;
    double low, high;  // of what is shown, then of the axis
    double least;      // above 0, of what is shown
    double step;       // from tick to tick, unless
    bool is_log;       // each tick is ten times the one before
    float left, right; // [pixels]
} bench_axis;

// First nothing is shown; each figure is added; then the ends are set, and the scale is logarithmic where the
// figures span more than two decades.
bench_axis bench_axis_begin(const char *quantity);
void bench_axis_add(bench_axis *axis, double value);
void bench_axis_finish(bench_axis *axis);
float bench_axis_pixel(const bench_axis *axis, double value);
// Where the ticks are; returns how many.
uint32_t bench_axis_ticks(const bench_axis *axis, double ticks[BENCH_TICKS_MAX]);
// "10 ms", "2 MB", "0.5".
void bench_axis_word(const bench_axis *axis, double tick, char *text, size_t size);
// Three digits that count and the unit: "23.4 us", "1.08 MB", "24.5 times". A unit that is a quantity of its
// own stands at the axis alone: "6,730".
void bench_figure(double value, const char *unit, char *text, size_t size);
