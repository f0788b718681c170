// Legs of two poses mixed by where the feet are. Halfway between a bent leg and a straight one a knee that is
// bent by half the angle makes a leg that is longer than halfway: the foot would go through the ground. So
// the sole takes the place between its two places, which are on the ground where both are, and the leg
// reaches it.
//
// Four legs at a time, one in each lane: both sides of both poses.
#include "locomotion_data.h"
#include "troupe/motion/blend.h"

#define SIMD_LANES 4
#include "base/simd.h"

// The higher the heel is above the ball, the more the ball's place counts; at this difference alone [m].
#define LIFT_MORE 1.5f // of the smallest steps, above their share
#define ROLL_HEIGHT 0.03f
#define STRAIGHTEST 0.9995f // of the sum of the bones
#define POLE_LEAST 0.02f    // of the thigh: a knee less far off the line does not say which way it bends

void tr_locomotion_legs_find(tr_locomotion *locomotion, const tr_skeleton *skeleton) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    locomotion->has_legs = true;
    for (uint32_t side = 0; side < 2; side++) {
        tr_locomotion_leg *leg = &locomotion->legs[side];
        tr_foot foot;
        if (tr_foot_measure(skeleton, side, &foot) != TR_OK || parents[foot.shank] != foot.thigh ||
            parents[foot.ankle] != foot.shank) {
            locomotion->has_legs = false;
            return;
        }
        *leg = (tr_locomotion_leg){.thigh = foot.thigh,
                                   .shank = foot.shank,
                                   .ankle = foot.ankle,
                                   .heel = foot.heel,
                                   .ball = foot.ball};
        uint32_t depth = 0;
        for (uint32_t joint = parents[foot.thigh]; joint != TR_NONE; joint = parents[joint])
            depth++;
        bool alike = side == 0 || depth == locomotion->legs[0].chain_count;
        locomotion->has_legs = locomotion->has_legs && depth <= TR_LOCOMOTION_CHAIN_MAX && alike;
        leg->chain_count = depth <= TR_LOCOMOTION_CHAIN_MAX ? depth : 0;
        uint32_t joint = parents[foot.thigh];
        for (uint32_t i = leg->chain_count; i > 0; i--, joint = parents[joint])
            leg->chain[i - 1] = joint;
    }
}

typedef struct vectors {
    simd_float x, y, z;
} vectors;

typedef struct turns {
    simd_float x, y, z, w;
} turns;

typedef struct leg_places {
    turns frame, thigh, shank, foot; // rotations in the character's axes; `frame` is what the thigh hangs on
    vectors hip, knee, ankle;
} leg_places;

// The arrays and the leg that each lane reads.
typedef struct four_legs {
    const tr_pose *pose[4];
    const tr_locomotion_leg *leg[4];
} four_legs;

