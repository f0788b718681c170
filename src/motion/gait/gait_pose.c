// Turns the state of a moving body into a pose: trunk and arms from angles, legs from the places of the feet.
#include "gait_parts.h"

#define STRAIGHTEST 0.9985 // of a leg: knees keep a slight bend, as human knees do

static tr_quat about(int axis, double angle) {
    tr_vec3 along = {axis == 0, axis == 1, axis == 2};
    return tr_quat_about(along, angle);
}

// Yaw to the left about the vertical, then forwards, then the left side up.
static tr_quat turn_of(double yaw, double forwards, double side) {
    return tr_quat_multiply(about(1, yaw), tr_quat_multiply(about(0, forwards), about(2, side)));
}

tr_quat tr_gait_pelvis(const tr_gait_state *state) {
    tr_quat turn = turn_of(state->yaw, state->tilt, state->list);
    return state->roll == 0 ? turn : tr_quat_multiply(turn, about(1, state->roll));
}

static tr_quat foot_turn(double yaw, double pitch) {
    return tr_quat_multiply(about(1, yaw), about(0, -pitch));
}

tr_base tr_gait_base(const tr_gait_state *state) {
    tr_base base = {(float)state->base_x, (float)state->base_z, (float)state->heading};
    return base;
}

// From the clip's world into the axes of the base point, rounded to floats as stored.
static tr_vec3 into_base(const tr_gait_rig *rig, const tr_gait_state *state, const tr_gait_foot *foot) {
    tr_base base = tr_gait_base(state);
    double sine, cosine, x = foot->x - (double)base.x, z = foot->z - (double)base.z;
    tr_sin_cos((double)base.heading, &sine, &cosine);
    return tr_vec3_make((float)(cosine * x - sine * z), (float)(rig->ground + foot->y),
                        (float)(sine * x + cosine * z));
}

static tr_vec3 hips_place(const tr_gait_rig *rig, const tr_gait_state *state) {
    return tr_vec3_make(rig->hips_rest.x + (float)state->left, rig->hips_rest.y + (float)state->up,
                        rig->hips_rest.z + (float)state->ahead);
}

double tr_gait_excess(const tr_gait_rig *rig, const tr_gait_state *state) {
    tr_quat pelvis = tr_gait_pelvis(state);
    double worst = -1;
    for (int side = 0; side < 2; side++) {
        const tr_limb *leg = &rig->legs[side];
        tr_vec3 hip = tr_vec3_add(hips_place(rig, state), tr_quat_rotate(pelvis, rig->hip_offset[side]));
        tr_vec3 way = tr_vec3_subtract(into_base(rig, state, &state->feet[side]), hip);
        double flat = (double)way.x * (double)way.x + (double)way.z * (double)way.z, down = -(double)way.y;
        double most = STRAIGHTEST * ((double)leg->upper_length + (double)leg->lower_length);
        most = most > (double)leg->reach_max ? (double)leg->reach_max : most;
        double room = most * most - flat;
        double excess = down - (room > 0 ? sqrt(room) : -sqrt(-room));
        worst = excess > worst ? excess : worst;
    }
    return worst;
}

static void give_turn(tr_gait_rig *rig, uint32_t joint, tr_quat turn) {
    if (joint == TR_NONE)
        return;
    rig->turns[joint] = turn;
    rig->turned[joint] = true;
}

// Distributes the rotation between two joints in equal parts over the joints in between.
static void share_turn(tr_gait_rig *rig, const uint32_t *joints, uint32_t count, tr_quat from, tr_quat to) {
    tr_quat way = tr_quat_multiply(tr_quat_conjugate(from), to);
    for (uint32_t i = 0; i < count; i++) {
        tr_quat part = tr_quat_blend(tr_quat_identity(), way, (float)(i + 1) / (float)count);
        give_turn(rig, joints[i], tr_quat_normalize(tr_quat_multiply(from, part)));
    }
}

static void turn_arm(tr_gait_rig *rig, const tr_gait_state *state, int side, tr_quat chest) {
    const tr_gait_arm *arm = &state->arms[side];
    double outwards = side ? -1 : 1;
    tr_quat shoulder = tr_quat_multiply(chest, about(2, outwards * state->shrug));
    // Raising the collar bone does not raise its arm.
    tr_quat upper = tr_quat_multiply(
        chest, tr_quat_multiply(about(0, -arm->flexion), about(2, outwards * arm->abduction)));
    tr_quat lower = tr_quat_multiply(upper, about(0, -arm->elbow));
    give_turn(rig, rig->shoulders[side], shoulder);
    give_turn(rig, rig->arms[side], upper);
    give_turn(rig, rig->forearms[side], lower);
    give_turn(rig, rig->hands[side], lower);
}

