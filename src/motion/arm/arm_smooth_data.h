// What the sources of `arm_smooth` share.
#pragma once
#include "troupe/motion/arm_smooth.h"

#define SMOOTH_STEPS 64
#define SMOOTH_SAMPLES (SMOOTH_STEPS + 7) // with rest before and after
#define SMOOTH_SPAN 8                     // most knots that four consecutive samples depend on
#define SMOOTH_UNKNOWNS ((TR_ARM_SMOOTH_KNOTS_MAX - 2) * TR_ARM_ANGLES)
#define SMOOTH_BAND (SMOOTH_SPAN * TR_ARM_ANGLES)

// The path at one moment of its timing.
typedef struct arm_smooth_sample {
    uint32_t first;  // of the four knots that it depends on
    double share[4]; // weight of each
    tr_posture posture;
    double wrist[3], slopes[3][TR_ARM_ANGLES]; // of the wrist, for a change of each angle
} arm_smooth_sample;

// A path, the firmness of its knots, and the jerk of the wrist on it.
typedef struct arm_smooth_path {
    tr_posture knots[TR_ARM_SMOOTH_KNOTS_MAX];
    uint32_t count;
    double jerk; // dimensionless: duration^3 / peak speed^2 * integral of squared jerk
} arm_smooth_path;

struct tr_arm_smooth {
    tr_allocator allocator;
    uint32_t angles[TR_ARM_ANGLES], angle_count; // those that move
    arm_smooth_sample samples[SMOOTH_SAMPLES];
    arm_smooth_path now, next;
    double firmness[TR_ARM_SMOOTH_KNOTS_MAX];
    float room[TR_ARM_SMOOTH_KNOTS_MAX]; // that each segment keeps [m]
    // The normal equations, row by row: the entries within the band, the diagonal first.
    double band[SMOOTH_UNKNOWNS][SMOOTH_BAND], side[SMOOTH_UNKNOWNS];
    uint32_t unknowns;
};

// Samples the path in its own timing, with slopes if `slopes` is set; sets its jerk. false: it has no timing.
bool tr_arm_smooth_look(tr_arm_smooth *arm_smooth, const tr_arm *arm, const tr_posture *velocity, bool slopes,
                        arm_smooth_path *path);
// From the samples of `now`: writes the improved knots, held by `firmness`, to `next`.
void tr_arm_smooth_bend(tr_arm_smooth *arm_smooth, const tr_arm *arm);
