// The way of least effort: A* over cells in eight directions, by true lengths and the costs of rising and
// falling.
//
// Costs are whole numbers, 128 for a step to the next cell and 181 for a diagonal one (the square root of two
// is 181.02 / 128). Everything that depends on heights is rounded up: then the parts of a way never cost less
// than the whole, the estimate never exceeds its neighbour's by more than the step, and no node is expanded
// twice.
#include "surface_route_walk.h"
#include "plan/search_core.h"

#include <math.h>
#include <string.h>

#define STRAIGHT 128u
#define DIAGONAL 181u
#define FRACTION 16                  // fractional bits of the cost of a unit of height
#define SPAN_MAX ((1u << 18) - 1)    // of totals in buckets, whose ring takes 1 MiB
#define COST_MAX (1u << 29)          // of one step, or of all rises or falls: larger costs are clamped
#define RATE_MAX ((uint64_t)1 << 46) // times the greatest height, this still fits into 64 bits
#define GOALS_EACH 8                 // more goals are estimated by their bounding box
#define SHORTCUTS_MAX 16             // links that the estimate considers one by one
#define FILTER_WORDS 4

typedef struct effort_arc {
    uint32_t cell;
    tr_surface_route_place to;
    uint32_t cost, link;
} effort_arc;

typedef struct effort_memory {
    uint32_t cell_count;
    uint32_t *homes; // row << 16 | column of each cell
    tr_search *search;
    bool has_heap;
    // The last search: its ends, to recognise it, and its costs of heights.
    uint32_t start, end;
    double cost, up, down;
    effort_arc arcs[2 * TR_GROUND_LINKS_MAX];
} effort_memory;

// The goals: one, or the box around several.
typedef struct effort_target {
    int32_t left, right, top, bottom, low, high;
} effort_target;

// A link that is shorter than a way on foot: the estimate leads through it.
typedef struct effort_shortcut {
    effort_target at; // its lower end
    uint32_t rest;    // least cost from there to a goal
} effort_shortcut;

typedef struct effort_domain {
    tr_surface_route *route;
    const tr_surface_route_query *query;
    effort_memory *memory;
    uint64_t up, down;  // a unit of height, in 2^-FRACTION
    double per_unit;    // length of a unit of height, as a cost
    double span;        // largest increase of the total by a step
    uint32_t arc_count; // sorted by cell
    uint64_t arc_filter[FILTER_WORDS], goal_filter[FILTER_WORDS];
    effort_target targets[GOALS_EACH];
    uint32_t target_count;
    effort_shortcut shortcuts[SHORTCUTS_MAX];
    uint32_t shortcut_count;
    uint32_t least_rest; // upper bound of the estimate, if there are too many shortcuts
} effort_domain;

static void filter_add(uint64_t *filter, uint32_t cell) {
    filter[cell >> 6 & (FILTER_WORDS - 1)] |= (uint64_t)1 << (cell & 63);
}

static inline bool filter_has(const uint64_t *filter, uint32_t cell) {
    return filter[cell >> 6 & (FILTER_WORDS - 1)] >> (cell & 63) & 1;
}

static inline uint32_t height_cost(uint64_t per_unit, int32_t units) {
    uint64_t cost = (per_unit * (uint32_t)units + (1u << FRACTION) - 1) >> FRACTION;
    return cost < COST_MAX ? (uint32_t)cost : COST_MAX;
}

static inline uint32_t effort_of(const effort_domain *d, int32_t from, int32_t to) {
    return to > from ? height_cost(d->up, to - from) : height_cost(d->down, from - to);
}

// The cost of one step that costs `level` on level ground.
static inline uint32_t step_cost(const effort_domain *d, const tr_surface_route_place *from,
                                 const tr_surface_route_place *to, uint32_t level) {
    uint32_t cost = level;
    if (from->height != to->height) {
        double rise = ((double)to->height - from->height) * d->per_unit;
        double length = ceil(sqrt((double)level * level + rise * rise));
        cost = (length < COST_MAX ? (uint32_t)length : COST_MAX) + effort_of(d, from->height, to->height);
    }
    if (d->query->border == TR_SURFACE_ROUTE_BORDER_ALLOW && !tr_surface_route_is_free(d->route, to->cell))
        cost += level * (TR_SURFACE_ROUTE_BORDER_WEIGHT - 1);
    return cost;
}

