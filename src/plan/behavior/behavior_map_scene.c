// A behavior map made from a scene: the terrain first, then what moves, in slots.
#include "behavior_map_scene.h"
#include "world/scene/scene_data.h"

#include <string.h>

#define STEP 0.15f // by default [m]
#define STEP_MOST 2.0f

tr_status tr_behavior_scene_check(const tr_behavior_scene *from, tr_error *error) {
    if (!from->scene || !from->raster)
        return tr_fail(error, TR_INVALID, "a behavior map is built from a scene, with a rasteriser");
    if (!from->floors || from->floor_count == 0)
        return tr_fail(error, TR_INVALID, "no place on the floor is given");
    if (!isfinite(from->time) || fabs(from->time) > 1e9)
        return tr_fail(error, TR_INVALID, "the time is %g s, it must be -1e9 to 1e9", from->time);
    if (!(from->step >= 0 && from->step <= STEP_MOST))
        return tr_fail(error, TR_INVALID, "the step is %g m, it must be 0 to %g", (double)from->step,
                       (double)STEP_MOST);
    if (!(from->doubt >= 0 && from->doubt <= 10))
        return tr_fail(error, TR_INVALID, "the doubt is %g m/s, it must be 0 to 10", (double)from->doubt);
    if (!(from->doubt_seconds >= 0 && from->doubt_seconds <= 60))
        return tr_fail(error, TR_INVALID, "motions are guessed for %g s, it must be 0 to 60",
                       from->doubt_seconds);
    for (uint32_t i = 0; i < from->floor_count; i++)
        if (!tr_vec3_is_finite(from->floors[i]))
            return tr_fail(error, TR_INVALID, "place %u on the floor is not finite", i);
    return TR_OK;
}

// How far up and down moves climb.
static void find_climbs(const tr_behavior_def *machine, behavior_terrain_def *def) {
    for (uint32_t i = 0; i < machine->state_count; i++) {
        const tr_behavior_state *state = &machine->states[i];
        for (uint32_t k = 0; k < state->move_count && machine->bands[state->serves].climbs; k++) {
            float rise = state->moves[k].rise;
            def->climb_up = rise > def->climb_up ? rise : def->climb_up;
            def->climb_down = -rise > def->climb_down ? -rise : def->climb_down;
        }
    }
}

behavior_terrain_def tr_behavior_scene_terrain(const tr_behavior_map *map, const tr_behavior_scene *from) {
    behavior_terrain_def def = {.allocator = map->allocator,
                                .grid = map->grid,
                                .bands = map->behavior->def.bands,
                                .band_count = map->behavior->def.band_count,
                                .radius = (float)map->growth,
                                .step = from->step > 0 ? from->step : STEP,
                                .seeds = from->floors,
                                .seed_count = from->floor_count};
    find_climbs(&map->behavior->def, &def);
    return def;
}

behavior_sweep_def tr_behavior_scene_sweep(const tr_behavior_map *map, const tr_behavior_scene *from,
                                           const behavior_terrain_def *terrain) {
    double slot = map->slot_frames / map->behavior->def.frames_per_second;
    behavior_sweep_def sweep = {map->allocator, terrain, &map->terrain, from->time, slot};
    return sweep;
}

// --- Objects ---

void tr_behavior_scene_look(const tr_scene *scene, uint32_t number, behavior_object *seen) {
    tr_object_view view = tr_scene_object(scene, number);
    seen->revision = view.revision;
    seen->trajectory_revision = scene->objects[number].trajectory_revision;
    seen->placement = view.placement;
    if (view.removed || (view.tags & TR_TAG_CHARACTER))
        seen->kind = BEHAVIOR_NOTHING;
    else if (tr_scene_trajectory(scene, number))
        seen->kind = BEHAVIOR_KNOWN;
    else if (seen->kind != BEHAVIOR_GUESSED)
        seen->kind = BEHAVIOR_TERRAIN;
}

static tr_status look_at_all(tr_behavior_map *map, const tr_scene *scene, tr_error *error) {
    uint32_t count = tr_scene_object_count(scene);
    void *objects = map->scene_objects;
    bool room =
        tr_reserve(&map->allocator, &objects, &map->scene_object_capacity, count, sizeof *map->scene_objects);
    map->scene_objects = objects;
    map->scene_object_count = 0;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u objects", count);
    map->scene_object_count = count;
    for (uint32_t i = 0; i < count; i++) {
        map->scene_objects[i] = (behavior_object){.kind = BEHAVIOR_TERRAIN};
        tr_behavior_scene_look(scene, i, &map->scene_objects[i]);
    }
    return TR_OK;
}

