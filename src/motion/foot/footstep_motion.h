// motion/foot/footstep_motion.h - walks a body over given footsteps: stairs, gaps, stones in a brook.
//
// Bandi & Thalmann 1998, 3.3.4 leaves the motion of the legs open; here it is analytic. Each swing goes from
// one footstep to the next and clears what lies between. The standing foot does not move except for its roll.
// The hips pass over the feet and sink where a leg would be too short. Trunk and arms are those of the walk,
// in phase with the steps.
#pragma once
#include "motion/gait/locomotion.h"
#include "motion/foot/foot_lock.h"
#include "troupe/plan/footstep.h"

// Start from tr_footstep_motion_params_default().
typedef struct tr_footstep_motion_params {
    // Duration of a level step of the length `step_length` [s, > 0], 0.55. Long, high and turning steps take
    // longer, short steps and steps down less.
    float step_time;
    float step_length; // [m, >= 0]; 0: 0.7 lengths of the leg
    float both_share;  // fraction of a step with both feet on the ground [0, 0.6], 0.25
    float lift;        // height of the lowest point of the sole above the floor in mid-swing [m, >= 0], 0.04
    float lean;        // how far the trunk leans forwards for a rise of one metre per metre [rad], 0.25
    // Returns the height of the floor at a point, near the height `point.y` [m]; NAN where there is no floor.
    // Swings clear this floor. NULL: only the footsteps are known.
    float (*floor)(void *user, tr_vec3 point);
    void *floor_user;
} tr_footstep_motion_params;
tr_footstep_motion_params tr_footstep_motion_params_default(void);

// Half the length of a sole, from heel to tip [m].
float tr_footstep_motion_half_sole(const tr_foot *foot);

// A smooth curve from one value and rate to another, with zero acceleration at both ends.
typedef struct tr_footstep_motion_curve {
    float from, from_rate, to, to_rate;
} tr_footstep_motion_curve;

// A foot on the floor. It turns about its ball when the heel is up (pitch > 0), and about the heel when the
// toes are up.
typedef struct tr_footstep_motion_foot {
    tr_footstep footstep;          // where it stands, or last stood
    tr_vec3 ankle;                 // its position when the foot is flat there [m]
    tr_quat turn;                  // rotation of the ankle then
    tr_footstep_motion_curve down; // pitch [rad] from the beginning of the step to `down_end`
    tr_footstep_motion_curve up;   // pitch [rad] from `up_begin` to the end of the step
    float down_end, up_begin;      // [s]
    float pitch, pitch_rate;       // as last shown [rad, rad/s]
    float bend;                    // of the toes relative to the sole [rad]
    // Of a body that was walking when the motion began:
    bool in_air; // the foot is in the air: `footstep` is where it is about to land
    bool floats; // it has left the ground but is not the next to land: it goes on at `rate` until that lands
    float land_in; // it lands after this time [s]; 0: unknown
    tr_vec3 rate;  // velocity of the ball of a foot in the air [m/s]
} tr_footstep_motion_foot;

