// Documents that are wrong in all kinds of ways, for the tests that a schema and a reader say the same of
// them.
#pragma once
#include "schema_check.h"
#include "test.h"
#include "troupe/base/random.h"
#include "troupe/io/file.h"

// What stands in the project's folder, which the path of a test in tests/io tells.
static inline bool schema_read_document(const char *test, const char *name, tr_bytes *text, tr_json **json) {
    char path[1000];
    const char *here = strstr(test, "tests/io/");
    snprintf(path, sizeof path, "%.*s%s", here ? (int)(here - test) : 0, test, name);
    tr_error error = {0};
    *json = NULL;
    *text = (tr_bytes){0};
    if (tr_file_read(NULL, path, text, &error) != TR_OK)
        return false;
    if (tr_json_read(NULL, text->data, text->size, json, &error) == TR_OK)
        return true;
    test_failed(__FILE__, __LINE__, "%s:%u: %s", name, error.line, error.message);
    tr_bytes_free(NULL, text);
    return false;
}

static inline bool schema_says(const tr_json *schema, const void *text, size_t size) {
    tr_json *document = NULL;
    if (tr_json_read(NULL, text, size, &document, NULL) != TR_OK)
        return false;
    schema_check check = {.schema = schema, .document = document};
    bool good = schema_accepts(&check, tr_json_root(schema), tr_json_root(document));
    if (check.unknown[0])
        test_failed(__FILE__, __LINE__, "the schema says \"%s\", which this test does not know",
                    check.unknown);
    tr_json_destroy(document);
    return good;
}

typedef struct schema_change {
    const tr_json *json;
    tr_random random;
    const char *const *values, *const *keys; // what a value or a key is replaced by
    size_t value_count, key_count;
    uint32_t changes; // left to make
    char text[8000];
    size_t size;
} schema_change;

static inline void schema_put(schema_change *change, const char *text) {
    size_t length = strlen(text);
    if (change->size + length < sizeof change->text) {
        memcpy(change->text + change->size, text, length + 1);
        change->size += length;
    }
}

static inline const char *schema_some_key(schema_change *change) {
    return change->keys[tr_random_below(&change->random, (uint32_t)change->key_count)];
}

static inline const char *schema_some_value(schema_change *change) {
    return change->values[tr_random_below(&change->random, (uint32_t)change->value_count)];
}

static inline bool schema_chance(schema_change *change, uint32_t of) {
    bool taken = change->changes > 0 && tr_random_below(&change->random, of) == 0;
    change->changes -= taken;
    return taken;
}

static inline void schema_put_value(schema_change *change, uint32_t value);

static inline void schema_put_items(schema_change *change, uint32_t value, bool object) {
    bool first = true;
    schema_put(change, object ? "{" : "[");
    for (uint32_t i = 0; i < tr_json_count(change->json, value); i++) {
        uint32_t item = tr_json_item(change->json, value, i);
        if (schema_chance(change, 60))
            continue;
        schema_put(change, first ? "" : ", ");
        first = false;
        if (object) {
            schema_put(change, "\"");
            schema_put(change,
                       schema_chance(change, 60) ? schema_some_key(change) : tr_json_key(change->json, item));
            schema_put(change, "\": ");
        }
        schema_put_value(change, item);
    }
    if (object && schema_chance(change, 20)) {
        schema_put(change, first ? "\"" : ", \"");
        schema_put(change, schema_some_key(change));
        schema_put(change, "\": ");
        schema_put(change, schema_some_value(change));
    }
    schema_put(change, object ? "}" : "]");
}

static inline void schema_put_value(schema_change *change, uint32_t value) {
    tr_json_kind kind = tr_json_kind_of(change->json, value);
    char number[40];
    if (schema_chance(change, 30)) {
        schema_put(change, schema_some_value(change));
    } else if (kind == TR_JSON_OBJECT || kind == TR_JSON_ARRAY) {
        schema_put_items(change, value, kind == TR_JSON_OBJECT);
    } else if (kind == TR_JSON_STRING) {
        schema_put(change, "\"");
        schema_put(change, tr_json_text(change->json, value, NULL));
        schema_put(change, "\"");
    } else if (kind == TR_JSON_NUMBER) {
        snprintf(number, sizeof number, "%.17g", tr_json_number(change->json, value));
        schema_put(change, number);
    } else {
        schema_put(change, tr_json_boolean(change->json, value) ? "true" : "false");
    }
}

// The document with some changes, in change->text.
static inline void schema_change_next(schema_change *change, uint32_t changes) {
    change->size = 0;
    change->changes = changes;
    schema_put_value(change, tr_json_root(change->json));
}
