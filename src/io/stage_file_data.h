// io/stage_file_data.h - a stage file while it is read. Internal to stage_file*.c.
#pragma once
#include "troupe/io/json.h"
#include "troupe/io/stage_file.h"

typedef struct stage_reading {
    tr_json *json;
    uint32_t root;
    const char *path; // of the stage file
    tr_stage_file_options options;
    tr_stage_play *play;
    tr_error *error;
} stage_reading;

tr_status tr_stage_check_keys(const stage_reading *reading, uint32_t object, const char *const *known);
tr_status tr_stage_read_characters(stage_reading *reading);
// A walker out of captures: `files` is an array of names.
tr_status tr_stage_read_cycles(stage_reading *reading, uint32_t files, tr_stage_kind *kind);
