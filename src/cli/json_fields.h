// Members of a document that a command prints, each with its key.
#pragma once
#include "troupe/io/json.h"
#include "troupe/world/grid.h"

void json_field_number(tr_json_writer *writer, const char *key, double number); // null when not finite
void json_field_float(tr_json_writer *writer, const char *key, float number);
void json_field_count(tr_json_writer *writer, const char *key, uint64_t count);
void json_field_boolean(tr_json_writer *writer, const char *key, bool boolean);
void json_field_text(tr_json_writer *writer, const char *key, const char *text); // null for NULL
// {"origin": [x, z], "cell", "columns", "rows"}

void json_field_grid(tr_json_writer *writer, const char *key, const tr_grid *grid);
// Print what was written so far of a document that would be too large for memory.
void json_print_part(tr_json_writer *writer);
// Give back the memory of a document that is not to be finished.
void json_drop(tr_json_writer *writer);
// Finish the document and print it, or what was not printed of it.
tr_status json_print(tr_json_writer *writer, tr_error *error);
