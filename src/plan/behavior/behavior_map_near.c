// Near regions: the places from which a special motion may reach its obstacle.
#include "behavior_map_data.h"
#include "troupe/world/occupancy.h"

#include <string.h>

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

tr_status tr_behavior_map_finish(tr_behavior_map *map, tr_error *error) {
    const tr_grid *grid = &map->grid;
    size_t cells = (size_t)grid->columns * grid->rows;
    memset(map->near, 0, cells);
    if (!map->behavior->special_bands)
        return TR_OK;
    tr_bitmap within = {0}, near = {0};
    tr_status status = tr_bitmap_create(&map->allocator, grid->columns, grid->rows, &within);
    if (status == TR_OK)
        status = tr_bitmap_create(&map->allocator, grid->columns, grid->rows, &near);
    for (uint32_t band = 1; band < map->behavior->def.band_count && status == TR_OK; band++)
        if ((map->behavior->special_bands >> band & 1) && find_within(map, band, &within))
            status = find_near(map, band, &within, &near);
    tr_bitmap_destroy(&map->allocator, &within);
    tr_bitmap_destroy(&map->allocator, &near);
    if (status == TR_OK)
        return TR_OK;
    memset(map->near, 0xff, cells);
    return tr_fail(error, status, "no memory for the regions near special obstacles");
}
