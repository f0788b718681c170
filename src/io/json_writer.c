#include "troupe/io/json.h"
#include "number.h"
#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

tr_json_writer tr_json_writer_begin(const tr_allocator *allocator) {
    tr_json_writer writer;
    memset(&writer, 0, sizeof writer);
    writer.allocator = tr_allocator_or_default(allocator);
    return writer;
}

static void append(tr_json_writer *writer, const char *text, size_t size) {
    if (writer->status != TR_OK)
        return;
    uint64_t needed = (uint64_t)writer->size + size;
    if (needed > TR_JSON_SIZE_MAX) {
        writer->status = TR_LIMIT;
        return;
    }
    if (!tr_reserve(&writer->allocator, (void **)&writer->text, &writer->capacity, needed, 1)) {
        writer->status = TR_OUT_OF_MEMORY;
        return;
    }
    memcpy(writer->text + writer->size, text, size);
    writer->size += (uint32_t)size;
}

static bool inside_object(const tr_json_writer *writer) {
    return writer->depth > 0 && writer->closing[writer->depth - 1] == '}';
}

// Before each value: writes the comma and checks that a value is allowed here. The document has one value; a
// member needs a key.
static bool begin_value(tr_json_writer *writer) {
    bool allowed = writer->depth == 0 ? !writer->has_value : inside_object(writer) == writer->has_key;
    if (!allowed && writer->status == TR_OK)
        writer->status = TR_INVALID;
    if (writer->status != TR_OK)
        return false;
    if (writer->has_value && !writer->has_key)
        append(writer, ",", 1);
    writer->has_value = true;
    writer->has_key = false;
    return true;
}

static void write_plain(tr_json_writer *writer, const char *text, size_t size) {
    if (begin_value(writer))
        append(writer, text, size);
}

static void open_level(tr_json_writer *writer, const char *opening, char closing) {
    if (!begin_value(writer))
        return;
    if (writer->depth == TR_JSON_DEPTH_MAX) {
        writer->status = TR_LIMIT;
        return;
    }
    append(writer, opening, 1);
    writer->closing[writer->depth++] = closing;
    writer->has_value = false;
}

void tr_json_write_object(tr_json_writer *writer) {
    open_level(writer, "{", '}');
}

void tr_json_write_array(tr_json_writer *writer) {
    open_level(writer, "[", ']');
}

void tr_json_write_end(tr_json_writer *writer) {
    if (writer->status != TR_OK)
        return;
    if (writer->depth == 0 || writer->has_key) {
        writer->status = TR_INVALID;
        return;
    }
    append(writer, &writer->closing[--writer->depth], 1);
    writer->has_value = true;
}

static void append_escaped(tr_json_writer *writer, uint8_t c) {
    static const char names[] = "\"\\bfnrt", meant[] = "\"\\\b\f\n\r\t";
    char text[8];
    const char *found = memchr(meant, c, sizeof meant - 1);
    int length = found ? snprintf(text, sizeof text, "\\%c", names[found - meant])
                       : snprintf(text, sizeof text, "\\u%04x", c);
    append(writer, text, (size_t)length);
}

static void append_quoted(tr_json_writer *writer, const char *text) {
    const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);
    append(writer, "\"", 1);
    while (at < end) {
        const uint8_t *run = at;
        unsigned length = 1;
        while (at < end && *at >= 0x20 && *at != '"' && *at != '\\' &&
               (length = tr_utf8_length(at, end)) != 0)
            at += length;
        append(writer, (const char *)run, (size_t)(at - run));
        if (at == end)
            break;
        if (length == 0)
            append(writer, "\xef\xbf\xbd", 3);
        else
            append_escaped(writer, *at);
        at++;
    }
    append(writer, "\"", 1);
}

void tr_json_write_key(tr_json_writer *writer, const char *key) {
    if (writer->status != TR_OK)
        return;
    if (!key || !inside_object(writer) || writer->has_key) {
        writer->status = TR_INVALID;
        return;
    }
    if (writer->has_value)
        append(writer, ",", 1);
    append_quoted(writer, key);
    append(writer, ":", 1);
    writer->has_key = true;
}

void tr_json_write_text(tr_json_writer *writer, const char *text) {
    if (!text)
        tr_json_write_null(writer);
    else if (begin_value(writer))
        append_quoted(writer, text);
}

void tr_json_write_number(tr_json_writer *writer, double number) {
    char text[TR_NUMBER_TEXT];
    if (isfinite(number))
        write_plain(writer, text, tr_number_write(number, text));
    else
        tr_json_write_null(writer);
}

void tr_json_write_float(tr_json_writer *writer, float number) {
    char text[TR_NUMBER_TEXT];
    if (isfinite(number))
        write_plain(writer, text, tr_number_write_float(number, text));
    else
        tr_json_write_null(writer);
}

void tr_json_write_integer(tr_json_writer *writer, int64_t integer) {
    char text[32];
    int length = snprintf(text, sizeof text, "%" PRId64, integer);
    write_plain(writer, text, (size_t)length);
}

void tr_json_write_boolean(tr_json_writer *writer, bool boolean) {
    write_plain(writer, boolean ? "true" : "false", boolean ? 4 : 5);
}

void tr_json_write_null(tr_json_writer *writer) {
    write_plain(writer, "null", 4);
}

void tr_json_writer_drain(tr_json_writer *writer, void (*take)(void *user, const char *text, size_t size),
                          void *user) {
    if (writer->status == TR_OK && writer->size > 0)
        take(user, writer->text, writer->size);
    writer->size = 0;
}

tr_status tr_json_writer_finish(tr_json_writer *writer, tr_bytes *text, tr_error *error) {
    text->data = NULL;
    text->size = 0;
    if (writer->status == TR_OK && (writer->depth > 0 || !writer->has_value))
        writer->status = TR_INVALID;
    append(writer, "\n", 1);
    if (writer->status == TR_OK) {
        // tr_bytes_free() knows only the size, so the block must have exactly that.
        void *exact =
            writer->allocator.resize(writer->allocator.user, writer->text, writer->capacity, writer->size);
        if (exact) {
            writer->text = exact;
            writer->capacity = writer->size;
        } else {
            writer->status = TR_OUT_OF_MEMORY;
        }
    }
    tr_status status = writer->status;
    if (status == TR_OK) {
        text->data = (uint8_t *)writer->text;
        text->size = writer->size;
    } else {
        tr_release(&writer->allocator, writer->text, writer->capacity, 1);
        tr_fail(error, status,
                status == TR_INVALID ? "the JSON document is malformed or incomplete"
                : status == TR_LIMIT ? "the JSON document is too large or too deeply nested"
                                     : "no memory for the JSON document");
    }
    writer->text = NULL;
    writer->size = writer->capacity = 0;
    writer->status = TR_INVALID; // a finished writer accepts nothing more
    return status;
}
