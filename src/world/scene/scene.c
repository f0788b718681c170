#include "scene_data.h"
#include "troupe/base/clock.h"

#include <string.h>

tr_status tr_scene_create(const tr_allocator *allocator, tr_scene **scene) {
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_scene *made = tr_allocate_zero(&own, 1, sizeof *made);
    *scene = made;
    if (!made)
        return TR_OUT_OF_MEMORY;
    made->allocator = own;
    made->identity = tr_clock_nanoseconds();
    return TR_OK;
}

static void release_name(const tr_allocator *allocator, char *name) {
    if (name)
        tr_release(allocator, name, strlen(name) + 1, 1);
}

void tr_scene_destroy(tr_scene *scene) {
    if (!scene)
        return;
    tr_allocator allocator = scene->allocator;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        tr_mesh_destroy(&allocator, &scene->meshes[i]);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        release_name(&allocator, scene->objects[i].name);
        tr_trajectory_destroy(scene->objects[i].trajectory);
    }
    tr_release(&allocator, scene->meshes, scene->mesh_capacity, sizeof *scene->meshes);
    tr_release(&allocator, scene->objects, scene->object_capacity, sizeof *scene->objects);
    tr_release(&allocator, scene, 1, sizeof *scene);
}

tr_status tr_scene_add_mesh(tr_scene *scene, const tr_mesh_def *def, uint32_t *mesh, tr_error *error) {
    if (!tr_reserve(&scene->allocator, (void **)&scene->meshes, &scene->mesh_capacity,
                    (uint64_t)scene->mesh_count + 1, sizeof *scene->meshes))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for mesh number %u", scene->mesh_count);
    tr_status status = tr_mesh_create(&scene->allocator, def, &scene->meshes[scene->mesh_count], error);
    if (status == TR_OK)
        *mesh = scene->mesh_count++;
    return status;
}

static bool bounds_are_sane(tr_box box) {
    return tr_box_is_empty(box) || (box.min.x >= -TR_SCENE_EXTENT_MAX && box.min.y >= -TR_SCENE_EXTENT_MAX &&
                                    box.min.z >= -TR_SCENE_EXTENT_MAX && box.max.x <= TR_SCENE_EXTENT_MAX &&
                                    box.max.y <= TR_SCENE_EXTENT_MAX && box.max.z <= TR_SCENE_EXTENT_MAX);
}

static float round_down(double value) {
    float rounded = (float)value;
    return rounded > value ? nextafterf(rounded, -INFINITY) : rounded;
}

static float round_up(double value) {
    float rounded = (float)value;
    return rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

// The box around a placed box, in double precision and rounded outwards. Where a mesh far from its own origin
// is moved back, floats would be off by decimetres, and this box decides which cells are redrawn under a
// moved object.
static tr_box place_box(const tr_affine *placement, tr_box box) {
    if (tr_box_is_empty(box))
        return box;
    const float from[3] = {box.min.x, box.min.y, box.min.z}, to[3] = {box.max.x, box.max.y, box.max.z};
    float low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const float *m = placement->m[axis];
        double least = m[3], greatest = m[3];
        for (int k = 0; k < 3; k++) {
            double a = (double)m[k] * from[k], b = (double)m[k] * to[k];
            least += a < b ? a : b;
            greatest += a < b ? b : a;
        }
        low[axis] = round_down(least);
        high[axis] = round_up(greatest);
    }
    tr_box placed = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return placed;
}

// A new object with its name, not yet counted; NULL when there is no memory.
static scene_object *begin_object(tr_scene *scene, const char *name) {
    if (!tr_reserve(&scene->allocator, (void **)&scene->objects, &scene->object_capacity,
                    (uint64_t)scene->object_count + 1, sizeof *scene->objects))
        return NULL;
    scene_object *object = &scene->objects[scene->object_count];
    memset(object, 0, sizeof *object);
    if (name && name[0]) {
        object->name = tr_allocate(&scene->allocator, strlen(name) + 1, 1);
        if (!object->name)
            return NULL;
        memcpy(object->name, name, strlen(name) + 1);
    }
    return object;
}

