// A leg in the air keeps clear of the leg that stands. On tight turns a body turns over the foot that it
// stands on, and the straight way of the other foot to its next place would lead through that leg.
#include "foot_lock_foot.h"
#include "legs_apart.h"

// Limbs that are closer in the animation may be as close.
#define CLOSER 0.95f     // of the distance in the animation
#define SPARE 0.4f       // kept where that is smoothly possible, in half widths of a foot
#define AHEAD_MOST 4.0f  // limbs that are further from touching do not count, in half widths of a foot
#define AHEAD 0.12f      // how long before it would touch a leg begins to move aside [s]
#define SHARE_LEAST 0.4f // of a move of the ankle that a point of the leg takes part in: counted at least
#define FAR 9.0f         // legs whose knees and ankles are further apart do not touch, in half widths

// Of a move of the ankle, at both ends of the own limb: the leg in the air.
static const float share_begin[PAIRS] = {0.5f, 0.5f, 0, 1}, share_end[PAIRS] = {1, 1, 0.5f, 1};

static inline leg_line meant_line(const leg_view *leg) {
    leg_line line = {{leg->hip, leg->knee, leg->ankle, tr_vec3_add(leg->ankle, leg->toes)}};
    return line;
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
    simd_float part, unused, unneeded, one = simd_set(width), apart = simd_load(apart_of) * one;
    simd_float distance = distances_of(&own, &other, &part, &unused);
    simd_float meant = simd_set(CLOSER) * distances_of(&own_meant, &other_meant, &unused, &unneeded);
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
