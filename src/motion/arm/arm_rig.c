// Measures an arm on a skeleton with any rest pose and any joint axes.
#include "arm_rig_parts.h"
#include "troupe/motion/limb.h"

#include <math.h>

#define HAND_SHARE 0.108f // of the height: from the wrist to the finger tips
#define HAND_LEAST 0.02f  // of the height: closer joints are not finger tips
#define STRAIGHT_SINE 0.1f
#define LIMIT_SLACK 0.002f // [rad]: the limits of the arm stay this far inside those of the joints

static tr_vec3 rest_place(const tr_skeleton *skeleton, uint32_t joint) {
    return tr_affine_position(&tr_skeleton_rest_model(skeleton)[joint]);
}

static tr_quat rest_turn(const tr_skeleton *skeleton, uint32_t joint) {
    return tr_quat_normalize(tr_affine_rotation(&tr_skeleton_rest_model(skeleton)[joint]));
}

static tr_vec3 way(const tr_skeleton *skeleton, uint32_t from, uint32_t to) {
    return tr_vec3_subtract(rest_place(skeleton, to), rest_place(skeleton, from));
}

// ------------------------------------------------------------------------------------------------ finding

static tr_role role_on(tr_arm_side side, tr_role left) {
    return side == TR_ARM_LEFT ? left : tr_role_mirror(left);
}

static tr_status find_joints(const tr_skeleton *skeleton, tr_arm_rig *joints, tr_error *error) {
    const tr_role needed[] = {TR_ROLE_HIPS, role_on(joints->side, TR_ROLE_LEFT_UPPER_ARM),
                              role_on(joints->side, TR_ROLE_LEFT_FOREARM),
                              role_on(joints->side, TR_ROLE_LEFT_HAND)};
    uint32_t *found[] = {&joints->pelvis, &joints->upper, &joints->forearm, &joints->hand};
    for (int i = 0; i < 4; i++) {
        *found[i] = tr_skeleton_with_role(skeleton, needed[i]);
        if (*found[i] == TR_NONE)
            return tr_fail(error, TR_NOT_FOUND, "the skeleton has no joint with the role %s",
                           tr_role_name(needed[i]));
    }
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    joints->waist = tr_skeleton_with_role(skeleton, TR_ROLE_SPINE);
    if (joints->waist != TR_NONE && !tr_skeleton_hangs_on(skeleton, joints->upper, joints->waist))
        joints->waist = TR_NONE;
    joints->collar = tr_skeleton_with_role(skeleton, role_on(joints->side, TR_ROLE_LEFT_SHOULDER));
    // A very short collar bone cannot help.
    float least = 0.01f * tr_vec3_length(way(skeleton, joints->pelvis, joints->upper));
    if (joints->collar != TR_NONE &&
        (joints->collar == joints->upper || parents[joints->collar] == TR_NONE ||
         !tr_skeleton_hangs_on(skeleton, joints->upper, joints->collar) ||
         !(tr_vec3_length(way(skeleton, joints->collar, joints->upper)) > least)))
        joints->collar = TR_NONE;
    uint32_t top = joints->collar != TR_NONE ? joints->collar : joints->upper;
    joints->chest = parents[top];
    if (joints->chest == TR_NONE || !tr_skeleton_hangs_on(skeleton, joints->chest, joints->pelvis))
        return tr_fail(error, TR_INVALID, "joint %u (%s) is not a descendant of the pelvis", joints->upper,
                       tr_skeleton_joint(skeleton, joints->upper).name);
    return TR_OK;
}

// The world axis nearest to the direction, if it is near enough to be meant.
static tr_vec3 snap(tr_vec3 direction, float nearness) {
    for (int axis = 0; axis < 3; axis++) {
        float part = (&direction.x)[axis];
        if (!(fabsf(part) >= nearness))
            continue;
        tr_vec3 whole = {0, 0, 0};
        (&whole.x)[axis] = part < 0 ? -1.0f : 1.0f;
        return whole;
    }
    return direction;
}

