// troupe/io/file.h - whole files in and out. Only io/ opens files; everything else works on memory.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"

TR_BEGIN_DECLARATIONS

#define TR_FILE_MAX ((uint64_t)1 << 32) // the largest file that is read [bytes]

typedef struct tr_bytes {
    uint8_t *data;
    size_t size;
} tr_bytes;

// Read all of `path`. TR_NO_FILE (with the system's reason, or because it is a folder, a pipe or a device:
// only regular files are read, and nothing ever waits), TR_LIMIT (larger than TR_FILE_MAX) or
// TR_OUT_OF_MEMORY leave *bytes empty.
TR_API tr_status tr_file_read(const tr_allocator *allocator, const char *path, tr_bytes *bytes,
                              tr_error *error);
TR_API void tr_bytes_free(const tr_allocator *allocator, tr_bytes *bytes);
// Write all of `path`, or leave what was there: the content appears under its name only when it is complete.
TR_API tr_status tr_file_write(const char *path, const void *data, size_t size, tr_error *error);

TR_END_DECLARATIONS
