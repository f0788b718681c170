// troupe/motion/footstep_motion.h - a body that walks over given footsteps: stairs, gaps, stones in a brook.
//
// Bandi & Thalmann 1998, 3.3.4 leaves the leg to others; here it is analytic. Each swing goes from one
// footstep to the next over what lies between, the standing foot does not move but for its roll, the hips go
// over the feet and sink where a leg would be too short. Trunk and arms are those of the walk, in phase with
// the steps.
#pragma once
#include "troupe/motion/locomotion.h"
#include "troupe/motion/foot_lock.h"
#include "troupe/plan/footstep.h"

TR_BEGIN_DECLARATIONS

// Start from tr_footstep_motion_params_default().
typedef struct tr_footstep_motion_params {
    float step_time; // of a step on level ground at the stride that is liked [s, > 0], 0.55; longer for long,
                     // high and turning ones
    float both_share; // of a step with both feet on the ground [0, 0.6], 0.25
    float lift;       // of the lowest point of the sole above the floor in mid-swing [m, >= 0], 0.04
    float lean;       // how far the trunk leans forward for a rise of one metre a metre [rad], 0.25
    // How high the floor is at a point near the height `point.y` [m], NAN where there is none; NULL: only the
    // footsteps are known. A swing goes over what it says.
    float (*floor)(void *user, tr_vec3 point);
    void *floor_user;
} tr_footstep_motion_params;
TR_API tr_footstep_motion_params tr_footstep_motion_params_default(void);

// A smooth curve from one value and rate to another, without acceleration at both ends.
typedef struct tr_footstep_motion_curve {
    float from, from_rate, to, to_rate;
} tr_footstep_motion_curve;

// A foot on the floor. It turns about its ball when the heel is up (pitch > 0), about the heel when the toes
// are.
typedef struct tr_footstep_motion_foot {
    tr_footstep footstep;          // where it stands, or stood last
    tr_vec3 ankle;                 // when it is flat there [m]
    tr_quat turn;                  // of the ankle then
    tr_footstep_motion_curve down; // of the pitch [rad], from the begin of the step to `down_end`, and
    tr_footstep_motion_curve up;   // from `up_begin` to the end of the step
    float down_end, up_begin;      // [s]
    float pitch, pitch_rate;       // as shown last [rad, rad/s]
    float bend;                    // of the toes against the sole [rad]
    bool in_air;                   // it was when this began
} tr_footstep_motion_foot;

// How the swinging foot goes: its ball along a line, with a window of time for the way over the ground and
// one for the way up or down, and an arc on top.
typedef struct tr_footstep_motion_swing {
    tr_vec3 from, from_rate, to, to_rate; // of the ball [m, m/s]
    tr_quat turn_from;                    // of the flat foot
    tr_footstep_motion_curve pitch, bend;
    float begin, duration; // [s]
    float over[2], up[2];  // windows, in shares of the duration
    float arc;             // [m]
    tr_vec2 bow;           // to the side, round the foot that stands [m]
} tr_footstep_motion_swing;

enum {
    TR_FOOTSTEP_MOTION_X,
    TR_FOOTSTEP_MOTION_Y,
    TR_FOOTSTEP_MOTION_Z,
    TR_FOOTSTEP_MOTION_HEADING,
    TR_FOOTSTEP_MOTION_LEAN,
    TR_FOOTSTEP_MOTION_PATHS
};
enum {
    TR_FOOTSTEP_MOTION_SWAY_X,
    TR_FOOTSTEP_MOTION_SWAY_Z,
    TR_FOOTSTEP_MOTION_DROP,
    TR_FOOTSTEP_MOTION_WAVES
};

// One body's state: begin with tr_footstep_motion_begin. No pointers inside: a copy goes on by itself.
typedef struct tr_footstep_motion_state {
    tr_footstep_motion_foot feet[2];
    tr_footstep_motion_foot next; // where the swinging foot goes
    tr_footstep_motion_swing swing;
    uint32_t side;                    // which swings, or swings next
    bool steps;                       // a step is under way
    bool swings;                      // in the second part of a step
    bool ends;                        // no footstep was left: it comes to rest
    bool fresh;                       // nothing was shown yet
    double time;                      // since the step began [s]
    float duration, lift_off, middle; // of this step; when the foot leaves the ground; mid-stance [s]
    float done; // share of the step that was over when it began: a foot that was in the air
    // The base point with its heading and the lean of the trunk over the whole step; and sway and drop of
    // the hips, which turn round in mid-stance.
    tr_footstep_motion_curve path[TR_FOOTSTEP_MOTION_PATHS];
    tr_footstep_motion_curve wave[TR_FOOTSTEP_MOTION_WAVES][2];
    tr_vec3 stand_hips; // in the standing pose, relative to the base point [m], and
    float stand_ankles; // how far ahead of it the ankles are [m]
    // What the hips were off when this began: it dies away.
    tr_vec3 hips_shown, blend_move, blend_turn;
    tr_quat hips_turn_shown;
    float blend_since; // [s]
    float shortfall;   // how far the last footstep was out of reach: the step went that much less far [m]
    float sunk;        // how far the hips had to give in beyond the plan in the last step of time [m]
} tr_footstep_motion_state;

