#include "comply_data.h"
#include "troupe/base/scalar.h"

tr_comply_def tr_comply_def_default(void) {
    return (tr_comply_def){.body = tr_comply_body_default(1.75f),
                           .frames_per_second = 30,
                           .stride = 4,
                           .frames_max = 256,
                           .nodes_max = 1u << 15,
                           .movers_max = 16,
                           .others_max = 32,
                           .legs_max = 4,
                           .margin = 0.004f};
}

// One block of memory that a tr_comply owns.
typedef struct owned {
    void **block;
    size_t count, size;
} owned;
#define OWNED_MAX 40

static uint32_t list_owned(tr_comply *comply, owned *list) {
    size_t frames = comply->def.frames_max, nodes = comply->def.nodes_max, controls = comply->controls_max;
    uint32_t count = 0;
#define OWN(pointer, number) list[count++] = (owned){(void **)&(pointer), (number), sizeof *(pointer)}
    OWN(comply->headings, frames);
    OWN(comply->ways, frames);
    OWN(comply->turns, frames);
    OWN(comply->mover_paths, frames * comply->def.movers_max);
    OWN(comply->other_paths, frames * comply->def.others_max);
    OWN(comply->leg_paths, frames * comply->def.legs_max);
    OWN(comply->mover_reach, comply->def.movers_max);
    OWN(comply->quiet, controls);
    OWN(comply->aims, controls);
    OWN(comply->others_near, controls * comply->def.others_max);
    OWN(comply->bases, controls * COMPLY_BASES);
    OWN(comply->bases_known, controls);
    OWN(comply->preferred_rate, frames);
    OWN(comply->nodes, nodes);
    OWN(comply->table, comply->table_size);
    OWN(comply->open.items, nodes);
    OWN(comply->grow.items, nodes);
    OWN(comply->poses, frames);
    OWN(comply->velocities, frames);
    for (int limb = 0; limb < TR_COMPLY_LIMBS; limb++) {
        OWN(comply->control[limb], controls);
        OWN(comply->kept[limb], controls);
        OWN(comply->usual[limb], controls);
        OWN(comply->rests[limb], controls);
        OWN(comply->kept_rests[limb], controls);
        OWN(comply->tracks[limb].q, frames);
        OWN(comply->tracks[limb].path, frames);
    }
#undef OWN
    return count;
}

// How far the upper body reaches from the pelvis, whatever its pose.
static float find_reach(const tr_comply_body *body) {
    float most = 0, to_waist = tr_vec3_length(body->waist);
    for (uint32_t i = 0; i < body->part_count; i++) {
        const tr_comply_part *part = &body->parts[i];
        most = comply_greater(most, tr_vec3_distance(part->a, body->waist) + part->radius);
        most = comply_greater(most, tr_vec3_distance(part->b, body->waist) + part->radius);
    }
    for (int side = 0; side < 2; side++) {
        const tr_arm *arm = &body->arms[side];
        float along = tr_vec3_distance(arm->shoulder, body->waist);
        for (int link = 0; link < TR_ARM_LINKS; link++) {
            along += arm->length[link];
            most = comply_greater(most, along + arm->radius[link]);
        }
    }
    return to_waist + most;
}

// The arms folded in front of the chest, as parts of the trunk.
static void fold_arms(tr_comply *comply) {
    static const float folded[TR_COMPLY_ARM_ANGLES] = {-10, 0, 45, 130}; // degrees
    for (int side = 0; side < 2; side++) {
        const tr_arm *arm = &comply->def.body.arms[side];
        float q[TR_COMPLY_ARM_ANGLES], bend;
        tr_vec3 points[4];
        for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++) {
            q[k] = folded[k] * (float)(TR_PI / 180);
            q[k] = comply_lesser(comply_greater(q[k], arm->low.q[k]), arm->high.q[k]);
        }
        tr_comply_arm_points(arm, q, points, &bend);
        for (int link = 0; link < TR_ARM_LINKS; link++)
            comply->folded_parts[side * TR_ARM_LINKS + link] =
                (tr_comply_part){.a = points[link], .b = points[link + 1], .radius = arm->radius[link]};
    }
}

