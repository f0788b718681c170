// troupe/motion/behavior_clip.h - makes the clips that a behavior planner chains: jogging, starting,
// stopping, waiting, jumping, ducking, crawling (Lau & Kuffner 2005).
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_behavior_clip_kind {
    TR_BEHAVIOR_CLIP_START, // from standing into the jog
    TR_BEHAVIOR_CLIP_END,   // from the jog to standing
    TR_BEHAVIOR_CLIP_JOG,   // one stride, straight or turning by `turn`
    TR_BEHAVIOR_CLIP_SHORT, // one step: begins at the left strike and ends at the right one
    TR_BEHAVIOR_CLIP_WAIT,  // stops, stands for `seconds`, jogs on
    TR_BEHAVIOR_CLIP_JUMP,  // jumps over an obstacle of `height` and `length`, jogs on
    TR_BEHAVIOR_CLIP_DUCK,  // ducks under a bar at `height` that is `length` long, jogs on
    TR_BEHAVIOR_CLIP_CRAWL, // gets down, crawls under a bar at `height` that is `length` long, gets up, jogs
                            // on
    TR_BEHAVIOR_CLIP_TURN,  // turns on the spot by `turn`, from standing to standing
    // Onto a block that is `height` above the ground, and down from one, from standing to standing:
    TR_BEHAVIOR_CLIP_STEP_UP,   // one foot, then the other
    TR_BEHAVIOR_CLIP_CLIMB,     // up to the hips: both hands on the edge, a foot beside them, up
    TR_BEHAVIOR_CLIP_STEP_DOWN, // one foot, then the other
    TR_BEHAVIOR_CLIP_LEAP_DOWN, // down into both knees
    // Of people who walk:
    TR_BEHAVIOR_CLIP_SET_OUT, // from standing into the walk
    TR_BEHAVIOR_CLIP_HALT,    // from the walk to standing
    TR_BEHAVIOR_CLIP_WALK,    // one stride, straight or turning by `turn`
    TR_BEHAVIOR_CLIP_PACE,    // one step of the walk: begins at the left strike and ends at the right one
    TR_BEHAVIOR_CLIP_STAND,   // stands for `seconds`
    TR_BEHAVIOR_CLIP_KINDS
} tr_behavior_clip_kind;

// The transition label of an end of a clip: clips chain where the labels are equal. Then pose and speed of
// every joint are equal, too.
typedef enum tr_behavior_clip_label {
    TR_BEHAVIOR_CLIP_STANDS,     // at rest, feet side by side
    TR_BEHAVIOR_CLIP_LEFT,       // jogs straight at `speed`; the left foot strikes
    TR_BEHAVIOR_CLIP_RIGHT,      // the same for the right foot
    TR_BEHAVIOR_CLIP_WALKS_LEFT, // walks straight at `speed`; the left foot strikes
    TR_BEHAVIOR_CLIP_WALKS_RIGHT
} tr_behavior_clip_label;

// Zero is the default of every number. The ranges are those of a body of 1.75 m: lengths and heights scale
// with the leg, speeds with its square root.
typedef struct tr_behavior_clip_def {
    const tr_allocator *allocator;
    const tr_skeleton *skeleton; // with the roles of hips, spine, head, arms and legs, as for a gait
    tr_behavior_clip_kind kind;
    float speed; // of the jog [m/s, 1.8 to 3.0]; 0: 2.4. Of the walk [m/s, 0.5 to 1.8]; 0: 1.2
    // Of a jog, left > 0 [rad, up to 60 degrees; of one step 20; both less above 2.4 m/s, in inverse
    // proportion]; of a walk [up to 50 degrees; less above 1.2 m/s]. Of a turn on the spot [rad, 10 to 180
    // degrees]; 0: 90 degrees.
    float turn;
    double seconds; // of standing still [s, 0 to 60]; TR_BEHAVIOR_CLIP_STAND: 0 is 1 s
    // Of the obstacle [m]. A jump clears boxes up to this height, a duck goes under it:
    //        height       default   length along the way   default
    // jump   0.1 to 0.9   0.4       0.05 to 2              0.3
    // duck   0.95 to 1.5  1.2       0.05 to 3              0.3
    // crawl  0.75 to 0.95 0.85      0.05 to 4              0.6
    // step_up, step_down 0.2 to 0.45, default 0.35; climb, leap_down 0.45 to 0.95, default 0.75: the block
    float height, length;
    bool mirrored;            // left and right feet change places, also in the labels; `turn` stays as it is
    uint32_t seed;            // of small differences in head, trunk and arms between the ends; 0: none
    uint32_t extra;           // frames of what comes before and after, for blending [0 to 1000]
    double frames_per_second; // [10 to 1000]; 0: 30
} tr_behavior_clip_def;

typedef struct tr_behavior_clip_info {
    uint32_t first, last;              // frames between which the clip is its own: `extra` frames lie outside
    double action;                     // when the action takes place, from frame 0 on [s]
    tr_behavior_clip_label begin, end; // at these frames
    tr_base advance;                   // from the first frame to the last, in the axes of the first
    float rise;                        // of the ground under the body from the first frame to the last [m]
} tr_behavior_clip_info;

// Makes a clip; it belongs to the caller. It has a base, contacts, and the events "left_step", "right_step"
// and "action". While labelled, no point of contact moves by 0.1 mm or is below the ground. `info` may be
// NULL. TR_INVALID: a parameter is out of its range (the error gives the range), a role is missing, or the
// legs are too unusual to reach. No state, any thread, the same bits everywhere.
TR_API tr_status tr_behavior_clip_make(const tr_behavior_clip_def *def, tr_clip **clip,
                                       tr_behavior_clip_info *info, tr_error *error);
TR_API const char *tr_behavior_clip_name(tr_behavior_clip_kind kind); // "jog"; NULL for none
TR_API tr_behavior_clip_kind tr_behavior_clip_find(const char *name); // TR_BEHAVIOR_CLIP_KINDS for none

// A state of a behavior machine: clips that differ only in their details, and what they cost.
#define TR_BEHAVIOR_CLIP_CLIPS_MAX 6
typedef struct tr_behavior_clip_state {
    const char *name;         // "jog_left_2"; static storage
    tr_behavior_clip_def def; // of the first clip; the others have the seeds after `def.seed`
    uint32_t clip_count;      // [1, TR_BEHAVIOR_CLIP_CLIPS_MAX]
    float weight;             // cost of a metre, relative to jogging ahead
    // Of a parametrised state: the heights of its clips, which are its parameters. 0: it has none.
    float heights[TR_BEHAVIOR_CLIP_CLIPS_MAX];
} tr_behavior_clip_state;
#define TR_BEHAVIOR_CLIP_STATES_MAX 40

// Which behaviors a character has.
typedef enum tr_behavior_clip_set {
    TR_BEHAVIOR_CLIPS_JOGGER, // the human character of Lau & Kuffner
    TR_BEHAVIOR_CLIPS_WALKER  // one for crowds: sets out and halts within 0.8 m, turns on the spot, waits
} tr_behavior_clip_set;

// The repertoire of a character, as large as the body of `skeleton` needs it, with 8
// extra frames. `states` has room for TR_BEHAVIOR_CLIP_STATES_MAX; `count` gets their number. TR_INVALID: as
// for tr_behavior_clip_make.
TR_API tr_status tr_behavior_clip_repertoire(const tr_skeleton *skeleton, tr_behavior_clip_set set,
                                             tr_behavior_clip_state *states, uint32_t *count,
                                             tr_error *error);

TR_END_DECLARATIONS
