// How far the arm gets from the middle of a stretch of its path: a tighter bound than a box around the
// posture, because the start and end of the path are known. Internal.
#pragma once
#include "troupe/plan/arm.h"

typedef struct tr_arm_stretch {
    const tr_posture *begin, *middle, *end; // at the path's parameter -1, 0 and 1
    const tr_posture *bend; // bound of the second derivative of each angle; NULL: a straight line
} tr_arm_stretch;

typedef struct tr_arm_stretch_bound {
    tr_vec3 points[4];        // in the middle
    float link[TR_ARM_LINKS]; // largest distance of a point of a link's line from its place in the middle [m]
    float trunk;              // the same for the shoulder and any point of the trunk within `trunk_reach`
    float hand;               // the same for a point of the hand as seen from the upper arm
} tr_arm_stretch_bound;

tr_arm_stretch_bound tr_arm_stretch_measure(const tr_arm *arm, const tr_arm_stretch *stretch,
                                            float trunk_reach);
