// plan/behavior/behavior_terrain_job.h - what the sources of the terrain share while it is made. Internal.
#pragma once
#include "behavior_terrain.h"
#include "world/surface/surface_data.h"

#define BEHAVIOR_NOT_REACHED 255 // of `steps`

typedef struct terrain_job {
    const behavior_terrain_def *def;
    behavior_terrain *terrain;
    tr_surface *surface;
    tr_voxels voxels;
    uint32_t cells;
    uint32_t *queue;   // `queue_room`: floors that are stood on, taken first
    size_t queue_room; // a cell is reached once, and once more by climbing
    uint32_t *carried; // `cells`: floors that continue
    uint8_t *steps;    // since the last floor that was stood on; 255: not reached
    float *scratch;    // `cells`
    uint8_t steps_most;
} terrain_job;

typedef struct flood_queues {
    uint32_t begin, end;                 // of the queue
    uint32_t carried_begin, carried_end; // of the queue of floors that continue
} flood_queues;

// The floor of a column that is nearest to a height and within a rise of it; NAN: none.
float tr_behavior_terrain_floor(const terrain_job *job, uint32_t cell, float height, float step);
bool tr_behavior_terrain_is_free(const terrain_job *job, uint32_t cell, uint32_t band, float floor,
                                 bool has_floor);
bool tr_behavior_terrain_is_any_free(const terrain_job *job, uint32_t cell, float floor, bool has_floor);
// Spreads from all cells in the queues.
void tr_behavior_terrain_flood(terrain_job *job, flood_queues *flood);
// Goes on to floors that are reached by climbing.
tr_status tr_behavior_terrain_climb(terrain_job *job, flood_queues *flood, tr_error *error);
