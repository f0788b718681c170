// One capture, cleaned, worn by the body of the machine, standing on ground of height 0, with contacts, a
// base and speeds.
#include "build_parts.h"
#include "troupe/base/scalar.h"
#include "motion/clip/clip_edit_parts.h"
#include "motion/foot/foot.h"
#include "troupe/motion/clip_edit.h"
#include "troupe/motion/retarget.h"

#include <string.h>

#define RATE_LEAST 80.0   // at which motion is examined [frames per second]
#define PLACE_HERTZ 1.6   // the base follows the hips up to this frequency [Hz]
#define HEADING_HERTZ 0.8 // and where they face up to this one
#define SPEED_TIME 0.022  // speeds are measured over this time before and after [s]
#define DOWN_LOW 0.07f    // of the leg: a foot this low may be on the ground
#define DOWN_SLOW 0.5f    // of the speed of the body
#define DOWN_FAST 0.5f    // of sqrt(g * leg): a body that is this fast runs

#define TOUCH_LOW 0.12f  // of the leg: a hand or a knee this low may touch the ground
#define TOUCH_SLOW 0.1f  // of sqrt(g * leg): and it is this slow
#define TOUCH_LEAST 0.08 // [s]

typedef struct track_job {
    tr_allocator allocator;
    const build_body *body;
    const tr_behavior_build_def *def;
    const tr_behavior_capture *capture;
    tr_error *error;
} track_job;

// Replaces a clip by what was made of it.
static tr_status take(tr_clip **clip, tr_clip *made, tr_status status) {
    if (status != TR_OK)
        return status;
    tr_clip_destroy(*clip);
    *clip = made;
    return TR_OK;
}

// --- From the capture to the body ---

// The motion of the capture in the world, from its first real frame on, at the rate at which it is examined.
static tr_status open_capture(const track_job *job, build_track *track) {
    const tr_allocator *allocator = &job->allocator;
    const tr_skeleton *skeleton = job->capture->skeleton;
    tr_clip *made = NULL;
    tr_status status = tr_clip_edit_put_base(allocator, skeleton, job->capture->clip, &made, job->error);
    status = take(&track->clip, made, status);
    if (status == TR_OK)
        status = build_clean_added(allocator, skeleton, track->clip, &track->skipped, job->error);
    uint32_t last = status == TR_OK ? tr_clip_frame_count(track->clip) : 0;
    last -= status == TR_OK && tr_clip_loops(track->clip) && last > 1; // a part does not loop
    if (status == TR_OK && (track->skipped > 0 || tr_clip_loops(track->clip))) {
        status = tr_clip_edit_cut(allocator, skeleton, track->clip, track->skipped, last, &made, job->error);
        status = take(&track->clip, made, status);
    }
    if (status == TR_OK)
        status = build_clean(allocator, skeleton, &track->clip, job->error);
    if (status == TR_OK && tr_clip_rate(track->clip) != track->rate) {
        status = tr_clip_edit_resample(allocator, skeleton, track->clip, track->rate, &made, job->error);
        status = take(&track->clip, made, status);
    }
    return status;
}

static tr_status wear(const track_job *job, build_track *track) {
    tr_retarget_params params = tr_retarget_params_default();
    const tr_clip *motion = track->clip;
    params.motions = &motion;
    params.motion_count = 1;
    params.trust_rest = job->capture->trust_rest;
    tr_retarget *retarget = NULL;
    tr_clip *made = NULL;
    tr_status status = tr_retarget_create(&job->allocator, job->capture->skeleton, job->body->skeleton,
                                          &params, &retarget, job->error);
    if (status == TR_OK)
        status = tr_retarget_clip(retarget, track->clip, &made, job->error);
    tr_retarget_destroy(retarget);
    return take(&track->clip, made, status);
}

