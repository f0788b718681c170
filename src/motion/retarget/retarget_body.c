// Brings a body to the common pose, computed from the places of its joints at rest.
#include "retarget_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEEL_SHARE 0.4f          // how far the heel lies behind the ankle, as a share of the way to the ball
#define TIP_SHARE (1.0f / 1.35f) // where the ball of a foot in one piece is on the way to its tip

static tr_vec3 place(const retarget_body *body, uint32_t joint) {
    return tr_affine_position(&tr_skeleton_rest_model(body->skeleton)[joint]);
}

static uint32_t with_role(const retarget_body *body, int role) {
    return tr_skeleton_with_role(body->skeleton, (tr_role)role);
}

// The vector from one role's joint to another's.
static tr_vec3 way(const retarget_body *body, int from, int to) {
    return tr_vec3_subtract(place(body, with_role(body, to)), place(body, with_role(body, from)));
}

static bool is_needed(int role) {
    int left = role >= TR_ROLE_RIGHT_SHOULDER ? (int)tr_role_mirror((tr_role)role) : role;
    return left == TR_ROLE_HIPS || left == TR_ROLE_SPINE || left == TR_ROLE_HEAD ||
           (left >= TR_ROLE_LEFT_UPPER_ARM && left < TR_ROLE_LEFT_TOES);
}

static tr_status check_roles(const tr_skeleton *skeleton, const char *which, tr_error *error) {
    char missing[300] = "";
    for (int role = 1; role < TR_ROLE_COUNT; role++) {
        if (!is_needed(role) || tr_skeleton_with_role(skeleton, (tr_role)role) != TR_NONE)
            continue;
        size_t length = strlen(missing);
        snprintf(missing + length, sizeof missing - length, "%s%s", length ? ", " : "",
                 tr_role_name((tr_role)role));
    }
    if (!missing[0])
        return TR_OK;
    return tr_fail(error, TR_NOT_FOUND, "the %s skeleton has no %s", which, missing);
}

static tr_vec3 unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : v;
}

// The world axis nearest to the direction, if it is near enough to be meant.
static tr_vec3 snap(tr_vec3 direction, float nearness) {
    const float parts[3] = {direction.x, direction.y, direction.z};
    for (int axis = 0; axis < 3; axis++)
        if (fabsf(parts[axis]) >= nearness) {
            float sign = parts[axis] < 0 ? -1.0f : 1.0f;
            return tr_vec3_make(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
        }
    return direction;
}

// The rotation that brings the body upright and facing +Z. Spines lean a little and shoulders are never quite
// level, so up and left snap to world axes wherever they are near one.
static tr_quat upright(retarget_body *body) {
    tr_vec3 up = snap(unit(way(body, TR_ROLE_HIPS, TR_ROLE_HEAD)), 0.8f);
    tr_vec3 left = tr_vec3_add(unit(way(body, TR_ROLE_RIGHT_THIGH, TR_ROLE_LEFT_THIGH)),
                               unit(way(body, TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_LEFT_UPPER_ARM)));
    left = tr_vec3_subtract(left, tr_vec3_scale(up, tr_vec3_dot(left, up)));
    left = snap(unit(left), 0.95f);
    left = unit(tr_vec3_subtract(left, tr_vec3_scale(up, tr_vec3_dot(left, up))));
    tr_vec3 ahead = tr_vec3_cross(left, up);
    body->up = up;
    if (!(tr_vec3_length(ahead) > 0.5f)) // all joints at one place
        return tr_quat_identity();
    tr_affine axes = {{{left.x, up.x, ahead.x, 0}, {left.y, up.y, ahead.y, 0}, {left.z, up.z, ahead.z, 0}}};
    return tr_quat_conjugate(tr_affine_rotation(&axes));
}

// Extends the rotation of the bone above so that `bone` points along `direction`.
static tr_quat straighten(tr_quat above, tr_vec3 bone, tr_vec3 direction) {
    return tr_quat_normalize(
        tr_quat_multiply(tr_quat_between(tr_quat_rotate(above, bone), direction), above));
}

// The end of the hand or the foot: the descendant that is furthest away; TR_NONE for none.
static uint32_t find_tip(const tr_skeleton *skeleton, uint32_t top) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t tip = TR_NONE;
    float furthest = 0;
    for (uint32_t i = top + 1; i < tr_skeleton_subtree_end(skeleton, top); i++) {
        uint32_t above = i;
        while (above != TR_NONE && above > top)
            above = parents[above];
        float distance =
            tr_vec3_length(tr_vec3_subtract(tr_affine_position(&rest[i]), tr_affine_position(&rest[top])));
        if (above == top && distance > furthest) {
            furthest = distance;
            tip = i;
        }
    }
    return tip;
}

