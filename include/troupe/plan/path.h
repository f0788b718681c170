// troupe/plan/path.h - the cheapest way over a ground, from storey to storey, for bodies of one size.
//
// The search runs over the rectangles of the ground's mesh (Polyanya: Cui, Harabor, Grastien 2017) and gives
// lines of any angle, which need no straightening afterwards. If start and goal are in different regions,
// there is no way, and no search is needed.
//
// The cost of a way is its length seen from above, plus `up` for every metre of rise and `down` for every
// metre of fall. A leap costs as much as the gap is long, a link its own cost. Heights are rounded to 0.25 m
// and taken where the way enters and leaves a rectangle. A rectangle may slope, as steeply as a body can
// stand on, but has no steps inside. Between two rectangles on one slope the height is that of the lower
// cell. The path found is the cheapest of all ways over free cells in this sense.
#pragma once
#include "troupe/plan/search.h"
#include "troupe/world/ground.h"

TR_BEGIN_DECLARATIONS

#define TR_PATH_GOALS_MAX 64

// Start from tr_path_params_default().
typedef struct tr_path_params {
    uint32_t size;  // index of a size of the ground
    float up, down; // metres of level ground that a metre of rise and of fall are worth [>= 0], 4 and 1
    float rise;     // start and goals lie on the highest floor at most this far above them [m], 0.5
    bool stands;    // a body stands at the start: only floor near that height counts
    float reach;    // start or goal not free: moves to the nearest free place within this [m, >= 0], 1
    uint32_t links; // kinds that may be used, or'ed, all but ladders
    tr_search_budget budget;
    uint32_t node_max; // a search that would hold more nodes ends as if its budget ran out; 0: no limit
} tr_path_params;
TR_API tr_path_params tr_path_params_default(uint32_t size);

// The memory of one search at a time, and the last result. Use one for each thread; it only reads the ground.
typedef struct tr_path tr_path;
TR_API tr_status tr_path_create(const tr_allocator *allocator, tr_path **path, tr_error *error);
TR_API void tr_path_destroy(tr_path *path); // NULL is allowed
// Reserves memory for searches on this ground with any of its sizes and at most this node_max. Such searches
// allocate nothing until the ground changes. TR_OUT_OF_MEMORY.
TR_API tr_status tr_path_reserve(tr_path *path, const tr_ground *ground, uint32_t node_max, tr_error *error);

typedef enum tr_path_move {
    TR_PATH_WALK, // along the floor
    TR_PATH_LEAP, // across a gap or over something, in one step
    TR_PATH_LINK  // along a link
} tr_path_move;
typedef struct tr_path_point {
    tr_vec3 position;  // on the floor
    tr_path_move move; // how it is reached from the point before
    uint32_t link;     // TR_PATH_LINK: index of the link; else TR_NONE
} tr_path_point;
typedef struct tr_path_result {
    const tr_path_point *points; // pulled tight: at turns, and at the ends of leaps and links
    uint32_t point_count;
    double length; // of the straight pieces, in space [m]
    double cost;   // as above [m]
    uint32_t goal; // index of the goal that is reached; TR_NONE: none
    bool start_moved, goal_moved;
    tr_ground_place start, end; // where the path begins and ends, or why these places are not free
    tr_search_counters counters;
} tr_path_result;

// Finds the path from `start` to the goal that is cheapest to reach. A goal that is not free is moved to a
// free place that is connected with the start, if there is one within reach. Allocates only when a search
// needs more memory than all before. Returns
//   TR_OK         there is a path
//   TR_NOT_FOUND  there is no path: `start` or `end` says why it is not free, or the regions differ
//   TR_PARTIAL    the budget ran out: the path leads to the place nearest to a goal seen so far
//   TR_INVALID    a point is not finite, there is no such size, or there are no goals or too many
//   TR_LIMIT      with a node_max: the path has more than 1024 corners
//   TR_OUT_OF_MEMORY  the call may be repeated
TR_API tr_status tr_path_find(tr_path *path, const tr_ground *ground, const tr_path_params *params,
                              tr_vec3 start, const tr_vec3 *goals, uint32_t goal_count, tr_error *error);
TR_API tr_path_result tr_path_last(const tr_path *path);

TR_END_DECLARATIONS
