// troupe/world/ground.h - the one walkable world: where bodies of each size can stand, what is connected
// with what, and how high the floor is.
//
// A ground is a surface of storeys (Bandi & Thalmann 1998) that follows the scene: an update redoes what lies
// around the objects that moved, and nothing else. For each size of bodies it knows which cells are free,
// what is connected, and a mesh: the free cells of a tile cut into rectangles, with portals between them.
#pragma once
#include "troupe/world/surface.h"

TR_BEGIN_DECLARATIONS

// What decides where a body can go. tr_ground_body_of_height() gives those of people. Two cells lead to each
// other when their floors are no further apart than `foot_rise`, wherever in the cells the step is made, and
// the height is free over both. Across a gap or over something low one can leap along x or z, both ways, when
// the cells on both sides are no further apart than `foot_span` (from middle to middle).
typedef struct tr_ground_body {
    float height;    // head room it needs [m, > 0]
    float radius;    // kept between its cell and every cell that cannot be stepped to [m, >= 0]; 0: no border
    float foot_span; // furthest a foot is put ahead in one step [m, > 0]
    float foot_rise; // highest step up or down [m, >= 0, < height]
} tr_ground_body;
TR_API tr_ground_body tr_ground_body_of_height(float height); // radius 0.3 m

// A way between two places that walking does not explain.
typedef enum tr_ground_link_kind {
    TR_GROUND_DOOR = 1,
    TR_GROUND_LIFT = 2,
    TR_GROUND_LADDER = 4,
    TR_GROUND_OTHER = 8
} tr_ground_link_kind;
typedef struct tr_ground_link {
    tr_ground_link_kind kind;
    tr_vec3 from, to; // dropped onto the surface
    bool both_ways;
    bool closed; // not to be used now: a locked door
    float cost;  // as if it were so many metres of level ground [m, >= 0]
} tr_ground_link;
#define TR_GROUND_LINKS_MAX 255

// Start from tr_ground_def_default().
typedef struct tr_ground_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_box area;                   // of the world that is walked on; empty: the scene's bounds. It is made
                                   // as low and as high as the scene is
    float cell;                    // [m, > 0], 0.05
    float layer;                   // height of a voxel of the slicer [m, > 0], 0.05
    float slope;                   // steepest plane that can be stood on [rad], 45 degrees
    bool guess;                    // furniture is not for standing on, by guess (see tr_surface_def)
    float guess_rise;              // a rise above this leads to furniture [m]; 0: 0.25, and where a further
                                   // rise leads on, the highest foot_rise of all sizes up to 0.4 (steep
                                   // stairs are walked up, low tables are not walked over)
    uint32_t exclude_tags;         // objects with any of these are not there
    uint64_t max_columns;          // 0: TR_GRID_CELLS_DEFAULT_MAX
} tr_ground_def;
TR_API tr_ground_def tr_ground_def_default(void);

typedef struct tr_ground tr_ground;
// Builds everything. The scene is read, not kept.
TR_API tr_status tr_ground_create(const tr_ground_def *def, tr_raster *raster, const tr_scene *scene,
                                  tr_ground **ground, tr_error *error);
TR_API void tr_ground_destroy(tr_ground *ground); // NULL is allowed
// Take over what moved since the last time: cells, borders and regions around it, for every size. The result
// is the same, bit for bit, as that of a new ground. Objects in `exclude` (may be NULL; one bit an object,
// `exclude_count` bits) are not there: those whose motion somebody else accounts for. When it fails the
// ground is as it was and the next update does it all.
TR_API tr_status tr_ground_update(tr_ground *ground, tr_raster *raster, const tr_scene *scene,
                                  const uint64_t *exclude, uint32_t exclude_count, tr_error *error);
// The columns in which the last update changed something, as rectangles that do not overlap; none when
// nothing moved.
#define TR_GROUND_CHANGES_MAX 32
TR_API const tr_cells *tr_ground_changes(const tr_ground *ground, uint32_t *count);
TR_API uint64_t tr_ground_revision(const tr_ground *ground); // grows with every change, links included
TR_API const tr_surface *tr_ground_surface(const tr_ground *ground);
TR_API uint64_t tr_ground_bytes(const tr_ground *ground);

// A size: the free cells, borders and regions of all bodies with these measures. Numbered from 0 on, the same
// number for the same body; never given back. TR_LIMIT: more than TR_GROUND_SIZES_MAX.
#define TR_GROUND_SIZES_MAX 64
TR_API tr_status tr_ground_add_size(tr_ground *ground, const tr_ground_body *body, uint32_t *size,
                                    tr_error *error);
