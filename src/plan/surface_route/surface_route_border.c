// 3.3.2: the border. A flood (surface_route_flood.c) or all cells, then every cell that cannot go on in some
// direction; with a radius, also the cells that are nearer than that to such a place.
//
// While it is made, the upper half of a state byte holds the open directions, later the barred ones, and the
// cost byte the number of cells between a cell and a barred place along x.
#include "surface_route_border.h"
#include "surface_route_tile.h"

#include <string.h>

enum { FAR_AWAY = 255, MASK_SHIFT = TR_SURFACE_ROUTE_STAMP_SHIFT };

// Calls `visit` for each cell that the flood reached, tile by tile.
typedef void border_visit(tr_surface_route *route, const tr_surface_route_tile *tile,
                          const tr_surface_route_place *at);
static inline __attribute__((always_inline)) void visit_column(tr_surface_route *route,
                                                               const tr_surface_route_tile *tile,
                                                               uint32_t column, uint32_t row,
                                                               border_visit *visit) {
    for (uint32_t i = tile->offsets[0]; i < tile->offsets[1]; i++)
        if (route->states[tile->first + i] & TR_SURFACE_ROUTE_IS_REACHED) {
            tr_surface_route_place at = {tile->first + i, (uint16_t)column, (uint16_t)row, tile->heights[i],
                                         tile->rooms[i]};
            visit(route, tile, &at);
        }
}
static inline __attribute__((always_inline)) void for_each_reached(tr_surface_route *route,
                                                                   border_visit *visit) {
    const tr_grid *grid = &route->grid;
    for (uint32_t z = 0; z < grid->rows; z += TR_VOXEL_TILE)
        for (uint32_t x = 0; x < grid->columns; x += TR_VOXEL_TILE) {
            tr_surface_route_tile tile = tr_surface_route_tile_at(route, x, z);
            uint32_t rows = surface_tile_side(z, grid->rows);
            for (uint32_t row = 0; row < rows; row++)
                for (uint32_t column = 0; column < tile.pitch; column++, tile.offsets++) {
                    tile.inside = tr_surface_route_inside(column, row, tile.pitch, rows);
                    visit_column(route, &tile, x + column, z + row, visit);
                }
        }
}

// Every cell on which the person can stand: cells of a tile are consecutive.
static void reach_all(tr_surface_route *route) {
    const surface_cells *cells = &route->surface->cells;
    for (uint32_t i = 0; i < cells->tile_count; i++) {
        const surface_tile *tile = &cells->tiles[i];
        uint32_t end = i + 1 < cells->tile_count ? tile[1].first : route->cell_count;
        const uint8_t *rooms = cells->rooms + tile->position;
        uint8_t *states = route->states + tile->first;
        for (uint32_t k = 0; k < end - tile->first; k++)
            states[k] |= tr_surface_route_stands(route, rooms[k]) ? TR_SURFACE_ROUTE_IS_REACHED : 0;
    }
}

// Neighbouring cells reach each other both ways, so each pair is tested once.
static inline void open_directions(tr_surface_route *route, const tr_surface_route_tile *tile,
                                   const tr_surface_route_place *at) {
    tr_surface_route_place to;
    uint8_t *states = route->states;
    if (tr_surface_route_beside_in(route, tile, at, 0, &to)) {
        states[at->cell] |= 1 << MASK_SHIFT;
        states[to.cell] |= 4 << MASK_SHIFT;
    }
    if (tr_surface_route_beside_in(route, tile, at, 1, &to)) {
        states[at->cell] |= 2 << MASK_SHIFT;
        states[to.cell] |= 8 << MASK_SHIFT;
    }
}

// Turns open directions into barred ones.
static inline void bar_directions(tr_surface_route *route, const tr_surface_route_tile *tile,
                                  const tr_surface_route_place *at) {
    uint8_t *state = &route->states[at->cell];
    uint32_t barred = ~(uint32_t)*state >> MASK_SHIFT & 15;
    // Which directions they are matters only for corners and for a radius: otherwise the first one decides.
    bool one_is_enough = route->border_neighbours == 4 && !(route->person.radius > 0);
    tr_surface_route_place to;
    (void)tile;
    for (uint32_t direction = 0; barred && direction < TR_SURFACE_ROUTE_DIRECTIONS; direction++) {
        if (!(barred >> direction & 1))
            continue;
        if (route->span > 1 && tr_surface_route_across(route, at, direction, &to))
            barred &= ~(1u << direction);
        else if (one_is_enough)
            break;
    }
    *state = (uint8_t)((*state & ((1 << MASK_SHIFT) - 1)) | barred << MASK_SHIFT);
    if (barred)
        *state |= TR_SURFACE_ROUTE_IS_BORDER;
}

