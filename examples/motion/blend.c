// A wave of the hand put on top of a walk: mixing, masking and adding poses.
#include "troupe/motion/blend.h"

#include <stdio.h>

static void print_turn(const char *what, const tr_pose *pose) {
    printf("%-38s", what);
    for (uint32_t i = 0; i < pose->joint_count; i++)
        printf(" %+.2f", tr_quat_to_vector(tr_pose_rotation(pose, i)).x);
    printf("\n");
}

int main(void) {
    tr_joint_def joints[4] = {{.name = "hips", .parent = TR_NONE, .rest = tr_transform_identity()},
                              {.name = "spine", .parent = 0, .rest = tr_transform_identity()},
                              {.name = "arm", .parent = 1, .rest = tr_transform_identity()},
                              {.name = "leg", .parent = 0, .rest = tr_transform_identity()}};
    tr_skeleton *skeleton = NULL;
    tr_pose walk, run, wave, rest, result;
    tr_pose *poses[] = {&walk, &run, &wave, &rest, &result};
    if (tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = 4}, &skeleton, NULL) != TR_OK)
        return 1;
    for (int i = 0; i < 5; i++)
        if (tr_pose_create(NULL, 4, poses[i], NULL) != TR_OK)
            return 1;
    const tr_vec3 x = {1, 0, 0};
    tr_pose_set_rotation(&walk, 3, tr_quat_about(x, 0.4));
    tr_pose_set_rotation(&run, 3, tr_quat_about(x, 0.8));
    tr_pose_set_rotation(&run, 1, tr_quat_about(x, 0.2));
    tr_pose_set_rotation(&wave, 2, tr_quat_about(x, -2.4));
    puts("turns about x of hips, spine, arm, leg:");
    tr_blend_two(&walk, &run, 0.5f, &result);
    print_turn("half walk, half run", &result);
    float upper_body[4] = {0};
    tr_blend_mask_subtree(skeleton, 1, 1, upper_body);
    const tr_blend_layer layers[] = {{&walk, 1, NULL}, {&wave, 3, upper_body}};
    tr_blend(layers, 2, &rest, &result);
    print_turn("walk, and three parts wave above", &result);
    tr_pose difference = wave; // in place
    tr_blend_difference(&wave, &rest, &difference);
    tr_pose_copy(&result, &run);
    tr_blend_add(&result, &difference, 0.5f, NULL);
    print_turn("run with half of the wave on top", &result);
    for (int i = 0; i < 5; i++)
        tr_pose_destroy(poses[i]);
    tr_skeleton_destroy(skeleton);
    return 0;
}
