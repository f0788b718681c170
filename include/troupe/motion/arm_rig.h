// troupe/motion/arm_rig.h - the arm of a skeleton: measured as a tr_arm, read from poses and put into them.
//
// Any humanoid whose joints have roles: whatever its rest pose (arms hanging, T, A), the axes of its joints
// and the axis that is up. Pronation is turned at the hand. The help of the trunk is turned at the lowest
// joint of the spine and at the collar bone.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/pose.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_rig {
    tr_arm_side side;
    uint32_t pelvis, chest; // whose place and whose axes the base of the arm has
    uint32_t waist, collar; // TR_NONE: no such help
    uint32_t upper, forearm, hand;
    // Lengths and limits, and the base of the rest pose: the pelvis's place, X to the left of the body, Y up,
    // Z ahead. The limits of the help are as far as the skeleton goes along; make them 0 to forbid it.
    tr_arm arm;
    // From the axes of a joint to those of R1, R2, R3 and of the trunk, found in the rest pose.
    tr_quat upper_offset, forearm_offset, hand_offset, trunk_offset;
    tr_posture rest; // the angles of the rest pose, within the limits
    float height;    // of the body at rest, upwards as its axes are [m]
} tr_arm_rig;

// TR_NOT_FOUND: a role is missing (named). TR_INVALID: a bone without length, joints that do not hang on each
// other. Radii come from the capsules of `body` where it has some on those joints (may be NULL), else from
// the height.
TR_API tr_status tr_arm_rig_measure(const tr_skeleton *skeleton, const tr_body *body, tr_arm_side side,
                                    tr_arm_rig *joints, tr_error *error);
// What of the body the arm can run into (torso, head, legs to the ankles, the other arm), as it is in the
// pose, in the axes of the base that tr_arm_rig_read gives: for tr_reach_def. From the capsules of `body`;
// where it is NULL or has none, from where the joints are. Returns how many of at most `max` were written.
TR_API uint32_t tr_arm_rig_bodies(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_body *body,
                                  const tr_affine *model, tr_reach_body *bodies, uint32_t max);

// The arm as it stands in the world in this pose, `model` being up to date and in the world. `arm` gets the
// limits, the lengths, and a base that has in it what the trunk does in the pose: the place of the pelvis,
// and the axes of the chest as posed. So the angles, which are those of the pose, are measured against the
// chest, and help of 0 leaves the trunk as it is. Angles are clamped to the limits; the return value is by
// how much any of them was outside [rad].
TR_API float tr_arm_rig_read(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_pose *pose,
                             const tr_affine *model, tr_arm *arm, tr_posture *posture);
// Turn the joints so that the arm is in this posture: help on top of the pose that `arm` was read from, the
// arm's own joints replaced (and any between them put to rest); `weight` [0, 1] between the pose as it is and
// the posture. `model` is up to date before and after. No allocation.
TR_API void tr_arm_rig_write(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_arm *arm,
                             const tr_posture *posture, float weight, tr_pose *pose, const tr_affine *place,
                             tr_affine *model);

TR_END_DECLARATIONS
