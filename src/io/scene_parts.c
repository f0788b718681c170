#include "scene_parts.h"
#include "world/scene/scene_undo.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tr_scene_read_options tr_scene_read_options_default(void) {
    tr_scene_read_options options = {.up = TR_UP_FROM_FORMAT, .metres_per_unit = 1};
    return options;
}

tr_status tr_scene_reading_begin(const tr_scene_read_options *options, tr_scene_reading *reading,
                                 tr_error *error) {
    memset(reading, 0, sizeof *reading);
    reading->options = options ? *options : tr_scene_read_options_default();
    reading->allocator = tr_allocator_or_default(reading->options.allocator);
    if (reading->options.max_triangles == 0)
        reading->options.max_triangles = 100000000;
    if (reading->options.max_objects == 0)
        reading->options.max_objects = 1000000;
    double unit = (double)reading->options.metres_per_unit;
    if (!(unit > 0) || !isfinite(unit))
        return tr_fail(error, TR_INVALID, "metres_per_unit is %g, it must be above 0 and finite", unit);
    tr_up_axis up = reading->options.up;
    if (up != TR_UP_FROM_FORMAT && up != TR_UP_Y && up != TR_UP_Z)
        return tr_fail(error, TR_INVALID, "the up axis is %d, it must be one of tr_up_axis", (int)up);
    reading->axes[0][0] = unit;
    reading->axes[1][up == TR_UP_Z ? 2 : 1] = unit;
    reading->axes[2][up == TR_UP_Z ? 1 : 2] = up == TR_UP_Z ? -unit : unit;
    return TR_OK;
}

void tr_scene_note(const tr_scene_reading *reading, const char *format, ...) {
    if (!reading->options.note)
        return;
    char sentence[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    reading->options.note(reading->options.note_user, sentence);
}

tr_status tr_scene_parts_no_memory(tr_error *error) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to read a scene");
}

tr_scene_parts tr_scene_parts_begin(const tr_scene_reading *reading) {
    tr_scene_parts parts = {.reading = reading};
    return parts;
}

static void release_text(const tr_allocator *allocator, char *text) {
    if (text)
        tr_release(allocator, text, strlen(text) + 1, 1);
}

static void release_mesh(const tr_allocator *allocator, tr_part_mesh *mesh) {
    release_text(allocator, mesh->name);
    tr_release(allocator, mesh->positions, mesh->position_capacity, sizeof *mesh->positions);
    tr_release(allocator, mesh->indices, mesh->index_capacity, sizeof *mesh->indices);
    memset(mesh, 0, sizeof *mesh);
}

void tr_scene_parts_end(tr_scene_parts *parts) {
    const tr_allocator *allocator = &parts->reading->allocator;
    for (uint32_t i = 0; i < parts->mesh_count; i++)
        release_mesh(allocator, &parts->meshes[i]);
    for (uint32_t i = 0; i < parts->object_count; i++)
        release_text(allocator, parts->objects[i].name);
    tr_release(allocator, parts->meshes, parts->mesh_capacity, sizeof *parts->meshes);
    tr_release(allocator, parts->objects, parts->object_capacity, sizeof *parts->objects);
    *parts = tr_scene_parts_begin(parts->reading);
}

