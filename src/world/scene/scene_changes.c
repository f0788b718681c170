#include "scene_changes.h"

#include <math.h>

tr_status tr_scene_changes_reserve(scene_changes *changes, const tr_allocator *allocator,
                                   const tr_scene *scene, tr_error *error) {
    uint32_t count = tr_scene_object_count(scene);
    if (!tr_reserve(allocator, (void **)&changes->seen, &changes->capacity, count, sizeof *changes->seen))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to remember %u objects", count);
    return TR_OK;
}

void tr_scene_changes_release(scene_changes *changes, const tr_allocator *allocator) {
    tr_release(allocator, changes->seen, changes->capacity, sizeof *changes->seen);
}

bool tr_scene_changes_know(const scene_changes *changes, const tr_scene *scene) {
    return changes->scene == scene && changes->identity == scene->identity;
}

void tr_scene_changes_drawn(scene_changes *changes, const tr_scene *scene) {
    changes->scene = scene;
    changes->identity = scene ? scene->identity : 0;
}

static uint16_t clamp_cell(double value, uint32_t most) {
    return value <= 0 ? 0 : value >= most ? (uint16_t)most : (uint16_t)value;
}

// All cells that an object may have set or may set: its box, with a margin for the slack and for rounding.
static seen_object look_at(const seen_part *part, const tr_scene *scene, uint32_t number) {
    const scene_object *object = &scene->objects[number];
    const tr_grid *grid = part->grid;
    seen_object seen = {0, 0, 0, 0};
    if (scene_is_excluded(part->exclude, part->exclude_count, number)) {
        seen.column_begin = seen.row_begin = SEEN_EXCLUDED;
        return seen;
    }
    tr_box box = object->drawn.emit ? drawn_reach(object->bounds) : object->bounds;
    if (object->removed || (object->tags & part->exclude_tags) || number == part->exclude_object ||
        tr_box_is_empty(box))
        return seen;
    double height_room = part->height_room + 1e-5 * (fabs(box.min.y) + fabs(box.max.y));
    if (box.max.y + height_room < part->low || box.min.y - height_room > part->high)
        return seen;
    double far = fmax(fmax(fabs(box.min.x), fabs(box.max.x)), fmax(fabs(box.min.z), fabs(box.max.z)));
    double room = 0.125 + 1e-6 * far / grid->cell;
    seen.column_begin =
        clamp_cell(floor(((double)box.min.x - grid->origin.x) / grid->cell - room), grid->columns);
    seen.row_begin = clamp_cell(floor(((double)box.min.z - grid->origin.z) / grid->cell - room), grid->rows);
    seen.column_end =
        clamp_cell(floor(((double)box.max.x - grid->origin.x) / grid->cell + room) + 1, grid->columns);
    seen.row_end =
        clamp_cell(floor(((double)box.max.z - grid->origin.z) / grid->cell + room) + 1, grid->rows);
    return seen;
}

static tr_cells cells_under(const seen_object *seen) {
    tr_cells cells = {seen->column_begin, seen->row_begin, seen->column_end, seen->row_end};
    return cells;
}

void tr_scene_changes_see(scene_changes *changes, const seen_part *part, const tr_scene *scene) {
    changes->count = tr_scene_object_count(scene);
    changes->revision = scene->revision;
    for (uint32_t i = 0; i < changes->count; i++)
        changes->seen[i] = look_at(part, scene, i);
}

void tr_scene_changes_find(scene_changes *changes, const seen_part *part, const tr_scene *scene,
                           dirty_list *list) {
    uint32_t count = tr_scene_object_count(scene);
    for (uint32_t i = 0; i < count; i++) {
        bool was_out = i < changes->count && changes->seen[i].column_begin == SEEN_EXCLUDED;
        if (i < changes->count && scene->objects[i].revision <= changes->revision &&
            was_out == scene_is_excluded(part->exclude, part->exclude_count, i))
            continue;
        seen_object now = look_at(part, scene, i);
        if (i < changes->count)
            tr_dirty_add(list, cells_under(&changes->seen[i]));
        tr_dirty_add(list, cells_under(&now));
        changes->seen[i] = now;
    }
    changes->count = count;
    changes->revision = scene->revision;
}
