// plan/grasp/hand_parts.h - parts of a hand that grasps are computed from. Internal to plan/grasp.
#pragma once
#include "troupe/plan/hand.h"

// The turn of the thumb's saddle joint.
tr_quat tr_hand_saddle(const tr_hand_shape *hand, const tr_hand_posture *posture);
// The palm, in the axes of the hand. Returns the number of capsules, 2.
uint32_t tr_hand_palm_capsules(const tr_hand_shape *hand, tr_solid_capsule capsules[2]);
