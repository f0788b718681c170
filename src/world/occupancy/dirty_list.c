#include "dirty_list.h"

bool tr_cells_are_none(tr_cells cells) {
    return cells.column_begin >= cells.column_end || cells.row_begin >= cells.row_end;
}

uint64_t tr_cells_area(tr_cells cells) {
    return (uint64_t)(cells.column_end - cells.column_begin) * (cells.row_end - cells.row_begin);
}

tr_cells tr_cells_join(tr_cells a, tr_cells b) {
    if (tr_cells_are_none(a))
        return b;
    if (tr_cells_are_none(b))
        return a;
    tr_cells both = {a.column_begin < b.column_begin ? a.column_begin : b.column_begin,
                     a.row_begin < b.row_begin ? a.row_begin : b.row_begin,
                     a.column_end > b.column_end ? a.column_end : b.column_end,
                     a.row_end > b.row_end ? a.row_end : b.row_end};
    return both;
}

static bool overlap(tr_cells a, tr_cells b) {
    return a.column_begin < b.column_end && b.column_begin < a.column_end && a.row_begin < b.row_end &&
           b.row_begin < a.row_end;
}

// The rectangle that grows least when `cells` joins it.
static uint32_t find_nearest(const dirty_list *list, tr_cells cells) {
    uint64_t least = UINT64_MAX;
    uint32_t best = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint64_t more = tr_cells_area(tr_cells_join(list->cells[i], cells)) - tr_cells_area(list->cells[i]);
        if (more < least) {
            least = more;
            best = i;
        }
    }
    return best;
}

void tr_dirty_add(dirty_list *list, tr_cells cells) {
    if (tr_cells_are_none(cells))
        return;
    for (uint32_t i = 0; i < list->count;) {
        bool joins = overlap(list->cells[i], cells);
        if (!joins && i + 1 == list->count &&
            list->count == DIRTY_MAX) { // it overlaps none, and the list is full
            i = find_nearest(list, cells);
            joins = true;
        }
        if (!joins) {
            i++;
            continue;
        }
        cells = tr_cells_join(list->cells[i], cells);
        list->cells[i] = list->cells[--list->count];
        i = 0; // the larger rectangle may overlap earlier ones
    }
    list->cells[list->count++] = cells;
}
