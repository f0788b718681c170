// What follows from the static obstacles of a behavior map: near regions, the places from which a special
// motion may reach its obstacle; parts that walls separate; and coarse cells for distances.
#include "behavior_map_data.h"
#include "troupe/world/occupancy.h"

#include <string.h>

// --- Near regions ---

// How far states that serve a band go until their action [m].
static float reach_of(const tr_behavior *behavior, uint32_t band) {
    float reach = 0;
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        if (behavior->states[i].serves == band && behavior->infos[i].reach > reach)
            reach = behavior->infos[i].reach;
    return reach;
}

static bool find_within(const tr_behavior_map *map, uint32_t band, tr_bitmap *within) {
    bool any = false;
    tr_bitmap_clear(within);
    for (uint32_t row = 0; row < map->grid.rows; row++)
        for (uint32_t column = 0; column < map->grid.columns; column++) {
            uint8_t blocked = map->blocked[(size_t)row * map->grid.columns + column];
            if ((blocked & 1) && !(blocked >> band & 1)) {
                tr_bitmap_set(within, column, row);
                any = true;
            }
        }
    return any;
}

static tr_status find_near(tr_behavior_map *map, uint32_t band, tr_bitmap *within, tr_bitmap *near) {
    const tr_grid *grid = &map->grid;
    double radius = ((double)reach_of(map->behavior, band) + 1e-3) * (double)map->per_metre;
    size_t words = tr_occupancy_grow_scratch(grid->columns, radius);
    uint64_t *scratch = tr_allocate(&map->allocator, words, sizeof *scratch);
    tr_status status =
        scratch ? tr_occupancy_grow(within, near, TR_GROWTH_SAFE, radius, tr_grid_all(grid), scratch, words)
                : TR_OUT_OF_MEMORY;
    for (uint32_t row = 0; status == TR_OK && row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++)
            if (tr_bitmap_get(near, column, row))
                map->near[(size_t)row * grid->columns + column] |= (uint8_t)(1u << band);
    tr_release(&map->allocator, scratch, words, sizeof *scratch);
    return status;
}

static tr_status find_all_near(tr_behavior_map *map) {
    const tr_grid *grid = &map->grid;
    tr_bitmap within = {0}, near = {0};
    memset(map->near, 0, (size_t)grid->columns * grid->rows);
    if (!map->behavior->special_bands)
        return TR_OK;
    tr_status status = tr_bitmap_create(&map->allocator, grid->columns, grid->rows, &within);
    if (status == TR_OK)
        status = tr_bitmap_create(&map->allocator, grid->columns, grid->rows, &near);
    for (uint32_t band = 1; band < map->behavior->def.band_count && status == TR_OK; band++)
        if ((map->behavior->special_bands >> band & 1) && find_within(map, band, &within))
            status = find_near(map, band, &within, &near);
    tr_bitmap_destroy(&map->allocator, &within);
    tr_bitmap_destroy(&map->allocator, &near);
    return status;
}

// --- Parts ---

// Whether a body can be in a cell in some posture that it can get into.
static bool is_passable(const tr_behavior_map *map, size_t cell) {
    return (~map->blocked[cell] & (map->behavior->special_bands | 1)) != 0;
}

// Between two discs a body may pass a cell that is not free: cells within half a step of a free one count as
// passable. `parents` receives TR_NONE for all others.
static void mark_passable(const tr_behavior_map *map, uint32_t *parents) {
    uint32_t columns = map->grid.columns, rows = map->grid.rows;
    double half = (double)map->behavior->hop / 2 * (double)map->per_metre;
    uint32_t margin = half < columns ? (uint32_t)half + 1 : columns;
    for (uint32_t row = 0; row < rows; row++) { // rightwards and leftwards in each row
        uint32_t *line = parents + (size_t)row * columns;
        for (uint32_t i = 0, since = margin + 1; i < columns; i++) {
            since = is_passable(map, (size_t)row * columns + i) ? 0 : since + 1;
            line[i] = since <= margin ? 0 : TR_NONE;
        }
        for (uint32_t i = columns, since = margin + 1; i-- > 0;) {
            since = is_passable(map, (size_t)row * columns + i) ? 0 : since + 1;
            line[i] = since <= margin ? 0 : line[i];
        }
    }
    for (uint32_t column = 0; column < columns; column++) { // 1: passable by a cell above or below
        for (uint32_t row = 0, since = margin + 1; row < rows; row++) {
            uint32_t *cell = &parents[(size_t)row * columns + column];
            since = *cell == 0 ? 0 : since + 1;
            *cell = *cell != 0 && since <= margin ? 1 : *cell;
        }
        for (uint32_t row = rows, since = margin + 1; row-- > 0;) {
            uint32_t *cell = &parents[(size_t)row * columns + column];
            since = *cell == 0 ? 0 : since + 1;
            *cell = *cell != 0 && since <= margin ? 1 : *cell;
        }
    }
}

