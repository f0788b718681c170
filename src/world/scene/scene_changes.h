// Finds the cells of a grid under objects that moved since a map was drawn. Every map of a scene that can be
// updated keeps one. Internal to world/.
#pragma once
#include "world/occupancy/dirty_list.h"
#include "scene_data.h"

// Where an object was when it was drawn: all cells that it may have touched, none for an excluded object.
// Objects excluded by their bit begin at SEEN_EXCLUDED. A column fits into 16 bits (TR_GRID_SIDE_MAX).
typedef struct seen_object {
    uint16_t column_begin, row_begin, column_end, row_end;
} seen_object;

#define SEEN_EXCLUDED 0xffff

// The part of the scene that a map shows.
typedef struct seen_part {
    const tr_grid *grid;
    float low, high;    // [m]
    double height_room; // geometry this far outside the range may count too [m]
    uint32_t exclude_tags, exclude_object;
    const uint64_t *exclude; // bits of excluded objects; may be NULL
    uint32_t exclude_count;
} seen_part;

// Zero is valid: nothing was drawn.
typedef struct scene_changes {
    seen_object *seen;
    uint32_t count, capacity;
    const tr_scene *scene; // the one that was drawn; NULL: the map must be built
    uint64_t identity;
    uint64_t revision; // of the scene when the objects were seen: later changes have greater revisions
} scene_changes;

// Makes room for all objects of the scene. TR_OUT_OF_MEMORY: nothing was changed.
tr_status tr_scene_changes_reserve(scene_changes *changes, const tr_allocator *allocator,
                                   const tr_scene *scene, tr_error *error);
void tr_scene_changes_release(scene_changes *changes, const tr_allocator *allocator);
// Is this the scene that was drawn, and not another scene at the same address?
bool tr_scene_changes_know(const scene_changes *changes, const tr_scene *scene);
// The map is now up to date, or (NULL) must be drawn again. Reserve first.
void tr_scene_changes_drawn(scene_changes *changes, const tr_scene *scene);
// Records every object, for a map that is about to be built.
void tr_scene_changes_see(scene_changes *changes, const seen_part *part, const tr_scene *scene);
// Adds the cells under the old and the new place of changed objects, and records these objects again. Reserve
// first.
void tr_scene_changes_find(scene_changes *changes, const seen_part *part, const tr_scene *scene,
                           dirty_list *list);
