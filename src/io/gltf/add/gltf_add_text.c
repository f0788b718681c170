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

tr_status tr_gltf_add_text(gltf_adding *adding, const char *text) {
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
tr_status tr_gltf_add_copy(gltf_adding *adding, uint32_t value) {
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
tr_status tr_gltf_add_key(gltf_adding *adding, uint32_t object, uint32_t i, bool *first) {
    const gltf_document *document = &adding->document;
    uint64_t begin = begin_of_member(document, object, i);
    tr_status status = *first ? TR_OK : tr_gltf_add_text(adding, ",");
    *first = false;
    if (status == TR_OK)
        status =
            put(adding, document->json_text + begin,
                (size_t)(tr_json_offset(document->json, tr_json_item(document->json, object, i)) - begin));
    return status;
}

// Ends what was written by a writer and adds it without its outermost brackets.
tr_status tr_gltf_add_inside(gltf_adding *adding, tr_json_writer *writer, bool *first) {
    tr_bytes text = {0};
    tr_json_write_end(writer);
    tr_status status = tr_json_writer_finish(writer, &text, adding->document.error);
    if (status != TR_OK)
        return status;
    if (text.size > 3 && !*first)
        status = tr_gltf_add_text(adding, ",");
    if (status == TR_OK && text.size > 3) { // more than brackets and a line feed
        status = put(adding, text.data + 1, text.size - 3);
        *first = false;
    }
    tr_bytes_free(&adding->out.allocator, &text);
    return status;
}

// Copies an object without the members of the given keys (NULL ends the list), and leaves it open.
tr_status tr_gltf_add_object_without(gltf_adding *adding, uint32_t object, const char *const *keys,
                                     bool *first) {
    const tr_json *json = adding->document.json;
    tr_status status = tr_gltf_add_text(adding, "{");
    *first = true;
    for (uint32_t i = 0; i < tr_json_count(json, object) && status == TR_OK; i++) {
        uint32_t member = tr_json_item(json, object, i);
        bool left_out = false;
        for (const char *const *key = keys; *key; key++)
            left_out = left_out || strcmp(*key, tr_json_key(json, member)) == 0;
        if (left_out)
            continue;
        status = tr_gltf_add_key(adding, object, i, first);
        if (status == TR_OK)
            status = tr_gltf_add_copy(adding, member);
    }
    return status;
}
