// stage/actor/actor_data.h - internal data of an actor: a cast, one driver at a time, an overlay. Internal to
// actor*.c.
//
//   actor.c            creation, a tick
//   actor_steps.c      feet and footsteps
//   actor_ghost.c      trials of an actor's motion
//   actor_trail.c      where the last ghost walked
//   actor_rehearsal.c  where earlier ghosts walked on the same route
//   actor_perform.c    chains of behaviors
//   actor_arms.c       arms and gaze
//   actor_upper.c      departures of waist and arms; understudies
//   actor_archive.c    writing and reading an actor
#pragma once
#include "stage/actor/actor.h"

#include <string.h>

#define ACTOR_ROUTE_POINTS 256 // points of a route at most, unless set otherwise

#define ACTOR_TRAIL 64 // ticks of a ghost that are remembered; a power of two

// Where a ghost walked at one limit. A planner that plans again a few ticks later finds the actor on the
// trail and knows most of the next trial already. Only plain walking is kept, in which nothing but the
// `state` of the root changes.
typedef struct actor_trail {
    uint64_t first; // tick of the actor
    uint32_t count; // states of the ticks [first, first + count); 0: none
    float limit;
    tr_driver_root root;                 // in all these ticks, except for its state
    tr_follow_state states[ACTOR_TRAIL]; // of a tick at tick % ACTOR_TRAIL
} actor_trail;

// A route as given to a ghost; see tr_actor_set_route.
typedef struct actor_told {
    const tr_vec2 *points;
    uint32_t point_count;
    const uint8_t *passage;
    const float *final_heading;
    float speed;
    const float *heights; // NULL: level
} actor_told;

#define ACTOR_REHEARSAL_POINTS 32 // longer routes are not kept
#define ACTOR_REHEARSAL_RUNS 32
#define ACTOR_REHEARSAL_STATES 288

// Consecutive states: ticks at one limit lead from each to the next.
typedef struct actor_run {
    float limit;
    uint32_t side;         // of the root in all of them
    uint32_t first, count; // states
} actor_run;

// The place of a ghost on a run; `run` TR_NONE: it is on none.
typedef struct actor_run_place {
    uint32_t run, at;
} actor_run_place;

// The last route that a standing actor was given, and the plain walking that followed: as in a trail, nothing
// but the state of the root changes.
typedef struct actor_rehearsal {
    tr_actor *actor;       // NULL: unused
    tr_follow_state begin; // of the actor, before it gets the route
    float ground;
    float speed, final_heading;
    bool has_passage, has_final;
    uint32_t point_count;
    uint32_t misses; // other routes that it was given since
    tr_vec2 points[ACTOR_REHEARSAL_POINTS];
    uint8_t passage[ACTOR_REHEARSAL_POINTS];
    tr_driver_root root; // after it got the route
    uint32_t run_count, state_count;
    actor_run runs[ACTOR_REHEARSAL_RUNS];
    tr_follow_state states[ACTOR_REHEARSAL_STATES];
} actor_rehearsal;

// The rehearsals of one ghost, for the actors that need one.
typedef struct actor_rehearsals {
    actor_rehearsal **each;
    uint32_t count, capacity;
    uint32_t next; // the next to be reused
} actor_rehearsals;

struct tr_actor {
    tr_allocator allocator;
    tr_driver_nature nature;
    tr_driver_state driver;
    tr_driver_task task;
    tr_manner manner;    // before the body, which points to it
    tr_driver_body body; // its `pose` is the member below
    tr_overlay *overlay;
    uint32_t joint_count, route_points_max;
    tr_pose pose;
    tr_footstep_motion_joints before; // as they were shown a tick ago
    uint64_t ticks;                   // number of its steps
    actor_trail *trail;               // NULL until its first route
    const actor_rehearsals *rehearsed_by;
    uint32_t rehearsal; // its number in the ghost
    uint32_t told;      // routes given to ghosts since the actor took one
    // Chains of behaviors: the one that it plays or has played, and the one that was tried last. NULL until
    // they are prepared.
    tr_behavior_motion *motions[2];
    uint32_t motion; // which of them it plays
    double tried;    // time of the chain that was tried at which it would begin [s]
};

// Reserves room for a route of this many points, and for a trail.
tr_status tr_actor_reserve_route(tr_actor *actor, uint32_t points, tr_error *error);

// Compares bits: zeros have signs. Eight bytes at a time, because ghosts call this in every tick.
static inline bool tr_actor_is_same_state(const tr_follow_state *a, const tr_follow_state *b) {
    _Static_assert(sizeof *a == 6 * sizeof(uint64_t), "a state has no padding");
    uint64_t x[6], y[6], differ = 0;
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (int i = 0; i < 6; i++)
        differ |= x[i] ^ y[i];
    return differ == 0;
}

// Call it when the actor gets another route or task.
void tr_actor_trail_forget(tr_actor *actor);
// If `root`, `after` ticks from now, is on the trail of this limit: returns how many of the following ticks
// are known.
uint32_t tr_actor_trail_known(const tr_actor *actor, uint32_t after, const tr_driver_root *root, float limit);
// Moves `root`, which is on the trail at `after`, to the next tick, which is known.
void tr_actor_trail_follow(const tr_actor *actor, uint32_t after, tr_driver_root *root);
// Adds a ghost's step from `from`, at `after`, to `to`. If that does not lengthen the present trail, it
// begins another one, unless the actor is on the present one. `is_last`: the tick before has shown that
// `from` is the last of the trail; returns the same for `to`.
bool tr_actor_trail_add(tr_actor *actor, uint32_t after, const tr_driver_root *from, const tr_driver_root *to,
                        float limit, bool is_last);

// The rehearsal for an actor and a route; NULL: none is kept. A rehearsal that does not fit must be begun,
// with the root of a ghost that was given the route.
actor_rehearsal *tr_actor_rehearsal_of(actor_rehearsals *all, tr_actor *actor, const actor_told *told);
void tr_actor_rehearsal_begin(actor_rehearsal *rehearsal, tr_actor *actor, const actor_told *told,
                              const tr_driver_root *root);
actor_told tr_actor_rehearsal_told(const actor_rehearsal *rehearsal);
// The state that follows `root` at this limit, and moves `place` to it; NULL: unknown.
const tr_follow_state *tr_actor_rehearsal_next(const actor_rehearsal *rehearsal, actor_run_place *place,
                                               const tr_driver_root *root, float limit);
// Adds a ghost's step from `from`, at `place`, to `to`.
void tr_actor_rehearsal_add(actor_rehearsal *rehearsal, actor_run_place *place, const tr_driver_root *from,
                            const tr_driver_root *to, float limit);
// Reserves room for this many. false: no memory for all of them.
bool tr_actor_rehearsals_reserve(actor_rehearsals *all, const tr_allocator *allocator, uint32_t count);
void tr_actor_rehearsals_release(actor_rehearsals *all, const tr_allocator *allocator);

// Takes a manner over that tr_manner_check has accepted.
void tr_actor_set_manner(tr_actor *actor, const tr_manner *manner);
// Begins footstep motion from the present state of the body.
void tr_actor_begin_steps(const tr_actor *actor, tr_footstep_motion_state *steps);
// Walks again, with the feet held where they are shown. Continues a stride if possible; otherwise begins at
// rest.
void tr_actor_leave_footsteps(tr_actor *actor);
// Stands again, with the feet held where the chain of behaviors has left them.
void tr_actor_end_perform(tr_actor *actor);
