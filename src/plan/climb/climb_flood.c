// The flood of the border: all that can be reached from some cells, and in which directions each of them is
// open.
//
// A ring of waiting cells, of the size of a usual front. Cells that find no room in it are reached but not
// closed, and are found again by looking at all.
#include "climb_border.h"
#include "climb_tile.h"

#include <string.h>

typedef struct border_flood {
    tr_climb *climb;
    uint32_t first, count; // of the ring
    bool lost;             // a cell found no room
} border_flood;

static void push(border_flood *flood, uint32_t cell, uint16_t column, uint16_t row) {
    tr_climb *climb = flood->climb;
    if (flood->count == climb->entry_count) {
        flood->lost = true;
        return;
    }
    uint32_t at = flood->first + flood->count++;
    climb->entries[at < climb->entry_count ? at : at - climb->entry_count] =
        (tr_climb_entry){cell, column, row, TR_NONE};
}

static void reach(border_flood *flood, const tr_climb_place *place) {
    uint8_t *state = &flood->climb->states[place->cell];
    if (*state & TR_CLIMB_IS_REACHED)
        return;
    *state |= TR_CLIMB_IS_REACHED;
    push(flood, place->cell, place->column, place->row);
}

// Closed links too: a door that is shut today makes no border.
static void follow_links(border_flood *flood, uint32_t cell) {
    const tr_climb *climb = flood->climb;
    for (uint32_t i = 0; i < climb->link_count; i++) {
        if (climb->ends[i].from.cell == cell)
            reach(flood, &climb->ends[i].to);
        if (climb->ends[i].to.cell == cell && climb->links[i].both_ways)
            reach(flood, &climb->ends[i].from);
    }
}

// Cells beside each other reach each other both ways, so that each pair is looked at once.
static void expand(border_flood *flood, const tr_climb_tile *tile, const tr_climb_place *at) {
    tr_climb *climb = flood->climb;
    uint8_t *open = climb->costs;
    tr_climb_place to;
    for (uint32_t direction = 0; direction < TR_CLIMB_DIRECTIONS; direction++) {
        if (open[at->cell] >> direction & 1)
            continue;
        if (tr_climb_beside_in(climb, tile, at, direction, &to))
            open[to.cell] |= (uint8_t)(1 << (direction ^ 2));
        else if (climb->span == 1 || !tr_climb_across(climb, at, direction, &to))
            continue;
        open[at->cell] |= (uint8_t)(1 << direction);
        reach(flood, &to);
    }
    climb->states[at->cell] |= TR_CLIMB_IS_CLOSED;
    if (climb->states[at->cell] & TR_CLIMB_IS_LINKED)
        follow_links(flood, at->cell);
}

static void fill(border_flood *flood) {
    tr_climb *climb = flood->climb;
    flood->first = flood->count = 0;
    flood->lost = false;
    for (uint32_t row = 0; row < climb->grid.rows; row++)
        for (uint32_t column = 0; column < climb->grid.columns; column++) {
            tr_surface_column cells = tr_climb_column(climb, column, row);
            for (uint32_t i = cells.first; i < cells.first + cells.count; i++)
                if ((climb->states[i] & (TR_CLIMB_IS_REACHED | TR_CLIMB_IS_CLOSED)) == TR_CLIMB_IS_REACHED)
                    push(flood, i, (uint16_t)column, (uint16_t)row);
        }
}

void tr_climb_border_flood(tr_climb *climb, const tr_climb_place *starts, uint32_t count) {
    border_flood flood = {climb, 0, 0, false};
    memset(climb->costs, 0, climb->cell_count);
    for (uint32_t i = 0; i < count; i++)
        reach(&flood, &starts[i]);
    while (flood.count > 0 || flood.lost) {
        if (flood.count == 0) {
            fill(&flood);
            continue;
        }
        const tr_climb_entry *entry = &climb->entries[flood.first];
        tr_climb_tile tile = tr_climb_tile_at(climb, entry->column, entry->row);
        uint32_t i = entry->cell - tile.first;
        tr_climb_place at = {entry->cell, entry->column, entry->row, tile.heights[i], tile.rooms[i]};
        flood.first = flood.first + 1 < climb->entry_count ? flood.first + 1 : 0;
        flood.count--;
        if (!(climb->states[at.cell] & TR_CLIMB_IS_CLOSED))
            expand(&flood, &tile, &at);
    }
}
