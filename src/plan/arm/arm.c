#define SIMD_LANES 4
#include "troupe/plan/arm.h"
#include "plan/plan_archive.h"
#include "base/simd_trigonometry.h"

#include "troupe/base/scalar.h"

// One posture: lanes x, y, z and an unused one.
#define NUMBER float
#define VECTOR simd_float
static inline float chain_number(float a) {
    return a;
}
static inline simd_float chain_make(float x, float y, float z) {
    return (simd_float){x, y, z, 0};
}
static inline simd_float chain_add(simd_float a, simd_float b) {
    return a + b;
}
static inline simd_float chain_scale(float k, simd_float a) {
    return k * a;
}
static inline float chain_x(simd_float a) {
    return a[0];
}
static inline float chain_y(simd_float a) {
    return a[1];
}
static inline float chain_z(simd_float a) {
    return a[2];
}
#include "arm_chain.h"

// The seven angles fill two vectors (the eighth lane is the lean), the help a third.
static inline void posture_sin_cos(const tr_posture *posture, float scale, bool helped, float s[12],
                                   float c[12]) {
    simd_float sine, cosine;
    for (int k = 0; k < 8; k += 4) {
        simd_sin_cos(simd_load(posture->q + k) * scale, &sine, &cosine);
        simd_store_float(s + k, sine);
        simd_store_float(c + k, cosine);
    }
    if (!helped)
        return;
    simd_float rest = {posture->q[8], posture->q[9], 0, 0};
    simd_sin_cos(rest * scale, &sine, &cosine);
    simd_store_float(s + 8, sine);
    simd_store_float(c + 8, cosine);
}

void tr_arm_points(const tr_arm *arm, const tr_posture *posture, tr_vec3 points[4]) {
    float s[12], c[12];
    simd_float at[4];
    bool helped = chain_has_help(arm);
    posture_sin_cos(posture, 1, helped, s, c);
    if (helped)
        chain_points_helped(arm, s, c, at);
    else
        chain_points(arm, s, c, at);
    float *target = (float *)points; // the fourth lane of each is overwritten by the next point
    for (int k = 0; k < 3; k++)
        simd_store_float(target + 3 * k, at[k]);
    points[3] = tr_vec3_make(at[3][0], at[3][1], at[3][2]);
}

// q, followed by a turn about one axis by an angle whose half has this sine and cosine.
static tr_quat after_x(tr_quat q, float s, float c) {
    return (tr_quat){q.w * s + q.x * c, q.y * c + q.z * s, q.z * c - q.y * s, q.w * c - q.x * s};
}
static tr_quat after_y(tr_quat q, float s, float c) {
    return (tr_quat){q.x * c - q.z * s, q.w * s + q.y * c, q.x * s + q.z * c, q.w * c - q.y * s};
}
static tr_quat after_z(tr_quat q, float s, float c) {
    return (tr_quat){q.x * c + q.y * s, q.y * c - q.x * s, q.w * s + q.z * c, q.w * c - q.z * s};
}

static tr_quat to_world(tr_quat base, float side, tr_quat q) {
    return tr_quat_normalize(tr_quat_multiply(base, (tr_quat){q.x, side * q.y, side * q.z, q.w}));
}

// Products of rotations by half angles: their signs change continuously with the posture.
static void put_rotations(const tr_arm *arm, const tr_posture *posture, bool helped, tr_arm_place *place) {
    float s[12], c[12], side = chain_side(arm);
    posture_sin_cos(posture, 0.5f, helped, s, c);
    tr_quat base = tr_affine_rotation(&arm->base), upper = tr_quat_identity();
    if (helped)
        upper =
            after_x((tr_quat){0, s[TR_WAIST_TURN], 0, c[TR_WAIST_TURN]}, s[TR_WAIST_LEAN], c[TR_WAIST_LEAN]);
    upper = after_x(upper, -s[TR_SHOULDER_FLEXION], c[TR_SHOULDER_FLEXION]);
    upper = after_z(upper, -s[TR_SHOULDER_ABDUCTION], c[TR_SHOULDER_ABDUCTION]);
    upper = after_y(upper, s[TR_SHOULDER_ROTATION], c[TR_SHOULDER_ROTATION]);
    tr_quat forearm = after_x(upper, -s[TR_ELBOW_FLEXION], c[TR_ELBOW_FLEXION]);
    tr_quat hand = after_y(forearm, s[TR_FOREARM_PRONATION], c[TR_FOREARM_PRONATION]);
    hand = after_x(hand, s[TR_WRIST_FLEXION], c[TR_WRIST_FLEXION]);
    hand = after_z(hand, s[TR_WRIST_DEVIATION], c[TR_WRIST_DEVIATION]);
    place->upper = to_world(base, side, upper);
    place->forearm = to_world(base, side, forearm);
    place->hand = to_world(base, side, hand);
}

