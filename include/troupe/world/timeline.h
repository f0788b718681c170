// troupe/world/timeline.h - who and what is where, when.
//
// Bodies are upright cylinders, each with one committed motion: positions at whole ticks, straight between
// them, at rest for ever after the last. Objects of a scene that move are in it too: those with a trajectory
// exactly as they will go, others as they were seen to move, with doubt that grows. Everything is indexed in
// space, so that a question costs what is near, not what there is.
//
// A timeline changes in tr_timeline_commit, _set_now, _add, _remove and _watch only; between them any number
// of threads may ask.
#pragma once
#include "troupe/base/archive.h"
#include "troupe/world/grid.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_timeline_def {
    const tr_allocator *allocator; // NULL: malloc
    double tick;                   // [s, > 0]; 0: 1/30
    uint32_t ticks_max;            // longest committed motion [ticks, <= TR_TIMELINE_TICKS_MAX]; 0: 256
    double object_sight;           // how far ahead known motions of objects are minded [s]; 0: 60
    float doubt;                   // how fast the place of an unknown mover becomes doubtful [m/s]; 0: 0.3
    double doubt_sight;            // and for how long it is extrapolated [s]; 0: 2
    float speed_max; // an unknown mover that is faster was put somewhere else: it is at rest [m/s]; 0: 20
} tr_timeline_def;
#define TR_TIMELINE_TICKS_MAX 1024

typedef struct tr_timeline tr_timeline;
// TR_INVALID: a number that is not finite or negative. TR_LIMIT: ticks_max, or a sight of more than 65536
// ticks.
TR_API tr_status tr_timeline_create(const tr_timeline_def *def, tr_timeline **timeline, tr_error *error);
TR_API void tr_timeline_destroy(tr_timeline *timeline); // NULL is allowed

// The tick that it is now. What lies before is forgotten. Never goes back.
TR_API void tr_timeline_set_now(tr_timeline *timeline, uint64_t tick);
TR_API uint64_t tr_timeline_now(const tr_timeline *timeline);

// --- Bodies ---

// A body at rest. Bodies are numbered from 0 on; the number that was removed last is used again first.
// TR_INVALID: a number that is not finite, negative or beyond TR_SCENE_EXTENT_MAX. Takes about 15 bytes for
// each tick of ticks_max.
TR_API tr_status tr_timeline_add(tr_timeline *timeline, tr_vec3 position, float radius, float height,
                                 uint32_t *body, tr_error *error);
TR_API void tr_timeline_remove(tr_timeline *timeline, uint32_t body); // a bad number is ignored
// The motion of a body from now on: where it is at tick `begin` (now or later; before, it stays at the
// first), `begin` + 1 ... and at rest at the last. Replaces the one before. Meetings are not asked about: ask
// first. No allocation. TR_LIMIT: more than ticks_max positions. TR_INVALID: none, one that is not finite or
// beyond TR_SCENE_EXTENT_MAX, `begin` before now, no such body; the motion before stays.
TR_API tr_status tr_timeline_commit(tr_timeline *timeline, uint32_t body, uint64_t begin,
                                    const tr_vec3 *positions, uint32_t count);
typedef struct tr_timeline_track {
    uint64_t begin;         // the tick of the first position
    const float *x, *y, *z; // one for each position; valid until the next commit for the body
    uint32_t count;         // 0: no such body
    float radius, height;
} tr_timeline_track;
TR_API tr_timeline_track tr_timeline_track_of(const tr_timeline *timeline, uint32_t body);
// Where a body is at a time, between two ticks too. NAN for a body that is not there.
TR_API tr_vec3 tr_timeline_at(const tr_timeline *timeline, uint32_t body, double tick);
// Bodies whose axis, from now on, comes nearer than `reach` to the point [m, sideways] while their heights
// overlap those between point.y - low and point.y + high; in rising order. Returns how many there are; the
// first `max` are written.
TR_API uint32_t tr_timeline_near(const tr_timeline *timeline, tr_vec3 point, float reach, float low,
                                 float high, uint32_t *bodies, uint32_t max);

// --- Objects ---

// Look at the scene, which is at the time of the present tick: which objects move. Call it once a tick. An
// object with a trajectory that changes within the sight is known; one without that was moved since the last
// look is extrapolated. All others are at rest and not in here: they are part of the ground. Objects tagged
// TR_TAG_CHARACTER are left out: those are bodies. A rectangle that is extrapolated grows by `doubt` and is
// forgotten after doubt_sight; the place where the object is now counts as taken throughout, since it may
// stop. TR_OUT_OF_MEMORY: the look is not over; the next call in
// the same tick goes on with it, and the outcome is the same as if there had been memory.
TR_API tr_status tr_timeline_watch(tr_timeline *timeline, const tr_scene *scene, tr_error *error);
// One bit for each object of the scene: it is in the timeline now (for tr_ground_update).
TR_API const uint64_t *tr_timeline_moving(const tr_timeline *timeline, uint32_t *object_count);

