// Cameras: their projection, and how they are placed.
#include "render_data.h"
#include "troupe/base/scalar.h"

#define NEAR_DEPTH 0.05    // [m]
#define FIELD_OF_VIEW 0.6f // of tr_camera_around [rad]
#define MARGIN 0.94        // part of the picture that the subject fills

static void cross(const double a[3], const double b[3], double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

// false: it has length 0.
static bool normalize(double v[3]) {
    double length = sqrt(render_dot(v, v));
    if (!(length > 0))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

// Right, up and ahead for a view direction. A view straight up or down has -Z at the top of the picture, as
// on a map.
static bool make_axes(double axis[3][3]) {
    const double up[3] = {0, 1, 0}, north[3] = {0, 0, -1};
    if (!normalize(axis[2]))
        return false;
    cross(axis[2], up, axis[0]);
    if (render_dot(axis[0], axis[0]) < 1e-12)
        cross(axis[2], north, axis[0]);
    normalize(axis[0]);
    cross(axis[0], axis[2], axis[1]);
    return true;
}

static tr_status check_camera(const tr_camera *camera, tr_error *error) {
    if (!tr_vec3_is_finite(camera->eye) || !tr_vec3_is_finite(camera->target))
        return tr_fail(error, TR_INVALID,
                       "the camera position or target is not finite: (%g, %g, %g) -> (%g, %g, %g)",
                       camera->eye.x, camera->eye.y, camera->eye.z, camera->target.x, camera->target.y,
                       camera->target.z);
    bool is_parallel = camera->field_of_view == 0;
    if (!is_parallel && !(camera->field_of_view >= 0.05f && camera->field_of_view <= 2.5f))
        return tr_fail(error, TR_INVALID, "the field of view is %g rad, it must be 0 or 0.05 to 2.5",
                       camera->field_of_view);
    if (is_parallel && !(camera->height > 0 && camera->height <= TR_SCENE_EXTENT_MAX))
        return tr_fail(error, TR_INVALID, "a parallel camera sees %g m, it must be above 0 and at most %g",
                       camera->height, TR_SCENE_EXTENT_MAX);
    return TR_OK;
}

tr_status tr_render_view_make(const tr_camera *camera, uint32_t width, uint32_t height, render_view *view,
                              tr_error *error) {
    tr_status status = check_camera(camera, error);
    if (status != TR_OK)
        return status;
    render_view made = {.eye = {camera->eye.x, camera->eye.y, camera->eye.z},
                        .middle_x = width / 2.0,
                        .middle_y = height / 2.0,
                        .is_parallel = camera->field_of_view == 0,
                        .width = width,
                        .height = height,
                        .sample_margin = 0.5};
    made.axis[2][0] = (double)camera->target.x - camera->eye.x;
    made.axis[2][1] = (double)camera->target.y - camera->eye.y;
    made.axis[2][2] = (double)camera->target.z - camera->eye.z;
    if (!make_axes(made.axis))
        return tr_fail(error, TR_INVALID, "the camera at (%g, %g, %g) has its own position as target",
                       camera->eye.x, camera->eye.y, camera->eye.z);
    double sine, cosine;
    tr_sin_cos((double)camera->field_of_view / 2, &sine, &cosine);
    made.scale = made.is_parallel ? height / (double)camera->height : height / 2.0 * cosine / sine;
    made.near_depth = made.is_parallel ? 0 : NEAR_DEPTH;
    *view = made;
    return TR_OK;
}

render_rays tr_render_rays_make(const render_view *view) {
    render_rays rays = {0};
    for (int i = 0; i < 3; i++) {
        double x = view->axis[0][i] / view->scale, y = -view->axis[1][i] / view->scale;
        float(*moving)[3] = view->is_parallel ? rays.origin : rays.direction;
        double start = -view->middle_x * x - view->middle_y * y;
        moving[0][i] = (float)(view->is_parallel ? start : view->axis[2][i] + start);
        moving[1][i] = (float)x;
        moving[2][i] = (float)y;
        if (view->is_parallel)
            rays.direction[0][i] = (float)view->axis[2][i];
    }
    return rays;
}

// The corners of a box relative to its centre, along the axes of a camera.
static void box_corners(tr_box box, double axis[3][3], double corners[8][3]) {
    double half[3] = {((double)box.max.x - box.min.x) / 2, ((double)box.max.y - box.min.y) / 2,
                      ((double)box.max.z - box.min.z) / 2};
    for (int i = 0; i < 8; i++) {
        double corner[3] = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
                            i & 4 ? half[2] : -half[2]};
        for (int k = 0; k < 3; k++)
            corners[i][k] = render_dot(corner, axis[k]);
    }
}

// The least distance of the eye at which all corners are visible, looking past the centre by (right, up).
static double distance_for(double corners[8][3], const double slope[2], const double middle[2]) {
    double distance = 0;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 2; k++) {
            double off = corners[i][k] - middle[k];
            double needed = (off < 0 ? -off : off) / slope[k] - corners[i][2];
            distance = needed > distance ? needed : distance;
        }
    return distance;
}

