// How near a scene comes to each cell, in doubles: the judge of widened cells. Triangles are cut to the
// height band and measured, polygon against square, corner by corner and edge by edge; no rows, no discs, as
// the shaders use them.
#pragma once
#include "oracle.h"

#include <stdlib.h>

typedef struct nearest_polygon {
    int count;
    double corner[12][3]; // column, height [m], row
} nearest_polygon;

static inline void nearest_cut(nearest_polygon *polygon, int cut_axis, double level, double sign) {
    nearest_polygon kept = {0};
    for (int i = 0; i < polygon->count; i++) {
        const double *a = polygon->corner[i], *b = polygon->corner[(i + 1) % polygon->count];
        double a_off = sign * (a[cut_axis] - level), b_off = sign * (b[cut_axis] - level);
        if (a_off <= 0)
            for (int axis = 0; axis < 3; axis++)
                kept.corner[kept.count][axis] = a[axis];
        kept.count += a_off <= 0;
        if ((a_off <= 0) == (b_off <= 0))
            continue;
        double t = a_off / (a_off - b_off);
        for (int axis = 0; axis < 3; axis++)
            kept.corner[kept.count][axis] = a[axis] + t * (b[axis] - a[axis]);
        kept.count++;
    }
    *polygon = kept;
}

static inline double nearest_point_to_segment(double x, double z, const double *a, const double *b) {
    double dx = b[0] - a[0], dz = b[2] - a[2], squared = dx * dx + dz * dz;
    double t = squared > 0 ? ((x - a[0]) * dx + (z - a[2]) * dz) / squared : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * dx, z - a[2] - t * dz);
}

static inline bool nearest_contains(const nearest_polygon *polygon, double x, double z) {
    int left = 0, right = 0;
    for (int i = 0; i < polygon->count; i++) {
        const double *a = polygon->corner[i], *b = polygon->corner[(i + 1) % polygon->count];
        double side = (b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0]);
        left += side > 0;
        right += side < 0;
    }
    return (left == 0) != (right == 0); // neither: the polygon has no area, and its edges say it all
}

static inline bool nearest_segment_enters(const double *a, const double *b, double column, double row) {
    double begin = 0, end = 1;
    const double from[2] = {a[0], a[2]}, by[2] = {b[0] - a[0], b[2] - a[2]}, low[2] = {column, row};
    for (int i = 0; i < 2; i++) {
        if (by[i] == 0) {
            if (from[i] < low[i] || from[i] > low[i] + 1)
                return false;
            continue;
        }
        double t0 = (low[i] - from[i]) / by[i], t1 = (low[i] + 1 - from[i]) / by[i];
        begin = fmax(begin, fmin(t0, t1));
        end = fmin(end, fmax(t0, t1));
    }
    return begin <= end;
}

// Between the polygon, seen from above, and the closed cell [cells].
static inline double nearest_distance(const nearest_polygon *polygon, double column, double row) {
    double best = INFINITY;
    for (int k = 0; k < 4; k++)
        if (nearest_contains(polygon, column + (k & 1), row + (k >> 1)))
            return 0;
    for (int i = 0; i < polygon->count; i++) {
        const double *a = polygon->corner[i], *b = polygon->corner[(i + 1) % polygon->count];
        if (nearest_segment_enters(a, b, column, row))
            return 0;
        double off_x = fmax(fmax(column - a[0], a[0] - column - 1), 0);
        double off_z = fmax(fmax(row - a[2], a[2] - row - 1), 0);
        best = fmin(best, hypot(off_x, off_z));
        for (int k = 0; k < 4; k++)
            best = fmin(best, nearest_point_to_segment(column + (k & 1), row + (k >> 1), a, b));
    }
    return best;
}

