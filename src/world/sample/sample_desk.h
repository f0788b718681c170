// Declarations that the two sources of the sample "desk" share. Internal.
#pragma once
#include "sample_round.h"

// The unfinished desk: first measured at several levels of detail, then built with the one that fits.
typedef struct desk_job {
    sample_builder *builder;
    sample_shape *shape;
    tr_random random;
    uint32_t fine;
    bool measuring;
    uint64_t measured; // triangles
} desk_job;

#define DESK_TOP 1.02f    // height of the desktop [m]
#define DESK_FRONT 0.36f  // its edge towards the person [z, m]
#define DESK_DEPTH 0.76f  // [m]
#define DESK_HALF_X 0.82f // [m]

// Makes an object of the shape, at a place; while measuring, counts its triangles and discards it.
void sample_desk_put(desk_job *job, const char *name, tr_vec3 position, double heading, uint32_t tags);
float sample_desk_random(desk_job *job, float low, float high);
// Turns the parts added from now on about X, in addition to their placement.
void sample_desk_tilt(desk_job *job, double angle);

// The objects on the desk, each an object of its own.
void sample_desk_computer(desk_job *job);
void sample_desk_vessels(desk_job *job);
void sample_desk_clutter(desk_job *job);
