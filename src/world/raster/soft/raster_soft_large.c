// One triangle at a time in double precision: triangles too large for the SIMD loops, or too far away for
// floats.
#include "raster_soft.h"
#include "world/raster/raster_polygon.h"

#include <math.h>

// The columns that the polygon covers in one row, slack included; false when there are none.
static bool row_span(const soft_polygon *polygon, double strip_low, double strip_high, double *x_min,
                     double *x_max) {
    *x_min = INFINITY;
    *x_max = -INFINITY;
    for (int i = 0; i < polygon->count; i++) {
        const double *a = polygon->corner[i], *b = polygon->corner[i + 1 == polygon->count ? 0 : i + 1];
        if ((a[2] < strip_low && b[2] < strip_low) || (a[2] > strip_high && b[2] > strip_high))
            continue;
        double dz = b[2] - a[2], t0 = 0, t1 = 1;
        if (fabs(dz) > 1e-12) {
            t0 = fmin(fmax((strip_low - a[2]) / dz, 0), 1);
            t1 = fmin(fmax((strip_high - a[2]) / dz, 0), 1);
        }
        double x0 = a[0] + t0 * (b[0] - a[0]), x1 = a[0] + t1 * (b[0] - a[0]);
        *x_min = fmin(*x_min, fmin(x0, x1));
        *x_max = fmax(*x_max, fmax(x0, x1));
    }
    return *x_min <= *x_max;
}

void tr_raster_soft_draw_large(const soft_job *job, const mesh_block *block, uint32_t lane) {
    soft_polygon triangle, cut;
    tr_soft_polygon_load(job, block, lane, &triangle);
    const soft_polygon *polygon = tr_soft_polygon_clip(&triangle, 1, -(double)job->height_slack,
                                                       (double)job->height + job->height_slack, &cut);
    soft_cells cells;
    if (!tr_soft_polygon_cells(job, polygon, &cells) || soft_is_covered(job, &cells))
        return;
    double slack = job->slack;
    for (int32_t row = cells.row_first; row <= cells.row_last; row++) {
        double x_min, x_max;
        if (!row_span(polygon, row - slack, row + 1 + slack, &x_min, &x_max))
            continue;
        int32_t column_first = soft_cell_at(x_min - slack, cells.column_first, cells.column_last + 1);
        int32_t column_last = soft_cell_at(x_max + slack, cells.column_first - 1, cells.column_last);
        if (column_first <= column_last)
            soft_set_span(job, row, column_first, column_last);
    }
}
