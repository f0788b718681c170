// 3, 3.1: A* over the surface with the Manhattan distance, breadth first without it.
//
// A step to the next cell costs one, a step across a gap the number of cells that it crosses: so the
// Manhattan distance never exceeds the true cost, and never decreases by more than the cost of a step. Totals
// (cost + distance) then grow by 0 to 2 * span with a step, and the queue is a ring of lists, one for each
// total. All waiting cells are within that window, so the lowest byte of a cost determines it exactly.
//
// The queue has room for a usual front. Cells that do not fit are lost from it, but can be recovered: cells
// that are seen and not closed are waiting. When the wave comes to the least total that was lost, the queue
// is rebuilt from all cells.
#include "surface_route_tile.h"
#include "surface_route_wave.h"
#include "troupe/base/clock.h"

#include <stdlib.h>
#include <string.h>

// A target of the wave: a goal, or a link that leads nearer to one.
typedef struct wave_target {
    int32_t column, row;
    uint32_t more; // left to go from there, at least
} wave_target;

// A way along a link: each direction is one.
typedef struct wave_arc {
    const tr_surface_route_place *from, *to;
    uint32_t steps;
    uint32_t arrival; // cost at the end, once the start has been reached; TR_NONE
} wave_arc;

#define ARCS_MAX (2 * TR_GROUND_LINKS_MAX)
#define TARGETS_MAX (TR_SURFACE_ROUTE_GOALS_MAX + ARCS_MAX)

typedef struct wave {
    tr_surface_route *route;
    const surface_route_wave_def *def;
    uint32_t total;   // of the cells that are expanded now
    uint32_t waiting; // in the queue
    uint32_t lost;    // least total of a cell for which there was no room; TR_NONE
    uint32_t pending; // least total of an arc's end that still has to wait; TR_NONE
    uint32_t nearest; // least distance of an expanded cell
    surface_route_wave_end *end;
    uint32_t target_count, arc_count;
    wave_target targets[TARGETS_MAX];
    wave_arc arcs[ARCS_MAX];
} wave;

uint32_t tr_surface_route_link_steps(const tr_surface_route *route, uint32_t link) {
    double cells = ceil((double)route->links[link].cost / route->grid.cell - 1.0 / 1024);
    return cells < 1 ? 1 : (uint32_t)cells;
}

static uint32_t distance(const wave *w, uint32_t column, uint32_t row) {
    uint32_t least = w->target_count ? TR_NONE : 0;
    for (uint32_t i = 0; i < w->target_count; i++) {
        const wave_target *target = &w->targets[i];
        uint32_t away = (uint32_t)abs(target->column - (int32_t)column) +
                        (uint32_t)abs(target->row - (int32_t)row) + target->more;
        least = away < least ? away : least;
    }
    return least;
}

static uint32_t estimate(const wave *w, uint32_t column, uint32_t row) {
    return w->def->estimate ? distance(w, column, row) : 0;
}

static void add_target(wave *w, const tr_surface_route_place *place, uint32_t more) {
    w->targets[w->target_count++] = (wave_target){place->column, place->row, more};
}

static void add_arcs(wave *w) {
    const tr_surface_route *route = w->route;
    for (uint32_t i = 0; i < route->link_count; i++) {
        const tr_ground_link *link = &route->links[i];
        const tr_surface_route_ends *ends = &route->ends[i];
        if (!(w->def->links & (uint32_t)link->kind) || link->closed || ends->from.cell == TR_NONE)
            continue;
        uint32_t steps = tr_surface_route_link_steps(route, i);
        w->arcs[w->arc_count++] = (wave_arc){&ends->from, &ends->to, steps, TR_NONE};
        if (link->both_ways)
            w->arcs[w->arc_count++] = (wave_arc){&ends->to, &ends->from, steps, TR_NONE};
    }
}

// A link is a target too, at least as far from a goal as its other end is, over other links if necessary.
// This settles after as many rounds as links can follow each other.
static void add_targets(wave *w) {
    for (uint32_t i = 0; i < w->def->goal_count; i++)
        if (w->def->goals[i].cell != TR_NONE)
            add_target(w, &w->def->goals[i], 0);
    uint32_t goals = w->target_count;
    if (goals == 0)
        return;
    for (uint32_t i = 0; i < w->arc_count; i++)
        add_target(w, w->arcs[i].from, w->arcs[i].steps + UINT32_MAX / 4);
    for (bool changed = w->arc_count > 0; changed;) {
        changed = false;
        for (uint32_t i = 0; i < w->arc_count; i++) {
            uint32_t more = w->arcs[i].steps + distance(w, w->arcs[i].to->column, w->arcs[i].to->row);
            if (more < w->targets[goals + i].more) {
                w->targets[goals + i].more = more;
                changed = true;
            }
        }
    }
}

