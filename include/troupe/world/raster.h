// troupe/world/raster.h - turns the triangles of a scene into cells.
//
// One interface, two back ends. `soft` is our own SIMD rasteriser and is always there; `gl` draws with
// OpenGL 4.5 on graphics hardware without a window. A rasteriser knows triangles, grids and heights, and
// nothing of characters.
//
// Here: the occupancy of a height band. voxels.h asks the same rasterisers for slices of the whole scene,
// depth.h for what a camera sees of it.
#pragma once
#include "troupe/base/tasks.h"
#include "troupe/world/grid.h"
#include "troupe/world/scene.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_raster_backend { TR_RASTER_SOFT, TR_RASTER_GL } tr_raster_backend;

typedef struct tr_raster tr_raster;

typedef struct tr_raster_def {
    tr_raster_backend backend;
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks; // NULL: one thread. `soft` splits large scenes among the team; the cells are the same
    uint32_t lanes;  // SIMD width of `soft`: 0 the widest this processor has, 4 or 8; the cells are the same
} tr_raster_def;

// Which part of the scene is drawn: what lies between two heights and is not left out by its tags.
typedef struct tr_raster_band {
    float low, high;         // [m, low <= high]: geometry outside does not count, geometry on the border does
    uint32_t exclude_tags;   // objects with any of these tags are left out
    uint32_t exclude_object; // and this one (a character does not avoid itself); TR_NONE for none
} tr_raster_band;

// How wide a border two back ends, or a back end and exact arithmetic, may disagree on: a cell that no
// geometry touches may be set when geometry comes within this distance [cells] of it. A cell that geometry
// touches is always set. 2^-8 up to 8192 cells a side, in proportion above.
TR_API float tr_raster_slack(const tr_grid *grid);

// What to draw and where to put it. The planes must have the grid's size; those not wanted are NULL.
typedef struct tr_raster_request {
    const tr_scene *scene;
    tr_grid grid;
    tr_raster_band band;
    tr_cells region; // only these cells are cleared and drawn; tr_grid_all() for all
    // Set where geometry of the band touches the cell.
    tr_bitmap *occupied;
    // Set where geometry of the band comes nearer than `radius` [m, >= 0] to some point of the cell, as
    // graphics hardware can tell while it draws: primitives are widened by the radius (Kuffner 1998, 6.1).
    // `gl` only: `soft` returns TR_UNAVAILABLE, because growing the finished bits is cheaper there
    // (tr_occupancy does it).
    tr_bitmap *widened;
    float radius;
    // Row by row, columns * rows floats [m]. The highest point at or below `split` and the lowest at or above
    // it, of the geometry of the band inside the cell; -INFINITY and +INFINITY where there is none. Both or
    // neither.
    float *floor, *overhang;
    float split; // [m, within the band]
} tr_raster_request;

// TR_UNAVAILABLE, with the reason, when `gl` cannot be had; the caller may then ask for `soft`.
TR_API tr_status tr_raster_create(const tr_raster_def *def, tr_raster **raster, tr_error *error);
TR_API void tr_raster_destroy(tr_raster *raster); // NULL is allowed
TR_API tr_raster_backend tr_raster_which(const tr_raster *raster);
// "soft (8 lanes)", or "gl (...)" with the renderer's own name. Valid as long as the rasteriser.
TR_API const char *tr_raster_name(const tr_raster *raster);

// Make room for all scenes up to this one's size (and `gl`: copy its meshes to the card), so that drawing
// allocates nothing. Called by tr_raster_draw when needed; call it yourself to choose the moment.
TR_API tr_status tr_raster_prepare(tr_raster *raster, const tr_scene *scene, const tr_grid *grid,
                                   tr_error *error);

// Draw and wait for the result. Cells outside the region are left as they are. TR_INVALID for a request that
// breaks a rule above: nothing is drawn. A scene that was prepared is drawn without allocating.
TR_API tr_status tr_raster_draw(tr_raster *raster, const tr_raster_request *request, tr_error *error);

// The same in two halves, so that the program can do other work while the card draws and sends the cells
// back. Up to TR_RASTER_IN_FLIGHT requests may be submitted before the oldest is collected (TR_LIMIT beyond);
// collect finishes the oldest and writes its planes, which must live until then. `soft` draws in submit.
#define TR_RASTER_IN_FLIGHT 3
TR_API tr_status tr_raster_submit(tr_raster *raster, const tr_raster_request *request, tr_error *error);
TR_API tr_status tr_raster_collect(tr_raster *raster, tr_error *error); // TR_DONE when nothing is in flight

TR_END_DECLARATIONS
