#include "gltf_document.h"

#include <inttypes.h>
#include <stdio.h>

static uint32_t primitive_list(const gltf_document *document, uint32_t mesh) {
    return tr_json_member(document->json, tr_json_item(document->json, document->mesh_list, mesh),
                          "primitives");
}

tr_status tr_gltf_open_meshes(gltf_document *document) {
    const tr_allocator *allocator = &document->reading.allocator;
    document->mesh_count = tr_json_count(document->json, document->mesh_list);
    document->first_primitive =
        tr_allocate(allocator, document->mesh_count, sizeof *document->first_primitive);
    if (!document->first_primitive)
        return tr_scene_parts_no_memory(document->error);
    uint32_t count = 0;
    for (uint32_t mesh = 0; mesh < document->mesh_count; mesh++) {
        uint32_t list = TR_NONE;
        tr_status status =
            tr_json_get_array(document->json, tr_json_item(document->json, document->mesh_list, mesh),
                              "primitives", TR_JSON_REQUIRED, &list, document->error);
        if (status != TR_OK)
            return status;
        document->first_primitive[mesh] = count;
        count += tr_json_count(document->json, list);
    }
    document->primitive_part = tr_allocate(allocator, count, sizeof *document->primitive_part);
    if (!document->primitive_part)
        return tr_scene_parts_no_memory(document->error);
    document->primitive_count = count;
    for (uint32_t i = 0; i < count; i++)
        document->primitive_part[i] = GLTF_NOT_BUILT;
    return TR_OK;
}

void tr_gltf_close_meshes(gltf_document *document) {
    const tr_allocator *allocator = &document->reading.allocator;
    tr_release(allocator, document->first_primitive, document->mesh_count, sizeof *document->first_primitive);
    tr_release(allocator, document->primitive_part, document->primitive_count,
               sizeof *document->primitive_part);
    tr_release(allocator, document->local, document->local_count, sizeof *document->local);
    tr_release(allocator, document->owner, document->local_count, sizeof *document->owner);
}

static tr_status open_positions(gltf_document *document, gltf_primitive *primitive) {
    uint32_t attributes = TR_NONE, index = TR_NONE;
    tr_status status = tr_json_get_object(document->json, primitive->value, "attributes", TR_JSON_REQUIRED,
                                          &attributes, document->error);
    if (status == TR_OK)
        status = tr_gltf_get_index(document, attributes, "POSITION", TR_JSON_OPTIONAL,
                                   document->accessor_list, "accessors", &index);
    if (status != TR_OK || index == TR_NONE)
        return status;
    status = tr_gltf_open_accessor(document, index, &primitive->positions);
    if (status != TR_OK)
        return status;
    static const char draco[] = "KHR_draco_mesh_compression";
    if (!primitive->positions->data && tr_gltf_has_extension(document, primitive->value, draco))
        return tr_fail(document->error, TR_UNAVAILABLE,
                       "the file needs the extension %s, which is not supported", draco);
    if (primitive->positions->rows != 3 || primitive->positions->columns != 1)
        return tr_json_fail(document->json, primitive->positions->value, document->error,
                            "has positions, its type must be VEC3");
    primitive->corner_count = primitive->positions->count;
    return TR_OK;
}

static tr_status open_indices(gltf_document *document, gltf_primitive *primitive) {
    uint32_t index = TR_NONE;
    tr_status status = tr_gltf_get_index(document, primitive->value, "indices", TR_JSON_OPTIONAL,
                                         document->accessor_list, "accessors", &index);
    if (status != TR_OK || index == TR_NONE)
        return status;
    status = tr_gltf_open_accessor(document, index, &primitive->indices);
    if (status != TR_OK)
        return status;
    const gltf_accessor *indices = primitive->indices;
    bool is_unsigned = indices->component == 5121 || indices->component == 5123 || indices->component == 5125;
    if (indices->rows != 1 || !is_unsigned)
        return tr_json_fail(document->json, indices->value, document->error,
                            "has indices, it must be SCALAR with componentType 5121, 5123 or 5125");
    primitive->corner_count = indices->count;
    return TR_OK;
}

