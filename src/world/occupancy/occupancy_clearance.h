// The exact Euclidean distance map behind tr_occupancy_clearance. Internal to world/.
#pragma once
#include "troupe/world/occupancy.h"

// int32 words of scratch for a map with that many columns.
size_t tr_clearance_scratch(uint32_t columns);
// How distances are measured, and the radius that they are compared with.
typedef struct clearance_rule {
    tr_growth growth;
    float cell, radius; // [m]
    double radius_cells;
} clearance_rule;

// Distance from each cell to the nearest set one [m]; INFINITY everywhere when none is set. A distance that
// differs from the radius only by rounding is put on the side where tr_occupancy_grow puts the cell.
void tr_clearance_measure(const tr_bitmap *occupied, const clearance_rule *rule, float *clearance,
                          int32_t *scratch);
