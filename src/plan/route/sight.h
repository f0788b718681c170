// Integer geometry over the bits of a route map, for tr_line_of_sight.
#pragma once
#include "troupe/plan/line_of_sight.h"

// A point in 1/256 of a cell, counted from the corner of the map's border: x / 256 is the bit in a row, z /
// 256 the row, and nothing is ever negative.
typedef struct place {
    int32_t x, z;
} place;

#define UNITS TR_LINE_OF_SIGHT_UNITS

// The map, or its transpose, in which columns are rows: whichever has fewer rows to test.
typedef struct sight_view {
    const uint64_t *free;
    uint32_t pitch;
    bool turned;
} sight_view;

sight_view tr_sight_view(const tr_route_map *map, bool turned);

static inline place tr_sight_turn(place p, bool turned) {
    place other = {p.z, p.x};
    return turned ? other : p;
}

static inline int64_t tr_sight_cross(place from, place a, place b) {
    return (int64_t)(a.x - from.x) * (b.z - from.z) - (int64_t)(a.z - from.z) * (b.x - from.x);
}

// Where the line from `low` to `high` (low.z < high.z) is at z, rounded down; *over is 0 if that is exact,
// else 1. The double is exact enough: the quotient is below 2^24 and differs from a whole number by nothing
// or by at least 2^-24, and its own rounding is below 2^-29.
static inline int32_t tr_sight_at(place low, place high, int32_t z, int32_t *over) {
    int64_t rise = high.z - low.z;
    int64_t product = low.x * rise + (int64_t)(high.x - low.x) * (z - low.z);
    int64_t quotient = (int64_t)((double)product / (double)rise);
    *over = product != quotient * rise;
    return (int32_t)quotient;
}

// The point in the map's units, rounded to the nearest; false outside the map or for NaN.
bool tr_sight_place(const tr_grid *grid, tr_vec2 point, place *placed);

// The rule of tr_line_of_sight_is_free: `keep` is 0 with cut_corners, 1 without.
bool tr_sight_is_free(const tr_route_map *map, place from, place to, int32_t keep);