static void straighten_arm(retarget_body *body, int side) {
    int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
    tr_quat *to = body->to_common + shift;
    tr_vec3 out = {side ? -1.0f : 1.0f, 0, 0};
    int upper = TR_ROLE_LEFT_UPPER_ARM + shift, fore = TR_ROLE_LEFT_FOREARM + shift;
    int hand = TR_ROLE_LEFT_HAND + shift;
    to[TR_ROLE_LEFT_UPPER_ARM] = straighten(to[TR_ROLE_LEFT_SHOULDER], way(body, upper, fore), out);
    to[TR_ROLE_LEFT_FOREARM] = straighten(to[TR_ROLE_LEFT_UPPER_ARM], way(body, fore, hand), out);
    to[TR_ROLE_LEFT_HAND] = to[TR_ROLE_LEFT_FOREARM];
    uint32_t wrist = with_role(body, hand), tip = find_tip(body->skeleton, wrist);
    if (tip == TR_NONE)
        return;
    tr_vec3 fingers = tr_vec3_subtract(place(body, tip), place(body, wrist));
    tr_vec3 now = tr_quat_rotate(to[TR_ROLE_LEFT_FOREARM], unit(fingers));
    if (now.x * out.x > 0.7f) // a thumb alone, or a tool, does not count
        to[TR_ROLE_LEFT_HAND] = straighten(to[TR_ROLE_LEFT_FOREARM], fingers, out);
}

// Captured skeletons often stand astride at rest, with soles tilted like the legs: seen from the front, the
// foot is then in line with the shank. The spread of the legs as a rotation about Z; otherwise the identity.
static tr_quat spread(tr_quat upright_turn, tr_vec3 shank, tr_vec3 foot) {
    tr_vec3 s = tr_quat_rotate(upright_turn, unit(shank)), f = tr_quat_rotate(upright_turn, unit(foot));
    s.z = f.z = 0;
    s = unit(s);
    f = unit(f);
    bool astride = fabsf(s.x) > 0.1f && tr_vec3_dot(s, f) > 0.995f;
    return astride ? tr_quat_between(s, tr_vec3_make(0, -1, 0)) : tr_quat_identity();
}

// The tip is on the sole, wherever the joint is that ends the foot.
static void set_tip(retarget_body *body, int side, tr_vec3 tip) {
    tip.y = body->ball[side].y;
    body->tip[side] = body->has_toes[side] ? tr_vec3_subtract(tip, body->toes[side]) : tip;
}

// The sole is level in the common pose, at the lowest of ankle, toes and tip.
void tr_retarget_set_sole(retarget_body *body, int side, tr_vec3 ball, tr_vec3 tip, float shank) {
    const tr_vec3 toes = ball;
    float sole = ball.y < tip.y ? ball.y : tip.y;
    sole = sole < 0 ? sole : 0;
    if (ball.z < 0.1f * shank) // no toes to measure: a foot of human proportions
        ball.z = 0.4f * shank;
    body->behind[side] = HEEL_SHARE;
    body->ball[side] = tr_vec3_make(ball.x, sole, ball.z);
    body->heel[side] = tr_vec3_make(-HEEL_SHARE * ball.x, sole, -HEEL_SHARE * ball.z);
    body->has_toes[side] =
        with_role(body, side ? TR_ROLE_RIGHT_TOES : TR_ROLE_LEFT_TOES) != TR_NONE && tip.z > ball.z;
    body->toes[side] = toes;
    set_tip(body, side, tip);
}

// Level, heel and, in a foot of one piece, the front are those of the mesh.
static void take_mesh(retarget_body *body, int side, tr_quat to_common, bool has_toes) {
    int role = side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT;
    tr_sole sole = tr_skeleton_sole(body->skeleton, (uint32_t)side);
    tr_vec3 *ball = &body->ball[side], ankle = place(body, with_role(body, role));
    if (!sole.known)
        return;
    tr_vec3 heel = tr_quat_rotate(to_common, tr_vec3_subtract(sole.heel, ankle));
    tr_vec3 tip = tr_quat_rotate(to_common, tr_vec3_subtract(sole.tip, ankle));
    if (!has_toes)
        ball->x = tip.x * TIP_SHARE, ball->z = tip.z * TIP_SHARE;
    ball->y = heel.y < tip.y ? heel.y : tip.y;
    body->behind[side] = ball->z > 0 ? -heel.z / ball->z : HEEL_SHARE;
    body->heel[side] = tr_vec3_make(-body->behind[side] * ball->x, ball->y, -body->behind[side] * ball->z);
    set_tip(body, side, tip);
}

