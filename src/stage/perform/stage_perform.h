// stage/perform/stage_perform.h - actors that go by behaviors. Internal to stage*.c.
//
//   stage_perform.c      performances: plans of behaviors, tried, committed and played
//   stage_cross*.c       ways that are walked up to what cannot be walked through, and on behind it
//   stage_perform_map.c  where and when behaviors touch nothing: the world and the motions of all others
#pragma once
#include "stage/stage_data.h"
#include "plan/behavior/behavior_cross.h"
#include "troupe/plan/behavior_search.h"

#define PERFORM_ACTIONS 256  // of a plan
#define PERFORM_CROSSINGS 12 // of a way
#define PERFORM_SECONDS 90   // how far ahead a map knows the world [s]
#define PERFORM_PAST 150     // a map begins this long ago: an action under way began earlier [ticks]
#define PERFORM_RENEW 1200   // a map is renewed when its beginning is this long ago [ticks]

// A walk from a place to the beginning of a crossing, or to the goal. Its cost is that of all until the end
// of the crossing; before the walk is `known` it is the least that it may be.
typedef struct cross_entry {
    float estimate, cost; // of the whole way; until then
    uint32_t from, to;    // crossings; the number of crossings: the start, the goal
    bool known;
} cross_entry;
typedef struct cross_reach {
    float cost;
    uint32_t before;          // crossing; TR_NONE: not reached
    tr_ground_place from, to; // on the ground of the actor
} cross_reach;

// Where actors of a kind can cross what they cannot walk through.
typedef struct stage_crossings {
    behavior_chain *chains; // NULL: not made yet
    uint32_t chain_count;
    behavior_crossings of; // the map
    bool known;            // they are those of the map as it is now
    cross_entry *queue;    // a heap
    uint32_t queue_count, queue_room;
    cross_reach *reached; // crossings, and the goal
    uint32_t reached_room;
} stage_crossings;

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
    stage_crossings crossings;
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
    // The crossings of its way, one for each piece that is performed.
    behavior_crossing crossings[PERFORM_CROSSINGS];
    bool crosses; // what it performs is a crossing
} stage_performer;

// A motion on trial: where its root is at each tick from now on.
typedef struct perform_try {
    tr_vec3 *positions;
    uint32_t count;
} perform_try;

// Tries a plan, to the precise place `to` (may be NULL) if there is room.
tr_status tr_stage_try_performance(tr_stage *stage, stage_actor *who, const stage_performance *next,
                                   const tr_base *to, double since, perform_try *tried, tr_error *error);
// Reserves room for the motion that was tried. TR_NOT_FOUND: it comes within `margin` [m] of `body`, or of an
// object if that is TR_NONE.
tr_status tr_stage_check_performance(tr_stage *stage, stage_actor *who, perform_try *tried, float margin,
                                     uint32_t *body, tr_error *error);
// Commits it and plays it; `to_go` is what is left of the way then [m].
tr_status tr_stage_play(tr_stage *stage, stage_actor *who, const perform_try *tried, float to_go,
                        tr_error *error);

// Finds the cheapest way to a goal, walked and with crossings, and writes it to stage->trial. `crosses`:
// there are crossings in it, which are those of the performer from now on.
tr_status tr_stage_find_crossings(tr_stage *stage, stage_actor *who, const tr_vec3 *goals,
                                  uint32_t goal_count, bool *crosses, tr_error *error);
void tr_stage_free_crossings(const tr_stage *stage, stage_kind *kind);

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
