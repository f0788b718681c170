// The part of JSON Schema that the schemas in docs speak, for the tests that a schema says what the reader
// does.
#pragma once
#include "troupe/io/json.h"

#include <regex.h>
#include <stdbool.h>
#include <string.h>

typedef struct schema_check {
    const tr_json *schema, *document;
    char unknown[100]; // a word of the schema that this file does not know; "" when all were known
} schema_check;

static inline bool schema_accepts(schema_check *check, uint32_t schema, uint32_t value);

static inline bool schema_is_kind(const schema_check *check, const char *type, uint32_t value) {
    double number = tr_json_number(check->document, value);
    switch (tr_json_kind_of(check->document, value)) {
    case TR_JSON_NULL:
        return strcmp(type, "null") == 0;
    case TR_JSON_BOOLEAN:
        return strcmp(type, "boolean") == 0;
    case TR_JSON_NUMBER:
        return strcmp(type, "number") == 0 || (strcmp(type, "integer") == 0 && number > -9.2e18 &&
                                               number < 9.2e18 && number == (double)(int64_t)number);
    case TR_JSON_STRING:
        return strcmp(type, "string") == 0;
    case TR_JSON_ARRAY:
        return strcmp(type, "array") == 0;
    case TR_JSON_OBJECT:
        return strcmp(type, "object") == 0;
    default:
        return false;
    }
}

static inline bool schema_matches(const char *pattern, const char *text) {
    regex_t regex;
    if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool found = regexec(&regex, text, 0, NULL, 0) == 0;
    regfree(&regex);
    return found;
}

// How many schemas of an array accept the value.
static inline uint32_t schema_count(schema_check *check, uint32_t schemas, uint32_t value) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < tr_json_count(check->schema, schemas); i++)
        count += schema_accepts(check, tr_json_item(check->schema, schemas, i), value);
    return count;
}

static inline bool schema_has_text(const schema_check *check, uint32_t texts, uint32_t value) {
    for (uint32_t i = 0; i < tr_json_count(check->schema, texts); i++)
        if (tr_json_kind_of(check->document, value) == TR_JSON_STRING &&
            strcmp(tr_json_text(check->schema, tr_json_item(check->schema, texts, i), NULL),
                   tr_json_text(check->document, value, NULL)) == 0)
            return true;
    return false;
}

// Members: those named, those whose key fits a pattern, and no others where there may be none.
static inline bool schema_accepts_members(schema_check *check, uint32_t schema, uint32_t value) {
    const tr_json *s = check->schema, *d = check->document;
    uint32_t properties = tr_json_member(s, schema, "properties"),
             patterns = tr_json_member(s, schema, "patternProperties"),
             more = tr_json_member(s, schema, "additionalProperties");
    for (uint32_t i = 0; i < tr_json_count(d, value); i++) {
        uint32_t member = tr_json_item(d, value, i);
        const char *key = tr_json_key(d, member);
        if (tr_json_member(d, value, key) != member)
            continue; // of a key that stands twice the last counts
        uint32_t named = tr_json_member(s, properties, key);
        bool known = named != TR_NONE;
        if (known && !schema_accepts(check, named, member))
            return false;
        for (uint32_t j = 0; j < tr_json_count(s, patterns); j++)
            known = known || schema_matches(tr_json_key(s, tr_json_item(s, patterns, j)), key);
        if (!known && more != TR_NONE && !schema_accepts(check, more, member))
            return false;
    }
    return true;
}

static inline bool schema_has_required(const schema_check *check, uint32_t names, uint32_t value) {
    for (uint32_t i = 0; i < tr_json_count(check->schema, names); i++)
        if (tr_json_member(check->document, value,
                           tr_json_text(check->schema, tr_json_item(check->schema, names, i), NULL)) ==
            TR_NONE)
            return false;
    return true;
}

// {"x": ["frames"]}: whoever has x needs frames.
static inline bool schema_has_dependent(const schema_check *check, uint32_t rules, uint32_t value) {
    for (uint32_t i = 0; i < tr_json_count(check->schema, rules); i++) {
        uint32_t names = tr_json_item(check->schema, rules, i);
        if (tr_json_member(check->document, value, tr_json_key(check->schema, names)) != TR_NONE &&
            !schema_has_required(check, names, value))
            return false;
    }
    return true;
}

