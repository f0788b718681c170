// Up to 64 cells in one register: 8 by 8, or longer and narrower. Most blocks, and many whole objects, cover
// no more. Their cells are then tested and set for all lanes at once, without a branch and without memory
// access. Part of the inner loops of the `soft` rasteriser, included once for each SIMD_LANES.
#pragma once
#include "base/simd.h"
#include "raster_soft.h"

// A rectangle of cells; empty when first > last.
typedef struct rectangle {
    simd_int column_first, column_last, row_first, row_last;
} rectangle;

// Bit column + (row << width), relative to the tile's own corner, is set where the map was set when the tile
// was opened or has been set since.
typedef struct tile {
    int32_t column, row; // its corner on the map
    int32_t rows;        // the rows in use
    int width;           // as a power of 2 [0, 5]
    uint64_t cells;
    uint64_t full; // all cells in use
} tile;

// The first column of each row, for each width.
static const uint64_t tile_first_column[6] = {0xffffffffffffffff, 0x5555555555555555, 0x1111111111111111,
                                              0x0101010101010101, 0x0001000100010001, 0x0000000100000001};

// A set of a tile's cells for each lane: the rows of the lower and of the upper half.
typedef struct tile_cells {
    simd_bitset lower, upper;
} tile_cells;

// Places the tile over cells of the job; false when they do not fit.
static inline bool tile_place(const soft_cells *cells, tile *t) {
    int32_t columns = cells->column_last - cells->column_first + 1;
    t->column = cells->column_first;
    t->row = cells->row_first;
    t->rows = cells->row_last - cells->row_first + 1;
    t->width = 3;
    while (columns > 1 << t->width && t->width < 5)
        t->width++;
    while (t->rows > 64 >> t->width && t->width > 0)
        t->width--;
    if (columns > 1 << t->width || t->rows > 64 >> t->width)
        return false;
    t->full = (((uint64_t)1 << columns) - 1) * tile_first_column[t->width] >> (64 - (t->rows << t->width));
    return true;
}

static inline void tile_open(const soft_job *job, tile *t) {
    const uint64_t *words = job->words + (size_t)t->row * job->stride + (t->column >> 6);
    uint64_t columns = t->full & (((uint64_t)1 << (1 << t->width)) - 1);
    int shift = t->column & 63;
    t->cells = 0;
    for (int32_t row = 0; row < t->rows; row++, words += job->stride)
        t->cells |= ((words[0] >> shift | words[1] << 1 << (63 - shift)) & columns) << (row << t->width);
}

static inline void tile_close(const soft_job *job, const tile *t) {
    uint64_t *words = job->words + (size_t)t->row * job->stride + (t->column >> 6);
    uint64_t columns = ((uint64_t)1 << (1 << t->width)) - 1;
    int shift = t->column & 63;
    bool spills = shift + (1 << t->width) > 64;
    for (int32_t row = 0; row < t->rows; row++, words += job->stride) {
        uint64_t cells = t->cells >> (row << t->width) & columns;
        words[0] |= cells << shift;
        if (spills)
            words[1] |= cells >> (64 - shift);
    }
}

// Columns [first, last] of a row, for each lane; first may be one beyond last.
static inline simd_bitset tile_columns(const tile *t, simd_int first, simd_int last) {
    return simd_shift_left(simd_set_bits(2), last - t->column) -
           simd_shift_left(simd_set_bits(1), first - t->column);
}

// The first bit of a row.
static inline simd_int tile_row_bit(const tile *t, simd_int row) {
    return (simd_int)((simd_bitset)(row - t->row) << t->width);
}

// The cells of a rectangle that lies inside the tile.
static inline tile_cells tile_rectangle(const tile *t, const rectangle *r) {
    simd_bitset columns =
        tile_columns(t, r->column_first, r->column_last) * (uint32_t)tile_first_column[t->width];
    simd_int begin = tile_row_bit(t, r->row_first), end = tile_row_bit(t, r->row_last + 1);
    simd_int upper_begin = simd_max_int(begin - 32, simd_set_int(0)),
             upper_end = simd_max_int(end - 32, simd_set_int(0));
    simd_bitset all = simd_set_bits(UINT32_MAX);
    tile_cells cells = {
        columns & simd_shift_left(all, begin) & ~simd_shift_left(all, end),
        columns & simd_shift_left(all, upper_begin) & ~simd_shift_left(all, upper_end),
    };
    return cells;
}

// Adds columns [first, last] of a row for each of `lanes`, all inside the tile.
static inline void tile_add_span(const tile *t, simd_int lanes, simd_int row, simd_int first, simd_int last,
                                 tile_cells *cells) {
    simd_bitset columns = (simd_bitset)lanes & tile_columns(t, first, last);
    simd_int begin = tile_row_bit(t, row);
    cells->lower |= simd_shift_left(columns, begin);
    cells->upper |= simd_shift_left(columns, begin - 32);
}

// The lanes with cells that are not set yet.
static inline simd_int tile_lacks(const tile *t, const tile_cells *cells) {
    simd_bitset lower = simd_set_bits((uint32_t)t->cells), upper = simd_set_bits((uint32_t)(t->cells >> 32));
    return (simd_int)(((cells->lower & ~lower) | (cells->upper & ~upper)) != 0);
}

static inline void tile_set(tile *t, simd_int lanes, const tile_cells *cells) {
    t->cells |= simd_or_lanes((simd_bitset)lanes & cells->lower, (simd_bitset)lanes & cells->upper);
}
