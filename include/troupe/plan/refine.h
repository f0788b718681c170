// troupe/plan/refine.h - a route through passages that a coarse map closes: uses finer cells where they are
// needed, and only there.
//
// The coarse map is built as a whole and searched. Where it has no route, its cells are halved, up to a given
// number of times. A finer cell is projected and grown only where the most promising path leads through cells
// that are blocked on the coarser map. A cell that is free on a coarse map is free on every finer one (safe
// growth), so free cells are copied without examination. The answer is that of a map made of the finest cells
// throughout.
#pragma once
#include "troupe/plan/route.h"
#include "troupe/world/occupancy.h"

TR_BEGIN_DECLARATIONS

#define TR_REFINE_LEVELS_MAX 6

typedef struct tr_refine_def {
    const tr_allocator *allocator; // NULL: malloc
    // The coarse map: grid, band and radius. Growth must be TR_GROWTH_SAFE. keep_heights and keep_clearance
    // are ignored. max_cells applies to the finest map.
    tr_occupancy_def occupancy;
    uint32_t levels;        // number of times that cells may be halved [0, TR_REFINE_LEVELS_MAX]
    tr_route_params params; // reach, budget and listener are not used
    // A route is good enough if it is at most this many times as long as it would be if all unexamined cells
    // were free [>= 1]. INFINITY: any route is good enough.
    float stretch;
} tr_refine_def;

// Defaults: 2 levels, jump-point search, any route is good enough.
TR_API tr_refine_def tr_refine_def_default(const tr_occupancy_def *occupancy);

typedef struct tr_refine tr_refine;

// Allocates all memory: about 40 bytes for each cell of the finest map, nearly all of them for the search.
// TR_LIMIT, with the numbers, when that map would be too large.
TR_API tr_status tr_refine_create(const tr_refine_def *def, tr_refine **refine, tr_error *error);
TR_API void tr_refine_destroy(tr_refine *refine); // NULL is allowed

// Finds a route between two points in the present scene. Projected cells are kept while the scene does not
// change, so that the next call has less to do. No allocation, except for what tr_occupancy_update and the
// rasteriser need after a change. Returns
//   TR_OK         a route was found
//   TR_NOT_FOUND  there is none on the finest map (or start or goal are not free there)
//   TR_INVALID    start or goal are outside the map or NaN
// or the status of the rasteriser.
TR_API tr_status tr_refine_find(tr_refine *refine, tr_raster *raster, const tr_scene *scene, tr_vec2 start,
                                tr_vec2 goal, tr_error *error);

// The last result, valid until the next call.
typedef struct tr_refine_result {
    uint32_t level;          // number of times that cells were halved
    const tr_route_map *map; // the map of that level: for tr_line_of_sight_pull, pictures, node numbers
    const uint32_t *cells;   // from start to goal
    uint32_t cell_count;
    double length;      // of the path through the centres [m]
    uint32_t searches;  // made by the last find
    uint64_t projected; // cells of all finer maps projected since the scene changed
    uint64_t whole;     // cells of the finest map
} tr_refine_result;
TR_API tr_refine_result tr_refine_last(const tr_refine *refine);

TR_END_DECLARATIONS
