// Arms for the tests: random postures, and what must hold for a pose that one was written into.
#pragma once
#include "motion/humanoid.h"
#include "troupe/motion/arm_rig.h"

#include <math.h>
#include <stdlib.h>

#define ARM_POSE_JOINTS_MAX 128

// A skeleton in some pose, placed in the world.
typedef struct arm_body {
    const tr_skeleton *skeleton;
    tr_pose pose;
    tr_affine place, model[ARM_POSE_JOINTS_MAX];
} arm_body;

static inline void arm_body_begin(arm_body *body, const tr_skeleton *skeleton) {
    body->skeleton = skeleton;
    body->place = tr_affine_identity();
    CHECK(tr_skeleton_joint_count(skeleton) <= ARM_POSE_JOINTS_MAX);
    CHECK(tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &body->pose, NULL) == TR_OK);
    tr_pose_set_rest(&body->pose, skeleton);
    tr_pose_to_model(skeleton, &body->pose, NULL, body->model);
}

static inline tr_posture arm_random_posture(tr_random *random, const tr_arm *arm) {
    tr_posture posture;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        posture.q[i] = tr_random_between(random, arm->low.q[i], arm->high.q[i]);
    return posture;
}

static inline double arm_distance(tr_vec3 a, tr_vec3 b) {
    return (double)tr_vec3_length(tr_vec3_subtract(a, b));
}

// Compares the places of the joints with those of the arm for the posture.
static inline double arm_worst_place(const arm_body *body, const tr_arm_rig *joints, const tr_arm *arm,
                                     const tr_posture *posture) {
    tr_arm_place put = tr_arm_put(arm, posture);
    tr_quat hand = tr_quat_multiply(tr_affine_rotation(&body->model[joints->hand]), joints->hand_offset);
    tr_vec3 wrist = tr_affine_position(&body->model[joints->hand]);
    tr_vec3 tip = tr_vec3_add(wrist, tr_quat_rotate(hand, tr_vec3_make(0, -arm->length[2], 0)));
    const double off[4] = {arm_distance(tr_affine_position(&body->model[joints->upper]), put.shoulder),
                           arm_distance(tr_affine_position(&body->model[joints->forearm]), put.elbow),
                           arm_distance(wrist, put.wrist), arm_distance(tip, put.tip)};
    double worst = 0;
    for (int i = 0; i < 4; i++)
        worst = off[i] > worst ? off[i] : worst;
    return worst;
}

static inline double arm_worst_angle(const tr_posture *a, const tr_posture *b) {
    double worst = 0;
    for (int i = 0; i < TR_ARM_JOINTS; i++) {
        double off = fabs((double)a->q[i] - (double)b->q[i]);
        worst = off > worst ? off : worst;
    }
    return worst;
}
