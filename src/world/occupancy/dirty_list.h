// Rectangles of changed cells in a map, without overlap. Internal to world/ and plan/.
#pragma once
#include "troupe/world/grid.h"

#define DIRTY_MAX 32 // rectangles; more are joined
typedef struct dirty_list {
    tr_cells cells[DIRTY_MAX]; // none overlaps another
    uint32_t count;
} dirty_list;

bool tr_cells_are_none(tr_cells cells);
uint64_t tr_cells_area(tr_cells cells);
tr_cells tr_cells_join(tr_cells a, tr_cells b); // the smallest rectangle around both
// Adds a rectangle; overlapping rectangles become one. When the list is full, it joins the rectangle that
// grows least.
void tr_dirty_add(dirty_list *list, tr_cells cells);
