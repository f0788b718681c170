// The JSON of the document is copied as text: whatever is not changed keeps every digit, also in extensions
// that are not known here.
#include "gltf_add_data.h"

#include <string.h>

static tr_status put(gltf_adding *adding, const void *text, size_t size) {
    if (size == 0)
        return TR_OK;
    uint64_t needed = (uint64_t)adding->text_size + size;
    if (needed > TR_JSON_SIZE_MAX)
        return tr_fail(adding->document.error, TR_LIMIT, "the JSON of the result takes more than 1 GiB");
    if (!tr_reserve(&adding->out.allocator, (void **)&adding->text, &adding->text_capacity, needed, 1))
        return tr_fail(adding->document.error, TR_OUT_OF_MEMORY, "no memory for the glTF text");
    memcpy(adding->text + adding->text_size, text, size);
    adding->text_size = (uint32_t)needed;
    return TR_OK;
}

static tr_status put_text(gltf_adding *adding, const char *text) {
    return put(adding, text, strlen(text));
}

static bool ends_word(uint8_t c) {
    return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Where the string that begins at `at` ends.
static uint64_t end_of_string(const gltf_document *document, uint64_t at) {
    for (at++; at < document->json_size && document->json_text[at] != '"'; at++)
        at += document->json_text[at] == '\\';
    return at < document->json_size ? at + 1 : document->json_size;
}

// Where a value ends. The text was read before, so it is well-formed.
static uint64_t end_of(const gltf_document *document, uint32_t value) {
    const uint8_t *text = document->json_text;
    uint64_t at = tr_json_offset(document->json, value);
    uint32_t depth = 0;
    if (text[at] != '{' && text[at] != '[' && text[at] != '"') {
        while (at < document->json_size && !ends_word(text[at]))
            at++;
        return at;
    }
    while (at < document->json_size) {
        if (text[at] == '"') {
            at = end_of_string(document, at);
        } else {
            depth += text[at] == '{' || text[at] == '[';
            depth -= text[at] == '}' || text[at] == ']';
            at++;
        }
        if (depth == 0)
            return at;
    }
    return at;
}

// Copies the value as it is.
static tr_status copy(gltf_adding *adding, uint32_t value) {
    const gltf_document *document = &adding->document;
    uint64_t begin = tr_json_offset(document->json, value);
    return put(adding, document->json_text + begin, (size_t)(end_of(document, value) - begin));
}

// Where the key of member `i` begins: at the first quote after the member before it.
static uint64_t begin_of_member(const gltf_document *document, uint32_t object, uint32_t i) {
    uint64_t at = i > 0 ? end_of(document, tr_json_item(document->json, object, i - 1))
                        : tr_json_offset(document->json, object) + 1;
    while (at < document->json_size && document->json_text[at] != '"')
        at++;
    return at;
}

// Copies the key of member `i` and the colon; `first` is cleared by the first member of an object.
static tr_status copy_key(gltf_adding *adding, uint32_t object, uint32_t i, bool *first) {
    const gltf_document *document = &adding->document;
    uint64_t begin = begin_of_member(document, object, i);
    tr_status status = *first ? TR_OK : put_text(adding, ",");
    *first = false;
    if (status == TR_OK)
        status =
            put(adding, document->json_text + begin,
                (size_t)(tr_json_offset(document->json, tr_json_item(document->json, object, i)) - begin));
    return status;
}

// Ends what was written by a writer and adds it without its outermost brackets.
static tr_status put_inside(gltf_adding *adding, tr_json_writer *writer, bool *first) {
    tr_bytes text = {0};
    tr_json_write_end(writer);
    tr_status status = tr_json_writer_finish(writer, &text, adding->document.error);
    if (status != TR_OK)
        return status;
    if (text.size > 3 && !*first)
        status = put_text(adding, ",");
    if (status == TR_OK && text.size > 3) { // more than brackets and a line feed
        status = put(adding, text.data + 1, text.size - 3);
        *first = false;
    }
    tr_bytes_free(&adding->out.allocator, &text);
    return status;
}

// Copies an object without the members of the given keys (NULL ends the list), and leaves it open.
static tr_status open_without(gltf_adding *adding, uint32_t object, const char *const *keys, bool *first) {
    const tr_json *json = adding->document.json;
    tr_status status = put_text(adding, "{");
    *first = true;
    for (uint32_t i = 0; i < tr_json_count(json, object) && status == TR_OK; i++) {
        uint32_t member = tr_json_item(json, object, i);
        bool left_out = false;
        for (const char *const *key = keys; *key; key++)
            left_out = left_out || strcmp(*key, tr_json_key(json, member)) == 0;
        if (left_out)
            continue;
        status = copy_key(adding, object, i, first);
        if (status == TR_OK)
            status = copy(adding, member);
    }
    return status;
}

static void write_floats(tr_json_writer *writer, const char *key, const float *values, uint32_t count) {
    tr_json_write_key(writer, key);
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < count; i++)
        tr_json_write_number(writer, (double)values[i] + 0.0); // no negative zeros
    tr_json_write_end(writer);
}

