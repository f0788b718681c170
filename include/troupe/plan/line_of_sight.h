// troupe/plan/line_of_sight.h - lines of sight over the cells of a map, and any-angle routes made from paths
// of cells.
//
// Points are rounded to 1/256 of a cell, counted from the grid's corner; from there on everything is whole
// numbers and exact. What lies outside the map is blocked. Pure: any thread, the same bits everywhere.
#pragma once
#include "troupe/plan/route_map.h"

TR_BEGIN_DECLARATIONS

#define TR_LINE_OF_SIGHT_UNITS 256 // in a cell

// Is the closed straight line between two points free?
//   cut_corners true   every point of it lies in a closed free cell, and none is a corner where two free
//                      cells meet only diagonally: nobody squeezes through between two blocked ones. The line
//                      may run along walls and touch corners, which is safe where the map is
//                      (TR_GROWTH_SAFE).
//   cut_corners false  it keeps 1/256 of a cell off every blocked cell, in x or in z: not even a corner is
//                      touched.
// false when an end is outside the map or NaN.
TR_API bool tr_line_of_sight_is_free(const tr_route_map *map, tr_vec2 from, tr_vec2 to, bool cut_corners);

// Pull a path of cells tight, as a thread between its ends: every piece is free as above, bends are at
// corners of blocked cells (without cut_corners 1/256 of a cell off them), each bend turns around its corner
// and none can be left out, so no shorter line can be had without passing some blocked cell on the other
// side. Never longer than the way from `start` through the centres of the cells to `goal`. `start` and `goal`
// are inside the first and the last cell and become the ends as they are; where they lie on a border with a
// blocked cell, the line is tested from 1/256 of a cell inside. No allocation.
//
// `points` gets *point_count points (2 at least); room for cell_count + 2 is enough. `length` (may be NULL)
// gets metres. Returns
//   TR_INVALID  no cells, or above 2^31 - 1; a cell that is not free or not a neighbour of the one
//               before; a diagonal step that squeezes through or, without cut_corners, cuts a corner;
//               an end outside its cell or NaN
//   TR_LIMIT    more points are needed than `point_max`
TR_API tr_status tr_line_of_sight_pull(const tr_route_map *map, const uint32_t *cells, uint32_t cell_count,
                                       tr_vec2 start, tr_vec2 goal, bool cut_corners, tr_vec2 *points,
                                       uint32_t point_max, uint32_t *point_count, double *length);

TR_END_DECLARATIONS
