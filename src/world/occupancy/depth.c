#include "depth_data.h"

#include <math.h>

tr_status tr_depth_check_map(const tr_depth_map *map, tr_error *error) {
    if (!map || !map->depth)
        return tr_fail(error, TR_INVALID, "the depth map has no memory for its pixels");
    if (map->columns < 1 || map->columns > TR_DEPTH_SIZE_MAX || map->rows < 1 ||
        map->rows > TR_DEPTH_SIZE_MAX)
        return tr_fail(error, TR_INVALID, "the depth map has %u x %u pixels, each side must be 1 to %d",
                       map->columns, map->rows, TR_DEPTH_SIZE_MAX);
    return TR_OK;
}

static tr_status check_camera(const tr_depth_camera *camera, tr_error *error) {
    tr_vec3 eye = camera->eye;
    if (!(fabsf(eye.x) <= TR_SCENE_EXTENT_MAX && fabsf(eye.y) <= TR_SCENE_EXTENT_MAX &&
          fabsf(eye.z) <= TR_SCENE_EXTENT_MAX))
        return tr_fail(error, TR_INVALID, "the camera's eye is at (%g, %g, %g): not finite, or beyond %g m",
                       (double)eye.x, (double)eye.y, (double)eye.z, (double)TR_SCENE_EXTENT_MAX);
    if (!tr_vec3_is_finite(camera->forward) || !tr_vec3_is_finite(camera->up))
        return tr_fail(error, TR_INVALID, "the camera's forward or up is not finite");
    if (!(camera->half_tangent > 0 && isfinite(camera->half_tangent)))
        return tr_fail(error, TR_INVALID, "half_tangent is %g, it must be above 0 and finite",
                       (double)camera->half_tangent);
    if (!(camera->near > 0 && camera->near < camera->far && isfinite(camera->far)))
        return tr_fail(error, TR_INVALID, "near is %g m and far is %g m, they must satisfy 0 < near < far",
                       (double)camera->near, (double)camera->far);
    return TR_OK;
}

