// A link's own depth map, and the cameras that look along it.
#include "depth_data.h"

#include <math.h>

#define NEAR_PART 0.125f // of the radius: the distance of the near plane from the proximal end
#define FAR_PART 1.125f  // of the radius: the distance of the far plane behind the distal end

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// An interval of depths on a ray; empty when begin > end.
typedef struct stretch {
    double begin, end;
} stretch;

static const stretch nothing = {INFINITY, -INFINITY};

// Where a t^2 + 2 b t + c <= 0 [a >= 0].
static stretch solve(double a, double b, double c) {
    const stretch always = {-INFINITY, INFINITY};
    double inside = b * b - a * c;
    if (!(inside >= 0))
        return nothing;
    if (a == 0 && b == 0)
        return c <= 0 ? always : nothing;
    // First the root without cancellation, then the other from their product.
    double root = sqrt(inside), sum = b < 0 ? root - b : -root - b;
    double one = a > 0 ? sum / a : sum < 0 ? -INFINITY : INFINITY, other = sum != 0 ? c / sum : one;
    stretch found = {one < other ? one : other, one < other ? other : one};
    return found;
}

// The values that are the same for all pixels.
typedef struct link_shape {
    double axis[3], length;      // of the line; any direction when the length is 0
    double from_a[3], from_b[3]; // to the eye
    double radius;
} link_shape;

static link_shape make_shape(const depth_view *view, tr_vec3 a, tr_vec3 b, float radius) {
    const double ends[2][3] = {{(double)a.x, (double)a.y, (double)a.z},
                               {(double)b.x, (double)b.y, (double)b.z}};
    link_shape shape = {.radius = (double)radius};
    for (int i = 0; i < 3; i++) {
        shape.axis[i] = ends[1][i] - ends[0][i];
        shape.from_a[i] = view->eye[i] - ends[0][i];
        shape.from_b[i] = view->eye[i] - ends[1][i];
    }
    shape.length = sqrt(dot(shape.axis, shape.axis));
    for (int i = 0; i < 3 && shape.length > 0; i++)
        shape.axis[i] /= shape.length;
    return shape;
}

static stretch cut_ball(const double from[3], const double ray[3], double radius) {
    return solve(dot(ray, ray), dot(ray, from), dot(from, from) - radius * radius);
}

// The round wall between the two ends.
static stretch cut_wall(const link_shape *shape, const double ray[3]) {
    double along = dot(ray, shape->axis), at = dot(shape->from_a, shape->axis);
    double across_ray[3], across_from[3];
    for (int i = 0; i < 3; i++) {
        across_ray[i] = ray[i] - along * shape->axis[i];
        across_from[i] = shape->from_a[i] - at * shape->axis[i];
    }
    stretch wall = cut_ball(across_from, across_ray, shape->radius);
    if (along == 0)
        return at >= 0 && at <= shape->length ? wall : nothing;
    double first = -at / along, last = (shape->length - at) / along;
    stretch between = {first < last ? first : last, first < last ? last : first};
    wall.begin = wall.begin > between.begin ? wall.begin : between.begin;
    wall.end = wall.end < between.end ? wall.end : between.end;
    return wall.begin <= wall.end ? wall : nothing;
}

// A link is convex: the union of a ray's intervals in its three parts is one interval.
static stretch cut_link(const link_shape *shape, const double ray[3]) {
    stretch parts[3] = {cut_ball(shape->from_a, ray, shape->radius),
                        cut_ball(shape->from_b, ray, shape->radius),
                        shape->length > 0 ? cut_wall(shape, ray) : nothing};
    stretch whole = nothing;
    for (int i = 0; i < 3; i++)
        if (parts[i].begin <= parts[i].end) {
            whole.begin = parts[i].begin < whole.begin ? parts[i].begin : whole.begin;
            whole.end = parts[i].end > whole.end ? parts[i].end : whole.end;
        }
    return whole;
}

tr_status tr_depth_link(const tr_depth_camera *camera, tr_vec3 a, tr_vec3 b, float radius,
                        const tr_depth_map *map, tr_error *error) {
    depth_view view;
    tr_status status = tr_depth_check_map(map, error);
    if (status == TR_OK)
        status = tr_depth_look(camera, map->columns, map->rows, &view, error);
    if (status != TR_OK)
        return status;
    if (!tr_vec3_is_finite(a) || !tr_vec3_is_finite(b) || !(radius > 0 && isfinite(radius)))
        return tr_fail(error, TR_INVALID,
                       "the link goes from (%g, %g, %g) to (%g, %g, %g) with a radius of %g m: its ends must "
                       "be finite and its radius above 0",
                       (double)a.x, (double)a.y, (double)a.z, (double)b.x, (double)b.y, (double)b.z,
                       (double)radius);
    link_shape shape = make_shape(&view, a, b, radius);
    // Nothing visible lies at `far`, and a pixel that sees nothing must not look like a hit.
    const double tangent = (double)camera->half_tangent, deepest = (double)nextafterf(camera->far, 0);
    for (uint32_t row = 0; row < map->rows; row++)
        for (uint32_t column = 0; column < map->columns; column++) {
            double x = ((2 * column + 1.0) / map->columns - 1) * tangent,
                   y = ((2 * row + 1.0) / map->rows - 1) * tangent, ray[3];
            for (int i = 0; i < 3; i++)
                ray[i] = view.forward[i] + x * view.right[i] + y * view.down[i];
            stretch inside = cut_link(&shape, ray);
            bool looks_in = inside.begin <= (double)camera->near && inside.end >= (double)camera->near;
            double depth = looks_in ? inside.end < deepest ? inside.end : deepest : 0;
            map->depth[(size_t)row * map->columns + column] = (float)depth;
        }
    return TR_OK;
}

tr_depth_camera tr_depth_link_camera(tr_vec3 a, tr_vec3 b, float radius, float pull_back) {
    tr_vec3 along = tr_vec3_subtract(b, a);
    double axis[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y, (double)b.z - (double)a.z};
    double length = sqrt(dot(axis, axis));
    double back = (double)pull_back * (double)radius / (double)TR_DEPTH_HALF_TANGENT;
    double step = length > 0 ? back / length : 0;
    float near = (float)back, least = NEAR_PART * radius;
    // Any perpendicular direction will do; the axis of the smallest coordinate is the safest.
    float x = fabsf(along.x), y = fabsf(along.y), z = fabsf(along.z);
    tr_vec3 up = y <= x && y <= z ? tr_vec3_make(0, 1, 0)
                 : x <= z         ? tr_vec3_make(1, 0, 0)
                                  : tr_vec3_make(0, 0, 1);
    tr_depth_camera camera = {
        .eye = tr_vec3_make((float)((double)a.x - axis[0] * step), (float)((double)a.y - axis[1] * step),
                            (float)((double)a.z - axis[2] * step)),
        .forward = along,
        .up = up,
        .half_tangent = TR_DEPTH_HALF_TANGENT,
        .near = near > least ? near : least,
        .far = (float)(back + length) + FAR_PART * radius,
    };
    return camera;
}
