// motion/behavior/behavior_parts.h - what the makers of behavior clips share: a plan of speeds, postures and
// stances over time. Internal to motion/. Angles in radians, lengths in metres, times in seconds, in doubles.
#pragma once
#include "motion/gait/gait_parts.h"
#include "troupe/motion/behavior_clip.h"

#include <stddef.h>

#define TR_BEHAVIOR_STANCES_MAX 24
#define TR_BEHAVIOR_PARTS_MAX 16

// Where the base is, and the height of the ground under it.
typedef struct tr_behavior_place {
    double x, y, z, heading;
} tr_behavior_place;

// A straight jog: when it has phase 0 (the left foot strikes), and where its base is then.
typedef struct tr_behavior_jog {
    double begin;
    tr_behavior_place place;
} tr_behavior_jog;

// A foot on the ground: it rolls as in a jog, or as its plant says.
typedef struct tr_behavior_stance {
    double begin, end; // strike, and when the toes leave
    bool jogs;
    tr_behavior_jog jog;
    tr_gait_plant plant;
    double y;    // of the ground under the plant
    double lift; // of the foot in the swing that follows, unless it goes from jog to jog
} tr_behavior_stance;

// The speed along the way changes by `by` between two times, as smoothly as it can.
typedef struct tr_behavior_ramp {
    double begin, end, by;
} tr_behavior_ramp;

// What the body does above its feet, from a time on; it takes over between `begin` and `end`.
typedef enum tr_behavior_posture {
    TR_BEHAVIOR_JOGS,
    TR_BEHAVIOR_STANDS,
    TR_BEHAVIOR_HOLDS
} tr_behavior_posture;
typedef struct tr_behavior_layer {
    double begin, end;
    tr_behavior_posture posture;
    tr_behavior_jog jog; // of TR_BEHAVIOR_JOGS
    double idle_seconds; // of TR_BEHAVIOR_STANDS: how long it stands undisturbed from `end` on
    tr_gait_state state; // of TR_BEHAVIOR_HOLDS; base and feet do not count
} tr_behavior_layer;

// Adds to one number of the state for a while: from 0 to `by` at half-time and back.
typedef struct tr_behavior_bump {
    size_t field; // offset in tr_gait_state
    double begin, end, by;
} tr_behavior_bump;

typedef struct tr_behavior_plan {
    tr_gait_rig *rig;
    const tr_behavior_clip_def *def;
    double rate, speed;
    tr_gait_cycle cycle; // the jog
    double duration, action;
    bool stands_before, stands_after;
    tr_behavior_clip_label begin_label, end_label;
    double exit_phase;           // of the jog at the end
    double turn;                 // of the heading, over the whole duration
    double first_speed;          // at time 0
    tr_behavior_jog entry, exit; // the jogs before and after; `exit` is set by tr_behavior_leave
    tr_behavior_ramp ramps[TR_BEHAVIOR_PARTS_MAX];
    tr_behavior_layer layers[TR_BEHAVIOR_PARTS_MAX];
    tr_behavior_bump bumps[TR_BEHAVIOR_PARTS_MAX];
    uint32_t ramp_count, layer_count, bump_count;
    tr_behavior_stance stances[2][TR_BEHAVIOR_STANCES_MAX];
    uint32_t stance_count[2];
} tr_behavior_plan;

// A whole number of frames that is not less.
double tr_behavior_whole(const tr_behavior_plan *plan, double seconds);
void tr_behavior_add_ramp(tr_behavior_plan *plan, double begin, double end, double by);
void tr_behavior_add_layer(tr_behavior_plan *plan, tr_behavior_layer layer);
void tr_behavior_add_bump(tr_behavior_plan *plan, size_t field, double begin, double end, double by);
tr_behavior_stance *tr_behavior_add_jog_stance(tr_behavior_plan *plan, uint32_t side, double begin,
                                               tr_behavior_jog jog);
// The times of the stance are those of the plant.
tr_behavior_stance *tr_behavior_add_stance(tr_behavior_plan *plan, uint32_t side, tr_gait_plant plant);

// A plan begins with tr_behavior_enter, if it comes from the jog, or with tr_behavior_stand. It ends with
// tr_behavior_leave, once its duration and ramps are known, or with tr_behavior_rest.
void tr_behavior_enter(tr_behavior_plan *plan);
void tr_behavior_leave(tr_behavior_plan *plan);

// Where the base is at a time, and the acceleration along the way [m/s^2].
tr_behavior_place tr_behavior_base(const tr_behavior_plan *plan, double time);
double tr_behavior_acceleration(const tr_behavior_plan *plan, double time);
double tr_behavior_turn_rate(const tr_behavior_plan *plan, double time); // [rad/s]
// The jog that a body is in which has this phase at a time, and is at this place then.
tr_behavior_jog tr_behavior_jog_at(const tr_behavior_plan *plan, double time, double phase,
                                   tr_behavior_place place);
// The jog whose base is where the plan's is in the middle of a stance that begins at a time.
tr_behavior_jog tr_behavior_jog_over(const tr_behavior_plan *plan, uint32_t side, double begin);
void tr_behavior_foot(const tr_behavior_plan *plan, uint32_t side, double time, tr_gait_foot *foot);
// The state at any time, also before and after the plan.
void tr_behavior_at(const tr_behavior_plan *plan, double time, tr_gait_state *state);

// The kinds: these fill the plan; rig, def, rate, speed and cycle are given.
void tr_behavior_plan_start(tr_behavior_plan *plan);
void tr_behavior_plan_end(tr_behavior_plan *plan);
void tr_behavior_plan_jog(tr_behavior_plan *plan);
void tr_behavior_plan_short(tr_behavior_plan *plan);
void tr_behavior_plan_wait(tr_behavior_plan *plan);
