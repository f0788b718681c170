// The view of a depth camera in double precision: both back ends draw with it. Internal to world/.
#pragma once
#include "world/raster/raster_backend.h"
#include "world/scene/scene_data.h"

struct depth_view {
    const tr_depth_request *request;
    uint32_t columns, rows;
    double eye[3];
    double right[3], down[3], forward[3]; // unit vectors, perpendicular to each other
    // Times a point relative to the eye: column * depth, row * depth [pixels m] and depth [m]. A point is
    // never divided by its depth before it is known to lie in front of the eye.
    double axes[3][3];
    float near, far; // [m]
};

// A half-space in an object's own axes: a point is inside where normal * point + offset >= 0 [m].
typedef struct depth_plane {
    double normal[3], offset;
} depth_plane;
#define DEPTH_PLANES 6

// The part of the view that matters: columns and rows of pixels, both ends included, and depths up to
// `deepest`.
typedef struct depth_window {
    double column_first, column_last, row_first, row_last;
    double deepest; // [m]
} depth_window;

static inline depth_window depth_window_all(const depth_view *view) {
    depth_window all = {0, view->columns - 1.0, 0, view->rows - 1.0, view->far};
    return all;
}

// TR_INVALID for a map without memory or of a bad size.
tr_status tr_depth_check_map(const tr_depth_map *map, tr_error *error);
// TR_INVALID for a camera that breaks a rule.
tr_status tr_depth_look(const tr_depth_camera *camera, uint32_t columns, uint32_t rows, depth_view *view,
                        tr_error *error);
// From the axes of a placed mesh, relative to `centre`, to the values that `axes` gives.
void tr_depth_place(const depth_view *view, const tr_affine *placement, tr_vec3 centre, double matrix[3][4]);
// The borders of the window in the axes of that mesh, moved outwards by the rounding error.
void tr_depth_planes(const depth_window *window, float near, const double matrix[3][4],
                     depth_plane planes[DEPTH_PLANES]);
// Can a box about the origin of those axes be seen?
bool tr_depth_sees(const depth_plane planes[DEPTH_PLANES], tr_vec3 half);
