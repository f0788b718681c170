// Dijkstra's algorithm with buckets as wide as the cheapest step. No cell of a bucket can make another cell
// of the same bucket cheaper, so a bucket is processed in any order and the result is exact.
#define SIMD_LANES 4
#include "base/simd.h"
#include "route_cells.h"
#include "troupe/plan/field.h"

#include <string.h>

#define CHUNK 126
#define UNREACHED ((uint32_t)INT32_MAX)
#define RING 32 // buckets; the most expensive step, a weighted diagonal, crosses fewer than 26

// Buckets are lists of chunks of node numbers, taken from one pool.
typedef struct field_chunk {
    uint32_t next, count, nodes[CHUNK];
} field_chunk;

struct tr_field {
    tr_allocator allocator;
    uint32_t node_count;
    uint32_t *costs;
    field_chunk *chunks;
    uint32_t chunk_count, free_chunk;
    uint32_t spare_chunk; // the chunk that is being read
    uint32_t heads[RING];
    uint64_t waiting; // entries in all buckets
    // The last flood.
    const tr_route_map *map;
    route_steps steps;
    uint32_t bucket;    // the current bucket
    uint64_t low, high; // its costs
    uint64_t reached;
};

static uint32_t chunks_for(uint32_t node_count) {
    return (uint32_t)((uint64_t)node_count * 2 / CHUNK) + RING + 1;
}

static void forget_costs(tr_field *field, uint32_t node_count) {
    for (uint32_t i = 0; i < node_count; i++)
        field->costs[i] = UNREACHED;
}

tr_status tr_field_create(const tr_allocator *allocator, uint32_t node_count, tr_field **field,
                          tr_error *error) {
    *field = NULL;
    if (node_count == 0 || node_count >= 1u << 31)
        return tr_fail(error, TR_INVALID, "a field has %u nodes, it must be 1 to 2^31 - 1", node_count);
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_field *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (made) {
        made->allocator = own;
        made->node_count = node_count;
        made->chunk_count = chunks_for(node_count);
        made->spare_chunk = TR_NONE;
        made->costs =
            tr_allocate_zero(&own, (size_t)node_count + 1, sizeof *made->costs); // four are read at a time
        made->chunks = tr_allocate(&own, made->chunk_count, sizeof *made->chunks);
        if (made->costs && made->chunks) {
            forget_costs(made, node_count);
            *field = made;
            return TR_OK;
        }
        tr_field_destroy(made);
    }
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a field over %u nodes", node_count);
}

void tr_field_destroy(tr_field *field) {
    if (!field)
        return;
    tr_allocator memory = field->allocator;
    tr_release(&memory, field->costs, (size_t)field->node_count + 1, sizeof *field->costs);
    tr_release(&memory, field->chunks, field->chunk_count, sizeof *field->chunks);
    tr_release(&memory, field, 1, sizeof *field);
}

static void empty_buckets(tr_field *field) {
    field->free_chunk = TR_NONE;
    for (uint32_t i = field->chunk_count; i-- > 0;) {
        if (i == field->spare_chunk)
            continue;
        field->chunks[i].next = field->free_chunk;
        field->free_chunk = i;
    }
    for (uint32_t i = 0; i < RING; i++)
        field->heads[i] = TR_NONE;
    field->waiting = 0;
}

// Adds a chunk to a bucket. false: the pool is empty, because many cells wait in two buckets.
static bool add_chunk(tr_field *field, uint32_t bucket) {
    uint32_t chunk = field->free_chunk;
    if (chunk == TR_NONE)
        return false;
    field->free_chunk = field->chunks[chunk].next;
    field->chunks[chunk].next = field->heads[bucket];
    field->chunks[chunk].count = 0;
    field->heads[bucket] = chunk;
    return true;
}

static inline bool push(tr_field *field, uint32_t node, uint32_t bucket) {
    uint32_t head = field->heads[bucket];
    if (head == TR_NONE || field->chunks[head].count == CHUNK) {
        if (!add_chunk(field, bucket))
            return false;
        head = field->heads[bucket];
    }
    field_chunk *chunk = &field->chunks[head];
    chunk->nodes[chunk->count++] = node;
    field->waiting++;
    return true;
}

// Rebuilds the buckets with one entry for each cell that still waits: these always fit.
static void rebuild(tr_field *field) {
    empty_buckets(field);
    for (uint32_t node = 0; node < tr_route_map_nodes(field->map); node++) {
        uint32_t cost = field->costs[node];
        if (cost >= field->low && cost != UNREACHED)
            push(field, node, cost / field->steps.straight % RING);
    }
}

