// io/beside.h - files that another file names, in its folder or below. Internal to io/.
#pragma once
#include "troupe/io/files.h"

// The length of the folder part of the path, including the last slash.
size_t tr_beside_folder(const char *path);
// The path of the file that `file` names by `uri` (escapes such as %20 are decoded). Absolute paths, ".." and
// schemes are TR_BAD_FILE. Free it with tr_release(allocator, path, room, 1).
tr_status tr_beside_path(const tr_allocator *allocator, const char *file, const char *uri, char **path,
                         size_t *room, tr_error *error);
// The file that names others, and the file system to read them from.
typedef struct tr_beside {
    const tr_files *files; // NULL: the disk
    const char *path;
} tr_beside;
// A tr_gltf_load whose `user` is a tr_beside with the path of the glTF file.
tr_status tr_beside_load(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                         tr_error *error);
