// troupe/world/occupancy.h - where a body of a given height and radius can be on level ground, as a map of
// cells.
//
// Kuffner 1998, sections 5 and 6.1: the obstacles in the body's height band are projected onto a grid
// (`occupied`) and grown by the radius of the cylinder around it (`blocked`), so that a planner can treat the
// body as a point.
#pragma once
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

// When an occupied cell blocks another one. Both kinds produce an exact Euclidean disc, cell for cell.
typedef enum tr_growth {
    TR_GROWTH_SAFE, // the nearest points of the two cells are closer than the radius: a body anywhere in a
                    // cell that is not blocked touches nothing, wherever in the occupied cell the obstacle is
    TR_GROWTH_CENTRES, // the paper's rule: the centres of the two cells are no further apart than the radius
} tr_growth;

// An obstacle outside the grid has no cells and blocks none. If a map is a window onto a larger scene,
// enlarge the grid by the radius (the margin of tr_grid_cover) and keep bodies out of that rim.
typedef struct tr_occupancy_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_grid grid;
    tr_raster_band band;
    float radius; // of the cylinder around the body [m, >= 0; 0 blocks the occupied cells, and under
                  // TR_GROWTH_SAFE only those]. Converted to cells as radius / cell rounded to a float:
                  // 0.3 m is exactly three cells of 0.1 m
    tr_growth growth;
    bool keep_heights;   // also keep floor and overhang for each cell
    bool keep_clearance; // also keep the distance to the nearest occupied cell, for each cell
    uint64_t max_cells;  // 0: TR_GRID_CELLS_DEFAULT_MAX
} tr_occupancy_def;

// Returns the definition for an adult on a floor at `ground` [m]: band from ground + 0.05 to ground + 1.8,
// radius 0.3, safe growth, neither heights nor clearance kept. The caller fills in the grid.
TR_API tr_occupancy_def tr_occupancy_def_default(float ground);

typedef struct tr_occupancy tr_occupancy;

TR_API tr_status tr_occupancy_create(const tr_occupancy_def *def, tr_occupancy **occupancy, tr_error *error);
TR_API void tr_occupancy_destroy(tr_occupancy *occupancy); // NULL is allowed

// Builds the whole map anew. Allocates nothing if the scene has no more objects than at the last build and
// the rasteriser is prepared for it.
TR_API tr_status tr_occupancy_build(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene,
                                    tr_error *error);

// Redraws only the cells under the old and the new place of objects that changed since the last build or
// update of the same scene. The map is the same, bit for bit, as after a build. `changed` (may be NULL)
// receives a rectangle around all cells that were redrawn, grown by the radius; it is empty if nothing moved.
// The clearance map, if kept, is recomputed.
TR_API tr_status tr_occupancy_update(tr_occupancy *occupancy, tr_raster *raster, const tr_scene *scene,
                                     tr_cells *changed, tr_error *error);
// Returns the cells that the last build or update redrew, as rectangles that do not overlap: one for each
// object that moved, if these are apart, and at most TR_OCCUPANCY_CHANGES_MAX. Valid until the next build or
// update.
#define TR_OCCUPANCY_CHANGES_MAX 32
TR_API const tr_cells *tr_occupancy_changes(const tr_occupancy *occupancy, uint32_t *count);

TR_API const tr_grid *tr_occupancy_grid(const tr_occupancy *occupancy);
TR_API const tr_bitmap *tr_occupancy_occupied(const tr_occupancy *occupancy);
TR_API const tr_bitmap *tr_occupancy_blocked(const tr_occupancy *occupancy);
// Row by row, columns * rows; NULL if not kept. See tr_raster_request; the split is the middle of the band.
TR_API const float *tr_occupancy_floor(const tr_occupancy *occupancy);
TR_API const float *tr_occupancy_overhang(const tr_occupancy *occupancy);
// Returns the distance of each cell to the nearest occupied cell [m], row by row: 0 on occupied cells,
// INFINITY if no cell is occupied. NULL if not kept. Measured as the growth defines, so that blocked means
// clearance < radius (safe) or <= radius (centres).
TR_API const float *tr_occupancy_clearance(const tr_occupancy *occupancy);

// Returns whether the cell that contains the point is free. false outside the grid.
TR_API bool tr_occupancy_is_free(const tr_occupancy *occupancy, tr_vec2 point);
// Returns the bytes held for each cell of the grid, all planes and scratch memory together.
TR_API double tr_occupancy_bytes_per_cell(const tr_occupancy *occupancy);

// Grows obstacles in bitmaps of the caller. The two bitmaps have the same size and are distinct. Writes only
// the cells of `region`. The radius is in cells.
TR_API tr_status tr_occupancy_grow(const tr_bitmap *occupied, tr_bitmap *blocked, tr_growth growth,
                                   double radius_cells, tr_cells region, uint64_t *scratch,
                                   size_t scratch_words);
// Returns how many scratch words tr_occupancy_grow needs for these columns and radius; 0 for a bad radius.
TR_API size_t tr_occupancy_grow_scratch(uint32_t columns, double radius_cells);

TR_END_DECLARATIONS
