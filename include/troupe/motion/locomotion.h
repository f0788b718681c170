// troupe/motion/locomotion.h - one walker out of several cyclic clips: any speed from standing to the
// fastest, in phase, with the least sliding of the feet.
//
// Kuffner 1998, 7.2: a table, indexed by speed, of how much of each clip to mix and how fast to play it,
// chosen by optimisation. With a standing pose and one walk it is the paper's table of interpolation factors.
// A finished one is read by any number of threads; docs/locomotion.md says what is minimised.
#pragma once
#include "troupe/base/archive.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/foot.h"

TR_BEGIN_DECLARATIONS

#define TR_LOCOMOTION_CLIPS_MAX 8
#define TR_LOCOMOTION_SPEEDS 65 // entries of the table

typedef struct tr_locomotion_def {
    const tr_allocator *allocator;
    const tr_skeleton *skeleton; // with the roles of both legs
    const tr_clip *stand; // its first frame is how the body stands; it may loop (breathing). Must outlive it
    const tr_clip *const
        *cycles;          // loop, with base and contacts, each one stride beginning with the left
                          // foot's contact (tr_clip_edit_cycle, tr_gait_make), all going the same way.
                          // Rising canonical speed. The clips must outlive it, the array need not
    uint32_t cycle_count; // [1, TR_LOCOMOTION_CLIPS_MAX]
} tr_locomotion_def;

typedef struct tr_locomotion tr_locomotion;

// Takes some ten milliseconds: measures the feet at every phase, speed and mix. TR_INVALID names the clip
// that breaks a rule, TR_NOT_FOUND: the skeleton lacks a leg with roles.
TR_API tr_status tr_locomotion_create(const tr_locomotion_def *def, tr_locomotion **locomotion,
                                      tr_error *error);
TR_API void tr_locomotion_destroy(tr_locomotion *locomotion); // NULL is allowed
TR_API float tr_locomotion_speed_max(
    const tr_locomotion *locomotion); // canonical speed of the fastest clip [m/s]

// One line of the table.
typedef struct tr_locomotion_mix {
    uint32_t lower; // clip `lower` and the next are mixed; TR_NONE: the standing pose and clip 0
    float blend;    // 0: all lower, 1: all upper
    float rate;     // strides per second
    float slide;    // mean speed of the feet over the ground while they touch it [m/s]
} tr_locomotion_mix;
// Between the lines. Faster than the fastest clip is that clip played faster, up to twice its speed; below 0
// and NaN count as 0.
TR_API tr_locomotion_mix tr_locomotion_at(const tr_locomotion *locomotion, float speed);
// The speed of a line [0, TR_LOCOMOTION_SPEEDS): rising from 0, the canonical speed of every clip is one.
TR_API float tr_locomotion_line_speed(const tr_locomotion *locomotion, uint32_t line); // clamps
// How fast people would walk or the clips themselves step at a speed [strides/s]: what the rates lean to.
TR_API float tr_locomotion_natural_rate(const tr_locomotion *locomotion, float speed); // clamps

// One character's state; zero is valid: standing.
typedef struct tr_locomotion_state {
    double phase;      // of the stride [0, 1): 0 is the contact of the left foot, 0.5 that of the right
    double stand_time; // in the standing clip [s]
    float speed;       // that was asked for last. 0: it stands, and its next step begins in mid-stance, at a
                       // phase of our choice; to come in from another motion set speed and phase
    float mix_speed;   // whose mixture is shown: behind `speed` between walking and running, where it changes
                       // only just after a foot came down [m/s]
} tr_locomotion_state;

// Go on by dt [s, >= 0] at a speed [m/s, >= 0] and give the pose relative to the base point, and what touches
// the ground. `scratch` are two more poses of the skeleton. No allocation, any thread, the same bits
// everywhere. What is not finite or below 0 counts as 0; poses of another joint count are left alone.
TR_API void tr_locomotion_step(const tr_locomotion *locomotion, tr_locomotion_state *state, float speed,
                               float dt, tr_pose *pose, tr_pose scratch[2], uint32_t *contacts);

// Written or read.
TR_API void tr_locomotion_archive(tr_locomotion_state *state, tr_archive *archive);

TR_END_DECLARATIONS