// A zero inside ends the copy: names are C strings.
static char *copy_text(const tr_allocator *allocator, const char *text, size_t length) {
    const char *zero = length ? memchr(text, 0, length) : NULL;
    if (zero)
        length = (size_t)(zero - text);
    char *copy = tr_allocate(allocator, length + 1, 1);
    if (copy) {
        if (length)
            memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

tr_part_mesh *tr_scene_parts_add_mesh(tr_scene_parts *parts, const char *name, size_t name_length) {
    const tr_allocator *allocator = &parts->reading->allocator;
    if (!tr_reserve(allocator, (void **)&parts->meshes, &parts->mesh_capacity,
                    (uint64_t)parts->mesh_count + 1, sizeof *parts->meshes))
        return NULL;
    tr_part_mesh *mesh = &parts->meshes[parts->mesh_count];
    memset(mesh, 0, sizeof *mesh);
    mesh->bounds = tr_box_empty();
    mesh->name = copy_text(allocator, name, name_length);
    if (!mesh->name)
        return NULL;
    parts->mesh_count++;
    return mesh;
}

bool tr_scene_parts_add_position(tr_scene_parts *parts, tr_part_mesh *mesh, tr_vec3 position) {
    if (!tr_reserve(&parts->reading->allocator, (void **)&mesh->positions, &mesh->position_capacity,
                    (uint64_t)mesh->position_count + 1, sizeof *mesh->positions))
        return false;
    mesh->positions[mesh->position_count++] = position;
    mesh->bounds = tr_box_include(mesh->bounds, position);
    return true;
}

bool tr_scene_parts_add_triangle(tr_scene_parts *parts, tr_part_mesh *mesh, uint32_t a, uint32_t b,
                                 uint32_t c) {
    if (!tr_reserve(&parts->reading->allocator, (void **)&mesh->indices, &mesh->index_capacity,
                    (uint64_t)mesh->index_count + 3, sizeof *mesh->indices))
        return false;
    uint32_t *corner = mesh->indices + mesh->index_count;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    mesh->index_count += 3;
    return true;
}

static bool is_inside_world(tr_box box) {
    const float most = TR_SCENE_EXTENT_MAX;
    return box.min.x >= -most && box.min.y >= -most && box.min.z >= -most && box.max.x <= most &&
           box.max.y <= most && box.max.z <= most;
}

tr_status tr_scene_parts_add_object(tr_scene_parts *parts, const char *name, size_t name_length,
                                    uint32_t mesh, const tr_affine *placement, tr_error *error) {
    const tr_scene_read_options *options = &parts->reading->options;
    const tr_part_mesh *shape = &parts->meshes[mesh];
    int shown = name_length < 80 ? (int)name_length : 80;
    if (parts->object_count >= options->max_objects)
        return tr_fail(error, TR_LIMIT,
                       "object \"%.*s\" is number %llu, the maximum number of objects is %llu", shown, name,
                       (unsigned long long)parts->object_count + 1, (unsigned long long)options->max_objects);
    uint64_t triangles = parts->triangle_count + shape->index_count / 3;
    if (triangles > options->max_triangles)
        return tr_fail(error, TR_LIMIT,
                       "with object \"%.*s\" the scene has %llu triangles, the maximum is %llu", shown, name,
                       (unsigned long long)triangles, (unsigned long long)options->max_triangles);
    tr_box world = tr_affine_apply_box(placement, shape->bounds);
    if (!tr_affine_is_finite(placement) || (!tr_box_is_empty(shape->bounds) && !is_inside_world(world)))
        return tr_fail(error, TR_BAD_FILE, "object \"%.*s\" reaches beyond %g m", shown, name,
                       (double)TR_SCENE_EXTENT_MAX);
    const tr_allocator *allocator = &parts->reading->allocator;
    if (!tr_reserve(allocator, (void **)&parts->objects, &parts->object_capacity,
                    (uint64_t)parts->object_count + 1, sizeof *parts->objects))
        return tr_scene_parts_no_memory(error);
    tr_part_object *object = &parts->objects[parts->object_count];
    object->name = copy_text(allocator, name, name_length);
    object->mesh = mesh;
    object->placement = *placement;
    if (!object->name)
        return tr_scene_parts_no_memory(error);
    parts->object_count++;
    parts->triangle_count = triangles;
    return TR_OK;
}

static tr_status commit_all(tr_scene_parts *parts, tr_scene *scene, uint32_t first_mesh, tr_error *error) {
    for (uint32_t i = 0; i < parts->mesh_count; i++) {
        tr_part_mesh *mesh = &parts->meshes[i];
        tr_mesh_def def = {.name = mesh->name,
                           .positions = mesh->positions,
                           .position_count = mesh->position_count,
                           .indices = mesh->indices,
                           .triangle_count = mesh->index_count / 3};
        uint32_t number;
        tr_status status = tr_scene_add_mesh(scene, &def, &number, error);
        if (status != TR_OK)
            return status;
        release_mesh(&parts->reading->allocator,
                     mesh); // the scene has a copy: keep both only briefly
    }
    for (uint32_t i = 0; i < parts->object_count; i++) {
        const tr_part_object *object = &parts->objects[i];
        tr_object_def def = {
            .name = object->name, .mesh = first_mesh + object->mesh, .placement = object->placement};
        uint32_t number;
        tr_status status = tr_scene_add_object(scene, &def, &number, error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

tr_status tr_scene_parts_commit(tr_scene_parts *parts, tr_scene *scene, tr_error *error) {
    uint32_t mesh_count = tr_scene_mesh_count(scene), object_count = tr_scene_object_count(scene);
    tr_status status = commit_all(parts, scene, mesh_count, error);
    if (status != TR_OK)
        tr_scene_undo(scene, mesh_count, object_count);
    tr_scene_parts_end(parts);
    return status;
}
