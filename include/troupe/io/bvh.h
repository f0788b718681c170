// troupe/io/bvh.h - reads and writes Biovision hierarchy (BVH) files: a skeleton and one motion.
#pragma once
#include "troupe/io/file.h"
#include "troupe/motion/figure.h"

TR_BEGIN_DECLARATIONS

#define TR_BVH_VALUES_MAX ((uint64_t)1 << 28) // frames times channels

// Start from tr_bvh_options_default(); NULL means the default.
typedef struct tr_bvh_options {
    const tr_allocator *allocator; // NULL: malloc
    double metres_per_unit; // [> 0]; 0: guessed from the size of the body (m, cm, inch, CMU's 0.056444...),
                            // with a note
    bool skip_first;        // leave out frame 0 (an added T-pose)
    void (*note)(void *user, const char *sentence); // reports unusual but readable content; may be NULL
    void *note_user;
} tr_bvh_options;
TR_API tr_bvh_options tr_bvh_options_default(void);

// Reads a BVH text. The reader tolerates common oddities: byte order mark, any case, any white space and line
// ends, missing or surplus frames, equal names (made unique), several roots, channels in any order and
// number, decimal commas. It is strict about everything else: TR_BAD_FILE has the line and the word. The rest
// pose is given by the offsets. Position channels replace the offset of their joint. An End Site becomes a
// joint with is_end. The clip keeps the file's rate and has no base. "Frames: 0" gives a figure without a
// clip, and an invalid Frame Time gives 30 frames a second; both are noted. `figure` must be empty; on
// failure it stays empty.
TR_API tr_status tr_bvh_read(const void *data, size_t size, const tr_bvh_options *options, tr_figure *figure,
                             tr_error *error);

// Writes a skeleton and a clip (NULL: one frame of the rest pose) in the form that the strictest readers
// accept: one root, Zrotation Xrotation Yrotation, six channels for the root and for joints that move, three
// for others, an End Site for each leaf, unique names without spaces, plain numbers with a decimal point,
// angles without jumps. BVH has neither rest rotations nor scale. Joints therefore keep their rest positions
// in the world, rotations are measured from that pose, and joints that a scale above them shifts get position
// channels. Several roots get one root above them. The base of the clip is put back. Free the bytes with
// tr_bytes_free. metres_per_unit [1e-6, 1e6].
TR_API tr_status tr_bvh_write(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              double metres_per_unit, tr_bytes *bytes, tr_error *error);

TR_END_DECLARATIONS
