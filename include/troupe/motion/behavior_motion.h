// troupe/motion/behavior_motion.h - turns a chain of behaviors into the motion of a body (Lau & Kuffner 2005,
// 3.4): root, pose and contacts at any time.
//
// The root of every step is where the planner had it: it does not depend on the pose. By default the offset
// of the step before decays after each joint, whatever touches the ground is held where it is, hips come down
// where a leg is too short, and a remaining distance to a precise goal is walked off over the last steps.
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

// A clip of a behavior. Frames outside of `first` to `last` are extra frames, for blending.
typedef struct tr_behavior_motion_clip {
    const tr_clip *clip;
    uint32_t first, last; // frames of the clip [first < last]
} tr_behavior_motion_clip;

// A limb that is held while it touches the ground. TR_NONE for `upper` and `lower`: `end` is not held.
typedef struct tr_behavior_motion_limb {
    uint32_t upper, lower, end; // joints, each a descendant of the one before; the last is held
    uint32_t contact;           // the bit of tr_contact that says so
} tr_behavior_motion_limb;

typedef enum tr_behavior_motion_style {
    TR_BEHAVIOR_MOTION_DEFAULT,
    // Root and heading are blended linearly and joints by a smooth-in smooth-out slerp over the extra frames
    // around each joint, the height of the floor is averaged over neighbouring frames, and nothing is held.
    TR_BEHAVIOR_MOTION_PAPER
} tr_behavior_motion_style;

#define TR_BEHAVIOR_MOTION_LIMBS_MAX 8
#define TR_BEHAVIOR_MOTION_STEPS_MAX 4096
#define TR_BEHAVIOR_MOTION_FRAMES_MAX (1u << 18)

typedef struct tr_behavior_motion_def {
    const tr_allocator *allocator;        // NULL: malloc
    const tr_skeleton *skeleton;          // must outlive the motion, as must the clips
    const tr_behavior_motion_clip *clips; // copied; all with a base and the joints of the skeleton
    uint32_t clip_count;                  // [> 0]
    double frames_per_second;             // of the frames of steps [> 0, <= 1000]; 0: 30
    tr_behavior_motion_style style;
    uint32_t blend; // most frames on either side of a joint that are blended (paper); 0: all extra frames
    // NULL: feet, hands and knees by their roles, where the skeleton has them.
    const tr_behavior_motion_limb *limbs;
    uint32_t limb_count; // [0, TR_BEHAVIOR_MOTION_LIMBS_MAX]
} tr_behavior_motion_def;

// A step of a chain: a clip, or a mix of two clips of a parametrised behavior, which are played in phase:
// their events pair up if they have the same names in the same order.
typedef struct tr_behavior_motion_step {
    uint32_t clips[2]; // numbers of clips; the second counts only if `share` > 0
    float share;       // of the second clip [0, 1]
    uint32_t frames;   // how long it takes [> 0]
    tr_base begin;     // where the root is when it begins
    // It keeps to heights of its own, as a jump over a ditch does or a climb: the ground under the root goes
    // straight from the floor at its beginning to that at its end.
    bool special;
    float rise; // of the ground that the clip itself climbs [m]; 0 unless special
} tr_behavior_motion_step;

typedef struct tr_behavior_motion_chain {
    const tr_behavior_motion_step *steps;
    uint32_t step_count; // [> 0]
    tr_base end;         // where the last step ends
    // Every joint in the world of a body that stands where the chain begins: its feet stay until their first
    // step. NULL: it stands as the first clip begins.
    const tr_affine *stands;
    const tr_base *goal; // where to come to rest precisely; NULL: at `end`. Default style only
    float (*floor)(void *user, tr_vec2 point); // height of the floor [m]; NULL: 0. Called by _set only
    void *floor_user;
} tr_behavior_motion_chain;

// A motion: the memory for one chain. Any number of threads may read it while none sets it.
typedef struct tr_behavior_motion tr_behavior_motion;

// TR_INVALID: there is no clip, a clip has no base, another joint count or bad frames, a limb's joints do not
// descend from each other, or a number is out of range.
TR_API tr_status tr_behavior_motion_create(const tr_behavior_motion_def *def, tr_behavior_motion **motion,
                                           tr_error *error);
TR_API void tr_behavior_motion_destroy(tr_behavior_motion *motion); // NULL is allowed
// Makes room for chains of this size, so that setting one allocates nothing. TR_LIMIT, TR_OUT_OF_MEMORY.
TR_API tr_status tr_behavior_motion_reserve(tr_behavior_motion *motion, uint32_t steps, uint32_t frames,
                                            tr_error *error);
// Sets the chain; copies it. Allocates if it is longer than any before. TR_INVALID: there is no step, a clip
// does not exist, a number is out of range or not finite; TR_LIMIT: it is too long. After a failure the
// motion has no chain.
TR_API tr_status tr_behavior_motion_set(tr_behavior_motion *motion, const tr_behavior_motion_chain *chain,
                                        tr_error *error);
TR_API double tr_behavior_motion_duration(const tr_behavior_motion *motion); // [s]; 0 without a chain
// Number of the step at a time; TR_NONE without a chain. The last one goes on for ever.
TR_API uint32_t tr_behavior_motion_step_at(const tr_behavior_motion *motion, double time);

// The root at a time [s from the beginning]. Before it and after the end it stands.
typedef struct tr_behavior_motion_root {
    tr_base base;
    float ground; // height of the ground under it [m]
    tr_vec2 velocity;
    float turn_rate; // [rad/s]
} tr_behavior_motion_root;
TR_API tr_behavior_motion_root tr_behavior_motion_root_at(const tr_behavior_motion *motion, double time);

// The body at a time: sets `pose`, relative to `place`, and `model`, of every joint in the world. `scratch`
// is another pose. All have the joints of the skeleton. Returns what touches the ground (tr_contact). No
// allocation, any thread, the same bits everywhere. Without a chain: nothing changes.
TR_API uint32_t tr_behavior_motion_sample(const tr_behavior_motion *motion, double time, tr_pose *pose,
                                          tr_pose *scratch, tr_affine *place, tr_affine *model);

// Bakes the chain into a clip with a base, contacts and the events of its clips. It belongs to the caller.
// Heights of the ground go into the roots. TR_INVALID: there is no chain, or the rate is out of range.
TR_API tr_status tr_behavior_motion_bake(const tr_behavior_motion *motion, const tr_allocator *allocator,
                                         double frames_per_second, tr_clip **clip, tr_error *error);

TR_END_DECLARATIONS
