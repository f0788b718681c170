// The common pose of the source from what was summed up over its motions.
#include "retarget_motion.h"

#include <math.h>

#define BEND_CLEAR 0.1f  // mean sine of the angle of a knee or an elbow that tells its axis
#define STANDING_MIN 4   // samples that tell how a sole lies
#define LENGTH_MIN 1e-6f // [m]
#define END_NEAR 0.7f    // cosine: a thumb alone, a tool or a ponytail does not tell the direction of an end
#define UNEVEN 2.0f      // longest ratio of the two sides
#define TO_THE_RIGHT (TR_ROLE_RIGHT_SHOULDER - TR_ROLE_LEFT_SHOULDER)

static tr_vec3 unit(tr_vec3 v) {
    float length = tr_vec3_length(v);
    return length > 0 ? tr_vec3_scale(v, 1 / length) : v;
}

// The axes of a frame: `first`, and `second` made perpendicular to it.
static tr_affine frame_of(tr_vec3 first, tr_vec3 second) {
    tr_vec3 a = unit(first);
    tr_vec3 b = unit(tr_vec3_subtract(second, tr_vec3_scale(a, tr_vec3_dot(second, a))));
    tr_vec3 c = tr_vec3_cross(a, b);
    tr_affine axes = {{{a.x, b.x, c.x, 0}, {a.y, b.y, c.y, 0}, {a.z, b.z, c.z, 0}}};
    return axes;
}

// The rotation that takes `first` to `to_first`, and `second` as near to `to_second` as can be.
static tr_quat align(tr_vec3 first, tr_vec3 second, tr_vec3 to_first, tr_vec3 to_second) {
    if (tr_vec3_length(tr_vec3_cross(unit(first), unit(second))) < 1e-4f)
        return tr_quat_between(first, to_first);
    tr_affine from = frame_of(first, second), to = frame_of(to_first, to_second);
    return tr_quat_normalize(
        tr_quat_multiply(tr_affine_rotation(&to), tr_quat_conjugate(tr_affine_rotation(&from))));
}

static tr_quat straighten(tr_quat turn, tr_vec3 bone, tr_vec3 direction) {
    return tr_quat_normalize(tr_quat_multiply(tr_quat_between(tr_quat_rotate(turn, bone), direction), turn));
}

// The same for an end of the body, if it points there roughly already.
static tr_quat straighten_end(tr_quat turn, tr_vec3 bone, tr_vec3 direction) {
    bool near = tr_vec3_dot(tr_quat_rotate(turn, unit(bone)), direction) > END_NEAR;
    return near ? straighten(turn, bone, direction) : tr_quat_normalize(turn);
}

// Necks are carried ahead by some people and heads bowed by some motions: their bones point as those of the
// target do in the common pose, so that both are kept.
static void solve_neck(motion_study *study) {
    const tr_skeleton *skeleton = study->retarget->from.skeleton;
    uint32_t head = tr_skeleton_with_role(skeleton, TR_ROLE_HEAD), top = tr_retarget_top(skeleton);
    for (uint32_t joint = head; joint != TR_NONE && joint != top;
         joint = tr_skeleton_parents(skeleton)[joint])
        study->column[joint] =
            straighten_end(study->column[joint], study->bones[joint],
                           joint == head ? study->retarget->to.crown : study->retarget->to.neck);
}

// An upper and a lower half. Where the limb is hardly ever bent, the axis is made up from the trunk.
static void solve_limb(motion_study *study, int upper, tr_vec3 direction, tr_vec3 hinge) {
    for (int role = upper; role < upper + 2; role++) {
        const limb_sum *sum = &study->limbs[role];
        tr_vec3 seen = tr_vec3_scale(sum->hinge, 1 / (float)study->samples);
        float lacking = BEND_CLEAR - tr_vec3_length(seen);
        if (lacking > 0)
            seen = tr_vec3_add(seen, tr_vec3_scale(unit(sum->supposed), lacking));
        study->retarget->from.to_common[role] = align(sum->bone, seen, direction, hinge);
    }
}

static void solve_arm(motion_study *study, int side) {
    tr_quat *to = study->retarget->from.to_common + (side ? TO_THE_RIGHT : 0);
    const end_sum *hand = &study->hands[side];
    tr_vec3 out = {side ? -1.0f : 1.0f, 0, 0};
    solve_limb(study, TR_ROLE_LEFT_UPPER_ARM + (side ? TO_THE_RIGHT : 0), out,
               tr_vec3_make(0, side ? 1.0f : -1.0f, 0));
    to[TR_ROLE_LEFT_SHOULDER] = tr_quat_normalize(study->collars[side]);
    tr_quat turn = tr_quat_multiply(to[TR_ROLE_LEFT_FOREARM], tr_quat_normalize(hand->turn));
    to[TR_ROLE_LEFT_HAND] = straighten_end(turn, hand->tip, out);
}

