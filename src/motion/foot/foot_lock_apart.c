// A leg in the air keeps clear of the leg that stands. On tight turns a body turns over the foot that it
// stands on, and the straight way of the other foot to its next place would lead through that leg.
#include "foot_lock_foot.h"
#include "motion/lanes.h"

// Distances between the middle lines of two limbs that do not touch, in half widths of a foot. Limbs that are
// closer in the animation may be as close.
#define SHANKS_APART 2.95f
#define THIGH_APART 3.6f // of a thigh and a shank
#define FOOT_APART 2.5f  // of a foot and a shank
#define CLOSER 0.95f     // of the distance in the animation
#define SPARE 0.4f       // kept where that is smoothly possible, in half widths of a foot
#define AHEAD_MOST 4.0f  // limbs that are further from touching do not count, in half widths of a foot
#define AHEAD 0.12f      // how long before it would touch a leg begins to move aside [s]
#define SHARE_LEAST 0.4f // of a move of the ankle that a point of the leg takes part in: counted at least
#define FAR 9.0f         // legs whose knees and ankles are further apart do not touch, in half widths

enum { HIP, KNEE, ANKLE, TIP, POINTS };

typedef struct leg_line {
    tr_vec3 at[POINTS];
} leg_line;

// Four pairs of a limb of the leg in the air and one of the other leg, one pair in each lane: their shanks,
// shank and thigh, thigh and shank, foot and shank. Each limb goes from one point of its line to the next.
enum { PAIRS = 4 };
static const int own_limbs[PAIRS] = {KNEE, KNEE, HIP, ANKLE}, other_limbs[PAIRS] = {KNEE, HIP, KNEE, KNEE};
static const float apart_of[PAIRS] = {SHANKS_APART, THIGH_APART, THIGH_APART, FOOT_APART};
// Of a move of the ankle, at both ends of the own limb.
static const float share_begin[PAIRS] = {0.5f, 0.5f, 0, 1}, share_end[PAIRS] = {1, 1, 0.5f, 1};

static inline leg_line meant_line(const leg_view *leg) {
    leg_line line = {{leg->hip, leg->knee, leg->ankle, tr_vec3_add(leg->ankle, leg->toes)}};
    return line;
}

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

static inline simd_float within_one(simd_float v) {
    return simd_min(simd_max(v, simd_set(0)), simd_set(1));
}

// The distances of the pairs, and where along the own limb the nearest point is [0, 1]. The nearest points of
// two lines, each put back onto its limb for the other one's.
static inline simd_float distances_of(const leg_line *own, const leg_line *other, simd_float *part) {
    lane_vectors a = points_of(own, own_limbs, 0), b = points_of(other, other_limbs, 0);
    lane_vectors u = lanes_subtract(points_of(own, own_limbs, 1), a),
                 v = lanes_subtract(points_of(other, other_limbs, 1), b), off = lanes_subtract(a, b);
    simd_float least = simd_set(1e-12f), uu = simd_max(lanes_dot(u, u), least),
               vv = simd_max(lanes_dot(v, v), least), uv = lanes_dot(u, v), uo = lanes_dot(u, off),
               vo = lanes_dot(v, off), skew = simd_max(uu * vv - uv * uv, least);
    simd_float s = within_one((uv * vo - uo * vv) / skew), t = within_one((uv * s + vo) / vv);
    s = within_one((uv * t - uo) / uu);
    *part = s;
    return lanes_length(lanes_add(off, lanes_subtract(lanes_scale(u, s), lanes_scale(v, t))));
}

static bool are_far(const leg_line *own, const leg_line *other, float width) {
    float far = FAR * width, x = own->at[KNEE].x - other->at[KNEE].x, z = own->at[KNEE].z - other->at[KNEE].z;
    return x * x + z * z > far * far;
}

legs_room tr_foot_lock_legs_room(const tr_legs *legs, uint32_t side, const leg_view views[2],
                                 const tr_affine *model) {
    leg_line own = shown_line(legs, side, model), other = shown_line(legs, 1 - side, model);
    float width = views[side].width;
    legs_room room = {-FAR * width, 0};
    if (are_far(&own, &other, width))
        return room;
    leg_line own_meant = meant_line(&views[side]), other_meant = meant_line(&views[1 - side]);
    simd_float part, unused, one = simd_set(width), apart = simd_load(apart_of) * one;
    simd_float distance = distances_of(&own, &other, &part);
    simd_float meant = simd_set(CLOSER) * distances_of(&own_meant, &other_meant, &unused);
    simd_float from = simd_load(share_begin), share = from + part * (simd_load(share_end) - from);
    share = simd_max(share, simd_set(SHARE_LEAST));
    simd_float lack = (simd_min(meant, apart) - distance) / share, off = (meant - distance) / share;
    uint32_t near = simd_bits(distance <= apart + simd_set(AHEAD_MOST) * one);
    for (int i = 0; i < PAIRS; i++) {
        room.lack = near >> i & 1 && lack[i] > room.lack ? lack[i] : room.lack;
        room.off = near >> i & 1 && off[i] > room.off ? off[i] : room.off;
    }
    return room;
}

void tr_foot_lock_foresee_legs(tr_foot_lock_foot *foot, legs_room room, float width, float dt) {
    float rate = dt > 0 && foot->near_known ? (room.lack - foot->near) / dt : 0;
    float then = room.lack + (rate > 0 ? AHEAD * rate : 0) + SPARE * width;
    then = then < room.off ? then : room.off;
    foot->aside = then > 0 ? then : 0;
    foot->near = room.lack;
    foot->near_known = true;
}