// From the body as it is: `model` in the world, both feet where they are shown now, `velocity` of its base
// point [m/s]. `feet` are the footsteps that it stands on (where the feet are, more or less: a foot that is
// clearly above its footstep is in the air and goes on swinging).
TR_API void tr_footstep_motion_begin(tr_footstep_motion_state *state, const tr_legs *legs,
                                     const tr_affine *model, const tr_footstep feet[2], tr_vec3 velocity,
                                     float heading);

// Go on by dt. `footsteps` are those still to come, `footstep_count` of them (three are enough at a time; a
// body that sees none comes to rest); *used gets how many were begun in this call (0 or 1): drop them from
// the front. `pose` becomes the body relative to `place`, which is set too (base point under the hips, on the
// height of the feet); `model` the same in the world, `contacts` what stands. TR_OK: on the way; TR_DONE: no
// footstep was left and the body stands on both feet: standing at `place` goes on from here. A footstep out
// of reach is stepped towards as far as legs go (`shortfall`). TR_INVALID: a parameter, dt or the footstep
// that is next is out of range or not finite; nothing was changed. No allocation, the same bits everywhere.
TR_API tr_status tr_footstep_motion_step(tr_footstep_motion_state *state,
                                         const tr_footstep_motion_params *params, const tr_legs *legs,
                                         const tr_skeleton *skeleton, const tr_locomotion *locomotion,
                                         const tr_footstep *footsteps, uint32_t footstep_count,
                                         uint32_t *used, float dt, tr_pose *pose, tr_pose scratch[2],
                                         tr_affine *place, tr_affine *model, uint32_t *contacts);
// The same in two parts, for those who put something onto the pose between them (what is left of an earlier
// motion): first the body, then the legs, from the hips that the pose has. `model` need not be up to date for
// the second.
TR_API tr_status tr_footstep_motion_body(tr_footstep_motion_state *state,
                                         const tr_footstep_motion_params *params, const tr_legs *legs,
                                         const tr_skeleton *skeleton, const tr_locomotion *locomotion,
                                         const tr_footstep *footsteps, uint32_t footstep_count,
                                         uint32_t *used, float dt, tr_pose *pose, tr_pose scratch[2],
                                         tr_affine *place, tr_affine *model);
TR_API void tr_footstep_motion_legs(tr_footstep_motion_state *state, const tr_legs *legs,
                                    const tr_skeleton *skeleton, float dt, tr_pose *pose,
                                    const tr_affine *place, tr_affine *model, uint32_t *contacts);
// How a body stands by itself: hips over the base point, and how far ahead of it the ankles are [m]. The same
// for all bodies of a kind. The poses and the model are scratch.
typedef struct tr_footstep_motion_stand {
    tr_vec3 hips;
    float ankles;
} tr_footstep_motion_stand;
TR_API tr_footstep_motion_stand tr_footstep_motion_measure(const tr_legs *legs, const tr_skeleton *skeleton,
                                                           const tr_locomotion *locomotion, tr_pose *pose,
                                                           tr_pose scratch[2], tr_affine *model);
// The base point alone, which does not depend on the pose: a copy of a state that is led so goes, bit for bit
// and with the same `used` and status, where tr_footstep_motion_body takes the original. About a hundred
// times cheaper. A state that was led cannot go on with a body.
TR_API tr_status tr_footstep_motion_lead(tr_footstep_motion_state *state,
                                         const tr_footstep_motion_params *params, const tr_legs *legs,
                                         const tr_footstep_motion_stand *stand, const tr_footstep *footsteps,
                                         uint32_t footstep_count, uint32_t *used, float dt);
// Base point, heading and velocity at the end of the last step of time, to go on walking from. [m, rad, m/s]
TR_API void tr_footstep_motion_base(const tr_footstep_motion_state *state, tr_vec3 *position, float *heading,
                                    tr_vec3 *velocity);

// Feet on their footsteps, written or read.
TR_API void tr_footstep_motion_archive(tr_footstep_motion_state *state, tr_archive *archive);

TR_END_DECLARATIONS