tr_status tr_comply_create(const tr_comply_def *def, tr_comply **comply, tr_error *error) {
    if (!comply)
        return tr_fail(error, TR_INVALID, "the pointer that receives the comply is NULL");
    tr_status status = tr_comply_check_def(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator allocator = tr_allocator_or_default(def->allocator);
    tr_comply *made = tr_allocate_zero(&allocator, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a comply");
    made->allocator = allocator;
    made->def = *def;
    made->controls_max = def->frames_max / def->stride + 5;
    for (made->table_size = 512; made->table_size < 2 * def->nodes_max;)
        made->table_size *= 2;
    owned list[OWNED_MAX];
    uint32_t count = list_owned(made, list);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        *list[i].block = tr_allocate_zero(&allocator, list[i].count, list[i].size);
        if (!*list[i].block)
            status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a comply of %u frames and %u nodes",
                             def->frames_max, def->nodes_max);
    }
    for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS && status == TR_OK; limb++)
        status = tr_comply_lattice_create(made, (tr_comply_limb)limb, error);
    if (status != TR_OK) {
        tr_comply_destroy(made);
        return status;
    }
    fold_arms(made);
    made->reach = find_reach(&made->def.body);
    *comply = made;
    return TR_OK;
}

void tr_comply_destroy(tr_comply *comply) {
    if (!comply)
        return;
    tr_allocator allocator = comply->allocator;
    owned list[OWNED_MAX];
    uint32_t count = list_owned(comply, list);
    for (uint32_t i = 0; i < count; i++)
        tr_release(&allocator, *list[i].block, list[i].count, list[i].size);
    for (int limb = 0; limb < TR_COMPLY_LIMBS; limb++)
        tr_release(&allocator, comply->lattices[limb].members, comply->lattices[limb].cells,
                   sizeof *comply->lattices[limb].members);
    tr_release(&allocator, comply, 1, sizeof *comply);
}

tr_status tr_comply_set_body(tr_comply *comply, const tr_comply_body *body, tr_error *error) {
    if (!comply || !body)
        return tr_fail(error, TR_INVALID, "the comply or its body is NULL");
    tr_comply_def def = comply->def;
    def.body = *body;
    tr_status status = tr_comply_check_def(&def, error);
    if (status == TR_OK)
        status = tr_comply_check_same_limits(&comply->def.body, body, error);
    if (status != TR_OK)
        return status;
    comply->def = def;
    comply->kept_segments = 0;
    fold_arms(comply);
    comply->reach = find_reach(&comply->def.body);
    return TR_OK;
}

static void commit_track(tr_comply *comply, tr_comply_limb limb) {
    const float(*control)[TR_COMPLY_ARM_ANGLES] = (const float(*)[TR_COMPLY_ARM_ANGLES])comply->control[limb];
    comply->tracks[limb].path[0] = (comply_path){0, 0, 0};
    for (uint32_t j = 0; j < comply->segments; j++) {
        const float *const three[3] = {control[j], control[j + 1], control[j + 2]};
        tr_comply_trace(comply, limb, j, three, &comply->tracks[limb]);
    }
}

// How the waist is planned: with room for arms to spare, without and with aims; as near to obstacles as it
// can, or with room for folded arms.
typedef enum comply_attempt {
    ATTEMPT_GENEROUS,
    ATTEMPT_AIMED,
    ATTEMPT_PLAIN,
    ATTEMPT_FOLDED,
    ATTEMPTS
} comply_attempt;
#define GENEROUS 0.012f // [m]

