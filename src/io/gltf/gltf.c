#include "gltf_document.h"

#include <inttypes.h>
#include <string.h>

static uint32_t read_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static tr_status at_byte(const gltf_document *document, uint64_t offset, tr_status status) {
    if (document->error)
        document->error->offset = offset;
    return status;
}

static tr_status read_chunks(gltf_document *document, const uint8_t *data, uint64_t length) {
    uint64_t at = 12;
    for (uint32_t number = 0; at < length; number++) {
        if (length - at < 8) {
            tr_fail(document->error, TR_BAD_FILE, "GLB chunk %u has no room for its header", number);
            return at_byte(document, at, TR_BAD_FILE);
        }
        uint64_t size = read_u32(data + at), room = length - at - 8;
        const uint8_t *type = data + at + 4, *content = data + at + 8;
        if (size > room) {
            tr_fail(document->error, TR_BAD_FILE,
                    "GLB chunk %u has %" PRIu64 " bytes, but only %" PRIu64 " follow", number, size, room);
            return at_byte(document, at, TR_BAD_FILE);
        }
        if (number == 0 && memcmp(type, "JSON", 4) == 0) {
            document->json_text = content;
            document->json_size = size;
            document->json_start = at + 8;
        } else if (number == 1 && memcmp(type, "BIN\0", 4) == 0) {
            document->chunk = content;
            document->chunk_size = size;
        }
        at += 8 + size;
    }
    if (document->json_text)
        return TR_OK;
    tr_fail(document->error, TR_BAD_FILE, "the first chunk of the GLB is not JSON");
    return at_byte(document, 12, TR_BAD_FILE);
}

static tr_status open_glb(gltf_document *document, const uint8_t *data, size_t size) {
    document->is_binary = true;
    if (size < 12)
        return tr_fail(document->error, TR_BAD_FILE, "the GLB has %zu bytes, its header alone has 12", size);
    uint32_t version = read_u32(data + 4);
    uint64_t length = read_u32(data + 8);
    if (version != 2) {
        tr_fail(document->error, TR_UNAVAILABLE, "the GLB has version %u, only version 2 can be read",
                version);
        return at_byte(document, 4, TR_UNAVAILABLE);
    }
    if (length > size) {
        tr_fail(document->error, TR_BAD_FILE,
                "the header of the GLB gives %" PRIu64 " bytes, but there are %zu", length, size);
        return at_byte(document, 8, TR_BAD_FILE);
    }
    if (length < size)
        tr_scene_note(&document->reading, "%" PRIu64 " bytes after the end of the GLB are ignored",
                      size - length);
    return read_chunks(document, data, length);
}

static tr_status open_container(gltf_document *document, const uint8_t *data, size_t size) {
    if (size >= 4 && memcmp(data, "glTF", 4) == 0)
        return open_glb(document, data, size);
    document->json_text = data;
    document->json_size = size;
    return TR_OK;
}

static tr_status check_asset(const gltf_document *document) {
    uint32_t asset = TR_NONE;
    const char *version = "", *least = NULL;
    tr_status status = tr_json_get_object(document->json, document->root, "asset", TR_JSON_REQUIRED, &asset,
                                          document->error);
    if (status == TR_OK)
        status =
            tr_json_get_text(document->json, asset, "version", TR_JSON_REQUIRED, &version, document->error);
    if (status == TR_OK)
        status =
            tr_json_get_text(document->json, asset, "minVersion", TR_JSON_OPTIONAL, &least, document->error);
    if (status != TR_OK)
        return status;
    if (strncmp(version, "2.", 2) != 0)
        return tr_fail(document->error, TR_UNAVAILABLE, "asset.version is \"%.40s\", only glTF 2 can be read",
                       version);
    if (least && strcmp(least, "2.0") != 0)
        return tr_fail(document->error, TR_UNAVAILABLE,
                       "asset.minVersion is \"%.40s\", only glTF 2.0 can be read", least);
    return TR_OK;
}

// Extensions that change the appearance but not the geometry, and those that our accessors support anyway.
static bool is_harmless(const char *extension) {
    static const char *const harmless[] = {
        "KHR_mesh_quantization", "KHR_materials_", "KHR_texture_",      "EXT_texture_",
        "MSFT_texture_",         "KHR_lights_",    "EXT_lights_",       "KHR_xmp",
        "KHR_animation_pointer", "KHR_audio",      "EXT_mesh_manifold", "FB_ngon_encoding"};
    for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
        if (strncmp(extension, harmless[i], strlen(harmless[i])) == 0)
            return true;
    return false;
}

static bool is_compression(const char *extension) {
    return strcmp(extension, "KHR_draco_mesh_compression") == 0 ||
           strcmp(extension, "EXT_meshopt_compression") == 0 ||
           strcmp(extension, "KHR_meshopt_compression") == 0;
}

