// io/motion_parts.h - motion files in formats that assimp reads. Internal to io/.
#pragma once
#include "troupe/io/motion_file.h"

// The content of such a file as a GLB (tr_assimp_to_glb); `path` tells the format.
tr_status tr_motion_file_to_glb(const tr_allocator *allocator, const char *path, const tr_bytes *content,
                                tr_bytes *glb, tr_error *error);
// Is it one of those formats, by its content or its name?
bool tr_motion_file_is_other(const char *path, const tr_bytes *content);
