// io/assimp_reader.h - other scene formats through assimp, which is loaded when it is first needed.
#pragma once
#include "scene_parts.h"

// Adds the content of a file to `parts`. `format` is the extension of its name ("fbx"), which assimp uses if
// the content does not identify the format. TR_UNAVAILABLE: assimp is not installed; TR_BAD_FILE: it cannot
// read the file.
tr_status tr_assimp_read(const void *data, size_t size, const char *format, tr_scene_parts *parts,
                         tr_error *error);

// The content of a file as a GLB, in metres: skeletons, skins, animations, materials and textures go through
// assimp's own writer. For characters and clips in formats that Troupe does not read (FBX), and for glTF
// files that are compressed (Draco). Errors as above. Free the bytes with tr_bytes_free.
tr_status tr_assimp_to_glb(const tr_allocator *allocator, const void *data, size_t size, const char *format,
                           tr_bytes *glb, tr_error *error);
