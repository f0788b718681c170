// A wrist is held at three points: all the ways to do so, and the one that people would choose.
#include "troupe/base/scalar.h"
#include "troupe/plan/arm.h"

#include <stdio.h>

static void show(const tr_arm *arm, const char *name, tr_vec3 wrist) {
    const double degrees = 180 / TR_PI;
    const float help[TR_ARM_HELP] = {0}, hand[3] = {0};
    tr_arm_goal goal = {.kind = TR_ARM_GOAL_POSITION, .wrist = wrist};
    tr_arm_family family;
    printf("%s (%.2f, %.2f, %.2f): ", name, wrist.x, wrist.y, wrist.z);
    if (tr_arm_solve(arm, help, &goal, &family) != TR_OK) {
        printf("%s\n", tr_arm_reason_name(family.reason));
        return;
    }
    printf("elbow bent by %.0f degrees, on a circle of %.0f mm\n", family.elbow * degrees,
           family.radius * 1000);
    for (uint32_t k = 0; k < family.range_count; k++)
        printf("  swivel %4.0f to %4.0f degrees\n", family.ranges[k].low * degrees,
               family.ranges[k].high * degrees);
    float swivel = tr_arm_natural_swivel(arm, &family);
    tr_posture posture;
    for (uint32_t branch = 0; branch < 2; branch++) {
        if (!tr_arm_family_at(arm, &family, &goal, swivel, branch, hand, &posture))
            continue;
        tr_arm_place place = tr_arm_put(arm, &posture);
        printf("  people: swivel %.0f, elbow at (%.2f, %.2f, %.2f), cost %.2f\n", swivel * degrees,
               place.elbow.x, place.elbow.y, place.elbow.z, tr_arm_comfort(arm, &posture));
        return;
    }
}

int main(void) {
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    tr_error error;
    if (tr_arm_check(&arm, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    show(&arm, "a cup on the table", tr_vec3_make(-0.10f, 1.05f, 0.35f));
    show(&arm, "a shelf", tr_vec3_make(-0.25f, 1.75f, 0.30f));
    show(&arm, "the far wall", tr_vec3_make(0, 1.40f, 2));

    // How far any point of the hand can move when no angle changes by more than 0.05 rad.
    tr_posture change;
    tr_vec3 points[4];
    float bound[4], bound_here[4];
    for (int k = 0; k < TR_ARM_ANGLES; k++)
        change.q[k] = 0.05f;
    tr_posture bent = {{0.3f, 0.2f, 0.3f, 1.9f, 0, 0, 0, 0, 0, 0}};
    tr_arm_points(&arm, &bent, points);
    tr_arm_bound(&arm, &change, 0, bound);
    tr_arm_bound_at(&arm, points, &change, 0, bound_here);
    printf("0.05 rad move the hand by at most %.0f mm, with the arm so bent %.0f mm\n", bound[2] * 1000,
           bound_here[2] * 1000);
    return 0;
}
