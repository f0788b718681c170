// troupe/io/files.h - where readers find the files they open: the disk, or a callback of the caller.
//
// A browser has no paths, and a game keeps its files in a pack. Every reader that opens a file by its name
// takes a tr_files in its options and reads through it, and so does every file that the first one names: a
// stage file, its scene, the buffers of that scene, and the captures of its characters.
#pragma once
#include "troupe/io/file.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_files {
    // Fill *bytes, which is empty before the call, with the whole content of the file called `path`. The
    // block comes from tr_allocate(allocator, size, 1), and the reader gives it back to that allocator; an
    // empty file may have no block. Any other status than TR_OK refuses the file, and *bytes is then ignored;
    // `error` is never NULL, and a callback may leave it as it is. Paths are those that the reader was given,
    // and for what a file names: the folder of that file with the name behind it ("stages/" and "room.glb").
    // The callback runs on the thread that called the reader.
    tr_status (*read)(void *user, const char *path, const tr_allocator *allocator, tr_bytes *bytes,
                      tr_error *error);
    void *user;
} tr_files;

// Read all of `path` through `files`. NULL, or no callback, is the disk: tr_file_read. A failure has a
// sentence and the name of the file, whatever the callback said: its own status where that is a failure, else
// TR_NO_FILE (TR_OK without data, a status that is none). TR_LIMIT beyond TR_FILE_MAX. On failure *bytes is
// empty. Free it with tr_bytes_free.
TR_API tr_status tr_files_read(const tr_files *files, const tr_allocator *allocator, const char *path,
                               tr_bytes *bytes, tr_error *error);

// Files that lie in memory, for tr_files_in_memory. The arrays stay the caller's, and as they are while they
// are used.
typedef struct tr_memory_file {
    const char *path;
    const void *data; // NULL only where size is 0
    size_t size;
} tr_memory_file;

typedef struct tr_memory_files {
    const tr_memory_file *files;
    uint32_t file_count;
} tr_memory_files;

// A tr_files that copies from `memory`, which must outlive it. "a/./b" and "a//b" are "a/b"; letters are
// compared as they are. Of two files with one name the first counts. A name that is not there is TR_NO_FILE.
TR_API tr_files tr_files_in_memory(const tr_memory_files *memory);

TR_END_DECLARATIONS
