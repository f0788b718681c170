// troupe/motion/stepping.h - a body that walks over given footprints: stairs, gaps, stones in a brook.
//
// Bandi & Thalmann 1998, 3.3.4 leaves the leg to others; here it is analytic. Each swing goes from one tread
// to the next over what lies between, the standing foot does not move, the hips go over the feet and sink
// where a leg would be too short. Trunk and arms are those of the walk, in phase with the steps.
#pragma once
#include "troupe/motion/locomotion.h"
#include "troupe/motion/plant.h"
#include "troupe/plan/tread.h"

TR_BEGIN_DECLARATIONS

// Start from tr_stepping_params_default().
typedef struct tr_stepping_params {
    float step_time;  // of a step on level ground at the stride that is liked [s, > 0], 0.55; longer for long
                      // and high ones
    float both_share; // of a step with both feet on the ground [0, 0.6], 0.25
    float lift;       // of the sole above the higher of its ends [m, >= 0], 0.06
    float lean;       // how far the trunk leans forward for a rise of one metre a metre [rad], 0.25
    // How high the floor is at a point near the height `point.y` [m]; NULL: only the treads are known. A
    // swing goes over what it says.
    float (*floor)(void *user, tr_vec3 point);
    void *floor_user;
} tr_stepping_params;
TR_API tr_stepping_params tr_stepping_params_default(void);

#define TR_STEPPING_AHEAD 8

// One body's state: begin with tr_stepping_begin.
typedef struct tr_stepping_state {
    tr_tread feet[2]; // where they stand, or stood last
    tr_tread next;    // where the swinging foot goes
    uint32_t side;    // which swings, or swings next
    bool swings;      // in the second part of a step
    bool ends;        // no tread is left: it comes to rest
    double time;      // since the step began [s]
    float duration;   // of this step [s]
    float share;      // of it in which both stand
    double phase;     // of the stride, for trunk and arms: as in tr_locomotion_state
    // Hips: a smooth curve from where they were at the begin of the step.
    tr_vec3 hip_from, hip_to, hip_rate;
    float heading_from, heading_to, heading_rate;
    float arc;         // how high the swing goes above its ends [m]
    tr_vec3 foot_from; // ankle and turn of the swinging foot when it left the ground
    tr_quat turn_from;
    tr_vec3 ankle[2]; // as shown last, with their turns
    tr_quat turn[2];
    tr_vec3 blend; // what the hips were off when this began, dying away
    float blend_heading, blend_time;
    float hip_drop, hip_drop_rate;
} tr_stepping_state;

// From the body as it is: `model` in the world, both ankles where they are shown now, `velocity` of its base
// point [m/s]. `feet` are the treads that it stands on (where the ankles are, more or less).
TR_API void tr_stepping_begin(tr_stepping_state *state, const tr_legs *legs, const tr_affine *model,
                              const tr_tread feet[2], tr_vec3 velocity, float heading);

// Go on by dt. `treads` are those still to come, `tread_count` of them; *used gets how many were begun in
// this call (0 or 1): drop them from the front. `pose` becomes the body relative to `place`, which is set too
// (base point under the hips, on the height of the feet); `model` the same in the world, `contacts` what
// stands. TR_OK: on the way; TR_DONE: no tread was left and the body stands on both feet. No allocation, the
// same bits everywhere.
TR_API tr_status tr_stepping_step(tr_stepping_state *state, const tr_stepping_params *params,
                                  const tr_legs *legs, const tr_skeleton *skeleton,
                                  const tr_locomotion *locomotion, const tr_tread *treads,
                                  uint32_t tread_count, uint32_t *used, float dt, tr_pose *pose,
                                  tr_pose scratch[2], tr_affine *place, tr_affine *model, uint32_t *contacts);
// Base point, heading and speed at the end of the last step, to go on walking from. [m, rad, m/s]
TR_API void tr_stepping_base(const tr_stepping_state *state, tr_vec3 *position, float *heading,
                             tr_vec3 *velocity);

TR_END_DECLARATIONS
