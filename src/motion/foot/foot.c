#include "motion/foot/foot.h"

#include <math.h>

// How far the heel lies behind the ankle, as a share of the foot length from ankle to ball.
#define HEEL_SHARE 0.4f
#define TIP_SHARE 0.35f  // and how far the tip lies beyond the ball
#define HALF_WIDTH 0.13f // half the width of a foot, as a share of its length

// The descendant of `top` that is furthest ahead and low: the end of the toes.
static uint32_t find_tip(const tr_skeleton *skeleton, uint32_t top) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    uint32_t tip = top, end = tr_skeleton_subtree_end(skeleton, top);
    for (uint32_t i = top + 1; i < end; i++) {
        if (tr_skeleton_hangs_on(skeleton, i, top) && rest[i].m[2][3] > rest[tip].m[2][3])
            tip = i;
    }
    return tip;
}

static tr_vec3 into_joint(const tr_skeleton *skeleton, uint32_t joint, tr_vec3 point) {
    tr_affine inverse;
    if (!tr_affine_invert(&tr_skeleton_rest_model(skeleton)[joint], &inverse))
        return tr_vec3_make(0, 0, 0);
    return tr_affine_apply(&inverse, point);
}

// Metres per unit of the axes of a joint in the rest pose.
static float unit_of(const tr_skeleton *skeleton, uint32_t joint) {
    float unit = 1;
    for (; joint != TR_NONE; joint = tr_skeleton_parents(skeleton)[joint])
        unit *= fabsf(tr_skeleton_joint(skeleton, joint).rest.scale.x);
    return unit;
}

// The front of a foot whose mesh is known: its joints may end anywhere in the shoe. The ball of a foot in one
// piece is where the joints would have it.
static void take_tip(const tr_sole *sole, tr_vec3 ankle, bool has_toes, tr_vec3 *ball, tr_vec3 *tip) {
    tr_vec3 front = {sole->tip.x - ankle.x, 0, sole->tip.z - ankle.z};
    float length = tr_vec3_length(front);
    tr_vec3 ahead = tr_vec3_scale(front, 1 / length);
    if (!has_toes)
        *ball = tr_vec3_add(ankle, tr_vec3_scale(front, 1 / (1 + TIP_SHARE)));
    float beyond = length - tr_vec3_dot(tr_vec3_subtract(*ball, ankle), ahead), least = 0.1f * length;
    *tip = tr_vec3_add(*ball, tr_vec3_scale(ahead, beyond > least ? beyond : least));
}

static tr_status measure_foot(const tr_skeleton *skeleton, uint32_t side, const tr_sole *mesh,
                              tr_foot *foot) {
    int shift = side ? TR_ROLE_RIGHT_THIGH - TR_ROLE_LEFT_THIGH : 0;
    tr_foot found = {.thigh = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_THIGH + shift)),
                     .shank = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_SHANK + shift)),
                     .ankle = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_FOOT + shift)),
                     .toes = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_TOES + shift))};
    if (found.thigh == TR_NONE || found.shank == TR_NONE || found.ankle == TR_NONE)
        return TR_NOT_FOUND;
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    tr_vec3 ankle = tr_affine_position(&rest[found.ankle]);
    tr_vec3 tip = tr_affine_position(&rest[find_tip(skeleton, found.ankle)]);
    tr_vec3 ball = found.toes == TR_NONE ? tip : tr_affine_position(&rest[found.toes]);
    tr_vec3 shank = tr_affine_position(&rest[found.shank]);
    float shank_length = tr_vec3_length(tr_vec3_subtract(ankle, shank));
    float sole = ankle.y < ball.y ? ankle.y : ball.y;
    sole = tip.y < sole ? tip.y : sole;
    tr_vec3 ahead = {ball.x - ankle.x, 0, ball.z - ankle.z};
    float length = tr_vec3_length(ahead);
    if (length < 0.1f * shank_length) // no toes to measure: a foot of human proportions, straight ahead
        ahead = tr_vec3_make(0, 0, 1), length = 0.4f * shank_length;
    else
        ahead = tr_vec3_scale(ahead, 1 / length);
    if (tip.z <= ball.z) // nothing beyond the ball
        tip = tr_vec3_add(ball, tr_vec3_scale(ahead, TIP_SHARE * length));
    tr_vec3 heel = tr_vec3_subtract(ankle, tr_vec3_scale(ahead, HEEL_SHARE * length));
    if (mesh->known) {
        sole = mesh->heel.y, heel = mesh->heel;
        take_tip(mesh, ankle, found.toes != TR_NONE, &ball, &tip);
    }
    found.heel = into_joint(skeleton, found.ankle, tr_vec3_make(heel.x, sole, heel.z));
    found.ball = into_joint(skeleton, found.ankle, tr_vec3_make(ball.x, sole, ball.z));
    uint32_t end = found.toes == TR_NONE ? found.ankle : found.toes;
    found.tip = into_joint(skeleton, end, tr_vec3_make(tip.x, sole, tip.z));
    found.unit = unit_of(skeleton, found.ankle);
    found.tip_unit = unit_of(skeleton, end);
    *foot = found;
    return TR_OK;
}

