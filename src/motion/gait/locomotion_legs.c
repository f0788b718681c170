// Mixes the legs of two poses by the places of their feet. Halfway between a bent leg and a straight one, a
// knee bent by half the angle makes the leg longer than halfway: the foot would go through the ground. So the
// sole goes to the place between its two places, which is on the ground if both are, and the leg reaches for
// it.
//
// Four legs at a time, one in each lane: both sides of the lower pose, then both of the upper.
#include "locomotion_data.h"
#include "motion/clip/clip_data.h"
#include "motion/skeleton/limb_lanes.h"
#include "troupe/base/scalar.h"
#include "troupe/motion/blend.h"

#include <math.h>

// ROLL_HEIGHT: the higher the heel is above the ball, the more the place of the ball counts; at this
// difference it counts alone [m].
#define LIFT_MORE 1.5f // extra lift of the smallest steps, as a share
#define ROLL_HEIGHT 0.03f
#define STRAIGHTEST 0.9995f // of the sum of the bones
// Between two gaits, a leg may have to reach for the foot of one from the hips of the other. The hips sink by
// up to SINK, and a leg slows down over SOFT before it is straight, so that its knee does not snap [shares of
// the leg].
#define SINK 0.02f
#define SCALE_SLACK 1e-3f // of a scale that does not change
#define SOFT 0.04f
#define POLE_LEAST 0.02f // of the thigh: a knee closer to the line does not tell which way it bends

// Does the clip scale the joint as the rest pose does, by one factor for all axes?
static bool keeps_scale(const tr_clip *clip, uint32_t joint, tr_vec3 rest) {
    float most = SCALE_SLACK * rest.x;
    bool keeps = rest.x > 0 && fabsf(rest.y - rest.x) <= most && fabsf(rest.z - rest.x) <= most;
    uint32_t number = 0;
    while (number < clip->scaling_count && clip->scaling[number] != joint)
        number++;
    for (int axis = 0; axis < 3 && number == clip->scaling_count; axis++) {
        float scale = clip->fixed.scaled ? clip->fixed.scale[axis][joint] : 1;
        keeps = keeps && fabsf(scale - rest.x) <= most;
    }
    for (uint32_t i = 0; i < clip->frame_count && number < clip->scaling_count && keeps; i++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            float scale = clip->scales[3 * ((size_t)i * clip->scaling_count + number) + axis];
            keeps = keeps && fabsf(scale - rest.x) <= most;
        }
    return keeps;
}

// The scale of a joint and of all that it hangs on. false: a clip changes it.
static bool find_unit(const tr_locomotion *locomotion, const tr_skeleton *skeleton, uint32_t joint,
                      float *unit) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    bool keeps = true;
    for (*unit = 1; joint != TR_NONE; joint = parents[joint]) {
        tr_vec3 scale = tr_skeleton_joint(skeleton, joint).rest.scale;
        *unit *= scale.x;
        keeps = keeps && keeps_scale(locomotion->stand, joint, scale);
        for (uint32_t i = 0; i < locomotion->count; i++)
            keeps = keeps && keeps_scale(locomotion->strides[i].clip, joint, scale);
    }
    return keeps;
}

static bool find_leg(const tr_locomotion *locomotion, const tr_skeleton *skeleton, uint32_t side,
                     tr_locomotion_leg *leg) {
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    tr_foot foot;
    float unit = 1;
    if (tr_foot_measure(skeleton, side, &foot) != TR_OK || parents[foot.shank] != foot.thigh ||
        parents[foot.ankle] != foot.shank || !find_unit(locomotion, skeleton, foot.ankle, &unit))
        return false;
    *leg = (tr_locomotion_leg){.thigh = foot.thigh,
                               .shank = foot.shank,
                               .ankle = foot.ankle,
                               .toes = foot.toes,
                               .heel = tr_vec3_scale(foot.heel, foot.unit),
                               .ball = tr_vec3_scale(foot.ball, foot.unit)};
    find_unit(locomotion, skeleton, parents[foot.thigh], &leg->thigh_unit);
    find_unit(locomotion, skeleton, foot.thigh, &leg->shank_unit);
    find_unit(locomotion, skeleton, foot.shank, &leg->ankle_unit);
    for (uint32_t joint = parents[foot.thigh]; joint != TR_NONE; joint = parents[joint])
        leg->chain_count++;
    if (leg->chain_count > TR_LOCOMOTION_CHAIN_MAX) {
        leg->chain_count = 0;
        return false;
    }
    uint32_t joint = parents[foot.thigh];
    for (uint32_t i = leg->chain_count; i > 0; i--, joint = parents[joint]) {
        leg->chain[i - 1] = joint;
        find_unit(locomotion, skeleton, parents[joint], &leg->chain_unit[i - 1]);
    }
    return true;
}

