// Where the parts of a body are in a clip, and the bands of heights that behaviors are for.
#include "behavior_cast_parts.h"

#define PIECE_LENGTH 0.1f // the longest piece, as a share of the height
#define BONE_RADIUS 0.04f // of a bone of a body without capsules
#define DEPTH 0.25f       // of the obstacles that behaviors are for
#define RAISED 0.05f      // a body that is higher above the floor passes over obstacles
#define LOWERED 0.95f     // one that is lower than this share of the upright body passes under them
#define ALIKE 0.05f       // limits of bands that differ less become one
#define WAY_TIME 0.25     // [s] before and after the action: there the body goes along
#define WAY_LEAST 0.02f   // as a share of the height: a shorter way has no direction
#define ALONG 0.94f       // cosine: a body that goes nearly where it faces goes there
#define CLEAR 0.005f      // [m] between a body and the limit of its band
#define TIMES_RATE 120.0  // [1/s]

// ------------------------------------------------------------------------------------------------------ body

static uint32_t pieces_of(const tr_capsule *capsule, float longest) {
    float length = tr_vec3_distance(capsule->a, capsule->b);
    return 1 + (uint32_t)(length / longest);
}

static void split(tr_behavior_maker *maker, const tr_capsule *capsule, float longest) {
    uint32_t count = pieces_of(capsule, longest);
    tr_vec3 way = tr_vec3_subtract(capsule->b, capsule->a);
    for (uint32_t i = 0; i < count; i++) {
        tr_capsule piece = *capsule;
        piece.a = tr_vec3_add(capsule->a, tr_vec3_scale(way, (float)i / (float)count));
        piece.b = tr_vec3_add(capsule->a, tr_vec3_scale(way, (float)(i + 1) / (float)count));
        maker->pieces[maker->piece_count++] = piece;
    }
}

static float scale_of(const tr_affine *a) {
    float largest = 0;
    for (int k = 0; k < 3; k++) {
        tr_vec3 column = {a->m[0][k], a->m[1][k], a->m[2][k]};
        float length = tr_vec3_length(column);
        largest = length > largest ? length : largest;
    }
    return largest;
}

// A capsule in the axes of its joint; where a joint is scaled, so is the capsule.
static tr_capsule bone_of(const tr_behavior_maker *maker, uint32_t joint) {
    const tr_skeleton *skeleton = maker->def->skeleton;
    uint32_t parent = tr_skeleton_parents(skeleton)[joint];
    uint32_t on = parent == TR_NONE ? joint : parent;
    tr_vec3 end = tr_skeleton_joint(skeleton, joint).rest.position;
    float scale = scale_of(&tr_skeleton_rest_model(skeleton)[on]);
    tr_capsule bone = {.joint = on, .radius = BONE_RADIUS * maker->height / (scale > 0 ? scale : 1)};
    bone.b = parent == TR_NONE ? bone.a : end;
    return bone;
}

static tr_capsule capsule_of(const tr_behavior_maker *maker, uint32_t number) {
    const tr_body_def *view = maker->def->body ? tr_body_view(maker->def->body) : NULL;
    return view && view->capsule_count > 0 ? view->capsules[number] : bone_of(maker, number);
}

static tr_status make_pieces(tr_behavior_maker *maker, tr_error *error) {
    const tr_body_def *view = maker->def->body ? tr_body_view(maker->def->body) : NULL;
    uint32_t joints = tr_skeleton_joint_count(maker->def->skeleton), count = 0;
    if (view && view->joint_count != joints)
        return tr_fail(error, TR_INVALID, "the body has %u joints, its skeleton has %u", view->joint_count,
                       joints);
    uint32_t capsules = view && view->capsule_count > 0 ? view->capsule_count : joints;
    const tr_affine *rest = tr_skeleton_rest_model(maker->def->skeleton);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < capsules; i++) {
            tr_capsule capsule = capsule_of(maker, i);
            float scale = scale_of(&rest[capsule.joint]);
            float longest = PIECE_LENGTH * maker->height / (scale > 0 ? scale : 1);
            if (pass == 0)
                count += pieces_of(&capsule, longest);
            else
                split(maker, &capsule, longest);
        }
        if (pass == 0)
            maker->pieces = tr_allocate(&maker->allocator, count, sizeof *maker->pieces);
        if (!maker->pieces)
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the %u capsules of a cast", count);
    }
    return TR_OK;
}

