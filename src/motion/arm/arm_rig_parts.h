// What the sources of `arm_rig` share.
#pragma once
#include "troupe/motion/arm_rig.h"

static inline tr_vec3 tr_arm_rig_unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : v;
}

// What of `v` is at right angles to the unit vector `along`, of unit length; zero where nothing is.
static inline tr_vec3 tr_arm_rig_across(tr_vec3 v, tr_vec3 along) {
    tr_vec3 rest = tr_vec3_subtract(v, tr_vec3_scale(along, tr_vec3_dot(v, along)));
    return tr_vec3_length(rest) > 1e-6f ? tr_arm_rig_unit(rest) : tr_vec3_make(0, 0, 0);
}

// The turn whose axes are these, at right angles to each other.
static inline tr_quat tr_arm_rig_turn_of(tr_vec3 x, tr_vec3 y, tr_vec3 z) {
    tr_affine axes = {{{x.x, y.x, z.x, 0}, {x.y, y.y, z.y, 0}, {x.z, y.z, z.z, 0}}};
    return tr_quat_normalize(tr_affine_rotation(&axes));
}

static inline tr_quat tr_arm_rig_product(tr_quat a, tr_quat b) {
    return tr_quat_normalize(tr_quat_multiply(a, b));
}

// The axes of the trunk in these model places, at the pelvis.
tr_affine tr_arm_rig_base(const tr_arm_rig *joints, const tr_affine *model);
// A point of the world in the axes of a base, which turns and moves only.
tr_vec3 tr_arm_rig_into(const tr_affine *base, tr_vec3 point);

// What three links look like: where the joints are, and how upper arm and hand are turned (the axes of R1,
// of which the bend of the elbow may know better, and R3), in any one frame.
typedef struct arm_shape {
    tr_vec3 shoulder, elbow, wrist;
    tr_quat upper, hand;
} arm_shape;
// The seven angles of a shape that is given in the axes of the trunk, as near to the limits as there is a
// choice; help 0. Angles are not clamped.
tr_posture tr_arm_rig_angles(const tr_arm *arm, const arm_shape *shape);
// R1 of that shape.
tr_quat tr_arm_rig_upper(const arm_shape *shape);
