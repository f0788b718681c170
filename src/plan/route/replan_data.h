// plan/replan_data.h - what the parts of tr_replan share. Internal to plan/.
#pragma once
#include "plan/indexed_heap.h"
#include "route_cells.h"
#include "troupe/plan/replan.h"
#include "world/occupancy/dirty_list.h"

// Costs stay below this, so that a key (cost + estimate + km, the latter two below 2^28 + 2^26) fits in 32
// bits.
#define REPLAN_COST_END (UINT32_MAX - (1u << 29))
#define REPLAN_INFINITE (UINT32_MAX - (1u << 21)) // a step more does not overflow
#define REPLAN_MOVED_MAX (1u << 28)
#define REPLAN_WAYS 8
#define REPLAN_ROW_SHIFT 40

// All that the search knows of a node; 16 bytes. Only valid when the stamp is that of the search.
typedef struct replan_node {
    uint32_t cost;  // g: to the root, when it was last expanded
    uint32_t ahead; // rhs: what the neighbours' costs say now
    uint32_t place; // in the queue, TR_NONE when not in: it is in exactly when cost and ahead differ
    uint32_t stamp;
} replan_node;

// Nodes that a way leads to, one bit for each of eight: the cells around row by row.
typedef struct replan_way {
    int32_t offset; // of the node number
    uint32_t cost;
    int32_t column, row;
} replan_way;

struct tr_replan {
    tr_allocator allocator;
    const tr_route_map *map;
    uint32_t pitch, columns, rows, node_count, cell_count;
    uint64_t row_multiplier; // for node numbers: see replan_row
    replan_way ways[REPLAN_WAYS];
    uint32_t straight, corner; // the estimate: straight * greater difference + corner * smaller
    uint8_t ways_of[512];      // by which of the nine cells around are free

    // What it knows of the map, by node number.
    uint64_t *free;    // with a spare word at the end
    uint64_t *touched; // nodes whose edges changed; all 0 between calls
    uint8_t *open;     // the ways out of each node, for D* Lite
    bool open_is_old;  // while jump-point search applies nobody keeps them up to date
    uint8_t *weights;
    bool is_weighted;
    const uint8_t *seen_weights;
    uint64_t seen_revision;

    // The search runs from the root. The root is the goal or the start, the tip is the other.
    replan_node *nodes;
    indexed_heap queue;
    uint32_t stamp;
    bool is_begun, is_clipped; // clipped: a cost would have passed REPLAN_COST_END
    uint32_t root, tip;
    uint32_t tip_column, tip_row;
    uint32_t moved; // km: how far the tip has moved since the search began

    // Jump-point search, NULL where it never applies, and what happened to the map since it last ran.
    tr_route *route;
    tr_route_params params;
    bool is_changed;
    dirty_list freed; // rectangles around all cells that became free

    uint32_t start, goal;           // TR_NONE until they are set
    uint32_t last_start, last_goal; // of the last find
    tr_status last_status;          // TR_INVALID before the first
    uint32_t goal_moves;            // finds in a row before which the goal moved and the start did not
    uint32_t *path;
    tr_route_result result;
};

static inline bool replan_is_free(const tr_replan *replan, uint32_t node) {
    return replan->free[node >> 6] >> (node & 63) & 1;
}

// The ways out of a node, as its free neighbours say.
static inline uint8_t replan_ways_out(const tr_replan *replan, uint32_t node) {
    const uint64_t *bits = replan->free;
    if (!replan_is_free(replan, node))
        return 0;
    return replan
        ->ways_of[route_three_bits(bits, node - replan->pitch - 1) | route_three_bits(bits, node - 1) << 3 |
                  route_three_bits(bits, node + replan->pitch - 1) << 6];
}

// node / pitch without a division: exact, because node / 64 is below 2^25 and pitch / 64 below 2^10.
static inline uint32_t replan_row(const tr_replan *replan, uint32_t node) {
    return (uint32_t)((node >> 6) * replan->row_multiplier >> REPLAN_ROW_SHIFT);
}

static inline uint32_t replan_step_cost(const tr_replan *replan, uint32_t from, uint32_t to, uint32_t way,
                                        bool weighted) {
    uint32_t cost = replan->ways[way].cost;
    return weighted ? route_weighted(cost, replan->weights[from], replan->weights[to]) : cost;
}

// What the way between two cells costs at least, that are so many columns and rows apart.
static inline uint32_t replan_octile(const tr_replan *replan, uint32_t columns, uint32_t rows) {
    uint32_t greater = columns > rows ? columns : rows, smaller = columns > rows ? rows : columns;
    return replan->straight * greater + replan->corner * smaller;
}

static inline uint32_t replan_cost(const tr_replan *replan, uint32_t node) {
    const replan_node *record = &replan->nodes[node];
    return record->stamp == replan->stamp ? record->cost : REPLAN_INFINITE;
}

// replan_changes.c: take over what changed in the map, inside the grid.
void tr_replan_absorb(tr_replan *replan, tr_cells changed);

// replan_search.c
void tr_replan_begin(tr_replan *replan, uint32_t root, uint32_t tip); // forget all, in constant time
void tr_replan_move_tip(tr_replan *replan, uint32_t tip);
void tr_replan_refresh(tr_replan *replan, uint32_t node); // its edges changed
tr_status tr_replan_search(tr_replan *replan, tr_search_budget budget);
uint32_t tr_replan_estimate(const tr_replan *replan, uint32_t a, uint32_t b);

// replan_jump.c: with jump-point search, which needs steps that cost the same everywhere.
tr_status tr_replan_jump(tr_replan *replan, tr_search_budget budget, tr_error *error);

// replan_path.c: the result, all but the counters.
void tr_replan_trace(tr_replan *replan);     // the path that D* Lite found
bool tr_replan_cut_path(tr_replan *replan);  // what lies between the ends; false: not all of it can be walked
void tr_replan_keep_path(tr_replan *replan); // what can still be walked of the last one, from the start on
void tr_replan_drop_path(tr_replan *replan);