static tr_status plan_limbs(tr_comply *comply, comply_attempt attempt, tr_comply_limb *failed) {
    comply->node_count = 0;
    comply->folded = attempt == ATTEMPT_FOLDED;
    comply->checks_end = comply->result.checks + comply->query.checks_max / ATTEMPTS;
    for (uint32_t limb = 0; limb <= TR_COMPLY_LIMBS; limb++)
        comply->limb_begin[limb] = 0;
    for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++) {
        comply->generous = attempt <= ATTEMPT_AIMED && limb == TR_COMPLY_WAIST ? GENEROUS : 0;
        comply_set_room(comply, false);
        tr_status status = tr_comply_search(comply, (tr_comply_limb)limb);
        for (uint32_t rest = limb; rest < TR_COMPLY_LIMBS; rest++)
            comply->limb_begin[rest + 1] = comply->node_count;
        if (status != TR_OK) {
            *failed = (tr_comply_limb)limb;
            return status;
        }
        tr_comply_smooth(comply, (tr_comply_limb)limb);
        commit_track(comply, (tr_comply_limb)limb);
        for (uint32_t j = 0; limb == TR_COMPLY_WAIST && j < comply->segments; j++)
            comply->bases_known[j] = 0;
    }
    return TR_OK;
}

// A refusal is that of the plain attempt: the others leave out what it would find.
static tr_status plan_attempts(tr_comply *comply) {
    tr_status status = TR_NOT_FOUND;
    comply_block block = {.kind = TR_COMPLY_NOTHING};
    for (uint32_t attempt = 0; attempt < ATTEMPTS; attempt++) {
        tr_comply_limb failed = TR_COMPLY_WAIST;
        if (attempt == ATTEMPT_AIMED) {
            comply->generous = GENEROUS;
            comply_set_room(comply, false);
            comply->folded = false;
            if (!tr_comply_find_aims(comply))
                continue; // it would be the first attempt again
        }
        tr_status now = plan_limbs(comply, (comply_attempt)attempt, &failed);
        comply->result.folded = comply->folded;
        if (now == TR_OK)
            return TR_OK;
        if (attempt == ATTEMPT_PLAIN) {
            status = now, block = comply->block, comply->result.limb = failed;
            if (failed == TR_COMPLY_WAIST)
                break;
        }
    }
    comply->block = block;
    comply->result.folded = false;
    return status;
}

static void write_motion(tr_comply *comply) {
    float rate = comply->def.frames_per_second;
    for (uint32_t f = 0; f < comply->frames; f++)
        for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++) {
            bool waist = limb == TR_COMPLY_WAIST;
            uint32_t side = comply_side((tr_comply_limb)limb);
            float *pose = waist ? comply->poses[f].waist : comply->poses[f].arms[side];
            float *velocity = waist ? comply->velocities[f].waist : comply->velocities[f].arms[side];
            const tr_comply_pose *usual = &comply->preferred_rate[f];
            float offset[TR_COMPLY_ARM_ANGLES], moved[TR_COMPLY_ARM_ANGLES];
            tr_comply_offset((const float(*)[TR_COMPLY_ARM_ANGLES])comply->control[limb], comply->segments,
                             comply->def.stride, f + comply->lead, offset, moved);
            for (uint32_t k = 0; k < comply->lattices[limb].angles; k++) {
                pose[k] = comply->tracks[limb].q[f][k];
                velocity[k] = rate * (moved[k] + (waist ? usual->waist : usual->arms[side])[k]);
            }
        }
    for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++) { // the guess of the next plan
        float(*control)[TR_COMPLY_ARM_ANGLES] = comply->kept[limb];
        comply->kept[limb] = comply->control[limb];
        comply->control[limb] = control;
        uint8_t *rests = comply->kept_rests[limb];
        comply->kept_rests[limb] = comply->rests[limb];
        comply->rests[limb] = rests;
    }
    comply->kept_segments = comply->segments;
    comply->kept_lead = comply->lead;
    comply->kept_frames = comply->frames;
    comply->result.poses = comply->poses;
    comply->result.velocities = comply->velocities;
    comply->result.frame_count = comply->frames;
    comply->result.kind = TR_COMPLY_NOTHING;
    comply->result.id = TR_NONE;
}

