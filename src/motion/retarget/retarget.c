#include "troupe/motion/retarget.h"
#include "retarget_data.h"

#include <math.h>
#include <string.h>

// Shares of the reach of a leg.
#define LEG_STRETCH 0.999f // a leg is stretched to this at most
#define LEG_SOFT 0.01f     // the hips begin to come down this much before that
#define DROP_MAX 0.06f     // they come down no further: a leg lying stretched on the ground is no reason

tr_retarget_params tr_retarget_params_default(void) {
    tr_retarget_params params = {.keep_feet = true, .level_soles = true, .scale = 0};
    return params;
}

static bool is_same_joint(const tr_joint_def *a, const tr_joint_def *b) {
    const tr_transform *p = &a->rest, *q = &b->rest;
    return a->parent == b->parent && a->role == b->role && p->position.x == q->position.x &&
           p->position.y == q->position.y && p->position.z == q->position.z &&
           p->rotation.x == q->rotation.x && p->rotation.y == q->rotation.y &&
           p->rotation.z == q->rotation.z && p->rotation.w == q->rotation.w && p->scale.x == q->scale.x &&
           p->scale.y == q->scale.y && p->scale.z == q->scale.z;
}

static bool is_same_skeleton(const tr_skeleton *a, const tr_skeleton *b) {
    uint32_t count = tr_skeleton_joint_count(a);
    bool same = count == tr_skeleton_joint_count(b);
    for (uint32_t i = 0; i < count && same && a != b; i++) {
        tr_joint_def one = tr_skeleton_joint(a, i), other = tr_skeleton_joint(b, i);
        same = is_same_joint(&one, &other);
    }
    return same;
}

static tr_status check_params(const tr_retarget_params *params, tr_error *error) {
    if (!(params->scale >= 0 && params->scale <= 1e6f))
        return tr_fail(error, TR_INVALID, "the scale of travel is %g, it must be 0 to 1e6",
                       (double)params->scale);
    for (uint32_t i = 0; i < params->motion_count; i++)
        if (!params->motions || !params->motions[i])
            return tr_fail(error, TR_INVALID, "motion %u of the source is NULL", i);
    return TR_OK;
}

static tr_status allocate(tr_retarget *retarget) {
    const tr_allocator *allocator = &retarget->allocator;
    uint32_t from = retarget->from_count, to = retarget->joint_count;
    retarget->bones = tr_allocate(allocator, to, sizeof *retarget->bones);
    retarget->from_turns = tr_allocate(allocator, from, sizeof *retarget->from_turns);
    retarget->to_turns = tr_allocate(allocator, to, sizeof *retarget->to_turns);
    retarget->from_model = tr_allocate(allocator, from, sizeof *retarget->from_model);
    retarget->to_model = tr_allocate(allocator, to, sizeof *retarget->to_model);
    bool good = retarget->bones && retarget->from_turns && retarget->to_turns && retarget->from_model &&
                retarget->to_model;
    return good ? TR_OK : TR_OUT_OF_MEMORY;
}

// Feet are kept in place if both legs can be bent.
static void measure_legs(tr_retarget *retarget) {
    for (int side = 0; side < 2 && retarget->keep_feet; side++) {
        int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
        uint32_t joints[3];
        for (int i = 0; i < 3; i++)
            joints[i] =
                tr_skeleton_with_role(retarget->to.skeleton, (tr_role)(TR_ROLE_LEFT_THIGH + i + shift));
        retarget->keep_feet = tr_limb_measure(retarget->to.skeleton, joints[0], joints[1], joints[2],
                                              &retarget->legs[side], NULL) == TR_OK;
    }
}

// The source's common pose is that of its motions, or of its rest pose if there are none or it is trusted.
static tr_status find_common_pose(tr_retarget *retarget, const tr_retarget_params *params, tr_error *error) {
    if (retarget->is_copy)
        return TR_OK;
    tr_status status = tr_retarget_check_rest(&retarget->to, "target", error);
    if (status != TR_OK)
        return status;
    if (params->motion_count == 0)
        return tr_retarget_check_rest(&retarget->from, "source", error);
    bool trusted = params->trust_rest && tr_retarget_check_rest(&retarget->from, "source", NULL) == TR_OK;
    return tr_retarget_study(retarget, params, trusted, error);
}

