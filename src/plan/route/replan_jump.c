// Where steps cost the same everywhere, jump-point search from scratch takes less time than D* Lite takes to
// repair: it looks at a few corners where D* Lite looks at all cells around. What remains to be saved is the
// search itself, when it can be told that the last answer still holds.
#include "replan_data.h"

static uint32_t distance_to(uint32_t at, uint32_t begin, uint32_t end) {
    return at < begin ? begin - at : at >= end ? at - end + 1 : 0;
}

// The least that a way from a node to cells that were freed may cost.
static uint32_t estimate_freed(const tr_replan *replan, const tr_cells *freed, uint32_t node) {
    uint32_t row = replan_row(replan, node), column = node - row * replan->pitch;
    return replan_octile(replan, distance_to(column, freed->column_begin + 1, freed->column_end + 1),
                         distance_to(row, freed->row_begin + 1, freed->row_end + 1));
}

static bool is_freed(const tr_replan *replan) {
    return replan->freed.count > 0;
}

// May cells that were freed make a cheaper way? Whatever is new passes such a cell, or diagonally beside it,
// and then saves at most what a diagonal step saves over the two straight ones by way of the cell. One such
// cell of a way is enough to tell, so each rectangle is looked at by itself.
static bool is_shortened(const tr_replan *replan, uint32_t cost) {
    for (uint32_t i = 0; i < replan->freed.count; i++) {
        const tr_cells *freed = &replan->freed.cells[i];
        uint64_t least = (uint64_t)estimate_freed(replan, freed, replan->start) +
                         estimate_freed(replan, freed, replan->goal);
        if (least < (uint64_t)cost + replan->straight - replan->corner)
            return true;
    }
    return false;
}

// A part of a cheapest path is a cheapest path, and stays one while it can be walked and none gets cheaper.
static bool is_kept(tr_replan *replan, tr_status *status) {
    bool same_ends = replan->start == replan->last_start && replan->goal == replan->last_goal;
    *status = replan->last_status;
    if (replan->last_status == TR_NOT_FOUND)
        return same_ends && !is_freed(replan);
    if (replan->last_status != TR_OK)
        return false;
    if (same_ends && !replan->is_changed)
        return true;
    if (same_ends && is_shortened(replan, replan->result.cost))
        return false; // without a walk along the path
    tr_route_result last = replan->result;
    if (!tr_replan_cut_path(replan))
        return false;
    if (!is_shortened(replan, replan->result.cost))
        return true;
    replan->result = last;
    return false;
}

// Only what this call did, when it went on with an earlier one.
static tr_search_counters since(tr_search_counters now, tr_search_counters before) {
    now.expanded -= before.expanded;
    now.generated -= before.generated;
    now.improved -= before.improved;
    now.reopened -= before.reopened;
    return now;
}

tr_status tr_replan_jump(tr_replan *replan, tr_search_budget budget, tr_error *error) {
    tr_status status;
    if (is_kept(replan, &status)) {
        replan->last_start = replan->start;
        replan->last_goal = replan->goal;
        return status;
    }
    bool goes_on = replan->last_status == TR_PARTIAL && !replan->is_changed &&
                   replan->start == replan->last_start && replan->goal == replan->last_goal;
    tr_search_counters before = {0};
    if (goes_on) {
        before = tr_route_last(replan->route).counters;
        status = tr_route_resume(replan->route, budget, error);
    } else {
        replan->params.budget = budget;
        status = tr_route_find_cells(replan->route, replan->map, &replan->params, replan->start,
                                     &replan->goal, 1, error);
    }
    replan->result = tr_route_last(replan->route);
    replan->result.counters = since(replan->result.counters, before);
    replan->last_start = replan->start;
    replan->last_goal = replan->goal;
    replan->is_begun = false; // D* Lite knows nothing of what changes from now on
    replan->is_changed = false;
    replan->freed.count = 0;
    return status;
}