TR_API const tr_ground_body *tr_ground_size(const tr_ground *ground, uint32_t size); // NULL: no such size

// Replaces all links; TR_INVALID names the one whose end has no floor below. Open or close one at any time.
TR_API tr_status tr_ground_set_links(tr_ground *ground, const tr_ground_link *links, uint32_t count,
                                     tr_error *error);
TR_API tr_status tr_ground_close_link(tr_ground *ground, uint32_t link, bool closed);
TR_API const tr_ground_link *tr_ground_links(const tr_ground *ground, uint32_t *count);

// --- Places ---

// Why somebody cannot stand at a point.
typedef enum tr_ground_why {
    TR_GROUND_FREE,     // it can
    TR_GROUND_OUTSIDE,  // outside the area
    TR_GROUND_NO_FLOOR, // nothing to stand on below or near
    TR_GROUND_INSIDE,   // inside an object
    TR_GROUND_LOW,      // too little head room
    TR_GROUND_NARROW,   // nearer to an obstacle or an edge than its radius
} tr_ground_why;
typedef struct tr_ground_place {
    uint32_t cell;    // of the surface; TR_NONE: none
    tr_vec3 position; // on the floor
    uint32_t region;  // see tr_ground_connected; TR_NONE: not free
    tr_ground_why why;
    uint32_t object; // TR_GROUND_INSIDE: which, TR_NONE where that is not known
} tr_ground_place;
// Where a body of this size stands at `point`: on the highest floor no higher than point.y + `rise` that has
// room for it there or nearby (the top of a lamp is no floor). `why` says what is wrong when it cannot, and
// `cell` then is the floor that it would stand on, if any.
// Reads only: any number of threads, as do all that follow.
TR_API tr_ground_place tr_ground_drop(const tr_ground *ground, uint32_t size, tr_vec3 point, float rise);
// The floor nearest to the height point.y in the column of the point, above or below.
TR_API tr_ground_place tr_ground_level(const tr_ground *ground, uint32_t size, tr_vec3 point);
// The free place nearest to the point, by straight distance, within `reach` [m]; cell TR_NONE: none.
TR_API tr_ground_place tr_ground_nearest(const tr_ground *ground, uint32_t size, tr_vec3 point, float reach);
// Is a place that is not free inside an object of the scene? Then `why` and `object` say so from now on.
// Walks the triangles of objects whose box holds the point: for answers to "why not".
TR_API void tr_ground_look_inside(const tr_scene *scene, tr_vec3 point, tr_ground_place *place);
// As a sentence: "(3, 0, 4) is inside an obstacle (object 12); the nearest room is at (3.4, 0, 4.1)".
TR_API void tr_ground_explain(const tr_ground *ground, uint32_t size, tr_vec3 point,
                              const tr_ground_place *place, char *text, size_t text_size);

// Can bodies of this size get from one place to the other, open links included? Labels that are kept up to
// date: no search. A link that leads one way counts as if it led both. false where one of them is not free.
TR_API bool tr_ground_connected(const tr_ground *ground, uint32_t size, const tr_ground_place *from,
                                const tr_ground_place *to);
// Is the floor at the point, near the height point.y (within foot_rise), free for this size? The quick
// question that planners ask thousands of times. `height` (may be NULL) gets that of the floor.
TR_API bool tr_ground_is_free(const tr_ground *ground, uint32_t size, tr_vec3 point, float *height);
// Is there one floor to stand on under all of a rectangle, at the same height everywhere? Gives that height.
// The quick question before many points are asked: false may also mean that only they can tell.
TR_API bool tr_ground_is_even(const tr_ground *ground, tr_vec2 min, tr_vec2 max, float *height);
// The height of the floor nearest to point.y, within `rise` of it [m]; NAN where there is none.
TR_API float tr_ground_height(const tr_ground *ground, tr_vec3 point, float rise);
// How far the middle of a body can be moved from a point into a direction (a vector of length 1, seen from
// above) over free floor near the height point.y: in steps of TR_GROUND_ROOM_STEP, `most` at least where
// nothing ends it before [m].
#define TR_GROUND_ROOM_STEP 0.1f
TR_API float tr_ground_room(const tr_ground *ground, uint32_t size, tr_vec3 point, tr_vec2 direction,
                            float most);
// Can a body of this size go straight from one point to the other, over free cells that lead one to the next
// without a gap? Points are on the floor (within foot_rise of it). A line that comes nearer to the corner of
// a cell than 1/128 of a cell may pass it on either side.
TR_API bool tr_ground_sees(const tr_ground *ground, uint32_t size, tr_vec3 from, tr_vec3 to);

TR_END_DECLARATIONS
