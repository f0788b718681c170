// A reach in time: how long one takes at least, where the wrist is, how fast it goes, and the same path taken
// up by a hand that is already moving.
#include "troupe/motion/arm_timing.h"

#include <math.h>
#include <stdio.h>

static tr_vec3 wrist_at(const tr_arm *arm, const tr_arm_timing *arm_timing, double time) {
    tr_posture posture = tr_arm_timing_at(arm_timing, time, NULL);
    tr_vec3 points[4]; // shoulder, elbow, wrist, finger tips
    tr_arm_points(arm, &posture, points);
    return points[2];
}

static void show(const tr_arm *arm, const tr_arm_timing *arm_timing) {
    const int steps = 12;
    for (int i = 0; i <= steps; i++) {
        double time = arm_timing->duration * i / steps, h = 1e-3;
        tr_vec3 at = wrist_at(arm, arm_timing, time), a = wrist_at(arm, arm_timing, time - h),
                b = wrist_at(arm, arm_timing, time + h);
        double span =
            (time > h ? h : time) + (time < arm_timing->duration - h ? h : arm_timing->duration - time);
        double speed = (double)tr_vec3_length(tr_vec3_subtract(b, a)) / span;
        printf("  %.3f s  (%6.3f %6.3f %6.3f)  %.2f m/s  ", time, (double)at.x, (double)at.y, (double)at.z,
               speed);
        for (int k = 0; k < (int)(speed * 30); k++)
            putchar('#');
        putchar('\n');
    }
}

// Before there is a path: is there time enough? Nobody is quicker than this over the straight line.
static void estimate(void) {
    static const struct {
        const char *name;
        double distance, width; // [m]
    } targets[] = {{"a door handle", 0.5, 0.12}, {"a cup", 0.5, 0.08}, {"a button", 0.5, 0.01}};
    for (int i = 0; i < 3; i++)
        printf("%s at %.1f m, %.0f mm wide: %.2f s at least\n", targets[i].name, targets[i].distance,
               1e3 * targets[i].width, tr_arm_timing_fitts(targets[i].distance, targets[i].width));
}

int main(void) {
    estimate();
    tr_arm arm = tr_arm_default(TR_ARM_RIGHT, 1.75f);
    // From beside the thigh, over the edge of a table, to something on it.
    const tr_posture knots[] = {{{-0.1f, 0.1f, 0.1f, 0.3f}},
                                {{-0.3f, 0.3f, 0.2f, 1.7f}},
                                {{0.3f, 0.4f, 0.3f, 1.9f}},
                                {{0.8f, 0.2f, 0.3f, 1.0f, 0.2f}}};
    const tr_arm_path arm_path = {knots, 4};
    tr_arm_timing arm_timing;
    tr_error error;
    if (tr_arm_timing_make(&arm, &arm_path, NULL, &arm_timing, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("from rest: %.3f m in %.3f s\n", arm_timing.length, arm_timing.duration);
    show(&arm, &arm_timing);

    tr_posture velocity; // as the hand goes a third of the way through, on the rest of the path
    tr_arm_timing_at(&arm_timing, arm_timing.duration / 3, &velocity);
    const tr_posture rest[] = {tr_arm_timing_at(&arm_timing, arm_timing.duration / 3, NULL), knots[2],
                               knots[3]};
    const tr_arm_path remaining = {rest, 3};
    tr_arm_timing_params params = {.velocity = &velocity, .target_width = 0.02f};
    if (tr_arm_timing_make(&arm, &remaining, &params, &arm_timing, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("taken over at %.2f m/s, to a smaller target: %.3f m in %.3f s\n", arm_timing.start_speed,
           arm_timing.length, arm_timing.duration);
    show(&arm, &arm_timing);
    return 0;
}
