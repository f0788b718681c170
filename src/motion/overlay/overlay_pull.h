// The spring and the mix that the parts of an overlay share. Internal to overlay*.c.
#pragma once
#include "troupe/base/vector.h"

// A critically damped spring of strength `pull` [1/s]. The exponential is approximated by a quotient, so that
// the bits are the same everywhere.
static inline void tr_overlay_pull(float pull, float goal, float dt, float *value, float *rate) {
    float x = pull * dt, left = 1 / (1 + x + 0.48f * x * x + 0.235f * x * x * x);
    float off = *value - goal, step = (*rate + pull * off) * dt;
    *rate = (*rate - pull * step) * left;
    *value = goal + (off + step) * left;
}

// From `a` (share 0) to `b` (1), the shorter way.
static inline tr_quat tr_overlay_mix(tr_quat a, tr_quat b, float share) {
    float near = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -share : share, rest = 1 - share;
    tr_quat mixed = {a.x * rest + b.x * near, a.y * rest + b.y * near, a.z * rest + b.z * near,
                     a.w * rest + b.w * near};
    return tr_quat_normalize(mixed);
}
