// Walks over random terrain by the footstep window alone, judged by the triangles.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct steps_result {
    uint32_t steps;
    bool arrived, reasoned; // it arrived, or stopped with a reason
    double sole;            // deepest point of a sole below the floor [m]
    double leg;             // least distance of the bones of a leg from a triangle, in radii of the leg
    const char *reason;
} steps_result;
bool steps_run(uint64_t seed, int rate, steps_result *result);