void tr_locomotion_legs_find(tr_locomotion *locomotion, const tr_skeleton *skeleton) {
    tr_locomotion_leg *legs = locomotion->legs;
    bool left = find_leg(locomotion, skeleton, 0, &legs[0]),
         right = find_leg(locomotion, skeleton, 1, &legs[1]);
    locomotion->has_legs = left && right && legs[0].chain_count == legs[1].chain_count;
    if (!right)
        return;
    tr_vec3 shank = tr_skeleton_joint(skeleton, legs[1].shank).rest.position;
    tr_vec3 ankle = tr_skeleton_joint(skeleton, legs[1].ankle).rest.position;
    locomotion->leg_length =
        tr_vec3_length(shank) * legs[1].shank_unit + tr_vec3_length(ankle) * legs[1].ankle_unit;
}

typedef struct leg_places {
    lane_turns foot; // rotations in the character's axes
    lane_vectors hip, knee, ankle;
} leg_places;

static inline lane_turns turns_of(const tr_pose *lower, const tr_pose *upper, uint32_t left, uint32_t right) {
    return lanes_take_turns(lower, left, right, upper, left, right);
}

// In metres.
static inline lane_vectors positions_of(const tr_pose *lower, const tr_pose *upper, uint32_t left,
                                        uint32_t right, float left_unit, float right_unit) {
    return lanes_scale(lanes_take_positions(lower, left, right, upper, left, right),
                       lanes_twice(left_unit, right_unit));
}

// The parent of the thighs, in the character's axes: its rotation, and the places of the hips.
static inline lane_turns find_frame(const tr_locomotion_leg *legs, const tr_pose *lower, const tr_pose *upper,
                                    lane_vectors *hip) {
    const tr_locomotion_leg *left = &legs[0], *right = &legs[1];
    simd_float zero = simd_set(0);
    lane_turns frame = {zero, zero, zero, simd_set(1)};
    *hip = positions_of(lower, upper, left->thigh, right->thigh, left->thigh_unit, right->thigh_unit);
    for (uint32_t k = left->chain_count; k-- > 0;) {
        lane_turns turn = turns_of(lower, upper, left->chain[k], right->chain[k]);
        frame = k + 1 == left->chain_count ? turn : lanes_multiply(turn, frame);
        *hip = lanes_add(positions_of(lower, upper, left->chain[k], right->chain[k], left->chain_unit[k],
                                      right->chain_unit[k]),
                         lanes_rotate(turn, *hip));
    }
    return frame;
}

static leg_places find_places(const tr_locomotion_leg *legs, const tr_pose *lower, const tr_pose *upper) {
    const tr_locomotion_leg *left = &legs[0], *right = &legs[1];
    leg_places place;
    lane_turns frame = find_frame(legs, lower, upper, &place.hip);
    lane_turns thigh = lanes_multiply(frame, turns_of(lower, upper, left->thigh, right->thigh));
    place.knee =
        lanes_add(place.hip, lanes_rotate(thigh, positions_of(lower, upper, left->shank, right->shank,
                                                              left->shank_unit, right->shank_unit)));
    lane_turns shank = lanes_multiply(thigh, turns_of(lower, upper, left->shank, right->shank));
    place.ankle =
        lanes_add(place.knee, lanes_rotate(shank, positions_of(lower, upper, left->ankle, right->ankle,
                                                               left->ankle_unit, right->ankle_unit)));
    place.foot = lanes_multiply(shank, turns_of(lower, upper, left->ankle, right->ankle));
    return place;
}