static void empty_queue(wave *w) {
    tr_surface_route *route = w->route;
    memset(route->heads, 0xff, sizeof route->heads);
    for (uint32_t i = 0; i < route->entry_count; i++)
        route->entries[i].next = i + 1 < route->entry_count ? i + 1 : TR_NONE;
    route->entry_free = 0;
    w->waiting = 0;
    w->lost = TR_NONE;
}

static void push(wave *w, uint32_t cell, uint16_t column, uint16_t row, uint32_t total) {
    tr_surface_route *route = w->route;
    uint32_t number = route->entry_free;
    if (number == TR_NONE) {
        w->lost = total < w->lost ? total : w->lost;
        return;
    }
    tr_surface_route_entry *entry = &route->entries[number];
    uint32_t *head = &route->heads[total % TR_SURFACE_ROUTE_BUCKETS];
    route->entry_free = entry->next;
    *entry = (tr_surface_route_entry){cell, column, row, *head};
    *head = number;
    w->waiting++;
}

// Filling the queue: counts the waiting cells of each total above the wave's, then adds those that there is
// room for.
typedef struct wave_fill {
    uint32_t counts[TR_SURFACE_ROUTE_BUCKETS];
    uint32_t most; // above the wave's total
    bool is_counted;
} wave_fill;

static void take_waiting(wave *w, wave_fill *fill, uint32_t cell, uint32_t column, uint32_t row) {
    uint8_t above = (uint8_t)(w->route->costs[cell] + estimate(w, column, row) - w->total);
    if (!fill->is_counted)
        fill->counts[above]++;
    else if (above <= fill->most)
        push(w, cell, (uint16_t)column, (uint16_t)row, w->total + above);
    else if (w->total + above < w->lost)
        w->lost = w->total + above;
}

static bool is_waiting(const tr_surface_route *route, uint32_t cell) {
    return (route->states[cell] & ~(TR_SURFACE_ROUTE_IS_CLOSED - 1)) == route->stamp
                                                                            << TR_SURFACE_ROUTE_STAMP_SHIFT;
}

// The cells of a tile are adjacent: most tiles have no waiting cell, and are skipped without reading their
// columns.
static void look_at_tile(wave *w, wave_fill *fill, uint32_t first_column, uint32_t first_row) {
    tr_surface_route *route = w->route;
    tr_surface_route_tile tile = tr_surface_route_tile_at(route, first_column, first_row);
    uint32_t rows = surface_tile_side(first_row, route->grid.rows), waiting = 0;
    uint32_t end = tile.first + tile.offsets[tile.pitch * rows];
    for (uint32_t cell = tile.first; cell < end; cell++)
        waiting += is_waiting(route, cell);
    for (uint32_t i = 0; waiting > 0 && i < tile.pitch * rows; i++)
        for (uint32_t cell = tile.first + tile.offsets[i]; cell < tile.first + tile.offsets[i + 1]; cell++)
            if (is_waiting(route, cell))
                take_waiting(w, fill, cell, first_column + i % tile.pitch, first_row + i / tile.pitch);
}

// Adds all waiting cells, those of the least totals first, as far as there is room.
static void fill_queue(wave *w) {
    const tr_surface_route *route = w->route;
    wave_fill fill = {.most = 0};
    empty_queue(w);
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t row = 0; row < route->grid.rows; row += TR_VOXEL_TILE)
            for (uint32_t column = 0; column < route->grid.columns; column += TR_VOXEL_TILE)
                look_at_tile(w, &fill, column, row);
        for (uint32_t i = 0, sum = 0; !fill.is_counted && i < TR_SURFACE_ROUTE_BUCKETS; i++) {
            bool is_first = sum == 0; // at least those of the least total, as many as there is room for
            sum += fill.counts[i];
            if (sum <= route->entry_count || is_first)
                fill.most = i;
        }
        fill.is_counted = true;
    }
}