static uint32_t root_of(uint32_t *parents, uint32_t cell) {
    while (parents[cell] != cell)
        cell = parents[cell] = parents[parents[cell]];
    return cell;
}

static void join(uint32_t *parents, uint32_t a, uint32_t b) {
    if (parents[b] == TR_NONE)
        return;
    a = root_of(parents, a);
    b = root_of(parents, b);
    parents[a > b ? a : b] = a > b ? b : a;
}

static tr_status find_parts(tr_behavior_map *map) {
    uint32_t columns = map->grid.columns, rows = map->grid.rows;
    size_t cells = (size_t)columns * rows;
    uint32_t *parents = cells < TR_NONE ? tr_allocate(&map->allocator, cells, sizeof *parents) : NULL;
    memset(map->parts, 0, cells * sizeof *map->parts);
    if (!parents)
        return TR_OUT_OF_MEMORY;
    mark_passable(map, parents);
    for (uint32_t i = 0; i < cells; i++)
        parents[i] = parents[i] == TR_NONE ? TR_NONE : i;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t column = i % columns;
        if (parents[i] == TR_NONE)
            continue;
        if (column > 0)
            join(parents, i, i - 1);
        for (uint32_t k = 0; i >= columns && k < 3; k++) // the three cells of the row before
            if (column + k >= 1 && column + k <= columns)
                join(parents, i, i - columns + k - 1);
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < cells; i++) {
        uint32_t root = parents[i] == TR_NONE ? TR_NONE : root_of(parents, i);
        if (root == i)
            map->parts[i] = (uint16_t)(count < UINT16_MAX ? ++count : 0);
        else if (root != TR_NONE)
            map->parts[i] = map->parts[root];
    }
    tr_release(&map->allocator, parents, cells, sizeof *parents);
    return TR_OK;
}

// --- Coarse cells ---

static void find_open(tr_behavior_map *map) {
    uint32_t useful = map->behavior->special_bands | 1;
    size_t words = (size_t)map->coarse_stride * (map->coarse_rows + 2);
    memset(map->open, 0, words * sizeof *map->open);
    memset(map->upright, 0, words * sizeof *map->upright);
    memset(map->postures, 0, (size_t)map->coarse_columns * map->coarse_rows);
    for (uint32_t row = 0; row < map->grid.rows; row++) {
        const uint8_t *blocked = map->blocked + (size_t)row * map->grid.columns;
        uint8_t *postures = map->postures + (size_t)(row / map->coarse) * map->coarse_columns;
        for (uint32_t column = 0; column < map->grid.columns; column++)
            postures[column / map->coarse] |= (uint8_t)(~blocked[column] & useful);
    }
    for (uint32_t row = 0; row < map->coarse_rows; row++)
        for (uint32_t column = 0; column < map->coarse_columns; column++) {
            size_t word = (size_t)(row + 1) * map->coarse_stride + 1 + column / 64;
            uint64_t postures = map->postures[(size_t)row * map->coarse_columns + column];
            map->open[word] |= (uint64_t)(postures != 0) << (column % 64);
            map->upright[word] |= (postures & 1) << (column % 64);
        }
}

tr_status tr_behavior_map_finish(tr_behavior_map *map, tr_error *error) {
    size_t cells = (size_t)map->grid.columns * map->grid.rows;
    tr_status parts = find_parts(map), near = find_all_near(map);
    find_open(map);
    if (near != TR_OK)
        memset(map->near, 0xff, cells);
    if (parts == TR_OK && near == TR_OK)
        return TR_OK;
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the regions of a behavior map of %u x %u cells",
                   map->grid.columns, map->grid.rows);
}
