// Columns of one tile of the surface: most neighbours of a cell are in the same tile, close to it in memory.
#pragma once
#include "surface_route_data.h"

typedef struct tr_surface_route_tile {
    const uint16_t *offsets; // of the current column: it begins at [0] and ends at [1]
    const uint16_t *heights; // of the cells of the tile
    const uint8_t *rooms;
    uint32_t first;  // number of the first cell
    uint32_t pitch;  // columns in a row
    uint32_t inside; // directions in which the next column is in the tile, as bits
} tr_surface_route_tile;

// For a column in the tile's own numbers.
static inline uint32_t tr_surface_route_inside(uint32_t column, uint32_t row, uint32_t columns,
                                               uint32_t rows) {
    return (column + 1 < columns) | (uint32_t)(row + 1 < rows) << 1 | (uint32_t)(column > 0) << 2 |
           (uint32_t)(row > 0) << 3;
}

static inline tr_surface_route_tile tr_surface_route_tile_at(const tr_surface_route *route, uint32_t column,
                                                             uint32_t row) {
    const tr_surface *surface = route->surface;
    const uint32_t low = TR_VOXEL_TILE - 1, x = column & low, z = row & low;
    const surface_tile *tile =
        &surface->cells.tiles[row / TR_VOXEL_TILE * surface->tile_columns + column / TR_VOXEL_TILE];
    uint32_t columns = surface_tile_side(column - x, route->grid.columns),
             rows = surface_tile_side(row - z, route->grid.rows);
    return (tr_surface_route_tile){surface->cells.offsets + tile->offsets + z * columns + x,
                                   surface->cells.heights + tile->position,
                                   surface->cells.rooms + tile->position,
                                   tile->first,
                                   columns,
                                   tr_surface_route_inside(x, z, columns, rows)};
}

// tr_surface_route_beside, if the next column is in the tile.
static inline bool tr_surface_route_beside_inside(const tr_surface_route *route,
                                                  const tr_surface_route_tile *tile,
                                                  const tr_surface_route_place *from, uint32_t direction,
                                                  tr_surface_route_place *to) {
    int32_t along_x = tr_surface_route_along_x(direction), along_z = tr_surface_route_along_z(direction);
    const uint16_t *offsets = tile->offsets + along_x + along_z * (int32_t)tile->pitch;
    for (uint32_t i = offsets[0]; i < offsets[1]; i++)
        if (tr_surface_route_stands(route, tile->rooms[i]) &&
            tr_surface_route_fits(route, from->height, from->room, tile->heights[i], tile->rooms[i])) {
            *to = (tr_surface_route_place){tile->first + i, (uint16_t)(from->column + along_x),
                                           (uint16_t)(from->row + along_z), tile->heights[i], tile->rooms[i]};
            return tr_surface_route_rises(route, from, to);
        }
    return false;
}

// tr_surface_route_step and the test for a neighbouring cell, for a place whose tile is known.
static inline bool tr_surface_route_beside_in(const tr_surface_route *route,
                                              const tr_surface_route_tile *tile,
                                              const tr_surface_route_place *from, uint32_t direction,
                                              tr_surface_route_place *to) {
    if (tile->inside >> direction & 1)
        return tr_surface_route_beside_inside(route, tile, from, direction, to);
    return tr_surface_route_beside(route, from, tr_surface_route_along_x(direction),
                                   tr_surface_route_along_z(direction), to);
}
static inline uint32_t tr_surface_route_step_in(const tr_surface_route *route,
                                                const tr_surface_route_tile *tile,
                                                const tr_surface_route_place *from, uint32_t direction,
                                                tr_surface_route_place *to) {
    if (tr_surface_route_beside_in(route, tile, from, direction, to))
        return 1;
    return route->span > 1 ? tr_surface_route_across(route, from, direction, to) : 0;
}
