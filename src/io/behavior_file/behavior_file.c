// Machine files: what concerns the machine as a whole.
#include "behavior_file_data.h"

#include <string.h>

// --- Memory of a file: blocks that are freed together ---

typedef struct file_block {
    struct file_block *next;
    size_t size, used; // of what follows this header [bytes]
} file_block;

#define BLOCK_SIZE 4096 // of a small block
#define ALIGNMENT _Alignof(max_align_t)

void *tr_machine_allocate(tr_behavior_file *file, size_t count, size_t size) {
    if (count > (SIZE_MAX / 2 - BLOCK_SIZE) / size)
        return NULL;
    size_t needed = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    size_t header = (sizeof(file_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    file_block *block = file->memory;
    if (!block || block->size - block->used < needed) {
        size_t room = needed > BLOCK_SIZE / 2 ? needed : BLOCK_SIZE;
        file_block *made = tr_allocate(&file->allocator, header + room, 1);
        if (!made)
            return NULL;
        *made = (file_block){block, room, 0};
        // A large block goes behind the one that still has room for small ones.
        if (block && room == needed) {
            made->next = block->next;
            block->next = made;
        } else {
            file->memory = made;
        }
        block = made;
    }
    void *memory = (char *)block + header + block->used;
    block->used += needed;
    memset(memory, 0, count * size);
    return memory;
}

void tr_behavior_file_destroy(tr_behavior_file *file) {
    if (!file)
        return;
    size_t header = (sizeof(file_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    for (file_block *block = file->memory, *next; block; block = next) {
        next = block->next;
        tr_release(&file->allocator, block, header + block->size, 1);
    }
    *file = (tr_behavior_file){.allocator = file->allocator};
}

tr_status tr_machine_no_memory(const machine_reading *reading) {
    return tr_fail(reading->error, TR_OUT_OF_MEMORY, "no memory for a machine of behaviors");
}

// --- Values ---

bool tr_machine_has(const machine_reading *reading, uint32_t object, const char *key) {
    tr_json_kind kind = tr_json_kind_of(reading->json, tr_json_member(reading->json, object, key));
    return kind != TR_JSON_ABSENT && kind != TR_JSON_NULL;
}

// An unknown key is most often a misspelt one, so it is an error.
tr_status tr_machine_check_keys(const machine_reading *reading, uint32_t object, const char *const *known) {
    for (uint32_t i = 0; i < tr_json_count(reading->json, object); i++) {
        uint32_t member = tr_json_item(reading->json, object, i);
        const char *key = tr_json_key(reading->json, member);
        const char *const *at = known;
        while (*at && strcmp(*at, key) != 0)
            at++;
        if (*at || key[0] == '$' || strcmp(key, "comment") == 0)
            continue;
        char list[240] = "";
        for (at = known; *at && strlen(list) + strlen(*at) + 3 < sizeof list; at++) {
            strcat(list, at == known ? "" : ", ");
            strcat(list, *at);
        }
        return tr_json_fail(reading->json, member, reading->error, "is not a known key; allowed keys: %s",
                            list);
    }
    return TR_OK;
}

tr_status tr_machine_get_text(const machine_reading *reading, uint32_t object, const char *key,
                              tr_json_need need, const char **text) {
    const char *found = NULL;
    tr_status status = tr_json_get_text(reading->json, object, key, need, &found, reading->error);
    if (status != TR_OK || !found)
        return status;
    size_t size = strlen(found) + 1;
    if (size == 1)
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, key), reading->error,
                            "is empty");
    char *copy = tr_machine_allocate(reading->file, size, 1);
    if (!copy)
        return tr_machine_no_memory(reading);
    memcpy(copy, found, size);
    *text = copy;
    return TR_OK;
}

tr_status tr_machine_get_float(const machine_reading *reading, uint32_t object, const char *key,
                               tr_json_need need, double low, double high, float *number) {
    double value = (double)*number;
    tr_status status =
        tr_json_get_number(reading->json, object, key, need, low, high, &value, reading->error);
    if (status == TR_OK)
        *number = (float)value;
    return status;
}

tr_status tr_machine_get_count(const machine_reading *reading, uint32_t object, const char *key,
                               tr_json_need need, int64_t low, int64_t high, uint32_t *number) {
    int64_t value = *number;
    bool given = tr_machine_has(reading, object, key);
    tr_status status =
        tr_json_get_integer(reading->json, object, key, need, low, high, &value, reading->error);
    if (status == TR_OK && given)
        *number = (uint32_t)value;
    return status;
}

// --- The machine ---

static tr_status fail_size(const machine_reading *reading, uint32_t value, uint32_t count, uint32_t most,
                           const char *what) {
    return tr_json_fail(reading->json, value, reading->error, "has %u %s, it must have 1 to %u", count, what,
                        most);
}

static tr_status read_labels(machine_reading *reading) {
    uint32_t list = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, reading->root, "labels", TR_JSON_REQUIRED, &list, reading->error);
    uint32_t count = tr_json_count(reading->json, list);
    if (status == TR_OK && (count == 0 || count > TR_BEHAVIOR_FILE_LABELS_MAX))
        return fail_size(reading, list, count, TR_BEHAVIOR_FILE_LABELS_MAX, "labels");
    if (status == TR_OK)
        status = tr_machine_names_begin(reading, &reading->labels, count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = tr_machine_names_add(reading, &reading->labels, tr_json_item(reading->json, list, i));
    if (status != TR_OK)
        return status;
    reading->file->def.labels = reading->labels.names;
    reading->file->def.label_count = count;
    uint32_t rest = tr_json_member(reading->json, reading->root, "rest");
    if (!tr_machine_has(reading, reading->root, "rest"))
        return tr_json_fail(reading->json, reading->root, reading->error,
                            "has no \"rest\", the label with which plans begin and end");
    return tr_machine_names_find(reading, &reading->labels, rest, &reading->file->def.rest);
}

static tr_status read_band(machine_reading *reading, uint32_t value, tr_behavior_band *band) {
    static const char *const known[] = {"name", "low", "high", "climbs", NULL};
    if (tr_json_kind_of(reading->json, value) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, value, reading->error,
                            "must be an object with name, low and high");
    tr_status status = tr_machine_check_keys(reading, value, known);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, value, "low", TR_JSON_OPTIONAL, 0, MACHINE_FILE_METRES_MAX,
                                      &band->low);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, value, "high", TR_JSON_REQUIRED, 0, MACHINE_FILE_METRES_MAX,
                                      &band->high);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, value, "climbs", TR_JSON_OPTIONAL, &band->climbs,
                                     reading->error);
    if (status == TR_OK && !tr_machine_has(reading, value, "name"))
        return tr_json_fail(reading->json, value, reading->error, "has no \"name\"");
    if (status == TR_OK && !(band->low < band->high))
        return tr_json_fail(reading->json, tr_json_member(reading->json, value, "high"), reading->error,
                            "is %g m, it must be above low, which is %g m", (double)band->high,
                            (double)band->low);
    return status;
}

