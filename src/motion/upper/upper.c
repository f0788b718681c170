// Measures an upper body, and reads poses as angles.
#include "upper_parts.h"

#include "troupe/base/scalar.h"

#define SIDEWAYS 0.5f // most that a trunk bends sideways in its own motion [rad]
#define STRAIGHT 0.1f // sine of the elbow below which the axes of the upper arm say where it bends to

// The capsules of the spine and of all that hangs on it, without the arms.
static void find_trunk(const tr_cast *cast, tr_upper *upper) {
    const tr_body_def *view = cast->body ? tr_body_view(cast->body) : NULL;
    const tr_skeleton *skeleton = cast->skeleton;
    for (uint32_t i = 0; view && i < view->capsule_count; i++) {
        uint32_t joint = view->capsules[i].joint;
        bool above = joint == upper->spine || tr_skeleton_hangs_on(skeleton, joint, upper->spine);
        for (int side = 0; side < 2; side++) {
            uint32_t arm = upper->arms[side].upper;
            above = above && joint != arm && !tr_skeleton_hangs_on(skeleton, joint, arm);
        }
        if (above && upper->trunk_count < TR_UPPER_TRUNK_MAX)
            upper->trunk[upper->trunk_count++] = i;
    }
}

tr_status tr_upper_measure(const tr_cast *cast, tr_upper *upper, tr_error *error) {
    *upper = (tr_upper){.hips = cast->legs.hips};
    if (!tr_cast_walks(cast))
        return tr_fail(error, TR_NOT_FOUND, "the body does not walk on two legs");
    for (int side = 0; side < 2; side++) {
        tr_status status =
            tr_arm_rig_measure(cast->skeleton, cast->body, (tr_arm_side)side, &upper->arms[side], error);
        if (status != TR_OK)
            return status;
    }
    upper->spine = upper->arms[0].waist;
    if (upper->spine == TR_NONE || upper->arms[1].waist != upper->spine ||
        !tr_skeleton_hangs_on(cast->skeleton, upper->spine, upper->hips))
        return tr_fail(error, TR_NOT_FOUND, "the skeleton has no joint with the role %s above its legs",
                       tr_role_name(TR_ROLE_SPINE));
    find_trunk(cast, upper);
    tr_comply_body *body = &upper->body;
    *body = tr_comply_body_default(cast->height);
    body->waist = tr_vec3_make(0, 0, 0);
    body->bends = false;
    body->waist_low[TR_UPPER_BEND] = -SIDEWAYS;
    body->waist_high[TR_UPPER_BEND] = SIDEWAYS;
    for (int side = 0; side < 2; side++) {
        tr_arm arm = upper->arms[side].arm;
        arm.base = tr_affine_identity();
        body->arms[side] = arm;
    }
    return TR_OK;
}

tr_affine tr_upper_axes(const tr_comply_place *place, const tr_comply_pose *pose) {
    tr_quat turn = tr_quat_multiply(tr_upper_heading(place->heading), tr_upper_waist(pose->waist, 1, 1));
    tr_transform transform = {.position = place->position, .rotation = turn, .scale = {1, 1, 1}};
    return tr_affine_from_transform(transform);
}

static float clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

static float angle(float y, float x) {
    return (float)tr_arc_tangent((double)y, (double)x);
}

// The angles of the waist at which the trunk has the axes of the chest.
static void read_waist(const tr_upper *upper, const tr_affine *model, tr_upper_frame *frame) {
    tr_affine base = tr_arm_rig_base(&upper->arms[0], model);
    tr_vec3 ahead = tr_vec3_make(base.m[0][2], base.m[1][2], base.m[2][2]),
            left = tr_vec3_make(base.m[0][0], base.m[1][0], base.m[2][0]);
    tr_quat back = tr_quat_conjugate(tr_upper_heading(frame->place.heading));
    ahead = tr_quat_rotate(back, ahead);
    left = tr_quat_rotate(back, left);
    const tr_comply_body *body = &upper->body;
    float level = sqrtf(ahead.x * ahead.x + ahead.z * ahead.z);
    float *waist = frame->pose.waist;
    waist[TR_UPPER_LEAN] = clamp(angle(-ahead.y, level), body->waist_low[0], body->waist_high[0]);
    waist[TR_UPPER_BEND] = 0;
    waist[TR_UPPER_TURN] = clamp(angle(ahead.x, ahead.z), body->waist_low[2], body->waist_high[2]);
    left = tr_quat_rotate(tr_quat_conjugate(tr_upper_waist(waist, 1, 1)), left);
    waist[TR_UPPER_BEND] = clamp(-angle(left.y, left.x), body->waist_low[1], body->waist_high[1]);
}

