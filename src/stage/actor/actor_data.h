// stage/actor_data.h - an actor at work: a cast, one driver at a time, an overlay. Internal to actor*.c.
//
//   actor.c        making it, a tick
//   actor_steps.c  its feet, and footsteps
//   actor_ghost.c  an actor that is tried and not moved
//   actor_trail.c  where its last ghost walked
//   actor_rehearsal.c  where ghosts walked that were told the same route before
//   actor_arms.c   arms and gaze
//   actor_archive.c  an actor into bytes and back
#pragma once
#include "stage/actor/actor.h"

#include <string.h>

#define ACTOR_ROUTE_POINTS 256 // of a route at most, unless told otherwise

#define ACTOR_TRAIL 64 // ticks that are remembered of a ghost; a power of two

// Where a ghost walked at one limit. Whoever plans again a few ticks later finds the actor on it and has most
// of the next try already. Only plain walking is kept: of the root nothing but `state` changes then.
typedef struct actor_trail {
    uint64_t first; // tick of the actor
    uint32_t count; // states of the ticks [first, first + count); 0: none
    float limit;
    tr_driver_root root;                 // in all these ticks, but for its state
    tr_follow_state states[ACTOR_TRAIL]; // of a tick at tick % ACTOR_TRAIL
} actor_trail;

// A route as a ghost is told it; see tr_actor_set_route.
typedef struct actor_told {
    const tr_vec2 *points;
    uint32_t point_count;
    const uint8_t *passage;
    const float *final_heading;
    float speed;
} actor_told;

#define ACTOR_REHEARSAL_POINTS 32 // longer routes are not kept
#define ACTOR_REHEARSAL_RUNS 32
#define ACTOR_REHEARSAL_STATES 288

// States one after the other, as ticks at one limit lead from each to the next.
typedef struct actor_run {
    float limit;
    uint32_t side;         // of the root in all of them
    uint32_t first, count; // states
} actor_run;

// Where on a run a ghost is; `run` TR_NONE: on none.
typedef struct actor_run_place {
    uint32_t run, at;
} actor_run_place;

// What an actor that stands was told last, and what came of it in plain walking: as in a trail nothing but
// the state of the root changes then.
typedef struct actor_rehearsal {
    tr_actor *actor;       // NULL: nobody's
    tr_follow_state begin; // of the actor, before it is told
    float ground;
    float speed, final_heading;
    bool has_passage, has_final;
    uint32_t point_count;
    uint32_t misses; // other routes that it was told since
    tr_vec2 points[ACTOR_REHEARSAL_POINTS];
    uint8_t passage[ACTOR_REHEARSAL_POINTS];
    tr_driver_root root; // once it is told
    uint32_t run_count, state_count;
    actor_run runs[ACTOR_REHEARSAL_RUNS];
    tr_follow_state states[ACTOR_REHEARSAL_STATES];
} actor_rehearsal;

// Those of one ghost, for the actors that need one.
typedef struct actor_rehearsals {
    actor_rehearsal **each;
    uint32_t count, capacity;
    uint32_t next; // to be given away
} actor_rehearsals;

struct tr_actor {
    tr_allocator allocator;
    tr_driver_nature nature;
    tr_driver_state driver;
    tr_driver_task task;
    tr_driver_body body; // its `pose` is the one below
    tr_overlay *overlay;
    uint32_t joint_count, route_points_max;
    tr_pose pose;
    uint64_t ticks;     // that it was stepped
    actor_trail *trail; // NULL until it is told a route
    const actor_rehearsals *rehearsed_by;
    uint32_t rehearsal; // its number there
    uint32_t told;      // how often a ghost was told a route since the actor took one
};

// Room for a route of so many points, and for a trail.
tr_status tr_actor_reserve_route(tr_actor *actor, uint32_t points, tr_error *error);

// To the bit: zeros have signs. Eight bytes at a time: ghosts ask this in every tick.
static inline bool tr_actor_is_same_state(const tr_follow_state *a, const tr_follow_state *b) {
    _Static_assert(sizeof *a == 6 * sizeof(uint64_t), "a state has no padding");
    uint64_t x[6], y[6], differ = 0;
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    for (int i = 0; i < 6; i++)
        differ |= x[i] ^ y[i];
    return differ == 0;
}

// The actor was told something else.
void tr_actor_trail_forget(tr_actor *actor);
// If `root`, `after` ticks from now, is on the trail of this limit: how many of the ticks after it are known.
uint32_t tr_actor_trail_known(const tr_actor *actor, uint32_t after, const tr_driver_root *root, float limit);
// From `root`, which is on the trail at `after`, to the next tick, which is known.
void tr_actor_trail_follow(const tr_actor *actor, uint32_t after, tr_driver_root *root);
// A ghost went on from `from`, at `after`, to `to`. Begins another trail where that does not lengthen the
// present one, unless the actor is on the present one. `is_last`: `from` is the last of the trail, as is
// known from the tick before; gives the same of `to`.
bool tr_actor_trail_add(tr_actor *actor, uint32_t after, const tr_driver_root *from, const tr_driver_root *to,
                        float limit, bool is_last);

// The rehearsal of what an actor is told, NULL where nothing is kept of it. One that does not fit is to be
// begun, with the root of a ghost that was told.
actor_rehearsal *tr_actor_rehearsal_of(actor_rehearsals *all, tr_actor *actor, const actor_told *told);
void tr_actor_rehearsal_begin(actor_rehearsal *rehearsal, tr_actor *actor, const actor_told *told,
                              const tr_driver_root *root);
actor_told tr_actor_rehearsal_told(const actor_rehearsal *rehearsal);
// The state that follows `root` at this limit, NULL where that is not known; `place` goes on to it.
const tr_follow_state *tr_actor_rehearsal_next(const actor_rehearsal *rehearsal, actor_run_place *place,
                                               const tr_driver_root *root, float limit);
// A ghost went on from `from`, at `place`, to `to`.
void tr_actor_rehearsal_add(actor_rehearsal *rehearsal, actor_run_place *place, const tr_driver_root *from,
                            const tr_driver_root *to, float limit);
// Room for so many. false: no memory for all of them.
bool tr_actor_rehearsals_reserve(actor_rehearsals *all, const tr_allocator *allocator, uint32_t count);
void tr_actor_rehearsals_release(actor_rehearsals *all, const tr_allocator *allocator);

// Begin to go over footsteps from the body as it is now.
void tr_actor_begin_steps(const tr_actor *actor, tr_footstep_motion_state *steps);
// A walker again, whose feet are held where they are shown. Goes on from a stride where that may be had; else
// it begins at rest.
void tr_actor_leave_footsteps(tr_actor *actor);