tr_status tr_foot_measure(const tr_skeleton *skeleton, uint32_t side, tr_foot *foot) {
    tr_sole mesh = tr_skeleton_sole(skeleton, side);
    return measure_foot(skeleton, side, &mesh, foot);
}

tr_status tr_foot_measure_rolling(const tr_skeleton *skeleton, uint32_t side, tr_foot *foot) {
    tr_sole mesh = tr_skeleton_sole(skeleton, side);
    bool has_toes = tr_skeleton_with_role(skeleton, side ? TR_ROLE_RIGHT_TOES : TR_ROLE_LEFT_TOES) != TR_NONE;
    mesh.known = mesh.known && !has_toes;
    tr_status status = measure_foot(skeleton, side, &mesh, foot);
    if (status == TR_OK && mesh.known)
        foot->tip = foot->ball;
    return status;
}

tr_vec3 tr_foot_heel(const tr_foot *foot, const tr_affine *model) {
    return tr_affine_apply(&model[foot->ankle], foot->heel);
}

tr_vec3 tr_foot_ball(const tr_foot *foot, const tr_affine *model) {
    return tr_affine_apply(&model[foot->ankle], foot->ball);
}

tr_vec3 tr_foot_tip(const tr_foot *foot, const tr_affine *model) {
    return tr_affine_apply(&model[foot->toes == TR_NONE ? foot->ankle : foot->toes], foot->tip);
}

// The joint that carries both legs: the hips by role, otherwise the nearest common ancestor of both thighs.
static uint32_t find_hips(const tr_skeleton *skeleton, const tr_foot feet[2]) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    if (hips != TR_NONE && hips != feet[0].thigh && hips != feet[1].thigh &&
        tr_skeleton_hangs_on(skeleton, feet[0].thigh, hips) &&
        tr_skeleton_hangs_on(skeleton, feet[1].thigh, hips))
        return hips;
    hips = parents[feet[0].thigh];
    while (hips != TR_NONE && !tr_skeleton_hangs_on(skeleton, feet[1].thigh, hips))
        hips = parents[hips];
    return hips;
}

static tr_vec3 toes_of(const tr_foot *foot) {
    return foot->toes == TR_NONE ? foot->tip : foot->ball;
}

static void measure_sole(const tr_foot *foot, const tr_affine *rest, float *tip, float *width) {
    tr_vec3 heel = tr_foot_heel(foot, rest);
    tr_vec3 toes = foot->toes == TR_NONE ? tr_foot_tip(foot, rest) : tr_foot_ball(foot, rest);
    float length = tr_vec3_length(tr_vec3_subtract(tr_foot_tip(foot, rest), heel)),
          part = tr_vec3_length(tr_vec3_subtract(toes, heel));
    *tip = part > 0 ? length / part : 1;
    *width = HALF_WIDTH * length;
}

tr_status tr_legs_measure(const tr_skeleton *skeleton, tr_legs *legs, tr_error *error) {
    tr_legs found = {0};
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (uint32_t side = 0; side < 2; side++) {
        tr_foot *foot = &found.feet[side];
        if (tr_foot_measure(skeleton, side, foot) != TR_OK)
            return tr_fail(error, TR_NOT_FOUND, "the skeleton has no %s leg with roles",
                           side ? "right" : "left");
        tr_status status =
            tr_limb_measure(skeleton, foot->thigh, foot->shank, foot->ankle, &found.limbs[side], error);
        if (status != TR_OK)
            return status;
        const tr_affine *ankle = &rest[foot->ankle];
        found.sole[side] = tr_affine_rotation(ankle);
        found.ahead[side] = tr_affine_turn(ankle, tr_vec3_subtract(toes_of(foot), foot->heel));
        measure_sole(foot, rest, &found.tip[side], &found.width[side]);
    }
    found.hips = find_hips(skeleton, found.feet);
    if (found.hips == TR_NONE)
        return tr_fail(error, TR_INVALID, "joints %u (%s) and %u (%s) have no common ancestor",
                       found.feet[0].thigh, tr_skeleton_joint(skeleton, found.feet[0].thigh).name,
                       found.feet[1].thigh, tr_skeleton_joint(skeleton, found.feet[1].thigh).name);
    uint32_t end = tr_skeleton_subtree_end(skeleton, found.hips);
    found.hips_move_all = true;
    for (uint32_t i = found.hips; i < end; i++)
        found.hips_move_all &= tr_skeleton_hangs_on(skeleton, i, found.hips);
    *legs = found;
    return TR_OK;
}
