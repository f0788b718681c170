// troupe/plan/path.h - the shortest way over a ground, from storey to storey, for bodies of one size.
//
// The search runs over the rectangles of the ground's mesh (Polyanya: Cui, Harabor, Grastien 2017) and gives
// lines of any angle: nothing needs to be straightened afterwards. Regions answer "there is no way" without a
// search.
//
// What a way costs: its length seen from above, leaps as long as the gap, links what they say, `up` for every
// metre of rise and `down` for every metre of fall. Heights are rounded to 0.25 m and looked at where the way
// enters and leaves a rectangle; a rectangle may slope, as steep as can be stood on, but has no steps inside.
// Between two rectangles on one slope the height is that of the lower cell.
// Of all ways over free cells the one found is the cheapest in this sense.
#pragma once
#include "troupe/plan/search.h"
#include "troupe/world/ground.h"

TR_BEGIN_DECLARATIONS

#define TR_PATH_GOALS_MAX 64

// Start from tr_path_params_default().
typedef struct tr_path_params {
    uint32_t size;  // of the ground's
    float up, down; // metres of level ground that a metre of rise and of fall are worth [>= 0], 4 and 1
    float rise;     // a start or goal stands on the highest floor no higher than this above it [m], 0.5
    bool stands;    // somebody stands at the start: it has room near that height, or none
    float reach;    // one that is not free is moved to the nearest free place within this [m, >= 0], 1
    uint32_t links; // kinds that may be used, or'ed: all but ladders
    tr_search_budget budget;
    uint32_t node_max; // a search that would hold more nodes ends as one whose budget ran out; 0: no limit
} tr_path_params;
TR_API tr_path_params tr_path_params_default(uint32_t size);

// Memory of one search at a time, and the last result. One for each thread; the ground is only read.
typedef struct tr_path tr_path;
TR_API tr_status tr_path_create(const tr_allocator *allocator, tr_path **path, tr_error *error);
TR_API void tr_path_destroy(tr_path *path); // NULL is allowed
// Make room for searches on this ground, with any of its sizes and a node_max of no more than this: they then
// allocate nothing until the ground has changed. TR_OUT_OF_MEMORY.
TR_API tr_status tr_path_reserve(tr_path *path, const tr_ground *ground, uint32_t node_max, tr_error *error);

typedef enum tr_path_move {
    TR_PATH_WALK, // along the floor
    TR_PATH_LEAP, // across a gap or over something, in one step
    TR_PATH_LINK  // along a link
} tr_path_move;
typedef struct tr_path_point {
    tr_vec3 position;  // on the floor
    tr_path_move move; // how it is reached from the point before
    uint32_t link;     // TR_PATH_LINK: which; else TR_NONE
} tr_path_point;
typedef struct tr_path_result {
    const tr_path_point *points; // pulled tight: where it turns, and where a leap or link begins and ends
    uint32_t point_count;
    double length; // of the straight pieces, in space [m]
    double cost;   // as above [m]
    uint32_t goal; // which of the goals, TR_NONE: none
    bool start_moved, goal_moved;
    tr_ground_place start, end; // where it begins and ends, or why it does not
    tr_search_counters counters;
} tr_path_result;

// From `start` to the goal that is reached most cheaply. A goal that is not free is moved to a free place
// that is connected with the start, if there is one within reach. Allocates only when a search needs more
// memory than all before. Returns
//   TR_OK         the path is there
//   TR_NOT_FOUND  there is none: start or end say why they are not free, or the regions differ
//   TR_PARTIAL    the budget ran out: the path leads to the place seen so far that is nearest to a goal
//   TR_INVALID    a point is not finite, no such size, no goal or too many
//   TR_LIMIT      with a node_max: the path has more than 1024 corners
//   TR_OUT_OF_MEMORY  the same call may be made again
TR_API tr_status tr_path_find(tr_path *path, const tr_ground *ground, const tr_path_params *params,
                              tr_vec3 start, const tr_vec3 *goals, uint32_t goal_count, tr_error *error);
TR_API tr_path_result tr_path_last(const tr_path *path);

TR_END_DECLARATIONS