// The mix of the two poses, twice; `t` is that of each foot.
static inline simd_float mix_lane(simd_float v, simd_float t) {
    return lanes_first(v) * (simd_set(1) - t) + lanes_last(v) * t;
}

static inline lane_vectors mix_vectors(lane_vectors v, simd_float t) {
    return (lane_vectors){mix_lane(v.x, t), mix_lane(v.y, t), mix_lane(v.z, t)};
}

static inline lane_turns mix_turns(lane_turns q, simd_float t) {
    lane_turns a = lanes_first_turns(q), b = lanes_last_turns(q);
    simd_float zero = simd_set(0), to_a = simd_set(1) - t, to_b = t;
    to_b = simd_select(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < zero, zero - to_b, to_b);
    return lanes_unit((lane_turns){a.x * to_a + b.x * to_b, a.y * to_a + b.y * to_b, a.z * to_a + b.z * to_b,
                                   a.w * to_a + b.w * to_b});
}

// The place of the ankle at which the sole lies between its places in both poses; `lift` is the blend of
// heights.
static inline lane_vectors find_ankles(const tr_locomotion_leg *legs, const leg_places *both, lane_turns foot,
                                       simd_float blend, simd_float lift) {
    lane_vectors own_heel = lanes_vectors_twice(legs[0].heel, legs[1].heel);
    lane_vectors own_sole = lanes_vectors_twice(tr_vec3_subtract(legs[0].ball, legs[0].heel),
                                                tr_vec3_subtract(legs[1].ball, legs[1].heel));
    lane_vectors heels = lanes_add(both->ankle, lanes_rotate(both->foot, own_heel));
    lane_vectors soles = lanes_rotate(both->foot, own_sole);
    lane_vectors heel = mix_vectors(heels, blend), sole = mix_vectors(soles, blend);
    heel.y = mix_lane(heels.y, lift);
    sole.y = mix_lane(soles.y, lift);
    simd_float part = simd_set(0.5f) - sole.y * simd_set(0.5f / ROLL_HEIGHT);
    part = simd_max(simd_min(part, simd_set(1)), simd_set(0));
    lane_vectors place = lanes_add(heel, lanes_scale(sole, part));
    return lanes_subtract(place, lanes_rotate(foot, lanes_add(own_heel, lanes_scale(own_sole, part))));
}

// The component of the knee's place perpendicular to the line from hip to ankle.
static inline lane_vectors poles_of(const leg_places *place) {
    lane_vectors line = lanes_subtract(place->ankle, place->hip),
                 knee = lanes_subtract(place->knee, place->hip);
    return lanes_subtract(knee, lanes_scale(line, lanes_dot(knee, line) / lanes_dot(line, line)));
}

// The legs of the mixed pose, both sides twice, and the rotations of their parent and of their bones.
typedef struct mixed_legs {
    lane_limbs limbs;
    lane_turns frame, bone_turns;
    lane_vectors hip;
    simd_float distance; // from hip to ankle
} mixed_legs;

