// What the files of tr_footstep_motion share: curves, feet on their footsteps, swings, steps.
#pragma once
#include "motion/foot/footstep_motion.h"

#include "troupe/base/scalar.h"

// ------------------------------------------------------------------------------------------------- curves

static inline float tr_footstep_motion_clamp(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

// A hump that is 1 in the middle and has no acceleration where it leaves and reaches 0.
static inline float tr_footstep_motion_hump(float s) {
    float a = 4 * s * (1 - s);
    return s > 0 && s < 1 ? a * a * a : 0;
}

// A curve at a time since it began; clamped to its ends before and after.
typedef struct footstep_motion_value {
    float at, rate;
} footstep_motion_value;
footstep_motion_value tr_footstep_motion_curve_at(const tr_footstep_motion_curve *curve, float time,
                                                  float duration);
float tr_footstep_motion_wrap(float angle); // [-pi, pi]

// --------------------------------------------------------------------------------------------------- feet

// The place of the ankle, and the bend of the toes up against the sole.
typedef struct footstep_motion_pose {
    tr_vec3 ankle;
    tr_quat turn;
    float pitch, bend;
} footstep_motion_pose;

// From the ball to the tip [m]; 0 if the foot has no toes.
float tr_footstep_motion_toes_length(const tr_foot *foot);
// The direction to the left of a flat foot with this rotation, along the floor.
tr_vec3 tr_footstep_motion_across(const tr_legs *legs, uint32_t side, tr_quat turn);
// Sets a foot flat on a footstep.
void tr_footstep_motion_foot_set(tr_footstep_motion_foot *foot, const tr_legs *legs,
                                 const tr_footstep *footstep);
// Takes a foot over as the start shows it.
void tr_footstep_motion_foot_take(tr_footstep_motion_foot *foot, const tr_legs *legs, uint32_t side,
                                  const tr_footstep_motion_start *start);
// The place of the ankle if the foot were flat on a level floor.
tr_vec3 tr_footstep_motion_flat_ankle(const tr_legs *legs, uint32_t side, const tr_affine *model);
// The pitch that is planned for the foot at a time of the step.
footstep_motion_value tr_footstep_motion_foot_pitch(const tr_footstep_motion_foot *foot, float time,
                                                    float duration);
// A foot with a pitch, about ball or heel.
footstep_motion_pose tr_footstep_motion_foot_pose(const tr_footstep_motion_foot *foot, const tr_legs *legs,
                                                  uint32_t side, float pitch);
// A flat foot with this rotation, its ball at a point, then pitched.
footstep_motion_pose tr_footstep_motion_ball_pose(const tr_legs *legs, uint32_t side, tr_vec3 ball,
                                                  tr_quat flat, float pitch, float bend);
// The pitch nearest to `meant` at which the ankle stays within its range, up and down, for a given hip; the
// ball stays in place.
float tr_footstep_motion_ankle_pitch(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat,
                                     tr_vec3 hip, float meant);

// -------------------------------------------------------------------------------------------------- swings

// Plans the swing from the foot's place to `state->next`, over the floor in between. Needs the pitches of
// both ends.
void tr_footstep_motion_swing_plan(tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                                   const tr_legs *legs, footstep_motion_value pitch, float bend);
footstep_motion_pose tr_footstep_motion_swing_at(const tr_footstep_motion_state *state, const tr_legs *legs,
                                                 float time);

// --------------------------------------------------------------------------------------------------- steps

// The shape of a step, from the standing foot and the one that comes down.
typedef struct footstep_motion_shape {
    float length; // from foot to foot, in leg lengths
    float rise;   // [m]
    float slope;  // of the rise
    float duration;
} footstep_motion_shape;

#define TR_FOOTSTEP_MOTION_STEP 0.7f // length of a step on level ground [leg lengths]
#define TR_FOOTSTEP_MOTION_STOP 0.4f // of speed times time: the shortest stop that does not turn back
// Plans how the feet roll, and the swing: `before` is the step that ended, `shape` this one. Needs the times
// of the step.
void tr_footstep_motion_plan_feet(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                  const footstep_motion_shape *before, const footstep_motion_shape *shape,
                                  bool goes_on);
// Plans a step to the first of the footsteps; the next two define how it ends. Without footsteps the body
// comes to rest where it is, with a single one on that.
void tr_footstep_motion_plan(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                             const tr_footstep *footsteps, uint32_t count);
// The footstep that brings the feet of a moving body together, beside the foot that has just landed. false:
// it does not need one, or there is no floor.
bool tr_footstep_motion_closing(const tr_footstep_motion_state *state,
                                const tr_footstep_motion_params *params, const tr_legs *legs,
                                tr_footstep *closing);
// Ends the swing: the foot stands.
void tr_footstep_motion_land(tr_footstep_motion_state *state);
// The body at a time of the step, with the hips at their planned place. Not `whole`: only the thighs of the
// model are valid.
void tr_footstep_motion_body_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                float time, bool whole);
// The planned place of a foot at a time of the step, before the limits of the ankle.
footstep_motion_pose tr_footstep_motion_meant(const tr_footstep_motion_state *state, const tr_legs *legs,
                                              uint32_t side, float time);
// A wave of the hips (sway or drop) at a time of the step.
footstep_motion_value tr_footstep_motion_wave_at(const tr_footstep_motion_state *state, uint32_t wave,
                                                 float time);
void tr_footstep_motion_set_wave(tr_footstep_motion_state *state, int wave, footstep_motion_value from,
                                 footstep_motion_value middle, float to, float to_rate);
// Plans the drop of the hips. `ahead` (may be NULL) is the next step, planned except for its drop.
void tr_footstep_motion_plan_drop(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                  footstep_motion_value from, const tr_footstep_motion_state *ahead);
// How far the hips must sink at a time, relative to no drop; negative: how much higher they could be.
float tr_footstep_motion_sink_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                 float time);
static inline float tr_footstep_motion_leg(const tr_legs *legs) {
    return legs->limbs[0].upper_length + legs->limbs[0].lower_length;
}
// The speed of each of the walks that are measured, in proportion to the square root of the leg [m/s].
static inline float tr_footstep_motion_walk_speed(const tr_legs *legs, int walk) {
    return (1 + 0.5f * (float)walk) * sqrtf(tr_footstep_motion_leg(legs));
}
#define TR_FOOTSTEP_MOTION_USUAL 1
// How straight a knee may be, and how far back a thigh may point.
typedef struct footstep_motion_comfort {
    float straight; // of the length of the leg
    float stretch;  // [rad]
} footstep_motion_comfort;
// How far the hips must sink for a leg to reach an ankle in comfort; negative: how much higher they could be.
// `ahead` is the direction that the body faces.
float tr_footstep_motion_sink(const tr_limb *limb, tr_vec3 hip, tr_vec3 ankle, tr_vec3 ahead,
                              footstep_motion_comfort comfort);
// The pitch, no lower than `meant`, at which the hips need not sink for a leg to get to the ankle in comfort.
float tr_footstep_motion_heel_pitch(const tr_legs *legs, uint32_t side, tr_vec3 ball, tr_quat flat,
                                    tr_vec3 hip, tr_vec3 ahead, float meant, footstep_motion_comfort comfort);
// Turns the knees of the bent legs apart where the legs would pass through each other. `goals` are the places
// of the ankles, which stay.
void tr_footstep_motion_keep_apart(const tr_footstep_motion_view *view, const footstep_motion_pose goals[2]);