tr_status tr_scene_add_object(tr_scene *scene, const tr_object_def *def, uint32_t *number, tr_error *error) {
    const char *name = def->name ? def->name : "";
    if (def->mesh >= scene->mesh_count)
        return tr_fail(error, TR_INVALID, "object \"%s\" uses mesh %u, but there are only %u", name,
                       def->mesh, scene->mesh_count);
    tr_box bounds = place_box(&def->placement, scene->meshes[def->mesh].bounds);
    if (!tr_affine_is_finite(&def->placement) || !bounds_are_sane(bounds))
        return tr_fail(error, TR_INVALID,
                       "the placement of object \"%s\" is not finite or puts it beyond %g m", name,
                       TR_SCENE_EXTENT_MAX);
    scene_object *object = begin_object(scene, def->name);
    if (!object)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for object \"%s\"", name);
    object->mesh = def->mesh;
    object->tags = def->tags;
    object->placement = def->placement;
    object->bounds = bounds;
    object->revision = ++scene->revision;
    *number = scene->object_count++;
    return TR_OK;
}

tr_status tr_scene_add_drawn(tr_scene *scene, const tr_drawn_def *def, uint32_t *number, tr_error *error) {
    const char *name = def->name ? def->name : "";
    if (!def->emit)
        return tr_fail(error, TR_INVALID, "drawn object \"%s\" has no emit callback", name);
    if (tr_box_is_empty(def->bounds) || !bounds_are_sane(def->bounds))
        return tr_fail(error, TR_INVALID,
                       "the bounds of drawn object \"%s\" are empty, not finite or beyond %g m", name,
                       TR_SCENE_EXTENT_MAX);
    scene_object *object = begin_object(scene, def->name);
    if (!object)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for drawn object \"%s\"", name);
    object->mesh = TR_NONE;
    object->tags = def->tags;
    object->placement = tr_affine_identity();
    object->bounds = def->bounds;
    object->drawn = *def;
    object->drawn.name = NULL; // the caller may free its string; the copy is object->name
    object->revision = ++scene->revision;
    *number = scene->object_count++;
    return TR_OK;
}

static scene_object *find_object(const tr_scene *scene, uint32_t number) {
    return number < scene->object_count && !scene->objects[number].removed ? &scene->objects[number] : NULL;
}

tr_status tr_scene_remove_object(tr_scene *scene, uint32_t number) {
    scene_object *object = find_object(scene, number);
    if (!object)
        return TR_INVALID;
    release_name(&scene->allocator, object->name);
    tr_trajectory_destroy(object->trajectory);
    memset(object, 0, sizeof *object);
    object->mesh = TR_NONE;
    object->placement = tr_affine_identity();
    object->bounds = tr_box_empty();
    object->removed = true;
    object->revision = ++scene->revision;
    return TR_OK;
}

tr_status tr_scene_place(tr_scene *scene, uint32_t number, const tr_affine *placement) {
    scene_object *object = find_object(scene, number);
    if (!object || object->mesh == TR_NONE || !tr_affine_is_finite(placement))
        return TR_INVALID;
    tr_box bounds = place_box(placement, scene->meshes[object->mesh].bounds);
    if (!bounds_are_sane(bounds))
        return TR_INVALID;
    if (memcmp(&object->placement, placement, sizeof *placement) == 0)
        return TR_OK; // nothing moved, so nothing that depends on it need be rebuilt
    object->placement = *placement;
    object->bounds = bounds;
    object->revision = ++scene->revision;
    return TR_OK;
}

tr_status tr_scene_set_tags(tr_scene *scene, uint32_t number, uint32_t tags) {
    scene_object *object = find_object(scene, number);
    if (!object)
        return TR_INVALID;
    if (object->tags != tags) {
        object->tags = tags;
        object->revision = ++scene->revision;
    }
    return TR_OK;
}

tr_status tr_scene_touch(tr_scene *scene, uint32_t number, tr_box bounds) {
    scene_object *object = find_object(scene, number);
    if (!object || object->mesh != TR_NONE || tr_box_is_empty(bounds) || !bounds_are_sane(bounds))
        return TR_INVALID;
    object->bounds = object->drawn.bounds = bounds;
    object->revision = ++scene->revision;
    return TR_OK;
}