static const char *kind_name(tr_comply_kind kind) {
    static const char *const names[] = {
        "nothing", "object", "moving object", "other person", "part of the own body", "speed at the start"};
    return names[kind];
}

static tr_status report(tr_comply *comply, tr_status status, tr_error *error) {
    tr_comply_result *result = &comply->result;
    const comply_block *block = &comply->block;
    const char *limb = tr_comply_limb_name(result->limb);
    result->kind = block->kind == TR_COMPLY_NOTHING ? TR_COMPLY_RATE : block->kind;
    result->id = block->kind == TR_COMPLY_NOTHING ? TR_NONE : block->id;
    result->frame = block->kind == TR_COMPLY_NOTHING ? 0 : (uint32_t)block->time;
    if (block->kind == TR_COMPLY_SCENE) {
        tr_solid_hit hit = {.object = TR_NONE};
        tr_solid_distance(comply->query.solid, block->capsule.a, block->capsule.b,
                          block->capsule.radius + 10 * comply->def.margin + 0.1f, &hit);
        result->id = hit.object;
    }
    if (status == TR_PARTIAL)
        return tr_fail(error, status, "the %s has no motion yet after %u nodes of the roadmap and %u checks",
                       limb, comply->node_count, result->checks);
    if (result->kind == TR_COMPLY_RATE)
        return tr_fail(error, status, "the %s starts too fast to be continued", limb);
    return tr_fail(error, status, "the %s has no motion: %s %u is in its way in frame %u", limb,
                   kind_name(result->kind), result->id, result->frame);
}

tr_status tr_comply_plan(tr_comply *comply, const tr_comply_query *query, tr_error *error) {
    if (!comply)
        return tr_fail(error, TR_INVALID, "the comply is NULL");
    tr_status status = tr_comply_check_query(comply, query, error);
    if (status != TR_OK)
        return status;
    comply->query = *query;
    comply->frames = query->frame_count;
    comply->generous = 0;
    comply->result = (tr_comply_result){.id = TR_NONE};
    tr_comply_measure(comply);
    tr_comply_continue(comply);
    comply_set_room(comply, false);
    tr_comply_find_near(comply);
    tr_comply_find_quiet(comply);
    tr_comply_clear_aims(comply);
    status = plan_attempts(comply);
    comply->result.nodes = comply->node_count;
    if (status != TR_OK)
        return report(comply, status, error);
    write_motion(comply);
    return TR_OK;
}

const tr_comply_result *tr_comply_last(const tr_comply *comply) {
    return &comply->result;
}

// Where a control point acts [frames].
static float frame_of_control(const tr_comply *comply, uint32_t stage) {
    float frame = ((float)stage + 0.5f) * (float)comply->def.stride - (float)comply->lead;
    return comply_lesser(frame, (float)comply->frames);
}

bool tr_comply_edge_at(const tr_comply *comply, uint32_t index, tr_comply_edge *edge) {
    uint32_t number = index;
    for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++) {
        // The first two nodes of a limb are its start.
        uint32_t begin = comply->limb_begin[limb] + 2, end = comply->limb_begin[limb + 1];
        uint32_t count = end > begin ? end - begin : 0;
        if (number >= count) {
            number -= count;
            continue;
        }
        const comply_node *node = &comply->nodes[begin + number], *from = &comply->nodes[node->parent];
        *edge = (tr_comply_edge){.limb = (tr_comply_limb)limb,
                                 .frame_from = frame_of_control(comply, from->stage),
                                 .frame_to = frame_of_control(comply, node->stage),
                                 .tried = node->state != COMPLY_OPEN,
                                 .free = node->state == COMPLY_FREE,
                                 .on_path = node->on_path != 0,
                                 .grown = node->grown != 0};
        for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
            edge->from[k] = from->c[k], edge->to[k] = node->c[k];
        return true;
    }
    return false;
}
