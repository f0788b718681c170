// The lower body at a moment of a step: end points, and joint angles between key frames.
#include "stride_data.h"
#include "troupe/base/scalar.h"

#define KEYS 4

static float angle(float y, float x) {
    return (float)tr_arc_tangent((double)y, (double)x);
}

// A vector in the axes of something with a heading: across to its left, up, ahead; and back.
static tr_vec3 turned_into(const tr_vec3 *v, const stride_heading *heading) {
    return tr_vec3_make(v->x * heading->cosine - v->z * heading->sine, v->y,
                        v->z * heading->cosine + v->x * heading->sine);
}
static tr_vec3 turned_out(const tr_vec3 *v, const stride_heading *heading) {
    return tr_vec3_make(v->x * heading->cosine + v->z * heading->sine, v->y,
                        v->z * heading->cosine - v->x * heading->sine);
}

// Angles of a leg from its points. `sole` is the direction towards the toes.
static void measure(tr_stride_pose *pose, uint32_t side, float facing, const stride_placed *foot) {
    stride_heading pelvis = tr_stride_heading_of(pose->turn);
    tr_vec3 thigh = tr_vec3_subtract(pose->knees[side], pose->hips[side]);
    tr_vec3 shin = tr_vec3_subtract(pose->ankles[side], pose->knees[side]);
    float outwards = (side == 0 ? 1.0f : -1.0f) * facing;
    tr_vec3 own = turned_into(&thigh, &pelvis), lower = turned_into(&shin, &foot->heading);
    float drop = sqrtf(own.y * own.y + own.z * own.z);
    pose->hip_swing[side] = angle(facing * own.z, -own.y);
    pose->hip_aside[side] = angle(outwards * own.x, drop);
    float sizes = tr_vec3_length(thigh) * tr_vec3_length(shin);
    float cosine = sizes > 0 ? tr_vec3_dot(thigh, shin) / sizes : 1;
    cosine = stride_clamp(cosine, -1, 1);
    pose->knee[side] = angle(sqrtf(1 - cosine * cosine), cosine);
    // From the shin, turned by a right angle, to the sole.
    const stride_sole *sole = &foot->sole;
    float lean = angle(facing * lower.z, -lower.y), toes = angle(sole->ahead_up, facing * sole->ahead_along);
    pose->bend[side] = toes - lean;
}

static void place_foot(const tr_stride_body *body, tr_stride_pose *pose, uint32_t side, float facing,
                       const stride_placed *foot) {
    const stride_sole *sole = &foot->sole;
    float along, up;
    pose->turns[side] = foot->heading.turn;
    pose->ankles[side] = stride_placed_ankle(foot);
    pose->heels[side] = stride_placed_point(foot, stride_sole_along(sole, body, facing, -body->heel),
                                            stride_sole_up(sole, body, facing, -body->heel));
    stride_tip(sole, body, facing, &along, &up);
    pose->toes[side] = stride_placed_point(foot, along, up);
}

void tr_stride_pose_at(const tr_stride_body *body, const tr_stride *stride, float share,
                       tr_stride_pose *pose) {
    share = stride_clamp(share, 0, 1);
    float along, aside, facing = stride->facing;
    tr_stride_pelvis_at(stride, share, &along, &aside);
    pose->pelvis = tr_vec3_make(aside, tr_stride_height_at(stride, share), along);
    pose->turn = stride_turn_at(stride, share);
    stride_heading pelvis = tr_stride_heading_of(pose->turn);
    uint32_t swing = stride->side & 1, stance = 1 - swing;
    stride_placed feet[2];
    feet[swing] = tr_stride_swing_placed(body, stride, share);
    feet[stance] = tr_stride_stance_placed(body, stride, share);
    pose->down[stance] = true;
    pose->down[swing] = share <= stride->both || share >= 1;
    for (uint32_t side = 0; side < 2; side++) {
        place_foot(body, pose, side, facing, &feet[side]);
        pose->hips[side] = tr_vec3_add(pose->pelvis, stride_hip_off(body, facing, side, &pelvis));
        stride_leg_pose leg = {.hip = pose->hips[side], .ankle = pose->ankles[side]};
        tr_vec3 ahead = tr_stride_knee_ahead(facing, &pelvis, &feet[side].heading);
        tr_stride_bend(body, &ahead, &leg);
        pose->knees[side] = leg.knee;
        measure(pose, side, facing, &feet[side]);
    }
}

