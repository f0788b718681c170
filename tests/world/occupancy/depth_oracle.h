// What a depth camera sees, worked out ray by ray in double precision: for the tests of depth maps.
#pragma once
#include "world/little.h"
#include "troupe/world/depth.h"

typedef struct oracle_vector {
    double x, y, z;
} oracle_vector;

static inline oracle_vector oracle_make(double x, double y, double z) {
    oracle_vector v = {x, y, z};
    return v;
}
static inline oracle_vector oracle_from(tr_vec3 v) {
    return oracle_make((double)v.x, (double)v.y, (double)v.z);
}
static inline oracle_vector oracle_add(oracle_vector a, oracle_vector b, double scale) {
    return oracle_make(a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z);
}
static inline double oracle_dot(oracle_vector a, oracle_vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline oracle_vector oracle_cross(oracle_vector a, oracle_vector b) {
    return oracle_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline oracle_vector oracle_unit(oracle_vector a) {
    double length = sqrt(oracle_dot(a, a));
    return oracle_make(a.x / length, a.y / length, a.z / length);
}

// The camera's axes, and the ray through a point of the image [pixels]; its depth grows by 1 for each length
// of it.
typedef struct oracle_camera {
    oracle_vector eye, right, down, forward;
    double tangent, columns, rows;
} oracle_camera;

static inline oracle_camera oracle_look(const tr_depth_camera *camera, const tr_depth_map *map) {
    oracle_camera made = {.eye = oracle_from(camera->eye),
                          .forward = oracle_unit(oracle_from(camera->forward)),
                          .tangent = (double)camera->half_tangent,
                          .columns = map->columns,
                          .rows = map->rows};
    made.right = oracle_unit(oracle_cross(made.forward, oracle_from(camera->up)));
    made.down = oracle_cross(made.forward, made.right);
    return made;
}

static inline oracle_vector oracle_ray(const oracle_camera *camera, double column, double row) {
    oracle_vector ray =
        oracle_add(camera->forward, camera->right, (2 * column / camera->columns - 1) * camera->tangent);
    return oracle_add(ray, camera->down, (2 * row / camera->rows - 1) * camera->tangent);
}

// Where a ray meets a triangle, as Moeller and Trumbore do it; INFINITY where it does not.
static inline double oracle_meet(oracle_vector eye, oracle_vector ray, const oracle_vector corner[3]) {
    oracle_vector one = oracle_add(corner[1], corner[0], -1), two = oracle_add(corner[2], corner[0], -1);
    oracle_vector across = oracle_cross(ray, two), from = oracle_add(eye, corner[0], -1);
    double whole = oracle_dot(one, across);
    if (whole == 0)
        return INFINITY;
    double u = oracle_dot(from, across) / whole;
    oracle_vector other = oracle_cross(from, one);
    double v = oracle_dot(ray, other) / whole;
    return u >= 0 && v >= 0 && u + v <= 1 ? oracle_dot(two, other) / whole : INFINITY;
}

// The nearest of some triangles between the two planes; `far` where there is none.
static inline double oracle_depth(const tr_depth_camera *camera, const oracle_camera *look,
                                  const oracle_vector *corners, uint32_t triangles, double column,
                                  double row) {
    oracle_vector ray = oracle_ray(look, column, row);
    double nearest = (double)camera->far;
    for (uint32_t i = 0; i < triangles; i++) {
        double depth = oracle_meet(look->eye, ray, corners + 3 * (size_t)i);
        if (depth >= (double)camera->near && depth < nearest)
            nearest = depth;
    }
    return nearest;
}

// Does a triangle's border, or where it leaves the two planes, come within 2^-8 of a pixel of this point of
// the image? Eight rays around it say so.
static inline bool oracle_is_at_border(const tr_depth_camera *camera, const oracle_camera *look,
                                       const oracle_vector *corners, uint32_t triangles, double column,
                                       double row) {
    for (uint32_t i = 0; i < triangles; i++) {
        uint32_t seen = 0;
        for (int k = 0; k < 9; k++) {
            oracle_vector ray = oracle_ray(look, column + (k % 3 - 1) / 256.0, row + (k / 3 - 1) / 256.0);
            double depth = oracle_meet(look->eye, ray, corners + 3 * (size_t)i);
            seen += depth >= (double)camera->near && depth < (double)camera->far;
        }
        if (seen > 0 && seen < 9)
            return true;
    }
    return false;
}

// How a map differs from what rays through the middles of its pixels see.
typedef struct oracle_tally {
    uint64_t seen;   // pixels that see something
    uint64_t border; // that differ, at a border
    uint64_t wrong;  // that differ, elsewhere
} oracle_tally;

// The nearest and furthest of what is seen within `around` pixels of a point of the image.
static inline void oracle_range(const tr_depth_camera *camera, const oracle_camera *look,
                                const oracle_vector *corners, uint32_t triangles, double column, double row,
                                double around, double *least, double *most) {
    for (int k = 0; k < 9; k++) {
        double depth = oracle_depth(camera, look, corners, triangles, column + (k % 3 - 1) * around,
                                    row + (k / 3 - 1) * around);
        *least = fmin(*least, depth);
        *most = fmax(*most, depth);
    }
}

// `tolerance` is a part of the depth; a depth may be that of a point up to `around` pixels beside the middle
// (graphics hardware moves corners to a fine grid).
static inline void oracle_compare(const tr_depth_camera *camera, const tr_depth_map *map,
                                  const oracle_vector *corners, uint32_t triangles, double tolerance,
                                  double around, oracle_tally *tally) {
    oracle_camera look = oracle_look(camera, map);
    for (uint32_t row = 0; row < map->rows; row++)
        for (uint32_t column = 0; column < map->columns; column++) {
            double depth = (double)map->depth[(size_t)row * map->columns + column];
            double exact = oracle_depth(camera, &look, corners, triangles, column + 0.5, row + 0.5);
            tally->seen += exact < (double)camera->far;
            double least = exact, most = exact;
            if (around > 0 && fabs(depth - exact) > tolerance * exact)
                oracle_range(camera, &look, corners, triangles, column + 0.5, row + 0.5, around, &least,
                             &most);
            if (depth >= least * (1 - tolerance) && depth <= most * (1 + tolerance))
                continue;
            if (oracle_is_at_border(camera, &look, corners, triangles, column + 0.5, row + 0.5))
                tally->border++;
            else
                tally->wrong++;
        }
}
