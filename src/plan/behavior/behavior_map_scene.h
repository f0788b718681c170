// Shared by building and updating a behavior map from a scene. Internal.
#pragma once
#include "behavior_map_data.h"
#include "behavior_sweep.h"

tr_status tr_behavior_scene_check(const tr_behavior_scene *from, tr_error *error);
behavior_terrain_def tr_behavior_scene_terrain(const tr_behavior_map *map, const tr_behavior_scene *from);
// The terrain of all objects of that kind. On failure the map keeps its terrain.
tr_status tr_behavior_scene_make_terrain(tr_behavior_map *map, const tr_behavior_scene *from,
                                         tr_error *error);
behavior_sweep_def tr_behavior_scene_sweep(const tr_behavior_map *map, const tr_behavior_scene *from,
                                           const behavior_terrain_def *terrain);
// Sweeps an object that moves, in slots [first, last), with its kind, and keeps its area.
tr_status tr_behavior_scene_sweep_object(tr_behavior_map *map, const tr_behavior_scene *from, uint32_t object,
                                         uint32_t first, uint32_t last, const behavior_guess *guess,
                                         const behavior_sweep_sink *sink, tr_error *error);
// A sink that occupies cells of the map, its user.
tr_status tr_behavior_scene_occupy(void *map, uint32_t band, uint32_t first, uint32_t last, tr_cells window,
                                   const tr_bitmap *cells);
// Looks at an object of the scene.
void tr_behavior_scene_look(const tr_scene *scene, uint32_t object, behavior_object *seen);

static inline bool behavior_has_cells(tr_cells cells) {
    return cells.column_begin < cells.column_end && cells.row_begin < cells.row_end;
}
static inline tr_cells behavior_join(tr_cells a, tr_cells b) {
    if (!behavior_has_cells(a) || !behavior_has_cells(b))
        return behavior_has_cells(a) ? a : b;
    a.column_begin = b.column_begin < a.column_begin ? b.column_begin : a.column_begin;
    a.row_begin = b.row_begin < a.row_begin ? b.row_begin : a.row_begin;
    a.column_end = b.column_end > a.column_end ? b.column_end : a.column_end;
    a.row_end = b.row_end > a.row_end ? b.row_end : a.row_end;
    return a;
}
static inline bool behavior_meet(tr_cells a, tr_cells b) {
    return behavior_has_cells(a) && behavior_has_cells(b) && a.column_begin < b.column_end &&
           b.column_begin < a.column_end && a.row_begin < b.row_end && b.row_begin < a.row_end;
}
