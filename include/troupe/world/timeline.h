// troupe/world/timeline.h - the future positions of every body and every moving object.
//
// Bodies are upright cylinders, each with one committed motion: positions at whole ticks, straight lines
// between them, and rest after the last. Moving objects of a scene are part of the timeline too: objects with
// a trajectory exactly as they will move, others extrapolated with growing doubt. Everything is indexed in
// space, so the cost of a query depends on what is near, not on the total number.
//
// Only tr_timeline_commit, _set_now, _add, _remove and _watch change a timeline. Between these calls any
// number of threads may query it.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"
#include "troupe/world/grid.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_timeline_def {
    const tr_allocator *allocator; // NULL: malloc
    double tick;                   // [s, > 0]; 0: 1/30
    uint32_t ticks_max;            // longest committed motion [ticks, <= TR_TIMELINE_TICKS_MAX]; 0: 256
    double object_sight;           // how far ahead trajectories of objects are known [s]; 0: 60
    float doubt;                   // how fast an extrapolated object grows [m/s]; 0: 0.3
    double doubt_sight;            // how long it is extrapolated [s]; 0: 2
    float speed_max; // an object without a trajectory that moves faster was teleported and rests [m/s]; 0: 20
} tr_timeline_def;
#define TR_TIMELINE_TICKS_MAX 2048

typedef struct tr_timeline tr_timeline;
// TR_INVALID: a number is negative or not finite. TR_LIMIT: ticks_max is too large, or a sight is more than
// 65536 ticks.
TR_API tr_status tr_timeline_create(const tr_timeline_def *def, tr_timeline **timeline, tr_error *error);
TR_API void tr_timeline_destroy(tr_timeline *timeline); // NULL is allowed

// Sets the current tick. The past is dropped; time never goes back.
TR_API void tr_timeline_set_now(tr_timeline *timeline, uint64_t tick);
TR_API uint64_t tr_timeline_now(const tr_timeline *timeline);

// --- Bodies ---

// Adds a body at rest. Bodies are numbered from 0; the number that was removed last is reused first. A body
// takes about 15 bytes for each tick of ticks_max. TR_INVALID: a number is not finite, negative or beyond
// TR_SCENE_EXTENT_MAX.
TR_API tr_status tr_timeline_add(tr_timeline *timeline, tr_vec3 position, float radius, float height,
                                 uint32_t *body, tr_error *error);
// Makes room for motions of this many ticks of one body [at most TR_TIMELINE_TICKS_MAX], beyond ticks_max.
// TR_LIMIT: too many, or there is no such body. TR_OUT_OF_MEMORY: nothing was changed.
TR_API tr_status tr_timeline_reserve(tr_timeline *timeline, uint32_t body, uint32_t ticks, tr_error *error);
TR_API void tr_timeline_remove(tr_timeline *timeline, uint32_t body); // ignores a number that is not in use
// Replaces the motion of a body: its positions at tick `begin`, `begin` + 1, and so on. It rests at the last
// one. `begin` is now or later; until then the body stays at the first position. Does not look for meetings:
// call tr_timeline_meets before. Allocates nothing. TR_LIMIT: more positions than there is room for.
// TR_INVALID: there are none, one is not finite or beyond TR_SCENE_EXTENT_MAX, `begin` is in the past, or
// there is no such body; the motion is unchanged.
TR_API tr_status tr_timeline_commit(tr_timeline *timeline, uint32_t body, uint64_t begin,
                                    const tr_vec3 *positions, uint32_t count);
typedef struct tr_timeline_track {
    uint64_t begin;         // the tick of the first position
    const float *x, *y, *z; // one for each position; valid until the next commit for the body
    uint32_t count;         // 0: no such body
    float radius, height;
} tr_timeline_track;
TR_API tr_timeline_track tr_timeline_track_of(const tr_timeline *timeline, uint32_t body);
// Returns the position of a body at a time, which may lie between two ticks. NAN: no such body.
TR_API tr_vec3 tr_timeline_at(const tr_timeline *timeline, uint32_t body, double tick);
// Finds the bodies whose axis, from now on, comes closer than `reach` to the point [m, seen from above] while
// their heights overlap the range from point.y - low to point.y + high. Returns their number and writes the
// first `max`, in rising order.
TR_API uint32_t tr_timeline_near(const tr_timeline *timeline, tr_vec3 point, float reach, float low,
                                 float high, uint32_t *bodies, uint32_t max);

// --- Objects ---

