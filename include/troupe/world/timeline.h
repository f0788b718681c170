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
#include "troupe/world/grid.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_timeline_def {
    const tr_allocator *allocator; // NULL: malloc
    double tick;                   // [s, > 0]; 0: 1/30
    uint32_t ticks_max;            // longest committed motion [ticks]; 0: 256
    double object_sight;           // how far ahead known motions of objects are minded [s]; 0: 60
    float doubt;                   // how fast the place of an unknown mover becomes doubtful [m/s]; 0: 0.3
    double doubt_sight;            // and for how long it is extrapolated [s]; 0: 2
} tr_timeline_def;

typedef struct tr_timeline tr_timeline;
TR_API tr_status tr_timeline_create(const tr_timeline_def *def, tr_timeline **timeline, tr_error *error);
TR_API void tr_timeline_destroy(tr_timeline *timeline); // NULL is allowed

// The tick that it is now. What lies before is forgotten. Never goes back.
TR_API void tr_timeline_set_now(tr_timeline *timeline, uint64_t tick);
TR_API uint64_t tr_timeline_now(const tr_timeline *timeline);

// --- Bodies ---

// A body at rest. Bodies are numbered from 0 on; a number that was removed is used again.
TR_API tr_status tr_timeline_add(tr_timeline *timeline, tr_vec3 position, float radius, float height,
                                 uint32_t *body, tr_error *error);
TR_API void tr_timeline_remove(tr_timeline *timeline, uint32_t body);
// The motion of a body from now on: where it is at tick `begin` (now or later; before, it stays at the
// first), `begin` + 1 ... and at rest at the last. Replaces the one before. Meetings are not asked about: ask
// first. No allocation. TR_LIMIT: more than ticks_max positions. TR_INVALID: none, not finite, no such body.
TR_API tr_status tr_timeline_commit(tr_timeline *timeline, uint32_t body, uint64_t begin,
                                    const tr_vec3 *positions, uint32_t count);
typedef struct tr_timeline_track {
    uint64_t begin;           // the tick of the first position
    const tr_vec3 *positions; // valid until the next commit for the body
    uint32_t count;
    float radius, height;
} tr_timeline_track;
TR_API tr_timeline_track tr_timeline_track_of(const tr_timeline *timeline, uint32_t body); // count 0: none
TR_API tr_vec3 tr_timeline_at(const tr_timeline *timeline, uint32_t body, double tick);
// Bodies whose committed motion from now on comes within `reach` of the point [m, sideways] at heights that
// overlap [point.y - low, point.y + high], in rising order. Returns how many there are; the first `max` are
// written.
TR_API uint32_t tr_timeline_near(const tr_timeline *timeline, tr_vec3 point, float reach, float low,
                                 float high, uint32_t *bodies, uint32_t max);

// --- Objects ---

// Look at the scene, which is at the time of the present tick: which objects move. Call it once a tick. An
// object with a trajectory that changes within the sight is known; one without that was moved since the last
// look is extrapolated. All others are at rest and not in here: they are part of the ground.
TR_API tr_status tr_timeline_watch(tr_timeline *timeline, const tr_scene *scene, tr_error *error);
// One bit for each object of the scene: it is in the timeline now (for tr_ground_update).
TR_API const uint64_t *tr_timeline_moving(const tr_timeline *timeline, uint32_t *object_count);

// --- Questions ---

// A motion to ask about: as for tr_timeline_commit.
typedef struct tr_timeline_motion {
    uint64_t begin;
    const tr_vec3 *positions;
    uint32_t count;
    float radius, height;
    uint32_t self;  // the body whose it is, which is not met; TR_NONE
    bool rest;      // it stays at the last position for ever; else it is asked about no further
    float margin;   // kept from bodies [m, >= 0], and
    float clear;    // from objects [m, >= 0]
} tr_timeline_motion;
typedef struct tr_timeline_meeting {
    uint32_t body, object; // whom or what; TR_NONE: not that, both: nobody
    double tick;           // when they first come nearer than they may
    bool at_rest;          // the body has come to the end of its motion by then
} tr_timeline_meeting;
// The first meeting. Exact for bodies: no time between two ticks is missed; two that touch do not meet. Two
// that are nearer than `margin` already when the motion begins meet only while they get nearer to each other:
// whoever is too near may go away. Objects are met by the rectangle around them seen from above, over their
// height, turned as they are; never later than they would really be met.
// Returns whether there is one.
TR_API bool tr_timeline_meets(const tr_timeline *timeline, const tr_timeline_motion *motion,
                              tr_timeline_meeting *meeting);

// For planners that want bits: a window of cells, each with the times at which it is taken. Bit k of a
// cell's words is set when a body of `radius` and `height` that stands at the cell's centre, on the height
// `floor` (of each cell, row by row; NULL: `level` everywhere), would meet something (but `self`) in slot k,
// which is the ticks begin + k * slot to begin + (k + 1) * slot. What is at rest at the end of its motion
// fills the slots that are left. `word_count` words of 64 slots a cell, [1, 8]: at most a cache line.
typedef struct tr_timeline_window {
    tr_grid grid;
    const float *floor;
    float level;
    uint64_t begin;
    uint32_t slot; // [ticks, >= 1]
    uint32_t word_count;
    float radius, height, margin;
    uint32_t self;
} tr_timeline_window;
TR_API tr_status tr_timeline_fill(const tr_timeline *timeline, const tr_timeline_window *window,
                                  uint64_t *words);

TR_END_DECLARATIONS
