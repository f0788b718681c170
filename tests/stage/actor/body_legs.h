// How deep the legs of a body are in each other: capsules of the left leg against those of the right.
#pragma once
#include "motion/cast/cast.h"

#include <math.h>

#define BODY_LEG 4 // capsules of a leg: thigh, shank, foot, toes

typedef struct body_capsule {
    tr_vec3 a, b;
    float radius;
} body_capsule;

static inline float body_clamp(float x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The least distance of two segments is found by descent: exact in one parameter at a time, convex in both.
static inline float body_depth_between(const body_capsule *p, const body_capsule *q) {
    tr_vec3 d = tr_vec3_subtract(p->b, p->a), e = tr_vec3_subtract(q->b, q->a);
    tr_vec3 r = tr_vec3_subtract(p->a, q->a);
    float dd = tr_vec3_dot(d, d), ee = tr_vec3_dot(e, e), de = tr_vec3_dot(d, e), s = 0.5f, t = 0.5f;
    for (int i = 0; i < 20; i++) {
        t = ee > 0 ? body_clamp((tr_vec3_dot(r, e) + s * de) / ee) : 0;
        s = dd > 0 ? body_clamp((t * de - tr_vec3_dot(r, d)) / dd) : 0;
    }
    tr_vec3 off = tr_vec3_add(r, tr_vec3_subtract(tr_vec3_scale(d, s), tr_vec3_scale(e, t)));
    return p->radius + q->radius - tr_vec3_length(off);
}

static inline uint32_t body_leg_of(const tr_cast *cast, const tr_affine *model, uint32_t side,
                                   body_capsule leg[BODY_LEG]) {
    const tr_body_def *body = tr_body_view(cast->body);
    const tr_foot *foot = &cast->legs.feet[side];
    const uint32_t joints[BODY_LEG] = {foot->thigh, foot->shank, foot->ankle, foot->toes};
    uint32_t count = 0;
    for (uint32_t i = 0; i < BODY_LEG; i++)
        for (uint32_t k = 0; k < body->capsule_count; k++) {
            const tr_capsule *c = &body->capsules[k];
            if (c->joint == joints[i] && count < BODY_LEG)
                leg[count++] = (body_capsule){tr_affine_apply(&model[c->joint], c->a),
                                              tr_affine_apply(&model[c->joint], c->b), c->radius};
        }
    return count;
}

// The deepest that one leg is in the other [m], negative: apart. Thighs touch each other in any healthy body.
static inline float body_legs_depth(const tr_cast *cast, const tr_affine *model) {
    body_capsule legs[2][BODY_LEG];
    float deepest = -1;
    for (uint32_t side = 0; side < 2; side++)
        if (body_leg_of(cast, model, side, legs[side]) != BODY_LEG)
            return INFINITY;
    for (int i = 0; i < BODY_LEG; i++)
        for (int k = i == 0 ? 1 : 0; k < BODY_LEG; k++)
            deepest = fmaxf(deepest, body_depth_between(&legs[0][i], &legs[1][k]));
    return deepest;
}
