// Declarations that the files for depth maps of `soft` share: one job is one object seen by one camera.
// Internal to world/.
#pragma once
#include "world/occupancy/depth_data.h"

// The greatest depths of a link's map, in squares of pixels: nothing deeper can collide there.
#define DEPTH_TILES 32 // a side, at most
typedef struct depth_tiles {
    int32_t side; // of a square [pixels]
    int32_t across;
    float deepest[DEPTH_TILES * DEPTH_TILES];
} depth_tiles;

typedef struct depth_job {
    double matrix[3][4]; // from the mesh's axes to column * depth, row * depth and depth (tr_depth_place)
    // The borders of the view that the boxes of blocks are compared with, and their absolute values.
    float planes[DEPTH_PLANES][4], planes_size[DEPTH_PLANES][3];
    bool beyond_floats;                                     // they overflow floats: no block is skipped
    int32_t column_first, column_last, row_first, row_last; // the pixels that matter, both ends included
    double deepest;                                         // and the depths
    float near;
    uint32_t columns;
    // The destination: 1 / depth of each pixel; or, where that is NULL, the map to compare with.
    float *inverse;
    uint32_t *objects; // also that of each pixel; may be NULL
    uint32_t object;   // that is drawn
    const float *link;
    const depth_tiles *tiles;
    // The source.
    const mesh_block *blocks;
    const float *block_bounds;
    uint32_t block_count, block_stride;
    uint32_t last_block_triangles; // all other blocks are full
} depth_job;

// Draws all blocks, or compares them until one collides and returns true. One function for each width of
// SIMD, with the same bits.
bool tr_soft_depth_blocks_4(const depth_job *job);
bool tr_soft_depth_blocks_8(const depth_job *job);

tr_status tr_soft_depth_draw(uint32_t lanes, const depth_view *view, const tr_depth_map *map,
                             tr_error *error);
tr_status tr_soft_depth_hits(uint32_t lanes, const depth_view *view, const tr_depth_map *link, bool *hit,
                             tr_error *error);