static inline mixed_legs look_at_legs(const tr_locomotion_leg *legs, const leg_places *both, simd_float blend,
                                      const tr_pose *pose) {
    const tr_locomotion_leg *left = &legs[0], *right = &legs[1];
    mixed_legs mixed;
    lane_limbs *limbs = &mixed.limbs;
    mixed.frame = find_frame(legs, pose, pose, &mixed.hip);
    lane_turns own = lanes_take_turns(pose, left->thigh, right->thigh, pose, left->shank, right->shank);
    lane_turns thighs = lanes_multiply(mixed.frame, lanes_first_turns(own));
    mixed.bone_turns = lanes_join_turns(thighs, lanes_multiply(thighs, lanes_last_turns(own)));
    simd_float units = {left->shank_unit, right->shank_unit, left->ankle_unit, right->ankle_unit};
    lane_vectors bones =
        lanes_scale(lanes_rotate(mixed.bone_turns, lanes_take_positions(pose, left->shank, right->shank, pose,
                                                                        left->ankle, right->ankle)),
                    units);
    simd_float lengths = lanes_length(bones), one = simd_set(1), zero = simd_set(0);
    limbs->bones = lanes_scale(bones, one / lengths);
    limbs->upper = lanes_first(lengths), limbs->lower = lanes_last(lengths);
    lane_vectors thigh = lanes_first_vectors(bones), line = lanes_add(thigh, lanes_last_vectors(bones));
    mixed.distance = lanes_length(line);
    limbs->line = line = lanes_scale(line, one / mixed.distance);
    lane_vectors pole = lanes_subtract(thigh, lanes_scale(line, lanes_dot(thigh, line)));
    simd_float off = lanes_length(pole);
    simd_int vague = off < limbs->upper * simd_set(POLE_LEAST);
    if (simd_bits(vague)) {
        lane_vectors more = lanes_select(vague, mix_vectors(poles_of(both), blend), (lane_vectors){0});
        pole = lanes_add(pole, more);
        pole = lanes_subtract(pole, lanes_scale(line, lanes_dot(pole, line)));
        off = lanes_length(pole);
    }
    limbs->normal = lanes_cross(lanes_scale(pole, one / off), line);
    limbs->valid = (lengths > zero) & (mixed.distance > zero) & (off > simd_set(1e-6f));
    return mixed;
}

// Sets the legs of the first two lanes, where `valid`.
static inline void set_rotations(tr_pose *pose, uint32_t left, uint32_t right, lane_turns q, uint32_t valid) {
    if (valid == 3) {
        lanes_set_turns(pose, left, right, q);
        return;
    }
    for (int part = 0; part < 4; part++) {
        simd_float lanes = part == 0 ? q.x : part == 1 ? q.y : part == 2 ? q.z : q.w;
        if (valid & 1)
            pose->rotation[part][left] = lanes[0];
        if (valid & 2)
            pose->rotation[part][right] = lanes[1];
    }
}

// Turns thighs and shanks so that the ankles reach `goal`; the knees stay on their side, and the feet get
// their rotations. Legs stretch more and more slowly over the last `soft` share of their length. Nothing
// changes where the bones do not define the bend.
static inline void reach(const tr_locomotion_leg *legs, mixed_legs *mixed, lane_vectors goal, lane_turns foot,
                         float soft, tr_pose *pose) {
    lane_limbs *limbs = &mixed->limbs;
    lane_vectors way = lanes_subtract(goal, mixed->hip);
    simd_float a = limbs->upper, b = limbs->lower, asked = lanes_length(way);
    // A leg that was straighter may stay so.
    simd_float most = simd_max((a + b) * simd_set(STRAIGHTEST), mixed->distance);
    simd_float least = simd_abs(a - b) * simd_set(1.001f);
    limbs->valid = limbs->valid & (asked > simd_set(0)) & (least < most);
    simd_float length = simd_min(asked, most);
    if (soft > 0) {
        simd_float last = most * simd_set(soft), begin = most - last;
        simd_float over = simd_max(asked - begin, simd_set(0));
        length = simd_min(asked, begin) + last * over / (last + over);
    }
    lane_turns turns =
        lanes_bend(limbs, limbs->normal, lanes_scale(way, simd_set(1) / asked), simd_max(length, least));
    lane_turns bones = lanes_unit(lanes_multiply(turns, mixed->bone_turns));
    uint32_t bits = simd_bits(limbs->valid), valid = bits & bits >> 2;
    // Both thighs in the axes of the frame and both shanks in those of the thighs; then the feet.
    lane_turns locals = lanes_unit(lanes_multiply_back(lanes_join_turns(mixed->frame, bones), bones));
    set_rotations(pose, legs[0].thigh, legs[1].thigh, locals, valid);
    set_rotations(pose, legs[0].shank, legs[1].shank, lanes_last_turns(locals), valid);
    foot = lanes_unit(lanes_multiply_back(lanes_last_turns(bones), foot));
    set_rotations(pose, legs[0].ankle, legs[1].ankle, foot, valid);
}

