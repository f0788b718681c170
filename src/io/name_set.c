#include "name_set.h"
#include "troupe/base/hash.h"

#include <stdio.h>
#include <string.h>

static const char end_mark[] = "_end";

tr_name_set tr_name_set_begin(const tr_allocator *allocator) {
    tr_name_set set = {.allocator = *allocator};
    return set;
}

void tr_name_set_end(tr_name_set *set) {
    for (uint32_t i = 0; i < set->count; i++)
        tr_release(&set->allocator, set->entries[i].name, strlen(set->entries[i].name) + 1, 1);
    tr_release(&set->allocator, set->entries, set->capacity, sizeof *set->entries);
    tr_release(&set->allocator, set->slots, set->slot_count, sizeof *set->slots);
    *set = tr_name_set_begin(&set->allocator);
}

bool tr_name_is_end(const char *name) {
    size_t length = strlen(name), mark = sizeof end_mark - 1;
    return length > mark && strcmp(name + length - mark, end_mark) == 0;
}

// The slot of the name, or the empty slot where it belongs.
static uint32_t find_slot(const tr_name_set *set, const char *name, uint64_t hash) {
    uint32_t mask = set->slot_count - 1, slot = (uint32_t)(hash ^ hash >> 32) & mask;
    for (; set->slots[slot] != TR_NONE; slot = (slot + 1) & mask) {
        const tr_name_entry *entry = &set->entries[set->slots[slot]];
        if (entry->hash == hash && strcmp(entry->name, name) == 0)
            break;
    }
    return slot;
}

static bool grow_slots(tr_name_set *set) {
    if ((uint64_t)set->count * 2 < set->slot_count)
        return true;
    uint32_t count = set->slot_count ? set->slot_count * 2 : 64;
    uint32_t *slots = count ? tr_allocate(&set->allocator, count, sizeof *slots) : NULL;
    if (!slots)
        return false;
    tr_release(&set->allocator, set->slots, set->slot_count, sizeof *set->slots);
    set->slots = slots;
    set->slot_count = count;
    for (uint32_t i = 0; i < count; i++)
        slots[i] = TR_NONE;
    for (uint32_t i = 0; i < set->count; i++)
        slots[find_slot(set, set->entries[i].name, set->entries[i].hash)] = i;
    return true;
}

// Takes ownership of `name`, whatever the result.
static const char *keep(tr_name_set *set, char *name, size_t size, uint32_t slot, uint64_t hash) {
    if (!tr_reserve(&set->allocator, (void **)&set->entries, &set->capacity, (uint64_t)set->count + 1,
                    sizeof *set->entries)) {
        tr_release(&set->allocator, name, size, 1);
        return NULL;
    }
    tr_name_entry entry = {name, hash, 2};
    set->entries[set->count] = entry;
    set->slots[slot] = set->count++;
    return name;
}

// A copy of the name with its number; *room is the size of the block.
static char *numbered(const tr_name_set *set, const char *name, uint32_t number, size_t *room) {
    char digits[16];
    int added = snprintf(digits, sizeof digits, "_%u", number);
    size_t length = strlen(name), head = tr_name_is_end(name) ? length - (sizeof end_mark - 1) : length;
    *room = length + (size_t)added + 1;
    char *copy = tr_allocate(&set->allocator, *room, 1);
    if (copy) {
        memcpy(copy, name, head);
        memcpy(copy + head, digits, (size_t)added);
        memcpy(copy + head + added, name + head, length - head + 1);
    }
    return copy;
}

const char *tr_name_set_add(tr_name_set *set, const char *name) {
    if (!grow_slots(set))
        return NULL;
    size_t size = strlen(name) + 1;
    uint64_t hash = tr_hash(TR_HASH_START, name, size);
    uint32_t slot = find_slot(set, name, hash);
    if (set->slots[slot] == TR_NONE) {
        char *copy = tr_allocate(&set->allocator, size, 1);
        if (!copy)
            return NULL;
        memcpy(copy, name, size);
        return keep(set, copy, size, slot, hash);
    }
    uint32_t first = set->slots[slot];
    for (;;) {
        char *copy = numbered(set, name, set->entries[first].next_number++, &size);
        if (!copy)
            return NULL;
        hash = tr_hash(TR_HASH_START, copy, size);
        slot = find_slot(set, copy, hash);
        if (set->slots[slot] == TR_NONE)
            return keep(set, copy, size, slot, hash);
        tr_release(&set->allocator, copy, size, 1);
    }
}
