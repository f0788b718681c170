// A body measured for gaits: which joint does what, and the lengths of legs and feet.
#include "gait_parts.h"

#define LEG_OF_REFERENCE (0.491 * 1.75) // thigh and shank of a body of 1.75 m

static tr_vec3 rest_place(const tr_gait_rig *rig, uint32_t joint) {
    return tr_affine_position(&tr_skeleton_rest_model(rig->skeleton)[joint]);
}

// Hips and two whole legs are needed. A body may lack everything else: an arm, a hand, a head.
static tr_status find_joints(tr_gait_rig *rig, tr_error *error) {
    const tr_skeleton *skeleton = rig->skeleton;
    static const tr_role trunk[TR_GAIT_TRUNK_MAX] = {TR_ROLE_SPINE, TR_ROLE_CHEST, TR_ROLE_UPPER_CHEST};
    for (int i = 0; i < TR_GAIT_TRUNK_MAX; i++) {
        uint32_t joint = tr_skeleton_with_role(skeleton, trunk[i]);
        if (joint != TR_NONE)
            rig->trunk[rig->trunk_count++] = joint;
    }
    rig->neck = tr_skeleton_with_role(skeleton, TR_ROLE_NECK);
    rig->head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    rig->hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    if (rig->hips == TR_NONE)
        return tr_fail(error, TR_INVALID, "the skeleton has no joint with the role hips, a gait needs it");
    for (int side = 0; side < 2; side++) {
        int shift = side ? TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER : 0;
        rig->shoulders[side] = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_SHOULDER + shift));
        rig->arms[side] = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_UPPER_ARM + shift));
        rig->forearms[side] = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_FOREARM + shift));
        rig->hands[side] = tr_skeleton_with_role(skeleton, (tr_role)(TR_ROLE_LEFT_HAND + shift));
        if (tr_foot_measure(skeleton, (uint32_t)side, &rig->feet[side]) != TR_OK)
            return tr_fail(error, TR_INVALID, "the %s leg needs a thigh, a shank and a foot with roles",
                           side ? "right" : "left");
    }
    return TR_OK;
}

tr_status tr_gait_rig_need_all(const tr_skeleton *skeleton, const char *what, tr_error *error) {
    static const tr_role needed[] = {TR_ROLE_SPINE,         TR_ROLE_HEAD,      TR_ROLE_LEFT_UPPER_ARM,
                                     TR_ROLE_LEFT_FOREARM,  TR_ROLE_LEFT_HAND, TR_ROLE_RIGHT_UPPER_ARM,
                                     TR_ROLE_RIGHT_FOREARM, TR_ROLE_RIGHT_HAND};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (tr_skeleton_with_role(skeleton, needed[i]) == TR_NONE)
            return tr_fail(error, TR_INVALID, "the skeleton has no joint with the role %s, %s needs it",
                           tr_role_name(needed[i]), what);
    return TR_OK;
}

static tr_quat upright_turn(const tr_gait_rig *rig, uint32_t from, uint32_t to) {
    if (from == TR_NONE || to == TR_NONE)
        return tr_quat_identity();
    tr_vec3 down = {0, -1, 0}, bone = tr_vec3_subtract(rest_place(rig, to), rest_place(rig, from));
    tr_vec3 off = tr_vec3_cross(down, bone);
    float length = tr_vec3_length(bone);
    // A bone that already hangs straight stays free of rounding.
    if (bone.y < 0 && tr_vec3_length(off) <= 1e-5f * length)
        return tr_quat_identity();
    return tr_quat_between(bone, down);
}

// Limbs that point elsewhere at rest (a T-pose) are lowered first.
static void stand_upright(tr_gait_rig *rig) {
    for (uint32_t i = 0; i < rig->joint_count; i++)
        rig->upright[i] = tr_quat_identity();
    for (int side = 0; side < 2; side++) {
        const tr_foot *foot = &rig->feet[side];
        const uint32_t arm[3] = {rig->arms[side], rig->forearms[side], rig->hands[side]};
        for (int part = 0; part < 3; part++) {
            tr_quat above =
                part > 0 && arm[part - 1] != TR_NONE ? rig->upright[arm[part - 1]] : tr_quat_identity();
            bool ends = part == 2 || arm[part + 1] == TR_NONE;
            if (arm[part] != TR_NONE)
                rig->upright[arm[part]] = ends ? above : upright_turn(rig, arm[part], arm[part + 1]);
        }
        rig->upright[foot->thigh] = upright_turn(rig, foot->thigh, foot->shank);
        rig->upright[foot->shank] = upright_turn(rig, foot->shank, foot->ankle);
    }
}

