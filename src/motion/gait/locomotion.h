// motion/gait/locomotion.h - makes one walker out of several cyclic clips: any speed from standing to the
// fastest clip, in phase, with the least sliding of the feet.
//
// Kuffner 1998, 7.2: a table, indexed by speed, that says how much of each clip to mix and how fast to play
// it, found by optimisation. With a standing pose and one walk it is the paper's table of interpolation
// factors. Any number of threads may read a finished table. docs/internals/locomotion.md says what is
// minimised.
#pragma once
#include "base/archive.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/manner.h"
#include "motion/foot/foot.h"

#define TR_LOCOMOTION_CLIPS_MAX 8
#define TR_LOCOMOTION_SPEEDS 65 // entries of the table

typedef struct tr_locomotion_def {
    const tr_allocator *allocator;
    const tr_skeleton *skeleton; // with the roles of both legs
    const tr_clip *stand; // its first frame is the standing pose; may loop (breathing). Must outlive it
    const tr_clip *const
        *cycles;          // loops with base and contacts, each one stride that begins with the contact
                          // of the left foot (tr_clip_edit_cycle, tr_gait_make), all in the same direction.
                          // Rising canonical speed. The clips must outlive the table, the array need not
    uint32_t cycle_count; // [1, TR_LOCOMOTION_CLIPS_MAX]
} tr_locomotion_def;

typedef struct tr_locomotion tr_locomotion;

// Creates the table. Takes some ten milliseconds: measures the feet at every phase, speed and mix.
// TR_INVALID: the error names the clip that breaks a rule. TR_NOT_FOUND: the skeleton lacks a leg with roles.
tr_status tr_locomotion_create(const tr_locomotion_def *def, tr_locomotion **locomotion, tr_error *error);
void tr_locomotion_destroy(tr_locomotion *locomotion);          // NULL is allowed
float tr_locomotion_speed_max(const tr_locomotion *locomotion); // canonical speed of the fastest clip [m/s]

// One line of the table.
typedef struct tr_locomotion_mix {
    uint32_t lower; // clip `lower` and the next are mixed; TR_NONE: the standing pose and clip 0
    float blend;    // 0: all lower, 1: all upper
    float rate;     // strides per second
    float slide;    // mean speed of the feet over the ground while they touch it [m/s]
} tr_locomotion_mix;
// Returns the mix for a speed, interpolated between the lines. Above the speed of the fastest clip, that clip
// is played faster, up to twice its speed. A walk and a run are not mixed: over the first third of the
// speeds between them the walk is played faster, then the run slower. Speeds below 0 and NaN count as 0.
tr_locomotion_mix tr_locomotion_at(const tr_locomotion *locomotion, float speed);
// Returns the speed of a line [0, TR_LOCOMOTION_SPEEDS). Speeds rise from 0; the canonical speed of every
// clip has a line.
float tr_locomotion_line_speed(const tr_locomotion *locomotion, uint32_t line); // clamps
// Returns the natural stride rate at a speed, that of people or of the clips themselves [strides/s]. The
// rates of the table tend towards it.
float tr_locomotion_natural_rate(const tr_locomotion *locomotion, float speed); // clamps

typedef enum tr_locomotion_gait {
    TR_LOCOMOTION_ANY, // not chosen yet: the next step chooses by its speed
    TR_LOCOMOTION_WALKS,
    TR_LOCOMOTION_RUNS,
    TR_LOCOMOTION_GAITS
} tr_locomotion_gait;

// State of one character. Zero is valid: standing.
typedef struct tr_locomotion_state {
    double phase;       // of the stride [0, 1): 0 is the contact of the left foot, 0.5 that of the right
    double stand_time;  // in the standing clip [s]
    float speed;        // as last requested. 0: it stands, and its next step is a first one: see `start`.
                        // To come in from another motion, set speed and phase, and `gait` to keep one
    float start;        // progress of the first step out of standing. 0: none under way. Up to 1 both
                        // feet stand, and the weight moves over one of them; up to 2 the other foot swings
    float acceleration; // of late [m/s^2]: a gait changes a little ahead of the speed
    float late;         // the speed a moment ago [m/s], while it changes. 0: none
    float run[2];       // how far each foot has gone from walking (0) to running (1)
    float run_body;     // the same for the rest of the body
    tr_locomotion_gait gait; // that both feet have or are changing to
    // How this person steps. NULL: as the clips; must outlive the state, and is not archived.
    const tr_manner *manner;
    // Steps vary: the share by which the rate of this step and of the one before it departs from the
    // manner's, and the number of steps so far.
    float pace_before, pace;
    uint32_t steps;
} tr_locomotion_state;

// Returns the state of somebody who stands.
tr_locomotion_state tr_locomotion_standing(const tr_locomotion *locomotion, const tr_manner *manner);

// Advances by dt [s, >= 0] at a speed [m/s, >= 0]. Gets the pose relative to the base point and the contacts
// with the ground. `scratch` are two more poses of the skeleton. No allocation, any thread, the same bits
// everywhere. Values that are negative or not finite count as 0. Poses with another joint count are left
// unchanged.
void tr_locomotion_step(const tr_locomotion *locomotion, tr_locomotion_state *state, float speed, float dt,
                        tr_pose *pose, tr_pose scratch[2], uint32_t *contacts);

// The time until the state reaches a phase [0, 1) if the speed stays as it is [s]: 0 for the next contact of
// the left foot, 0.5 for that of the right. INFINITY: it stands.
float tr_locomotion_time_to(const tr_locomotion *locomotion, const tr_locomotion_state *state, double phase);

// The foot that stays in the first step out of standing: 0 left, 1 right; TR_NONE: no such step is under way.
uint32_t tr_locomotion_first_stance(const tr_locomotion_state *state);

// Crouches and sets the feet apart as the manner (may be NULL) says: for poses of other clips, as
// tr_locomotion_step does it with its own. Soles keep their height and direction, and the knees bend. Legs
// that are mixed by angle stay as they are.
void tr_locomotion_settle(const tr_locomotion *locomotion, const tr_manner *manner, tr_pose *pose);

// Writes or reads the state.
void tr_locomotion_archive(tr_locomotion_state *state, tr_archive *archive);
