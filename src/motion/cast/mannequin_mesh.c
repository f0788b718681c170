// The surface of the mannequin: smooth rings are interpolated between those of its shape and joined to closed
// skins.
#include "mannequin_parts.h"

#include "troupe/base/scalar.h"

// ----------------------------------------------------------------------------------------------------- rings

static float cubic(float before, float from, float to, float after, float t) {
    float a = 0.5f * (to - before), b = 0.5f * (after - from), square = t * t, cube = square * t;
    return (2 * cube - 3 * square + 1) * from + (cube - 2 * square + t) * a + (3 * square - 2 * cube) * to +
           (cube - square) * b;
}

// The ring at a place between those of the shape, in units of rings.
static tr_mannequin_ring ring_at(const tr_mannequin_part *part, float place) {
    uint32_t last = part->ring_count - 1, i = (uint32_t)place;
    i = i < last ? i : last - 1;
    const tr_mannequin_ring *rings = part->rings;
    const float *before = &rings[i > 0 ? i - 1 : 0].along, *from = &rings[i].along;
    const float *to = &rings[i + 1].along, *after = &rings[i + 2 < part->ring_count ? i + 2 : last].along;
    tr_mannequin_ring ring;
    for (uint32_t k = 0; k < sizeof ring / sizeof(float); k++)
        (&ring.along)[k] = cubic(before[k], from[k], to[k], after[k], place - (float)i);
    // Interpolation overshoots near the end points; it must not turn a ring inside out.
    ring.half = ring.half > 0 ? ring.half : 0;
    ring.fore = ring.fore > 0 ? ring.fore : 0;
    ring.back = ring.back > 0 ? ring.back : 0;
    return ring;
}

// Between a circle and the curve x^4 + y^4 = 1.
static float rounding(float x, float y, float square) {
    float x2 = x * x, y2 = y * y;
    return 1 + square * (1 / sqrtf(sqrtf(x2 * x2 + y2 * y2)) - 1);
}

static tr_vec3 point_of(const tr_mannequin_part *part, const tr_mannequin_ring *ring, double angle) {
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    float across = (float)cosine, forth = (float)sine;
    float grown = rounding(across, forth, ring->square);
    float x = ring->x + ring->half * across * grown;
    float v = ring->off + (forth > 0 ? ring->fore : ring->back) * forth * grown;
    if (part->along_z)
        return tr_vec3_make(x, v > 0 ? v : 0, ring->along); // soles are flat
    return tr_vec3_make(x, ring->along, v);
}

// --------------------------------------------------------------------------------------------------- weights

static float smooth(float x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * (3 - 2 * x);
}

static uint32_t on_side(uint32_t joint, bool mirrored) {
    if (!mirrored)
        return joint;
    if (joint >= TR_MANNEQUIN_LEFT_SHOULDER && joint <= TR_MANNEQUIN_LEFT_HAND_END)
        return joint + TR_MANNEQUIN_ARM_STEP;
    if (joint >= TR_MANNEQUIN_LEFT_THIGH && joint <= TR_MANNEQUIN_LEFT_TOES_END)
        return joint + TR_MANNEQUIN_LEG_STEP;
    return joint;
}

