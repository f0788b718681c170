// io/stage_file/reach_file_data.h - a task file while it is read. Internal to reach_file*.c.
#pragma once
#include "troupe/io/json.h"
#include "troupe/io/reach_file.h"

typedef struct reach_reading {
    tr_json *json;
    uint32_t root;
    tr_reach_file *file;
    tr_reach_file_options options;
    tr_error *error;
    double tolerance; // of the hand's direction, for tasks without their own [rad]
} reach_reading;

#define REACH_FILE_EXTENT 1e6 // largest distance of anything from the origin [m]

bool tr_reach_file_has(const reach_reading *reading, uint32_t object, const char *key);
// Converts from the file's axes to those of the body (X left, Y up, Z ahead), or of the world.
tr_vec3 tr_reach_file_to_body(const tr_reach_file *file, const double point[3]);
tr_vec3 tr_reach_file_to_world(const tr_reach_file *file, const double point[3]);
// Three coordinates within REACH_FILE_EXTENT.
tr_status tr_reach_file_get_point(const reach_reading *reading, uint32_t object, const char *key,
                                  tr_json_need need, double point[3]);
// Reports unknown keys to the caller: most often they are misspelt.
void tr_reach_file_note_keys(const reach_reading *reading, uint32_t object, const char *const *known);
tr_status tr_reach_file_read_arm(reach_reading *reading);
tr_status tr_reach_file_read_bodies(reach_reading *reading);
tr_status tr_reach_file_read_tasks(reach_reading *reading);
