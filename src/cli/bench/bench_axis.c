#include "bench_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LOG_FROM 100 // times as large as the least is the greatest, from there on
#define TICKS_WANTED 6

static const struct {
    const char *unit, *quantity;
    double scale;
} units[] = {
    {"ns", "time", 1e-9},      {"us", "time", 1e-6},  {"ms", "time", 1e-3},           {"s", "time", 1},
    {"bytes", "memory", 1},    {"MB", "memory", 1e6}, {"times", "ratio", 1},          {"x", "ratio", 1},
    {"", "without a unit", 1}, {"%", "per cent", 1},  {"M/s", "millions a second", 1}};
#define UNIT_COUNT (sizeof units / sizeof units[0])

const char *bench_quantity(const char *unit) {
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return units[i].quantity;
    return unit;
}

double bench_in_base(const char *unit, double value) {
    for (size_t i = 0; i < UNIT_COUNT; i++)
        if (strcmp(units[i].unit, unit) == 0)
            return value * units[i].scale;
    return value;
}

bench_axis bench_axis_begin(const char *quantity) {
    bench_axis axis = {.quantity = quantity, .least = INFINITY};
    return axis;
}

void bench_axis_add(bench_axis *axis, double value) {
    if (!isfinite(value))
        return;
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
    if (value > 0)
        axis->least = fmin(axis->least, value);
}

// 1, 2 or 5 times a power of ten.
static double tick_step(const bench_axis *axis) {
    double wish = (axis->high - axis->low) / TICKS_WANTED, power = pow(10, floor(log10(wish)));
    double share = wish / power;
    return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

void bench_axis_finish(bench_axis *axis) {
    if (!(axis->high > axis->low))
        axis->high = axis->low + 1;
    axis->is_log = axis->low >= 0 && axis->high > LOG_FROM * axis->least;
    if (axis->is_log) {
        // The least bar has a length, too.
        axis->low = pow(10, floor(log10(axis->least / 1.5)));
        axis->high = pow(10, ceil(log10(axis->high)));
        return;
    }
    double step = tick_step(axis);
    axis->low = step * floor(axis->low / step + 1e-9);
    axis->high = step * ceil(axis->high / step - 1e-9);
}

float bench_axis_pixel(const bench_axis *axis, double value) {
    double share = axis->is_log ? log10(fmax(value, axis->low) / axis->low) / log10(axis->high / axis->low)
                                : (value - axis->low) / (axis->high - axis->low);
    return axis->left + (float)share * (axis->right - axis->left);
}

uint32_t bench_axis_ticks(const bench_axis *axis, double ticks[BENCH_TICKS_MAX]) {
    uint32_t count = 0;
    if (axis->is_log) {
        int first = (int)lround(log10(axis->low)), last = (int)lround(log10(axis->high));
        int apart = (last - first) / 10 + 1;
        for (int i = first; i <= last && count < BENCH_TICKS_MAX; i += apart)
            ticks[count++] = pow(10, i);
        return count;
    }
    double step = tick_step(axis);
    for (int i = 0; i < BENCH_TICKS_MAX && axis->low + i * step < axis->high + step / 2; i++)
        ticks[count++] = axis->low + i * step;
    return count;
}

// With a comma after every three digits.
static void write_grouped(double value, char *text, size_t size) {
    char digits[40];
    size_t at = 0;
    snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t count = strlen(digits);
    if (value < 0 && size > 1)
        text[at++] = '-';
    for (size_t i = 0; i < count && at + 2 < size; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
}

static void write_number(double value, char *text, size_t size) {
    double whole = fabs(value);
    if (whole >= 1000 && whole < 1e15)
        write_grouped(value, text, size);
    else
        snprintf(text, size, "%.3g", value + 0.0); // no -0
}

void bench_figure(double value, const char *unit, char *text, size_t size) {
    char number[48];
    write_number(value, number, sizeof number);
    snprintf(text, size, "%s%s%s", number, unit[0] ? " " : "", unit);
}

void bench_axis_word(const bench_axis *axis, double tick, char *text, size_t size) {
    static const struct {
        const char *quantity, *name;
        double scale;
    } names[] = {{"time", "s", 1},      {"time", "ms", 1e-3},   {"time", "us", 1e-6},
                 {"time", "ns", 1e-9},  {"memory", "GB", 1e9},  {"memory", "MB", 1e6},
                 {"memory", "kB", 1e3}, {"memory", "bytes", 1}, {"per cent", "%", 1e-300}};
    // What rounding has left of 0.
    if (!axis->is_log && fabs(tick) < 1e-9 * (axis->high - axis->low))
        tick = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && tick != 0; i++)
        if (strcmp(names[i].quantity, axis->quantity) == 0 && tick > 0.9999 * names[i].scale) {
            double scale = names[i].scale < 1e-200 ? 1 : names[i].scale;
            bench_figure(tick / scale, names[i].name, text, size);
            return;
        }
    write_number(tick, text, size);
}
