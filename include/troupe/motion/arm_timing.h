// troupe/motion/arm_timing.h - a path of an arm in time: how fast people's hands go along it.
//
// As smoothly as the path allows (minimum jerk along it): one rise and fall of speed on a plain reach, slower
// where the path bends. As long as Fitts' law says for the distance and the size of the target; from a moving
// start it takes the speed over.
#pragma once
#include "troupe/plan/arm_path.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_timing_params {
    double duration;            // [s]; 0: by Fitts' law
    float target_width;         // [m, > 0]; 0: 0.05
    float pace;                 // 1: as people do; 2: twice as fast [> 0]; 0: 1
    const tr_posture *velocity; // at the start [rad/s]; NULL: at rest
} tr_arm_timing_params;

#define TR_ARM_TIMING_SAMPLES 128 // of the path
#define TR_ARM_TIMING_BEATS 64    // of time

// Plain values; the arm path's knots must live as long. May be copied.
typedef struct tr_arm_timing {
    tr_arm_path arm_path;
    double duration;    // [s]
    double length;      // of the way that is timed [m]
    double start_speed; // along it [m/s]
    uint32_t intervals; // of u, all alike [0, TR_ARM_TIMING_SAMPLES]; 0: stays where it is
    // At the ends of the intervals: the way so far [m], its change with u, and the change of that.
    double way[TR_ARM_TIMING_SAMPLES + 1];
    float slope[TR_ARM_TIMING_SAMPLES + 1], bend[TR_ARM_TIMING_SAMPLES + 1];
    double
        beats[TR_ARM_TIMING_BEATS + 3]; // the way over time: a cubic B-spline, these are its control values
} tr_arm_timing;

// TR_INVALID: parameters out of range, an empty arm path, knots that are not finite. An arm path of one knot,
// or of equal ones, lasts 0 s. A moving start that must stop soon makes `duration` shorter, whatever was
// asked for: the hand never goes past the end of the path, nor back on it. No allocation.
TR_API tr_status tr_arm_timing_make(const tr_arm *arm, const tr_arm_path *arm_path,
                                    const tr_arm_timing_params *params, tr_arm_timing *arm_timing,
                                    tr_error *error);
// At `time` [s; clamped to 0 and the duration]. `velocity` (may be NULL) in rad/s. No allocation, pure.
TR_API tr_posture tr_arm_timing_at(const tr_arm_timing *arm_timing, double time, tr_posture *velocity);
TR_API double tr_arm_timing_u(const tr_arm_timing *arm_timing, double time); // of the arm path
// Fitts' law as measured for movements of the hand to a target of this width, as fast as they can be made
// [s].
TR_API double tr_arm_timing_fitts(double distance, double width);

// Written or read, with its knots: `knots` has room for `knot_max`, and a timing that is read uses it.
TR_API void tr_arm_timing_archive(tr_arm_timing *arm_timing, tr_posture *knots, uint32_t knot_max,
                                  tr_archive *archive);

TR_END_DECLARATIONS
