// troupe/plan/stride.h - one step of the lower body as numbers: the curve of the swinging ankle, the way of
// the pelvis, and hips, knees and ankles at any moment.
//
// Li, section 4.1: key frames of level, uphill and downhill steps, a Bezier curve for the ankle that is
// lifted until the whole leg clears the ground, and the reason if no curve does. Everything is measured along
// a path: along it, to its left, and up. It becomes world space by tr_profile_place. No skeleton, no memory.
//
// Feet and pelvis may face elsewhere than along the path: steps to the side, turns on the spot. Such a step
// is planned in three dimensions, against the cells of a profile.
#pragma once
#include "troupe/world/profile.h"

TR_BEGIN_DECLARATIONS

// The lower body. Start from tr_stride_body_default(height).
typedef struct tr_stride_body {
    float thigh, shin;     // [m, 0.01 to 10]
    float hips;            // distance between the hips [m, 0 to 10]
    float apart;           // preferred distance between the feet, sideways [m, 0 to 10]
    float ankle;           // height of the ankle over a flat sole [m, 0 to 10]
    float heel, ball, toe; // from below the ankle back to the heel, ahead to the ball and to the tip [m]
    float width;           // of a sole [m]
    float radius;          // of a leg; what comes nearer to its bones touches it [m]
    float knee_most;       // the most that a knee bends [rad, 0.5 to 3]
    float hip_back;        // how far a thigh swings backwards, and [rad, 0 to 1.5]
    float hip_front;       // forwards [rad, 0.5 to 3]
    float ankle_up,
        ankle_down; // how far the toes turn up and down from a foot at right angles [rad, 0 to 1.5]
} tr_stride_body;
TR_API tr_stride_body tr_stride_body_default(float height);
// TR_INVALID: a length or an angle is not finite or out of range.
TR_API tr_status tr_stride_body_check(const tr_stride_body *body, tr_error *error);

// Why a step is not possible. The order is that in which they are looked for.
typedef enum tr_stride_reason {
    TR_STRIDE_FINE,
    TR_STRIDE_OUTSIDE,  // the place is beyond the end of the ground that is known
    TR_STRIDE_NO_FLOOR, // there is no floor: a gap or a pit without a bottom in reach
    TR_STRIDE_UNEVEN,   // too little of the sole would be carried
    TR_STRIDE_STEEP,    // the floor slopes too much
    TR_STRIDE_CROWDED,  // something stands where the sole would
    TR_STRIDE_TOO_HIGH, // the step up is higher than allowed
    TR_STRIDE_TOO_DEEP, // the step down is deeper than allowed
    TR_STRIDE_TOO_FAR,  // the legs are too short
    TR_STRIDE_FOLDED,   // a hip, a knee or an ankle would have to bend too far
    TR_STRIDE_FOOT,     // no curve takes the swinging foot over what lies between
    TR_STRIDE_SHIN,     // something is in the way of a shin or a knee
    TR_STRIDE_THIGH,    // something is in the way of a thigh
    TR_STRIDE_OVERHEAD, // an overhang is in the way of a leg
    TR_STRIDE_VETO,     // the caller does not allow it
    TR_STRIDE_FEET,     // the feet would stand on or pass through each other
    TR_STRIDE_BALANCE,  // the body would fall
    TR_STRIDE_REASONS
} tr_stride_reason;
TR_API const char *tr_stride_reason_text(tr_stride_reason reason); // "the gap has no floor". Static storage

// A foot that stands. `along` and `aside` are those of the ankle.
typedef struct tr_stride_foot {
    float along, aside; // [m]
    float height;       // of the sole below the ankle [m]
    float slope;        // rise of the sole towards greater `along`, in metres per metre; of a foot that is
                        // turned: before it was turned
    float turn; // of the foot, to the left of the direction in which a body walks along the path [rad]
} tr_stride_foot;

// The moment when one foot has just landed and the other is about to leave the ground: a function of the two
// feet alone, so that steps can be planned one by one and still join.
typedef struct tr_stride_stand {
    float along, aside, height; // of the middle between the hips [m]
    float rate;                 // of its `along` [m/s]
    float duration;             // of the step that ends here [s]
    float rear, front; // how far the feet are rolled: tangents of half the angles, above 0 with the heel up
    tr_stride_reason reason; // why it is not possible
    float turn;              // of the pelvis, as of a foot: the mean of both feet [rad]
} tr_stride_stand;

