// Tubes: rings along a line of any shape.
#include "skin.h"

#include "troupe/base/scalar.h"

// A tube while it is made.
typedef struct tube_user {
    const tr_tube *tube;
    float step; // rings of the shape from one ring of the mesh to the next
    bool mirrored;
    float scale;
} tube_user;

static tr_tube_ring ring_at(const tr_tube *tube, float place) {
    tr_tube_ring ring;
    tr_skin_ring((const float *)tube->rings, tube->ring_count, place, (float *)&ring);
    return ring;
}

static tr_vec3 centre_at(const tr_tube *tube, float place) {
    float last = (float)(tube->ring_count - 1);
    tr_tube_ring ring = ring_at(tube, place < 0 ? 0 : place > last ? last : place);
    return tr_vec3_make(ring.x, ring.y, ring.z);
}

// Across the line of the tube and its side axis: where `fore` points. The line is taken over a whole ring, so
// that rings turn gently round bends.
static tr_vec3 fore_at(const tr_tube *tube, float place) {
    tr_vec3 side = {tube->side == 0, 0, tube->side == 2};
    tr_vec3 along = tr_vec3_subtract(centre_at(tube, place + 1), centre_at(tube, place - 1));
    tr_vec3 fore = tr_vec3_cross(along, side);
    float length = tr_vec3_length(fore);
    return length > 0 ? tr_vec3_scale(fore, 1 / length) : tr_vec3_make(0, 1, 0);
}

static void weigh(const tube_user *user, float place, tr_skin_vertex *vertex) {
    const tr_tube *tube = user->tube;
    uint32_t joints[2];
    float share = tr_skin_share(tube->seams, tube->seam_count, tube->joint, place, joints);
    for (int k = 0; k < 2; k++)
        if (user->mirrored && joints[k] >= tube->shared)
            joints[k] += tube->right;
    vertex->joints[0] = (uint16_t)joints[0];
    vertex->weights[0] = 1 - share;
    if (share > 0) {
        vertex->joints[1] = (uint16_t)joints[1];
        vertex->weights[1] = share;
    }
}

static tr_skin_vertex vertex_at(const void *user, uint32_t number, double angle) {
    const tube_user *made = user;
    const tr_tube *tube = made->tube;
    float last = (float)(tube->ring_count - 1), place = made->step * (float)number;
    place = place < last ? place : last;
    tr_tube_ring ring = ring_at(tube, place);
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    float across = (float)cosine, forth = (float)sine;
    float grown = tr_skin_rounding(across, forth, ring.square);
    tr_vec3 side = {tube->side == 0, 0, tube->side == 2};
    tr_vec3 point =
        tr_vec3_add(tr_vec3_make(ring.x, ring.y, ring.z), tr_vec3_scale(side, ring.half * across * grown));
    float out = (forth > 0 ? ring.fore : ring.back) * forth * grown;
    point = tr_vec3_add(point, tr_vec3_scale(fore_at(tube, place), out));
    point.x = made->mirrored ? -point.x : point.x;
    tr_skin_vertex vertex = {.position = tr_vec3_scale(point, made->scale)};
    weigh(made, place, &vertex);
    return vertex;
}

static tr_skin_size size_of(const tr_tube *tube, uint32_t detail) {
    tr_skin_size size = {tube->round[detail], tube->tall[detail]};
    if (tube->exact && size.tall > 0)
        size.tall = tube->ring_count - 2;
    return size;
}

bool tr_skin_of_tubes(const tr_allocator *allocator, const tr_tube *tubes, uint32_t count, uint32_t detail,
                      float scale, tr_skin *skin) {
    uint32_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < count; i++)
        tr_skin_count(size_of(&tubes[i], detail), tubes[i].is_pair ? 2 : 1, &vertices, &triangles);
    if (!tr_skin_create(allocator, vertices, triangles, skin))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const tr_tube *tube = &tubes[i];
        tr_skin_size size = size_of(tube, detail);
        uint32_t before = skin->triangle_count;
        for (int side = 0; side < (tube->is_pair ? 2 : 1) && size.tall > 0; side++) {
            float step = (float)(tube->ring_count - 1) / (float)(size.tall + 1);
            tube_user user = {tube, step, side == 1, scale};
            tr_skin_add(skin, size, side == 0, vertex_at, &user);
        }
        if (tube->paint)
            skin->painted[tube->paint - 1] += skin->triangle_count - before;
    }
    tr_skin_find_normals(skin);
    return true;
}
