// troupe/world/voxels.h - the scene sliced into a 3D grid: which cells geometry touches, as bits in columns.
//
// Bandi & Thalmann 1998, 2.1: the scene is cut into horizontal layers, each drawn into a grid by a raster
// back end. Tall scenes are mostly air, so the cells come tile by tile and nobody needs to hold them all;
// tr_voxels_make keeps the dense grid for those who want it.
#pragma once
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

#define TR_VOXEL_LAYERS_MAX 4096
#define TR_VOXEL_TILE 32 // columns, and rows, of a tile; those at the far borders may be smaller

// Layer k covers the closed heights [bottom + k * layer, + layer].
typedef struct tr_voxel_grid {
    tr_grid grid;    // seen from above
    float bottom;    // of the lowest layer [m]
    float layer;     // height of a layer [m, > 0]
    uint32_t layers; // [1, TR_VOXEL_LAYERS_MAX]
} tr_voxel_grid;

// The grid that covers `box` with cells of `cell` by `layer` by `cell` metres, `margin` metres around it on
// the sides; its corner on multiples of them. TR_INVALID, TR_LIMIT (with the numbers) as tr_grid_cover.
TR_API tr_status tr_voxel_grid_cover(tr_box box, float cell, float layer, float margin, uint64_t max_columns,
                                     tr_voxel_grid *grid, tr_error *error);
TR_API tr_status tr_voxel_grid_check(const tr_voxel_grid *grid, uint64_t max_columns, tr_error *error);

// The top of what fills a cell, as heights above the layer's floor. Meaningful only in an occupied cell with
// nothing in the layer above it.
typedef struct tr_voxel_top {
    uint16_t top;   // of the highest geometry in the cell, in 1/65535 of a layer, rounded up
    uint16_t stand; // of the highest that may be stood on: (1 + height in 1/32766 of a layer, rounded up) <<
                    // 1, and 1 more when it has one of the request's `sure_tags`; 0: none may be stood on
} tr_voxel_top;

// Some columns of the grid. Column (c, r) of the window is number (r - row_begin) * width + (c -
// column_begin), its bits are `words` words from words * number on: bit (layer & 63) of word layer >> 6.
typedef struct tr_voxels {
    tr_voxel_grid grid;
    tr_cells window;
    uint32_t words; // in a column
    uint64_t *occupied;
    tr_voxel_top *tops; // `layers` for each column; NULL when not kept
} tr_voxels;

static inline uint32_t tr_voxels_column(const tr_voxels *voxels, uint32_t column, uint32_t row) {
    return (row - voxels->window.row_begin) * (voxels->window.column_end - voxels->window.column_begin) +
           (column - voxels->window.column_begin);
}
static inline bool tr_voxels_get(const tr_voxels *voxels, uint32_t column, uint32_t layer, uint32_t row) {
    const uint64_t *bits = voxels->occupied + (size_t)tr_voxels_column(voxels, column, row) * voxels->words;
    return bits[layer >> 6] >> (layer & 63) & 1;
}

typedef struct tr_voxels_request {
    const tr_scene *scene;
    tr_voxel_grid grid;
    tr_cells region;         // only tiles that touch these cells are drawn, whole; tr_grid_all() for all
    uint32_t exclude_tags;   // objects with any of these tags are left out
    uint32_t exclude_object; // and this one; TR_NONE for none
    const uint64_t *exclude; // and those whose bit is set: one bit an object; may be NULL
    uint32_t exclude_count;  // of bits; objects beyond them are not left out
    // What may be stood on: triangles whose plane is no steeper than this [cosine to the vertical, 0 to 1],
    // to within rounding and whichever way they face, of objects without these tags. Those without area
    // never.
    float stand_cosine;
    uint32_t stand_exclude_tags;
    uint32_t sure_tags; // objects with any of these are known to be for standing on: marked in tr_voxel_top
    // Called once for every tile, empty ones too, from any member of the rasteriser's team; tiles are
    // numbered row by row. The planes are the rasteriser's and are valid during the call.
    void (*take)(void *user, const tr_voxels *tile, uint32_t number, uint32_t member);
    void *user;
} tr_voxels_request;

static inline uint32_t tr_voxels_tile_columns(const tr_grid *grid) {
    return (grid->columns + TR_VOXEL_TILE - 1) / TR_VOXEL_TILE;
}
static inline uint32_t tr_voxels_tile_rows(const tr_grid *grid) {
    return (grid->rows + TR_VOXEL_TILE - 1) / TR_VOXEL_TILE;
}

// Slice the scene. A cell that geometry touches is always set; one that it comes nearer to than
// tr_raster_slack() cells (sideways) or 2^-8 layers (up and down) may be, and tops may be higher by what such
// geometry has there. Geometry beyond the bottom or the last layer is cut off there. Both back ends; the
// result is the same for any team. What the rasteriser keeps for it grows with the scene and is used again: a
// scene that was sliced before is sliced without allocating. TR_INVALID for a bad request, while requests are
// in flight, and when a drawn object emits a corner that it must not; no tile is handed out then.
TR_API tr_status tr_voxels_draw(tr_raster *raster, const tr_voxels_request *request, tr_error *error);

// The dense grid of all columns of the request's grid, one bit a cell, and with `with_tops` four bytes more;
// `take` and `region` of the request are not used. TR_LIMIT: more than 2^34 cells, or 2^28 with tops.
TR_API tr_status tr_voxels_make(tr_raster *raster, const tr_voxels_request *request, bool with_tops,
                                const tr_allocator *allocator, tr_voxels *voxels, tr_error *error);
TR_API void tr_voxels_destroy(const tr_allocator *allocator, tr_voxels *voxels); // zero is allowed
TR_API uint64_t tr_voxels_count(const tr_voxels *voxels);                        // cells that are occupied
// Redo only the tiles under these boxes (where something was, and where it is now): as tr_voxels_make would.
TR_API tr_status tr_voxels_update(tr_voxels *voxels, tr_raster *raster, const tr_voxels_request *request,
                                  const tr_box *boxes, uint32_t box_count, tr_error *error);

TR_END_DECLARATIONS
