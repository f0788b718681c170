// troupe/motion/stroke.h - a path of an arm in time: how fast people's hands go along it.
//
// One smooth rise and fall of speed along the path of the wrist (minimum jerk), as long as Fitts' law says
// for the distance and the size of the target; from a moving start it takes the speed over.
#pragma once
#include "troupe/plan/sweep.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_stroke_params {
    double duration;            // [s]; 0: by Fitts' law
    float target_width;         // [m, > 0]; 0: 0.05
    float pace;                 // 1: as people do; 2: twice as fast [> 0]; 0: 1
    const tr_posture *velocity; // at the start [rad/s]; NULL: at rest
} tr_stroke_params;

#define TR_STROKE_SAMPLES 128

// Plain values; the sweep's knots must live as long. May be copied.
typedef struct tr_stroke {
    tr_sweep sweep;
    double duration;                        // [s]
    double length;                          // of the way that is timed [m]
    double start_speed, start_acceleration; // along it
    float way[TR_STROKE_SAMPLES + 1];       // at u = k / TR_STROKE_SAMPLES of the sweep [m]
} tr_stroke;

// TR_INVALID: parameters out of range, an empty sweep. A sweep of one knot lasts 0 s.
TR_API tr_status tr_stroke_make(const tr_arm *arm, const tr_sweep *sweep, const tr_stroke_params *params,
                                tr_stroke *stroke, tr_error *error);
// At `time` [s; clamped to 0 and the duration]. `velocity` (may be NULL) in rad/s. No allocation, pure.
TR_API tr_posture tr_stroke_at(const tr_stroke *stroke, double time, tr_posture *velocity);
TR_API double tr_stroke_u(const tr_stroke *stroke, double time); // of the sweep
// Fitts' law as measured for reaching with the arm [s].
TR_API double tr_stroke_fitts(double distance, double width);

TR_END_DECLARATIONS
