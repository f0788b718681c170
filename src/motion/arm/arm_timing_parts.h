// What the sources of `arm_timing` share.
#pragma once
#include "troupe/motion/arm_timing.h"

#define TIMING_TURN_SHARE 0.03 // [m/rad]: a joint rotation counts as this much way: turning takes time
#define TIMING_BRAKE 2.5       // most of start speed times duration over length: more would overshoot
#define TIMING_PARTS (3 + TR_ARM_ANGLES)

// The path at the ends of the intervals, with the data for its timing.
typedef struct arm_timing_path {
    uint32_t intervals;
    double way[TR_ARM_TIMING_SAMPLES + 1];
    double haste[TR_ARM_TIMING_SAMPLES + 1];               // per metre of way: the ratio to human speeds
    double place[TR_ARM_TIMING_SAMPLES + 1][TIMING_PARTS]; // of the wrist [m], and angles as way
    double along[TR_ARM_TIMING_SAMPLES + 1][TIMING_PARTS]; // derivative by the way
    double wrist_length;
} arm_timing_path;

// Fills way, slope, bend and length of the timing, whose arm path and intervals must be set.
void tr_arm_timing_measure(const tr_arm *arm, tr_arm_timing *arm_timing, arm_timing_path *path);
// The speed along the path at its start for a velocity of the joints [m/s].
double tr_arm_timing_start_speed(const tr_arm *arm, const tr_arm_path *arm_path, const tr_posture *velocity);
// The parameter u at which the length `way` is reached, and the slope of the length there.
double tr_arm_timing_u_of_way(const tr_arm_timing *arm_timing, double way, double *slope);

// The way and the speed [per duration] at a share of the time, from `start` [lengths per duration]: minimum
// jerk on a straight path.
double tr_arm_timing_progress(double t, double start, double *speed);
// Fills the beats: least jerk of the wrist along the path. Duration, length and start speed must be set.
void tr_arm_timing_beat(const arm_timing_path *path, tr_arm_timing *arm_timing);
// The way and the speed [m/s] at a time.
double tr_arm_timing_way_at(const tr_arm_timing *arm_timing, double time, double *speed);
