// troupe/io/gltf.h - glTF 2.0 and GLB: geometry in.
#pragma once
#include "troupe/io/file.h"
#include "troupe/io/scene_file.h"

TR_BEGIN_DECLARATIONS

// Gives the content of a buffer that the glTF names by URI; the reader frees it with `allocator`.
typedef tr_status (*tr_gltf_load)(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                                  tr_error *error);

// Add the meshes and nodes of a .gltf text or .glb to `scene`: triangles, strips and fans, indexed or not;
// sparse accessors, normalised integers, interleaved views, matrices and TRS, data: URIs. Skinned meshes come
// in their rest shape. The default scene is read, or the first, or all root nodes in a file without scenes.
// One object for each primitive of each node; nodes with the same mesh share it. TR_UNAVAILABLE names an
// extension that is required and not known. On failure the scene is as it was before; the error has the line
// (or byte) and the JSON path. `load` may be NULL: then external buffers are an error.
TR_API tr_status tr_gltf_read(const void *data, size_t size, const tr_scene_read_options *options,
                              tr_gltf_load load, void *load_user, tr_scene *scene, tr_error *error);

TR_END_DECLARATIONS
