#include "troupe/plan/route_map.h"

#include <math.h>
#include <string.h>

static size_t words_of(uint32_t pitch, uint32_t rows) {
    return (size_t)pitch / 64 * ((size_t)rows + 2);
}

static uint32_t pitch_of(uint32_t cells) {
    return (cells + 2 + 63) / 64 * 64;
}

// One word before and one after: reading the three bits around a node may go a little beyond its row.
static uint64_t *allocate_bits(const tr_allocator *allocator, uint32_t pitch, uint32_t rows) {
    uint64_t *words = tr_allocate_zero(allocator, words_of(pitch, rows) + 2, sizeof *words);
    return words ? words + 1 : NULL;
}

static void release_bits(const tr_allocator *allocator, uint64_t *bits, uint32_t pitch, uint32_t rows) {
    if (bits)
        tr_release(allocator, bits - 1, words_of(pitch, rows) + 2, sizeof *bits);
}

tr_status tr_route_map_create(const tr_allocator *allocator, const tr_grid *grid, tr_route_map *map,
                              tr_error *error) {
    memset(map, 0, sizeof *map);
    tr_status status = tr_grid_check(grid, UINT64_MAX, error);
    if (status != TR_OK)
        return status;
    map->allocator = tr_allocator_or_default(allocator);
    map->grid = *grid;
    map->pitch = pitch_of(grid->columns);
    map->pitch_turned = pitch_of(grid->rows);
    if ((uint64_t)map->pitch * (grid->rows + 2) >= (uint64_t)1 << 31)
        return tr_fail(error, TR_LIMIT, "a map of %u x %u cells is too large for routes: at most 2^31 cells",
                       grid->columns, grid->rows);
    map->free = allocate_bits(&map->allocator, map->pitch, grid->rows);
    map->free_turned = allocate_bits(&map->allocator, map->pitch_turned, grid->columns);
    if (map->free && map->free_turned)
        return TR_OK;
    tr_route_map_destroy(map);
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a route map of %u x %u cells", grid->columns,
                   grid->rows);
}

void tr_route_map_destroy(tr_route_map *map) {
    tr_allocator allocator = tr_allocator_or_default(&map->allocator);
    release_bits(&allocator, map->free, map->pitch, map->grid.rows);
    release_bits(&allocator, map->free_turned, map->pitch_turned, map->grid.columns);
    memset(map, 0, sizeof *map);
}

uint32_t tr_route_map_nodes(const tr_route_map *map) {
    return map->pitch * (map->grid.rows + 2);
}

// Transposes a square of bits: halves, quarters, ... swap across the diagonal.
static void turn_square(uint64_t square[64]) {
    uint64_t mask = 0x00000000ffffffffu;
    for (int size = 32; size != 0; size >>= 1, mask ^= mask << size)
        for (int i = 0; i < 64; i = ((i | size) + 1) & ~size) {
            uint64_t swap = (square[i] >> size ^ square[i | size]) & mask;
            square[i] ^= swap << size;
            square[i | size] ^= swap;
        }
}

// Updates the transposed bits in all squares of 64 x 64 that contain a cell of the rectangle.
static void turn_cells(tr_route_map *map, tr_cells cells) {
    uint32_t row_count = map->grid.rows + 2, column_count = map->grid.columns + 2;
    uint32_t stride = map->pitch / 64, stride_turned = map->pitch_turned / 64;
    for (uint32_t down = (cells.row_begin + 1) >> 6; down <= cells.row_end >> 6; down++)
        for (uint32_t across = (cells.column_begin + 1) >> 6; across <= cells.column_end >> 6; across++) {
            uint64_t square[64] = {0};
            for (uint32_t i = 0; i < 64 && down * 64 + i < row_count; i++)
                square[i] = map->free[(size_t)(down * 64 + i) * stride + across];
            turn_square(square);
            for (uint32_t i = 0; i < 64 && across * 64 + i < column_count; i++)
                map->free_turned[(size_t)(across * 64 + i) * stride_turned + down] = square[i];
        }
}

// The bits of a row that belong to these columns; a column's bit is one higher than in a plain bitmap.
static uint64_t column_mask(uint32_t word, tr_cells cells) {
    uint32_t first = cells.column_begin + 1, last = cells.column_end; // the bit of the last one
    uint64_t mask = ~(uint64_t)0;
    if (word == first >> 6)
        mask &= ~(uint64_t)0 << (first & 63);
    if (word == last >> 6)
        mask &= ~(uint64_t)0 >> (63 - (last & 63));
    return mask;
}

