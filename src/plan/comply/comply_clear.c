// The certificate of a limb over a segment: the limb in the middle of a stretch of time, and a bound of how
// far each of its capsules moves from there to either end. A stretch that this does not settle is halved.
//
// How far a point moves is bounded from the limb inwards: each rotation on the way adds its angle times the
// distance of the point from its axis, and that distance grows by no more than what the rotations further
// out move the point.
#include "comply_data.h"

#define LEAST 0.015625f   // of a stretch [frames]
#define STRETCHES_MAX 160 // of a segment: more are needed only where a limb moves along at the margin
#define SELF(links) ((links) << TR_ARM_LINKS)
#define WORLD_ALL COMPLY_LINKS_ALL
#define SELF_ALL SELF(COMPLY_LINKS_ALL)
#define ROUNDING 2e-6f // [m]

static uint32_t frame_before(float time, uint32_t frames) {
    uint32_t f = (uint32_t)time;
    return f + 1 < frames ? f : frames - 2;
}

static void angles_at(const comply_track *track, float time, uint32_t frames, float q[TR_COMPLY_ARM_ANGLES]) {
    uint32_t f = frame_before(time, frames) - track->first;
    float share = time - (float)(f + track->first);
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        q[k] = track->q[f][k] + share * (track->q[f + 1][k] - track->q[f][k]);
}

static comply_path path_at(const comply_track *track, float time, uint32_t frames) {
    uint32_t f = frame_before(time, frames) - track->first;
    float share = time - (float)(f + track->first);
    const comply_path *a = &track->path[f], *b = a + 1;
    return (comply_path){a->swing + share * (b->swing - a->swing),
                         a->rotation + share * (b->rotation - a->rotation),
                         a->elbow + share * (b->elbow - a->elbow)};
}

static comply_path span_of(const comply_track *track, const float stretch[3], uint32_t frames) {
    comply_path a = path_at(track, stretch[0], frames), m = path_at(track, stretch[1], frames),
                b = path_at(track, stretch[2], frames);
    return (comply_path){comply_greater(m.swing - a.swing, b.swing - m.swing),
                         comply_greater(m.rotation - a.rotation, b.rotation - m.rotation),
                         comply_greater(m.elbow - a.elbow, b.elbow - m.elbow)};
}

static comply_base place_base(const tr_comply *comply, const comply_track *waist, const float stretch[3]) {
    uint32_t frames = comply->frames, f = frame_before(stretch[1], frames);
    float share = stretch[1] - (float)f, q[TR_COMPLY_ARM_ANGLES];
    tr_vec3 from = comply->query.places[f].position, to = comply->query.places[f + 1].position;
    tr_vec3 position = tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(to, from), share));
    angles_at(waist, stretch[1], frames, q);
    comply_base base = {
        .pelvis = tr_comply_pelvis(position, tr_comply_path_at(comply->headings, stretch[1], frames)),
        .trunk = tr_comply_trunk(&comply->def.body, q),
        .way = tr_comply_span(comply->ways, stretch, frames),
        .turn = tr_comply_span(comply->turns, stretch, frames),
        .swing = span_of(waist, stretch, frames).swing};
    return base;
}

// A stretch of a segment. `node` is its number in the tree of halves: 1 is the whole, 2 n and 2 n + 1 the
// halves of n.
typedef struct comply_stretch {
    float times[3]; // begin, middle, end [frames]
    uint32_t segment, node;
} comply_stretch;

// The base for an arm: the same for every motion of the arm.
static const comply_base *base_of(tr_comply *comply, const comply_stretch *stretch, comply_base *room) {
    const comply_track *waist = &comply->tracks[TR_COMPLY_WAIST];
    if (stretch->node >= COMPLY_BASES) {
        *room = place_base(comply, waist, stretch->times);
        return room;
    }
    comply_base *base = &comply->bases[stretch->segment * COMPLY_BASES + stretch->node];
    uint8_t *known = &comply->bases_known[stretch->segment], bit = (uint8_t)(1u << stretch->node);
    if (!(*known & bit))
        *base = place_base(comply, waist, stretch->times);
    *known |= bit;
    return base;
}

// A point of the trunk's axes that moves by `moved` there: where it is in the axes of the pelvis, and how far
// it moves in them.
static float moved_in_pelvis(const tr_comply *comply, const comply_base *base, tr_vec3 at, float moved) {
    return moved + base->swing * (tr_vec3_distance(at, comply->def.body.waist) + moved) + ROUNDING;
}
static float moved_in_world(const comply_base *base, tr_vec3 in_pelvis, float moved) {
    float lever = sqrtf(in_pelvis.x * in_pelvis.x + in_pelvis.z * in_pelvis.z);
    return moved + base->turn * (lever + moved) + base->way + ROUNDING;
}

