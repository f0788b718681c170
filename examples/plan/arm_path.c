// A reach bent through three postures: where the wrist goes, and how far.
#include "troupe/plan/arm_path.h"

#include <stdio.h>

int main(void) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_posture knots[3] = {{{0}}, {{0}}, {{0}}};
    knots[1].q[TR_SHOULDER_ABDUCTION] = 0.6f; // out past the edge of a table
    knots[1].q[TR_ELBOW_FLEXION] = 1.6f;
    knots[2].q[TR_SHOULDER_FLEXION] = 1.2f; // and over it
    knots[2].q[TR_ELBOW_FLEXION] = 0.4f;
    tr_arm_path arm_path = {knots, 3};
    for (int k = 0; k <= 8; k++) {
        double u = 2.0 * k / 8;
        tr_posture posture = tr_arm_path_at(&arm_path, u, NULL);
        tr_vec3 points[4];
        tr_arm_points(&arm, &posture, points);
        printf("u %.2f: elbow bent by %.2f rad, wrist at (%5.2f %5.2f %5.2f)\n", u,
               (double)posture.q[TR_ELBOW_FLEXION], (double)points[2].x, (double)points[2].y,
               (double)points[2].z);
    }
    printf("%.2f rad in joint space, %.2f m for the wrist\n", tr_arm_path_length(&arm_path, 64),
           tr_arm_path_wrist_length(&arm_path, &arm, 64));
    return 0;
}
