// troupe/motion/arm_smooth.h - a path of an arm bent until the hand goes along it smoothly.
//
// A planner makes paths short and keeps them free. How much the hand jerks on one depends on when it is where
// (arm_timing.h), which no planner knows. Here both are brought together: the knots move to where the wrist
// jerks less in its own timing, as far as everything stays free.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/motion/arm_timing.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

#define TR_ARM_SMOOTH_KNOTS_MIN 5
#define TR_ARM_SMOOTH_KNOTS_MAX 32

typedef struct tr_arm_smooth_params {
    const tr_posture *velocity; // of the arm at the start [rad/s]: it still begins that way; NULL: at rest
    double enough;              // log dimensionless jerk (smoothness.h) that needs no more; 0: -5.6
    uint32_t tries;             // paths that are tried, each of them checked; 0: 16
    float clearance;            // a segment that has this much room keeps it, measured at 8 places [m, >= 0]
} tr_arm_smooth_params;

typedef struct tr_arm_smooth_report {
    double before, after; // log dimensionless jerk of the wrist, at 64 steps of the movement
    uint32_t tries;       // paths that were tried
    uint32_t steps;       // of them that were free and smoother
} tr_arm_smooth_report;

typedef struct tr_arm_smooth tr_arm_smooth;
TR_API tr_status tr_arm_smooth_create(const tr_allocator *allocator, tr_arm_smooth **arm_smooth,
                                      tr_error *error);
TR_API void tr_arm_smooth_destroy(tr_arm_smooth *arm_smooth); // NULL is allowed

// Move the inner knots of a path that `reach` certifies; both ends stay, limits are kept, and what comes out
// is certified again (tr_reach_is_free, segment by segment). Where nothing can be bettered the knots are left
// as they are: a path of fewer or more knots than above, or one that is not free as it is. `params` and
// `report` may be NULL. TR_INVALID: knots that are not finite, parameters out of range. No allocation; the
// same bits everywhere.
TR_API tr_status tr_arm_smooth_run(tr_arm_smooth *arm_smooth, tr_reach *reach,
                                   const tr_arm_smooth_params *params, tr_posture *knots, uint32_t count,
                                   tr_arm_smooth_report *report, tr_error *error);

TR_END_DECLARATIONS
