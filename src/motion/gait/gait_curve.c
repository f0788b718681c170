// Curves for gaits.
#include "gait_parts.h"

tr_gait_curve tr_gait_curve_of(uint32_t count, const double points[][2]) {
    tr_gait_curve curve = {.count = count};
    for (uint32_t i = 0; i < count; i++) {
        curve.phase[i] = points[i][0];
        curve.value[i] = points[i][1];
    }
    return curve;
}

double tr_gait_cubic(double x, double from, double from_slope, double to, double to_slope) {
    double square = x * x, cube = square * x;
    return (2 * cube - 3 * square + 1) * from + (cube - 2 * square + x) * from_slope +
           (3 * square - 2 * cube) * to + (cube - square) * to_slope;
}

double tr_gait_fraction(double x) {
    double part = x - floor(x);
    return part < 1 ? part : 0; // rounding may reach 1 from below
}

double tr_gait_sine(double turns) {
    double sine, cosine;
    tr_sin_cos(2 * TR_PI * tr_gait_fraction(turns), &sine, &cosine);
    return sine;
}

double tr_gait_cosine(double turns) {
    return tr_gait_sine(turns + 0.25);
}

double tr_gait_wave_at(const tr_gait_wave *wave, int first, int second, double phase) {
    double value = wave->mean;
    for (int i = 0; i < 3; i++) {
        double sine, cosine, turns = (first + i * (second - first)) * phase;
        tr_sin_cos(2 * TR_PI * tr_gait_fraction(turns), &sine, &cosine);
        value += wave->cosine[i] * cosine + wave->sine[i] * sine;
    }
    return value;
}

// The slope of Fritsch and Butland: 0 where the points turn back, otherwise a weighted harmonic mean.
static double slope_between(double before, double before_width, double after, double after_width) {
    if (!(before * after > 0))
        return 0;
    double a = 2 * after_width + before_width, b = after_width + 2 * before_width;
    return (a + b) / (a / before + b / after);
}

// Control point `i` of the periodic curve; i may be one before the first or two past the last.
static void point_at(const tr_gait_curve *curve, int i, double *phase, double *value) {
    int count = (int)curve->count, round = i < 0 ? -1 : i / count, inside = i - round * count;
    *phase = curve->phase[inside] + round;
    *value = curve->value[inside];
}

double tr_gait_curve_at(const tr_gait_curve *curve, double phase) {
    double x = curve->phase[0] + tr_gait_fraction(phase - curve->phase[0]);
    int i = 0;
    while (i + 1 < (int)curve->count && x >= curve->phase[i + 1])
        i++;
    double at[4], value[4], slope[3];
    for (int k = 0; k < 4; k++)
        point_at(curve, i - 1 + k, &at[k], &value[k]);
    for (int k = 0; k < 3; k++)
        slope[k] = (value[k + 1] - value[k]) / (at[k + 1] - at[k]);
    double width = at[2] - at[1];
    double begin = slope_between(slope[0], at[1] - at[0], slope[1], width);
    double end = slope_between(slope[1], width, slope[2], at[3] - at[2]);
    return tr_gait_cubic((x - at[1]) / width, value[1], begin * width, value[2], end * width);
}
