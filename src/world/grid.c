#include "troupe/world/grid.h"

#include <math.h>
#include <string.h>

static tr_status check_size(double columns, double rows, double cell, uint64_t max_cells, tr_error *error) {
    if (max_cells == 0)
        max_cells = TR_GRID_CELLS_DEFAULT_MAX;
    if (columns > TR_GRID_SIDE_MAX || rows > TR_GRID_SIDE_MAX || columns * rows > (double)max_cells)
        return tr_fail(
            error, TR_LIMIT,
            "%.0f x %.0f cells of %g m are needed, the limit is %llu cells and %d on a side: use larger "
            "cells or a smaller part of the scene",
            columns, rows, cell, (unsigned long long)max_cells, TR_GRID_SIDE_MAX);
    return TR_OK;
}

static tr_status check_box(tr_box box, tr_error *error) {
    bool finite = tr_vec3_is_finite(box.min) && tr_vec3_is_finite(box.max);
    if (!finite || !(box.min.x <= box.max.x) || !(box.min.z <= box.max.z))
        return tr_fail(error, TR_INVALID, "the box to cover is empty or not finite (x %g to %g, z %g to %g)",
                       box.min.x, box.max.x, box.min.z, box.max.z);
    return TR_OK;
}

tr_status tr_grid_cover(tr_box box, float cell, float margin, uint64_t max_cells, tr_grid *grid,
                        tr_error *error) {
    tr_status status = check_box(box, error);
    if (status != TR_OK)
        return status;
    if (!(cell > 0) || !isfinite(cell))
        return tr_fail(error, TR_INVALID, "the cell is %g m, it must be above 0", cell);
    if (!(margin >= 0) || !isfinite(margin))
        return tr_fail(error, TR_INVALID, "the margin is %g m, it must be at least 0", margin);
    tr_vec2 origin = {(float)(floor(((double)box.min.x - margin) / cell) * cell),
                      (float)(floor(((double)box.min.z - margin) / cell) * cell)};
    // Computed from the rounded origin, or the far corner could be left out.
    double columns = ceil(((double)box.max.x + margin - origin.x) / cell);
    double rows = ceil(((double)box.max.z + margin - origin.z) / cell);
    columns = columns < 1 ? 1 : columns;
    rows = rows < 1 ? 1 : rows;
    status = check_size(columns, rows, cell, max_cells, error);
    if (status != TR_OK)
        return status;
    tr_grid made = {origin, cell, (uint32_t)columns, (uint32_t)rows};
    status = tr_grid_check(&made, max_cells, error);
    if (status == TR_OK)
        *grid = made;
    return status;
}

tr_status tr_grid_divide(tr_box box, uint32_t cells_on_longer_side, tr_grid *grid, tr_error *error) {
    tr_status status = check_box(box, error);
    if (status != TR_OK)
        return status;
    if (cells_on_longer_side == 0 || cells_on_longer_side > TR_GRID_SIDE_MAX)
        return tr_fail(error, TR_INVALID, "%u cells on the longer side requested, it must be 1 to %d",
                       cells_on_longer_side, TR_GRID_SIDE_MAX);
    double width = (double)box.max.x - box.min.x, depth = (double)box.max.z - box.min.z;
    double side = width > depth ? width : depth;
    float cell = side > 0 ? (float)(side / cells_on_longer_side) : 1;
    if ((double)cell * cells_on_longer_side < side)
        cell = nextafterf(cell, INFINITY); // rounded down, the cells would fall short of the far corner
    double columns = ceil(width / cell - 1e-6), rows = ceil(depth / cell - 1e-6);
    tr_grid made = {
        {box.min.x, box.min.z}, cell, columns < 1 ? 1 : (uint32_t)columns, rows < 1 ? 1 : (uint32_t)rows};
    status = tr_grid_check(&made, UINT64_MAX, error);
    if (status == TR_OK)
        *grid = made;
    return status;
}

tr_status tr_grid_check(const tr_grid *grid, uint64_t max_cells, tr_error *error) {
    if (!isfinite(grid->origin.x) || !isfinite(grid->origin.z))
        return tr_fail(error, TR_INVALID, "the grid's origin (%g, %g) is not finite", grid->origin.x,
                       grid->origin.z);
    if (!(grid->cell > 0) || !isfinite(grid->cell))
        return tr_fail(error, TR_INVALID, "the grid's cell is %g m, it must be above 0", grid->cell);
    if (grid->columns == 0 || grid->rows == 0)
        return tr_fail(error, TR_INVALID, "the grid has %u x %u cells, it must have at least one",
                       grid->columns, grid->rows);
    tr_status status = check_size(grid->columns, grid->rows, grid->cell, max_cells, error);
    if (status != TR_OK)
        return status;
    // A cell below the spacing of floats at that place could not be distinguished from its neighbour.
    double reach =
        fmax(fabs((double)grid->origin.x), fabs(grid->origin.x + (double)grid->columns * grid->cell));
    reach = fmax(reach,
                 fmax(fabs((double)grid->origin.z), fabs(grid->origin.z + (double)grid->rows * grid->cell)));
    if (grid->cell < reach * 1e-6)
        return tr_fail(error, TR_INVALID,
                       "cells of %g m are too small for single precision at %g m from the origin", grid->cell,
                       reach);
    return check_size(grid->columns, grid->rows, grid->cell, max_cells, error);
}