// Shifts the centre so that the subject fills the picture evenly: near corners reach further out than far
// ones.
static void centre_on(double corners[8][3], double distance, double middle[2]) {
    for (int k = 0; k < 2; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < 8; i++) {
            double seen = (corners[i][k] - middle[k]) / (distance + corners[i][2]);
            low = seen < low ? seen : low;
            high = seen > high ? seen : high;
        }
        middle[k] += (low + high) / 2 * distance;
    }
}

static tr_box usable_box(tr_box box) {
    const float extent = TR_SCENE_EXTENT_MAX;
    tr_box whole = {{-extent, -extent, -extent}, {extent, extent, extent}}, unit = {{-1, 0, -1}, {1, 2, 1}};
    bool is_usable = !tr_box_is_empty(box) && tr_vec3_is_finite(box.min) && tr_vec3_is_finite(box.max) &&
                     box.min.x >= whole.min.x && box.min.y >= whole.min.y && box.min.z >= whole.min.z &&
                     box.max.x <= whole.max.x && box.max.y <= whole.max.y && box.max.z <= whole.max.z;
    return is_usable ? box : unit;
}

tr_camera tr_camera_around(tr_box box, float direction, float elevation, float aspect) {
    double sine, cosine, up, flat, half_sine, half_cosine;
    tr_sin_cos(isfinite(direction) ? (double)direction : 0, &sine, &cosine);
    tr_sin_cos(isfinite(elevation) ? (double)elevation : 0.7, &up, &flat);
    tr_sin_cos((double)FIELD_OF_VIEW / 2, &half_sine, &half_cosine);
    if (!isfinite(sine) || !isfinite(up))
        sine = 0, cosine = 1, up = 0.6, flat = 0.8;
    tr_box around = usable_box(box);
    double axis[3][3] = {{0}}, corners[8][3], middle[2] = {0, 0};
    axis[2][0] = -sine * flat;
    axis[2][1] = -up;
    axis[2][2] = -cosine * flat;
    make_axes(axis);
    box_corners(around, axis, corners);
    double wide = aspect > 0 && aspect < 1e4f ? (double)aspect : 1;
    double slope_up = half_sine / half_cosine * MARGIN, slope[2] = {slope_up * wide, slope_up};
    double distance = 0;
    for (int round = 0; round < 8; round++) {
        distance = distance_for(corners, slope, middle) + 1e-3;
        centre_on(corners, distance, middle);
    }
    distance = distance_for(corners, slope, middle) + 4 * NEAR_DEPTH;
    double target[3], eye[3],
        centre[3] = {((double)around.min.x + around.max.x) / 2, ((double)around.min.y + around.max.y) / 2,
                     ((double)around.min.z + around.max.z) / 2};
    for (int i = 0; i < 3; i++) {
        target[i] = centre[i] + axis[0][i] * middle[0] + axis[1][i] * middle[1];
        eye[i] = target[i] - axis[2][i] * distance;
    }
    tr_camera camera = {{(float)eye[0], (float)eye[1], (float)eye[2]},
                        {(float)target[0], (float)target[1], (float)target[2]},
                        FIELD_OF_VIEW,
                        0};
    return camera;
}
