// The data of a search over cells, and its two ways to expand a node. Internal to plan/.
#pragma once
#include "route_cells.h"
#include "plan/search_core.h"

#define ROUTE_JUMP_GOALS 8 // for more goals A* is used

// Columns and rows here are those of node numbers: one more than those of the grid.
typedef struct route_domain {
    const tr_route_map *map;
    route_steps steps;
    uint32_t goals[TR_ROUTE_GOALS_MAX];
    uint32_t goal_columns[TR_ROUTE_GOALS_MAX], goal_rows[TR_ROUTE_GOALS_MAX];
    uint32_t goal_count;
    int32_t left, right, top, bottom; // the box around the goals
    uint32_t per_straight,
        per_diagonal; // what the estimate adds for a straight step, and in addition for a diagonal step
    // Dijkstra's search has no estimate that shows where it has come nearest to a goal.
    bool is_blind;
    uint32_t nearest, nearest_away; // of all expanded nodes, and its estimate
} route_domain;

static inline uint32_t route_octile(const route_domain *d, int32_t column, int32_t row, uint32_t per_straight,
                                    uint32_t per_diagonal) {
    int32_t dx = column < d->left ? d->left - column : column > d->right ? column - d->right : 0;
    int32_t dz = row < d->top ? d->top - row : row > d->bottom ? row - d->bottom : 0;
    uint32_t longer = (uint32_t)(dx > dz ? dx : dz), shorter = (uint32_t)(dx > dz ? dz : dx);
    return longer * per_straight + shorter * per_diagonal;
}

// A lower bound on the cost from a cell to the box of the goals.
static inline uint32_t route_estimate(const route_domain *d, int32_t column, int32_t row) {
    return route_octile(d, column, row, d->per_straight, d->per_diagonal);
}

// Does what tr_search_nearest would do with an estimate.
static inline void route_note_nearest(route_domain *d, uint32_t node, int32_t column, int32_t row) {
    uint32_t away = route_octile(d, column, row, d->steps.straight, d->steps.diagonal - d->steps.straight);
    if (away < d->nearest_away) {
        d->nearest_away = away;
        d->nearest = node;
    }
}

static inline uint32_t route_estimate_node(void *user, uint32_t node) {
    const route_domain *d = user;
    return route_estimate(d, (int32_t)(node % d->map->pitch), (int32_t)(node / d->map->pitch));
}

static inline bool route_is_goal(void *user, uint32_t node) {
    const route_domain *d = user;
    if (d->goal_count == 1)
        return node == d->goals[0];
    for (uint32_t i = 0; i < d->goal_count; i++)
        if (node == d->goals[i])
            return true;
    return false;
}

// Jump-point search (route_jump.c).
tr_status tr_route_jump_run(tr_search *search, route_domain *domain, bool cut, tr_search_budget budget,
                            const tr_search_listener *listener);
