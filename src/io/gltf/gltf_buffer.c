#include "gltf_document.h"

#include <inttypes.h>
#include <string.h>

static const char meshopt[] = "EXT_meshopt_compression";

tr_status tr_gltf_open_buffers(gltf_document *document) {
    document->buffer_count = tr_json_count(document->json, document->buffer_list);
    document->buffers =
        tr_allocate_zero(&document->reading.allocator, document->buffer_count, sizeof *document->buffers);
    return document->buffers ? TR_OK : tr_scene_parts_no_memory(document->error);
}

void tr_gltf_close_buffers(gltf_document *document) {
    const tr_allocator *allocator = &document->reading.allocator;
    for (uint32_t i = 0; document->buffers && i < document->buffer_count; i++)
        if (document->buffers[i].owned.data)
            tr_bytes_free(allocator, &document->buffers[i].owned);
    tr_release(allocator, document->buffers, document->buffer_count, sizeof *document->buffers);
}

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

// Accepts both alphabets, with or without padding. *bad: the number of valid characters before an invalid
// one.
static bool decode_base64(const char *text, size_t length, uint8_t *bytes, size_t *size, size_t *bad) {
    uint32_t bits = 0;
    unsigned waiting = 0;
    while (length > 0 && text[length - 1] == '=')
        length--;
    *size = 0;
    for (*bad = 0; *bad < length; ++*bad) {
        int digit = base64_digit(text[*bad]);
        if (digit < 0)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        waiting += 6;
        if (waiting >= 8) {
            waiting -= 8;
            bytes[(*size)++] = (uint8_t)(bits >> waiting);
        }
    }
    return length % 4 != 1;
}

static tr_status load_data_uri(gltf_document *document, uint32_t uri, tr_bytes *bytes) {
    size_t length, size, bad;
    const char *text = tr_json_text(document->json, uri, &length);
    static const char mark[] = ";base64,";
    const char *found = strstr(text, mark);
    if (!found)
        return tr_json_fail(document->json, uri, document->error, "is a data: URI without \";base64,\"");
    const char *digits = found + strlen(mark);
    size_t count = length - (size_t)(digits - text), most = count / 4 * 3 + 3;
    const tr_allocator *allocator = &document->reading.allocator;
    uint8_t *decoded = tr_allocate(allocator, most, 1);
    if (!decoded)
        return tr_scene_parts_no_memory(document->error);
    bool good = decode_base64(digits, count, decoded, &size, &bad);
    uint8_t *exact = good ? allocator->resize(allocator->user, decoded, most, size ? size : 1) : NULL;
    if (exact) {
        bytes->data = exact;
        bytes->size = size;
        return TR_OK;
    }
    tr_release(allocator, decoded, most, 1);
    return good ? tr_scene_parts_no_memory(document->error)
                : tr_json_fail(document->json, uri, document->error, "is not base64 at character %zu",
                               (size_t)(digits - text) + bad);
}

static tr_status load_uri(gltf_document *document, uint32_t value, const char *uri, tr_bytes *bytes) {
    uint32_t member = tr_json_member(document->json, value, "uri");
    if (strncmp(uri, "data:", 5) == 0)
        return load_data_uri(document, member, bytes);
    if (!document->load)
        return tr_json_fail(document->json, member, document->error,
                            "is \"%.80s\", but external buffers cannot be read here", uri);
    tr_status status =
        document->load(document->load_user, uri, &document->reading.allocator, bytes, document->error);
    if (status != TR_OK && !document->error->message[0]) {
        tr_json_fail(document->json, member, document->error, "is \"%.80s\", which cannot be read", uri);
        document->error->status = status;
    }
    return status;
}

// Finds the bytes of one buffer: in a URI or in the binary chunk.
static tr_status find_bytes(gltf_document *document, uint32_t index, gltf_buffer *buffer) {
    uint32_t value = tr_json_item(document->json, document->buffer_list, index);
    const char *uri = NULL;
    tr_status status =
        tr_json_get_text(document->json, value, "uri", TR_JSON_OPTIONAL, &uri, document->error);
    if (status != TR_OK)
        return status;
    if (uri) {
        status = load_uri(document, value, uri, &buffer->owned);
        buffer->data = status == TR_OK ? buffer->owned.data : NULL;
        buffer->size = buffer->owned.size;
        document->bytes_read += buffer->size;
        return status;
    }
    if (index == 0 && document->chunk) {
        buffer->data = document->chunk;
        buffer->size = document->chunk_size;
        return TR_OK;
    }
    if (tr_gltf_has_extension(document, value, meshopt))
        return tr_fail(document->error, TR_UNAVAILABLE,
                       "the file needs the extension %s, which is not supported", meshopt);
    return tr_json_fail(document->json, value, document->error,
                        "has no uri, and the file has no binary chunk for it");
}

tr_status tr_gltf_open_buffer(gltf_document *document, uint32_t index) {
    gltf_buffer *buffer = &document->buffers[index];
    if (buffer->data)
        return TR_OK;
    uint32_t value = tr_json_item(document->json, document->buffer_list, index);
    int64_t length = 0;
    tr_status status = tr_json_get_integer(document->json, value, "byteLength", TR_JSON_REQUIRED, 1,
                                           INT64_MAX, &length, document->error);
    if (status == TR_OK)
        status = find_bytes(document, index, buffer);
    if (status != TR_OK)
        return status;
    if ((uint64_t)length > buffer->size)
        return tr_json_fail(document->json, tr_json_member(document->json, value, "byteLength"),
                            document->error, "is %" PRId64 ", but the data has %" PRIu64 " bytes", length,
                            buffer->size);
    buffer->size = (uint64_t)length;
    return TR_OK;
}

tr_status tr_gltf_open_view(gltf_document *document, uint32_t index, gltf_view *view) {
    const tr_json *json = document->json;
    uint32_t value = tr_json_item(json, document->view_list, index), buffer = 0;
    int64_t offset = 0, length = 0, stride = 0;
    tr_error *error = document->error;
    tr_status status = tr_gltf_get_index(document, value, "buffer", TR_JSON_REQUIRED, document->buffer_list,
                                         "buffers", &buffer);
    if (status == TR_OK)
        status =
            tr_json_get_integer(json, value, "byteOffset", TR_JSON_OPTIONAL, 0, INT64_MAX, &offset, error);
    if (status == TR_OK)
        status =
            tr_json_get_integer(json, value, "byteLength", TR_JSON_REQUIRED, 1, INT64_MAX, &length, error);
    if (status == TR_OK)
        status = tr_json_get_integer(json, value, "byteStride", TR_JSON_OPTIONAL, 4, 252, &stride, error);
    if (status == TR_OK)
        status = tr_gltf_open_buffer(document, buffer);
    if (status != TR_OK)
        return status;
    uint64_t size = document->buffers[buffer].size;
    if ((uint64_t)offset > size || (uint64_t)length > size - (uint64_t)offset)
        return tr_json_fail(json, value, error,
                            "covers bytes %" PRId64 " to %" PRId64 ", but buffers[%u] has %" PRIu64, offset,
                            offset + length, buffer, size);
    view->data = document->buffers[buffer].data + offset;
    view->size = (uint64_t)length;
    view->stride = (uint32_t)stride;
    return TR_OK;
}