// The flood has stored them in the cost bytes.
static void bar_flooded(tr_surface_route *route) {
    for (uint32_t i = 0; i < route->cell_count; i++) {
        uint32_t state = route->states[i] & (TR_SURFACE_ROUTE_IS_CLOSED - 1),
                 barred = ~(uint32_t)route->costs[i] & 15;
        if (state & TR_SURFACE_ROUTE_IS_REACHED)
            state |= barred << MASK_SHIFT | (barred ? TR_SURFACE_ROUTE_IS_BORDER : 0);
        route->states[i] = (uint8_t)state;
    }
}

static bool has_corner(const tr_surface_route *route, const tr_surface_route_place *at, uint32_t first,
                       uint32_t second) {
    tr_surface_route_place side, end;
    return (tr_surface_route_step(route, at, first, &side) &&
            tr_surface_route_step(route, &side, second, &end)) ||
           (tr_surface_route_step(route, at, second, &side) &&
            tr_surface_route_step(route, &side, first, &end));
}

// All corners can be reached if both cells along x can go on to both sides, as most can.
static inline void mark_corners(tr_surface_route *route, const tr_surface_route_tile *tile,
                                const tr_surface_route_place *at) {
    const uint8_t both_sides = (2 | 8) << MASK_SHIFT;
    tr_surface_route_place left, right;
    if (route->states[at->cell] & TR_SURFACE_ROUTE_IS_BORDER)
        return;
    if (tr_surface_route_beside_in(route, tile, at, 0, &right) &&
        tr_surface_route_beside_in(route, tile, at, 2, &left) &&
        !((route->states[left.cell] | route->states[right.cell]) & both_sides))
        return;
    for (uint32_t direction = 0; direction < TR_SURFACE_ROUTE_DIRECTIONS; direction++)
        if (!has_corner(route, at, direction, (direction + 1) & 3)) {
            route->states[at->cell] |= TR_SURFACE_ROUTE_IS_BORDER;
            return;
        }
}

static double radius_in_cells(const tr_surface_route *route) {
    return (double)(route->person.radius / route->grid.cell);
}

// One step of a walk away from a barred place; the barred directions are known by now. 0: it ends.
static uint32_t walk(const tr_surface_route *route, tr_surface_route_place *walker, uint32_t direction) {
    tr_surface_route_place next;
    if (route->states[walker->cell] >> MASK_SHIFT >> direction & 1)
        return 0;
    uint32_t steps = tr_surface_route_step(route, walker, direction, &next);
    *walker = next;
    return steps;
}

// Away from what is barred along x: counts the cells between.
static inline void walk_along_x(tr_surface_route *route, const tr_surface_route_tile *tile,
                                const tr_surface_route_place *at) {
    uint32_t barred = route->states[at->cell] >> MASK_SHIFT;
    (void)tile;
    if (!(barred & 5))
        return;
    const double radius = radius_in_cells(route);
    for (uint32_t direction = 0; direction < TR_SURFACE_ROUTE_DIRECTIONS; direction += 2) {
        tr_surface_route_place walker = *at;
        uint32_t between = 0, steps = barred >> direction & 1;
        while (steps > 0 && between < radius) {
            uint8_t *kept = &route->costs[walker.cell];
            *kept = between < *kept ? (uint8_t)between : *kept;
            steps = between + 1 < radius ? walk(route, &walker, direction ^ 2) : 0;
            between += steps;
        }
    }
}

// Along z from a cell: all cells that are nearer than the radius to a place that is `across` cells to the
// side and `ahead` cells behind, or beside it if that is negative.
static void spread_along_z(tr_surface_route *route, const tr_surface_route_place *at, uint32_t direction,
                           double across, double ahead) {
    const double radius = radius_in_cells(route), most = radius * radius - across * across;
    tr_surface_route_place walker = *at;
    double walked = ahead;
    for (uint32_t steps = 1; steps > 0;) {
        if (walked > 0 ? !(walked * walked < most) : !(0 < most))
            return;
        route->states[walker.cell] |= TR_SURFACE_ROUTE_IS_BORDER;
        double next = walked + 1;
        steps = next <= 0 || next * next < most ? walk(route, &walker, direction) : 0;
        walked += steps;
    }
}