static tr_status prepare(tr_retarget *retarget, const tr_skeleton *from, const tr_skeleton *to,
                         const tr_retarget_params *params, tr_error *error) {
    tr_status status = tr_retarget_measure(from, "source", &retarget->from, error);
    if (status == TR_OK)
        status = tr_retarget_measure(to, "target", &retarget->to, error);
    if (status != TR_OK)
        return status;
    if (allocate(retarget) != TR_OK)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for retargeting");
    retarget->is_copy = is_same_skeleton(from, to) && (params->scale == 0 || params->scale == 1);
    status = find_common_pose(retarget, params, error);
    if (status != TR_OK)
        return status;
    uint32_t parent = tr_skeleton_parents(to)[tr_skeleton_with_role(to, TR_ROLE_HIPS)];
    retarget->to_hips = tr_affine_identity();
    if (parent != TR_NONE && !tr_affine_invert(&tr_skeleton_rest_model(to)[parent], &retarget->to_hips))
        return tr_fail(error, TR_INVALID, "the parent of the hips of the target skeleton is scaled to 0");
    retarget->upward = retarget->to.leg / retarget->from.leg;
    retarget->across = params->scale > 0 ? params->scale : retarget->upward;
    retarget->world = tr_quat_between(retarget->from.up, retarget->to.up);
    retarget->keep_feet = params->keep_feet;
    retarget->level_soles = params->level_soles;
    measure_legs(retarget);
    tr_retarget_match(retarget);
    return tr_retarget_find_followers(retarget, error);
}

tr_status tr_retarget_create(const tr_allocator *allocator, const tr_skeleton *from, const tr_skeleton *to,
                             const tr_retarget_params *params, tr_retarget **retarget, tr_error *error) {
    *retarget = NULL;
    tr_retarget_params used = params ? *params : tr_retarget_params_default();
    if (!from || !to)
        return tr_fail(error, TR_INVALID, "retargeting needs two skeletons");
    tr_status status = check_params(&used, error);
    if (status != TR_OK)
        return status;
    tr_allocator memory = tr_allocator_or_default(allocator);
    tr_retarget *made = tr_allocate_zero(&memory, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for retargeting");
    made->allocator = memory;
    made->from_count = tr_skeleton_joint_count(from);
    made->joint_count = tr_skeleton_joint_count(to);
    status = prepare(made, from, to, &used, error);
    if (status != TR_OK) {
        tr_retarget_destroy(made);
        return status;
    }
    *retarget = made;
    return TR_OK;
}

void tr_retarget_destroy(tr_retarget *retarget) {
    if (!retarget)
        return;
    tr_allocator allocator = retarget->allocator;
    uint32_t from = retarget->from_count, to = retarget->joint_count;
    tr_release(&allocator, retarget->bones, to, sizeof *retarget->bones);
    tr_release(&allocator, retarget->followers, retarget->follower_capacity, sizeof *retarget->followers);
    tr_release(&allocator, retarget->column, from, sizeof *retarget->column);
    tr_release(&allocator, retarget->from_turns, from, sizeof *retarget->from_turns);
    tr_release(&allocator, retarget->to_turns, to, sizeof *retarget->to_turns);
    tr_release(&allocator, retarget->from_model, from, sizeof *retarget->from_model);
    tr_release(&allocator, retarget->to_model, to, sizeof *retarget->to_model);
    tr_release(&allocator, retarget, 1, sizeof *retarget);
}

void tr_retarget_look(tr_retarget *retarget, const tr_pose *from) {
    const uint32_t *parents = tr_skeleton_parents(retarget->from.skeleton);
    tr_pose_to_model(retarget->from.skeleton, from, NULL, retarget->from_model);
    for (uint32_t i = 0; i < from->joint_count; i++) {
        tr_quat local = tr_pose_rotation(from, i);
        retarget->from_turns[i] =
            parents[i] == TR_NONE
                ? local
                : tr_quat_normalize(tr_quat_multiply(retarget->from_turns[parents[i]], local));
    }
}

// The rotation of the bone from the common pose, in the target's world.
static tr_quat turn_of_bone(const tr_retarget *retarget, const retarget_bone *bone) {
    tr_quat turn = tr_quat_multiply(retarget->from_turns[bone->first], bone->first_before);
    if (bone->part > 0) {
        tr_quat second = tr_quat_multiply(retarget->from_turns[bone->second], bone->second_before);
        turn = tr_quat_blend(turn, second, bone->part);
    }
    return tr_quat_multiply(retarget->world, turn);
}

static void turn_target(tr_retarget *retarget, tr_pose *to) {
    const tr_skeleton *skeleton = retarget->to.skeleton;
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    for (uint32_t i = 0; i < retarget->joint_count; i++) {
        const retarget_bone *bone = &retarget->bones[i];
        tr_quat above = parents[i] == TR_NONE ? tr_quat_identity() : retarget->to_turns[parents[i]];
        if (bone->first == TR_NONE) {
            retarget->to_turns[i] = tr_quat_normalize(tr_quat_multiply(above, tr_pose_rotation(to, i)));
            continue;
        }
        retarget->to_turns[i] =
            tr_quat_normalize(tr_quat_multiply(turn_of_bone(retarget, bone), bone->after));
        tr_pose_set_rotation(
            to, i, tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(above), retarget->to_turns[i])));
    }
}