// Where the hips are over the ground and where they face, without what comes from single steps.
static tr_status trace_base(const track_job *job, const tr_clip *clip, tr_pose *pose, tr_base *bases) {
    const tr_skeleton *skeleton = job->body->skeleton;
    uint32_t hips = tr_clip_edit_hips(skeleton), joints = tr_skeleton_joint_count(skeleton),
             count = tr_clip_frame_count(clip);
    double rate = tr_clip_rate(clip);
    size_t padding = tr_clip_edit_low_pass_padding(HEADING_HERTZ / rate, count, false);
    size_t total = count + 2 * padding;
    tr_affine *model = tr_allocate(&job->allocator, joints, sizeof *model);
    double *track = tr_allocate(&job->allocator, total, sizeof *track);
    for (uint32_t i = 0; model && track && i < count; i++) {
        tr_clip_edit_world_frame(skeleton, clip, i, pose);
        tr_pose_to_model(skeleton, pose, NULL, model);
        bases[i] = tr_clip_edit_hips_base(skeleton, hips, model);
        double before = i ? (double)bases[i - 1].heading : 0;
        double turns = floor((before - (double)bases[i].heading) / (2 * TR_PI) + 0.5);
        bases[i].heading = (float)((double)bases[i].heading + turns * 2 * TR_PI);
    }
    for (int part = 0; model && track && part < 3; part++) {
        for (size_t k = 0; k < total; k++) { // reflected through the ends
            int64_t at = (int64_t)k - (int64_t)padding, last = (int64_t)count - 1;
            int64_t mirror = at < 0 ? -at : at > last ? 2 * last - at : at;
            double value = (double)(&bases[mirror].x)[part],
                   pivot = (double)(&bases[at < 0 ? 0 : last].x)[part];
            track[k] = mirror == at ? value : 2 * pivot - value;
        }
        tr_clip_edit_low_pass(track, total, (part < 2 ? PLACE_HERTZ : HEADING_HERTZ) / rate);
        for (uint32_t i = 0; i < count; i++)
            (&bases[i].x)[part] = (float)track[padding + i];
    }
    bool good = model && track;
    tr_release(&job->allocator, model, joints, sizeof *model);
    tr_release(&job->allocator, track, total, sizeof *track);
    return good ? TR_OK : tr_fail(job->error, TR_OUT_OF_MEMORY, "no memory for the base of a capture");
}

// Takes the base out, and moves the ground to height 0.
static tr_status settle(const track_job *job, tr_clip *clip, float ground) {
    const tr_skeleton *skeleton = job->body->skeleton;
    const uint32_t *parents = tr_skeleton_parents(skeleton);
    uint32_t count = tr_clip_frame_count(clip);
    tr_pose pose;
    tr_base *bases = tr_allocate(&job->allocator, count, sizeof *bases);
    tr_status status = tr_pose_create(&job->allocator, tr_skeleton_joint_count(skeleton), &pose, job->error);
    if (status == TR_OK && !bases)
        status = tr_fail(job->error, TR_OUT_OF_MEMORY, "no memory for the base of a capture");
    if (status == TR_OK)
        status = trace_base(job, clip, &pose, bases);
    for (uint32_t frame = 0; status == TR_OK && frame < count; frame++) {
        tr_clip_edit_world_frame(skeleton, clip, frame, &pose);
        tr_clip_edit_roots_into(skeleton, bases[frame], &pose);
        for (uint32_t i = 0; i < pose.joint_count; i++)
            if (parents[i] == TR_NONE)
                pose.position[1][i] -= ground;
        status = tr_clip_set_frame(clip, frame, &pose);
    }
    if (status == TR_OK)
        status = tr_clip_set_base(clip, bases, tr_base_difference(bases[0], bases[count - 1]));
    tr_release(&job->allocator, bases, count, sizeof *bases);
    tr_pose_destroy(&pose);
    return status;
}

static tr_status place_on_ground(const track_job *job, build_track *track) {
    tr_contact_params params = tr_contact_params_default();
    tr_clip *made = NULL;
    float ground = 0;
    params.allocator = &job->allocator;
    tr_status status = tr_clip_edit_contacts(job->body->skeleton, track->clip, &params, &ground, job->error);
    if (status == TR_OK) // so that the roots are free to move
        status = tr_clip_edit_take_base(&job->allocator, job->body->skeleton, track->clip, TR_BASE_LINE,
                                        &made, job->error);
    status = take(&track->clip, made, status);
    return status == TR_OK ? settle(job, track->clip, ground) : status;
}

// --- What is measured in every frame ---

uint32_t build_tip_of(const tr_skeleton *skeleton, uint32_t joint) {
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    tr_vec3 top = tr_affine_position(&rest[joint]);
    uint32_t found = joint;
    float most = 0;
    for (uint32_t i = joint + 1; i < tr_skeleton_subtree_end(skeleton, joint); i++) {
        float far = tr_vec3_distance(tr_affine_position(&rest[i]), top);
        if (tr_skeleton_hangs_on(skeleton, i, joint) && far > most)
            most = far, found = i;
    }
    return found;
}

static tr_vec3 point_at(const build_body *body, const tr_foot feet[2], build_point point,
                        const tr_affine *model) {
    if (point == BUILD_LEFT_TOES || point == BUILD_RIGHT_TOES)
        return tr_foot_tip(&feet[point - BUILD_LEFT_TOES], model);
    return tr_affine_position(&model[body->joints[point]]);
}

