// Shared by the files of a stride. Internal to plan/stride.
#pragma once
#include "troupe/plan/stride.h"

#include <math.h>

#define STRIDE_REACH 0.99f       // share of a stretched leg that is used
#define STRIDE_FLAT_BY 0.15f     // share of a step after which a foot that has landed is flat
#define STRIDE_HEEL_BEGINS 0.55f // share of a step at which the heel of the standing foot begins to rise
#define STRIDE_SWAY 0.3f         // share of the way to the standing foot by which the pelvis sways

static inline float stride_low(float a, float b) {
    return a < b ? a : b;
}
static inline float stride_high(float a, float b) {
    return a > b ? a : b;
}
static inline float stride_clamp(float x, float low, float high) {
    return x < low ? low : x > high ? high : x;
}
// From 0 at rest to 1 at rest.
static inline float stride_ease(float x) {
    x = stride_clamp(x, 0, 1);
    return x * x * (3 - 2 * x);
}
// 1 in the middle, 0 and level at both ends.
static inline float stride_hump(float x) {
    float product = x * (1 - x);
    return 16 * product * product;
}
static inline float stride_leg(const tr_stride_body *body) {
    return body->thigh + body->shin;
}

// A foot in the sagittal plane: the ankle, and the direction of the sole towards the ball. The toes stay in
// the plane of the floor while the heel is up.
typedef struct stride_sole {
    float along, up;             // of the ankle [m]
    float ahead_along, ahead_up; // unit vector
    float toes_along, toes_up;   // unit vector from the ball to the tip
} stride_sole;

// The sole of a foot that faces `facing`, rolled by `roll` about its ball (heel up) or heel (toes up).
stride_sole tr_stride_sole_of(const tr_stride_body *body, float facing, const tr_stride_foot *foot,
                              float roll);
// The direction of a sole with a slope that is rolled.
void tr_stride_sole_turn(float facing, float slope, float roll, stride_sole *sole);

static inline float stride_sole_along(const stride_sole *sole, const tr_stride_body *body, float facing,
                                      float ahead) {
    return sole->along + ahead * sole->ahead_along + facing * body->ankle * sole->ahead_up;
}
static inline float stride_sole_up(const stride_sole *sole, const tr_stride_body *body, float facing,
                                   float ahead) {
    return sole->up + ahead * sole->ahead_up - facing * body->ankle * sole->ahead_along;
}

static inline void stride_tip(const stride_sole *sole, const tr_stride_body *body, float facing, float *along,
                              float *up) {
    float toes = body->toe - body->ball;
    *along = stride_sole_along(sole, body, facing, body->ball) + toes * sole->toes_along;
    *up = stride_sole_up(sole, body, facing, body->ball) + toes * sole->toes_up;
}

// The standing foot, and the swinging one, at a share of the step or of the swing.
stride_sole tr_stride_stance_at(const tr_stride_body *body, const tr_stride *stride, float share);
stride_sole tr_stride_swing_at(const tr_stride_body *body, const tr_stride *stride, float share);
static inline float stride_swing_share(const tr_stride *stride, float share) {
    return (share - stride->both) / (1 - stride->both);
}
// Aside of the swinging ankle.
static inline float stride_swing_aside(const tr_stride *stride, float share) {
    return stride->from.aside +
           (stride->to.aside - stride->from.aside) * stride_ease(stride_swing_share(stride, share));
}

// Pelvis without and with its height.
void tr_stride_pelvis_at(const tr_stride *stride, float share, float *along, float *aside);
float tr_stride_height_at(const tr_stride *stride, float share);

// A leg by its two links. false: the ankle is out of reach; the knee then lies on the line.
typedef struct stride_leg_pose {
    tr_vec3 hip, knee, ankle; // aside, up, along
} stride_leg_pose;
bool tr_stride_bend(const tr_stride_body *body, float facing, stride_leg_pose *leg);
// Hip of a side.
static inline float stride_hip_aside(const tr_stride_body *body, float facing, uint32_t side, float pelvis) {
    return pelvis + 0.5f * body->hips * (side == 0 ? facing : -facing);
}
