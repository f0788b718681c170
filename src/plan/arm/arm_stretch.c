// How far a point gets from its place in the middle of a stretch of path, from its places at both ends.
//
// Let D be its distance from the middle at one end, and K half the largest change of its velocity in one unit
// of the path's parameter (half the bound of its acceleration). At fraction t of the way it is within t D + K
// t (1 - t) of the middle: the chord, plus what a path of that acceleration can deviate from it. The maximum
// of that is D itself if D >= K, as in short stretches, and (K + D)^2 / (4 K) otherwise.
//
// The acceleration, for orthogonal axes that meet, with rates a and b: the angular velocity is the root of
// a^2 + b^2, and it turns with the first axis by at most a b, so that a point at distance r that is fixed
// beyond both is accelerated by at most (a^2 + b^2 + a b) r. What moves beyond adds its own acceleration and
// twice the product of the angular velocity and its own velocity (Coriolis).
#include "arm_stretch.h"
#include "arm_bound.h"
#include "arm_lanes.h"

static float greater(float a, float b) {
    return a > b ? a : b;
}

static float pair(float a, float b) {
    return a * a + b * b + a * b;
}

// The greatest rate of each angle: that of the longer half, plus what the bend can add to it.
static tr_posture rates_of(const tr_arm_stretch *stretch) {
    tr_posture rate;
    for (int k = 0; k < TR_ARM_ANGLES; k++) {
        float before = fabsf(stretch->middle->q[k] - stretch->begin->q[k]),
              after = fabsf(stretch->end->q[k] - stretch->middle->q[k]);
        rate.q[k] = greater(before, after) + (stretch->bend ? 0.5f * stretch->bend->q[k] : 0);
    }
    return rate;
}

// Of elbow, wrist and tip.
static void find_accelerations(const tr_arm *arm, const tr_posture *rate, const tr_posture *bend,
                               const arm_turns *t, const arm_beyond *b, float acceleration[3]) {
    const float *length = arm->length, *q = rate->q;
    float swing = pair(t->flexion, t->abduction), twist = pair(t->rotation, t->elbow),
          hand = t->pronation + t->wrist;
    float hand_turn =
        t->pronation * q[TR_WRIST_FLEXION] + q[TR_WRIST_DEVIATION] * (t->pronation + q[TR_WRIST_FLEXION]);
    float tip_speed = t->twist * b->lower_reach + hand * length[2];
    acceleration[0] = swing * length[0];
    acceleration[1] = swing * b->wrist_reach + (2 * t->swing * t->twist + twist) * length[1];
    acceleration[2] = swing * b->tip_reach + 2 * t->swing * tip_speed + twist * b->lower_reach +
                      (2 * t->twist * hand + hand * hand + hand_turn) * length[2];
    if (!bend)
        return;
    arm_turns more = tr_arm_turns(arm, bend);
    acceleration[0] += more.swing * length[0];
    acceleration[1] += more.swing * b->wrist_reach + more.twist * length[1];
    acceleration[2] +=
        more.swing * b->tip_reach + more.twist * b->lower_reach + (more.pronation + more.wrist) * length[2];
}

static float furthest(float end, float acceleration) {
    float k = 0.5f * acceleration;
    return end >= k ? end : (k + end) * (k + end) / (4 * k);
}

// The error of two points in the last digits of their coordinates.
static float rounding_of(tr_vec3 p) {
    return 3e-7f * (1 + fabsf(p.x) + fabsf(p.y) + fabsf(p.z));
}

// A stretched arm: a cheap bound, sufficient for most short stretches.
static arm_beyond stretched(const tr_arm *arm, const arm_turns *t) {
    const float *length = arm->length;
    float lower = length[1] + length[2];
    arm_beyond b = {.hand = t->elbow * lower + (t->pronation + t->wrist) * length[2],
                    .wrist_reach = length[0] + length[1],
                    .tip_reach = length[0] + lower,
                    .lower_reach = lower};
    return b;
}

// false: the bend of a point's path may take it farther than its ends.
static bool measure_links(const tr_arm *arm, const tr_arm_stretch *stretch, const tr_posture *rate,
                          const arm_turns *t, const arm_beyond *b, const float ends[4],
                          tr_arm_stretch_bound *bound) {
    float acceleration[3], before = 0, rounding = rounding_of(bound->points[3]);
    bool ends_do = true;
    find_accelerations(arm, rate, stretch->bend, t, b, acceleration);
    for (int k = 0; k < TR_ARM_LINKS; k++) {
        float far = furthest(ends[k + 1] + rounding, acceleration[k]) * ARM_ROUNDING;
        ends_do &= ends[k + 1] >= 0.5f * acceleration[k];
        bound->link[k] = greater(before, far);
        before = far;
    }
    bound->hand = b->hand * ARM_ROUNDING;
    return ends_do;
}

tr_arm_stretch_bound tr_arm_stretch_measure(const tr_arm *arm, const tr_arm_stretch *stretch,
                                            float trunk_reach) {
    tr_arm_stretch_bound bound = {.trunk = 0};
    float ends[4], box[4];
    tr_arm_three_points(arm, stretch->middle, stretch->begin, stretch->end, bound.points, ends);
    tr_posture rate = rates_of(stretch);
    arm_turns t = tr_arm_turns(arm, &rate);
    arm_beyond b = stretched(arm, &t);
    bool trunk_moves = t.trunk > 0 || t.collar > 0;
    if (measure_links(arm, stretch, &rate, &t, &b, ends, &bound) && !trunk_moves)
        return bound;
    tr_vec3 upper = tr_vec3_scale(tr_vec3_subtract(bound.points[1], bound.points[0]), 1 / arm->length[0]);
    b = tr_arm_beyond(arm, upper, &t, bound.points);
    measure_links(arm, stretch, &rate, &t, &b, ends, &bound);
    if (trunk_moves) { // its own acceleration is not known here: use a box
        tr_arm_bound_at(arm, bound.points, &rate, trunk_reach, box);
        for (int k = 0; k < TR_ARM_LINKS; k++)
            bound.link[k] = box[k];
        bound.trunk = box[3];
    }
    return bound;
}
