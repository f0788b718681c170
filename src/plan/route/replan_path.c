// Reads the path out of the costs that the search left.
#include "replan_data.h"

#include <assert.h>

static void set_path(tr_replan *replan, const uint32_t *cells, uint32_t count, uint32_t diagonals) {
    replan->result.cells = cells;
    replan->result.cell_count = count;
    replan->result.length = count == 0 ? 0
                                       : (count - 1 - diagonals + diagonals * 1.4142135623730951) *
                                             (double)replan->map->grid.cell;
}

static bool is_diagonal(const replan_way *way) {
    return way->column != 0 && way->row != 0;
}

// A way out of `node` that costs exactly what its cost falls by; straight on if that is one.
static uint32_t way_down(const tr_replan *replan, uint32_t node, uint32_t cost, uint32_t straight_on) {
    uint32_t open = replan->open[node];
    for (uint32_t first = open & 1u << straight_on; open; first = 0) {
        uint32_t way = (uint32_t)__builtin_ctz(first ? first : open);
        uint32_t next = node + (uint32_t)replan->ways[way].offset, next_cost = replan_cost(replan, next);
        if (next_cost < cost &&
            next_cost + replan_step_cost(replan, node, next, way, replan->is_weighted) == cost)
            return way;
        open &= ~(1u << way);
    }
    return REPLAN_WAYS;
}

// When the search has ended, every node on a cheapest way from the tip has its true cost: were one waiting in
// the queue, its key would be less than the tip's. The path is written in the order of walking, from the end
// of the memory backwards if the tip is the goal.
void tr_replan_trace(tr_replan *replan) {
    bool is_forward = replan->tip == replan->start;
    uint32_t *cell = is_forward ? replan->path : replan->path + replan->cell_count - 1, *first = cell;
    uint32_t node = replan->tip, cost = replan->nodes[node].ahead, way = 0, count = 1, diagonals = 0;
    replan->result.cost = cost;
    *cell = node;
    for (; node != replan->root; count++) {
        way = way_down(replan, node, cost, way);
        assert(way < REPLAN_WAYS);
        node += (uint32_t)replan->ways[way].offset;
        cost = replan->nodes[node].cost;
        diagonals += is_diagonal(&replan->ways[way]);
        cell += is_forward ? 1 : -1;
        *cell = node;
    }
    set_path(replan, is_forward ? first : cell, count, diagonals);
    replan->result.goal = 0;
}

// The way between two neighbours; REPLAN_WAYS when it is closed.
static uint32_t way_between(const tr_replan *replan, uint32_t from, uint32_t to) {
    int32_t by = (int32_t)(to - from), row = (by > 1) - (by < -1), column = by - row * (int32_t)replan->pitch;
    uint32_t around = (uint32_t)(row * 3 + column + 4), way = around < 4 ? around : around - 1;
    uint8_t open = replan->open_is_old ? replan_ways_out(replan, from) : replan->open[from];
    return open >> way & 1 ? way : REPLAN_WAYS;
}

// The result is the first `count` cells from here, or as far as they can be walked. Returns how far.
static uint32_t walk(tr_replan *replan, const uint32_t *cells, uint32_t count) {
    uint32_t cost = 0, diagonals = 0, walked = 1;
    for (uint32_t way; walked < count; walked++) {
        uint32_t from = cells[walked - 1], to = cells[walked];
        if ((way = way_between(replan, from, to)) == REPLAN_WAYS)
            break;
        cost += replan_step_cost(replan, from, to, way, replan->is_weighted);
        diagonals += is_diagonal(&replan->ways[way]);
    }
    set_path(replan, cells, walked, diagonals);
    replan->result.cost = cost;
    return walked;
}

bool tr_replan_cut_path(tr_replan *replan) {
    const tr_route_result last = replan->result;
    uint32_t begin = 0, end = last.cell_count;
    while (begin < end && last.cells[begin] != replan->start)
        begin++;
    while (begin < end && last.cells[end - 1] != replan->goal)
        end--;
    if (begin == end)
        return false;
    if (walk(replan, last.cells + begin, end - begin) == end - begin)
        return true;
    replan->result = last;
    return false;
}

void tr_replan_keep_path(tr_replan *replan) {
    const uint32_t *cells = replan->result.cells;
    uint32_t begin = 0, end = replan->result.cell_count;
    while (begin < end && cells[begin] != replan->start)
        begin++;
    if (begin < end) {
        walk(replan, cells + begin, end - begin);
    } else {
        replan->path[0] = replan->start;
        walk(replan, replan->path, 1);
    }
    replan->result.goal = TR_NONE;
}

void tr_replan_drop_path(tr_replan *replan) {
    set_path(replan, NULL, 0, 0);
    replan->result.cost = 0;
    replan->result.goal = TR_NONE;
}
