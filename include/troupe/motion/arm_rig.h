// troupe/motion/arm_rig.h - the arm of a skeleton: measures it as a tr_arm, reads postures from poses and
// writes them back.
//
// Works with any humanoid whose joints have roles, whatever its rest pose (arms hanging, T, A), the axes of
// its joints and its up axis. Pronation is applied at the hand. The help of the trunk is applied at the
// lowest joint of the spine and at the collar bone.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/pose.h"
#include "troupe/plan/reach.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_arm_rig {
    tr_arm_side side;
    uint32_t pelvis, chest; // give the position and the axes of the arm's base
    uint32_t waist, collar; // TR_NONE: no such help
    uint32_t upper, forearm, hand;
    // Lengths, limits, and the base in the rest pose: the position of the pelvis, with X to the left of the
    // body, Y up and Z forwards. The limits of the help are as far as the skeleton's joints can turn. Set
    // them to 0 to forbid help.
    tr_arm arm;
    // Rotations from the axes of a joint to those of R1, R2, R3 and of the trunk, measured in the rest pose.
    tr_quat upper_offset, forearm_offset, hand_offset, trunk_offset;
    tr_posture rest; // the angles of the rest pose, within the limits
    float height;    // of the body at rest, along its own up axis [m]
} tr_arm_rig;

// Measures an arm of a skeleton. TR_NOT_FOUND: a role is missing (the error names it). TR_INVALID: a bone has
// no length, or the joints do not form a chain. Radii come from the capsules of `body` (may be NULL) where it
// has some on those joints, otherwise from the height.
TR_API tr_status tr_arm_rig_measure(const tr_skeleton *skeleton, const tr_body *body, tr_arm_side side,
                                    tr_arm_rig *joints, tr_error *error);
// Writes the parts of the body that the arm can touch (torso, head, legs to the ankles, the other arm) for
// tr_reach_def. The parts are as in the pose, in the axes of the base that tr_arm_rig_read gives. They come
// from the capsules of `body`; where it is NULL or has none, from the positions of the joints. Returns the
// number of parts written, at most `max`.
TR_API uint32_t tr_arm_rig_bodies(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_body *body,
                                  const tr_affine *model, tr_reach_body *bodies, uint32_t max);

// Reads the arm and its posture in the world from a pose. `model` must be up to date and in the world. `arm`
// receives the limits, the lengths, and a base that includes the trunk's movement in the pose: the position
// of the pelvis and the axes of the chest as posed. The angles of the posture are therefore measured against
// the chest, and help of 0 leaves the trunk as it is. Angles are clamped to the limits. Returns the largest
// amount by which an angle was outside [rad].
TR_API float tr_arm_rig_read(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_pose *pose,
                             const tr_affine *model, tr_arm *arm, tr_posture *posture);
// Rotates the joints so that the arm takes this posture. Help is added to the pose that `arm` was read from.
// The arm's own joints are replaced, and joints between them are set to rest. `weight` [0, 1] blends from the
// present pose to the posture. `model` is up to date before and after. No allocation.
TR_API void tr_arm_rig_write(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_arm *arm,
                             const tr_posture *posture, float weight, tr_pose *pose, const tr_affine *place,
                             tr_affine *model);

TR_END_DECLARATIONS
