// stage/actor_data.h - an actor at work: a cast, one driver at a time, an overlay. Internal to actor*.c.
//
//   actor.c        making it, a tick
//   actor_steps.c  its feet, and footprints
//   actor_ghost.c  an actor that is tried and not moved
//   actor_arms.c   arms and gaze
//   actor_archive.c  an actor into bytes and back
#pragma once
#include "troupe/stage/actor.h"

#define ACTOR_ROUTE_POINTS 256 // of a route at most, unless told otherwise

struct tr_actor {
    tr_allocator allocator;
    tr_driver_nature nature;
    tr_driver_state driver;
    tr_driver_task task;
    tr_driver_body body; // its `pose` is the one below
    tr_overlay *overlay;
    uint32_t joint_count, route_points_max;
    tr_pose pose;
};

// Begin to go over footprints from the body as it is now.
void tr_actor_begin_steps(const tr_actor *actor, tr_stepping_state *steps);
// A walker again, whose feet are held where they are shown. Goes on from a stride where that may be had; else
// it begins at rest.
void tr_actor_leave_treads(tr_actor *actor);