static bool make_unit(double v[3]) {
    // Divide by the greatest component first, so that the squares neither overflow nor underflow.
    double most = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
    if (!(most > 0))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= most;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

static void cross(const double a[3], const double b[3], double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

tr_status tr_depth_look(const tr_depth_camera *camera, uint32_t columns, uint32_t rows, depth_view *view,
                        tr_error *error) {
    const double parallel = 1e-6; // [rad]: directions at a smaller angle count as parallel
    tr_status status = check_camera(camera, error);
    if (status != TR_OK)
        return status;
    double up[3] = {camera->up.x, camera->up.y, camera->up.z};
    depth_view made = {.columns = columns,
                       .rows = rows,
                       .eye = {camera->eye.x, camera->eye.y, camera->eye.z},
                       .forward = {camera->forward.x, camera->forward.y, camera->forward.z},
                       .near = camera->near,
                       .far = camera->far};
    if (!make_unit(made.forward))
        return tr_fail(error, TR_INVALID, "the camera's forward has no length");
    if (!make_unit(up))
        return tr_fail(error, TR_INVALID, "the camera's up has no length");
    cross(made.forward, up, made.right);
    double across = made.right[0] * made.right[0] + made.right[1] * made.right[1] +
                    made.right[2] * made.right[2]; // the square of the sine between them
    if (!(across > parallel * parallel) || !make_unit(made.right))
        return tr_fail(error, TR_INVALID, "the camera's forward and up are parallel");
    cross(made.forward, made.right, made.down);
    double half_columns = columns / 2.0, half_rows = rows / 2.0, tangent = (double)camera->half_tangent;
    for (int i = 0; i < 3; i++) {
        made.axes[0][i] = half_columns * (made.right[i] / tangent + made.forward[i]);
        made.axes[1][i] = half_rows * (made.down[i] / tangent + made.forward[i]);
        made.axes[2][i] = made.forward[i];
    }
    *view = made;
    return TR_OK;
}

void tr_depth_place(const depth_view *view, const tr_affine *placement, tr_vec3 centre, double matrix[3][4]) {
    double from_eye[3]; // the centre relative to the eye
    for (int i = 0; i < 3; i++) {
        const float *m = placement->m[i];
        from_eye[i] = (double)m[0] * (double)centre.x + (double)m[1] * (double)centre.y +
                      (double)m[2] * (double)centre.z + ((double)m[3] - view->eye[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double *a = view->axes[axis];
        for (int k = 0; k < 3; k++)
            matrix[axis][k] = a[0] * (double)placement->m[0][k] + a[1] * (double)placement->m[1][k] +
                              a[2] * (double)placement->m[2][k];
        matrix[axis][3] = a[0] * from_eye[0] + a[1] * from_eye[1] + a[2] * from_eye[2];
    }
}

void tr_depth_planes(const depth_window *window, float near, const double matrix[3][4],
                     depth_plane planes[DEPTH_PLANES]) {
    // Each border is a combination of column, row and depth with these factors, and a distance. The middles
    // of the outermost pixels lie half a pixel inside.
    const double left = window->column_first + 0.5, right = window->column_last + 0.5;
    const double top = window->row_first + 0.5, bottom = window->row_last + 0.5;
    const double borders[DEPTH_PLANES][4] = {
        {0, 0, 1, -(double)near}, {0, 0, -1, window->deepest}, {1, 0, -left, 0}, {-1, 0, right, 0},
        {0, 1, -top, 0},          {0, -1, bottom, 0},
    };
    for (int i = 0; i < DEPTH_PLANES; i++) {
        const double *border = borders[i];
        double value[4], size = 0;
        for (int k = 0; k < 4; k++)
            value[k] = border[0] * matrix[0][k] + border[1] * matrix[1][k] + border[2] * matrix[2][k];
        value[3] += border[3];
        for (int k = 0; k < 3; k++)
            size += fabs(border[k]) * (fabs(matrix[k][0]) + fabs(matrix[k][1]) + fabs(matrix[k][2]));
        double scale = size > 0 ? 1 / size : 1;
        for (int k = 0; k < 3; k++)
            planes[i].normal[k] = value[k] * scale;
        double offset = 0;
        for (int k = 0; k < 3; k++)
            offset += fabs(border[k] * matrix[k][3]);
        planes[i].offset = value[3] * scale + (offset + fabs(border[3])) * scale * 0x1p-48;
    }
}

bool tr_depth_sees(const depth_plane planes[DEPTH_PLANES], tr_vec3 half) {
    for (int i = 0; i < DEPTH_PLANES; i++) {
        const depth_plane *plane = &planes[i];
        double reach = fabs(plane->normal[0]) * (double)half.x + fabs(plane->normal[1]) * (double)half.y +
                       fabs(plane->normal[2]) * (double)half.z;
        if (plane->offset + reach + (reach * 0x1p-48) < 0)
            return false;
    }
    return true;
}

static tr_status check_request(const tr_raster *raster, const tr_depth_request *request,
                               const tr_depth_map *map, depth_view *view, tr_error *error) {
    if (raster->in_flight != 0)
        return tr_fail(error, TR_INVALID, "%u requests are in flight: collect them before drawing",
                       raster->in_flight);
    if (!request->scene)
        return tr_fail(error, TR_INVALID, "the request has no scene");
    tr_status status = tr_depth_check_map(map, error);
    if (status == TR_OK)
        status = tr_depth_look(&request->camera, map->columns, map->rows, view, error);
    view->request = request;
    return status;
}

tr_status tr_depth_draw(tr_raster *raster, const tr_depth_request *request, const tr_depth_map *map,
                        tr_error *error) {
    depth_view view = {.request = NULL};
    tr_status status = check_request(raster, request, map, &view, error);
    return status == TR_OK ? raster->functions->depth_draw(raster, &view, map, error) : status;
}

tr_status tr_depth_hits(tr_raster *raster, const tr_depth_request *request, const tr_depth_map *link,
                        tr_depth_comparison comparison, bool *hit, tr_error *error) {
    depth_view view = {.request = NULL};
    if (comparison != TR_DEPTH_COMPARE_ON_CARD && comparison != TR_DEPTH_READ_BACK)
        return tr_fail(error, TR_INVALID, "comparison %d is unknown", (int)comparison);
    tr_status status = check_request(raster, request, link, &view, error);
    if (status != TR_OK)
        return status;
    bool found = false;
    status = raster->functions->depth_hits(raster, &view, link, comparison, &found, error);
    if (status == TR_OK)
        *hit = found;
    return status;
}
