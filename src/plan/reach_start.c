// A start that is not simply at rest: one that touches something pulls back to the nearest free posture, one
// that moves goes on a little in its direction before it turns.
#include "reach_data.h"

#include <math.h>

#define RINGS 7
#define TRIES 48 // in each ring
#define LEAST_RING 0.03f
#define STEP 0.01f     // [rad] at which the way out is looked at
#define RUN_TIME 0.12f // [s] that a moving arm goes on, if it can
#define RUN_HALVINGS 4
#define LEAST_SPEED 0.02f // [rad/s]

// On the way out the arm touches, then no longer: it must not go through something thin.
static bool leads_out(tr_reach *reach, const tr_posture *out) {
    float length = sqrtf(tr_reach_gap(&reach->start, out));
    uint32_t steps = (uint32_t)(length / STEP) + 1;
    bool was_free = false;
    for (uint32_t i = 0; i <= steps; i++) {
        tr_posture posture = tr_reach_between(&reach->start, out, (float)i / (float)steps);
        bool free = tr_reach_is_clear(reach, &posture, REACH_ALL);
        if (was_free && !free)
            return false;
        was_free = free;
    }
    return was_free;
}

bool tr_reach_get_out(tr_reach *reach, tr_posture *out) {
    float ring = LEAST_RING;
    for (int k = 0; k < RINGS; k++, ring *= 1.6f)
        for (int i = 0; i < TRIES; i++) {
            tr_posture tried = reach->start;
            float square = 0, change[TR_ARM_ANGLES] = {0};
            for (uint32_t d = 0; d < reach->dimensions; d++) {
                change[d] = tr_random_between(&reach->random, -1, 1);
                square += change[d] * change[d];
            }
            for (uint32_t d = 0; d < reach->dimensions && square > 0; d++)
                tried.q[d] += change[d] * ring / sqrtf(square);
            tried = tr_arm_clamp(&reach->arm, tried);
            if (tr_reach_is_clear(reach, &tried, REACH_ALL) && leads_out(reach, &tried)) {
                *out = tried;
                return true;
            }
        }
    return false;
}

bool tr_reach_run_on(tr_reach *reach, const tr_posture *velocity, tr_posture *end) {
    float time = RUN_TIME;
    static const tr_posture still = {{0}};
    if (tr_reach_gap(velocity, &still) < LEAST_SPEED * LEAST_SPEED)
        return false;
    for (int i = 0; i < RUN_HALVINGS; i++, time *= 0.5f) {
        for (int k = 0; k < TR_ARM_ANGLES; k++)
            end->q[k] = reach->start.q[k] + velocity->q[k] * time;
        if (tr_arm_allows(&reach->arm, end, 0) && tr_reach_edge(reach, &reach->start, end))
            return true;
    }
    return false;
}
