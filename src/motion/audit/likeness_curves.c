// The curves at one moment: what a gait laboratory would read from the body.
#include "likeness_parts.h"

#include "troupe/base/scalar.h"

#define DEGREES (180 / TR_PI)
#define MILLIMETRES 1000.0

static const char *const names[TR_LIKENESS_CURVES] = {
    "thigh",     "hip",         "knee",          "ankle",       "toe",        "foot_pitch", "arm",
    "arm_world", "elbow",       "pelvis_height", "pelvis_side", "hips_yaw",   "hips_pitch", "hips_roll",
    "chest_yaw", "chest_pitch", "chest_roll",    "head_yaw",    "head_pitch", "head_roll"};

const char *tr_likeness_name(tr_likeness_curve curve) {
    return (unsigned)curve < TR_LIKENESS_CURVES ? names[curve] : NULL;
}

static uint32_t first_with(const tr_skeleton *skeleton, tr_role one, tr_role two, tr_role three) {
    const tr_role roles[3] = {one, two, three};
    uint32_t joint = TR_NONE;
    for (int i = 0; i < 3 && joint == TR_NONE; i++)
        joint = tr_skeleton_with_role(skeleton, roles[i]);
    return joint;
}

tr_status tr_likeness_joints_find(const tr_skeleton *skeleton, likeness_joints *joints, tr_error *error) {
    joints->hips = tr_skeleton_with_role(skeleton, TR_ROLE_HIPS);
    joints->chest = first_with(skeleton, TR_ROLE_UPPER_CHEST, TR_ROLE_CHEST, TR_ROLE_SPINE);
    joints->head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD);
    bool complete = joints->hips != TR_NONE;
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t *const places[] = {&joints->upper_arm[side], &joints->forearm[side], &joints->hand[side],
                                    &joints->thigh[side],     &joints->shank[side],   &joints->foot[side],
                                    &joints->toes[side]};
        tr_role first = side ? TR_ROLE_RIGHT_UPPER_ARM : TR_ROLE_LEFT_UPPER_ARM;
        for (uint32_t i = 0; i < sizeof places / sizeof places[0]; i++)
            *places[i] = tr_skeleton_with_role(skeleton, (tr_role)(first + i));
        complete &=
            joints->thigh[side] != TR_NONE && joints->shank[side] != TR_NONE && joints->foot[side] != TR_NONE;
    }
    return complete ? TR_OK
                    : tr_fail(error, TR_NOT_FOUND,
                              "the skeleton lacks the role of the hips, a thigh, a shank or a foot");
}

bool tr_likeness_has_curve(const likeness_joints *j, tr_likeness_curve curve) {
    bool arms = j->upper_arm[0] != TR_NONE && j->upper_arm[1] != TR_NONE && j->forearm[0] != TR_NONE &&
                j->forearm[1] != TR_NONE;
    switch (curve) {
    case TR_LIKENESS_TOE:
        return j->toes[0] != TR_NONE && j->toes[1] != TR_NONE;
    case TR_LIKENESS_ARM:
        return arms && j->chest != TR_NONE;
    case TR_LIKENESS_ARM_WORLD:
        return arms;
    case TR_LIKENESS_ELBOW:
        return arms && j->hand[0] != TR_NONE && j->hand[1] != TR_NONE;
    case TR_LIKENESS_CHEST_YAW:
    case TR_LIKENESS_CHEST_PITCH:
    case TR_LIKENESS_CHEST_ROLL:
        return j->chest != TR_NONE;
    case TR_LIKENESS_HEAD_YAW:
    case TR_LIKENESS_HEAD_PITCH:
    case TR_LIKENESS_HEAD_ROLL:
        return j->head != TR_NONE;
    default:
        return true;
    }
}

tr_quat tr_likeness_turn(const audit_job *job, uint32_t joint) {
    tr_quat now = tr_affine_rotation(&job->model[joint]),
            rest = tr_affine_rotation(&tr_skeleton_rest_model(job->skeleton)[joint]);
    return tr_quat_multiply(now, tr_quat_conjugate(rest));
}

static double angle(double y, double x) {
    return tr_arc_tangent(y, x) * DEGREES;
}

static tr_vec3 bone(const audit_job *job, uint32_t from, uint32_t to) {
    return tr_vec3_subtract(tr_affine_position(&job->model[to]), tr_affine_position(&job->model[from]));
}

static double between(tr_vec3 a, tr_vec3 b) {
    return angle((double)tr_vec3_length(tr_vec3_cross(a, b)), (double)tr_vec3_dot(a, b));
}

// How far a bone is forward of straight down, in the vertical plane of travel.
static double swing(tr_vec3 bone, tr_vec3 travel) {
    return angle((double)tr_vec3_dot(bone, travel), -(double)bone.y);
}

