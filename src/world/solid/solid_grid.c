#include "solid_grid.h"

#include <float.h>
#include <string.h>

#define CELLS_MAX (1u << 26)
#define SQUARE_MOST 65535

static tr_status check_box(float cell, tr_box box, int32_t count[3], tr_error *error) {
    const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    double cells = 1;
    for (int k = 0; k < 3; k++) {
        if (!(low[k] <= high[k] && low[k] >= -TR_SCENE_EXTENT_MAX && high[k] <= TR_SCENE_EXTENT_MAX))
            return tr_fail(error, TR_INVALID,
                           "clearance_box is empty, not finite or too large (%g to %g on axis %d)",
                           (double)low[k], (double)high[k], k);
        double along = ((double)high[k] - low[k]) / cell;
        cells *= along + 2;
        if (!(cells <= CELLS_MAX))
            return tr_fail(error, TR_LIMIT,
                           "cells of %g m need more cells of clearance than the maximum of %u", (double)cell,
                           CELLS_MAX);
        count[k] = (int32_t)along + 2; // a partial cell at the end becomes a whole one
    }
    return TR_OK;
}

static size_t corner_count(const solid_grid *grid) {
    return (size_t)grid->count[0] * (size_t)grid->count[1] * (size_t)grid->count[2];
}

void tr_solid_grid_destroy(solid_grid *grid, const tr_allocator *allocator) {
    if (!grid)
        return;
    tr_release(allocator, grid->squares, corner_count(grid), sizeof *grid->squares);
    tr_release(allocator, grid->feet, corner_count(grid), sizeof *grid->feet);
    tr_release(allocator, grid, 1, sizeof *grid);
}

uint64_t tr_solid_grid_bytes(const solid_grid *grid) {
    return grid ? corner_count(grid) * (sizeof *grid->squares + sizeof *grid->feet) + sizeof *grid : 0;
}

static solid_foot quantize_foot(const solid_grid *grid, const solid_nearest *nearest) {
    float scale = 1 / (grid->foot_unit * grid->cell), slack = nearest->slack * scale + 1;
    if (!nearest->found || !(slack < UINT16_MAX))
        return (solid_foot){SOLID_NO_FOOT, 0, 0, 0};
    return (solid_foot){(int16_t)(nearest->foot[0] * scale), (int16_t)(nearest->foot[1] * scale),
                        (int16_t)(nearest->foot[2] * scale), (uint16_t)slack};
}

// Computes one corner. `nearest` holds the result of the neighbour and is passed on to the next corner.
static void look(const tr_solid *solid, solid_grid *grid, const int32_t corner[3], solid_nearest *nearest) {
    float far = SOLID_GRID_FAR * grid->cell, moved = 0;
    for (int k = 0; k < 3; k++) {
        float at = grid->origin[k] + (float)corner[k] * grid->cell;
        nearest->foot[k] -= at - nearest->point[k];
        nearest->point[k] = at;
        moved += nearest->foot[k] * nearest->foot[k];
    }
    // The neighbour's nearest point is on a triangle as well: nothing further away need be searched.
    float known = sqrtf(moved) * 1.00001f + 2 * grid->slack + nearest->slack;
    nearest->high = nearest->found && known < far ? known : far;
    nearest->low = nearest->high;
    nearest->found = false;
    solid->kernel.foot(&solid->large, nearest);
    size_t number = (size_t)corner[0] +
                    ((size_t)corner[1] + (size_t)corner[2] * (size_t)grid->count[1]) * (size_t)grid->count[0];
    float units = nearest->low > 0 ? nearest->low / grid->unit : 0;
    float squared = units * units - 1; // rounded down, with a margin for the rounding of sums of eight
    grid->squares[number] = squared > 0 ? squared < SQUARE_MOST ? (uint16_t)squared : SQUARE_MOST : 0;
    grid->feet[number] = quantize_foot(grid, nearest);
}

typedef struct look_work {
    tr_solid *solid;
    tr_box gone;
} look_work;

