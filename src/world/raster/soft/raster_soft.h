// Declarations that the files of the `soft` back end share: one job is one object seen by one band of rows.
// Internal to world/.
#pragma once
#include "world/raster/raster_backend.h"
#include "world/scene/scene_data.h"

// Both ends are included.
typedef struct soft_cells {
    int32_t column_first, column_last, row_first, row_last;
} soft_cells;

typedef struct soft_job {
    double per_cell; // cells in a metre
    // From the mesh's axes (relative to its centre) to the grid's: column [cells], height above the band's
    // low end [m], row [cells]. Once in full precision, once for the SIMD loops.
    double exact[3][4];
    float matrix[3][4];
    float matrix_size[3][4]; // absolute values without the translation: transforms the half size of a box
    bool upright;            // columns and rows do not depend on heights
    bool needs_double;  // floats would be off by more than half the slack: every triangle takes the slow,
                        // exact path
    bool beyond_floats; // the matrix overflows floats (a tiny mesh scaled up, a flat mesh with a huge scale
                        // across it): they cannot even represent the boxes of blocks
    float height;       // of the band [m]
    float slack;        // [cells]
    float block_slack;  // [cells]: the same for the boxes of blocks, with a margin for their rounding
    float height_slack; // [m]: rounding of heights; geometry this close to the band counts as inside
    int32_t column_begin, column_end, row_begin, row_end; // the cells to draw
    soft_cells box;                                       // those of them that the object may touch
    // The destination.
    uint64_t *words;
    uint32_t stride;
    float *floor, *overhang; // NULL when not wanted
    uint32_t columns;
    float low, split; // [m]: heights in the planes are in world coordinates
    // The source.
    const mesh_block *blocks;
    const float *block_bounds;
    uint32_t block_count, block_stride;
    uint32_t last_block_triangles; // all other blocks are full
} soft_job;

// Sets the occupied cells of all blocks: one function for each width of SIMD, with the same result.
void tr_raster_soft_draw_4(const soft_job *job);
void tr_raster_soft_draw_8(const soft_job *job);

// One triangle of any size in double precision.
void tr_raster_soft_draw_large(const soft_job *job, const mesh_block *block, uint32_t lane);
// Floor and overhang of all blocks.
void tr_raster_soft_draw_heights(const soft_job *job);

static inline uint32_t soft_block_triangles(const soft_job *job, uint32_t number) {
    return number + 1 < job->block_count ? MESH_BLOCK : job->last_block_triangles;
}

// The cell of a coordinate, or the nearest in [least, most]. Avoids floor, which is a function call.
static inline int32_t soft_cell_at(double coordinate, int32_t least, int32_t most) {
    double inside = coordinate > least ? coordinate : least; // NaN too
    inside = inside < most ? inside : most;
    int32_t cell = (int32_t)inside;
    return cell - (inside < cell);
}

// Sets columns [first, last] of a row, both inside the job's cells.
static inline void soft_set_span(const soft_job *job, int32_t row, int32_t first, int32_t last) {
    uint64_t *words = job->words + (size_t)row * job->stride;
    int32_t word = first >> 6, last_word = last >> 6;
    uint64_t mask = ~(uint64_t)0 << (first & 63), last_mask = ~(uint64_t)0 >> (63 - (last & 63));
    if (word == last_word) { // nearly always
        words[word] |= mask & last_mask;
        return;
    }
    words[word] |= mask;
    for (word++; word < last_word; word++)
        words[word] = ~(uint64_t)0;
    words[word] |= last_mask;
}

// The same for at most 64 columns: one word, rarely two.
static inline void soft_set_short_span(const soft_job *job, int32_t row, int32_t first, int32_t last) {
    uint64_t *words = job->words + (size_t)row * job->stride + (first >> 6);
    uint64_t mask = ~(uint64_t)0 >> (63 - (last - first)), spilt = mask >> 1 >> (63 - (first & 63));
    words[0] |= mask << (first & 63);
    if (spilt)
        words[1] |= spilt;
}

// Whether all cells of this rectangle are set already. Then nothing inside it need be drawn.
static inline bool soft_is_covered(const soft_job *job, const soft_cells *cells) {
    int32_t first_word = cells->column_first >> 6, last_word = cells->column_last >> 6;
    uint64_t first_mask = ~(uint64_t)0 << (cells->column_first & 63);
    uint64_t last_mask = ~(uint64_t)0 >> (63 - (cells->column_last & 63));
    if (first_word == last_word) { // nearly always
        const uint64_t *word = job->words + (size_t)cells->row_first * job->stride + first_word,
                       mask = first_mask & last_mask;
        for (int32_t row = cells->row_first; row <= cells->row_last; row++, word += job->stride)
            if ((*word & mask) != mask)
                return false;
        return true;
    }
    for (int32_t row = cells->row_first; row <= cells->row_last; row++) {
        const uint64_t *words = job->words + (size_t)row * job->stride;
        for (int32_t word = first_word; word <= last_word; word++) {
            uint64_t mask = (word == first_word ? first_mask : ~(uint64_t)0) &
                            (word == last_word ? last_mask : ~(uint64_t)0);
            if ((words[word] & mask) != mask)
                return false;
        }
    }
    return true;
}
