// troupe/motion/arm_smooth.h - arm smoothing: bends the path of an arm until the hand follows it smoothly.
//
// A planner makes paths short and keeps them free of collision. How much the hand jerks on a path also
// depends on its timing (arm_timing.h), which a planner does not know. Arm smoothing considers both: it moves
// the knots to where the wrist jerks less in its own timing, as long as the path stays free.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/motion/arm_timing.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

#define TR_ARM_SMOOTH_KNOTS_MIN 5
#define TR_ARM_SMOOTH_KNOTS_MAX 32

typedef struct tr_arm_smooth_params {
    const tr_posture *velocity; // at the start [rad/s]; the path keeps its direction; NULL: at rest
    double enough;              // log dimensionless jerk (smoothness.h) that is smooth enough; 0: -5.6
    uint32_t tries;             // limit on paths tried, each of them checked; 0: 16
    float clearance;            // a segment with this clearance keeps it, measured at 8 places [m, >= 0]
} tr_arm_smooth_params;

typedef struct tr_arm_smooth_report {
    double before, after; // log dimensionless jerk of the wrist, over 64 steps of the movement
    uint32_t tries;       // paths that were tried
    uint32_t steps;       // paths among these that were free and smoother
} tr_arm_smooth_report;

typedef struct tr_arm_smooth tr_arm_smooth;
TR_API tr_status tr_arm_smooth_create(const tr_allocator *allocator, tr_arm_smooth **arm_smooth,
                                      tr_error *error);
TR_API void tr_arm_smooth_destroy(tr_arm_smooth *arm_smooth); // NULL is allowed

// Moves the inner knots of a path that `reach` certifies. Both ends stay fixed, joint limits are kept, and
// the result is certified again (tr_reach_is_free, segment by segment). The knots stay unchanged where
// nothing can be improved, where the path has fewer or more knots than the limits above, and where the path
// is not free. `params` and `report` may be NULL. TR_INVALID: knots are not finite, or parameters are out of
// range. No allocation; results are bit-identical on every platform.
TR_API tr_status tr_arm_smooth_run(tr_arm_smooth *arm_smooth, tr_reach *reach,
                                   const tr_arm_smooth_params *params, tr_posture *knots, uint32_t count,
                                   tr_arm_smooth_report *report, tr_error *error);

TR_END_DECLARATIONS