// What stands along the way of a foot: the highest point and the lowest overhang of each column of the
// profile, over the width of the foot. Column i begins at i * cell. Zero is valid: there is nothing.
typedef struct tr_stride_lane {
    const float *top, *under; // [m]
    uint32_t columns;
    float cell; // [m]
} tr_stride_lane;

typedef enum tr_stride_kind { TR_STRIDE_LEVEL, TR_STRIDE_UP, TR_STRIDE_DOWN } tr_stride_kind;

typedef struct tr_stride_query {
    const tr_stride_body *body;
    float facing;  // 1: the body walks forwards along the path; -1: backwards
    uint32_t side; // that swings: 0 left, 1 right
    tr_stride_foot from, stance, to;
    tr_stride_stand start;       // tr_stride_between(from, stance), or the body as it is
    tr_stride_lane swing, stand; // the lanes of the feet
    float clear;                 // of the sole over the ground in mid-swing [m, 0 to 1], 0.02
    // The cells below the step, which is then planned in three dimensions; lanes are not looked at. A step in
    // which a foot or the pelvis is turned is always planned so. NULL: nothing is in its way.
    const tr_profile_view *ground;
} tr_stride_query;

// A planned step. Plain numbers: a copy is independent.
typedef struct tr_stride {
    tr_stride_foot from, stance, to;
    tr_stride_stand start, end;
    uint32_t side;
    float facing;
    tr_stride_kind kind;
    float both;      // share of the step during which both feet stand
    float duration;  // [s]
    float along[4];  // control points of the Bezier curve of the swinging ankle [m]
    float up[4];     //
    float across[2]; // aside of the ankle where the curve begins and ends [m]
    float bow[2];    // of the middle of the curve around the standing foot: aside and along [m]
    float off;       // roll of the foot when it leaves the ground
    float lift;      // by how much the curve was lifted over its usual form [m]
    float bump;      // of the height of the pelvis in the middle of the step [m]
} tr_stride;

TR_API tr_stride_stand tr_stride_between(const tr_stride_body *body, float facing, uint32_t side,
                                         const tr_stride_foot *rear, const tr_stride_foot *front);

// Plans a step: the lowest Bezier curve that clears the ground, and a pelvis that both legs reach. `stride`
// is complete only with TR_STRIDE_FINE. Values must be finite.
TR_API tr_stride_reason tr_stride_plan(const tr_stride_query *query, tr_stride *stride);

// The lower body at a share of a step [0 to 1]. Points are (aside, up, along): x, y and z of a path that
// leads along +z. Index 0 is left, 1 right. Angles are those of the model with 2 degrees of freedom at the
// hip, one at the knee and one at the ankle.
typedef struct tr_stride_pose {
    tr_vec3 pelvis, hips[2], knees[2], ankles[2], heels[2], toes[2];
    float hip_swing[2]; // of the thigh, forwards [rad]
    float hip_aside[2]; // of the thigh, outwards [rad]
    float knee[2];      // bend [rad]
    float bend[2];      // of the ankle: above 0 with the toes up [rad]
    bool down[2];       // the foot is on the ground
    float turn;         // of the pelvis [rad]
    float turns[2];     // of the feet [rad]
} tr_stride_pose;
TR_API void tr_stride_pose_at(const tr_stride_body *body, const tr_stride *stride, float share,
                              tr_stride_pose *pose);
// The same by the interpolation of joint angles between the key frames (0, `both`, the middle of the swing
// and 1), as in section 4.1. The pelvis is that of tr_stride_pose_at; feet that stand may slide.
TR_API void tr_stride_pose_by_keys(const tr_stride_body *body, const tr_stride *stride, float share,
                                   tr_stride_pose *pose);

// Balance at a share of a step. The support is what the soles on the ground cover, and all between them.
typedef struct tr_stride_balance {
    tr_vec3 mass; // the centre of mass: aside, up, along [m]
    // The extrapolated centre of mass, aside and along: where it comes to rest over a foot that is put there
    // (Hof, Gazendam & Sinke 2005) [m].
    tr_vec2 extrapolated;
    float standing; // how far the centre of mass is inside the support; below 0: outside [m]
    float moving;   // the same of the extrapolated one [m]
} tr_stride_balance;
TR_API void tr_stride_balance_at(const tr_stride_body *body, const tr_stride *stride, float share,
                                 tr_stride_balance *balance);

TR_END_DECLARATIONS
