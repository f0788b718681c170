// The lists of the JSON, with the new items between those of the document.
#include "gltf_add_data.h"

#include <string.h>

static void write_floats(tr_json_writer *writer, const char *key, const float *values, uint32_t count) {
    tr_json_write_key(writer, key);
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < count; i++)
        tr_json_write_number(writer, (double)values[i] + 0.0); // no negative zeros
    tr_json_write_end(writer);
}

static void write_index(tr_json_writer *writer, const char *key, uint32_t index) {
    tr_json_write_key(writer, key);
    tr_json_write_integer(writer, index);
}

// A list of nodes of the document, as those of a copy.
static tr_status write_links(const gltf_adding *adding, tr_json_writer *writer, uint32_t list,
                             uint32_t copy) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_json_count(adding->document.json, list) && status == TR_OK; i++) {
        uint32_t node = 0;
        status = tr_gltf_read_node_number(&adding->document, list, i, &node);
        tr_json_write_integer(writer, copy * adding->node_count + node);
    }
    return status;
}

static tr_status write_list(const gltf_adding *adding, tr_json_writer *writer, uint32_t object,
                            const char *key, uint32_t copy) {
    uint32_t list = tr_json_member(adding->document.json, object, key);
    if (tr_json_count(adding->document.json, list) == 0)
        return TR_OK;
    tr_json_write_key(writer, key);
    tr_json_write_array(writer);
    tr_status status = write_links(adding, writer, list, copy);
    tr_json_write_end(writer);
    return status;
}

// Closes an object with the members of a writer; `status` is that of what was written before.
static tr_status close_with(gltf_adding *adding, tr_json_writer *writer, bool first, tr_status status) {
    tr_status put = tr_gltf_add_inside(adding, writer, &first);
    status = status == TR_OK ? put : status;
    return status == TR_OK ? tr_gltf_add_text(adding, "}") : status;
}

// A node that an animation moves must not have a matrix. The nodes of a copy have its children and its skin.
static tr_status put_node(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy) {
    static const char *const keys[] = {"matrix",   "translation", "rotation", "scale",
                                       "children", "skin",        NULL};
    static const char *const matrix_keys[] = {"matrix", "translation", "rotation", "scale", NULL};
    uint32_t joint = adding->matrix_joints[number], skin = TR_NONE;
    if (joint == TR_NONE && copy == 0)
        return tr_gltf_add_copy(adding, value);
    const gltf_document *document = &adding->document;
    bool first;
    tr_status status =
        tr_gltf_get_index(document, value, "skin", TR_JSON_OPTIONAL, document->skin_list, "skins", &skin);
    if (status == TR_OK)
        status = tr_gltf_add_object_without(adding, value,
                                            copy == 0          ? matrix_keys
                                            : joint == TR_NONE ? keys + 4
                                                               : keys,
                                            &first);
    if (status != TR_OK)
        return status;
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_object(&writer);
    if (joint != TR_NONE) {
        tr_transform rest = tr_skeleton_joint(adding->skeleton, joint).rest;
        write_floats(&writer, "translation", &rest.position.x, 3);
        write_floats(&writer, "rotation", &rest.rotation.x, 4);
        write_floats(&writer, "scale", &rest.scale.x, 3);
    }
    if (copy > 0) {
        status = write_list(adding, &writer, value, "children", copy);
        if (skin != TR_NONE)
            write_index(&writer, "skin", copy * adding->skin_count + skin);
    }
    return close_with(adding, &writer, first, status);
}

// The skins of several copies are named after them: readers name characters after their skins.
static tr_status put_skin(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy) {
    static const char *const keys[] = {"name", "joints", "skeleton", NULL};
    const gltf_document *document = &adding->document;
    const char *name = adding->addition->copies[copy].name;
    uint32_t top = TR_NONE;
    bool first;
    (void)number;
    tr_status status =
        tr_gltf_get_index(document, value, "skeleton", TR_JSON_OPTIONAL, document->node_list, "nodes", &top);
    if (status == TR_OK)
        status = tr_gltf_add_object_without(adding, value, name ? keys : keys + 1, &first);
    if (status != TR_OK)
        return status;
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_object(&writer);
    if (name) {
        tr_json_write_key(&writer, "name");
        tr_json_write_text(&writer, name);
    }
    if (top != TR_NONE)
        write_index(&writer, "skeleton", copy * adding->node_count + top);
    status = write_list(adding, &writer, value, "joints", copy);
    return close_with(adding, &writer, first, status);
}

