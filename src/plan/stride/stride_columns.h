// Columns of a lane against lines, four at a time. Internal to plan/stride and its callers.
#pragma once
#define SIMD_LANES 4
#include "base/simd.h"
#include "troupe/plan/stride.h"

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

// The highest of each 2^k values of a lane that begin at a column: the highest of any range by two of them.
#define STRIDE_RANGES 7
typedef struct stride_ranges {
    const float *tops[STRIDE_RANGES]; // the first is the lane itself; NULL there: no lane
} stride_ranges;

// Fills levels 1 and up, each of `columns` numbers behind the one before.
static inline void stride_ranges_make(stride_ranges *ranges, const float *lane, float *memory,
                                      uint32_t columns) {
    ranges->tops[0] = lane;
    for (uint32_t k = 1; k < STRIDE_RANGES; k++, memory += columns) {
        const float *below = ranges->tops[k - 1];
        uint32_t way = 1u << (k - 1), i = 0;
        for (; i + way + 4 <= columns; i += 4)
            simd_store_float(memory + i, simd_max(simd_load(below + i), simd_load(below + i + way)));
        for (; i < columns; i++)
            memory[i] = i + way < columns && below[i + way] > below[i] ? below[i + way] : below[i];
        ranges->tops[k] = memory;
    }
}

static inline float stride_ranges_highest(const stride_ranges *ranges, uint32_t from, uint32_t to) {
    uint32_t k = 31 - (uint32_t)__builtin_clz(to - from);
    if (k >= STRIDE_RANGES)
        return columns_highest(ranges->tops[0], from, to);
    float a = ranges->tops[k][from], b = ranges->tops[k][to - (1u << k)];
    return a > b ? a : b;
}

// Columns from..to of a lane that lie in an interval; false: none.
static inline bool columns_in(const tr_stride_lane *lane, float low, float high, uint32_t *from,
                              uint32_t *to) {
    if (!(high >= 0) || lane->columns == 0)
        return false;
    float per = 1 / lane->cell, end = high * per;
    *from = low > 0 ? (uint32_t)(low * per) : 0;
    *to = end < (float)lane->columns ? (uint32_t)end + 1 : lane->columns;
    return *from < *to;
}

// How far columns stick out of the line from a to b, each (along, up), between two places. A line across a
// column counts with its lower end.
static inline float columns_stick_out(const tr_stride_lane *lane, const float *values, const float a[2],
                                      const float b[2], uint32_t from, uint32_t to) {
    float way = b[0] - a[0], rise = fabsf(way) > 1e-4f ? (b[1] - a[1]) / way * lane->cell : 0;
    float low = a[1] < b[1] ? a[1] : b[1], high = rise == 0 ? low : a[1] > b[1] ? a[1] : b[1];
    float at = a[1] + rise * ((float)from + 0.5f - a[0] / lane->cell) - 0.5f * fabsf(rise);
    return columns_over_line(values, from, to, at, rise, low, high);
}