// Lowers the whole body and moves the goals of both ankles outwards, by shares of the length of the legs.
static inline void settle(const tr_locomotion_leg *legs, const tr_manner *manner, mixed_legs *mixed,
                          lane_vectors *goal, tr_pose *pose) {
    float length = mixed->limbs.upper[0] + mixed->limbs.lower[0], down = manner->crouch * length;
    float apart = manner->width * length;
    pose->position[1][legs[0].chain[0]] -= down;
    mixed->hip.y = mixed->hip.y - simd_set(down);
    *goal = lanes_add(*goal, lanes_vectors_twice(tr_vec3_make(apart, 0, 0), tr_vec3_make(-apart, 0, 0)));
}

static bool settles(const tr_manner *manner) {
    return manner && (manner->crouch != 0 || manner->width != 0);
}

// The blend of all joints but those of the legs, and of each foot.
typedef struct leg_blend {
    float body;
    simd_float feet, lift; // `lift` is that of heights
    float between;         // two gaits [0, 1]
    const tr_manner *manner;
} leg_blend;

static inline void blend_by_feet(const tr_locomotion *locomotion, const tr_pose *lower, const tr_pose *upper,
                                 const leg_blend *blend, tr_pose *result) {
    const tr_locomotion_leg *legs = locomotion->legs;
    leg_places both = find_places(legs, lower, upper);
    tr_blend_two(lower, upper, blend->body, result);
    if (legs[0].chain_count > 0)
        result->position[1][legs[0].chain[0]] -= blend->between * SINK * locomotion->leg_length;
    mixed_legs mixed = look_at_legs(legs, &both, blend->feet, result);
    lane_turns foot = mix_turns(both.foot, blend->feet);
    lane_vectors goal = find_ankles(legs, &both, foot, blend->feet, blend->lift);
    if (settles(blend->manner))
        settle(legs, blend->manner, &mixed, &goal, result);
    reach(legs, &mixed, goal, foot, blend->between * SOFT, result);
}

void tr_locomotion_blend(const tr_locomotion *locomotion, const tr_pose *lower, const tr_pose *upper,
                         float blend, bool stands, const tr_manner *manner, tr_pose *result) {
    if (!locomotion->has_legs) {
        tr_blend_two(lower, upper, blend, result);
        return;
    }
    // Small steps lift the feet nearly as high as long ones, because a foot mixed low over the floor would
    // drag.
    float rest = 1 - blend, lift = stands ? blend * (1 + LIFT_MORE * rest * rest) : blend;
    leg_blend all = {blend, simd_set(blend), simd_set(lift), 0, manner};
    blend_by_feet(locomotion, lower, upper, &all, result);
}

void tr_locomotion_blend_gaits(const tr_locomotion *locomotion, const tr_pose *walk, const tr_pose *run,
                               const tr_locomotion_state *state, float moves, tr_pose *result) {
    float body = tr_ease_float(state->run_body);
    float share[2] = {tr_ease_float(state->run[0]), tr_ease_float(state->run[1])};
    if (!locomotion->has_legs) {
        tr_blend_two(walk, run, body, result);
        return;
    }
    tr_quat toes[2];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t joint = locomotion->legs[side].toes;
        if (joint != TR_NONE)
            toes[side] =
                tr_quat_blend(tr_pose_rotation(walk, joint), tr_pose_rotation(run, joint), share[side]);
    }
    simd_float both = lanes_twice(share[0], share[1]);
    leg_blend all = {body, both, both, 4 * body * (1 - body) * moves, state->manner};
    blend_by_feet(locomotion, walk, run, &all, result);
    for (uint32_t side = 0; side < 2; side++)
        if (locomotion->legs[side].toes != TR_NONE)
            tr_pose_set_rotation(result, locomotion->legs[side].toes, toes[side]);
}

void tr_locomotion_settle(const tr_locomotion *locomotion, const tr_manner *manner, tr_pose *pose) {
    const tr_locomotion_leg *legs = locomotion->legs;
    if (!settles(manner) || !locomotion->has_legs)
        return;
    leg_places both = find_places(legs, pose, pose);
    mixed_legs mixed = look_at_legs(legs, &both, simd_set(0), pose);
    lane_vectors goal = both.ankle;
    settle(legs, manner, &mixed, &goal, pose);
    reach(legs, &mixed, goal, both.foot, 0, pose);
}
