// What tr_line_of_sight must say, by definition: every cell is looked at, in whole numbers. And the shortest
// any-angle route, by brute force.
#pragma once
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/plan/line_of_sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Points in 1/256 of a cell from the grid's corner.
typedef struct oracle_point {
    int64_t x, z;
} oracle_point;

static inline bool oracle_blocked(const tr_route_map *map, int64_t column, int64_t row) {
    return column < 0 || row < 0 || column >= map->grid.columns || row >= map->grid.rows ||
           !tr_route_map_is_free(map, tr_route_map_node(map, (uint32_t)column, (uint32_t)row));
}

static inline int64_t oracle_turn(oracle_point a, oracle_point b, oracle_point c) {
    return (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);
}

// Does the segment enter the open square? By separating axes: x, z, and across the segment.
static inline bool oracle_enters(oracle_point a, oracle_point b, int64_t left, int64_t low, int64_t right,
                                 int64_t high) {
    if ((a.x <= left && b.x <= left) || (a.x >= right && b.x >= right) || (a.z <= low && b.z <= low) ||
        (a.z >= high && b.z >= high))
        return false;
    if (a.x == b.x && a.z == b.z)
        return true;
    const oracle_point corners[4] = {{left, low}, {right, low}, {left, high}, {right, high}};
    int below = 0, above = 0;
    for (int i = 0; i < 4; i++) {
        int64_t turn = oracle_turn(a, b, corners[i]);
        below += turn<0, above += turn> 0;
    }
    return below && above;
}

// A moment of the way from a to b, as a fraction.
typedef struct oracle_moment {
    int64_t above, below;
} oracle_moment;

static inline int oracle_compare(const void *a, const void *b) {
    const oracle_moment *s = a, *t = b;
    int64_t difference = s->above * t->below - t->above * s->below;
    return (difference > 0) - (difference < 0);
}

// Is the point at that moment in some closed free cell, and not between two that meet only there?
static inline bool oracle_point_is_free(const tr_route_map *map, oracle_point a, oracle_point b,
                                        oracle_moment t) {
    int64_t x = a.x * t.below + (b.x - a.x) * t.above, z = a.z * t.below + (b.z - a.z) * t.above,
            side = 256 * t.below;
    int64_t column = x / side, row = z / side; // nothing is negative here
    bool on_x = x % side == 0, on_z = z % side == 0;
    bool here = !oracle_blocked(map, column, row), left = on_x && !oracle_blocked(map, column - 1, row),
         below = on_z && !oracle_blocked(map, column, row - 1),
         both = on_x && on_z && !oracle_blocked(map, column - 1, row - 1);
    if (on_x && on_z && here == both && left == below && here != left)
        return false;
    return here || left || below || both;
}

// Between two crossings of borders nothing changes, so it is enough to look at them and in between.
static inline bool oracle_is_covered(const tr_route_map *map, oracle_point a, oracle_point b) {
    oracle_moment moments[200] = {{0, 1}, {1, 1}};
    size_t count = 2;
    for (int axis = 0; axis < 2; axis++) {
        int64_t from = axis ? a.z : a.x, to = axis ? b.z : b.x, low = from < to ? from : to,
                high = from < to ? to : from;
        for (int64_t line = (low + 255) / 256 * 256; line <= high && low < high; line += 256)
            moments[count++] = (oracle_moment){from < to ? line - from : from - line, high - low};
    }
    qsort(moments, count, sizeof *moments, oracle_compare);
    for (size_t i = 0; i < count; i++) {
        if (!oracle_point_is_free(map, a, b, moments[i]))
            return false;
        oracle_moment s = moments[i], t = moments[i + 1 < count ? i + 1 : i];
        oracle_moment middle = {s.above * t.below + t.above * s.below, 2 * s.below * t.below};
        if (!oracle_point_is_free(map, a, b, middle))
            return false;
    }
    return true;
}

static inline bool oracle_is_free(const tr_route_map *map, oracle_point a, oracle_point b, bool cut_corners) {
    int64_t width = (int64_t)map->grid.columns * 256, depth = (int64_t)map->grid.rows * 256;
    int64_t keep = cut_corners ? 0 : 1;
    if (a.x < 0 || b.x < 0 || a.z < 0 || b.z < 0 || a.x > width || b.x > width || a.z > depth || b.z > depth)
        return false;
    for (int64_t row = -1; row <= map->grid.rows; row++)
        for (int64_t column = -1; column <= map->grid.columns; column++)
            if (oracle_blocked(map, column, row) &&
                oracle_enters(a, b, column * 256 - keep, row * 256 - keep, column * 256 + 256 + keep,
                              row * 256 + 256 + keep))
                return false;
    return !cut_corners || oracle_is_covered(map, a, b);
}

