// The exact Euclidean distance map behind tr_footprint_clearance. Internal to world/.
#pragma once
#include "troupe/world/footprint.h"

// int32 words of scratch for a map of so many columns.
size_t tr_clearance_scratch(uint32_t columns);
// Distance from each cell to the nearest set one [m], measured as `growth` says; INFINITY everywhere when
// none is set.
void tr_clearance_measure(const tr_bitmap *occupied, tr_growth growth, float cell, float *clearance,
                          int32_t *scratch);
