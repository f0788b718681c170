// troupe/io/file.h - reads and writes whole files. Only io/ opens files; everything else works on memory.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"

TR_BEGIN_DECLARATIONS

#define TR_FILE_MAX ((uint64_t)1 << 32) // size of the largest file that is read [bytes]

typedef struct tr_bytes {
    uint8_t *data;
    size_t size;
} tr_bytes;

// Reads the whole file `path`. TR_NO_FILE: the file cannot be read (the error has the system's reason), or it
// is a folder, a pipe or a device: only regular files are read, and the call never waits. TR_LIMIT: the file
// is larger than TR_FILE_MAX. On these and on TR_OUT_OF_MEMORY *bytes is empty.
TR_API tr_status tr_file_read(const tr_allocator *allocator, const char *path, tr_bytes *bytes,
                              tr_error *error);
TR_API void tr_bytes_free(const tr_allocator *allocator, tr_bytes *bytes);
// Writes the whole file `path`, or leaves the old content: the new content appears under its name only when
// it is complete.
TR_API tr_status tr_file_write(const char *path, const void *data, size_t size, tr_error *error);

TR_END_DECLARATIONS
