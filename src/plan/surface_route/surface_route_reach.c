// 3.3.1: extended neighbours, and the kind of obstacle on the way to a cell or in front of it.
#include "surface_route_data.h"

// Head room over one cell of a column, never more than is known. To stand on a cell, the largest stored room
// is always enough, but a gap may be deeper than that: only over the highest cell is the room unlimited.
static uint32_t known_ceiling(const tr_surface_route *route, const tr_surface_column *column, uint32_t i) {
    bool is_capped = (column->rooms[i] & 63) == TR_SURFACE_ROOM_MAX && i + 1 < column->count;
    return is_capped ? column->heights[i] + route->room_most
                     : tr_surface_route_ceiling(route, column->heights[i], column->rooms[i]);
}

// Can a foot be lifted over this top, from this lower foot?
static bool is_to_step_over(const tr_surface_route *route, const tr_surface_column *column, uint32_t i,
                            uint32_t low) {
    return tr_surface_kind_of(column->rooms[i]) == TR_SURFACE_STEEP &&
           column->heights[i] <= low + route->rise;
}

// What a person meets in a column when it steps across it from a foot at `low` to one at `high`, or back:
// TR_OBSTACLE_CROSS, TR_OBSTACLE_STEP_OVER, or TR_OBSTACLE_PASS if it is not free.
static tr_obstacle between(const tr_surface_route *route, const tr_surface_column *column, uint32_t low,
                           uint32_t high) {
    if (column->count == 0)
        return TR_OBSTACLE_CROSS;
    for (uint32_t i = 0; i < column->count; i++) {
        if (known_ceiling(route, column, i) < high + route->need)
            continue;
        if (column->heights[i] <= high)
            return TR_OBSTACLE_CROSS;
        if (is_to_step_over(route, column, i, low))
            return TR_OBSTACLE_STEP_OVER;
    }
    return TR_OBSTACLE_PASS;
}

// Could any step from this foot lead across the column, whatever its end? For walls the answer is no at once.
static bool may_be_crossed(const tr_surface_route *route, const tr_surface_column *column, uint32_t height) {
    for (uint32_t i = 0; i < column->count; i++)
        if (column->heights[i] <= height + route->rise &&
            known_ceiling(route, column, i) >= height + route->need)
            return true;
    return column->count == 0;
}

// All columns between two that are `steps` apart.
static tr_obstacle all_between(const tr_surface_route *route, const tr_surface_route_place *from,
                               int32_t along_x, int32_t along_z, uint32_t steps, uint32_t other_height) {
    uint32_t high = from->height > other_height ? from->height : other_height;
    uint32_t low = from->height > other_height ? other_height : from->height;
    tr_obstacle all = TR_OBSTACLE_CROSS;
    for (int32_t k = 1; k < (int32_t)steps; k++) {
        tr_surface_column column = tr_surface_route_column(route, (uint32_t)(from->column + k * along_x),
                                                           (uint32_t)(from->row + k * along_z));
        tr_obstacle one = between(route, &column, low, high);
        if (one == TR_OBSTACLE_PASS)
            return one;
        all = one == TR_OBSTACLE_STEP_OVER ? one : all;
    }
    return all;
}

uint32_t tr_surface_route_across(const tr_surface_route *route, const tr_surface_route_place *from,
                                 uint32_t direction, tr_surface_route_place *to) {
    int32_t along_x = tr_surface_route_along_x(direction), along_z = tr_surface_route_along_z(direction);
    for (uint32_t steps = 1; steps <= route->span; steps++) {
        uint32_t column = (uint32_t)(from->column + (int32_t)steps * along_x),
                 row = (uint32_t)(from->row + (int32_t)steps * along_z);
        if (column >= route->grid.columns || row >= route->grid.rows)
            return 0;
        tr_surface_column cells = tr_surface_route_column(route, column, row);
        uint32_t i =
            steps == 1 ? TR_NONE : tr_surface_route_reachable(route, &cells, from->height, from->room);
        if (i != TR_NONE) {
            *to = (tr_surface_route_place){cells.first + i, (uint16_t)column, (uint16_t)row, cells.heights[i],
                                           cells.rooms[i]};
            if (all_between(route, from, along_x, along_z, steps, to->height) != TR_OBSTACLE_PASS &&
                tr_surface_route_rises(route, from, to))
                return steps;
        }
        if (!may_be_crossed(route, &cells, from->height))
            return 0;
    }
    return 0;
}

