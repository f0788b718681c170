// 3.2: the path back through the costs of a wave, and the properties of a path whose cells are known.
#include "surface_route_wave.h"

#include <math.h>

// One step back. The possible ways are tried in order: diagonally, to the cell beside, across a gap, along a
// link.
typedef struct trace {
    tr_surface_route *route;
    const surface_route_wave_def *def;
    uint32_t neighbours;
    uint32_t direction; // the last direction of the path, of 8: tried first, so that it turns less
} trace;

enum { WAYS_DIAGONAL = 0, WAYS_BESIDE = 4, WAYS_ACROSS = 8 };

static bool has_cost(const tr_surface_route *route, uint32_t cell, uint32_t cost) {
    return tr_surface_route_is_seen(route, cell) && route->costs[cell] == (uint8_t)cost;
}

// Figure 1: the costs lead on by one of the sides, and the other is no obstacle.
static bool back_diagonally(const trace *t, const tr_surface_route_place *at, uint32_t cost, uint32_t corner,
                            tr_surface_route_place *before, uint32_t *before_cost) {
    const tr_surface_route *route = t->route;
    int32_t along_x = corner == 0 || corner == 3 ? 1 : -1, along_z = corner < 2 ? 1 : -1;
    uint32_t own = tr_surface_route_entry_cost(route, t->def->border, at->cell, 1);
    tr_surface_route_place sides[2];
    if (t->neighbours != 8 || !tr_surface_route_diagonal(route, at, along_x, along_z, before) ||
        !tr_surface_route_is_closed(route, before->cell) ||
        !tr_surface_route_beside(route, at, along_x, 0, &sides[0]) ||
        !tr_surface_route_beside(route, at, 0, along_z, &sides[1]))
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t both = own + tr_surface_route_entry_cost(route, t->def->border, sides[i].cell, 1);
        if (cost >= both && has_cost(route, sides[i].cell, cost - own) &&
            has_cost(route, before->cell, cost - both)) {
            *before_cost = cost - both;
            return true;
        }
    }
    return false;
}

// A cell this many columns back from which a step leads here.
static bool back_straight(const trace *t, const tr_surface_route_place *at, uint32_t cost, uint32_t direction,
                          uint32_t steps, tr_surface_route_place *before, uint32_t *before_cost) {
    const tr_surface_route *route = t->route;
    int32_t reach = (int32_t)steps;
    tr_surface_route_place to;
    uint32_t own = tr_surface_route_entry_cost(route, t->def->border, at->cell, steps);
    if (cost < own ||
        !tr_surface_route_beside(route, at, tr_surface_route_along_x(direction) * reach,
                                 tr_surface_route_along_z(direction) * reach, before) ||
        !tr_surface_route_is_closed(route, before->cell) || !has_cost(route, before->cell, cost - own))
        return false;
    if (steps > 1 &&
        (tr_surface_route_step(route, before, direction ^ 2, &to) != steps || to.cell != at->cell))
        return false;
    *before_cost = cost - own;
    return true;
}

// Both directions of each link are a way.
static bool back_along_link(const trace *t, const tr_surface_route_place *at, uint32_t cost, uint32_t way,
                            tr_surface_route_place *before, uint32_t *before_cost) {
    const tr_surface_route *route = t->route;
    const tr_ground_link *link = &route->links[way / 2];
    const tr_surface_route_ends *ends = &route->ends[way / 2];
    bool is_back = way & 1;
    const tr_surface_route_place *from = is_back ? &ends->to : &ends->from,
                                 *to = is_back ? &ends->from : &ends->to;
    if (to->cell != at->cell || from->cell == TR_NONE || (is_back && !link->both_ways) ||
        !(t->def->links & (uint32_t)link->kind) || link->closed)
        return false;
    uint32_t own = tr_surface_route_entry_cost(route, t->def->border, at->cell,
                                               tr_surface_route_link_steps(route, way / 2));
    if (cost < own || !tr_surface_route_is_closed(route, from->cell) ||
        !has_cost(route, from->cell, cost - own))
        return false;
    *before = *from;
    *before_cost = cost - own;
    return true;
}

static uint32_t first_link_way(const tr_surface_route *route) {
    return WAYS_ACROSS + 4 * (route->span - 1);
}

// The first way back from number `way` on; TR_NONE: there is none.
static uint32_t back(trace *t, const tr_surface_route_place *at, uint32_t cost, uint32_t way,
                     tr_surface_route_place *before, uint32_t *before_cost) {
    const uint32_t links = first_link_way(t->route);
    const uint32_t ways =
        t->route->states[at->cell] & TR_SURFACE_ROUTE_IS_LINKED ? links + 2 * t->route->link_count : links;
    for (; way < ways; way++) {
        uint32_t direction = way < WAYS_ACROSS ? (way + t->direction) & 3 : way & 3;
        bool found;
        if (way < WAYS_BESIDE)
            found = back_diagonally(t, at, cost, direction, before, before_cost);
        else if (way < links)
            found =
                back_straight(t, at, cost, direction, way < WAYS_ACROSS ? 1 : way / 4, before, before_cost);
        else
            found = back_along_link(t, at, cost, way - links, before, before_cost);
        if (found) {
            t->direction = direction;
            return way;
        }
    }
    return TR_NONE;
}

