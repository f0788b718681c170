// troupe/stage/actor.h - an actor of a stage, as it is after the last tick.
#pragma once
#include "troupe/motion/manner.h"
#include "troupe/motion/pose.h"
#include "troupe/stage/character.h"

TR_BEGIN_DECLARATIONS

// A stage never reuses an id; 0 is no actor. Every call answers an unknown id, or that of a removed actor,
// with TR_INVALID.
typedef uint32_t tr_actor_id;

typedef enum tr_actor_doing {
    TR_ACTOR_STANDS,
    TR_ACTOR_WALKS,
    TR_ACTOR_TURNS,      // on the spot
    TR_ACTOR_SIDE_STEPS, // through a narrow place
    TR_ACTOR_STEPS,      // goes over footsteps: stairs, gaps, rough ground
    TR_ACTOR_RIDES,      // stands, and is carried by a lift
    TR_ACTOR_PERFORMS    // plays a chain of behaviors: jogs, jumps, crawls
} tr_actor_doing;

typedef struct tr_actor_view {
    tr_vec3 position; // of its disc, on the floor
    float heading;    // not wrapped [rad]
    float speed;      // along the heading [m/s]
    tr_actor_doing doing;
    tr_affine place;        // of the body in the world
    const tr_pose *pose;    // relative to `place`
    const tr_affine *model; // of every joint in the world
    uint32_t contacts;      // tr_contact
    const tr_character *character;
} tr_actor_view;

TR_END_DECLARATIONS