// --- Questions ---

// A motion to ask about: as for tr_timeline_commit, but asked about from `begin` on, or from now on where
// that is later.
typedef struct tr_timeline_motion {
    uint64_t begin;
    const tr_vec3 *positions;
    uint32_t count;
    float radius, height;
    uint32_t self; // the body whose it is, which is not met; TR_NONE
    bool rest;     // it stays at the last position for ever; else it is asked about no further
    bool bodies;   // only they are asked about, not objects
    bool strict;   // being too near when the motion begins is a meeting, too
    float margin;  // kept from bodies [m, >= 0], and
    float clear;   // from objects [m, >= 0]
} tr_timeline_motion;
typedef struct tr_timeline_meeting {
    uint32_t body, object; // whom or what; TR_NONE: not that, both: nobody
    double tick;           // when they first come nearer than they may
    bool at_rest;          // the body has come to the end of its motion by then
} tr_timeline_meeting;
// The first meeting; of several at the same time that with the lowest body, then with the lowest object.
// Returns whether there is one.
//
// Two bodies meet when their heights overlap and their axes are nearer than the distance allowed, which is
// the sum of their radii and `margin`. Exact: no time between two ticks is missed, and bodies at just that
// distance do not meet. A pair that is nearer already when the motion begins may part, but not approach
// (unless `strict`). The distance allowed is then, in this order,
//   1. below the sum of the radii: the distance at the beginning, until the pair is the sum apart at a tick;
//   2. below the sum and `margin`: the sum, or the distance at the beginning less 0.1 mm if that is more,
//   until
//      the pair is the sum and `margin` apart at a tick;
//   3. the sum and `margin`.
// So bodies that do not overlap never come to overlap.
//
// An object is a rectangle seen from above, over its range of heights. The rectangle is turned with an object
// that stands upright; otherwise it is the object's box. During a tick it moves straight on, large enough for
// everything the object does in that tick: an object is never met later than it should be. `clear` is kept
// from it, and a body that is nearer already may go away as above.
//
// A motion that could not be committed (bad numbers, more than ticks_max positions) counts as meeting nobody
// at its beginning: true, with `body` and `object` TR_NONE.
TR_API bool tr_timeline_meets(const tr_timeline *timeline, const tr_timeline_motion *motion,
                              tr_timeline_meeting *meeting);

// For planners that want bits: a window of cells, each with the times at which it is taken. Bit k of a
// cell's words is set when a body of `radius` and `height` that stands at the cell's centre, on the height
// `floor` (of each cell, row by row; NULL: `level` everywhere), would meet something (but `self`) in slot k,
// which is the ticks begin + k * slot to begin + (k + 1) * slot. What is at rest at the end of its motion
// fills the slots that are left. Never a bit too few; in time a bit may be set early or late by less than a
// slot. `word_count` words of 64 slots a cell, [1, 8]: at most a cache line. A floor of NAN is never taken.
// Slots before now are not known. TR_INVALID: a number out of its range; nothing was written.
//
// A search that begins in the middle (column columns / 2, row rows / 2) asks about no cell before it can be
// there. With `pace` it takes at least so many slots from a cell to one of the eight beside it: bits of cells
// that are n to a side of the middle, or n up or down, may be missing in slots before pace * (n - 1).
typedef struct tr_timeline_window {
    tr_grid grid;
    const float *floor;
    float level;
    uint64_t begin;
    uint32_t slot; // [ticks, >= 1]
    uint32_t pace; // [slots] 0: all bits are asked for
    uint32_t word_count;
    float radius, height, margin, clear; // margin from bodies, clear from objects
    uint32_t self;
} tr_timeline_window;
TR_API tr_status tr_timeline_fill(const tr_timeline *timeline, const tr_timeline_window *window,
                                  uint64_t *words);

// --- Saving ---

// Bodies with their numbers and motions, and what is known of the objects that move, written or read. A
// timeline that is read is a new one with the same definition, and `scene` one with the same objects, placed
// as they were; the answers are then the same bits. When reading fails it can only be destroyed.
TR_API void tr_timeline_archive(tr_timeline *timeline, const tr_scene *scene, tr_archive *archive);

TR_END_DECLARATIONS
