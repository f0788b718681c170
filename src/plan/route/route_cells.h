// Steps from cell to cell, shared by the route planners: which steps are allowed, and their costs. Internal
// to plan/.
#pragma once
#include "troupe/plan/route.h"

// The nine cells around a node are numbered row by row; 4 is the node itself. A mask has one bit for each.
typedef struct route_steps {
    int32_t offset[9];     // to the neighbour's node
    uint32_t cost[9];      // of the step, in the metric's integers
    uint16_t allowed[512]; // the allowed steps, by the mask of free cells
    uint32_t straight, diagonal;
} route_steps;

// Are neighbours and metric valid?
tr_status tr_route_steps_check(const tr_route_params *params, tr_error *error);
void tr_route_steps_make(const tr_route_map *map, const tr_route_params *params, route_steps *steps);

// The three bits from `number` on.
static inline uint32_t route_three_bits(const uint64_t *bits, uint32_t number) {
    uint32_t word = number >> 6, shift = number & 63;
    return (uint32_t)(bits[word] >> shift | bits[word + 1] << 1 << (63 - shift)) & 7;
}

static inline uint32_t route_nine_bits(const tr_route_map *map, uint32_t node) {
    const uint64_t *bits = map->free;
    return route_three_bits(bits, node - map->pitch - 1) | route_three_bits(bits, node - 1) << 3 |
           route_three_bits(bits, node + map->pitch - 1) << 6;
}

// The cost of a step between two cells with weights.
static inline uint32_t route_weighted(uint32_t cost, uint32_t weight_a, uint32_t weight_b) {
    return cost * (32 + weight_a + weight_b) >> 5;
}