static void turn_trunk(tr_gait_rig *rig, const tr_gait_state *state) {
    tr_quat pelvis = tr_gait_pelvis(state);
    tr_quat chest = turn_of(state->chest_yaw, state->chest_lean, state->chest_side);
    tr_quat head = turn_of(state->head_yaw, state->head_nod, state->head_side);
    uint32_t upper[2] = {rig->neck, rig->head};
    give_turn(rig, rig->hips, pelvis);
    share_turn(rig, rig->trunk, rig->trunk_count, pelvis, chest);
    if (rig->neck == TR_NONE)
        share_turn(rig, &upper[1], 1, chest, head);
    else
        share_turn(rig, upper, 2, chest, head);
    for (int side = 0; side < 2; side++)
        turn_arm(rig, state, side, chest);
}

// Thigh and shank in the plane of the foot's direction, bent a little; tr_limb_reach keeps that plane.
static void aim_leg(tr_gait_rig *rig, const tr_gait_state *state, int side, tr_vec3 ankle) {
    const tr_foot *foot = &rig->feet[side];
    tr_quat pelvis = tr_gait_pelvis(state);
    tr_vec3 hip = tr_vec3_add(hips_place(rig, state), tr_quat_rotate(pelvis, rig->hip_offset[side]));
    tr_vec3 up = tr_vec3_subtract(hip, ankle);
    float length = tr_vec3_length(up);
    up = length > 0 ? tr_vec3_scale(up, 1 / length) : tr_vec3_make(0, 1, 0);
    double yaw = state->feet[side].yaw - (double)tr_gait_base(state).heading;
    // Hip and ankle share the outward rotation of the foot.
    double out = state->yaw + 0.62 * (yaw - state->yaw);
    tr_vec3 x = tr_quat_rotate(about(1, out), tr_vec3_make(1, 0, 0));
    x = tr_vec3_subtract(x, tr_vec3_scale(up, tr_vec3_dot(x, up)));
    x = tr_vec3_scale(x, 1 / tr_vec3_length(x));
    tr_vec3 z = tr_vec3_cross(x, up);
    tr_affine axes = {{{x.x, up.x, z.x, 0}, {x.y, up.y, z.y, 0}, {x.z, up.z, z.z, 0}}};
    tr_quat thigh = tr_affine_rotation(&axes);
    give_turn(rig, foot->thigh, thigh);
    give_turn(rig, foot->shank, tr_quat_multiply(thigh, about(0, 0.3)));
}

// Local rotations from the turns; a joint without one keeps its rest rotation.
static void set_rotations(tr_gait_rig *rig) {
    const tr_skeleton *skeleton = rig->skeleton;
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        tr_quat above = parents[i] == TR_NONE ? tr_quat_identity() : rig->rotations[parents[i]];
        tr_quat local = tr_skeleton_joint(skeleton, i).rest.rotation;
        if (rig->turned[i]) {
            tr_quat at_rest = tr_quat_multiply(rig->upright[i], tr_affine_rotation(&rest[i]));
            tr_quat wanted = tr_quat_multiply(rig->turns[i], at_rest);
            local = tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(above), wanted));
        }
        rig->rotations[i] = tr_quat_normalize(tr_quat_multiply(above, local));
        tr_pose_set_rotation(&rig->pose, i, local);
    }
}

// The hips may have ancestors that stand still.
static void set_hips(tr_gait_rig *rig, const tr_gait_state *state) {
    const tr_affine *rest = tr_skeleton_rest_model(rig->skeleton);
    uint32_t parent = tr_skeleton_parents(rig->skeleton)[rig->hips];
    tr_transform hips = tr_pose_get(&rig->pose, rig->hips);
    tr_affine inverse;
    hips.position = hips_place(rig, state);
    if (parent != TR_NONE && tr_affine_invert(&rest[parent], &inverse))
        hips.position = tr_affine_apply(&inverse, hips.position);
    tr_pose_set(&rig->pose, rig->hips, hips);
}