// The size is that of the largest accessor so far.
tr_status tr_gltf_reserve_local(gltf_document *document, uint32_t count) {
    if (count <= document->local_count)
        return TR_OK;
    const tr_allocator *allocator = &document->reading.allocator;
    tr_release(allocator, document->local, document->local_count, sizeof *document->local);
    tr_release(allocator, document->owner, document->local_count, sizeof *document->owner);
    // At least twice as many: accessors that grow by one must not cost quadratic time.
    if (count < document->local_count * (uint64_t)2)
        count = document->local_count < TR_NONE / 2 ? document->local_count * 2 : TR_NONE;
    document->local_count = count;
    document->local = tr_allocate(allocator, count, sizeof *document->local);
    document->owner = tr_allocate(allocator, count, sizeof *document->owner);
    if (!document->local || !document->owner)
        return tr_scene_parts_no_memory(document->error);
    for (uint32_t i = 0; i < count; i++)
        document->owner[i] = TR_NONE;
    return TR_OK;
}

static tr_status add_position(gltf_document *document, const gltf_primitive *primitive, tr_part_mesh *mesh,
                              uint32_t index) {
    double p[3];
    tr_gltf_read_numbers(primitive->positions, index, p);
    for (int axis = 0; axis < 3; axis++)
        if (!(fabs(p[axis]) <= (double)TR_SCENE_EXTENT_MAX))
            return tr_json_fail(document->json, primitive->positions->value, document->error,
                                "has the value %g for %c of element %u, it must be within %g of 0", p[axis],
                                "xyz"[axis], index, (double)TR_SCENE_EXTENT_MAX);
    document->owner[index] = primitive->owner;
    document->local[index] = mesh->position_count;
    tr_vec3 position = {(float)p[0], (float)p[1], (float)p[2]};
    return tr_scene_parts_add_position(&document->parts, mesh, position)
               ? TR_OK
               : tr_scene_parts_no_memory(document->error);
}

tr_status tr_gltf_find_position(const gltf_document *document, const gltf_primitive *primitive,
                                uint32_t corner, uint32_t *position) {
    uint32_t index = primitive->indices ? tr_gltf_read_whole(primitive->indices, corner) : corner;
    if (index >= primitive->positions->count)
        return tr_json_fail(document->json, primitive->indices->value, document->error,
                            "has the index %u in element %u, but there are only %u positions", index, corner,
                            primitive->positions->count);
    *position = index;
    return TR_OK;
}

// The vertex number in `mesh` of corner `corner` of the primitive.
static tr_status find_corner(gltf_document *document, const gltf_primitive *primitive, tr_part_mesh *mesh,
                             uint32_t corner, uint32_t *local) {
    uint32_t index = 0;
    tr_status found = tr_gltf_find_position(document, primitive, corner, &index);
    if (found != TR_OK)
        return found;
    if (document->owner[index] != primitive->owner) {
        tr_status status = add_position(document, primitive, mesh, index);
        if (status != TR_OK)
            return status;
    }
    *local = document->local[index];
    return TR_OK;
}

void tr_gltf_find_triangle(int64_t mode, uint32_t triangle, uint32_t corner[3]) {
    uint32_t first = mode == GLTF_MODE_TRIANGLES ? triangle * 3 : mode == GLTF_MODE_STRIP ? triangle : 0;
    bool odd = mode == GLTF_MODE_STRIP && triangle % 2;
    corner[0] = first;
    corner[1] = mode == GLTF_MODE_FAN ? triangle + 1 : first + 1 + odd;
    corner[2] = mode == GLTF_MODE_FAN ? triangle + 2 : first + 2 - odd;
}