static inline uint32_t schema_follow(const schema_check *check, uint32_t reference) {
    const char *name = strrchr(tr_json_text(check->schema, reference, NULL), '/');
    return tr_json_member(check->schema, tr_json_member(check->schema, tr_json_root(check->schema), "$defs"),
                          name ? name + 1 : "");
}

static inline bool schema_accepts_size(const schema_check *check, const char *word, double limit,
                                       uint32_t value) {
    double number = tr_json_number(check->document, value);
    bool is_number = tr_json_kind_of(check->document, value) == TR_JSON_NUMBER;
    bool is_array = tr_json_kind_of(check->document, value) == TR_JSON_ARRAY;
    uint32_t count = tr_json_count(check->document, value);
    if (strcmp(word, "minimum") == 0)
        return !is_number || number >= limit;
    if (strcmp(word, "maximum") == 0)
        return !is_number || number <= limit;
    return !is_array || (strcmp(word, "minItems") == 0 ? count >= limit : count <= limit);
}

static inline bool schema_accepts_items(schema_check *check, uint32_t schema, uint32_t value) {
    bool good = true;
    for (uint32_t i = 0; good && tr_json_kind_of(check->document, value) == TR_JSON_ARRAY &&
                         i < tr_json_count(check->document, value);
         i++)
        good = schema_accepts(check, schema, tr_json_item(check->document, value, i));
    return good;
}

// One word of a schema.
static inline bool schema_accepts_word(schema_check *check, uint32_t schema, uint32_t rule, uint32_t value) {
    static const char *const said_only[] = {"$schema",    "title", "description", "default",
                                            "deprecated", "$defs", NULL};
    const char *word = tr_json_key(check->schema, rule), *text = tr_json_text(check->schema, rule, NULL);
    bool is_object = tr_json_kind_of(check->document, value) == TR_JSON_OBJECT;
    if (strcmp(word, "type") == 0)
        return schema_is_kind(check, text, value);
    if (strcmp(word, "enum") == 0)
        return schema_has_text(check, rule, value);
    if (strcmp(word, "pattern") == 0)
        return tr_json_kind_of(check->document, value) != TR_JSON_STRING ||
               schema_matches(text, tr_json_text(check->document, value, NULL));
    if (strcmp(word, "$ref") == 0)
        return schema_accepts(check, schema_follow(check, rule), value);
    if (strcmp(word, "oneOf") == 0)
        return schema_count(check, rule, value) == 1;
    if (strcmp(word, "not") == 0)
        return !schema_accepts(check, rule, value);
    if (strcmp(word, "items") == 0)
        return schema_accepts_items(check, rule, value);
    if (strcmp(word, "required") == 0)
        return !is_object || schema_has_required(check, rule, value);
    if (strcmp(word, "dependentRequired") == 0)
        return !is_object || schema_has_dependent(check, rule, value);
    if (strcmp(word, "additionalProperties") == 0)
        return !is_object || schema_accepts_members(check, schema, value);
    if (strncmp(word, "m", 1) == 0)
        return schema_accepts_size(check, word, tr_json_number(check->schema, rule), value);
    if (strcmp(word, "properties") == 0 || strcmp(word, "patternProperties") == 0)
        return true; // with additionalProperties, which always stands beside them
    for (const char *const *at = said_only; *at; at++)
        if (strcmp(*at, word) == 0)
            return true;
    strncpy(check->unknown, word, sizeof check->unknown - 1);
    return false;
}

static inline bool schema_accepts(schema_check *check, uint32_t schema, uint32_t value) {
    if (tr_json_kind_of(check->schema, schema) == TR_JSON_BOOLEAN)
        return tr_json_boolean(check->schema, schema);
    for (uint32_t i = 0; i < tr_json_count(check->schema, schema); i++)
        if (!schema_accepts_word(check, schema, tr_json_item(check->schema, schema, i), value))
            return false;
    return true;
}
