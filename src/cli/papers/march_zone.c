// Why a camera in a link does not see what the link touches: triangles are cut along the borders of the view
// and each part is tested against the link.
#include "march_data.h"
#include "troupe/world/distance.h"

#define CORNERS_MAX 12
#define SLACK 1e-6 // [m]: rounding must not lose what only just touches

// Seen from the camera: x to the right, y down, z ahead. The link lies on the z axis.
typedef struct zone_view {
    double eye[3], axes[3][3];
    double near, tangent;
    tr_vec3 a, b;
    float radius;
} zone_view;

typedef struct zone_polygon {
    double corners[CORNERS_MAX][3];
    uint32_t count;
} zone_polygon;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

static void make_unit(double v[3]) {
    double length = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

static zone_view make_view(const tr_depth_camera *camera, tr_vec3 a, tr_vec3 b, float radius) {
    zone_view view = {
        .near = (double)camera->near, .tangent = (double)camera->half_tangent, .radius = radius};
    const double up[3] = {(double)camera->up.x, (double)camera->up.y, (double)camera->up.z};
    double *ahead = view.axes[2];
    view.eye[0] = (double)camera->eye.x, view.eye[1] = (double)camera->eye.y;
    view.eye[2] = (double)camera->eye.z;
    ahead[0] = (double)camera->forward.x, ahead[1] = (double)camera->forward.y;
    ahead[2] = (double)camera->forward.z;
    make_unit(ahead);
    cross(ahead, up, view.axes[0]);
    make_unit(view.axes[0]);
    cross(ahead, view.axes[0], view.axes[1]);
    const double from_a[3] = {(double)a.x - view.eye[0], (double)a.y - view.eye[1],
                              (double)a.z - view.eye[2]};
    const double from_b[3] = {(double)b.x - view.eye[0], (double)b.y - view.eye[1],
                              (double)b.z - view.eye[2]};
    view.a = tr_vec3_make(0, 0, (float)dot(from_a, ahead));
    view.b = tr_vec3_make(0, 0, (float)dot(from_b, ahead));
    return view;
}

// What of the polygon is on the side of the plane where normal . p >= least.
static zone_polygon cut(const zone_polygon *polygon, const double normal[3], double least) {
    zone_polygon kept = {.count = 0};
    for (uint32_t i = 0; i < polygon->count; i++) {
        const double *here = polygon->corners[i], *next = polygon->corners[(i + 1) % polygon->count];
        double over = dot(normal, here) - least, next_over = dot(normal, next) - least;
        if (over >= 0 && kept.count < CORNERS_MAX) {
            for (int k = 0; k < 3; k++)
                kept.corners[kept.count][k] = here[k];
            kept.count++;
        }
        if ((over >= 0) != (next_over >= 0) && kept.count < CORNERS_MAX) {
            double t = over / (over - next_over);
            for (int k = 0; k < 3; k++)
                kept.corners[kept.count][k] = here[k] + t * (next[k] - here[k]);
            kept.count++;
        }
    }
    return kept;
}

static bool touches(const zone_view *view, const zone_polygon *polygon) {
    double most = (double)view->radius + SLACK;
    for (uint32_t i = 0; i + 2 < polygon->count; i++) {
        const uint32_t pick[3] = {0, i + 1, i + 2};
        tr_vec3 corners[3];
        for (int k = 0; k < 3; k++) {
            const double *p = polygon->corners[pick[k]];
            corners[k] = tr_vec3_make((float)p[0], (float)p[1], (float)p[2]);
        }
        if ((double)tr_distance_segment_triangle(view->a, view->b, corners, NULL, NULL) <= most * most)
            return true;
    }
    return false;
}

static march_zone zone_of(const zone_view *view, const zone_polygon *triangle) {
    static const double ahead[3] = {0, 0, 1}, back[3] = {0, 0, -1};
    if (!touches(view, triangle))
        return MARCH_TOUCHES_NOTHING;
    zone_polygon before = cut(triangle, ahead, view->near), seen = before;
    for (int side = 0; side < 4; side++) {
        double border[3] = {side == 0   ? 1
                            : side == 1 ? -1
                                        : 0,
                            side == 2   ? 1
                            : side == 3 ? -1
                                        : 0,
                            view->tangent};
        seen = cut(&seen, border, 0);
    }
    if (touches(view, &seen))
        return MARCH_IN_VIEW;
    if (touches(view, &before))
        return MARCH_BESIDE;
    zone_polygon behind = cut(triangle, back, -view->near);
    return touches(view, &behind) ? MARCH_BEHIND : MARCH_TOUCHES_NOTHING;
}

// The triangle as the camera sees it. false: it is further from the link than its radius on one side.
static bool take_triangle(const zone_view *view, const tr_affine *placement, const tr_mesh_view *mesh,
                          uint32_t triangle, zone_polygon *polygon) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int corner = 0; corner < 3; corner++) {
        tr_vec3 p =
            tr_affine_apply(placement, mesh->positions[mesh->indices[3 * triangle + (uint32_t)corner]]);
        const double from[3] = {(double)p.x - view->eye[0], (double)p.y - view->eye[1],
                                (double)p.z - view->eye[2]};
        for (int k = 0; k < 3; k++) {
            double along = dot(view->axes[k], from);
            polygon->corners[corner][k] = along;
            low[k] = along < low[k] ? along : low[k];
            high[k] = along > high[k] ? along : high[k];
        }
    }
    polygon->count = 3;
    double radius = (double)view->radius + 2 * SLACK;
    return low[0] <= radius && high[0] >= -radius && low[1] <= radius && high[1] >= -radius &&
           low[2] <= (double)view->b.z + radius && high[2] >= (double)view->a.z - radius;
}

static bool is_left_out(const march_depth *depth, const tr_object_view *object, uint32_t number) {
    return object->removed || object->mesh == TR_NONE || number == depth->def.exclude_object ||
           (object->tags & depth->def.exclude_tags);
}

march_zone march_depth_zone(const march_depth *depth, const tr_vec3 points[4], uint32_t link) {
    if (!depth || !points || link >= TR_ARM_LINKS || !(depth->def.arm.length[link] > 0))
        return MARCH_TOUCHES_NOTHING;
    const tr_scene *scene = depth->def.scene;
    tr_vec3 a = points[link], b = points[link + 1];
    float radius = depth->def.arm.radius[link];
    tr_depth_camera camera = tr_depth_link_camera(a, b, radius, depth->def.pull_back);
    zone_view view = make_view(&camera, a, b, radius);
    march_zone best = MARCH_TOUCHES_NOTHING;
    for (uint32_t i = 0; i < tr_scene_object_count(scene); i++) {
        tr_object_view object = tr_scene_object(scene, i);
        if (is_left_out(depth, &object, i))
            continue;
        tr_mesh_view mesh = tr_scene_mesh(scene, object.mesh);
        for (uint32_t j = 0; j < mesh.triangle_count; j++) {
            zone_polygon polygon;
            if (!take_triangle(&view, &object.placement, &mesh, j, &polygon))
                continue;
            march_zone zone = zone_of(&view, &polygon);
            if (zone != MARCH_TOUCHES_NOTHING && (best == MARCH_TOUCHES_NOTHING || zone < best))
                best = zone;
            if (best == MARCH_IN_VIEW)
                return best;
        }
    }
    return best;
}
