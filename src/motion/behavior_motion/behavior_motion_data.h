// motion/behavior_motion/behavior_motion_data.h - what the sources of behavior_motion share.
//
//   behavior_motion.c         memory, the chain
//   behavior_motion_step.c    a step of the chain: its clips in phase
//   behavior_motion_join.c    what decays after a joint of two steps
//   behavior_motion_root.c    root, goal and ground
//   behavior_motion_plant.c   what is held, where and when
//   behavior_motion_sample.c  the body at a time
//   behavior_motion_bake.c    into a clip
//   behavior_motion_archive.c into bytes and back
#pragma once
#include "troupe/motion/behavior_motion.h"
#include "motion/foot/foot.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define MOTION_KNOTS 16 // most pairs of events by which two clips are kept in phase
#define MOTION_LIMBS (TR_BEHAVIOR_MOTION_LIMBS_MAX)
#define MOTION_DECAY 0.3f  // of offsets after a joint of two steps [s]
#define MOTION_SMALL 1e-6f // corrections smaller than this are left out [m, rad]

// A limb that is held. A foot has two points, heel and ball; a knee has no bone below it that is turned.
typedef struct motion_limb {
    tr_limb limb;
    uint32_t contacts;   // bits of tr_contact
    bool is_foot, bends; // bends: two bones; otherwise one bone is turned
    tr_foot foot;
    uint32_t upper, end;
} motion_limb;

// What the offset of the step before from this one is when this one begins, and its rate.
typedef struct motion_offset {
    tr_vec3 move, move_rate, turn, turn_rate;
} motion_offset;

typedef struct motion_step {
    tr_behavior_motion_step is;
    double begin, seconds; // when it begins, how long it takes [s]
    tr_base residual;      // what its clips lack to where the next step begins, in the world
    float decay;           // of its offset [s]; 0: there is none
    tr_vec2 base_rate;     // offset of the velocity of the root
    float base_turn_rate;
    float risen;                  // sum of the rises before it [m]
    uint32_t knot_count;          // of a mix
    float knots[2][MOTION_KNOTS]; // time of each pair of events in its clip, as a share of its length
} motion_step;

// A point that touches the ground from frame `begin` to frame `end`.
typedef struct motion_plant {
    uint32_t begin, end;
    bool toes;               // of a foot: its ball is held, otherwise its heel
    bool flat;               // both are: it keeps its heading
    bool joins;              // the foot has touched the ground since the plant before
    float yaw;               // of a flat foot [rad]
    tr_vec3 anchor;          // where the point is held
    tr_vec2 slope;           // of the floor there [m/m]
    tr_vec3 off[2], rate[2]; // correction and its rate at both ends
    float turn[2];           // the same of the heading: flat feet only
    float bulge;             // how far the floor rises above the line to the next plant [m, >= 0]
} motion_plant;

// What a frame shows of a limb before anything is held.
typedef struct motion_track {
    tr_vec3 upper, end, points[2];
    float yaw;
    uint8_t contacts; // bit 0: the first point, bit 1: the second
} motion_track;

struct tr_behavior_motion {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    tr_behavior_motion_clip *clips;
    uint32_t clip_count;
    double rate;
    tr_behavior_motion_style style;
    uint32_t blend, joint_count;
    motion_limb limbs[MOTION_LIMBS];
    uint32_t limb_count;
    uint32_t hips;    // joint that is lowered; TR_NONE
    tr_pose poses[4]; // for setting a chain
    tr_affine *model;
    // The chain.
    motion_step *steps;
    motion_offset *offsets;                                   // joint_count for each step
    uint32_t step_count, step_room, offset_room, frame_count; // frames: the last one included
    float *ground, *drop; // of each frame: height of the ground, how far the hips are lowered [m]
    uint32_t ground_room, drop_room;
    motion_track *tracks; // limb_count for each frame
    uint32_t track_room;
    motion_plant *plants; // of the first limb, then of the second...
    uint32_t plant_room, plant_first[MOTION_LIMBS + 1];
    double duration;
    tr_base end;
    tr_base goal_off;                          // from the end to the goal, in the world
    double goal_begin, goal_end;               // when it is walked off [s]
    float (*floor)(void *user, tr_vec2 point); // these three while a chain is set only
    void *floor_user;
    const tr_affine *stands;
};

void tr_motion_clear(tr_behavior_motion *motion); // it has no chain
// What follows from the steps that are there, and from where the last one ends.
void tr_motion_take_steps(tr_behavior_motion *motion, tr_base end, uint32_t count);

// --- Steps ---
void tr_motion_step_knots(const tr_behavior_motion *motion, motion_step *step);
// The pose of a step at a time since it began [s], before and after it, too. `scratch` is for mixes.
void tr_motion_step_pose(const tr_behavior_motion *motion, const motion_step *step, double since,
                         tr_pose *pose, tr_pose *scratch);
tr_base tr_motion_step_base(const tr_behavior_motion *motion, const motion_step *step, double since);
uint32_t tr_motion_step_contacts(const tr_behavior_motion *motion, const motion_step *step, double since);
// How much of its clips comes before and after it [s].
double tr_motion_step_extra(const tr_behavior_motion *motion, const motion_step *step, bool after);
// The step at a time, and the time since it began, at most its length unless it is the last.
uint32_t tr_motion_step_number(const tr_behavior_motion *motion, double time, double *since);

// --- Joints ---
void tr_motion_join(tr_behavior_motion *motion, uint32_t step);
void tr_motion_join_apply(const tr_behavior_motion *motion, uint32_t step, double since, tr_pose *pose);
// Quintic polynomials in s = t / T that end at rest: a place from 1, a speed from rate 1 (in s).
void tr_motion_fade(double s, double *place, double *speed);

// --- Root ---
void tr_motion_set_goal(tr_behavior_motion *motion, const tr_base *goal);
void tr_motion_set_ground(tr_behavior_motion *motion);
tr_base tr_motion_base(const tr_behavior_motion *motion, double time);
// How much of the way to the goal has been walked off [0 to 1].
float tr_motion_goal_share(const tr_behavior_motion *motion, double time);
float tr_motion_ground(const tr_behavior_motion *motion, double time);
// How much of its rise a clip has climbed at a time, up to its whole rise.
float tr_motion_climbed(const tr_behavior_motion *motion, double time);
// Around joints of the paper's style: how much of another step is mixed in [0 to 0.5], and its time.
double tr_motion_window(const tr_behavior_motion *motion, uint32_t number, double since, uint32_t *other,
                        double *other_since);
float tr_motion_curve(const float *values, uint32_t count, double at); // smooth through steady samples

// --- The body before anything is held ---
void tr_motion_raw(const tr_behavior_motion *motion, double time, tr_pose *pose, tr_pose *scratch,
                   tr_affine *place);
uint32_t tr_motion_labels(const tr_behavior_motion *motion, double time);

// --- Plants ---
// For the steps, ground and goal that are set. false: no memory.
bool tr_motion_set_plants(tr_behavior_motion *motion);
void tr_motion_track_limb(const motion_limb *limb, const tr_affine *model, motion_track *track);
// The correction of a limb at a time: where its end has to be, how it is turned. false: it is right as it is.
typedef struct motion_hold {
    tr_vec3 end;
    tr_quat turn; // from outside, on top of its rotation
} motion_hold;
bool tr_motion_hold_at(const tr_behavior_motion *motion, uint32_t limb, double time,
                       const motion_track *track, motion_hold *hold);