// Where a shortest route may bend: where one of four cells is blocked. `keep` units off it.
static inline bool oracle_corner(const tr_route_map *map, int64_t column, int64_t row, int64_t keep,
                                 oracle_point *corner) {
    int count = 0;
    for (int i = 0; i < 4; i++)
        if (oracle_blocked(map, column - 1 + (i & 1), row - 1 + (i >> 1))) {
            count++;
            *corner =
                (oracle_point){column * 256 + (i & 1 ? -keep : keep), row * 256 + (i >> 1 ? -keep : keep)};
        }
    return count == 1;
}

#define ORACLE_CORNERS 512

static inline double oracle_distance(oracle_point a, oracle_point b) {
    return sqrt((double)((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z))) / 256;
}

// The length of the shortest any-angle route in cells: a visibility graph and Dijkstra. INFINITY: none.
static inline double oracle_shortest(const tr_route_map *map, oracle_point start, oracle_point goal,
                                     bool cut_corners) {
    static oracle_point points[ORACLE_CORNERS];
    static double costs[ORACLE_CORNERS];
    static bool done[ORACLE_CORNERS];
    uint32_t count = 2;
    points[0] = start, points[1] = goal;
    for (int64_t row = 0; row <= map->grid.rows; row++)
        for (int64_t column = 0; column <= map->grid.columns; column++)
            count += count < ORACLE_CORNERS &&
                     oracle_corner(map, column, row, cut_corners ? 0 : 1, &points[count]);
    for (uint32_t i = 0; i < count; i++)
        costs[i] = i == 0 ? 0 : INFINITY, done[i] = false;
    for (;;) {
        uint32_t best = count;
        for (uint32_t i = 0; i < count; i++)
            best = !done[i] && costs[i] < INFINITY && (best == count || costs[i] < costs[best]) ? i : best;
        if (best == count || best == 1)
            return costs[1];
        done[best] = true;
        for (uint32_t i = 0; i < count; i++) {
            double cost = costs[best] + oracle_distance(points[best], points[i]);
            if (cost < costs[i] && oracle_is_free(map, points[best], points[i], cut_corners))
                costs[i] = cost;
        }
    }
}

// A cheapest path of cells (985 and 1393, 8 neighbours) by Dijkstra; the number of cells, 0 for none.
static inline uint32_t oracle_path(const tr_route_map *map, uint32_t start, uint32_t goal, bool cut_corners,
                                   uint32_t *cells) {
    uint32_t nodes = tr_route_map_nodes(map), pitch = map->pitch, count = 0;
    uint32_t *costs = malloc(nodes * sizeof *costs), *parents = malloc(nodes * sizeof *parents);
    bool *done = calloc(nodes, sizeof *done);
    memset(costs, 0xff, nodes * sizeof *costs);
    costs[start] = 0, parents[start] = TR_NONE;
    for (uint32_t here = start; here != TR_NONE && here != goal;) {
        done[here] = true;
        for (int i = 0; i < 9; i++) {
            int dx = i % 3 - 1, dz = i / 3 - 1;
            uint32_t there = here + (uint32_t)dx + (uint32_t)dz * pitch;
            if (i == 4 || !tr_route_map_is_free(map, there))
                continue;
            int sides = tr_route_map_is_free(map, here + (uint32_t)dx) +
                        tr_route_map_is_free(map, here + (uint32_t)dz * pitch);
            uint32_t cost = costs[here] + (dx && dz ? 1393 : 985);
            if (dx && dz && sides < (cut_corners ? 1 : 2))
                continue;
            if (cost < costs[there])
                costs[there] = cost, parents[there] = here;
        }
        here = TR_NONE;
        for (uint32_t i = 0; i < nodes; i++)
            here =
                !done[i] && costs[i] != UINT32_MAX && (here == TR_NONE || costs[i] < costs[here]) ? i : here;
    }
    if (costs[goal] != UINT32_MAX) {
        for (uint32_t i = goal; i != TR_NONE; i = parents[i])
            count++;
        for (uint32_t i = goal, k = count; i != TR_NONE; i = parents[i])
            cells[--k] = i;
    }
    free(costs), free(parents), free(done);
    return count;
}
