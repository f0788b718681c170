// Eyes, and the scene that is remembered.
#include "sight_data.h"
#include "troupe/base/scalar.h"

#include <string.h>

#define ANGLE_DEFAULT 1.0471976f // 60 degrees
#define ANGLE_MAX 1.3962634f     // 80 degrees
#define RANGE_DEFAULT 30.0f
#define COLUMNS_DEFAULT 160
#define ROWS_DEFAULT 96
#define NEAR 0.05f
// An eye sees through a remembered surface if what it sees is further away than that by more than this:
// depths of the two maps differ by rounding.
#define THROUGH 0.02f       // [m],
#define THROUGH_SHARE 1e-3f // and of the depth

static tr_status check_def(tr_sight_def *def, tr_error *error) {
    if (!def->scene)
        return tr_fail(error, TR_INVALID, "eyes need a scene");
    def->half_angle = def->half_angle == 0 ? ANGLE_DEFAULT : def->half_angle;
    def->range = def->range == 0 ? RANGE_DEFAULT : def->range;
    def->columns = def->columns ? def->columns : COLUMNS_DEFAULT;
    def->rows = def->rows ? def->rows : ROWS_DEFAULT;
    if (!(def->half_angle > 0 && def->half_angle <= ANGLE_MAX))
        return tr_fail(error, TR_INVALID,
                       "the half angle of the view is %g rad, it must be above 0 and at most %g",
                       (double)def->half_angle, (double)ANGLE_MAX);
    if (!(def->range > 2 * NEAR && def->range <= TR_SCENE_EXTENT_MAX))
        return tr_fail(error, TR_INVALID, "the range of the eyes is %g m, it must be above %g",
                       (double)def->range, 2 * (double)NEAR);
    if (def->columns > TR_DEPTH_SIZE_MAX || def->rows > TR_DEPTH_SIZE_MAX)
        return tr_fail(error, TR_INVALID, "an item buffer of %u x %u pixels is too large, the limit is %d",
                       def->columns, def->rows, TR_DEPTH_SIZE_MAX);
    return TR_OK;
}

static tr_status make_maps(tr_sight *sight, tr_error *error) {
    size_t pixels = (size_t)sight->def.columns * sight->def.rows;
    for (int i = 0; i < 2; i++) {
        sight->maps[i] = (tr_depth_map){.columns = sight->def.columns, .rows = sight->def.rows};
        sight->maps[i].depth = tr_allocate_zero(&sight->allocator, pixels, sizeof *sight->maps[i].depth);
        sight->maps[i].objects = tr_allocate_zero(&sight->allocator, pixels, sizeof *sight->maps[i].objects);
        if (!sight->maps[i].depth || !sight->maps[i].objects)
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for an item buffer of %u x %u pixels",
                           sight->def.columns, sight->def.rows);
    }
    return TR_OK;
}

// Is an object still as it is remembered? The geometry of a drawn one may have changed with its revision.
static bool is_current(const tr_sight *sight, uint32_t number) {
    const scene_object *truth = &sight->def.scene->objects[number],
                       *belief = &sight->believed->objects[number];
    if (truth->removed || !sight->memories[number].noticed)
        return false;
    return truth->mesh == TR_NONE
               ? sight->memories[number].revision == truth->revision
               : memcmp(&truth->placement, &belief->placement, sizeof truth->placement) == 0;
}

// Takes over how an object of the true scene is now, or with `known` false, that its place is not known.
static bool believe(tr_sight *sight, uint32_t number, bool known) {
    const scene_object *truth = &sight->def.scene->objects[number];
    scene_object *belief = &sight->believed->objects[number];
    uint32_t tags = known ? truth->tags : belief->tags | TR_TAG_UNKNOWN;
    if (tags == belief->tags && (!known || is_current(sight, number)))
        return false;
    belief->tags = tags;
    if (known) {
        belief->placement = truth->placement;
        belief->bounds = truth->bounds;
        belief->drawn = truth->drawn;
        sight->memories[number].revision = truth->revision;
        sight->memories[number].noticed = true;
    }
    belief->revision = ++sight->believed->revision;
    return true;
}

// The remembered scene gets the meshes and objects that are new in the true one. Drawn objects that were
// removed are forgotten: nobody can draw them any more.
static tr_status follow_scene(tr_sight *sight, bool know_all, tr_error *error) {
    const tr_scene *truth = sight->def.scene;
    tr_scene *believed = sight->believed;
    bool room = tr_reserve(&believed->allocator, (void **)&believed->meshes, &believed->mesh_capacity,
                           truth->mesh_count, sizeof *believed->meshes) &&
                tr_reserve(&believed->allocator, (void **)&believed->objects, &believed->object_capacity,
                           truth->object_count, sizeof *believed->objects) &&
                tr_reserve(&sight->allocator, (void **)&sight->memories, &sight->memory_capacity,
                           truth->object_count, sizeof *sight->memories);
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to remember %u objects", truth->object_count);
    for (; believed->mesh_count < truth->mesh_count; believed->mesh_count++)
        believed->meshes[believed->mesh_count] = truth->meshes[believed->mesh_count];
    for (uint32_t i = believed->object_count; i < truth->object_count; i++) {
        const scene_object *object = &truth->objects[i];
        believed->objects[i] = (scene_object){.mesh = object->mesh,
                                              .tags = object->tags | TR_TAG_UNKNOWN,
                                              .placement = object->placement,
                                              .bounds = object->bounds,
                                              .drawn = object->drawn,
                                              .revision = ++believed->revision};
        sight->memories[i] = (sight_memory){0};
        believed->object_count = i + 1;
        if (!object->removed && (know_all || (object->tags & TR_TAG_WALKABLE)))
            believe(sight, i, true);
    }
    for (uint32_t i = 0; i < believed->object_count; i++)
        if (believed->objects[i].mesh == TR_NONE && truth->objects[i].removed)
            believe(sight, i, false);
    return TR_OK;
}