static tr_status check_extensions(const gltf_document *document) {
    const tr_json *json = document->json;
    uint32_t required = TR_NONE, used = TR_NONE;
    tr_status status = tr_json_get_array(json, document->root, "extensionsRequired", TR_JSON_OPTIONAL,
                                         &required, document->error);
    if (status == TR_OK)
        status = tr_json_get_array(json, document->root, "extensionsUsed", TR_JSON_OPTIONAL, &used,
                                   document->error);
    if (status != TR_OK)
        return status;
    for (uint32_t i = 0; i < tr_json_count(json, required); i++) {
        const char *name = tr_json_text(json, tr_json_item(json, required, i), NULL);
        if (!is_harmless(name)) {
            tr_fail(document->error, TR_UNAVAILABLE,
                    "the file requires the extension %.80s, which is not supported%s", name,
                    is_compression(name)
                        ? ": unpack it first, for example with \"gltf-transform copy IN OUT\" "
                          "(npm package @gltf-transform/cli)"
                        : "");
            if (document->error)
                document->error->line = tr_json_line(json, tr_json_item(json, required, i));
            return TR_UNAVAILABLE;
        }
    }
    for (uint32_t i = 0; i < tr_json_count(json, used); i++) {
        const char *name = tr_json_text(json, tr_json_item(json, used, i), NULL);
        if (!is_harmless(name))
            tr_scene_note(&document->reading, "the extension %.80s is ignored", name);
    }
    return TR_OK;
}

bool tr_gltf_has_extension(const gltf_document *document, uint32_t object, const char *name) {
    uint32_t extensions = tr_json_member(document->json, object, "extensions");
    return tr_json_member(document->json, extensions, name) != TR_NONE;
}

tr_status tr_gltf_get_index(const gltf_document *document, uint32_t object, const char *key,
                            tr_json_need need, uint32_t list, const char *what, uint32_t *index) {
    int64_t number = -1;
    tr_status status =
        tr_json_get_integer(document->json, object, key, need, 0, INT64_MAX, &number, document->error);
    if (status != TR_OK || number < 0)
        return status;
    uint32_t count = tr_json_count(document->json, list);
    if (number >= (int64_t)count)
        return tr_json_fail(document->json, tr_json_member(document->json, object, key), document->error,
                            "is %" PRId64 ", but there are only %u %s", number, count, what);
    *index = (uint32_t)number;
    return TR_OK;
}

static tr_status find_lists(gltf_document *document) {
    const struct {
        const char *key;
        uint32_t *list;
    } lists[] = {{"buffers", &document->buffer_list},     {"bufferViews", &document->view_list},
                 {"accessors", &document->accessor_list}, {"meshes", &document->mesh_list},
                 {"nodes", &document->node_list},         {"scenes", &document->scene_list},
                 {"skins", &document->skin_list},         {"animations", &document->animation_list},
                 {"materials", &document->material_list}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        *lists[i].list = TR_NONE;
        tr_status status = tr_json_get_array(document->json, document->root, lists[i].key, TR_JSON_OPTIONAL,
                                             lists[i].list, document->error);
        if (status != TR_OK)
            return status;
    }
    return TR_OK;
}

tr_status tr_gltf_open(gltf_document *document, const void *data, size_t size) {
    tr_status status = open_container(document, data, size);
    // Some exporters pad the JSON chunk with zeros instead of the spaces that the standard requires.
    while (status == TR_OK && document->is_binary && document->json_size > 0 &&
           document->json_text[document->json_size - 1] == 0)
        document->json_size--;
    if (status == TR_OK)
        status = tr_json_read(&document->reading.allocator, document->json_text, (size_t)document->json_size,
                              &document->json, document->error);
    document->root = tr_json_root(document->json);
    if (status == TR_OK)
        status = check_asset(document);
    if (status == TR_OK)
        status = check_extensions(document);
    tr_status (*const steps[])(gltf_document *) = {find_lists, tr_gltf_open_buffers, tr_gltf_open_accessors};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == TR_OK; i++)
        status = steps[i](document);
    return status;
}

void tr_gltf_close(gltf_document *document) {
    if (document->error->status != TR_OK && document->is_binary && document->error->line) {
        document->error->line = 0; // line numbers mean nothing in a GLB: the error gives the offset
        document->error->offset += document->json_start;
    }
    tr_gltf_close_accessors(document);
    tr_gltf_close_buffers(document);
    tr_json_destroy(document->json);
}

tr_status tr_gltf_read(const void *data, size_t size, const tr_scene_read_options *options, tr_gltf_load load,
                       void *load_user, tr_scene *scene, tr_error *error) {
    if (!data && size)
        return tr_fail(error, TR_INVALID, "the glTF data is NULL");
    tr_error unwanted;
    gltf_document document = {.load = load, .load_user = load_user, .bytes_read = size};
    document.error = error ? error : &unwanted;
    memset(document.error, 0, sizeof *document.error);
    tr_status status = tr_scene_reading_begin(options, &document.reading, error);
    if (status != TR_OK)
        return status;
    document.parts = tr_scene_parts_begin(&document.reading);
    status = tr_gltf_open(&document, data, size);
    if (status == TR_OK)
        status = tr_gltf_open_meshes(&document);
    if (status == TR_OK)
        status = tr_gltf_add_objects(&document);
    if (status == TR_OK)
        status = tr_scene_parts_commit(&document.parts, scene, document.error);
    tr_gltf_close_meshes(&document);
    tr_scene_parts_end(&document.parts);
    tr_gltf_close(&document);
    return status;
}