tr_status tr_scene_set_trajectory(tr_scene *scene, uint32_t number, const tr_trajectory_def *def,
                                  tr_error *error) {
    scene_object *object = find_object(scene, number);
    if (!object || object->mesh == TR_NONE)
        return tr_fail(error, TR_INVALID, "object %u does not exist, or is drawn by a callback", number);
    tr_trajectory *trajectory = NULL;
    if (def) {
        tr_status status = tr_trajectory_create(&scene->allocator, def, &trajectory, error);
        if (status != TR_OK)
            return status;
    }
    tr_trajectory_destroy(object->trajectory);
    object->trajectory = trajectory;
    object->trajectory_revision = ++scene->revision;
    return TR_OK;
}

const tr_trajectory *tr_scene_trajectory(const tr_scene *scene, uint32_t number) {
    const scene_object *object = find_object(scene, number);
    return object ? object->trajectory : NULL;
}

tr_status tr_scene_set_time(tr_scene *scene, double time) {
    if (!isfinite(time))
        return TR_INVALID;
    tr_status worst = TR_OK;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        if (!scene->objects[i].trajectory)
            continue;
        tr_affine placement =
            tr_affine_from_transform(tr_trajectory_sample(scene->objects[i].trajectory, time));
        if (tr_scene_place(scene, i, &placement) != TR_OK)
            worst = TR_INVALID; // a sample may put the object outside the world: then the object stays where
                                // it was
    }
    scene->time = time;
    return worst;
}

double tr_scene_time(const tr_scene *scene) {
    return scene->time;
}

uint32_t tr_scene_object_count(const tr_scene *scene) {
    return scene->object_count;
}

uint32_t tr_scene_mesh_count(const tr_scene *scene) {
    return scene->mesh_count;
}

tr_object_view tr_scene_object(const tr_scene *scene, uint32_t number) {
    tr_object_view view = {.name = "",
                           .mesh = TR_NONE,
                           .placement = tr_affine_identity(),
                           .bounds = tr_box_empty(),
                           .removed = true};
    if (number >= scene->object_count)
        return view;
    const scene_object *object = &scene->objects[number];
    view.name = object->name ? object->name : "";
    view.mesh = object->mesh;
    view.placement = object->placement;
    view.tags = object->tags;
    view.bounds = object->bounds;
    view.revision = object->revision;
    view.removed = object->removed;
    return view;
}

tr_mesh_view tr_scene_mesh(const tr_scene *scene, uint32_t number) {
    tr_mesh_view view = {.name = "", .bounds = tr_box_empty()};
    if (number >= scene->mesh_count)
        return view;
    const tr_mesh *mesh = &scene->meshes[number];
    view.name = mesh->name ? mesh->name : "";
    view.positions = mesh->positions;
    view.position_count = mesh->position_count;
    view.indices = mesh->indices;
    view.triangle_count = mesh->triangle_count;
    view.bounds = mesh->bounds;
    return view;
}

uint32_t tr_scene_find(const tr_scene *scene, const char *name) {
    for (uint32_t i = 0; i < scene->object_count; i++)
        if (scene->objects[i].name && strcmp(scene->objects[i].name, name) == 0)
            return i;
    return TR_NONE;
}

tr_box tr_scene_bounds(const tr_scene *scene) {
    tr_box bounds = tr_box_empty();
    for (uint32_t i = 0; i < scene->object_count; i++)
        if (!tr_box_is_empty(scene->objects[i].bounds))
            bounds = tr_box_union(bounds, scene->objects[i].bounds);
    return bounds;
}

uint64_t tr_scene_triangle_count(const tr_scene *scene) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->object_count; i++)
        if (scene->objects[i].mesh != TR_NONE)
            count += scene->meshes[scene->objects[i].mesh].triangle_count;
    return count;
}

uint64_t tr_scene_bytes(const tr_scene *scene) {
    uint64_t bytes = sizeof *scene + (uint64_t)scene->object_capacity * sizeof *scene->objects +
                     (uint64_t)(scene->mesh_capacity - scene->mesh_count) * sizeof *scene->meshes;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        bytes += tr_mesh_bytes(&scene->meshes[i]);
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        bytes += (object->name ? strlen(object->name) + 1 : 0) + tr_trajectory_bytes(object->trajectory);
    }
    return bytes;
}
