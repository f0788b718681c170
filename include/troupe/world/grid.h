// troupe/world/grid.h - the square cells that the ground is divided into, and sets of cells as bits.
//
// Cell (column, row) covers the closed square
//   x in [origin.x + column * cell, origin.x + (column + 1) * cell],
//   z in [origin.z + row * cell, origin.z + (row + 1) * cell].
// A point on a border belongs to the cells on both sides.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

#define TR_GRID_SIDE_MAX 32768               // largest number of columns, and of rows
#define TR_GRID_CELLS_DEFAULT_MAX (1u << 28) // a bitmap of this many cells takes 32 MiB

typedef struct tr_grid {
    tr_vec2 origin;         // the corner with the least x and z [m]
    float cell;             // side of a cell [m, > 0]
    uint32_t columns, rows; // along x and z [1, TR_GRID_SIDE_MAX]
} tr_grid;

// A rectangle of cells, half open: columns [column_begin, column_end), rows [row_begin, row_end).
typedef struct tr_cells {
    uint32_t column_begin, row_begin, column_end, row_end;
} tr_cells;

// Computes the grid that covers the x and z of `box` with cells of `cell` metres and a margin of `margin`
// metres around it. Its origin is on a multiple of `cell`. TR_INVALID: the box is empty or infinite, or a
// size is bad. TR_LIMIT, with the numbers: it would need more than `max_cells` (0: TR_GRID_CELLS_DEFAULT_MAX)
// cells, or more than TR_GRID_SIDE_MAX on a side.
TR_API tr_status tr_grid_cover(tr_box box, float cell, float margin, uint64_t max_cells, tr_grid *grid,
                               tr_error *error);

// The same for a given number of cells on the longer side, which is how the experiments of the papers are
// stated. The origin is the corner of the box.
TR_API tr_status tr_grid_divide(tr_box box, uint32_t cells_on_longer_side, tr_grid *grid, tr_error *error);

TR_API tr_status tr_grid_check(const tr_grid *grid, uint64_t max_cells,
                               tr_error *error); // TR_OK, TR_INVALID, TR_LIMIT
// Finds the cell that contains the point; on a border, the one with the greater numbers. false: the point is
// outside the grid, or NaN.
TR_API bool tr_grid_find(const tr_grid *grid, tr_vec2 point, uint32_t *column, uint32_t *row);
TR_API tr_vec2 tr_grid_centre(const tr_grid *grid, uint32_t column, uint32_t row);
static inline tr_cells tr_grid_all(const tr_grid *grid) {
    tr_cells all = {0, 0, grid->columns, grid->rows};
    return all;
}

// One bit for each cell, in rows of whole 64-bit words: bit (column & 63) of words[row * stride + (column >>
// 6)]. One spare word ends each row, and bits beyond the last column are always 0. Code that works on whole
// words may rely on both.
typedef struct tr_bitmap {
    uint64_t *words;
    uint32_t columns, rows;
    uint32_t stride; // words in a row, including the spare one
} tr_bitmap;

TR_API tr_status tr_bitmap_create(const tr_allocator *allocator, uint32_t columns, uint32_t rows,
                                  tr_bitmap *bitmap);
TR_API void tr_bitmap_destroy(const tr_allocator *allocator, tr_bitmap *bitmap);
TR_API void tr_bitmap_clear(tr_bitmap *bitmap);
TR_API void tr_bitmap_clear_cells(tr_bitmap *bitmap, tr_cells cells); // cells outside the bitmap are ignored
TR_API uint64_t tr_bitmap_count(const tr_bitmap *bitmap);             // cells that are set
TR_API bool tr_bitmap_equal(const tr_bitmap *a, const tr_bitmap *b);
TR_API size_t tr_bitmap_bytes(const tr_bitmap *bitmap);
static inline bool tr_bitmap_get(const tr_bitmap *bitmap, uint32_t column, uint32_t row) {
    return bitmap->words[(size_t)row * bitmap->stride + (column >> 6)] >> (column & 63) & 1;
}
static inline void tr_bitmap_set(tr_bitmap *bitmap, uint32_t column, uint32_t row) {
    bitmap->words[(size_t)row * bitmap->stride + (column >> 6)] |= (uint64_t)1 << (column & 63);
}

TR_END_DECLARATIONS
