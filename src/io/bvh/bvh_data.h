// io/bvh/bvh_data.h - shared by the sources of the BVH reader.
#pragma once
#include "io/name_set.h"
#include "troupe/io/bvh.h"

#define BVH_CHANNELS_MAX 12 // of one joint
#define BVH_NAME_MAX 255    // bytes of a name that are kept
#define BVH_VALUE_MAX 1e9   // of offsets and positions, in the file's units
#define BVH_ANGLE_MAX 1e7   // [degrees]

// Three of each, for X, Y and Z.
enum { BVH_POSITION = 0, BVH_ROTATION = 3, BVH_SCALE = 6, BVH_KINDS = 9 };

typedef struct bvh_joint {
    const char *name; // points into the text
    uint32_t name_length, line, parent;
    double offset[3];
    bool is_end, has_offset, has_channels, moves, turns;
} bvh_joint;

typedef struct bvh_channel {
    uint32_t joint;
    uint8_t kind;
} bvh_channel;

// An irregularity, reported after the file is read: its number of occurrences and the line of the first.
typedef struct bvh_oddity {
    uint32_t count, line;
} bvh_oddity;

typedef struct bvh_reader {
    const char *at, *end;
    uint32_t line;
    tr_bvh_options options;
    tr_allocator allocator;
    tr_error *error;
    bvh_joint *joints;
    bvh_channel *channels;
    uint32_t joint_count, joint_capacity, channel_count, channel_capacity, root_count;
    bvh_oddity no_offset, moved_offset, scaled, long_name, odd_end;
    // Of the motion.
    uint64_t frames_declared, frames_present;
    uint32_t frame_count; // in the clip
    bool cut_short, looks_added, no_rate;
    double frame_time, rate, metres_per_unit;
} bvh_reader;

void tr_bvh_count_oddity(bvh_oddity *oddity, uint32_t line);
// Fills the error with the given line; returns TR_BAD_FILE.
tr_status tr_bvh_fail(const bvh_reader *reader, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
tr_status tr_bvh_no_memory(const bvh_reader *reader);

// A word ends before a blank, a brace or a colon; a brace or a colon is a word itself. Empty at the end of
// the text.
typedef struct bvh_word {
    const char *text;
    uint32_t length; // at most 60
} bvh_word;
bvh_word tr_bvh_peek(bvh_reader *reader); // skips blanks first
bvh_word tr_bvh_next(bvh_reader *reader);
bool tr_bvh_is(bvh_word word, const char *keyword); // ignores case
void tr_bvh_skip_blanks(bvh_reader *reader);
// The next number; `what` is named in the error.
tr_status tr_bvh_number(bvh_reader *reader, const char *what, double most, double *value);

tr_status tr_bvh_read_hierarchy(bvh_reader *reader);
// Reads "Frames" and "Frame Time" and counts the frames after them.
tr_status tr_bvh_read_motion_header(bvh_reader *reader);
tr_status tr_bvh_read_frames(bvh_reader *reader, const tr_skeleton *skeleton, tr_clip *clip);
