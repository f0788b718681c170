#include "cast_arms.h"

#include "troupe/world/distance.h"

#include <math.h>

#define CLOSE_IN 0.03      // arms held close are this much further in than those of a standing body [rad]
#define CLOSE_TURN 0.45    // they are also turned, so that the bent forearms
#define CLOSE_BEND 1.15    // lie in front of the body
#define HANG_AHEAD 0.15f   // hanging forearms lean forward a little: sine
#define HANG_DOWN 0.98869f // and cosine
#define THICKNESS 0.02f    // radius of a forearm without capsules, as a share of the height

// A rotation in world axes as a rotation of the joint itself.
static tr_quat turned(const tr_cast *cast, uint32_t joint, const tr_pose *pose, const tr_affine *model,
                      tr_quat turn) {
    uint32_t above = tr_skeleton_parents(cast->skeleton)[joint];
    tr_quat axes = tr_quat_normalize(tr_affine_rotation(&model[above]));
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), tr_quat_multiply(turn, axes));
    local = tr_quat_normalize(tr_quat_multiply(local, tr_pose_rotation(pose, joint)));
    return tr_skeleton_limit_clamp(cast->skeleton, joint, local);
}

// The direction from one joint to another; straight down if both are at the same place.
static tr_vec3 direction(const tr_affine *model, uint32_t from, uint32_t to) {
    tr_vec3 along = tr_vec3_subtract(tr_affine_position(&model[to]), tr_affine_position(&model[from]));
    float length = tr_vec3_length(along);
    return length > 0 ? tr_vec3_scale(along, 1 / length) : tr_vec3_make(0, -1, 0);
}

static void hold_close(tr_cast *cast, uint32_t side, const tr_pose *pose, const tr_affine *model) {
    const uint32_t *arm = cast->arms[side];
    double inwards = side ? 1 : -1;
    tr_quat turns[2] = {
        tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 0, 1), inwards * CLOSE_IN),
                         tr_quat_about(direction(model, arm[0], arm[1]), -inwards * CLOSE_TURN)),
        tr_quat_about(tr_vec3_make(1, 0, 0), -CLOSE_BEND)};
    for (uint32_t part = 0; part < 2; part++)
        cast->arms_close[side][part] = turned(cast, arm[part], pose, model, turns[part]);
}

// The upper arm straight down, the forearm a little forward. Both take the shortest rotation; the forearm's
// applies after that of the upper arm.
static void hang(tr_cast *cast, uint32_t side, uint32_t hand, const tr_pose *pose, const tr_affine *model) {
    const uint32_t *arm = cast->arms[side];
    tr_vec3 down = {0, -1, 0}, ahead = {0, -HANG_DOWN, HANG_AHEAD};
    tr_quat upper = tr_quat_between(direction(model, arm[0], arm[1]), down);
    tr_vec3 fore = tr_quat_rotate(upper, direction(model, arm[1], hand));
    tr_quat lower = tr_quat_between(fore, ahead);
    // In world axes, before the rotation of the upper arm.
    lower = tr_quat_multiply(tr_quat_conjugate(upper), tr_quat_multiply(lower, upper));
    cast->arms_hang[side][0] = turned(cast, arm[0], pose, model, upper);
    cast->arms_hang[side][1] = turned(cast, arm[1], pose, model, lower);
}

// The radius of a joint's thickest capsule.
static float thickness(const tr_cast *cast, uint32_t joint) {
    const tr_body_def *body = cast->body ? tr_body_view(cast->body) : NULL;
    float radius = 0;
    for (uint32_t i = 0; body && i < body->capsule_count; i++)
        if (body->capsules[i].joint == joint && body->capsules[i].radius > radius)
            radius = body->capsules[i].radius;
    return radius > 0 ? radius : THICKNESS * cast->height;
}

