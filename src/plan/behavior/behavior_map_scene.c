// A behavior map made from a scene: the terrain first, then what moves, in slots.
#include "behavior_map_data.h"
#include "behavior_sweep.h"

#include <string.h>

#define STEP 0.15f // by default [m]
#define STEP_MOST 2.0f

static tr_status check(const tr_behavior_scene *from, tr_error *error) {
    if (!from->scene || !from->raster)
        return tr_fail(error, TR_INVALID, "a behavior map is built from a scene, with a rasteriser");
    if (!from->floors || from->floor_count == 0)
        return tr_fail(error, TR_INVALID, "no place on the floor is given");
    if (!isfinite(from->time) || fabs(from->time) > 1e9)
        return tr_fail(error, TR_INVALID, "the time is %g s, it must be -1e9 to 1e9", from->time);
    if (!(from->step >= 0 && from->step <= STEP_MOST))
        return tr_fail(error, TR_INVALID, "the step is %g m, it must be 0 to %g", (double)from->step,
                       (double)STEP_MOST);
    for (uint32_t i = 0; i < from->floor_count; i++)
        if (!tr_vec3_is_finite(from->floors[i]))
            return tr_fail(error, TR_INVALID, "place %u on the floor is not finite", i);
    return TR_OK;
}

// --- Objects ---

static tr_status occupy(void *user, uint32_t band, uint32_t first, uint32_t last, tr_cells window,
                        const tr_bitmap *cells) {
    tr_behavior_map *map = user;
    for (uint32_t row = 0; row < cells->rows; row++)
        for (uint32_t column = 0; column < cells->columns; column++)
            if (tr_bitmap_get(cells, column, row) &&
                !tr_behavior_map_occupy(map, band, window.column_begin + column, window.row_begin + row,
                                        first, last - 1))
                return TR_OUT_OF_MEMORY;
    return TR_OK;
}

static bool moves(const tr_scene *scene, uint32_t object) {
    return tr_scene_trajectory(scene, object) && !(tr_scene_object(scene, object).tags & TR_TAG_CHARACTER);
}

static tr_status take_objects(tr_behavior_map *map, const tr_behavior_scene *from,
                              const behavior_terrain_def *def, tr_error *error) {
    double rate = map->behavior->def.frames_per_second;
    behavior_sweep_def sweep = {map->allocator, def, &map->terrain, from->time, map->slot_frames / rate};
    behavior_sweep_sink sink = {occupy, map};
    tr_status status = TR_OK;
    tr_behavior_map_clear_objects(map);
    for (uint32_t i = 0; i < tr_scene_object_count(from->scene) && status == TR_OK; i++)
        if (moves(from->scene, i))
            status = tr_behavior_sweep_known(&sweep, from->scene, i, 0, map->slot_count, &sink, error);
    if (status != TR_OK)
        tr_behavior_map_clear_objects(map);
    return status;
}

// --- Terrain ---

// Cells that no floor reaches get the height of the first place, so that all heights are numbers.
static tr_status take_heights(tr_behavior_map *map, const behavior_terrain *terrain, float level,
                              tr_error *error) {
    size_t cells = (size_t)map->grid.columns * map->grid.rows;
    float *heights = tr_allocate(&map->allocator, cells, sizeof *heights);
    if (!heights)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the heights of the floor");
    for (size_t i = 0; i < cells; i++)
        heights[i] = terrain->heights[i] == terrain->heights[i] ? terrain->heights[i] : level;
    tr_status status = tr_behavior_map_set_heights(map, heights, error);
    tr_release(&map->allocator, heights, cells, sizeof *heights);
    return status;
}

static tr_status take_terrain(tr_behavior_map *map, const tr_behavior_scene *from, behavior_terrain_def *def,
                              tr_error *error) {
    uint32_t objects = tr_scene_object_count(from->scene), words = (objects + 63) / 64;
    uint64_t *exclude = tr_allocate_zero(&map->allocator, words, sizeof *exclude);
    behavior_terrain made;
    memset(&made, 0, sizeof made);
    if (!exclude)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u objects", objects);
    for (uint32_t i = 0; i < objects; i++)
        if (moves(from->scene, i))
            exclude[i / 64] |= (uint64_t)1 << (i % 64);
    def->exclude = exclude;
    def->exclude_count = objects;
    tr_status status = tr_behavior_terrain_make(def, from->raster, from->scene, &made, error);
    if (status == TR_OK)
        status = take_heights(map, &made, from->floors[0].y, error);
    if (status == TR_OK) {
        for (uint32_t band = 0; band < def->band_count; band++)
            tr_behavior_map_block(map, band, &made.blocked[band], false);
        tr_behavior_terrain_free(&map->allocator, &map->grid, &map->terrain);
        map->terrain = made;
        status = tr_behavior_map_finish(map, error);
    } else {
        tr_behavior_terrain_free(&map->allocator, &map->grid, &made);
    }
    tr_release(&map->allocator, exclude, words, sizeof *exclude);
    def->exclude = NULL;
    def->exclude_count = 0;
    return status;
}

tr_status tr_behavior_map_build(tr_behavior_map *map, const tr_behavior_scene *from, tr_error *error) {
    tr_status status = check(from, error);
    if (status != TR_OK)
        return status;
    behavior_terrain_def def = {.allocator = map->allocator,
                                .grid = map->grid,
                                .bands = map->behavior->def.bands,
                                .band_count = map->behavior->def.band_count,
                                .radius = (float)map->growth,
                                .step = from->step > 0 ? from->step : STEP,
                                .seeds = from->floors,
                                .seed_count = from->floor_count};
    status = take_terrain(map, from, &def, error);
    return status == TR_OK ? take_objects(map, from, &def, error) : status;
}
