// A pair of walking legs with the causes of foot sliding: a stride that does not fit the speed, a curved way,
// noise, a ground at the wrong height.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "motion/foot/foot_lock.h"

#include <math.h>
#include <string.h>

#define WALKER_JOINTS 11
#define WALKER_PERIOD 1.1
#define WALKER_STANCE 0.62 // share of the stride
#define WALKER_FLAT 0.12   // when the toes come down
#define WALKER_ROLL 0.40   // when the heel goes up
#define WALKER_SPEED 0.8   // along the ground [m/s]

typedef struct walker {
    tr_skeleton *skeleton;
    tr_legs legs;
    tr_pose pose;
    tr_affine model[WALKER_JOINTS];
} walker;

static tr_skeleton *walker_skeleton(bool toes) {
    const tr_quat upright = {0, 0, 0, 1};
    const tr_vec3 plain = {1, 1, 1};
    tr_joint_def joints[WALKER_JOINTS] = {
        {"hips", TR_NONE, {{0, 0.93f, 0}, upright, plain}, TR_ROLE_HIPS, false, {0}}};
    for (uint32_t side = 0; side < 2; side++) {
        tr_joint_def *leg = &joints[1 + side * 5];
        uint32_t first = 1 + side * 5;
        int roles = side ? TR_ROLE_RIGHT_THIGH - TR_ROLE_LEFT_THIGH : 0;
        leg[0] = (tr_joint_def){.parent = 0, .rest = {{side ? -0.1f : 0.1f, 0, 0}, upright, plain}};
        leg[1] = (tr_joint_def){.parent = first, .rest = {{0, -0.44f, 0.002f}, upright, plain}};
        leg[2] = (tr_joint_def){.parent = first + 1, .rest = {{0, -0.41f, -0.002f}, upright, plain}};
        leg[3] = (tr_joint_def){.parent = first + 2, .rest = {{0, -0.06f, 0.13f}, upright, plain}};
        leg[4] = (tr_joint_def){.parent = first + 3, .rest = {{0, -0.02f, 0.06f}, upright, plain}};
        leg[0].role = (tr_role)(TR_ROLE_LEFT_THIGH + roles);
        leg[1].role = (tr_role)(TR_ROLE_LEFT_SHANK + roles);
        leg[2].role = (tr_role)(TR_ROLE_LEFT_FOOT + roles);
        leg[3].role = toes ? (tr_role)(TR_ROLE_LEFT_TOES + roles) : TR_ROLE_NONE;
        leg[4].is_end = true;
    }
    tr_skeleton_def def = {.joints = joints, .joint_count = WALKER_JOINTS};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

static bool walker_make(walker *made, bool toes) {
    *made = (walker){.skeleton = walker_skeleton(toes)};
    return made->skeleton && tr_legs_measure(made->skeleton, &made->legs, NULL) == TR_OK &&
           tr_pose_create(NULL, WALKER_JOINTS, &made->pose, NULL) == TR_OK;
}

static void walker_destroy(walker *made) {
    tr_pose_destroy(&made->pose);
    tr_skeleton_destroy(made->skeleton);
}

// An ankle in the plane of its leg, by the phase of its own stride: heel first, roll, toes last.
typedef struct walker_ankle {
    double y, z, pitch; // pitch: toes up
} walker_ankle;

static double walker_smooth(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

// Turned about the heel or the ball, which move backwards with the ground at `speed`.
static walker_ankle walker_stance(double phase, double speed) {
    const double height = 0.08, behind = 0.052, before = 0.13; // of the ankle, to heel and ball
    double heel = 0.24 - phase * WALKER_PERIOD * speed;
    walker_ankle ankle = {height, heel + behind, 0};
    if (phase < WALKER_FLAT) {
        ankle.pitch = 0.35 * (1 - walker_smooth(phase / WALKER_FLAT));
        ankle.y = height * cos(ankle.pitch) + behind * sin(ankle.pitch);
        ankle.z = heel + behind * cos(ankle.pitch) - height * sin(ankle.pitch);
    } else if (phase > WALKER_ROLL) {
        double share = (phase - WALKER_ROLL) / (WALKER_STANCE - WALKER_ROLL);
        ankle.pitch = -0.8 * share * share;
        ankle.y = height * cos(ankle.pitch) - before * sin(ankle.pitch);
        ankle.z = heel + behind + before - before * cos(ankle.pitch) - height * sin(ankle.pitch);
    }
    return ankle;
}

static double walker_swing(double a, double b, double rate_a, double rate_b, double s) {
    double span = 1 - WALKER_STANCE;
    return a * (1 - s) * (1 - s) * (1 + 2 * s) + b * s * s * (3 - 2 * s) +
           span * (rate_a * s * (1 - s) * (1 - s) - rate_b * s * s * (1 - s));
}

static walker_ankle walker_at(double phase, double speed) {
    phase -= floor(phase);
    if (phase < WALKER_STANCE)
        return walker_stance(phase, speed);
    const double h = 1e-4;
    walker_ankle a = walker_stance(WALKER_STANCE, speed), b = walker_stance(0, speed);
    walker_ankle a0 = walker_stance(WALKER_STANCE - h, speed), b1 = walker_stance(h, speed);
    double s = (phase - WALKER_STANCE) / (1 - WALKER_STANCE);
    double bump = 16 * s * s * (1 - s) * (1 - s);
    walker_ankle ankle = {
        walker_swing(a.y, b.y, (a.y - a0.y) / h, (b1.y - b.y) / h, s) + 0.03 * bump,
        walker_swing(a.z, b.z, (a.z - a0.z) / h, (b1.z - b.z) / h, s),
        walker_swing(a.pitch, b.pitch, (a.pitch - a0.pitch) / h, (b1.pitch - b.pitch) / h, s)};
    return ankle;
}

static uint32_t walker_contacts(double phase) {
    uint32_t contacts = 0;
    for (uint32_t side = 0; side < 2; side++) {
        double own = phase + 0.5 * side - floor(phase + 0.5 * side);
        if (own < WALKER_ROLL)
            contacts |= 1u << (2 * side);
        if (own >= WALKER_FLAT && own < WALKER_STANCE)
            contacts |= 2u << (2 * side);
    }
    return contacts;
}

// The faults of the animation.
typedef struct walker_faults {
    double slide;    // its stride is this much too long for the speed, as a share
    double curve;    // of the way [1/m]
    double noise;    // of every joint, each frame [rad]
    double sunk;     // too deep [m]
    double hip_high; // [m]
} walker_faults;

// The pose at a time, at its place on the way; returns the contacts.
static uint32_t walker_pose(walker *at, const walker_faults *faults, double time, tr_random *random,
                            tr_affine *place) {
    double phase = time / WALKER_PERIOD, way = time * WALKER_SPEED, heading = way * faults->curve;
    double x = 0, z = way;
    if (faults->curve != 0)
        x = (1 - cos(heading)) / faults->curve, z = sin(heading) / faults->curve;
    *place = tr_affine_place(tr_vec3_make((float)x, (float)-faults->sunk, (float)z), heading);
    tr_pose_set_rest(&at->pose, at->skeleton);
    at->pose.position[1][0] = (float)(0.88 + faults->hip_high + 0.01 * sin(4 * TR_PI * phase));
    tr_pose_to_model(at->skeleton, &at->pose, NULL, at->model);
    for (uint32_t side = 0; side < 2; side++) {
        walker_ankle ankle = walker_at(phase + 0.5 * side, WALKER_SPEED * (1 + faults->slide));
        tr_quat pitch = tr_quat_about(tr_vec3_make(1, 0, 0), -ankle.pitch);
        tr_limb_goal goal = {{side ? -0.1f : 0.1f, (float)ankle.y, (float)ankle.z}, &pitch, 1, 0};
        tr_limb_reach(&at->legs.limbs[side], at->skeleton, &goal, &at->pose, NULL, at->model);
        if (ankle.pitch < 0) // the toes stay level
            tr_pose_set_rotation(&at->pose, 4 + side * 5, tr_quat_about(tr_vec3_make(1, 0, 0), ankle.pitch));
    }
    for (uint32_t i = 0; i < WALKER_JOINTS && faults->noise > 0; i++) {
        tr_vec3 turn = {tr_random_between(random, -1, 1), tr_random_between(random, -1, 1),
                        tr_random_between(random, -1, 1)};
        tr_quat q = tr_quat_from_vector(tr_vec3_scale(turn, (float)faults->noise));
        tr_pose_set_rotation(&at->pose, i, tr_quat_multiply(tr_pose_rotation(&at->pose, i), q));
    }
    tr_pose_to_model(at->skeleton, &at->pose, place, at->model);
    return walker_contacts(phase);
}

// The largest difference between the model and the one computed from its pose.
static double walker_model_off(const walker *at, const tr_affine *place) {
    tr_affine again[WALKER_JOINTS];
    double worst = 0;
    tr_pose_to_model(at->skeleton, &at->pose, place, again);
    for (uint32_t i = 0; i < WALKER_JOINTS; i++)
        for (int row = 0; row < 3; row++)
            for (int column = 0; column < 4; column++)
                worst = fmax(worst, fabs(again[i].m[row][column] - at->model[i].m[row][column]));
    return worst;
}
