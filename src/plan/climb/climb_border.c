// 3.3.2: the border. A flood (climb_flood.c) or all there is, then every cell that cannot go on in some
// direction; with a radius also those that are nearer than that to such a place.
//
// While it is made, the upper half of a state byte says which of the four directions are open, later which
// are barred, and the cost byte how many cells there are between a cell and a barred place along x.
#include "climb_border.h"
#include "climb_tile.h"

#include <string.h>

enum { FAR_AWAY = 255, MASK_SHIFT = TR_CLIMB_STAMP_SHIFT };

// Calls `visit` for each cell that the flood reached, tile by tile.
typedef void border_visit(tr_climb *climb, const tr_climb_tile *tile, const tr_climb_place *at);
static inline __attribute__((always_inline)) void visit_column(tr_climb *climb, const tr_climb_tile *tile,
                                                               uint32_t column, uint32_t row,
                                                               border_visit *visit) {
    for (uint32_t i = tile->offsets[0]; i < tile->offsets[1]; i++)
        if (climb->states[tile->first + i] & TR_CLIMB_IS_REACHED) {
            tr_climb_place at = {tile->first + i, (uint16_t)column, (uint16_t)row, tile->heights[i],
                                 tile->rooms[i]};
            visit(climb, tile, &at);
        }
}
static inline __attribute__((always_inline)) void for_each_reached(tr_climb *climb, border_visit *visit) {
    const tr_grid *grid = &climb->grid;
    for (uint32_t z = 0; z < grid->rows; z += TR_VOXEL_TILE)
        for (uint32_t x = 0; x < grid->columns; x += TR_VOXEL_TILE) {
            tr_climb_tile tile = tr_climb_tile_at(climb, x, z);
            uint32_t rows = surface_tile_side(z, grid->rows);
            for (uint32_t row = 0; row < rows; row++)
                for (uint32_t column = 0; column < tile.pitch; column++, tile.offsets++) {
                    tile.inside = tr_climb_inside(column, row, tile.pitch, rows);
                    visit_column(climb, &tile, x + column, z + row, visit);
                }
        }
}

// Everywhere that the person can stand: cells of a tile lie one after the other.
static void reach_all(tr_climb *climb) {
    const surface_cells *cells = &climb->surface->cells;
    for (uint32_t i = 0; i < cells->tile_count; i++) {
        const surface_tile *tile = &cells->tiles[i];
        uint32_t end = i + 1 < cells->tile_count ? tile[1].first : climb->cell_count;
        const uint8_t *rooms = cells->rooms + tile->position;
        uint8_t *states = climb->states + tile->first;
        for (uint32_t k = 0; k < end - tile->first; k++)
            states[k] |= tr_climb_stands(climb, rooms[k]) ? TR_CLIMB_IS_REACHED : 0;
    }
}

// Cells beside each other reach each other both ways, so that each pair is looked at once.
static inline void open_directions(tr_climb *climb, const tr_climb_tile *tile, const tr_climb_place *at) {
    tr_climb_place to;
    uint8_t *states = climb->states;
    if (tr_climb_beside_in(climb, tile, at, 0, &to)) {
        states[at->cell] |= 1 << MASK_SHIFT;
        states[to.cell] |= 4 << MASK_SHIFT;
    }
    if (tr_climb_beside_in(climb, tile, at, 1, &to)) {
        states[at->cell] |= 2 << MASK_SHIFT;
        states[to.cell] |= 8 << MASK_SHIFT;
    }
}

// Open directions become barred ones.
static inline void bar_directions(tr_climb *climb, const tr_climb_tile *tile, const tr_climb_place *at) {
    uint8_t *state = &climb->states[at->cell];
    uint32_t barred = ~(uint32_t)*state >> MASK_SHIFT & 15;
    // Which they are matters only to corners and to a radius: else the first decides.
    bool one_is_enough = climb->border_neighbours == 4 && !(climb->person.radius > 0);
    tr_climb_place to;
    (void)tile;
    for (uint32_t direction = 0; barred && direction < TR_CLIMB_DIRECTIONS; direction++) {
        if (!(barred >> direction & 1))
            continue;
        if (climb->span > 1 && tr_climb_across(climb, at, direction, &to))
            barred &= ~(1u << direction);
        else if (one_is_enough)
            break;
    }
    *state = (uint8_t)((*state & ((1 << MASK_SHIFT) - 1)) | barred << MASK_SHIFT);
    if (barred)
        *state |= TR_CLIMB_IS_BORDER;
}

