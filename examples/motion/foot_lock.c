// Legs that are carried along with both feet labelled as standing: without plants the feet slide, with plants
// they stay, until one is too far behind and is let go.
#include "troupe/motion/foot_lock.h"

#include <stdio.h>

#define JOINTS 9

static tr_skeleton *make_legs(void) {
    const tr_quat level = {0, 0, 0, 1};
    const tr_vec3 plain = {1, 1, 1};
    const tr_joint_def joints[JOINTS] = {
        {"hips", TR_NONE, {{0, 0.9f, 0}, level, plain}, TR_ROLE_HIPS, false, {0}},
        {"left_thigh", 0, {{0.1f, -0.05f, 0}, level, plain}, TR_ROLE_LEFT_THIGH, false, {0}},
        {"left_shank", 1, {{0, -0.39f, 0.03f}, level, plain}, TR_ROLE_LEFT_SHANK, false, {0}},
        {"left_foot", 2, {{0, -0.38f, -0.03f}, level, plain}, TR_ROLE_LEFT_FOOT, false, {0}},
        {"left_toes", 3, {{0, -0.08f, 0.14f}, level, plain}, TR_ROLE_LEFT_TOES, false, {0}},
        {"right_thigh", 0, {{-0.1f, -0.05f, 0}, level, plain}, TR_ROLE_RIGHT_THIGH, false, {0}},
        {"right_shank", 5, {{0, -0.39f, 0.03f}, level, plain}, TR_ROLE_RIGHT_SHANK, false, {0}},
        {"right_foot", 6, {{0, -0.38f, -0.03f}, level, plain}, TR_ROLE_RIGHT_FOOT, false, {0}},
        {"right_toes", 7, {{0, -0.08f, 0.14f}, level, plain}, TR_ROLE_RIGHT_TOES, false, {0}},
    };
    const tr_skeleton_def def = {.joints = joints, .joint_count = JOINTS};
    tr_skeleton *skeleton = NULL;
    tr_skeleton_create(&def, &skeleton, NULL);
    return skeleton;
}

int main(void) {
    tr_skeleton *skeleton = make_legs();
    tr_legs legs;
    tr_pose pose;
    if (!skeleton || tr_legs_measure(skeleton, &legs, NULL) != TR_OK ||
        tr_pose_create(NULL, JOINTS, &pose, NULL) != TR_OK)
        return 1;
    tr_foot_lock_params params = tr_foot_lock_params_default();
    params.stray_max = 0.12f;
    tr_foot_lock_state state = {0};
    const uint32_t all =
        TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES | TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES;
    printf("time   body  heel meant  heel shown  held  hips lowered\n");
    for (int i = 0; i <= 60; i++) {
        float x = 0.25f * (float)i / 30; // the body drifts to the side at 0.25 m/s
        tr_affine place = tr_affine_place(tr_vec3_make(x, 0, 0), 0), model[JOINTS];
        tr_pose_set_rest(&pose, skeleton);
        tr_pose_to_model(skeleton, &pose, &place, model);
        tr_vec3 meant = tr_foot_heel(&legs.feet[0], model);
        if (tr_foot_lock_step(&state, &params, &legs, skeleton, all, 1 / 30.f, &pose, &place, model) != TR_OK)
            return 1;
        tr_vec3 shown = tr_foot_heel(&legs.feet[0], model);
        if (i % 4 == 0)
            printf("%.2f s %5.3f  %10.4f  %10.4f  %-4s  %.1f mm\n", i / 30.0, x, meant.x, shown.x,
                   state.feet[0].held_heel ? "yes" : "no", 1000 * state.hip_drop);
    }
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(skeleton);
    return 0;
}