// A place of the source in the target's world: horizontal distances and heights have separate scales.
static tr_vec3 carry(const tr_retarget *retarget, tr_vec3 p) {
    tr_vec3 up = tr_vec3_scale(retarget->from.up, tr_vec3_dot(p, retarget->from.up));
    tr_vec3 level = tr_vec3_subtract(p, up);
    return tr_quat_rotate(retarget->world, tr_vec3_add(tr_vec3_scale(level, retarget->across),
                                                       tr_vec3_scale(up, retarget->upward)));
}

static tr_vec3 source_place(const tr_retarget *retarget, int role) {
    return tr_affine_position(
        &retarget->from_model[tr_skeleton_with_role(retarget->from.skeleton, (tr_role)role)]);
}

// The legs are attached at the same place as in the source, whatever lies between them and the hips; or lower
// by `drop`.
static void move_hips(const tr_retarget *retarget, float drop, tr_pose *to) {
    uint32_t hips = tr_skeleton_with_role(retarget->to.skeleton, TR_ROLE_HIPS);
    tr_vec3 middle = tr_vec3_scale(
        tr_vec3_add(source_place(retarget, TR_ROLE_LEFT_THIGH), source_place(retarget, TR_ROLE_RIGHT_THIGH)),
        0.5f);
    tr_vec3 offset = tr_quat_rotate(retarget->to_turns[hips], retarget->to.middle);
    tr_vec3 place = tr_vec3_subtract(carry(retarget, middle), offset);
    place = tr_vec3_subtract(place, tr_vec3_scale(retarget->to.up, drop));
    tr_transform local = tr_pose_get(to, hips);
    local.position = tr_affine_apply(&retarget->to_hips, place);
    tr_pose_set(to, hips, local);
}

static float lower(float a, float b) {
    return a < b ? a : b;
}

// The rotation of toes from the common pose; those that the source lacks are in line with the foot.
static tr_quat turn_of_toes(const tr_retarget *retarget, int side, tr_quat foot) {
    int role = side ? TR_ROLE_RIGHT_TOES : TR_ROLE_LEFT_TOES;
    uint32_t toes = tr_skeleton_with_role(retarget->to.skeleton, (tr_role)role);
    bool follows = toes != TR_NONE && retarget->bones[toes].first != TR_NONE;
    return follows ? turn_of_bone(retarget, &retarget->bones[toes]) : foot;
}

