// How a profile is stored. Internal to world/profile.
#pragma once
#include "troupe/world/profile.h"

// A straight part of the path. Lengths are measured from the beginning of the path.
typedef struct profile_leg {
    tr_vec2 from, ahead; // its beginning, and its direction
    float begin, end;    // [m]
    float heading;
    float before, behind; // how far the strip is extended at its ends, so that no wedge opens at a corner [m]
    uint32_t first, last; // columns whose centres lie on it: first to last - 1
} profile_leg;

// What a triangle has of an interval of the path.
typedef struct profile_slice {
    float low, high;   // [m]
    float right, left; // aside [m]
} profile_slice;

// A triangle in the coordinates of a leg: along, up, aside. The corners are in the order of `along`. Edges
// are those from the first to the second corner, from the second to the third, and from the first to the
// third.
typedef struct profile_triangle {
    float along[3], up[3], aside[3];
    float edge_up[3], edge_aside[3]; // how much the edges rise and drift per metre along; 0 across the path
    float slope_along, slope_aside, base; // its plane
    float spread;                         // half the rise of the plane over a cell [m]
    profile_slice line;                   // at the end of the last column
    bool upright;                         // it has no plane
    uint32_t last;                        // the last column that it can touch
    uint32_t next;                        // of the same first column; TR_NONE: none
} profile_triangle;

struct tr_profile {
    tr_allocator allocator;
    tr_profile_def def;
    profile_leg *legs;
    uint32_t leg_count, columns;
    float *floor, *top, *under;
    float *highest; // floor of each column, over all rows
    float kept;     // the highest floor that could be reached last [m]
    profile_triangle *triangles;
    uint32_t *active, *begin; // triangles of the current column; the first triangle that begins in a column
    uint32_t triangle_count;
};

static inline float profile_low(float a, float b) {
    return a < b ? a : b;
}
static inline float profile_high(float a, float b) {
    return a > b ? a : b;
}

// --- profile_lay.c ---
// Fills the columns of a leg from the triangles that were taken for it. `query` tells what counts as floor.
void tr_profile_lay(tr_profile *profile, const profile_leg *leg, const tr_profile_query *query);
