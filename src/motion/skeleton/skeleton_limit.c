// Limits of joints: splits a rotation into twist and swing, measures the excess, and brings it back inside.
#include "skeleton_data.h"
#include "troupe/base/scalar.h"

#define SURE 1e-4f     // rounding cannot matter this far inside a limit [rad]
#define ROUNDING 2e-6f // a smaller angle counts as 0 [rad]
#define WIDE 0.05f     // limits that are closer to rest leave no room for a quick decision [rad]
#define UNIT 1e-5f     // tolerance of the squared length of a unit quaternion

// The rotation away from rest: the twist first, then the swing.
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

joint_range tr_skeleton_range(const tr_joint_def *joint) {
    const tr_joint_limit *limit = &joint->limit;
    tr_quat rest = joint->rest.rotation;
    joint_range range = {.active = limit->active,
                         .rest_turned = rest.x != 0 || rest.y != 0 || rest.z != 0 || rest.w != 1};
    float least = (float)TR_PI;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t axis = (limit->twist_axis + i) % 3;
        float low = (&limit->low.x)[axis], high = (&limit->high.x)[axis];
        // The axes that a hinge does not turn about have no range, and rounding must not count as excess.
        float margin = high - low > 4 * SURE ? SURE : -ROUNDING;
        range.axes[i] = (uint8_t)axis;
        range.low[i] = low + margin;
        range.high[i] = high - margin;
        least = fminf(least, fminf(-range.low[i], range.high[i]));
    }
    double sine, cosine = 1;
    if (least > WIDE)
        tr_sin_cos(0.5 * (double)least, &sine, &cosine);
    range.sure = (float)(cosine * cosine);
    return range;
}

// Is an angle between `a` and `b`, of the same sign and in any order, between `low` and `high`?
static inline bool is_between(float a, float b, float low, float high) {
    return a > low && b > low && a < high && b < high;
}

// Most rotations are well inside their limits, and bounds of their angles cost little: neither twist nor
// swing is larger than the whole angle; an arc tangent lies
// between two partial sums of its series, and the arc sine divided by the sine lies between 1 and a bound
// from its square. true: the excess is 0; false: undecided. The sign of the quaternion does not matter.
static bool is_surely_inside(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation) {
    const joint_range *range = &skeleton->ranges[joint];
    tr_quat q = rotation, rest = tr_quat_identity();
    float w = q.w, whole = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (range->rest_turned) {
        rest = skeleton->joints[joint].rest.rotation;
        w = rest.x * q.x + rest.y * q.y + rest.z * q.z + rest.w * q.w;
    }
    if (w * w > range->sure * whole)
        return true;
    if (range->rest_turned)
        q = tr_quat_multiply(tr_quat_conjugate(rest), rotation);
    const float *v = &q.x, *low = range->low, *high = range->high;
    float va = v[range->axes[0]], vb = v[range->axes[1]], vc = v[range->axes[2]];
    float square = va * va + q.w * q.w, all = square + (vb * vb + vc * vc);
    if (!(all > 1 - UNIT && all < 1 + UNIT && fabsf(va) < fabsf(q.w)))
        return false;
    float t = va / q.w, cube = t * t * t, twist = 2 * (t - cube * (1.0f / 3));
    if (!is_between(twist, twist + cube * t * t * 0.4f, low[0], high[0]))
        return false;
    float twice = 2 / sqrtf(square);
    float swing_b = (q.w * vb - va * vc) * twice, swing_c = (q.w * vc + va * vb) * twice;
    float most = 1 + (float)(TR_PI / 2 - 1) * 0.25f * (swing_b * swing_b + swing_c * swing_c);
    return is_between(swing_b, swing_b * most, low[1], high[1]) &&
           is_between(swing_c, swing_c * most, low[2], high[2]);
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
    if (joint >= skeleton->joint_count || !skeleton->ranges[joint].active ||
        is_surely_inside(skeleton, joint, rotation))
        return 0;
    const tr_joint_def *j = &skeleton->joints[joint];
    return excess_of(&j->limit, take_apart(j, rotation).angles);
}

tr_quat tr_skeleton_limit_clamp(const tr_skeleton *skeleton, uint32_t joint, tr_quat rotation) {
    if (joint >= skeleton->joint_count || !skeleton->ranges[joint].active ||
        is_surely_inside(skeleton, joint, rotation))
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
