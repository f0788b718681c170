// io/behavior_file/behavior_file_data.h - a machine file while it is read. Internal to behavior_file*.c.
#pragma once
#include "troupe/io/behavior_file.h"
#include "troupe/io/json.h"

// The names of one kind of thing, and a hash table to find them in.
typedef struct machine_names {
    const char *what;   // "label", for errors
    const char **names; // as long as the file
    uint32_t count;
    uint32_t *slots; // of numbers of names, TR_NONE where empty
    uint32_t slot_count;
} machine_names;

typedef struct machine_reading {
    tr_json *json;
    uint32_t root;
    tr_behavior_file *file;
    tr_error *error;
    machine_names labels, bands, states;
    tr_behavior_state *made; // the states
    tr_behavior_file_clip *clips;
    uint32_t *last_seen; // for each state, the last state that has it as a successor
} machine_reading;

#define MACHINE_FILE_FRAMES_MAX 60000   // of a move
#define MACHINE_FILE_METRES_MAX 1000.0  // that a move goes, and from its beginning to its discs
#define MACHINE_FILE_NUMBER_MAX 1000000 // of what has no limit of its own

// Memory that lives as long as the file. NULL: out of memory.
void *tr_machine_allocate(tr_behavior_file *file, size_t count, size_t size);
tr_status tr_machine_no_memory(const machine_reading *reading);
bool tr_machine_has(const machine_reading *reading, uint32_t object, const char *key);
tr_status tr_machine_check_keys(const machine_reading *reading, uint32_t object, const char *const *known);
// A copy of the text of a member, which must not be empty; unchanged if there is no such member.
tr_status tr_machine_get_text(const machine_reading *reading, uint32_t object, const char *key,
                              tr_json_need need, const char **text);
tr_status tr_machine_get_float(const machine_reading *reading, uint32_t object, const char *key,
                               tr_json_need need, double low, double high, float *number);
tr_status tr_machine_get_count(const machine_reading *reading, uint32_t object, const char *key,
                               tr_json_need need, int64_t low, int64_t high, uint32_t *number);

// Makes room for this many names.
tr_status tr_machine_names_begin(machine_reading *reading, machine_names *names, uint32_t count);
void tr_machine_names_end(machine_reading *reading, machine_names *names);
// Adds a copy of the text `value`; it must be a text, not empty and new.
tr_status tr_machine_names_add(machine_reading *reading, machine_names *names, uint32_t value);
// The number of the name that `value` is.
tr_status tr_machine_names_find(const machine_reading *reading, const machine_names *names, uint32_t value,
                                uint32_t *number);

tr_status tr_machine_read_states(machine_reading *reading);
tr_status tr_machine_read_moves(machine_reading *reading, uint32_t object, tr_behavior_state *state);