// --- The waist ---

static const tr_comply_part *part_at(const tr_comply *comply, uint32_t number) {
    uint32_t own = comply->def.body.part_count;
    return number < own ? &comply->def.body.parts[number] : &comply->folded_parts[number - own];
}

static uint32_t test_trunk(tr_comply *comply, tr_comply_limb limb, const comply_track *track,
                           const comply_stretch *stretch, uint32_t mask, comply_block *block) {
    comply_base base = place_base(comply, track, stretch->times);
    comply_swept swept[TR_COMPLY_CAPSULES_MAX];
    (void)limb;
    for (uint32_t k = 0; mask >> k; k++) {
        if (!(mask >> k & 1))
            continue;
        const tr_comply_part *part = part_at(comply, k);
        tr_vec3 a = tr_affine_apply(&base.trunk, part->a), b = tr_affine_apply(&base.trunk, part->b);
        float by_a = moved_in_world(&base, a, moved_in_pelvis(comply, &base, part->a, 0));
        float by_b = moved_in_world(&base, b, moved_in_pelvis(comply, &base, part->b, 0));
        swept[k] =
            (comply_swept){{tr_affine_apply(&base.pelvis, a), tr_affine_apply(&base.pelvis, b), part->radius},
                           comply_greater(by_a, by_b)};
    }
    return tr_comply_world(comply, swept, mask, stretch->times, block);
}

static uint32_t parts_of_trunk(const tr_comply *comply) {
    uint32_t mask = 0, count = comply->def.body.part_count;
    for (uint32_t i = 0; i < count; i++)
        mask |= comply->def.body.parts[i].on_pelvis ? 0 : 1u << i;
    if (comply->folded)
        mask |= ((1u << 2 * TR_ARM_LINKS) - 1) << count;
    return mask;
}

// --- An arm ---

typedef struct arm_place {
    tr_vec3 points[4]; // in the axes of the trunk
    float moved[4];    // within the stretch, there
} arm_place;

static arm_place place_arm(const tr_arm *arm, const comply_track *track, const float stretch[3],
                           uint32_t frames) {
    arm_place place;
    float q[TR_COMPLY_ARM_ANGLES], bend;
    angles_at(track, stretch[1], frames, q);
    tr_comply_arm_points(arm, q, place.points, &bend);
    const comply_path by = span_of(track, stretch, frames);
    place.moved[0] = 0;
    place.moved[1] = by.swing * arm->length[0];
    for (int k = 2; k < 4; k++) {
        float lower = k == 2 ? arm->length[1] : arm->length[1] + arm->length[2];
        float by_elbow = by.elbow * lower, off = comply_lesser(lower, lower * bend + by_elbow);
        float reach = comply_lesser(arm->length[0] + lower,
                                    tr_vec3_distance(place.points[0], place.points[k]) + by_elbow);
        place.moved[k] = by_elbow + by.rotation * off + by.swing * reach;
    }
    return place;
}

// Bits of links that are not yet apart from a capsule that moves by `moved` in the same axes.
static uint32_t against_part(const tr_comply *comply, const comply_swept *swept, uint32_t links,
                             const tr_solid_capsule *part, float moved, uint32_t id, float time,
                             comply_block *block) {
    uint32_t open = 0;
    for (uint32_t k = 0; k < TR_ARM_LINKS; k++) {
        float room = comply->self_room + moved + swept[k].bound;
        if (!(links >> k & 1) || tr_comply_apart(&swept[k].capsule, part, room))
            continue;
        *block = (comply_block){TR_COMPLY_BODY, id, time, swept[k].capsule};
        if (!tr_comply_apart(&swept[k].capsule, part, comply->self_room))
            return UINT32_MAX;
        open |= 1u << k;
    }
    return open;
}

static uint32_t against_other_arm(const tr_comply *comply, tr_comply_limb limb, const comply_swept *swept,
                                  uint32_t links, const float stretch[3], comply_block *block) {
    const tr_arm *other = &comply->def.body.arms[TR_ARM_LEFT];
    uint32_t open = 0;
    if (limb != TR_COMPLY_RIGHT_ARM)
        return 0;
    arm_place place = place_arm(other, &comply->tracks[TR_COMPLY_LEFT_ARM], stretch, comply->frames);
    for (uint32_t link = 0; link < TR_ARM_LINKS; link++) {
        tr_solid_capsule part = {place.points[link], place.points[link + 1], other->radius[link]};
        float moved = comply_greater(place.moved[link], place.moved[link + 1]);
        uint32_t more =
            against_part(comply, swept, links, &part, moved, TR_COMPLY_PARTS_MAX + link, stretch[1], block);
        if (more == UINT32_MAX)
            return more;
        open |= more;
    }
    return open;
}

