// Turns waist and arms of a pose.
//
// The trunk above the hips turns rigidly about the middle between the thighs, as plan/comply has it. Hips and
// the lowest joint of the spine share the turn, so that neither passes its limits, and the hips move so that
// the spine comes to where the whole turn puts it. The legs then reach for their ankles again.
#include "upper_parts.h"

#define HIPS_LEAN 0.7f // share of the hips in a lean
#define HIPS_TURN 0.6f // and in a turn

// A rotation in the world, as one of the local rotations of a joint under `above`.
static void turn_joint(const tr_cast *cast, tr_pose *pose, const tr_affine *place, const tr_affine *model,
                       uint32_t joint, tr_quat turn) {
    uint32_t above = tr_skeleton_parents(cast->skeleton)[joint];
    const tr_affine *axes = above == TR_NONE ? place : &model[above];
    tr_pose_set_rotation(pose, joint, tr_arm_rig_turn_locally(turn, axes, tr_pose_rotation(pose, joint)));
}

// Moves a joint by a distance in the world.
static void move_joint(const tr_cast *cast, tr_pose *pose, const tr_affine *place, const tr_affine *model,
                       uint32_t joint, tr_vec3 by) {
    uint32_t above = tr_skeleton_parents(cast->skeleton)[joint];
    tr_affine inverse;
    if (!tr_affine_invert(above == TR_NONE ? place : &model[above], &inverse))
        return;
    tr_transform local = tr_pose_get(pose, joint);
    local.position = tr_vec3_add(local.position, tr_affine_turn(&inverse, by));
    tr_pose_set(pose, joint, local);
}

static tr_quat between(tr_quat heading, tr_quat from, tr_quat to) {
    tr_quat turn = tr_quat_multiply(to, tr_quat_conjugate(from));
    return tr_quat_normalize(tr_quat_multiply(heading, tr_quat_multiply(turn, tr_quat_conjugate(heading))));
}

static void turn_waist(const tr_upper *upper, const tr_cast *cast, const tr_upper_frame *from,
                       const tr_comply_pose *to, tr_pose *pose, const tr_affine *place, tr_affine *model) {
    const float *a = from->pose.waist, *b = to->waist;
    tr_quat heading = tr_upper_heading(from->place.heading);
    tr_quat whole = between(heading, tr_upper_waist(a, 1, 1), tr_upper_waist(b, 1, 1));
    tr_quat hips =
        between(heading, tr_upper_waist(a, HIPS_LEAN, HIPS_TURN), tr_upper_waist(b, HIPS_LEAN, HIPS_TURN));
    tr_vec3 ankles[2], pivot = from->place.position, at = tr_affine_position(&model[upper->hips]),
                       spine = tr_affine_position(&model[upper->spine]);
    tr_quat turns[2], thighs[2];
    for (int side = 0; side < 2; side++) {
        const tr_foot *foot = &cast->legs.feet[side];
        ankles[side] = tr_affine_position(&model[foot->ankle]);
        turns[side] = tr_quat_normalize(tr_affine_rotation(&model[foot->ankle]));
        thighs[side] = tr_quat_conjugate(hips);
    }
    tr_vec3 wanted = tr_vec3_add(pivot, tr_quat_rotate(whole, tr_vec3_subtract(spine, pivot)));
    tr_vec3 to_spine = tr_quat_rotate(hips, tr_vec3_subtract(spine, at));
    move_joint(cast, pose, place, model, upper->hips,
               tr_vec3_subtract(tr_vec3_subtract(wanted, to_spine), at));
    turn_joint(cast, pose, place, model, upper->hips, hips);
    tr_pose_update_model(cast->skeleton, pose, place, upper->hips, model);
    turn_joint(cast, pose, place, model, upper->spine, tr_arm_rig_product(whole, tr_quat_conjugate(hips)));
    for (int side = 0; side < 2; side++)
        turn_joint(cast, pose, place, model, cast->legs.feet[side].thigh, thighs[side]);
    tr_pose_update_model(cast->skeleton, pose, place, upper->hips, model);
    for (int side = 0; side < 2; side++) {
        tr_limb_goal goal = {ankles[side], &turns[side], 1, 0};
        tr_limb_reach(&cast->legs.limbs[side], cast->skeleton, &goal, pose, place, model);
    }
}

static void turn_arm(const tr_upper *upper, const tr_cast *cast, int side, const tr_affine *axes,
                     const float from[TR_COMPLY_ARM_ANGLES], const float to[TR_COMPLY_ARM_ANGLES],
                     tr_pose *pose, const tr_affine *place, tr_affine *model) {
    const tr_arm *arm = &upper->body.arms[side];
    tr_vec3 points[4];
    tr_quat before[2], after[2], turns[2], trunk = tr_affine_rotation(axes);
    tr_upper_arm_at(arm, from, points, &before[0], &before[1]);
    tr_upper_arm_at(arm, to, points, &after[0], &after[1]);
    for (int k = 0; k < 2; k++)
        turns[k] = between(trunk, before[k], after[k]);
    uint32_t above = upper->arms[side].upper;
    turn_joint(cast, pose, place, model, above, turns[0]);
    tr_pose_update_model(cast->skeleton, pose, place, above, model);
    turn_joint(cast, pose, place, model, upper->arms[side].forearm,
               tr_arm_rig_product(turns[1], tr_quat_conjugate(turns[0])));
    tr_pose_update_model(cast->skeleton, pose, place, upper->arms[side].forearm, model);
}

static bool differ(const float *a, const float *b, int count) {
    for (int k = 0; k < count; k++)
        if (a[k] != b[k])
            return true;
    return false;
}

void tr_upper_write(const tr_upper *upper, const tr_cast *cast, const tr_upper_frame *from,
                    const tr_comply_pose *to, tr_pose *pose, const tr_affine *place, tr_affine *model) {
    if (differ(from->pose.waist, to->waist, TR_COMPLY_WAIST_ANGLES))
        turn_waist(upper, cast, from, to, pose, place, model);
    tr_affine axes = tr_upper_axes(&from->place, to);
    for (int side = 0; side < 2; side++)
        if (differ(from->pose.arms[side], to->arms[side], TR_COMPLY_ARM_ANGLES))
            turn_arm(upper, cast, side, &axes, from->pose.arms[side], to->arms[side], pose, place, model);
}