static uint32_t first_of(const tr_skeleton *skeleton, const tr_role *roles, int count) {
    for (int i = 0; i < count; i++)
        if (tr_skeleton_with_role(skeleton, roles[i]) != TR_NONE)
            return tr_skeleton_with_role(skeleton, roles[i]);
    return TR_NONE;
}

// X to the left of the body, Y up, Z ahead. Spines lean a little and shoulders are never quite level, so up
// and left snap to world axes wherever they are near one.
static tr_status find_axes(const tr_skeleton *skeleton, const tr_arm_rig *joints, tr_quat *axes,
                           tr_error *error) {
    static const tr_role tops[] = {TR_ROLE_HEAD, TR_ROLE_NECK, TR_ROLE_UPPER_CHEST, TR_ROLE_CHEST};
    uint32_t top = first_of(skeleton, tops, 4);
    tr_vec3 up = snap(tr_arm_rig_unit(way(skeleton, joints->pelvis, top == TR_NONE ? joints->chest : top)),
                      0.8f),
            left = {0, 0, 0};
    static const tr_role pairs[2][2] = {{TR_ROLE_RIGHT_THIGH, TR_ROLE_LEFT_THIGH},
                                        {TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_LEFT_UPPER_ARM}};
    for (int i = 0; i < 2; i++) {
        uint32_t from = tr_skeleton_with_role(skeleton, pairs[i][0]),
                 to = tr_skeleton_with_role(skeleton, pairs[i][1]);
        if (from != TR_NONE && to != TR_NONE)
            left = tr_vec3_add(left, tr_arm_rig_unit(way(skeleton, from, to)));
    }
    left = snap(tr_arm_rig_across(left, up), 0.95f);
    left = tr_arm_rig_across(left, up);
    if (!(tr_vec3_length(up) > 0.5f) || !(tr_vec3_length(left) > 0.5f))
        return tr_fail(error, TR_INVALID, "the rest pose does not show which way is up and which is left");
    *axes = tr_arm_rig_turn_of(left, up, tr_vec3_cross(left, up));
    return TR_OK;
}

// From the lowest joint to the highest, along the body's up axis.
static float find_height(const tr_skeleton *skeleton, tr_quat axes) {
    tr_vec3 up = tr_quat_rotate(axes, tr_vec3_make(0, 1, 0));
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        float at = tr_vec3_dot(rest_place(skeleton, i), up);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return high - low;
}

// ------------------------------------------------------------------------------------------------ the hand

// Among the descendants of the hand whose names contain one of the words (NULL: that are not a thumb), the
// one furthest from it, or nearest; TR_NONE for none.
static uint32_t finger_joint(const tr_skeleton *skeleton, uint32_t hand, const char *const *words,
                             bool furthest) {
    uint32_t found = TR_NONE;
    float best = 0;
    for (uint32_t i = hand + 1; i < tr_skeleton_subtree_end(skeleton, hand); i++) {
        if (!tr_skeleton_hangs_on(skeleton, i, hand))
            continue;
        const char *name = tr_skeleton_joint(skeleton, i).name;
        bool fits = !words && !tr_arm_rig_says(name, "thumb");
        for (int k = 0; words && words[k]; k++)
            fits = fits || tr_arm_rig_says(name, words[k]);
        float distance = tr_vec3_length(way(skeleton, hand, i));
        if (fits && (found == TR_NONE || (furthest ? distance > best : distance < best))) {
            found = i;
            best = distance;
        }
    }
    return found;
}

