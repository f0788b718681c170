// troupe/world/ground.h - the walkable world: where bodies of each size can stand, which places are
// connected, and how high the floor is.
//
// A ground is a surface of storeys (Bandi & Thalmann 1998) that follows the scene: an update rebuilds only
// what lies around the objects that moved. For each size of bodies it knows which cells are free, which are
// connected, and a mesh: the free cells of a tile divided into rectangles, with portals between them.
#pragma once
#include "troupe/world/surface.h"

TR_BEGIN_DECLARATIONS

// The measures that decide where a body can go. tr_ground_body_of_height() returns those of people. Two cells
// lead to each other if their floors differ by at most `foot_rise`, wherever in the cells the step is made,
// and both have head room. A body can leap across a gap, or over an obstacle that is no higher than half of
// `foot_rise`. It leaps along x or z, in both directions, if the cells on both sides are at most `foot_span`
// apart (from middle to middle). It keeps its radius from every higher obstacle that it cannot step onto.
typedef struct tr_ground_body {
    float height;    // required head room [m, > 0]
    float radius;    // distance from its cell to every cell that it cannot step to [m, >= 0]; 0: no border
    float foot_span; // longest step [m, > 0]
    float foot_rise; // highest step up or down [m, >= 0, < height]
} tr_ground_body;
TR_API tr_ground_body tr_ground_body_of_height(float height); // radius 0.3 m

// A connection between two places that the geometry does not show.
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
    bool closed; // not usable now, such as a locked door
    float cost;  // as metres of level ground [m, >= 0]
} tr_ground_link;
#define TR_GROUND_LINKS_MAX 255

// Start from tr_ground_def_default().
typedef struct tr_ground_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_box area;                   // where bodies walk; empty: the scene's bounds. Its height always follows
                                   // the scene
    float cell;                    // [m, > 0], 0.05
    float layer;                   // height of a voxel of the slicer [m, > 0], 0.05
    float slope;                   // steepest plane to stand on [rad], 45 degrees
    bool guess;                    // recognise furniture, which bodies do not stand on (see tr_surface_def)
    // A patch is furniture if only rises above this lead to it [m]. 0: 0.25; a patch from which a further
    // rise leads on is then a step if that rise is at most the highest foot_rise of all sizes, up to 0.4
    // (actors climb steep stairs, but no low tables).
    float guess_rise;
    uint32_t exclude_tags; // ignore objects with any of these tags
    uint64_t max_columns;  // 0: TR_GRID_CELLS_DEFAULT_MAX
} tr_ground_def;
TR_API tr_ground_def tr_ground_def_default(void);

typedef struct tr_ground tr_ground;
// Builds the ground. Reads the scene, but does not keep it.
TR_API tr_status tr_ground_create(const tr_ground_def *def, tr_raster *raster, const tr_scene *scene,
                                  tr_ground **ground, tr_error *error);
TR_API void tr_ground_destroy(tr_ground *ground); // NULL is allowed
// Updates cells, borders and regions around the objects that moved, for every size. The result is the same,
// bit for bit, as that of a new ground. Objects in `exclude` (may be NULL; one bit for each object,
// `exclude_count` bits) are ignored: use it for objects whose motion is in a timeline. After a failure the
// ground is unchanged, and the next update catches up.
TR_API tr_status tr_ground_update(tr_ground *ground, tr_raster *raster, const tr_scene *scene,
                                  const uint64_t *exclude, uint32_t exclude_count, tr_error *error);
// The columns that the last update changed, as rectangles that do not overlap; none if nothing moved.
#define TR_GROUND_CHANGES_MAX 32
TR_API const tr_cells *tr_ground_changes(const tr_ground *ground, uint32_t *count);
TR_API uint64_t tr_ground_revision(const tr_ground *ground); // grows with every change, links included
TR_API const tr_surface *tr_ground_surface(const tr_ground *ground);
TR_API uint64_t tr_ground_bytes(const tr_ground *ground);

// Adds a size: the free cells, borders and regions of all bodies with these measures. Sizes are numbered from
// 0, the same body always gets the same number, and sizes cannot be removed. TR_LIMIT: more than
// TR_GROUND_SIZES_MAX.
#define TR_GROUND_SIZES_MAX 64
TR_API tr_status tr_ground_add_size(tr_ground *ground, const tr_ground_body *body, uint32_t *size,
                                    tr_error *error);
TR_API const tr_ground_body *tr_ground_size(const tr_ground *ground, uint32_t size); // NULL: no such size

// Replaces all links. TR_INVALID: an end of a link has no floor below it; the error names the link.
TR_API tr_status tr_ground_set_links(tr_ground *ground, const tr_ground_link *links, uint32_t count,
                                     tr_error *error);