// The part of a triangle (world coordinates) in the band, made `more` metres higher and lower, in cells of
// the grid.
static inline nearest_polygon nearest_in_band(const tr_grid *grid, const tr_raster_band *band,
                                              double triangle[3][3], double more) {
    nearest_polygon polygon = {.count = 3};
    for (int k = 0; k < 3; k++) {
        polygon.corner[k][0] = (triangle[k][0] - grid->origin.x) / grid->cell;
        polygon.corner[k][1] = triangle[k][1];
        polygon.corner[k][2] = (triangle[k][2] - grid->origin.z) / grid->cell;
    }
    nearest_cut(&polygon, 1, band->low - more, -1);
    nearest_cut(&polygon, 1, band->high + more, 1);
    return polygon;
}

// The least and greatest height of the polygon inside a cell made wider by `margin` cells; false when it is
// not there.
static inline bool nearest_heights(nearest_polygon polygon, double column, double row, double margin,
                                   double *low, double *high) {
    nearest_cut(&polygon, 0, column - margin, -1);
    nearest_cut(&polygon, 0, column + 1 + margin, 1);
    nearest_cut(&polygon, 2, row - margin, -1);
    nearest_cut(&polygon, 2, row + 1 + margin, 1);
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < polygon.count; i++) {
        *low = fmin(*low, polygon.corner[i][1]);
        *high = fmax(*high, polygon.corner[i][1]);
    }
    return polygon.count > 0;
}

// Lower `cells` (row by row) to the distance of one polygon, for cells no further than `reach` from it.
static inline void nearest_lower(const tr_grid *grid, const nearest_polygon *polygon, double reach,
                                 double *cells) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < polygon->count; i++)
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], polygon->corner[i][2 * axis]);
            high[axis] = fmax(high[axis], polygon->corner[i][2 * axis]);
        }
    for (double row = fmax(floor(low[1] - reach) - 1, 0); row <= fmin(high[1] + reach + 1, grid->rows - 1.0);
         row++)
        for (double column = fmax(floor(low[0] - reach) - 1, 0);
             column <= fmin(high[0] + reach + 1, grid->columns - 1.0); column++) {
            double *cell = &cells[(size_t)row * grid->columns + (size_t)column];
            if (*cell > 0)
                *cell = fmin(*cell, nearest_distance(polygon, column, row));
        }
}

// For each cell how near the band's geometry comes [cells]: `exact`, and `loose` when what is within the
// slack above and below the band counts too. INFINITY where it is further than `reach` or there is none.
// Freed by the caller.
typedef struct nearest_map {
    double *exact, *loose;
} nearest_map;

static inline nearest_map nearest_measure(const tr_scene *scene, const tr_grid *grid,
                                          const tr_raster_band *band, double reach, double rounding) {
    size_t count = (size_t)grid->columns * grid->rows;
    nearest_map map = {malloc(count * sizeof(double)), malloc(count * sizeof(double))};
    for (size_t i = 0; i < count; i++)
        map.exact[i] = map.loose[i] = INFINITY;
    double more = tr_raster_slack(grid) * grid->cell;
    for (uint32_t object = 0; object < tr_scene_object_count(scene); object++) {
        tr_object_view view = tr_scene_object(scene, object);
        if (view.removed || view.mesh == TR_NONE || (view.tags & band->exclude_tags) ||
            object == band->exclude_object)
            continue;
        for (uint32_t i = 0; i < tr_scene_mesh(scene, view.mesh).triangle_count; i++) {
            double triangle[3][3];
            oracle_triangle(scene, object, i, triangle);
            nearest_polygon exact = nearest_in_band(grid, band, triangle, 0);
            double size = 0;
            for (int k = 0; k < 9; k++)
                size = fmax(size, fabs(triangle[k / 3][k % 3]));
            nearest_polygon loose = nearest_in_band(grid, band, triangle, more + size * rounding);
            nearest_lower(grid, &exact, reach, map.exact);
            nearest_lower(grid, &loose, reach, map.loose);
        }
    }
    return map;
}

static inline void nearest_release(nearest_map *map) {
    free(map->exact);
    free(map->loose);
}
