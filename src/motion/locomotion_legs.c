// Legs of two poses mixed by where the feet are. Halfway between a bent leg and a straight one a knee that is
// bent by half the angle makes a leg that is longer than halfway: the foot would go through the ground. So
// the sole takes the place between its two places, which are on the ground where both are, and the leg
// reaches it.
#include "locomotion_data.h"
#include "troupe/motion/blend.h"

#include <math.h>

// The higher the heel is above the ball, the more the ball's place counts; at this difference alone [m].
#define ROLL_HEIGHT 0.03f
#define STRAIGHTEST 0.9995f // of the sum of the bones
#define POLE_LEAST 0.02f    // of the thigh: a knee less far off the line does not say which way it bends

typedef struct leg_place {
    tr_quat frame, thigh, shank,
        foot; // rotations in the character's axes; `frame` is what the thigh hangs on
    tr_vec3 hip, knee, ankle;
} leg_place;

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
        locomotion->has_legs = locomotion->has_legs && depth <= TR_LOCOMOTION_CHAIN_MAX;
        leg->chain_count = depth <= TR_LOCOMOTION_CHAIN_MAX ? depth : 0;
        uint32_t joint = parents[foot.thigh];
        for (uint32_t i = leg->chain_count; i > 0; i--, joint = parents[joint])
            leg->chain[i - 1] = joint;
    }
}

static inline tr_vec3 position_of(const tr_pose *pose, uint32_t joint) {
    return tr_vec3_make(pose->position[0][joint], pose->position[1][joint], pose->position[2][joint]);
}

static inline tr_quat rotation_of(const tr_pose *pose, uint32_t joint) {
    tr_quat q = {pose->rotation[0][joint], pose->rotation[1][joint], pose->rotation[2][joint],
                 pose->rotation[3][joint]};
    return q;
}

static leg_place find_place(const tr_locomotion_leg *leg, const tr_pose *pose) {
    leg_place place = {.frame = tr_quat_identity(), .hip = {0, 0, 0}};
    for (uint32_t i = 0; i < leg->chain_count; i++) {
        uint32_t joint = leg->chain[i];
        place.hip = tr_vec3_add(place.hip, tr_quat_rotate(place.frame, position_of(pose, joint)));
        place.frame = tr_quat_multiply(place.frame, rotation_of(pose, joint));
    }
    place.hip = tr_vec3_add(place.hip, tr_quat_rotate(place.frame, position_of(pose, leg->thigh)));
    place.thigh = tr_quat_multiply(place.frame, rotation_of(pose, leg->thigh));
    place.knee = tr_vec3_add(place.hip, tr_quat_rotate(place.thigh, position_of(pose, leg->shank)));
    place.shank = tr_quat_multiply(place.thigh, rotation_of(pose, leg->shank));
    place.ankle = tr_vec3_add(place.knee, tr_quat_rotate(place.shank, position_of(pose, leg->ankle)));
    place.foot = tr_quat_multiply(place.shank, rotation_of(pose, leg->ankle));
    return place;
}

static inline tr_vec3 between(tr_vec3 a, tr_vec3 b, float t) {
    return tr_vec3_add(tr_vec3_scale(a, 1 - t), tr_vec3_scale(b, t));
}

