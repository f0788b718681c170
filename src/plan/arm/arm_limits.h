// Limits of three consecutive angles as intervals of one angle that they all depend on: the swivel of the
// elbow for the shoulder and for a given orientation of the hand, the pronation for a pointing hand.
// Internal.
//
// The matrix of three such angles has entries that are linear in cosine and sine of that angle. The sine of
// the middle angle is one entry; cosine and sine of the first and of the last angle are two entries each,
// times the cosine of the middle angle. So an angle at its limit is one linear equation, with at most two
// roots; between neighbouring roots either all limits are kept or not.
#pragma once
#include "troupe/plan/arm.h"

// k[0] + k[1] cos + k[2] sin
typedef struct arm_linear {
    double k[3];
} arm_linear;

// An angle from `low` to `high`, as directions.
typedef struct arm_arc {
    double low_c, low_s, high_c, high_s;
    bool all, wide; // a whole turn; more than half a turn
} arm_arc;

// An angle by its sine: the ranges where its cosine is positive (0) and where it is negative, up (1) or down
// (2). Empty: greater first.
typedef struct arm_bands {
    double low[3], high[3];
    double edge[2]; // sines of the limits
} arm_bands;

typedef struct arm_triple {
    arm_linear middle, first[2], last[2]; // sine; cosine and sine
    arm_bands bands;
    arm_arc first_arc, last_arc;
    bool last_alone; // its cosine and sine have no factor
} arm_triple;

typedef struct arm_root {
    double c, s, order;
} arm_root;
#define ARM_ROOTS_MAX 24 // two for each limit of six angles

typedef struct arm_roots {
    arm_root at[ARM_ROOTS_MAX];
    uint32_t count;
} arm_roots;

// Limits are widened by this, so that rounding does not empty ranges that touch them [rad].
#define ARM_WIDER 5e-7

arm_arc tr_arm_arc(double low, double high);
arm_bands tr_arm_bands(double low, double high);
bool tr_arm_arc_holds(const arm_arc *arc, double c, double s);

static inline double arm_linear_at(const arm_linear *linear, double c, double s) {
    return linear->k[0] + linear->k[1] * c + linear->k[2] * s;
}

// Are all three limits kept?
bool tr_arm_triple_holds(const arm_triple *triple, double c, double s, uint32_t branch);
void tr_arm_triple_roots(const arm_triple *triple, arm_roots *roots);
// In order around the circle, each once.
void tr_arm_roots_sort(arm_roots *roots);
// An angle between root k and the next (any angle if there is none).
void tr_arm_roots_middle(const arm_roots *roots, uint32_t k, double *c, double *s);
// Joins neighbouring pieces that are `kept` (one for each root; one if there are none) into ranges. Returns
// how many were written, at most `max`.
uint32_t tr_arm_roots_join(const arm_roots *roots, const bool *kept, uint32_t branch, tr_arm_range *ranges,
                           uint32_t max);
