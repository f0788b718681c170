#include "json_data.h"
#include "number.h"
#include "utf8.h"

#include <math.h>
#include <string.h>

// The state of the reader. Values wait in `pending` until the enclosing array or object ends; only then can
// they be stored contiguously in the document. Nesting uses no C stack.
typedef struct json_level {
    uint32_t first; // first of its items in `pending`
    uint32_t line, offset, key;
    tr_json_kind kind;
} json_level;

typedef struct json_reader {
    const uint8_t *start, *at, *end;
    uint32_t line;
    tr_json *json;
    json_value *pending;
    uint32_t pending_count, pending_capacity;
    uint32_t key; // of the next value, TR_NONE outside of objects
    uint32_t depth;
    json_level levels[TR_JSON_DEPTH_MAX];
    tr_error *error;
} json_reader;

static tr_status place_error(const json_reader *reader, const uint8_t *where, tr_status status) {
    if (reader->error) {
        reader->error->line = reader->line;
        reader->error->offset = (uint64_t)(where - reader->start);
    }
    return status;
}

static tr_status fail_memory(const json_reader *reader) {
    return tr_fail(reader->error, TR_OUT_OF_MEMORY, "no memory for the values of a JSON text");
}

// Describes the current input for an error: 'x', "byte 0x07" or "the end of the text".
static const char *describe(const json_reader *reader, char text[32]) {
    if (reader->at == reader->end) {
        memcpy(text, "the end of the text", 20);
        return text;
    }
    unsigned length = tr_utf8_length(reader->at, reader->end);
    static const char hex[] = "0123456789abcdef";
    if (length == 0 || *reader->at < 0x20) {
        memcpy(text, "byte 0x", 7);
        text[7] = hex[*reader->at >> 4];
        text[8] = hex[*reader->at & 15];
        text[9] = 0;
        return text;
    }
    text[0] = '\'';
    memcpy(text + 1, reader->at, length);
    text[1 + length] = '\'';
    text[2 + length] = 0;
    return text;
}

static tr_status fail_expected(const json_reader *reader, const char *expected) {
    char found[32];
    tr_fail(reader->error, TR_BAD_FILE, "expected %s, found %s", expected, describe(reader, found));
    return place_error(reader, reader->at, TR_BAD_FILE);
}

static tr_status fail_here(const json_reader *reader, const char *sentence) {
    tr_fail(reader->error, TR_BAD_FILE, "%s", sentence);
    return place_error(reader, reader->at, TR_BAD_FILE);
}

static void skip_blanks(json_reader *reader) {
    for (; reader->at < reader->end; reader->at++) {
        uint8_t c = *reader->at;
        bool line_end = c == '\n' || (c == '\r' && !(reader->at + 1 < reader->end && reader->at[1] == '\n'));
        if (line_end)
            reader->line++;
        else if (c != ' ' && c != '\t' && c != '\r')
            break;
    }
}

static bool append_string(json_reader *reader, const void *bytes, uint32_t size) {
    tr_json *json = reader->json;
    if (size == 0)
        return true;
    if (!tr_reserve(&json->allocator, (void **)&json->strings, &json->string_capacity,
                    (uint64_t)json->string_size + size, 1))
        return false;
    memcpy(json->strings + json->string_size, bytes, size);
    json->string_size += size;
    return true;
}

static bool read_four_hex(json_reader *reader, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        if (reader->at == reader->end)
            return false;
        uint8_t c = *reader->at;
        uint32_t digit;
        if (c >= '0' && c <= '9')
            digit = c - '0';
        else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
            digit = (c | 0x20) - 'a' + 10;
        else
            return false;
        *code = *code * 16 + digit;
    }
    return true;
}