// The same in the axes of the part of the body that it hangs on.
static double swing_in(tr_quat axes, tr_vec3 bone) {
    tr_vec3 local = tr_quat_rotate(tr_quat_conjugate(axes), bone);
    return angle((double)local.z, -(double)local.y);
}

// How far `turn` points up what is ahead in the axes of `axes`.
static double lift(tr_quat axes, tr_quat turn) {
    tr_quat local = tr_quat_multiply(tr_quat_conjugate(axes), turn);
    tr_vec3 ahead = tr_quat_rotate(local, tr_vec3_make(0, 0, 1));
    return angle((double)ahead.y, (double)ahead.z);
}

// Yaw, pitch and roll of a turn against the direction of travel.
static void attitude(tr_quat turn, uint32_t side, tr_vec3 travel, double *values) {
    tr_vec3 ahead = tr_quat_rotate(turn, tr_vec3_make(0, 0, 1)),
            left = tr_quat_rotate(turn, tr_vec3_make(1, 0, 0)),
            up = tr_quat_rotate(turn, tr_vec3_make(0, 1, 0));
    tr_vec3 aside = tr_vec3_make(travel.z, 0, -travel.x); // to the left of travel
    double x = (double)tr_vec3_dot(ahead, aside), z = (double)tr_vec3_dot(ahead, travel);
    double mirror = side ? -1 : 1;
    values[0] = mirror * angle(x, z);
    values[1] = angle(-(double)ahead.y, sqrt(x * x + z * z));
    values[2] = mirror * angle((double)left.y, (double)up.y);
}

static void read_arm(const audit_job *job, const likeness_joints *j, uint32_t side, tr_vec3 travel,
                     double *values) {
    tr_vec3 upper = bone(job, j->upper_arm[side], j->forearm[side]);
    values[TR_LIKENESS_ARM_WORLD] = swing(upper, travel);
    if (tr_likeness_has_curve(j, TR_LIKENESS_ARM))
        values[TR_LIKENESS_ARM] = swing_in(tr_likeness_turn(job, j->chest), upper);
    if (tr_likeness_has_curve(j, TR_LIKENESS_ELBOW))
        values[TR_LIKENESS_ELBOW] = between(upper, bone(job, j->forearm[side], j->hand[side]));
}

void tr_likeness_read(const audit_job *job, const likeness_joints *j, uint32_t side, tr_vec3 travel,
                      double values[TR_LIKENESS_CURVES]) {
    for (int i = 0; i < TR_LIKENESS_CURVES; i++)
        values[i] = 0;
    tr_quat hips = tr_likeness_turn(job, j->hips), shank = tr_likeness_turn(job, j->shank[side]),
            foot = tr_likeness_turn(job, j->foot[side]);
    tr_vec3 thigh_bone = bone(job, j->thigh[side], j->shank[side]),
            shank_bone = bone(job, j->shank[side], j->foot[side]);
    values[TR_LIKENESS_THIGH] = swing(thigh_bone, travel);
    values[TR_LIKENESS_HIP] = swing_in(hips, thigh_bone);
    values[TR_LIKENESS_KNEE] = between(thigh_bone, shank_bone);
    values[TR_LIKENESS_ANKLE] = lift(shank, foot);
    tr_vec3 sole = tr_quat_rotate(foot, tr_vec3_make(0, 0, 1));
    values[TR_LIKENESS_FOOT_PITCH] = angle((double)sole.y, (double)tr_vec3_dot(sole, travel));
    if (tr_likeness_has_curve(j, TR_LIKENESS_TOE))
        values[TR_LIKENESS_TOE] = lift(foot, tr_likeness_turn(job, j->toes[side]));
    if (tr_likeness_has_curve(j, TR_LIKENESS_ARM_WORLD))
        read_arm(job, j, side, travel, values);
    tr_vec3 pelvis = tr_affine_position(&job->model[j->hips]);
    double left = (double)pelvis.x * travel.z - (double)pelvis.z * travel.x;
    values[TR_LIKENESS_PELVIS_HEIGHT] = (double)pelvis.y * MILLIMETRES;
    values[TR_LIKENESS_PELVIS_SIDE] = (side ? -left : left) * MILLIMETRES;
    attitude(hips, side, travel, &values[TR_LIKENESS_HIPS_YAW]);
    if (j->chest != TR_NONE)
        attitude(tr_likeness_turn(job, j->chest), side, travel, &values[TR_LIKENESS_CHEST_YAW]);
    if (j->head != TR_NONE)
        attitude(tr_likeness_turn(job, j->head), side, travel, &values[TR_LIKENESS_HEAD_YAW]);
}