// Every scene shows all copies.
static tr_status put_scene(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy) {
    static const char *const keys[] = {"nodes", NULL};
    bool first;
    (void)number;
    (void)copy;
    tr_status status = tr_gltf_add_object_without(adding, value, keys, &first);
    if (status != TR_OK)
        return status;
    uint32_t list = tr_json_member(adding->document.json, value, "nodes");
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_object(&writer);
    if (tr_json_count(adding->document.json, list) > 0) {
        tr_json_write_key(&writer, "nodes");
        tr_json_write_array(&writer);
        for (uint32_t i = 0; i < adding->addition->copy_count && status == TR_OK; i++)
            status = write_links(adding, &writer, list, i);
        tr_json_write_end(&writer);
    }
    return close_with(adding, &writer, first, status);
}

static tr_status put_image(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy) {
    static const char *const keys[] = {"uri", "mimeType", "bufferView", NULL};
    uint32_t view = adding->image_views[number];
    (void)copy;
    if (view == TR_NONE)
        return tr_gltf_add_copy(adding, value);
    bool first;
    tr_status status = tr_gltf_add_object_without(adding, value, keys, &first);
    if (status != TR_OK)
        return status;
    const gltf_out_view *bytes = &adding->out.views[view];
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "bufferView");
    tr_json_write_integer(&writer, adding->out.first_view + view);
    tr_json_write_key(&writer, "mimeType");
    tr_json_write_text(&writer, tr_gltf_image_type(adding->out.bytes + bytes->offset, bytes->size));
    return close_with(adding, &writer, first, TR_OK);
}

// The members of a buffer of these bytes; as a data: URI unless they are in the binary chunk.
static tr_status put_bytes(gltf_adding *adding, const uint8_t *data, size_t size, bool in_chunk,
                           bool *first) {
    const tr_allocator *allocator = &adding->out.allocator;
    size_t room = 0;
    char *uri = in_chunk ? NULL : tr_gltf_write_uri(allocator, data, size, &room);
    if (!in_chunk && !uri)
        return tr_fail(adding->document.error, TR_OUT_OF_MEMORY, "no memory for the bytes of a buffer");
    tr_json_writer writer = tr_json_writer_begin(allocator);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "byteLength");
    tr_json_write_integer(&writer, (int64_t)size);
    if (uri) {
        tr_json_write_key(&writer, "uri");
        tr_json_write_text(&writer, uri);
        tr_release(allocator, uri, room, 1);
    }
    return tr_gltf_add_inside(adding, &writer, first);
}

static tr_status put_home(gltf_adding *adding, bool *first) {
    bool in_chunk = !adding->shot.text && adding->home == 0;
    return put_bytes(adding, adding->out.bytes, adding->out.size, in_chunk, first);
}

// Buffer 0 grows by the new bytes; buffers in other files move into the text.
static tr_status put_buffer(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy) {
    static const char *const keys[] = {"uri", "byteLength", NULL};
    gltf_document *document = &adding->document;
    bool is_home = number == adding->home && !adding->home_is_new, first;
    const char *uri = "data:";
    (void)copy;
    tr_status status =
        tr_json_get_text(document->json, value, "uri", TR_JSON_OPTIONAL, &uri, document->error);
    if (status == TR_OK && !is_home && strncmp(uri, "data:", 5) == 0)
        return tr_gltf_add_copy(adding, value);
    if (status == TR_OK)
        status = tr_gltf_open_buffer(document, number);
    if (status == TR_OK)
        status = tr_gltf_add_object_without(adding, value, keys, &first);
    if (status == TR_OK && is_home)
        status = put_home(adding, &first);
    else if (status == TR_OK)
        status = put_bytes(adding, document->buffers[number].data, (size_t)document->buffers[number].size,
                           false, &first);
    return status == TR_OK ? tr_gltf_add_text(adding, "}") : status;
}

// Writes an item of a list for a copy of the character.
typedef tr_status (*put_item)(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy);

// Copies every item of a list, with changes.
static tr_status put_items(gltf_adding *adding, uint32_t list, bool *first, put_item item, uint32_t copy) {
    const tr_json *json = adding->document.json;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_json_count(json, list) && status == TR_OK; i++) {
        status = *first ? TR_OK : tr_gltf_add_text(adding, ",");
        *first = false;
        if (status == TR_OK)
            status = item(adding, i, tr_json_item(json, list, i), copy);
    }
    return status;
}

static tr_status put_same(gltf_adding *adding, uint32_t number, uint32_t value, uint32_t copy) {
    (void)number;
    (void)copy;
    return tr_gltf_add_copy(adding, value);
}

// The new items of a list.
static tr_status put_new(gltf_adding *adding, uint32_t count, bool *first,
                         void (*write)(const gltf_out *, uint32_t, tr_json_writer *)) {
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < count; i++)
        write(&adding->out, i, &writer);
    return tr_gltf_add_inside(adding, &writer, first);
}

