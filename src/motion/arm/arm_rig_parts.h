// What the sources of `arm_rig` share.
#pragma once
#include "troupe/motion/arm_rig.h"

static inline tr_vec3 tr_arm_rig_unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : v;
}

// The part of `v` perpendicular to the unit vector `along`, normalized; zero if that part vanishes.
static inline tr_vec3 tr_arm_rig_across(tr_vec3 v, tr_vec3 along) {
    tr_vec3 rest = tr_vec3_subtract(v, tr_vec3_scale(along, tr_vec3_dot(v, along)));
    return tr_vec3_length(rest) > 1e-6f ? tr_arm_rig_unit(rest) : tr_vec3_make(0, 0, 0);
}

// The rotation with these perpendicular axes.
static inline tr_quat tr_arm_rig_turn_of(tr_vec3 x, tr_vec3 y, tr_vec3 z) {
    tr_affine axes = {{{x.x, y.x, z.x, 0}, {x.y, y.y, z.y, 0}, {x.z, y.z, z.z, 0}}};
    return tr_quat_normalize(tr_affine_rotation(&axes));
}

static inline tr_quat tr_arm_rig_product(tr_quat a, tr_quat b) {
    return tr_quat_normalize(tr_quat_multiply(a, b));
}

// Does the name contain the word, in upper or lower case? `word` is in lower case.
static inline bool tr_arm_rig_says(const char *name, const char *word) {
    for (; name && *name; name++) {
        int i = 0;
        while (word[i] && (name[i] | 32) == word[i])
            i++;
        if (!word[i])
            return true;
    }
    return false;
}

// The axes of the trunk in this model, at the pelvis.
tr_affine tr_arm_rig_base(const tr_arm_rig *joints, const tr_affine *model);
// A world point in the axes of a base that only rotates and translates.
tr_vec3 tr_arm_rig_into(const tr_affine *base, tr_vec3 point);

// A local rotation with a world rotation applied on top of it and of that of its parent, whose axes are
// `axes`.
tr_quat tr_arm_rig_turn_locally(tr_quat turn, const tr_affine *axes, tr_quat local);

// The shape of three links: the places of the joints, and the rotations of upper arm and hand (the axes of
// R1, for which the bend of the elbow may be more precise, and R3), all in the same frame.
typedef struct arm_shape {
    tr_vec3 shoulder, elbow, wrist;
    tr_quat upper, hand;
} arm_shape;
// The seven angles of a shape given in the axes of the trunk, as close to the limits as the choice permits;
// help 0. Angles are not clamped.
tr_posture tr_arm_rig_angles(const tr_arm *arm, const arm_shape *shape);
// R1 of that shape.
tr_quat tr_arm_rig_upper(const arm_shape *shape);
