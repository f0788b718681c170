// io/behavior_file/behavior_file_layout.h - lays out a JSON document for people. Internal to io/.
#pragma once
#include "troupe/io/file.h"

// The same document with one member or item a line, indented; what holds no object and fits on a line stays
// on one. `compact` is one that tr_json_writer_finish made. Free `text` with tr_bytes_free.
tr_status tr_json_lay_out(const tr_bytes *compact, const tr_allocator *allocator, tr_bytes *text,
                          tr_error *error);
