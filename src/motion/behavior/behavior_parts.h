// motion/behavior/behavior_parts.h - what the makers of behavior clips share: a plan of speeds, postures and
// stances over time. Internal to motion/. Angles in radians, lengths in metres, times in seconds, in doubles.
#pragma once
#include "motion/gait/gait_parts.h"
#include "troupe/motion/behavior_clip.h"

#include <stddef.h>

#define TR_BEHAVIOR_STANCES_MAX 24
#define TR_BEHAVIOR_PARTS_MAX 16
#define TR_BEHAVIOR_VIAS_MAX 8
#define TR_BEHAVIOR_KEYS_MAX 48
#define TR_BEHAVIOR_GRAVITY 9.81
#define TR_BEHAVIOR_HAND_SLOPE (24 * TR_GAIT_DEGREE) // of a hand on the ground, fingers down

// Where the base is, and the height of the ground under it.
typedef struct tr_behavior_place {
    double x, y, z, heading;
} tr_behavior_place;

// A straight jog: when it has phase 0 (the left foot strikes), and where its base is then.
typedef struct tr_behavior_jog {
    double begin;
    tr_behavior_place place;
} tr_behavior_jog;

// A foot in the air at a time: the numbers of tr_gait_foot.
typedef struct tr_behavior_via {
    double time;
    double x, y, z, yaw, pitch, toes;
} tr_behavior_via;

// A foot on the ground: it rolls as in a jog, or as its plant says.
typedef struct tr_behavior_stance {
    double begin, end; // strike, and when the toes leave
    bool jogs;
    tr_behavior_jog jog;
    tr_gait_plant plant;
    double y;    // of the ground under the plant
    double lift; // of the foot in the swing that follows, unless it goes from jog to jog
    bool rolls;  // stands on its ball: its pitch goes from the plant's strike to its push, both downwards
    // The swing that follows goes through these points instead.
    uint32_t via_count;
    bool clears; // on its way through them it keeps off what it stood on, and off the lower ground
    tr_behavior_via vias[TR_BEHAVIOR_VIAS_MAX];
} tr_behavior_stance;

// The speed along the way changes by `by` between two times, as smoothly as it can.
typedef struct tr_behavior_ramp {
    double begin, end, by;
} tr_behavior_ramp;

// What the body does above its feet, from a time on; it takes over between `begin` and `end`.
typedef enum tr_behavior_posture {
    TR_BEHAVIOR_JOGS,
    TR_BEHAVIOR_STANDS,
    TR_BEHAVIOR_KEYED // as the keys of the plan say
} tr_behavior_posture;
typedef struct tr_behavior_layer {
    double begin, end;
    tr_behavior_posture posture;
    tr_behavior_jog jog; // of TR_BEHAVIOR_JOGS
    double idle_seconds; // of TR_BEHAVIOR_STANDS: how long it stands undisturbed from `end` on
    double ground;       // of TR_BEHAVIOR_STANDS: height of what it stands on
} tr_behavior_layer;

// What the body does above its feet at a time. Base and feet of the state do not count, nor does `up`, which
// has its own nodes.
typedef struct tr_behavior_key {
    double time;
    tr_gait_state state;
} tr_behavior_key;

// A number at a time, with its speed and acceleration.
typedef struct tr_behavior_node {
    double time, value, speed, acceleration;
} tr_behavior_node;

// While the weight is 1 the centre of mass moves as the plan says of the hips: it falls freely in a flight,
// whatever the limbs do. The weight rises and falls at the ends.
typedef struct tr_behavior_mass {
    double begin, full, late, end; // begin == end: never
    double y, z;                   // of the centre of mass, relative to the hips, where both agree
} tr_behavior_mass;

// Adds to one number of the state for a while: from 0 to `by` at half-time and back.
typedef struct tr_behavior_bump {
    size_t field; // offset in tr_gait_state
    double begin, end, by;
} tr_behavior_bump;

// A knee or a hand on the ground, at (x, y, z) of its joint.
#define TR_BEHAVIOR_TOUCHES_MAX 16
typedef struct tr_behavior_touch {
    double begin, end;
    double x, y, z;
    double shank, pitch; // of a knee: how far the shank rises from knee to ankle, and the pitch of the foot
    double lift;         // in the swing that follows
} tr_behavior_touch;

// The touches of a limb. It is led to the first one from `begin` on and goes free until `end`.
typedef struct tr_behavior_limb {
    double begin, end;
    uint32_t count;
    tr_behavior_touch touches[TR_BEHAVIOR_TOUCHES_MAX];
    // Of knees: the foot stays where it stands while the knee goes down, or comes up.
    bool stays[2];
    double ground; // of hands: height of what they are put on
} tr_behavior_limb;

