#include "gltf_write_data.h"
#include "gltf_write_source.h"
#include "troupe/base/version.h"
#include "troupe/io/json.h"

#include <string.h>

static const char unlit[] = "KHR_materials_unlit";

static void key_integer(tr_json_writer *writer, const char *key, uint32_t value) {
    tr_json_write_key(writer, key);
    tr_json_write_integer(writer, value);
}

// Writes nothing for TR_NONE.
static void key_link(tr_json_writer *writer, const char *key, uint32_t value) {
    if (value != TR_NONE)
        key_integer(writer, key, value);
}

static void key_text(tr_json_writer *writer, const char *key, const char *text) {
    tr_json_write_key(writer, key);
    tr_json_write_text(writer, text);
}

static void key_list(tr_json_writer *writer, const char *key) {
    tr_json_write_key(writer, key);
    tr_json_write_array(writer);
}

static void key_object(tr_json_writer *writer, const char *key) {
    tr_json_write_key(writer, key);
    tr_json_write_object(writer);
}

// With all digits of the double equal to the float, so that programs that compare bounds with data find them
// equal.
static void key_floats(tr_json_writer *writer, const char *key, const float *values, uint32_t count) {
    key_list(writer, key);
    for (uint32_t i = 0; i < count; i++)
        tr_json_write_number(writer, (double)values[i] + 0.0); // no negative zeros
    tr_json_write_end(writer);
}

static bool has_unlit(const gltf_out *out) {
    for (uint32_t i = 0; i < out->material_count; i++)
        if (out->materials[i].unlit)
            return true;
    return false;
}

