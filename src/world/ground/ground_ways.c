// The steps out of a cell: to the cell beside it, or across a gap or over an obstacle to one further on
// (Bandi & Thalmann 1998, 3.3.1).
#include "ground_data.h"

static ground_spot spot_at(const tr_ground *ground, uint32_t x, uint32_t z, uint32_t index) {
    ground_spot spot = {ground_tile_of(ground, x, z), (uint16_t)index, (uint16_t)x, (uint16_t)z};
    return spot;
}

// The standing cell of the column on one side that fits; false: there is none.
static bool beside(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                   uint32_t direction, ground_spot *to) {
    uint32_t x = (uint32_t)(from->x + ground_along_x(direction)),
             z = (uint32_t)(from->z + ground_along_z(direction));
    if (x >= ground->grid.columns || z >= ground->grid.rows)
        return false;
    const ground_tile *tile = &ground->tiles[from->tile];
    uint32_t number = ground_tile_of(ground, x, z);
    const ground_tile *other = &ground->tiles[number];
    uint32_t i = ground_fitting(ground, measure, other, ground_offsets_at(other, x, z),
                                tile->heights[from->index], tile->rooms[from->index]);
    if (i == TR_NONE)
        return false;
    *to = (ground_spot){number, (uint16_t)i, (uint16_t)x, (uint16_t)z};
    return true;
}

static int32_t height_at(const tr_ground *ground, const ground_spot *spot) {
    return ground->tiles[spot->tile].heights[spot->index];
}

// How much higher the floor beside a cell is, where the two may be one slope; else 0.
static int32_t slope_to(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                        uint32_t direction) {
    ground_spot to;
    if (!beside(ground, measure, from, direction, &to))
        return 0;
    int32_t rise = height_at(ground, &to) - height_at(ground, from);
    return rise <= ground->slope_rise && -rise <= ground->slope_rise ? rise : 0;
}

static int32_t size_of(int32_t value) {
    return value < 0 ? -value : value;
}

// How far the floor of the lower cell may be below the cell's height where the step in a direction is made:
// the height of a cell is that of its highest point. The floor is lower where it slopes down towards the
// step, and once more by the same amount below the part of the next cell that has not risen yet. It is also
// lower where it slopes along the step and the higher floor does not slope with it.
static int32_t below_top(const tr_ground *ground, const ground_measure *measure, const ground_spot *low,
                         const ground_spot *high, uint32_t direction) {
    int32_t back = slope_to(ground, measure, low, direction ^ 2), most = 0;
    for (uint32_t turn = 1; turn < 4; turn += 2) {
        uint32_t side = (direction + turn) & 3;
        int32_t differs =
            size_of(slope_to(ground, measure, low, side) - slope_to(ground, measure, high, side));
        most = differs > most ? differs : most;
    }
    return (back > 0 ? 2 * back : 0) + most;
}

// Whether the step between two cells that fit is at most the foot's rise, wherever in the cells it is made.
static bool is_low_enough(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                          const ground_spot *to, uint32_t direction) {
    int32_t rise = height_at(ground, to) - height_at(ground, from);
    if (rise == 0 || size_of(rise) + 4 * ground->slope_rise <= (int32_t)measure->rise)
        return true;
    int32_t below = rise > 0 ? below_top(ground, measure, from, to, direction)
                             : below_top(ground, measure, to, from, direction ^ 2);
    return size_of(rise) + below <= (int32_t)measure->rise;
}

// The known ceiling over one cell of a column. For a body that stands on a cell, the greatest room byte is
// always enough, but a gap may be deeper than that: only over the highest cell is the space unlimited.
static uint32_t known_ceiling(const tr_ground *ground, const ground_tile *tile, uint32_t i, uint32_t end) {
    bool is_capped = (tile->rooms[i] & 63) == TR_SURFACE_ROOM_MAX && i + 1 < end;
    return tile->heights[i] + (is_capped ? ground->room_most : ground->rooms[tile->rooms[i] & 63]);
}

