// Projects faces of the world to triangles on the screen: clipped at the near plane, set up in double.
#include "render_data.h"

#define AREA_LEAST 1e-6 // smaller triangles are invisible [pixels^2]

// A corner on the screen.
typedef struct screen_point {
    double x, y, nearness;
} screen_point;

uint32_t tr_render_chunk_count(const tr_render *render) {
    return (render->face_count + RENDER_CHUNK - 1) / RENDER_CHUNK;
}

// Right, up and depth in the view.
static void to_view(const render_view *view, tr_vec3 corner, double seen[3]) {
    double off[3] = {corner.x - view->eye[0], corner.y - view->eye[1], corner.z - view->eye[2]};
    for (int k = 0; k < 3; k++)
        seen[k] = render_dot(off, view->axis[k]);
}

static screen_point to_screen(const render_view *view, const double seen[3]) {
    double nearness = view->is_parallel ? -seen[2] : 1 / seen[2];
    double scale = view->is_parallel ? view->scale : view->scale * nearness;
    screen_point point = {view->middle_x + seen[0] * scale, view->middle_y - seen[1] * scale, nearness};
    return point;
}

// Keeps the part beyond the near plane. A cut is computed from the inner to the outer corner, so that both
// faces of an edge are cut at the same point. Returns the number of corners: 0, 3 or 4.
static int cut_near(double near_depth, double seen[3][3], double kept[4][3]) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const double *a = seen[i], *b = seen[(i + 1) % 3];
        bool a_in = a[2] >= near_depth, b_in = b[2] >= near_depth;
        if (a_in) {
            for (int k = 0; k < 3; k++)
                kept[count][k] = a[k];
            count++;
        }
        if (a_in == b_in)
            continue;
        const double *in = a_in ? a : b, *out = a_in ? b : a;
        double t = (near_depth - in[2]) / (out[2] - in[2]);
        for (int k = 0; k < 2; k++)
            kept[count][k] = in[k] + t * (out[k] - in[k]);
        kept[count++][2] = near_depth;
    }
    return count < 3 ? 0 : count;
}

// The linear function of an edge. Both faces of an edge start from the same end, so that their functions are
// exact opposites: no sample between two faces is missed.
static void make_edge(render_triangle *triangle, int edge, screen_point a, screen_point b, double sign) {
    if (b.x < a.x || (b.x == a.x && b.y < a.y)) {
        screen_point swap = a;
        a = b;
        b = swap;
        sign = -sign;
    }
    double across = sign * (a.y - b.y), down = sign * (b.x - a.x);
    triangle->across[edge] = (float)across;
    triangle->down[edge] = down;
    triangle->base[edge] = -(across * a.x + down * a.y);
}

static int32_t to_pixel(double value, uint32_t limit) {
    return value <= 0 ? 0 : value >= limit ? (int32_t)limit : (int32_t)value;
}

// The pixels that it may overlap; false: none.
static bool make_bounds(render_triangle *triangle, const screen_point p[3], const render_view *view) {
    double left = p[0].x, right = p[0].x, top = p[0].y, bottom = p[0].y;
    for (int i = 1; i < 3; i++) {
        left = p[i].x < left ? p[i].x : left;
        right = p[i].x > right ? p[i].x : right;
        top = p[i].y < top ? p[i].y : top;
        bottom = p[i].y > bottom ? p[i].y : bottom;
    }
    // Only pixels with a sample inside the bounds, with a small margin: the bounds are exact and samples are
    // floats.
    double margin = view->sample_margin - 0.002;
    triangle->left = to_pixel(left + margin, view->width);
    triangle->right = to_pixel(right + 1 - margin, view->width);
    triangle->top = to_pixel(top + margin, view->height);
    triangle->bottom = to_pixel(bottom + 1 - margin, view->height);
    return triangle->left < triangle->right && triangle->top < triangle->bottom;
}

static bool set_up(render_triangle *triangle, const screen_point p[3], const render_view *view,
                   uint32_t face) {
    double x1 = p[1].x - p[0].x, y1 = p[1].y - p[0].y, x2 = p[2].x - p[0].x, y2 = p[2].y - p[0].y;
    double area = x1 * y2 - x2 * y1, size = area < 0 ? -area : area;
    if (!(size > AREA_LEAST) || !make_bounds(triangle, p, view))
        return false;
    for (int i = 0; i < 3; i++)
        make_edge(triangle, i, p[i], p[(i + 1) % 3], area < 0 ? -1 : 1);
    double n1 = p[1].nearness - p[0].nearness, n2 = p[2].nearness - p[0].nearness;
    double across = (n1 * y2 - n2 * y1) / area, down = (n2 * x1 - n1 * x2) / area;
    triangle->nearness = p[0].nearness + across * (triangle->left - p[0].x) + down * (triangle->top - p[0].y);
    triangle->nearness_across = (float)across;
    triangle->nearness_down = down;
    triangle->face = face;
    triangle->is_turned = area > 0; // pixel rows count downwards
    return true;
}

// The normal of a face's plane on the visible side.
static void make_normal(render_triangle *triangle, const render_face *face) {
    tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(face->corner[1], face->corner[0]),
                                   tr_vec3_subtract(face->corner[2], face->corner[0]));
    float length = tr_vec3_length(normal), unit = length > 0 ? (triangle->is_turned ? -1 : 1) / length : 0;
    triangle->normal[0] = normal.x * unit;
    triangle->normal[1] = normal.y * unit;
    triangle->normal[2] = normal.z * unit;
}

// Projects one face to at most two triangles; returns their number.
static uint32_t project_face(const render_view *view, const render_face *face, uint32_t number,
                             render_triangle *triangles) {
    double seen[3][3], kept[4][3];
    for (int i = 0; i < 3; i++)
        to_view(view, face->corner[i], seen[i]);
    int corners = cut_near(view->near_depth, seen, kept);
    screen_point points[4];
    for (int i = 0; i < corners; i++)
        points[i] = to_screen(view, kept[i]);
    uint32_t made = 0;
    for (int i = 2; i < corners; i++) {
        screen_point p[3] = {points[0], points[i - 1], points[i]};
        made += set_up(&triangles[made], p, view, number);
    }
    return made;
}

void tr_render_project(void *user, uint32_t part, uint32_t member) {
    (void)member;
    const render_projection *job = user;
    tr_render *render = job->render;
    render_triangle *triangles = render->triangles + (size_t)part * 2 * RENDER_CHUNK;
    render_chunk chunk = {0, INT32_MAX, 0};
    uint32_t begin = part * RENDER_CHUNK;
    uint32_t end = render->face_count - begin < RENDER_CHUNK ? render->face_count : begin + RENDER_CHUNK;
    for (uint32_t i = begin; i < end; i++) {
        const render_face *face = &render->faces[i];
        if (job->is_sun && (face->material == RENDER_GROUND || face->material == RENDER_CUT))
            continue;
        uint32_t made = project_face(job->view, face, i, triangles + chunk.count);
        for (uint32_t k = 0; k < made; k++) {
            render_triangle *triangle = &triangles[chunk.count++];
            if (!job->is_sun)
                make_normal(triangle, face);
            chunk.top = triangle->top < chunk.top ? triangle->top : chunk.top;
            chunk.bottom = triangle->bottom > chunk.bottom ? triangle->bottom : chunk.bottom;
        }
    }
    render->chunks[part] = chunk;
}
