#include "gltf_write_data.h"

#include <stdio.h>
#include <string.h>

// Muted colours, so that the characters stand out.
typedef enum gltf_look { LOOK_GROUND, LOOK_WALL, LOOK_THING, LOOK_PASSABLE, LOOK_COUNT } gltf_look;
#define WALL_HEIGHT 1.9f // taller objects are drawn as part of the building [m]
static const struct {
    char name[16];
    float color[3];
} looks[LOOK_COUNT] = {{"ground", {0.60f, 0.59f, 0.56f}},
                       {"wall", {0.48f, 0.51f, 0.53f}},
                       {"thing", {0.30f, 0.26f, 0.22f}},
                       {"passable", {0.55f, 0.42f, 0.20f}}};

// The written meshes of the scene, once for each look in use.
typedef struct gltf_objects {
    gltf_out *out;
    uint32_t (*meshes)[LOOK_COUNT]; // TR_NONE: not yet
    uint32_t materials[LOOK_COUNT]; // TR_NONE: not yet
} gltf_objects;

static gltf_look look_of(const tr_object_view *object) {
    if (object->tags & TR_TAG_WALKABLE)
        return LOOK_GROUND;
    if (object->tags & (TR_TAG_JUMP_OVER | TR_TAG_CRAWL_UNDER | TR_TAG_STEP_OVER))
        return LOOK_PASSABLE;
    return object->bounds.max.y - object->bounds.min.y > WALL_HEIGHT ? LOOK_WALL : LOOK_THING;
}

static uint32_t material_of(gltf_objects *objects, gltf_look look) {
    if (objects->materials[look] == TR_NONE)
        objects->materials[look] =
            tr_gltf_write_material(objects->out, looks[look].name, looks[look].color, false);
    return objects->materials[look];
}

// Every triangle has its own corners and the normal of its plane. `map` may be NULL.
static uint32_t write_flat(gltf_objects *objects, const tr_mesh_view *mesh, const tr_affine *map,
                           gltf_look look) {
    gltf_out *out = objects->out;
    size_t count = (size_t)mesh->triangle_count * 3;
    uint32_t number = TR_NONE;
    tr_vec3 *positions = tr_allocate(&out->allocator, count, sizeof *positions);
    tr_vec3 *normals = tr_allocate(&out->allocator, count, sizeof *normals);
    if (!positions || !normals)
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    for (size_t i = 0; i < count && out->status == TR_OK; i += 3) {
        for (size_t k = i; k < i + 3; k++) {
            tr_vec3 p = mesh->positions[mesh->indices[k]];
            positions[k] = map ? tr_affine_apply(map, p) : p;
        }
        tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(positions[i + 1], positions[i]),
                                       tr_vec3_subtract(positions[i + 2], positions[i]));
        double x = normal.x, y = normal.y, z = normal.z, length = sqrt(x * x + y * y + z * z);
        bool flat = length > 0 && isfinite(length);
        for (size_t k = i; k < i + 3; k++)
            normals[k] = flat ? tr_vec3_make((float)(x / length), (float)(y / length), (float)(z / length))
                              : tr_vec3_make(0, 1, 0);
    }
    if (out->status == TR_OK) {
        gltf_vertices vertices = {
            .positions = positions, .normals = normals, .count = (uint32_t)count, .mode = GLTF_TRIANGLES};
        number = tr_gltf_write_mesh(out, mesh->name, &vertices, material_of(objects, look));
    }
    tr_release(&out->allocator, positions, count, sizeof *positions);
    tr_release(&out->allocator, normals, count, sizeof *normals);
    return number;
}

static void write_object(gltf_objects *objects, uint32_t number) {
    gltf_out *out = objects->out;
    tr_object_view object = tr_scene_object(out->shot->scene, number);
    bool is_actor = out->shot->actor_count > 0 && (object.tags & TR_TAG_CHARACTER);
    if (object.removed || object.mesh == TR_NONE || is_actor)
        return;
    tr_mesh_view mesh = tr_scene_mesh(out->shot->scene, object.mesh);
    if (mesh.triangle_count == 0)
        return;
    if (mesh.triangle_count > UINT32_MAX / 2 / 36) {
        tr_gltf_write_failed(out, TR_LIMIT);
        return;
    }
    gltf_look look = look_of(&object);
    tr_transform place;
    uint32_t *shared = &objects->meshes[object.mesh][look], own;
    if (tr_gltf_write_take_apart(&object.placement, &place)) {
        if (*shared == TR_NONE)
            *shared = write_flat(objects, &mesh, NULL, look);
        own = *shared;
    } else { // a node cannot shear: transform the corners instead
        own = write_flat(objects, &mesh, &object.placement, look);
        place = tr_transform_identity();
    }
    char label[32];
    snprintf(label, sizeof label, "object_%u", number);
    uint32_t node = tr_gltf_write_node(out, object.name[0] ? object.name : label, TR_NONE, place);
    if (out->status == TR_OK)
        out->nodes[node].mesh = own;
    if (tr_scene_trajectory(out->shot->scene, number))
        tr_gltf_write_mover(out, number, node);
}

void tr_gltf_write_objects(gltf_out *out) {
    if (!out->shot->scene)
        return;
    gltf_objects objects = {.out = out};
    size_t count = tr_scene_mesh_count(out->shot->scene);
    objects.meshes = tr_allocate(&out->allocator, count, sizeof *objects.meshes);
    if (!objects.meshes)
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    else
        memset(objects.meshes, 0xff, count * sizeof *objects.meshes);
    for (int i = 0; i < LOOK_COUNT; i++)
        objects.materials[i] = TR_NONE;
    for (uint32_t i = 0; i < tr_scene_object_count(out->shot->scene) && out->status == TR_OK; i++)
        write_object(&objects, i);
    tr_release(&out->allocator, objects.meshes, count, sizeof *objects.meshes);
}

void tr_gltf_write_lines(gltf_out *out) {
    for (uint32_t i = 0; i < out->shot->line_count && out->status == TR_OK; i++) {
        const tr_gltf_line *line = &out->shot->lines[i];
        if (line->point_count < 2)
            continue;
        char label[32];
        snprintf(label, sizeof label, "line_%u", i + 1);
        const char *name = line->name && line->name[0] ? line->name : "line";
        gltf_vertices vertices = {
            .positions = line->points, .count = line->point_count, .mode = GLTF_LINE_STRIP};
        uint32_t material = tr_gltf_write_material(out, name, line->color, true);
        uint32_t mesh = tr_gltf_write_mesh(out, name, &vertices, material);
        uint32_t node = tr_gltf_write_node(out, line->name && line->name[0] ? line->name : label, TR_NONE,
                                           tr_transform_identity());
        if (out->status == TR_OK)
            out->nodes[node].mesh = mesh;
    }
}
