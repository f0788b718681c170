// The contents of a frame: meshes, ground and lines become faces in the world.
#include "render_data.h"

#include <string.h>

static bool is_near(tr_vec3 p) {
    const float most = TR_SCENE_EXTENT_MAX;
    return p.x >= -most && p.x <= most && p.y >= -most && p.y <= most && p.z >= -most && p.z <= most;
}

static bool is_color(const float color[3]) {
    for (int i = 0; i < 3; i++)
        if (!(color[i] >= 0 && color[i] <= 1))
            return false;
    return true;
}

tr_status tr_render_faces_reserve(tr_render *render, uint64_t more, bool smooth) {
    if (render->face_count + more > RENDER_FACES_MAX)
        return TR_LIMIT;
    void *faces = render->faces, *normals = render->normals;
    bool enough = tr_reserve(&render->allocator, &faces, &render->face_capacity, render->face_count + more,
                             sizeof(render_face));
    render->faces = faces;
    if (enough && smooth)
        enough = tr_reserve(&render->allocator, &normals, &render->normal_capacity,
                            render->normal_count + 3 * more, sizeof(tr_vec3));
    render->normals = normals;
    return enough ? TR_OK : TR_OUT_OF_MEMORY;
}

void tr_render_face_add(tr_render *render, const tr_vec3 corner[3], const tr_vec3 normals[3],
                        const float color[3], render_material material) {
    render_face *face = &render->faces[render->face_count++];
    memcpy(face->corner, corner, sizeof face->corner);
    memcpy(face->color, color, sizeof face->color);
    face->normals = TR_NONE;
    face->material = (uint8_t)material;
    if (normals) {
        face->normals = render->normal_count / 3;
        memcpy(render->normals + render->normal_count, normals, 3 * sizeof *normals);
        render->normal_count += 3;
    }
    if (material == RENDER_PLAIN || material == RENDER_FLOOR)
        for (int i = 0; i < 3; i++)
            render->solid = tr_box_include(render->solid, corner[i]);
}

// Normals are transformed by the cofactors of a map, so that they stay perpendicular to the surface.
static tr_affine normal_map(const tr_affine *place) {
    tr_affine map = {{{0}}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            map.m[i][k] = place->m[i1][k1] * place->m[i2][k2] - place->m[i1][k2] * place->m[i2][k1];
        }
    return map;
}

static bool check_mesh(const tr_vec3 *positions, const tr_vec3 *normals, uint32_t vertex_count,
                       const uint32_t *indices, uint32_t triangle_count, const tr_affine *place) {
    if (triangle_count > 0 && (!positions || !indices))
        return false;
    for (uint64_t i = 0; i < 3 * (uint64_t)triangle_count; i++)
        if (indices[i] >= vertex_count)
            return false;
    for (uint32_t i = 0; i < vertex_count; i++) {
        if (!is_near(place ? tr_affine_apply(place, positions[i]) : positions[i]))
            return false;
        if (normals && !tr_vec3_is_finite(normals[i]))
            return false;
    }
    return true;
}

// Triangles whose colours are `step` apart: 0 gives all the first.
static tr_status add_mesh(tr_render *render, const tr_vec3 *positions, const tr_vec3 *normals,
                          uint32_t vertex_count, const uint32_t *indices, uint32_t triangle_count,
                          const tr_affine *place, const float (*colors)[3], uint32_t step) {
    if (!render || !render->is_open || !colors ||
        !check_mesh(positions, normals, vertex_count, indices, triangle_count, place))
        return TR_INVALID;
    for (uint32_t i = 0; i < (step > 0 ? triangle_count : 1); i++)
        if (!is_color(colors[i]))
            return TR_INVALID;
    tr_status status = tr_render_faces_reserve(render, triangle_count, normals != NULL);
    if (status != TR_OK)
        return status;
    tr_affine turn = place ? normal_map(place) : tr_affine_identity();
    for (uint32_t i = 0; i < triangle_count; i++) {
        tr_vec3 corner[3], normal[3];
        for (int k = 0; k < 3; k++) {
            uint32_t index = indices[3 * (size_t)i + k];
            corner[k] = place ? tr_affine_apply(place, positions[index]) : positions[index];
            if (normals)
                normal[k] = place ? tr_affine_turn(&turn, normals[index]) : normals[index];
        }
        tr_render_face_add(render, corner, normals ? normal : NULL, colors[(size_t)i * step], RENDER_PLAIN);
    }
    return TR_OK;
}