// ----------------------------------------------------------------------------------------------------- clips

static tr_status check_clip(const tr_behavior_maker *maker, const char *state, uint32_t number,
                            const tr_behavior_cast_clip *clip, tr_error *error) {
    const char *name = state ? state : "";
    uint32_t joints = tr_skeleton_joint_count(maker->def->skeleton);
    if (!clip->motion)
        return tr_fail(error, TR_INVALID, "clip %u of state \"%s\" has no motion", number, name);
    if (tr_clip_joint_count(clip->motion) != joints)
        return tr_fail(error, TR_INVALID, "clip %u of state \"%s\" has %u joints, the skeleton has %u",
                       number, name, tr_clip_joint_count(clip->motion), joints);
    if (!tr_clip_has_base(clip->motion))
        return tr_fail(error, TR_INVALID, "clip %u of state \"%s\" has no base", number, name);
    if (tr_clip_rate(clip->motion) != maker->rate)
        return tr_fail(error, TR_INVALID,
                       "clip %u of state \"%s\" has %g frames per second, the first has %g", number, name,
                       tr_clip_rate(clip->motion), maker->rate);
    uint32_t frames = tr_clip_frame_count(clip->motion);
    if (!(clip->first < clip->last && clip->last < frames))
        return tr_fail(error, TR_INVALID,
                       "clip %u of state \"%s\" is its own from frame %u to %u, it has %u frames", number,
                       name, clip->first, clip->last, frames);
    if (clip->last - clip->first > UINT16_MAX)
        return tr_fail(error, TR_INVALID, "clip %u of state \"%s\" has %u frames of its own, the most is %d",
                       number, name, clip->last - clip->first, UINT16_MAX);
    if (!isfinite(clip->action) || !isfinite(clip->rise) || !isfinite(clip->parameter))
        return tr_fail(error, TR_INVALID,
                       "clip %u of state \"%s\": action %g, rise %g and parameter %g must be finite", number,
                       name, clip->action, (double)clip->rise, (double)clip->parameter);
    return TR_OK;
}

static tr_status check_def(const tr_behavior_cast_def *def, tr_error *error) {
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a behavior cast needs a skeleton");
    if (!def->states || def->state_count == 0)
        return tr_fail(error, TR_INVALID, "a behavior cast needs states");
    const float numbers[] = {def->depth, def->radius, def->margin, def->slot};
    static const char *const names[] = {"depth of obstacles", "radius of the discs", "margin", "slot"};
    for (uint32_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i] >= 0 && numbers[i] < 1e6f))
            return tr_fail(error, TR_INVALID, "the %s is %g, it must be 0 or more", names[i],
                           (double)numbers[i]);
    if (def->stand && tr_clip_joint_count(def->stand) != tr_skeleton_joint_count(def->skeleton))
        return tr_fail(error, TR_INVALID, "the clip of standing has %u joints, the skeleton has %u",
                       tr_clip_joint_count(def->stand), tr_skeleton_joint_count(def->skeleton));
    return TR_OK;
}

static tr_status check_states(tr_behavior_maker *maker, tr_error *error) {
    for (uint32_t i = 0; i < maker->def->state_count; i++) {
        const tr_behavior_cast_state *state = &maker->def->states[i];
        if (!state->clips || state->clip_count == 0)
            return tr_fail(error, TR_INVALID, "state \"%s\" has no clips", state->name ? state->name : "");
        if (i == 0 && state->clips[0].motion)
            maker->rate = tr_clip_rate(state->clips[0].motion);
        for (uint32_t k = 0; k < state->clip_count; k++) {
            tr_status status = check_clip(maker, state->name, k, &state->clips[k], error);
            if (status != TR_OK)
                return status;
        }
    }
    return TR_OK;
}

