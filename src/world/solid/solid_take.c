// Updates a solid from its scene: the whole scene, or what changed since.
#include "solid_grid.h"

#include <string.h>

#define TRIANGLES_MAX (1u << 27)

static tr_status out_of_memory(tr_error *error, uint64_t triangles) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %llu triangles", (unsigned long long)triangles);
}

static bool reserve_list(solid_list *list, const tr_allocator *allocator, uint64_t count) {
    return tr_reserve(allocator, (void **)&list->corners, &list->corner_capacity, count,
                      3 * sizeof *list->corners) &&
           tr_reserve(allocator, (void **)&list->names, &list->name_capacity, count, sizeof *list->names);
}

void tr_solid_list_release(solid_list *list, const tr_allocator *allocator) {
    tr_release(allocator, list->corners, list->corner_capacity, 3 * sizeof *list->corners);
    tr_release(allocator, list->names, list->name_capacity, sizeof *list->names);
    memset(list, 0, sizeof *list);
}

// In double and rounded once: a mesh far from its own origin that is moved back keeps its shape.
static tr_vec3 placed(const tr_affine *placement, tr_vec3 p) {
    float at[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *m = placement->m[axis];
        at[axis] = (float)((double)m[0] * p.x + (double)m[1] * p.y + (double)m[2] * p.z + (double)m[3]);
    }
    return tr_vec3_make(at[0], at[1], at[2]);
}

static void place_triangle(const tr_mesh *mesh, const tr_affine *placement, uint32_t triangle,
                           tr_vec3 corners[3]) {
    for (int k = 0; k < 3; k++)
        corners[k] = placed(placement, mesh->positions[mesh->indices[3 * (size_t)triangle + k]]);
}

// The list must have enough capacity.
static void list_mesh(solid_list *list, const tr_mesh *mesh, uint32_t number, const tr_affine *placement) {
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        place_triangle(mesh, placement, i, &list->corners[3 * (size_t)list->count]);
        list->names[list->count++] = (solid_name){number, i};
    }
}

typedef struct drawn_sink {
    tr_triangle_sink base;
    const tr_allocator *allocator;
    solid_list *list;
    uint32_t object;
    tr_box allowed;
    bool broken, full;
} drawn_sink;

static void take_drawn(tr_triangle_sink *base, const tr_vec3 *corners, uint32_t count) {
    drawn_sink *sink = (drawn_sink *)base;
    solid_list *list = sink->list;
    for (uint64_t i = 0; i < 3 * (uint64_t)count; i++)
        sink->broken = sink->broken || !box_holds(&sink->allowed, corners[i]);
    uint64_t sum = (uint64_t)list->count + count;
    sink->full = sink->full || sum > TRIANGLES_MAX || !reserve_list(list, sink->allocator, sum);
    if (sink->broken || sink->full)
        return;
    memcpy(&list->corners[3 * (size_t)list->count], corners, 3 * (size_t)count * sizeof *corners);
    for (uint32_t i = 0; i < count; i++) {
        list->names[list->count] = (solid_name){sink->object, list->count};
        list->count++;
    }
}

// The triangles that a drawn object emits; the list is emptied first.
static tr_status list_drawn(solid_list *list, const tr_solid *solid, uint32_t number, tr_error *error) {
    const scene_object *object = &solid->scene->objects[number];
    drawn_sink sink = {{take_drawn}, &solid->allocator, list, number, drawn_reach(object->bounds), false,
                       false};
    list->count = 0;
    object->drawn.emit(object->drawn.user, &sink.base);
    if (sink.broken)
        return tr_fail(error, TR_INVALID,
                       "drawn object %u (\"%s\") emitted a corner that is not finite or outside its bounds",
                       number, object->name ? object->name : "");
    if (sink.full)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the triangles of drawn object %u (\"%s\")",
                       number, object->name ? object->name : "");
    return TR_OK;
}

static bool is_shown(const tr_solid *solid, uint32_t number) {
    const scene_object *object = &solid->scene->objects[number];
    return !object->removed && !(object->tags & solid->exclude_tags) && number != solid->exclude_object;
}

static void show_mover(tr_solid *solid, uint32_t number, bool shown) {
    solid_mover *mover = &solid->movers[number];
    mover->shown = shown;
    tr_solid_node_set(&solid->tops[number / SOLID_WIDTH], number % SOLID_WIDTH,
                      shown ? solid_tree_bounds(&mover->tree) : tr_box_empty());
}

static tr_status add_mover(tr_solid *solid, uint32_t *number, tr_error *error) {
    uint32_t count = solid->mover_count, top = count / SOLID_WIDTH;
    if (!tr_reserve(&solid->allocator, (void **)&solid->movers, &solid->mover_capacity, (uint64_t)count + 1,
                    sizeof *solid->movers) ||
        !tr_reserve(&solid->allocator, (void **)&solid->tops, &solid->top_capacity, (uint64_t)top + 1,
                    sizeof *solid->tops))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u moving objects", count + 1);
    for (uint32_t i = 0; i < SOLID_WIDTH && count % SOLID_WIDTH == 0; i++)
        tr_solid_node_set(&solid->tops[top], i, tr_box_empty());
    memset(&solid->movers[count], 0, sizeof solid->movers[count]);
    *number = solid->mover_count++;
    return TR_OK;
}

