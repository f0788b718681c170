// troupe/world/solid.h - collision queries: the triangles of a scene in bounding-volume trees, and how near a
// capsule comes to them.
//
// One wide tree holds everything that stands still. Each moving object has a small tree of its own, which is
// refitted and never rebuilt. Results are exact in the sense of distance.h: a tree leaves out only triangles
// that cannot matter. An optional grid of clearances answers most queries about open space by a few look-ups.
// Queries test surfaces, not volumes: a capsule inside a closed box touches nothing.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_solid tr_solid;

#define TR_SOLID_EXTENT_MAX 1e8f // largest coordinate in queries, ten times the scene's [m]

typedef struct tr_solid_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // for building; NULL: one thread. The trees are the same for any team
    const tr_scene *scene;         // must outlive the solid
    uint32_t exclude_tags;         // ignore objects with any of these tags
    uint32_t exclude_object;       // ignore this object; TR_NONE for none
    uint32_t lanes; // SIMD width: 4, 8, or 0 for the widest of this processor; the results are the same
    // The grid of clearances: cells of this size [m, >= 0; 0: none] over `clearance_box`. It covers objects
    // that stand still; moving objects are tested in addition.
    float clearance_cell;
    tr_box clearance_box;
} tr_solid_def;
TR_API tr_solid_def tr_solid_def_default(const tr_scene *scene); // all objects, no grid

// Builds the trees. Objects with a trajectory and drawn objects get their own trees at once. TR_LIMIT: more
// than 2^27 triangles or 2^26 cells of clearance. A scene without triangles is allowed: nothing is ever hit.
TR_API tr_status tr_solid_create(const tr_solid_def *def, tr_solid **solid, tr_error *error);
TR_API void tr_solid_destroy(tr_solid *solid); // NULL is allowed

// Applies the changes of the scene since the last update: the trees of objects that moved are refitted at
// their current place. An object of the large tree that moves for the first time is taken out of it and gets
// its own tree. This allocates, and recomputes the corners of the grid whose clearance depended on the
// object. After that nothing allocates, except a drawn object that emits more triangles than before. Added
// objects, removed objects and changed tags are applied too. `changed` (may be NULL) receives the box around
// everything that moved, at its old and new place. On failure the changes that could not be applied are left
// out, and the next update tries again. No thread may query the solid during an update.
TR_API tr_status tr_solid_update(tr_solid *solid, tr_box *changed, tr_error *error);

// Returns the distance of the line from `a` to `b` to the nearest triangle [m], up to `limit` [m, >= 0]. If
// nothing is nearer, it returns `limit` and leaves `hit` (may be NULL) unchanged. 0 if the line crosses a
// triangle. NaN if an end is not finite or beyond TR_SOLID_EXTENT_MAX. Any thread may call it; allocates
// nothing.
typedef struct tr_solid_hit {
    uint32_t object;   // of the scene
    uint32_t triangle; // of its mesh; for a drawn object, in the order of drawing
    tr_vec3 on_line, on_triangle;
} tr_solid_hit;
TR_API float tr_solid_distance(const tr_solid *solid, tr_vec3 a, tr_vec3 b, float limit, tr_solid_hit *hit);

// Returns whether the capsule (the line from a to b, grown by `radius` [m, >= 0]) touches anything. Its
// border counts: true exactly when tr_solid_distance is at most the radius. A capsule that is not finite, or
// beyond TR_SOLID_EXTENT_MAX, counts as touching.
typedef struct tr_solid_capsule {
    tr_vec3 a, b;
    float radius;
} tr_solid_capsule;
TR_API bool tr_solid_touches(const tr_solid *solid, const tr_solid_capsule *capsule);

// Returns how much the capsule can grow before it touches something. The result is negative exactly when
// tr_solid_touches is true. Otherwise it is never more than the true clearance, and it is at least `enough`
// [m, > 0] or at least half of the true clearance. Much cheaper than an exact distance; used to certify
// motions.
TR_API float tr_solid_clearance(const tr_solid *solid, const tr_solid_capsule *capsule, float enough);
// The same for many capsules, in the order given.
TR_API void tr_solid_clearances(const tr_solid *solid, const tr_solid_capsule *capsules, uint32_t count,
                                float enough, float *clearances);

typedef struct tr_solid_counters {
    uint64_t triangles;          // in all trees
    uint32_t trees;              // the large one and those of moving objects
    uint32_t nodes;              // in all trees
    uint64_t bytes;              // held
    tr_box bounds;               // of all triangles
    uint64_t build_us, refit_us; // time of the last create and of the last update [us]
} tr_solid_counters;
TR_API tr_solid_counters tr_solid_count(const tr_solid *solid);

TR_END_DECLARATIONS