tr_status tr_sight_follow(tr_sight *sight, tr_error *error) {
    return follow_scene(sight, false, error);
}

tr_status tr_sight_create(const tr_sight_def *def, tr_sight **sight, tr_error *error) {
    *sight = NULL;
    tr_sight_def checked = *def;
    tr_status status = check_def(&checked, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_sight *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for eyes");
    made->def = checked;
    made->allocator = allocator;
    status = make_maps(made, error);
    if (status == TR_OK && (status = tr_scene_create(&made->allocator, &made->believed)) != TR_OK)
        tr_fail(error, status, "no memory for a scene that is remembered");
    if (status == TR_OK)
        status = follow_scene(made, !checked.stranger, error);
    if (status != TR_OK) {
        tr_sight_destroy(made);
        return status;
    }
    *sight = made;
    return TR_OK;
}

void tr_sight_destroy(tr_sight *sight) {
    if (!sight)
        return;
    tr_allocator allocator = sight->allocator;
    size_t pixels = (size_t)sight->def.columns * sight->def.rows;
    for (int i = 0; i < 2; i++) {
        tr_release(&allocator, sight->maps[i].depth, pixels, sizeof *sight->maps[i].depth);
        tr_release(&allocator, sight->maps[i].objects, pixels, sizeof *sight->maps[i].objects);
    }
    if (sight->believed)
        sight->believed->mesh_count = 0; // they belong to the true scene
    tr_scene_destroy(sight->believed);
    tr_release(&allocator, sight->memories, sight->memory_capacity, sizeof *sight->memories);
    tr_release(&allocator, sight, 1, sizeof *sight);
}

static bool remember(tr_sight *sight, uint32_t object, double time) {
    sight->memories[object].seen = true;
    sight->memories[object].seen_at = time;
    return believe(sight, object, true);
}

// Remembers what the item buffer shows.
static bool take_seen(tr_sight *sight, double time) {
    const tr_depth_map *map = &sight->maps[0];
    bool changed = false;
    uint32_t last = TR_NONE;
    for (size_t i = 0; i < (size_t)map->columns * map->rows; i++) {
        if (map->objects[i] != TR_NONE && map->objects[i] != last)
            changed |= remember(sight, map->objects[i], time);
        last = map->objects[i];
    }
    return changed;
}

// Forgets objects that should be visible, but are not there. Those that were just seen are where they are
// remembered.
static bool drop_missing(tr_sight *sight) {
    const tr_depth_map *truth = &sight->maps[0], *belief = &sight->maps[1];
    bool changed = false;
    for (size_t i = 0; i < (size_t)belief->columns * belief->rows; i++) {
        uint32_t object = belief->objects[i];
        float through = belief->depth[i] * (1 + THROUGH_SHARE) + THROUGH;
        if (object == TR_NONE || !(truth->depth[i] > through))
            continue;
        if (!is_current(sight, object))
            changed |= believe(sight, object, false);
    }
    return changed;
}

static tr_status draw(tr_sight *sight, tr_raster *raster, const tr_scene *scene, const tr_depth_map *map,
                      tr_error *error) {
    tr_depth_request request = {.scene = scene,
                                .camera = sight->camera,
                                .exclude_tags = TR_TAG_CHARACTER | TR_TAG_UNKNOWN,
                                .exclude_object = TR_NONE};
    return tr_depth_draw(raster, &request, map, error);
}

tr_status tr_sight_look(tr_sight *sight, tr_raster *raster, tr_vec3 eye, tr_vec3 forward, double time,
                        bool *changed, tr_error *error) {
    tr_status status = follow_scene(sight, false, error);
    if (status != TR_OK)
        return status;
    double sine, cosine;
    tr_sin_cos((double)sight->def.half_angle, &sine, &cosine);
    sight->camera = (tr_depth_camera){.eye = eye,
                                      .forward = forward,
                                      .up = {0, 1, 0},
                                      .half_tangent = (float)(sine / cosine),
                                      .near = NEAR,
                                      .far = sight->def.range};
    bool differs = false;
    status = draw(sight, raster, sight->def.scene, &sight->maps[0], error);
    if (status == TR_OK) {
        differs = take_seen(sight, time);
        status = draw(sight, raster, sight->believed, &sight->maps[1], error);
    }
    if (status == TR_OK)
        differs |= drop_missing(sight);
    sight->looked = sight->looked || status == TR_OK;
    if (changed)
        *changed = differs;
    return status;
}

tr_status tr_sight_touch(tr_sight *sight, uint32_t object, double time, tr_error *error) {
    tr_status status = follow_scene(sight, false, error);
    if (status != TR_OK)
        return status;
    if (object >= sight->def.scene->object_count || sight->def.scene->objects[object].removed)
        return tr_fail(error, TR_INVALID, "there is no object %u to touch", object);
    remember(sight, object, time);
    return TR_OK;
}

const tr_scene *tr_sight_scene(const tr_sight *sight) {
    return sight->believed;
}

tr_sight_memory tr_sight_recall(const tr_sight *sight, uint32_t object) {
    if (object >= sight->believed->object_count)
        return (tr_sight_memory){0};
    const sight_memory *memory = &sight->memories[object];
    return (tr_sight_memory){.known = !(sight->believed->objects[object].tags & TR_TAG_UNKNOWN),
                             .seen = memory->seen,
                             .seen_at = memory->seen_at};
}

tr_depth_map tr_sight_map(const tr_sight *sight, tr_depth_camera *camera) {
    if (camera)
        *camera = sight->camera;
    return sight->looked ? sight->maps[0] : (tr_depth_map){0};
}