static void measure_sole(retarget_body *body, int side, tr_quat to_common, float shank) {
    int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
    uint32_t ankle = with_role(body, TR_ROLE_LEFT_FOOT + shift), tip = find_tip(body->skeleton, ankle);
    uint32_t toes = with_role(body, TR_ROLE_LEFT_TOES + shift);
    tr_vec3 zero = {0, 0, 0}, tip_at = zero, ball = zero;
    if (tip != TR_NONE)
        tip_at = tr_quat_rotate(to_common, tr_vec3_subtract(place(body, tip), place(body, ankle)));
    ball = toes == TR_NONE
               ? tip_at
               : tr_quat_rotate(to_common, tr_vec3_subtract(place(body, toes), place(body, ankle)));
    tr_retarget_set_sole(body, side, ball, tip_at, shank);
    take_mesh(body, side, to_common, toes != TR_NONE);
}

static float straighten_leg(retarget_body *body, int side) {
    int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
    tr_quat *to = body->to_common + shift, hips = body->to_common[TR_ROLE_HIPS];
    const tr_vec3 down = {0, -1, 0};
    tr_vec3 thigh = way(body, TR_ROLE_LEFT_THIGH + shift, TR_ROLE_LEFT_SHANK + shift);
    tr_vec3 shank = way(body, TR_ROLE_LEFT_SHANK + shift, TR_ROLE_LEFT_FOOT + shift);
    to[TR_ROLE_LEFT_THIGH] = straighten(hips, thigh, down);
    to[TR_ROLE_LEFT_SHANK] = straighten(to[TR_ROLE_LEFT_THIGH], shank, down);
    uint32_t ankle = with_role(body, TR_ROLE_LEFT_FOOT + shift);
    uint32_t toes = with_role(body, TR_ROLE_LEFT_TOES + shift);
    uint32_t tip = toes != TR_NONE ? toes : find_tip(body->skeleton, ankle);
    tr_vec3 foot = {0, 0, 0};
    if (tip != TR_NONE)
        foot = tr_vec3_subtract(place(body, tip), place(body, ankle));
    tr_quat level = tr_quat_multiply(spread(hips, shank, foot), hips);
    tr_vec3 ahead = tr_quat_rotate(level, foot);
    ahead.y = 0;
    // Toes that point outwards at rest are not part of the motion.
    if (ahead.z > 0.3f * tr_vec3_length(foot))
        level = tr_quat_multiply(tr_quat_between(ahead, tr_vec3_make(0, 0, 1)), level);
    to[TR_ROLE_LEFT_FOOT] = to[TR_ROLE_LEFT_TOES] = tr_quat_normalize(level);
    measure_sole(body, side, to[TR_ROLE_LEFT_FOOT], tr_vec3_length(shank));
    return tr_vec3_length(thigh) + tr_vec3_length(shank) - body->ball[side].y;
}

void tr_retarget_rest_turns(const tr_skeleton *skeleton, tr_quat *turns) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = 0; i < tr_skeleton_joint_count(skeleton); i++) {
        tr_quat local = tr_skeleton_joint(skeleton, i).rest.rotation;
        turns[i] =
            parents[i] == TR_NONE ? local : tr_quat_normalize(tr_quat_multiply(turns[parents[i]], local));
    }
}

static tr_quat rest_turn(const tr_skeleton *skeleton, uint32_t joint) {
    tr_quat turn = tr_quat_identity();
    for (; joint != TR_NONE; joint = tr_skeleton_parents(skeleton)[joint])
        turn = tr_quat_multiply(tr_skeleton_joint(skeleton, joint).rest.rotation, turn);
    return tr_quat_normalize(turn);
}

// The direction from the joint of a role to another joint, in the common pose; zero without them.
static tr_vec3 direction(const retarget_body *body, int role, uint32_t to) {
    uint32_t from = with_role(body, role);
    if (from == TR_NONE || to == TR_NONE)
        return tr_vec3_make(0, 0, 0);
    return unit(tr_quat_rotate(body->to_common[role], tr_vec3_subtract(place(body, to), place(body, from))));
}

