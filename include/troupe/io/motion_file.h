// troupe/io/motion_file.h - read and write a motion in any format we know: BVH, glTF, GLB.
#pragma once
#include "troupe/io/files.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

// Start from tr_motion_options_default(); NULL means the default.
typedef struct tr_motion_options {
    const tr_allocator *allocator; // NULL: that of the figures
    const tr_files *files;         // where `path` and what it names are read; NULL: the disk
    double metres_per_unit;        // [>= 0]; 0: what the format says, or a guess that is noted
    double frames_per_second;      // of clips read from glTF; 0: see tr_gltf_motion_options
    bool skip_first;               // of BVH: leave out the added T-pose
    void (*note)(void *user, const char *sentence); // what was odd but readable; may be NULL
    void *note_user;
} tr_motion_options;
TR_API tr_motion_options tr_motion_options_default(void);

// The format is told from the content, then from the name's ending. Appends to `figures` (tr_figures_begin),
// one at least; on failure they are as before. What a BVH file holds is called after the file. A .gltf may
// name buffers beside it or in folders below.
TR_API tr_status tr_motion_file_read(const char *path, const tr_motion_options *options, tr_figures *figures,
                                     tr_error *error);
// By the name's ending: .glb and .gltf take all figures and clips, .bvh takes one figure and at most one clip
// (TR_INVALID for more, naming them: choose first). One figure has an animation for each of its clips; the
// first clips of several figures are one animation, so that they play together. TR_UNAVAILABLE: another
// ending.
TR_API tr_status tr_motion_file_write(const char *path, const tr_figures *figures, double bvh_metres_per_unit,
                                      tr_error *error);

TR_END_DECLARATIONS
