// Any text: it is read or refused; what was read is written and must read back and write the same.
#include "target.h"
#include "troupe/io/json.h"

#include <string.h>

// Write `value` and all below it. It calls itself: a document is at most TR_JSON_DEPTH_MAX deep.
static void write_value(tr_json_writer *writer, const tr_json *json, uint32_t value) {
    char path[100];
    TARGET_CHECK(tr_json_path(json, value, path, sizeof path)[0] ||
                 tr_json_kind_of(json, value) != TR_JSON_ABSENT);
    TARGET_CHECK(tr_json_line(json, value) >= 1);
    switch (tr_json_kind_of(json, value)) {
    case TR_JSON_BOOLEAN:
        tr_json_write_boolean(writer, tr_json_boolean(json, value));
        break;
    case TR_JSON_NUMBER:
        tr_json_write_number(writer, tr_json_number(json, value));
        break;
    case TR_JSON_STRING:
        tr_json_write_text(writer, tr_json_text(json, value, NULL));
        break;
    case TR_JSON_ARRAY:
    case TR_JSON_OBJECT: {
        bool object = tr_json_kind_of(json, value) == TR_JSON_OBJECT;
        if (object)
            tr_json_write_object(writer);
        else
            tr_json_write_array(writer);
        for (uint32_t i = 0; i < tr_json_count(json, value); i++) {
            uint32_t item = tr_json_item(json, value, i);
            if (object) {
                tr_json_write_key(writer, tr_json_key(json, item));
                uint32_t found = tr_json_member(json, value, tr_json_key(json, item));
                TARGET_CHECK(found >= item && found != TR_NONE); // itself, or a later one with the same key
            }
            write_value(writer, json, item);
        }
        tr_json_write_end(writer);
        break;
    }
    default:
        tr_json_write_null(writer);
        break;
    }
}

static tr_bytes write_document(const tr_allocator *allocator, const tr_json *json) {
    tr_json_writer writer = tr_json_writer_begin(allocator);
    tr_bytes text;
    write_value(&writer, json, tr_json_root(json));
    TARGET_CHECK(tr_json_writer_finish(&writer, &text, NULL) == TR_OK);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    target_memory memory;
    tr_allocator allocator = target_allocator(&memory, size);
    tr_json *json = NULL, *again = NULL;
    tr_error error = {0};
    tr_status status = tr_json_read(&allocator, data, size, &json, &error);
    TARGET_CHECK(status == TR_OK || (!json && error.status == status && error.message[0]));
    if (status == TR_OK) {
        tr_bytes first = write_document(&allocator, json);
        TARGET_CHECK(tr_json_read(&allocator, first.data, first.size, &again, &error) == TR_OK);
        tr_bytes second = write_document(&allocator, again);
        TARGET_CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
        tr_bytes_free(&allocator, &first);
        tr_bytes_free(&allocator, &second);
    }
    tr_json_destroy(json);
    tr_json_destroy(again);
    TARGET_CHECK(memory.live == 0);
    return 0;
}
