// How far a change of angles can move the arm.
//
// Along the straight way in joint space from one posture to another no point moves further than the length of
// its path, and that is at most its greatest speed on the way. The speed is a sum of one term for each joint,
// its rate times the distance from its axis; where the axes of joints are square to each other (flexion and
// abduction, wrist flexion and deviation, lean and turn), or the velocities that they give (rotation and
// elbow), the root of the sum of squares does. A point of a link moves no further than the ends of the link.
#include "troupe/plan/arm.h"

static float both(float a, float b) {
    return sqrtf(a * a + b * b);
}

static float greater(float a, float b) {
    return a > b ? a : b;
}

void tr_arm_bound(const tr_arm *arm, const tr_posture *change, float trunk_reach, float bound[4]) {
    float d[TR_ARM_ANGLES];
    for (int k = 0; k < TR_ARM_ANGLES; k++)
        d[k] = fabsf(change->q[k]);
    const float *length = arm->length;
    float swing = both(d[TR_SHOULDER_FLEXION], d[TR_SHOULDER_ABDUCTION]),
          twist = both(d[TR_SHOULDER_ROTATION], d[TR_ELBOW_FLEXION]),
          hand = d[TR_FOREARM_PRONATION] + both(d[TR_WRIST_FLEXION], d[TR_WRIST_DEVIATION]),
          trunk = both(d[TR_WAIST_LEAN], d[TR_WAIST_TURN]);
    float span = length[0] + length[1], bone = tr_vec3_length(tr_vec3_subtract(arm->shoulder, arm->collar)),
          back = tr_vec3_length(tr_vec3_subtract(arm->collar, arm->waist)) + bone;
    float shoulder = trunk * back + d[TR_COLLAR] * bone;
    float elbow = shoulder + (trunk + swing) * length[0];
    float wrist = shoulder + (trunk + swing) * span + twist * length[1];
    float tip = shoulder + (trunk + swing) * (span + length[2]) +
                (d[TR_SHOULDER_ROTATION] + d[TR_ELBOW_FLEXION]) * (length[1] + length[2]) + hand * length[2];
    bound[0] = greater(shoulder, elbow);
    bound[1] = greater(elbow, wrist);
    bound[2] = greater(wrist, tip);
    bound[3] = greater(shoulder, trunk * trunk_reach);
}