// The bucket of a cost. A plain step ends one or two buckets on, which saves a division.
static inline __attribute__((always_inline)) uint32_t bucket_of(const tr_field *field, uint32_t cost,
                                                                bool weighted) {
    if (weighted)
        return cost / field->steps.straight;
    return field->bucket + 1 + (cost >= field->high + field->steps.straight);
}

// Reaches a cell more cheaply. It waits in the bucket of its cost; its older entry, if any, is skipped later.
static inline __attribute__((always_inline)) void improve(tr_field *field, uint32_t node, uint32_t cost,
                                                          bool weighted) {
    uint32_t old = field->costs[node], bucket = bucket_of(field, cost, weighted);
    field->costs[node] = cost;
    field->reached += old == UNREACHED;
    if (old != UNREACHED && bucket_of(field, old, weighted) == bucket)
        return;
    if (!push(field, node, bucket % RING))
        rebuild(field);
}

// Which of three cells in a row, from `first` on, cost more than their new costs: three bits.
static inline uint32_t dearer(const uint32_t *costs, uint32_t first, simd_int limits) {
    simd_int row;
    memcpy(&row, costs + first, sizeof row);
    return simd_bits(row > limits) & 7;
}

// Plain ground: all nine cells at once. Costs are below 2^31 or UNREACHED, so signed comparisons work.
static inline bool spread_plain(tr_field *field, uint32_t node) {
    const route_steps *steps = &field->steps;
    const uint32_t *costs = field->costs;
    uint32_t here = costs[node], pitch = field->map->pitch;
    if (here > UNREACHED - 1 - steps->diagonal)
        return false;
    simd_int sides = {(int32_t)(here + steps->diagonal), (int32_t)(here + steps->straight),
                      (int32_t)(here + steps->diagonal), 0};
    simd_int middle = {(int32_t)(here + steps->straight), INT32_MAX, (int32_t)(here + steps->straight), 0};
    uint32_t mask = dearer(costs, node - pitch - 1, sides) | dearer(costs, node - 1, middle) << 3 |
                    dearer(costs, node + pitch - 1, sides) << 6;
    for (mask &= steps->allowed[route_nine_bits(field->map, node)]; mask; mask &= mask - 1) {
        int32_t k = __builtin_ctz(mask);
        improve(field, node + (uint32_t)steps->offset[k], here + steps->cost[k], false);
    }
    return true;
}

// Steps go from the goals outwards, but they cost the same in both directions.
static inline bool spread_weighted(tr_field *field, uint32_t node) {
    const tr_route_map *map = field->map;
    const route_steps *steps = &field->steps;
    uint32_t here = field->costs[node];
    const uint8_t *weights = map->weights + (size_t)tr_route_map_row(map, node) * map->grid.columns +
                             tr_route_map_column(map, node);
    for (uint32_t mask = steps->allowed[route_nine_bits(map, node)]; mask; mask &= mask - 1) {
        int32_t k = __builtin_ctz(mask);
        uint32_t child = node + (uint32_t)steps->offset[k];
        uint32_t cost = route_weighted(steps->cost[k], weights[0],
                                       weights[(k / 3 - 1) * (int32_t)map->grid.columns + k % 3 - 1]);
        if (here > UNREACHED - 1 - cost)
            return false;
        if (here + cost < field->costs[child])
            improve(field, child, here + cost, true);
    }
    return true;
}

// Removes the first chunk of a bucket; TR_NONE: it is empty.
static uint32_t take_chunk(tr_field *field, uint32_t bucket) {
    uint32_t chunk = field->heads[bucket];
    if (chunk != TR_NONE)
        field->heads[bucket] = field->chunks[chunk].next;
    return chunk;
}

static inline __attribute__((always_inline)) bool flood(tr_field *field, bool weighted) {
    uint32_t width = field->steps.straight;
    for (uint32_t bucket = 0; field->waiting; bucket++) {
        field->bucket = bucket;
        field->low = (uint64_t)bucket * width;
        field->high = field->low + width;
        for (uint32_t chunk; (chunk = take_chunk(field, bucket % RING)) != TR_NONE;) {
            const field_chunk *nodes = &field->chunks[chunk];
            uint32_t count = nodes->count;
            field->waiting -= count;
            field->spare_chunk = chunk; // not in the pool while it is read
            for (uint32_t i = 0; i < count; i++) {
                uint32_t node = nodes->nodes[i];
                if (field->costs[node] < field->low)
                    continue; // it became cheaper and was processed before
                if (!(weighted ? spread_weighted(field, node) : spread_plain(field, node)))
                    return false;
            }
            field->chunks[chunk].next = field->free_chunk;
            field->free_chunk = chunk;
            field->spare_chunk = TR_NONE;
        }
    }
    return true;
}