static bool is_goal(const effort_domain *d, uint32_t cell) {
    if (!filter_has(d->goal_filter, cell))
        return false;
    for (uint32_t i = 0; i < d->query->goal_count; i++)
        if (d->query->goals[i].cell == cell)
            return true;
    return false;
}

static inline bool is_open(const effort_domain *d, uint32_t cell) {
    return d->query->border != TR_SURFACE_ROUTE_BORDER_AVOID || tr_surface_route_is_free(d->route, cell) ||
           is_goal(d, cell);
}

typedef struct effort_move {
    tr_surface_route_place to;
    uint32_t cost;
} effort_move;

// All steps on foot from a place, at most eight.
static inline uint32_t effort_moves(const effort_domain *d, const tr_surface_route_place *from,
                                    effort_move moves[8]) {
    const tr_surface_route *route = d->route;
    uint32_t count = 0;
    tr_surface_route_place sides[4], other, corner;
    bool beside[4];
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t steps = tr_surface_route_step(route, from, k, &sides[k]);
        beside[k] = steps == 1;
        if (steps && is_open(d, sides[k].cell)) {
            moves[count].to = sides[k];
            moves[count++].cost = step_cost(d, from, &sides[k], steps * STRAIGHT);
        }
    }
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t l = (k + 1) & 3;
        if (beside[k] && beside[l] &&
            tr_surface_route_beside(route, &sides[k], tr_surface_route_along_x(l),
                                    tr_surface_route_along_z(l), &corner) &&
            is_open(d, corner.cell) &&
            tr_surface_route_beside(route, &sides[l], tr_surface_route_along_x(k),
                                    tr_surface_route_along_z(k), &other) &&
            other.cell == corner.cell &&
            tr_surface_route_fits(route, from->height, from->room, corner.height, corner.room)) {
            moves[count].to = corner;
            moves[count++].cost = step_cost(d, from, &corner, DIAGONAL);
        }
    }
    return count;
}

// A lower bound on the cost of a way on foot between two places.
static inline uint32_t effort_away(const effort_domain *d, int32_t column, int32_t row, int32_t height,
                                   const effort_target *t) {
    int32_t dx = column < t->left ? t->left - column : column > t->right ? column - t->right : 0;
    int32_t dz = row < t->top ? t->top - row : row > t->bottom ? row - t->bottom : 0;
    int32_t nearest = height < t->low ? t->low : height > t->high ? t->high : height;
    uint32_t longer = (uint32_t)(dx > dz ? dx : dz), shorter = (uint32_t)(dx > dz ? dz : dx);
    return (longer - shorter) * STRAIGHT + shorter * DIAGONAL + effort_of(d, height, nearest);
}

static inline uint32_t effort_estimate(const effort_domain *d, int32_t column, int32_t row, int32_t height) {
    uint32_t least = d->least_rest;
    for (uint32_t i = 0; i < d->target_count; i++) {
        uint32_t away = effort_away(d, column, row, height, &d->targets[i]);
        least = away < least ? away : least;
    }
    for (uint32_t i = 0; i < d->shortcut_count; i++) {
        uint32_t away = effort_away(d, column, row, height, &d->shortcuts[i].at) + d->shortcuts[i].rest;
        least = away < least ? away : least;
    }
    return least;
}

static inline tr_surface_route_place place_of(const effort_domain *d, uint32_t cell) {
    uint32_t home = d->memory->homes[cell];
    tr_surface_column column = tr_surface_route_column(d->route, home & 0xffff, home >> 16);
    uint32_t i = cell - column.first;
    tr_surface_route_place place = {cell, (uint16_t)home, (uint16_t)(home >> 16), column.heights[i],
                                    column.rooms[i]};
    return place;
}

static uint32_t domain_estimate(void *user, uint32_t node) {
    const effort_domain *d = user;
    tr_surface_route_place place = place_of(d, node);
    return effort_estimate(d, place.column, place.row, place.height);
}

static inline bool domain_is_goal(void *user, uint32_t node) {
    return is_goal(user, node);
}