// A node that an animation moves must not have a matrix.
static tr_status put_node(gltf_adding *adding, uint32_t number, uint32_t value) {
    static const char *const keys[] = {"matrix", "translation", "rotation", "scale", NULL};
    uint32_t joint = adding->matrix_joints[number];
    if (joint == TR_NONE)
        return copy(adding, value);
    bool first;
    tr_status status = open_without(adding, value, keys, &first);
    if (status != TR_OK)
        return status;
    tr_transform rest = tr_skeleton_joint(adding->skeleton, joint).rest;
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_object(&writer);
    write_floats(&writer, "translation", &rest.position.x, 3);
    write_floats(&writer, "rotation", &rest.rotation.x, 4);
    write_floats(&writer, "scale", &rest.scale.x, 3);
    status = put_inside(adding, &writer, &first);
    return status == TR_OK ? put_text(adding, "}") : status;
}

static tr_status put_image(gltf_adding *adding, uint32_t number, uint32_t value) {
    static const char *const keys[] = {"uri", "mimeType", "bufferView", NULL};
    uint32_t view = adding->image_views[number];
    if (view == TR_NONE)
        return copy(adding, value);
    bool first;
    tr_status status = open_without(adding, value, keys, &first);
    if (status != TR_OK)
        return status;
    const gltf_out_view *bytes = &adding->out.views[view];
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_object(&writer);
    tr_json_write_key(&writer, "bufferView");
    tr_json_write_integer(&writer, adding->out.first_view + view);
    tr_json_write_key(&writer, "mimeType");
    tr_json_write_text(&writer, tr_gltf_add_image_type(adding->out.bytes + bytes->offset, bytes->size));
    status = put_inside(adding, &writer, &first);
    return status == TR_OK ? put_text(adding, "}") : status;
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
    return put_inside(adding, &writer, first);
}

static tr_status put_home(gltf_adding *adding, bool *first) {
    bool in_chunk = !adding->shot.text && adding->home == 0;
    return put_bytes(adding, adding->out.bytes, adding->out.size, in_chunk, first);
}

// Buffer 0 grows by the new bytes; buffers in other files move into the text.
static tr_status put_buffer(gltf_adding *adding, uint32_t number, uint32_t value) {
    static const char *const keys[] = {"uri", "byteLength", NULL};
    gltf_document *document = &adding->document;
    bool is_home = number == adding->home && !adding->home_is_new, first;
    const char *uri = "data:";
    tr_status status =
        tr_json_get_text(document->json, value, "uri", TR_JSON_OPTIONAL, &uri, document->error);
    if (status == TR_OK && !is_home && strncmp(uri, "data:", 5) == 0)
        return copy(adding, value);
    if (status == TR_OK)
        status = tr_gltf_open_buffer(document, number);
    if (status == TR_OK)
        status = open_without(adding, value, keys, &first);
    if (status == TR_OK && is_home)
        status = put_home(adding, &first);
    else if (status == TR_OK)
        status = put_bytes(adding, document->buffers[number].data, (size_t)document->buffers[number].size,
                           false, &first);
    return status == TR_OK ? put_text(adding, "}") : status;
}