typedef struct tr_behavior_plan {
    tr_gait_rig *rig;
    const tr_behavior_clip_def *def;
    double rate, speed;
    double height, length; // of an obstacle
    double clear;          // by how much the body clears it; below 0: it cannot
    tr_gait_cycle cycle;   // the jog
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
    tr_behavior_key keys[TR_BEHAVIOR_KEYS_MAX];
    tr_behavior_node heights[TR_BEHAVIOR_KEYS_MAX]; // of the hips: `up` of keyed postures
    uint32_t key_count, height_count;
    tr_behavior_mass mass;
    tr_behavior_limb knees[2], hands[2];
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
// 1 in the middle of a swing through points, 0 at its ends and everywhere else.
double tr_behavior_free_share(const tr_behavior_plan *plan, uint32_t side, double time);
// The state at any time, also before and after the plan, as the numbers of the plan say.
void tr_behavior_at(const tr_behavior_plan *plan, double time, tr_gait_state *state);
// The same after the rules that need a pose: the centre of mass, and ankles that bend no further than they
// can. Leaves the rig in that pose.
void tr_behavior_pose_at(const tr_behavior_plan *plan, double time, tr_gait_state *state);
void tr_behavior_pose(tr_gait_rig *rig, tr_gait_state *state);
// Knees and hands on the ground: the hips are as high as the knees that stand require, the arms reach for the
// places of the hands. To be called after tr_behavior_pose_at; poses the rig.
void tr_behavior_finish(const tr_behavior_plan *plan, double time, tr_gait_state *state);
uint32_t tr_behavior_touching(const tr_behavior_plan *plan, double time); // tr_contact of knees and hands
// The foot of a leg that kneels, and how much it is that.
double tr_behavior_kneeling_foot(const tr_behavior_plan *plan, uint32_t side, double time,
                                 tr_gait_foot *foot);
// The centre of mass of the rig's pose, relative to its hips, in the axes of the body.
tr_vec3 tr_behavior_mass_centre(const tr_gait_rig *rig);

// A curve through points that are `stride` doubles apart, each with its time first; `field` is the number
// behind it. Continuous up to the acceleration. `slopes` are those at its ends; NULL: those of parabolas.
typedef struct tr_behavior_curve {
    const double *points;
    size_t stride;
    uint32_t count;
} tr_behavior_curve;
double tr_behavior_curve_at(const tr_behavior_curve *curve, size_t field, const double slopes[2],
                            double time);
double tr_behavior_nodes_at(const tr_behavior_node *nodes, uint32_t count, double time);
void tr_behavior_keys_at(const tr_behavior_plan *plan, double time, tr_gait_state *state);

// The edge of the body over each piece of a straight way, over a part of the time: its lowest points for
// obstacles that it goes over, its highest ones for those that it goes under.
typedef enum tr_behavior_edge { TR_BEHAVIOR_OVER, TR_BEHAVIOR_UNDER } tr_behavior_edge;
#define TR_BEHAVIOR_PIECES 128
typedef struct tr_behavior_profile {
    tr_behavior_edge edge;
    double from, width; // of the first piece, of each piece
    double height[TR_BEHAVIOR_PIECES];
} tr_behavior_profile;
void tr_behavior_profile_make(const tr_behavior_plan *plan, tr_behavior_edge edge, double begin, double end,
                              tr_behavior_profile *profile);
// Puts the middle of the plan's obstacle where the body keeps away from it most, between two places on the
// way. Returns how much more than the margin that is.
double tr_behavior_profile_place(const tr_behavior_plan *plan, const tr_behavior_profile *profile,
                                 double begin, double end, double *middle);
// When the base is at a place of a straight way.
double tr_behavior_time_over(const tr_behavior_plan *plan, double z);
// Empties a plan, so that it can be laid out again.
void tr_behavior_forget(tr_behavior_plan *plan);
void tr_behavior_add_height(tr_behavior_plan *plan, double time, double value, double speed,
                            double acceleration);

// A posture of the trunk and the arms [degrees]; the arms are flexion, abduction and elbow of the left one,
// then of the right one. Pelvis and chest turn against each other by `twist`.
typedef struct tr_behavior_posture_row {
    double tilt, lean, twist, nod;
    double arms[2][3];
} tr_behavior_posture_row;
tr_gait_state *tr_behavior_add_key(tr_behavior_plan *plan, double time, const tr_behavior_posture_row *row);

// The kinds: these fill the plan; rig, def, rate, speed and cycle are given.
void tr_behavior_plan_start(tr_behavior_plan *plan);
void tr_behavior_plan_end(tr_behavior_plan *plan);
void tr_behavior_plan_jog(tr_behavior_plan *plan);
void tr_behavior_plan_short(tr_behavior_plan *plan);
void tr_behavior_plan_wait(tr_behavior_plan *plan);
void tr_behavior_plan_jump(tr_behavior_plan *plan);
void tr_behavior_plan_duck(tr_behavior_plan *plan);
void tr_behavior_plan_crawl(tr_behavior_plan *plan);
void tr_behavior_plan_step_up(tr_behavior_plan *plan);
void tr_behavior_plan_climb(tr_behavior_plan *plan);
void tr_behavior_plan_step_down(tr_behavior_plan *plan);
void tr_behavior_plan_leap_down(tr_behavior_plan *plan);
void tr_behavior_plan_stay(tr_behavior_plan *plan);
// Kinds without a plan are those of a gait: turns on the spot, of which `mirrored` only changes the side, and
// the beginning and the end of a walk at a speed. What is to be mirrored is not yet; `info` is of the
// mirrored clip.
tr_status tr_behavior_make_gait(const tr_behavior_clip_def *def, float speed, tr_clip **clip,
                                tr_error *error);
void tr_behavior_gait_info(const tr_behavior_clip_def *def, const tr_clip *clip, tr_behavior_clip_info *info);
