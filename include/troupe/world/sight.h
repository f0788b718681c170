// troupe/world/sight.h - eyes and a memory: the scene as somebody knows it who only knows what was seen.
//
// Kuffner & Latombe 1999: an item buffer, drawn from the eye, says which objects are visible. The memory
// keeps where each object was when it was last seen, and forgets an object that is not where it should be
// visible. The scene that results contains just these objects: a planner that is given it plans on what is
// believed.
#pragma once
#include "troupe/world/depth.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_sight_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_scene *scene;         // the truth; must outlive the sight
    // Begins with the floor alone (objects tagged TR_TAG_WALKABLE). false: begins with the scene as it is.
    bool stranger;
    float half_angle;       // of the view, in both directions [rad, > 0, below 80 degrees]; 0: 60 degrees
    float range;            // beyond it nothing is seen [m, > 0]; 0: 30
    uint32_t columns, rows; // of the item buffer [at most TR_DEPTH_SIZE_MAX]; 0: 160 and 96
} tr_sight_def;

typedef struct tr_sight tr_sight;
// Creates eyes that have not looked yet. TR_INVALID: there is no scene, or a number is out of range.
TR_API tr_status tr_sight_create(const tr_sight_def *def, tr_sight **sight, tr_error *error);
TR_API void tr_sight_destroy(tr_sight *sight); // NULL is allowed

// Looks from a point in a direction of any length but 0, not straight up or down, with a `soft` rasteriser.
// An object of which a pixel is seen is remembered as it is now. An object that is remembered where the eye
// sees through it is forgotten: its place is unknown from then on. `changed` (may be NULL) receives whether
// the memory differs from before. Objects tagged TR_TAG_CHARACTER are neither seen nor in the way. Allocates
// only for objects that are new in the scene. TR_OUT_OF_MEMORY: call it again.
TR_API tr_status tr_sight_look(tr_sight *sight, tr_raster *raster, tr_vec3 eye, tr_vec3 forward, double time,
                               bool *changed, tr_error *error);
// Remembers an object as it is now without looking: it was touched.
TR_API tr_status tr_sight_touch(tr_sight *sight, uint32_t object, double time, tr_error *error);

// The scene as it is remembered, with the numbers of the true scene. Objects of unknown place are tagged
// TR_TAG_UNKNOWN: leave them out with `exclude_tags`. It belongs to the sight and shares the meshes of the
// true scene.
TR_API const tr_scene *tr_sight_scene(const tr_sight *sight);

typedef struct tr_sight_memory {
    bool known;     // it is believed to be somewhere
    bool seen;      // it was seen or touched; false: known from the beginning, or never noticed
    double seen_at; // when that was last
} tr_sight_memory;
TR_API tr_sight_memory tr_sight_recall(const tr_sight *sight, uint32_t object);

// What was seen by the last look: the distance and the object of each pixel, and the camera (may be NULL).
// Zero before the first look; valid until the next one.
TR_API tr_depth_map tr_sight_map(const tr_sight *sight, tr_depth_camera *camera);

TR_END_DECLARATIONS