static tr_status read_bands(machine_reading *reading) {
    uint32_t list = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, reading->root, "bands", TR_JSON_REQUIRED, &list, reading->error);
    uint32_t count = tr_json_count(reading->json, list);
    if (status == TR_OK && (count == 0 || count > TR_BEHAVIOR_BANDS_MAX))
        return fail_size(reading, list, count, TR_BEHAVIOR_BANDS_MAX, "bands");
    if (status != TR_OK)
        return status;
    tr_behavior_band *bands = tr_machine_allocate(reading->file, count, sizeof *bands);
    if (!bands)
        return tr_machine_no_memory(reading);
    status = tr_machine_names_begin(reading, &reading->bands, count);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        uint32_t value = tr_json_item(reading->json, list, i);
        status = read_band(reading, value, &bands[i]);
        if (status == TR_OK)
            status =
                tr_machine_names_add(reading, &reading->bands, tr_json_member(reading->json, value, "name"));
        if (status == TR_OK)
            bands[i].name = reading->bands.names[i];
    }
    reading->file->def.bands = bands;
    reading->file->def.band_count = count;
    return status;
}

static tr_status check_cast_name(const machine_reading *reading, uint32_t motion) {
    static const char *const casts[] = {"human", "skateboarder", "horse"};
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (strcmp(casts[i], reading->file->cast) == 0)
            return TR_OK;
    return tr_json_fail(reading->json, tr_json_member(reading->json, motion, "cast"), reading->error,
                        "is \"%.40s\", it must be one of: human, skateboarder, horse", reading->file->cast);
}

static tr_status read_motion(machine_reading *reading) {
    static const char *const known[] = {"cast", "body", "height", NULL};
    tr_behavior_file *file = reading->file;
    uint32_t motion = TR_NONE;
    tr_status status =
        tr_json_get_object(reading->json, reading->root, "motion", TR_JSON_OPTIONAL, &motion, reading->error);
    if (status != TR_OK || motion == TR_NONE)
        return status;
    status = tr_machine_check_keys(reading, motion, known);
    if (status == TR_OK)
        status = tr_machine_get_text(reading, motion, "cast", TR_JSON_OPTIONAL, &file->cast);
    if (status == TR_OK)
        status = tr_machine_get_text(reading, motion, "body", TR_JSON_OPTIONAL, &file->body);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, motion, "height", TR_JSON_OPTIONAL, 0.1, 10, &file->height);
    if (status != TR_OK)
        return status;
    if (!file->cast == !file->body)
        return tr_json_fail(reading->json, motion, reading->error,
                            "must have one of \"cast\" (generated clips) and \"body\" (clips of files)");
    return file->cast ? check_cast_name(reading, motion) : TR_OK;
}

