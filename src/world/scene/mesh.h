// A mesh in the layout of the rasteriser: blocks of 8 triangles that lie near each other, corner coordinates
// as structure of arrays, with a box for each block. Internal to world/.
#pragma once
#include "troupe/world/scene.h"

#define MESH_BLOCK 8
#define MESH_STRIDE 16

// x, y, z of the first corner, then of the second and third: relative to the mesh's centre, so that a mesh
// far from its origin loses no precision. The last block is padded with its last triangle, which is not drawn
// again.
typedef struct mesh_block {
    float corner[9][MESH_BLOCK];
} mesh_block;

typedef struct tr_mesh {
    char *name; // NULL when it has none
    tr_vec3 *positions;
    uint32_t *indices;
    uint32_t position_count, triangle_count;
    tr_box bounds;
    uint64_t fingerprint; // of positions and indices
    tr_vec3 centre, half; // see tr_mesh_choose_centre
    // Blocks of large triangles come first: cells that they cover need not be drawn again.
    uint32_t block_count;
    uint32_t
        block_stride; // block_count rounded up to MESH_STRIDE: whole SIMD words can be read from block_bounds
    mesh_block *blocks;
    float *block_bounds; // six rows of block_stride: centre x, y, z (relative to the mesh's centre), half
                         // size x, y, z
} tr_mesh;

// A point from which differences are exact for every corner inside the bounds, and the greatest distance of
// such corners from it: the middle of the bounds where they lie to one side of the origin, else the origin
// itself, axis by axis.
void tr_mesh_choose_centre(tr_box bounds, tr_vec3 *centre, tr_vec3 *half);
// Checks and copies. On failure *made is empty and the error says why.
tr_status tr_mesh_create(const tr_allocator *allocator, const tr_mesh_def *def, tr_mesh *made,
                         tr_error *error);
void tr_mesh_destroy(const tr_allocator *allocator, tr_mesh *mesh);
uint64_t tr_mesh_bytes(const tr_mesh *mesh);