// Finds the objects of the scene that move. Call it once a tick, with the scene at the time of that tick. An
// object whose trajectory changes within the sight is known. Until it begins to move, its current place
// counts as occupied at all times, since its trajectory may be replaced before it leaves. An object without a
// trajectory that moved since the last call is extrapolated: its rectangle grows by `doubt` and is dropped
// after doubt_sight. Its current place counts as occupied during all that time, since it may stop. All other
// objects rest and belong to the ground. Objects tagged TR_TAG_CHARACTER are left out, because they are
// bodies. TR_OUT_OF_MEMORY: call it again in the same tick; it continues where it stopped, with the same
// result.
TR_API tr_status tr_timeline_watch(tr_timeline *timeline, const tr_scene *scene, tr_error *error);
// One bit for each object of the scene that is in the timeline now (for tr_ground_update).
TR_API const uint64_t *tr_timeline_moving(const tr_timeline *timeline, uint32_t *object_count);

// --- Queries ---

// A motion to query, as for tr_timeline_commit. Only its part from `begin` on counts, or from now on if now
// is later.
typedef struct tr_timeline_motion {
    uint64_t begin;
    const tr_vec3 *positions;
    uint32_t count;
    float radius, height;
    uint32_t self; // the body that moves, which is ignored; TR_NONE: none
    bool rest;     // it stays at the last position; otherwise the motion ends there
    bool bodies;   // ignore objects
    bool strict;   // being too close when the motion begins is also a meeting
    float margin;  // distance to keep from bodies, beyond the radii [m, >= 0]
    float clear;   // distance to keep from objects [m, >= 0]
} tr_timeline_motion;
typedef struct tr_timeline_meeting {
    uint32_t body, object; // the body or object that is met; TR_NONE: none
    double tick;           // when they first come closer than allowed
    bool at_rest;          // the body has come to rest by then
} tr_timeline_meeting;
// Finds the first meeting. Of several at the same time, it is the one with the lowest body number, then with
// the lowest object number. Returns whether there is one.
//
// Two bodies meet if their heights overlap and their axes are closer than the allowed distance, which is the
// sum of their radii and `margin`. This is exact: no time between two ticks is missed, and bodies at exactly
// that distance do not meet. Two bodies that are already closer when the motion begins may part, but not
// approach (unless `strict`). The allowed distance is then, in this order,
//   1. below the sum of the radii: the distance at the beginning, until the two are that sum apart at a tick;
//   2. below the sum and `margin`: the sum, or the distance at the beginning less 0.1 mm if that is more,
//      until the two are the sum and `margin` apart at a tick;
//   3. the sum and `margin`.
// Therefore bodies that do not overlap never begin to overlap.
//
// An object is a rectangle seen from above, over its range of heights. The rectangle turns with an object
// that stands upright; otherwise it is the object's bounding box. During a tick it moves straight and is
// large enough to cover the object throughout that tick, so a meeting is never found too late. `clear` is the
// allowed distance; a body that is already closer may part as above.
//
// A motion that could not be committed (bad numbers, more than ticks_max positions) is refused: the result is
// true, with `body` and `object` TR_NONE.
TR_API bool tr_timeline_meets(const tr_timeline *timeline, const tr_timeline_motion *motion,
                              tr_timeline_meeting *meeting);

// Finds the moving objects beside a point at a tick: `nearest` gets, for each, the nearest point of its
// rectangle, seen from above, if that is within `reach` [m] of the point and the heights from the point's to
// `height` above it overlap those of the object; a point inside is left out. At most `max` of them, by rising
// number. Returns their number. Only reads: any thread may call it.
TR_API uint32_t tr_timeline_beside(const tr_timeline *timeline, tr_vec3 point, float height, float reach,
                                   uint64_t tick, tr_vec2 *nearest, uint32_t max);

// Fills a window of cells with the times at which each is occupied, for planners that work on bits. Bit k of
// a cell's words is set if a body of `radius` and `height` at the centre of the cell, at the height `floor`
// (one for each cell, row by row; NULL: `level` everywhere), would meet anything other than `self` in slot k.
// Slot k covers the ticks from begin + k * slot to begin + (k + 1) * slot. A body that rests fills all
// remaining slots. No bit is missing, but a bit may be early or late by less than a slot. A cell has
// `word_count` words of 64 slots [1, 8], at most a cache line. A cell whose floor is NAN is never occupied.
// The bits of slots in the past are undefined. TR_INVALID: a number is out of range; nothing was written.
//
// A search that begins in the middle (column columns / 2, row rows / 2) does not read a cell before it can be
// there. `pace` is the least number of slots that the search takes from a cell to one of its eight
// neighbours. The bits of a cell that is n columns or n rows away from the middle may then be missing in
// slots before pace * (n - 1).
typedef struct tr_timeline_window {
    tr_grid grid;
    const float *floor;
    float level;
    uint64_t begin;
    uint32_t slot; // [ticks, >= 1]
    uint32_t pace; // [slots]; 0: all bits are filled
    uint32_t word_count;
    float radius, height, margin, clear; // margin from bodies, clear from objects
    uint32_t self;
} tr_timeline_window;
TR_API tr_status tr_timeline_fill(const tr_timeline *timeline, const tr_timeline_window *window,
                                  uint64_t *words);

// --- Saving ---

TR_END_DECLARATIONS