static tr_status put_copies(gltf_adding *adding, uint32_t list, bool *first, put_item item) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < adding->addition->copy_count && status == TR_OK; i++)
        status = put_items(adding, list, first, item, i);
    return status;
}

static tr_status put_nodes(gltf_adding *adding, uint32_t list, bool *first) {
    return put_copies(adding, list, first, put_node);
}

static tr_status put_skins(gltf_adding *adding, uint32_t list, bool *first) {
    return put_copies(adding, list, first, adding->addition->copy_count > 1 ? put_skin : put_same);
}

static tr_status put_scenes(gltf_adding *adding, uint32_t list, bool *first) {
    return put_items(adding, list, first, adding->addition->copy_count > 1 ? put_scene : put_same, 0);
}

static tr_status put_images(gltf_adding *adding, uint32_t list, bool *first) {
    return put_items(adding, list, first, put_image, 0);
}

static tr_status put_buffers(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_items(adding, list, first, put_buffer, 0);
    if (status != TR_OK || !adding->home_is_new || adding->out.size == 0)
        return status;
    status = tr_gltf_add_text(adding, *first ? "{" : ",{");
    *first = true;
    if (status == TR_OK)
        status = put_home(adding, first);
    return status == TR_OK ? tr_gltf_add_text(adding, "}") : status;
}

static tr_status put_views(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_items(adding, list, first, put_same, 0);
    return status == TR_OK ? put_new(adding, adding->out.view_count, first, tr_gltf_write_view_item) : status;
}

static tr_status put_accessors(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_items(adding, list, first, put_same, 0);
    return status == TR_OK ? put_new(adding, adding->out.accessor_count, first, tr_gltf_write_accessor_item)
                           : status;
}

// Viewers play the first animation: the new ones come before the document's.
static tr_status put_animations(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_new(adding, adding->out.animation_count, first, tr_gltf_write_animation_item);
    return status == TR_OK ? put_items(adding, list, first, put_same, 0) : status;
}

// The lists that change. A list without items is left out, as the standard demands.
typedef struct gltf_list {
    const char *key;
    uint32_t value; // in the JSON; TR_NONE: the document has none
    tr_status (*put)(gltf_adding *, uint32_t, bool *);
    bool gets_items;
} gltf_list;

static tr_status put_list(gltf_adding *adding, const gltf_list *list) {
    bool first = true;
    tr_status status = tr_gltf_add_text(adding, "[");
    if (status == TR_OK)
        status = list->put(adding, list->value, &first);
    return status == TR_OK ? tr_gltf_add_text(adding, "]") : status;
}

static const gltf_list *find_list(const gltf_list *lists, uint32_t count, uint32_t value) {
    for (uint32_t i = 0; i < count; i++)
        if (lists[i].value == value)
            return &lists[i];
    return NULL;
}

static tr_status put_document(gltf_adding *adding, const gltf_list *lists, uint32_t list_count) {
    const gltf_document *document = &adding->document;
    bool first = true;
    tr_status status = tr_gltf_add_text(adding, "{");
    for (uint32_t i = 0; i < tr_json_count(document->json, document->root) && status == TR_OK; i++) {
        uint32_t member = tr_json_item(document->json, document->root, i);
        const gltf_list *list = find_list(lists, list_count, member);
        status = tr_gltf_add_key(adding, document->root, i, &first);
        if (status == TR_OK)
            status = list ? put_list(adding, list) : tr_gltf_add_copy(adding, member);
    }
    for (uint32_t i = 0; i < list_count && status == TR_OK; i++) {
        if (lists[i].value != TR_NONE || !lists[i].gets_items)
            continue;
        status = tr_gltf_add_text(adding, ",\""); // `asset` came before
        if (status == TR_OK)
            status = tr_gltf_add_text(adding, lists[i].key);
        if (status == TR_OK)
            status = tr_gltf_add_text(adding, "\":");
        if (status == TR_OK)
            status = put_list(adding, &lists[i]);
    }
    return status == TR_OK ? tr_gltf_add_text(adding, "}\n") : status;
}

tr_status tr_gltf_add_json(gltf_adding *adding) {
    const gltf_document *document = &adding->document;
    const gltf_out *out = &adding->out;
    const gltf_list lists[] = {
        {"scenes", document->scene_list, put_scenes, false},
        {"nodes", document->node_list, put_nodes, false},
        {"skins", document->skin_list, put_skins, false},
        {"images", adding->image_list, put_images, false},
        {"animations", document->animation_list, put_animations, out->animation_count > 0},
        {"accessors", document->accessor_list, put_accessors, out->accessor_count > 0},
        {"bufferViews", document->view_list, put_views, out->view_count > 0},
        {"buffers", document->buffer_list, put_buffers, adding->home_is_new && out->size > 0}};
    return put_document(adding, lists, sizeof lists / sizeof lists[0]);
}