static inline vectors add(vectors a, vectors b) {
    return (vectors){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vectors subtract(vectors a, vectors b) {
    return (vectors){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vectors scale(vectors a, simd_float s) {
    return (vectors){a.x * s, a.y * s, a.z * s};
}

static inline simd_float dot(vectors a, vectors b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline simd_float length(vectors a) {
    return simd_sqrt(dot(a, a));
}

static inline vectors cross(vectors a, vectors b) {
    return (vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline vectors rotate(turns q, vectors v) {
    vectors axis = {q.x, q.y, q.z}, t = scale(cross(axis, v), simd_set(2));
    return add(v, add(scale(t, q.w), cross(axis, t)));
}

static inline turns multiply(turns a, turns b) {
    return (turns){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

static inline turns unit(turns q) {
    simd_float inverse = simd_set(1) / simd_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (turns){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

static inline vectors select_vectors(simd_int mask, vectors yes, vectors no) {
    return (vectors){simd_select(mask, yes.x, no.x), simd_select(mask, yes.y, no.y),
                     simd_select(mask, yes.z, no.z)};
}

// The smallest turn from one direction to another, which are never opposite; the product of their lengths is
// given.
static inline turns turn_to(vectors from, vectors to, simd_float lengths) {
    vectors axis = cross(from, to);
    simd_float w = lengths + dot(from, to), least = lengths * simd_set(1e-4f);
    return unit((turns){axis.x, axis.y, axis.z, simd_select(w > least, w, least)});
}

static inline vectors positions_of(const four_legs *four, const uint32_t joint[4]) {
    vectors p = {{0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        p.x[i] = four->pose[i]->position[0][joint[i]];
        p.y[i] = four->pose[i]->position[1][joint[i]];
        p.z[i] = four->pose[i]->position[2][joint[i]];
    }
    return p;
}

static inline turns rotations_of(const four_legs *four, const uint32_t joint[4]) {
    turns q = {{0}, {0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        q.x[i] = four->pose[i]->rotation[0][joint[i]];
        q.y[i] = four->pose[i]->rotation[1][joint[i]];
        q.z[i] = four->pose[i]->rotation[2][joint[i]];
        q.w[i] = four->pose[i]->rotation[3][joint[i]];
    }
    return q;
}

static leg_places find_places(const four_legs *four) {
    leg_places place;
    simd_float zero = simd_set(0);
    place.frame = (turns){zero, zero, zero, simd_set(1)};
    place.hip = (vectors){zero, zero, zero};
    uint32_t joint[4], thigh[4], shank[4], ankle[4];
    for (uint32_t k = 0; k < four->leg[0]->chain_count; k++) {
        for (int i = 0; i < 4; i++)
            joint[i] = four->leg[i]->chain[k];
        place.hip = add(place.hip, rotate(place.frame, positions_of(four, joint)));
        place.frame = multiply(place.frame, rotations_of(four, joint));
    }
    for (int i = 0; i < 4; i++) {
        thigh[i] = four->leg[i]->thigh;
        shank[i] = four->leg[i]->shank;
        ankle[i] = four->leg[i]->ankle;
    }
    place.hip = add(place.hip, rotate(place.frame, positions_of(four, thigh)));
    place.thigh = multiply(place.frame, rotations_of(four, thigh));
    place.knee = add(place.hip, rotate(place.thigh, positions_of(four, shank)));
    place.shank = multiply(place.thigh, rotations_of(four, shank));
    place.ankle = add(place.knee, rotate(place.shank, positions_of(four, ankle)));
    place.foot = multiply(place.shank, rotations_of(four, ankle));
    return place;
}

// Lanes of the lower pose come first: its two legs, then those of the upper. What is between them, twice.
static inline simd_float mix_lane(simd_float v, float t) {
    float left = v[0] * (1 - t) + v[2] * t, right = v[1] * (1 - t) + v[3] * t;
    return (simd_float){left, right, left, right};
}

static inline vectors mix_vectors(vectors v, float t) {
    return (vectors){mix_lane(v.x, t), mix_lane(v.y, t), mix_lane(v.z, t)};
}

static turns mix_turns(turns q, float t) {
    float side[2];
    for (int i = 0; i < 2; i++)
        side[i] = q.x[i] * q.x[i + 2] + q.y[i] * q.y[i + 2] + q.z[i] * q.z[i + 2] + q.w[i] * q.w[i + 2] < 0
                      ? -1.0f
                      : 1.0f;
    simd_float same = {1, 1, side[0], side[1]};
    return unit((turns){mix_lane(q.x * same, t), mix_lane(q.y * same, t), mix_lane(q.z * same, t),
                        mix_lane(q.w * same, t)});
}

static inline vectors sole_points(const four_legs *four, bool heel) {
    vectors p = {{0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        const tr_vec3 *point = heel ? &four->leg[i]->heel : &four->leg[i]->ball;
        p.x[i] = point->x;
        p.y[i] = point->y;
        p.z[i] = point->z;
    }
    return p;
}

// Where the ankle must be for the sole to be between its places in both poses; `lift` is the blend of
// heights.
static vectors find_ankles(const four_legs *four, const leg_places *both, turns foot, float blend,
                           float lift) {
    vectors own_heel = sole_points(four, true);
    vectors own_ball = sole_points(four, false);
    vectors heels = add(both->ankle, rotate(both->foot, own_heel));
    vectors balls = add(both->ankle, rotate(both->foot, own_ball));
    vectors heel = mix_vectors(heels, blend), ball = mix_vectors(balls, blend);
    heel.y = mix_vectors(heels, lift).y;
    ball.y = mix_vectors(balls, lift).y;
    simd_float part = simd_set(0.5f) + (heel.y - ball.y) * simd_set(0.5f / ROLL_HEIGHT);
    part = simd_max(simd_min(part, simd_set(1)), simd_set(0));
    vectors sole = add(heel, scale(subtract(ball, heel), part));
    return subtract(sole, rotate(foot, add(own_heel, scale(subtract(own_ball, own_heel), part))));
}

// The part of the knee's place that is off the line from hip to ankle.
static inline vectors poles_of(const leg_places *place) {
    vectors line = subtract(place->ankle, place->hip), knee = subtract(place->knee, place->hip);
    return subtract(knee, scale(line, dot(knee, line) / dot(line, line)));
}

// Into the legs of the first two lanes, where `valid`.
static inline void set_rotations(tr_pose *pose, const uint32_t joint[2], turns above, turns rotation,
                                 simd_int valid) {
    turns back = {simd_set(0) - above.x, simd_set(0) - above.y, simd_set(0) - above.z, above.w};
    turns local = unit(multiply(back, rotation));
    for (int i = 0; i < 2; i++)
        if (valid[i]) {
            pose->rotation[0][joint[i]] = local.x[i];
            pose->rotation[1][joint[i]] = local.y[i];
            pose->rotation[2][joint[i]] = local.z[i];
            pose->rotation[3][joint[i]] = local.w[i];
        }
}

// Turn thighs and shanks so that the ankles come to `goal`, the knees staying on the side they were, and the
// feet as they are to be. Nothing changes where the bones cannot tell.
static void reach(const tr_locomotion_leg *legs, const leg_places *now, vectors goal, vectors pole,
                  turns foot, tr_pose *pose) {
    simd_float zero = simd_set(0);
    vectors thigh = subtract(now->knee, now->hip), shank = subtract(now->ankle, now->knee);
    vectors before = subtract(now->ankle, now->hip), way = subtract(goal, now->hip);
    simd_float a = length(thigh), c = length(shank), was = length(before), distance = length(way);
    // A leg that is straighter may stay so.
    simd_float most = simd_max((a + c) * simd_set(STRAIGHTEST), was);
    simd_float least = simd_abs(a - c) * simd_set(1.001f);
    simd_int valid = (distance > zero) & (a > zero) & (c > zero) & (was > zero) & (least < most);
    vectors line = scale(way, simd_set(1) / distance);
    distance = simd_max(simd_min(distance, most), least);
    turns swing = turn_to(before, line, was);
    pole = rotate(swing, pole);
    pole = subtract(pole, scale(line, dot(pole, line)));
    simd_float off = length(pole);
    valid = valid & (off > simd_set(1e-6f));
    simd_float along = (a * a - c * c + distance * distance) / (distance + distance);
    simd_float height = simd_sqrt(simd_max(a * a - along * along, zero));
    vectors knee = add(scale(line, along), scale(pole, height / off));
    turns turn = multiply(turn_to(rotate(swing, thigh), knee, a * a), swing);
    vectors down = subtract(scale(line, distance), knee);
    turns bend = multiply(turn_to(rotate(turn, shank), down, c * c), turn);
    turns new_thigh = multiply(turn, now->thigh), new_shank = multiply(bend, now->shank);
    set_rotations(pose, (uint32_t[2]){legs[0].thigh, legs[1].thigh}, now->frame, new_thigh, valid);
    set_rotations(pose, (uint32_t[2]){legs[0].shank, legs[1].shank}, new_thigh, new_shank, valid);
    set_rotations(pose, (uint32_t[2]){legs[0].ankle, legs[1].ankle}, new_shank, foot, valid);
}

void tr_locomotion_blend(const tr_locomotion *locomotion, const tr_pose *lower, const tr_pose *upper,
                         float blend, bool stands, tr_pose *result) {
    if (!locomotion->has_legs || lower->scaled || upper->scaled) {
        tr_blend_two(lower, upper, blend, result);
        return;
    }
    const tr_locomotion_leg *left = &locomotion->legs[0], *right = &locomotion->legs[1];
    four_legs four = {{lower, lower, upper, upper}, {left, right, left, right}};
    leg_places both = find_places(&four);
    tr_blend_two(lower, upper, blend, result);
    four = (four_legs){{result, result, result, result}, {left, right, left, right}};
    leg_places now = find_places(&four);
    turns foot = mix_turns(both.foot, blend);
    // Small steps lift the feet nearly as high as long ones: a foot that is mixed low over the floor would
    // drag.
    float rest = 1 - blend, lift = stands ? blend * (1 + LIFT_MORE * rest * rest) : blend;
    vectors goal = find_ankles(&four, &both, foot, blend, lift), pole = poles_of(&now);
    simd_int vague = length(pole) < length(subtract(now.knee, now.hip)) * simd_set(POLE_LEAST);
    pole = select_vectors(vague, add(pole, mix_vectors(poles_of(&both), blend)), pole);
    reach(locomotion->legs, &now, goal, pole, foot, result);
}
