// The flood of the border: all cells that can be reached from some cells, and their open directions.
//
// A ring of waiting cells, as large as a usual front. Cells that find no room in it are reached but not
// closed, and are found again by a scan of all cells.
#include "surface_route_border.h"
#include "surface_route_tile.h"

#include <string.h>

typedef struct border_flood {
    tr_surface_route *route;
    uint32_t first, count; // of the ring
    bool lost;             // a cell found no room
} border_flood;

static void push(border_flood *flood, uint32_t cell, uint16_t column, uint16_t row) {
    tr_surface_route *route = flood->route;
    if (flood->count == route->entry_count) {
        flood->lost = true;
        return;
    }
    uint32_t at = flood->first + flood->count++;
    route->entries[at < route->entry_count ? at : at - route->entry_count] =
        (tr_surface_route_entry){cell, column, row, TR_NONE};
}

static void reach(border_flood *flood, const tr_surface_route_place *place) {
    uint8_t *state = &flood->route->states[place->cell];
    if (*state & TR_SURFACE_ROUTE_IS_REACHED)
        return;
    *state |= TR_SURFACE_ROUTE_IS_REACHED;
    push(flood, place->cell, place->column, place->row);
}

// Closed links too: a closed door makes no border.
static void follow_links(border_flood *flood, uint32_t cell) {
    const tr_surface_route *route = flood->route;
    for (uint32_t i = 0; i < route->link_count; i++) {
        if (route->ends[i].from.cell == cell)
            reach(flood, &route->ends[i].to);
        if (route->ends[i].to.cell == cell && route->links[i].both_ways)
            reach(flood, &route->ends[i].from);
    }
}

// Neighbouring cells reach each other both ways, so each pair is tested once.
static void expand(border_flood *flood, const tr_surface_route_tile *tile, const tr_surface_route_place *at) {
    tr_surface_route *route = flood->route;
    uint8_t *open = route->costs;
    tr_surface_route_place to;
    for (uint32_t direction = 0; direction < TR_SURFACE_ROUTE_DIRECTIONS; direction++) {
        if (open[at->cell] >> direction & 1)
            continue;
        if (tr_surface_route_beside_in(route, tile, at, direction, &to))
            open[to.cell] |= (uint8_t)(1 << (direction ^ 2));
        else if (route->span == 1 || !tr_surface_route_across(route, at, direction, &to))
            continue;
        open[at->cell] |= (uint8_t)(1 << direction);
        reach(flood, &to);
    }
    route->states[at->cell] |= TR_SURFACE_ROUTE_IS_CLOSED;
    if (route->states[at->cell] & TR_SURFACE_ROUTE_IS_LINKED)
        follow_links(flood, at->cell);
}

static void fill(border_flood *flood) {
    tr_surface_route *route = flood->route;
    flood->first = flood->count = 0;
    flood->lost = false;
    for (uint32_t row = 0; row < route->grid.rows; row++)
        for (uint32_t column = 0; column < route->grid.columns; column++) {
            tr_surface_column cells = tr_surface_route_column(route, column, row);
            for (uint32_t i = cells.first; i < cells.first + cells.count; i++)
                if ((route->states[i] & (TR_SURFACE_ROUTE_IS_REACHED | TR_SURFACE_ROUTE_IS_CLOSED)) ==
                    TR_SURFACE_ROUTE_IS_REACHED)
                    push(flood, i, (uint16_t)column, (uint16_t)row);
        }
}

void tr_surface_route_border_flood(tr_surface_route *route, const tr_surface_route_place *starts,
                                   uint32_t count) {
    border_flood flood = {route, 0, 0, false};
    memset(route->costs, 0, route->cell_count);
    for (uint32_t i = 0; i < count; i++)
        reach(&flood, &starts[i]);
    while (flood.count > 0 || flood.lost) {
        if (flood.count == 0) {
            fill(&flood);
            continue;
        }
        const tr_surface_route_entry *entry = &route->entries[flood.first];
        tr_surface_route_tile tile = tr_surface_route_tile_at(route, entry->column, entry->row);
        uint32_t i = entry->cell - tile.first;
        tr_surface_route_place at = {entry->cell, entry->column, entry->row, tile.heights[i], tile.rooms[i]};
        flood.first = flood.first + 1 < route->entry_count ? flood.first + 1 : 0;
        flood.count--;
        if (!(route->states[at.cell] & TR_SURFACE_ROUTE_IS_CLOSED))
            expand(&flood, &tile, &at);
    }
}
