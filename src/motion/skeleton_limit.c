// Limits of joints: a turn taken apart into twist and swing, measured, and brought back inside.
#include "skeleton_data.h"
#include "troupe/base/scalar.h"

#define SURE 1e-4f // further from a limit no rounding matters [rad]
#define UNIT 1e-5f // what the square of a unit quaternion may be off

// The turn away from rest: first the twist, then the swing.
typedef struct turn_parts {
    tr_quat twist, swing;
    tr_vec3 angles;
} turn_parts;

static turn_parts take_apart(const tr_joint_def *joint, tr_quat rotation) {
    tr_quat q = tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(joint->rest.rotation), rotation));
    if (q.w < 0)
        q = (tr_quat){-q.x, -q.y, -q.z, -q.w};
    uint32_t axis = joint->limit.twist_axis;
    turn_parts parts = {.twist = {0, 0, 0, q.w}};
    (&parts.twist.x)[axis] = (&q.x)[axis];
    parts.twist = tr_quat_normalize(parts.twist); // a swing by half a turn leaves no twist: the identity
    parts.swing = tr_quat_multiply(q, tr_quat_conjugate(parts.twist));
    parts.angles = tr_quat_to_vector(parts.swing);
    (&parts.angles.x)[axis] = (float)(2 * tr_arc_tangent((&parts.twist.x)[axis], parts.twist.w));
    return parts;
}

tr_vec3 tr_skeleton_limit_angles(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation) {
    if (joint >= skeleton->joint_count)
        return tr_vec3_make(0, 0, 0);
    return take_apart(&skeleton->joints[joint], rotation).angles;
}

static bool is_within(float least, float greatest, float low, float high) {
    return least > low + SURE && greatest < high - SURE;
}

// An angle between `a` and `b` of the same sign, in any order.
static bool is_between(float a, float b, float low, float high) {
    return a < b ? is_within(a, b, low, high) : is_within(b, a, low, high);
}

// Most turns are well inside their limits. Angles between which theirs lie cost little: an arc tangent lies
// between two of its sums, and an arc sine over its sine between 1 and what its square adds at most. true:
// the excess is 0; false: not to be told so.
static bool is_surely_inside(const tr_joint_def *joint, tr_quat rotation) {
    tr_quat q = tr_quat_multiply(tr_quat_conjugate(joint->rest.rotation), rotation);
    if (q.w < 0)
        q = (tr_quat){-q.x, -q.y, -q.z, -q.w};
    const float *v = &q.x, *low = &joint->limit.low.x, *high = &joint->limit.high.x;
    uint32_t a = joint->limit.twist_axis, b = (a + 1) % 3, c = (a + 2) % 3;
    float square = v[a] * v[a] + q.w * q.w, all = square + (v[b] * v[b] + v[c] * v[c]);
    if (!(all > 1 - UNIT && all < 1 + UNIT && fabsf(v[a]) < q.w))
        return false;
    float t = v[a] / q.w, cube = t * t * t, twist = 2 * (t - cube * (1.0f / 3));
    if (!is_between(twist, twist + cube * t * t * 0.4f, low[a], high[a]))
        return false;
    float inverse = 1 / sqrtf(square), sine = v[a] * inverse, cosine = q.w * inverse;
    float swing_b = 2 * (cosine * v[b] - sine * v[c]), swing_c = 2 * (cosine * v[c] + sine * v[b]);
    float most = 1 + (float)(TR_PI / 2 - 1) * 0.25f * (swing_b * swing_b + swing_c * swing_c);
    return is_between(swing_b, swing_b * most, low[b], high[b]) &&
           is_between(swing_c, swing_c * most, low[c], high[c]);
}

static float excess_of(const tr_joint_limit *limit, tr_vec3 angles) {
    float worst = 0;
    for (int axis = 0; axis < 3; axis++) {
        float angle = (&angles.x)[axis];
        float below = (&limit->low.x)[axis] - angle, above = angle - (&limit->high.x)[axis];
        worst = below > worst ? below : worst;
        worst = above > worst ? above : worst;
    }
    return worst;
}

float tr_skeleton_limit_excess(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation) {
    if (joint >= skeleton->joint_count || !skeleton->joints[joint].limit.active)
        return 0;
    const tr_joint_def *j = &skeleton->joints[joint];
    return is_surely_inside(j, rotation) ? 0 : excess_of(&j->limit, take_apart(j, rotation).angles);
}

tr_quat tr_skeleton_limit_clamp(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation) {
    if (joint >= skeleton->joint_count || !skeleton->joints[joint].limit.active ||
        is_surely_inside(&skeleton->joints[joint], rotation))
        return rotation;
    const tr_joint_def *j = &skeleton->joints[joint];
    tr_vec3 angles = take_apart(j, rotation).angles;
    if (excess_of(&j->limit, angles) <= 0)
        return rotation;
    for (int axis = 0; axis < 3; axis++) {
        float *angle = &(&angles.x)[axis];
        float low = (&j->limit.low.x)[axis], high = (&j->limit.high.x)[axis];
        *angle = *angle < low ? low : *angle > high ? high : *angle;
    }
    uint32_t axis = j->limit.twist_axis;
    tr_vec3 along = {0, 0, 0};
    (&along.x)[axis] = 1;
    tr_quat twist = tr_quat_about(along, (&angles.x)[axis]);
    (&angles.x)[axis] = 0;
    tr_quat turn = tr_quat_multiply(tr_quat_from_vector(angles), twist);
    return tr_quat_normalize(tr_quat_multiply(j->rest.rotation, turn));
}
