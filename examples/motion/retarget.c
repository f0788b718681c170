// A wave of a tall mannequin, worn by a small one: the arms point the same way, the feet stand where they
// would.
#include "troupe/motion/mannequin.h"
#include "troupe/motion/retarget.h"

#include <stdio.h>

static tr_vec3 arm(const tr_skeleton *skeleton, const tr_affine *model) {
    uint32_t elbow = tr_skeleton_with_role(skeleton, TR_ROLE_RIGHT_FOREARM);
    uint32_t wrist = tr_skeleton_with_role(skeleton, TR_ROLE_RIGHT_HAND);
    tr_vec3 along = tr_vec3_subtract(tr_affine_position(&model[wrist]), tr_affine_position(&model[elbow]));
    return tr_vec3_scale(along, 1 / tr_vec3_length(along));
}

int main(void) {
    tr_mannequin_def tall = {.height = 1.95f}, small = {.height = 1.2f};
    tr_skeleton *from = NULL, *to = NULL;
    tr_retarget *retarget = NULL;
    tr_pose there = {0}, here = {0};
    tr_error error = {0};
    if (tr_mannequin_make(&tall, &from, NULL, &error) != TR_OK ||
        tr_mannequin_make(&small, &to, NULL, &error) != TR_OK ||
        tr_retarget_create(NULL, from, to, NULL, &retarget, &error) != TR_OK ||
        tr_pose_create(NULL, tr_skeleton_joint_count(from), &there, &error) != TR_OK ||
        tr_pose_create(NULL, tr_skeleton_joint_count(to), &here, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    for (int step = 0; step <= 4; step++) {
        tr_affine a[64], b[64];
        tr_pose_set_rest(&there, from);
        tr_pose_set_rotation(&there, tr_skeleton_with_role(from, TR_ROLE_RIGHT_UPPER_ARM),
                             tr_quat_about(tr_vec3_make(0, 0, -1), 0.5 * step));
        tr_retarget_pose(retarget, &there, &here);
        tr_pose_to_model(from, &there, NULL, a);
        tr_pose_to_model(to, &here, NULL, b);
        tr_vec3 p = arm(from, a), q = arm(to, b);
        float hips = b[tr_skeleton_with_role(to, TR_ROLE_HIPS)].m[1][3];
        printf(
            "forearm of the tall (%5.2f, %5.2f, %5.2f), of the small (%5.2f, %5.2f, %5.2f), hips at %.2f m\n",
            (double)p.x, (double)p.y, (double)p.z, (double)q.x, (double)q.y, (double)q.z, (double)hips);
    }
    tr_pose_destroy(&there);
    tr_pose_destroy(&here);
    tr_retarget_destroy(retarget);
    tr_skeleton_destroy(from);
    tr_skeleton_destroy(to);
    return 0;
}
