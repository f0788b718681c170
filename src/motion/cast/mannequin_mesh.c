// The surface of the mannequin: smooth rings are interpolated between those of its shape and joined to closed
// skins.
#include "mannequin_parts.h"

#include "troupe/base/scalar.h"

// ----------------------------------------------------------------------------------------------------- rings

// The ring at a place between those of the shape, in units of rings.
static tr_mannequin_ring ring_at(const tr_mannequin_part *part, float place) {
    tr_mannequin_ring ring;
    tr_skin_ring((const float *)part->rings, part->ring_count, place, (float *)&ring);
    return ring;
}

static tr_vec3 point_of(const tr_mannequin_part *part, const tr_mannequin_ring *ring, double angle) {
    double sine, cosine;
    tr_sin_cos(angle, &sine, &cosine);
    float across = (float)cosine, forth = (float)sine;
    float grown = tr_skin_rounding(across, forth, ring->square);
    float x = ring->x + ring->half * across * grown;
    float v = ring->off + (forth > 0 ? ring->fore : ring->back) * forth * grown;
    if (part->along_z)
        return tr_vec3_make(x, v > 0 ? v : 0, ring->along); // soles are flat
    return tr_vec3_make(x, ring->along, v);
}

// A part while its skin is made.
typedef struct part_user {
    const tr_mannequin_part *part;
    const tr_mannequin_def *def;
    float step; // rings of the shape from one ring of the mesh to the next
    uint32_t tall;
    bool mirrored;
    float height;
} part_user;

// --------------------------------------------------------------------------------------------------- weights

static uint32_t on_side(uint32_t joint, bool mirrored) {
    if (!mirrored)
        return joint;
    if (joint >= TR_MANNEQUIN_LEFT_FINGERS)
        return joint + TR_MANNEQUIN_RIGHT_FINGERS - TR_MANNEQUIN_LEFT_FINGERS;
    if (joint >= TR_MANNEQUIN_LEFT_SHOULDER && joint <= TR_MANNEQUIN_LEFT_HAND_END)
        return joint + TR_MANNEQUIN_ARM_STEP;
    if (joint >= TR_MANNEQUIN_LEFT_THIGH && joint <= TR_MANNEQUIN_LEFT_TOES_END)
        return joint + TR_MANNEQUIN_LEG_STEP;
    return joint;
}

// Two joints share a vertex near a seam. The lower trunk follows the thighs in part, so that no gap opens
// between them.
static void weigh(const part_user *made, tr_vec3 place, tr_skin_vertex *vertex) {
    const tr_mannequin_part *part = made->part;
    bool mirrored = made->mirrored, fingers = made->def->fingers;
    float along = part->along_z ? place.z : place.y;
    uint32_t pair[2];
    float share;
    if (part->finger && fingers) {
        tr_skin_seam seams[TR_MANNEQUIN_PHALANGES - 1];
        uint32_t first = tr_mannequin_finger_seams(part->finger - 1u, seams);
        share = tr_skin_share(seams, TR_MANNEQUIN_PHALANGES - 1, first, along, pair);
    } else {
        share = tr_skin_share(part->seams, part->seam_count, part->joint, along, pair);
    }
    uint16_t *joints = vertex->joints;
    float *weights = vertex->weights;
    joints[0] = (uint16_t)tr_mannequin_number(on_side(pair[0], mirrored), fingers);
    weights[0] = 1 - share;
    if (share > 0) {
        joints[1] = (uint16_t)tr_mannequin_number(on_side(pair[1], mirrored), fingers);
        weights[1] = share;
    }
    float low = part->joint == TR_MANNEQUIN_HIPS ? tr_skin_step((.545f - place.y) / .07f) : 0;
    float aside = tr_skin_step((place.x < 0 ? -place.x : place.x) / .06f);
    if (low * aside > 0) {
        uint32_t thigh = place.x > 0 ? TR_MANNEQUIN_LEFT_THIGH : TR_MANNEQUIN_RIGHT_THIGH;
        joints[1] = (uint16_t)tr_mannequin_number(thigh, fingers);
        weights[1] = 0.45f * low * aside;
        weights[0] = 1 - weights[1];
    }
}

// ---------------------------------------------------------------------------------------------------- skins

#define BENDING 4 // more rings for fingers that bend

static tr_skin_size size_of(const tr_mannequin_part *part, const tr_mannequin_def *def) {
    uint32_t tall = part->tall[def->detail];
    tr_skin_size size = {part->round[def->detail],
                         tall && part->finger && def->fingers ? tall + BENDING : tall};
    return size;
}

static tr_mannequin_region region_of(const tr_mannequin_part *part) {
    if (part->joint == TR_MANNEQUIN_NECK) // the skull, whose seam to the neck is inside
        return TR_MANNEQUIN_IN_HEAD;
    if (part->joint == TR_MANNEQUIN_LEFT_FOOT && !part->along_z)
        return TR_MANNEQUIN_IN_LEG;
    return tr_mannequin_region_of(part->joint);
}

// Rings go up along Y or forward along Z, corners from X towards the other axis.
static tr_skin_vertex vertex_at(const void *user, uint32_t number, double angle) {
    const part_user *made = user;
    const tr_mannequin_part *part = made->part;
    float last = (float)(part->ring_count - 1);
    tr_mannequin_ring ring = ring_at(part, number == made->tall + 1 ? last : made->step * (float)number);
    tr_vec3 place = point_of(part, &ring, angle);
    tr_skin_vertex vertex = {0};
    weigh(made, place, &vertex);
    place = tr_mannequin_place(made->def->shape, region_of(part), place);
    if (made->mirrored)
        place.x = -place.x;
    vertex.position = tr_vec3_scale(place, made->height);
    return vertex;
}

bool tr_mannequin_build_skin(const tr_mannequin_def *def, const tr_allocator *allocator, float height,
                             tr_skin *skin) {
    uint32_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < TR_MANNEQUIN_PARTS; i++)
        tr_skin_count(size_of(&tr_mannequin_parts[i], def), tr_mannequin_parts[i].is_pair ? 2 : 1, &vertices,
                      &triangles);
    if (!tr_skin_create(allocator, vertices, triangles, skin))
        return false;
    for (uint32_t i = 0; i < TR_MANNEQUIN_PARTS; i++) {
        const tr_mannequin_part *part = &tr_mannequin_parts[i];
        tr_skin_size size = size_of(part, def);
        uint32_t before = skin->triangle_count;
        for (int side = 0; side < (part->is_pair ? 2 : 1) && size.tall > 0; side++) {
            float step = (float)(part->ring_count - 1) / (float)(size.tall + 1);
            part_user user = {part, def, step, size.tall, side == 1, height};
            tr_skin_add(skin, size, (side == 1) != part->along_z, vertex_at, &user);
        }
        if (part->paint)
            skin->painted[part->paint - 1] += skin->triangle_count - before;
    }
    tr_skin_find_normals(skin);
    return true;
}
