// Where a moving object is during each slot of time, as cells in which a disc touches it, for each band of
// heights. Internal.
//
// Nothing that the object passes between two moments of a slot is missed: it is placed so often that no point
// of it moves further than half a cell or an eighth of the disc in between, and grown by half of that. Over a
// cell the object counts as solid from its lowest point to its highest during the slot.
#pragma once
#include "behavior_terrain.h"

// Receives the cells that an object blocks in the slots [first, last). `cells` has the size of `window` and
// is valid during the call. Slots come in rising order, and bands within them.
typedef struct behavior_sweep_sink {
    tr_status (*take)(void *user, uint32_t band, uint32_t first, uint32_t last, tr_cells window,
                      const tr_bitmap *cells);
    void *user;
} behavior_sweep_sink;

typedef struct behavior_sweep_def {
    tr_allocator allocator;
    const behavior_terrain_def *terrain_def; // grid, bands, radius and step
    const behavior_terrain *terrain;
    double begin; // of slot 0 [s of the scene]
    double slot;  // length of a slot [s]
} behavior_sweep_def;

// The slots [from, to) of an object that has a trajectory.
tr_status tr_behavior_sweep_known(const behavior_sweep_def *def, const tr_scene *scene, uint32_t object,
                                  uint32_t from, uint32_t to, const behavior_sweep_sink *sink,
                                  tr_error *error);

// The slots [from, to) of an object without one, which is where it is when slot `from` begins: it goes on at
// `velocity` [m/s] for `known` slots, and might be `doubt` metres elsewhere after each second; its place now
// counts as occupied until then. Afterwards it is nowhere. With known 0 it rests where it is.
typedef struct behavior_guess {
    tr_vec3 velocity;
    float doubt;
    uint32_t known;
} behavior_guess;
tr_status tr_behavior_sweep_guessed(const behavior_sweep_def *def, const tr_scene *scene, uint32_t object,
                                    uint32_t from, uint32_t to, const behavior_guess *guess,
                                    const behavior_sweep_sink *sink, tr_error *error);
