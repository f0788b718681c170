// Shared by the bounds of motion: changes of angles in pairs whose axes are orthogonal, and the largest
// distances of points beyond a joint from it. Internal.
#pragma once
#include "troupe/plan/arm.h"

#define ARM_ROUNDING 1.00001f // error of sums and products in single precision

typedef struct arm_turns {
    float flexion, abduction, swing, rotation, elbow, twist, pronation, wrist, collar, trunk;
} arm_turns;
arm_turns tr_arm_turns(const tr_arm *arm, const tr_posture *change);

// Bounds for the joints beyond flexion and abduction, while no angle changes by more than `turns`.
typedef struct arm_beyond {
    float wrist, tip;             // how far the joints move these
    float hand;                   // how far elbow, forearm and wrist move the tip
    float wrist_reach, tip_reach; // largest distance from the shoulder on the way
    float lower_reach;            // from the elbow to the tip
} arm_beyond;
// `upper` is the direction of the upper arm.
arm_beyond tr_arm_beyond(const tr_arm *arm, tr_vec3 upper, const arm_turns *turns, const tr_vec3 points[4]);
