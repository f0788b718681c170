// motion/behavior/behavior_cast_parts.h - what the sources of behavior casts share: where the parts of a body
// are over time, the bands that clips are for, and discs that cover the body. Internal to motion/.
#pragma once
#include "troupe/motion/behavior_cast.h"
#include "troupe/motion/pose.h"

// A cast while it is made.
typedef struct tr_behavior_maker {
    tr_allocator allocator;
    const tr_behavior_cast_def *def;
    double rate;
    float height;           // of the skeleton at rest [m]
    float radius;           // of the discs [m]
    float core, core_ahead; // radius of the core discs, and how far ahead of the base the second one is [m]
    // The body in pieces: short capsules, each on a joint.
    tr_capsule *pieces;
    uint32_t piece_count;
    tr_pose pose;
    tr_affine *model;
    tr_behavior_band bands[TR_BEHAVIOR_BANDS_MAX];
    uint32_t band_count;
    uint32_t *serves; // the band of each state
} tr_behavior_maker;

// An end of a piece.
typedef struct tr_behavior_ball {
    tr_vec3 at;
    float radius; // with the margin
} tr_behavior_ball;

// Measures the body. TR_INVALID: what it says of skeleton, body and clips is wrong.
tr_status tr_behavior_maker_open(const tr_behavior_cast_def *def, tr_behavior_maker *maker, tr_error *error);
void tr_behavior_maker_close(tr_behavior_maker *maker);
// The balls of all pieces, two each, at a frame after the first one (with a fraction), in the axes of the
// base at the first frame.
void tr_behavior_maker_show(tr_behavior_maker *maker, const tr_behavior_cast_clip *clip, double frame,
                            tr_behavior_ball *balls);
// The depth of the obstacles that special behaviors are for [m].
float tr_behavior_maker_depth(const tr_behavior_maker *maker);
uint32_t tr_behavior_clip_frames(const tr_behavior_cast_clip *clip);
// The base at a frame after the first one, in the axes of the first one.
tr_base tr_behavior_clip_way(const tr_behavior_cast_clip *clip, double frame);
// How far ahead of where a climb begins the base is at its action.
float tr_behavior_clip_edge(const tr_behavior_cast_clip *clip);
// The frame of the action, after the first one.
uint32_t tr_behavior_clip_action(const tr_behavior_cast_clip *clip);
// Finds the bands, and the one that each state serves.
tr_status tr_behavior_maker_find_bands(tr_behavior_maker *maker, tr_error *error);

// Measures the core, if the cast has one. Then: the core discs of a clip, and the most that it may have.
tr_status tr_behavior_maker_find_core(tr_behavior_maker *maker, tr_error *error);
uint32_t tr_behavior_maker_core_most(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip);
uint32_t tr_behavior_maker_core(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip,
                                tr_behavior_disc *discs);

// The discs of clips: `count` of them; the clips of a group have equally many.
typedef struct tr_behavior_cover {
    tr_behavior_disc *discs;
    uint32_t count, capacity;
    uint32_t slots; // how many times have discs of their own: summed up over all calls
} tr_behavior_cover;

// Appends the discs of a group of clips, clip after clip, that cover the body in the same way, so that what
// lies between the clips is covered, too. TR_INVALID: the discs are too small; `error` may be NULL.
tr_status tr_behavior_cover_clips(tr_behavior_maker *maker, const tr_behavior_cast_clip *clips,
                                  uint32_t clip_count, uint32_t serves, tr_behavior_cover *cover,
                                  tr_error *error);
// Sets the radius: that of the def, or the least with which few discs do.
tr_status tr_behavior_maker_choose_radius(tr_behavior_maker *maker, tr_error *error);
