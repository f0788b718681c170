// troupe/plan/replan.h - a route that is kept while things move: start, goal and obstacles.
//
// D* Lite (Koenig & Likhachev 2002) on the same cells, costs and rules as tr_route. After any sequence of
// changes the path costs exactly what tr_route_find would find from scratch, for a small part of the work.
#pragma once
#include "troupe/plan/route.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_replan tr_replan;

// For one map, which it watches: the map must live as long. 4 or 8 neighbours, metric and corners from
// params; method, listener and reach are not used. Takes all memory here.
TR_API tr_status tr_replan_create(const tr_allocator *allocator, const tr_route_map *map,
                                  const tr_route_params *params, tr_replan **replan, tr_error *error);
TR_API void tr_replan_destroy(tr_replan *replan); // NULL is allowed

// Where the route begins and ends, as node numbers. Moving the start is cheap; moving the goal begins anew
// but keeps the search where that is cheaper. A blocked start or goal gives TR_NOT_FOUND from the next find.
TR_API tr_status tr_replan_set_start(tr_replan *replan, uint32_t start);
TR_API tr_status tr_replan_set_goal(tr_replan *replan, uint32_t goal);
// Cells of the map changed (after tr_route_map_set): look for the differences in this rectangle.
TR_API tr_status tr_replan_changed(tr_replan *replan, tr_cells changed);

// Bring the route up to date. TR_OK, TR_NOT_FOUND, TR_PARTIAL (call again), TR_INVALID (start or goal not
// set).
TR_API tr_status tr_replan_find(tr_replan *replan, tr_search_budget budget, tr_error *error);
// The path now; valid until the next call. Counters are those of the last find.
TR_API tr_route_result tr_replan_last(const tr_replan *replan);

TR_END_DECLARATIONS
