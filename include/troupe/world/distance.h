// troupe/world/distance.h - distances between points, lines and triangles, exact in the sense of float.
#pragma once
#include "troupe/base/vector.h"

TR_BEGIN_DECLARATIONS

// Each gives the squared distance [m^2]; degenerate lines and triangles are points and lines. `a_point`,
// `b_point` (may be NULL) get the nearest points of both. Pure; the same bits everywhere.
TR_API float tr_distance_point_triangle(tr_vec3 point, const tr_vec3 triangle[3], tr_vec3 *b_point);
TR_API float tr_distance_segments(tr_vec3 a0, tr_vec3 a1, tr_vec3 b0, tr_vec3 b1, tr_vec3 *a_point,
                                  tr_vec3 *b_point);
// 0 when the line goes through the triangle.
TR_API float tr_distance_segment_triangle(tr_vec3 a0, tr_vec3 a1, const tr_vec3 triangle[3], tr_vec3 *a_point,
                                          tr_vec3 *b_point);

TR_END_DECLARATIONS