// How high the tip of a foot is above its ankle, which has these rotations.
static float rise_of_tip(const retarget_body *body, int side, tr_vec3 up, tr_quat foot, tr_quat toes) {
    if (!body->has_toes[side])
        return tr_vec3_dot(tr_quat_rotate(foot, body->tip[side]), up);
    return tr_vec3_dot(tr_quat_rotate(foot, body->toes[side]), up) +
           tr_vec3_dot(tr_quat_rotate(toes, body->tip[side]), up);
}

// The height of the lowest point of a foot of the source, in the target's world. If only one of the feet has
// toes, the tips are not alike and do not count.
static float lowest_point(const tr_retarget *retarget, int side, bool with_tip) {
    int role = side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT;
    uint32_t ankle = tr_skeleton_with_role(retarget->to.skeleton, (tr_role)role);
    const retarget_body *from = &retarget->from;
    tr_quat foot = turn_of_bone(retarget, &retarget->bones[ankle]), back = tr_quat_conjugate(retarget->world);
    tr_quat toes = tr_quat_multiply(back, turn_of_toes(retarget, side, foot));
    foot = tr_quat_multiply(back, foot);
    float ball = tr_vec3_dot(tr_quat_rotate(foot, from->ball[side]), from->up),
          heel = tr_vec3_dot(tr_quat_rotate(foot, from->heel[side]), from->up), low = lower(ball, heel);
    if (with_tip && from->has_toes[side] == retarget->to.has_toes[side])
        low = lower(low, rise_of_tip(from, side, from->up, foot, toes));
    return (tr_vec3_dot(source_place(retarget, role), from->up) + low) * retarget->upward;
}

// The goal of the ankle: the lowest point of the sole is as high as in the source, and the ball of the foot
// is at the same place.
static tr_vec3 ankle_goal(const tr_retarget *retarget, int side) {
    int role = side ? TR_ROLE_RIGHT_FOOT : TR_ROLE_LEFT_FOOT;
    uint32_t ankle = tr_skeleton_with_role(retarget->to.skeleton, (tr_role)role);
    tr_quat turn = turn_of_bone(retarget, &retarget->bones[ankle]);
    tr_quat turn_there = tr_quat_multiply(tr_quat_conjugate(retarget->world), turn);
    tr_vec3 there = source_place(retarget, role), up;
    tr_vec3 ball_there = tr_vec3_add(there, tr_quat_rotate(turn_there, retarget->from.ball[side]));
    bool in_one = !retarget->to.has_toes[side];
    float height = lowest_point(retarget, side, in_one);
    tr_vec3 ball = tr_quat_rotate(turn, retarget->to.ball[side]);
    tr_vec3 heel = tr_quat_rotate(turn, retarget->to.heel[side]);
    up = retarget->to.up;
    tr_vec3 goal = tr_vec3_subtract(carry(retarget, ball_there), ball);
    float low = lower(tr_vec3_dot(ball, up), tr_vec3_dot(heel, up));
    low = in_one ? lower(low, rise_of_tip(&retarget->to, side, up, turn, turn)) : low;
    float wanted = height - low;
    return tr_vec3_add(goal, tr_vec3_scale(up, wanted - tr_vec3_dot(goal, up)));
}

// By how much the hips must come down for the leg to reach its goal. This begins smoothly before the leg is
// stretched, because a knee that stops at full stretch would jerk.
static float drop_for(const tr_retarget *retarget, int side, tr_vec3 goal) {
    const tr_limb *leg = &retarget->legs[side];
    float reach = LEG_STRETCH * leg->reach_max, soft = LEG_SOFT * leg->reach_max;
    tr_vec3 from = tr_vec3_subtract(tr_affine_position(&retarget->to_model[leg->upper]), goal);
    float above = tr_vec3_dot(from, retarget->to.up);
    float across = tr_vec3_dot(from, from) - above * above, left = reach * reach - across;
    float lacking = above - (left > 0 ? sqrtf(left) : 0);
    float drop = lacking <= -soft ? 0
                 : lacking < soft ? (lacking + soft) * (lacking + soft) / (4 * soft)
                                  : lacking;
    return lower(drop, DROP_MAX * leg->reach_max);
}

