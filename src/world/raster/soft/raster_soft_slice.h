// Declarations that the files for slicing with the `soft` back end share. Internal to world/.
//
// Blocks of triangles are first sorted into tiles of columns by their boxes; then tile after tile is drawn,
// each by one member of the team, into planes of that member.
#pragma once
#include "raster_soft.h"

#define SLICE_POLYGON_MAX 12

// An object that reaches into the drawn tiles. Its job counts heights in layers above the bottom.
typedef struct slice_object {
    soft_job job;
    float block_height_slack; // [layers]: for the boxes of blocks
    float cofactor[3][3];     // turns normals of its mesh into normals in the world
    bool stands;              // its triangles can be stood on, if they are flat enough
    uint16_t sure;            // 1: and are known to be meant for it
    uint32_t first_emitted;   // of a drawn object: where its blocks begin
} slice_object;

// A block of triangles, and the tiles near its box; both ends are included.
typedef struct slice_block {
    uint32_t object, number;
    uint16_t column_first, column_last, row_first, row_last;
} slice_block;

// Memory that the rasteriser keeps from slice to slice, so that the next need not allocate.
typedef struct soft_slicer {
    slice_object *objects;
    slice_block *blocks;
    mesh_block *emitted; // by drawn objects
    uint32_t object_count, object_capacity, block_count, block_capacity, emitted_count, emitted_capacity;
    // The blocks of each tile, one list after the other: the list of tile t ends where that of t + 1 begins.
    uint32_t *starts, *listed;
    uint32_t starts_capacity, listed_capacity;
    uint32_t *wide; // blocks over too many tiles to be listed in each
    uint32_t wide_count, wide_capacity;
    uint64_t *bits; // planes of one tile for each member
    tr_voxel_top *tops;
    uint32_t bits_capacity, tops_capacity;
} soft_slicer;

// Tiles of up to eight blocks.
typedef struct slice_tiles {
    int32_t column_first[8], column_last[8], row_first[8], row_last[8];
} slice_tiles;

typedef struct slice_work slice_work;
typedef struct slice_tile slice_tile;
typedef void (*slice_function)(const slice_work *work, const slice_object *object, uint32_t number,
                               const slice_tile *tile);

// The state of one slicing.
struct slice_work {
    slice_function draw;
    uint32_t (*tiles_of)(const slice_object *object, uint32_t first, float layers, slice_tiles *tiles);
    uint32_t lanes;
    soft_slicer *slicer;
    const tr_voxels_request *request;
    soft_cells tiles;      // the drawn tiles
    uint32_t tile_columns; // among these
    uint32_t words;        // in a column
    float flatness;        // the square of the least cosine that can be stood on, slightly less for rounding
};

// The planes of one tile.
struct slice_tile {
    tr_voxels view;
    int32_t column, row; // its corner on the grid
    int32_t columns, rows;
};

tr_status tr_soft_slice(soft_slicer *slicer, const tr_allocator *allocator, tr_tasks *tasks, uint32_t lanes,
                        const tr_voxels_request *request, tr_error *error);
void tr_soft_slicer_clear(soft_slicer *slicer, const tr_allocator *allocator);

// raster_soft_slice_bin.c: collects the objects and blocks that reach into the work's tiles, and lists them
// tile by tile.
tr_status tr_soft_slice_bin(slice_work *work, const tr_allocator *allocator, tr_error *error);

// Draws one block of an object into a tile: one function for each width of SIMD, with the same result.
void tr_soft_slice_draw_4(const slice_work *work, const slice_object *object, uint32_t number,
                          const slice_tile *tile);
void tr_soft_slice_draw_8(const slice_work *work, const slice_object *object, uint32_t number,
                          const slice_tile *tile);

// The tiles near the boxes of the object's blocks from `first` on, for as many blocks as there are lanes;
// returns a bit for each block that is near any.
uint32_t tr_soft_slice_tiles_4(const slice_object *object, uint32_t first, float layers, slice_tiles *tiles);
uint32_t tr_soft_slice_tiles_8(const slice_object *object, uint32_t first, float layers, slice_tiles *tiles);

// The part of a triangle over a tile, in cells from its corner and layers.
typedef struct slice_polygon {
    int count;
    float x[SLICE_POLYGON_MAX], y[SLICE_POLYGON_MAX], z[SLICE_POLYGON_MAX];
} slice_polygon;

// raster_soft_slice_large.c: cuts a triangle in double precision, with a margin of a cell around the tile and
// a layer around the grid; false when nothing is left.
bool tr_soft_slice_cut(const slice_object *object, const mesh_block *block, uint32_t lane,
                       const slice_tile *tile, slice_polygon *polygon);
// The box of a block's first `count` triangles: its middle and half size.
void tr_soft_slice_bound(const mesh_block *block, uint32_t count, float box[6]);

// Bits [first, last] of a word.
static inline uint64_t slice_mask(uint32_t first, uint32_t last) {
    return ~(uint64_t)0 << first & ~(~(uint64_t)1 << last);
}

// Records the top of something that fills a column up to some layer, whose word was `before` and whose bit is
// `bit`: it is written where the layer was empty, otherwise the higher top counts. That is enough: nothing
// passes through the top layer of a run, or the layer above would be set too. So everything that touches it
// ends in it, and the first finds it empty.
static inline void slice_raise(tr_voxel_top *kept, uint64_t before, uint32_t bit, uint32_t top,
                               uint32_t stand) {
    uint32_t was_set = 0 - (uint32_t)(before >> bit & 1);
    uint32_t old_top = kept->top & was_set, old_stand = kept->stand & was_set;
    kept->top = (uint16_t)(top > old_top ? top : old_top);
    kept->stand = (uint16_t)(stand > old_stand ? stand : old_stand);
}