// In single precision and without the rare cases: legs have lengths, and are never turned to the opposite.
static inline tr_quat unit(tr_quat q) {
    float inverse = 1 / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    tr_quat made = {q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
    return made;
}

// The smallest turn from one direction to another; the product of their lengths is given.
static inline tr_quat turn_to(tr_vec3 from, tr_vec3 to, float lengths) {
    tr_vec3 axis = tr_vec3_cross(from, to);
    float w = lengths + tr_vec3_dot(from, to);
    tr_quat turn = {axis.x, axis.y, axis.z, w > lengths * 1e-4f ? w : lengths * 1e-4f};
    return unit(turn);
}

static tr_quat quat_between(tr_quat a, tr_quat b, float t) {
    float side = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t, rest = 1 - t;
    tr_quat q = {a.x * rest + b.x * side, a.y * rest + b.y * side, a.z * rest + b.z * side,
                 a.w * rest + b.w * side};
    return unit(q);
}

// Where the ankle must be for the sole to be between its places in both poses.
static tr_vec3 find_ankle(const tr_locomotion_leg *leg, const leg_place *lower, const leg_place *upper,
                          tr_quat foot, float blend) {
    tr_vec3 heel = between(tr_vec3_add(lower->ankle, tr_quat_rotate(lower->foot, leg->heel)),
                           tr_vec3_add(upper->ankle, tr_quat_rotate(upper->foot, leg->heel)), blend);
    tr_vec3 ball = between(tr_vec3_add(lower->ankle, tr_quat_rotate(lower->foot, leg->ball)),
                           tr_vec3_add(upper->ankle, tr_quat_rotate(upper->foot, leg->ball)), blend);
    float part = 0.5f + (heel.y - ball.y) * (0.5f / ROLL_HEIGHT);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return tr_vec3_subtract(between(heel, ball, part),
                            tr_quat_rotate(foot, between(leg->heel, leg->ball, part)));
}

// The part of the knee's place that is off the line from hip to ankle.
static tr_vec3 pole_of(const leg_place *place) {
    tr_vec3 line = tr_vec3_subtract(place->ankle, place->hip),
            knee = tr_vec3_subtract(place->knee, place->hip);
    float along = tr_vec3_dot(knee, line) / tr_vec3_dot(line, line);
    return tr_vec3_subtract(knee, tr_vec3_scale(line, along));
}

static void set_rotation(tr_pose *pose, uint32_t joint, tr_quat above, tr_quat rotation) {
    tr_quat local = unit(tr_quat_multiply(tr_quat_conjugate(above), rotation));
    pose->rotation[0][joint] = local.x;
    pose->rotation[1][joint] = local.y;
    pose->rotation[2][joint] = local.z;
    pose->rotation[3][joint] = local.w;
}

// Turn thigh and shank so that the ankle comes to `goal`, the knee staying on the side it was, and the foot
// as it is to be. Nothing changes where the bones cannot tell.
static void reach(const tr_locomotion_leg *leg, const leg_place *now, tr_vec3 goal, tr_vec3 pole,
                  tr_quat foot, tr_pose *pose) {
    tr_vec3 thigh = tr_vec3_subtract(now->knee, now->hip), shank = tr_vec3_subtract(now->ankle, now->knee);
    float a = tr_vec3_length(thigh), c = tr_vec3_length(shank);
    tr_vec3 before = tr_vec3_subtract(now->ankle, now->hip);
    tr_vec3 way = tr_vec3_subtract(goal, now->hip);
    float distance = tr_vec3_length(way), was = tr_vec3_length(before), most = (a + c) * STRAIGHTEST;
    float least = fabsf(a - c) * 1.001f;
    most = was > most ? was : most; // a leg that is straighter may stay so
    if (!(distance > 0 && a > 0 && c > 0 && least < most))
        return;
    tr_vec3 line = tr_vec3_scale(way, 1 / distance);
    distance = distance > most ? most : distance < least ? least : distance;
    tr_quat swing = turn_to(before, line, was);
    pole = tr_quat_rotate(swing, pole);
    pole = tr_vec3_subtract(pole, tr_vec3_scale(line, tr_vec3_dot(pole, line)));
    float off = tr_vec3_length(pole);
    if (!(off > 1e-6f))
        return;
    float along = (a * a - c * c + distance * distance) / (2 * distance), height = a * a - along * along;
    height = height > 0 ? sqrtf(height) : 0;
    tr_vec3 knee = tr_vec3_add(tr_vec3_scale(line, along), tr_vec3_scale(pole, height / off));
    tr_quat turn = tr_quat_multiply(turn_to(tr_quat_rotate(swing, thigh), knee, a * a), swing);
    tr_vec3 down = tr_vec3_subtract(tr_vec3_scale(line, distance), knee);
    tr_quat bend = tr_quat_multiply(turn_to(tr_quat_rotate(turn, shank), down, c * c), turn);
    tr_quat new_thigh = tr_quat_multiply(turn, now->thigh), new_shank = tr_quat_multiply(bend, now->shank);
    set_rotation(pose, leg->thigh, now->frame, new_thigh);
    set_rotation(pose, leg->shank, new_thigh, new_shank);
    set_rotation(pose, leg->ankle, new_shank, foot);
}

void tr_locomotion_blend(const tr_locomotion *locomotion, const tr_pose *lower, const tr_pose *upper,
                         float blend, tr_pose *result) {
    leg_place places[2][2];
    bool mends = locomotion->has_legs && !lower->scaled && !upper->scaled;
    for (uint32_t side = 0; mends && side < 2; side++) {
        places[side][0] = find_place(&locomotion->legs[side], lower);
        places[side][1] = find_place(&locomotion->legs[side], upper);
    }
    tr_blend_two(lower, upper, blend, result);
    for (uint32_t side = 0; mends && side < 2; side++) {
        const tr_locomotion_leg *leg = &locomotion->legs[side];
        const leg_place *low = &places[side][0], *high = &places[side][1];
        leg_place now = find_place(leg, result);
        tr_quat foot = quat_between(low->foot, high->foot, blend);
        tr_vec3 goal = find_ankle(leg, low, high, foot, blend), pole = pole_of(&now);
        if (tr_vec3_length(pole) < POLE_LEAST * tr_vec3_length(tr_vec3_subtract(now.knee, now.hip)))
            pole = tr_vec3_add(pole, between(pole_of(low), pole_of(high), blend));
        reach(leg, &now, goal, pole, foot, result);
    }
}
