// Floor and overhang: the exact highest and lowest point of each triangle's part inside each cell.
#include "world/raster/raster_polygon.h"

#include <math.h>

// One half of the band: floors are below the split, overhangs above it.
typedef struct half_band {
    bool upper;
    double low, high;       // the part cut out of the triangles, above the band's low end [m]
    double lowest, highest; // the range of stored heights, in the world [m]
} half_band;

static half_band lower_half(const soft_job *job) {
    half_band half = {false, -(double)job->height_slack, (double)job->split - job->low, job->low, job->split};
    return half;
}

static half_band upper_half(const soft_job *job) {
    double top = job->low + (double)job->height;
    half_band half = {true, (double)job->split - job->low, (double)job->height + job->height_slack,
                      job->split, top};
    return half;
}

// The stored value of a height above the band's low end.
static float height_of(const soft_job *job, const half_band *half, double height) {
    double inside = job->low + height;
    inside = inside > half->lowest ? inside : half->lowest;
    inside = inside < half->highest ? inside : half->highest;
    return (float)inside + 0.0f; // + 0 turns -0 into 0
}

// Whether this height would change the cell.
static bool counts(const soft_job *job, const half_band *half, size_t cell, float height) {
    return half->upper ? height < job->overhang[cell] : height > job->floor[cell];
}

static bool counts_in_row(const soft_job *job, const half_band *half, const soft_cells *cells, int32_t row,
                          float height) {
    for (int32_t column = cells->column_first; column <= cells->column_last; column++)
        if (counts(job, half, (size_t)row * job->columns + (size_t)column, height))
            return true;
    return false;
}

// Raises the floor (or lowers the overhang) of one cell by the part of the polygon above it.
static void meet_cell(const soft_job *job, const half_band *half, const soft_polygon *strip, int32_t column,
                      size_t cell) {
    soft_polygon cut;
    double slack = job->slack, low, high;
    const soft_polygon *part = tr_soft_polygon_clip(strip, 0, column - slack, column + 1 + slack, &cut);
    if (part->count == 0)
        return;
    tr_soft_polygon_range(part, 1, &low, &high);
    float height = height_of(job, half, half->upper ? low : high);
    if (counts(job, half, cell, height))
        (half->upper ? job->overhang : job->floor)[cell] = height;
}

static void draw_row(const soft_job *job, const half_band *half, const soft_polygon *polygon,
                     const soft_cells *cells, int32_t row, float most) {
    soft_polygon cut;
    double x_min, x_max, slack = job->slack;
    const soft_polygon *strip = tr_soft_polygon_clip(polygon, 2, row - slack, row + 1 + slack, &cut);
    if (strip->count == 0)
        return;
    tr_soft_polygon_range(strip, 0, &x_min, &x_max);
    int32_t first = soft_cell_at(x_min - slack, cells->column_first, cells->column_last + 1);
    int32_t last = soft_cell_at(x_max + slack, cells->column_first - 1, cells->column_last);
    for (int32_t column = first; column <= last; column++) {
        size_t cell = (size_t)row * job->columns + (size_t)column;
        if (counts(job, half, cell, most))
            meet_cell(job, half, strip, column, cell);
    }
}

static void draw_half(const soft_job *job, const half_band *half, const soft_polygon *triangle) {
    soft_polygon cut;
    soft_cells cells;
    const soft_polygon *polygon = tr_soft_polygon_clip(triangle, 1, half->low, half->high, &cut);
    if (!tr_soft_polygon_cells(job, polygon, &cells))
        return;
    // No part of the polygon has greater extremes than the whole, except for the rounding of the cuts: a cell
    // that the whole does not change needs no cut.
    double low, high;
    tr_soft_polygon_range(polygon, 1, &low, &high);
    double room = (fabs(low) + fabs(high)) * 0x1p-48;
    float most = height_of(job, half, half->upper ? low - room : high + room);
    for (int32_t row = cells.row_first; row <= cells.row_last; row++)
        if (counts_in_row(job, half, &cells, row, most))
            draw_row(job, half, polygon, &cells, row, most);
}

void tr_raster_soft_draw_heights(const soft_job *job) {
    half_band lower = lower_half(job), upper = upper_half(job);
    for (uint32_t number = 0; number < job->block_count; number++) {
        uint32_t count = soft_block_triangles(job, number);
        for (uint32_t lane = 0; lane < count; lane++) {
            soft_polygon triangle;
            tr_soft_polygon_load(job, &job->blocks[number], lane, &triangle);
            draw_half(job, &lower, &triangle);
            draw_half(job, &upper, &triangle);
        }
    }
}