// After "\u". Characters beyond U+FFFF are surrogate pairs, "\ud83d\ude00".
static tr_status read_unicode(json_reader *reader) {
    uint32_t code, low;
    if (!read_four_hex(reader, &code))
        return fail_expected(reader, "four hexadecimal digits after \\u");
    if (code >= 0xdc00 && code < 0xe000)
        return fail_here(reader, "\\u is the second half of a surrogate pair without a first half");
    if (code >= 0xd800 && code < 0xdc00) {
        if (reader->end - reader->at < 2 || reader->at[0] != '\\' || reader->at[1] != 'u')
            return fail_here(reader, "\\u is the first half of a surrogate pair without a second half");
        reader->at += 2;
        if (!read_four_hex(reader, &low))
            return fail_expected(reader, "four hexadecimal digits after \\u");
        if (low < 0xdc00 || low >= 0xe000)
            return fail_here(reader, "\\u is the first half of a surrogate pair without a second half");
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    uint8_t bytes[4];
    return append_string(reader, bytes, tr_utf8_write(bytes, code)) ? TR_OK : fail_memory(reader);
}

static tr_status read_escape(json_reader *reader) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    reader->at++;
    const char *name = reader->at < reader->end && *reader->at ? strchr(names, *reader->at) : NULL;
    if (name) {
        reader->at++;
        return append_string(reader, &meant[name - names], 1) ? TR_OK : fail_memory(reader);
    }
    if (reader->at == reader->end || *reader->at != 'u')
        return fail_expected(reader, "one of \"\\/bfnrtu after \\ in a string");
    reader->at++;
    return read_unicode(reader);
}

// Reads from the opening quote to past the closing one; the characters go to json->strings.
static tr_status read_string(json_reader *reader, uint32_t *first, uint32_t *count) {
    *first = reader->json->string_size;
    reader->at++;
    for (;;) {
        const uint8_t *run = reader->at;
        while (reader->at < reader->end && *reader->at != '"' && *reader->at != '\\' && *reader->at >= 0x20) {
            unsigned length = tr_utf8_length(reader->at, reader->end);
            if (length == 0)
                return fail_expected(reader, "UTF-8 in a string");
            reader->at += length;
        }
        if (!append_string(reader, run, (uint32_t)(reader->at - run)))
            return fail_memory(reader);
        if (reader->at == reader->end)
            return fail_expected(reader, "'\"' at the end of a string");
        if (*reader->at < 0x20)
            return fail_expected(reader, "no control character in a string (write it as \\u00XX)");
        if (*reader->at == '"')
            break;
        tr_status status = read_escape(reader);
        if (status != TR_OK)
            return status;
    }
    reader->at++;
    *count = reader->json->string_size - *first;
    return append_string(reader, "", 1) ? TR_OK : fail_memory(reader);
}

// JSON's grammar is narrower than tr_number_read's: no '+', no leading zero, a digit on both sides of the
// point.
static bool number_is_strict(const char *text, const char *end) {
    const char *at = text + (*text == '-');
    if (at == end || *at < '0' || *at > '9')
        return false;
    if (*at == '0' && at + 1 < end && at[1] >= '0' && at[1] <= '9')
        return false;
    for (; at < end; at++)
        if (*at == '.')
            return at + 1 < end && at[1] >= '0' && at[1] <= '9';
    return true;
}

static tr_status read_number(json_reader *reader, json_value *value) {
    const char *text = (const char *)reader->at, *after;
    value->kind = TR_JSON_NUMBER;
    if (!tr_number_read(text, (const char *)reader->end, &after, &value->is.number))
        return fail_expected(reader, "a value");
    int length = after - text < 40 ? (int)(after - text) : 40;
    const uint8_t *behind = (const uint8_t *)after;
    bool runs_on = behind < reader->end && (*behind == '.' || (*behind | 0x20) == 'e');
    if (!number_is_strict(text, after) || runs_on) {
        tr_fail(reader->error, TR_BAD_FILE, "\"%.*s\" is not a valid JSON number", length + runs_on, text);
        return place_error(reader, reader->at, TR_BAD_FILE);
    }
    if (!isfinite(value->is.number)) {
        tr_fail(reader->error, TR_BAD_FILE, "the number %.*s is out of the range of double", length, text);
        return place_error(reader, reader->at, TR_BAD_FILE);
    }
    reader->at = behind;
    return TR_OK;
}

static bool read_word(json_reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static bool push_value(json_reader *reader, const json_value *value) {
    if (!tr_reserve(&reader->json->allocator, (void **)&reader->pending, &reader->pending_capacity,
                    (uint64_t)reader->pending_count + 1, sizeof *reader->pending))
        return false;
    reader->pending[reader->pending_count++] = *value;
    return true;
}

// Moves pending values from `first` on to the document, contiguously, and updates the parents of their items.
static bool settle(json_reader *reader, uint32_t first) {
    tr_json *json = reader->json;
    uint32_t count = reader->pending_count - first;
    if (!tr_reserve(&json->allocator, (void **)&json->values, &json->value_capacity,
                    (uint64_t)json->value_count + count, sizeof *json->values))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        json_value *value = &reader->pending[first + i];
        uint32_t number = json->value_count++;
        json->values[number] = *value;
        if (value->kind == TR_JSON_ARRAY || value->kind == TR_JSON_OBJECT)
            for (uint32_t item = 0; item < value->is.span.count; item++)
                json->values[value->is.span.first + item].parent = number;
    }
    reader->pending_count = first;
    return true;
}

