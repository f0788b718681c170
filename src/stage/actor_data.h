// stage/actor_data.h - an actor at work. Internal to actor*.c.
//
//   actor.c         making it, the pose of the moment
//   actor_root.c    where its disc goes, whatever the pose is
//   actor_ghost.c   an actor that is tried and not moved
//   actor_steps.c   going over footprints
//   actor_ground.c  what lies on the floor under the feet
//   actor_tuck.c    shoulders and arms in tight places
//   actor_reach.c   arms that are moved by themselves
//   actor_gaze.c    where it looks
#pragma once
#include "actor_ground.h"
#include "actor_root.h"

#define ACTOR_TRANSITION 0.3f // from one kind of motion to another [s]

// One arm that may be taken.
typedef struct actor_arm {
    bool there;
    tr_arm_joints joints;
    tr_actor_arm_doing doing;
    tr_arm arm; // as read in the last step
    tr_posture posture, velocity, rest;
    float taken;       // how much of the arm is ours: 0 the body's, 1 the posture's
    double since;      // it does what it does [s]
    double time, pace; // in the stroke; how fast time goes there
    tr_stroke stroke;
    tr_posture *knots; // TR_ACTOR_KNOTS_MAX
} actor_arm;

// Where it looks, in the axes of the chest: to the left and down [rad], and how fast that changes.
typedef struct actor_gaze {
    bool active;
    tr_vec3 point;
    float aside, down, aside_rate, down_rate;
} actor_gaze;

struct tr_actor {
    tr_allocator allocator;
    actor_nature nature;
    actor_root root;
    actor_task task;
    tr_stepping_state steps; // over footprints
    uint32_t joint_count, route_points_max;
    tr_locomotion_state locomotion;
    tr_inertia *inertia;
    tr_pose shown[2]; // the last two poses before feet were held, the newest first
    bool has_shown;
    tr_plant_state plant;
    tr_plant_params plant_params;
    actor_ground floor;
    actor_arm *arms; // of tr_arm_side; NULL until they are prepared
    uint32_t first;  // the arm that was taken first: the other one's body is as that one leaves it
    actor_gaze gaze;
    float tuck, tuck_rate; // shoulders turned and arms close: 0 not at all, 1 as far as it goes
    float stillness;       // 0: breathes; 1: does not move at all
    tr_pose pose;
    tr_affine *model, place;
    uint32_t contacts;
};

// One step over the footprints; TR_DONE: it stands at the end of them and is a walker again.
tr_status tr_actor_step_treads(tr_actor *actor, tr_actor_scratch *scratch, float speed_limit);
// Go over to walking, from a stride where that may be had; else it begins at rest.
void tr_actor_leave_treads(tr_actor *actor);
// Keep a pose as one that was shown, before feet were held: what the next transition begins with.
void tr_actor_show(tr_actor *actor, const tr_pose *pose);
// Begin to go over footprints from the body as it is now.
void tr_actor_begin_steps(const tr_actor *actor, tr_stepping_state *steps);

// After the pose, before the feet: shoulders and arms in a tight place.
void tr_actor_step_tuck(tr_actor *actor);
// How much of a step's time passes for a body that stands: less while arms are taken.
float tr_actor_standing_time(const tr_actor *actor, float dt);
// After the feet: put arms that were taken into the pose.
void tr_actor_step_arms(tr_actor *actor);
// After the arms: turn neck and head.
void tr_actor_step_gaze(tr_actor *actor, const tr_arm_joints *joints);
void tr_actor_release_arms(tr_actor *actor); // their memory
