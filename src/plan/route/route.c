#include "route_domain.h"

#include <stdlib.h>
#include <string.h>

// Weights make a step up to 17 times as expensive (tr_route_map_set_weights); the estimate may grow by a
// plain step in addition.
#define SPAN_WEIGHTED (18 * 1393)
#define SPAN_PLAIN (2 * 1393)

struct tr_route {
    tr_allocator allocator;
    uint32_t node_count;
    tr_search *search;
    uint32_t *cells; // of the last path, node_count of them
    route_domain domain;
    tr_route_params steps_params; // for which domain.steps was made
    uint32_t steps_pitch;
    // The last search, for tr_route_resume.
    const tr_route_map *map;
    uint32_t map_nodes;
    tr_route_params params;
    bool jumps, weighted, can_go_on;
    uint32_t goal_numbers[TR_ROUTE_GOALS_MAX]; // the caller's numbers of domain.goals
    bool goals_moved[TR_ROUTE_GOALS_MAX];
    tr_route_result result;
};

tr_route_params tr_route_params_default(void) {
    tr_route_params params = {.method = TR_ROUTE_ASTAR, .metric = TR_ROUTE_TRUE, .neighbours = 8, .reach = 1};
    return params;
}

tr_status tr_route_create(const tr_allocator *allocator, uint32_t node_count, tr_route **route,
                          tr_error *error) {
    *route = NULL;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_route *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a route");
    made->allocator = own;
    made->node_count = node_count;
    tr_search_def def = {&own, node_count, TR_SEARCH_HEAP, SPAN_WEIGHTED};
    tr_status status = tr_search_create(&def, &made->search, error);
    if (status == TR_OK && !(made->cells = tr_allocate(&own, node_count, sizeof *made->cells)))
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a route over %u nodes", node_count);
    if (status != TR_OK) {
        tr_route_destroy(made);
        return status;
    }
    made->result.goal = TR_NONE;
    *route = made;
    return TR_OK;
}

void tr_route_destroy(tr_route *route) {
    if (!route)
        return;
    tr_allocator memory = route->allocator;
    tr_search_destroy(route->search);
    tr_release(&memory, route->cells, route->node_count, sizeof *route->cells);
    tr_release(&memory, route, 1, sizeof *route);
}

tr_route_result tr_route_last(const tr_route *route) {
    return route->result;
}

// Follows every allowed step. `weighted` is a constant in each of its callers.
SEARCH_INLINE void expand_cells(void *user, uint32_t node, tr_search_step *step, bool weighted) {
    route_domain *d = user;
    const tr_route_map *map = d->map;
    int32_t row = (int32_t)(node / map->pitch), column = (int32_t)(node - (uint32_t)row * map->pitch);
    if (d->is_blind)
        route_note_nearest(d, node, column, row);
    const uint8_t *weights =
        weighted ? map->weights + (size_t)(row - 1) * map->grid.columns + (size_t)(column - 1) : NULL;
    for (uint32_t steps = d->steps.allowed[route_nine_bits(map, node)]; steps; steps &= steps - 1) {
        int32_t k = __builtin_ctz(steps), dx = k % 3 - 1, dz = k / 3 - 1;
        uint32_t child = node + (uint32_t)d->steps.offset[k], cost = d->steps.cost[k];
        if (weighted)
            cost = route_weighted(cost, weights[0], weights[dz * (int32_t)map->grid.columns + dx]);
        if (search_wants(step, child, &cost))
            search_take(step, child, cost, route_estimate(d, column + dx, row + dz));
    }
}

static inline void expand_plain(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    (void)parent;
    expand_cells(user, node, step, false);
}

static inline void expand_weighted(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    (void)parent;
    expand_cells(user, node, step, true);
}

static tr_search_domain cells_domain(tr_route *route) {
    tr_search_domain domain = {&route->domain, route->weighted ? expand_weighted : expand_plain,
                               route_estimate_node, route_is_goal, true};
    return domain;
}

// The loop, once for each kind of ground, with everything inside it inlined.
static tr_status run_cells(tr_route *route, tr_search_budget budget) {
    const tr_search_domain plain = {&route->domain, expand_plain, route_estimate_node, route_is_goal, true};
    const tr_search_domain weighted = {&route->domain, expand_weighted, route_estimate_node, route_is_goal,
                                       true};
    if (route->weighted)
        return search_run(route->search, &weighted, budget, route->params.listener);
    return search_run(route->search, &plain, budget, route->params.listener);
}

// Goes from `node` to its parent cell by cell (a jump is first diagonal, then straight, seen from the
// parent), writing nodes from the end of route->cells backwards. Returns the place of the last one written.
static uint32_t add_leg(tr_route *route, uint32_t place, uint32_t node, uint32_t parent, uint64_t steps[2]) {
    int32_t pitch = (int32_t)route->map->pitch;
    int32_t dz = (int32_t)parent / pitch - (int32_t)node / pitch,
            dx = (int32_t)parent % pitch - (int32_t)node % pitch;
    while (node != parent) {
        bool along_x = abs(dx) >= abs(dz), along_z = abs(dz) >= abs(dx);
        int32_t step_x = along_x ? (dx > 0) - (dx < 0) : 0, step_z = along_z ? (dz > 0) - (dz < 0) : 0;
        dx -= step_x;
        dz -= step_z;
        node += (uint32_t)(step_z * pitch + step_x);
        steps[step_x && step_z]++;
        route->cells[--place] = node;
    }
    return place;
}

