#include "skin.h"

#include "troupe/base/scalar.h"

void tr_skin_count(tr_skin_size size, uint32_t copies, uint32_t *vertices, uint32_t *triangles) {
    copies = size.tall == 0 ? 0 : copies;
    *vertices += copies * (size.round * size.tall + 2);
    *triangles += copies * 2 * size.round * size.tall;
}

bool tr_skin_create(const tr_allocator *allocator, uint32_t vertices, uint32_t triangles, tr_skin *skin) {
    *skin = (tr_skin){.allocator = *allocator, .vertex_room = vertices, .triangle_room = triangles};
    skin->positions = tr_allocate(allocator, vertices, sizeof *skin->positions);
    skin->normals = tr_allocate(allocator, vertices, sizeof *skin->normals);
    skin->joints = tr_allocate(allocator, vertices, sizeof *skin->joints);
    skin->weights = tr_allocate(allocator, vertices, sizeof *skin->weights);
    skin->indices = tr_allocate(allocator, 3 * (size_t)triangles, sizeof *skin->indices);
    if (!skin->positions || !skin->normals || !skin->joints || !skin->weights || !skin->indices) {
        tr_skin_release(skin);
        return false;
    }
    return true;
}

void tr_skin_release(tr_skin *skin) {
    const tr_allocator *allocator = &skin->allocator;
    tr_release(allocator, skin->positions, skin->vertex_room, sizeof *skin->positions);
    tr_release(allocator, skin->normals, skin->vertex_room, sizeof *skin->normals);
    tr_release(allocator, skin->joints, skin->vertex_room, sizeof *skin->joints);
    tr_release(allocator, skin->weights, skin->vertex_room, sizeof *skin->weights);
    tr_release(allocator, skin->indices, 3 * (size_t)skin->triangle_room, sizeof *skin->indices);
}

static void add_vertex(tr_skin *skin, tr_skin_vertex vertex) {
    uint32_t i = skin->vertex_count++;
    skin->positions[i] = vertex.position;
    for (int k = 0; k < TR_BODY_INFLUENCES; k++) {
        skin->joints[i][k] = vertex.joints[k];
        skin->weights[i][k] = vertex.weights[k];
    }
}

static void add_triangle(tr_skin *skin, uint32_t a, uint32_t b, uint32_t c, bool turned) {
    uint32_t *corner = &skin->indices[3 * skin->triangle_count++];
    corner[0] = a;
    corner[1] = turned ? c : b;
    corner[2] = turned ? b : c;
}

void tr_skin_add(tr_skin *skin, tr_skin_size size, bool turned, tr_skin_at at, const void *user) {
    uint32_t begin = skin->vertex_count, round = size.round, tall = size.tall;
    for (uint32_t i = 0; i <= tall + 1; i++)
        for (uint32_t k = 0; k < (i == 0 || i == tall + 1 ? 1 : round); k++)
            add_vertex(skin, at(user, i, 2 * TR_PI * k / round));
    uint32_t end = skin->vertex_count - 1;
    for (uint32_t k = 0; k < round; k++) {
        uint32_t next = (k + 1) % round;
        add_triangle(skin, begin, begin + 1 + k, begin + 1 + next, turned);
        for (uint32_t i = 0; i + 1 < tall; i++) {
            uint32_t low = begin + 1 + i * round, high = low + round;
            add_triangle(skin, low + k, high + k, low + next, turned);
            add_triangle(skin, high + k, high + next, low + next, turned);
        }
        uint32_t top = begin + 1 + (tall - 1) * round;
        add_triangle(skin, top + k, end, top + next, turned);
    }
}

void tr_skin_find_normals(tr_skin *skin) {
    for (uint32_t i = 0; i < skin->vertex_count; i++)
        skin->normals[i] = tr_vec3_make(0, 0, 0);
    for (uint32_t i = 0; i < skin->triangle_count; i++) {
        const uint32_t *corner = &skin->indices[3 * i];
        tr_vec3 a = skin->positions[corner[0]], b = skin->positions[corner[1]],
                c = skin->positions[corner[2]];
        tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(b, a), tr_vec3_subtract(c, a));
        for (int k = 0; k < 3; k++)
            skin->normals[corner[k]] = tr_vec3_add(skin->normals[corner[k]], normal);
    }
    for (uint32_t i = 0; i < skin->vertex_count; i++) {
        float length = tr_vec3_length(skin->normals[i]);
        skin->normals[i] = length > 0 ? tr_vec3_scale(skin->normals[i], 1 / length) : tr_vec3_make(0, 1, 0);
    }
}

void tr_skin_describe(const tr_skin *skin, const float (*colors)[3], uint32_t color_count, tr_body_def *def) {
    def->positions = skin->positions;
    def->normals = skin->normals;
    def->joints = (const uint16_t(*)[TR_BODY_INFLUENCES])skin->joints;
    def->weights = (const float(*)[TR_BODY_INFLUENCES])skin->weights;
    def->vertex_count = skin->vertex_count;
    def->indices = skin->indices;
    def->triangle_count = skin->triangle_count;
    for (uint32_t i = 0; i < color_count; i++)
        if (skin->painted[i] > 0)
            def->paints[def->paint_count++] =
                (tr_body_paint){skin->painted[i], {colors[i][0], colors[i][1], colors[i][2]}};
}

float tr_skin_cubic(float before, float from, float to, float after, float t) {
    float a = 0.5f * (to - before), b = 0.5f * (after - from), square = t * t, cube = square * t;
    return (2 * cube - 3 * square + 1) * from + (cube - 2 * square + t) * a + (3 * square - 2 * cube) * to +
           (cube - square) * b;
}

void tr_skin_ring(const float *rings, uint32_t ring_count, float place, float *ring) {
    uint32_t last = ring_count - 1, i = (uint32_t)place;
    i = i < last ? i : last - 1;
    const float *from = rings + (size_t)i * TR_SKIN_RING_FLOATS, *to = from + TR_SKIN_RING_FLOATS;
    const float *before = i > 0 ? from - TR_SKIN_RING_FLOATS : from;
    const float *after = i + 2 < ring_count ? to + TR_SKIN_RING_FLOATS : to;
    for (uint32_t k = 0; k < TR_SKIN_RING_FLOATS; k++) {
        ring[k] = tr_skin_cubic(before[k], from[k], to[k], after[k], place - (float)i);
        // Interpolation overshoots near the end points; it must not turn a ring inside out.
        if (k >= 3 && k < 6 && !(ring[k] > 0))
            ring[k] = 0;
    }
}

float tr_skin_share(const tr_skin_seam *seams, uint32_t seam_count, uint32_t joint, float place,
                    uint32_t joints[2]) {
    float share = 0;
    joints[0] = joints[1] = joint;
    for (uint32_t i = 0; i < seam_count; i++) {
        float beyond = tr_skin_step((place - seams[i].at + seams[i].width) / (2 * seams[i].width));
        if (beyond <= 0)
            break;
        joints[0] = beyond < 1 ? joints[1] : seams[i].joint;
        joints[1] = seams[i].joint;
        share = beyond < 1 ? beyond : 0;
    }
    return share;
}

float tr_skin_rounding(float x, float y, float square) {
    float x2 = x * x, y2 = y * y;
    return 1 + square * (1 / sqrtf(sqrtf(x2 * x2 + y2 * y2)) - 1);
}

float tr_skin_step(float x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}
