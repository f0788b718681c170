// A straight walk over a surface, through every cell that the line touches. Internal to plan/.
//
// Places on a line are whole numbers of 1/256 of a cell and never on the border between two cells: lines
// cross borders and corners, they do not run along them. A line through a corner takes both cells beside it.
#pragma once
#include "climb_data.h"

#define CLIMB_UNITS 256

typedef struct climb_spot {
    int32_t x, z;
    uint32_t cell;
} climb_spot;

typedef struct climb_walk {
    const tr_climb *climb;
    tr_climb_place at;
    int32_t step_x, step_z;
    uint32_t left_x, left_z; // borders still to be crossed
    int64_t next_x, next_z;  // where the next of them is: compared with each other only
    int64_t more_x, more_z;
    uint32_t border;     // cells that are not free, the first left out
    uint32_t rise, fall; // in units of height
    int32_t column, row; // that could not be entered
    bool blocked;
} climb_walk;

static inline climb_spot climb_spot_centre(uint32_t column, uint32_t row, uint32_t cell) {
    climb_spot spot = {(int32_t)column * CLIMB_UNITS + CLIMB_UNITS / 2,
                       (int32_t)row * CLIMB_UNITS + CLIMB_UNITS / 2, cell};
    return spot;
}

static inline tr_climb_place climb_spot_place(const tr_climb *climb, const climb_spot *spot) {
    uint32_t column = (uint32_t)spot->x / CLIMB_UNITS, row = (uint32_t)spot->z / CLIMB_UNITS;
    tr_surface_column cells = tr_climb_column(climb, column, row);
    uint32_t i = spot->cell - cells.first;
    tr_climb_place place = {spot->cell, (uint16_t)column, (uint16_t)row, cells.heights[i], cells.rooms[i]};
    return place;
}

// Off the border between two cells.
static inline int32_t climb_spot_inside(int32_t value) {
    return value % CLIMB_UNITS ? value : value + 1;
}

static inline climb_walk climb_walk_begin(const tr_climb *climb, const climb_spot *from, int32_t x,
                                          int32_t z) {
    climb_walk w = {.climb = climb, .at = climb_spot_place(climb, from)};
    int64_t dx = (int64_t)x - from->x, dz = (int64_t)z - from->z;
    int32_t from_column = from->x / CLIMB_UNITS, from_row = from->z / CLIMB_UNITS;
    int32_t columns = x / CLIMB_UNITS - from_column, rows = z / CLIMB_UNITS - from_row;
    int64_t wide = dx < 0 ? -dx : dx, deep = dz < 0 ? -dz : dz;
    w.step_x = dx < 0 ? -1 : 1;
    w.step_z = dz < 0 ? -1 : 1;
    w.left_x = (uint32_t)(columns < 0 ? -columns : columns);
    w.left_z = (uint32_t)(rows < 0 ? -rows : rows);
    int64_t to_x = dx < 0 ? from->x - from_column * CLIMB_UNITS : (from_column + 1) * CLIMB_UNITS - from->x;
    int64_t to_z = dz < 0 ? from->z - from_row * CLIMB_UNITS : (from_row + 1) * CLIMB_UNITS - from->z;
    w.next_x = to_x * deep;
    w.next_z = to_z * wide;
    w.more_x = CLIMB_UNITS * deep;
    w.more_z = CLIMB_UNITS * wide;
    return w;
}

// To the next cell. false: it is the last, or the way is blocked.
static inline bool climb_walk_step(climb_walk *w) {
    bool along_x = w->left_x && (!w->left_z || w->next_x <= w->next_z);
    bool along_z = w->left_z && (!w->left_x || w->next_z <= w->next_x);
    if (!along_x && !along_z)
        return false;
    int32_t dx = along_x ? w->step_x : 0, dz = along_z ? w->step_z : 0;
    tr_climb_place to;
    bool reached = along_x && along_z ? tr_climb_diagonal(w->climb, &w->at, dx, dz, &to)
                                      : tr_climb_beside(w->climb, &w->at, dx, dz, &to);
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
    w->border += !tr_climb_is_free(w->climb, to.cell);
    w->rise += to.height > w->at.height ? (uint32_t)(to.height - w->at.height) : 0;
    w->fall += to.height < w->at.height ? (uint32_t)(w->at.height - to.height) : 0;
    w->at = to;
    return true;
}

// The whole walk, given up at the first cell that makes more than `border_max` border cells. true: it ends in
// the column and row of its end, in the cell w->at.
static inline bool climb_walk_all(climb_walk *w, uint32_t border_max) {
    while (climb_walk_step(w))
        if (w->border > border_max) {
            w->blocked = true;
            return false;
        }
    return !w->blocked;
}

// The spot of a point inside the cell of a place, or of its centre where the point lies elsewhere.
climb_spot tr_climb_spot_at(const tr_climb *climb, const tr_climb_place *place, tr_vec3 point, bool *inside);

// What the last search by effort counted a rise and a fall as, if it made the last path.
bool tr_climb_effort_rates(const tr_climb *climb, double *up, double *down);