// The points of a leg from its angles.
static void unfold(const tr_stride_body *body, tr_stride_pose *pose, uint32_t side, float facing) {
    double swing_sine, swing_cosine, aside_sine, aside_cosine, lean_sine, lean_cosine, sole_sine, sole_cosine;
    tr_sin_cos((double)pose->hip_swing[side], &swing_sine, &swing_cosine);
    tr_sin_cos((double)pose->hip_aside[side], &aside_sine, &aside_cosine);
    float outwards = (side == 0 ? 1.0f : -1.0f) * facing;
    tr_vec3 thigh = tr_vec3_make(outwards * (float)aside_sine, -(float)(swing_cosine * aside_cosine),
                                 facing * (float)(swing_sine * aside_cosine));
    // The knee bends in the plane of the thigh and the direction in which the body faces.
    tr_sin_cos((double)(pose->hip_swing[side] - pose->knee[side]), &lean_sine, &lean_cosine);
    tr_vec3 shin = tr_vec3_make(outwards * (float)aside_sine, -(float)(lean_cosine * aside_cosine),
                                facing * (float)(lean_sine * aside_cosine));
    stride_heading pelvis = tr_stride_heading_of(pose->turn);
    thigh = turned_out(&thigh, &pelvis), shin = turned_out(&shin, &pelvis);
    float toes = pose->bend[side] + pose->hip_swing[side] - pose->knee[side];
    tr_sin_cos((double)toes, &sole_sine, &sole_cosine);
    pose->knees[side] = tr_vec3_add(pose->hips[side], tr_vec3_scale(thigh, body->thigh));
    pose->ankles[side] = tr_vec3_add(pose->knees[side], tr_vec3_scale(shin, body->shin));
    float ahead = facing * (float)sole_cosine, up = (float)sole_sine;
    stride_placed foot = {.sole = {0, pose->ankles[side].y, ahead, up, ahead, up},
                          .aside = pose->ankles[side].x,
                          .along = pose->ankles[side].z,
                          .heading = tr_stride_heading_of(pose->turns[side])};
    place_foot(body, pose, side, facing, &foot);
}

void tr_stride_pose_by_keys(const tr_stride_body *body, const tr_stride *stride, float share,
                            tr_stride_pose *pose) {
    const float keys[KEYS] = {0, stride->both, 0.5f * (1 + stride->both), 1};
    int key = 0;
    share = stride_clamp(share, 0, 1);
    while (key + 2 < KEYS && share >= keys[key + 1])
        key++;
    float width = keys[key + 1] - keys[key];
    float part = width > 0 ? stride_ease((share - keys[key]) / width) : 0;
    tr_stride_pose a, b;
    tr_stride_pose_at(body, stride, keys[key], &a);
    tr_stride_pose_at(body, stride, keys[key + 1], &b);
    tr_stride_pose_at(body, stride, share, pose);
    for (uint32_t side = 0; side < 2; side++) {
        pose->hip_swing[side] = a.hip_swing[side] + part * (b.hip_swing[side] - a.hip_swing[side]);
        pose->hip_aside[side] = a.hip_aside[side] + part * (b.hip_aside[side] - a.hip_aside[side]);
        pose->knee[side] = a.knee[side] + part * (b.knee[side] - a.knee[side]);
        pose->bend[side] = a.bend[side] + part * (b.bend[side] - a.bend[side]);
        unfold(body, pose, side, stride->facing);
    }
}
