// troupe/io/motion_file.h - reads and writes a motion in any supported format: BVH, glTF, GLB.
#pragma once
#include "troupe/io/files.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

// Start from tr_motion_options_default(); NULL means the default.
typedef struct tr_motion_options {
    const tr_allocator *allocator; // NULL: that of the figures
    const tr_files *files;         // source of `path` and of the files it names; NULL: the disk
    double metres_per_unit;        // [>= 0]; 0: the unit of the format, or a guess with a note
    double frames_per_second;      // of clips read from glTF; 0: see tr_gltf_motion_options
    bool skip_first;               // BVH: leave out the added T-pose
    bool textures;                 // glTF: as in tr_gltf_motion_options
    void (*note)(void *user, const char *sentence); // reports unusual but readable content; may be NULL
    void *note_user;
} tr_motion_options;
TR_API tr_motion_options tr_motion_options_default(void);

// Reads a motion file. The format is determined by the content first, then by the extension of the name.
// Appends at least one figure to `figures` (tr_figures_begin); on failure they are unchanged. The figure and
// the clip of a BVH file are named after the file. A .gltf may name buffers beside it or in folders below.
TR_API tr_status tr_motion_file_read(const char *path, const tr_motion_options *options, tr_figures *figures,
                                     tr_error *error);
// Writes a motion file; the extension of the name determines the format. .glb and .gltf hold all figures and
// clips. .bvh holds one figure and at most one clip (TR_INVALID for more; the error names them). A single
// figure gets an animation for each of its clips. The first clips of several figures form one animation, so
// that they play together. In glTF, the base of a clip that has one moves a node of its own above the joints
// (root motion); BVH files have all of the motion on the root joints. TR_UNAVAILABLE: another extension.
TR_API tr_status tr_motion_file_write(const char *path, const tr_figures *figures, double bvh_metres_per_unit,
                                      tr_error *error);
// Writes the file `character` to `path` with the clips of the figures added, and keeps everything else in it:
// materials, textures, morph targets, meshes, its own animations (tr_gltf_add_clips). The figures must have
// the skeleton of the first figure in `character`; for each one after the first there is a copy of the
// character. Of the options, `allocator`, `files` and `note` are used. TR_UNAVAILABLE: `character` is not
// glTF, or `path` does not end with .glb or .gltf.
TR_API tr_status tr_motion_file_add_clips(const char *path, const char *character,
                                          const tr_motion_options *options, const tr_figures *figures,
                                          tr_error *error);

TR_END_DECLARATIONS