static tr_status check(const tr_field *field, const tr_route_map *map, const tr_route_params *params,
                       const uint32_t *goals, uint32_t goal_count, tr_error *error) {
    tr_status status = tr_route_steps_check(params, error);
    if (status != TR_OK)
        return status;
    if (goal_count == 0)
        return tr_fail(error, TR_INVALID, "a field needs at least one goal");
    uint32_t nodes = tr_route_map_nodes(map);
    if (nodes > field->node_count)
        return tr_fail(error, TR_LIMIT, "the map has %u nodes, the field was made for %u", nodes,
                       field->node_count);
    for (uint32_t i = 0; i < goal_count; i++)
        if (goals[i] >= nodes || !tr_route_map_is_free(map, goals[i]))
            return tr_fail(error, TR_INVALID, "goal %u, node %u, is not a free cell of the map", i, goals[i]);
    return TR_OK;
}

tr_status tr_field_flood(tr_field *field, const tr_route_map *map, const tr_route_params *params,
                         const uint32_t *goals, uint32_t goal_count, tr_error *error) {
    tr_status status = check(field, map, params, goals, goal_count, error);
    if (status != TR_OK)
        return status;
    tr_route_steps_make(map, params, &field->steps);
    field->map = map;
    field->reached = field->low = 0;
    field->spare_chunk = TR_NONE;
    forget_costs(field, tr_route_map_nodes(map));
    empty_buckets(field);
    for (uint32_t i = 0; i < goal_count; i++)
        if (field->costs[goals[i]] != 0)
            improve(field, goals[i], 0, true);
    bool fits = map->weights ? flood(field, true) : flood(field, false);
    return fits ? TR_OK : tr_fail(error, TR_LIMIT, "the cost of a way exceeds 2^31 units");
}

uint32_t tr_field_cost(const tr_field *field, uint32_t node) {
    return node < field->node_count && field->costs[node] != UNREACHED ? field->costs[node] : UINT32_MAX;
}

uint64_t tr_field_reached(const tr_field *field) {
    return field->reached;
}

uint32_t tr_field_next(const tr_field *field, uint32_t node) {
    uint32_t here = tr_field_cost(field, node);
    if (here == UINT32_MAX || !field->map)
        return TR_NONE;
    const tr_route_map *map = field->map;
    uint32_t best = TR_NONE, best_cost = UINT32_MAX;
    if (here == 0)
        return node;
    for (uint32_t mask = field->steps.allowed[route_nine_bits(map, node)]; mask; mask &= mask - 1) {
        int32_t k = __builtin_ctz(mask);
        uint32_t child = node + (uint32_t)field->steps.offset[k], cost = field->steps.cost[k];
        if (map->weights) {
            const uint8_t *weights = map->weights;
            size_t columns = map->grid.columns;
            cost = route_weighted(
                cost, weights[tr_route_map_row(map, node) * columns + tr_route_map_column(map, node)],
                weights[tr_route_map_row(map, child) * columns + tr_route_map_column(map, child)]);
        }
        // Only ever downhill: otherwise characters would walk in circles if the map has changed.
        if (field->costs[child] < here && field->costs[child] + cost < best_cost) {
            best_cost = field->costs[child] + cost;
            best = child;
        }
    }
    return best;
}

tr_status tr_field_path(const tr_field *field, uint32_t start, uint32_t *cells, uint32_t cell_max,
                        uint32_t *cell_count) {
    *cell_count = 0;
    if (tr_field_cost(field, start) == UINT32_MAX)
        return TR_NOT_FOUND;
    for (uint32_t node = start; node != TR_NONE; node = tr_field_next(field, node)) {
        if (*cell_count < cell_max)
            cells[*cell_count] = node;
        ++*cell_count;
        if (field->costs[node] == 0)
            return *cell_count <= cell_max ? TR_OK : TR_LIMIT;
    }
    *cell_count = 0; // the map has changed: the way is closed
    return TR_NOT_FOUND;
}
