// The right arm of the mannequin: measured, read from the rest pose, and put to a cup in front of the chest.
#include "troupe/motion/arm_rig.h"
#include "troupe/motion/mannequin.h"

#include <stdio.h>

#define JOINTS_MAX 64

static void print_place(const char *what, tr_vec3 p) {
    printf("  %-8s (%6.3f %6.3f %6.3f)\n", what, (double)p.x, (double)p.y, (double)p.z);
}

static int reach(const tr_skeleton *skeleton, const tr_body *body, tr_pose *pose, tr_error *error) {
    tr_arm_rig joints;
    if (tr_arm_rig_measure(skeleton, body, TR_ARM_RIGHT, &joints, error) != TR_OK)
        return 1;
    printf("an arm of %.3f + %.3f + %.3f m\n", (double)joints.arm.length[0], (double)joints.arm.length[1],
           (double)joints.arm.length[2]);

    tr_affine place = tr_affine_place(tr_vec3_make(2, 0, 1), 0.5), model[JOINTS_MAX];
    tr_pose_set_rest(pose, skeleton);
    tr_pose_to_model(skeleton, pose, &place, model);
    tr_arm arm;
    tr_posture posture;
    tr_arm_rig_read(&joints, skeleton, pose, model, &arm, &posture);
    tr_reach_body parts[TR_REACH_BODIES_MAX];
    printf("%u parts of the body are in its way\n",
           tr_arm_rig_bodies(&joints, skeleton, body, model, parts, TR_REACH_BODIES_MAX));

    // 45 cm ahead of the pelvis and 25 cm above it, the trunk leaning a little: the family of all postures
    // that hold the wrist there, of which people take this one.
    posture.q[TR_WAIST_LEAN] = 0.2f;
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION,
                        .wrist = tr_affine_apply(&arm.base, tr_vec3_make(-0.1f, 0.25f, 0.45f))};
    tr_arm_family family;
    if (tr_arm_solve(&arm, &posture.q[TR_WAIST_LEAN], &goal, &family) != TR_OK)
        return tr_fail(error, TR_NOT_FOUND, "%s", tr_arm_reason_name(family.reason)) != TR_OK;
    float swivel = tr_arm_natural_swivel(&arm, &family), hand[3] = {0.3f, 0, 0};
    if (!tr_arm_family_at(&arm, &family, &goal, swivel, family.ranges[0].branch, hand, &posture))
        return tr_fail(error, TR_NOT_FOUND, "not at a swivel of %g", (double)swivel) != TR_OK;

    tr_arm_rig_write(&joints, skeleton, &arm, &posture, 1, pose, &place, model);
    print_place("goal", goal.wrist);
    print_place("wrist", tr_affine_position(&model[joints.hand]));
    print_place("elbow", tr_affine_position(&model[joints.forearm]));
    return 0;
}

int main(void) {
    tr_mannequin_def def = {.height = 1.75f, .detail = 1};
    tr_skeleton *skeleton = NULL;
    tr_body *body = NULL;
    tr_pose pose = {0};
    tr_error error = {0};
    int failed = tr_mannequin_make(&def, &skeleton, &body, &error) != TR_OK ||
                 tr_skeleton_joint_count(skeleton) > JOINTS_MAX ||
                 tr_pose_create(NULL, tr_skeleton_joint_count(skeleton), &pose, &error) != TR_OK;
    failed = failed || reach(skeleton, body, &pose, &error);
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    tr_pose_destroy(&pose);
    tr_body_destroy(body);
    tr_skeleton_destroy(skeleton);
    return failed;
}
