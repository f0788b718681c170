// The lower body at a moment of a step: end points, and joint angles between key frames.
#include "stride_data.h"
#include "troupe/base/scalar.h"

#define KEYS 4

static float angle(float y, float x) {
    return (float)tr_arc_tangent((double)y, (double)x);
}

// Angles of a leg from its points. `sole` is the direction towards the toes.
static void measure(tr_stride_pose *pose, uint32_t side, float facing, const stride_sole *sole) {
    tr_vec3 thigh = tr_vec3_subtract(pose->knees[side], pose->hips[side]);
    tr_vec3 shin = tr_vec3_subtract(pose->ankles[side], pose->knees[side]);
    float outwards = (side == 0 ? 1.0f : -1.0f) * facing;
    float drop = sqrtf(thigh.y * thigh.y + thigh.z * thigh.z);
    pose->hip_swing[side] = angle(facing * thigh.z, -thigh.y);
    pose->hip_aside[side] = angle(outwards * thigh.x, drop);
    float sizes = tr_vec3_length(thigh) * tr_vec3_length(shin);
    float cosine = sizes > 0 ? tr_vec3_dot(thigh, shin) / sizes : 1;
    cosine = stride_clamp(cosine, -1, 1);
    pose->knee[side] = angle(sqrtf(1 - cosine * cosine), cosine);
    // From the shin, turned by a right angle, to the sole.
    float lean = angle(facing * shin.z, -shin.y), toes = angle(sole->ahead_up, facing * sole->ahead_along);
    pose->bend[side] = toes - lean;
}

static void place_foot(const tr_stride_body *body, tr_stride_pose *pose, uint32_t side, float aside,
                       float facing, const stride_sole *sole) {
    pose->ankles[side] = tr_vec3_make(aside, sole->up, sole->along);
    pose->heels[side] = tr_vec3_make(aside, stride_sole_up(sole, body, facing, -body->heel),
                                     stride_sole_along(sole, body, facing, -body->heel));
    pose->toes[side].x = aside;
    stride_tip(sole, body, facing, &pose->toes[side].z, &pose->toes[side].y);
}

void tr_stride_pose_at(const tr_stride_body *body, const tr_stride *stride, float share,
                       tr_stride_pose *pose) {
    share = stride_clamp(share, 0, 1);
    float along, aside, facing = stride->facing;
    tr_stride_pelvis_at(stride, share, &along, &aside);
    pose->pelvis = tr_vec3_make(aside, tr_stride_height_at(stride, share), along);
    uint32_t swing = stride->side & 1, stance = 1 - swing;
    stride_sole soles[2];
    soles[swing] = tr_stride_swing_at(body, stride, share);
    soles[stance] = tr_stride_stance_at(body, stride, share);
    place_foot(body, pose, swing, stride_swing_aside(stride, share), facing, &soles[swing]);
    place_foot(body, pose, stance, stride->stance.aside, facing, &soles[stance]);
    pose->down[stance] = true;
    pose->down[swing] = share <= stride->both || share >= 1;
    for (uint32_t side = 0; side < 2; side++) {
        pose->hips[side] = pose->pelvis;
        pose->hips[side].x = stride_hip_aside(body, facing, side, aside);
        stride_leg_pose leg = {.hip = pose->hips[side], .ankle = pose->ankles[side]};
        tr_stride_bend(body, facing, &leg);
        pose->knees[side] = leg.knee;
        measure(pose, side, facing, &soles[side]);
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
    float toes = pose->bend[side] + pose->hip_swing[side] - pose->knee[side];
    tr_sin_cos((double)toes, &sole_sine, &sole_cosine);
    pose->knees[side] = tr_vec3_add(pose->hips[side], tr_vec3_scale(thigh, body->thigh));
    pose->ankles[side] = tr_vec3_add(pose->knees[side], tr_vec3_scale(shin, body->shin));
    float ahead = facing * (float)sole_cosine, up = (float)sole_sine;
    stride_sole sole = {pose->ankles[side].z, pose->ankles[side].y, ahead, up, ahead, up};
    place_foot(body, pose, side, pose->ankles[side].x, facing, &sole);
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
