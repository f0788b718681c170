// Round shapes for the sample scenes: turned on a lathe, drawn out along a line, cut from a plate. Internal.
//
// All of them are closed and face outwards; `fine` [>= 1] is the number of pieces of every given segment.
#pragma once
#include "sample_build.h"

// A body of revolution about Y. The profile (radius, y) begins and ends on the axis and goes up on the
// outside; its points are joined by a smooth line or by straight pieces. 2 * sides * (fine * (count - 1) - 1)
// triangles.
typedef struct sample_profile {
    const float (*points)[2];
    uint32_t count; // [3, ...]
    bool smooth;
} sample_profile;
void sample_shape_lathe(sample_shape *shape, sample_profile profile, uint32_t sides, uint32_t fine);

// A rod along a smooth line through `count` [>= 2] points, the ends flat.
void sample_shape_rod(sample_shape *shape, const tr_vec3 *points, uint32_t count, float radius,
                      uint32_t sides, uint32_t fine);

// A plate about Y with rounded corners and bevelled edges.
typedef struct sample_plate {
    float half_x, half_z, bottom, top;
    float corner, bevel; // [m, > 0; the bevel is less than half the thickness, the corner above the bevel]
} sample_plate;
void sample_shape_plate(sample_shape *shape, const sample_plate *plate, uint32_t fine);

// The cap of a key: a box that narrows by `taper` on each side towards a top that is hollow by `dish`.
typedef struct sample_key {
    float half_x, half_z, height, taper, dish;
} sample_key;
void sample_shape_key(sample_shape *shape, const sample_key *key, uint32_t fine);

// A pointed leaf from the origin along +Z, `length` long, that bends down by `droop` at its tip.
void sample_shape_leaf(sample_shape *shape, float length, float half_width, float droop, uint32_t fine);
