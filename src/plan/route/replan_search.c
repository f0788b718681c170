// D* Lite, the optimised version (Koenig & Likhachev 2002, figure 4), from the root towards the tip.
#include "replan_data.h"
#include "troupe/base/clock.h"

#include <string.h>

// The clock is looked at once in so many nodes.
#define CLOCK_EVERY 64
// Compiled twice into its callers, with weights and without.
#define INLINE static inline __attribute__((always_inline))

static uint32_t difference(uint32_t a, uint32_t b) {
    return a > b ? a - b : b - a;
}

uint32_t tr_replan_estimate(const tr_replan *replan, uint32_t a, uint32_t b) {
    uint32_t row_a = replan_row(replan, a), row_b = replan_row(replan, b);
    return replan_octile(replan, difference(a - row_a * replan->pitch, b - row_b * replan->pitch),
                         difference(row_a, row_b));
}

// The record of a node; one that an older search left is as good as new.
static replan_node *touch(tr_replan *replan, uint32_t node) {
    replan_node *record = &replan->nodes[node];
    if (record->stamp != replan->stamp)
        *record = (replan_node){REPLAN_INFINITE, REPLAN_INFINITE, TR_NONE, replan->stamp};
    return record;
}

// The order of the queue, the smaller cost first among equal totals; one half or the other is finite.
static uint64_t key_of(const tr_replan *replan, const replan_node *record, uint32_t column, uint32_t row) {
    uint32_t least = record->cost < record->ahead ? record->cost : record->ahead;
    uint32_t total =
        least + replan->moved +
        replan_octile(replan, difference(column, replan->tip_column), difference(row, replan->tip_row));
    return (uint64_t)total << 32 | least;
}

static uint64_t tip_key(const tr_replan *replan) {
    const replan_node *tip = &replan->nodes[replan->tip];
    uint32_t least = tip->cost < tip->ahead ? tip->cost : tip->ahead;
    return least == REPLAN_INFINITE ? UINT64_MAX : (uint64_t)(least + replan->moved) << 32 | least;
}

// In the queue exactly when cost and ahead differ.
static void settle(tr_replan *replan, uint32_t node, const replan_node *record, uint32_t column,
                   uint32_t row) {
    if (record->cost != record->ahead)
        tr_indexed_heap_set(&replan->queue, node, key_of(replan, record, column, row));
    else if (record->place != TR_NONE)
        tr_indexed_heap_remove(&replan->queue, node);
}

// What the neighbours' costs say of a node.
INLINE uint32_t best_ahead(tr_replan *replan, uint32_t node, bool weighted) {
    uint32_t best = REPLAN_INFINITE;
    for (uint32_t open = replan->open[node]; open; open &= open - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(open), next = node + (uint32_t)replan->ways[way].offset;
        uint32_t sum = replan_cost(replan, next) + replan_step_cost(replan, node, next, way, weighted);
        best = sum < best ? sum : best;
    }
    if (best < REPLAN_COST_END || best == REPLAN_INFINITE)
        return best;
    replan->is_clipped = true;
    return REPLAN_INFINITE;
}

void tr_replan_begin(tr_replan *replan, uint32_t root, uint32_t tip) {
    if (++replan->stamp == 0) { // once in 2^32 searches
        memset(replan->nodes, 0, replan->node_count * sizeof *replan->nodes);
        replan->stamp = 1;
    }
    indexed_heap_forget(&replan->queue);
    replan->is_begun = true;
    replan->is_clipped = false;
    replan->root = root;
    replan->tip = tip;
    replan->moved = 0;
    tr_replan_move_tip(replan, tip);
    touch(replan, root)->ahead = 0;
    tr_replan_refresh(replan, root);
}

// Estimates are now towards another node. Keys in the queue become too small by at most the distance moved,
// which is made good by adding it to all keys from now on.
void tr_replan_move_tip(tr_replan *replan, uint32_t tip) {
    replan->moved += tr_replan_estimate(replan, replan->tip, tip);
    replan->tip = tip;
    replan->tip_row = replan_row(replan, tip);
    replan->tip_column = tip - replan->tip_row * replan->pitch;
    touch(replan, tip);
}

void tr_replan_refresh(tr_replan *replan, uint32_t node) {
    uint32_t row = replan_row(replan, node);
    replan_node *record = touch(replan, node);
    if (node != replan->root)
        record->ahead = best_ahead(replan, node, replan->is_weighted);
    settle(replan, node, record, node - row * replan->pitch, row);
}

