// What a body queries of the floor before its feet are locked. Internal to overlay*.c.
#pragma once
#include "motion/foot/foot_lock.h"

// How much higher than the ground the floor is at a point; see tr_overlay_def.
typedef struct overlay_ground {
    float (*rise)(void *user, tr_vec2 point);
    void *user;
    float (*rise_most)(void *user, tr_vec2 min, tr_vec2 max); // may be NULL
    float (*floor)(void *user, tr_vec3 point);                // may be NULL
} overlay_ground;

// For both feet: under a foot that comes down, and along the way of one that swings. `model` is the
// animation's, in the world; `lock` is the foot lock of the step before.
void tr_overlay_ask_rise(const overlay_ground *ground, const tr_legs *legs, const tr_foot_lock_state *lock,
                         const tr_affine *model, uint32_t contacts, float dt, float rise[2]);
// The planes under both soles as they would come down now, on a floor near the height `ground`. A plane
// touches the floor from above: a sole on it does not sink into the floor. `shown`: the model is not the
// animation's but what is shown. Feet that are held keep their planes.
void tr_overlay_ask_planes(const overlay_ground *floor, const tr_legs *legs, const tr_foot_lock_state *lock,
                           const tr_affine *model, float ground, bool shown, tr_foot_lock_ground planes[2]);
