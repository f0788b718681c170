// troupe/world/solid.h - what bodies run into: the triangles of a scene in bounding-volume trees, and how
// near a capsule comes to them.
//
// All that stands still is in one wide tree; whatever moves has a small tree of its own, which is refitted
// and never rebuilt. Answers are exact in the sense of distance.h: a tree only leaves out what cannot matter.
// Over it may lie a grid of clearances, which answers most questions about open space by a few look-ups.
// Surfaces are hit, not volumes: a capsule inside a closed box touches nothing.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_solid tr_solid;

#define TR_SOLID_EXTENT_MAX 1e8f // coordinates that may be asked about, ten times the world's [m]

typedef struct tr_solid_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // for building; NULL: one thread. The trees are the same
    const tr_scene *scene;         // must outlive it
    uint32_t exclude_tags;         // objects with any of these tags are left out
    uint32_t exclude_object;       // and this one; TR_NONE for none
    uint32_t lanes; // SIMD width: 0 the widest this processor has, 4 or 8; the answers are the same
    // The grid of clearances: cells of this size [m, >= 0; 0: none] over `clearance_box`. It covers what
    // stands still; objects that move are asked beside it.
    float clearance_cell;
    tr_box clearance_box;
} tr_solid_def;
TR_API tr_solid_def tr_solid_def_default(const tr_scene *scene); // everything, no grid

// Objects with a trajectory, and drawn ones, get their own trees at once. TR_LIMIT: more than 2^27 triangles
// or 2^26 cells of clearance. A scene without triangles is allowed: nothing is ever hit.
TR_API tr_status tr_solid_create(const tr_solid_def *def, tr_solid **solid, tr_error *error);
TR_API void tr_solid_destroy(tr_solid *solid); // NULL is allowed

// Take over what changed in the scene since: objects that moved are refitted where they are now. An object of
// the large tree that moves for the first time is taken out of it and gets its own tree (this allocates, and
// looks again from those corners of the grid that saw it); from then on nothing allocates, but for a drawn
// object that emits more triangles than before. Added and removed objects and changed tags are taken over
// too. `changed` (may be NULL): the box around all that moved, where it was and where it is. On failure what
// could not be taken over is as it was before, and the next update tries again. Nobody may ask meanwhile.
TR_API tr_status tr_solid_update(tr_solid *solid, tr_box *changed, tr_error *error);

// How far the line from `a` to `b` is from the nearest triangle [m], as far as `limit` [m, >= 0]: where
// nothing is nearer the answer is `limit`, and `hit` (may be NULL) is left as it was. 0 where a triangle is
// crossed. NaN when an end is not finite or beyond TR_SOLID_EXTENT_MAX. Any thread, no allocation.
typedef struct tr_solid_hit {
    uint32_t object;   // of the scene
    uint32_t triangle; // of its mesh; of the drawn triangles in the order they were drawn
    tr_vec3 on_line, on_triangle;
} tr_solid_hit;
TR_API float tr_solid_distance(const tr_solid *solid, tr_vec3 a, tr_vec3 b, float limit, tr_solid_hit *hit);

// Does the capsule (the line from a to b, grown by `radius` [m, >= 0]) touch anything? Its border counts:
// true exactly when tr_solid_distance is at most the radius. What is not finite, or beyond
// TR_SOLID_EXTENT_MAX, touches.
typedef struct tr_solid_capsule {
    tr_vec3 a, b;
    float radius;
} tr_solid_capsule;
TR_API bool tr_solid_touches(const tr_solid *solid, const tr_solid_capsule *capsule);

// How much the capsule could grow before it touches something: negative when it does touch (exactly when
// tr_solid_touches says so), otherwise never more than the truth, and at least `enough` [m, > 0] or at least
// half of the truth. Much cheaper than an exact distance: the question a motion is certified with.
TR_API float tr_solid_clearance(const tr_solid *solid, const tr_solid_capsule *capsule, float enough);
// The same for many, in the order given.
TR_API void tr_solid_clearances(const tr_solid *solid, const tr_solid_capsule *capsules, uint32_t count,
                                float enough, float *clearances);

typedef struct tr_solid_counters {
    uint64_t triangles;          // in all trees
    uint32_t trees;              // the large one and those of objects that move
    uint32_t nodes;              // of all of them
    uint64_t bytes;              // held
    tr_box bounds;               // of all that is in it
    uint64_t build_us, refit_us; // that the last create and the last update took
} tr_solid_counters;
TR_API tr_solid_counters tr_solid_count(const tr_solid *solid);

TR_END_DECLARATIONS
