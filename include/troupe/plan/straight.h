// troupe/plan/straight.h - lines of sight over the cells of a map, and any-angle routes made from paths of
// cells.
#pragma once
#include "troupe/plan/route_map.h"

TR_BEGIN_DECLARATIONS

// Is the straight line between two points all over free cells? Exact for the closed line and open cells:
// every cell whose inside the line passes through must be free; where it passes exactly through a corner, or
// along a border, one side that is free is enough unless `cut_corners` is false, when no cell that the line
// touches may be blocked.
TR_API bool tr_straight_is_free(const tr_route_map *map, tr_vec2 from, tr_vec2 to, bool cut_corners);

// Pull a path of cells tight: a line of few points with the same ends, never longer than the path, every
// piece free as above. `points` has room for `point_max` [at least cell_count]; no allocation. `length` (may
// be NULL) gets metres. `start` and `goal` are the exact ends, inside the first and the last cell.
TR_API tr_status tr_straight_pull(const tr_route_map *map, const uint32_t *cells, uint32_t cell_count,
                                  tr_vec2 start, tr_vec2 goal, bool cut_corners, tr_vec2 *points,
                                  uint32_t point_max, uint32_t *point_count, double *length);

TR_END_DECLARATIONS