static tr_vec3 between(const retarget_body *body, int left_role) {
    tr_vec3 left = place(body, with_role(body, left_role));
    tr_vec3 right = place(body, with_role(body, (int)tr_role_mirror((tr_role)left_role)));
    return tr_vec3_scale(tr_vec3_add(left, right), 0.5f);
}

static void measure_directions(retarget_body *body) {
    uint32_t head = with_role(body, TR_ROLE_HEAD), neck = with_role(body, TR_ROLE_NECK);
    tr_vec3 top = neck == TR_NONE ? between(body, TR_ROLE_LEFT_UPPER_ARM) : place(body, neck);
    tr_vec3 trunk = tr_vec3_subtract(top, between(body, TR_ROLE_LEFT_THIGH));
    body->trunk = unit(tr_quat_rotate(body->to_common[TR_ROLE_HIPS], trunk));
    body->neck = direction(body, TR_ROLE_NECK, head);
    body->crown = direction(body, TR_ROLE_HEAD, find_tip(body->skeleton, head));
    for (int side = 0; side < 2; side++) {
        int toes = side ? TR_ROLE_RIGHT_TOES : TR_ROLE_LEFT_TOES;
        uint32_t joint = with_role(body, toes);
        uint32_t tip = joint == TR_NONE ? TR_NONE : find_tip(body->skeleton, joint);
        body->tiptoe[side] = direction(body, toes, tip);
    }
}

tr_status tr_retarget_measure(const tr_skeleton *skeleton, const char *which, retarget_body *body,
                              tr_error *error) {
    tr_status status = check_roles(skeleton, which, error);
    if (status != TR_OK)
        return status;
    body->skeleton = skeleton;
    tr_quat common = upright(body);
    for (int role = 0; role < TR_ROLE_COUNT; role++) {
        uint32_t joint = with_role(body, role);
        body->to_common[role] = common;
        body->rest_turn[role] = joint == TR_NONE ? tr_quat_identity() : rest_turn(skeleton, joint);
    }
    body->leg = 0;
    for (int side = 0; side < 2; side++) {
        straighten_arm(body, side);
        body->leg += straighten_leg(body, side) / 2;
    }
    measure_directions(body);
    if (!(body->leg > 1e-6f))
        return tr_fail(error, TR_INVALID,
                       "the legs of the %s skeleton are %g m long, they must be longer than 1e-6 m", which,
                       (double)body->leg);
    tr_vec3 both = tr_vec3_add(way(body, TR_ROLE_HIPS, TR_ROLE_LEFT_THIGH),
                               way(body, TR_ROLE_HIPS, TR_ROLE_RIGHT_THIGH));
    body->middle =
        tr_quat_rotate(tr_quat_conjugate(body->rest_turn[TR_ROLE_HIPS]), tr_vec3_scale(both, 0.5f));
    return TR_OK;
}

// A leg that hangs below the hips and is not folded.
static bool hangs(const retarget_body *body, int side) {
    int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
    tr_vec3 up = unit(way(body, TR_ROLE_HIPS, TR_ROLE_HEAD));
    tr_vec3 thigh = unit(way(body, TR_ROLE_LEFT_THIGH + shift, TR_ROLE_LEFT_SHANK + shift));
    tr_vec3 shank = unit(way(body, TR_ROLE_LEFT_SHANK + shift, TR_ROLE_LEFT_FOOT + shift));
    return tr_vec3_dot(thigh, up) < -0.5f && tr_vec3_dot(shank, up) < -0.5f;
}

tr_status tr_retarget_check_rest(const retarget_body *body, const char *which, tr_error *error) {
    tr_vec3 up = unit(way(body, TR_ROLE_HIPS, TR_ROLE_HEAD));
    tr_vec3 thighs = unit(way(body, TR_ROLE_RIGHT_THIGH, TR_ROLE_LEFT_THIGH));
    tr_vec3 arms = unit(way(body, TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_LEFT_UPPER_ARM));
    const char *amiss = NULL;
    if (!hangs(body, 0) || !hangs(body, 1))
        amiss = "its legs do not point away from its head";
    else if (!(fabsf(tr_vec3_dot(thighs, up)) < 0.5f))
        amiss = "its thighs are not side by side";
    else if (!(tr_vec3_dot(thighs, arms) > 0.5f))
        amiss = "its shoulders are not above its thighs, left above left";
    if (!amiss)
        return TR_OK;
    return tr_fail(error, TR_INVALID,
                   "the rest pose of the %s skeleton is not that of a body that stands: %s", which, amiss);
}
