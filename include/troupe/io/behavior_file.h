// troupe/io/behavior_file.h - the machine file: a JSON document with a machine of behaviors (plan/behavior.h)
// and where the motion of each move comes from. Its schema is docs/behaviors.schema.json.
#pragma once
#include "troupe/io/files.h"
#include "troupe/motion/behavior_cast.h"

TR_BEGIN_DECLARATIONS

// Limits of a machine file, besides TR_BEHAVIOR_STATES_MAX; the error names the limit.
#define TR_BEHAVIOR_FILE_LABELS_MAX 4096
#define TR_BEHAVIOR_FILE_MOVES_MAX (1u << 20) // of all states

// The motion of a move.
typedef struct tr_behavior_file_clip {
    const char *file;     // that holds the motion, relative to the machine file; NULL: that of the cast
    const char *figure;   // its name in that file; NULL: the first
    const char *name;     // of the clip in that file; NULL: the first. Of a cast: see `cast`
    uint32_t first, last; // of its frames, at the rate of the machine [first < last]; of a cast both 0
    uint32_t extra;       // frames before the first and after the last, for blending
    bool mirrored;        // left and right change places
    bool is_measured;     // the file has no numbers for the move: they are to be measured from the motion
    uint32_t line;        // of the move in the file
} tr_behavior_file_clip;

// The content of a machine file; owns it. Zero is valid.
typedef struct tr_behavior_file {
    tr_allocator allocator;
    // The machine. `clip` of a move is its number in `clips`. A move whose numbers are to be measured has no
    // discs and no way; its frames are those of its file, or as many as its action needs. If no move is, the
    // definition is one for tr_behavior_create().
    tr_behavior_def def;
    // Characters with generated clips: "human", "skateboarder" or "horse". The `name` of a clip is then the
    // name of a state of the cast and the number of its clip there, from 1: "jog/2"; NULL: those of the state
    // and the move. NULL: no cast.
    const char *cast;
    const char *body; // that the motion of files is put on: "mannequin", or a file with a character; NULL:
                      // that of the first file
    float height;     // of the cast or the mannequin [m]; 0: the usual
    const tr_behavior_file_clip *clips;
    uint32_t clip_count;     // the number of moves
    uint32_t measured_count; // moves without numbers
    void *memory;            // private
} tr_behavior_file;

// Reads and checks the document in `data`. `path` (may be NULL) is used in errors. No other file is opened.
// TR_BAD_FILE has the line and the path of the value ("states[2].moves[0].frames"), also if the machine as a
// whole cannot work: a state that cannot be reached, or one from which there is no way to rest. On failure
// *file is empty.
TR_API tr_status tr_behavior_file_read(const void *data, size_t size, const char *path,
                                       const tr_allocator *allocator, tr_behavior_file *file,
                                       tr_error *error);
TR_API void tr_behavior_file_destroy(tr_behavior_file *file);

typedef struct tr_behavior_file_options {
    const tr_allocator *allocator;                  // NULL: malloc
    const tr_files *files;                          // source of the motion files; NULL: the disk
    void (*note)(void *user, const char *sentence); // reports unusual but readable content; may be NULL
    void *note_user;
} tr_behavior_file_options;

// Reads or generates the motion of the machine, and measures what the file leaves out. Motions of files are
// put on the body, resampled to the rate of the machine, labelled with what touches the ground and given a
// base, as far as they lack these. A joint above the body that moves over the floor (root motion) is the
// base. `path` is that of the machine file, to which the names of motion files are relative (no absolute
// path, no ".."). The cast belongs to the caller and does not need the file. Its machine has the weights,
// edges and numbers of the file. TR_BAD_FILE, with the line of the move: it names no motion or one that does
// not exist, frames are not in it, or the numbers of the file are not those of the motion (frames; 1 cm; 1
// degree). TR_NO_FILE, and what reading motion gives. `options` may be NULL.
TR_API tr_status tr_behavior_file_open(const tr_behavior_file *file, const char *path,
                                       const tr_behavior_file_options *options, tr_behavior_cast **cast,
                                       tr_error *error);

// Writes a machine file that reads back as the same numbers, bit for bit. The labels, bands, states and moves
// of `file->def` are written, each with the motion in `file->clips` that its `clip` numbers (any number
// outside: none). Successors that are implied by the labels are left out. Free `text` with tr_bytes_free and
// `allocator` (NULL: malloc). TR_INVALID: the definition is none that tr_behavior_create accepts, or a label,
// a band or a state has no name or that of another.
TR_API tr_status tr_behavior_file_write(const tr_behavior_file *file, const tr_allocator *allocator,
                                        tr_bytes *text, tr_error *error);

TR_END_DECLARATIONS
