// stage/actor_data.h - an actor at work: a cast, one driver at a time, an overlay. Internal to actor*.c.
//
//   actor.c        making it, a tick
//   actor_steps.c  its feet, and footprints
//   actor_ghost.c  an actor that is tried and not moved
//   actor_trail.c  where its last ghost walked
//   actor_arms.c   arms and gaze
//   actor_archive.c  an actor into bytes and back
#pragma once
#include "troupe/stage/actor.h"

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
};

// Room for a route of so many points, and for a trail.
tr_status tr_actor_reserve_route(tr_actor *actor, uint32_t points, tr_error *error);

// The actor was told something else.
void tr_actor_trail_forget(tr_actor *actor);
// If `root`, `after` ticks from now, is on the trail of this limit: how many of the ticks after it are known.
uint32_t tr_actor_trail_known(const tr_actor *actor, uint32_t after, const tr_driver_root *root, float limit);
// From `root`, which is on the trail at `after`, to the next tick, which is known.
void tr_actor_trail_follow(const tr_actor *actor, uint32_t after, tr_driver_root *root);
// A ghost went on from `from`, at `after`, to `to`. Begins another trail where that does not lengthen the
// present one, unless the actor is on the present one.
void tr_actor_trail_add(tr_actor *actor, uint32_t after, const tr_driver_root *from, const tr_driver_root *to,
                        float limit);

// Begin to go over footprints from the body as it is now.
void tr_actor_begin_steps(const tr_actor *actor, tr_stepping_state *steps);
// A walker again, whose feet are held where they are shown. Goes on from a stride where that may be had; else
// it begins at rest.
void tr_actor_leave_treads(tr_actor *actor);