tr_status tr_route_map_set(tr_route_map *map, const tr_bitmap *blocked, tr_cells changed) {
    const tr_grid *grid = &map->grid;
    if (blocked->columns != grid->columns || blocked->rows != grid->rows ||
        changed.column_end > grid->columns || changed.row_end > grid->rows)
        return TR_INVALID;
    if (changed.column_begin >= changed.column_end || changed.row_begin >= changed.row_end)
        return TR_OK;
    for (uint32_t row = changed.row_begin; row < changed.row_end; row++) {
        const uint64_t *source = blocked->words + (size_t)row * blocked->stride;
        uint64_t *target = map->free + (size_t)(row + 1) * (map->pitch / 64);
        for (uint32_t word = (changed.column_begin + 1) >> 6; word <= changed.column_end >> 6; word++) {
            uint64_t mask = column_mask(word, changed);
            uint64_t shut =
                (word < blocked->stride ? source[word] << 1 : 0) | (word > 0 ? source[word - 1] >> 63 : 0);
            target[word] = (target[word] & ~mask) | (~shut & mask);
        }
    }
    turn_cells(map, changed);
    map->revision++;
    return TR_OK;
}

static void set_bit(uint64_t *bits, uint32_t number, bool value) {
    uint64_t bit = (uint64_t)1 << (number & 63);
    bits[number >> 6] = value ? bits[number >> 6] | bit : bits[number >> 6] & ~bit;
}

void tr_route_map_set_cell(tr_route_map *map, uint32_t column, uint32_t row, bool is_free) {
    if (column >= map->grid.columns || row >= map->grid.rows)
        return;
    set_bit(map->free, tr_route_map_node(map, column, row), is_free);
    set_bit(map->free_turned, (column + 1) * map->pitch_turned + row + 1, is_free);
    map->revision++;
}

void tr_route_map_set_weights(tr_route_map *map, const uint8_t *weights) {
    map->weights = weights;
    map->revision++;
}

// The position of the point in cells, with centres at whole numbers.
typedef struct search_point {
    double column, row;
} search_point;

// The nearest cell so far, and its distance; initially the reach.
typedef struct search_best {
    double squared;
    uint32_t node;
} search_best;

static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

// The cells of a rectangle, both ends included, as far as it lies on the map.
static void try_cells(const tr_route_map *map, search_point point, int64_t column_first, int64_t column_last,
                      int64_t row_first, int64_t row_last, search_best *best) {
    column_first = greater(column_first, 0);
    row_first = greater(row_first, 0);
    for (int64_t row = row_first; row <= row_last && row < map->grid.rows; row++)
        for (int64_t column = column_first; column <= column_last && column < map->grid.columns; column++) {
            uint32_t node = tr_route_map_node(map, (uint32_t)column, (uint32_t)row);
            if (!tr_route_map_is_free(map, node))
                continue;
            double dx = (double)column - point.column, dz = (double)row - point.row;
            double squared = dx * dx + dz * dz;
            if (squared < best->squared || (squared == best->squared && node < best->node)) {
                best->squared = squared;
                best->node = node;
            }
        }
}

uint32_t tr_route_map_nearest_free(const tr_route_map *map, tr_vec2 point, float reach) {
    const tr_grid *grid = &map->grid;
    search_point at = {((double)point.x - grid->origin.x) / grid->cell - 0.5,
                       ((double)point.z - grid->origin.z) / grid->cell - 0.5};
    double reach_cells = (double)reach / grid->cell, furthest = 1 << 30;
    if (!(fabs(at.column) <= furthest && fabs(at.row) <= furthest) || !(reach_cells >= 0))
        return TR_NONE;
    search_best best = {reach_cells * reach_cells, TR_NONE};
    int64_t column = (int64_t)floor(at.column + 0.5), row = (int64_t)floor(at.row + 0.5);
    int64_t column_last = (int64_t)grid->columns - 1, row_last = (int64_t)grid->rows - 1;
    // The square rings around the cell that contains the point, from the first to the last that has a cell of
    // the map; all of ring r is at least r - 1/2 cells away.
    int64_t ring = greater(greater(-column, column - column_last), greater(-row, row - row_last));
    int64_t last = greater(greater(column, column_last - column), greater(row, row_last - row));
    for (ring = greater(ring, 0); ring <= last && (double)ring - 0.5 <= sqrt(best.squared); ring++) {
        try_cells(map, at, column - ring, column + ring, row - ring, row - ring, &best);
        try_cells(map, at, column - ring, column - ring, row - ring + 1, row + ring - 1, &best);
        try_cells(map, at, column + ring, column + ring, row - ring + 1, row + ring - 1, &best);
        try_cells(map, at, column - ring, column + ring, row + ring, row + ring, &best);
    }
    return best.node;
}
