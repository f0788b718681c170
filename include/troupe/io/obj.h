// troupe/io/obj.h - reads and writes geometry as Wavefront OBJ.
#pragma once
#include "troupe/io/file.h"
#include "troupe/io/scene_file.h"

TR_BEGIN_DECLARATIONS

#define TR_OBJ_CORNERS_MAX                                                                                   \
    2048 // a face with more corners is cut as a fan, which is correct only if it is convex, and noted

// Adds the objects of an OBJ text to `scene`. Each `o` is an object; in a file without `o`, each name of a
// `g` is one. Reads `v` and `f` (n-gons, also concave; negative indices; v/vt/vn in every form). `l` and `p`
// are ignored with a note; everything else is skipped. An object has only the vertices that it uses and an
// identity placement: up axis and unit are applied to the vertices. On failure the scene is unchanged, and
// the error has the line.
TR_API tr_status tr_obj_read(const void *text, size_t size, const tr_scene_read_options *options,
                             tr_scene *scene, tr_error *error);

// Writes the scene as OBJ text in world coordinates, with one `o` for each object that has a mesh. Free it
// with tr_bytes_free. The same scene gives the same bytes, and every coordinate reads back as the same float.
// TR_LIMIT beyond 4 GiB.
TR_API tr_status tr_obj_write(const tr_allocator *allocator, const tr_scene *scene, tr_bytes *text,
                              tr_error *error);

TR_END_DECLARATIONS
