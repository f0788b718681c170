// troupe/io/scene_file.h - read a scene from any file we know: OBJ and glTF/GLB ourselves, the rest through
// assimp.
#pragma once
#include "troupe/io/files.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_up_axis {
    TR_UP_FROM_FORMAT, // what the format says: Y for glTF and OBJ
    TR_UP_Y,
    TR_UP_Z // turned by -90 degrees about X, so that Z becomes our Y
} tr_up_axis;

// Start from tr_scene_read_options_default(); NULL means the default everywhere.
typedef struct tr_scene_read_options {
    const tr_allocator *allocator; // for what is needed while reading; NULL: malloc. The scene has its own
    const tr_files *files;         // where `path` and what it names are read; NULL: the disk
    tr_up_axis up;
    float metres_per_unit;  // [> 0], 1 by default
    uint64_t max_triangles; // of all objects together; TR_LIMIT beyond; 0: 100 million
    uint64_t max_objects;   // TR_LIMIT beyond; 0: 1 million
    void (*note)(void *user, const char *sentence); // what was odd but readable; may be NULL
    void *note_user;
} tr_scene_read_options;

TR_API tr_scene_read_options tr_scene_read_options_default(void);

// Add what the file holds to `scene`: one mesh and one object (or several) for each named part, with the
// file's hierarchy folded into the placements. The format is told from the content first, then from the
// name's ending. Buffers that a .gltf names are read beside it: no absolute path, no "..", no scheme but
// data:. On failure the scene is as it was before. TR_UNAVAILABLE: a format that nobody here reads, or that
// needs assimp, which is not there.
TR_API tr_status tr_scene_file_read(const char *path, const tr_scene_read_options *options, tr_scene *scene,
                                    tr_error *error);

TR_END_DECLARATIONS