// The node's cost falls to what is ahead: tell the neighbours.
INLINE void lower_cost(tr_replan *replan, uint32_t node, uint32_t column, uint32_t row, bool weighted) {
    replan_node *record = &replan->nodes[node];
    uint32_t cost = record->cost = record->ahead;
    tr_indexed_heap_remove(&replan->queue, node);
    for (uint32_t open = replan->open[node]; open; open &= open - 1, replan->result.counters.generated++) {
        uint32_t way = (uint32_t)__builtin_ctz(open);
        const replan_way *to = &replan->ways[way];
        uint32_t next = node + (uint32_t)to->offset;
        replan_node *neighbour = touch(replan, next);
        uint32_t sum = cost + replan_step_cost(replan, node, next, way, weighted);
        if (sum >= neighbour->ahead)
            continue;
        if (sum >= REPLAN_COST_END) {
            replan->is_clipped = true;
            continue;
        }
        replan->result.counters.improved += neighbour->place != TR_NONE;
        neighbour->ahead = sum;
        settle(replan, next, neighbour, column + (uint32_t)to->column, row + (uint32_t)to->row);
    }
}

// The node's cost is no longer true: those that were reached by it look for another way.
INLINE void raise_cost(tr_replan *replan, uint32_t node, uint32_t column, uint32_t row, bool weighted) {
    replan_node *record = &replan->nodes[node];
    uint32_t cost = record->cost;
    record->cost = REPLAN_INFINITE;
    replan->result.counters.reopened++;
    for (uint32_t open = replan->open[node]; open; open &= open - 1, replan->result.counters.generated++) {
        uint32_t way = (uint32_t)__builtin_ctz(open);
        const replan_way *to = &replan->ways[way];
        uint32_t next = node + (uint32_t)to->offset;
        replan_node *neighbour = touch(replan, next);
        if (neighbour->ahead != cost + replan_step_cost(replan, node, next, way, weighted) ||
            next == replan->root)
            continue;
        neighbour->ahead = best_ahead(replan, next, weighted);
        settle(replan, next, neighbour, column + (uint32_t)to->column, row + (uint32_t)to->row);
    }
    settle(replan, node, record, column, row);
}

INLINE void expand_first(tr_replan *replan, uint64_t key, bool weighted) {
    uint32_t node = indexed_heap_first(&replan->queue);
    uint32_t row = replan_row(replan, node), column = node - row * replan->pitch;
    const replan_node *record = &replan->nodes[node];
    uint64_t key_now = key_of(replan, record, column, row);
    if (key < key_now) { // it was put in before the tip moved away
        tr_indexed_heap_set(&replan->queue, node, key_now);
        return;
    }
    replan->result.counters.expanded++;
    if (record->cost > record->ahead)
        lower_cost(replan, node, column, row, weighted);
    else
        raise_cost(replan, node, column, row, weighted);
}

// Until no waiting node can be on a cheaper way to the tip. TR_OK, TR_PARTIAL.
INLINE tr_status run(tr_replan *replan, tr_search_budget budget, bool weighted) {
    const replan_node *tip = &replan->nodes[replan->tip];
    uint64_t most = budget.microseconds < UINT32_MAX ? budget.microseconds : UINT32_MAX; // more than an hour
    uint64_t end = most ? tr_clock_nanoseconds() + most * 1000 : 0;
    for (uint64_t taken = 0;; taken++) {
        uint64_t key = indexed_heap_first_key(&replan->queue);
        if (key == UINT64_MAX || (key >= tip_key(replan) && tip->ahead <= tip->cost))
            return TR_OK;
        if (budget.expansions && taken == budget.expansions)
            return TR_PARTIAL;
        if (end && taken % CLOCK_EVERY == CLOCK_EVERY - 1 && tr_clock_nanoseconds() >= end)
            return TR_PARTIAL;
        expand_first(replan, key, weighted);
    }
}

static tr_status run_plain(tr_replan *replan, tr_search_budget budget) {
    return run(replan, budget, false);
}

static tr_status run_weighted(tr_replan *replan, tr_search_budget budget) {
    return run(replan, budget, true);
}

tr_status tr_replan_search(tr_replan *replan, tr_search_budget budget) {
    tr_status status = replan->is_weighted ? run_weighted(replan, budget) : run_plain(replan, budget);
    if (status != TR_OK || replan->nodes[replan->tip].ahead != REPLAN_INFINITE)
        return status;
    return replan->is_clipped ? TR_LIMIT : TR_NOT_FOUND;
}
