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

// The standing foot, and the swinging one, at a share of the step or of the swing. Of feet that are not
// turned.
stride_sole tr_stride_stance_at(const tr_stride_body *body, const tr_stride *stride, float share);
stride_sole tr_stride_swing_at(const tr_stride_body *body, const tr_stride *stride, float share);
// The shares of a step at which a foot that has landed is flat, and at which its heel begins to rise.
static inline void stride_stance_times(const tr_stride *stride, float *flat_by, float *begins) {
    *flat_by = STRIDE_FLAT_BY + stride_clamp(2 * (stride->start.front - 0.05f), 0, 0.4f);
    *begins = STRIDE_HEEL_BEGINS - stride_clamp(1.2f * (stride->end.rear - 0.25f), 0, 0.35f);
}
static inline float stride_swing_share(const tr_stride *stride, float share) {
    return (share - stride->both) / (1 - stride->both);
}
// Aside of the swinging ankle.
static inline float stride_swing_aside(const tr_stride *stride, float share) {
    return stride->across[0] +
           (stride->across[1] - stride->across[0]) * stride_ease(stride_swing_share(stride, share));
}

// A direction seen from above.
typedef struct stride_heading {
    float turn, sine, cosine;
} stride_heading;
stride_heading tr_stride_heading_of(float turn);

// A foot in space: its sole in an upright plane of its own heading, and a point of that plane.
typedef struct stride_placed {
    stride_sole sole;
    float aside, along; // where the `along` of the sole is 0 [m]
    stride_heading heading;
} stride_placed;
static inline tr_vec3 stride_placed_point(const stride_placed *foot, float along, float up) {
    return tr_vec3_make(foot->aside + along * foot->heading.sine, up,
                        foot->along + along * foot->heading.cosine);
}
static inline tr_vec3 stride_placed_ankle(const stride_placed *foot) {
    return stride_placed_point(foot, foot->sole.along, foot->sole.up);
}
// A foot that stands, rolled; both feet at a share of a step.
stride_placed tr_stride_placed_of(const tr_stride_body *body, float facing, const tr_stride_foot *foot,
                                  float roll);
stride_placed tr_stride_stance_placed(const tr_stride_body *body, const tr_stride *stride, float share);
stride_placed tr_stride_swing_placed(const tr_stride_body *body, const tr_stride *stride, float share);

// Whether a foot or the pelvis is turned at any time of a step.
static inline bool stride_is_turned(const tr_stride *stride) {
    return stride->from.turn != 0 || stride->stance.turn != 0 || stride->to.turn != 0 ||
           stride->start.turn != 0 || stride->end.turn != 0;
}
static inline float stride_turn_at(const tr_stride *stride, float share) {
    return stride->start.turn + (stride->end.turn - stride->start.turn) * stride_ease(share);
}
// From the pelvis to the hip of a side.
static inline tr_vec3 stride_hip_off(const tr_stride_body *body, float facing, uint32_t side,
                                     const stride_heading *heading) {
    float off = 0.5f * body->hips * (side == 0 ? facing : -facing);
    return tr_vec3_make(off * heading->cosine, 0, -off * heading->sine);
}
// Where a knee points: between the headings of pelvis and foot.
tr_vec3 tr_stride_knee_ahead(float facing, const stride_heading *pelvis, const stride_heading *foot);

// Where the front foot would stand beside the rear one, from it: a body at rest.
static inline tr_vec2 stride_beside(const tr_stride_body *body, float facing, uint32_t front_side,
                                    const stride_heading *heading) {
    float off = body->apart * (front_side == 0 ? facing : -facing);
    return tr_vec2_make(off * heading->cosine, -off * heading->sine);
}

// Pelvis without and with its height.
void tr_stride_pelvis_at(const tr_stride *stride, float share, float *along, float *aside);
float tr_stride_height_at(const tr_stride *stride, float share);

// Parts of the planning of a step that both planners need, straight and turned.
#define STRIDE_BOTH 0.2f      // share of a step during which both feet stand
#define STRIDE_LIFT_MOST 1.2f // of a curve, in lengths of the leg
#define STRIDE_FULL 0.6f      // weight of both control points from which a sole keeps its whole distance
#define STRIDE_OFF_MOST 0.62f // tangent of half the angle of a heel when the foot leaves the ground
#define STRIDE_OFF_STEP 0.05f
#define STRIDE_BUMP_MOST 0.05f // of the pelvis, in lengths of the leg
#define STRIDE_BUMP_LEAST 0.2f // the pelvis dips by at most this many lengths of the leg
// Lowers the bump so that the pelvis is below a ceiling at a share of the step. false: it cannot.
bool tr_stride_respect(tr_stride *stride, float share, float ceiling);
// How high the pelvis may be for a leg to reach its foot.
float tr_stride_ceiling_of(const tr_stride_body *body, const tr_vec3 *hip, const stride_sole *sole,
                           float aside);

// A leg by its two links. false: the ankle is out of reach; the knee then lies on the line.
typedef struct stride_leg_pose {
    tr_vec3 hip, knee, ankle; // aside, up, along
} stride_leg_pose;
// `ahead`: where the knee points, level.
bool tr_stride_bend(const tr_stride_body *body, const tr_vec3 *ahead, stride_leg_pose *leg);
// Hip of a side.
static inline float stride_hip_aside(const tr_stride_body *body, float facing, uint32_t side, float pelvis) {
    return pelvis + 0.5f * body->hips * (side == 0 ? facing : -facing);
}