static tr_status read_numbers(machine_reading *reading) {
    tr_behavior_def *def = &reading->file->def;
    uint32_t root = reading->root;
    tr_status status = tr_json_get_number(reading->json, root, "frames_per_second", TR_JSON_REQUIRED, 1, 1000,
                                          &def->frames_per_second, reading->error);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, root, "radius", TR_JSON_REQUIRED, 0.001, 100, &def->radius);
    if (status == TR_OK)
        status =
            tr_machine_get_float(reading, root, "up", TR_JSON_OPTIONAL, 0, MACHINE_FILE_NUMBER_MAX, &def->up);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, root, "down", TR_JSON_OPTIONAL, 0, MACHINE_FILE_NUMBER_MAX,
                                      &def->down);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, root, "idle", TR_JSON_OPTIONAL, 0, MACHINE_FILE_NUMBER_MAX,
                                      &def->idle);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, root, "discs_hold", TR_JSON_OPTIONAL, &def->discs_hold,
                                     reading->error);
    return status == TR_OK ? tr_machine_get_text(reading, root, "name", TR_JSON_OPTIONAL, &def->name)
                           : status;
}

// The state whose name a sentence about the machine has in quotation marks; TR_NONE: none.
static uint32_t find_blamed(const machine_reading *reading, const char *sentence) {
    for (const char *at = strchr(sentence, '\''); at; at = strchr(at + 1, '\''))
        for (uint32_t i = 0; i < reading->states.count; i++) {
            size_t length = strlen(reading->states.names[i]);
            if (strncmp(at + 1, reading->states.names[i], length) == 0 && at[length + 1] == '\'')
                return i;
        }
    return TR_NONE;
}

// What only all the states together show.
static tr_status check_machine(const machine_reading *reading) {
    tr_behavior_def def = reading->file->def;
    tr_behavior *behavior = NULL;
    tr_error why = {0};
    def.allocator = &reading->file->allocator;
    def.discs_hold &= reading->file->measured_count == 0; // whose discs are still to be measured
    tr_status status = tr_behavior_create(&def, &behavior, &why);
    tr_behavior_destroy(behavior);
    if (status == TR_OK || status == TR_OUT_OF_MEMORY)
        return status == TR_OK ? TR_OK : tr_machine_no_memory(reading);
    uint32_t list = tr_json_member(reading->json, reading->root, "states");
    uint32_t blamed = find_blamed(reading, why.message);
    return tr_json_fail(reading->json, blamed == TR_NONE ? list : tr_json_item(reading->json, list, blamed),
                        reading->error, "cannot be used: %s", why.message);
}

static tr_status read_document(machine_reading *reading) {
    static const char *const known[] = {"name",       "frames_per_second",
                                        "radius",     "up",
                                        "down",       "idle",
                                        "discs_hold", "motion",
                                        "bands",      "labels",
                                        "rest",       "states",
                                        NULL};
    if (tr_json_kind_of(reading->json, reading->root) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, reading->root, reading->error,
                            "must be an object with \"states\"");
    tr_status status = tr_machine_check_keys(reading, reading->root, known);
    tr_status (*const steps[])(machine_reading *) = {read_numbers, read_labels, read_bands, read_motion,
                                                     tr_machine_read_states};
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == TR_OK; i++)
        status = steps[i](reading);
    return status == TR_OK ? check_machine(reading) : status;
}

tr_status tr_behavior_file_read(const void *data, size_t size, const char *path,
                                const tr_allocator *allocator, tr_behavior_file *file, tr_error *error) {
    tr_error unwanted;
    if (!file)
        return tr_fail(error, TR_INVALID, "the tr_behavior_file to read into is NULL");
    machine_reading reading = {.file = file,
                               .error = error ? error : &unwanted,
                               .labels.what = "label",
                               .bands.what = "band",
                               .states.what = "state"};
    memset(reading.error, 0, sizeof *reading.error);
    *file = (tr_behavior_file){.allocator = tr_allocator_or_default(allocator)};
    tr_status status = tr_json_read(&file->allocator, data, size, &reading.json, reading.error);
    if (status == TR_OK) {
        reading.root = tr_json_root(reading.json);
        status = read_document(&reading);
    }
    tr_machine_names_end(&reading, &reading.labels);
    tr_machine_names_end(&reading, &reading.bands);
    tr_machine_names_end(&reading, &reading.states);
    tr_json_destroy(reading.json);
    if (status != TR_OK)
        tr_behavior_file_destroy(file);
    if (status != TR_OK && path)
        tr_error_set_file(reading.error, path);
    return status;
}
