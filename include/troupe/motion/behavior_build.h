// troupe/motion/behavior_build.h - makes a machine of behaviors out of captured motions, by itself: it cuts,
// groups and labels them (Lau & Kuffner 2005, the first future work).
#pragma once
#include "troupe/motion/behavior_cast.h"

TR_BEGIN_DECLARATIONS

// A captured motion, on its own skeleton.
typedef struct tr_behavior_capture {
    const char *name; // for the report
    const tr_skeleton *skeleton;
    const tr_clip *clip; // any rate; an added pose at its beginning is found and left out
    bool trust_rest;     // the rest pose was made with a skin, as in tr_retarget_params
} tr_behavior_capture;

// Zero is the default of every number.
typedef struct tr_behavior_build_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_skeleton *skeleton;   // wears all captures; a humanoid, on its feet in its rest pose
    const tr_behavior_capture *captures;
    uint32_t capture_count;
    double frames_per_second; // of the clips made [10 to 240]; 0: 30
    uint32_t extra; // frames before and after each clip, for blending, where the capture has them; 0: 8
    // Moments are alike, and get the same label, if they are no further than this from the moment that the
    // label was made for: the root of the mean square over 14 points of the body, of the distance between
    // places and between speeds times 0.7 sqrt(leg / g), seen from the root [leg lengths, 0.01 to 2]; 0: 0.25
    float tolerance;
    uint32_t clips_max; // of a state; 0: 4
    // Without mirror images of the captures. With them, all strides are from the left foot to the left foot,
    // and there are twice as many; without them, all are of the left foot, or of the right one if that comes
    // down a quarter more often.
    bool one_sided;
} tr_behavior_build_def;

// What a piece of a capture does.
typedef enum tr_behavior_piece_kind {
    TR_BEHAVIOR_PIECE_STAND, // rests
    TR_BEHAVIOR_PIECE_START, // goes from rest
    TR_BEHAVIOR_PIECE_END,   // comes to rest
    TR_BEHAVIOR_PIECE_GO,    // takes a stride
    TR_BEHAVIOR_PIECE_TURN,  // takes a stride and turns, or turns from rest to rest
    TR_BEHAVIOR_PIECE_STEP,  // steps from rest to rest
    TR_BEHAVIOR_PIECE_WAIT,  // stops, rests and goes on
    TR_BEHAVIOR_PIECE_JUMP,  // leaves the floor: both feet are clear, and the hips fall freely
    TR_BEHAVIOR_PIECE_CRAWL, // has hands on the floor
    TR_BEHAVIOR_PIECE_DUCK,  // lowers its head and goes on
    TR_BEHAVIOR_PIECE_OTHER, // none of these
    TR_BEHAVIOR_PIECE_KINDS
} tr_behavior_piece_kind;
TR_API const char *tr_behavior_piece_name(tr_behavior_piece_kind kind); // "stand"; NULL for none

// A piece of a capture, used or not: a row of the report.
typedef struct tr_behavior_piece {
    uint32_t capture;
    bool mirrored;
    uint32_t first, last; // frames of the capture
    tr_behavior_piece_kind kind;
    uint32_t begin, end; // labels; TR_NONE: none
    float x, z, turn;    // way of the root, in the axes of its beginning [m], and change of heading [rad]
    float speed;         // of the root, mean [m/s]
    double seconds;
    double action;    // from its beginning on: apex of a flight, least height of a head, middle of a rest [s]
    float height;     // of a jump: of the lower foot; of a crawl or a duck: of the head, at its lowest [m]
    uint32_t state;   // TR_NONE: not used
    char reason[120]; // why it is not used; "" if it is
} tr_behavior_piece;

typedef struct tr_behavior_build_clip {
    tr_clip *motion;      // on the skeleton, on ground of height 0, with base, contacts and events
    uint32_t first, last; // frames between which the clip is its own
    double action;        // from frame 0 of the motion on [s]
    uint32_t piece;
} tr_behavior_build_clip;

typedef struct tr_behavior_build_state {
    char name[40];
    tr_behavior_piece_kind kind;
    uint32_t clip, clip_count; // number of the first clip
    uint32_t begin, end;       // labels
    float weight;              // cost of a metre, relative to going straight ahead
} tr_behavior_build_state;

typedef struct tr_behavior_build_label {
    char name[40];
    uint32_t moments; // that are alike
    float spread;     // mean distance from the moment that the label was made for [leg lengths]
    float speed;      // of the root, mean [m/s]
} tr_behavior_build_label;

// Read-only. Owns everything.
typedef struct tr_behavior_build {
    tr_allocator allocator;
    double frames_per_second;
    tr_behavior_build_state *states;
    tr_behavior_build_clip *clips;
    tr_behavior_build_label *labels;
    tr_behavior_piece *pieces; // by capture and time; those of mirror images after all others
    uint32_t state_count, clip_count, label_count, piece_count;
    uint32_t rest;     // label
    bool never_stands; // no capture stands: `rest` is the most frequent label instead
    uint32_t captures_used;
    uint32_t state_capacity; // private
} tr_behavior_build;

// Makes a machine. Any state can be reached from `rest` and leads back to it. TR_NOT_FOUND: the captures hold
// no locomotion, or nothing in them can be repeated; the sentence says what was found. TR_INVALID: a number
// is out of range, or a skeleton is none of a humanoid. A capture that cannot be worn is left out and
// reported. No state, any thread, the same bits everywhere. Time grows with the square of the number of
// steps.
TR_API tr_status tr_behavior_build_make(const tr_behavior_build_def *def, tr_behavior_build **build,
                                        tr_error *error);
TR_API void tr_behavior_build_destroy(tr_behavior_build *build); // NULL is allowed

// Makes a kind of character of the machine (tr_behavior_cast_create): its numbers, bands and discs are
// measured from the clips. `def` gives the skeleton of the build, the body, the name, margin and the like;
// its labels, rest and states are those of the build. Jumps, crawls and ducks serve the bands that they are
// free of. The clips stay those of the build, which must outlive the cast. Errors as for
// tr_behavior_cast_create.
TR_API tr_status tr_behavior_build_cast(const tr_behavior_build *build, const tr_behavior_cast_def *def,
                                        tr_behavior_cast **cast, tr_error *error);

TR_END_DECLARATIONS