// From the wrist to the finger tips, in the axes of the rest pose. `along` is the direction of the forearm.
static tr_vec3 find_tip(const tr_skeleton *skeleton, const tr_arm_rig *joints, tr_vec3 along) {
    static const char *const middle[] = {"middle", NULL};
    float height = joints->height;
    uint32_t tip = finger_joint(skeleton, joints->hand, middle, true);
    if (tip == TR_NONE)
        tip = finger_joint(skeleton, joints->hand, NULL, true);
    tr_vec3 fingers = {0, 0, 0};
    if (tip != TR_NONE)
        fingers = way(skeleton, joints->hand, tip);
    float length = tr_vec3_length(fingers);
    // A thumb alone, or a tool across the hand, is not its end.
    if (length > HAND_LEAST * height && tr_vec3_dot(fingers, along) > 0.5f * length)
        return fingers;
    return tr_vec3_scale(along, HAND_SHARE * height);
}

// The direction to the thumb's side of the hand, perpendicular to the fingers; zero if the joints do not
// tell.
static tr_vec3 find_thumb_side(const tr_skeleton *skeleton, uint32_t hand, tr_vec3 fingers) {
    static const char *const thumb[] = {"thumb", NULL}, *const index[] = {"index", NULL},
                             *const little[] = {"little", "pinky", "ring", NULL};
    uint32_t from = finger_joint(skeleton, hand, little, false),
             to = finger_joint(skeleton, hand, index, false);
    if (from == TR_NONE || to == TR_NONE) {
        from = hand;
        to = finger_joint(skeleton, hand, thumb, false);
    }
    if (to == TR_NONE)
        return tr_vec3_make(0, 0, 0);
    return tr_arm_rig_across(way(skeleton, from, to), fingers);
}

// ----------------------------------------------------------------------------------------- the rest pose

// The hinge of the elbow in the rest pose, X of R1: turning the forearm about it in the negative sense bends
// the arm.
static tr_vec3 find_hinge(const tr_skeleton *skeleton, const tr_arm_rig *joints, const tr_limb *limb,
                          tr_quat axes) {
    tr_vec3 upper = tr_arm_rig_unit(way(skeleton, joints->upper, joints->forearm));
    tr_vec3 fore = tr_arm_rig_unit(way(skeleton, joints->forearm, joints->hand));
    tr_joint_limit limit = tr_skeleton_joint(skeleton, joints->forearm).limit;
    bool limited = limit.active &&
                   (limit.high.x > limit.low.x || limit.high.y > limit.low.y || limit.high.z > limit.low.z);
    bool bent = tr_vec3_length(tr_vec3_cross(upper, fore)) > STRAIGHT_SINE;
    if (bent || limited)
        return tr_vec3_scale(
            tr_arm_rig_unit(tr_affine_turn(&tr_skeleton_rest_model(skeleton)[joints->forearm], limb->hinge)),
            -1);
    // A straight arm, and a joint without a limit: elbows bend forwards, those of arms held out to the front
    // upwards.
    tr_vec3 ahead = tr_quat_rotate(axes, tr_vec3_make(0, 0, 1)),
            up = tr_quat_rotate(axes, tr_vec3_make(0, 1, 0));
    tr_vec3 across = tr_vec3_cross(ahead, upper);
    return tr_arm_rig_unit(tr_vec3_length(across) > 0.2f ? across : tr_vec3_cross(up, upper));
}

// R1 and R3 of the rest pose.
static void find_turns(const tr_skeleton *skeleton, const tr_arm_rig *joints, tr_vec3 hinge, tr_vec3 fingers,
                       arm_shape *shape) {
    shape->shoulder = rest_place(skeleton, joints->upper);
    shape->elbow = rest_place(skeleton, joints->forearm);
    shape->wrist = rest_place(skeleton, joints->hand);
    tr_vec3 down = tr_arm_rig_unit(tr_vec3_subtract(shape->elbow, shape->shoulder));
    tr_vec3 x = tr_arm_rig_across(hinge, down), y = tr_vec3_scale(down, -1);
    shape->upper = tr_arm_rig_turn_of(x, y, tr_vec3_cross(x, y));
    tr_vec3 fore = tr_arm_rig_unit(tr_vec3_subtract(shape->wrist, shape->elbow));
    tr_vec3 along = tr_arm_rig_unit(fingers);
    tr_vec3 side = find_thumb_side(skeleton, joints->hand, along);
    if (tr_vec3_length(side) > 0.5f) {
        tr_vec3 hand_y = tr_vec3_scale(along, -1);
        shape->hand = tr_arm_rig_turn_of(tr_vec3_cross(hand_y, side), hand_y, side);
        return;
    }
    // No thumb: neither pronated nor supinated.
    tr_quat forearm = tr_arm_rig_product(tr_quat_between(down, fore), shape->upper);
    shape->hand = tr_arm_rig_product(tr_quat_between(fore, along), forearm);
}

