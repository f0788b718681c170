// The window: its checks, how far everything moves in it, and the motion that control points give.
#include "comply_data.h"
#include "troupe/base/scalar.h"

tr_comply_query tr_comply_query_default(void) {
    return (tr_comply_query){.passed = TR_NONE, .checks_max = 200000};
}

static bool all_finite(const float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!(fabsf(values[i]) <= 1e3f))
            return false;
    return true;
}

static bool pose_is_fine(const tr_comply_pose *pose) {
    return all_finite(pose->waist, TR_COMPLY_WAIST_ANGLES) &&
           all_finite(pose->arms[0], TR_COMPLY_ARM_ANGLES) && all_finite(pose->arms[1], TR_COMPLY_ARM_ANGLES);
}

static bool point_is_fine(tr_vec3 p) {
    return fabsf(p.x) <= 1e7f && fabsf(p.y) <= 1e7f && fabsf(p.z) <= 1e7f;
}

static tr_status check_capsules(const char *name, const tr_solid_capsule *capsules, uint64_t count,
                                uint32_t in_frame, tr_error *error) {
    for (uint64_t i = 0; i < count; i++)
        if (!point_is_fine(capsules[i].a) || !point_is_fine(capsules[i].b) || !(capsules[i].radius >= 0) ||
            !(capsules[i].radius <= 1000))
            return tr_fail(error, TR_INVALID, "capsule %u of the %s is not finite in frame %u, radius %g m",
                           (uint32_t)(i % in_frame), name, (uint32_t)(i / in_frame),
                           (double)capsules[i].radius);
    return TR_OK;
}

static tr_status check_movers(const tr_comply_query *query, tr_error *error) {
    for (uint32_t i = 0; i < query->mover_count; i++) {
        const tr_comply_mover *mover = &query->movers[i];
        if (!mover->solid || !mover->places)
            return tr_fail(error, TR_INVALID, "mover %u has no solid or no places", i);
        for (uint32_t f = 0; f < query->frame_count; f++) {
            const tr_transform *place = &mover->places[f];
            const tr_quat q = place->rotation;
            float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
            if (!point_is_fine(place->position) || !(square > 0.99f && square < 1.01f) ||
                !(place->scale.x == 1 && place->scale.y == 1 && place->scale.z == 1))
                return tr_fail(error, TR_INVALID,
                               "mover %u is not placed by a rotation and a finite position in frame %u", i,
                               f);
        }
    }
    return TR_OK;
}

static tr_status check_counts(const tr_comply *comply, const tr_comply_query *query, tr_error *error) {
    const tr_comply_def *def = &comply->def;
    if (query->frame_count < 2 || query->frame_count > def->frames_max)
        return tr_fail(error, TR_INVALID, "the window has %u frames, it must have 2 to %u",
                       query->frame_count, def->frames_max);
    const struct {
        const char *name;
        uint32_t count, most;
        const void *items;
    } lists[] = {{"movers", query->mover_count, def->movers_max, query->movers},
                 {"others", query->other_count, def->others_max, query->others},
                 {"legs", query->leg_count, def->legs_max, query->legs}};
    for (int i = 0; i < 3; i++)
        if (lists[i].count > lists[i].most || (lists[i].count > 0 && !lists[i].items))
            return tr_fail(error, TR_INVALID, "there are %u %s, it must be at most %u, and not NULL",
                           lists[i].count, lists[i].name, lists[i].most);
    return TR_OK;
}