tr_status tr_behavior_maker_open(const tr_behavior_cast_def *def, tr_behavior_maker *maker, tr_error *error) {
    *maker = (tr_behavior_maker){.allocator = tr_allocator_or_default(def->allocator), .def = def};
    tr_status status = check_def(def, error);
    if (status == TR_OK)
        status = check_states(maker, error);
    if (status != TR_OK)
        return status;
    uint32_t joints = tr_skeleton_joint_count(def->skeleton);
    maker->height = tr_skeleton_height(def->skeleton);
    if (!(maker->height > 0))
        return tr_fail(error, TR_INVALID, "the skeleton has no height");
    maker->model = tr_allocate(&maker->allocator, joints, sizeof *maker->model);
    maker->serves = tr_allocate_zero(&maker->allocator, def->state_count, sizeof *maker->serves);
    if (!maker->model || !maker->serves)
        status =
            tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior cast of %u states", def->state_count);
    if (status == TR_OK)
        status = tr_pose_create(&maker->allocator, joints, &maker->pose, error);
    if (status == TR_OK)
        status = make_pieces(maker, error);
    if (status != TR_OK)
        tr_behavior_maker_close(maker);
    return status;
}

void tr_behavior_maker_close(tr_behavior_maker *maker) {
    uint32_t joints = tr_skeleton_joint_count(maker->def->skeleton), count = maker->piece_count;
    tr_pose_destroy(&maker->pose);
    tr_release(&maker->allocator, maker->pieces, count, sizeof *maker->pieces);
    tr_release(&maker->allocator, maker->model, joints, sizeof *maker->model);
    tr_release(&maker->allocator, maker->serves, maker->def->state_count, sizeof *maker->serves);
    maker->pieces = NULL, maker->model = NULL, maker->serves = NULL;
}

float tr_behavior_maker_depth(const tr_behavior_maker *maker) {
    return maker->def->depth > 0 ? maker->def->depth : DEPTH * maker->height;
}

uint32_t tr_behavior_clip_frames(const tr_behavior_cast_clip *clip) {
    return clip->last - clip->first;
}

tr_base tr_behavior_clip_way(const tr_behavior_cast_clip *clip, double frame) {
    double time = (clip->first + frame) / tr_clip_rate(clip->motion);
    return tr_base_difference(tr_clip_frame_base(clip->motion, clip->first),
                              tr_clip_base(clip->motion, time));
}

uint32_t tr_behavior_clip_action(const tr_behavior_cast_clip *clip) {
    uint32_t frames = tr_behavior_clip_frames(clip);
    double frame = clip->action * tr_clip_rate(clip->motion) - clip->first;
    if (clip->action < 0)
        return frames / 2;
    return frame <= 0 ? 0 : frame >= frames ? frames : (uint32_t)(frame + 0.5);
}

float tr_behavior_clip_edge(const tr_behavior_cast_clip *clip) {
    double rate = tr_clip_rate(clip->motion), frames = tr_behavior_clip_frames(clip);
    double frame = clip->action < 0 ? 0.5 * frames : clip->action * rate - clip->first;
    return tr_behavior_clip_way(clip, frame).z;
}

void tr_behavior_maker_show(tr_behavior_maker *maker, const tr_behavior_cast_clip *clip, double frame,
                            tr_behavior_ball *balls) {
    tr_affine place = tr_base_place(tr_behavior_clip_way(clip, frame), 0);
    tr_clip_sample(clip->motion, (clip->first + frame) / maker->rate, &maker->pose);
    tr_pose_to_model(maker->def->skeleton, &maker->pose, &place, maker->model);
    for (uint32_t i = 0; i < maker->piece_count; i++) {
        const tr_capsule *piece = &maker->pieces[i];
        const tr_affine *joint = &maker->model[piece->joint];
        float radius = piece->radius * scale_of(joint) + maker->def->margin;
        balls[2 * i] = (tr_behavior_ball){tr_affine_apply(joint, piece->a), radius};
        balls[2 * i + 1] = (tr_behavior_ball){tr_affine_apply(joint, piece->b), radius};
    }
}

// ----------------------------------------------------------------------------------------------------- bands

// How low and how high a body is: everywhere, and where an obstacle would be at the action.
typedef struct heights {
    float low, high, low_there, high_there;
} heights;

static void add_heights(const tr_behavior_maker *maker, const tr_behavior_ball *balls, tr_vec2 there,
                        tr_vec2 ahead, float half, heights *found) {
    for (uint32_t i = 0; i < 2 * maker->piece_count; i++) {
        tr_vec3 at = balls[i].at;
        float low = at.y - balls[i].radius, high = at.y + balls[i].radius;
        found->low = low < found->low ? low : found->low;
        found->high = high > found->high ? high : found->high;
        float along = tr_vec2_dot(tr_vec2_subtract(tr_vec3_from_above(at), there), ahead);
        if (along > half + balls[i].radius || along < -half - balls[i].radius)
            continue;
        found->low_there = low < found->low_there ? low : found->low_there;
        found->high_there = high > found->high_there ? high : found->high_there;
    }
}

