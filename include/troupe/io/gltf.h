// troupe/io/gltf.h - reads geometry from glTF 2.0 and GLB.
#pragma once
#include "troupe/io/file.h"
#include "troupe/io/scene_file.h"

TR_BEGIN_DECLARATIONS

// Returns the content of a buffer that the glTF names by URI. The reader frees it with `allocator`.
typedef tr_status (*tr_gltf_load)(void *user, const char *uri, const tr_allocator *allocator, tr_bytes *bytes,
                                  tr_error *error);

// Adds the meshes and nodes of a .gltf text or .glb to `scene`. Supports triangles, strips and fans, indexed
// or not; sparse accessors, normalised integers, interleaved views, matrices and TRS, data: URIs. Skinned
// meshes are read in their rest shape. Reads the default scene, or the first one, or all root nodes in a file
// without scenes. Each primitive of each node becomes an object; nodes with the same mesh share it.
// TR_UNAVAILABLE names a required extension that is not supported. On failure the scene is unchanged, and the
// error has the line (or byte) and the JSON path. `load` may be NULL: then external buffers are an error.
TR_API tr_status tr_gltf_read(const void *data, size_t size, const tr_scene_read_options *options,
                              tr_gltf_load load, void *load_user, tr_scene *scene, tr_error *error);

TR_END_DECLARATIONS
