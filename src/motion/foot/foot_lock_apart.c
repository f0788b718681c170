// A leg in the air keeps clear of the leg that stands. On tight turns a body turns over the foot that it
// stands on, and the straight way of the other foot to its next place would lead through that leg.
#include "foot_lock_foot.h"
#include "troupe/world/distance.h"

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

// A limb of the leg in the air and one of the other leg, each from one point of its line to the next.
typedef struct limb_pairing {
    int own, other;
    float apart;
    float share[2]; // of a move of the ankle, at both ends of the own limb
} limb_pairing;

static const limb_pairing pairings[] = {{KNEE, KNEE, SHANKS_APART, {0.5f, 1}},
                                        {KNEE, HIP, THIGH_APART, {0.5f, 1}},
                                        {HIP, KNEE, THIGH_APART, {0, 0.5f}},
                                        {ANKLE, KNEE, FOOT_APART, {1, 1}}};

static leg_line meant_line(const leg_view *leg) {
    leg_line line = {{leg->hip, leg->knee, leg->ankle, tr_vec3_add(leg->ankle, leg->toes)}};
    return line;
}

static leg_line shown_line(const tr_legs *legs, uint32_t side, const tr_affine *model) {
    const tr_foot *foot = &legs->feet[side];
    leg_line line = {{tr_affine_position(&model[foot->thigh]), tr_affine_position(&model[foot->shank]),
                      tr_affine_position(&model[foot->ankle]), tr_foot_ball(foot, model)}};
    return line;
}

static float distance_of(const limb_pairing *pairing, const leg_line *own, const leg_line *other,
                         tr_vec3 *point) {
    const tr_vec3 *a = &own->at[pairing->own], *b = &other->at[pairing->other];
    return sqrtf(tr_distance_segments(a[0], a[1], b[0], b[1], point, NULL));
}

static float share_at(const limb_pairing *pairing, const leg_line *own, tr_vec3 point) {
    const tr_vec3 *a = &own->at[pairing->own];
    float whole = tr_vec3_length(tr_vec3_subtract(a[1], a[0])),
          part = tr_vec3_length(tr_vec3_subtract(point, a[0]));
    float t = whole > 0 ? part / whole : 0,
          share = pairing->share[0] + t * (pairing->share[1] - pairing->share[0]);
    return share > SHARE_LEAST ? share : SHARE_LEAST;
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
    for (size_t i = 0; i < sizeof pairings / sizeof *pairings; i++) {
        const limb_pairing *pairing = &pairings[i];
        tr_vec3 point;
        float distance = distance_of(pairing, &own, &other, &point), apart = pairing->apart * width;
        if (distance > apart + AHEAD_MOST * width)
            continue;
        float meant = CLOSER * distance_of(pairing, &own_meant, &other_meant, NULL),
              share = share_at(pairing, &own, point);
        float lack = ((meant < apart ? meant : apart) - distance) / share, off = (meant - distance) / share;
        room.lack = lack > room.lack ? lack : room.lack;
        room.off = off > room.off ? off : room.off;
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
