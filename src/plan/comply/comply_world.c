// Capsules against the world: what stands still, objects that move, and other people.
//
// A capsule is certified for a stretch of time when, in the middle of the stretch, it is farther from
// everything than it and the other can move from there to either end.
#include "comply_data.h"
#include "troupe/world/distance.h"

#define TINY 1e-6f // [m]

float tr_comply_path_at(const float *path, float time, uint32_t frames) {
    uint32_t f = (uint32_t)time;
    f = f + 1 < frames ? f : frames - 2;
    return path[f] + (time - (float)f) * (path[f + 1] - path[f]);
}

float tr_comply_span(const float *path, const float stretch[3], uint32_t frames) {
    float middle = tr_comply_path_at(path, stretch[1], frames);
    return comply_greater(middle - tr_comply_path_at(path, stretch[0], frames),
                          tr_comply_path_at(path, stretch[2], frames) - middle);
}

static tr_vec3 between(tr_vec3 a, tr_vec3 b, float share) {
    return tr_vec3_add(a, tr_vec3_scale(tr_vec3_subtract(b, a), share));
}

tr_solid_capsule tr_comply_capsule_at(const tr_solid_capsule *capsules, uint32_t in_frame, uint32_t number,
                                      float time, uint32_t frames) {
    uint32_t f = (uint32_t)time;
    f = f + 1 < frames ? f : frames - 2;
    float share = time - (float)f;
    const tr_solid_capsule *from = &capsules[(size_t)f * in_frame + number], *to = from + in_frame;
    return (tr_solid_capsule){between(from->a, to->a, share), between(from->b, to->b, share),
                              from->radius + share * (to->radius - from->radius)};
}

bool tr_comply_apart(const tr_solid_capsule *a, const tr_solid_capsule *b, float room) {
    // First the balls around both lines: most are far apart.
    tr_vec3 middle_a = between(a->a, a->b, 0.5f), middle_b = between(b->a, b->b, 0.5f);
    float reach = a->radius + b->radius + room;
    float balls = reach + 0.5f * (tr_vec3_distance(a->a, a->b) + tr_vec3_distance(b->a, b->b));
    tr_vec3 apart = tr_vec3_subtract(middle_a, middle_b);
    if (tr_vec3_dot(apart, apart) > balls * balls)
        return true;
    return tr_distance_segments(a->a, a->b, b->a, b->b, NULL, NULL) > reach * reach;
}

void tr_comply_find_near(tr_comply *comply) {
    const tr_comply_query *query = &comply->query;
    for (uint32_t j = 0; j < comply->segments; j++) {
        float begin = (float)comply_frame_of(comply, j), end = (float)comply_frame_of(comply, j + 1);
        const float stretch[3] = {begin, 0.5f * (begin + end), end};
        float way = tr_comply_span(comply->ways, stretch, comply->frames);
        tr_vec3 at = query->places[(uint32_t)stretch[1]].position; // the frame before the middle
        tr_solid_capsule body = {at, at, comply->reach};
        for (uint32_t i = 0; i < query->other_count; i++) {
            const float *path = comply->other_paths + (size_t)i * comply->def.frames_max;
            tr_solid_capsule other =
                tr_comply_capsule_at(query->others, query->other_count, i, stretch[1], comply->frames);
            float moved = tr_comply_span(path, stretch, comply->frames);
            comply->others_near[(size_t)j * comply->def.others_max + i] =
                !tr_comply_apart(&body, &other, 2 * way + moved + comply->def.margin + 0.1f);
        }
    }
}

// Another person is certified, not yet certified, or touched.
static uint32_t against_others(const tr_comply *comply, const comply_swept *swept, uint32_t mask,
                               const float stretch[3], comply_block *block) {
    const tr_comply_query *query = &comply->query;
    uint32_t open = 0, segment = (uint32_t)(stretch[1] + (float)comply->lead) / comply->def.stride;
    const uint8_t *near = comply->others_near + (size_t)segment * comply->def.others_max;
    for (uint32_t i = 0; i < query->other_count; i++) {
        if (!near[i])
            continue;
        const float *path = comply->other_paths + (size_t)i * comply->def.frames_max;
        float moved = tr_comply_span(path, stretch, comply->frames);
        tr_solid_capsule other =
            tr_comply_capsule_at(query->others, query->other_count, i, stretch[1], comply->frames);
        for (uint32_t k = 0; mask >> k; k++) {
            if (!(mask >> k & 1) ||
                tr_comply_apart(&swept[k].capsule, &other, comply->room + moved + swept[k].bound))
                continue;
            *block = (comply_block){TR_COMPLY_OTHER, i, stretch[1], swept[k].capsule};
            if (!tr_comply_apart(&swept[k].capsule, &other, comply->room))
                return UINT32_MAX;
            open |= 1u << k;
        }
    }
    return open;
}