// The four angles of an arm whose joints are at these points in the axes of the trunk. `bends` is where the
// elbow bends to, for an arm that is straight.
static void read_arm(const tr_arm *arm, const tr_vec3 points[4], tr_vec3 bends,
                     float q[TR_COMPLY_ARM_ANGLES]) {
    float side = arm->side == TR_ARM_LEFT ? -1.0f : 1.0f;
    tr_vec3 u = tr_arm_rig_unit(tr_vec3_subtract(points[1], points[0]));
    tr_vec3 v = tr_arm_rig_unit(tr_vec3_subtract(points[2], points[1]));
    u.x *= side;
    v.x *= side;
    bends.x *= side;
    float cosine = tr_vec3_dot(u, v);
    tr_vec3 z = tr_vec3_subtract(v, tr_vec3_scale(u, cosine));
    float sine = tr_vec3_length(z), level = sqrtf(u.y * u.y + u.z * u.z);
    z = sine > STRAIGHT ? tr_vec3_scale(z, 1 / sine) : tr_arm_rig_across(bends, u);
    float sa = -u.x, ca = level, cf = level > 0 ? -u.y / level : 1, sf = level > 0 ? u.z / level : 0;
    tr_vec3 none = {0, sf, cf},
            quarter = {ca, -cf * sa, sf * sa}; // where it bends to at a rotation of 0 and 90
    q[TR_SHOULDER_FLEXION] = angle(sf, cf);
    q[TR_SHOULDER_ABDUCTION] = angle(sa, ca);
    q[TR_SHOULDER_ROTATION] = angle(tr_vec3_dot(z, quarter), tr_vec3_dot(z, none));
    q[TR_ELBOW_FLEXION] = angle(sine, cosine);
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        q[k] = clamp(q[k], arm->low.q[k], arm->high.q[k]);
}

void tr_upper_read(const tr_upper *upper, const tr_cast *cast, const tr_affine *model, float heading,
                   tr_upper_frame *frame) {
    tr_vec3 thighs[2];
    for (int side = 0; side < 2; side++)
        thighs[side] = tr_affine_position(&model[cast->legs.feet[side].thigh]);
    frame->place.position = tr_vec3_scale(tr_vec3_add(thighs[0], thighs[1]), 0.5f);
    frame->place.heading = heading;
    read_waist(upper, model, frame);
    tr_affine axes = tr_upper_axes(&frame->place, &frame->pose);
    tr_comply_pose upright = {{0}, {{0}}};
    tr_affine pelvis = tr_upper_axes(&frame->place, &upright);
    for (int side = 0; side < 2; side++)
        frame->hips[side] = tr_arm_rig_into(&pelvis, thighs[side]);
    const tr_body_def *view = cast->body ? tr_body_view(cast->body) : NULL;
    for (uint32_t i = 0; i < upper->trunk_count; i++) {
        const tr_capsule *capsule = &view->capsules[upper->trunk[i]];
        const tr_affine *joint = &model[capsule->joint];
        frame->trunk[i][0] = tr_arm_rig_into(&axes, tr_affine_apply(joint, capsule->a));
        frame->trunk[i][1] = tr_arm_rig_into(&axes, tr_affine_apply(joint, capsule->b));
    }
    tr_quat back = tr_quat_conjugate(tr_affine_rotation(&axes));
    for (int side = 0; side < 2; side++) {
        const tr_arm_rig *rig = &upper->arms[side];
        const uint32_t joints[3] = {rig->upper, rig->forearm, rig->hand};
        for (int k = 0; k < 3; k++)
            frame->arms[side][k] = tr_arm_rig_into(&axes, tr_affine_position(&model[joints[k]]));
        tr_quat hand = tr_arm_rig_product(
            back, tr_quat_multiply(tr_affine_rotation(&model[rig->hand]), rig->hand_offset));
        tr_vec3 fingers = tr_quat_rotate(hand, tr_vec3_make(0, -rig->arm.length[2], 0));
        frame->arms[side][3] = tr_vec3_add(frame->arms[side][2], fingers);
        tr_quat turn = tr_arm_rig_product(
            back, tr_quat_multiply(tr_affine_rotation(&model[rig->upper]), rig->upper_offset));
        read_arm(&upper->body.arms[side], frame->arms[side], tr_quat_rotate(turn, tr_vec3_make(0, 0, 1)),
                 frame->pose.arms[side]);
    }
}