// Whether a column is free for a body that steps across it from a foot at `low` to one at `high`, or back. A
// top that cannot be stood on may be stepped over.
static bool is_free_between(const tr_ground *ground, const ground_measure *measure, uint32_t x, uint32_t z,
                            uint32_t low, uint32_t high) {
    const ground_tile *tile = &ground->tiles[ground_tile_of(ground, x, z)];
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
        if (known_ceiling(ground, tile, i, offsets[1]) < high + measure->need)
            continue;
        if (tile->heights[i] <= high || (tr_surface_kind_of(tile->rooms[i]) == TR_SURFACE_STEEP &&
                                         tile->heights[i] <= low + measure->over))
            return true;
    }
    return offsets[0] == offsets[1];
}

// Whether any step from this foot could lead across the column, whatever it leads to. Walls are ruled out at
// once.
static bool may_be_crossed(const tr_ground *ground, const ground_measure *measure, uint32_t x, uint32_t z,
                           uint32_t height) {
    const ground_tile *tile = &ground->tiles[ground_tile_of(ground, x, z)];
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    for (uint32_t i = offsets[0]; i < offsets[1]; i++)
        if (tile->heights[i] <= height + measure->rise &&
            known_ceiling(ground, tile, i, offsets[1]) >= height + measure->need)
            return true;
    return offsets[0] == offsets[1];
}

bool tr_ground_is_low(const tr_ground *ground, const ground_measure *measure, uint32_t x, uint32_t z,
                      uint32_t height) {
    const ground_tile *tile = &ground->tiles[ground_tile_of(ground, x, z)];
    const uint16_t *offsets = ground_offsets_at(tile, x, z);
    for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
        uint32_t most = ground_stands(measure, tile->rooms[i]) ? measure->rise : measure->over;
        if (tile->heights[i] <= height + most &&
            known_ceiling(ground, tile, i, offsets[1]) >= height + measure->need)
            return true;
    }
    return offsets[0] == offsets[1];
}

static bool all_free_between(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                             const ground_spot *to, uint32_t direction, uint32_t steps) {
    uint32_t here = (uint32_t)height_at(ground, from), there = (uint32_t)height_at(ground, to);
    for (uint32_t k = 1; k < steps; k++)
        if (!is_free_between(ground, measure, (uint32_t)(from->x + (int32_t)k * ground_along_x(direction)),
                             (uint32_t)(from->z + (int32_t)k * ground_along_z(direction)),
                             here < there ? here : there, here < there ? there : here))
            return false;
    return true;
}

// The nearest cell across a gap, seen from one side.
static uint32_t look_across(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                            uint32_t direction, ground_spot *to) {
    const ground_tile *tile = &ground->tiles[from->tile];
    uint32_t height = tile->heights[from->index];
    for (uint32_t steps = 1; steps <= measure->span; steps++) {
        uint32_t x = (uint32_t)(from->x + (int32_t)steps * ground_along_x(direction)),
                 z = (uint32_t)(from->z + (int32_t)steps * ground_along_z(direction));
        if (x >= ground->grid.columns || z >= ground->grid.rows)
            return 0;
        const ground_tile *other = &ground->tiles[ground_tile_of(ground, x, z)];
        uint32_t i = steps == 1 ? TR_NONE
                                : ground_fitting(ground, measure, other, ground_offsets_at(other, x, z),
                                                 height, tile->rooms[from->index]);
        if (i != TR_NONE) {
            *to = spot_at(ground, x, z, i);
            if (is_low_enough(ground, measure, from, to, direction) &&
                all_free_between(ground, measure, from, to, direction, steps))
                return steps;
        }
        if (!may_be_crossed(ground, measure, x, z, height))
            return 0;
    }
    return 0;
}

static bool is_open(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                    uint32_t direction, ground_spot *to) {
    return beside(ground, measure, from, direction, to) &&
           is_low_enough(ground, measure, from, to, direction);
}

// A leap leads both ways: from the other side, too, there must be no nearer cell to step to.
uint32_t tr_ground_across(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                          uint32_t direction, ground_spot *to) {
    ground_spot back;
    uint32_t steps = look_across(ground, measure, from, direction, to);
    if (steps == 0 || is_open(ground, measure, to, direction ^ 2, &back) ||
        look_across(ground, measure, to, direction ^ 2, &back) != steps || back.index != from->index)
        return 0;
    return steps;
}

