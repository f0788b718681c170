#include "audit_parts.h"

#include <math.h>

tr_audit_params tr_audit_params_default(void) {
    tr_audit_params params = {.ground = NAN};
    return params;
}

static tr_status check_params(const tr_audit_params *p, tr_error *error) {
    if (!(p->begin >= 0 && p->begin < INFINITY) || !(p->end >= 0 && p->end < INFINITY) ||
        (p->end > 0 && p->end < p->begin))
        return tr_fail(error, TR_INVALID,
                       "the audited part is from %g to %g s, both must be finite, at least 0 and in order",
                       p->begin, p->end);
    if (!isfinite(p->scene_time))
        return tr_fail(error, TR_INVALID, "the time of the scene is %g s, it must be finite", p->scene_time);
    if (isinf(p->ground))
        return tr_fail(error, TR_INVALID, "the height of the ground is infinite");
    if (!(p->contact_height >= 0 && p->contact_height < INFINITY) ||
        !(p->contact_speed >= 0 && p->contact_speed < INFINITY))
        return tr_fail(error, TR_INVALID,
                       "the contact height is %g m and the contact speed %g m/s, both must be at least 0",
                       (double)p->contact_height, (double)p->contact_speed);
    for (uint32_t i = 0; p->seams && i < p->seam_count; i++)
        if (!isfinite(p->seams[i]))
            return tr_fail(error, TR_INVALID, "seam %u is at %g s, it must be finite", i, p->seams[i]);
    return TR_OK;
}

static tr_status check_fit(const tr_skeleton *skeleton, const tr_clip *clip, const tr_audit_params *params,
                           tr_error *error) {
    uint32_t joints = tr_skeleton_joint_count(skeleton);
    if (tr_clip_joint_count(clip) != joints)
        return tr_fail(error, TR_INVALID, "the clip has %u joints, the skeleton %u",
                       tr_clip_joint_count(clip), joints);
    const tr_body_def *body = params->body ? tr_body_view(params->body) : NULL;
    if (body && body->joint_count != joints)
        return tr_fail(error, TR_INVALID, "the body is for %u joints, the skeleton has %u", body->joint_count,
                       joints);
    for (uint32_t i = 0; body && i < body->capsule_count; i++)
        if (body->capsules[i].joint >= joints)
            return tr_fail(error, TR_INVALID, "capsule %u uses joint %u, but there are only %u", i,
                           body->capsules[i].joint, joints);
    return TR_OK;
}

// The frames inside the requested part, with a tolerance for the rounding of times.
static tr_status choose_frames(audit_job *job, tr_error *error) {
    const tr_audit_params *p = job->params;
    uint32_t frames = tr_clip_frame_count(job->clip);
    double begin = ceil(p->begin * job->rate - 1e-6),
           end = p->end > 0 ? p->end * job->rate + 1e-6 : frames - 1;
    if (begin > frames - 1)
        return tr_fail(error, TR_INVALID, "the audited part begins at %g s, but the motion ends at %g s",
                       p->begin, (frames - 1) / job->rate);
    job->first = begin > 0 ? (uint32_t)begin : 0;
    uint32_t last = end < frames - 1 ? (uint32_t)end : frames - 1;
    job->count = last >= job->first ? last - job->first + 1 : 1;
    job->round = tr_clip_loops(job->clip) && job->count == frames;
    return TR_OK;
}

static tr_affine place_of(const audit_job *job, tr_base base, bool centred) {
    tr_base origin = centred ? tr_clip_frame_base(job->clip, job->first) : (tr_base){0, 0, 0};
    tr_vec3 position = {base.x - origin.x, 0, base.z - origin.z};
    return tr_affine_place(position, base.heading);
}

void tr_audit_place_frame(audit_job *job, int64_t frame, bool centred) {
    int64_t frames = tr_clip_frame_count(job->clip), inside = frame;
    if (tr_clip_loops(job->clip))
        inside = (frame % frames + frames) % frames;
    else
        inside = frame < 0 ? 0 : frame >= frames ? frames - 1 : frame;
    tr_base base = frame == inside ? tr_clip_frame_base(job->clip, (uint32_t)frame)
                                   : tr_clip_base(job->clip, (double)frame / job->rate);
    tr_affine place = place_of(job, base, centred);
    tr_clip_get_frame(job->clip, (uint32_t)inside, &job->pose);
    tr_pose_to_model(job->skeleton, &job->pose, &place, job->model);
}

void tr_audit_place_scene(audit_job *job, int64_t frame) {
    tr_audit_scene_place(&job->scene, job->params->scene_time + (double)frame / job->rate);
}

void tr_audit_place_time(audit_job *job, double time, bool centred) {
    tr_affine place = place_of(job, tr_clip_base(job->clip, time), centred);
    tr_clip_sample(job->clip, time, &job->pose);
    tr_pose_to_model(job->skeleton, &job->pose, &place, job->model);
}

tr_status tr_audit_job_begin(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                             const tr_audit_params *params, audit_job *job, tr_error *error) {
    *job = (audit_job){.allocator = tr_allocator_or_default(allocator),
                       .skeleton = skeleton,
                       .clip = clip,
                       .params = params,
                       .joint_count = tr_skeleton_joint_count(skeleton),
                       .rate = tr_clip_rate(clip)};
    tr_status status = check_params(job->params, error);
    if (status == TR_OK)
        status = check_fit(skeleton, clip, job->params, error);
    if (status == TR_OK)
        status = choose_frames(job, error);
    if (status == TR_OK)
        status = tr_pose_create(&job->allocator, job->joint_count, &job->pose, error);
    if (status != TR_OK)
        return status;
    job->audit = (tr_audit){.frames = job->count, .fps = job->rate, .clearance_mm_min = NAN, .ldlj = NAN};
    job->model = tr_allocate(&job->allocator, job->joint_count, sizeof *job->model);
    status = job->model ? tr_audit_scene_make(&job->allocator, params->scene, params->exclude_tags,
                                              &job->scene, error)
                        : tr_audit_no_memory(error);
    if (status != TR_OK)
        tr_audit_job_end(job);
    return status;
}

void tr_audit_job_end(audit_job *job) {
    tr_audit_scene_destroy(&job->allocator, &job->scene);
    tr_release(&job->allocator, job->model, job->joint_count, sizeof *job->model);
    tr_pose_destroy(&job->pose);
}

static tr_status measure(audit_job *job, tr_error *error) {
    tr_status status = tr_audit_smoothness(job, error);
    if (status == TR_OK)
        status = tr_audit_collisions(job, error);
    if (status != TR_OK)
        return status;
    tr_audit_limits(job);
    return tr_audit_feet(job, error);
}

tr_status tr_audit_measure(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                           const tr_audit_params *params, tr_audit *audit, tr_error *error) {
    tr_audit_params standard = tr_audit_params_default();
    audit_job job;
    tr_status status =
        tr_audit_job_begin(allocator, skeleton, clip, params ? params : &standard, &job, error);
    if (status != TR_OK)
        return status;
    status = measure(&job, error);
    tr_audit_job_end(&job);
    if (status == TR_OK || status == TR_NOT_FOUND)
        *audit = job.audit;
    return status;
}