static tr_status open_level(json_reader *reader, tr_json_kind kind) {
    if (reader->depth == TR_JSON_DEPTH_MAX) {
        tr_fail(reader->error, TR_LIMIT, "arrays and objects are nested more than %d deep",
                TR_JSON_DEPTH_MAX);
        return place_error(reader, reader->at, TR_LIMIT);
    }
    json_level level = {.first = reader->pending_count,
                        .line = reader->line,
                        .offset = (uint32_t)(reader->at - reader->start),
                        .key = reader->key,
                        .kind = kind};
    reader->levels[reader->depth++] = level;
    reader->key = TR_NONE;
    reader->at++;
    return TR_OK;
}

static tr_status close_level(json_reader *reader) {
    const json_level *level = &reader->levels[--reader->depth];
    json_value value = {.line = level->line,
                        .offset = level->offset,
                        .parent = TR_NONE,
                        .key = level->key,
                        .kind = level->kind};
    value.is.span.first = reader->json->value_count;
    value.is.span.count = reader->pending_count - level->first;
    reader->at++;
    return settle(reader, level->first) && push_value(reader, &value) ? TR_OK : fail_memory(reader);
}

// A value that contains no others.
static tr_status read_scalar(json_reader *reader) {
    json_value value = {.line = reader->line,
                        .offset = (uint32_t)(reader->at - reader->start),
                        .parent = TR_NONE,
                        .key = reader->key,
                        .kind = TR_JSON_NULL};
    tr_status status = TR_OK;
    if (reader->at < reader->end && *reader->at == '"') {
        value.kind = TR_JSON_STRING;
        status = read_string(reader, &value.is.span.first, &value.is.span.count);
    } else if (read_word(reader, "true") || read_word(reader, "false")) {
        value.kind = TR_JSON_BOOLEAN;
        value.is.number = reader->start[value.offset] == 't';
    } else if (!read_word(reader, "null")) {
        status = read_number(reader, &value);
    }
    reader->key = TR_NONE;
    if (status != TR_OK)
        return status;
    return push_value(reader, &value) ? TR_OK : fail_memory(reader);
}

// `"key":` and the blanks around it.
static tr_status read_key(json_reader *reader, const char *expected) {
    if (reader->at == reader->end || *reader->at != '"')
        return fail_expected(reader, expected);
    uint32_t count;
    tr_status status = read_string(reader, &reader->key, &count);
    if (status != TR_OK)
        return status;
    skip_blanks(reader);
    if (reader->at == reader->end || *reader->at != ':')
        return fail_expected(reader, "':' after a key");
    reader->at++;
    skip_blanks(reader);
    return TR_OK;
}

// After a value: the ends of levels and the comma before the next value. *done: the whole text is read.
static tr_status read_behind_value(json_reader *reader, bool *done) {
    for (;;) {
        skip_blanks(reader);
        *done = reader->depth == 0;
        if (*done)
            return reader->at == reader->end ? TR_OK
                                             : fail_expected(reader, "the end of the text after its value");
        bool object = reader->levels[reader->depth - 1].kind == TR_JSON_OBJECT;
        uint8_t c = reader->at < reader->end ? *reader->at : 0;
        if (c == ',') {
            reader->at++;
            skip_blanks(reader);
            return object ? read_key(reader, "a key in quotes after ','") : TR_OK;
        }
        if (c != (object ? '}' : ']'))
            return fail_expected(reader, object ? "',' or '}' after a member" : "',' or ']' after an item");
        tr_status status = close_level(reader);
        if (status != TR_OK)
            return status;
    }
}

