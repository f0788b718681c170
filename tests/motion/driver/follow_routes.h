// Random routes for the tests of `follow`.
#pragma once
#include "test.h"

#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "motion/driver/follow.h"

#include <math.h>

#define POINTS 64

static inline tr_follow_route *new_route(void) {
    tr_follow_route *route = NULL;
    tr_follow_route_create(NULL, POINTS, &route, NULL);
    return route;
}

static inline bool set_route(tr_follow_route *route, const tr_vec2 *points, uint32_t count,
                             const tr_follow_params *params) {
    return tr_follow_route_set(route, points, count, NULL, NULL, params, NULL) == TR_OK;
}

enum { LONG_PIECES, ZIGZAG, SHORT_PIECES, U_TURNS, ANY_LENGTH, STAIRS, BOWS, ROUTE_KINDS };

// A random route from the origin.
static inline uint32_t make_route(tr_random *random, int kind, tr_vec2 *points) {
    uint32_t count = 2 + tr_random_below(random, 30);
    float x = 0, z = 0, heading = tr_random_between(random, -3.1f, 3.1f);
    for (uint32_t i = 0; i < count; i++) {
        points[i].x = x, points[i].z = z;
        float a = tr_random_unit(random), b = tr_random_between(random, -1, 1), sign = i & 1 ? 1 : -1;
        const float lengths[ROUTE_KINDS] = {0.3f + 3.7f * a,
                                            0.2f + 1.3f * a,
                                            0.001f + 0.08f * a,
                                            0.5f + 2.5f * a,
                                            0.01f + 2 * a * a * a,
                                            0.05f + 0.3f * (float)(i & 1),
                                            0.1f};
        const float turns[ROUTE_KINDS] = {1.5f * b,
                                          sign * (2.25f + 0.75f * b),
                                          b,
                                          tr_random_below(random, 2) ? (float)TR_PI : 3.1f * b,
                                          3.1f * b,
                                          i & 2 ? 1.57f : -1.57f,
                                          (i / 15) & 1 ? 0.25f : -0.25f};
        x += lengths[kind] * sinf(heading);
        z += lengths[kind] * cosf(heading);
        heading += turns[kind];
    }
    return count;
}
