// What the sources of `upper` share.
#pragma once
#include "motion/arm/arm_rig_parts.h"
#include "motion/upper/upper.h"

enum { TR_UPPER_LEAN, TR_UPPER_BEND, TR_UPPER_TURN }; // the angles of the waist

static inline tr_quat tr_upper_heading(float heading) {
    return tr_quat_about(tr_vec3_make(0, 1, 0), (double)heading);
}
// From the axes of the trunk to those of the pelvis, for these shares of the angles.
static inline tr_quat tr_upper_waist(const float waist[TR_COMPLY_WAIST_ANGLES], float lean, float turn) {
    tr_quat ahead =
        tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 1, 0), (double)(turn * waist[TR_UPPER_TURN])),
                         tr_quat_about(tr_vec3_make(1, 0, 0), (double)(lean * waist[TR_UPPER_LEAN])));
    return tr_quat_multiply(ahead, tr_quat_about(tr_vec3_make(0, 0, 1), -(double)waist[TR_UPPER_BEND]));
}
// From the axes of the trunk to the world.
tr_affine tr_upper_axes(const tr_comply_place *place, const tr_comply_pose *pose);
// The joints of an arm in the axes of the trunk as plan/comply has them, and the axes of upper arm and
// forearm.
void tr_upper_arm_at(const tr_arm *arm, const float q[TR_COMPLY_ARM_ANGLES], tr_vec3 points[4],
                     tr_quat *upper, tr_quat *forearm);