// The arm in the axes of the trunk: against the parts of the trunk and the other arm.
static uint32_t against_trunk(const tr_comply *comply, tr_comply_limb limb, const comply_swept *swept,
                              uint32_t links, const float stretch[3], comply_block *block) {
    const tr_comply_body *body = &comply->def.body;
    uint32_t open = against_other_arm(comply, limb, swept, links, stretch, block);
    for (uint32_t i = 0; i < body->part_count && open != UINT32_MAX; i++) {
        const tr_comply_part *part = &body->parts[i];
        tr_solid_capsule capsule = {part->a, part->b, part->radius};
        if (part->on_pelvis)
            continue;
        uint32_t more = against_part(comply, swept, links & part->links, &capsule, 0, i, stretch[1], block);
        open = more == UINT32_MAX ? more : open | more;
    }
    return open;
}

// The arm in the axes of the pelvis: against hips and legs.
static uint32_t against_pelvis(const tr_comply *comply, const comply_swept *swept, uint32_t links,
                               const float stretch[3], comply_block *block) {
    const tr_comply_body *body = &comply->def.body;
    const tr_comply_query *query = &comply->query;
    uint32_t open = 0;
    for (uint32_t i = 0; i < body->part_count + query->leg_count && open != UINT32_MAX; i++) {
        float moved = 0;
        uint32_t tested = links, leg = i - body->part_count;
        tr_solid_capsule capsule;
        if (i < body->part_count) {
            const tr_comply_part *part = &body->parts[i];
            capsule = (tr_solid_capsule){part->a, part->b, part->radius};
            tested &= part->on_pelvis ? part->links : 0;
        } else {
            capsule = tr_comply_capsule_at(query->legs, query->leg_count, leg, stretch[1], comply->frames);
            moved = tr_comply_span(comply->leg_paths + (size_t)leg * comply->def.frames_max, stretch,
                                   comply->frames);
        }
        if (tested == 0)
            continue;
        uint32_t more = against_part(comply, swept, tested, &capsule, moved, i, stretch[1], block);
        open = more == UINT32_MAX ? more : open | more;
    }
    return open;
}

// The three links of an arm in one of the three sets of axes.
static void sweep_links(const tr_arm *arm, const tr_vec3 points[4], const float moved[4],
                        comply_swept swept[TR_ARM_LINKS]) {
    for (int k = 0; k < TR_ARM_LINKS; k++)
        swept[k] = (comply_swept){{points[k], points[k + 1], arm->radius[k]},
                                  comply_greater(moved[k], moved[k + 1]) + ROUNDING};
}

// `mask`: the links that are not yet certified against the world (the lower bits) and against the own body.
static uint32_t test_arm(tr_comply *comply, tr_comply_limb limb, const comply_track *track,
                         const comply_stretch *stretch, uint32_t mask, comply_block *block) {
    const tr_arm *arm = &comply->def.body.arms[comply_side(limb)];
    arm_place place = place_arm(arm, track, stretch->times, comply->frames);
    comply_swept swept[TR_ARM_LINKS];
    uint32_t self = mask >> TR_ARM_LINKS, own = 0, lower = 0;
    if (self) {
        sweep_links(arm, place.points, place.moved, swept);
        own = against_trunk(comply, limb, swept, self, stretch->times, block);
        if (own == UINT32_MAX)
            return own;
    }
    comply_base room;
    const comply_base *base = base_of(comply, stretch, &room);
    for (int k = 0; k < 4; k++) {
        place.moved[k] = moved_in_pelvis(comply, base, place.points[k], place.moved[k]);
        place.points[k] = tr_affine_apply(&base->trunk, place.points[k]);
    }
    if (self) {
        sweep_links(arm, place.points, place.moved, swept);
        lower = against_pelvis(comply, swept, self, stretch->times, block);
        if (lower == UINT32_MAX)
            return lower;
    }
    if (!(mask & WORLD_ALL))
        return SELF(own | lower);
    for (int k = 0; k < 4; k++) {
        place.moved[k] = moved_in_world(base, place.points[k], place.moved[k]);
        place.points[k] = tr_affine_apply(&base->pelvis, place.points[k]);
    }
    sweep_links(arm, place.points, place.moved, swept);
    uint32_t world = tr_comply_world(comply, swept, mask & WORLD_ALL, stretch->times, block);
    return world == UINT32_MAX ? world : world | SELF(own | lower);
}

