// troupe/io/scene_file.h - reads a scene from any supported file: OBJ and glTF/GLB directly, other formats
// through assimp.
#pragma once
#include "troupe/io/files.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_up_axis {
    TR_UP_FROM_FORMAT, // the up axis of the format: Y for glTF and OBJ
    TR_UP_Y,
    TR_UP_Z // rotated by -90 degrees about X, so that Z becomes Y
} tr_up_axis;

// Start from tr_scene_read_options_default(); NULL means the default everywhere.
typedef struct tr_scene_read_options {
    const tr_allocator *allocator; // for temporary memory; NULL: malloc. The scene uses its own
    const tr_files *files;         // source of `path` and of the files it names; NULL: the disk
    tr_up_axis up;
    float metres_per_unit;  // [> 0], 1 by default
    uint64_t max_triangles; // of all objects together; TR_LIMIT beyond; 0: 100 million
    uint64_t max_objects;   // TR_LIMIT beyond; 0: 1 million
    void (*note)(void *user, const char *sentence); // reports unusual but readable content; may be NULL
    void *note_user;
} tr_scene_read_options;

TR_API tr_scene_read_options tr_scene_read_options_default(void);

// Adds the content of the file to `scene`: one mesh and one or more objects for each named part. The file's
// hierarchy is folded into the placements. The format is determined by the content first, then by the
// extension of the name. Buffers that a .gltf names are read relative to it: no absolute path, no "..", no
// scheme except data:. On failure the scene is unchanged. TR_UNAVAILABLE: the format is not supported, or it
// needs assimp, which is missing.
TR_API tr_status tr_scene_file_read(const char *path, const tr_scene_read_options *options, tr_scene *scene,
                                    tr_error *error);

TR_END_DECLARATIONS