// The flood has kept them in the cost bytes.
static void bar_flooded(tr_climb *climb) {
    for (uint32_t i = 0; i < climb->cell_count; i++) {
        uint32_t state = climb->states[i] & (TR_CLIMB_IS_CLOSED - 1),
                 barred = ~(uint32_t)climb->costs[i] & 15;
        if (state & TR_CLIMB_IS_REACHED)
            state |= barred << MASK_SHIFT | (barred ? TR_CLIMB_IS_BORDER : 0);
        climb->states[i] = (uint8_t)state;
    }
}

static bool has_corner(const tr_climb *climb, const tr_climb_place *at, uint32_t first, uint32_t second) {
    tr_climb_place side, end;
    return (tr_climb_step(climb, at, first, &side) && tr_climb_step(climb, &side, second, &end)) ||
           (tr_climb_step(climb, at, second, &side) && tr_climb_step(climb, &side, first, &end));
}

// All corners can be reached when both cells along x can go on to both sides, which most can.
static inline void mark_corners(tr_climb *climb, const tr_climb_tile *tile, const tr_climb_place *at) {
    const uint8_t both_sides = (2 | 8) << MASK_SHIFT;
    tr_climb_place left, right;
    if (climb->states[at->cell] & TR_CLIMB_IS_BORDER)
        return;
    if (tr_climb_beside_in(climb, tile, at, 0, &right) && tr_climb_beside_in(climb, tile, at, 2, &left) &&
        !((climb->states[left.cell] | climb->states[right.cell]) & both_sides))
        return;
    for (uint32_t direction = 0; direction < TR_CLIMB_DIRECTIONS; direction++)
        if (!has_corner(climb, at, direction, (direction + 1) & 3)) {
            climb->states[at->cell] |= TR_CLIMB_IS_BORDER;
            return;
        }
}

static double radius_in_cells(const tr_climb *climb) {
    return (double)(climb->person.radius / climb->grid.cell);
}

// One step of a walk away from something barred; the barred directions are known by now. 0: it ends.
static uint32_t walk(const tr_climb *climb, tr_climb_place *walker, uint32_t direction) {
    tr_climb_place next;
    if (climb->states[walker->cell] >> MASK_SHIFT >> direction & 1)
        return 0;
    uint32_t steps = tr_climb_step(climb, walker, direction, &next);
    *walker = next;
    return steps;
}

// Away from what is barred along x: how many cells lie between.
static inline void walk_along_x(tr_climb *climb, const tr_climb_tile *tile, const tr_climb_place *at) {
    uint32_t barred = climb->states[at->cell] >> MASK_SHIFT;
    (void)tile;
    if (!(barred & 5))
        return;
    const double radius = radius_in_cells(climb);
    for (uint32_t direction = 0; direction < TR_CLIMB_DIRECTIONS; direction += 2) {
        tr_climb_place walker = *at;
        uint32_t between = 0, steps = barred >> direction & 1;
        while (steps > 0 && between < radius) {
            uint8_t *kept = &climb->costs[walker.cell];
            *kept = between < *kept ? (uint8_t)between : *kept;
            steps = between + 1 < radius ? walk(climb, &walker, direction ^ 2) : 0;
            between += steps;
        }
    }
}

// Along z from a cell: all that are nearer than the radius to something that is `across` cells to the side
// and `ahead` cells behind it, or beside it when that is negative.
static void spread_along_z(tr_climb *climb, const tr_climb_place *at, uint32_t direction, double across,
                           double ahead) {
    const double radius = radius_in_cells(climb), most = radius * radius - across * across;
    tr_climb_place walker = *at;
    double walked = ahead;
    for (uint32_t steps = 1; steps > 0;) {
        if (walked > 0 ? !(walked * walked < most) : !(0 < most))
            return;
        climb->states[walker.cell] |= TR_CLIMB_IS_BORDER;
        double next = walked + 1;
        steps = next <= 0 || next * next < most ? walk(climb, &walker, direction) : 0;
        walked += steps;
    }
}

