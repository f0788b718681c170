// troupe/world/distance.h - distances between points, lines and triangles, exact in the sense of float.
//
// Everything is computed in double precision from the given floats and rounded once at the end. A distance is
// right to about 1e-7 of itself plus 1e-8 of the largest coordinate, however thin, short or nearly parallel
// the shapes are. A line of no length is a point; a triangle of no area is a line or a point. A coordinate
// that is not finite gives NaN (the points are then meaningless). The functions are pure, any thread may call
// them, and they give the same bits on every machine.
#pragma once
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// Each function returns the squared distance [m^2]. `a_point` and `b_point` (may be NULL) receive the nearest
// points of the first and the second shape; if several pairs are equally near, one of them.
TR_API float tr_distance_point_segment(tr_vec3 point, tr_vec3 b0, tr_vec3 b1, tr_vec3 *b_point);
TR_API float tr_distance_point_triangle(tr_vec3 point, const tr_vec3 triangle[3], tr_vec3 *b_point);
TR_API float tr_distance_segments(tr_vec3 a0, tr_vec3 a1, tr_vec3 b0, tr_vec3 b1, tr_vec3 *a_point,
                                  tr_vec3 *b_point);
// If the line goes through the triangle, returns 0 and one common point.
TR_API float tr_distance_segment_triangle(tr_vec3 a0, tr_vec3 a1, const tr_vec3 triangle[3], tr_vec3 *a_point,
                                          tr_vec3 *b_point);

TR_END_DECLARATIONS