// A foot that stands has its sole on the ground. One that never does is taken to be as steep from ankle to
// toes as that of the target.
static tr_quat solve_foot(const motion_study *study, int side, tr_quat shank) {
    const foot_sum *sum = &study->feet[side];
    const tr_vec3 up = {0, 1, 0}, left = {1, 0, 0}, ahead = {0, 0, 1};
    tr_quat beside = tr_quat_normalize(tr_quat_multiply(shank, tr_quat_normalize(sum->foot.turn)));
    tr_vec3 own_left = tr_quat_rotate(tr_quat_conjugate(beside), left), toes = unit(sum->foot.tip);
    bool stood = sum->standing >= STANDING_MIN;
    bool pointed =
        tr_vec3_length(toes) > 0 && (!stood || tr_vec3_length(tr_vec3_cross(toes, unit(sum->up))) > 0.3f);
    if (stood && pointed)
        return align(sum->up, toes, up, ahead);
    if (stood)
        return align(sum->up, own_left, up, left);
    tr_vec3 steep = {0, study->retarget->to.ball[side].y, study->retarget->to.ball[side].z};
    return pointed ? align(toes, own_left, steep, left) : beside;
}

static float solve_leg(motion_study *study, int side) {
    int shift = side ? TO_THE_RIGHT : 0;
    retarget_body *body = &study->retarget->from;
    tr_quat *to = body->to_common + shift;
    const foot_sum *sum = &study->feet[side];
    solve_limb(study, TR_ROLE_LEFT_THIGH + shift, tr_vec3_make(0, -1, 0), tr_vec3_make(1, 0, 0));
    tr_quat foot = solve_foot(study, side, to[TR_ROLE_LEFT_SHANK]);
    tr_quat beside = sum->standing >= STANDING_MIN ? sum->toes_standing : sum->toes_ever;
    to[TR_ROLE_LEFT_FOOT] = foot;
    to[TR_ROLE_LEFT_TOES] = straighten_end(tr_quat_multiply(foot, tr_quat_normalize(beside)), sum->tip,
                                           study->retarget->to.tiptoe[side]);
    float share = 1 / (float)study->samples;
    tr_vec3 ball = tr_quat_rotate(foot, tr_vec3_scale(sum->foot.tip, share));
    tr_vec3 tip = tr_quat_rotate(to[TR_ROLE_LEFT_TOES], tr_vec3_scale(sum->tip, share));
    float thigh = share * tr_vec3_length(study->limbs[TR_ROLE_LEFT_THIGH + shift].bone);
    float shank = share * tr_vec3_length(study->limbs[TR_ROLE_LEFT_SHANK + shift].bone);
    tr_retarget_set_sole(body, side, ball, tr_vec3_add(ball, tip), shank);
    return thigh + shank - body->ball[side].y;
}

static tr_status check_sizes(const motion_study *study, tr_error *error) {
    static const int bones[] = {TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_LEFT_FOREARM, TR_ROLE_LEFT_THIGH,
                                TR_ROLE_LEFT_SHANK};
    float share = 1 / (float)study->samples;
    for (int i = 0; i < 8; i++) {
        int role = bones[i / 2] + (i % 2 ? TO_THE_RIGHT : 0);
        float length = share * tr_vec3_length(study->limbs[role].bone);
        if (!(length > LENGTH_MIN))
            return tr_fail(error, TR_INVALID,
                           "the %s of the source skeleton is %g m long in its motions, it must be longer "
                           "than 1e-6 m",
                           tr_role_name((tr_role)role), (double)length);
    }
    for (int i = 0; i < 4; i++) {
        float left = share * tr_vec3_length(study->limbs[bones[i]].bone);
        float right = share * tr_vec3_length(study->limbs[bones[i] + TO_THE_RIGHT].bone);
        if (!(left < UNEVEN * right && right < UNEVEN * left))
            return tr_fail(error, TR_INVALID,
                           "the %s of the source skeleton is %g m long, the %s %g m: these are not two sides "
                           "of one body",
                           tr_role_name((tr_role)bones[i]), (double)left,
                           tr_role_name((tr_role)(bones[i] + TO_THE_RIGHT)), (double)right);
    }
    if (study->sides < 0)
        return tr_fail(error, TR_INVALID,
                       "the left shoulder of the source skeleton is above its right thigh in its motions");
    if (!(study->trunk > LENGTH_MIN))
        return tr_fail(error, TR_INVALID,
                       "the trunk of the source skeleton is %g m long in its motions, it must be longer "
                       "than 1e-6 m",
                       (double)study->trunk);
    return TR_OK;
}

tr_status tr_retarget_solve(motion_study *study, tr_error *error) {
    retarget_body *body = &study->retarget->from;
    tr_status status = check_sizes(study, error);
    if (status != TR_OK)
        return status;
    // A straight trunk leans as that of the target does.
    tr_quat lean = tr_quat_between(tr_vec3_make(0, 1, 0), study->retarget->to.trunk);
    for (uint32_t i = 0; i < study->retarget->from_count; i++)
        study->column[i] = tr_quat_normalize(tr_quat_multiply(lean, tr_quat_normalize(study->column[i])));
    for (int side = 0; side < 2; side++)
        study->collars[side] = tr_quat_multiply(lean, tr_quat_normalize(study->collars[side]));
    solve_neck(study);
    for (int role = 0; role < TR_ROLE_COUNT; role++) {
        uint32_t joint = tr_skeleton_with_role(body->skeleton, (tr_role)role);
        body->rest_turn[role] = tr_quat_identity();
        body->to_common[role] = joint == TR_NONE ? tr_quat_identity() : study->column[joint];
    }
    body->leg = 0;
    for (int side = 0; side < 2; side++) {
        solve_arm(study, side);
        body->leg += solve_leg(study, side) / 2;
    }
    return TR_OK;
}
