// troupe/world/raster.h - turns the triangles of a scene into cells.
//
// One interface, two back ends. `soft` is our own SIMD rasteriser and is always available; `gl` draws with
// OpenGL 4.5 on graphics hardware without a window. A rasteriser handles triangles, grids and heights; it
// knows nothing about characters.
//
// This header draws the occupancy of a height band. voxels.h uses the same rasterisers for slices of the
// whole scene, depth.h for depth maps from a camera.
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
    tr_tasks *tasks; // NULL: one thread. `soft` divides large scenes among the team; the cells are the same
    uint32_t lanes; // SIMD width of `soft`: 4, 8, or 0 (the widest of this processor); the cells are the same
} tr_raster_def;

// The part of the scene that is drawn: geometry between two heights whose tags do not exclude it.
typedef struct tr_raster_band {
    float low, high;         // [m, low <= high]: geometry outside does not count, geometry on the border does
    uint32_t exclude_tags;   // ignore objects with any of these tags
    uint32_t exclude_object; // ignore this object (a character does not avoid itself); TR_NONE for none
} tr_raster_band;

// Returns the slack [cells]: how wide a border is in which two back ends, or a back end and exact arithmetic,
// may disagree. A cell that geometry touches is always set. A cell that no geometry touches may be set if
// geometry comes within this distance of it. 2^-8 up to 8192 cells a side, in proportion above.
TR_API float tr_raster_slack(const tr_grid *grid);

// What to draw and where to write it. The planes must have the grid's size; unused ones are NULL.
typedef struct tr_raster_request {
    const tr_scene *scene;
    tr_grid grid;
    tr_raster_band band;
    tr_cells region; // only these cells are cleared and drawn; tr_grid_all() for all
    // A cell is set if geometry of the band touches it.
    tr_bitmap *occupied;
    // A cell is set if geometry of the band comes nearer than `radius` [m, >= 0] to any point of it. Graphics
    // hardware finds this while it draws: primitives are widened by the radius (Kuffner 1998, 6.1). `gl`
    // only: `soft` returns TR_UNAVAILABLE, because growing the finished bits is cheaper there (tr_occupancy
    // does this).
    tr_bitmap *widened;
    float radius;
    // Row by row, columns * rows floats [m]. For the geometry of the band inside the cell: the highest point
    // at or below `split`, and the lowest point at or above it; -INFINITY and +INFINITY if there is none.
    // Give both planes or neither.
    float *floor, *overhang;
    float split; // [m, within the band]
} tr_raster_request;

// TR_UNAVAILABLE: `gl` is not available; the error says why, and the caller may then create `soft`.
TR_API tr_status tr_raster_create(const tr_raster_def *def, tr_raster **raster, tr_error *error);
TR_API void tr_raster_destroy(tr_raster *raster); // NULL is allowed
TR_API tr_raster_backend tr_raster_which(const tr_raster *raster);
// "soft (8 lanes)", or "gl (...)" with the renderer's own name. Valid until the rasteriser is destroyed.
TR_API const char *tr_raster_name(const tr_raster *raster);

// Allocates memory for all scenes up to the size of this one (and, with `gl`, copies its meshes to the card),
// so that drawing allocates nothing. tr_raster_draw calls it when needed; call it yourself to choose the
// moment.
TR_API tr_status tr_raster_prepare(tr_raster *raster, const tr_scene *scene, const tr_grid *grid,
                                   tr_error *error);

// Draws and waits for the result. Cells outside the region are unchanged. TR_INVALID: the request breaks a
// rule above; nothing is drawn. Drawing a prepared scene allocates nothing.
TR_API tr_status tr_raster_draw(tr_raster *raster, const tr_raster_request *request, tr_error *error);

// The same in two halves, so that the program can do other work while the card draws and sends the cells
// back. Up to TR_RASTER_IN_FLIGHT requests may be submitted before the oldest is collected (TR_LIMIT beyond).
// Collect finishes the oldest request and writes its planes, which must stay valid until then. `soft` draws
// in submit.
#define TR_RASTER_IN_FLIGHT 3
TR_API tr_status tr_raster_submit(tr_raster *raster, const tr_raster_request *request, tr_error *error);
TR_API tr_status tr_raster_collect(tr_raster *raster, tr_error *error); // TR_DONE if nothing is in flight

TR_END_DECLARATIONS
