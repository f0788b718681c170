// An independent judge of what the rasterisers draw: triangle against box by the separating axis theorem, in
// three dimensions and exact integers (or doubles with a margin). It shares no code and no idea with the
// rasterisers, which cut polygons and walk rows.
#pragma once
#include "troupe/world/raster.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Do the closed triangle and the closed box |p - centre| <= half meet? Exact as long as the products fit:
// coordinates below 2^19 or so.
static inline bool oracle_axis_separates_int(int64_t v[3][3], const int64_t half[3], const int64_t axis[3]) {
    int64_t low = INT64_MAX, high = INT64_MIN, reach = 0;
    for (int k = 0; k < 3; k++) {
        int64_t p = v[k][0] * axis[0] + v[k][1] * axis[1] + v[k][2] * axis[2];
        low = p < low ? p : low;
        high = p > high ? p : high;
        reach += half[k] * (axis[k] < 0 ? -axis[k] : axis[k]);
    }
    return low > reach || high < -reach;
}

static inline bool oracle_touches_int(int64_t triangle[3][3], const int64_t centre[3],
                                      const int64_t half[3]) {
    int64_t v[3][3], edge[3][3];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            v[k][axis] = triangle[k][axis] - centre[axis];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            edge[k][axis] = v[(k + 1) % 3][axis] - v[k][axis];
    for (int i = 0; i < 3; i++) {
        int64_t unit[3] = {i == 0, i == 1, i == 2};
        if (oracle_axis_separates_int(v, half, unit))
            return false;
        for (int k = 0; k < 3; k++) {
            int64_t cross[3] = {unit[1] * edge[k][2] - unit[2] * edge[k][1],
                                unit[2] * edge[k][0] - unit[0] * edge[k][2],
                                unit[0] * edge[k][1] - unit[1] * edge[k][0]};
            if (oracle_axis_separates_int(v, half, cross))
                return false;
        }
    }
    int64_t normal[3] = {edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1],
                         edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2],
                         edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]};
    return !oracle_axis_separates_int(v, half, normal);
}

// The same in doubles: for turned and scaled geometry. Rounding is about 1e-15 of the coordinates.
static inline bool oracle_axis_separates(double v[3][3], const double half[3], const double axis[3]) {
    double low = INFINITY, high = -INFINITY, reach = 0;
    for (int k = 0; k < 3; k++) {
        double p = v[k][0] * axis[0] + v[k][1] * axis[1] + v[k][2] * axis[2];
        low = fmin(low, p);
        high = fmax(high, p);
        reach += half[k] * fabs(axis[k]);
    }
    return low > reach || high < -reach;
}

static inline bool oracle_touches(double triangle[3][3], const double centre[3], const double half[3]) {
    double v[3][3], edge[3][3];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            v[k][axis] = triangle[k][axis] - centre[axis];
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            edge[k][axis] = v[(k + 1) % 3][axis] - v[k][axis];
    for (int i = 0; i < 3; i++) {
        double unit[3] = {i == 0, i == 1, i == 2};
        if (oracle_axis_separates(v, half, unit))
            return false;
        for (int k = 0; k < 3; k++) {
            double cross[3] = {unit[1] * edge[k][2] - unit[2] * edge[k][1],
                               unit[2] * edge[k][0] - unit[0] * edge[k][2],
                               unit[0] * edge[k][1] - unit[1] * edge[k][0]};
            if (oracle_axis_separates(v, half, cross))
                return false;
        }
    }
    double normal[3] = {edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1],
                        edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2],
                        edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]};
    return !oracle_axis_separates(v, half, normal);
}

// Does the triangle (world coordinates) come within `margin` cells of the cell's square, and `height_margin`
// metres of the band? A negative margin asks for real overlap.
static inline bool oracle_touches_cell(const tr_grid *grid, const tr_raster_band *band, double triangle[3][3],
                                       uint32_t column, uint32_t row, double margin, double height_margin) {
    double cell = grid->cell;
    double centre[3] = {grid->origin.x + (column + 0.5) * cell, ((double)band->low + band->high) / 2,
                        grid->origin.z + (row + 0.5) * cell};
    double half[3] = {(0.5 + margin) * cell, ((double)band->high - band->low) / 2 + height_margin,
                      (0.5 + margin) * cell};
    if (half[1] < 0)
        half[1] = 0;
    return oracle_touches(triangle, centre, half);
}

// The corners of one triangle of an object in the world, in double precision.
static inline void oracle_triangle(const tr_scene *scene, uint32_t object, uint32_t number,
                                   double triangle[3][3]) {
    tr_object_view view = tr_scene_object(scene, object);
    tr_mesh_view mesh = tr_scene_mesh(scene, view.mesh);
    for (int k = 0; k < 3; k++) {
        tr_vec3 p = mesh.positions[mesh.indices[3 * (size_t)number + k]];
        for (int axis = 0; axis < 3; axis++) {
            const float *m = view.placement.m[axis];
            triangle[k][axis] = (double)m[0] * p.x + (double)m[1] * p.y + (double)m[2] * p.z + m[3];
        }
    }
}

// What must be set and what may be set, for a whole scene: `must` where geometry overlaps the cell by more
// than 1e-6 of a cell, `may` where it comes within the slack. `soft` and `gl` have to lie between the two.
static inline void oracle_draw(const tr_scene *scene, const tr_grid *grid, const tr_raster_band *band,
                               tr_bitmap *must, tr_bitmap *may) {
    double slack = tr_raster_slack(grid);
    for (uint32_t object = 0; object < tr_scene_object_count(scene); object++) {
        tr_object_view view = tr_scene_object(scene, object);
        if (view.removed || view.mesh == TR_NONE || (view.tags & band->exclude_tags) ||
            object == band->exclude_object)
            continue;
        for (uint32_t i = 0; i < tr_scene_mesh(scene, view.mesh).triangle_count; i++) {
            double t[3][3];
            oracle_triangle(scene, object, i, t);
            double x0 = fmin(t[0][0], fmin(t[1][0], t[2][0])), x1 = fmax(t[0][0], fmax(t[1][0], t[2][0]));
            double z0 = fmin(t[0][2], fmin(t[1][2], t[2][2])), z1 = fmax(t[0][2], fmax(t[1][2], t[2][2]));
            double size = fabs(x0) + fabs(x1) + fabs(z0) + fabs(z1) + 1;
            for (int64_t row = (int64_t)fmax(floor((z0 - grid->origin.z) / grid->cell) - 1, 0);
                 row <= fmin(floor((z1 - grid->origin.z) / grid->cell) + 1, grid->rows - 1.0); row++)
                for (int64_t column = (int64_t)fmax(floor((x0 - grid->origin.x) / grid->cell) - 1, 0);
                     column <= fmin(floor((x1 - grid->origin.x) / grid->cell) + 1, grid->columns - 1.0);
                     column++) {
                    uint32_t c = (uint32_t)column, r = (uint32_t)row;
                    if (!tr_bitmap_get(must, c, r) && oracle_touches_cell(grid, band, t, c, r, -1e-6, -1e-7))
                        tr_bitmap_set(must, c, r);
                    if (!tr_bitmap_get(may, c, r) &&
                        oracle_touches_cell(grid, band, t, c, r, slack, 4e-6 * size))
                        tr_bitmap_set(may, c, r);
                }
        }
    }
}