// May the way taken back from a cell of the path be wrong, because the cost of the cell that it leads to is
// 256 or 512 more than it seems? Not if a step leads there as well, because the two costs are then close.
static bool is_doubtful(const trace *t, const tr_surface_route_cell *cell, uint32_t before) {
    const tr_surface_route *route = t->route;
    const uint32_t way = cell->height, links = first_link_way(route);
    if (way < WAYS_ACROSS)
        return false;
    if (way >= links) {
        uint32_t link = (way - links) / 2;
        return !route->links[link].both_ways ||
               2 * (tr_surface_route_link_steps(route, link) + TR_SURFACE_ROUTE_BORDER_WEIGHT) >= 256;
    }
    tr_surface_route_place at = tr_surface_route_path_place(route, cell), to;
    return !tr_surface_route_step(route, &at, way & 3, &to) || to.cell != before;
}

// From the end to the start; returns the number of cells. A written cell keeps in `height` the way that was
// taken back from it, because that may have to be undone: costs are known only modulo 256, and links and
// steps across gaps may lead one way, so a way may seem right and be wrong. Then the cost runs out before the
// start is reached. The only repair that is tried replaces the last doubtful way and keeps those before it:
// there are too many other combinations.
static uint32_t walk_back(trace *t, const surface_route_wave_end *end, uint32_t most) {
    tr_surface_route_cell *path = t->route->path;
    for (uint32_t given = 0, next = 0, count;;) {
        tr_surface_route_place at = end->end, before = at;
        uint32_t cost = end->cost, before_cost = 0;
        t->direction = 0;
        for (count = 0; count < most; count++) {
            uint32_t way = count < given ? path[count].height : count == given ? next : 0;
            path[count] = (tr_surface_route_cell){.cell = at.cell, .column = at.column, .row = at.row};
            if (cost == 0 && at.cell == t->def->start.cell)
                return count + 1;
            way = back(t, &at, cost, way, &before, &before_cost);
            if (way == TR_NONE)
                break;
            path[count].height = (uint16_t)way;
            at = before;
            cost = before_cost;
        }
        for (uint32_t last = at.cell; count > 0 && !is_doubtful(t, &path[count - 1], last);)
            last = path[--count].cell;
        if (count == 0)
            return 0;
        given = count - 1;
        next = path[given].height + 1u;
    }
}

static void turn_round(tr_surface_route_cell *cells, uint32_t count) {
    for (uint32_t i = 0; i < count / 2; i++) {
        tr_surface_route_cell other = cells[i];
        cells[i] = cells[count - 1 - i];
        cells[count - 1 - i] = other;
    }
}

bool tr_surface_route_wave_path(tr_surface_route *route, const surface_route_wave_def *def,
                                const surface_route_wave_end *end, uint32_t neighbours) {
    trace t = {route, def, neighbours, 0};
    uint32_t most = end->cost < route->cell_count ? end->cost + 1 : route->cell_count;
    if (!tr_surface_route_path_reserve(route, most))
        return false;
    uint32_t count = walk_back(&t, end, most), links = first_link_way(route);
    for (uint32_t i = 0; i < count; i++) {
        tr_surface_route_cell *cell = &route->path[i];
        uint32_t way = i + 1 < count ? cell->height : 0;
        cell->link = (uint8_t)(way >= links ? 1 + (way - links) / 2 : 0);
        cell->height = tr_surface_route_path_place(route, cell).height;
    }
    turn_round(route->path, count);
    route->result.cell_count = count;
    return true;
}

tr_surface_route_place tr_surface_route_path_place(const tr_surface_route *route,
                                                   const tr_surface_route_cell *cell) {
    tr_surface_column cells = tr_surface_route_column(route, cell->column, cell->row);
    uint32_t i = cell->cell - cells.first;
    return (tr_surface_route_place){cell->cell, cell->column, cell->row, cells.heights[i], cells.rooms[i]};
}

void tr_surface_route_path_finish(tr_surface_route *route) {
    tr_surface_route_result *result = &route->result;
    double length = 0, side = route->grid.cell;
    result->border_cells = 0;
    for (uint32_t i = 0; i < result->cell_count; i++) {
        tr_surface_route_cell *cell = &route->path[i];
        if (route->states[cell->cell] & TR_SURFACE_ROUTE_IS_BORDER)
            result->border_cells++;
        cell->obstacle = TR_OBSTACLE_NONE;
        if (i == 0)
            continue;
        const tr_surface_route_cell *last = cell - 1;
        double x = side * ((double)cell->column - last->column), z = side * ((double)cell->row - last->row),
               y = route->scale.unit * ((double)cell->height - last->height);
        length += sqrt(x * x + y * y + z * z);
        if (cell->link == 0) {
            tr_surface_route_place from = tr_surface_route_path_place(route, last),
                                   to = tr_surface_route_path_place(route, cell);
            cell->obstacle = (uint8_t)tr_surface_route_move(route, &from, &to);
        }
    }
    result->length = length;
    result->cells = route->path;
}
