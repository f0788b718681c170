// troupe/world/voxels.h - the scene sliced into a 3D grid: which cells geometry touches, as bits in columns.
//
// Bandi & Thalmann 1998, 2.1: the scene is cut into horizontal layers, each drawn into a grid by a raster
// back end. Tall scenes are mostly air, so the cells are delivered tile by tile and need not all be held in
// memory. tr_voxels_make keeps the dense grid for callers that need it.
#pragma once
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

#define TR_VOXEL_LAYERS_MAX 4096
#define TR_VOXEL_TILE 32 // columns, and rows, of a tile; tiles at the far borders may be smaller

// Layer k covers the closed heights [bottom + k * layer, + layer].
typedef struct tr_voxel_grid {
    tr_grid grid;    // seen from above
    float bottom;    // of the lowest layer [m]
    float layer;     // height of a layer [m, > 0]
    uint32_t layers; // [1, TR_VOXEL_LAYERS_MAX]
} tr_voxel_grid;

// Computes the grid that covers `box` with cells of `cell` by `layer` by `cell` metres and a margin of
// `margin` metres on the sides. Its corner is on multiples of these sizes. TR_INVALID, TR_LIMIT (with the
// numbers) as tr_grid_cover.
TR_API tr_status tr_voxel_grid_cover(tr_box box, float cell, float layer, float margin, uint64_t max_columns,
                                     tr_voxel_grid *grid, tr_error *error);
TR_API tr_status tr_voxel_grid_check(const tr_voxel_grid *grid, uint64_t max_columns, tr_error *error);

// The tops of the geometry in a cell, as heights above the layer's floor. Meaningful only in an occupied cell
// with nothing in the layer above it.
typedef struct tr_voxel_top {
    uint16_t top;   // of the highest geometry in the cell, in 1/65535 of a layer, rounded up
    uint16_t stand; // of the highest geometry to stand on: (1 + height in 1/32766 of a layer, rounded up)
                    // << 1, plus 1 if it has one of the request's `sure_tags`; 0: nothing to stand on
} tr_voxel_top;

// A window of columns of the grid. Column (c, r) of the window is number (r - row_begin) * width + (c -
// column_begin). Its bits are the `words` words from words * number on: bit (layer & 63) of word layer >> 6.
typedef struct tr_voxels {
    tr_voxel_grid grid;
    tr_cells window;
    uint32_t words; // in a column
    uint64_t *occupied;
    tr_voxel_top *tops; // `layers` for each column; NULL if not kept
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
    tr_cells region;         // only tiles that touch these cells are drawn, each whole; tr_grid_all() for all
    uint32_t exclude_tags;   // ignore objects with any of these tags
    uint32_t exclude_object; // ignore this object; TR_NONE for none
    const uint64_t *exclude; // ignore objects whose bit is set, one bit for each object; may be NULL
    uint32_t exclude_count;  // number of bits; objects beyond them are not ignored
    // A triangle carries a body if its plane is no steeper than this [cosine to the vertical, 0 to 1], up to
    // rounding and regardless of the side that it faces, and if its object has none of these tags. A triangle
    // without area carries nothing.
    float stand_cosine;
    uint32_t stand_exclude_tags;
    uint32_t sure_tags; // objects with any of these tags are meant for standing on: marked in tr_voxel_top
    // Called once for every tile, including empty ones, from any member of the rasteriser's team. Tiles are
    // numbered row by row. The rasteriser owns the planes; they are valid during the call.
    void (*take)(void *user, const tr_voxels *tile, uint32_t number, uint32_t member);
    void *user;
} tr_voxels_request;

static inline uint32_t tr_voxels_tile_columns(const tr_grid *grid) {
    return (grid->columns + TR_VOXEL_TILE - 1) / TR_VOXEL_TILE;
}
static inline uint32_t tr_voxels_tile_rows(const tr_grid *grid) {
    return (grid->rows + TR_VOXEL_TILE - 1) / TR_VOXEL_TILE;
}

// Slices the scene. A cell that geometry touches is always set. A cell that geometry comes nearer to than
// tr_raster_slack() cells (sideways) or 2^-8 layers (up and down) may be set, and such geometry may also
// raise the tops. Geometry below the bottom or above the last layer is cut off. Works with both back ends;
// the result is the same for any team. The memory that the rasteriser keeps for slicing grows with the scene
// and is reused: slicing a scene a second time allocates nothing. TR_INVALID: the request is bad, requests
// are in flight, or a drawn object emits an invalid corner; no tile is delivered then.
TR_API tr_status tr_voxels_draw(tr_raster *raster, const tr_voxels_request *request, tr_error *error);

// Makes the dense grid of all columns of the request's grid: one bit for each cell, and with `with_tops` four
// bytes more. `take` and `region` of the request are not used. TR_LIMIT: more than 2^34 cells, or 2^28 with
// tops.
TR_API tr_status tr_voxels_make(tr_raster *raster, const tr_voxels_request *request, bool with_tops,
                                const tr_allocator *allocator, tr_voxels *voxels, tr_error *error);
TR_API void tr_voxels_destroy(const tr_allocator *allocator, tr_voxels *voxels); // all zero is allowed
TR_API uint64_t tr_voxels_count(const tr_voxels *voxels);                        // cells that are occupied
// Redraws only the tiles under these boxes (the old and the new place of each object that moved). The result
// is that of tr_voxels_make.
TR_API tr_status tr_voxels_update(tr_voxels *voxels, tr_raster *raster, const tr_voxels_request *request,
                                  const tr_box *boxes, uint32_t box_count, tr_error *error);

TR_END_DECLARATIONS
