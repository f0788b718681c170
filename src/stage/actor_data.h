// stage/actor_data.h - an actor at work. Internal to actor*.c.
//
//   actor.c         making it, the disc, the pose of the moment
//   actor_steps.c   going over footprints
//   actor_ground.c  what lies on the floor under the feet
#pragma once
#include "actor_ground.h"

#define ACTOR_TRANSITION 0.3f // from one kind of motion to another [s]

struct tr_actor {
    tr_allocator allocator;
    const tr_character *character;
    uint32_t joint_count;
    float ground, dt, speed, corridor;
    tr_follow_params follow;
    tr_follow_route *route;
    tr_follow_state state;
    bool has_route, has_final;
    float final_heading;
    tr_actor_doing doing;
    tr_locomotion_state locomotion;
    // A turn on the spot: which clip, since when, from where, and by what part of its angle.
    const tr_clip *turn;
    double turn_time;
    tr_base turn_begin;
    float turn_scale;
    double side_phase; // of the side-steps [s]
    uint32_t side;     // 0 left, 1 right
    tr_inertia *inertia;
    tr_pose shown[2]; // the last two poses before feet were held, the newest first
    bool has_shown;
    tr_plant_state plant;
    tr_plant_params plant_params;
    actor_ground floor;
    // Footprints that it goes over, and how many of them are done.
    tr_tread *treads;
    uint32_t tread_count, tread_next;
    bool stepping;
    tr_stepping_state steps;
    tr_stepping_params steps_params;
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
// Where the base point will be after so many steps over footprints.
void tr_actor_predict_treads(const tr_actor *actor, float speed_limit, uint32_t stride, uint32_t count,
                             tr_vec2 *positions);
