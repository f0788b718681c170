// A random world for tests of replanning, and a Dijkstra that shares nothing with the planners but the map's
// header: plain coordinates, a plain heap, every rule written out again.
#pragma once
#include "troupe/base/random.h"
#include "troupe/plan/replan.h"

#include <stdlib.h>
#include <string.h>

typedef struct world {
    uint32_t columns, rows;
    bool *blocked;
    uint8_t *weights; // NULL: none
    tr_bitmap bitmap;
    tr_route_map map;
    tr_route_params params;
    uint32_t start, goal; // cells: row * columns + column
    uint64_t *best;       // of the oracle
    uint64_t *heap;       // of the oracle: cost << 32 | cell
} world;

static inline uint32_t world_node(const world *w, uint32_t cell) {
    return tr_route_map_node(&w->map, cell % w->columns, cell / w->columns);
}

static inline bool world_is_free(const world *w, int64_t column, int64_t row) {
    return column >= 0 && row >= 0 && column < w->columns && row < w->rows &&
           !w->blocked[(uint32_t)row * w->columns + (uint32_t)column];
}

// What a step costs, 0 when it is not allowed.
static inline uint32_t world_step(const world *w, uint32_t cell, int32_t right, int32_t up) {
    int64_t column = cell % w->columns, row = cell / w->columns;
    if ((right == 0 && up == 0) || !world_is_free(w, column, row) ||
        !world_is_free(w, column + right, row + up))
        return 0;
    uint32_t cost = w->params.metric == TR_ROUTE_PAPER ? 5 : 985;
    if (right != 0 && up != 0) {
        bool one = world_is_free(w, column + right, row), other = world_is_free(w, column, row + up);
        if (w->params.neighbours == 4 || !(w->params.cut_corners ? one || other : one && other))
            return 0;
        cost = w->params.metric == TR_ROUTE_PAPER ? 7 : 1393;
    }
    uint32_t there = (uint32_t)(row + up) * w->columns + (uint32_t)(column + right);
    return w->weights ? cost * (32u + w->weights[cell] + w->weights[there]) / 32 : cost;
}

static inline void world_push(uint64_t *heap, uint32_t *count, uint64_t item) {
    uint32_t i = (*count)++;
    for (; i > 0 && heap[(i - 1) / 2] > item; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = item;
}

static inline uint64_t world_pop(uint64_t *heap, uint32_t *count) {
    uint64_t least = heap[0], last = heap[--*count];
    uint32_t i = 0;
    for (uint32_t child; (child = 2 * i + 1) < *count; i = child) {
        child += child + 1 < *count && heap[child + 1] < heap[child];
        if (last <= heap[child])
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return least;
}

// The cost from start to goal; UINT64_MAX when there is no path.
static inline uint64_t world_dijkstra(const world *w) {
    uint32_t count = 0;
    if (w->blocked[w->start] || w->blocked[w->goal])
        return UINT64_MAX;
    memset(w->best, 0xff, (size_t)w->columns * w->rows * sizeof *w->best);
    w->best[w->start] = 0;
    world_push(w->heap, &count, w->start);
    while (count > 0) {
        uint64_t item = world_pop(w->heap, &count);
        uint32_t cell = (uint32_t)item;
        if (cell == w->goal)
            return item >> 32;
        if (item >> 32 != w->best[cell])
            continue;
        for (int32_t up = -1; up <= 1; up++)
            for (int32_t right = -1; right <= 1; right++) {
                uint32_t cost = world_step(w, cell, right, up);
                uint32_t next = cell + (uint32_t)(up * (int32_t)w->columns + right);
                if (cost == 0 || (item >> 32) + cost >= w->best[next])
                    continue;
                w->best[next] = (item >> 32) + cost;
                world_push(w->heap, &count, w->best[next] << 32 | next);
            }
    }
    return UINT64_MAX;
}

static inline void world_set(world *w, uint32_t column, uint32_t row, bool blocked) {
    w->blocked[row * w->columns + column] = blocked;
    uint64_t *word = &w->bitmap.words[(size_t)row * w->bitmap.stride + (column >> 6)];
    uint64_t bit = (uint64_t)1 << (column & 63);
    *word = blocked ? *word | bit : *word & ~bit;
}

// Every mode has a number from 0 to 11: metric, neighbours, corners, and the upper half with weights.
#define WORLD_MODES 12
static inline tr_route_params world_params(uint32_t mode) {
    static const struct {
        uint32_t neighbours;
        bool cut_corners;
    } rules[3] = {{4, false}, {8, false}, {8, true}};
    tr_route_params params = {.metric = mode % 2 ? TR_ROUTE_PAPER : TR_ROUTE_TRUE,
                              .neighbours = rules[mode / 2 % 3].neighbours,
                              .cut_corners = rules[mode / 2 % 3].cut_corners};
    return params;
}

static inline bool world_create(world *w, uint32_t mode, uint32_t columns, uint32_t rows, uint32_t percent,
                                tr_random *random) {
    size_t cells = (size_t)columns * rows;
    tr_grid grid = {{0, 0}, 0.25f, columns, rows};
    *w = (world){.columns = columns, .rows = rows, .params = world_params(mode)};
    w->blocked = calloc(cells, sizeof *w->blocked);
    w->weights = mode >= WORLD_MODES / 2 ? calloc(cells, 1) : NULL;
    w->best = malloc(cells * sizeof *w->best);
    w->heap = malloc((cells * 8 + 1) * sizeof *w->heap);
    if (!w->blocked || !w->best || !w->heap || tr_bitmap_create(NULL, columns, rows, &w->bitmap) != TR_OK ||
        tr_route_map_create(NULL, &grid, &w->map, NULL) != TR_OK)
        return false;
    for (uint32_t cell = 0; cell < cells; cell++) {
        world_set(w, cell % columns, cell / columns, tr_random_below(random, 100) < percent);
        if (w->weights && tr_random_below(random, 3) == 0)
            w->weights[cell] = (uint8_t)tr_random_bits(random);
    }
    tr_route_map_set_weights(&w->map, w->weights);
    w->start = tr_random_below(random, (uint32_t)cells);
    w->goal = tr_random_below(random, (uint32_t)cells);
    return tr_route_map_set(&w->map, &w->bitmap, tr_grid_all(&grid)) == TR_OK;
}

static inline void world_destroy(world *w) {
    free(w->blocked);
    free(w->weights);
    free(w->best);
    free(w->heap);
    tr_bitmap_destroy(NULL, &w->bitmap);
    tr_route_map_destroy(&w->map);
}
