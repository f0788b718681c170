// troupe/motion/hand_rig.h - the fingers of a skeleton: measures them as a tr_hand_shape and writes their
// angles into poses.
//
// Works with any humanoid whose finger joints have the usual names (thumb, index, middle, ring, little or
// pinky), whatever its rest pose and the axes of its joints.
#pragma once
#include "troupe/motion/arm_rig.h"
#include "troupe/plan/hand.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_hand_rig {
    uint32_t joint;                               // of the hand
    uint32_t bones[TR_FINGERS][TR_FINGER_BONES];  // joints; TR_NONE: the hand lacks this bone
    tr_quat parents[TR_FINGERS][TR_FINGER_BONES]; // from the axes of the joint above to those of the hand
    tr_hand_shape hand;                           // in metres
} tr_hand_rig;

// Measures the hand of an arm. TR_NOT_FOUND: no joints of a thumb and an index finger (the error names what
// is missing). Radii come from the mesh of `body` (may be NULL) where it has vertices on those joints, and
// from the length of the hand otherwise. Limits are human, narrowed to those of the skeleton's joints.
TR_API tr_status tr_hand_rig_measure(const tr_skeleton *skeleton, const tr_body *body, const tr_arm_rig *arm,
                                     tr_hand_rig *rig, tr_error *error);
// Writes the angles of the fingers into a pose. `weight` [0, 1] blends from the present pose. No allocation.
TR_API void tr_hand_rig_write(const tr_hand_rig *rig, const tr_skeleton *skeleton,
                              const tr_hand_posture *posture, float weight, tr_pose *pose);

TR_END_DECLARATIONS