static void measure_frame(const build_body *body, const tr_foot feet[2], const tr_affine *model,
                          build_frame *frame) {
    for (int i = 0; i < BUILD_POINTS; i++)
        frame->points[i] = point_at(body, feet, (build_point)i, model);
    for (int side = 0; side < 2; side++) {
        uint32_t wrist = body->joints[BUILD_LEFT_HAND + side];
        float tip = tr_affine_position(&model[build_tip_of(body->skeleton, wrist)]).y;
        float y = tr_affine_position(&model[wrist]).y;
        frame->hand[side] = y < tip ? y : tip;
        frame->sole[side][0] = tr_foot_heel(&feet[side], model);
        frame->sole[side][1] = tr_foot_ball(&feet[side], model);
        float heel = frame->sole[side][0].y, ball = frame->sole[side][1].y;
        frame->low[side] = heel < ball ? heel : ball; // tips dig in
    }
}

// A foot is down where the labels say so. In a fast run a foot hardly comes to rest: it is also down while it
// is low and much slower than the body.
static bool is_down(const build_body *body, const build_frame *a, const build_frame *b, float scale,
                    const build_frame *frame, int side) {
    if (frame->contacts >> 2 * side & 3)
        return true;
    if (frame->low[side] > DOWN_LOW * body->leg || frame->speed < DOWN_FAST * sqrtf(9.81f * body->leg))
        return false;
    float heel = tr_vec3_distance(a->sole[side][0], b->sole[side][0]) * scale,
          ball = tr_vec3_distance(a->sole[side][1], b->sole[side][1]) * scale;
    return (heel < ball ? heel : ball) < DOWN_SLOW * frame->speed;
}

static void measure_speeds(const build_body *body, build_track *track) {
    uint32_t reach = (uint32_t)(SPEED_TIME * track->rate + 0.5);
    for (uint32_t i = 0; i < track->count; i++) {
        uint32_t from = i > reach ? i - reach : 0,
                 to = i + reach < track->count ? i + reach : track->count - 1;
        const build_frame *a = &track->frames[from], *b = &track->frames[to];
        build_frame *frame = &track->frames[i];
        float scale = to > from ? (float)track->rate / (float)(to - from) : 0;
        for (int k = 0; k < BUILD_POINTS; k++) {
            frame->velocity[k] = tr_vec3_scale(tr_vec3_subtract(b->points[k], a->points[k]), scale);
            frame->stir += tr_vec3_length(frame->velocity[k]) / BUILD_POINTS;
        }
        tr_vec2 way = {b->base.x - a->base.x, b->base.z - a->base.z};
        frame->speed = tr_vec2_length(way) * scale;
        frame->turning = (b->base.heading - a->base.heading) * scale;
        for (int side = 0; side < 2; side++)
            frame->down[side] = is_down(body, a, b, scale, frame, side);
    }
}

static tr_status measure(const tr_allocator *allocator, const build_body *body, build_track *track,
                         tr_error *error) {
    tr_foot feet[2];
    tr_pose pose;
    uint32_t joints = tr_skeleton_joint_count(body->skeleton);
    for (uint32_t side = 0; side < 2; side++)
        if (tr_foot_measure(body->skeleton, side, &feet[side]) != TR_OK)
            return tr_fail(error, TR_NOT_FOUND, "the skeleton lacks the role of a foot");
    tr_status status = tr_pose_create(allocator, joints, &pose, error);
    if (status != TR_OK)
        return status;
    track->count = tr_clip_frame_count(track->clip);
    track->frames = tr_allocate_zero(allocator, track->count, sizeof *track->frames);
    tr_affine *model = tr_allocate(allocator, joints, sizeof *model);
    if (!track->frames || !model)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the %u frames of a capture", track->count);
    for (uint32_t i = 0; i < track->count && status == TR_OK; i++) {
        build_frame *frame = &track->frames[i];
        frame->base = tr_clip_frame_base(track->clip, i);
        frame->contacts = (uint8_t)tr_clip_frame_contacts(track->clip, i);
        tr_affine place = tr_base_place(frame->base, 0);
        tr_clip_get_frame(track->clip, i, &pose);
        tr_pose_to_model(body->skeleton, &pose, &place, model);
        measure_frame(body, feet, model, frame);
    }
    if (status == TR_OK)
        measure_speeds(body, track);
    tr_release(allocator, model, joints, sizeof *model);
    tr_pose_destroy(&pose);
    return status;
}

double build_track_rate(const tr_behavior_build_def *def) {
    double rate = def->frames_per_second > 0 ? def->frames_per_second : 30;
    uint32_t times = 1;
    while (rate * times < RATE_LEAST)
        times++;
    return rate * times;
}