tr_status tr_render_add_mesh(tr_render *render, const tr_vec3 *positions, const tr_vec3 *normals,
                             uint32_t vertex_count, const uint32_t *indices, uint32_t triangle_count,
                             const tr_affine *place, const float color[3]) {
    return add_mesh(render, positions, normals, vertex_count, indices, triangle_count, place,
                    (const float(*)[3])color, 0);
}

tr_status tr_render_add_painted_mesh(tr_render *render, const tr_vec3 *positions, const tr_vec3 *normals,
                                     uint32_t vertex_count, const uint32_t *indices, uint32_t triangle_count,
                                     const tr_affine *place, const float (*colors)[3]) {
    return add_mesh(render, positions, normals, vertex_count, indices, triangle_count, place, colors, 1);
}

tr_status tr_render_add_ground(tr_render *render, tr_box box, float height) {
    const float color[3] = {0.55f, 0.555f, 0.54f};
    const float below = 0.004f; // below a floor of the same height, to avoid flicker [m]
    if (!render || !render->is_open || !(box.min.x <= box.max.x) || !(box.min.z <= box.max.z) ||
        !isfinite(height))
        return TR_INVALID;
    float half_x = (box.max.x - box.min.x) / 2, half_z = (box.max.z - box.min.z) / 2;
    float longer = half_x > half_z ? half_x : half_z,
          reach = 1.6f * (half_x + half_z) / 2 + 0.6f * longer + 2;
    float x = box.min.x + half_x, z = box.min.z + half_z, y = height - below;
    float side_x = half_x + reach, side_z = half_z + reach;
    const tr_vec3 p[4] = {{x - side_x, y, z - side_z},
                          {x - side_x, y, z + side_z},
                          {x + side_x, y, z + side_z},
                          {x + side_x, y, z - side_z}};
    for (int i = 0; i < 4; i++)
        if (!is_near(p[i]))
            return TR_INVALID;
    tr_status status = tr_render_faces_reserve(render, 2, false);
    if (status != TR_OK)
        return status;
    const tr_vec3 halves[2][3] = {{p[0], p[1], p[2]}, {p[0], p[2], p[3]}};
    for (int i = 0; i < 2; i++)
        tr_render_face_add(render, halves[i], NULL, color, RENDER_GROUND);
    tr_box ground = {p[0], p[2]};
    render->ground = ground;
    return TR_OK;
}

#define RIBBON_SIDES 6

// The axes across and up for a ribbon along `ahead`: flat if possible.
static void ribbon_axes(tr_vec3 ahead, tr_vec3 *across, tr_vec3 *up) {
    const tr_vec3 y = {0, 1, 0}, x = {1, 0, 0};
    *across = tr_vec3_cross(y, ahead);
    if (tr_vec3_length(*across) < 1e-3f * tr_vec3_length(ahead))
        *across = x;
    *across = tr_vec3_scale(*across, 1 / tr_vec3_length(*across));
    *up = tr_vec3_cross(ahead, *across);
    float length = tr_vec3_length(*up);
    *up = length > 0 ? tr_vec3_scale(*up, 1 / length) : y;
}

// The direction at a point: the mean of those before and after it.
static tr_vec3 ribbon_ahead(const tr_vec3 *points, uint32_t count, uint32_t i) {
    tr_vec3 sum = {0, 0, 0};
    for (uint32_t k = i == 0 ? 0 : i - 1; k <= i && k + 1 < count; k++) {
        tr_vec3 step = tr_vec3_subtract(points[k + 1], points[k]);
        float length = tr_vec3_length(step);
        if (length > 0)
            sum = tr_vec3_add(sum, tr_vec3_scale(step, 1 / length));
    }
    return sum;
}

