// One curve against the same curve of people.
#include "likeness_parts.h"

#include <math.h>

#define ROUND (TR_LIKENESS_POINTS - 1) // points of one round: the last is the first of the next
#define STEP (100.0f / ROUND)          // [percent]
#define SHIFT_MOST (ROUND / 4)
#define STILL 1e-3 // the variance of a curve that does not change but for rounding [deg^2, mm^2]

// The correlation of the curve with the mean of people where it is played `late` points earlier.
static double correlate(const tr_likeness_people *people, const float *values, int late) {
    double a = 0, b = 0, aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < ROUND; i++) {
        double x = (double)values[(i + late + ROUND) % ROUND], y = (double)people[i].mean;
        a += x, b += y;
        aa += x * x, bb += y * y, ab += x * y;
    }
    double n = ROUND, va = aa / n - a / n * (a / n), vb = bb / n - b / n * (b / n);
    return va > STILL && vb > STILL ? (ab / n - a / n * (b / n)) / sqrt(va * vb) : NAN;
}

// The shift at which the correlation is greatest, by a parabola through the best point and its neighbours.
static float find_shift(const tr_likeness_people *people, const float *values) {
    int best = 0;
    double most = correlate(people, values, 0);
    for (int late = -SHIFT_MOST; late <= SHIFT_MOST; late++) {
        double here = correlate(people, values, late);
        if (here > most)
            most = here, best = late;
    }
    double before = correlate(people, values, best - 1), after = correlate(people, values, best + 1);
    double bend = before - 2 * most + after, part = bend < 0 ? 0.5 * (before - after) / bend : 0;
    part = part < -0.5 ? -0.5 : part > 0.5 ? 0.5 : part;
    return isnan(most) ? NAN : STEP * (float)(best + part);
}

void tr_likeness_compare(const tr_likeness_people people[TR_LIKENESS_POINTS], tr_likeness_match *match) {
    float low = match->values[0], high = low, mean_low = people[0].mean, mean_high = mean_low;
    uint32_t near = 0, among = 0;
    match->worst_sd = 0, match->worst_percent = 0;
    for (int i = 0; i < TR_LIKENESS_POINTS; i++) {
        float value = match->values[i], mean = people[i].mean, off = (value - mean) / people[i].sd;
        low = value < low ? value : low, high = value > high ? value : high;
        mean_low = mean < mean_low ? mean : mean_low, mean_high = mean > mean_high ? mean : mean_high;
        near += off >= -2 && off <= 2;
        among += value >= people[i].least && value <= people[i].most;
        if (fabsf(off) > fabsf(match->worst_sd))
            match->worst_sd = off, match->worst_percent = STEP * (float)i;
    }
    match->within_2sd = (float)near / TR_LIKENESS_POINTS;
    match->within_people = (float)among / TR_LIKENESS_POINTS;
    match->range = high - low;
    match->people_range = mean_high - mean_low;
    match->correlation = (float)correlate(people, match->values, 0);
    match->shift = find_shift(people, match->values);
}
