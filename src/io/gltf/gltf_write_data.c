#include "gltf_write_data.h"

#include <stdio.h>
#include <string.h>

void tr_gltf_write_failed(gltf_out *out, tr_status status) {
    if (out->status == TR_OK)
        out->status = status;
}

// Makes room for one more item of a list; false: nothing can be added any more.
static bool more(gltf_out *out, void *list, uint32_t *capacity, uint32_t count, size_t size) {
    if (out->status == TR_OK && !tr_reserve(&out->allocator, list, capacity, (uint64_t)count + 1, size))
        out->status = TR_OUT_OF_MEMORY;
    return out->status == TR_OK;
}
#define MORE(out, list, what)                                                                                \
    more(out, (void **)&(out)->list, &(out)->what##_capacity, (out)->what##_count, sizeof *(out)->list)

static uint8_t *put(gltf_out *out, uint32_t size) {
    uint64_t needed = (uint64_t)out->size + size;
    if (out->status == TR_OK && needed >= UINT32_MAX / 2)
        out->status = TR_LIMIT;
    if (out->status == TR_OK && needed > out->capacity &&
        !tr_reserve(&out->allocator, (void **)&out->bytes, &out->capacity, needed, 1))
        out->status = TR_OUT_OF_MEMORY;
    if (out->status != TR_OK)
        return NULL;
    uint8_t *at = out->bytes + out->size;
    out->size = (uint32_t)needed;
    return at;
}

void tr_gltf_write_u8(gltf_out *out, uint32_t value) {
    uint8_t *at = put(out, 1);
    if (at)
        at[0] = (uint8_t)value;
}

void tr_gltf_write_u16(gltf_out *out, uint32_t value) {
    uint8_t *at = put(out, 2);
    for (int i = 0; at && i < 2; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

void tr_gltf_write_u32(gltf_out *out, uint32_t value) {
    uint8_t *at = put(out, 4);
    for (int i = 0; at && i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

void tr_gltf_write_float(gltf_out *out, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    tr_gltf_write_u32(out, bits);
}

static void fill_to_four(gltf_out *out) {
    while (out->status == TR_OK && out->size % 4)
        tr_gltf_write_u8(out, 0);
}

void tr_gltf_write_view(gltf_out *out, uint32_t target) {
    fill_to_four(out);
    if (!MORE(out, views, view))
        return;
    gltf_out_view view = {.offset = out->size, .target = target};
    out->views[out->view_count++] = view;
}

void tr_gltf_write_bytes(gltf_out *out, const uint8_t *data, size_t size) {
    if (size >= UINT32_MAX / 2)
        tr_gltf_write_failed(out, TR_LIMIT);
    uint8_t *at = put(out, (uint32_t)size);
    if (at && size > 0)
        memcpy(at, data, size);
}

void tr_gltf_write_view_of(gltf_out *out, const uint8_t *data, size_t size) {
    tr_gltf_write_view(out, GLTF_NO_TARGET);
    tr_gltf_write_bytes(out, data, size);
    if (out->status == TR_OK)
        out->views[out->view_count - 1].size = (uint32_t)size;
}

uint32_t tr_gltf_write_accessor(gltf_out *out, uint32_t component, gltf_shape shape, uint32_t count) {
    static const uint32_t widths[] = {1, 3, 4, 16};
    fill_to_four(out);
    if (!MORE(out, accessors, accessor))
        return TR_NONE;
    uint32_t size = component == GLTF_U8 ? 1 : component == GLTF_U16 ? 2 : 4;
    uint64_t bytes = (uint64_t)count * widths[shape] * size;
    if (bytes >= UINT32_MAX / 2) {
        out->status = TR_LIMIT;
        return TR_NONE;
    }
    gltf_out_view *view = &out->views[out->view_count - 1];
    gltf_out_accessor accessor = {.view = out->view_count - 1,
                                  .offset = out->size - view->offset,
                                  .count = count,
                                  .component = component,
                                  .shape = shape};
    view->size = accessor.offset + (uint32_t)bytes;
    out->accessors[out->accessor_count] = accessor;
    return out->accessor_count++;
}

void tr_gltf_write_bounds(gltf_out *out, uint32_t accessor, uint32_t count, const float *low,
                          const float *high) {
    if (out->status != TR_OK)
        return;
    gltf_out_accessor *bounded = &out->accessors[accessor];
    bounded->bound_count = count;
    memcpy(bounded->low, low, count * sizeof *low);
    memcpy(bounded->high, high, count * sizeof *high);
}

uint32_t tr_gltf_write_node(gltf_out *out, const char *name, uint32_t parent, tr_transform local) {
    if (!MORE(out, nodes, node))
        return TR_NONE;
    size_t size = strlen(name) + 1;
    char *copy = tr_allocate(&out->allocator, size, 1);
    if (!copy) {
        out->status = TR_OUT_OF_MEMORY;
        return TR_NONE;
    }
    memcpy(copy, name, size);
    gltf_out_node node = {.name = copy,
                          .local = local,
                          .parent = parent,
                          .first_child = TR_NONE,
                          .last_child = TR_NONE,
                          .next = TR_NONE,
                          .mesh = TR_NONE,
                          .skin = TR_NONE,
                          .value = TR_NONE};
    uint32_t number = out->node_count++;
    out->nodes[number] = node;
    if (parent != TR_NONE) {
        gltf_out_node *above = &out->nodes[parent];
        if (above->last_child == TR_NONE)
            above->first_child = number;
        else
            out->nodes[above->last_child].next = number;
        above->last_child = number;
    }
    return number;
}

uint32_t tr_gltf_write_material(gltf_out *out, const char *name, const float color[3], bool unlit) {
    if (!MORE(out, materials, material))
        return TR_NONE;
    gltf_out_material material = {.name = name, .unlit = unlit};
    for (int i = 0; i < 3; i++)
        material.color[i] = color[i] >= 0 ? (color[i] <= 1 ? color[i] : 1) : 0;
    out->materials[out->material_count] = material;
    return out->material_count++;
}

static uint32_t write_points(gltf_out *out, const tr_vec3 *points, uint32_t count, bool bounded) {
    tr_gltf_write_view(out, GLTF_VERTICES);
    uint32_t accessor = tr_gltf_write_accessor(out, GLTF_FLOAT, GLTF_VEC3, count);
    tr_box box = tr_box_empty();
    for (uint32_t i = 0; i < count && out->status == TR_OK; i++) {
        tr_gltf_write_float(out, points[i].x);
        tr_gltf_write_float(out, points[i].y);
        tr_gltf_write_float(out, points[i].z);
        box = tr_box_include(box, points[i]);
    }
    if (bounded)
        tr_gltf_write_bounds(out, accessor, 3, &box.min.x, &box.max.x);
    return accessor;
}

static uint32_t write_joints(gltf_out *out, const gltf_vertices *vertices) {
    bool narrow = vertices->joint_count <= 256;
    tr_gltf_write_view(out, GLTF_VERTICES);
    uint32_t accessor = tr_gltf_write_accessor(out, narrow ? GLTF_U8 : GLTF_U16, GLTF_VEC4, vertices->count);
    for (uint32_t i = 0; i < vertices->count && out->status == TR_OK; i++)
        for (int k = 0; k < TR_BODY_INFLUENCES; k++)
            (narrow ? tr_gltf_write_u8 : tr_gltf_write_u16)(out, vertices->joints[i][k]);
    return accessor;
}

static uint32_t write_weights(gltf_out *out, const gltf_vertices *vertices) {
    tr_gltf_write_view(out, GLTF_VERTICES);
    uint32_t accessor = tr_gltf_write_accessor(out, GLTF_FLOAT, GLTF_VEC4, vertices->count);
    for (uint32_t i = 0; i < vertices->count && out->status == TR_OK; i++)
        for (int k = 0; k < TR_BODY_INFLUENCES; k++)
            tr_gltf_write_float(out, vertices->weights[i][k]);
    return accessor;
}

static uint32_t write_indices(gltf_out *out, const gltf_vertices *vertices) {
    bool narrow = vertices->count < 65536; // the largest index of a type means "restart" in OpenGL
    tr_gltf_write_view(out, GLTF_INDICES);
    uint32_t accessor =
        tr_gltf_write_accessor(out, narrow ? GLTF_U16 : GLTF_U32, GLTF_SCALAR, vertices->index_count);
    for (uint32_t i = 0; i < vertices->index_count && out->status == TR_OK; i++)
        (narrow ? tr_gltf_write_u16 : tr_gltf_write_u32)(out, vertices->indices[i]);
    return accessor;
}

uint32_t tr_gltf_write_mesh(gltf_out *out, const char *name, const gltf_vertices *vertices,
                            uint32_t material) {
    gltf_out_mesh mesh = {.name = name,
                          .mode = vertices->mode,
                          .positions = write_points(out, vertices->positions, vertices->count, true),
                          .normals = TR_NONE,
                          .joints = TR_NONE,
                          .weights = TR_NONE,
                          .indices = TR_NONE,
                          .material = material};
    if (vertices->normals)
        mesh.normals = write_points(out, vertices->normals, vertices->count, false);
    if (vertices->joints) {
        mesh.joints = write_joints(out, vertices);
        mesh.weights = write_weights(out, vertices);
    }
    if (vertices->indices)
        mesh.indices = write_indices(out, vertices);
    if (!MORE(out, meshes, mesh))
        return TR_NONE;
    out->meshes[out->mesh_count] = mesh;
    return out->mesh_count++;
}

void tr_gltf_write_paint(gltf_out *out, uint32_t mesh, const gltf_vertices *vertices, uint32_t material) {
    uint32_t indices = write_indices(out, vertices);
    if (out->status != TR_OK || mesh == TR_NONE)
        return;
    gltf_out_mesh *painted = &out->meshes[mesh];
    painted->paints[painted->paint_count].indices = indices;
    painted->paints[painted->paint_count++].material = material;
}

void tr_gltf_write_channel(gltf_out *out, uint32_t node, gltf_path path, uint32_t input, uint32_t output) {
    if (!MORE(out, channels, channel))
        return;
    gltf_out_channel channel = {.node = node, .input = input, .output = output, .path = path};
    out->channels[out->channel_count++] = channel;
}

void tr_gltf_write_mover(gltf_out *out, uint32_t object, uint32_t node) {
    if (!MORE(out, movers, mover))
        return;
    gltf_out_mover mover = {object, node};
    out->movers[out->mover_count++] = mover;
}

uint32_t tr_gltf_write_times(gltf_out *out, double rate, uint32_t frame_count) {
    for (uint32_t i = 0; i < out->times_count; i++)
        if (out->times[i].frame_count == frame_count && (frame_count == 1 || out->times[i].rate == rate))
            return out->times[i].accessor;
    uint32_t accessor = tr_gltf_write_accessor(out, GLTF_FLOAT, GLTF_SCALAR, frame_count);
    for (uint32_t i = 0; i < frame_count && out->status == TR_OK; i++)
        tr_gltf_write_float(out, (float)(i / rate));
    float low = 0, high = (float)((frame_count - 1) / rate);
    tr_gltf_write_bounds(out, accessor, 1, &low, &high);
    if (!MORE(out, times, times))
        return TR_NONE;
    gltf_out_times times = {rate, frame_count, accessor};
    out->times[out->times_count++] = times;
    return accessor;
}

const char *tr_gltf_write_unique(gltf_out *out, tr_name_set *names, const char *name) {
    const char *unique = out->status == TR_OK ? tr_name_set_add(names, name) : NULL;
    if (!unique)
        tr_gltf_write_failed(out, TR_OUT_OF_MEMORY);
    return unique;
}

bool tr_gltf_write_take_apart(const tr_affine *map, tr_transform *transform) {
    *transform = tr_affine_to_transform(map);
    tr_affine again = tr_affine_from_transform(*transform);
    float size = 0, off = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            float apart = fabsf(map->m[row][column] - again.m[row][column]);
            size = fabsf(map->m[row][column]) > size ? fabsf(map->m[row][column]) : size;
            off = apart > off ? apart : off;
        }
    return off <= size * 1e-5f;
}

const char *tr_gltf_image_type(const uint8_t *data, size_t size) {
    static const struct {
        const char *type, *mark;
        size_t offset, size;
    } types[] = {{"image/png", "\x89PNG\r\n\x1a\n", 0, 8},
                 {"image/jpeg", "\xff\xd8\xff", 0, 3},
                 {"image/webp", "WEBP", 8, 4},
                 {"image/ktx2", "\xabKTX 20\xbb\r\n\x1a\n", 0, 12}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (size >= types[i].offset + types[i].size &&
            memcmp(data + types[i].offset, types[i].mark, types[i].size) == 0)
            return types[i].type;
    return NULL;
}

static void note_image(const gltf_image_files *files, uint32_t number, const char *uri, const tr_error *why) {
    char sentence[400];
    snprintf(sentence, sizeof sentence, "images[%u].uri stays a link to \"%.80s\": %.240s", number, uri,
             why->message[0] ? why->message : "it cannot be read");
    if (files->note)
        files->note(files->note_user, sentence);
}

tr_status tr_gltf_take_image(gltf_out *out, const gltf_image_files *files, uint32_t number, uint32_t *view) {
    gltf_document *document = files->document;
    uint32_t image = tr_json_item(document->json, files->list, number);
    const char *uri = NULL;
    tr_status status =
        tr_json_get_text(document->json, image, "uri", TR_JSON_OPTIONAL, &uri, document->error);
    if (status != TR_OK || !uri || strncmp(uri, "data:", 5) == 0)
        return status;
    tr_bytes bytes = {0};
    tr_error why = {0};
    if (!document->load)
        status = tr_fail(&why, TR_NO_FILE, "external images cannot be read here");
    else
        status = document->load(document->load_user, uri, &document->reading.allocator, &bytes, &why);
    if (status == TR_OUT_OF_MEMORY)
        return tr_fail(document->error, TR_OUT_OF_MEMORY, "no memory for images[%u]", number);
    if (status == TR_OK && !tr_gltf_image_type(bytes.data, bytes.size))
        status = tr_fail(&why, TR_UNAVAILABLE, "it is neither PNG, JPEG, WebP nor KTX2");
    if (status == TR_OK) {
        tr_gltf_write_view_of(out, bytes.data, bytes.size);
        *view = out->view_count - 1;
    } else {
        note_image(files, number, uri, &why);
    }
    if (bytes.data)
        tr_bytes_free(&document->reading.allocator, &bytes);
    return TR_OK;
}