// A ribbon of six sides, four times as wide as thick.
static void ribbon_ring(const tr_vec3 *points, uint32_t count, uint32_t i, float width, tr_vec3 corner[],
                        tr_vec3 normal[]) {
    static const float side[RIBBON_SIDES][2] = {{1, 0},  {0.7f, 1},   {-0.7f, 1},
                                                {-1, 0}, {-0.7f, -1}, {0.7f, -1}};
    tr_vec3 ahead = ribbon_ahead(points, count, i), across, up;
    ribbon_axes(ahead, &across, &up);
    // The mean of two unit directions is shorter in a bend, where the ribbon must be wider to keep its width;
    // in a sharp bend this is limited.
    float length = tr_vec3_length(ahead), ends = i == 0 || i + 1 == count ? 1 : 2;
    float widen = length > 0.7f * ends ? ends / length : 1 / 0.7f;
    for (int k = 0; k < RIBBON_SIDES; k++) {
        float right = side[k][0] * width / 2 * widen, high = side[k][1] * width / 8;
        corner[k] =
            tr_vec3_add(points[i], tr_vec3_add(tr_vec3_scale(across, right), tr_vec3_scale(up, high)));
        normal[k] = tr_vec3_add(tr_vec3_scale(across, side[k][1] == 0 ? side[k][0] : 0.3f * side[k][0]),
                                tr_vec3_scale(up, side[k][1]));
    }
}

static void ribbon_caps(tr_render *render, const tr_vec3 ring[RIBBON_SIDES], const float color[3]) {
    for (int k = 2; k < RIBBON_SIDES; k++) {
        const tr_vec3 corner[3] = {ring[0], ring[k - 1], ring[k]};
        tr_render_face_add(render, corner, NULL, color, RENDER_PLAIN);
    }
}

tr_status tr_render_add_line(tr_render *render, const tr_vec3 *points, uint32_t point_count, float width,
                             const float color[3]) {
    if (!render || !render->is_open || !color || !is_color(color) || (point_count > 0 && !points) ||
        !(width > 0 && width <= TR_SCENE_EXTENT_MAX / 4))
        return TR_INVALID;
    for (uint32_t i = 0; i < point_count; i++)
        if (!is_near(points[i]))
            return TR_INVALID;
    if (point_count < 2)
        return TR_OK;
    uint64_t faces = (uint64_t)(point_count - 1) * RIBBON_SIDES * 2 + 2 * (RIBBON_SIDES - 2);
    tr_status status = tr_render_faces_reserve(render, faces, true);
    if (status != TR_OK)
        return status;
    tr_vec3 ring[2][RIBBON_SIDES], normal[2][RIBBON_SIDES];
    ribbon_ring(points, point_count, 0, width, ring[0], normal[0]);
    ribbon_caps(render, ring[0], color);
    for (uint32_t i = 1; i < point_count; i++) {
        int old = (i - 1) & 1, now = i & 1;
        ribbon_ring(points, point_count, i, width, ring[now], normal[now]);
        for (int k = 0; k < RIBBON_SIDES; k++) {
            int next = (k + 1) % RIBBON_SIDES;
            const tr_vec3 a[3] = {ring[old][k], ring[now][k], ring[now][next]};
            const tr_vec3 b[3] = {ring[old][k], ring[now][next], ring[old][next]};
            const tr_vec3 a_normal[3] = {normal[old][k], normal[now][k], normal[now][next]};
            const tr_vec3 b_normal[3] = {normal[old][k], normal[now][next], normal[old][next]};
            tr_render_face_add(render, a, a_normal, color, RENDER_PLAIN);
            tr_render_face_add(render, b, b_normal, color, RENDER_PLAIN);
        }
    }
    ribbon_caps(render, ring[(point_count - 1) & 1], color);
    return TR_OK;
}
