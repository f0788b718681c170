// A leg reaches for points: where hip, knee and ankle come to, and what is left where the bones are too
// short.
#include "troupe/motion/limb.h"

#include <stdio.h>

int main(void) {
    const tr_quat upright = {0, 0, 0, 1};
    const tr_vec3 plain = {1, 1, 1};
    const tr_joint_limit knee_limit = {
        .active = true, .twist_axis = 1, .low = {0, 0, 0}, .high = {2.4f, 0, 0}};
    const tr_joint_def joints[] = {
        {"hips", TR_NONE, {{0, 0.95f, 0}, upright, plain}, TR_ROLE_HIPS, false, {0}},
        {"thigh", 0, {{0.1f, 0, 0}, upright, plain}, TR_ROLE_LEFT_THIGH, false, {0}},
        {"shank", 1, {{0, -0.43f, 0}, upright, plain}, TR_ROLE_LEFT_SHANK, false, knee_limit},
        {"foot", 2, {{0, -0.43f, 0}, upright, plain}, TR_ROLE_LEFT_FOOT, false, {0}},
    };
    const tr_skeleton_def def = {.joints = joints, .joint_count = 4};
    tr_skeleton *skeleton;
    tr_error error;
    if (tr_skeleton_create(&def, &skeleton, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    tr_limb leg;
    tr_pose pose;
    if (tr_limb_measure(skeleton, 1, 2, 3, &leg, &error) != TR_OK ||
        tr_pose_create(NULL, 4, &pose, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        tr_skeleton_destroy(skeleton);
        return 1;
    }
    printf("a leg of %.2f + %.2f m reaches from %.3f to %.3f m\n", leg.upper_length, leg.lower_length,
           leg.reach_min, leg.reach_max);

    const tr_vec3 points[] = {{0.1f, 0.1f, 0}, {0.1f, 0.4f, 0.4f}, {0.3f, 0.3f, -0.2f}, {0.1f, 0.5f, 0.9f}};
    tr_affine model[4];
    for (int i = 0; i < 4; i++) {
        tr_pose_set_rest(&pose, skeleton);
        tr_pose_to_model(skeleton, &pose, NULL, model);
        const tr_limb_goal goal = {.position = points[i], .weight = 1};
        float left = tr_limb_reach(&leg, skeleton, &goal, &pose, NULL, model);
        tr_vec3 knee = tr_affine_position(&model[2]), ankle = tr_affine_position(&model[3]);
        printf("to (%4.1f %4.1f %4.1f): knee (%6.3f %6.3f %6.3f)  ankle (%6.3f %6.3f %6.3f)  %.3f m short\n",
               points[i].x, points[i].y, points[i].z, knee.x, knee.y, knee.z, ankle.x, ankle.y, ankle.z,
               left);
    }
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(skeleton);
    return 0;
}
