#include "cast_arms.h"

#include "troupe/world/distance.h"

#include <math.h>

#define CLOSE_IN 0.03      // arms held close are this much further in than those of a standing body [rad]
#define CLOSE_TURN 0.45    // they are also turned, so that the bent forearms
#define CLOSE_BEND 1.15    // lie in front of the body
#define HANG_AHEAD 0.15f   // hanging forearms lean forward a little: sine
#define HANG_DOWN 0.98869f // and cosine
#define LOW_HANDS 0.1f     // hands that hang lower than this share of the height may touch the floor
#define THICKNESS 0.02f    // radius of a forearm without capsules, as a share of the height
#define SKIN 4e-3f         // an arm may press into the trunk by this [m]
#define OUT_STEP 0.02      // arms that would be inside the trunk are held further out, in these steps
#define OUT_MOST 0.4       // up to this [rad]

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

// Does the trunk carry this capsule, below the shoulder of an arm?
static bool is_of_trunk(const tr_cast *cast, uint32_t side, const tr_capsule *capsule) {
    const tr_skeleton *skeleton = cast->skeleton;
    uint32_t shoulder = tr_skeleton_parents(skeleton)[cast->arms[side][0]];
    return capsule->joint != shoulder && tr_skeleton_hangs_on(skeleton, shoulder, capsule->joint);
}

static float between_capsules(const tr_capsule *a, const tr_capsule *b, const tr_affine *model) {
    const tr_affine *of_a = &model[a->joint], *of_b = &model[b->joint];
    return sqrtf(tr_distance_segments(tr_affine_apply(of_a, a->a), tr_affine_apply(of_a, a->b),
                                      tr_affine_apply(of_b, b->a), tr_affine_apply(of_b, b->b), NULL, NULL));
}

// An arm of the standing body, and held in another way.
typedef struct held_arm {
    const tr_pose *pose;
    const tr_affine *model;
    tr_pose *held;
    tr_affine *held_model;
} held_arm;

// Is the arm inside the trunk? `stands`: no deeper than in the standing body is not inside.
static bool is_inside(const tr_cast *cast, uint32_t side, const held_arm *arm, bool stands) {
    const tr_body_def *body = cast->body ? tr_body_view(cast->body) : NULL;
    for (uint32_t i = 0; body && i < body->capsule_count; i++)
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *own = &body->capsules[i], *other = &body->capsules[k];
            bool ignored = body->ignored_pairs && body->ignored_pairs[(size_t)i * body->capsule_count + k];
            if (ignored || (own->joint != cast->arms[side][0] && own->joint != cast->arms[side][1]) ||
                !is_of_trunk(cast, side, other))
                continue;
            float apart = own->radius + other->radius;
            apart = stands ? fminf(apart, between_capsules(own, other, arm->model)) : apart;
            if (between_capsules(own, other, arm->held_model) < apart - SKIN)
                return true;
        }
    return false;
}

// Turns an arm of the standing body by two rotations in world axes, the second of the forearm alone, and then
// outwards until it is beside the trunk: bellies differ. false: it stays inside.
static bool hold_beside(const tr_cast *cast, uint32_t side, const held_arm *arm, const tr_quat turns[2],
                        bool stands, tr_quat held[2]) {
    const uint32_t *joints = cast->arms[side];
    for (double out = 0; out < OUT_MOST; out += OUT_STEP) {
        tr_quat aside = tr_quat_about(tr_vec3_make(0, 0, 1), side ? -out : out);
        held[0] = turned(cast, joints[0], arm->pose, arm->model, tr_quat_multiply(aside, turns[0]));
        held[1] = turned(cast, joints[1], arm->pose, arm->model, turns[1]);
        tr_pose_copy(arm->held, arm->pose);
        for (uint32_t part = 0; part < 2; part++)
            tr_pose_set_rotation(arm->held, joints[part], held[part]);
        tr_pose_to_model(cast->skeleton, arm->held, NULL, arm->held_model);
        if (!is_inside(cast, side, arm, stands))
            return true;
    }
    return false;
}

