// What the sources of `way` share.
//
//   way.c        ways and their points
//   way_cut.c    dividing a path into pieces
//   way_slope.c  floors that are smooth enough for walking
#pragma once
#include "troupe/plan/way.h"

#define WAY_SAMPLE 0.05f // distance between the samples of a path [m]
#define WAY_ASIDE 0.15f  // feet may come down this far to both sides of the path [m]

// Looks at the floor under a point of a path, near `height`, and at the places to its left and right where
// feet come down; `aside` leads from the point to the left one. Returns the height of the floor at the point,
// between cells [m]; NAN: there is a step, or the floor is too steep.
float tr_way_slope_at(const tr_ground *ground, tr_vec2 point, tr_vec2 aside, float height, float rise);
