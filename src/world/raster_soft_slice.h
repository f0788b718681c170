// What the parts of slicing with the `soft` back end share. Internal to world/.
//
// Blocks of triangles are first sorted into tiles of columns by their boxes; then tile after tile is drawn,
// each by one member of the team, into planes of that member.
#pragma once
#include "raster_soft.h"

// An object that reaches into the tiles that are drawn. Its job counts heights in layers above the bottom.
typedef struct slice_object {
    soft_job job;
    double reach_x, reach_z; // of its box [cells]
    float cofactor[3][3];    // turns normals of its mesh into normals in the world
    bool stands;             // its triangles may be stood on, if they are flat enough
    uint16_t sure;           // 1: and are known to be for it
    uint32_t first_emitted;  // of a drawn object: where its blocks begin
} slice_object;

// A block of triangles, and the tiles that its box comes near to; both ends belong to it.
typedef struct slice_block {
    uint32_t object, number;
    uint16_t column_first, column_last, row_first, row_last;
} slice_block;

// What the rasteriser keeps from slice to slice, so that the next need not allocate.
typedef struct soft_slicer {
    slice_object *objects;
    slice_block *blocks;
    mesh_block *emitted; // by drawn objects
    uint32_t object_count, object_capacity, block_count, block_capacity, emitted_count, emitted_capacity;
    // The blocks of each tile, one list after the other: those of tile t end where those of t + 1 begin.
    uint32_t *starts, *listed;
    uint32_t starts_capacity, listed_capacity;
    uint32_t *wide; // blocks that reach over too many tiles to be listed in each
    uint32_t wide_count, wide_capacity;
    uint64_t *bits; // planes of one tile for each member
    tr_voxel_top *tops;
    uint32_t bits_capacity, tops_capacity;
} soft_slicer;

// One slicing.
typedef struct slice_work {
    soft_slicer *slicer;
    const tr_voxels_request *request;
    soft_cells tiles;      // those that are drawn
    uint32_t tile_columns; // of these
    uint32_t words;        // in a column
    float flatness;        // the square of the least cosine that may be stood on, a little less for rounding
} slice_work;

// The planes of one tile.
typedef struct slice_tile {
    tr_voxels view;
    int32_t column, row; // its corner on the grid
    int32_t columns, rows;
} slice_tile;

tr_status tr_soft_slice(soft_slicer *slicer, const tr_allocator *allocator, tr_tasks *tasks,
                        const tr_voxels_request *request, tr_error *error);
void tr_soft_slicer_clear(soft_slicer *slicer, const tr_allocator *allocator);

// raster_soft_slice_bin.c: collect the objects and blocks that reach into the work's tiles, and list them
// tile by tile.
tr_status tr_soft_slice_bin(slice_work *work, const tr_allocator *allocator, tr_error *error);

// One triangle in double precision.
void tr_soft_slice_large(const slice_work *work, const slice_object *object, const mesh_block *block,
                         uint32_t lane, const slice_tile *tile);

// What a top is worth in tr_voxel_top, given its height above the layer's floor [layers, 0 to 1].
static inline uint16_t slice_top_of(float above) {
    float scaled = above * 65535.0f;
    uint32_t whole = (uint32_t)scaled;
    return (uint16_t)(whole + ((float)whole < scaled));
}

static inline uint16_t slice_stand_of(float above, uint16_t sure) {
    float scaled = above * 32766.0f;
    uint32_t whole = (uint32_t)scaled;
    return (uint16_t)((1 + whole + ((float)whole < scaled)) << 1 | sure);
}

// Set layers [low, high] of a column. A top is written where its layer was empty, else it counts if it is
// higher. That is enough: nothing passes through the top layer of a run, or the one above were set too; so
// all that touch it end in it, and the first of them finds it empty.
static inline void slice_fill(const slice_tile *tile, uint32_t column, uint32_t low, uint32_t high,
                              uint16_t top, uint16_t stand) {
    uint64_t *bits = tile->view.occupied + (size_t)column * tile->view.words;
    tr_voxel_top *kept = tile->view.tops + (size_t)column * tile->view.grid.layers + high;
    uint32_t word = low >> 6, last = high >> 6;
    uint64_t mask = ~(uint64_t)0 << (low & 63), last_mask = ~(uint64_t)0 >> (63 - (high & 63));
    bool was_set = bits[last] >> (high & 63) & 1;
    uint16_t old_top = was_set ? kept->top : 0, old_stand = was_set ? kept->stand : 0;
    kept->top = top > old_top ? top : old_top;
    kept->stand = stand > old_stand ? stand : old_stand;
    if (word == last) {
        bits[word] |= mask & last_mask;
        return;
    }
    bits[word] |= mask;
    for (word++; word < last; word++)
        bits[word] = ~(uint64_t)0;
    bits[word] |= last_mask;
}
