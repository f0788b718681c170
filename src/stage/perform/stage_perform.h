// stage/perform/stage_perform.h - actors that go by behaviors. Internal to stage*.c.
//
//   stage_perform.c      performances: plans of behaviors, tried, committed and played
//   stage_perform_map.c  where and when behaviors touch nothing: the world and the motions of all others
#pragma once
#include "stage/stage_data.h"
#include "troupe/plan/behavior_search.h"

#define PERFORM_ACTIONS 256 // of a plan
#define PERFORM_SECONDS 90  // how far ahead a map knows the world [s]
#define PERFORM_PAST 150    // a map begins this long ago: an action under way began earlier [ticks]
#define PERFORM_RENEW 1200  // a map is renewed when its beginning is this long ago [ticks]

// The planner for one kind of behaviors, shared by all actors of this kind.
typedef struct stage_kind {
    const tr_behavior_cast *cast;
    tr_behavior_motion_clip *clips; // of the cast
    tr_behavior_map *map;
    tr_behavior_search *search;
    bool built;
    uint64_t base;    // tick of frame 0 of the map
    uint64_t changes; // of the world that it has seen
    uint64_t *seen;   // of each body: 1 + the number of its commitments that the map has; 0: none
    uint32_t seen_room;
    tr_behavior_spot *spots;
    uint32_t spot_room;
    tr_vec3 *floors;
    uint32_t floor_room;
} stage_kind;

// A plan, and the tick at which its frame 0 is.
typedef struct stage_performance {
    tr_behavior_action actions[PERFORM_ACTIONS];
    tr_behavior_plan plan;
    uint64_t begin;
} stage_performance;

typedef struct stage_performer {
    stage_kind *kind;
    bool where_needed; // walks where that is possible
    tr_vec3 stood;     // where it last stood on the floor
    uint32_t tries;    // plans that failed in a row
    uint64_t try_tick; // it does not try again before this tick
    uint32_t now;      // which of the two it plays or has played
    stage_performance performances[2];
} stage_performer;

// Makes the map of a kind know the world and the motions of everybody as they are now.
tr_status tr_stage_update_map(tr_stage *stage, stage_kind *kind, tr_error *error);
// The same for one body, whose motion has just changed.
tr_status tr_stage_map_body(tr_stage *stage, stage_kind *kind, const stage_actor *who, tr_error *error);
// The height of the floor; `kind` is a perform_floor.
typedef struct perform_floor {
    const tr_stage *stage;
    const stage_kind *kind;
} perform_floor;
float tr_stage_perform_floor(void *floor, tr_vec2 point);