static tr_affine rigid(tr_quat turn, tr_vec3 place) {
    tr_transform t = {place, turn, {1, 1, 1}};
    return tr_affine_from_transform(t);
}

tr_affine tr_arm_rig_base(const tr_arm_rig *joints, const tr_affine *model) {
    tr_quat turn = tr_arm_rig_product(tr_affine_rotation(&model[joints->chest]), joints->trunk_offset);
    return rigid(turn, tr_affine_position(&model[joints->pelvis]));
}

tr_vec3 tr_arm_rig_into(const tr_affine *base, tr_vec3 point) {
    tr_vec3 d = tr_vec3_subtract(point, tr_affine_position(base));
    return tr_vec3_make(base->m[0][0] * d.x + base->m[1][0] * d.y + base->m[2][0] * d.z,
                        base->m[0][1] * d.x + base->m[1][1] * d.y + base->m[2][1] * d.z,
                        base->m[0][2] * d.x + base->m[1][2] * d.y + base->m[2][2] * d.z);
}

// ------------------------------------------------------------------------------------------------- limits

// The local rotation of a joint that gives it the rotation `turn` in the rest pose's axes, while `moved` is
// the rotation of its parent from rest.
static tr_quat local_turn(const tr_skeleton *skeleton, uint32_t joint, tr_quat moved, tr_quat turn) {
    uint32_t above = tr_skeleton_parents(skeleton)[joint];
    tr_quat parent = above == TR_NONE ? tr_quat_identity() : rest_turn(skeleton, above);
    return tr_arm_rig_product(tr_quat_conjugate(tr_quat_multiply(moved, parent)), turn);
}

// By how much the joints of the skeleton exceed their limits in a posture, with the rest of the body at rest.
static float excess_of(const tr_skeleton *skeleton, const tr_arm_rig *joints, const tr_posture *posture) {
    tr_arm_place put = tr_arm_put(&joints->arm, posture);
    tr_quat base = tr_affine_rotation(&joints->arm.base), trunk = tr_affine_rotation(&put.trunk);
    tr_quat moved = tr_arm_rig_product(trunk, tr_quat_conjugate(base));
    float worst = 0;
    const uint32_t own[] = {joints->upper, joints->forearm, joints->hand};
    const tr_quat offsets[] = {joints->upper_offset, joints->forearm_offset, joints->hand_offset};
    const tr_quat turns[] = {put.upper, put.forearm, put.hand};
    if (joints->waist != TR_NONE) {
        tr_quat turn = tr_arm_rig_product(moved, rest_turn(skeleton, joints->waist));
        worst = tr_skeleton_limit_excess(skeleton, joints->waist,
                                         local_turn(skeleton, joints->waist, tr_quat_identity(), turn));
    }
    if (joints->collar != TR_NONE) {
        double angle = (double)posture->q[TR_COLLAR] * (joints->side == TR_ARM_LEFT ? -1 : 1);
        tr_quat about = tr_quat_about(tr_quat_rotate(trunk, tr_vec3_make(0, 1, 0)), angle);
        tr_quat both = tr_arm_rig_product(about, moved);
        tr_quat turn = tr_arm_rig_product(both, rest_turn(skeleton, joints->collar));
        float excess = tr_skeleton_limit_excess(skeleton, joints->collar,
                                                local_turn(skeleton, joints->collar, moved, turn));
        worst = excess > worst ? excess : worst;
        moved = both;
    }
    for (int i = 0; i < 3; i++) {
        tr_quat turn = tr_arm_rig_product(turns[i], tr_quat_conjugate(offsets[i]));
        float excess = tr_skeleton_limit_excess(skeleton, own[i], local_turn(skeleton, own[i], moved, turn));
        worst = excess > worst ? excess : worst;
        moved = tr_arm_rig_product(turn, tr_quat_conjugate(rest_turn(skeleton, own[i])));
    }
    return worst;
}