// Hands and knees touch the ground where they are low and slow. Those of a body that stands are neither.
static void label_hands_and_knees(const build_body *body, build_track *track) {
    static const struct {
        build_point point;
        uint32_t bit;
    } parts[4] = {{BUILD_LEFT_HAND, TR_CONTACT_LEFT_HAND},
                  {BUILD_RIGHT_HAND, TR_CONTACT_RIGHT_HAND},
                  {BUILD_LEFT_KNEE, TR_CONTACT_LEFT_KNEE},
                  {BUILD_RIGHT_KNEE, TR_CONTACT_RIGHT_KNEE}};
    float low = TOUCH_LOW * body->leg, slow = TOUCH_SLOW * build_body_speed(body);
    uint32_t least = (uint32_t)(TOUCH_LEAST * track->rate);
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0, end; i < track->count; i = end) {
            bool touches = true;
            for (end = i; end < track->count && touches; end += touches) {
                const build_frame *frame = &track->frames[end];
                float height = k < 2 ? frame->hand[k] : frame->points[parts[k].point].y;
                touches = height < low && tr_vec3_length(frame->velocity[parts[k].point]) < slow;
            }
            for (uint32_t at = i; at < end && end - i >= least; at++)
                track->frames[at].contacts |= (uint8_t)parts[k].bit;
            end += end == i;
        }
    for (uint32_t i = 0; i < track->count; i++)
        tr_clip_set_contacts(track->clip, i, track->frames[i].contacts);
}

tr_status build_track_make(const tr_allocator *allocator, const build_body *body,
                           const tr_behavior_build_def *def, uint32_t capture, build_track *track,
                           tr_error *error) {
    track_job job = {*allocator, body, def, &def->captures[capture], error};
    *track = (build_track){.capture = capture, .rate = build_track_rate(def)};
    tr_status status = open_capture(&job, track);
    if (status == TR_OK)
        status = wear(&job, track);
    if (status == TR_OK)
        status = place_on_ground(&job, track);
    if (status == TR_OK)
        status = build_floor_keep(allocator, body, track->clip, error);
    if (status == TR_OK)
        status = measure(allocator, body, track, error);
    if (status == TR_OK)
        label_hands_and_knees(body, track);
    if (status != TR_OK)
        build_track_destroy(allocator, track);
    return status;
}

tr_status build_track_mirror(const tr_allocator *allocator, const build_body *body, const build_track *from,
                             build_track *track, tr_error *error) {
    *track = *from;
    track->clip = NULL;
    track->frames = NULL;
    track->mirrored = !from->mirrored;
    tr_status status = tr_clip_edit_mirror(allocator, body->skeleton, from->clip, &track->clip, error);
    if (status == TR_OK)
        status = measure(allocator, body, track, error);
    if (status != TR_OK)
        build_track_destroy(allocator, track);
    return status;
}

void build_track_destroy(const tr_allocator *allocator, build_track *track) {
    tr_clip_destroy(track->clip);
    tr_release(allocator, track->frames, track->count, sizeof *track->frames);
    *track = (build_track){0};
}

tr_status build_body_measure(const tr_skeleton *skeleton, build_body *body, tr_error *error) {
    static const tr_role roles[BUILD_POINTS] = {
        TR_ROLE_HIPS,         TR_ROLE_HEAD,          TR_ROLE_LEFT_UPPER_ARM, TR_ROLE_RIGHT_UPPER_ARM,
        TR_ROLE_LEFT_FOREARM, TR_ROLE_RIGHT_FOREARM, TR_ROLE_LEFT_HAND,      TR_ROLE_RIGHT_HAND,
        TR_ROLE_LEFT_SHANK,   TR_ROLE_RIGHT_SHANK,   TR_ROLE_LEFT_FOOT,      TR_ROLE_RIGHT_FOOT,
        TR_ROLE_LEFT_FOOT,    TR_ROLE_RIGHT_FOOT};
    tr_legs legs;
    *body = (build_body){.skeleton = skeleton};
    for (int i = 0; i < BUILD_POINTS; i++) {
        body->joints[i] = tr_skeleton_with_role(skeleton, roles[i]);
        if (body->joints[i] == TR_NONE)
            return tr_fail(error, TR_NOT_FOUND, "the skeleton has no joint with the role %s",
                           tr_role_name(roles[i]));
    }
    tr_status status = tr_legs_measure(skeleton, &legs, error);
    if (status != TR_OK)
        return status;
    const tr_affine *rest = tr_skeleton_rest_model(skeleton);
    tr_vec3 ankle = tr_affine_position(&rest[legs.feet[0].ankle]);
    float sole = ankle.y - tr_foot_heel(&legs.feet[0], rest).y;
    body->leg = legs.limbs[0].upper_length + legs.limbs[0].lower_length + sole;
    float drop = tr_affine_position(&rest[legs.feet[0].thigh]).y - body->leg;
    body->head = tr_affine_position(&rest[body->joints[BUILD_HEAD]]).y - drop;
    return TR_OK;
}