// Stretches are settled in the order of their length: what touches is found before anything is certified
// finely.
bool tr_comply_clear(tr_comply *comply, tr_comply_limb limb, uint32_t segment, const comply_track *track,
                     bool quiet, comply_block *block) {
    struct {
        float begin, end;
        uint32_t mask, node;
    } queue[STRETCHES_MAX];
    uint32_t count = 0, mask = parts_of_trunk(comply);
    bool waist = limb == TR_COMPLY_WAIST;
    if (!waist)
        mask = quiet ? SELF_ALL : SELF_ALL | WORLD_ALL;
    else if (quiet || mask == 0)
        return true;
    queue[count].begin = (float)comply_frame_of(comply, segment);
    queue[count].end = (float)comply_frame_of(comply, segment + 1);
    queue[count].node = 1;
    queue[count++].mask = mask;
    for (uint32_t next = 0; next < count; next++) {
        float begin = queue[next].begin, end = queue[next].end, middle = 0.5f * (begin + end);
        const comply_stretch stretch = {{begin, middle, end}, segment, queue[next].node};
        uint32_t open =
            (waist ? test_trunk : test_arm)(comply, limb, track, &stretch, queue[next].mask, block);
        if (open == 0)
            continue;
        if (open == UINT32_MAX || end - begin < LEAST || count + 2 > STRETCHES_MAX)
            return false;
        for (uint32_t half = 0; half < 2; half++) {
            queue[count].begin = half ? middle : begin, queue[count].end = half ? end : middle;
            queue[count].node = 2 * stretch.node + half;
            queue[count++].mask = open;
        }
    }
    return true;
}

// --- Everything at once ---

// A point of the trunk's axes as part of the upright capsule from the pelvis to the shoulders: the radius
// that the capsule needs to hold it, and all around it, throughout the stretch.
static float radius_for(const tr_comply *comply, const comply_base *base, tr_vec3 at, float moved,
                        float own) {
    tr_vec3 p = tr_affine_apply(&base->trunk, at);
    float top = comply->def.body.arms[0].shoulder.y, over = p.y < 0 ? -p.y : p.y > top ? p.y - top : 0;
    return sqrtf(p.x * p.x + p.z * p.z + over * over) + moved_in_pelvis(comply, base, at, moved) + own;
}

// The capsule that holds trunk and arms throughout the segment: turning does not move it, so it only has to
// be as far from everything as the pelvis moves.
static comply_swept swept_whole(const tr_comply *comply, const comply_track tracks[TR_COMPLY_LIMBS],
                                const float stretch[3]) {
    const tr_comply_body *body = &comply->def.body;
    comply_base base = place_base(comply, &tracks[TR_COMPLY_WAIST], stretch);
    float radius = 0;
    for (uint32_t i = 0; i < body->part_count; i++)
        if (!body->parts[i].on_pelvis) {
            const tr_comply_part *part = &body->parts[i];
            radius = comply_greater(radius, radius_for(comply, &base, part->a, 0, part->radius));
            radius = comply_greater(radius, radius_for(comply, &base, part->b, 0, part->radius));
        }
    for (uint32_t limb = TR_COMPLY_LEFT_ARM; limb <= TR_COMPLY_RIGHT_ARM; limb++) {
        const tr_arm *arm = &body->arms[comply_side((tr_comply_limb)limb)];
        arm_place place = place_arm(arm, &tracks[limb], stretch, comply->frames);
        for (int k = 0; k < 4; k++) {
            float own = comply_greater(arm->radius[k < 3 ? k : 2], arm->radius[k ? k - 1 : 0]);
            radius = comply_greater(radius, radius_for(comply, &base, place.points[k], place.moved[k], own));
        }
    }
    tr_vec3 bottom = {0, 0, 0}, top = {0, body->arms[0].shoulder.y, 0};
    return (comply_swept){{tr_affine_apply(&base.pelvis, bottom), tr_affine_apply(&base.pelvis, top), radius},
                          base.way + ROUNDING};
}

void tr_comply_find_quiet(tr_comply *comply) {
    static const float still[TR_COMPLY_ARM_ANGLES];
    const float *const control[3] = {still, still, still};
    for (uint32_t j = 0; j < comply->segments; j++) {
        float q[TR_COMPLY_LIMBS][COMPLY_STRIDE_MAX + 1][TR_COMPLY_ARM_ANGLES] = {{{0}}};
        comply_path paths[TR_COMPLY_LIMBS][COMPLY_STRIDE_MAX + 1] = {{{0}}};
        comply_track tracks[TR_COMPLY_LIMBS];
        comply_block block;
        uint32_t first = comply_frame_of(comply, j);
        for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++) {
            tracks[limb] = (comply_track){q[limb], paths[limb], first};
            tr_comply_trace(comply, (tr_comply_limb)limb, j, control, &tracks[limb]);
        }
        float last = (float)comply_frame_of(comply, j + 1);
        const float stretch[3] = {(float)first, 0.5f * ((float)first + last), last};
        comply_swept whole = swept_whole(comply, tracks, stretch);
        comply->quiet[j] = tr_comply_world(comply, &whole, 1, stretch, &block) == 0;
    }
}
