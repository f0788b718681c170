// A straight walk over a surface, through every cell that the line touches. Internal to plan/.
//
// Places on a line are whole numbers of 1/256 of a cell and never on the border between two cells: lines
// cross borders and corners, they do not run along them. A line through a corner takes both cells beside it.
#pragma once
#include "surface_route_data.h"

#define SURFACE_ROUTE_UNITS 256

typedef struct surface_route_spot {
    int32_t x, z;
    uint32_t cell;
} surface_route_spot;

typedef struct surface_route_walk {
    const tr_surface_route *route;
    tr_surface_route_place at;
    int32_t step_x, step_z;
    uint32_t left_x, left_z; // borders still to be crossed
    int64_t next_x, next_z;  // where the next of them is; only compared with each other
    int64_t more_x, more_z;
    uint32_t border;     // number of cells that are not free, without the first
    uint32_t rise, fall; // in units of height
    int32_t column, row; // of the cell that could not be entered
    bool blocked;
} surface_route_walk;

static inline surface_route_spot surface_route_spot_centre(uint32_t column, uint32_t row, uint32_t cell) {
    surface_route_spot spot = {(int32_t)column * SURFACE_ROUTE_UNITS + SURFACE_ROUTE_UNITS / 2,
                               (int32_t)row * SURFACE_ROUTE_UNITS + SURFACE_ROUTE_UNITS / 2, cell};
    return spot;
}

static inline tr_surface_route_place surface_route_spot_place(const tr_surface_route *route,
                                                              const surface_route_spot *spot) {
    uint32_t column = (uint32_t)spot->x / SURFACE_ROUTE_UNITS, row = (uint32_t)spot->z / SURFACE_ROUTE_UNITS;
    tr_surface_column cells = tr_surface_route_column(route, column, row);
    uint32_t i = spot->cell - cells.first;
    tr_surface_route_place place = {spot->cell, (uint16_t)column, (uint16_t)row, cells.heights[i],
                                    cells.rooms[i]};
    return place;
}

// Moves a value off the border between two cells.
static inline int32_t surface_route_spot_inside(int32_t value) {
    return value % SURFACE_ROUTE_UNITS ? value : value + 1;
}

static inline surface_route_walk surface_route_walk_begin(const tr_surface_route *route,
                                                          const surface_route_spot *from, int32_t x,
                                                          int32_t z) {
    surface_route_walk w = {.route = route, .at = surface_route_spot_place(route, from)};
    int64_t dx = (int64_t)x - from->x, dz = (int64_t)z - from->z;
    int32_t from_column = from->x / SURFACE_ROUTE_UNITS, from_row = from->z / SURFACE_ROUTE_UNITS;
    int32_t columns = x / SURFACE_ROUTE_UNITS - from_column, rows = z / SURFACE_ROUTE_UNITS - from_row;
    int64_t wide = dx < 0 ? -dx : dx, deep = dz < 0 ? -dz : dz;
    w.step_x = dx < 0 ? -1 : 1;
    w.step_z = dz < 0 ? -1 : 1;
    w.left_x = (uint32_t)(columns < 0 ? -columns : columns);
    w.left_z = (uint32_t)(rows < 0 ? -rows : rows);
    int64_t to_x = dx < 0 ? from->x - from_column * SURFACE_ROUTE_UNITS
                          : (from_column + 1) * SURFACE_ROUTE_UNITS - from->x;
    int64_t to_z =
        dz < 0 ? from->z - from_row * SURFACE_ROUTE_UNITS : (from_row + 1) * SURFACE_ROUTE_UNITS - from->z;
    w.next_x = to_x * deep;
    w.next_z = to_z * wide;
    w.more_x = SURFACE_ROUTE_UNITS * deep;
    w.more_z = SURFACE_ROUTE_UNITS * wide;
    return w;
}

// To the next cell. false: this is the last, or the way is blocked.
static inline bool surface_route_walk_step(surface_route_walk *w) {
    bool along_x = w->left_x && (!w->left_z || w->next_x <= w->next_z);
    bool along_z = w->left_z && (!w->left_x || w->next_z <= w->next_x);
    if (!along_x && !along_z)
        return false;
    int32_t dx = along_x ? w->step_x : 0, dz = along_z ? w->step_z : 0;
    tr_surface_route_place to;
    bool reached = along_x && along_z ? tr_surface_route_diagonal(w->route, &w->at, dx, dz, &to)
                                      : tr_surface_route_beside(w->route, &w->at, dx, dz, &to);
    w->column = (int32_t)w->at.column + dx;
    w->row = (int32_t)w->at.row + dz;
    if (!reached) {
        w->blocked = true;
        return false;
    }
    w->left_x -= along_x;
    w->left_z -= along_z;
    w->next_x += along_x ? w->more_x : 0;
    w->next_z += along_z ? w->more_z : 0;
    w->border += !tr_surface_route_is_free(w->route, to.cell);
    w->rise += to.height > w->at.height ? (uint32_t)(to.height - w->at.height) : 0;
    w->fall += to.height < w->at.height ? (uint32_t)(w->at.height - to.height) : 0;
    w->at = to;
    return true;
}

// The whole walk, abandoned when it has more than `border_max` border cells. true: it ends in the column and
// row of its end, in the cell w->at.
static inline bool surface_route_walk_all(surface_route_walk *w, uint32_t border_max) {
    while (surface_route_walk_step(w))
        if (w->border > border_max) {
            w->blocked = true;
            return false;
        }
    return !w->blocked;
}

// The spot of a point inside the cell of a place, or of its centre if the point is elsewhere.
surface_route_spot tr_surface_route_spot_at(const tr_surface_route *route,
                                            const tr_surface_route_place *place, tr_vec3 point, bool *inside);

// The costs of a rise and a fall in the last search by effort, if that made the last path.
bool tr_surface_route_effort_rates(const tr_surface_route *route, double *up, double *down);
