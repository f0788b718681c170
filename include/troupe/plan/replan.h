// troupe/plan/replan.h - keeps a route up to date while the start, the goal and the obstacles move.
//
// After any sequence of changes the path costs exactly as much as the path that tr_route_find finds from
// scratch on the same cells with the same costs and rules. The method depends on the ground. Where all steps
// cost the same (8 neighbours, no corners cut, no weights), the last path is kept as long as it is provably a
// cheapest one; otherwise jump-point search, which is faster than any repair, finds a new one. Elsewhere D*
// Lite (Koenig & Likhachev 2002) repairs the last search at a small part of the cost of a new one. Use from
// one thread at a time.
#pragma once
#include "troupe/plan/route.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_replan tr_replan;

// Creates a replanner for one map, which it watches; the map must live as long. 4 or 8 neighbours, metric and
// corners come from params; method, listener, reach and budget are not used. Allocates all memory, about 40
// bytes for each of the map's nodes, and 21 more where jump-point search applies; nothing allocates
// afterwards.
TR_API tr_status tr_replan_create(const tr_allocator *allocator, const tr_route_map *map,
                                  const tr_route_params *params, tr_replan **replan, tr_error *error);
TR_API void tr_replan_destroy(tr_replan *replan); // NULL is allowed

// Set where the route begins and ends, as node numbers of cells (TR_INVALID for others; nothing changes
// then). Moving the start is cheap. Moving the goal starts a new search. When the goal moves for the second
// time in a row and the start has not moved, D* Lite takes the start as its root, and later moves of the goal
// are cheap as well. With a blocked start or goal the next find returns TR_NOT_FOUND.
TR_API tr_status tr_replan_set_start(tr_replan *replan, uint32_t start);
TR_API tr_status tr_replan_set_goal(tr_replan *replan, uint32_t goal);
// Reports that cells of the map or their weights changed, and finds the differences in this rectangle. Call
// it after each tr_route_map_set with the same rectangle. If the map has changed more often than was
// reported, the whole map is compared, here or in the next find (a microsecond for 512 x 512 cells). Weights
// that are overwritten in place are noticed only in this way. TR_INVALID when part of the rectangle is
// outside the map.
TR_API tr_status tr_replan_changed(tr_replan *replan, tr_cells changed);

// Brings the route up to date. Returns
//   TR_OK         a path was found
//   TR_NOT_FOUND  there is none at this resolution, or the start or the goal is blocked
//   TR_PARTIAL    the budget ran out: the result is a part of a path that can be walked, from the start on;
//                 call again to continue, with or without further changes
//   TR_INVALID    start or goal not set
//   TR_LIMIT      every path, if there is one, costs 2^32 - 2^29 - 1 or more
TR_API tr_status tr_replan_find(tr_replan *replan, tr_search_budget budget, tr_error *error);
// Returns the current path, valid until the next call. Counters are those of the last find.
TR_API tr_route_result tr_replan_last(const tr_replan *replan);

TR_END_DECLARATIONS
