// How a trajectory is stored; the timeline reads it. Internal to world/.
#pragma once
#include "troupe/world/trajectory.h"

struct tr_trajectory {
    tr_allocator allocator;
    double *times;
    tr_transform *transforms;
    uint32_t count;
    bool loop;
};
