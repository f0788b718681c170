// The points of several postures at once, for edges that are checked in batches: the same bits as
// tr_arm_points. Internal.
#pragma once
#include "troupe/plan/arm.h"

#define ARM_LANES 8

typedef struct tr_arm_lanes {
    float q[TR_ARM_ANGLES][ARM_LANES]; // [rad]
} tr_arm_lanes;
typedef struct tr_arm_lane_points {
    float x[4][ARM_LANES], y[4][ARM_LANES], z[4][ARM_LANES]; // shoulder, elbow, wrist, tip
} tr_arm_lane_points;

// The first `count` postures, rounded up to four or eight.
void tr_arm_lanes_points(const tr_arm *arm, const tr_arm_lanes *lanes, uint32_t count,
                         tr_arm_lane_points *points);