static void hold(const tr_cast *cast, uint32_t side, const held_arm *arm, const tr_quat turns[2],
                 tr_quat held[2]) {
    if (!hold_beside(cast, side, arm, turns, false, held))
        hold_beside(cast, side, arm, turns, true, held);
}

static void hold_close(tr_cast *cast, uint32_t side, const held_arm *held) {
    const uint32_t *arm = cast->arms[side];
    double inwards = side ? 1 : -1;
    const tr_quat turns[2] = {
        tr_quat_multiply(tr_quat_about(tr_vec3_make(0, 0, 1), inwards * CLOSE_IN),
                         tr_quat_about(direction(held->model, arm[0], arm[1]), -inwards * CLOSE_TURN)),
        tr_quat_about(tr_vec3_make(1, 0, 0), -CLOSE_BEND)};
    hold(cast, side, held, turns, cast->arms_close[side]);
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

// Others keep off the arms as well, at least while these hang: the disc is as wide as that.
static void widen_disc(tr_cast *cast, uint32_t side, uint32_t hand, const tr_affine *model) {
    const uint32_t joints[3] = {cast->arms[side][0], cast->arms[side][1], hand};
    for (uint32_t i = 0; i < 3 && cast->radius > 0; i++) {
        tr_vec3 at = tr_affine_position(&model[joints[i]]);
        float reach = sqrtf(at.x * at.x + at.z * at.z) + thickness(cast, joints[i]);
        cast->radius = reach > cast->radius ? reach : cast->radius;
    }
}

// The upper arm straight down, the forearm a little forward. Both take the shortest rotation; the forearm's
// applies after that of the upper arm.
static void hang(tr_cast *cast, uint32_t side, uint32_t hand, const held_arm *held) {
    const uint32_t *arm = cast->arms[side];
    tr_vec3 down = {0, -1, 0}, ahead = {0, -HANG_DOWN, HANG_AHEAD};
    tr_quat upper = tr_quat_between(direction(held->model, arm[0], arm[1]), down);
    tr_vec3 fore = tr_quat_rotate(upper, direction(held->model, arm[1], hand));
    tr_quat lower = tr_quat_between(fore, ahead);
    // In world axes, before the rotation of the upper arm.
    const tr_quat turns[2] = {upper,
                              tr_quat_multiply(tr_quat_conjugate(upper), tr_quat_multiply(lower, upper))};
    hold(cast, side, held, turns, cast->arms_hang[side]);
    widen_disc(cast, side, hand, held->held_model);
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

// Robots and trolls may have hands that reach the floor.
static void find_long_arm(tr_cast *cast, uint32_t side, uint32_t hand, const tr_affine *model) {
    const uint32_t *joints = cast->arms[side];
    const tr_cast_ball *tip = &cast->arm_balls[side][2];
    tr_limb arm;
    cast->long_arms[side] = (tr_limb){0};
    if (hand == joints[1] || tr_limb_measure(cast->skeleton, joints[0], joints[1], hand, &arm, NULL) != TR_OK)
        return;
    tr_vec3 wrist = tr_affine_position(&model[hand]), end = tr_affine_apply(&model[tip->joint], tip->at);
    float reach =
        arm.upper_length + arm.lower_length + tip->radius + tr_vec3_length(tr_vec3_subtract(end, wrist));
    if (tr_affine_position(&model[joints[0]]).y - reach < LOW_HANDS * cast->height)
        cast->long_arms[side] = arm;
}

void tr_cast_measure_arms(tr_cast *cast, const tr_pose *pose, const tr_affine *model, tr_pose *spare,
                          tr_affine *spare_model) {
    const held_arm held = {pose, model, spare, spare_model};
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
        hold_close(cast, side, &held);
        hang(cast, side, hand, &held);
        cast->arm_balls[side][0] = (tr_cast_ball){arm[1], {0, 0, 0}, thickness(cast, arm[0])};
        cast->arm_balls[side][1] = (tr_cast_ball){hand, {0, 0, 0}, thickness(cast, arm[1])};
        cast->arm_balls[side][2] = find_tip(cast, hand, model);
        measure_apart(cast, side, hips, model);
        find_long_arm(cast, side, hand, model);
    }
}
