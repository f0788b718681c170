// troupe/plan/route.h - the shortest way over the free cells of a map.
//
// Kuffner 1998, 6.2, and beyond: Dijkstra, A* and jump-point search, all exact at the map's resolution: a
// path if there is one, a cheapest one, and "no path" as a definite answer.
#pragma once
#include "troupe/plan/route_map.h"
#include "troupe/plan/search.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_route_method { TR_ROUTE_DIJKSTRA, TR_ROUTE_ASTAR, TR_ROUTE_JPS } tr_route_method;

// What a step to a side and a diagonal step cost. The paper's 1 and 1.4 are the integers 5 and 7. "True"
// stands for 1 and the square root of 2 and is the integers 985 and 1393: two paths that differ by fewer than
// 985 diagonal steps are always put into the right order, and the length that is reported is that of the path
// in real numbers.
typedef enum tr_route_metric { TR_ROUTE_TRUE, TR_ROUTE_PAPER } tr_route_metric;

typedef struct tr_route_params {
    tr_route_method method;
    tr_route_metric metric;
    uint32_t neighbours; // 4 or 8
    bool cut_corners;    // a diagonal step may pass a blocked cell (one on its side, not two)
    float reach; // a start or goal that is not free is moved to the nearest free cell within this [m, >= 0]
    tr_search_budget budget;
    const tr_search_listener *listener; // NULL for none
} tr_route_params;

// A*, true lengths, 8 neighbours, no corners cut, reach 1 m, no budget.
TR_API tr_route_params tr_route_params_default(void);

#define TR_ROUTE_GOALS_MAX 1024 // goals in one search

// Owns the search's memory for maps of up to a given number of nodes, and the last result.
typedef struct tr_route tr_route;
TR_API tr_status tr_route_create(const tr_allocator *allocator, uint32_t node_count, tr_route **route,
                                 tr_error *error);
TR_API void tr_route_destroy(tr_route *route); // NULL is allowed

// From `start` to the goal that is reached most cheaply. No allocation. Returns
//   TR_OK         the path is there
//   TR_NOT_FOUND  there is no path at this resolution (or nothing free within reach: see tr_route_result)
//   TR_PARTIAL    the budget ran out: the result is the path to the visited cell that is nearest to a goal;
//                 tr_route_resume continues the search
//   TR_INVALID    a parameter or a point is out of range (outside the map, NaN, no goal); the error names it
//   TR_LIMIT      the map has more nodes than the route was made for
// A jump needs all steps to cost the same: with weights, with 4 neighbours, or with more than 8 goals
// TR_ROUTE_JPS is A*.
TR_API tr_status tr_route_find(tr_route *route, const tr_route_map *map, const tr_route_params *params,
                               tr_vec2 start, const tr_vec2 *goals, uint32_t goal_count, tr_error *error);
// Go on with a search that returned TR_PARTIAL, on the unchanged map and with its listener. TR_INVALID: the
// last call did not return TR_PARTIAL, or the map has another size or got or lost its weights.
TR_API tr_status tr_route_resume(tr_route *route, tr_search_budget budget, tr_error *error);

// The last result; valid until the next call. Nodes are the map's (tr_route_map_column, _row).
typedef struct tr_route_result {
    const uint32_t *cells; // from start to goal, each a neighbour of the one before
    uint32_t cell_count;
    double length; // of the path through the centres [m]; with weights too, the plain length
    uint32_t cost; // in the metric's integers
    uint32_t goal; // which of the goals; TR_NONE when partial or none
    bool start_moved, goal_moved;
    tr_search_counters counters;
} tr_route_result;
TR_API tr_route_result tr_route_last(const tr_route *route);

// For planners that work on cells and need no points: the same with node numbers, which must be free.
TR_API tr_status tr_route_find_cells(tr_route *route, const tr_route_map *map, const tr_route_params *params,
                                     uint32_t start, const uint32_t *goals, uint32_t goal_count,
                                     tr_error *error);

TR_END_DECLARATIONS
