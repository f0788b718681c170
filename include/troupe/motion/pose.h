// troupe/motion/pose.h - where every joint is relative to its parent, as a structure of arrays.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"
#include "troupe/motion/skeleton.h"

TR_BEGIN_DECLARATIONS

// Each array has `stride` floats (joint_count rounded up to a multiple of 4; the floats after the last joint
// are scratch). Rotations are unit quaternions x, y, z, w. The root joint is relative to the character's base
// point, a point on the ground that `place` (tr_affine_place) puts into the world.
typedef struct tr_pose {
    tr_allocator allocator;
    uint32_t joint_count, stride;
    float *position[3], *rotation[4], *scale[3];
    bool scaled; // false: every scale is 1, and the arrays need not be read
} tr_pose;

// Creates a pose with every joint at the identity. Zero is a valid pose of no joints.
TR_API tr_status tr_pose_create(const tr_allocator *allocator, uint32_t joint_count, tr_pose *pose,
                                tr_error *error);
TR_API void tr_pose_destroy(tr_pose *pose);
TR_API void tr_pose_copy(tr_pose *to, const tr_pose *from); // of the same joint count
TR_API void tr_pose_set_rest(tr_pose *pose, const tr_skeleton *skeleton);

TR_API tr_transform tr_pose_get(const tr_pose *pose, uint32_t joint);
TR_API void tr_pose_set(tr_pose *pose, uint32_t joint, tr_transform transform);
static inline tr_quat tr_pose_rotation(const tr_pose *pose, uint32_t joint) {
    tr_quat q = {pose->rotation[0][joint], pose->rotation[1][joint], pose->rotation[2][joint],
                 pose->rotation[3][joint]};
    return q;
}
// `rotation` must have unit length.
static inline void tr_pose_set_rotation(tr_pose *pose, uint32_t joint, tr_quat rotation) {
    pose->rotation[0][joint] = rotation.x;
    pose->rotation[1][joint] = rotation.y;
    pose->rotation[2][joint] = rotation.z;
    pose->rotation[3][joint] = rotation.w;
}

// Computes where every joint is in the axes of `place` (NULL: the character's own). `model` has room for
// joint_count. No allocation; lane by lane, the same bits everywhere.
TR_API void tr_pose_to_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                             tr_affine *model);
// The same for `joint` and its descendants, after some of them were turned; its parent must be up to date.
TR_API void tr_pose_update_model(const tr_skeleton *skeleton, const tr_pose *pose, const tr_affine *place,
                                 uint32_t joint, tr_affine *model);

TR_END_DECLARATIONS
