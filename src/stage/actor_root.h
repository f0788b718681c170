// stage/actor_root.h - the root of an actor: where its disc is and goes, apart from the body on it. Internal
// to actor*.c.
//
// How the root moves depends on nothing of the pose. So a copy of it that is stepped with the same limits
// goes where the actor will go, bit for bit: that is what a ghost is.
#pragma once
#include "troupe/stage/actor.h"

#define ACTOR_ROUTE_POINTS 256 // of a route at most, unless told otherwise
#define ACTOR_WAIT_SPEED 0.05f // at a limit below this nobody takes another step over footprints [m/s]

// What the root changes in a step. A copy goes on by itself.
typedef struct actor_root {
    tr_follow_state state;
    float ground; // height of the floor that it is on [m]
    float final_heading;
    bool has_route, has_final;
    bool stepping; // goes over footprints
    tr_actor_doing doing;
    uint32_t tread_count, tread_next;
    uint32_t side; // the stretch to be side-stepped next: no earlier one is
    // A move from standing to standing, a turn on the spot or a step aside, which is always finished: which,
    // since when, from where, and by what part of its angle or way.
    const tr_cast_move *move;
    double move_time;
    tr_base move_begin;
    float move_scale;
    float move_turn;  // by a step aside, on the way [rad]
    tr_vec2 move_way; // of a step aside: its direction
} actor_root;

// A stretch of the route with little room. One that is side-stepped is straight.
typedef struct actor_stretch {
    float begin, end; // along the route [m]
    tr_vec2 to;       // where it ends
    uint8_t passage;  // tr_passage, not open
} actor_stretch;

// What it was told to do, and only reads.
typedef struct actor_task {
    tr_follow_params follow;
    tr_follow_route *route;
    actor_stretch *stretches; // in order
    uint32_t stretch_count, point_count;
    tr_tread *treads;
    tr_stepping_params stepping;
    uint32_t point_room, tread_room; // of route and stretches, of treads
} actor_task;

// The same for all of its life.
typedef struct actor_nature {
    const tr_character *character;
    float dt, speed, corridor;
} actor_nature;

// With room for so many points and footprints. Reserving keeps what it was told; TR_OUT_OF_MEMORY: as it was.
tr_status tr_actor_task_create(const tr_allocator *allocator, uint32_t points, uint32_t treads,
                               actor_task *task, tr_error *error);
tr_status tr_actor_task_reserve(const tr_allocator *allocator, uint32_t points, uint32_t treads,
                                actor_task *task, tr_error *error);
void tr_actor_task_destroy(const tr_allocator *allocator, actor_task *task);

// The root's part of tr_actor_set_route.
tr_status tr_actor_root_set_route(actor_root *root, actor_task *task, const actor_nature *nature,
                                  const tr_vec2 *points, uint32_t point_count, const uint8_t *passage,
                                  const float *final_heading, float speed, tr_error *error);
// Of tr_actor_set_treads; `steps` is what the root goes over them with, begun by the caller where it does not
// go over footprints already.
tr_status tr_actor_root_check_treads(const tr_tread *treads, uint32_t tread_count, tr_error *error);
void tr_actor_root_set_treads(actor_root *root, actor_task *task, const tr_tread *treads,
                              uint32_t tread_count, float (*floor)(void *user, tr_vec3 point),
                              void *floor_user);
// A walker again, on the lower of its two feet.
void tr_actor_root_leave_treads(actor_root *root, const tr_stepping_state *steps);

// A step on the level: a turn on the spot, or along the route. `root->doing` says what the body is to do.
tr_status tr_actor_root_walk(actor_root *root, const actor_task *task, const actor_nature *nature,
                             float speed_limit);
// A step over footprints, after the body (or tr_stepping_lead) has made it: `used` and `status` are its own.
uint32_t tr_actor_root_treads_seen(const actor_root *root, float speed_limit);
tr_status tr_actor_root_follow_steps(actor_root *root, const tr_stepping_state *steps, uint32_t used,
                                     tr_status status, float dt);
// Is there a tight stretch within so far ahead of the root or behind it [m]?
bool tr_actor_root_is_tight(const actor_root *root, const actor_task *task, float ahead, float behind);
// Does it stay where it is, however often it is stepped with a limit of 0?
bool tr_actor_root_rests(const actor_root *root, const tr_stepping_state *steps);
