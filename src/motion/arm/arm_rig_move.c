// Reads the arm of a skeleton from a pose, and writes it into one.
#include "arm_rig_parts.h"

#include <math.h>

// Are there joints in between that could be bent?
static bool is_joined(const tr_skeleton *skeleton, uint32_t joint, uint32_t above) {
    return tr_skeleton_parents(skeleton)[joint] == above;
}

static float column_length(const tr_affine *a) {
    return tr_vec3_length(tr_vec3_make(a->m[0][0], a->m[1][0], a->m[2][0]));
}

// How much larger than at rest the arm is.
static float growth(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_affine *model) {
    float rest = column_length(&tr_skeleton_rest_model(skeleton)[joints->upper]);
    float now = column_length(&model[joints->upper]);
    return rest > 0 && now > 0 && isfinite(now / rest) ? now / rest : 1;
}

static tr_vec3 place_of(const tr_affine *model, uint32_t joint) {
    return tr_affine_position(&model[joint]);
}

static void read_arm(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_affine *model,
                     tr_arm *arm) {
    *arm = joints->arm;
    arm->base = tr_arm_rig_base(joints, model);
    uint32_t waist = joints->waist != TR_NONE ? joints->waist : joints->pelvis;
    uint32_t collar = joints->collar != TR_NONE ? joints->collar : joints->chest;
    arm->waist = tr_arm_rig_into(&arm->base, place_of(model, waist));
    arm->collar = tr_arm_rig_into(&arm->base, place_of(model, collar));
    arm->shoulder = tr_arm_rig_into(&arm->base, place_of(model, joints->upper));
    float grown = growth(joints, skeleton, model);
    const uint32_t chain[3] = {joints->upper, joints->forearm, joints->hand};
    for (int k = 0; k < TR_ARM_LINKS; k++) {
        arm->length[k] *= grown;
        // Bones that a clip stretches keep that length.
        if (k < 2 && is_joined(skeleton, chain[k + 1], chain[k])) {
            float length =
                tr_vec3_length(tr_vec3_subtract(place_of(model, chain[k + 1]), place_of(model, chain[k])));
            arm->length[k] = length > 1e-6f && isfinite(length) ? length : arm->length[k];
        }
    }
}

float tr_arm_rig_read(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_pose *pose,
                      const tr_affine *model, tr_arm *arm, tr_posture *posture) {
    (void)pose;
    read_arm(joints, skeleton, model, arm);
    tr_quat back = tr_quat_conjugate(tr_affine_rotation(&arm->base));
    tr_quat upper = tr_quat_multiply(
        back, tr_quat_multiply(tr_affine_rotation(&model[joints->upper]), joints->upper_offset));
    tr_quat hand = tr_quat_multiply(
        back, tr_quat_multiply(tr_affine_rotation(&model[joints->hand]), joints->hand_offset));
    arm_shape shape = {arm->shoulder, tr_arm_rig_into(&arm->base, place_of(model, joints->forearm)),
                       tr_arm_rig_into(&arm->base, place_of(model, joints->hand)), tr_quat_normalize(upper),
                       tr_quat_normalize(hand)};
    tr_posture found = tr_arm_rig_angles(arm, &shape);
    *posture = tr_arm_clamp(arm, found);
    float worst = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        float off = fabsf(found.q[i] - posture->q[i]);
        worst = off > worst ? off : worst;
    }
    return worst;
}

// ------------------------------------------------------------------------------------------------ writing

static bool is_mirrored(const tr_affine *a) {
    tr_vec3 x = {a->m[0][0], a->m[1][0], a->m[2][0]}, y = {a->m[0][1], a->m[1][1], a->m[2][1]},
            z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    return tr_vec3_dot(tr_vec3_cross(x, y), z) < 0;
}

// A mirrored map reverses the rotation.
tr_quat tr_arm_rig_turn_locally(tr_quat turn, const tr_affine *axes, tr_quat local) {
    float parts[3];
    for (int i = 0; i < 3; i++) {
        tr_vec3 column = tr_arm_rig_unit(tr_vec3_make(axes->m[0][i], axes->m[1][i], axes->m[2][i]));
        parts[i] = tr_vec3_dot(column, tr_vec3_make(turn.x, turn.y, turn.z));
    }
    float sign = is_mirrored(axes) ? -1.0f : 1.0f;
    tr_quat inside = {sign * parts[0], sign * parts[1], sign * parts[2], turn.w};
    return tr_arm_rig_product(inside, local);
}

