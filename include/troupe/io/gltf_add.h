// troupe/io/gltf_add.h - adds clips to the glTF or GLB file of a character, and keeps everything else in it.
#pragma once
#include "troupe/io/gltf.h"
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

// The clips of one copy of the character.
typedef struct tr_gltf_copy {
    const char *name;            // of its skins if there are several copies; NULL: that of the file
    const tr_clip *const *clips; // made for the skeleton of the figure, in metres
    uint32_t clip_count;
} tr_gltf_copy;

typedef struct tr_gltf_addition {
    const tr_allocator *allocator; // for the result and for temporary memory; NULL: malloc
    const void *data;              // the character's file: a .gltf text or a .glb
    size_t size;
    tr_gltf_load load; // reads the buffers and images that the file names; may be NULL
    void *load_user;
    uint32_t figure;            // the character among those of the file, as tr_gltf_read_figures lists them
    const tr_gltf_copy *copies; // the first one moves the nodes of the file; for each further one, all nodes
                                // and skins of the file are written once more, with the same meshes
    uint32_t copy_count;        // [>= 1]
    bool text;                  // .gltf with the buffers inside as base64; otherwise .glb
    float tolerance;            // as in tr_gltf_shot
    void (*note)(void *user, const char *sentence); // reports images that cannot be read; may be NULL
    void *note_user;
} tr_gltf_addition;

// Returns the character's file with the clips as animations; free it with tr_bytes_free and the allocator.
// The text of the JSON is copied, so nodes, skins, meshes with all their attributes, morph targets,
// materials, textures, extensions and extras stay as they are. Each clip of a single copy becomes an
// animation; the first clips of several copies form one, so that they play together. The new animations come
// first, because viewers play the first one; the character's own follow. A name that the file already has
// gets a number. The channels move the character's own nodes. A node that they move and that has a matrix
// gets translation, rotation and scale instead, as the standard demands.
//
// The result is one file: buffers and images that the character's file names by URI move into it. An image
// that cannot be read is noted and keeps its URI.
//
// The error has the line (or byte) and the JSON path. TR_INVALID: there is no copy, a clip is NULL or has
// another number of joints than the figure, or the tolerance is below 0. TR_NOT_FOUND: there is no such
// figure. TR_UNAVAILABLE: a required extension, as for tr_gltf_read. TR_LIMIT: more than 2 GiB, or 2^24
// nodes.
TR_API tr_status tr_gltf_add_clips(const tr_gltf_addition *addition, tr_bytes *bytes, tr_error *error);

TR_END_DECLARATIONS
