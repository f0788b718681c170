#include "raster_polygon.h"

#include <string.h>

void tr_soft_polygon_load(const soft_job *job, const mesh_block *block, uint32_t lane,
                          soft_polygon *triangle) {
    triangle->count = 3;
    for (int k = 0; k < 3; k++) {
        double x = block->corner[3 * k][lane], y = block->corner[3 * k + 1][lane],
               z = block->corner[3 * k + 2][lane];
        for (int axis = 0; axis < 3; axis++) {
            const double *row = job->exact[axis];
            triangle->corner[k][axis] = x * row[0] + y * row[1] + z * row[2] + row[3];
        }
    }
}

static void add_corner(soft_polygon *polygon, const double corner[3]) {
    if (polygon->count < SOFT_POLYGON_MAX)
        memcpy(polygon->corner[polygon->count++], corner, 3 * sizeof(double));
}

// Keeps the part where sign * coordinate <= sign * level. Points on the plane stay.
static void cut_half(const soft_polygon *polygon, int axis, double level, double sign, soft_polygon *cut) {
    cut->count = 0;
    for (int i = 0; i < polygon->count; i++) {
        const double *a = polygon->corner[i], *b = polygon->corner[i + 1 == polygon->count ? 0 : i + 1];
        bool a_inside = sign * a[axis] <= sign * level, b_inside = sign * b[axis] <= sign * level;
        if (a_inside)
            add_corner(cut, a);
        if (a_inside == b_inside)
            continue;
        double t = (level - a[axis]) / (b[axis] - a[axis]);
        double crossing[3] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
        crossing[axis] = level;
        add_corner(cut, crossing);
    }
}

const soft_polygon *tr_soft_polygon_clip(const soft_polygon *polygon, int axis, double low, double high,
                                         soft_polygon *cut) {
    double least, greatest;
    cut->count = 0;
    if (polygon->count == 0)
        return cut;
    tr_soft_polygon_range(polygon, axis, &least, &greatest);
    if (least >= low && greatest <= high)
        return polygon;
    if (least > high || greatest < low)
        return cut;
    if (greatest <= high) {
        cut_half(polygon, axis, low, -1, cut);
    } else if (least >= low) {
        cut_half(polygon, axis, high, 1, cut);
    } else {
        soft_polygon half;
        cut_half(polygon, axis, high, 1, &half);
        cut_half(&half, axis, low, -1, cut);
    }
    return cut;
}

void tr_soft_polygon_range(const soft_polygon *polygon, int axis, double *low, double *high) {
    double least = polygon->corner[0][axis], greatest = least;
    for (int i = 1; i < polygon->count; i++) {
        double value = polygon->corner[i][axis]; // fmin and fmax would be function calls
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
    }
    *low = least;
    *high = greatest;
}

bool tr_soft_polygon_cells(const soft_job *job, const soft_polygon *polygon, soft_cells *cells) {
    if (polygon->count == 0)
        return false;
    double x_min, x_max, z_min, z_max, slack = job->slack;
    tr_soft_polygon_range(polygon, 0, &x_min, &x_max);
    tr_soft_polygon_range(polygon, 2, &z_min, &z_max);
    cells->column_first = soft_cell_at(x_min - slack, job->column_begin, job->column_end);
    cells->column_last = soft_cell_at(x_max + slack, job->column_begin - 1, job->column_end - 1);
    cells->row_first = soft_cell_at(z_min - slack, job->row_begin, job->row_end);
    cells->row_last = soft_cell_at(z_max + slack, job->row_begin - 1, job->row_end - 1);
    return cells->column_first <= cells->column_last && cells->row_first <= cells->row_last;
}