// The way the body goes at the action. It may face elsewhere: bodies turn aside under an obstacle.
static tr_vec2 way_ahead(const tr_behavior_maker *maker, const tr_behavior_cast_clip *clip) {
    double action = tr_behavior_clip_action(clip), frames = tr_behavior_clip_frames(clip),
           reach = WAY_TIME * maker->rate;
    tr_base at = tr_behavior_clip_way(clip, action),
            from = tr_behavior_clip_way(clip, action > reach ? action - reach : 0),
            to = tr_behavior_clip_way(clip, action + reach < frames ? action + reach : frames);
    tr_affine turned = tr_base_place(at, 0);
    tr_vec2 faces = tr_vec3_from_above(tr_affine_turn(&turned, tr_vec3_make(0, 0, 1)));
    tr_vec2 way = {to.x - from.x, to.z - from.z};
    float length = tr_vec2_length(way);
    return tr_vec2_dot(way, faces) >= ALONG * length || length < WAY_LEAST * maker->height
               ? faces
               : tr_vec2_scale(way, 1 / length);
}

static tr_status measure(tr_behavior_maker *maker, const tr_behavior_cast_state *state, heights *found,
                         tr_error *error) {
    float half = 0.5f * (state->depth > 0 ? state->depth : tr_behavior_maker_depth(maker));
    uint32_t steps = (uint32_t)ceil(TIMES_RATE / maker->rate);
    tr_behavior_ball *balls = tr_allocate(&maker->allocator, 2 * (size_t)maker->piece_count, sizeof *balls);
    if (!balls)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the %u capsules of a cast",
                       maker->piece_count);
    *found = (heights){INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (uint32_t k = 0; k < state->clip_count; k++) {
        const tr_behavior_cast_clip *clip = &state->clips[k];
        tr_base action = tr_behavior_clip_way(clip, tr_behavior_clip_action(clip));
        tr_vec2 there = {action.x, action.z}, ahead = way_ahead(maker, clip);
        for (uint32_t i = 0; i <= steps * tr_behavior_clip_frames(clip); i++) {
            tr_behavior_maker_show(maker, clip, (double)i / steps, balls);
            add_heights(maker, balls, there, ahead, half, found);
        }
    }
    tr_release(&maker->allocator, balls, 2 * (size_t)maker->piece_count, sizeof *balls);
    return TR_OK;
}

// Band 0: all that ordinary behaviors reach; if there are none, the body at rest.
static tr_status measure_upright(tr_behavior_maker *maker, tr_error *error) {
    float high = 0;
    for (uint32_t i = 0; i < maker->def->state_count; i++) {
        heights found;
        if (maker->def->states[i].serves != 0)
            continue;
        tr_status status = measure(maker, &maker->def->states[i], &found, error);
        if (status != TR_OK)
            return status;
        high = found.high > high ? found.high : high;
    }
    high = high > 0 ? high + CLEAR : maker->height;
    maker->bands[0] = (tr_behavior_band){.name = "upright", .high = high};
    maker->band_count = 1;
    return TR_OK;
}

static bool passes_over(const tr_behavior_band *band) {
    return band->low > 0;
}

// Joins band `b` to band `a`: what is clear of the result is clear of both.
static void join_bands(tr_behavior_maker *maker, uint32_t a, uint32_t b) {
    tr_behavior_band *kept = &maker->bands[a], *gone = &maker->bands[b];
    kept->low = gone->low < kept->low ? gone->low : kept->low;
    kept->high = gone->high > kept->high ? gone->high : kept->high;
    for (uint32_t i = b; i + 1 < maker->band_count; i++)
        maker->bands[i] = maker->bands[i + 1];
    maker->band_count--;
    for (uint32_t i = 0; i < maker->def->state_count; i++)
        maker->serves[i] = maker->serves[i] == b ? a : maker->serves[i] - (maker->serves[i] > b);
}