bool tr_grid_find(const tr_grid *grid, tr_vec2 point, uint32_t *column, uint32_t *row) {
    double x = ((double)point.x - grid->origin.x) / grid->cell,
           z = ((double)point.z - grid->origin.z) / grid->cell;
    if (!(x >= 0 && z >= 0 && x <= grid->columns && z <= grid->rows))
        return false;
    uint32_t found_column = (uint32_t)x, found_row = (uint32_t)z;
    *column = found_column < grid->columns ? found_column
                                           : grid->columns - 1; // the far border belongs to the last cell
    *row = found_row < grid->rows ? found_row : grid->rows - 1;
    return true;
}

tr_vec2 tr_grid_centre(const tr_grid *grid, uint32_t column, uint32_t row) {
    tr_vec2 centre = {(float)(grid->origin.x + (column + 0.5) * grid->cell),
                      (float)(grid->origin.z + (row + 0.5) * grid->cell)};
    return centre;
}

tr_status tr_bitmap_create(const tr_allocator *allocator, uint32_t columns, uint32_t rows,
                           tr_bitmap *bitmap) {
    memset(bitmap, 0, sizeof *bitmap);
    if (columns == 0 || rows == 0 || columns > TR_GRID_SIDE_MAX || rows > TR_GRID_SIDE_MAX)
        return TR_INVALID;
    tr_allocator own = tr_allocator_or_default(allocator);
    uint32_t stride = (columns + 63) / 64 + 1;
    bitmap->words = tr_allocate_zero(&own, (size_t)stride * rows, sizeof *bitmap->words);
    if (!bitmap->words)
        return TR_OUT_OF_MEMORY;
    bitmap->columns = columns;
    bitmap->rows = rows;
    bitmap->stride = stride;
    return TR_OK;
}

void tr_bitmap_destroy(const tr_allocator *allocator, tr_bitmap *bitmap) {
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_release(&own, bitmap->words, (size_t)bitmap->stride * bitmap->rows, sizeof *bitmap->words);
    memset(bitmap, 0, sizeof *bitmap);
}

size_t tr_bitmap_bytes(const tr_bitmap *bitmap) {
    return (size_t)bitmap->stride * bitmap->rows * sizeof *bitmap->words;
}

void tr_bitmap_clear(tr_bitmap *bitmap) {
    memset(bitmap->words, 0, tr_bitmap_bytes(bitmap));
}

void tr_bitmap_clear_cells(tr_bitmap *bitmap, tr_cells cells) {
    cells.column_end = cells.column_end < bitmap->columns ? cells.column_end : bitmap->columns;
    cells.row_end = cells.row_end < bitmap->rows ? cells.row_end : bitmap->rows;
    if (cells.column_begin >= cells.column_end)
        return;
    uint32_t first = cells.column_begin >> 6, last = (cells.column_end - 1) >> 6;
    uint64_t first_mask = ~(uint64_t)0 << (cells.column_begin & 63);
    uint64_t last_mask = ~(uint64_t)0 >> (63 - ((cells.column_end - 1) & 63));
    for (uint32_t row = cells.row_begin; row < cells.row_end; row++) {
        uint64_t *words = bitmap->words + (size_t)row * bitmap->stride;
        for (uint32_t word = first; word <= last; word++) {
            uint64_t mask =
                (word == first ? first_mask : ~(uint64_t)0) & (word == last ? last_mask : ~(uint64_t)0);
            words[word] &= ~mask;
        }
    }
}

uint64_t tr_bitmap_count(const tr_bitmap *bitmap) {
    uint64_t count = 0;
    for (size_t i = 0, end = (size_t)bitmap->stride * bitmap->rows; i < end; i++)
        count += (uint64_t)__builtin_popcountll(bitmap->words[i]);
    return count;
}

bool tr_bitmap_equal(const tr_bitmap *a, const tr_bitmap *b) {
    return a->columns == b->columns && a->rows == b->rows &&
           memcmp(a->words, b->words, tr_bitmap_bytes(a)) == 0;
}
