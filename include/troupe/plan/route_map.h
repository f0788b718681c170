// troupe/plan/route_map.h - free and blocked cells for the route planners: bits with a border, by rows and by
// columns, so that walls are found 64 cells at a time in any direction.
#pragma once
#include "troupe/world/grid.h"

TR_BEGIN_DECLARATIONS

// A node is a cell of the map including its border: number = (row + 1) * pitch + column + 1. Its bit has the
// same number. The numbers of its neighbours differ by 1, pitch, pitch - 1 and pitch + 1. No neighbour of a
// cell is ever outside the map.
typedef struct tr_route_map {
    tr_allocator allocator;
    tr_grid grid;
    uint32_t pitch;         // bits in a row, a multiple of 64, at least columns + 2
    uint32_t pitch_turned;  // the same for the transposed bits: columns become rows
    uint64_t *free;         // bit set: free; rows + 2 rows, and a spare word at each end
    uint64_t *free_turned;  // bit (column + 1) * pitch_turned + row + 1
    const uint8_t *weights; // NULL, or a weight for each cell, row by row: see tr_route_map_set_weights
    uint64_t revision;      // grows with every change
} tr_route_map;

// Creates a map with all cells blocked. TR_LIMIT above 2^31 nodes.
TR_API tr_status tr_route_map_create(const tr_allocator *allocator, const tr_grid *grid, tr_route_map *map,
                                     tr_error *error);
TR_API void tr_route_map_destroy(tr_route_map *map);

// Copies the blocked cells of a bitmap of the grid's size: all of them, or those in `changed` (from
// tr_occupancy_changes). No allocation.
TR_API tr_status tr_route_map_set(tr_route_map *map, const tr_bitmap *blocked, tr_cells changed);
// Sets one cell; for editors and tests.
TR_API void tr_route_map_set_cell(tr_route_map *map, uint32_t column, uint32_t row, bool is_free);

// Sets cost weights: columns * rows values, row by row. The caller owns the array and keeps it valid while it
// is set (NULL: no weights). A step between two cells costs its length times 1 + (a + b) / 32, where a and b
// are the weights of the two: 0 is plain ground, 16 counts double, 255 nearly 17 times. Weights express
// preferences; they never block.
TR_API void tr_route_map_set_weights(tr_route_map *map, const uint8_t *weights);

TR_API uint32_t tr_route_map_nodes(const tr_route_map *map); // node numbers are below this
static inline uint32_t tr_route_map_node(const tr_route_map *map, uint32_t column, uint32_t row) {
    return (row + 1) * map->pitch + column + 1;
}
static inline uint32_t tr_route_map_column(const tr_route_map *map, uint32_t node) {
    return node % map->pitch - 1;
}
static inline uint32_t tr_route_map_row(const tr_route_map *map, uint32_t node) {
    return node / map->pitch - 1;
}
static inline bool tr_route_map_is_free(const tr_route_map *map, uint32_t node) {
    return map->free[node >> 6] >> (node & 63) & 1;
}
// Returns the free cell whose centre is nearest to the point (the lowest number among equals), at most
// `reach` metres away. Returns TR_NONE when there is none, or when the point is 2^30 cells away. The point
// may lie outside the map.
TR_API uint32_t tr_route_map_nearest_free(const tr_route_map *map, tr_vec2 point, float reach);

TR_END_DECLARATIONS
