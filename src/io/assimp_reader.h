// io/assimp_reader.h - other scene formats through assimp, which is loaded when it is first needed.
#pragma once
#include "scene_parts.h"

// Adds the content of a file to `parts`. `format` is the extension of its name ("fbx"), which assimp uses if
// the content does not identify the format. TR_UNAVAILABLE: assimp is not installed; TR_BAD_FILE: it cannot
// read the file.
tr_status tr_assimp_read(const void *data, size_t size, const char *format, tr_scene_parts *parts,
                         tr_error *error);
