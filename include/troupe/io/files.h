// troupe/io/files.h - where readers find the files that they open: on the disk, or through a callback of the
// caller.
//
// A browser has no paths, and a game keeps its files in a pack. Every reader that opens a file by name takes
// a tr_files in its options. It reads that file and every file that it names through the tr_files: a stage
// file, its scene, the buffers of that scene, and the captures of its characters.
#pragma once
#include "troupe/io/file.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_files {
    // Fills *bytes, which is empty before the call, with the whole content of the file `path`. The callback
    // allocates the block with tr_allocate(allocator, size, 1), and the reader frees it with that allocator.
    // An empty file may have no block. Any status other than TR_OK refuses the file, and *bytes is then
    // ignored. `error` is never NULL, and a callback may leave it unchanged. `path` is the one that was
    // passed to the reader. For a file that another file names, it is the folder of that other file followed
    // by the name ("stages/" and "room.glb"). The callback runs on the thread that called the reader.
    tr_status (*read)(void *user, const char *path, const tr_allocator *allocator, tr_bytes *bytes,
                      tr_error *error);
    void *user;
} tr_files;

// Reads the whole file `path` through `files`. NULL, or a tr_files without a callback, means the disk:
// tr_file_read. On failure the error always has a message and the name of the file. The status is that of the
// callback if it is a failure, otherwise TR_NO_FILE (for TR_OK without data, or an invalid status). TR_LIMIT
// beyond TR_FILE_MAX. On failure *bytes is empty. Free it with tr_bytes_free.
TR_API tr_status tr_files_read(const tr_files *files, const tr_allocator *allocator, const char *path,
                               tr_bytes *bytes, tr_error *error);

// Files in memory, for tr_files_in_memory. The caller owns the arrays and must not change them while they are
// used.
typedef struct tr_memory_file {
    const char *path;
    const void *data; // NULL only if size is 0
    size_t size;
} tr_memory_file;

typedef struct tr_memory_files {
    const tr_memory_file *files;
    uint32_t file_count;
} tr_memory_files;

// Returns a tr_files that copies from `memory`, which must outlive it. "a/./b" and "a//b" are "a/b"; names
// are case-sensitive. Of two files with the same name the first counts. A name that is not in the list gives
// TR_NO_FILE.
TR_API tr_files tr_files_in_memory(const tr_memory_files *memory);

TR_END_DECLARATIONS
