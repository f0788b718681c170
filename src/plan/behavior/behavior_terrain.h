// What stands still in a scene, for a planner of behaviors: the height of the floor in each cell, and the
// cells in which a disc touches something, for each band of heights. Internal.
#pragma once
#include "troupe/plan/behavior.h"
#include "troupe/world/raster.h"

typedef struct behavior_terrain_def {
    tr_allocator allocator;
    tr_grid grid;
    const tr_behavior_band *bands;
    uint32_t band_count;        // [1, TR_BEHAVIOR_BANDS_MAX]
    float radius;               // of the disc [m, >= 0]
    float step;                 // rises up to this are no obstacle [m, > 0]
    float climb_up, climb_down; // rises that can be climbed [m]; 0: none
    const tr_vec3 *seeds;       // places on the floor [finite]; the floor is what can be reached from them
    uint32_t seed_count;        // [> 0]
    const uint64_t *exclude;    // a bit for each object that is not part of the terrain
    uint32_t exclude_count;     // bits
} behavior_terrain_def;

// The floor of a cell is the highest point of the ground in it. Under an obstacle that can be jumped over or
// crawled under, and over a ditch, it continues from around. Floors at different heights that no rise of
// `step` joins are separate: only those that the seeds lead to count.
typedef struct behavior_terrain {
    float *heights;                            // of the floor [m], row by row; NAN: none that can be reached
    float *lowest, *highest;                   // of the floors within reach of a disc; NAN where heights is
    tr_bitmap occupied[TR_BEHAVIOR_BANDS_MAX]; // geometry in the band above the floor of the cell
    tr_bitmap blocked[TR_BEHAVIOR_BANDS_MAX];  // where the middle of a disc cannot be
} behavior_terrain;

// The heights that count as an obstacle of a band in one cell [m]; low > high: none do.
typedef struct behavior_span {
    float low, high;
} behavior_span;
static inline behavior_span behavior_terrain_span(const behavior_terrain *terrain, size_t cell,
                                                  const tr_behavior_band *band, float step) {
    float low = terrain->lowest[cell] + band->low, floor = terrain->heights[cell] + step;
    behavior_span span = {low > floor ? low : floor, terrain->highest[cell] + band->high};
    return span;
}

// `terrain` is zero or holds an earlier terrain of the same grid and bands, which is replaced. TR_NOT_FOUND:
// no seed has a floor within `step` of its height. TR_LIMIT: the scene is too high for its cells. On failure
// `terrain` keeps what it had.
tr_status tr_behavior_terrain_make(const behavior_terrain_def *def, tr_raster *raster, const tr_scene *scene,
                                   behavior_terrain *terrain, tr_error *error);
void tr_behavior_terrain_free(const tr_allocator *allocator, const tr_grid *grid, behavior_terrain *terrain);