tr_status tr_comply_check_query(const tr_comply *comply, const tr_comply_query *query, tr_error *error) {
    if (!query || !query->places || !query->preferred)
        return tr_fail(error, TR_INVALID, "the query, its places or its preferred poses are NULL");
    tr_status status = check_counts(comply, query, error);
    if (status != TR_OK)
        return status;
    for (uint32_t f = 0; f < query->frame_count; f++) {
        if (!point_is_fine(query->places[f].position) || !(fabsf(query->places[f].heading) <= 1e3f))
            return tr_fail(error, TR_INVALID, "the place of the pelvis in frame %u is not finite", f);
        if (!pose_is_fine(&query->preferred[f]))
            return tr_fail(error, TR_INVALID,
                           "the preferred pose of frame %u has an angle that is not finite", f);
    }
    if ((query->pose && !pose_is_fine(query->pose)) || (query->velocity && !pose_is_fine(query->velocity)))
        return tr_fail(error, TR_INVALID, "the pose or the velocity of the first frame is not finite");
    uint64_t frames = query->frame_count;
    status = check_capsules("others", query->others, frames * query->other_count, query->other_count, error);
    if (status == TR_OK)
        status = check_capsules("legs", query->legs, frames * query->leg_count, query->leg_count, error);
    return status == TR_OK ? check_movers(query, error) : status;
}

static void measure_pelvis(tr_comply *comply) {
    const tr_comply_place *places = comply->query.places;
    comply->ways[0] = comply->turns[0] = 0;
    comply->headings[0] = places[0].heading;
    for (uint32_t f = 1; f < comply->frames; f++) {
        float turn = places[f].heading - places[f - 1].heading;
        float whole = (float)(2 * TR_PI), rounds = turn / whole;
        turn -= whole * (float)(int32_t)(rounds + (rounds < 0 ? -0.5f : 0.5f));
        comply->headings[f] = comply->headings[f - 1] + turn;
        comply->turns[f] = comply->turns[f - 1] + fabsf(turn);
        comply->ways[f] = comply->ways[f - 1] + tr_vec3_distance(places[f].position, places[f - 1].position);
    }
}

static float farthest_corner(tr_box box) {
    float x = comply_greater(fabsf(box.min.x), fabsf(box.max.x));
    float y = comply_greater(fabsf(box.min.y), fabsf(box.max.y));
    float z = comply_greater(fabsf(box.min.z), fabsf(box.max.z));
    return tr_vec3_length(tr_vec3_make(x, y, z));
}

// An angle is at most pi times the sine of its half.
static float turn_between(tr_quat a, tr_quat b) {
    tr_quat q = tr_quat_multiply(tr_quat_conjugate(a), b);
    return (float)TR_PI * sqrtf(q.x * q.x + q.y * q.y + q.z * q.z);
}

static void measure_movers(tr_comply *comply) {
    for (uint32_t i = 0; i < comply->query.mover_count; i++) {
        const tr_comply_mover *mover = &comply->query.movers[i];
        tr_box bounds = tr_solid_count(mover->solid).bounds;
        float *path = comply->mover_paths + (size_t)i * comply->def.frames_max, reach = 0;
        if (!tr_box_is_empty(bounds))
            reach = farthest_corner(bounds);
        comply->mover_reach[i] = reach;
        path[0] = 0;
        for (uint32_t f = 1; f < comply->frames; f++) {
            const tr_transform *from = &mover->places[f - 1], *to = &mover->places[f];
            path[f] = path[f - 1] + tr_vec3_distance(from->position, to->position) +
                      reach * turn_between(from->rotation, to->rotation);
        }
    }
}

static void measure_capsules(const tr_comply *comply, const tr_solid_capsule *capsules, uint32_t count,
                             float *paths) {
    for (uint32_t i = 0; i < count; i++) {
        float *path = paths + (size_t)i * comply->def.frames_max;
        path[0] = 0;
        for (uint32_t f = 1; f < comply->frames; f++) {
            const tr_solid_capsule *from = &capsules[(size_t)(f - 1) * count + i], *to = from + count;
            path[f] = path[f - 1] +
                      comply_greater(tr_vec3_distance(from->a, to->a), tr_vec3_distance(from->b, to->b)) +
                      fabsf(to->radius - from->radius);
        }
    }
}

static void measure_preferred(tr_comply *comply) {
    const uint32_t last = comply->frames - 1;
    for (uint32_t f = 0; f <= last; f++) {
        uint32_t from = f < last ? f : last - 1;
        const float *a = (const float *)&comply->query.preferred[from];
        const float *b = (const float *)&comply->query.preferred[from + 1];
        float *rate = (float *)&comply->preferred_rate[f];
        for (size_t k = 0; k < sizeof(tr_comply_pose) / sizeof(float); k++)
            rate[k] = b[k] - a[k];
    }
}

