// motion/foot/legs_apart.h - the distances between the limbs of two legs of a body. Used by foot_lock_apart.c
// and footstep_motion_apart.c only.
#pragma once
#include "motion/foot/foot.h"
#include "motion/lanes.h"

// Distances between the middle lines of two limbs that do not touch, in half widths of a foot.
#define SHANKS_APART 2.95f
#define THIGH_APART 3.6f // of a thigh and a shank
#define FOOT_APART 2.5f  // of a foot and a shank

enum { HIP, KNEE, ANKLE, TIP, POINTS };

typedef struct leg_line {
    tr_vec3 at[POINTS];
} leg_line;

// Four pairs of a limb of one leg and one of the other, one pair in each lane: their shanks, shank and thigh,
// thigh and shank, foot and shank. Each limb goes from one point of its line to the next.
enum { PAIRS = 4 };
static const int own_limbs[PAIRS] = {KNEE, KNEE, HIP, ANKLE}, other_limbs[PAIRS] = {KNEE, HIP, KNEE, KNEE};
static const float apart_of[PAIRS] = {SHANKS_APART, THIGH_APART, THIGH_APART, FOOT_APART};

static inline leg_line shown_line(const tr_legs *legs, uint32_t side, const tr_affine *model) {
    const tr_foot *foot = &legs->feet[side];
    leg_line line = {{tr_affine_position(&model[foot->thigh]), tr_affine_position(&model[foot->shank]),
                      tr_affine_position(&model[foot->ankle]),
                      tr_affine_apply(&model[foot->ankle], foot->ball)}};
    return line;
}

static inline lane_vectors points_of(const leg_line *line, const int limbs[PAIRS], int end) {
    const tr_vec3 *a = &line->at[limbs[0] + end], *b = &line->at[limbs[1] + end],
                  *c = &line->at[limbs[2] + end], *d = &line->at[limbs[3] + end];
    return (lane_vectors){{a->x, b->x, c->x, d->x}, {a->y, b->y, c->y, d->y}, {a->z, b->z, c->z, d->z}};
}

// The distances of the pairs, and where along the own limb and the other the nearest points are [0, 1].
static inline simd_float distances_of(const leg_line *own, const leg_line *other, simd_float *own_part,
                                      simd_float *other_part) {
    lane_vectors a = points_of(own, own_limbs, 0), b = points_of(other, other_limbs, 0);
    return lanes_between_limbs(a, points_of(own, own_limbs, 1), b, points_of(other, other_limbs, 1), own_part,
                               other_part);
}
