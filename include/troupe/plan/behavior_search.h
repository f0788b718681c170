// troupe/plan/behavior_search.h - finds the sequence of behaviors that takes a character to its goal
// (Lau & Kuffner 2005, 3.3).
//
// A best-first search over the machine of behaviors grows a tree of places, each reached by a move, until a
// place lies within the tolerance of the goal and the character can rest there.
#pragma once
#include "troupe/plan/behavior_map.h"
#include "troupe/plan/search.h"

TR_BEGIN_DECLARATIONS

// --- Plans ---
// A move of a plan, and where the character is when it begins.
typedef struct tr_behavior_action {
    uint32_t state, move; // of a parametrised state: the nearer one
    float parameter;      // of a parametrised state
    uint32_t frame;       // counted as those of the map
    tr_vec2 position;
    float heading, height;
    double cost; // of the plan until then
} tr_behavior_action;

// The actions are in memory of the caller: `actions` has room for action_max.
typedef struct tr_behavior_plan {
    tr_behavior_action *actions;
    uint32_t action_count, action_max;
    tr_vec2 end;
    float end_heading;
    uint32_t end_frame;
    double cost;
} tr_behavior_plan;

// Writes what a map's commit takes: the discs of a plan, in any band. A plan without actions has one spot.
// TR_LIMIT: there are more than `spot_max`; `spot_count` receives their number, and the first ones are
// written. TR_INVALID: the plan is not one of this machine.
TR_API tr_status tr_behavior_plan_spots(const tr_behavior *behavior, const tr_behavior_plan *plan,
                                        tr_behavior_spot *spots, uint32_t spot_max, uint32_t *spot_count);

// --- Queries ---
typedef enum tr_behavior_method {
    TR_BEHAVIOR_ASTAR,    // with inflation 1 the cheapest plan; above 1, inflated A*
    TR_BEHAVIOR_TRUNCATED // the queue is cut: smaller, and may miss the plan
} tr_behavior_method;

typedef enum tr_behavior_heuristic {
    TR_BEHAVIOR_STRAIGHT, // distance in a straight line, as in the paper: never too much
    TR_BEHAVIOR_FIELD // distance around static obstacles, and what turning and stopping cost on empty ground:
                      // a good guess, and at least the straight distance
} tr_behavior_heuristic;

// Start from tr_behavior_query_default(). Metres, radians, seconds.
typedef struct tr_behavior_query {
    tr_vec2 start;
    float heading;
    uint32_t label; // that the character is in; TR_NONE: rest
    uint32_t frame; // when it sets out
    const tr_vec2 *goals;
    uint32_t goal_count; // visited in this order, by passing; at the last one the character comes to rest
                         // [1, TR_BEHAVIOR_GOALS_MAX]
    float tolerance;     // how near to a goal is near enough [m, > 0]
    tr_behavior_method method;
    tr_behavior_heuristic heuristic;
    float inflation; // weight of the expected cost [>= 1]: no plan of the straight heuristic costs more than
                     // this times the least
    uint32_t queue_max; // TR_BEHAVIOR_TRUNCATED: when the queue is twice as long it is cut to this [> 0]
    bool as_written;    // Algorithm 1 word by word: who comes first to a place keeps it, and each state tries
                     // one clip. Otherwise a cheaper arrival replaces a dearer one, and up to four clips of a
                     // state are tried
    float cell, angle; // resolution of the table of visited places [m, > 0], [rad, > 0]
    float seconds; // its resolution in time, where the world moves [> 0]; INFINITY: times are not told apart
    uint32_t
        frame_max; // the plan ends by this frame; 0: no limit, or where something moves, the end of the map
    uint64_t seed; // of the choice among the clips of a state
    uint32_t parameters; // how many parameters of a parametrised state are tried, besides one that is aimed
                         // at the goal or at the obstacle [<= TR_BEHAVIOR_PARAMETERS_MAX]
    tr_search_budget budget; // of one call; a node that is taken from the queue again counts again
} tr_behavior_query;
#define TR_BEHAVIOR_GOALS_MAX 64
#define TR_BEHAVIOR_PARAMETERS_MAX 64

// A*, straight heuristic, tolerance 0.5 m, inflation 1, queue of 500, table of 0.25 m, 10 degrees and 0.5 s,
// three parameters, no limits. The caller sets start and goals.
TR_API tr_behavior_query tr_behavior_query_default(void);

// --- The planner ---
// The memory of one planner, for one thread at a time.
typedef struct tr_behavior_search tr_behavior_search;

// `node_max`: the largest tree [1, 2^24]; 0: 2^18. Takes about 110 bytes a node.
TR_API tr_status tr_behavior_search_create(const tr_allocator *allocator, uint32_t node_max,
                                           tr_behavior_search **search, tr_error *error);
TR_API void tr_behavior_search_destroy(tr_behavior_search *search); // NULL is allowed
// Allocates what searches with this machine and a map of this size need. Otherwise the first one of them
// does.
TR_API tr_status tr_behavior_search_reserve(tr_behavior_search *search, const tr_behavior *behavior,
                                            const tr_behavior_map *map, uint32_t goal_count, tr_error *error);

typedef struct tr_behavior_result {
    uint32_t nodes;    // of the tree
    uint64_t expanded; // nodes taken from the queue; one that is taken again counts once
    uint64_t tests;    // moves tested for collisions
    uint64_t dropped;  // nodes cut from the queue
    tr_vec2 nearest;   // the place of the tree from which the rest of the way is expected to be the cheapest
    float distance;    // from there to its goal in a straight line [m]
} tr_behavior_result;

// Finds a plan and writes it into *plan. `behavior` may be NULL: the machine of the map; another one must
// have discs, bands and a frame rate that the map suits. `result` may be NULL.
//   TR_OK         the character gets to its last goal and rests there
//   TR_PARTIAL    the budget ran out: *plan leads to result->nearest; tr_behavior_resume goes on
//   TR_NOT_FOUND  there is no plan, and the error says why: the start or a goal is inside an obstacle, walls
//                 lie between them, somebody rests at the goal, every way is blocked
//   TR_LIMIT      the tree is full: *plan leads to result->nearest; or the plan has more actions than there
//   is
//                 room for, or a cost is above 2^20
//   TR_INVALID    a value is out of range
// The map, the machine and the goals must stay as they are while the search is resumed.
TR_API tr_status tr_behavior_find(tr_behavior_search *search, const tr_behavior *behavior,
                                  const tr_behavior_map *map, const tr_behavior_query *query,
                                  tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error);
// Goes on with the last search, for another budget. TR_INVALID: no search has begun.
TR_API tr_status tr_behavior_resume(tr_behavior_search *search, tr_search_budget budget,
                                    tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error);

// A place of the last search's tree, for pictures. Its parent is an earlier one; TR_NONE: it is the start.
typedef struct tr_behavior_place {
    tr_vec2 position;
    float heading;
    uint32_t frame, parent, state; // state: TR_NONE for the start
    double cost;
    bool expanded;
} tr_behavior_place;
TR_API uint32_t tr_behavior_search_places(const tr_behavior_search *search);
// false: there is no such place.
TR_API bool tr_behavior_search_place(const tr_behavior_search *search, uint32_t index,
                                     tr_behavior_place *place);

TR_END_DECLARATIONS