static float preferred_at(const tr_comply *comply, tr_comply_limb limb, float frame, uint32_t k) {
    float last = (float)(comply->frames - 1);
    frame = frame < 0 ? 0 : frame > last ? last : frame;
    uint32_t f = (uint32_t)frame;
    f = f + 1 < comply->frames ? f : comply->frames - 2;
    float a = comply_preferred(comply, limb, f)[k], b = comply_preferred(comply, limb, f + 1)[k];
    return a + (frame - (float)f) * (b - a);
}

// Control points with which a spline follows the preferred motion, up to terms of fourth order: what departs
// by a pose less these holds that pose.
static void fit_preferred(tr_comply *comply) {
    float stride = (float)comply->def.stride;
    for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++)
        for (uint32_t j = 0; j < comply->segments + 2; j++)
            for (uint32_t k = 0; k < comply->lattices[limb].angles; k++) {
                float at = ((float)j - 0.5f) * stride - (float)comply->lead;
                float a = preferred_at(comply, (tr_comply_limb)limb, at - stride, k),
                      b = preferred_at(comply, (tr_comply_limb)limb, at, k),
                      c = preferred_at(comply, (tr_comply_limb)limb, at + stride, k);
                comply->usual[limb][j][k] = b - 0.125f * (a - 2 * b + c);
            }
}

void tr_comply_measure(tr_comply *comply) {
    measure_pelvis(comply);
    measure_movers(comply);
    measure_capsules(comply, comply->query.others, comply->query.other_count, comply->other_paths);
    measure_capsules(comply, comply->query.legs, comply->query.leg_count, comply->leg_paths);
    measure_preferred(comply);
}

static void start_of(const tr_comply *comply, tr_comply_limb limb, float at[TR_COMPLY_ARM_ANGLES],
                     float rate[TR_COMPLY_ARM_ANGLES]) {
    const tr_comply_query *query = &comply->query;
    for (uint32_t k = 0; k < comply->lattices[limb].angles; k++) {
        bool waist = limb == TR_COMPLY_WAIST;
        uint32_t side = comply_side(limb);
        if (query->pose)
            at[k] = (waist ? query->pose->waist : query->pose->arms[side])[k] -
                    comply_preferred(comply, limb, 0)[k];
        if (query->velocity)
            rate[k] = (waist ? query->velocity->waist : query->velocity->arms[side])[k] /
                          comply->def.frames_per_second -
                      (waist ? comply->preferred_rate[0].waist : comply->preferred_rate[0].arms[side])[k];
    }
}

// Is the body where the last plan has it, as fast as there?
static bool is_on_plan(const tr_comply *comply, uint32_t frame) {
    const float near = 1e-3f; // [rad, and rad per frame]
    for (uint32_t limb = 0; limb < TR_COMPLY_LIMBS; limb++) {
        float at[TR_COMPLY_ARM_ANGLES] = {0}, rate[TR_COMPLY_ARM_ANGLES] = {0}, plan_at[TR_COMPLY_ARM_ANGLES],
              plan_rate[TR_COMPLY_ARM_ANGLES];
        start_of(comply, (tr_comply_limb)limb, at, rate);
        tr_comply_offset((const float(*)[TR_COMPLY_ARM_ANGLES])comply->kept[limb], comply->kept_segments,
                         comply->def.stride, frame, plan_at, plan_rate);
        for (uint32_t d = 0; d < comply->lattices[limb].dimensions; d++) {
            uint32_t k = comply->lattices[limb].axis[d];
            if (!(fabsf(at[k] - plan_at[k]) < near && fabsf(rate[k] - plan_rate[k]) < near))
                return false;
        }
    }
    return true;
}

