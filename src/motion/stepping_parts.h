// What the files of tr_stepping share: curves, feet on their treads, swings, steps.
#pragma once
#include "troupe/motion/stepping.h"

#include "troupe/base/scalar.h"

// ------------------------------------------------------------------------------------------------- curves

static inline float tr_stepping_clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// From 0 to 1 with the least jerk; clamped.
static inline float tr_stepping_ease(float s) {
    s = tr_stepping_clamp(s, 0, 1);
    return s * s * s * (10 + s * (6 * s - 15));
}

// A hump that is 1 in the middle and leaves and reaches 0 without acceleration.
static inline float tr_stepping_hump(float s) {
    float a = 4 * s * (1 - s);
    return s > 0 && s < 1 ? a * a * a : 0;
}

// A curve at a time since it began; before and after, its ends.
typedef struct stepping_value {
    float at, rate;
} stepping_value;
stepping_value tr_stepping_curve_at(const tr_stepping_curve *curve, float time, float duration);
float tr_stepping_wrap(float angle); // [-pi, pi]

// --------------------------------------------------------------------------------------------------- feet

// Where the ankle goes, and how the toes are bent up against the sole.
typedef struct stepping_pose {
    tr_vec3 ankle;
    tr_quat turn;
    float pitch, bend;
} stepping_pose;

// Where the foot rolls over: the ball, or the tip of a foot in one piece.
tr_vec3 tr_stepping_pivot(const tr_foot *foot);
// To the left of a foot that is turned so when it is flat, along the floor.
tr_vec3 tr_stepping_across(const tr_legs *legs, uint32_t side, tr_quat turn);
// Flat on a tread.
void tr_stepping_foot_set(tr_stepping_foot *foot, const tr_legs *legs, const tr_tread *tread);
// A foot as it is shown; false: it is clearly in the air.
bool tr_stepping_foot_take(tr_stepping_foot *foot, const tr_legs *legs, uint32_t side, const tr_affine *model,
                           const tr_tread *tread);
// The pitch that the step means the foot to have at a time of the step.
stepping_value tr_stepping_foot_pitch(const tr_stepping_foot *foot, float time, float duration);
// A foot with a pitch, about ball or heel.
stepping_pose tr_stepping_foot_pose(const tr_stepping_foot *foot, const tr_legs *legs, uint32_t side,
                                    float pitch);
// A flat foot turned so, with its ball at a point, and pitched.
stepping_pose tr_stepping_ball_pose(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat,
                                    float pitch, float bend);
// The pitch nearest to `meant` at which the ankle is bent no further than it goes, up or down, for a hip at a
// place; the ball stays where it is.
float tr_stepping_ankle_pitch(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat, tr_vec3 hip,
                              float meant);

// -------------------------------------------------------------------------------------------------- swings

// From where the foot is to `state->next`, over the floor between. Needs the pitches of both ends.
void tr_stepping_swing_plan(tr_stepping_state *state, const tr_stepping_params *params, const tr_legs *legs,
                            stepping_value pitch, float bend);
stepping_pose tr_stepping_swing_at(const tr_stepping_state *state, const tr_legs *legs, float time);

// --------------------------------------------------------------------------------------------------- steps

// Everything that a frame needs. Without a pose only the base point is moved: it does not depend on the body.
typedef struct stepping_view {
    const tr_stepping_params *params;
    const tr_legs *legs;
    const tr_skeleton *skeleton;
    const tr_locomotion *locomotion;
    tr_pose *pose, *scratch;
    tr_affine *place, *model;
} stepping_view;

// A step to the first of the treads; the two behind it say how it ends. Without treads it comes to rest where
// it is, with one alone on that.
void tr_stepping_plan(tr_stepping_state *state, const stepping_view *view, const tr_tread *treads,
                      uint32_t count);
// The swing is over: the foot stands.
void tr_stepping_land(tr_stepping_state *state);
// The body at a time of the step, its hips where they are meant to be. Not `whole`: of the model only the
// thighs are right.
void tr_stepping_body_at(const tr_stepping_state *state, const stepping_view *view, float time, bool whole);
// Where a foot is at a time of the step, before its ankle is looked at.
stepping_pose tr_stepping_meant(const tr_stepping_state *state, const tr_legs *legs, uint32_t side,
                                float time);
// A wave of the hips (sway or drop) at a time of the step.
stepping_value tr_stepping_wave_at(const tr_stepping_state *state, uint32_t wave, float time);
// How straight a knee may be, and how far back a thigh may point.
typedef struct stepping_comfort {
    float straight; // of the length of the leg
    float stretch;  // [rad]
} stepping_comfort;
// How far the hips must sink for a leg to reach an ankle in comfort; below 0, how much higher they could be.
// `ahead` is where the body looks.
float tr_stepping_sink(const tr_limb *limb, tr_vec3 hip, tr_vec3 ankle, tr_vec3 ahead,
                       stepping_comfort comfort);