static tr_affine put_trunk(const tr_arm *arm, const tr_posture *posture) {
    float s[12], c[12], side = chain_side(arm);
    posture_sin_cos(posture, 1, true, s, c);
    float sl = s[TR_WAIST_LEAN], cl = c[TR_WAIST_LEAN], st = side * s[TR_WAIST_TURN], ct = c[TR_WAIST_TURN];
    tr_affine turn = {{{ct, st * sl, st * cl, 0}, {0, cl, -sl, 0}, {-st, ct * sl, ct * cl, 0}}};
    tr_vec3 moved = tr_vec3_subtract(arm->waist, tr_affine_turn(&turn, arm->waist));
    turn.m[0][3] = moved.x;
    turn.m[1][3] = moved.y;
    turn.m[2][3] = moved.z;
    return tr_affine_multiply(&arm->base, &turn);
}

tr_arm_place tr_arm_put(const tr_arm *arm, const tr_posture *posture) {
    tr_arm_place place = {.trunk = arm->base};
    tr_vec3 points[4];
    bool helped = chain_has_help(arm);
    tr_arm_points(arm, posture, points);
    place.shoulder = points[0];
    place.elbow = points[1];
    place.wrist = points[2];
    place.tip = points[3];
    put_rotations(arm, posture, helped, &place);
    if (helped)
        place.trunk = put_trunk(arm, posture);
    return place;
}

// Degrees; docs/plan/arm.md has the sources.
static const float human_limits[TR_ARM_JOINTS][2] = {{-50, 170}, {-45, 100}, {-70, 90}, {0, 145},
                                                     {-85, 85},  {-70, 75},  {-20, 35}};

tr_arm tr_arm_default(tr_arm_side side, float height) {
    tr_arm arm = {.side = side, .base = tr_affine_identity()};
    float out = side == TR_ARM_LEFT ? height : -height;
    // Shares of the height after Drillis & Contini (1966); the waist at the lowest lumbar discs, the collar
    // bone from the top of the breast bone.
    arm.base.m[1][3] = 0.530f * height;
    arm.waist = tr_vec3_make(0, 0.060f * height, -0.010f * height);
    arm.collar = tr_vec3_make(0.013f * out, 0.282f * height, 0.020f * height);
    arm.shoulder = tr_vec3_make(0.129f * out, 0.288f * height, 0);
    arm.length[0] = 0.186f * height;
    arm.length[1] = 0.146f * height;
    arm.length[2] = 0.108f * height;
    arm.radius[0] = 0.0286f * height;
    arm.radius[1] = 0.0229f * height;
    arm.radius[2] = 0.0257f * height;
    for (int k = 0; k < TR_ARM_JOINTS; k++) {
        arm.low.q[k] = (float)(human_limits[k][0] * (TR_PI / 180));
        arm.high.q[k] = (float)(human_limits[k][1] * (TR_PI / 180));
    }
    return arm;
}

void tr_arm_allow_help(tr_arm *arm) {
    arm->low.q[TR_WAIST_LEAN] = 0;
    arm->high.q[TR_WAIST_LEAN] = 0.9f;
    arm->low.q[TR_WAIST_TURN] = -0.7f;
    arm->high.q[TR_WAIST_TURN] = 0.7f;
    arm->low.q[TR_COLLAR] = 0;
    arm->high.q[TR_COLLAR] = 0.35f;
}

static const char *const angle_names[TR_ARM_ANGLES] = {
    "shoulder flexion", "shoulder abduction", "shoulder rotation", "elbow flexion", "forearm pronation",
    "wrist flexion",    "wrist deviation",    "waist lean",        "waist turn",    "collar"};
static const char *const link_names[TR_ARM_LINKS] = {"upper arm", "forearm", "hand"};

static tr_status check_links(const tr_arm *arm, tr_error *error) {
    for (int k = 0; k < TR_ARM_LINKS; k++) {
        float least = k == 2 ? 0 : 1e-4f;
        if (!(arm->length[k] >= least && arm->length[k] <= 1000))
            return tr_fail(error, TR_INVALID, "the length of the %s is %g m, it must be %g to 1000",
                           link_names[k], arm->length[k], least);
        if (!(arm->radius[k] > 0 && arm->radius[k] <= 1000))
            return tr_fail(error, TR_INVALID,
                           "the radius of the %s is %g m, it must be above 0 and at most 1000", link_names[k],
                           arm->radius[k]);
    }
    return TR_OK;
}

static tr_status check_limits(const tr_arm *arm, tr_error *error) {
    const float pi = (float)TR_PI;
    for (int k = 0; k < TR_ARM_ANGLES; k++) {
        float low = arm->low.q[k], high = arm->high.q[k], least = k == TR_ELBOW_FLEXION ? 0 : -pi;
        if (!(low >= least && high <= pi))
            return tr_fail(error, TR_INVALID, "the limits of %s are %g and %g, they must be %g to %g",
                           angle_names[k], low, high, least, pi);
        if (!(low <= high))
            return tr_fail(error, TR_INVALID,
                           "the limits of %s exclude everything: the lower is %g, the upper %g",
                           angle_names[k], low, high);
    }
    return TR_OK;
}

