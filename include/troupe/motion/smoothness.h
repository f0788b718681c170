// troupe/motion/smoothness.h - how smooth a movement of one point is: numbers that motor science uses.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_smoothness {
    // Log dimensionless jerk: -ln(duration^3 / peak_speed^2 * integral of squared jerk). Minimum jerk has
    // -5.32; the best there can be is no better by much.
    double ldlj;
    // Spectral arc length of the speed (Balasubramanian, Melendez-Calderon, Roby-Brami & Burdet 2015), up to
    // 10 Hz and down to 0.05 of the highest part; about -1.4 at best.
    double sparc;
    // Of the speed: those of at least 5 % of the highest, with a dip of at least 5 % of it between them.
    uint32_t speed_peaks;
    double peak_speed, path_length, duration; // [m/s], [m], [s]
} tr_smoothness;

#define TR_SMOOTHNESS_POINTS_MIN 8

// Of positions at a steady rate [Hz, > 0; count >= TR_SMOOTHNESS_POINTS_MIN]. The movement is taken to be all
// of it: cut off rest before and behind. Jerk is averaged over 50 ms, so that the rounding of positions does
// not count. TR_INVALID: too few, not finite, no movement at all. Allocates scratch and gives it back; time
// grows with the square of count.
TR_API tr_status tr_smoothness_measure(const tr_vec3 *positions, uint32_t count, double rate,
                                       const tr_allocator *allocator, tr_smoothness *smoothness,
                                       tr_error *error);

TR_END_DECLARATIONS
