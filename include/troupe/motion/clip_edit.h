// troupe/motion/clip_edit.h - clips made ready: contacts found, root motion taken out, cut, looped, mirrored,
// warped.
//
// Each call makes a new clip (with the allocator given, NULL: malloc) and leaves the old one alone, or marks
// the clip it is given. Labels, events and the base point go along. All pure, same bits everywhere.
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

// Start from tr_contact_params_default(); NULL means the default.
typedef struct tr_contact_params {
    const tr_allocator *allocator; // for the time of the call; NULL: malloc
    float height;   // a point lower than this above where it rests may be in contact [m, >= 0]; 0: 2.2 % of
                    // the height of the skeleton
    float speed;    // and slower than this [m/s, >= 0]; 0: 27 % of that height in a second
    float shortest; // contacts and gaps shorter than this are noise [s, >= 0], 0.06 by default
    float ground;   // height of the ground [m]; NAN (the default): found from the clip, the level that feet
                    // rest on
} tr_contact_params;
TR_API tr_contact_params tr_contact_params_default(void);
// Label every frame with what touches level ground. `ground` (may be NULL) gets its height. A contact ends
// only half as high and half as fast again as it begins, so that labels do not flicker, and it is no longer
// than the point stays about where it rests (within 2.5 % of the skeleton's height). The toes are told by the
// ball of the foot (by the tip in steps on tiptoe, and where there is no toes joint). Joints of a capture are
// not soles: heels and balls rest at heights of their own, which are found, within 3 % of that height around
// the ground. TR_NOT_FOUND: no feet with roles. Unless it returns TR_OK the labels stay as they were.
TR_API tr_status tr_clip_edit_contacts(const tr_skeleton *skeleton, tr_clip *clip,
                                       const tr_contact_params *params, float *ground, tr_error *error);

typedef enum tr_base_kind {
    TR_BASE_LINE,   // the paper's: from where the hips are in the first frame to where they are in the last
                    // (as the next round begins, of a clip that loops), straight, at constant speed, heading
                    // along it; below 0.05 m/s heading where the hips face at first
    TR_BASE_FOLLOW, // under the hips, smoothed (0.6 Hz), heading where the hips face: for turns, starts and
                    // stops
} tr_base_kind;
// Take the motion of the roots over the ground out (every root becomes relative to the base point, heights
// stay), or put it back: the two undo each other within rounding. Taking out a second time puts back first.
// Where the next round of a loop without a base begins is told from the speeds at its two ends.
TR_API tr_status tr_clip_edit_take_base(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                        const tr_clip *clip, tr_base_kind kind, tr_clip **result,
                                        tr_error *error);
TR_API tr_status tr_clip_edit_put_base(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                       const tr_clip *clip, tr_clip **result, tr_error *error);

// Frames `begin` to `end` - 1. The whole of a clip that loops still loops, a part does not.
TR_API tr_status tr_clip_edit_cut(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                  const tr_clip *clip, uint32_t begin, uint32_t end, tr_clip **result,
                                  tr_error *error);
// The same motion at another rate [> 0, <= 10000]: what lies beyond the last whole frame is left out, but a
// clip that loops keeps its duration, and its rate is the nearest with a whole number of frames. Nothing is
// smoothed: do that before a much lower rate. TR_LIMIT: more than TR_CLIP_FRAMES_MAX frames.
TR_API tr_status tr_clip_edit_resample(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                       const tr_clip *clip, double frames_per_second, tr_clip **result,
                                       tr_error *error);
// Left becomes right, by roles, else by names: each joint turns from its rest pose as the reflection of its
// partner across the body's plane X = 0 does, whatever the rest axes are. Base, contacts and events named
// "left_..." and "right_..." change sides. Mirrored twice is the clip again within 1e-5. Scales go to the
// axis that matches best.
TR_API tr_status tr_clip_edit_mirror(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                     const tr_clip *clip, tr_clip **result, tr_error *error);
// Play time `to[i]` at `from[i]`, smoothly in between (monotone cubic) [s; `from` rising, `to` not falling,
// count >= 2]: the new clip lasts from the first `from` to the last, at the rate of the old. A clip that
// loops is played on and on, and loops again where `to` spans whole rounds. TR_LIMIT as above, or more than
// 100000 rounds.
TR_API tr_status tr_clip_edit_warp(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                   const tr_clip *clip, const double *from, const double *to, uint32_t count,
                                   tr_clip **result, tr_error *error);
// A zero-phase low-pass (Butterworth of order 2, there and back) over positions, rotations and scales: for
// noisy captures. `cutoff_hertz` [above 0, below half the rate] is where it leaves half of the power. Loops
// are smoothed over their seam.
TR_API tr_status tr_clip_edit_smooth(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                     const tr_clip *clip, double cutoff_hertz, tr_clip **result,
                                     tr_error *error);
// Find the cycle that closes best: one whole stride, from one contact of the left foot to the next, or any
// stretch between `shortest` and `longest` seconds of what takes no steps. Spread the gap at the seam over
// the whole cycle, take the base out (TR_BASE_LINE) and loop it, beginning with the contact of the left foot.
// Feet that stand are left where they stand: what their places lack is made up while they swing, and the legs
// follow. Labels are used where there are any, else found. TR_NOT_FOUND: nothing closes; the error says how
// near it came.
typedef struct tr_cycle_params {
    double shortest, longest; // [s], 0.4 and 2.5 by default
} tr_cycle_params;
TR_API tr_cycle_params tr_cycle_params_default(void);
TR_API tr_status tr_clip_edit_cycle(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                    const tr_clip *clip, const tr_cycle_params *params, tr_clip **result,
                                    tr_error *error);

TR_END_DECLARATIONS