// Two joints share a vertex near a seam. The lower trunk follows the thighs in part, so that no gap opens
// between them.
static void weigh(const tr_mannequin_part *part, tr_vec3 place, bool mirrored, uint16_t joints[4],
                  float weights[4]) {
    float along = part->along_z ? place.z : place.y;
    uint32_t first = part->joint, second = part->joint;
    float share = 0;
    for (uint32_t i = 0; i < part->seam_count; i++) {
        const tr_mannequin_seam *seam = &part->seams[i];
        float beyond = smooth((along - seam->at + seam->width) / (2 * seam->width));
        if (beyond <= 0)
            break;
        first = beyond < 1 ? second : seam->joint;
        second = seam->joint;
        share = beyond < 1 ? beyond : 0;
    }
    for (int k = 0; k < 4; k++)
        joints[k] = 0, weights[k] = 0;
    joints[0] = (uint16_t)on_side(first, mirrored);
    weights[0] = 1 - share;
    if (share > 0) {
        joints[1] = (uint16_t)on_side(second, mirrored);
        weights[1] = share;
    }
    float low = part->joint == TR_MANNEQUIN_HIPS ? smooth((.545f - place.y) / .07f) : 0;
    float aside = smooth((place.x < 0 ? -place.x : place.x) / .06f);
    if (low * aside > 0) {
        joints[1] = place.x > 0 ? TR_MANNEQUIN_LEFT_THIGH : TR_MANNEQUIN_RIGHT_THIGH;
        weights[1] = 0.45f * low * aside;
        weights[0] = 1 - weights[1];
    }
}

// ---------------------------------------------------------------------------------------------------- skins

typedef struct skin_size {
    uint32_t round, tall; // corners of a ring; rings between the two end points
} skin_size;

static skin_size size_of(const tr_mannequin_part *part, uint32_t detail) {
    skin_size size = {part->round[detail], part->tall[detail]};
    return size;
}

static void count(uint32_t detail, uint32_t *vertices, uint32_t *triangles) {
    *vertices = *triangles = 0;
    for (uint32_t i = 0; i < TR_MANNEQUIN_PARTS; i++) {
        skin_size size = size_of(&tr_mannequin_parts[i], detail);
        uint32_t copies = size.tall == 0 ? 0 : tr_mannequin_parts[i].is_pair ? 2 : 1;
        *vertices += copies * (size.round * size.tall + 2);
        *triangles += copies * 2 * size.round * size.tall;
    }
}

static tr_mannequin_region region_of(const tr_mannequin_part *part) {
    if (part->joint == TR_MANNEQUIN_NECK) // the skull, whose seam to the neck is inside
        return TR_MANNEQUIN_IN_HEAD;
    if (part->joint == TR_MANNEQUIN_LEFT_FOOT && !part->along_z)
        return TR_MANNEQUIN_IN_LEG;
    return tr_mannequin_region_of(part->joint);
}

static void add_vertex(tr_mannequin_mesh *mesh, const tr_mannequin_part *part, tr_vec3 place, bool mirrored,
                       float height) {
    uint32_t i = mesh->vertex_count++;
    weigh(part, place, mirrored, mesh->joints[i], mesh->weights[i]);
    place = tr_mannequin_place(mesh->shape, region_of(part), place);
    if (mirrored)
        place.x = -place.x;
    mesh->positions[i] = tr_vec3_scale(place, height);
}

static void add_triangle(tr_mannequin_mesh *mesh, uint32_t a, uint32_t b, uint32_t c, bool turned) {
    uint32_t *corner = &mesh->indices[3 * mesh->triangle_count++];
    corner[0] = a;
    corner[1] = turned ? c : b;
    corner[2] = turned ? b : c;
}

// Rings go up along Y or forward along Z, corners from X towards the other axis. `turned` keeps the outside
// facing out.
static void add_skin(tr_mannequin_mesh *mesh, const tr_mannequin_part *part, skin_size size, bool mirrored,
                     float height) {
    uint32_t begin = mesh->vertex_count, round = size.round, tall = size.tall;
    bool turned = mirrored != part->along_z;
    float step = (float)(part->ring_count - 1) / (float)(tall + 1);
    for (uint32_t i = 0; i <= tall + 1; i++) {
        bool is_end = i == 0 || i == tall + 1;
        tr_mannequin_ring ring =
            ring_at(part, i == tall + 1 ? (float)(part->ring_count - 1) : step * (float)i);
        for (uint32_t k = 0; k < (is_end ? 1 : round); k++)
            add_vertex(mesh, part, point_of(part, &ring, 2 * TR_PI * k / round), mirrored, height);
    }
    uint32_t end = mesh->vertex_count - 1;
    for (uint32_t k = 0; k < round; k++) {
        uint32_t next = (k + 1) % round;
        add_triangle(mesh, begin, begin + 1 + k, begin + 1 + next, turned);
        for (uint32_t i = 0; i + 1 < tall; i++) {
            uint32_t low = begin + 1 + i * round, high = low + round;
            add_triangle(mesh, low + k, high + k, low + next, turned);
            add_triangle(mesh, high + k, high + next, low + next, turned);
        }
        uint32_t top = begin + 1 + (tall - 1) * round;
        add_triangle(mesh, top + k, end, top + next, turned);
    }
}

