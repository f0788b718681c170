// troupe/motion/behavior_cast.h - a kind of character for the behavior planner: its skeleton, body and motion
// clips, and its machine, with numbers that are measured from them (Lau & Kuffner 2005, 3.1 and 3.2).
#pragma once
#include "troupe/motion/behavior_clip.h"
#include "troupe/motion/behavior_motion.h"
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/horse.h"
#include "troupe/motion/mannequin.h"
#include "troupe/motion/skateboarder.h"
#include "troupe/plan/behavior.h"

TR_BEGIN_DECLARATIONS

// A motion clip. It may have frames before `first` and after `last`, for blending.
typedef struct tr_behavior_cast_clip {
    const tr_clip *motion; // with a base; all clips of a cast have the same joints and the same rate
    uint32_t first, last;  // frames between which the clip is its own [first < last]
    double action;   // when a special behavior is executed, from frame 0 on [s]; negative: in the middle
    float rise;      // of the ground under the body from `first` to `last` [m]
    float parameter; // of a parametrised state
} tr_behavior_cast_clip;

#define TR_BEHAVIOR_CAST_MEASURE TR_NONE // `serves`: the band is measured
typedef struct tr_behavior_cast_state {
    const char *name;
    const tr_behavior_cast_clip *clips; // clips of a parametrised state: by rising parameter
    uint32_t clip_count;                // [> 0]
    uint32_t begin, end;                // transition labels
    float weight;                       // cost of a metre [> 0]
    // The band of the special obstacles that the state is for; 0: an ordinary behavior;
    // TR_BEHAVIOR_CAST_MEASURE: the band that the clips are free of at their action. A body that has left the
    // floor passes over obstacles, one that is lower than the upright body under them; one that does neither
    // is an ordinary behavior.
    uint32_t serves;
    float depth;                // of the obstacles that a measured band is for [m]; 0: that of the cast
    bool parametrised;          // parameters between those of the clips may be chosen
    const uint32_t *successors; // numbers of states; NULL: all whose `begin` is this state's `end`
    uint32_t successor_count;
} tr_behavior_cast_state;

typedef struct tr_behavior_cast_def {
    const tr_allocator *allocator; // NULL: malloc
    const char *name;              // may be NULL
    const tr_skeleton *skeleton;
    const tr_body *body;  // may be NULL; without capsules every bone counts as one of 4 % of the height
    const tr_clip *stand; // loops at the label `rest`; may be NULL
    // Limbs that are held where they touch the ground, for tr_behavior_motion_def; NULL: by their roles.
    const tr_behavior_motion_limb *limbs;
    uint32_t limb_count; // [0, TR_BEHAVIOR_MOTION_LIMBS_MAX]
    const char *const *labels;
    uint32_t label_count, rest;
    const tr_behavior_cast_state *states;
    uint32_t state_count;
    // Bands of heights; NULL: measured. Band 0 is then from the floor to the highest point of the ordinary
    // behaviors, and each behavior whose band is measured adds one. Bands that hardly differ become one.
    const tr_behavior_band *bands;
    uint32_t band_count;
    float
        depth; // of the obstacles that a measured band is for, along the way [m]; 0: a quarter of the height
    float radius; // of the discs [m]; 0: the least with which three discs at a time do on average
    // Characters keep apart with the core of the body alone: a disc around the base that is as wide as the
    // body when it goes straight ahead, and another one ahead of it while it moves. No state may be
    // parametrised.
    bool core;
    float margin;   // around the body, for blending and inertia [m, >= 0]
    float slot;     // longest time for which discs stand [s]; 0: a tenth of a second
    float up, down; // additional cost of a metre of height [>= 0]
    // What becomes the cast's, if it is created. The rest stays the caller's and must outlive the cast.
    bool take_skeleton; // and the body
    bool take_motions;  // of all clips, and `stand`
} tr_behavior_cast_def;

// Read-only but for the machine, whose weights a user may change. Any number of threads may read it.
typedef struct tr_behavior_cast {
    const char *name; // may be NULL
    const tr_skeleton *skeleton;
    const tr_body *body;                // may be NULL
    const tr_clip *stand;               // may be NULL
    const tr_behavior_cast_clip *clips; // `clip` of a move is a number of these
    uint32_t clip_count;
    const tr_behavior_motion_limb *limbs; // NULL: those with roles
    uint32_t limb_count;
    tr_behavior *machine;
} tr_behavior_cast;

// Measures the clips and creates the machine. Way, turn, frames and action of a move are those of its clip's
// base between the clip's own frames. Discs hold the body: from the frame of a disc to the next frame that
// has discs, or to the end of the move, every capsule, grown by `margin`, is inside the discs of that frame;
// those in the band that the state serves hold only parts of the body that are within this band. No disc
// stands for longer than `slot`, or while the base goes further than a fifth of the body's height, but for
// one frame at least. The discs of a parametrised state are placed in the same way in all its clips, and hold
// what is interpolated linearly between them. The same bits everywhere. TR_INVALID: the sentence names the
// state and the clip: frames out of range, no base, other joints, another rate, discs that are too small for
// the body, and what tr_behavior_create refuses. TR_LIMIT: more than TR_BEHAVIOR_BANDS_MAX bands.
TR_API tr_status tr_behavior_cast_create(const tr_behavior_cast_def *def, tr_behavior_cast **cast,
                                         tr_error *error);
TR_API void tr_behavior_cast_destroy(tr_behavior_cast *cast); // NULL is allowed

// --- Kinds that come with Troupe ---
typedef struct tr_behavior_cast_human_def {
    const tr_allocator *allocator;
    tr_behavior_clip_set set;    // the human of Lau & Kuffner 2005, or the walker
    tr_mannequin_def mannequin;  // unless there is a skeleton
    const tr_skeleton *skeleton; // of any humanoid with roles; stays the caller's, as does the body
    const tr_body *body;         // may be NULL
    uint32_t seed;               // of the small differences between clips: crowds of several seeds
    uint32_t clips_max;          // the most clips of a state; 0: all
    double frames_per_second;    // [10 to 1000]; 0: 30
    float radius;                // of the discs [m]; 0: as for tr_behavior_cast_def
} tr_behavior_cast_human_def;
// All states of tr_behavior_clip_repertoire.
TR_API tr_status tr_behavior_cast_human(const tr_behavior_cast_human_def *def, tr_behavior_cast **cast,
                                        tr_error *error);
// The horse: the five gallops of tr_horse_get_behavior, a start, an end and standing, at the size of the
// horse.
TR_API tr_status tr_behavior_cast_horse(const tr_horse_def *def, tr_behavior_cast **cast, tr_error *error);
// The skateboarder: the eleven behaviors of tr_skateboarder_get_behavior, at the size of the mannequin.
TR_API tr_status tr_behavior_cast_skateboarder(const tr_mannequin_def *def, tr_behavior_cast **cast,
                                               tr_error *error);

TR_END_DECLARATIONS
