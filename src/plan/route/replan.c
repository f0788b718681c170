#include "troupe/plan/replan.h"
#include "replan_data.h"

#include <string.h>

static tr_status check(const tr_route_map *map, const tr_route_params *params, tr_error *error) {
    if (!map || !map->free || !params)
        return tr_fail(error, TR_INVALID, "a map and parameters are needed to keep a route");
    return tr_route_steps_check(params, error);
}

// Eight ways, numbered as the nine cells around a node with the one in the middle left out.
static void make_ways(tr_replan *replan, const tr_route_params *params) {
    route_steps steps;
    tr_route_steps_make(replan->map, params, &steps);
    for (int32_t way = 0; way < REPLAN_WAYS; way++) {
        int32_t k = way < 4 ? way : way + 1;
        replan->ways[way] = (replan_way){steps.offset[k], steps.cost[k], k % 3 - 1, k / 3 - 1};
    }
    for (uint32_t cells = 0; cells < 512; cells++)
        replan->ways_of[cells] = (uint8_t)((steps.allowed[cells] & 15) | (steps.allowed[cells] >> 5 << 4));
    replan->straight = steps.straight;
    replan->corner = params->neighbours == 4 ? steps.straight : steps.diagonal - steps.straight;
}

static size_t word_count(const tr_replan *replan) {
    return (size_t)replan->node_count / 64 + 1;
}

static bool take_memory(tr_replan *replan) {
    const tr_allocator *allocator = &replan->allocator;
    replan->free = tr_allocate_zero(allocator, word_count(replan), sizeof *replan->free);
    replan->touched = tr_allocate_zero(allocator, word_count(replan), sizeof *replan->touched);
    replan->open = tr_allocate_zero(allocator, replan->node_count, 1);
    replan->weights = tr_allocate_zero(allocator, replan->node_count, 1);
    replan->nodes = tr_allocate_zero(allocator, replan->node_count, sizeof *replan->nodes);
    replan->path = tr_allocate(allocator, replan->cell_count, sizeof *replan->path);
    // What jump-point search needs of the parameters; weights, which may come and go, are asked for later.
    if (replan->params.neighbours == 8 && !replan->params.cut_corners &&
        tr_route_create(allocator, replan->node_count, &replan->route, NULL) != TR_OK)
        return false;
    return replan->free && replan->touched && replan->open && replan->weights && replan->nodes &&
           replan->path &&
           tr_indexed_heap_create(allocator, replan->cell_count, &replan->nodes->place, 2, &replan->queue);
}

tr_status tr_replan_create(const tr_allocator *allocator, const tr_route_map *map,
                           const tr_route_params *params, tr_replan **replan, tr_error *error) {
    *replan = NULL;
    tr_status status = check(map, params, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_replan *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to keep a route");
    made->allocator = own;
    made->map = map;
    made->pitch = map->pitch;
    made->columns = map->grid.columns;
    made->rows = map->grid.rows;
    made->node_count = tr_route_map_nodes(map);
    made->cell_count = made->columns * made->rows;
    made->row_multiplier = (((uint64_t)1 << REPLAN_ROW_SHIFT) + made->pitch / 64 - 1) / (made->pitch / 64);
    made->start = made->goal = made->last_start = made->last_goal = TR_NONE;
    made->result.goal = TR_NONE;
    made->last_status = TR_INVALID;
    made->params = *params;
    made->params.method = TR_ROUTE_JPS;
    made->params.reach = 0;
    made->params.listener = NULL;
    make_ways(made, params);
    if (!take_memory(made)) {
        tr_replan_destroy(made);
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to keep a route over %u x %u cells",
                       map->grid.columns, map->grid.rows);
    }
    tr_replan_absorb(made, tr_grid_all(&map->grid));
    *replan = made;
    return TR_OK;
}

void tr_replan_destroy(tr_replan *replan) {
    if (!replan)
        return;
    tr_allocator allocator = replan->allocator;
    tr_indexed_heap_destroy(&allocator, &replan->queue);
    tr_route_destroy(replan->route);
    tr_release(&allocator, replan->path, replan->cell_count, sizeof *replan->path);
    tr_release(&allocator, replan->nodes, replan->node_count, sizeof *replan->nodes);
    tr_release(&allocator, replan->weights, replan->node_count, 1);
    tr_release(&allocator, replan->open, replan->node_count, 1);
    tr_release(&allocator, replan->touched, word_count(replan), sizeof *replan->touched);
    tr_release(&allocator, replan->free, word_count(replan), sizeof *replan->free);
    tr_release(&allocator, replan, 1, sizeof *replan);
}

// Does the map still have the shape that all here was made for?
static bool has_its_map(const tr_replan *replan) {
    const tr_route_map *map = replan->map;
    return map->grid.columns == replan->columns && map->grid.rows == replan->rows &&
           map->pitch == replan->pitch;
}

static bool is_cell(const tr_replan *replan, uint32_t node) {
    // By what it was made for: the map may be gone.
    return node < replan->node_count && node % replan->pitch - 1 < replan->columns &&
           node / replan->pitch - 1 < replan->rows;
}

