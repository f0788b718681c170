// troupe/io/bvh.h - Biovision hierarchy files: a skeleton and one motion, in and out.
#pragma once
#include "troupe/io/file.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

#define TR_BVH_VALUES_MAX ((uint64_t)1 << 28) // frames times channels

// Start from tr_bvh_options_default(); NULL means the default.
typedef struct tr_bvh_options {
    const tr_allocator *allocator; // NULL: malloc
    double metres_per_unit; // [> 0]; 0: guessed from the size of the body (m, cm, inch, CMU's 0.056444...),
                            // and noted
    bool skip_first;        // leave out frame 0 (an added T-pose)
    void (*note)(void *user, const char *sentence); // what was odd but readable; may be NULL
    void *note_user;
} tr_bvh_options;
TR_API tr_bvh_options tr_bvh_options_default(void);

// Strict in what can be trusted, tolerant of what is often odd: byte order mark, any case, any white space
// and line ends, missing or surplus frames, equal names (made unique), several roots, channels in any order
// and number, commas for points. TR_BAD_FILE has the line and the word. The rest pose is that of the offsets;
// channels of position replace the offset of their joint; an End Site becomes a joint with is_end. The clip
// keeps the file's rate and has no base. "Frames: 0" gives a figure without a clip, a Frame Time that is no
// time 30 frames a second; both are noted. `figure` must be empty; on failure it stays so.
TR_API tr_status tr_bvh_read(const void *data, size_t size, const tr_bvh_options *options, tr_figure *figure,
                             tr_error *error);

// The figure's skeleton and a clip (NULL: one frame of the rest pose) as the strictest readers want it: one
// root, Zrotation Xrotation Yrotation, six channels for the root and for joints that move, three for others,
// an End Site for each leaf, unique names without spaces, plain numbers with a point, angles without jumps.
// BVH has neither rest rotations nor scale: the rest pose keeps its places in the world, rotations are taken
// from it, and joints that a scale above them shifts move. Several roots get one above them. A base is put
// back. Free with tr_bytes_free. metres_per_unit [1e-6, 1e6].
TR_API tr_status tr_bvh_write(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              double metres_per_unit, tr_bytes *bytes, tr_error *error);

TR_END_DECLARATIONS
