// Makes one clip out of another: what every clip edit needs.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"

#include <string.h>

clip_edit_shape tr_clip_edit_same(const tr_clip *clip) {
    clip_edit_shape shape = {tr_clip_frame_count(clip), tr_clip_rate(clip), tr_clip_loops(clip), false};
    return shape;
}

tr_status tr_clip_edit_check(const tr_skeleton *skeleton, const tr_clip *clip, tr_clip **result,
                             tr_error *error) {
    if (!result)
        return tr_fail(error, TR_INVALID, "the pointer to the result is NULL");
    *result = NULL;
    if (!skeleton || !clip)
        return tr_fail(error, TR_INVALID, "a clip edit needs a skeleton and a clip");
    if (tr_skeleton_joint_count(skeleton) != tr_clip_joint_count(clip))
        return tr_fail(error, TR_INVALID, "the clip has %u joints and the skeleton %u",
                       tr_clip_joint_count(clip), tr_skeleton_joint_count(skeleton));
    return TR_OK;
}

tr_status tr_clip_edit_no_memory(tr_error *error, const tr_clip *clip) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to edit a clip of %u joints and %u frames",
                   tr_clip_joint_count(clip), tr_clip_frame_count(clip));
}

static tr_status create_clip(clip_edit_job *job, const clip_edit_shape *shape, const uint8_t *channels,
                             tr_error *error) {
    uint32_t joint_count = tr_clip_joint_count(job->clip);
    uint8_t *own = tr_allocate(&job->allocator, joint_count, 1);
    if (!own)
        return tr_clip_edit_no_memory(error, job->clip);
    memcpy(own, channels ? channels : tr_clip_channels(job->clip), joint_count);
    for (uint32_t i = 0; i < joint_count && shape->roots_free; i++)
        if (tr_skeleton_parents(job->skeleton)[i] == TR_NONE)
            own[i] |= TR_CHANNEL_TURNS | TR_CHANNEL_MOVES;
    tr_clip_def def = {.allocator = &job->allocator,
                       .name = tr_clip_name(job->clip),
                       .skeleton = job->skeleton,
                       .channels = own,
                       .frame_count = shape->frame_count,
                       .frames_per_second = shape->rate,
                       .loop = shape->loop};
    tr_status status = tr_clip_create(&def, &job->made, error);
    tr_release(&job->allocator, own, joint_count, 1);
    return status;
}

tr_status tr_clip_edit_begin(clip_edit_job *job, const tr_allocator *allocator, const tr_skeleton *skeleton,
                             const tr_clip *clip, const clip_edit_shape *shape, const uint8_t *channels,
                             tr_error *error) {
    memset(job, 0, sizeof *job);
    job->allocator = tr_allocator_or_default(allocator);
    job->skeleton = skeleton;
    job->clip = clip;
    job->frame_count = shape->frame_count;
    tr_status status = create_clip(job, shape, channels, error);
    if (status != TR_OK)
        return status;
    job->bases = tr_allocate_zero(&job->allocator, job->frame_count, sizeof *job->bases);
    if (!job->bases)
        return tr_clip_edit_no_memory(error, clip);
    return tr_pose_create(&job->allocator, tr_clip_joint_count(clip), &job->pose, error);
}

tr_status tr_clip_edit_end(clip_edit_job *job, tr_status status, tr_clip **result) {
    if (status == TR_OK)
        *result = job->made;
    else
        tr_clip_destroy(job->made);
    tr_release(&job->allocator, job->bases, job->frame_count, sizeof *job->bases);
    if (job->pose.joint_count)
        tr_pose_destroy(&job->pose);
    memset(job, 0, sizeof *job);
    return status;
}

tr_status tr_clip_edit_set_frame(clip_edit_job *job, uint32_t frame, tr_error *error) {
    if (tr_clip_set_frame(job->made, frame, &job->pose) == TR_OK)
        return TR_OK;
    return tr_fail(error, TR_INVALID, "frame %u has a value that is too large", frame);
}

tr_status tr_clip_edit_set_base(clip_edit_job *job, tr_base advance, tr_error *error) {
    tr_status status = tr_clip_set_base(job->made, job->bases, advance);
    if (status == TR_INVALID)
        return tr_fail(error, status, "the base point is too far away");
    return status == TR_OK ? status : tr_clip_edit_no_memory(error, job->clip);
}

tr_status tr_clip_edit_add_event(clip_edit_job *job, double time, const char *name, tr_error *error) {
    double last = tr_clip_duration(job->made);
    time = time < 0 ? 0 : time > last ? last : time;
    return tr_clip_add_event(job->made, time, name) == TR_OK ? TR_OK
                                                             : tr_clip_edit_no_memory(error, job->clip);
}

tr_status tr_clip_edit_copy_events(clip_edit_job *job, double begin, tr_error *error) {
    const double hair = 1e-9; // [s]: rounding of frames divided by a rate and back
    double last = tr_clip_duration(job->made);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < tr_clip_event_count(job->clip) && status == TR_OK; i++) {
        tr_clip_event event = tr_clip_get_event(job->clip, i);
        double time = event.time - begin;
        if (time >= -hair && time <= last + hair)
            status = tr_clip_edit_add_event(job, time, event.name, error);
    }
    return status;
}