// An end of the range of one angle, narrowed until the limits of the joints hold with the other angles at 0.
static float drawn_in(const tr_skeleton *skeleton, const tr_arm_rig *joints, int angle, float end) {
    tr_posture posture = {{0}};
    posture.q[angle] = end;
    if (end == 0 || excess_of(skeleton, joints, &posture) <= 1e-5f)
        return end;
    posture.q[angle] = 0;
    if (excess_of(skeleton, joints, &posture) > 1e-5f)
        return end; // joints whose limits exclude a hanging arm tell nothing here
    float inside = 0, outside = end;
    for (int i = 0; i < 20; i++) {
        posture.q[angle] = 0.5f * (inside + outside);
        if (excess_of(skeleton, joints, &posture) <= 1e-5f)
            inside = posture.q[angle];
        else
            outside = posture.q[angle];
    }
    return fabsf(inside) > LIMIT_SLACK ? inside - (inside < 0 ? -LIMIT_SLACK : LIMIT_SLACK) : 0;
}

// At 0 the palm faces inwards, as on a hanging arm. The rotation about X then bends the hand to the side of
// the thumb or of the little finger, and the one about Z towards the palm or the back of the hand. The human
// limits are assigned to the axes accordingly.
static void set_limits(const tr_skeleton *skeleton, tr_arm_rig *joints) {
    tr_posture *ends[2] = {&joints->arm.low, &joints->arm.high};
    for (int i = 0; i < 2; i++) {
        float flexion = ends[i]->q[TR_WRIST_FLEXION];
        ends[i]->q[TR_WRIST_FLEXION] = ends[i]->q[TR_WRIST_DEVIATION];
        ends[i]->q[TR_WRIST_DEVIATION] = flexion;
    }
    tr_arm_allow_help(&joints->arm);
    for (int i = 0; i < 2; i++) {
        if (joints->waist == TR_NONE)
            ends[i]->q[TR_WAIST_LEAN] = ends[i]->q[TR_WAIST_TURN] = 0;
        if (joints->collar == TR_NONE)
            ends[i]->q[TR_COLLAR] = 0;
        for (int angle = 0; angle < TR_ARM_ANGLES; angle++)
            ends[i]->q[angle] = drawn_in(skeleton, joints, angle, ends[i]->q[angle]);
    }
}

// --------------------------------------------------------------------------------------------- measuring

static void set_radii(const tr_body *body, tr_arm_rig *joints) {
    const tr_body_def *view = body ? tr_body_view(body) : NULL;
    const uint32_t own[] = {joints->upper, joints->forearm, joints->hand};
    for (int k = 0; k < TR_ARM_LINKS; k++) {
        float radius = 0;
        for (uint32_t i = 0; view && i < view->capsule_count; i++)
            if (view->capsules[i].joint == own[k] && view->capsules[i].radius > radius)
                radius = view->capsules[i].radius;
        if (radius > 0)
            joints->arm.radius[k] = radius;
    }
}

static void set_places(const tr_skeleton *skeleton, tr_arm_rig *joints) {
    tr_arm *arm = &joints->arm;
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    arm->base = tr_arm_rig_base(joints, rest);
    uint32_t waist = joints->waist != TR_NONE ? joints->waist : joints->pelvis;
    uint32_t collar = joints->collar != TR_NONE ? joints->collar : joints->chest;
    arm->waist = tr_arm_rig_into(&arm->base, rest_place(skeleton, waist));
    arm->collar = tr_arm_rig_into(&arm->base, rest_place(skeleton, collar));
    arm->shoulder = tr_arm_rig_into(&arm->base, rest_place(skeleton, joints->upper));
}