static tr_status fill_mesh(gltf_document *document, const gltf_primitive *primitive, tr_part_mesh *mesh) {
    for (uint32_t triangle = 0; triangle < primitive->triangle_count; triangle++) {
        uint32_t corner[3], local[3];
        tr_gltf_find_triangle(primitive->mode, triangle, corner);
        for (int i = 0; i < 3; i++) {
            tr_status status = find_corner(document, primitive, mesh, corner[i], &local[i]);
            if (status != TR_OK)
                return status;
        }
        // Strips are joined by triangles that use a corner twice. They only bridge the gap and are not part
        // of the shape.
        bool joint = local[0] == local[1] || local[1] == local[2] || local[2] == local[0];
        if (joint && primitive->mode != GLTF_MODE_TRIANGLES)
            continue;
        if (!tr_scene_parts_add_triangle(&document->parts, mesh, local[0], local[1], local[2]))
            return tr_scene_parts_no_memory(document->error);
    }
    return TR_OK;
}

static tr_status count_triangles(gltf_document *document, gltf_primitive *primitive) {
    uint32_t corners = primitive->corner_count;
    if (primitive->mode == GLTF_MODE_TRIANGLES)
        primitive->triangle_count = corners / 3;
    else
        primitive->triangle_count = corners < 3 ? 0 : corners - 2;
    if (primitive->mode == GLTF_MODE_TRIANGLES && corners % 3)
        tr_scene_note(&document->reading, "a primitive has %u corners: the last %u do not form a triangle",
                      corners, corners % 3);
    uint64_t total = document->parts.triangle_count + primitive->triangle_count;
    if (total > document->reading.options.max_triangles)
        return tr_fail(document->error, TR_LIMIT,
                       "there are at least %" PRIu64 " triangles, at most %" PRIu64 " are read", total,
                       document->reading.options.max_triangles);
    return TR_OK;
}

tr_status tr_gltf_open_primitive(gltf_document *document, gltf_primitive *primitive) {
    tr_status status = tr_json_get_integer(document->json, primitive->value, "mode", TR_JSON_OPTIONAL, 0, 6,
                                           &primitive->mode, document->error);
    if (status != TR_OK)
        return status;
    if (primitive->mode < GLTF_MODE_TRIANGLES) {
        document->left_out++;
        return TR_OK;
    }
    status = open_positions(document, primitive);
    if (status != TR_OK)
        return status;
    if (!primitive->positions) {
        tr_scene_note(&document->reading, "a primitive has no positions");
        return TR_OK;
    }
    status = open_indices(document, primitive);
    return status == TR_OK ? count_triangles(document, primitive) : status;
}

static tr_status build(gltf_document *document, gltf_primitive *primitive, const char *name,
                       size_t name_length, uint32_t *part) {
    tr_status status = tr_gltf_reserve_local(document, primitive->positions->count);
    if (status != TR_OK)
        return status;
    primitive->owner = document->parts.mesh_count;
    tr_part_mesh *mesh = tr_scene_parts_add_mesh(&document->parts, name, name_length);
    if (!mesh)
        return tr_scene_parts_no_memory(document->error);
    status = fill_mesh(document, primitive, mesh);
    if (status == TR_OK)
        *part = primitive->owner;
    return status;
}

tr_status tr_gltf_build_primitive(gltf_document *document, uint32_t mesh, uint32_t number, uint32_t *part) {
    uint32_t *kept = &document->primitive_part[document->first_primitive[mesh] + number];
    *part = *kept;
    if (*kept != GLTF_NOT_BUILT)
        return TR_OK;
    uint32_t mesh_value = tr_json_item(document->json, document->mesh_list, mesh);
    const char *name = "";
    gltf_primitive primitive = {.value = tr_json_item(document->json, primitive_list(document, mesh), number),
                                .mode = GLTF_MODE_TRIANGLES};
    tr_status status =
        tr_json_get_text(document->json, mesh_value, "name", TR_JSON_OPTIONAL, &name, document->error);
    if (status == TR_OK)
        status = tr_gltf_open_primitive(document, &primitive);
    if (status != TR_OK)
        return status;
    *part = GLTF_EMPTY;
    if (primitive.triangle_count > 0) {
        char label[512];
        int length = snprintf(label, sizeof label, number ? "%s/%u" : "%s", name, number);
        size_t shown = length < (int)sizeof label ? (size_t)length : sizeof label - 1;
        status = build(document, &primitive, label, shown, part);
    }
    *kept = *part;
    return status;
}
