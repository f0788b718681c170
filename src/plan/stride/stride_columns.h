// Columns of a lane against lines, four at a time. Internal to plan/stride.
#pragma once
#define SIMD_LANES 4
#include "base/simd.h"

#include <math.h>

// The line over column from + i is at + i * rise [m], but never below `low` nor above `high`. Returns how far
// the values of the columns from..to - 1 stick out of it at most.
static inline float columns_over_line(const float *values, uint32_t from, uint32_t to, float at, float rise,
                                      float low, float high) {
    float most = -INFINITY;
    uint32_t count = to - from, i = 0;
    values += from;
    if (count >= 4) {
        simd_float numbers = {0, 1, 2, 3}, over = simd_set(-INFINITY);
        simd_float lows = simd_set(low), highs = simd_set(high);
        for (;;) {
            simd_float line = simd_set(at) + simd_set(rise) * (simd_set((float)(int32_t)i) + numbers);
            line = simd_min(simd_max(line, lows), highs);
            over = simd_max(over, simd_load(values + i) - line);
            if (i + 4 >= count)
                break;
            i = i + 8 <= count ? i + 4 : count - 4; // the last four may overlap those before
        }
        for (int k = 0; k < 4; k++)
            most = over[k] > most ? over[k] : most;
        return most;
    }
    for (; i < count; i++) {
        float line = at + rise * (float)(int32_t)i;
        line = line < low ? low : line > high ? high : line;
        float over = values[i] - line;
        most = over > most ? over : most;
    }
    return most;
}

static inline float columns_highest(const float *values, uint32_t from, uint32_t to) {
    simd_float most = simd_set(-INFINITY);
    float high = -INFINITY;
    uint32_t i = from;
    for (; i + 4 <= to; i += 4)
        most = simd_max(most, simd_load(values + i));
    for (int k = 0; k < 4; k++)
        high = most[k] > high ? most[k] : high;
    for (; i < to; i++)
        high = values[i] > high ? values[i] : high;
    return high;
}

static inline float columns_lowest(const float *values, uint32_t from, uint32_t to) {
    simd_float least = simd_set(INFINITY);
    float low = INFINITY;
    uint32_t i = from;
    for (; i + 4 <= to; i += 4)
        least = simd_min(least, simd_load(values + i));
    for (int k = 0; k < 4; k++)
        low = least[k] < low ? least[k] : low;
    for (; i < to; i++)
        low = values[i] < low ? values[i] : low;
    return low;
}
