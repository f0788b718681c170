// troupe/plan/behavior_map.h - the environment E(t) of a behavior planner: for each band of heights, where
// and when a disc touches nothing (Lau & Kuffner 2005, 3.2).
//
// Static obstacles are bits for each cell and band. Moving objects and other characters are bits for each
// cell and slot of time, in tiles that exist only where something moves. Obstacles are grown by the radius of
// the machine, so that a disc is a point.
//
// Conservative: a body that is in a free cell at each of its discs touches nothing at any time in between, if
// each disc is free from the frame of the discs before to that of the discs after.
#pragma once
#include "troupe/plan/behavior.h"
#include "troupe/world/raster.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_behavior_map_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_grid grid;                  // cells of 0.1 to 0.5 m serve well
    const tr_behavior *behavior;   // its bands, radius and frame rate; must outlive the map
    uint32_t slot_frames;          // length of a slot [frames of the machine]; 0: a tenth of a second
    double seconds; // how far ahead motions are known; moving objects rest afterwards [s]; 0: 60
    float slack;    // additional distance from people [m, >= 0]
} tr_behavior_map_def;
#define TR_BEHAVIOR_SLOTS_MAX 65000

typedef struct tr_behavior_map tr_behavior_map;

// Creates a map on which everything is free and the floor is at height 0.
TR_API tr_status tr_behavior_map_create(const tr_behavior_map_def *def, tr_behavior_map **map,
                                        tr_error *error);
TR_API void tr_behavior_map_destroy(tr_behavior_map *map); // NULL is allowed
TR_API const tr_grid *tr_behavior_map_grid(const tr_behavior_map *map);
// Returns the first frame that is beyond what the map knows.
TR_API uint32_t tr_behavior_map_end(const tr_behavior_map *map);
TR_API uint64_t tr_behavior_map_bytes(const tr_behavior_map *map);

// --- Static obstacles and the floor ---
// Replaces the static obstacles of a band by the cells that `occupied` has, grown by the radius of the
// machine.
TR_API tr_status tr_behavior_map_set(tr_behavior_map *map, uint32_t band, const tr_bitmap *occupied,
                                     tr_error *error);
// Sets the heights of the floor [m], one for each cell, row by row. NULL: 0 everywhere.
TR_API tr_status tr_behavior_map_set_heights(tr_behavior_map *map, const float *heights, tr_error *error);

// --- Scenes ---
// A scene to take everything from: the floor, the static obstacles of each band, and objects that move.
typedef struct tr_behavior_scene {
    const tr_scene *scene;
    tr_raster *raster;
    double time; // of the scene at frame 0 [s]
    // Places on the floor: where characters start. The rest of the floor is what can be reached from there.
    const tr_vec3 *floors;
    uint32_t floor_count;
    // Rises up to this belong to the floor, and things up to this are no obstacle [m, >= 0]; 0: 0.15.
    float step;
    // For updates: how fast an object whose motion is guessed grows [m/s, >= 0]; 0: 0.3. How long its motion
    // is guessed [s, >= 0]; 0: 2.
    float doubt;
    double doubt_seconds;
} tr_behavior_scene;

// Replaces static obstacles, heights and moving objects by those of the scene; people stay.
//
// The floor spreads from `floors` over all cells that small rises and slopes join. Under what can be jumped
// over or crawled under, and across ditches, it continues at the same height. What is above the floor by more
// than `step`, and between the heights of a band, is an obstacle of that band; so are, in each band that
// begins below `step`, places without a floor. Cells that cannot be reached in any band are blocked in all.
//
// An object that has a trajectory blocks, in each slot, the cells that it touches at any time of that slot;
// it counts as solid from its lowest to its highest point over each cell. So a tree is an obstacle in every
// band while it falls, and on the ground one that can be jumped over. Objects tagged TR_TAG_CHARACTER are
// left out.
//
// TR_NOT_FOUND: none of `floors` has a floor within `step`; the error says why for the first of them.
// TR_INVALID: a number is out of range. TR_LIMIT: too many cells for the height of the scene. On failure the
// map is unchanged, or, for TR_OUT_OF_MEMORY, without objects. The scene is not kept.
TR_API tr_status tr_behavior_map_build(tr_behavior_map *map, const tr_behavior_scene *from, tr_error *error);