// Moves the same triangles to other places.
static void move_tree(solid_tree *tree, const tr_scene *scene, uint32_t number, const tr_affine *placement,
                      const tr_vec3 *drawn) {
    const scene_object *object = &scene->objects[number];
    for (uint32_t slot = 0; slot < tree->packet_count * SOLID_WIDTH; slot++) {
        uint32_t triangle = tree->names[slot].triangle;
        if (triangle == TR_NONE)
            continue;
        tr_vec3 corners[3];
        if (drawn)
            memcpy(corners, &drawn[3 * (size_t)triangle], sizeof corners);
        else
            place_triangle(&scene->meshes[object->mesh], placement, triangle, corners);
        tr_solid_tree_set(tree, slot, corners);
    }
    tr_solid_tree_refit(tree);
}

static tr_status build_mesh_tree(solid_tree *tree, const tr_solid *solid, uint32_t number,
                                 const tr_affine *placement, tr_error *error) {
    const tr_mesh *mesh = &solid->scene->meshes[solid->scene->objects[number].mesh];
    uint32_t count = mesh->triangle_count;
    solid_list list = {0};
    tr_status status = TR_OK;
    if (count > TRIANGLES_MAX)
        return tr_fail(error, TR_LIMIT, "object %u has %u triangles, the maximum is %u", number, count,
                       TRIANGLES_MAX);
    if (!reserve_list(&list, &solid->allocator, count))
        status = out_of_memory(error, count);
    if (status == TR_OK) {
        list_mesh(&list, mesh, number, placement);
        status = tr_solid_tree_build(tree, &solid->allocator, &list, error);
    }
    tr_solid_list_release(&list, &solid->allocator);
    return status;
}

// An object that has, or gets, its own tree: builds the tree, or refits it to the new placement.
static tr_status take_mover(tr_solid *solid, uint32_t number, tr_error *error) {
    const scene_object *object = &solid->scene->objects[number];
    tr_status status = TR_OK;
    if (solid->objects[number].mover == TR_NONE)
        status = add_mover(solid, &solid->objects[number].mover, error);
    if (status != TR_OK)
        return status;
    solid_mover *mover = &solid->movers[solid->objects[number].mover];
    bool drawn = object->drawn.emit != NULL;
    if (drawn)
        status = list_drawn(&mover->drawn, solid, number, error);
    uint32_t count = drawn ? mover->drawn.count : solid->scene->meshes[object->mesh].triangle_count;
    if (status != TR_OK)
        return status;
    uint32_t before = mover->tree.triangle_count;
    if (count == before)
        move_tree(&mover->tree, solid->scene, number, &object->placement,
                  drawn ? mover->drawn.corners : NULL);
    else if (drawn)
        status = tr_solid_tree_build(&mover->tree, &solid->allocator, &mover->drawn, error);
    else
        status = build_mesh_tree(&mover->tree, solid, number, &object->placement, error);
    if (count != before)
        mover->built = object->placement;
    if (status == TR_OK)
        show_mover(solid, solid->objects[number].mover, true);
    return status;
}

static void remember(tr_solid *solid, uint32_t number, bool shown) {
    const scene_object *object = &solid->scene->objects[number];
    solid_object *known = &solid->objects[number];
    known->revision = object->revision;
    known->placement = object->placement;
    known->bounds = shown ? object->bounds : tr_box_empty();
}

tr_status tr_solid_reserve_objects(tr_solid *solid, tr_error *error) {
    uint32_t count = solid->scene->object_count;
    if (!tr_reserve(&solid->allocator, (void **)&solid->objects, &solid->object_capacity, count,
                    sizeof *solid->objects))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to remember %u objects", count);
    for (; solid->object_count < count; solid->object_count++)
        solid->objects[solid->object_count] = (solid_object){.bounds = tr_box_empty(), .mover = TR_NONE};
    return TR_OK;
}

static bool stands_still(const tr_solid *solid, uint32_t number) {
    const scene_object *object = &solid->scene->objects[number];
    return is_shown(solid, number) && !object->drawn.emit && !object->trajectory;
}

