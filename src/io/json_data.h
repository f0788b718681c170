// io/json_data.h - how a JSON document is stored. Internal to json*.c.
#pragma once
#include "troupe/base/hash.h"
#include "troupe/io/json.h"

#include <string.h>

// The items of an array (the members of an object) are contiguous, so that the i-th is found in constant
// time. They precede the value that contains them; the root is the last value.
typedef struct json_value {
    uint32_t line, offset;
    uint32_t parent; // TR_NONE for the root
    uint32_t key;    // offset in `strings`; TR_NONE if not a member
    union {
        double number; // 0 or 1 for a boolean
        struct {
            uint32_t first, count; // items in `values`, or the characters in `strings`
        } span;
    } is;
    tr_json_kind kind;
} json_value;

struct tr_json {
    tr_allocator allocator;
    json_value *values;
    char *strings; // all keys and texts, unescaped, each with a final 0
    uint32_t value_count, value_capacity, string_size, string_capacity;
    // Members of objects with more than JSON_LARGE of them, by a hash of object and key: without it a file
    // could make every look-up scan a million members. TR_NONE marks a free slot.
    uint32_t *table;
    uint32_t table_size; // a power of two; 0 if no object is that large
};

#define JSON_LARGE 16

// The first slot to probe.
static inline uint32_t json_table_place(const tr_json *json, uint32_t object, const char *key) {
    uint64_t hash = tr_hash(tr_hash(TR_HASH_START, &object, sizeof object), key, strlen(key));
    return (uint32_t)(hash ^ hash >> 32) & (json->table_size - 1);
}