static void extract(tr_route *route, uint32_t end) {
    uint32_t place = route->node_count - 1, node = end;
    uint64_t steps[2] = {0, 0};
    route->cells[place] = node;
    for (uint32_t parent; (parent = tr_search_parent(route->search, node)) != TR_NONE; node = parent)
        place = add_leg(route, place, node, parent, steps);
    route->result.cells = route->cells + place;
    route->result.cell_count = route->node_count - place;
    route->result.length = route->map->grid.cell * ((double)steps[0] + (double)steps[1] * 1.4142135623730951);
    route->result.cost = tr_search_cost(route->search, end);
}

static void name_goal(tr_route *route, uint32_t node) {
    for (uint32_t i = 0; i < route->domain.goal_count; i++)
        if (route->domain.goals[i] == node) {
            route->result.goal = route->goal_numbers[i];
            route->result.goal_moved = route->goals_moved[i];
            return;
        }
}

static void clear_result(tr_route *route) {
    memset(&route->result, 0, sizeof route->result);
    route->result.cells = route->cells;
    route->result.goal = TR_NONE;
    route->can_go_on = false;
}

// Where a search that ran out of budget came nearest to a goal.
static uint32_t nearest_so_far(const tr_route *route) {
    return route->domain.is_blind ? route->domain.nearest : tr_search_nearest(route->search);
}

static tr_status run(tr_route *route, tr_search_budget budget, tr_error *error) {
    tr_status status = route->jumps
                           ? tr_route_jump_run(route->search, &route->domain, route->params.cut_corners,
                                               budget, route->params.listener)
                           : run_cells(route, budget);
    bool start_moved = route->result.start_moved;
    clear_result(route); // of a part of the search
    route->result.start_moved = start_moved;
    route->result.counters = tr_search_count(route->search);
    route->can_go_on = status == TR_PARTIAL;
    uint32_t end = status == TR_OK        ? tr_search_found(route->search)
                   : status == TR_PARTIAL ? nearest_so_far(route)
                                          : TR_NONE;
    if (end != TR_NONE)
        extract(route, end);
    if (status == TR_OK)
        name_goal(route, end);
    if (status == TR_LIMIT)
        return tr_fail(error, TR_LIMIT, "the cost of the way exceeds 2^32 units");
    return status;
}

static tr_status check_params(const tr_route *route, const tr_route_map *map, const tr_route_params *params,
                              uint32_t goal_count, tr_error *error) {
    tr_status status = tr_route_steps_check(params, error);
    if (status != TR_OK)
        return status;
    if ((unsigned)params->method > TR_ROUTE_JPS)
        return tr_fail(error, TR_INVALID, "method is %d, which does not exist", (int)params->method);
    if (!(params->reach >= 0))
        return tr_fail(error, TR_INVALID, "reach is %g m, it must be at least 0", params->reach);
    if (goal_count == 0 || goal_count > TR_ROUTE_GOALS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u goals, it must be 1 to %d", goal_count,
                       TR_ROUTE_GOALS_MAX);
    if (tr_route_map_nodes(map) > route->node_count)
        return tr_fail(error, TR_LIMIT, "the map has %u nodes, the route was made for %u",
                       tr_route_map_nodes(map), route->node_count);
    return TR_OK;
}

static void set_goals(route_domain *d, const tr_route_params *params, const uint32_t *goals,
                      uint32_t goal_count) {
    d->goal_count = goal_count;
    d->left = d->top = INT32_MAX;
    d->right = d->bottom = 0;
    for (uint32_t i = 0; i < goal_count; i++) {
        int32_t column = (int32_t)(goals[i] % d->map->pitch), row = (int32_t)(goals[i] / d->map->pitch);
        d->goals[i] = goals[i];
        d->goal_columns[i] = (uint32_t)column;
        d->goal_rows[i] = (uint32_t)row;
        d->left = column < d->left ? column : d->left;
        d->right = column > d->right ? column : d->right;
        d->top = row < d->top ? row : d->top;
        d->bottom = row > d->bottom ? row : d->bottom;
    }
    d->is_blind = params->method == TR_ROUTE_DIJKSTRA;
    d->nearest = TR_NONE;
    d->nearest_away = UINT32_MAX;
    d->per_straight = d->is_blind ? 0 : d->steps.straight;
    d->per_diagonal = d->is_blind               ? 0
                      : params->neighbours == 4 ? d->steps.straight
                                                : d->steps.diagonal - d->steps.straight;
}

