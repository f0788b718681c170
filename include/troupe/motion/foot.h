// troupe/motion/foot.h - heel, ball and tip of a foot: where a body touches the ground.
#pragma once
#include "troupe/motion/pose.h"

TR_BEGIN_DECLARATIONS

// Points of the sole, level with the ground in the rest pose. The ankle turns heel and ball, the toes turn
// the tip.
typedef struct tr_foot {
    uint32_t thigh, shank, ankle, toes; // joints; toes: TR_NONE when the skeleton has none
    tr_vec3 heel, ball;                 // in the ankle's axes [m]
    tr_vec3 tip;                        // in the axes of the toes, or of the ankle where there are none [m]
} tr_foot;

// From the rest pose: the sole is as low as the lowest joint of the leg, ends included. The ball lies under
// the toes joint, the tip under the end of the toes, the heel behind the ankle by 0.4 of the way from there
// to the ball. TR_NOT_FOUND: the skeleton has no foot with a role on that side. `side` 0 is left, 1 right.
TR_API tr_status tr_foot_measure(const tr_skeleton *skeleton, uint32_t side, tr_foot *foot);

TR_API tr_vec3 tr_foot_heel(const tr_foot *foot, const tr_affine *model);
TR_API tr_vec3 tr_foot_ball(const tr_foot *foot, const tr_affine *model);
TR_API tr_vec3 tr_foot_tip(const tr_foot *foot, const tr_affine *model);

TR_END_DECLARATIONS