// Continues the spline of the last plan if the body follows it; otherwise begins one from its pose and
// velocity.
void tr_comply_continue(tr_comply *comply) {
    uint32_t passed = comply->query.passed, stride = comply->def.stride;
    comply->lead = 0;
    comply->shift = TR_NONE;
    if (passed != TR_NONE && comply->kept_segments > 0 && passed < comply->kept_frames &&
        is_on_plan(comply, passed + comply->kept_lead)) {
        comply->lead = (passed + comply->kept_lead) % stride;
        comply->shift = (passed + comply->kept_lead) / stride;
    }
    comply->segments = (comply->frames + comply->lead - 2) / stride + 1;
    fit_preferred(comply);
}

// The control points that are given: two; three if the window begins inside a segment.
uint32_t tr_comply_start(const tr_comply *comply, tr_comply_limb limb, float start[3][TR_COMPLY_ARM_ANGLES]) {
    const float tiny = 1e-5f; // [rad] what rounding leaves of nothing
    float at[TR_COMPLY_ARM_ANGLES] = {0}, rate[TR_COMPLY_ARM_ANGLES] = {0};
    uint32_t count = comply->lead > 0 ? 3 : 2;
    if (comply->shift != TR_NONE) {
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
                start[i][k] = comply->kept[limb][comply->shift + i][k];
        return count;
    }
    start_of(comply, limb, at, rate);
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++)
        start[0][k] = start[1][k] = 0;
    for (uint32_t d = 0; d < comply->lattices[limb].dimensions; d++) {
        uint32_t k = comply->lattices[limb].axis[d];
        float half = 0.5f * rate[k] * (float)comply->def.stride;
        if (fabsf(at[k]) + fabsf(half) > tiny)
            start[0][k] = at[k] - half, start[1][k] = at[k] + half;
    }
    return count;
}

void tr_comply_offset(const float (*control)[TR_COMPLY_ARM_ANGLES], uint32_t segments, uint32_t stride,
                      uint32_t frame, float offset[TR_COMPLY_ARM_ANGLES], float rate[TR_COMPLY_ARM_ANGLES]) {
    uint32_t j = frame / stride < segments ? frame / stride : segments - 1;
    float s = (float)(frame - j * stride) / (float)stride;
    for (int k = 0; k < TR_COMPLY_ARM_ANGLES; k++) {
        float a = control[j][k], b = control[j + 1][k], c = control[j + 2][k];
        offset[k] = 0.5f * (a + b) + s * ((b - a) + 0.5f * s * (a - 2 * b + c));
        rate[k] = ((b - a) + s * (a - 2 * b + c)) / (float)stride;
    }
}

static float root(float a, float b, float c) {
    return sqrtf(a * a + b * b + c * c);
}

void tr_comply_trace(const tr_comply *comply, tr_comply_limb limb, uint32_t segment,
                     const float *const control[3], comply_track *track) {
    const comply_lattice *lattice = &comply->lattices[limb];
    uint32_t first = comply_frame_of(comply, segment), last = comply_frame_of(comply, segment + 1);
    float share = 1 / (float)comply->def.stride;
    for (uint32_t f = first; f <= last; f++) {
        const float *preferred = comply_preferred(comply, limb, f);
        float *q = track->q[f - track->first],
              s = share * (float)(f + comply->lead - segment * comply->def.stride);
        for (uint32_t k = 0; k < lattice->angles; k++) {
            float a = control[0][k], b = control[1][k], c = control[2][k];
            float angle = preferred[k] + (0.5f * (a + b) + s * ((b - a) + 0.5f * s * (a - 2 * b + c)));
            q[k] = angle < lattice->low[k]    ? lattice->low[k]
                   : angle > lattice->high[k] ? lattice->high[k]
                                              : angle;
        }
        if (f == first)
            continue;
        const float *p = track->q[f - 1 - track->first];
        comply_path *path = &track->path[f - track->first];
        *path = path[-1];
        if (limb == TR_COMPLY_WAIST) {
            path->swing += root(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
            continue;
        }
        path->swing += root(q[0] - p[0], q[1] - p[1], 0);
        path->rotation += fabsf(q[2] - p[2]);
        path->elbow += fabsf(q[3] - p[3]);
    }
}