// The mean of the normals of the adjacent triangles, weighted by area.
static void find_normals(tr_mannequin_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        mesh->normals[i] = tr_vec3_make(0, 0, 0);
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corner = &mesh->indices[3 * i];
        tr_vec3 a = mesh->positions[corner[0]], b = mesh->positions[corner[1]],
                c = mesh->positions[corner[2]];
        tr_vec3 normal = tr_vec3_cross(tr_vec3_subtract(b, a), tr_vec3_subtract(c, a));
        for (int k = 0; k < 3; k++)
            mesh->normals[corner[k]] = tr_vec3_add(mesh->normals[corner[k]], normal);
    }
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        float length = tr_vec3_length(mesh->normals[i]);
        mesh->normals[i] = length > 0 ? tr_vec3_scale(mesh->normals[i], 1 / length) : tr_vec3_make(0, 1, 0);
    }
}

bool tr_mannequin_build_mesh(const tr_allocator *allocator, tr_mannequin_shape shape, float height,
                             uint32_t detail, tr_mannequin_mesh *mesh) {
    uint32_t vertices, triangles;
    count(detail, &vertices, &triangles);
    *mesh = (tr_mannequin_mesh){
        .allocator = *allocator, .shape = shape, .vertex_count = vertices, .triangle_count = triangles};
    mesh->positions = tr_allocate(allocator, vertices, sizeof *mesh->positions);
    mesh->normals = tr_allocate(allocator, vertices, sizeof *mesh->normals);
    mesh->joints = tr_allocate(allocator, vertices, sizeof *mesh->joints);
    mesh->weights = tr_allocate(allocator, vertices, sizeof *mesh->weights);
    mesh->indices = tr_allocate(allocator, 3 * (size_t)triangles, sizeof *mesh->indices);
    if (!mesh->positions || !mesh->normals || !mesh->joints || !mesh->weights || !mesh->indices) {
        tr_mannequin_release_mesh(mesh);
        return false;
    }
    mesh->vertex_count = mesh->triangle_count = 0;
    for (uint32_t i = 0; i < TR_MANNEQUIN_PARTS; i++) {
        const tr_mannequin_part *part = &tr_mannequin_parts[i];
        uint32_t before = mesh->triangle_count;
        for (int side = 0; side < (part->is_pair ? 2 : 1) && part->tall[detail]; side++)
            add_skin(mesh, part, size_of(part, detail), side == 1, height);
        if (part->paint)
            mesh->painted[part->paint - 1] += mesh->triangle_count - before;
    }
    find_normals(mesh);
    return true;
}

void tr_mannequin_release_mesh(tr_mannequin_mesh *mesh) {
    const tr_allocator *allocator = &mesh->allocator;
    tr_release(allocator, mesh->positions, mesh->vertex_count, sizeof *mesh->positions);
    tr_release(allocator, mesh->normals, mesh->vertex_count, sizeof *mesh->normals);
    tr_release(allocator, mesh->joints, mesh->vertex_count, sizeof *mesh->joints);
    tr_release(allocator, mesh->weights, mesh->vertex_count, sizeof *mesh->weights);
    tr_release(allocator, mesh->indices, 3 * (size_t)mesh->triangle_count, sizeof *mesh->indices);
}