uint32_t tr_ground_step(const tr_ground *ground, const ground_size *size, const ground_spot *from,
                        uint32_t direction, ground_spot *to) {
    uint32_t ways = size->tiles[from->tile].ways[from->index] >> direction;
    if (ways & GROUND_OPEN) {
        // The target cell exists: where the column has only one cell, no search is needed.
        uint32_t x = (uint32_t)(from->x + ground_along_x(direction)),
                 z = (uint32_t)(from->z + ground_along_z(direction)), tile = ground_tile_of(ground, x, z);
        const uint16_t *offsets = ground_offsets_at(&ground->tiles[tile], x, z);
        if (offsets[1] - offsets[0] != 1)
            return beside(ground, &size->measure, from, direction, to);
        *to = (ground_spot){tile, offsets[0], (uint16_t)x, (uint16_t)z};
        return 1;
    }
    return ways & GROUND_LEAP ? tr_ground_across(ground, &size->measure, from, direction, to) : 0;
}

// Most cells are inside a tile, and level with the only cells of the columns around them.
static bool is_plain(const ground_measure *measure, const ground_tile *tile, const ground_spot *from) {
    uint32_t column = from->x % GROUND_TILE, row = from->z % GROUND_TILE;
    if (column - 1 >= GROUND_TILE - 2 || row - 1 >= GROUND_TILE - 2)
        return false;
    const uint16_t *offsets = ground_offsets_at(tile, from->x, from->z);
    static const int32_t around[4] = {1, GROUND_TILE, -1, -GROUND_TILE};
    uint32_t odd = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t other = offsets[around[i]];
        odd |= (uint32_t)(offsets[around[i] + 1] - other) ^ 1;
        if (odd)
            return false;
        odd |= (uint32_t)tile->heights[other] ^ tile->heights[from->index];
        odd |= !ground_stands(measure, tile->rooms[other]);
    }
    return !odd;
}

static uint8_t ways_of(const tr_ground *ground, const ground_measure *measure, const ground_spot *from) {
    uint32_t ways = 0;
    ground_spot to;
    if (is_plain(measure, &ground->tiles[from->tile], from))
        return 15 * GROUND_OPEN;
    for (uint32_t direction = 0; direction < 4; direction++) {
        if (is_open(ground, measure, from, direction, &to))
            ways |= (uint32_t)GROUND_OPEN << direction;
        else if (measure->span > 1 && tr_ground_across(ground, measure, from, direction, &to))
            ways |= (uint32_t)GROUND_LEAP << direction;
    }
    return (uint8_t)ways;
}

// The same where only leaps along one axis may have changed: steps to adjacent cells stay.
static uint8_t leaps_of(const tr_ground *ground, const ground_measure *measure, const ground_spot *from,
                        uint32_t ways, uint32_t axis) {
    ground_spot to;
    for (uint32_t direction = axis; direction < 4; direction += 2) {
        if (ways >> direction & GROUND_OPEN)
            continue;
        ways &= ~((uint32_t)GROUND_LEAP << direction);
        if (tr_ground_across(ground, measure, from, direction, &to))
            ways |= (uint32_t)GROUND_LEAP << direction;
    }
    return (uint8_t)ways;
}

tr_cells tr_ground_find_ways(const tr_ground *ground, ground_size *size, tr_cells window, ground_ways which) {
    const ground_measure *measure = &size->measure;
    ground_extent changed = GROUND_NO_EXTENT;
    uint32_t sides = which == GROUND_LEAPS_X ? 5 : which == GROUND_LEAPS_Z ? 10 : 0;
    for (uint32_t z = window.row_begin; z < window.row_end; z++)
        for (uint32_t x = window.column_begin; x < window.column_end; x++) {
            uint32_t number = ground_tile_of(ground, x, z);
            const ground_tile *tile = &ground->tiles[number];
            const uint16_t *offsets = ground_offsets_at(tile, x, z);
            uint8_t *known = size->tiles[number].ways;
            for (uint32_t i = offsets[0]; i < offsets[1]; i++) {
                if (!ground_stands(measure, tile->rooms[i]) || (sides && (known[i] & sides) == sides))
                    continue;
                ground_spot from = {number, (uint16_t)i, (uint16_t)x, (uint16_t)z};
                uint8_t ways = sides ? leaps_of(ground, measure, &from, known[i], which == GROUND_LEAPS_Z)
                                     : ways_of(ground, measure, &from);
                if (ways == known[i])
                    continue;
                known[i] = ways;
                ground_extend(&changed, x, z);
            }
        }
    return ground_extent_cells(&changed);
}
