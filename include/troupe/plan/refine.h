// troupe/plan/refine.h - a route through passages that a coarse map closes: finer cells where they are
// needed, and only there.
//
// The coarse map is made whole and searched. Where it has no route, its cells are halved, up to a given
// number of times; a finer cell is projected and grown only where the most promising way leads through cells
// that the coarser map holds to be blocked. What is free on a coarse map is free on every finer one (safe
// growth), so that is taken over without a look. The answer is that of a map made of the finest cells
// throughout.
#pragma once
#include "troupe/plan/route.h"
#include "troupe/world/occupancy.h"

TR_BEGIN_DECLARATIONS

#define TR_REFINE_LEVELS_MAX 6

typedef struct tr_refine_def {
    const tr_allocator *allocator; // NULL: malloc
    // The coarse map: grid, band and radius. Growth must be TR_GROWTH_SAFE; keep_heights and keep_clearance
    // do not count, max_cells holds for the finest map.
    tr_occupancy_def occupancy;
    uint32_t levels;        // how often cells may be halved [0, TR_REFINE_LEVELS_MAX]
    tr_route_params params; // reach, budget and listener are not used
    // When a route is good enough: not longer than this times the length it would have if all that has not
    // been looked at were free [>= 1]. INFINITY: any route is.
    float stretch;
} tr_refine_def;

// 2 levels, jump-point search, any route is good enough.
TR_API tr_refine_def tr_refine_def_default(const tr_occupancy_def *occupancy);

typedef struct tr_refine tr_refine;

// Takes all memory here: for each cell of the finest map about 40 bytes, nearly all of them the search's.
// TR_LIMIT, with the numbers, when that map would be too large.
TR_API tr_status tr_refine_create(const tr_refine_def *def, tr_refine **refine, tr_error *error);
TR_API void tr_refine_destroy(tr_refine *refine); // NULL is allowed

// A route between two points over the scene as it is now. What was projected is kept while the scene does not
// change, so that the next call has less to do. No allocation, but for what tr_occupancy_update and the
// rasteriser need after a change. Returns
//   TR_OK         the route is there
//   TR_NOT_FOUND  there is none on the finest map (or start or goal are not free there)
//   TR_INVALID    start or goal are outside the map or NaN
// or what the rasteriser returned.
TR_API tr_status tr_refine_find(tr_refine *refine, tr_raster *raster, const tr_scene *scene, tr_vec2 start,
                                tr_vec2 goal, tr_error *error);

// The last result; valid until the next call.
typedef struct tr_refine_result {
    uint32_t level;          // how often cells were halved
    const tr_route_map *map; // the map of that level: for tr_line_of_sight_pull, pictures, node numbers
    const uint32_t *cells;   // from start to goal
    uint32_t cell_count;
    double length;      // of the path through the centres [m]
    uint32_t searches;  // made by the last find
    uint64_t projected; // cells of all finer maps that were projected since the scene changed
    uint64_t whole;     // cells of the finest map
} tr_refine_result;
TR_API tr_refine_result tr_refine_last(const tr_refine *refine);

TR_END_DECLARATIONS
