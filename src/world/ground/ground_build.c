// Builds a size of a ground from nothing.
//
// Most of a large world is one empty floor. A tile in the middle of such a floor needs no search: every cell
// leads to all its neighbours and is free.
#include "ground_data.h"

#include <string.h>

// Of each tile, a bit for each column with one cell, at the height of the tile's floor and with room for the
// body.
typedef struct even_tile {
    uint32_t rows[GROUND_TILE];
} even_tile;

static void find_even(const ground_measure *measure, const ground_tile *tile, even_tile *even) {
    for (uint32_t row = 0; row < GROUND_TILE; row++) {
        const uint16_t *offsets = tile->offsets + row * GROUND_TILE;
        uint32_t bits = 0;
        for (uint32_t column = 0; column < GROUND_TILE && tile->plain[row]; column++) {
            uint32_t first = offsets[column], count = offsets[column + 1] - first;
            bits |= (uint32_t)(count == 1 && ground_stands(measure, tile->rooms[first])) << column;
        }
        even->rows[row] = bits & tile->plain[row];
    }
}

// The columns of a tile within `reach` of another tile that is `off` tiles away along an axis (-1, 0, 1).
static void near_part(int32_t off, uint32_t reach, uint32_t *begin, uint32_t *end) {
    *begin = off < 0 ? GROUND_TILE - reach : 0;
    *end = off > 0 ? reach : GROUND_TILE;
}

// Whether all columns of a tile are even, and those around it within `reach` [1, GROUND_TILE], at the same
// height.
static bool is_amid(const tr_ground *ground, const even_tile *even, uint32_t tile, uint32_t reach) {
    uint32_t x = tile % ground->tile_columns, z = tile / ground->tile_columns;
    if (reach > GROUND_TILE || x == 0 || z == 0 || x + 1 >= ground->tile_columns ||
        z + 1 >= ground->tile_rows)
        return false;
    for (int32_t row = -1; row <= 1; row++)
        for (int32_t column = -1; column <= 1; column++) {
            uint32_t other = (uint32_t)((int32_t)tile + row * (int32_t)ground->tile_columns + column);
            uint32_t x0, x1, z0, z1;
            near_part(column, reach, &x0, &x1);
            near_part(row, reach, &z0, &z1);
            uint32_t mask = UINT32_MAX >> (GROUND_TILE - (x1 - x0)) << x0, all = mask;
            for (; z0 < z1; z0++)
                all &= even[other].rows[z0];
            if (all != mask || ground->tiles[other].floor != ground->tiles[tile].floor)
                return false;
        }
    return true;
}

// A size that differs only in its radius: its cells lead to the same cells. NULL: none.
static const ground_size *find_alike(const tr_ground *ground, const ground_measure *measure) {
    for (uint32_t i = 0; i < ground->size_count; i++) {
        const ground_measure *other = &ground->sizes[i].measure;
        if (other->need == measure->need && other->rise == measure->rise && other->over == measure->over &&
            other->span == measure->span && other->room == measure->room)
            return &ground->sizes[i];
    }
    return NULL;
}

static tr_cells window_of(const tr_ground *ground, uint32_t tile) {
    return surface_tile_window(&ground->grid, tile % ground->tile_columns, tile / ground->tile_columns);
}

static void find_ways(const tr_ground *ground, ground_size *size, const even_tile *even) {
    const ground_size *alike = find_alike(ground, &size->measure);
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        size_tile *tile = &size->tiles[i];
        if (tile->cell_count == 0)
            continue;
        if (alike)
            memcpy(tile->ways, alike->tiles[i].ways, tile->cell_count);
        else if (is_amid(ground, even, i, 1))
            memset(tile->ways, 15 * GROUND_OPEN, tile->cell_count);
        else
            tr_ground_find_ways(ground, size, window_of(ground, i), GROUND_ALL_WAYS);
    }
}

// Obstacles as far away as the halo do not affect whether a cell is free; steps of cells there depend on one
// more column.
static bool find_free(const tr_ground *ground, ground_size *size, const even_tile *even, uint64_t *changed,
                      ground_scratch *scratch) {
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        size_tile *tile = &size->tiles[i];
        if (is_amid(ground, even, i, size->measure.halo + 1))
            memset(tile->rects_of, 0, tile->cell_count * sizeof *tile->rects_of);
        else if (!tr_ground_find_free(ground, size, window_of(ground, i), changed, scratch))
            return false;
    }
    return true;
}

static bool build_tiles(const tr_ground *ground, ground_size *size, even_tile *even, uint64_t *changed,
                        ground_scratch *scratch) {
    for (uint32_t i = 0; i < ground->tile_count; i++) {
        if (!tr_ground_new_cells(ground, &ground->tiles[i], NULL, NULL, &size->tiles[i]))
            return false;
        find_even(&size->measure, &ground->tiles[i], &even[i]);
    }
    find_ways(ground, size, even);
    bool enough = find_free(ground, size, even, changed, scratch);
    for (uint32_t i = 0; enough && i < ground->tile_count; i++)
        enough = tr_ground_cut(ground, size, i, scratch);
    for (uint32_t i = 0; enough && i < ground->tile_count; i++) {
        size_tile cut = size->tiles[i];
        enough = tr_ground_join(ground, size, i, scratch);
        if (enough)
            tr_ground_release_mesh(ground, &cut);
    }
    return enough;
}

bool tr_ground_size_build(const tr_ground *ground, ground_size *size) {
    ground_scratch scratch = {0};
    uint32_t words = surface_words(ground->tile_count);
    uint64_t *changed = tr_allocate_zero(&ground->allocator, words, sizeof *changed);
    even_tile *even = tr_allocate(&ground->allocator, ground->tile_count, sizeof *even);
    size->tiles = tr_allocate_zero(&ground->allocator, ground->tile_count, sizeof *size->tiles);
    size->ends = tr_allocate(&ground->allocator, ground->link_count, sizeof *size->ends);
    bool enough = changed && even && size->tiles && size->ends &&
                  build_tiles(ground, size, even, changed, &scratch) && tr_ground_label(ground, size);
    tr_ground_scratch_release(ground, &scratch);
    tr_release(&ground->allocator, even, ground->tile_count, sizeof *even);
    tr_release(&ground->allocator, changed, words, sizeof *changed);
    if (!enough) {
        tr_ground_size_release(ground, size);
        return false;
    }
    tr_ground_find_ends(ground, size);
    tr_ground_label_links(ground, size);
    return true;
}
