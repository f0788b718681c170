// Two bones in a pose, and where their joints come to be in the world.
#include "troupe/base/scalar.h"
#include "troupe/motion/pose.h"

#include <stdio.h>

int main(void) {
    tr_joint_def joints[3] = {{.name = "hip", .parent = TR_NONE, .rest = tr_transform_identity()},
                              {.name = "knee", .parent = 0, .rest = tr_transform_identity()},
                              {.name = "ankle", .parent = 1, .rest = tr_transform_identity()}};
    joints[0].rest.position.y = 0.9f;
    joints[1].rest.position.y = joints[2].rest.position.y = -0.45f;
    tr_skeleton *leg = NULL;
    tr_pose pose;
    if (tr_skeleton_create(&(tr_skeleton_def){.joints = joints, .joint_count = 3}, &leg, NULL) != TR_OK ||
        tr_pose_create(NULL, 3, &pose, NULL) != TR_OK)
        return 1;
    tr_pose_set_rest(&pose, leg);
    tr_pose_set_rotation(&pose, 0, tr_quat_about(tr_vec3_make(1, 0, 0), -0.6)); // the thigh ahead
    tr_pose_set_rotation(&pose, 1, tr_quat_about(tr_vec3_make(1, 0, 0), 0.9));  // the knee bent
    tr_affine place = tr_affine_place(tr_vec3_make(2, 0, 3), TR_PI / 2);        // at (2, 3), facing +X
    tr_affine model[3];
    tr_pose_to_model(leg, &pose, &place, model);
    for (uint32_t i = 0; i < 3; i++) {
        tr_vec3 at = tr_affine_position(&model[i]);
        printf("%-5s at (%.3f, %.3f, %.3f)\n", joints[i].name, at.x, at.y, at.z);
    }
    tr_pose_destroy(&pose);
    tr_skeleton_destroy(leg);
    return 0;
}