// Motion of the swinging foot: its ball moves along a line, with one time window for the horizontal and one
// for the vertical part, plus an arc.
typedef struct tr_footstep_motion_swing {
    tr_vec3 from, from_rate, to, to_rate; // of the ball [m, m/s]
    tr_quat turn_from;                    // of the flat foot
    tr_footstep_motion_curve pitch, bend;
    float begin, duration; // [s]
    float over[2], up[2];  // horizontal and vertical window, as fractions of the duration
    float arc;             // [m]
    float swift, late;     // how fast it speeds up, and stops, in ways per duration squared
    tr_vec2 bow;           // sideways, around the standing foot [m]
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

// State of one body: initialize it with tr_footstep_motion_begin. It has no pointers: a copy is independent.
typedef struct tr_footstep_motion_state {
    tr_footstep_motion_foot feet[2];
    tr_footstep_motion_foot next; // where the swinging foot will land
    tr_footstep_motion_swing swing;
    uint32_t side;                    // the foot that swings, or swings next
    bool steps;                       // a step is in progress
    bool swings;                      // in the second part of a step
    bool ends;                        // no footstep was left: the body comes to rest
    bool fresh;                       // nothing has been shown yet
    double time;                      // since the step began [s]
    float duration, lift_off, middle; // of this step; time of lift-off; time of mid-stance [s]
    float done;                       // fraction of the step that was already over when the motion began
    float walk_time; // duration of a step of the walk from which the motion began [s]; 0: it did not walk
    // Curves of base point, heading and lean of the trunk over the whole step; and of sway and drop of the
    // hips, in two parts that meet in mid-stance.
    tr_footstep_motion_curve path[TR_FOOTSTEP_MOTION_PATHS];
    tr_footstep_motion_curve wave[TR_FOOTSTEP_MOTION_WAVES][2];
    tr_vec3 stand_hips; // hips in the standing pose, relative to the base point [m]
    float stand_ankles; // how far the ankles are ahead of the base point then [m]
    float passed;       // tr_footstep_motion_stand
    // The hips when the motion began, and their offset from the plan, which decays from its initial rate.
    tr_vec3 hips_shown, hips_rate, hips_spin;
    tr_quat hips_turn_shown;
    tr_vec3 blend_move, blend_move_rate, blend_turn, blend_turn_rate;
    float blend_since; // [s]
    float shortfall;   // how far the last footstep was out of reach: the step was shortened by this [m]
    float sunk;        // how far the hips had to sink below the plan in the last time step [m]
} tr_footstep_motion_state;

// The joints of a body from whose motion another one continues.
typedef struct tr_footstep_motion_joints {
    tr_affine hips, ankles[2]; // in the world
} tr_footstep_motion_joints;
tr_footstep_motion_joints tr_footstep_motion_joints_of(const tr_legs *legs, const tr_affine *model);

// The body with which a motion begins.
typedef struct tr_footstep_motion_start {
    const tr_affine *model;                  // in the world
    const tr_footstep_motion_joints *before; // a time `since` ago; NULL: it does not move
    float since;                             // [s]
    // The footsteps on which the feet stand, approximately where the feet are. For a foot in the air: where
    // it is about to land.
    tr_footstep feet[2];
    uint32_t in_air; // the foot in the air that lands next; 2: none
    // For a body that walks: the time in which each foot lands next, and the time from one landing to the
    // next one of the other foot [s]. 0: it does not walk.
    float land_in[2], walk_time;
    tr_vec3 base, velocity; // of the base point [m, m/s]
    float heading, turn_rate;
} tr_footstep_motion_start;

// Begins the motion from the current body. A step that has begun is finished: a foot in the air goes on to
// the first footstep, if that is its own, or else to where it was about to land, in the time that is left.
void tr_footstep_motion_begin(tr_footstep_motion_state *state, const tr_legs *legs,
                              const tr_footstep_motion_start *start);
// The footstep on which a foot stands, flat or rolled about heel or ball, on a level floor of this height.
tr_footstep tr_footstep_motion_under(const tr_legs *legs, uint32_t side, const tr_affine *model, float floor);

// A body, what moves it, and where its pose goes. The poses, the place and the model belong to the caller.
typedef struct tr_footstep_motion_view {
    const tr_footstep_motion_params *params;
    const tr_legs *legs;
    const tr_skeleton *skeleton;
    const tr_locomotion *locomotion;
    tr_pose *pose;    // relative to `place`
    tr_pose *scratch; // two more
    tr_affine *place; // base point under the hips, at the height of the feet
    tr_affine *model; // the same pose in the world
} tr_footstep_motion_view;

// Advances the body by dt: sets pose, place and model, but leaves the legs to tr_footstep_motion_legs, so
// that the caller can add the remainder of an earlier motion in between. `footsteps` are the `footstep_count`
// footsteps still to come (three at a time are enough; without any the body comes to rest). *used receives
// how many were begun in this call (0 or 1): remove them from the front. If a footstep is out of reach, the
// body steps towards it as far as the legs allow (`shortfall`). No allocation, the same bits everywhere.
// Returns
//   TR_OK       on the way
//   TR_DONE     no footstep is left and the body stands on both feet, ready to go on standing at `place`
//   TR_INVALID  a parameter, dt or the next footstep is out of range or not finite; nothing was changed
tr_status tr_footstep_motion_body(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                  const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used,
                                  float dt);
// Bends the legs, from the hips in the pose to the feet, and sets `contacts` to what stands. `model` need not
// be up to date.
void tr_footstep_motion_legs(tr_footstep_motion_state *state, const tr_footstep_motion_view *view, float dt,
                             uint32_t *contacts);
// The standing pose: position of the hips relative to the base point, and how far the ankles are ahead of it
// [m]. And walks that are slow, usual and fast: where the base point is on the way from the rear ankle to the
// front one when a foot lands [0.4 to 0.75]. The same for all bodies of a kind. Pose and model of the view
// are scratch.
#define TR_FOOTSTEP_MOTION_WALKS 3
typedef struct tr_footstep_motion_stand {
    tr_vec3 hips;
    float ankles, passed[TR_FOOTSTEP_MOTION_WALKS];
} tr_footstep_motion_stand;
tr_footstep_motion_stand tr_footstep_motion_measure(const tr_footstep_motion_view *view);
// Where the other foot lands if a body walks at `speed` with its base point at `base` then.
tr_footstep tr_footstep_motion_opposite(const tr_legs *legs, const tr_footstep_motion_stand *stand,
                                        const tr_footstep *foot, tr_vec3 base, float heading, float speed);
// Advances only the base point, which does not depend on the pose. A copy of a state that is advanced this
// way goes, bit for bit and with the same `used` and status, where tr_footstep_motion_body takes the
// original, at about a hundredth of the cost. A state advanced this way cannot continue with a body.
tr_status tr_footstep_motion_lead(tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                                  const tr_legs *legs, const tr_footstep_motion_stand *stand,
                                  const tr_footstep *footsteps, uint32_t footstep_count, uint32_t *used,
                                  float dt);
// Gets base point [m], heading [rad] and velocity [m/s] at the end of the last time step, to continue walking
// from.
void tr_footstep_motion_base(const tr_footstep_motion_state *state, tr_vec3 *position, float *heading,
                             tr_vec3 *velocity);
// Returns the phase of the stride as in tr_locomotion_state, to continue walking from.
double tr_footstep_motion_phase(const tr_footstep_motion_state *state);

// Writes or reads the state.
void tr_footstep_motion_archive(tr_footstep_motion_state *state, tr_archive *archive);