static uint32_t first_arc(const effort_domain *d, uint32_t cell) {
    uint32_t low = 0, high = d->arc_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (d->memory->arcs[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void expand_arcs(effort_domain *d, uint32_t node, tr_search_step *step) {
    for (uint32_t i = first_arc(d, node); i < d->arc_count && d->memory->arcs[i].cell == node; i++) {
        const tr_surface_route_place *to = &d->memory->arcs[i].to;
        uint32_t cost = d->memory->arcs[i].cost;
        if (is_open(d, to->cell) && search_wants(step, to->cell, &cost))
            search_take(step, to->cell, cost, effort_estimate(d, to->column, to->row, to->height));
    }
}

static inline void domain_expand(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    effort_domain *d = user;
    (void)parent;
    tr_surface_route_place from = place_of(d, node);
    effort_move moves[8];
    uint32_t count = effort_moves(d, &from, moves);
    for (uint32_t i = 0; i < count; i++) {
        const tr_surface_route_place *to = &moves[i].to;
        uint32_t cost = moves[i].cost;
        if (search_wants(step, to->cell, &cost))
            search_take(step, to->cell, cost, effort_estimate(d, to->column, to->row, to->height));
    }
    if (filter_has(d->arc_filter, node))
        expand_arcs(d, node, step);
}

void tr_surface_route_effort_release(tr_surface_route *route) {
    effort_memory *memory = route->effort;
    if (!memory)
        return;
    tr_search_destroy(memory->search);
    tr_release(&route->allocator, memory->homes, memory->cell_count, sizeof *memory->homes);
    tr_release(&route->allocator, memory, 1, sizeof *memory);
    route->effort = NULL;
}

static void find_homes(const tr_surface_route *route, uint32_t *homes) {
    for (uint32_t row = 0; row < route->grid.rows; row++)
        for (uint32_t column = 0; column < route->grid.columns; column++) {
            tr_surface_column cells = tr_surface_route_column(route, column, row);
            for (uint32_t i = 0; i < cells.count; i++)
                homes[cells.first + i] = row << 16 | column;
        }
}

static tr_status make_memory(tr_surface_route *route, tr_error *error) {
    if (route->effort)
        return TR_OK;
    effort_memory *made = tr_allocate_zero(&route->allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a search by effort");
    made->homes = tr_allocate(&route->allocator, route->cell_count, sizeof *made->homes);
    if (!made->homes) {
        tr_release(&route->allocator, made, 1, sizeof *made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the places of %u cells", route->cell_count);
    }
    made->cell_count = route->cell_count;
    find_homes(route, made->homes);
    route->effort = made;
    return TR_OK;
}

// Buckets are faster and smaller than a heap, but cannot hold totals that are far apart: if links lead far or
// effort is very expensive, a heap is added.
static tr_status make_search(effort_domain *d, tr_error *error) {
    effort_memory *memory = d->memory;
    tr_search_queue queue = d->span <= SPAN_MAX ? TR_SEARCH_BUCKETS : TR_SEARCH_HEAP;
    if (!memory->search || (queue == TR_SEARCH_HEAP && !memory->has_heap)) {
        tr_search_destroy(memory->search);
        memory->search = NULL;
        tr_search_def def = {&d->route->allocator, d->route->cell_count, queue, SPAN_MAX};
        tr_status status = tr_search_create(&def, &memory->search, error);
        if (status != TR_OK)
            return status;
        memory->has_heap = queue == TR_SEARCH_HEAP;
    }
    tr_search_choose(memory->search, queue, queue == TR_SEARCH_BUCKETS ? (uint32_t)d->span + 1 : SPAN_MAX);
    return TR_OK;
}

static effort_target target_of(const tr_surface_route_place *place) {
    effort_target t = {place->column, place->column, place->row, place->row, place->height, place->height};
    return t;
}

static effort_target target_union(effort_target a, effort_target b) {
    a.left = b.left < a.left ? b.left : a.left;
    a.right = b.right > a.right ? b.right : a.right;
    a.top = b.top < a.top ? b.top : a.top;
    a.bottom = b.bottom > a.bottom ? b.bottom : a.bottom;
    a.low = b.low < a.low ? b.low : a.low;
    a.high = b.high > a.high ? b.high : a.high;
    return a;
}

static void set_targets(effort_domain *d) {
    const tr_surface_route_query *query = d->query;
    for (uint32_t i = 0; i < query->goal_count; i++) {
        if (query->goals[i].cell == TR_NONE)
            continue;
        effort_target t = target_of(&query->goals[i]);
        if (d->target_count < GOALS_EACH) {
            d->targets[d->target_count++] = t;
        } else {
            for (; d->target_count > 1; d->target_count--)
                d->targets[0] = target_union(d->targets[0], d->targets[d->target_count - 1]);
            d->targets[0] = target_union(d->targets[0], t);
        }
        filter_add(d->goal_filter, query->goals[i].cell);
    }
}

static uint64_t height_rate(const tr_surface_route *route, double metres) {
    double rate = metres * route->scale.unit / route->grid.cell * STRAIGHT * (1 << FRACTION);
    return rate < RATE_MAX ? (uint64_t)(rate + 0.5) : RATE_MAX;
}

static void set_rates(effort_domain *d) {
    const tr_surface_route *route = d->route;
    d->up = height_rate(route, d->query->params->up);
    d->down = height_rate(route, d->query->params->down);
    d->per_unit = route->scale.unit / route->grid.cell * STRAIGHT;
    // Both ways: a step away from the goal raises the estimate too.
    double level = (double)(route->span + 1) * DIAGONAL * (TR_SURFACE_ROUTE_BORDER_WEIGHT + 1);
    d->span = level + d->per_unit * route->rise + (double)(d->up + d->down) * route->rise / (1 << FRACTION);
}

static void add_arc(effort_domain *d, const tr_surface_route_place *from, const tr_surface_route_place *to,
                    double metres, uint32_t link) {
    if (from->cell == TR_NONE || to->cell == TR_NONE || from->cell == to->cell)
        return;
    double cost = metres / d->route->grid.cell * STRAIGHT;
    effort_arc arc = {from->cell, *to, cost < COST_MAX ? (uint32_t)(cost + 0.5) : COST_MAX, link};
    uint32_t place = first_arc(d, from->cell + 1);
    memmove(d->memory->arcs + place + 1, d->memory->arcs + place, (d->arc_count - place) * sizeof arc);
    d->memory->arcs[place] = arc;
    d->arc_count++;
    filter_add(d->arc_filter, from->cell);
    effort_target back = target_of(from);
    double leap = arc.cost + (double)effort_away(d, to->column, to->row, to->height, &back);
    d->span = leap > d->span ? leap : d->span;
}

static void set_arcs(effort_domain *d) {
    const tr_surface_route *route = d->route;
    for (uint32_t i = 0; i < route->link_count; i++) {
        if (!tr_surface_route_link_is_open(route, d->query->params, i))
            continue;
        add_arc(d, &route->ends[i].from, &route->ends[i].to, route->links[i].cost, i);
        if (route->links[i].both_ways)
            add_arc(d, &route->ends[i].to, &route->ends[i].from, route->links[i].cost, i);
    }
}

// An arc may be shorter than any way on foot: a lift saves the effort of rising. The estimate then is the
// length of a way made of straight lines and such arcs. Arcs that shorten nothing are left out; the rest
// shorten each other, until nothing changes.
static void set_shortcuts(effort_domain *d) {
    bool changed = true;
    for (uint32_t round = 0; changed && round < 2 * TR_GROUND_LINKS_MAX; round++) {
        changed = false;
        for (uint32_t i = 0; i < d->arc_count && d->least_rest == UINT32_MAX; i++) {
            const effort_arc *arc = d->memory->arcs + i;
            tr_surface_route_place from = place_of(d, arc->cell);
            uint32_t rest = arc->cost + effort_estimate(d, arc->to.column, arc->to.row, arc->to.height);
            if (rest >= effort_estimate(d, from.column, from.row, from.height))
                continue;
            changed = true;
            if (d->shortcut_count == SHORTCUTS_MAX) {
                d->least_rest = 0;
                return;
            }
            effort_shortcut shortcut = {target_of(&from), rest};
            d->shortcuts[d->shortcut_count++] = shortcut;
        }
    }
}

// The arc from one cell of the way to the next, 0 for none, else 1 + its link: its cost is the cost that was
// paid, and going on foot costs another amount.
static uint8_t link_between(const effort_domain *d, uint32_t from, uint32_t to, uint32_t paid) {
    if (!filter_has(d->arc_filter, from))
        return 0;
    tr_surface_route_place place = place_of(d, from);
    effort_move moves[8];
    uint32_t count = effort_moves(d, &place, moves);
    for (uint32_t i = 0; i < count; i++)
        if (moves[i].to.cell == to && moves[i].cost == paid)
            return 0;
    for (uint32_t i = first_arc(d, from); i < d->arc_count && d->memory->arcs[i].cell == from; i++)
        if (d->memory->arcs[i].to.cell == to && d->memory->arcs[i].cost == paid)
            return (uint8_t)(1 + d->memory->arcs[i].link);
    return 0;
}

static tr_status take_path(effort_domain *d, uint32_t end, tr_error *error) {
    tr_surface_route *route = d->route;
    const tr_search *search = d->memory->search;
    uint32_t count = 0;
    for (uint32_t cell = end; cell != TR_NONE; cell = tr_search_parent(search, cell))
        count++;
    if (!tr_surface_route_path_reserve(route, count))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a path of %u cells", count);
    uint32_t cell = end, parent;
    for (uint32_t i = count; i-- > 0; cell = parent) {
        parent = tr_search_parent(search, cell);
        tr_surface_route_place place = place_of(d, cell);
        tr_surface_route_cell *step = route->path + i;
        memset(step, 0, sizeof *step);
        step->cell = cell;
        step->column = place.column;
        step->row = place.row;
        step->height = place.height;
        if (parent != TR_NONE)
            step->link =
                link_between(d, parent, cell, tr_search_cost(search, cell) - tr_search_cost(search, parent));
    }
    route->result.cell_count = count;
    route->result.cost = (double)tr_search_cost(search, end) / STRAIGHT * route->grid.cell;
    return TR_OK;
}

static uint32_t which_goal(const tr_surface_route_query *query, uint32_t cell) {
    for (uint32_t i = 0; i < query->goal_count; i++)
        if (query->goals[i].cell == cell)
            return i;
    return TR_NONE;
}

tr_status tr_surface_route_effort_find(tr_surface_route *route, const tr_surface_route_query *query,
                                       tr_error *error) {
    route->result.cell_count = 0;
    route->result.cost = 0;
    route->result.goal = TR_NONE;
    effort_domain d = {.route = route, .query = query, .least_rest = UINT32_MAX};
    set_targets(&d);
    if (d.target_count == 0 || query->start.cell == TR_NONE)
        return TR_NOT_FOUND;
    tr_status status = make_memory(route, error);
    if (status != TR_OK)
        return status;
    d.memory = route->effort;
    set_rates(&d);
    set_arcs(&d);
    set_shortcuts(&d);
    status = make_search(&d, error);
    if (status != TR_OK)
        return status;
    const tr_search_domain domain = {&d, domain_expand, domain_estimate, domain_is_goal, true};
    tr_search *search = d.memory->search;
    status = tr_search_begin(search, &domain, &query->start.cell, NULL, 1);
    if (status == TR_OK)
        status = search_run(search, &domain, query->params->budget, NULL);
    route->result.counters = tr_search_count(search);
    if (status == TR_LIMIT)
        return tr_fail(error, TR_LIMIT, "the cost of the way exceeds 32 bits");
    if (status != TR_OK && status != TR_PARTIAL)
        return status;
    uint32_t end = status == TR_OK ? tr_search_found(search) : tr_search_nearest(search);
    tr_status taken = take_path(&d, end == TR_NONE ? query->start.cell : end, error);
    if (taken != TR_OK)
        return taken;
    route->result.goal = status == TR_OK ? which_goal(query, end) : TR_NONE;
    d.memory->start = route->path[0].cell;
    d.memory->end = route->path[route->result.cell_count - 1].cell;
    d.memory->cost = route->result.cost;
    d.memory->up = query->params->up;
    d.memory->down = query->params->down;
    return status;
}

bool tr_surface_route_effort_rates(const tr_surface_route *route, double *up, double *down) {
    const effort_memory *memory = route->effort;
    const tr_surface_route_result *result = &route->result;
    if (!memory || result->cell_count == 0 || memory->cost != result->cost ||
        memory->start != route->path[0].cell || memory->end != route->path[result->cell_count - 1].cell)
        return false;
    *up = memory->up;
    *down = memory->down;
    return true;
}
