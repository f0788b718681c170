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
    bench_axis axis = {.quantity = quantity, .least = (double)INFINITY};
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
        axis->low = pow(10, floor(log10(axis->least / 1.5))); // the least bar has a length, too
        return;
    }
    axis->step = tick_step(axis);
    axis->low = axis->step * floor(axis->low / axis->step + 1e-9);
    axis->high = axis->step * ceil(axis->high / axis->step - 1e-9);
}

float bench_axis_pixel(const bench_axis *axis, double value) {
    double share = axis->is_log ? log10(fmax(value, axis->low) / axis->low) / log10(axis->high / axis->low)
                                : (value - axis->low) / (axis->high - axis->low);
    return axis->left + (float)share * (axis->right - axis->left);
}

uint32_t bench_axis_ticks(const bench_axis *axis, double ticks[BENCH_TICKS_MAX]) {
    uint32_t count = 0;
    if (axis->is_log) {
        int first = (int)lround(log10(axis->low)), last = (int)floor(log10(axis->high) + 1e-9);
        int apart = (last - first) / 10 + 1;
        for (int i = first; i <= last && count < BENCH_TICKS_MAX; i += apart)
            ticks[count++] = pow(10, i);
        return count;
    }
    for (int i = 0; i < BENCH_TICKS_MAX && axis->low + (i - 0.5) * axis->step < axis->high; i++)
        ticks[count++] = axis->low + i * axis->step;
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

// The units of time and memory in which a figure has few digits.
static const struct {
    const char *quantity, *name;
    double scale;
} handy[] = {{"time", "s", 1},      {"time", "ms", 1e-3},  {"time", "us", 1e-6},
             {"time", "ns", 1e-9},  {"memory", "GB", 1e9}, {"memory", "MB", 1e6},
             {"memory", "kB", 1e3}, {"memory", "B", 1},    {"per cent", "%", 0}};
#define HANDY_COUNT (sizeof handy / sizeof handy[0])

static void write_figure(double value, const char *quantity, const char *unit, char *text, size_t size) {
    char number[48];
    for (size_t i = 0; i < HANDY_COUNT && value != 0; i++)
        if (strcmp(handy[i].quantity, quantity) == 0 && fabs(value) > 0.9995 * handy[i].scale) {
            value /= handy[i].scale > 0 ? handy[i].scale : 1;
            unit = handy[i].name;
            break;
        }
    write_number(value, number, sizeof number);
    snprintf(text, size, "%s%s%s", number, unit[0] ? " " : "", unit);
}

void bench_figure(double value, const char *unit, char *text, size_t size) {
    const char *quantity = bench_quantity(unit);
    write_figure(bench_in_base(unit, value), quantity, quantity == unit ? "" : unit, text, size);
}

void bench_axis_word(const bench_axis *axis, double tick, char *text, size_t size) {
    // What rounding has left of 0.
    bool is_zero = !axis->is_log && fabs(tick) < 1e-9 * (axis->high - axis->low);
    write_figure(is_zero ? 0 : tick, axis->quantity, "", text, size);
}
