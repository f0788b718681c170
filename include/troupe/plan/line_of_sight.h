// troupe/plan/line_of_sight.h - lines of sight over the cells of a map, and any-angle routes made from paths
// of cells.
//
// Points are rounded to 1/256 of a cell, counted from the grid's corner. All further arithmetic is in whole
// numbers and exact. Everything outside the map is blocked. The functions are pure: call them from any
// thread; results are bit-identical on every platform.
#pragma once
#include "troupe/plan/route_map.h"

TR_BEGIN_DECLARATIONS

#define TR_LINE_OF_SIGHT_UNITS 256 // units in a cell

// Returns true if the closed straight line between two points is free.
//   cut_corners true   every point of the line lies in a closed free cell, and none is a corner where two
//                      free cells meet only diagonally: no line squeezes through between two blocked cells.
//                      The line may run along walls and touch corners, which is safe on a map grown
//                      with TR_GROWTH_SAFE.
//   cut_corners false  the line keeps 1/256 of a cell away from every blocked cell, in x or in z: it does not
//                      even touch a corner.
// Returns false when an end is outside the map or NaN.
TR_API bool tr_line_of_sight_is_free(const tr_route_map *map, tr_vec2 from, tr_vec2 to, bool cut_corners);

// A path of cells, and where it begins and ends inside its first and its last cell.
typedef struct tr_line_of_sight_path {
    const uint32_t *cells;
    uint32_t cell_count;
    tr_vec2 start, goal;
    bool cut_corners; // as in tr_line_of_sight_is_free
} tr_line_of_sight_path;

// Pulls a path of cells tight, like a thread between its ends. Every piece is free as above. Bends are at
// corners of blocked cells (without cut_corners 1/256 of a cell away from them). Each bend turns around its
// corner and none can be left out, so any shorter line passes some blocked cell on the other side. The result
// is never longer than the path from `start` through the centres of the cells to `goal`, which become its
// ends unchanged. Where they lie on a border with a
// blocked cell, the line is tested from 1/256 of a cell inside. No allocation.
//
// `points` receives *point_count points (at least 2); room for cell_count + 2 is enough. `length` (may be
// NULL) receives the length [m]. Returns
//   TR_INVALID  there are no cells, or more than 2^31 - 1; a cell is not free or not a neighbour of the one
//               before; a diagonal step squeezes through or, without cut_corners, cuts a corner;
//               an end is outside its cell or NaN
//   TR_LIMIT    more points are needed than `point_max`
TR_API tr_status tr_line_of_sight_pull(const tr_route_map *map, const tr_line_of_sight_path *path,
                                       tr_vec2 *points, uint32_t point_max, uint32_t *point_count,
                                       double *length);

TR_END_DECLARATIONS