static void look_from_slab(void *user, uint32_t part, uint32_t member) {
    const look_work *work = user;
    solid_grid *grid = work->solid->grid;
    (void)member;
    solid_nearest row = {.found = false}, next;
    int32_t at[3] = {0, 0, (int32_t)part};
    for (at[1] = 0; at[1] < grid->count[1]; at[1]++) {
        at[0] = 0;
        look(work->solid, grid, at, &row);
        next = row;
        for (at[0] = 1; at[0] < grid->count[0]; at[0]++)
            look(work->solid, grid, at, &next);
    }
}

static void look_again(void *user, uint32_t part, uint32_t member) {
    const look_work *work = user;
    solid_grid *grid = work->solid->grid;
    (void)member;
    solid_nearest nearest = {.found = false};
    int32_t at[3] = {0, 0, (int32_t)part};
    size_t number = (size_t)part * (size_t)grid->count[0] * (size_t)grid->count[1];
    for (at[1] = 0; at[1] < grid->count[1]; at[1]++)
        for (at[0] = 0; at[0] < grid->count[0]; at[0]++, number++) {
            const solid_foot *foot = &grid->feet[number];
            float unit = grid->foot_unit * grid->cell;
            tr_vec3 seen = {grid->origin[0] + (float)at[0] * grid->cell + foot->x * unit,
                            grid->origin[1] + (float)at[1] * grid->cell + foot->y * unit,
                            grid->origin[2] + (float)at[2] * grid->cell + foot->z * unit};
            if (foot->x == SOLID_NO_FOOT || !box_holds(&work->gone, seen))
                continue;
            nearest.found = false;
            look(work->solid, grid, at, &nearest);
        }
}

void tr_solid_grid_forget(tr_solid *solid, tr_box box) {
    float room = 4 * solid->grid->slack;
    look_work work = {solid, box};
    work.gone.min = tr_vec3_subtract(box.min, tr_vec3_make(room, room, room));
    work.gone.max = tr_vec3_add(box.max, tr_vec3_make(room, room, room));
    tr_tasks_run(solid->tasks, (uint32_t)solid->grid->count[2], look_again, &work);
}

tr_status tr_solid_grid_create(tr_solid *solid, float cell, tr_box box, tr_error *error) {
    int32_t count[3];
    tr_status status = check_box(cell, box, count, error);
    if (status != TR_OK)
        return status;
    solid_grid *grid = tr_allocate_zero(&solid->allocator, 1, sizeof *grid);
    if (!grid)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the grid of clearances");
    solid->grid = grid;
    memcpy(grid->count, count, sizeof count);
    const float low[3] = {box.min.x, box.min.y, box.min.z};
    float furthest = 0;
    for (int k = 0; k < 3; k++) {
        float end = fabsf(low[k]) + (float)count[k] * cell;
        grid->origin[k] = low[k];
        grid->last[k] = (float)(count[k] - 1);
        furthest = end > furthest ? end : furthest;
    }
    grid->cell = cell;
    grid->per_cell = 1 / cell;
    grid->unit = SOLID_GRID_FAR * cell / 255.998f; // whose square is in units of the last bit
    grid->per_unit = 1 / grid->unit;
    grid->cell_squared = cell / grid->unit * (cell / grid->unit);
    grid->foot_unit = SOLID_GRID_FAR / 32700.0f;
    grid->slack = 2e-6f * furthest + 2 * grid->foot_unit * cell;
    size_t corners = corner_count(grid);
    grid->squares = tr_allocate(&solid->allocator, corners, sizeof *grid->squares);
    grid->feet = tr_allocate(&solid->allocator, corners, sizeof *grid->feet);
    if (!grid->squares || !grid->feet)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %zu cells of clearance", corners);
    look_work work = {.solid = solid};
    tr_tasks_run(solid->tasks, (uint32_t)count[2], look_from_slab, &work);
    return TR_OK;
}