tr_obstacle tr_surface_route_move(const tr_surface_route *route, const tr_surface_route_place *from,
                                  const tr_surface_route_place *to) {
    int32_t x = (int32_t)to->column - (int32_t)from->column, z = (int32_t)to->row - (int32_t)from->row;
    uint32_t steps = (uint32_t)(x + z < 0 ? -(x + z) : x + z);
    if ((x == 0 || z == 0) && steps > 1)
        return all_between(route, from, (x > 0) - (x < 0), (z > 0) - (z < 0), steps, to->height) ==
                       TR_OBSTACLE_STEP_OVER
                   ? TR_OBSTACLE_STEP_OVER
                   : TR_OBSTACLE_CROSS;
    int32_t up = (int32_t)to->height - (int32_t)from->height, level = (int32_t)(route->rise / 8);
    return up > level ? TR_OBSTACLE_STEP_ON : up < -level ? TR_OBSTACLE_STEP_DOWN : TR_OBSTACLE_NONE;
}

// Why the person can go neither into the next column nor across it, tested from the feet up. If the body
// would fit except for the floor, the floor is too deep (or missing); else the lowest obstacle is named.
static tr_obstacle barred_by(const tr_surface_route *route, const tr_surface_route_place *from,
                             const tr_surface_column *column) {
    uint32_t head = from->height + route->need;
    for (uint32_t i = column->count; i-- > 0;) {
        uint32_t height = column->heights[i], ceiling = known_ceiling(route, column, i);
        if (height > from->height + route->rise)
            continue;
        if (ceiling < head || (height > from->height && ceiling < height + route->need))
            return ceiling > from->height + route->rise ? TR_OBSTACLE_PASS : TR_OBSTACLE_CLIMB;
        return tr_surface_route_stands(route, column->rooms[i]) ? TR_OBSTACLE_CLIMB : TR_OBSTACLE_GAP;
    }
    return column->count == 0 ? TR_OBSTACLE_GAP : TR_OBSTACLE_CLIMB;
}

tr_surface_route_place tr_surface_route_place_of(const tr_surface_place *place,
                                                 const tr_surface_route *route) {
    tr_surface_route_place found = {.cell = TR_NONE};
    if (place->column >= route->grid.columns || place->row >= route->grid.rows)
        return found;
    tr_surface_column cells = tr_surface_route_column(route, place->column, place->row);
    uint32_t i = place->cell - cells.first;
    if (place->cell < cells.first || i >= cells.count)
        return found;
    found = (tr_surface_route_place){place->cell, (uint16_t)place->column, (uint16_t)place->row,
                                     cells.heights[i], cells.rooms[i]};
    return found;
}

tr_surface_place tr_surface_route_public_place(const tr_surface_route *route,
                                               const tr_surface_route_place *place) {
    tr_surface_place none = {.cell = TR_NONE};
    if (place->cell == TR_NONE)
        return none;
    tr_surface_column cells = tr_surface_route_column(route, place->column, place->row);
    return tr_surface_place_of(route->surface, place->column, place->row, place->cell - cells.first);
}

tr_surface_place tr_surface_route_neighbour(const tr_surface_route *route, const tr_surface_place *from,
                                            uint32_t direction, tr_obstacle *obstacle) {
    tr_surface_place none = {.cell = TR_NONE};
    tr_surface_route_place at = tr_surface_route_place_of(from, route), to;
    tr_obstacle kind = TR_OBSTACLE_PASS;
    if (at.cell == TR_NONE || direction >= TR_SURFACE_ROUTE_DIRECTIONS ||
        !tr_surface_route_stands(route, at.room) || route->revision != tr_surface_revision(route->surface)) {
        if (obstacle)
            *obstacle = kind;
        return none;
    }
    uint32_t steps = tr_surface_route_step(route, &at, direction, &to);
    uint32_t column = (uint32_t)(at.column + tr_surface_route_along_x(direction)),
             row = (uint32_t)(at.row + tr_surface_route_along_z(direction));
    if (steps > 0) {
        kind = tr_surface_route_move(route, &at, &to);
    } else if (column >= route->grid.columns || row >= route->grid.rows) {
        kind = TR_OBSTACLE_EDGE;
    } else {
        tr_surface_column cells = tr_surface_route_column(route, column, row);
        kind = barred_by(route, &at, &cells);
    }
    if (obstacle)
        *obstacle = kind;
    return steps > 0 ? tr_surface_route_public_place(route, &to) : none;
}
