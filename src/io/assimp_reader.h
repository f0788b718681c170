// io/assimp_reader.h - other scene formats through assimp, which is loaded when it is first needed.
#pragma once
#include "scene_parts.h"

// Put what a file's content holds into `parts`. `format` is the ending of its name ("fbx"), which assimp goes
// by where the content does not tell. TR_UNAVAILABLE: assimp is not there; TR_BAD_FILE: it could not read the
// file.
tr_status tr_assimp_read(const void *data, size_t size, const char *format, tr_scene_parts *parts,
                         tr_error *error);