// Is this cost better for a cell? Two costs of a waiting cell differ by the difference of their totals.
static bool is_better(wave *w, uint32_t cell, uint32_t cost) {
    const tr_surface_route *route = w->route;
    uint8_t state = route->states[cell];
    if (state >> TR_SURFACE_ROUTE_STAMP_SHIFT != route->stamp)
        return true;
    uint32_t saved = (uint8_t)(route->costs[cell] - cost);
    if ((state & TR_SURFACE_ROUTE_IS_CLOSED) || saved == 0 || saved >= 128)
        return false;
    w->end->counters.improved++;
    return true;
}

// Reaches the cell at a better cost, whose total is in the window.
static void reach(wave *w, const tr_surface_route_place *place, uint32_t cost, uint32_t total) {
    tr_surface_route *route = w->route;
    uint8_t *state = &route->states[place->cell];
    *state =
        (uint8_t)((*state & (TR_SURFACE_ROUTE_IS_CLOSED - 1)) | route->stamp << TR_SURFACE_ROUTE_STAMP_SHIFT);
    route->costs[place->cell] = (uint8_t)cost;
    push(w, place->cell, place->column, place->row, total);
}

static bool is_goal(const wave *w, uint32_t cell, uint32_t *goal) {
    for (uint32_t i = 0; i < w->def->goal_count; i++)
        if (w->def->goals[i].cell == cell) {
            *goal = i;
            return true;
        }
    return false;
}

static bool may_enter(const wave *w, const tr_surface_route_place *place) {
    uint32_t goal;
    return w->def->border != TR_SURFACE_ROUTE_BORDER_AVOID ||
           tr_surface_route_is_free(w->route, place->cell) || is_goal(w, place->cell, &goal);
}

static void follow(wave *w, const tr_surface_route_place *to, uint32_t cost, uint32_t steps) {
    w->end->counters.generated++;
    cost += tr_surface_route_entry_cost(w->route, w->def->border, to->cell, steps);
    if (is_better(w, to->cell, cost) && cost <= w->def->cost_most && may_enter(w, to))
        reach(w, to, cost, cost + estimate(w, to->column, to->row));
}

// The ends of links may be far away: they wait separately until the wave is that far.
static void follow_arcs(wave *w, uint32_t cell, uint32_t cost) {
    for (uint32_t i = 0; i < w->arc_count; i++) {
        wave_arc *arc = &w->arcs[i];
        if (arc->from->cell != cell || arc->arrival != TR_NONE || !may_enter(w, arc->to))
            continue;
        w->end->counters.generated++;
        arc->arrival =
            cost + tr_surface_route_entry_cost(w->route, w->def->border, arc->to->cell, arc->steps);
        uint32_t total = arc->arrival + estimate(w, arc->to->column, arc->to->row);
        w->pending = total < w->pending ? total : w->pending;
    }
}

static void arrive(wave *w) {
    w->pending = TR_NONE;
    for (uint32_t i = 0; i < w->arc_count; i++) {
        const wave_arc *arc = &w->arcs[i];
        uint32_t total =
            arc->arrival == TR_NONE ? 0 : arc->arrival + estimate(w, arc->to->column, arc->to->row);
        if (arc->arrival != TR_NONE && total == w->total && arc->arrival <= w->def->cost_most) {
            if (is_better(w, arc->to->cell, arc->arrival))
                reach(w, arc->to, arc->arrival, total);
        } else if (arc->arrival != TR_NONE && total > w->total && total < w->pending) {
            w->pending = total;
        }
    }
}

// The axis along which the nearest target is farther. It is followed last, and so expanded first: of all ways
// with the same cost the wave first tries those near the diagonal, which allow the most diagonal steps.
static uint32_t longer_way(const wave *w, const tr_surface_route_place *at) {
    uint32_t least = TR_NONE, direction = 0;
    for (uint32_t i = 0; i < w->target_count; i++) {
        int32_t x = w->targets[i].column - (int32_t)at->column, z = w->targets[i].row - (int32_t)at->row;
        uint32_t away = (uint32_t)abs(x) + (uint32_t)abs(z) + w->targets[i].more;
        if (away < least) {
            least = away;
            direction = abs(x) >= abs(z) ? (x > 0 ? 0 : 2) : z > 0 ? 1 : 3;
        }
    }
    return direction;
}

static void expand(wave *w, const tr_surface_route_tile *tile, const tr_surface_route_place *at,
                   uint32_t cost) {
    tr_surface_route_place to;
    uint32_t last = w->def->estimate ? longer_way(w, at) : 3;
    for (uint32_t i = 1; i <= TR_SURFACE_ROUTE_DIRECTIONS; i++) {
        uint32_t direction = (last + i) & 3;
        uint32_t steps = tr_surface_route_step_in(w->route, tile, at, direction, &to);
        if (steps > 0)
            follow(w, &to, cost, steps);
    }
    if (w->route->states[at->cell] & TR_SURFACE_ROUTE_IS_LINKED)
        follow_arcs(w, at->cell, cost);
}