static void set_foot(tr_gait_rig *rig, const tr_gait_state *state, int side, tr_vec3 ankle) {
    const tr_foot *foot = &rig->feet[side];
    const tr_gait_foot *wanted = &state->feet[side];
    const tr_affine *rest = tr_skeleton_rest_model(rig->skeleton);
    tr_quat turn = foot_turn(wanted->yaw - (double)tr_gait_base(state).heading, wanted->pitch);
    tr_quat rotation = tr_quat_multiply(turn, tr_affine_rotation(&rest[foot->ankle]));
    tr_limb_goal goal = {.position = ankle, .rotation = &rotation, .weight = 1};
    tr_limb_reach(&rig->legs[side], rig->skeleton, &goal, &rig->pose, NULL, rig->model);
    // Scales in the skeleton may distort rigid parts, so the actual place of the heel is measured.
    tr_vec3 heel = tr_vec3_add(ankle, tr_quat_rotate(turn, rig->heel[side]));
    float miss = tr_vec3_length(tr_vec3_subtract(tr_foot_heel(foot, rig->model), heel));
    rig->worst_miss = miss <= rig->worst_miss ? rig->worst_miss : miss;
    if (foot->toes == TR_NONE)
        return;
    uint32_t parent = tr_skeleton_parents(rig->skeleton)[foot->toes];
    tr_quat toes = tr_quat_multiply(tr_quat_multiply(turn, about(0, -wanted->toes)),
                                    tr_affine_rotation(&rest[foot->toes]));
    tr_quat above = parent == foot->ankle ? rotation : tr_affine_rotation(&rig->model[parent]);
    tr_pose_set_rotation(&rig->pose, foot->toes,
                         tr_quat_normalize(tr_quat_multiply(tr_quat_conjugate(above), toes)));
    tr_pose_update_model(rig->skeleton, &rig->pose, NULL, foot->toes, rig->model);
}

void tr_gait_pose(tr_gait_rig *rig, const tr_gait_state *state) {
    tr_vec3 ankles[2];
    tr_pose_set_rest(&rig->pose, rig->skeleton);
    turn_trunk(rig, state);
    for (int side = 0; side < 2; side++) {
        ankles[side] = into_base(rig, state, &state->feet[side]);
        aim_leg(rig, state, side, ankles[side]);
    }
    set_rotations(rig);
    set_hips(rig, state);
    tr_pose_to_model(rig->skeleton, &rig->pose, NULL, rig->model);
    for (int side = 0; side < 2; side++)
        set_foot(rig, state, side, ankles[side]);
}

// ---------------------------------------------------------------------------------------------------- soles

// From the heel to a point of the sole, both on flat ground.
static tr_vec3 along_sole(const tr_gait_rig *rig, uint32_t side, tr_gait_sole sole) {
    tr_vec3 none = {0, 0, 0}, ball = tr_vec3_subtract(rig->ball[side], rig->heel[side]);
    return sole == TR_GAIT_ON_HEEL   ? none
           : sole == TR_GAIT_ON_BALL ? ball // where toes bend above the sole, that point keeps its height
                                     : tr_vec3_add(ball, rig->tip[side]);
}

void tr_gait_stand_on(const tr_gait_rig *rig, uint32_t side, tr_gait_sole sole, double x, double z,
                      tr_gait_foot *foot) {
    tr_quat turn = foot_turn(foot->yaw, foot->pitch);
    tr_vec3 place = tr_quat_rotate(about(1, foot->yaw), along_sole(rig, side, sole));
    tr_vec3 way = tr_quat_rotate(turn, sole == TR_GAIT_ON_HEEL ? rig->heel[side] : rig->ball[side]);
    if (sole == TR_GAIT_ON_TIP)
        way =
            tr_vec3_add(way, tr_quat_rotate(foot_turn(foot->yaw, foot->pitch + foot->toes), rig->tip[side]));
    foot->x = x + (double)place.x - (double)way.x;
    foot->y = (double)place.y - (double)way.y;
    foot->z = z + (double)place.z - (double)way.z;
}

void tr_gait_pitch_on_heel(const tr_gait_rig *rig, uint32_t side, double pitch, tr_gait_foot *foot) {
    tr_vec3 before = tr_quat_rotate(foot_turn(foot->yaw, foot->pitch), rig->heel[side]);
    tr_vec3 after = tr_quat_rotate(foot_turn(foot->yaw, pitch), rig->heel[side]);
    foot->x += (double)before.x - (double)after.x;
    foot->y += (double)before.y - (double)after.y;
    foot->z += (double)before.z - (double)after.z;
    foot->pitch = pitch;
}

double tr_gait_tip_height(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot) {
    tr_vec3 ball = tr_quat_rotate(foot_turn(foot->yaw, foot->pitch), rig->ball[side]);
    tr_vec3 tip = tr_quat_rotate(foot_turn(foot->yaw, foot->pitch + foot->toes), rig->tip[side]);
    return foot->y + (double)ball.y + (double)tip.y;
}

double tr_gait_lowest(const tr_gait_rig *rig, uint32_t side, const tr_gait_foot *foot) {
    tr_quat turn = foot_turn(foot->yaw, foot->pitch);
    double heel = foot->y + (double)tr_quat_rotate(turn, rig->heel[side]).y;
    tr_vec3 under = rig->ball[side];
    under.y = rig->heel[side].y;
    double ball = foot->y + (double)tr_quat_rotate(turn, under).y;
    double tip = tr_gait_tip_height(rig, side, foot);
    double lowest = heel < ball ? heel : ball;
    return tip < lowest ? tip : lowest;
}
