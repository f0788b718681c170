// troupe/motion/smoothness.h - how smooth a movement of one point is: numbers that motor science uses.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_smoothness {
    double ldlj; // log dimensionless jerk: -ln(duration^3 / peak_speed^2 * integral of squared jerk); minimum
                 // jerk has -5.3
    double sparc; // spectral arc length of the speed (Balasubramanian et al. 2015); about -1.4 at best
    uint32_t
        speed_peaks; // of the speed, above 5 % of the highest and with a dip of at least 5 % of it between
    double peak_speed, path_length, duration; // [m/s], [m], [s]
} tr_smoothness;

// Of positions at a steady rate [count >= 8]. The movement is taken to be all of it. TR_INVALID: too few, not
// finite, no movement at all. Allocates scratch and gives it back.
TR_API tr_status tr_smoothness_measure(const tr_vec3 *positions, uint32_t count, double rate,
                                       const tr_allocator *allocator, tr_smoothness *smoothness,
                                       tr_error *error);

TR_END_DECLARATIONS
