// What the files of tr_footstep_motion share: curves, feet on their footsteps, swings, steps.
#pragma once
#include "motion/foot/footstep_motion.h"

#include "troupe/base/scalar.h"

// ------------------------------------------------------------------------------------------------- curves

static inline float tr_footstep_motion_clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// A hump that is 1 in the middle and leaves and reaches 0 without acceleration.
static inline float tr_footstep_motion_hump(float s) {
    float a = 4 * s * (1 - s);
    return s > 0 && s < 1 ? a * a * a : 0;
}

// A curve at a time since it began; before and after, its ends.
typedef struct footstep_motion_value {
    float at, rate;
} footstep_motion_value;
footstep_motion_value tr_footstep_motion_curve_at(const tr_footstep_motion_curve *curve, float time,
                                                  float duration);
float tr_footstep_motion_wrap(float angle); // [-pi, pi]

// --------------------------------------------------------------------------------------------------- feet

// Where the ankle goes, and how the toes are bent up against the sole.
typedef struct footstep_motion_pose {
    tr_vec3 ankle;
    tr_quat turn;
    float pitch, bend;
} footstep_motion_pose;

// Where the foot rolls over: the ball, or the tip of a foot in one piece.
tr_vec3 tr_footstep_motion_pivot(const tr_foot *foot);
// To the left of a foot that is turned so when it is flat, along the floor.
tr_vec3 tr_footstep_motion_across(const tr_legs *legs, uint32_t side, tr_quat turn);
// Flat on a footstep.
void tr_footstep_motion_foot_set(tr_footstep_motion_foot *foot, const tr_legs *legs,
                                 const tr_footstep *footstep);
// A foot as it is shown; false: it is clearly in the air.
bool tr_footstep_motion_foot_take(tr_footstep_motion_foot *foot, const tr_legs *legs, uint32_t side,
                                  const tr_affine *model, const tr_footstep *footstep);
// The pitch that the step means the foot to have at a time of the step.
footstep_motion_value tr_footstep_motion_foot_pitch(const tr_footstep_motion_foot *foot, float time,
                                                    float duration);
// A foot with a pitch, about ball or heel.
footstep_motion_pose tr_footstep_motion_foot_pose(const tr_footstep_motion_foot *foot, const tr_legs *legs,
                                                  uint32_t side, float pitch);
// A flat foot turned so, with its ball at a point, and pitched.
footstep_motion_pose tr_footstep_motion_ball_pose(const tr_legs *legs, uint32_t side, tr_vec3 ball,
                                                  tr_quat flat, float pitch, float bend);
// The pitch nearest to `meant` at which the ankle is bent no further than it goes, up or down, for a hip at a
// place; the ball stays where it is.
float tr_footstep_motion_ankle_pitch(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat,
                                     tr_vec3 hip, float meant);

// -------------------------------------------------------------------------------------------------- swings

// From where the foot is to `state->next`, over the floor between. Needs the pitches of both ends.
void tr_footstep_motion_swing_plan(tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                                   const tr_legs *legs, footstep_motion_value pitch, float bend);
footstep_motion_pose tr_footstep_motion_swing_at(const tr_footstep_motion_state *state, const tr_legs *legs,
                                                 float time);

// --------------------------------------------------------------------------------------------------- steps

// A step to the first of the footsteps; the two behind it say how it ends. Without footsteps it comes to rest
// where it is, with one alone on that.
void tr_footstep_motion_plan(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                             const tr_footstep *footsteps, uint32_t count);
// The swing is over: the foot stands.
void tr_footstep_motion_land(tr_footstep_motion_state *state);
// The body at a time of the step, its hips where they are meant to be. Not `whole`: of the model only the
// thighs are right.
void tr_footstep_motion_body_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                float time, bool whole);
// Where a foot is at a time of the step, before its ankle is looked at.
footstep_motion_pose tr_footstep_motion_meant(const tr_footstep_motion_state *state, const tr_legs *legs,
                                              uint32_t side, float time);
// A wave of the hips (sway or drop) at a time of the step.
footstep_motion_value tr_footstep_motion_wave_at(const tr_footstep_motion_state *state, uint32_t wave,
                                                 float time);
// How straight a knee may be, and how far back a thigh may point.
typedef struct footstep_motion_comfort {
    float straight; // of the length of the leg
    float stretch;  // [rad]
} footstep_motion_comfort;
// How far the hips must sink for a leg to reach an ankle in comfort; below 0, how much higher they could be.
// `ahead` is where the body looks.
float tr_footstep_motion_sink(const tr_limb *limb, tr_vec3 hip, tr_vec3 ankle, tr_vec3 ahead,
                              footstep_motion_comfort comfort);