tr_status tr_behavior_scene_occupy(void *user, uint32_t band, uint32_t first, uint32_t last, tr_cells window,
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

// Passes cells on and joins their windows.
typedef struct area_sink {
    const behavior_sweep_sink *sink;
    tr_cells area;
} area_sink;

static tr_status take_area(void *user, uint32_t band, uint32_t first, uint32_t last, tr_cells window,
                           const tr_bitmap *cells) {
    area_sink *area = user;
    area->area = behavior_join(area->area, window);
    return area->sink->take(area->sink->user, band, first, last, window, cells);
}

tr_status tr_behavior_scene_sweep_object(tr_behavior_map *map, const tr_behavior_scene *from, uint32_t number,
                                         uint32_t first, uint32_t last, const behavior_guess *guess,
                                         const behavior_sweep_sink *sink, tr_error *error) {
    behavior_object *object = &map->scene_objects[number];
    behavior_terrain_def terrain = tr_behavior_scene_terrain(map, from);
    behavior_sweep_def sweep = tr_behavior_scene_sweep(map, from, &terrain);
    area_sink area = {.sink = sink};
    behavior_sweep_sink joined = {take_area, &area};
    tr_status status =
        object->kind == BEHAVIOR_KNOWN
            ? tr_behavior_sweep_known(&sweep, from->scene, number, first, last, &joined, error)
            : tr_behavior_sweep_guessed(&sweep, from->scene, number, first, last, guess, &joined, error);
    object->area = behavior_join(object->area, area.area);
    object->first = first;
    object->last = last;
    return status;
}

static tr_status take_objects(tr_behavior_map *map, const tr_behavior_scene *from, tr_error *error) {
    behavior_sweep_sink sink = {tr_behavior_scene_occupy, map};
    tr_status status = TR_OK;
    tr_behavior_map_clear_objects(map);
    for (uint32_t i = 0; i < map->scene_object_count && status == TR_OK; i++)
        if (map->scene_objects[i].kind == BEHAVIOR_KNOWN)
            status = tr_behavior_scene_sweep_object(map, from, i, 0, map->slot_count, NULL, &sink, error);
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

tr_status tr_behavior_scene_make_terrain(tr_behavior_map *map, const tr_behavior_scene *from,
                                         tr_error *error) {
    behavior_terrain_def def = tr_behavior_scene_terrain(map, from);
    uint32_t objects = map->scene_object_count, words = (objects + 63) / 64;
    uint64_t *exclude = tr_allocate_zero(&map->allocator, words, sizeof *exclude);
    behavior_terrain made;
    memset(&made, 0, sizeof made);
    if (!exclude)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u objects", objects);
    for (uint32_t i = 0; i < objects; i++)
        if (map->scene_objects[i].kind != BEHAVIOR_TERRAIN)
            exclude[i / 64] |= (uint64_t)1 << (i % 64);
    def.exclude = exclude;
    def.exclude_count = objects;
    tr_status status = tr_behavior_terrain_make(&def, from->raster, from->scene, &made, error);
    if (status == TR_OK)
        status = take_heights(map, &made, from->floors[0].y, error);
    if (status == TR_OK) {
        for (uint32_t band = 0; band < def.band_count; band++)
            tr_behavior_map_block(map, band, &made.blocked[band], false);
        tr_behavior_terrain_free(&map->allocator, &map->grid, &map->terrain);
        map->terrain = made;
        status = tr_behavior_map_finish(map, error);
    } else {
        tr_behavior_terrain_free(&map->allocator, &map->grid, &made);
    }
    tr_release(&map->allocator, exclude, words, sizeof *exclude);
    return status;
}

tr_status tr_behavior_map_build(tr_behavior_map *map, const tr_behavior_scene *from, tr_error *error) {
    tr_status status = tr_behavior_scene_check(from, error);
    if (status == TR_OK)
        status = look_at_all(map, from->scene, error);
    if (status == TR_OK)
        status = tr_behavior_scene_make_terrain(map, from, error);
    if (status == TR_OK)
        status = take_objects(map, from, error);
    map->scene_frame = 0;
    if (status != TR_OK)
        map->scene_object_count = 0;
    return status;
}