// The data of one write. `moved` is the world rotation that the joint above was given.
typedef struct arm_write {
    const tr_skeleton *skeleton;
    tr_pose *pose;
    const tr_affine *model; // as it was
    tr_affine root;         // the transform above the roots
    tr_quat moved;
    float weight;
    uint32_t first; // the lowest number of a joint that was turned
} arm_write;

// Gives a joint the world rotation `turn` on top of its own.
static void give(arm_write *write, uint32_t joint, tr_quat turn) {
    uint32_t above = tr_skeleton_parents(write->skeleton)[joint];
    tr_quat own = tr_arm_rig_product(tr_quat_conjugate(write->moved), turn);
    tr_quat before = tr_pose_rotation(write->pose, joint);
    tr_quat after =
        tr_arm_rig_turn_locally(own, above == TR_NONE ? &write->root : &write->model[above], before);
    if (write->weight < 1)
        after = tr_quat_blend(before, after, write->weight);
    tr_pose_set_rotation(write->pose, joint, after);
    write->moved = turn;
    if (write->first == TR_NONE || joint < write->first)
        write->first = joint;
}

// Joints between two of the arm (for twists, for tools) return to rest, so that the bones are as measured.
// Returns whether any was not at rest.
static bool straighten(const tr_arm_rig *joints, const tr_skeleton *skeleton, float weight, tr_pose *pose) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    bool changed = false;
    for (uint32_t i = parents[joints->hand]; i != joints->upper && i != TR_NONE; i = parents[i]) {
        if (i == joints->forearm)
            continue;
        tr_quat rest = tr_skeleton_joint(skeleton, i).rest.rotation, now = tr_pose_rotation(pose, i);
        if (now.x == rest.x && now.y == rest.y && now.z == rest.z && now.w == rest.w)
            continue;
        tr_pose_set_rotation(pose, i, weight < 1 ? tr_quat_blend(now, rest, weight) : rest);
        changed = true;
    }
    return changed;
}

// As in tr_arm_put: an arm whose limits allow no help gets none, whatever the posture says.
static bool is_helped(const tr_arm *arm) {
    for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES; i++)
        if (arm->low.q[i] != 0 || arm->high.q[i] != 0)
            return true;
    return false;
}

static void give_help(arm_write *write, const tr_arm_rig *joints, const tr_arm *arm,
                      const tr_posture *posture, tr_quat trunk) {
    if (joints->waist != TR_NONE && (posture->q[TR_WAIST_LEAN] != 0 || posture->q[TR_WAIST_TURN] != 0))
        give(write, joints->waist,
             tr_arm_rig_product(trunk, tr_quat_conjugate(tr_affine_rotation(&arm->base))));
    if (joints->collar != TR_NONE && posture->q[TR_COLLAR] != 0) {
        double angle = (double)posture->q[TR_COLLAR] * (joints->side == TR_ARM_LEFT ? -1 : 1);
        tr_vec3 up = tr_quat_rotate(trunk, tr_vec3_make(0, 1, 0));
        give(write, joints->collar, tr_arm_rig_product(tr_quat_about(up, angle), write->moved));
    }
}

void tr_arm_rig_write(const tr_arm_rig *joints, const tr_skeleton *skeleton, const tr_arm *arm,
                      const tr_posture *posture, float weight, tr_pose *pose, const tr_affine *place,
                      tr_affine *model) {
    bool finite = weight > 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        finite = finite && isfinite(posture->q[i]);
    if (!finite)
        return; // weight 0 changes no bit, and an invalid posture is ignored
    if (straighten(joints, skeleton, weight, pose))
        tr_pose_update_model(skeleton, pose, place, joints->upper, model);
    arm_write write = {.skeleton = skeleton,
                       .pose = pose,
                       .model = model,
                       .root = place ? *place : tr_affine_identity(),
                       .moved = tr_quat_identity(),
                       .weight = weight,
                       .first = TR_NONE};
    tr_arm_place put = tr_arm_put(arm, posture);
    if (is_helped(arm))
        give_help(&write, joints, arm, posture, tr_affine_rotation(&put.trunk));
    const uint32_t own[] = {joints->upper, joints->forearm, joints->hand};
    const tr_quat offsets[] = {joints->upper_offset, joints->forearm_offset, joints->hand_offset};
    const tr_quat turns[] = {put.upper, put.forearm, put.hand};
    for (int i = 0; i < 3; i++) {
        tr_quat wanted = tr_arm_rig_product(turns[i], tr_quat_conjugate(offsets[i]));
        tr_quat now = tr_quat_normalize(tr_affine_rotation(&model[own[i]]));
        give(&write, own[i], tr_arm_rig_product(wanted, tr_quat_conjugate(now)));
    }
    tr_pose_update_model(skeleton, pose, place, write.first, model);
}