// Joins the two bands that are most alike, if they are more alike than `most`.
static bool join_alike(tr_behavior_maker *maker, float most) {
    uint32_t a = 0, b = 0;
    for (uint32_t i = 1; i < maker->band_count; i++)
        for (uint32_t k = i + 1; k < maker->band_count; k++) {
            const tr_behavior_band *p = &maker->bands[i], *q = &maker->bands[k];
            if (passes_over(p) != passes_over(q) || p->climbs || q->climbs)
                continue;
            float apart = passes_over(p) ? p->low - q->low : p->high - q->high;
            apart = apart < 0 ? -apart : apart;
            if (apart < most)
                most = apart, a = i, b = k;
        }
    if (b > 0)
        join_bands(maker, a, b);
    return b > 0;
}

static bool climbs(const tr_behavior_cast_state *state) {
    bool rises = false;
    for (uint32_t i = 0; i < state->clip_count; i++)
        rises = rises || state->clips[i].rise != 0;
    return rises;
}

// All that climbs has one band: as high as the upright one, above both floors.
static tr_status add_climbing_band(tr_behavior_maker *maker, uint32_t number, tr_error *error) {
    uint32_t band = 1;
    while (band < maker->band_count && !maker->bands[band].climbs)
        band++;
    while (band == maker->band_count && maker->band_count == TR_BEHAVIOR_BANDS_MAX) {
        if (!join_alike(maker, INFINITY))
            return tr_fail(error, TR_LIMIT, "there are more than %d bands of heights", TR_BEHAVIOR_BANDS_MAX);
        band = maker->band_count;
    }
    if (band == maker->band_count)
        maker->bands[maker->band_count++] =
            (tr_behavior_band){.name = "climb", .high = maker->bands[0].high, .climbs = true};
    maker->serves[number] = band;
    return TR_OK;
}

// The band of a special state, or 0 if it is none.
static tr_status add_band(tr_behavior_maker *maker, uint32_t number, tr_error *error) {
    const tr_behavior_cast_state *state = &maker->def->states[number];
    heights found;
    if (climbs(state))
        return add_climbing_band(maker, number, error);
    tr_status status = measure(maker, state, &found, error);
    if (status != TR_OK)
        return status;
    tr_behavior_band band = {.name = state->name};
    if (found.low_there > RAISED * maker->height) {
        band.low = found.low_there - CLEAR;
        band.high = found.high + CLEAR;
    } else if (found.high_there < LOWERED * maker->bands[0].high)
        band.high = found.high_there + CLEAR;
    if (band.high == 0) {
        maker->bands[0].high = found.high > maker->bands[0].high ? found.high : maker->bands[0].high;
        return TR_OK;
    }
    while (maker->band_count == TR_BEHAVIOR_BANDS_MAX)
        if (!join_alike(maker, INFINITY))
            return tr_fail(error, TR_LIMIT, "there are more than %d bands of heights", TR_BEHAVIOR_BANDS_MAX);
    maker->serves[number] = maker->band_count;
    maker->bands[maker->band_count++] = band;
    return TR_OK;
}

static tr_status take_bands(tr_behavior_maker *maker, tr_error *error) {
    const tr_behavior_cast_def *def = maker->def;
    if (def->band_count == 0 || def->band_count > TR_BEHAVIOR_BANDS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u bands, there must be 1 to %d", def->band_count,
                       TR_BEHAVIOR_BANDS_MAX);
    maker->band_count = def->band_count;
    for (uint32_t i = 0; i < def->band_count; i++)
        maker->bands[i] = def->bands[i];
    return TR_OK;
}

tr_status tr_behavior_maker_find_bands(tr_behavior_maker *maker, tr_error *error) {
    const tr_behavior_cast_def *def = maker->def;
    tr_status status = def->bands ? take_bands(maker, error) : measure_upright(maker, error);
    for (uint32_t i = 0; i < def->state_count && status == TR_OK; i++) {
        uint32_t serves = def->states[i].serves;
        if (serves == TR_BEHAVIOR_CAST_MEASURE && !def->bands)
            status = add_band(maker, i, error);
        else if (serves < (def->bands ? def->band_count : 1))
            maker->serves[i] = serves;
        else
            status = tr_fail(error, TR_INVALID, "state \"%s\" serves band %u, there are %u",
                             def->states[i].name ? def->states[i].name : "", serves,
                             def->bands ? def->band_count : 1);
    }
    while (status == TR_OK && !def->bands && join_alike(maker, ALIKE * maker->height)) {
    }
    return status;
}
