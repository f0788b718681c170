// cli/papers/footstep_corners.h - footsteps on the corners of cells: Bandi & Thalmann 1998, 3.3.4.
#pragma once
#include "troupe/plan/footstep.h"

// Places footsteps along a path of cells as in figure 8: each foot goes on the corner of the next cell that
// is on its own side of the line, `stride` cells at a time [1, 8]. The first two footsteps are where the feet
// begin, both in the first cell. TR_LIMIT: there are more than footstep_max, and *footstep_count receives
// their number; 2 * cell_count + 2 are enough. TR_INVALID: there are no cells, a cell is outside the
// surface's grid, or the stride is out of range.
tr_status paper_footstep_corners(const tr_surface *surface, const tr_surface_route_cell *cells,
                                 uint32_t cell_count, uint32_t stride, tr_footstep *footsteps,
                                 uint32_t footstep_max, uint32_t *footstep_count);
