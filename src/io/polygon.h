// io/polygon.h - triangulates polygons, including concave ones.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/vector.h"

// Memory that is reused from one polygon to the next. Zero is valid.
typedef struct tr_polygon_cutter {
    struct tr_polygon_corner *corners;
    tr_vec3 *points;     // the caller stores the corners of the polygon here, after tr_polygon_reserve
    uint32_t *triangles; // tr_polygon_cut stores three corner numbers for each triangle here
    uint32_t corner_capacity, point_capacity, triangle_capacity;
} tr_polygon_cutter;

bool tr_polygon_reserve(const tr_allocator *allocator, tr_polygon_cutter *cutter,
                        uint32_t count); // false: no memory
void tr_polygon_release(const tr_allocator *allocator, tr_polygon_cutter *cutter);

// Cuts points[0 .. count) [count >= 3, reserved] into count - 2 triangles with the orientation of the
// polygon, by ear clipping in its best-fitting plane. Time grows with the square of count unless the polygon
// is convex. A polygon that crosses itself still gives count - 2 triangles.
void tr_polygon_cut(tr_polygon_cutter *cutter, uint32_t count);
// 0-1-2, 0-2-3, ...: correct for convex polygons.
void tr_polygon_cut_fan(tr_polygon_cutter *cutter, uint32_t count);