// The next waiting cell, with `total` raised to its own. false: there is none.
static bool pop(wave *w, tr_surface_route_place *at) {
    tr_surface_route *route = w->route;
    for (;;) {
        if (w->total == w->pending)
            arrive(w);
        uint32_t *head = &route->heads[w->total % TR_SURFACE_ROUTE_BUCKETS];
        if (*head != TR_NONE) {
            uint32_t number = *head;
            tr_surface_route_entry *entry = &route->entries[number];
            *head = entry->next;
            entry->next = route->entry_free;
            route->entry_free = number;
            w->waiting--;
            at->cell = entry->cell;
            at->column = entry->column;
            at->row = entry->row;
            if (!(route->states[at->cell] & TR_SURFACE_ROUTE_IS_CLOSED))
                return true;
        } else if (w->lost <= w->total) {
            fill_queue(w);
        } else if (w->waiting > 0 || w->lost != TR_NONE) {
            w->total++;
        } else if (w->pending != TR_NONE) {
            w->total = w->pending;
        } else {
            return false;
        }
    }
}

// Stamps avoid clearing the states before most searches.
static void next_stamp(tr_surface_route *route) {
    if (route->stamp == TR_SURFACE_ROUTE_STAMP_MAX) {
        for (uint32_t i = 0; i < route->cell_count; i++)
            route->states[i] &= TR_SURFACE_ROUTE_IS_CLOSED - 1;
        route->stamp = 0;
    }
    route->stamp++;
}

static void begin(wave *w) {
    w->pending = w->nearest = TR_NONE;
    add_arcs(w);
    add_targets(w);
    next_stamp(w->route);
    empty_queue(w);
    w->total = estimate(w, w->def->start.column, w->def->start.row);
    reach(w, &w->def->start, 0, w->total);
}

// Is the budget used up? The clock is read every 64 expansions.
static bool is_spent(const surface_route_wave_def *def, uint64_t expanded, uint64_t begun) {
    if (def->budget.expansions && expanded >= def->budget.expansions)
        return true;
    return def->budget.microseconds && expanded % 64 == 63 &&
           tr_clock_nanoseconds() - begun >= def->budget.microseconds * 1000;
}

static bool has_arrived(wave *w, const tr_surface_route_place *at, uint32_t away) {
    if (w->def->until == SURFACE_ROUTE_UNTIL_FREE)
        return tr_surface_route_is_free(w->route, at->cell);
    return away == 0 && is_goal(w, at->cell, &w->end->goal);
}

static tr_status run(wave *w) {
    tr_surface_route *route = w->route;
    surface_route_wave_end *end = w->end;
    uint64_t begun = w->def->budget.microseconds ? tr_clock_nanoseconds() : 0;
    tr_surface_route_place at;
    while (pop(w, &at)) {
        if (is_spent(w->def, end->counters.expanded, begun)) {
            push(w, at.cell, at.column, at.row, w->total);
            return TR_PARTIAL;
        }
        tr_surface_route_tile tile = tr_surface_route_tile_at(route, at.column, at.row);
        at.height = tile.heights[at.cell - tile.first];
        at.room = tile.rooms[at.cell - tile.first];
        uint32_t away = distance(w, at.column, at.row), cost = w->total - (w->def->estimate ? away : 0);
        route->states[at.cell] |= TR_SURFACE_ROUTE_IS_CLOSED;
        end->counters.expanded++;
        bool arrived = has_arrived(w, &at, away);
        if (away < w->nearest || arrived) {
            w->nearest = away;
            end->end = at;
            end->cost = cost;
        }
        if (arrived)
            return TR_OK;
        expand(w, &tile, &at, cost);
    }
    return TR_NOT_FOUND;
}

tr_status tr_surface_route_wave(tr_surface_route *route, const surface_route_wave_def *def,
                                surface_route_wave_end *end) {
    wave w;
    w.route = route;
    w.def = def;
    w.end = end;
    w.target_count = w.arc_count = 0;
    memset(end, 0, sizeof *end);
    end->end.cell = end->goal = TR_NONE;
    begin(&w);
    tr_status status = run(&w);
    end->counters.waiting = w.waiting;
    return status;
}
