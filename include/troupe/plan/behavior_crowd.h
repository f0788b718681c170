// troupe/plan/behavior_crowd.h - plans the behaviors of many characters, so that no two of them ever meet
// (Lau & Kuffner 2005, 3.4).
//
// Prioritised planning: one after the other gets a plan among those who have one, which are moving obstacles.
// The starts of the others are kept free for some seconds, in which they will leave. Who finds no plan gets
// help: its start is kept free for longer, it changes places in the order with those in its way, or has them
// step aside. If nothing helps it stands at its start, and the others go around it.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/plan/behavior_search.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_behavior_crowd_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the plans are the same, bit for bit
    uint32_t node_max;             // of each search, see tr_behavior_search_create; 0: 2^15
    uint32_t actions_max;          // of each plan; 0: 128
    // Characters that are planned at the same time, against the same others. The plans depend on it. 0: a
    // thirty-second of the crowd, 2 to 64
    uint32_t batch;
    float radius;     // of the discs with which bodies keep others away [m]; 0: that of the map's machine
    bool prioritised; // as in the paper: the order is that of the people, each is tried once, and a goal that
                      // is taken is a failure
} tr_behavior_crowd_def;

typedef struct tr_behavior_crowd tr_behavior_crowd;
TR_API tr_status tr_behavior_crowd_create(const tr_behavior_crowd_def *def, tr_behavior_crowd **crowd,
                                          tr_error *error);
TR_API void tr_behavior_crowd_destroy(tr_behavior_crowd *crowd); // NULL is allowed

// A character, by its query: start, goals, and how to search. `budget` of the query is that of each search;
// 0 expansions: 10000, or 20000 if nothing is inflated. Where the query is inflated, greedier searches go
// first, and their plans count if they cost no more than the inflation times what the way would cost alone.
// Where it is not, and no plan is found, an inflated search is the last one.
typedef struct tr_behavior_person {
    const tr_behavior *behavior; // NULL: the machine of the map; another one must suit the map
    tr_behavior_query query;
} tr_behavior_person;

// Plans all characters, in the order of their trips, the shortest first: a character that passes a goal later
// then knows who rests there. Between the moves of a plan a character may stand at rest. The map must hold no
// bodies; afterwards it holds those of all characters, body i being people[i]: those without a plan stand at
// their start. People and map must stay as they are while the result is read. `progress` (may be NULL) is
// told how many are done. TR_OK: all have a plan. TR_PARTIAL: some have none, and stand. TR_INVALID: a query
// is bad (the error names the character), or two of them stand in each other from the beginning;
// TR_OUT_OF_MEMORY.
typedef struct tr_behavior_crowd_progress {
    void (*tell)(void *user, uint32_t done, uint32_t count);
    void *user;
} tr_behavior_crowd_progress;
TR_API tr_status tr_behavior_crowd_find(tr_behavior_crowd *crowd, tr_behavior_map *map,
                                        const tr_behavior_person *people, uint32_t count,
                                        const tr_behavior_crowd_progress *progress, tr_error *error);

// How a character got its plan.
typedef enum tr_behavior_crowd_by {
    TR_BEHAVIOR_BY_NONE,   // it has none
    TR_BEHAVIOR_BY_ORDER,  // among those before it
    TR_BEHAVIOR_BY_WINDOW, // it sets out later
    TR_BEHAVIOR_BY_SWAP,   // it went before others that were in its way, or it was in somebody's way and was
                           // planned again
    TR_BEHAVIOR_BY_ASIDE   // it, or somebody in its way, steps aside on the way
} tr_behavior_crowd_by;
#define TR_BEHAVIOR_REASON_MAX 160
typedef struct tr_behavior_crowd_view {
    tr_behavior_crowd_by by;
    const tr_behavior_plan *plan; // of a character that stands: no actions
    bool beside; // somebody rests at a goal, or things come by the last one: the plan passes or ends beside
                 // it, at most 3 m further away
    char reason[TR_BEHAVIOR_REASON_MAX]; // why it has none; "" otherwise
    uint32_t searches, replaced;         // for it; times that its plan was made again because of others
    uint64_t expanded, tests;            // of its searches together
    double microseconds;                 // that they took: the only value that differs between runs
} tr_behavior_crowd_view;
// false: there is no such character. Valid until the next call that changes the crowd.
TR_API bool tr_behavior_crowd_look(const tr_behavior_crowd *crowd, uint32_t person,
                                   tr_behavior_crowd_view *view);

TR_END_DECLARATIONS
