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

// Three postures at once: the points of the first, and the greater of their distances from there in the other
// two [m].
void tr_arm_three_points(const tr_arm *arm, const tr_posture *first, const tr_posture *second,
                         const tr_posture *third, tr_vec3 points[4], float furthest[4]);
