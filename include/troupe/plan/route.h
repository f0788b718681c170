// troupe/plan/route.h - the shortest path over the free cells of a map.
//
// Kuffner 1998, 6.2, and beyond: Dijkstra, A* and jump-point search. All are exact at the map's resolution:
// they find a path if there is one, the path is a cheapest one, and "no path" is a definite answer.
#pragma once
#include "troupe/plan/route_map.h"
#include "troupe/plan/search.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_route_method { TR_ROUTE_DIJKSTRA, TR_ROUTE_ASTAR, TR_ROUTE_JPS } tr_route_method;

// The costs of a straight and of a diagonal step. The paper's 1 and 1.4 are the integers 5 and 7. "True"
// stands for 1 and the square root of 2, as the integers 985 and 1393. These always order two paths correctly
// that differ by fewer than 985 diagonal steps. The reported length is that of the path in real numbers.
typedef enum tr_route_metric { TR_ROUTE_TRUE, TR_ROUTE_PAPER } tr_route_metric;

typedef struct tr_route_params {
    tr_route_method method;
    tr_route_metric metric;
    uint32_t neighbours; // 4 or 8
    bool cut_corners;    // a diagonal step may pass one blocked cell beside it, not two
    float reach; // a start or goal that is not free moves to the nearest free cell within this [m, >= 0]
    tr_search_budget budget;
    const tr_search_listener *listener; // NULL for none
} tr_route_params;

// Defaults: A*, true lengths, 8 neighbours, no corners cut, reach 1 m, no budget.
TR_API tr_route_params tr_route_params_default(void);

#define TR_ROUTE_GOALS_MAX 1024 // goals in one search

// Owns the memory of the search, for maps of up to a given number of nodes, and the last result.
typedef struct tr_route tr_route;
TR_API tr_status tr_route_create(const tr_allocator *allocator, uint32_t node_count, tr_route **route,
                                 tr_error *error);
TR_API void tr_route_destroy(tr_route *route); // NULL is allowed

// Finds the path from `start` to the goal that is cheapest to reach. No allocation. Returns
//   TR_OK         a path was found
//   TR_NOT_FOUND  there is no path at this resolution (or nothing free within reach: see tr_route_result)
//   TR_PARTIAL    the budget ran out: the result is the path to the visited cell that is nearest to a goal;
//                 tr_route_resume continues the search
//   TR_INVALID    a parameter or a point is out of range (outside the map, NaN, no goal); the error names it
//   TR_LIMIT      the map has more nodes than the route was created for
// Jumps need steps that all cost the same: with weights, with 4 neighbours, or with more than 8 goals
// TR_ROUTE_JPS runs A*.
TR_API tr_status tr_route_find(tr_route *route, const tr_route_map *map, const tr_route_params *params,
                               tr_vec2 start, const tr_vec2 *goals, uint32_t goal_count, tr_error *error);
// Continues a search that returned TR_PARTIAL, on the unchanged map and with the same listener. TR_INVALID:
// the last call did not return TR_PARTIAL, or the map has changed its size, or its weights were set or
// removed.
TR_API tr_status tr_route_resume(tr_route *route, tr_search_budget budget, tr_error *error);

// The last result, valid until the next call. Nodes are those of the map (tr_route_map_column, _row).
typedef struct tr_route_result {
    const uint32_t *cells; // from start to goal, each a neighbour of the one before
    uint32_t cell_count;
    double length; // of the path through the centres [m]; weights do not change it
    uint32_t cost; // in the metric's integers
    uint32_t goal; // index of the goal reached; TR_NONE when partial or not found
    bool start_moved, goal_moved;
    tr_search_counters counters;
} tr_route_result;
TR_API tr_route_result tr_route_last(const tr_route *route);

// Does the same with node numbers, which must be free, for planners that work on cells instead of points.
TR_API tr_status tr_route_find_cells(tr_route *route, const tr_route_map *map, const tr_route_params *params,
                                     uint32_t start, const uint32_t *goals, uint32_t goal_count,
                                     tr_error *error);

TR_END_DECLARATIONS
