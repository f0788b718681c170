// A triangle in grid coordinates, and its part after cuts, in double precision. Internal to world/.
#pragma once
#include "world/raster/soft/raster_soft.h"

#define SOFT_POLYGON_MAX 12 // three corners and at most one more for each of up to eight cuts

typedef struct soft_polygon {
    int count;
    double corner[SOFT_POLYGON_MAX][3]; // column, height above the band's low end, row
} soft_polygon;

// Triangle `lane` of a block, in grid coordinates.
void tr_soft_polygon_load(const soft_job *job, const mesh_block *block, uint32_t lane,
                          soft_polygon *triangle);
// The part with low <= coordinate `axis` <= high: the polygon itself if nothing is cut off, else `cut`, which
// may have no corner, or only one or two.
const soft_polygon *tr_soft_polygon_clip(const soft_polygon *polygon, int axis, double low, double high,
                                         soft_polygon *cut);
// The cells of the job within the slack of the polygon's box; false when there are none.
bool tr_soft_polygon_cells(const soft_job *job, const soft_polygon *polygon, soft_cells *cells);
// The least and greatest value of a coordinate; the polygon must have a corner.
void tr_soft_polygon_range(const soft_polygon *polygon, int axis, double *low, double *high);
