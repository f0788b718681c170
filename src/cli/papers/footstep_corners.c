// Figure 8 of Bandi & Thalmann 1998: feet on the corners of the cells of a path.
#include "footstep_corners.h"

#include "plan/footstep/footstep_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define STRIDE_MOST 8
#define LEVEL 0.02f // cells around a corner carry the foot if they differ by no more [m]

// From one cell to another, in cells.
typedef struct cell_move {
    int32_t x, z;
} cell_move;

static cell_move move_between(const tr_surface_route_cell *from, const tr_surface_route_cell *to,
                              cell_move before) {
    cell_move move = {(int32_t)to->column - (int32_t)from->column, (int32_t)to->row - (int32_t)from->row};
    return move.x == 0 && move.z == 0 ? before : move; // on a ladder the heading stays the same
}

// The corner of a cell that is farthest to one side of the line; of two, the one ahead.
static cell_move choose_corner(cell_move move, uint32_t side) {
    cell_move best = {0, 0};
    int64_t best_beside = 0, best_ahead = 0;
    for (int32_t i = 0; i < 4; i++) {
        cell_move corner = {i & 1, i >> 1};
        int64_t x = 2 * corner.x - 1, z = 2 * corner.z - 1;
        int64_t beside = x * move.z - z * move.x, ahead = x * move.x + z * move.z;
        beside = side == 0 ? beside : -beside;
        if (beside > best_beside || (beside == best_beside && beside > 0 && ahead > best_ahead)) {
            best = corner;
            best_beside = beside;
            best_ahead = ahead;
        }
    }
    return best;
}

// The share of the four cells around a corner that have floor at the cell's height.
static float corner_support(const footstep_ground *ground, uint32_t column, uint32_t row, float height) {
    uint32_t carried = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t at_column = column - (i & 1), at_row = row - (i >> 1); // wraps to a large number below 0
        if (at_column >= ground->grid.columns || at_row >= ground->grid.rows)
            continue;
        tr_vec2 centre = tr_grid_centre(&ground->grid, at_column, at_row);
        float found;
        carried += tr_footstep_follow(ground, centre.x, centre.z, height, LEVEL, height, &found);
    }
    return 0.25f * (float)carried;
}

static tr_footstep footstep_at(const footstep_ground *ground, const tr_surface_route_cell *cell,
                               cell_move move, uint32_t side) {
    cell_move corner = choose_corner(move, side);
    uint32_t column = cell->column + (uint32_t)corner.x, row = cell->row + (uint32_t)corner.z;
    const tr_grid *grid = &ground->grid;
    float height = (float)(ground->bottom + cell->height * ground->unit);
    return (tr_footstep){.side = side,
                         .position = {(float)((double)grid->origin.x + (double)column * (double)grid->cell),
                                      height,
                                      (float)((double)grid->origin.z + (double)row * (double)grid->cell)},
                         .heading = (float)tr_arc_tangent(move.x, move.z),
                         .support = corner_support(ground, column, row, height)};
}

// The direction of the first stride that has one; +Z if none has.
static cell_move first_move(const tr_surface_route_cell *cells, uint32_t last, uint32_t stride) {
    cell_move move = {0, 0};
    for (uint32_t i = 0; i < last && move.x == 0 && move.z == 0; i = last - i > stride ? i + stride : last)
        move = move_between(cells + i, cells + (last - i > stride ? i + stride : last), move);
    return move.x == 0 && move.z == 0 ? (cell_move){0, 1} : move;
}

static bool check_cells(const tr_grid *grid, const tr_surface_route_cell *cells, uint32_t cell_count) {
    for (uint32_t i = 0; i < cell_count; i++)
        if (cells[i].column >= grid->columns || cells[i].row >= grid->rows)
            return false;
    return true;
}

tr_status paper_footstep_corners(const tr_surface *surface, const tr_surface_route_cell *cells,
                                 uint32_t cell_count, uint32_t stride, tr_footstep *footsteps,
                                 uint32_t footstep_max, uint32_t *footstep_count) {
    *footstep_count = 0;
    footstep_ground ground = tr_footstep_ground(surface, NULL);
    if (cell_count == 0 || stride < 1 || stride > STRIDE_MOST ||
        !check_cells(&ground.grid, cells, cell_count))
        return TR_INVALID;
    uint32_t last = cell_count - 1;
    uint64_t needed = 2 + 2 * (((uint64_t)last + stride - 1) / stride);
    if (needed > footstep_max) {
        *footstep_count = needed < TR_NONE ? (uint32_t)needed : TR_NONE;
        return TR_LIMIT;
    }
    cell_move move = first_move(cells, last, stride);
    uint32_t count = 0;
    for (uint32_t side = 0; side < 2; side++)
        footsteps[count++] = footstep_at(&ground, cells, move, side);
    for (uint32_t at = 0; at < last;) {
        uint32_t next = last - at > stride ? at + stride : last;
        move = move_between(cells + at, cells + next, move);
        for (uint32_t side = 0; side < 2; side++)
            footsteps[count++] = footstep_at(&ground, cells + next, move, side);
        at = next;
    }
    *footstep_count = count;
    return TR_OK;
}