static tr_status measure_legs(tr_gait_rig *rig, tr_error *error) {
    const tr_affine *rest = tr_skeleton_rest_model(rig->skeleton);
    double length = 0, height = 0, ground = 0;
    for (int side = 0; side < 2; side++) {
        const tr_foot *foot = &rig->feet[side];
        tr_status status =
            tr_limb_measure(rig->skeleton, foot->thigh, foot->shank, foot->ankle, &rig->legs[side], error);
        if (status != TR_OK)
            return status;
        tr_vec3 ankle = rest_place(rig, foot->ankle), ball = tr_foot_ball(foot, rest);
        if (foot->toes != TR_NONE) // toes bend about their joint: this is the point that stays
            ball = rest_place(rig, foot->toes);
        rig->heel[side] = tr_vec3_subtract(tr_foot_heel(foot, rest), ankle);
        rig->ball[side] = tr_vec3_subtract(ball, ankle);
        rig->tip[side] = tr_vec3_subtract(tr_foot_tip(foot, rest), ball);
        rig->hip_offset[side] = tr_vec3_subtract(rest_place(rig, foot->thigh), rest_place(rig, rig->hips));
        length += 0.5 * ((double)rig->legs[side].upper_length + (double)rig->legs[side].lower_length);
        height += 0.5 * (double)(-rig->heel[side].y);
        ground += 0.5 * (double)tr_foot_heel(foot, rest).y;
    }
    rig->leg_length = length;
    rig->ankle_height = height;
    rig->ground = ground;
    rig->scale = length / LEG_OF_REFERENCE;
    rig->hips_rest = rest_place(rig, rig->hips);
    return TR_OK;
}

static tr_status make_room(tr_gait_rig *rig, tr_error *error) {
    uint32_t count = rig->joint_count;
    rig->model = tr_allocate(&rig->allocator, count, sizeof *rig->model);
    rig->rotations = tr_allocate(&rig->allocator, count, sizeof *rig->rotations);
    rig->turns = tr_allocate(&rig->allocator, count, sizeof *rig->turns);
    rig->turned = tr_allocate_zero(&rig->allocator, count, sizeof *rig->turned);
    rig->upright = tr_allocate(&rig->allocator, count, sizeof *rig->upright);
    if (!rig->model || !rig->rotations || !rig->turns || !rig->turned || !rig->upright)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to pose %u joints", count);
    return tr_pose_create(&rig->allocator, count, &rig->pose, error);
}

tr_status tr_gait_rig_measure(const tr_gait_def *def, tr_gait_rig *rig, tr_error *error) {
    *rig = (tr_gait_rig){.allocator = tr_allocator_or_default(def->allocator),
                         .skeleton = def->skeleton,
                         .joint_count = tr_skeleton_joint_count(def->skeleton)};
    tr_status status = find_joints(rig, error);
    return status == TR_OK ? measure_legs(rig, error) : status;
}

tr_status tr_gait_rig_create(const tr_gait_def *def, tr_gait_rig *rig, tr_error *error) {
    tr_status status = tr_gait_rig_measure(def, rig, error);
    status = status == TR_OK ? make_room(rig, error) : status;
    if (status == TR_OK)
        stand_upright(rig);
    else
        tr_gait_rig_destroy(rig);
    return status;
}

void tr_gait_rig_destroy(tr_gait_rig *rig) {
    uint32_t count = rig->joint_count;
    tr_pose_destroy(&rig->pose);
    tr_release(&rig->allocator, rig->model, count, sizeof *rig->model);
    tr_release(&rig->allocator, rig->rotations, count, sizeof *rig->rotations);
    tr_release(&rig->allocator, rig->turns, count, sizeof *rig->turns);
    tr_release(&rig->allocator, rig->turned, count, sizeof *rig->turned);
    tr_release(&rig->allocator, rig->upright, count, sizeof *rig->upright);
    *rig = (tr_gait_rig){0};
}
