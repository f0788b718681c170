// troupe/plan/replan.h - a route that is kept while things move: start, goal and obstacles.
//
// After any sequence of changes the path costs exactly what tr_route_find would find from scratch on the same
// cells with the same costs and rules. How it gets there depends on the ground. Where all steps cost the same
// (8 neighbours, no corners cut, no weights) the last path is kept as long as it is provably a cheapest one,
// and jump-point search, which is faster than any repair, is run when it is not. Elsewhere D* Lite (Koenig &
// Likhachev 2002) repairs the last search for a small part of what a new one takes. One thread at a time.
#pragma once
#include "troupe/plan/route.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_replan tr_replan;

// For one map, which it watches: the map must live as long. 4 or 8 neighbours, metric and corners from
// params; method, listener, reach and budget are not used. Takes all memory here, about 40 bytes for each of
// the map's nodes, and 21 more where jump-point search applies; nothing allocates afterwards.
TR_API tr_status tr_replan_create(const tr_allocator *allocator, const tr_route_map *map,
                                  const tr_route_params *params, tr_replan **replan, tr_error *error);
TR_API void tr_replan_destroy(tr_replan *replan); // NULL is allowed

// Where the route begins and ends, as node numbers of cells (TR_INVALID for others; nothing changes then).
// Moving the start is cheap. Moving the goal begins anew, but when it moves for the second time in a row and
// the start has not, D* Lite takes the start for its root and later moves of the goal are cheap as well. A
// blocked start or goal gives TR_NOT_FOUND from the next find.
TR_API tr_status tr_replan_set_start(tr_replan *replan, uint32_t start);
TR_API tr_status tr_replan_set_goal(tr_replan *replan, uint32_t goal);
// Cells of the map changed, or their weights did: look for the differences in this rectangle. Call it after
// each tr_route_map_set with the same rectangle. Where the map has changed more often than it was told, all
// of it is compared, here or in the next find (a microsecond for 512 x 512 cells). Weights that are written
// over in place are not noticed otherwise. TR_INVALID when the rectangle is not all on the map.
TR_API tr_status tr_replan_changed(tr_replan *replan, tr_cells changed);

// Bring the route up to date. Returns
//   TR_OK         the path is there
//   TR_NOT_FOUND  there is none at this resolution, or the start or the goal is blocked
//   TR_PARTIAL    the budget ran out: the result is a part of a path that can be walked, from the start on;
//                 call again to go on, with or without further changes
//   TR_INVALID    start or goal not set
//   TR_LIMIT      every path, if there is one, costs 2^32 - 2^29 - 1 or more
TR_API tr_status tr_replan_find(tr_replan *replan, tr_search_budget budget, tr_error *error);
// The path now; valid until the next call. Counters are those of the last find.
TR_API tr_route_result tr_replan_last(const tr_replan *replan);

TR_END_DECLARATIONS
