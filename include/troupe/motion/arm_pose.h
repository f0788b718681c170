// troupe/motion/arm_pose.h - the arm of a skeleton: measured as a tr_arm, read from poses and put into them.
//
// Any humanoid whose joints have roles: whatever its rest pose (arms hanging, T, A) and the axes of its
// joints. Pronation is turned at the hand where the skeleton has no twist joint. The help of the trunk is
// turned at the lowest joint of the spine and at the collar bone.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/pose.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_joints {
    tr_arm_side side;
    uint32_t pelvis, waist, collar, upper, forearm, hand; // collar and waist may be TR_NONE: no such help
    tr_arm arm; // lengths, limits; base is that of the rest pose standing at the origin
    // From joint axes to the axes of R1, R2, R3, of the pelvis and the trunk, found in the rest pose.
    tr_quat upper_offset, forearm_offset, hand_offset, pelvis_offset, trunk_offset;
} tr_arm_joints;

// TR_NOT_FOUND: a role is missing (named). TR_INVALID: a bone without length. Radii come from the capsules of
// `body` where it has some on those joints (may be NULL), else from the height.
TR_API tr_status tr_arm_joints_measure(const tr_skeleton *skeleton, const tr_body *body, tr_arm_side side,
                                       tr_arm_joints *joints, tr_error *error);
// The capsules of the body that the arm can run into (torso, head, thighs, the other arm as it is in the
// pose), for tr_reach_def. Returns how many of at most `max` were written.
TR_API uint32_t tr_arm_joints_bodies(const tr_arm_joints *joints, const tr_skeleton *skeleton,
                                     const tr_body *body, const tr_affine *model, tr_reach_body *bodies,
                                     uint32_t max);

// The arm as it stands in the world in this pose: `arm` gets base and lengths; the angles are those of the
// pose (help 0: what the trunk does in the pose is in the base), clamped to the limits, and the return value
// is by how much any of them was outside [rad]. `model` is up to date, in the world.
TR_API float tr_arm_joints_read(const tr_arm_joints *joints, const tr_skeleton *skeleton, const tr_pose *pose,
                                const tr_affine *model, tr_arm *arm, tr_posture *posture);
// Turn the joints so that the arm is in this posture: help on top of the pose that it was read from
// (`arm->base`), the arm's own joints replaced; `weight` [0, 1] between the pose as it is and the posture.
// pose and model are up to date afterwards. No allocation.
TR_API void tr_arm_joints_write(const tr_arm_joints *joints, const tr_skeleton *skeleton, const tr_arm *arm,
                                const tr_posture *posture, float weight, tr_pose *pose,
                                const tr_affine *place, tr_affine *model);

TR_END_DECLARATIONS