// Builds the large tree from all objects that belong there, at their placements then.
static tr_status build_large(tr_solid *solid, tr_error *error) {
    const tr_scene *scene = solid->scene;
    uint64_t count = 0;
    for (uint32_t i = 0; i < solid->object_count; i++)
        count += solid->objects[i].was_large ? scene->meshes[solid->objects[i].mesh].triangle_count : 0;
    if (count > TRIANGLES_MAX)
        return tr_fail(error, TR_LIMIT, "the scene has %llu triangles, the maximum is %u",
                       (unsigned long long)count, TRIANGLES_MAX);
    solid_list list = {0};
    tr_status status = reserve_list(&list, &solid->allocator, count) ? TR_OK : out_of_memory(error, count);
    for (uint32_t i = 0; i < solid->object_count && status == TR_OK; i++)
        if (solid->objects[i].was_large)
            list_mesh(&list, &scene->meshes[solid->objects[i].mesh], i, &solid->objects[i].laid);
    if (status == TR_OK)
        status = tr_solid_tree_build(&solid->large, &solid->allocator, &list, error);
    tr_solid_list_release(&list, &solid->allocator);
    return status;
}

static tr_status take_still(tr_solid *solid, tr_error *error) {
    for (uint32_t i = 0; i < solid->object_count; i++) {
        solid_object *known = &solid->objects[i];
        known->large = known->was_large = stands_still(solid, i);
        known->mesh = solid->scene->objects[i].mesh;
        known->laid = solid->scene->objects[i].placement;
    }
    return build_large(solid, error);
}

tr_status tr_solid_rebuild_large(tr_solid *solid, tr_error *error) {
    tr_status status = build_large(solid, error);
    for (uint32_t i = 0; i < solid->object_count && status == TR_OK; i++)
        if (solid->objects[i].was_large && !solid->objects[i].large)
            tr_solid_tree_drop(&solid->large, i);
    return status;
}

tr_status tr_solid_rebuild_mover(tr_solid *solid, uint32_t number, const tr_affine *built, bool shown,
                                 tr_error *error) {
    solid_object *known = &solid->objects[number];
    tr_status status = add_mover(solid, &known->mover, error);
    if (status != TR_OK)
        return status;
    solid_mover *mover = &solid->movers[known->mover];
    mover->built = *built;
    if (solid->scene->objects[number].drawn.emit) {
        status = list_drawn(&mover->drawn, solid, number, error);
        if (status == TR_OK)
            status = tr_solid_tree_build(&mover->tree, &solid->allocator, &mover->drawn, error);
    } else if (solid->scene->objects[number].mesh !=
               TR_NONE) { // otherwise it was removed and never comes back
        status = build_mesh_tree(&mover->tree, solid, number, built, error);
        if (status == TR_OK)
            move_tree(&mover->tree, solid->scene, number, &known->placement, NULL);
    }
    if (status == TR_OK)
        show_mover(solid, known->mover, shown);
    return status;
}

tr_status tr_solid_take(tr_solid *solid, tr_error *error) {
    tr_status status = tr_solid_reserve_objects(solid, error);
    if (status == TR_OK)
        status = take_still(solid, error);
    for (uint32_t i = 0; i < solid->object_count && status == TR_OK; i++) {
        bool shown = is_shown(solid, i);
        if (shown && !solid->objects[i].large)
            status = take_mover(solid, i, error);
        remember(solid, i, shown);
    }
    solid->revision = solid->scene->revision;
    return status;
}

// Whether only irrelevant tags changed.
static bool is_same(const tr_solid *solid, uint32_t number) {
    const solid_object *known = &solid->objects[number];
    const scene_object *object = &solid->scene->objects[number];
    bool was_shown = known->large || (known->mover != TR_NONE && solid->movers[known->mover].shown);
    bool moved = memcmp(&known->placement, &object->placement, sizeof known->placement) != 0;
    return was_shown == is_shown(solid, number) && !moved && !object->drawn.emit;
}

// One changed object.
static tr_status take_change(tr_solid *solid, uint32_t number, tr_error *error) {
    bool shown = is_shown(solid, number);
    solid_object *known = &solid->objects[number];
    tr_status status = shown ? take_mover(solid, number, error) : TR_OK;
    if (status != TR_OK)
        return status;
    if (!shown && known->mover != TR_NONE)
        show_mover(solid, known->mover, false);
    if (known->large) {
        tr_solid_tree_drop(&solid->large, number);
        known->large = false;
        if (solid->grid)
            tr_solid_grid_forget(solid, known->bounds);
    }
    return TR_OK;
}

tr_status tr_solid_take_changes(tr_solid *solid, tr_box *changed, tr_error *error) {
    tr_status status = tr_solid_reserve_objects(solid, error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < solid->object_count; i++) {
        solid_object *known = &solid->objects[i];
        if (solid->scene->objects[i].revision <= known->revision)
            continue;
        tr_box before = known->bounds;
        if (is_same(solid, i)) {
            known->revision = solid->scene->objects[i].revision;
            continue;
        }
        status = take_change(solid, i, error);
        if (status != TR_OK)
            return status;
        remember(solid, i, is_shown(solid, i));
        *changed = tr_box_union(*changed, tr_box_union(before, known->bounds));
    }
    solid->revision = solid->scene->revision;
    return TR_OK;
}