// Reads one value, or the beginning of an array or object up to its first item. *complete: the value leaves
// nothing open.
static tr_status read_value(json_reader *reader, bool *complete) {
    uint8_t c = reader->at < reader->end ? *reader->at : 0;
    *complete = true;
    if (c != '{' && c != '[')
        return read_scalar(reader);
    tr_status status = open_level(reader, c == '{' ? TR_JSON_OBJECT : TR_JSON_ARRAY);
    if (status != TR_OK)
        return status;
    skip_blanks(reader);
    if (reader->at < reader->end && *reader->at == (c == '{' ? '}' : ']'))
        return close_level(reader);
    *complete = false;
    return c == '{' ? read_key(reader, "a key in quotes or '}' after '{'") : TR_OK;
}

static bool is_large(const json_value *value) {
    return value->kind == TR_JSON_OBJECT && value->is.span.count > JSON_LARGE;
}

static void index_object(tr_json *json, uint32_t object) {
    uint32_t first = json->values[object].is.span.first, count = json->values[object].is.span.count;
    for (uint32_t member = first; member < first + count; member++) {
        const char *key = json->strings + json->values[member].key;
        uint32_t place = json_table_place(json, object, key);
        for (;; place = (place + 1) & (json->table_size - 1)) {
            uint32_t other = json->table[place];
            bool same = other != TR_NONE && json->values[other].parent == object &&
                        strcmp(json->strings + json->values[other].key, key) == 0;
            if (other == TR_NONE || same)
                break;
        }
        json->table[place] = member; // of two members with the same key the later one is kept
    }
}

static bool index_large_objects(tr_json *json) {
    uint64_t count = 0;
    uint32_t size = 32;
    for (uint32_t i = 0; i < json->value_count; i++)
        count += is_large(&json->values[i]) ? json->values[i].is.span.count : 0;
    if (count == 0)
        return true;
    while (size < count * 2)
        size *= 2; // a text has fewer than 2^28 members, so the size stays below 2^31
    json->table = tr_allocate(&json->allocator, size, sizeof *json->table);
    if (!json->table)
        return false;
    json->table_size = size;
    for (uint32_t i = 0; i < size; i++)
        json->table[i] = TR_NONE;
    for (uint32_t i = 0; i < json->value_count; i++)
        if (is_large(&json->values[i]))
            index_object(json, i);
    return true;
}

static tr_status read_document(json_reader *reader) {
    skip_blanks(reader);
    for (bool done = false; !done;) {
        bool complete;
        tr_status status = read_value(reader, &complete);
        if (status == TR_OK && complete)
            status = read_behind_value(reader, &done);
        if (status != TR_OK)
            return status;
    }
    return settle(reader, 0) && index_large_objects(reader->json) ? TR_OK : fail_memory(reader);
}

tr_status tr_json_read(const tr_allocator *allocator, const void *text, size_t size, tr_json **json,
                       tr_error *error) {
    *json = NULL;
    if (size > TR_JSON_SIZE_MAX)
        return tr_fail(error, TR_LIMIT, "the JSON text has %llu bytes, the maximum is %llu",
                       (unsigned long long)size, (unsigned long long)TR_JSON_SIZE_MAX);
    if (!text && size)
        return tr_fail(error, TR_INVALID, "the JSON text is NULL");
    tr_allocator own = tr_allocator_or_default(allocator);
    json_reader *reader = tr_allocate_zero(&own, 1, sizeof *reader);
    tr_json *made = tr_allocate_zero(&own, 1, sizeof *made);
    tr_status status = TR_OUT_OF_MEMORY;
    if (reader && made) {
        made->allocator = own;
        reader->start = reader->at = size ? text : (const uint8_t *)"";
        reader->end = reader->start + size;
        reader->line = 1;
        reader->key = TR_NONE;
        reader->json = made;
        reader->error = error;
        if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
            reader->at += 3;
        status = read_document(reader);
        tr_release(&own, reader->pending, reader->pending_capacity, sizeof *reader->pending);
    } else {
        tr_fail(error, status, "no memory to read a JSON text");
    }
    tr_release(&own, reader, 1, sizeof *reader);
    if (status == TR_OK) {
        *json = made;
    } else if (made) {
        made->allocator = own;
        tr_json_destroy(made);
    }
    return status;
}

void tr_json_destroy(tr_json *json) {
    if (!json)
        return;
    tr_allocator own = json->allocator;
    tr_release(&own, json->values, json->value_capacity, sizeof *json->values);
    tr_release(&own, json->strings, json->string_capacity, 1);
    tr_release(&own, json->table, json->table_size, sizeof *json->table);
    tr_release(&own, json, 1, sizeof *json);
}