// Sets the rest when the joints are known: decomposes the rest pose.
static void set_offsets(const tr_skeleton *skeleton, tr_arm_rig *joints, const tr_limb *limb, tr_quat axes) {
    joints->trunk_offset = tr_arm_rig_product(tr_quat_conjugate(rest_turn(skeleton, joints->chest)), axes);
    set_places(skeleton, joints);
    tr_vec3 fore = tr_arm_rig_unit(way(skeleton, joints->forearm, joints->hand));
    tr_vec3 fingers = find_tip(skeleton, joints, fore);
    joints->arm.length[0] = limb->upper_length;
    joints->arm.length[1] = limb->lower_length;
    joints->arm.length[2] = tr_vec3_length(fingers);
    arm_shape shape;
    find_turns(skeleton, joints, find_hinge(skeleton, joints, limb, axes), fingers, &shape);
    shape.upper = tr_arm_rig_upper(&shape);
    // R2 has its bone along -Y, even if the rest pose is bent a little sideways or the wrong way.
    tr_vec3 bent = tr_quat_rotate(tr_quat_conjugate(shape.upper), fore);
    tr_quat forearm = tr_arm_rig_product(shape.upper, tr_quat_between(tr_vec3_make(0, -1, 0), bent));
    joints->upper_offset =
        tr_arm_rig_product(tr_quat_conjugate(rest_turn(skeleton, joints->upper)), shape.upper);
    joints->forearm_offset =
        tr_arm_rig_product(tr_quat_conjugate(rest_turn(skeleton, joints->forearm)), forearm);
    joints->hand_offset =
        tr_arm_rig_product(tr_quat_conjugate(rest_turn(skeleton, joints->hand)), shape.hand);
}

static void set_rest(const tr_skeleton *skeleton, tr_arm_rig *joints) {
    const tr_affine *base = &joints->arm.base;
    tr_quat back = tr_quat_conjugate(tr_affine_rotation(base));
    arm_shape shape = {
        tr_arm_rig_into(base, rest_place(skeleton, joints->upper)),
        tr_arm_rig_into(base, rest_place(skeleton, joints->forearm)),
        tr_arm_rig_into(base, rest_place(skeleton, joints->hand)),
        tr_quat_multiply(back, tr_quat_multiply(rest_turn(skeleton, joints->upper), joints->upper_offset)),
        tr_quat_multiply(back, tr_quat_multiply(rest_turn(skeleton, joints->hand), joints->hand_offset))};
    joints->rest = tr_arm_clamp(&joints->arm, tr_arm_rig_angles(&joints->arm, &shape));
}

tr_status tr_arm_rig_measure(const tr_skeleton *skeleton, const tr_body *body, tr_arm_side side,
                             tr_arm_rig *joints, tr_error *error) {
    *joints = (tr_arm_rig){.side = side};
    if (side != TR_ARM_RIGHT && side != TR_ARM_LEFT)
        return tr_fail(error, TR_INVALID, "side %d is neither right (0) nor left (1)", (int)side);
    tr_status status = find_joints(skeleton, joints, error);
    tr_limb limb;
    if (status == TR_OK)
        status = tr_limb_measure(skeleton, joints->upper, joints->forearm, joints->hand, &limb, error);
    tr_quat axes = tr_quat_identity();
    if (status == TR_OK)
        status = find_axes(skeleton, joints, &axes, error);
    if (status != TR_OK)
        return status;
    joints->height = find_height(skeleton, axes);
    joints->arm = tr_arm_default(side, joints->height);
    set_radii(body, joints);
    set_offsets(skeleton, joints, &limb, axes);
    set_limits(skeleton, joints);
    set_rest(skeleton, joints);
    return tr_arm_check(&joints->arm, error);
}