static tr_transform mover_place(const tr_comply_mover *mover, float time, uint32_t frames) {
    uint32_t f = (uint32_t)time;
    f = f + 1 < frames ? f : frames - 2;
    return tr_transform_blend(mover->places[f], mover->places[f + 1], time - (float)f);
}

static uint32_t against_movers(tr_comply *comply, const comply_swept *swept, uint32_t mask,
                               const float stretch[3], comply_block *block) {
    uint32_t open = 0;
    for (uint32_t i = 0; i < comply->query.mover_count; i++) {
        const tr_comply_mover *mover = &comply->query.movers[i];
        const float *path = comply->mover_paths + (size_t)i * comply->def.frames_max;
        float moved = tr_comply_span(path, stretch, comply->frames);
        tr_transform place = mover_place(mover, stretch[1], comply->frames);
        tr_quat back = tr_quat_conjugate(place.rotation);
        tr_solid_capsule ball = {place.position, place.position, comply->mover_reach[i]};
        for (uint32_t k = 0; mask >> k; k++) {
            float room = comply->room + moved + swept[k].bound;
            if (!(mask >> k & 1) || tr_comply_apart(&swept[k].capsule, &ball, room))
                continue;
            tr_solid_capsule capsule = swept[k].capsule;
            capsule.a = tr_quat_rotate(back, tr_vec3_subtract(capsule.a, place.position));
            capsule.b = tr_quat_rotate(back, tr_vec3_subtract(capsule.b, place.position));
            capsule.radius += comply->room;
            float clearance = tr_solid_clearance(mover->solid, &capsule, moved + swept[k].bound + TINY);
            comply->result.checks++;
            if (clearance >= moved + swept[k].bound)
                continue;
            *block = (comply_block){TR_COMPLY_MOVER, mover->id, stretch[1], swept[k].capsule};
            if (clearance < 0)
                return UINT32_MAX;
            open |= 1u << k;
        }
    }
    return open;
}

static uint32_t against_solid(tr_comply *comply, const comply_swept *swept, uint32_t mask,
                              const float stretch[3], comply_block *block) {
    tr_solid_capsule capsules[TR_COMPLY_CAPSULES_MAX];
    float clearances[TR_COMPLY_CAPSULES_MAX], enough = TINY;
    uint32_t of[TR_COMPLY_CAPSULES_MAX], count = 0, open = 0;
    for (uint32_t k = 0; mask >> k; k++) {
        if (!(mask >> k & 1))
            continue;
        capsules[count] = swept[k].capsule;
        capsules[count].radius += comply->room;
        of[count++] = k;
        enough = comply_greater(enough, swept[k].bound + TINY);
    }
    if (count == 0)
        return 0;
    tr_solid_clearances(comply->query.solid, capsules, count, enough, clearances);
    comply->result.checks += count;
    for (uint32_t i = 0; i < count; i++) {
        if (clearances[i] >= swept[of[i]].bound)
            continue;
        *block = (comply_block){TR_COMPLY_SCENE, TR_NONE, stretch[1], swept[of[i]].capsule};
        if (clearances[i] < 0)
            return UINT32_MAX;
        open |= 1u << of[i];
    }
    return open;
}

uint32_t tr_comply_world(tr_comply *comply, const comply_swept *swept, uint32_t mask, const float stretch[3],
                         comply_block *block) {
    uint32_t open = 0;
    if (comply->query.solid && mask != 0)
        open = against_solid(comply, swept, mask, stretch, block);
    if (open != UINT32_MAX && comply->query.mover_count && mask) {
        uint32_t more = against_movers(comply, swept, mask, stretch, block);
        open = more == UINT32_MAX ? more : open | more;
    }
    if (open != UINT32_MAX && comply->query.other_count && mask) {
        uint32_t more = against_others(comply, swept, mask, stretch, block);
        open = more == UINT32_MAX ? more : open | more;
    }
    return open;
}
