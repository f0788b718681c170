// troupe/motion/smoothness.h - measures how smoothly one point moves, in the numbers that motor science uses.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_smoothness {
    // Log dimensionless jerk: -ln(duration^3 / peak_speed^2 * integral of squared jerk). A minimum-jerk
    // movement has -5.32; the best possible value is only slightly better.
    double ldlj;
    // Spectral arc length of the speed (Balasubramanian, Melendez-Calderon, Roby-Brami & Burdet 2015), up to
    // 10 Hz and down to 0.05 of the highest part; about -1.4 at best.
    double sparc;
    // Peaks of the speed of at least 5 % of the highest, with a dip of at least 5 % of it between them.
    uint32_t speed_peaks;
    double peak_speed, path_length, duration; // [m/s], [m], [s]
} tr_smoothness;

#define TR_SMOOTHNESS_POINTS_MIN 8

// Measures positions at a steady rate [Hz, > 0; count >= TR_SMOOTHNESS_POINTS_MIN]. The whole input counts as
// the movement: cut off the rest before and after it. Jerk is averaged over 50 ms, so that the rounding of
// positions does not count. TR_INVALID: too few positions, values that are not finite, or no movement at all.
// Allocates scratch and frees it; time grows with the square of count.
TR_API tr_status tr_smoothness_measure(const tr_vec3 *positions, uint32_t count, double rate,
                                       const tr_allocator *allocator, tr_smoothness *smoothness,
                                       tr_error *error);

TR_END_DECLARATIONS
