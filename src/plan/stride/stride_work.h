// A straight step while it is planned: its samples as structure of arrays, four to a vector. Internal to
// plan/stride.
#pragma once
#include "stride_columns.h"
#include "stride_data.h"
#include "stride_limits.h"

#define WORK_SAMPLES 16    // of a swing: 0 to 16
#define WORK_ROOM 20       // whole vectors; those behind the last sample repeat it
#define WORK_OBSTACLES 192 // columns below a step, at most
#define WORK_CLOSE 1e-4f   // [m]

// What stands higher than both footsteps, column by column from `first` on; -INFINITY elsewhere.
typedef struct work_obstacles {
    uint32_t first, last;
    float high; // -INFINITY: nothing does
    float values[WORK_OBSTACLES];
} work_obstacles;

typedef struct plan_work {
    const tr_stride_query *query;
    const stride_limits *limits;
    const stride_ranges *ranges; // of the lanes of the swinging and the standing foot
    tr_stride *stride;
    float s[WORK_ROOM], share[WORK_ROOM];           // of the swing, of the step
    float weights[2][WORK_ROOM];                    // how far lifts of the control points lift the ankle
    float level_height[WORK_ROOM], hump[WORK_ROOM]; // of the pelvis without its bump, and of the bump
    float along[WORK_ROOM], up[WORK_ROOM], aside[WORK_ROOM]; // of the swinging ankle, without lift
    float off_along[3][WORK_ROOM], off_up[3][WORK_ROOM];     // from it to rear, ball and front of the sole
    float ahead_along[2][WORK_ROOM], ahead_up[2][WORK_ROOM]; // directions of both soles: swinging, standing
    float hip_along[WORK_ROOM], hip_aside[2][WORK_ROOM];
    float stand_along[WORK_ROOM], stand_up[WORK_ROOM]; // of the standing ankle
    float lift[2];                                     // of both control points [m]
    float bump;   // of the pelvis, as far as the standing foot allows [m]
    float floor;  // the lowest of the three footsteps [m]
    float high;   // the highest thing along the step in the lane of the swinging foot,
    float beside; // and in that of the standing one [m]
    bool open;    // there is no overhang
    bool level;   // nothing reaches a leg
    work_obstacles obstacles;
} plan_work;

static inline simd_float work_ease(simd_float x) {
    x = simd_min(simd_max(x, simd_set(0)), simd_set(1));
    return x * x * (simd_set(3) - simd_set(2) * x);
}
static inline simd_float work_hump(simd_float x) {
    simd_float product = x * (simd_set(1) - x);
    return simd_set(16) * product * product;
}

static inline float work_highest(const plan_work *work, int lane, uint32_t from, uint32_t to) {
    const tr_stride_lane *values = lane ? &work->query->stand : &work->query->swing;
    return work->ranges ? stride_ranges_highest(&work->ranges[lane], from, to)
                        : columns_highest(values->top, from, to);
}

// --- stride_curve.c ---
// Directions and corners of the swinging sole at all samples. Before anything else.
void tr_stride_curve_begin(plan_work *work);
// The lowest curve whose sole clears the ground. `flat`: the ground is as level as both footsteps. false: no
// curve does.
bool tr_stride_curve_choose(plan_work *work, bool flat);
void tr_stride_curve_lift(plan_work *work, float first, float second);
