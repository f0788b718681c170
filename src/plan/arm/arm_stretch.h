// How far the arm gets from the middle of a stretch of its path: closer than a box around the posture, since
// it knows where the path begins and ends. Internal.
#pragma once
#include "troupe/plan/arm.h"

typedef struct tr_arm_stretch {
    const tr_posture *begin, *middle, *end; // at the path's measure -1, 0 and 1
    const tr_posture *bend; // no angle's second derivative exceeds this on the way; NULL: a straight line
} tr_arm_stretch;

typedef struct tr_arm_stretch_bound {
    tr_vec3 points[4];        // of the middle
    float link[TR_ARM_LINKS]; // no point of a link's line gets further from its place in the middle [m]
    float trunk;              // nor the shoulder or any point of the trunk within `trunk_reach`
    float hand;               // nor a point of the hand as seen from the upper arm
} tr_arm_stretch_bound;

tr_arm_stretch_bound tr_arm_stretch_measure(const tr_arm *arm, const tr_arm_stretch *stretch,
                                            float trunk_reach);
