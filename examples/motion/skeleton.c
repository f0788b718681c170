// An arm of three joints: its rest pose, its limits, and what becomes of an elbow that is bent too far.
#include "troupe/motion/skeleton.h"

#include <stdio.h>

int main(void) {
    const tr_transform rest = tr_transform_identity();
    tr_joint_def joints[] = {
        {.name = "shoulder", .parent = TR_NONE, .rest = rest, .role = TR_ROLE_LEFT_UPPER_ARM},
        {.name = "elbow",
         .parent = 0,
         .rest = rest,
         .role = TR_ROLE_LEFT_FOREARM,
         .limit = {.active = true, .twist_axis = 1, .low = {-2.5f, -1.5f, 0}, .high = {0, 1.5f, 0}}},
        {.name = "wrist", .parent = 1, .rest = rest, .role = TR_ROLE_LEFT_HAND},
    };
    joints[0].rest.position = tr_vec3_make(0.18f, 1.4f, 0);
    joints[1].rest.position = tr_vec3_make(0, -0.31f, 0);
    joints[2].rest.position = tr_vec3_make(0, -0.25f, 0);
    tr_skeleton *arm = NULL;
    tr_error error;
    if (tr_skeleton_create(&(tr_skeleton_def){.name = "arm", .joints = joints, .joint_count = 3}, &arm,
                           &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (uint32_t i = 0; i < tr_skeleton_joint_count(arm); i++) {
        tr_joint_def joint = tr_skeleton_joint(arm, i);
        tr_vec3 at = tr_affine_position(&tr_skeleton_rest_model(arm)[i]);
        printf("%-9s %-15s rests at (%.2f, %.2f, %.2f)\n", joint.name, tr_role_name(joint.role), at.x, at.y,
               at.z);
    }
    uint32_t elbow = tr_skeleton_with_role(arm, TR_ROLE_LEFT_FOREARM);
    tr_quat bent = tr_quat_about(tr_vec3_make(1, 0, 0), -2.8);
    tr_quat clamped = tr_skeleton_limit_clamp(arm, elbow, bent);
    printf("an elbow bent by 2.8 rad is %.2f rad beyond its limit; clamped it is bent by %.2f rad\n",
           tr_skeleton_limit_excess(arm, elbow, bent), -tr_skeleton_limit_angles(arm, elbow, clamped).x);
    tr_skeleton_destroy(arm);
    return 0;
}