// Copies every item of a list, with changes.
static tr_status put_items(gltf_adding *adding, uint32_t list, bool *first,
                           tr_status (*put_item)(gltf_adding *, uint32_t, uint32_t)) {
    const tr_json *json = adding->document.json;
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_json_count(json, list) && status == TR_OK; i++) {
        status = *first ? TR_OK : put_text(adding, ",");
        *first = false;
        if (status == TR_OK)
            status = put_item(adding, i, tr_json_item(json, list, i));
    }
    return status;
}

static tr_status put_same(gltf_adding *adding, uint32_t number, uint32_t value) {
    (void)number;
    return copy(adding, value);
}

// The new items of a list.
static tr_status put_new(gltf_adding *adding, uint32_t count, bool *first,
                         void (*write)(const gltf_out *, uint32_t, tr_json_writer *)) {
    tr_json_writer writer = tr_json_writer_begin(&adding->out.allocator);
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < count; i++)
        write(&adding->out, i, &writer);
    return put_inside(adding, &writer, first);
}

static tr_status put_nodes(gltf_adding *adding, uint32_t list, bool *first) {
    return put_items(adding, list, first, put_node);
}

static tr_status put_images(gltf_adding *adding, uint32_t list, bool *first) {
    return put_items(adding, list, first, put_image);
}

static tr_status put_buffers(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_items(adding, list, first, put_buffer);
    if (status != TR_OK || !adding->home_is_new || adding->out.size == 0)
        return status;
    status = put_text(adding, *first ? "{" : ",{");
    *first = true;
    if (status == TR_OK)
        status = put_home(adding, first);
    return status == TR_OK ? put_text(adding, "}") : status;
}

static tr_status put_views(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_items(adding, list, first, put_same);
    return status == TR_OK ? put_new(adding, adding->out.view_count, first, tr_gltf_write_view_item) : status;
}

static tr_status put_accessors(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_items(adding, list, first, put_same);
    return status == TR_OK ? put_new(adding, adding->out.accessor_count, first, tr_gltf_write_accessor_item)
                           : status;
}

// Viewers play the first animation: the new ones come before the document's.
static tr_status put_animations(gltf_adding *adding, uint32_t list, bool *first) {
    tr_status status = put_new(adding, adding->out.animation_count, first, tr_gltf_write_animation_item);
    return status == TR_OK ? put_items(adding, list, first, put_same) : status;
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
    tr_status status = put_text(adding, "[");
    if (status == TR_OK)
        status = list->put(adding, list->value, &first);
    return status == TR_OK ? put_text(adding, "]") : status;
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
    tr_status status = put_text(adding, "{");
    for (uint32_t i = 0; i < tr_json_count(document->json, document->root) && status == TR_OK; i++) {
        uint32_t member = tr_json_item(document->json, document->root, i);
        const gltf_list *list = find_list(lists, list_count, member);
        status = copy_key(adding, document->root, i, &first);
        if (status == TR_OK)
            status = list ? put_list(adding, list) : copy(adding, member);
    }
    for (uint32_t i = 0; i < list_count && status == TR_OK; i++) {
        if (lists[i].value != TR_NONE || !lists[i].gets_items)
            continue;
        status = put_text(adding, ",\""); // `asset` came before
        if (status == TR_OK)
            status = put_text(adding, lists[i].key);
        if (status == TR_OK)
            status = put_text(adding, "\":");
        if (status == TR_OK)
            status = put_list(adding, &lists[i]);
    }
    return status == TR_OK ? put_text(adding, "}\n") : status;
}

tr_status tr_gltf_add_text(gltf_adding *adding) {
    const gltf_document *document = &adding->document;
    const gltf_out *out = &adding->out;
    const gltf_list lists[] = {
        {"nodes", document->node_list, put_nodes, false},
        {"images", adding->image_list, put_images, false},
        {"animations", document->animation_list, put_animations, out->animation_count > 0},
        {"accessors", document->accessor_list, put_accessors, out->accessor_count > 0},
        {"bufferViews", document->view_list, put_views, out->view_count > 0},
        {"buffers", document->buffer_list, put_buffers, adding->home_is_new && out->size > 0}};
    return put_document(adding, lists, sizeof lists / sizeof lists[0]);
}
