// Names of labels, bands and states: copied, unique, and found quickly.
#include "behavior_file_data.h"

#include "troupe/base/hash.h"

#include <string.h>

static uint32_t find_slot(const machine_names *names, const char *name) {
    uint64_t hash = tr_hash(TR_HASH_START, name, strlen(name));
    uint32_t mask = names->slot_count - 1, slot = (uint32_t)(hash ^ hash >> 32) & mask;
    while (names->slots[slot] != TR_NONE && strcmp(names->names[names->slots[slot]], name) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

tr_status tr_machine_names_begin(machine_reading *reading, machine_names *names, uint32_t count) {
    uint32_t slot_count = 16;
    while (slot_count < 2 * count)
        slot_count *= 2;
    names->names = tr_machine_allocate(reading->file, count, sizeof *names->names);
    names->slots = tr_allocate(&reading->file->allocator, slot_count, sizeof *names->slots);
    if (!names->names || !names->slots) {
        tr_release(&reading->file->allocator, names->slots, slot_count, sizeof *names->slots);
        names->slots = NULL;
        return tr_machine_no_memory(reading);
    }
    names->slot_count = slot_count;
    memset(names->slots, 0xff, slot_count * sizeof *names->slots); // TR_NONE
    return TR_OK;
}

void tr_machine_names_end(machine_reading *reading, machine_names *names) {
    tr_release(&reading->file->allocator, names->slots, names->slot_count, sizeof *names->slots);
    names->slots = NULL;
}

// The text of a value that names something; NULL after an error.
static const char *get_name(const machine_reading *reading, const machine_names *names, uint32_t value) {
    size_t length;
    const char *text = tr_json_text(reading->json, value, &length);
    if (tr_json_kind_of(reading->json, value) == TR_JSON_STRING && length > 0 && strlen(text) == length)
        return text;
    tr_json_fail(reading->json, value, reading->error, "must be the name of a %s", names->what);
    return NULL;
}

tr_status tr_machine_names_add(machine_reading *reading, machine_names *names, uint32_t value) {
    const char *text = get_name(reading, names, value);
    if (!text)
        return TR_BAD_FILE;
    uint32_t slot = find_slot(names, text);
    if (names->slots[slot] != TR_NONE)
        return tr_json_fail(reading->json, value, reading->error,
                            "is \"%.60s\", the name of another %s; each needs its own", text, names->what);
    size_t size = strlen(text) + 1;
    char *copy = tr_machine_allocate(reading->file, size, 1);
    if (!copy)
        return tr_machine_no_memory(reading);
    memcpy(copy, text, size);
    names->slots[slot] = names->count;
    names->names[names->count++] = copy;
    return TR_OK;
}

tr_status tr_machine_names_find(const machine_reading *reading, const machine_names *names, uint32_t value,
                                uint32_t *number) {
    const char *text = get_name(reading, names, value);
    if (!text)
        return TR_BAD_FILE;
    *number = names->slots[find_slot(names, text)];
    if (*number != TR_NONE)
        return TR_OK;
    char list[200] = "";
    uint32_t shown = 0;
    for (; shown < names->count && strlen(list) + strlen(names->names[shown]) + 3 < sizeof list; shown++) {
        strcat(list, shown ? ", " : "");
        strcat(list, names->names[shown]);
    }
    return tr_json_fail(reading->json, value, reading->error, "is \"%.40s\", which is no %s; there are: %s%s",
                        text, names->what, list, shown < names->count ? " ..." : "");
}