TR_API tr_status tr_ground_close_link(tr_ground *ground, uint32_t link, bool closed);
TR_API const tr_ground_link *tr_ground_links(const tr_ground *ground, uint32_t *count);

// --- Places ---

// Why a body cannot stand at a point.
typedef enum tr_ground_why {
    TR_GROUND_FREE,     // a body can stand there
    TR_GROUND_OUTSIDE,  // outside the area
    TR_GROUND_NO_FLOOR, // nothing to stand on below or near
    TR_GROUND_INSIDE,   // inside an object
    TR_GROUND_LOW,      // too little head room
    TR_GROUND_NARROW,   // closer to an obstacle or an edge than the radius
} tr_ground_why;
typedef struct tr_ground_place {
    uint32_t cell;    // of the surface; TR_NONE: none
    tr_vec3 position; // on the floor
    uint32_t region;  // see tr_ground_connected; TR_NONE: not free
    tr_ground_why why;
    uint32_t object; // TR_GROUND_INSIDE: the object that encloses the point; TR_NONE: unknown
} tr_ground_place;
// Returns where a body of this size stands at `point`: on the highest floor at or below point.y + `rise` that
// has room for it there or nearby (the top of a lamp is no floor). If it cannot stand there, `why` is the
// reason and `cell` the floor that it would stand on, if any. This function and those below only read: any
// number of threads may call them.
TR_API tr_ground_place tr_ground_drop(const tr_ground *ground, uint32_t size, tr_vec3 point, float rise);
// Returns the floor nearest to the height point.y in the column of the point, above or below.
TR_API tr_ground_place tr_ground_level(const tr_ground *ground, uint32_t size, tr_vec3 point);
// Returns the free place nearest to the point, by straight distance, within `reach` [m]; cell TR_NONE: none.
TR_API tr_ground_place tr_ground_nearest(const tr_ground *ground, uint32_t size, tr_vec3 point, float reach);
// If a place that is not free is inside an object of the scene, sets `why` and `object` accordingly. Visits
// the triangles of all objects whose box contains the point, so call it only to explain a failure.
TR_API void tr_ground_look_inside(const tr_scene *scene, tr_vec3 point, tr_ground_place *place);
// Writes a sentence: "(3, 0, 4) is inside an obstacle (object 12); the nearest room is at (3.4, 0, 4.1)".
TR_API void tr_ground_explain(const tr_ground *ground, uint32_t size, tr_vec3 point,
                              const tr_ground_place *place, char *text, size_t text_size);

// Returns whether bodies of this size can get from one place to the other, including by open links. Compares
// labels, without a search. A one-way link counts as if it led both ways. false if one of the places is not
// free.
TR_API bool tr_ground_connected(const tr_ground *ground, uint32_t size, const tr_ground_place *from,
                                const tr_ground_place *to);
// Returns whether the floor at the point, within foot_rise of point.y, is free for this size. Fast: planners
// call it thousands of times. `height` (may be NULL) receives the height of the floor.
TR_API bool tr_ground_is_free(const tr_ground *ground, uint32_t size, tr_vec3 point, float *height);
// Returns whether a whole rectangle has a single floor to stand on, at the same height everywhere; `height`
// receives that height. Use it as a fast test before you query many points; false may also mean "unknown".
TR_API bool tr_ground_is_even(const tr_ground *ground, tr_vec2 min, tr_vec2 max, float *height);
// Returns the height of the floor nearest to point.y, within `rise` of it [m]; NAN: there is none.
TR_API float tr_ground_height(const tr_ground *ground, tr_vec3 point, float rise);
// The same between cells. A cell has the height of its highest point, so a slope is a staircase of cells.
// This function returns the slope itself: on a plane of up to 26 degrees, for cells of 5 cm, it is exact to
// the resolution of heights, across an edge between two planes to a quarter of a cell's rise. Steps stay
// steps.
TR_API float tr_ground_smooth_height(const tr_ground *ground, tr_vec3 point, float rise);
// Returns how far the middle of a body can move from a point in a direction (of length 1, seen from above)
// over free floor near point.y [m]: in steps of TR_GROUND_ROOM_STEP, or `most` if nothing stops it before.
#define TR_GROUND_ROOM_STEP 0.0125f
TR_API float tr_ground_room(const tr_ground *ground, uint32_t size, tr_vec3 point, tr_vec2 direction,
                            float most);
// Returns whether a body of this size can go straight from one point to the other, over free cells that lead
// to each other without a gap. The points are on the floor (within foot_rise of it). A line that passes the
// corner of a cell at less than 1/128 of a cell may pass it on either side.
TR_API bool tr_ground_sees(const tr_ground *ground, uint32_t size, tr_vec3 from, tr_vec3 to);

TR_END_DECLARATIONS
