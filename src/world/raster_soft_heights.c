// Floor and overhang: the exact highest and lowest point of each triangle's part inside each cell.
#include "raster_polygon.h"

#include <math.h>

// Raise the floor (or lower the overhang) of one cell by the part of the polygon above it.
static void meet_cell(const soft_job *job, const soft_polygon *strip, int32_t column, int32_t row,
                      bool upper) {
    soft_polygon part;
    double slack = job->slack, low, high;
    tr_soft_polygon_clip(strip, 0, column - slack, column + 1 + slack, &part);
    if (part.count == 0)
        return;
    tr_soft_polygon_range(&part, 1, &low, &high);
    size_t cell = (size_t)row * job->columns + (size_t)column;
    double top = job->low + (double)job->height;
    if (upper) {
        float lowest = (float)fmin(fmax(job->low + low, job->split), top) + 0.0f; // + 0 makes -0 into 0
        if (lowest < job->overhang[cell])
            job->overhang[cell] = lowest;
    } else {
        float highest = (float)fmin(fmax(job->low + high, job->low), job->split) + 0.0f;
        if (highest > job->floor[cell])
            job->floor[cell] = highest;
    }
}

static void draw_half(const soft_job *job, const soft_polygon *triangle, bool upper) {
    double split = (double)job->split - job->low, slack = job->slack, height_slack = job->height_slack;
    soft_polygon polygon, strip;
    if (upper)
        tr_soft_polygon_clip(triangle, 1, split, job->height + height_slack, &polygon);
    else
        tr_soft_polygon_clip(triangle, 1, -height_slack, split, &polygon);
    soft_cells cells;
    if (!tr_soft_polygon_cells(job, &polygon, &cells))
        return;
    for (int32_t row = cells.row_first; row <= cells.row_last; row++) {
        tr_soft_polygon_clip(&polygon, 2, row - slack, row + 1 + slack, &strip);
        if (strip.count == 0)
            continue;
        double x_min, x_max;
        tr_soft_polygon_range(&strip, 0, &x_min, &x_max);
        int32_t first = (int32_t)fmax(floor(x_min - slack), cells.column_first);
        int32_t last = (int32_t)fmin(floor(x_max + slack), cells.column_last);
        for (int32_t column = first; column <= last; column++)
            meet_cell(job, &strip, column, row, upper);
    }
}

void tr_raster_soft_draw_heights(const soft_job *job) {
    for (uint32_t number = 0; number < job->block_count; number++) {
        uint32_t count = soft_block_triangles(job, number);
        for (uint32_t lane = 0; lane < count; lane++) {
            soft_polygon triangle;
            tr_soft_polygon_load(job, &job->blocks[number], lane, &triangle);
            draw_half(job, &triangle, false);
            draw_half(job, &triangle, true);
        }
    }
}
