// One of the maps of tr_refine: cells of one size, known tile by tile. Internal to plan/.
#pragma once
#include "troupe/plan/refine.h"

#define REFINE_TILE 8 // cells on a side: a byte of a bitmap's row

// A cell is free, blocked, or not looked at: it lies in a tile that is not known, and its parent is not free.
typedef struct refine_level {
    tr_allocator allocator;
    tr_grid grid;
    tr_raster_band band;
    double radius_cells;
    tr_bitmap occupied, blocked; // blocked or not looked at
    tr_bitmap projected, known;  // one bit for each tile
    tr_bitmap wanted, wider;     // tiles to look at next, and the same with their surroundings
    tr_route_map certain;        // free cells
    tr_route_map hopeful;        // free, or not looked at
    uint64_t *scratch;
    size_t scratch_words;
    uint64_t parent_revision; // of the parent's `certain` when it was taken over
    uint64_t projected_cells;
    bool is_begun;
} refine_level;

tr_status tr_refine_level_create(const tr_allocator *allocator, const tr_occupancy_def *def, uint32_t number,
                                 refine_level *level, tr_error *error);
void tr_refine_level_destroy(refine_level *level);

// The coarsest level is what the occupancy says.
void tr_refine_level_copy(refine_level *level, const tr_occupancy *occupancy);
// Take over what the parent knows by now.
void tr_refine_level_inherit(refine_level *level, const refine_level *parent);

// Has the cell been looked at, or need it not be?
bool tr_refine_level_is_certain(const refine_level *level, uint32_t column, uint32_t row);
// Put the tile of a cell onto the list of those to look at.
void tr_refine_level_want(refine_level *level, uint32_t column, uint32_t row);
// Look at the tiles on the list and those up to `spread` tiles around them, as far as there is something to
// learn; the list is empty afterwards.
tr_status tr_refine_level_look(refine_level *level, const refine_level *parent, uint32_t spread,
                               tr_raster *raster, const tr_scene *scene, tr_error *error);
