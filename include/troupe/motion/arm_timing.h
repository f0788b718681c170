// troupe/motion/arm_timing.h - the timing of an arm path: how fast a human hand moves along it.
//
// The movement is as smooth as the path allows (minimum jerk along it): on a plain reach the speed rises and
// falls once, and the hand slows down where the path bends. The duration follows from Fitts' law for the
// distance and the size of the target. From a moving start, the movement takes over the present speed.
#pragma once
#include "troupe/plan/arm_path.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_timing_params {
    double duration;            // [s]; 0: by Fitts' law
    float target_width;         // [m, > 0]; 0: 0.05
    float pace;                 // 1: human pace; 2: twice as fast [> 0]; 0: 1
    const tr_posture *velocity; // at the start [rad/s]; NULL: at rest
} tr_arm_timing_params;

#define TR_ARM_TIMING_SAMPLES 128 // intervals along the path
#define TR_ARM_TIMING_BEATS 64    // intervals of time

// Plain values that may be copied. The knots of the arm path must live as long.
typedef struct tr_arm_timing {
    tr_arm_path arm_path;
    double duration;    // [s]
    double length;      // of the path, as it is timed [m]
    double start_speed; // along the path [m/s]
    uint32_t intervals; // of u, of equal size [0, TR_ARM_TIMING_SAMPLES]; 0: the arm does not move
    // At the ends of the intervals: the distance so far [m], and its first and second derivative with respect
    // to u.
    double way[TR_ARM_TIMING_SAMPLES + 1];
    float slope[TR_ARM_TIMING_SAMPLES + 1], bend[TR_ARM_TIMING_SAMPLES + 1];
    double
        beats[TR_ARM_TIMING_BEATS + 3]; // control values of the cubic B-spline that gives distance over time
} tr_arm_timing;

// Computes the timing of an arm path. TR_INVALID: parameters are out of range, the arm path is empty, or
// knots are not finite. An arm path of one knot, or of equal knots, lasts 0 s. A moving start that must stop
// soon makes the duration shorter than requested: the hand never moves past the end of the path or backwards
// on it. No allocation.
TR_API tr_status tr_arm_timing_make(const tr_arm *arm, const tr_arm_path *arm_path,
                                    const tr_arm_timing_params *params, tr_arm_timing *arm_timing,
                                    tr_error *error);
// Returns the posture at `time` [s; clamped to 0 and the duration]. `velocity` (may be NULL) is in rad/s. No
// allocation, pure.
TR_API tr_posture tr_arm_timing_at(const tr_arm_timing *arm_timing, double time, tr_posture *velocity);
TR_API double tr_arm_timing_u(const tr_arm_timing *arm_timing, double time); // u of the arm path
// Returns the duration by Fitts' law [s], as measured for the fastest possible hand movements to a target of
// this width.
TR_API double tr_arm_timing_fitts(double distance, double width);

TR_END_DECLARATIONS
