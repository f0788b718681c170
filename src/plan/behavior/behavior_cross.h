// plan/behavior/behavior_cross.h - crossings: places at which a short chain of behaviors takes a body from
// rest to rest across what it cannot walk through. Internal.
//
// A chain is the cheapest one around a special move: it starts, jumps, and stops. Its crossings are wherever
// the map has room for it, and the action happens within what is special.
#pragma once
#include "troupe/plan/behavior_search.h"

#define BEHAVIOR_CHAIN_MOVES 12
#define BEHAVIOR_CHAINS_MAX 64

// From rest to rest. Places are in the axes of its beginning.
typedef struct behavior_chain {
    uint32_t move_count;
    tr_behavior_action moves[BEHAVIOR_CHAIN_MOVES]; // frames from the beginning on
    tr_vec2 end;
    float turn;
    uint32_t frames;
    uint32_t special;            // which of the moves
    tr_vec2 action;              // where the body is when the action happens
    uint32_t band, action_frame; // of that move
    double cost;
} behavior_chain;

typedef struct behavior_crossing {
    tr_vec3 from, to;           // on the floor
    float heading, end_heading; // [rad]
    float cost;
    uint32_t chain;
    float parameter; // of the special move
} behavior_crossing;

// The chains of a machine, the cheapest ones first; of each special state, and of each of its parameters,
// unless it climbs: then the floors choose the parameter.
// Returns their number. `memory` has room for two floats for each state.
uint32_t tr_behavior_chains(const tr_behavior *behavior, float *memory,
                            behavior_chain chains[BEHAVIOR_CHAINS_MAX]);

// The crossings on a map when everything has come to rest, in an array of the caller's allocator that grows.
// In each direction there is one for every metre of an obstacle: the cheapest. TR_LIMIT: there are more than
// BEHAVIOR_CROSSINGS_MAX; the first ones were written.
#define BEHAVIOR_CROSSINGS_MAX 4096
typedef struct behavior_crossings {
    behavior_crossing *list;
    uint32_t count, room;
} behavior_crossings;
tr_status tr_behavior_cross(const tr_behavior_map *map, const behavior_chain *chains, uint32_t chain_count,
                            const tr_allocator *allocator, behavior_crossings *crossings, tr_error *error);

// Whether no object with a known motion is in the way of a crossing that begins at a frame.
bool tr_behavior_crossing_is_clear(const tr_behavior_map *map, const behavior_chain *chain,
                                   const behavior_crossing *crossing, uint32_t frame);
// Whether it is free of walls, and of objects where they come to rest.
bool tr_behavior_crossing_is_open(const tr_behavior_map *map, const behavior_chain *chain,
                                  const behavior_crossing *crossing);
// The plan of a crossing, which begins at frame 0. TR_LIMIT: there is no room for its actions.
tr_status tr_behavior_crossing_plan(const behavior_chain *chain, const behavior_crossing *crossing,
                                    tr_behavior_plan *plan);