// What an update changed. Plans in these cells and frames have to be checked again.
typedef struct tr_behavior_change {
    tr_cells cells;       // empty: nothing changed
    uint32_t first, last; // frames; last is UINT32_MAX: for ever
    bool blocks;          // something that was free is blocked now; otherwise plans stay good
} tr_behavior_change;

// Brings the map up to date with the scene as it is at `frame` [not before that of the last update]. Call it
// whenever objects may have done what nobody knew.
//
// An object without a trajectory that moved since the build or the last update is expected to go on like that
// for doubt_seconds; during that time it may be `doubt` further away after each second, and its place now
// counts as occupied, too. Afterwards it is nowhere. When it has stopped, it rests. A new trajectory of an
// object replaces its motion from this frame on. Every other change, such as an object that moves for the
// first time, is removed or is added, makes the terrain anew.
//
// `change` (may be NULL) receives what changed. TR_INVALID: the map was not built from a scene, or the frame
// is earlier than the last. After any other failure the map has to be built again.
TR_API tr_status tr_behavior_map_update(tr_behavior_map *map, const tr_behavior_scene *from, uint32_t frame,
                                        tr_behavior_change *change, tr_error *error);

// --- Other characters ---
// Where a body is at a frame, counted from the beginning of the map: within the radius of this point. Several
// at a frame form a long body. Between frames it moves in straight lines, or
// stands until the next one if the discs of the map's machine hold the body.
typedef struct tr_behavior_spot {
    float x, z;
    uint32_t frame; // in rising order
} tr_behavior_spot;
#define TR_BEHAVIOR_BODIES_MAX (1u << 24)

// Adds the motion of a body: it blocks every band within its radius [m, >= 0], the machine's radius and the
// slack. Before its first spot it is nowhere; at the last ones it rests for ever. `body` is any number that
// the caller chooses below TR_BEHAVIOR_BODIES_MAX; numbers should be small, the map has a record for each. A
// motion that it already has is replaced. TR_LIMIT: the motion goes on beyond what the map knows. On failure
// the body has no motion.
TR_API tr_status tr_behavior_map_commit(tr_behavior_map *map, uint32_t body, const tr_behavior_spot *spots,
                                        uint32_t count, float radius, tr_error *error);
// Removes the motion of a body; no effect if it has none.
TR_API void tr_behavior_map_withdraw(tr_behavior_map *map, uint32_t body);
// Removes all bodies, and keeps the memory for others.
TR_API void tr_behavior_map_withdraw_all(tr_behavior_map *map);

// --- Queries: any number of threads, while nothing changes the map ---
// Returns whether a disc at the point touches nothing at the frame, in a band. false outside the grid.
TR_API bool tr_behavior_map_is_free(const tr_behavior_map *map, uint32_t band, tr_vec2 point, uint32_t frame);
// The same for all frames from `first` to `last`; UINT32_MAX: for ever.
TR_API bool tr_behavior_map_is_free_during(const tr_behavior_map *map, uint32_t band, tr_vec2 point,
                                           uint32_t first, uint32_t last);
// Returns whether the point is in a within region: blocked by things in band 0 at that frame, free in `band`.
TR_API bool tr_behavior_map_is_within(const tr_behavior_map *map, uint32_t band, tr_vec2 point,
                                      uint32_t frame);
// Returns the height of the floor in the cell of the point; 0 outside the grid.
TR_API float tr_behavior_map_height(const tr_behavior_map *map, tr_vec2 point);

TR_END_DECLARATIONS
