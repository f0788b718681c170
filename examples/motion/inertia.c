// A switch from one motion to another: the jump, and the same with inertialisation.
#include "troupe/motion/inertia.h"

#include <stdio.h>

#define DT 0.05f

// The old motion turns steadily; the new one stands somewhere else.
static void play(bool is_new, float time, tr_pose *pose) {
    tr_pose_set_rotation(pose, 0, tr_quat_about(tr_vec3_make(0, 1, 0), is_new ? 0.2 : time));
}

int main(void) {
    tr_pose before, shown, next, pose;
    tr_pose *poses[] = {&before, &shown, &next, &pose};
    tr_inertia *inertia = NULL;
    for (int i = 0; i < 4; i++)
        if (tr_pose_create(NULL, 1, poses[i], NULL) != TR_OK)
            return 1;
    if (tr_inertia_create(NULL, 1, &inertia, NULL) != TR_OK)
        return 1;
    play(false, 1 - DT, &before);
    play(false, 1, &shown);
    play(true, 1, &next);
    tr_inertia_begin(inertia, &before, &shown, &next, &next, DT, 0.4f);
    puts("time   new motion   shown");
    for (int step = 0; !tr_inertia_is_over(inertia); step++) {
        play(true, 1 + (float)step * DT, &pose);
        float alone = tr_quat_to_vector(tr_pose_rotation(&pose, 0)).y;
        tr_inertia_apply(inertia, step ? DT : 0, &pose);
        printf("%.2f   %10.3f   %.3f\n", 1 + (double)step * DT, alone,
               tr_quat_to_vector(tr_pose_rotation(&pose, 0)).y);
    }
    tr_inertia_destroy(inertia);
    for (int i = 0; i < 4; i++)
        tr_pose_destroy(poses[i]);
    return 0;
}