static inline void walk_along_z(tr_climb *climb, const tr_climb_tile *tile, const tr_climb_place *at) {
    uint32_t barred = climb->states[at->cell] >> MASK_SHIFT;
    (void)tile;
    for (uint32_t direction = 1; direction < TR_CLIMB_DIRECTIONS; direction += 2) {
        if (barred >> (direction ^ 2) & 1)
            spread_along_z(climb, at, direction, 0, 0);
        if (climb->costs[at->cell] !=
            FAR_AWAY) // that cell is beside this one: one further, and it is behind it
            spread_along_z(climb, at, direction, climb->costs[at->cell], -1);
    }
}

static tr_status find_seeds(const tr_climb *climb, const tr_vec3 *seeds, uint32_t seed_count,
                            tr_climb_place *starts, uint32_t *start_count, tr_error *error) {
    *start_count = 0;
    for (uint32_t i = 0; i < seed_count; i++) {
        if (!tr_vec3_is_finite(seeds[i]))
            return tr_fail(error, TR_INVALID, "seed %u is (%g, %g, %g), it must be finite", i, seeds[i].x,
                           seeds[i].y, seeds[i].z);
        tr_surface_place place = tr_surface_drop(climb->surface, seeds[i], climb->person.foot_rise);
        tr_climb_place start = {.cell = TR_NONE};
        if (place.cell != TR_NONE)
            start = tr_climb_place_of(&place, climb);
        if (start.cell != TR_NONE && tr_climb_stands(climb, start.room))
            starts[(*start_count)++] = start;
    }
    if (*start_count == 0 && seed_count > 0)
        return tr_fail(error, TR_NOT_FOUND, "below none of the %u seeds is there a surface to stand on",
                       seed_count);
    return TR_OK;
}

static void count_border(tr_climb *climb) {
    climb->reached = climb->border = 0;
    for (uint32_t i = 0; i < climb->cell_count; i++) {
        climb->states[i] &= TR_CLIMB_IS_CLOSED - 1;
        climb->reached += climb->states[i] & TR_CLIMB_IS_REACHED;
        climb->border += (climb->states[i] & TR_CLIMB_IS_BORDER) != 0;
    }
    climb->stamp = 0;
    climb->border_is_marked = true;
}

tr_status tr_climb_mark_border(tr_climb *climb, const tr_vec3 *seeds, uint32_t seed_count, tr_error *error) {
    tr_climb_place starts[TR_CLIMB_GOALS_MAX];
    uint32_t start_count;
    if (climb->revision != tr_surface_revision(climb->surface))
        return tr_fail(error, TR_INVALID, "the surface has changed: tr_climb_refresh comes first");
    if (seed_count > TR_CLIMB_GOALS_MAX)
        return tr_fail(error, TR_LIMIT, "there are %u seeds, %d are the most", seed_count,
                       TR_CLIMB_GOALS_MAX);
    tr_status status = find_seeds(climb, seeds, seed_count, starts, &start_count, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < climb->cell_count; i++)
        climb->states[i] &= TR_CLIMB_IS_LINKED;
    climb->stamp = 0;
    if (seed_count > 0) {
        tr_climb_border_flood(climb, starts, start_count);
        bar_flooded(climb);
    } else {
        reach_all(climb);
        for_each_reached(climb, open_directions);
        for_each_reached(climb, bar_directions);
    }
    if (climb->border_neighbours == 8)
        for_each_reached(climb, mark_corners);
    if (climb->person.radius > 0) {
        memset(climb->costs, FAR_AWAY, climb->cell_count);
        for_each_reached(climb, walk_along_x);
        for_each_reached(climb, walk_along_z);
    }
    count_border(climb);
    return TR_OK;
}

tr_climb_state tr_climb_state_of(const tr_climb *climb, uint32_t cell) {
    if (cell >= climb->cell_count || !climb->border_is_marked || !(climb->states[cell] & TR_CLIMB_IS_REACHED))
        return TR_CLIMB_UNSEEN;
    return climb->states[cell] & TR_CLIMB_IS_BORDER ? TR_CLIMB_BORDER : TR_CLIMB_FREE;
}

uint32_t tr_climb_reached(const tr_climb *climb) {
    return climb->reached;
}

uint32_t tr_climb_border(const tr_climb *climb) {
    return climb->border;
}