static void set_up(tr_route *route, const tr_route_map *map, const tr_route_params *params) {
    route_domain *d = &route->domain;
    const tr_route_params *made = &route->steps_params;
    if (route->steps_pitch != map->pitch || made->metric != params->metric ||
        made->neighbours != params->neighbours || made->cut_corners != params->cut_corners) {
        tr_route_steps_make(map, params, &d->steps);
        route->steps_params = *params;
        route->steps_pitch = map->pitch;
    }
    d->map = map;
    route->map = map;
    route->map_nodes = tr_route_map_nodes(map);
    route->params = *params;
    route->weighted = map->weights != NULL;
}

// Start and goals are free nodes.
static tr_status search_cells(tr_route *route, uint32_t start, const uint32_t *goals, uint32_t goal_count,
                              tr_error *error) {
    const tr_route_params *params = &route->params;
    set_goals(&route->domain, params, goals, goal_count);
    route->jumps = params->method == TR_ROUTE_JPS && !route->weighted && params->neighbours == 8 &&
                   goal_count <= ROUTE_JUMP_GOALS;
    tr_search_choose(route->search, route->jumps ? TR_SEARCH_HEAP : TR_SEARCH_BUCKETS,
                     route->weighted ? SPAN_WEIGHTED : SPAN_PLAIN);
    tr_search_domain domain = cells_domain(route);
    tr_status status = tr_search_begin(route->search, &domain, &start, NULL, 1);
    return status == TR_OK ? run(route, params->budget, error) : status;
}

tr_status tr_route_find_cells(tr_route *route, const tr_route_map *map, const tr_route_params *params,
                              uint32_t start, const uint32_t *goals, uint32_t goal_count, tr_error *error) {
    clear_result(route);
    tr_status status = check_params(route, map, params, goal_count, error);
    if (status != TR_OK)
        return status;
    uint32_t nodes = tr_route_map_nodes(map);
    for (uint32_t i = 0; i <= goal_count; i++) {
        uint32_t node = i < goal_count ? goals[i] : start;
        if (node >= nodes || !tr_route_map_is_free(map, node))
            return tr_fail(error, TR_INVALID, "node %u is not a free cell of the map", node);
    }
    set_up(route, map, params);
    for (uint32_t i = 0; i < goal_count; i++) {
        route->goal_numbers[i] = i;
        route->goals_moved[i] = false;
    }
    return search_cells(route, start, goals, goal_count, error);
}

// The cell of a point: its own if free, else the nearest free one within reach.
static tr_status find_cell(const tr_route_map *map, tr_vec2 point, float reach, const char *what,
                           uint32_t *node, bool *moved, tr_error *error) {
    uint32_t column, row;
    if (!tr_grid_find(&map->grid, point, &column, &row))
        return tr_fail(error, TR_INVALID, "the %s (%g, %g) is not on the map", what, point.x, point.z);
    *node = tr_route_map_node(map, column, row);
    *moved = !tr_route_map_is_free(map, *node);
    if (*moved)
        *node = tr_route_map_nearest_free(map, point, reach);
    if (*node == TR_NONE)
        return tr_fail(error, TR_NOT_FOUND, "there is no free cell within %g m of the %s (%g, %g)", reach,
                       what, point.x, point.z);
    return TR_OK;
}

tr_status tr_route_find(tr_route *route, const tr_route_map *map, const tr_route_params *params,
                        tr_vec2 start, const tr_vec2 *goals, uint32_t goal_count, tr_error *error) {
    clear_result(route);
    tr_status status = check_params(route, map, params, goal_count, error);
    if (status != TR_OK)
        return status;
    set_up(route, map, params);
    uint32_t start_node, *goal_nodes = route->domain.goals;
    bool start_moved = false;
    status = find_cell(map, start, params->reach, "start", &start_node, &start_moved, error);
    if (status != TR_OK)
        return status;
    // A goal without a free cell near it is left out; this is an error only if all are.
    uint32_t usable = 0;
    for (uint32_t i = 0; i < goal_count; i++) {
        status = find_cell(map, goals[i], params->reach, "goal", &goal_nodes[usable],
                           &route->goals_moved[usable], error);
        if (status == TR_INVALID)
            return status;
        if (status == TR_OK)
            route->goal_numbers[usable++] = i;
    }
    if (usable == 0)
        return TR_NOT_FOUND;
    route->result.start_moved = start_moved;
    return search_cells(route, start_node, goal_nodes, usable, error);
}

tr_status tr_route_resume(tr_route *route, tr_search_budget budget, tr_error *error) {
    if (!route->can_go_on)
        return tr_fail(error, TR_INVALID, "there is no search to continue: the last search was not partial");
    const tr_route_map *map = route->map;
    if (map->pitch != route->steps_pitch || tr_route_map_nodes(map) != route->map_nodes ||
        (map->weights != NULL) != route->weighted)
        return tr_fail(error, TR_INVALID,
                       "the size or the weights of the map have changed since the search began");
    return run(route, budget, error);
}