static inline void walk_along_z(tr_surface_route *route, const tr_surface_route_tile *tile,
                                const tr_surface_route_place *at) {
    uint32_t barred = route->states[at->cell] >> MASK_SHIFT;
    (void)tile;
    for (uint32_t direction = 1; direction < TR_SURFACE_ROUTE_DIRECTIONS; direction += 2) {
        if (barred >> (direction ^ 2) & 1)
            spread_along_z(route, at, direction, 0, 0);
        if (route->costs[at->cell] != FAR_AWAY) // that cell is beside this one; one farther, it is behind it
            spread_along_z(route, at, direction, route->costs[at->cell], -1);
    }
}

static tr_status find_seeds(const tr_surface_route *route, const tr_vec3 *seeds, uint32_t seed_count,
                            tr_surface_route_place *starts, uint32_t *start_count, tr_error *error) {
    *start_count = 0;
    for (uint32_t i = 0; i < seed_count; i++) {
        if (!tr_vec3_is_finite(seeds[i]))
            return tr_fail(error, TR_INVALID, "seed %u is (%g, %g, %g), it must be finite", i, seeds[i].x,
                           seeds[i].y, seeds[i].z);
        tr_surface_place place = tr_surface_drop(route->surface, seeds[i], route->person.foot_rise);
        tr_surface_route_place start = {.cell = TR_NONE};
        if (place.cell != TR_NONE)
            start = tr_surface_route_place_of(&place, route);
        if (start.cell != TR_NONE && tr_surface_route_stands(route, start.room))
            starts[(*start_count)++] = start;
    }
    if (*start_count == 0 && seed_count > 0)
        return tr_fail(error, TR_NOT_FOUND, "none of the %u seeds has a surface below to stand on",
                       seed_count);
    return TR_OK;
}

static void count_border(tr_surface_route *route) {
    route->reached = route->border = 0;
    for (uint32_t i = 0; i < route->cell_count; i++) {
        route->states[i] &= TR_SURFACE_ROUTE_IS_CLOSED - 1;
        route->reached += route->states[i] & TR_SURFACE_ROUTE_IS_REACHED;
        route->border += (route->states[i] & TR_SURFACE_ROUTE_IS_BORDER) != 0;
    }
    route->stamp = 0;
    route->border_is_marked = true;
}

tr_status tr_surface_route_mark_border(tr_surface_route *route, const tr_vec3 *seeds, uint32_t seed_count,
                                       tr_error *error) {
    tr_surface_route_place starts[TR_SURFACE_ROUTE_GOALS_MAX];
    uint32_t start_count;
    if (route->revision != tr_surface_revision(route->surface))
        return tr_fail(error, TR_INVALID, "the surface has changed: call tr_surface_route_refresh first");
    if (seed_count > TR_SURFACE_ROUTE_GOALS_MAX)
        return tr_fail(error, TR_LIMIT, "there are %u seeds, the limit is %d", seed_count,
                       TR_SURFACE_ROUTE_GOALS_MAX);
    tr_status status = find_seeds(route, seeds, seed_count, starts, &start_count, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < route->cell_count; i++)
        route->states[i] &= TR_SURFACE_ROUTE_IS_LINKED;
    route->stamp = 0;
    if (seed_count > 0) {
        tr_surface_route_border_flood(route, starts, start_count);
        bar_flooded(route);
    } else {
        reach_all(route);
        for_each_reached(route, open_directions);
        for_each_reached(route, bar_directions);
    }
    if (route->border_neighbours == 8)
        for_each_reached(route, mark_corners);
    if (route->person.radius > 0) {
        memset(route->costs, FAR_AWAY, route->cell_count);
        for_each_reached(route, walk_along_x);
        for_each_reached(route, walk_along_z);
    }
    count_border(route);
    return TR_OK;
}

tr_surface_route_state tr_surface_route_state_of(const tr_surface_route *route, uint32_t cell) {
    if (cell >= route->cell_count || !route->border_is_marked ||
        !(route->states[cell] & TR_SURFACE_ROUTE_IS_REACHED))
        return TR_SURFACE_ROUTE_UNSEEN;
    return route->states[cell] & TR_SURFACE_ROUTE_IS_BORDER ? TR_SURFACE_ROUTE_BORDER : TR_SURFACE_ROUTE_FREE;
}

uint32_t tr_surface_route_reached(const tr_surface_route *route) {
    return route->reached;
}

uint32_t tr_surface_route_border(const tr_surface_route *route) {
    return route->border;
}
