// troupe/motion/clip_edit.h - prepares clips for use: finds contacts, takes out root motion, cuts, loops,
// mirrors and warps.
//
// Each call makes a new clip (with the given allocator, NULL: malloc) and leaves the old one unchanged,
// except tr_clip_edit_contacts, which labels the given clip. Labels, events and the base point are carried
// along. All calls are pure and give the same bits everywhere.
#pragma once
#include "troupe/motion/clip.h"

TR_BEGIN_DECLARATIONS

// Start from tr_contact_params_default(); NULL means the default.
typedef struct tr_contact_params {
    const tr_allocator *allocator; // used during the call only; NULL: malloc
    float height;   // a point lower than this above its rest level may be in contact [m, >= 0]; 0: 2.2 % of
                    // the height of the skeleton
    float speed;    // and slower than this [m/s, >= 0]; 0: 27 % of that height in a second
    float shortest; // contacts and gaps shorter than this are noise [s, >= 0], 0.06 by default
    float ground;   // height of the ground [m]; NAN (the default): found from the clip, as the level that
                    // feet rest on
} tr_contact_params;
TR_API tr_contact_params tr_contact_params_default(void);
// Labels every frame with what touches level ground. `ground` (may be NULL) receives its height. A contact
// ends only at 1.5 times the height or speed at which it begins, so that labels do not flicker. It lasts no
// longer than the point stays about where it rests (within 2.5 % of the skeleton's height). The ball of the
// foot decides for the toes (the tip in steps on tiptoe, and where there is no toes joint). Joints of a
// capture are not soles: heels and balls have rest levels of their own, which are found within 3 % of that
// height around the ground. TR_NOT_FOUND: no feet with roles. Unless the call returns TR_OK, the labels are
// unchanged.
TR_API tr_status tr_clip_edit_contacts(const tr_skeleton *skeleton, tr_clip *clip,
                                       const tr_contact_params *params, float *ground, tr_error *error);

typedef enum tr_base_kind {
    TR_BASE_LINE,   // the paper's: straight at constant speed from the position of the hips in the first
                    // frame to that in the last (in a clip that loops, to where the next round begins),
                    // heading along the line; below 0.05 m/s heading where the hips face at first
    TR_BASE_FOLLOW, // under the hips, smoothed (0.6 Hz), heading where the hips face: for turns, starts and
                    // stops
} tr_base_kind;
// Takes out the motion of the roots over the ground (every root becomes relative to the base point, heights
// stay), or puts it back. The two calls undo each other within rounding. Taking out a second time puts back
// first. For a loop without a base, the beginning of the next round is estimated from the speeds at its two
// ends.
TR_API tr_status tr_clip_edit_take_base(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                        const tr_clip *clip, tr_base_kind kind, tr_clip **result,
                                        tr_error *error);
TR_API tr_status tr_clip_edit_put_base(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                       const tr_clip *clip, tr_clip **result, tr_error *error);

// Keeps only frames `begin` to `end` - 1. The whole of a clip that loops still loops; a part does not.
TR_API tr_status tr_clip_edit_cut(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                  const tr_clip *clip, uint32_t begin, uint32_t end, tr_clip **result,
                                  tr_error *error);
// Resamples the motion at another rate [> 0, <= 10000]. Anything beyond the last whole frame is left out. A
// clip that loops keeps its duration; its rate is the nearest with a whole number of frames. Nothing is
// smoothed: smooth the clip first if the new rate is much lower. TR_LIMIT: more than TR_CLIP_FRAMES_MAX
// frames.
TR_API tr_status tr_clip_edit_resample(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                       const tr_clip *clip, double frames_per_second, tr_clip **result,
                                       tr_error *error);
// Swaps left and right, by roles, else by names: each joint turns from its rest pose by the reflection of its
// partner's turn across the body's plane X = 0, whatever the rest axes are. Base, contacts and events named
// "left_..." and "right_..." change sides. Mirroring twice gives the clip again within 1e-5. Scales go to the
// axis that matches best.
TR_API tr_status tr_clip_edit_mirror(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                     const tr_clip *clip, tr_clip **result, tr_error *error);
// Warps time: plays time `to[i]` at `from[i]`, smoothly in between (monotone cubic) [s; `from` rising, `to`
// not falling, count >= 2]. The new clip lasts from the first `from` to the last, at the rate of the old
// clip. A clip that loops is played round after round, and loops again if `to` spans whole rounds. TR_LIMIT:
// as for tr_clip_edit_resample, or more than 100000 rounds.
TR_API tr_status tr_clip_edit_warp(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                   const tr_clip *clip, const double *from, const double *to, uint32_t count,
                                   tr_clip **result, tr_error *error);
// Applies a zero-phase low-pass (Butterworth of order 2, forwards and backwards) to positions, rotations and
// scales, for noisy captures. `cutoff_hertz` [above 0, below half the rate] is where half of the power is
// left. Loops are smoothed across their seam.
TR_API tr_status tr_clip_edit_smooth(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                     const tr_clip *clip, double cutoff_hertz, tr_clip **result,
                                     tr_error *error);
// Makes a clip that walks on the spot travel, as loops of games do not. The feet that carry the body slide
// backwards at the speed at which it should go forwards. The result is in the world, without base and events.
// If the clip loops, or ends with the pose it begins with or one frame before that, it has `rounds` [>= 1]
// rounds, one after the other, without a repeated frame: two or more let tr_clip_edit_cycle find a whole
// stride. Otherwise it has one. Frames are labelled if the clip lacked motion: a point is in contact while it
// is low and goes backwards (the feet of such loops are seldom exact enough for tr_clip_edit_contacts); every
// foot comes down at least once. TR_NOT_FOUND: a foot has no role, or the clip has only one frame.
// TR_INVALID: no round, or too many frames.
typedef struct tr_travel {
    tr_vec2 velocity; // that the clip lacked, in its own axes [m/s]; 0 if its feet stand (they move less than
                      // 5 % of the body height in a second)
    float ground;     // height of the lowest point of both feet [m]
    bool loops;
    double period; // of one round [s]
} tr_travel;
TR_API tr_status tr_clip_edit_travel(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                     const tr_clip *clip, uint32_t rounds, tr_clip **result,
                                     tr_travel *travel, tr_error *error); // travel: may be NULL
// Finds the cycle that closes best: one whole stride, from one contact of the left foot to the next, or, in a
// clip without steps, any stretch between `shortest` and `longest` seconds. Spreads the gap at the seam over
// the whole cycle, takes the base out (TR_BASE_LINE) and makes the clip loop, beginning with the contact of
// the left foot. Standing feet stay where they stand: the remaining error of their positions is corrected
// while they swing, and the legs follow. Labels are used if there are any, else found. TR_NOT_FOUND: nothing
// closes; the error says how near it came.
typedef struct tr_cycle_params {
    double shortest, longest; // [s], 0.4 and 2.5 by default
} tr_cycle_params;
TR_API tr_cycle_params tr_cycle_params_default(void);
TR_API tr_status tr_clip_edit_cycle(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                    const tr_clip *clip, const tr_cycle_params *params, tr_clip **result,
                                    tr_error *error);

TR_END_DECLARATIONS