static tr_status check_point(const char *name, tr_vec3 p, tr_error *error) {
    if (!(fabsf(p.x) <= 1e6f && fabsf(p.y) <= 1e6f && fabsf(p.z) <= 1e6f))
        return tr_fail(error, TR_INVALID, "the %s is at (%g, %g, %g), which is not within 1e6 m", name, p.x,
                       p.y, p.z);
    return TR_OK;
}

// Checks that the columns have length 1, are orthogonal, and are not mirrored.
static tr_status check_base(const tr_affine *base, tr_error *error) {
    tr_status status = check_point("base", tr_affine_position(base), error);
    if (status)
        return status;
    tr_vec3 axis[3];
    for (int k = 0; k < 3; k++)
        axis[k] = tr_vec3_make(base->m[0][k], base->m[1][k], base->m[2][k]);
    for (int k = 0; k < 3; k++) {
        float length = tr_vec3_length(axis[k]), skew = tr_vec3_dot(axis[k], axis[(k + 1) % 3]);
        if (!(fabsf(length - 1) <= 1e-3f && fabsf(skew) <= 1e-3f))
            return tr_fail(
                error, TR_INVALID,
                "axis %d of the base has length %g and product %g with the next axis, they must be 1 "
                "and 0: a rotation without scale",
                k, length, skew);
    }
    if (!(tr_vec3_dot(tr_vec3_cross(axis[0], axis[1]), axis[2]) > 0))
        return tr_fail(error, TR_INVALID, "the base is mirrored");
    return TR_OK;
}

tr_status tr_arm_check(const tr_arm *arm, tr_error *error) {
    if (arm->side != TR_ARM_RIGHT && arm->side != TR_ARM_LEFT)
        return tr_fail(error, TR_INVALID, "the side is %d, it must be TR_ARM_RIGHT or TR_ARM_LEFT",
                       (int)arm->side);
    tr_status status = check_base(&arm->base, error);
    if (!status)
        status = check_point("waist", arm->waist, error);
    if (!status)
        status = check_point("root of the collar bone", arm->collar, error);
    if (!status)
        status = check_point("shoulder", arm->shoulder, error);
    if (!status)
        status = check_links(arm, error);
    return status ? status : check_limits(arm, error);
}

bool tr_arm_allows(const tr_arm *arm, const tr_posture *posture, float slack) {
    for (int k = 0; k < TR_ARM_ANGLES; k++)
        if (!(posture->q[k] >= arm->low.q[k] - slack && posture->q[k] <= arm->high.q[k] + slack))
            return false;
    return true;
}

tr_posture tr_arm_clamp(const tr_arm *arm, tr_posture posture) {
    for (int k = 0; k < TR_ARM_ANGLES; k++) {
        float q = posture.q[k];
        posture.q[k] = !(q > arm->low.q[k]) ? arm->low.q[k] : q < arm->high.q[k] ? q : arm->high.q[k];
    }
    return posture;
}

const char *tr_arm_reason_name(tr_arm_reason reason) {
    switch (reason) {
    case TR_ARM_REACHES:
        return "within reach";
    case TR_ARM_TOO_FAR:
        return "farther than the stretched arm";
    case TR_ARM_TOO_NEAR:
        return "nearer than the elbow bends";
    case TR_ARM_LIMITS:
        return "beyond the limits of the shoulder";
    case TR_ARM_HAND_LIMITS:
        return "beyond the limits of forearm and wrist";
    case TR_ARM_REASON_COUNT:
        break;
    }
    return "unknown";
}

void tr_arm_archive_posture(tr_posture *posture, tr_archive *archive) {
    tr_archive_floats(archive, posture->q, TR_ARM_ANGLES);
}

void tr_arm_archive(tr_arm *arm, tr_archive *archive) {
    arm->side = (tr_arm_side)tr_archive_choice(archive, arm->side, 2);
    tr_archive_affine(archive, &arm->base);
    tr_archive_vec3(archive, &arm->waist);
    tr_archive_vec3(archive, &arm->collar);
    tr_archive_vec3(archive, &arm->shoulder);
    tr_archive_floats(archive, arm->length, TR_ARM_LINKS);
    tr_archive_floats(archive, arm->radius, TR_ARM_LINKS);
    tr_arm_archive_posture(&arm->low, archive);
    tr_arm_archive_posture(&arm->high, archive);
}

void tr_arm_archive_goal(tr_arm_goal *goal, tr_archive *archive) {
    goal->kind = (tr_arm_goal_kind)tr_archive_choice(archive, goal->kind, TR_ARM_GOAL_POSE + 1);
    tr_archive_vec3(archive, &goal->wrist);
    tr_archive_vec3(archive, &goal->direction);
    tr_archive_float(archive, &goal->tolerance);
    tr_archive_quat(archive, &goal->rotation);
}