// The tip of the hand: the point of the hand and its descendants that is furthest from the wrist.
static tr_cast_ball find_tip(const tr_cast *cast, uint32_t hand, const tr_affine *model) {
    const tr_body_def *body = cast->body ? tr_body_view(cast->body) : NULL;
    const tr_skeleton *skeleton = cast->skeleton;
    tr_vec3 wrist = tr_affine_position(&model[hand]), best = wrist;
    tr_cast_ball tip = {hand, {0, 0, 0}, thickness(cast, hand)};
    float furthest = 0;
    for (uint32_t i = hand; i < tr_skeleton_joint_count(cast->skeleton); i++) {
        tr_vec3 at = tr_affine_position(&model[i]);
        float away =
            tr_skeleton_hangs_on(skeleton, i, hand) ? tr_vec3_length(tr_vec3_subtract(at, wrist)) : 0;
        if (away > furthest)
            furthest = away, best = at;
    }
    for (uint32_t i = 0; body && i < 2 * body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i / 2];
        tr_vec3 at = tr_affine_apply(&model[capsule->joint], i % 2 ? capsule->b : capsule->a);
        float away = tr_vec3_length(tr_vec3_subtract(at, wrist)) + capsule->radius;
        if (tr_skeleton_hangs_on(skeleton, capsule->joint, hand) && away > furthest)
            furthest = away, best = at, tip.radius = capsule->radius;
    }
    tr_affine inverse;
    if (tr_affine_invert(&model[hand], &inverse))
        tip.at = tr_affine_apply(&inverse, best);
    return tip;
}

// The thickest capsule of the hips; a point without thickness if they have none.
static float find_hips(tr_cast *cast) {
    const tr_body_def *body = cast->body ? tr_body_view(cast->body) : NULL;
    float radius = 0;
    for (uint32_t i = 0; body && i < body->capsule_count; i++) {
        const tr_capsule *capsule = &body->capsules[i];
        if (capsule->joint == cast->legs.hips && capsule->radius > radius) {
            radius = capsule->radius;
            cast->hips_line[0] = capsule->a, cast->hips_line[1] = capsule->b;
        }
    }
    return radius;
}

// Limbs keep as far apart as their capsules are thick, unless they are closer in the standing body. Hips
// without a capsule keep nothing off.
static void measure_apart(tr_cast *cast, uint32_t side, float hips, const tr_affine *model) {
    const tr_cast_ball *balls = cast->arm_balls[side];
    const tr_limb *leg = &cast->legs.limbs[side];
    const tr_affine *trunk = &model[cast->legs.hips];
    tr_vec3 arm[3],
        ends[2][2] = {
            {tr_affine_position(&model[leg->upper]), tr_affine_position(&model[leg->lower])},
            {tr_affine_apply(trunk, cast->hips_line[0]), tr_affine_apply(trunk, cast->hips_line[1])}};
    const float radius[2] = {thickness(cast, leg->upper), hips};
    for (uint32_t i = 0; i < 3; i++)
        arm[i] = tr_affine_apply(&model[balls[i].joint], balls[i].at);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t part = i % 2, of = i / 2;
        float apart =
            sqrtf(tr_distance_segments(arm[part], arm[part + 1], ends[of][0], ends[of][1], NULL, NULL));
        float both = balls[part + 1].radius + radius[of];
        cast->arm_apart[of][2 * side + part] = radius[of] > 0 ? fminf(both, apart) : 0;
    }
}

void tr_cast_measure_arms(tr_cast *cast, const tr_pose *pose, const tr_affine *model) {
    static const tr_role roles[2][3] = {{TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_HAND},
                                        {TR_ROLE_RIGHT_UPPER_ARM, TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_HAND}};
    float hips = find_hips(cast);
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t *arm = cast->arms[side], hand = tr_skeleton_with_role(cast->skeleton, roles[side][2]);
        for (uint32_t part = 0; part < 2; part++)
            arm[part] = tr_skeleton_with_role(cast->skeleton, roles[side][part]);
        bool there = arm[0] != TR_NONE && arm[1] != TR_NONE;
        if (!there || tr_skeleton_parents(cast->skeleton)[arm[0]] == TR_NONE) {
            arm[0] = arm[1] = TR_NONE;
            continue;
        }
        hand = hand != TR_NONE ? hand : arm[1];
        hold_close(cast, side, pose, model);
        hang(cast, side, hand, pose, model);
        cast->arm_balls[side][0] = (tr_cast_ball){arm[1], {0, 0, 0}, thickness(cast, arm[0])};
        cast->arm_balls[side][1] = (tr_cast_ball){hand, {0, 0, 0}, thickness(cast, arm[1])};
        cast->arm_balls[side][2] = find_tip(cast, hand, model);
        measure_apart(cast, side, hips, model);
    }
}
