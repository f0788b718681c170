// troupe/motion/clip.h - a recorded motion: poses at a steady rate, with labels of ground contacts, events
// and the path of the base point.
//
// Frames are stored as structures of arrays at a steady rate: sampling any time costs the same and needs no
// cache and no search. Only joints that move or scale use memory for positions or scales. Any number of
// threads may read a finished clip.
#pragma once
#include "troupe/motion/pose.h"

TR_BEGIN_DECLARATIONS

#define TR_CLIP_FRAMES_MAX (1u << 22)

// The channels of a joint that change, or'ed.
enum { TR_CHANNEL_TURNS = 1, TR_CHANNEL_MOVES = 2, TR_CHANNEL_SCALES = 4 };

// Labels of a frame: what touches the ground, or'ed.
typedef enum tr_contact {
    TR_CONTACT_LEFT_HEEL = 1,
    TR_CONTACT_LEFT_TOES = 2, // the ball of the foot and the toes
    TR_CONTACT_RIGHT_HEEL = 4,
    TR_CONTACT_RIGHT_TOES = 8,
    TR_CONTACT_LEFT_HAND = 16, // a hand, or a fore hoof
    TR_CONTACT_RIGHT_HAND = 32,
    TR_CONTACT_LEFT_KNEE = 64,
    TR_CONTACT_RIGHT_KNEE = 128
} tr_contact;

// The base point: where the character is on the ground and which way it goes (Kuffner 1998, 7.2). A clip that
// has one keeps the root joints relative to it.
typedef struct tr_base {
    float x, z;    // [m]
    float heading; // [rad], not wrapped: two full turns are 4 pi
} tr_base;

// tr_base_move returns `from` moved by `by`, which is in the axes of `from`. tr_base_difference returns the
// motion that takes `from` to `to`. The two undo each other.
TR_API tr_base tr_base_move(tr_base from, tr_base by);
TR_API tr_base tr_base_difference(tr_base from, tr_base to);
TR_API tr_affine tr_base_place(tr_base base, float height); // as a placement in the world

typedef struct tr_clip_def {
    const tr_allocator *allocator; // NULL: malloc
    const char *name;              // may be NULL
    const tr_skeleton *skeleton;   // read only by tr_clip_create: what does not change stays at rest
    const uint8_t *channels;       // TR_CHANNEL_*, one for each joint; NULL: all joints turn, roots also move
    uint32_t frame_count;          // [1, TR_CLIP_FRAMES_MAX]
    double frames_per_second;      // [> 0, <= 10000]
    bool loop;                     // the first frame follows the last
} tr_clip_def;

typedef struct tr_clip tr_clip;

// Creates a clip. Every frame is initialized to the rest pose, with no contacts and no base.
TR_API tr_status tr_clip_create(const tr_clip_def *def, tr_clip **clip, tr_error *error);
TR_API void tr_clip_destroy(tr_clip *clip); // NULL is allowed

TR_API const char *tr_clip_name(const tr_clip *clip);
TR_API tr_status tr_clip_set_name(tr_clip *clip, const char *name); // TR_OUT_OF_MEMORY: the old one stays
TR_API uint32_t tr_clip_joint_count(const tr_clip *clip);
TR_API uint32_t tr_clip_frame_count(const tr_clip *clip);
TR_API double tr_clip_rate(const tr_clip *clip); // frames per second
TR_API bool tr_clip_loops(const tr_clip *clip);
// Returns the time from the first frame to the last, or back to the first if the clip loops [s].
TR_API double tr_clip_duration(const tr_clip *clip);
TR_API const uint8_t *tr_clip_channels(const tr_clip *clip); // one for each joint
TR_API uint64_t tr_clip_bytes(const tr_clip *clip);

// Sets or gets one frame. Values that the channels leave out are not stored. TR_INVALID: no such frame,
// another joint count, or a value that is not finite.
TR_API tr_status tr_clip_set_frame(tr_clip *clip, uint32_t frame, const tr_pose *pose);
TR_API tr_status tr_clip_get_frame(const tr_clip *clip, uint32_t frame, tr_pose *pose);

// Gets the pose at a time [s]. Between frames, positions and scales are interpolated linearly, rotations the
// shorter way (normalised linear). A clip that loops continues for ever in both directions; other clips hold
// their first and last frames. A time that is not finite counts as 0. `pose` must have the clip's joint
// count. No allocation, any thread, the same bits everywhere.
TR_API void tr_clip_sample(const tr_clip *clip, double time, tr_pose *pose);

// Labels: what touches the ground at a time (the label of the nearest frame at or before it).
TR_API void tr_clip_set_contacts(tr_clip *clip, uint32_t frame, uint32_t contacts); // tr_contact, or'ed
TR_API uint32_t tr_clip_frame_contacts(const tr_clip *clip, uint32_t frame);
TR_API uint32_t tr_clip_contacts(const tr_clip *clip, double time);

// The base point. A clip has none until it is set. For a clip that loops, `advance` is how far the base point
// moves in one round, in the axes of its first frame. Frames are relative to the world that the first frame
// lies in.
TR_API bool tr_clip_has_base(const tr_clip *clip);
TR_API tr_status tr_clip_set_base(tr_clip *clip, const tr_base *frames,
                                  tr_base advance);                     // copies; NULL removes it
TR_API tr_base tr_clip_frame_base(const tr_clip *clip, uint32_t frame); // zeros without one
// Returns the base point at a time; in a clip that loops it moves on, round after round.
TR_API tr_base tr_clip_base(const tr_clip *clip, double time);
TR_API tr_base tr_clip_advance(const tr_clip *clip); // of one round, or from the first frame to the last
// Returns the canonical speed V: the length of the advance divided by the duration [m/s]; 0 without a base.
TR_API float tr_clip_speed(const tr_clip *clip);
// Returns `from` moved by the motion of the base point between times `begin` and `end` [s] of the clip.
TR_API tr_base tr_clip_travel(const tr_clip *clip, double begin, double end, tr_base from);

// Events: names at times, sorted by time ("left_step", "door_opens").
TR_API tr_status tr_clip_add_event(tr_clip *clip, double time, const char *name); // [0, duration]
TR_API uint32_t tr_clip_event_count(const tr_clip *clip);
typedef struct tr_clip_event {
    double time;
    const char *name; // NULL for a bad number
} tr_clip_event;
TR_API tr_clip_event tr_clip_get_event(const tr_clip *clip, uint32_t event);
// Calls `take` for each event in (begin, end], in order, also across the seam of a clip that loops.
TR_API void tr_clip_events_between(const tr_clip *clip, double begin, double end,
                                   void (*take)(void *user, const char *name, double time), void *user);

TR_END_DECLARATIONS