tr_status tr_replan_set_start(tr_replan *replan, uint32_t start) {
    if (!replan || !is_cell(replan, start))
        return TR_INVALID;
    replan->start = start;
    return TR_OK;
}

tr_status tr_replan_set_goal(tr_replan *replan, uint32_t goal) {
    if (!replan || !is_cell(replan, goal))
        return TR_INVALID;
    replan->goal = goal;
    return TR_OK;
}

tr_status tr_replan_changed(tr_replan *replan, tr_cells changed) {
    if (!replan || !has_its_map(replan) || changed.column_end > replan->columns ||
        changed.row_end > replan->rows)
        return TR_INVALID;
    // More than one change at once: the rectangle may be that of the last alone.
    if (replan->map->revision - replan->seen_revision > 1)
        changed = tr_grid_all(&replan->map->grid);
    if (changed.column_begin < changed.column_end && changed.row_begin < changed.row_end)
        tr_replan_absorb(replan, changed);
    return TR_OK;
}

// Edges lead both ways at the same cost, so either end may be the root: the one that stays put, because
// moving the root begins anew. That is the goal, until it has moved twice in a row and the start has not.
static void choose_ends(tr_replan *replan) {
    bool start_moved = replan->start != replan->last_start, goal_moved = replan->goal != replan->last_goal;
    replan->goal_moves = start_moved ? 0 : replan->goal_moves + goal_moved;
    replan->last_start = replan->start;
    replan->last_goal = replan->goal;
    uint32_t root = replan->goal;
    if (replan->is_begun && (replan->root == replan->start || replan->root == replan->goal))
        root = replan->root;
    else if (replan->goal_moves > 1)
        root = replan->start;
    uint32_t tip = root == replan->goal ? replan->start : replan->goal;
    if (replan->is_begun && root == replan->root &&
        tr_replan_estimate(replan, replan->tip, tip) <= REPLAN_MOVED_MAX - replan->moved)
        tr_replan_move_tip(replan, tip);
    else
        tr_replan_begin(replan, root, tip);
}

static tr_status check_find(const tr_replan *replan, tr_error *error) {
    if (!replan)
        return tr_fail(error, TR_INVALID, "there is no route to bring up to date");
    if (!has_its_map(replan))
        return tr_fail(error, TR_INVALID, "the map has %u x %u cells now, the route was made for %u x %u",
                       replan->map->grid.columns, replan->map->grid.rows, replan->columns, replan->rows);
    if (replan->start == TR_NONE || replan->goal == TR_NONE)
        return tr_fail(error, TR_INVALID, "the %s of the route is not set",
                       replan->start == TR_NONE ? "start" : "goal");
    return TR_OK;
}

static tr_status fail_at(tr_replan *replan, const char *end, uint32_t node, tr_error *error) {
    replan->last_status = TR_INVALID; // nothing is known of the way between these ends
    return tr_fail(error, TR_NOT_FOUND, "the %s, cell %u, %u, is blocked", end,
                   tr_route_map_column(replan->map, node), tr_route_map_row(replan->map, node));
}

static tr_status repair(tr_replan *replan, tr_search_budget budget) {
    choose_ends(replan);
    tr_status status = tr_replan_search(replan, budget);
    replan->result.counters.waiting = replan->queue.count;
    if (status == TR_OK)
        tr_replan_trace(replan);
    else if (status == TR_PARTIAL)
        tr_replan_keep_path(replan);
    return status;
}

static tr_status search_ends(tr_replan *replan, tr_search_budget budget, tr_error *error) {
    if (!replan_is_free(replan, replan->start))
        return fail_at(replan, "start", replan->start, error);
    if (!replan_is_free(replan, replan->goal))
        return fail_at(replan, "goal", replan->goal, error);
    tr_status status = replan->route && !replan->is_weighted ? tr_replan_jump(replan, budget, error)
                                                             : repair(replan, budget);
    replan->last_status = status;
    if (status == TR_NOT_FOUND)
        return tr_fail(error, status, "no path leads from the start to the goal");
    if (status == TR_LIMIT)
        return tr_fail(error, status, "every path, if there is one, costs %u or more", REPLAN_COST_END);
    return status;
}

tr_status tr_replan_find(tr_replan *replan, tr_search_budget budget, tr_error *error) {
    tr_status status = check_find(replan, error);
    if (status != TR_OK)
        return status;
    if (replan->map->revision != replan->seen_revision) // changes that nobody told
        tr_replan_absorb(replan, tr_grid_all(&replan->map->grid));
    memset(&replan->result.counters, 0, sizeof replan->result.counters);
    status = search_ends(replan, budget, error);
    if (status != TR_OK && status != TR_PARTIAL)
        tr_replan_drop_path(replan);
    return status;
}

tr_route_result tr_replan_last(const tr_replan *replan) {
    const tr_route_result none = {.goal = TR_NONE};
    return replan ? replan->result : none;
}