// Toes that are longer than those of the source bend further up, as those of a person do, instead of dipping
// below what is the lowest point of the foot there.
static void raise_toes(tr_retarget *retarget, int side, tr_vec3 ankle, tr_pose *to) {
    const retarget_body *body = &retarget->to;
    int role = side ? TR_ROLE_RIGHT_TOES : TR_ROLE_LEFT_TOES;
    uint32_t toes = tr_skeleton_with_role(body->skeleton, (tr_role)role), foot = retarget->legs[side].end;
    if (!body->has_toes[side] || tr_skeleton_parents(body->skeleton)[toes] != foot)
        return;
    tr_quat foot_turn = turn_of_bone(retarget, &retarget->bones[foot]),
            turn = turn_of_toes(retarget, side, foot_turn);
    tr_vec3 at = tr_vec3_add(ankle, tr_quat_rotate(foot_turn, body->toes[side])),
            tip = tr_quat_rotate(turn, body->tip[side]);
    float height = tr_vec3_dot(tip, body->up), length = tr_vec3_length(tip),
          wanted = lowest_point(retarget, side, true) - tr_vec3_dot(at, body->up);
    wanted = wanted < length ? wanted : length;
    tr_vec3 level = tr_vec3_subtract(tip, tr_vec3_scale(body->up, height));
    float ahead = tr_vec3_length(level);
    if (!(wanted > height) || !(ahead > 0))
        return;
    float left = length * length - wanted * wanted, share = (left > 0 ? sqrtf(left) : 0) / ahead;
    tr_vec3 raised = tr_vec3_add(tr_vec3_scale(level, share), tr_vec3_scale(body->up, wanted));
    tr_quat raise = tr_quat_between(tip, raised);
    retarget->to_turns[toes] = tr_quat_normalize(tr_quat_multiply(raise, retarget->to_turns[toes]));
    tr_pose_set_rotation(to, toes,
                         tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(retarget->to_turns[foot]),
                                                            retarget->to_turns[toes])));
}

static void place_feet(tr_retarget *retarget, tr_pose *to) {
    tr_vec3 goals[2] = {ankle_goal(retarget, 0), ankle_goal(retarget, 1)};
    tr_pose_to_model(retarget->to.skeleton, to, NULL, retarget->to_model);
    float left = drop_for(retarget, 0, goals[0]), right = drop_for(retarget, 1, goals[1]);
    float drop = left > right ? left : right;
    if (drop > 0) {
        move_hips(retarget, drop, to);
        tr_pose_to_model(retarget->to.skeleton, to, NULL, retarget->to_model);
    }
    for (int side = 0; side < 2; side++) {
        const tr_limb *leg = &retarget->legs[side];
        tr_limb_goal goal = {.position = goals[side], .rotation = &retarget->to_turns[leg->end], .weight = 1};
        tr_limb_reach(leg, retarget->to.skeleton, &goal, to, NULL, retarget->to_model);
        raise_toes(retarget, side, goals[side], to);
    }
}

tr_status tr_retarget_pose(tr_retarget *retarget, const tr_pose *from, tr_pose *to) {
    if (from->joint_count != retarget->from_count || to->joint_count != retarget->joint_count)
        return TR_INVALID;
    if (retarget->is_copy) {
        tr_pose_copy(to, from);
        return TR_OK;
    }
    tr_pose_set_rest(to, retarget->to.skeleton);
    tr_retarget_look(retarget, from);
    turn_target(retarget, to);
    move_hips(retarget, 0, to);
    if (retarget->keep_feet)
        place_feet(retarget, to);
    tr_retarget_lead_followers(retarget, to);
    return TR_OK;
}