static void write_asset(const gltf_out *out, tr_json_writer *writer) {
    char generator[64] = "Troupe ";
    strncat(generator, tr_version(), sizeof generator - strlen(generator) - 1);
    key_object(writer, "asset");
    key_text(writer, "version", "2.0");
    key_text(writer, "generator", generator);
    if (out->shot->title && out->shot->title[0]) {
        key_object(writer, "extras");
        key_text(writer, "title", out->shot->title);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    tr_gltf_sources_write_extensions(out, has_unlit(out) ? unlit : NULL, writer);
}

static void write_scene(const gltf_out *out, tr_json_writer *writer) {
    if (out->node_count == 0)
        return;
    key_integer(writer, "scene", 0);
    key_list(writer, "scenes");
    tr_json_write_object(writer);
    key_list(writer, "nodes");
    for (uint32_t i = 0; i < out->node_count; i++)
        if (out->nodes[i].parent == TR_NONE)
            tr_json_write_integer(writer, i);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

static void write_node(const gltf_out *out, const gltf_out_node *node, tr_json_writer *writer) {
    tr_json_write_object(writer);
    key_text(writer, "name", node->name);
    tr_vec3 p = node->local.position, s = node->local.scale;
    tr_quat q = node->local.rotation;
    if (p.x != 0 || p.y != 0 || p.z != 0)
        key_floats(writer, "translation", &p.x, 3);
    if (q.x != 0 || q.y != 0 || q.z != 0)
        key_floats(writer, "rotation", &q.x, 4);
    if (s.x != 1 || s.y != 1 || s.z != 1)
        key_floats(writer, "scale", &s.x, 3);
    key_link(writer, "mesh", node->source ? tr_gltf_source_mesh(out, node->source, node->mesh) : node->mesh);
    key_link(writer, "skin", node->skin);
    if (node->source)
        tr_gltf_source_write_node(node->source, node->value, writer);
    if (node->first_child != TR_NONE) {
        key_list(writer, "children");
        for (uint32_t child = node->first_child; child != TR_NONE; child = out->nodes[child].next)
            tr_json_write_integer(writer, child);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_nodes(const gltf_out *out, tr_json_writer *writer) {
    if (out->node_count == 0)
        return;
    key_list(writer, "nodes");
    for (uint32_t i = 0; i < out->node_count; i++)
        write_node(out, &out->nodes[i], writer);
    tr_json_write_end(writer);
}

static void write_skins(const gltf_out *out, tr_json_writer *writer) {
    if (out->skin_count == 0)
        return;
    key_list(writer, "skins");
    for (uint32_t i = 0; i < out->skin_count; i++) {
        const gltf_out_skin *skin = &out->skins[i];
        tr_json_write_object(writer);
        key_text(writer, "name", skin->name);
        if (skin->source) {
            tr_gltf_source_write_skin(out, skin, writer);
            continue;
        }
        key_integer(writer, "inverseBindMatrices", skin->matrices);
        key_list(writer, "joints");
        for (uint32_t k = 0; k < skin->joint_count; k++)
            tr_json_write_integer(writer, skin->first_joint + k);
        tr_json_write_end(writer);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_meshes(const gltf_out *out, tr_json_writer *writer) {
    if (out->mesh_count + tr_gltf_sources_count(out, GLTF_MESHES) == 0)
        return;
    key_list(writer, "meshes");
    for (uint32_t i = 0; i < out->mesh_count; i++) {
        const gltf_out_mesh *mesh = &out->meshes[i];
        tr_json_write_object(writer);
        if (mesh->name && mesh->name[0])
            key_text(writer, "name", mesh->name);
        key_list(writer, "primitives");
        tr_json_write_object(writer);
        key_object(writer, "attributes");
        key_link(writer, "POSITION", mesh->positions);
        key_link(writer, "NORMAL", mesh->normals);
        key_link(writer, "JOINTS_0", mesh->joints);
        key_link(writer, "WEIGHTS_0", mesh->weights);
        tr_json_write_end(writer);
        key_link(writer, "indices", mesh->indices);
        key_link(writer, "material", mesh->material);
        if (mesh->mode != GLTF_TRIANGLES)
            key_integer(writer, "mode", mesh->mode);
        tr_json_write_end(writer);
        tr_json_write_end(writer);
        tr_json_write_end(writer);
    }
    tr_gltf_sources_write_list(out, GLTF_MESHES, writer);
    tr_json_write_end(writer);
}

static void write_materials(const gltf_out *out, tr_json_writer *writer) {
    if (out->material_count + tr_gltf_sources_count(out, GLTF_MATERIALS) == 0)
        return;
    key_list(writer, "materials");
    for (uint32_t i = 0; i < out->material_count; i++) {
        const gltf_out_material *material = &out->materials[i];
        const float color[4] = {material->color[0], material->color[1], material->color[2], 1};
        tr_json_write_object(writer);
        key_text(writer, "name", material->name);
        key_object(writer, "pbrMetallicRoughness");
        key_floats(writer, "baseColorFactor", color, 4);
        key_integer(writer, "metallicFactor", 0);
        key_integer(writer, "roughnessFactor", 1);
        tr_json_write_end(writer);
        if (material->unlit) {
            key_object(writer, "extensions");
            key_object(writer, unlit);
            tr_json_write_end(writer);
            tr_json_write_end(writer);
        }
        tr_json_write_end(writer);
    }
    tr_gltf_sources_write_list(out, GLTF_MATERIALS, writer);
    tr_json_write_end(writer);
}

static void write_textures(const gltf_out *out, tr_json_writer *writer) {
    static const char *const keys[] = {"textures", "images", "samplers"};
    for (gltf_list list = GLTF_TEXTURES; list <= GLTF_SAMPLERS; list++) {
        if (tr_gltf_sources_count(out, list) == 0)
            continue;
        key_list(writer, keys[list - GLTF_TEXTURES]);
        tr_gltf_sources_write_list(out, list, writer);
        tr_json_write_end(writer);
    }
}

uint32_t tr_gltf_write_node_number(const gltf_out *out, uint32_t node) {
    return out->node_numbers ? out->node_numbers[node] : node;
}

void tr_gltf_write_animation_item(const gltf_out *out, uint32_t number, tr_json_writer *writer) {
    static const char *const paths[] = {"translation", "rotation", "scale"};
    const gltf_out_animation *animation = &out->animations[number];
    const gltf_out_channel *channels = out->channels + animation->first_channel;
    tr_json_write_object(writer);
    key_text(writer, "name", animation->name);
    tr_gltf_write_extras(out, animation, writer);
    key_list(writer, "channels");
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        tr_json_write_object(writer);
        key_integer(writer, "sampler", i);
        key_object(writer, "target");
        key_integer(writer, "node", tr_gltf_write_node_number(out, channels[i].node));
        key_text(writer, "path", paths[channels[i].path]);
        tr_json_write_end(writer);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    key_list(writer, "samplers");
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        tr_json_write_object(writer);
        key_integer(writer, "input", out->first_accessor + channels[i].input);
        key_integer(writer, "output", out->first_accessor + channels[i].output);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

static void write_animations(const gltf_out *out, tr_json_writer *writer) {
    if (out->animation_count == 0)
        return;
    key_list(writer, "animations");
    for (uint32_t i = 0; i < out->animation_count; i++)
        tr_gltf_write_animation_item(out, i, writer);
    tr_json_write_end(writer);
}

void tr_gltf_write_accessor_item(const gltf_out *out, uint32_t number, tr_json_writer *writer) {
    static const char *const shapes[] = {"SCALAR", "VEC3", "VEC4", "MAT4"};
    const gltf_out_accessor *accessor = &out->accessors[number];
    tr_json_write_object(writer);
    key_integer(writer, "bufferView", out->first_view + accessor->view);
    if (accessor->offset > 0)
        key_integer(writer, "byteOffset", accessor->offset);
    key_integer(writer, "componentType", accessor->component);
    key_integer(writer, "count", accessor->count);
    key_text(writer, "type", shapes[accessor->shape]);
    if (accessor->bound_count > 0) {
        key_floats(writer, "min", accessor->low, accessor->bound_count);
        key_floats(writer, "max", accessor->high, accessor->bound_count);
    }
    tr_json_write_end(writer);
}

void tr_gltf_write_view_item(const gltf_out *out, uint32_t number, tr_json_writer *writer) {
    const gltf_out_view *view = &out->views[number];
    tr_json_write_object(writer);
    key_integer(writer, "buffer", out->buffer);
    if (view->offset > 0)
        key_integer(writer, "byteOffset", view->offset);
    key_integer(writer, "byteLength", view->size);
    if (view->stride > 0)
        key_integer(writer, "byteStride", view->stride);
    if (view->target != GLTF_NO_TARGET)
        key_integer(writer, "target", view->target);
    tr_json_write_end(writer);
}

static void write_accessors(const gltf_out *out, tr_json_writer *writer) {
    if (out->accessor_count + tr_gltf_sources_count(out, GLTF_ACCESSORS) == 0)
        return;
    key_list(writer, "accessors");
    for (uint32_t i = 0; i < out->accessor_count; i++)
        tr_gltf_write_accessor_item(out, i, writer);
    tr_gltf_sources_write_list(out, GLTF_ACCESSORS, writer);
    tr_json_write_end(writer);
    key_list(writer, "bufferViews");
    for (uint32_t i = 0; i < out->view_count; i++)
        tr_gltf_write_view_item(out, i, writer);
    tr_json_write_end(writer);
}

char *tr_gltf_write_uri(const tr_allocator *allocator, const uint8_t *data, size_t size, size_t *room) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    static const char head[] = "data:application/octet-stream;base64,";
    *room = sizeof head + (size + 2) / 3 * 4;
    char *uri = tr_allocate(allocator, *room, 1), *at = uri;
    if (!uri)
        return NULL;
    memcpy(at, head, sizeof head - 1);
    at += sizeof head - 1;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) |
                        (left > 2 ? data[i + 2] : 0);
        *at++ = digits[bits >> 18];
        *at++ = digits[bits >> 12 & 63];
        *at++ = left > 1 ? digits[bits >> 6 & 63] : '=';
        *at++ = left > 2 ? digits[bits & 63] : '=';
    }
    *at = 0;
    return uri;
}

static tr_status write_buffer(const gltf_out *out, tr_json_writer *writer) {
    if (out->size == 0)
        return TR_OK;
    size_t size = 0;
    char *uri = out->shot->text ? tr_gltf_write_uri(&out->allocator, out->bytes, out->size, &size) : NULL;
    if (out->shot->text && !uri)
        return TR_OUT_OF_MEMORY;
    key_list(writer, "buffers");
    tr_json_write_object(writer);
    key_integer(writer, "byteLength", out->size);
    if (uri)
        key_text(writer, "uri", uri);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
    tr_release(&out->allocator, uri, size, 1);
    return TR_OK;
}

static tr_status write_json(const gltf_out *out, tr_bytes *text, tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(&out->allocator);
    void (*const lists[])(const gltf_out *, tr_json_writer *) = {
        write_asset,  write_scene,     write_nodes,      write_skins,
        write_meshes, write_materials, write_textures, write_animations, write_accessors};
    tr_json_write_object(&writer);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        lists[i](out, &writer);
    tr_status status = write_buffer(out, &writer);
    tr_json_write_end(&writer);
    tr_status finished = tr_json_writer_finish(&writer, text, error);
    if (status == TR_OK || finished != TR_OK)
        return finished;
    tr_bytes_free(&out->allocator, text);
    return tr_fail(error, status, "no memory for the glTF text");
}

static uint8_t *put_u32(uint8_t *at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static uint8_t *put_chunk(uint8_t *at, const char type[4], const uint8_t *data, uint32_t size, int fill) {
    uint32_t padded = (size + 3) / 4 * 4;
    at = put_u32(at, padded);
    memcpy(at, type, 4);
    memcpy(at + 4, data, size);
    memset(at + 4 + size, fill, padded - size);
    return at + 4 + padded;
}

// Header, JSON, bytes.
tr_status tr_gltf_write_pack(const gltf_out *out, const tr_bytes *json, tr_bytes *bytes, tr_error *error) {
    uint64_t size = 12 + 8 + ((uint64_t)json->size + 3) / 4 * 4;
    if (out->size > 0)
        size += 8 + ((uint64_t)out->size + 3) / 4 * 4;
    if (size > UINT32_MAX)
        return tr_fail(error, TR_LIMIT, "the shot takes %llu bytes as GLB, at most 4 GiB can be written",
                       (unsigned long long)size);
    bytes->data = tr_allocate(&out->allocator, (size_t)size, 1);
    if (!bytes->data)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a GLB of %llu bytes",
                       (unsigned long long)size);
    bytes->size = (size_t)size;
    memcpy(bytes->data, "glTF\2\0\0\0", 8);
    uint8_t *at = put_u32(bytes->data + 8, (uint32_t)size);
    at = put_chunk(at, "JSON", json->data, (uint32_t)json->size, ' ');
    if (out->size > 0)
        put_chunk(at, "BIN\0", out->bytes, out->size, 0);
    return TR_OK;
}

tr_status tr_gltf_write_file(gltf_out *out, tr_bytes *bytes, tr_error *error) {
    tr_bytes json = {0};
    tr_status status = write_json(out, &json, error);
    if (status != TR_OK)
        return status;
    if (out->shot->text) {
        *bytes = json;
        return TR_OK;
    }
    status = tr_gltf_write_pack(out, &json, bytes, error);
    tr_bytes_free(&out->allocator, &json);
    return status;
}
