// io/name_set.h - makes names unique, for formats and programs that identify objects by name.
#pragma once
#include "troupe/base/allocator.h"

typedef struct tr_name_entry {
    char *name;
    uint64_t hash;
    uint32_t next_number; // to try when the same name is added again
} tr_name_entry;

typedef struct tr_name_set {
    tr_allocator allocator;
    tr_name_entry *entries;
    uint32_t count, capacity;
    uint32_t *slots; // a hash table of entries, TR_NONE where empty
    uint32_t slot_count;
} tr_name_set;

tr_name_set tr_name_set_begin(const tr_allocator *allocator);
void tr_name_set_end(tr_name_set *set);
// A copy of the name if it is new, otherwise with the suffix "_2", "_3", ... (before a final "_end", which
// marks the ends of bones). Valid as long as the set; NULL: no memory.
const char *tr_name_set_add(tr_name_set *set, const char *name);

// Does the name mark the end of a bone?
bool tr_name_is_end(const char *name);
