// Does a body that goes straight touch an object? Tests the triangles of the object within the body's height,
// seen from above: exact, and independent of other objects. The ground cannot tell objects apart that are
// inside each other.
#include "stage_data.h"

typedef struct outline {
    tr_vec3 points[5];
    uint32_t count;
} outline;

// The part of a polygon above a height (sign 1) or below it (-1).
static outline cut(const outline *from, float y, float sign) {
    outline kept = {.count = 0};
    for (uint32_t i = 0; i < from->count; i++) {
        tr_vec3 a = from->points[i], b = from->points[(i + 1) % from->count];
        float above = sign * (a.y - y), next = sign * (b.y - y);
        if (above >= 0)
            kept.points[kept.count++] = a;
        if ((above >= 0) != (next >= 0))
            kept.points[kept.count++] =
                tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), above / (above - next)));
    }
    return kept;
}

// Squared distance of a point from a line, seen from above.
static float square_to(tr_vec3 a, tr_vec3 b, tr_vec3 point) {
    float x = b.x - a.x, z = b.z - a.z, px = point.x - a.x, pz = point.z - a.z, length = x * x + z * z;
    float t = length > 0 ? (px * x + pz * z) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    px -= t * x;
    pz -= t * z;
    return px * px + pz * pz;
}

// On which side of a line a point lies.
static float side_of(tr_vec3 a, tr_vec3 b, tr_vec3 point) {
    return (b.x - a.x) * (point.z - a.z) - (b.z - a.z) * (point.x - a.x);
}

static bool lines_meet(tr_vec3 a, tr_vec3 b, tr_vec3 c, tr_vec3 d, float square) {
    if (side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0)
        return true; // they cross
    return square_to(a, b, c) < square || square_to(a, b, d) < square || square_to(c, d, a) < square ||
           square_to(c, d, b) < square;
}

static bool meets_outline(const outline *of, tr_vec3 from, tr_vec3 to, float square) {
    bool left = of->count > 2, right = left;
    for (uint32_t i = 0; i < of->count; i++) {
        tr_vec3 a = of->points[i], b = of->points[(i + 1) % of->count];
        if (lines_meet(from, to, a, b, square))
            return true;
        float side = side_of(a, b, from);
        left = left && side > 0;
        right = right && side < 0;
    }
    return left || right; // the outline contains it
}

// The rectangle around the line, seen from above, with the height of the body.
static tr_box box_around(const stage_swept *body) {
    tr_vec3 a = body->from, b = body->to;
    float r = body->radius;
    tr_box box = {{(a.x < b.x ? a.x : b.x) - r, body->low, (a.z < b.z ? a.z : b.z) - r},
                  {(a.x > b.x ? a.x : b.x) + r, body->high, (a.z > b.z ? a.z : b.z) + r}};
    return box;
}

static bool are_apart(const tr_box *a, const tr_box *b) {
    return a->max.x < b->min.x || b->max.x < a->min.x || a->max.y < b->min.y || b->max.y < a->min.y ||
           a->max.z < b->min.z || b->max.z < a->min.z;
}

bool tr_stage_strikes(const tr_scene *scene, uint32_t object, const stage_swept *body) {
    tr_object_view view = tr_scene_object(scene, object);
    tr_box around = box_around(body);
    if (view.removed || are_apart(&view.bounds, &around))
        return false;
    tr_mesh_view mesh = tr_scene_mesh(scene, view.mesh);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        outline triangle = {.count = 3};
        for (uint32_t k = 0; k < 3; k++)
            triangle.points[k] = tr_affine_apply(&view.placement, mesh.positions[mesh.indices[3 * i + k]]);
        outline upper = cut(&triangle, body->low, 1), band = cut(&upper, body->high, -1);
        if (meets_outline(&band, body->from, body->to, body->radius * body->radius))
            return true;
    }
    return false;
}
