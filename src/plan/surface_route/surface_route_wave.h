// The wavefront of plan/surface_route: one byte of cost per cell, and a queue as large as its front.
#pragma once
#include "surface_route_data.h"

typedef enum surface_route_until {
    SURFACE_ROUTE_UNTIL_GOAL,
    SURFACE_ROUTE_UNTIL_FREE // the first free cell: the goals are ignored
} surface_route_until;

typedef struct surface_route_wave_def {
    tr_surface_route_place start;
    const tr_surface_route_place *goals; // cell TR_NONE: not available
    uint32_t goal_count;
    surface_route_until until;
    bool estimate; // A*, else breadth first
    tr_surface_route_border_use
        border;     // ALLOW: entering a cell that is not free costs TR_SURFACE_ROUTE_BORDER_WEIGHT - 1 more
    uint32_t links; // kinds of links to use, or'ed; closed ones are not
    uint32_t cost_most; // more expensive cells are not visited
    tr_search_budget budget;
} surface_route_wave_def;

// The result of a search. `end` is the goal, or the cell nearest to one.
typedef struct surface_route_wave_end {
    tr_surface_route_place end; // cell TR_NONE: none
    uint32_t cost;              // of the way there
    uint32_t goal;              // its number, TR_NONE
    tr_search_counters counters;
} surface_route_wave_end;

// TR_OK: the goal was reached; TR_NOT_FOUND; TR_PARTIAL: the budget ran out.
tr_status tr_surface_route_wave(tr_surface_route *route, const surface_route_wave_def *def,
                                surface_route_wave_end *end);
// Writes the path of the last wave, from its start to `end`, to route->path: `neighbours` 4 or 8. false: no
// memory.
bool tr_surface_route_wave_path(tr_surface_route *route, const surface_route_wave_def *def,
                                const surface_route_wave_end *end, uint32_t neighbours);

// The cost of entering a cell over this many columns.
static inline uint32_t tr_surface_route_entry_cost(const tr_surface_route *route,
                                                   tr_surface_route_border_use border, uint32_t cell,
                                                   uint32_t steps) {
    bool is_dear = border == TR_SURFACE_ROUTE_BORDER_ALLOW && !tr_surface_route_is_free(route, cell);
    return is_dear ? steps + TR_SURFACE_ROUTE_BORDER_WEIGHT - 1 : steps;
}

// The number of cells that a link counts as.
uint32_t tr_surface_route_link_steps(const tr_surface_route *route, uint32_t link);

static inline bool tr_surface_route_is_seen(const tr_surface_route *route, uint32_t cell) {
    return route->states[cell] >> TR_SURFACE_ROUTE_STAMP_SHIFT == route->stamp;
}
static inline bool tr_surface_route_is_closed(const tr_surface_route *route, uint32_t cell) {
    return tr_surface_route_is_seen(route, cell) && (route->states[cell] & TR_SURFACE_ROUTE_IS_CLOSED);
}
