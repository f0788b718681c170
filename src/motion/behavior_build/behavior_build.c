#include "troupe/motion/behavior_build.h"
#include "build_parts.h"

#include <stdio.h>
#include <string.h>

#define RATE_DEFAULT 30.0
#define RATE_MIN 10.0
#define RATE_MAX 240.0
#define EXTRA_DEFAULT 8
#define CLIPS_DEFAULT 4
#define TOLERANCE_DEFAULT 0.25f

static tr_status check(const tr_behavior_build_def *def, tr_error *error) {
    double rate = def->frames_per_second;
    if (!def->skeleton)
        return tr_fail(error, TR_INVALID, "a machine needs a skeleton to wear the captures");
    if (def->capture_count == 0)
        return tr_fail(error, TR_NOT_FOUND, "there are no captures to make a machine of");
    if (!(rate == 0 || (rate >= RATE_MIN && rate <= RATE_MAX)))
        return tr_fail(error, TR_INVALID, "the frame rate is %g frames per second, it must be %g to %g", rate,
                       RATE_MIN, RATE_MAX);
    float tolerance = def->tolerance;
    if (!(tolerance == 0 || (tolerance >= 0.01f && tolerance <= 2)))
        return tr_fail(error, TR_INVALID, "the tolerance is %g leg lengths, it must be 0.01 to 2",
                       (double)tolerance);
    for (uint32_t i = 0; i < def->capture_count; i++)
        if (!def->captures[i].skeleton || !def->captures[i].clip)
            return tr_fail(error, TR_INVALID, "capture %u has no %s", i,
                           def->captures[i].skeleton ? "clip" : "skeleton");
    return TR_OK;
}

static void begin(build_job *job, const tr_behavior_build_def *def) {
    *job = (build_job){.allocator = tr_allocator_or_default(def->allocator), .def = def};
    job->tolerance = def->tolerance > 0 ? def->tolerance : TOLERANCE_DEFAULT;
    job->rate = def->frames_per_second > 0 ? def->frames_per_second : RATE_DEFAULT;
    job->times = (uint32_t)(build_track_rate(def) / job->rate + 0.5);
    job->extra = def->extra ? def->extra : EXTRA_DEFAULT;
    job->clips_max = def->clips_max ? def->clips_max : CLIPS_DEFAULT;
    job->rest = TR_NONE;
}

static void end(build_job *job) {
    for (uint32_t i = 0; i < job->track_count; i++)
        build_track_destroy(&job->allocator, &job->tracks[i]);
    tr_release(&job->allocator, job->tracks, job->track_count, sizeof *job->tracks);
    tr_release(&job->allocator, job->labels, job->events.count, sizeof *job->labels);
    tr_release(&job->allocator, job->pieces, job->piece_capacity, sizeof *job->pieces);
    build_events_destroy(&job->allocator, &job->events);
}

// Wears all captures, and their mirror images. Out of memory is the only failure.
static tr_status make_tracks(build_job *job, tr_error *error) {
    const tr_behavior_build_def *def = job->def;
    uint32_t count = def->capture_count, sides = def->one_sided ? 1 : 2;
    job->tracks = tr_allocate_zero(&job->allocator, (size_t)count * sides, sizeof *job->tracks);
    if (!job->tracks)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u captures", count);
    job->track_count = count * sides;
    for (uint32_t i = 0; i < count; i++) {
        tr_error why;
        tr_status status = build_track_make(&job->allocator, &job->body, def, i, &job->tracks[i], &why);
        if (status == TR_OK && sides > 1)
            status = build_track_mirror(&job->allocator, &job->body, &job->tracks[i], &job->tracks[count + i],
                                        &why);
        if (status == TR_OUT_OF_MEMORY) {
            if (error)
                *error = why;
            return status;
        }
        if (status != TR_OK)
            snprintf(job->tracks[i].why, sizeof job->tracks[i].why, "%.99s", why.message);
    }
    return TR_OK;
}

static tr_status find_events(build_job *job, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < job->track_count && status == TR_OK; i++)
        if (job->tracks[i].clip)
            status = build_events_find(&job->allocator, &job->body, &job->tracks[i], i, &job->events, error);
    return status;
}

static tr_status make(build_job *job, tr_error *error) {
    tr_status status = build_body_measure(job->def->skeleton, &job->body, error);
    if (status == TR_OK)
        status = make_tracks(job, error);
    if (status == TR_OK)
        status = find_events(job, error);
    if (status == TR_OK)
        status = build_labels_find(job, error);
    if (status == TR_OK)
        status = build_pieces_cut(job, error);
    if (status == TR_OK)
        status = build_states_group(job, error);
    if (status == TR_OK)
        status = build_clips_cut(job, error);
    return status;
}

tr_status tr_behavior_build_make(const tr_behavior_build_def *def, tr_behavior_build **build,
                                 tr_error *error) {
    *build = NULL;
    tr_status status = check(def, error);
    if (status != TR_OK)
        return status;
    build_job job;
    begin(&job, def);
    job.made = tr_allocate_zero(&job.allocator, 1, sizeof *job.made);
    if (!job.made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a machine");
    job.made->allocator = job.allocator;
    job.made->frames_per_second = job.rate;
    status = make(&job, error);
    end(&job);
    if (status == TR_OK)
        *build = job.made;
    else
        tr_behavior_build_destroy(job.made);
    return status;
}

void tr_behavior_build_destroy(tr_behavior_build *build) {
    if (!build)
        return;
    tr_allocator allocator = build->allocator;
    for (uint32_t i = 0; build->clips && i < build->clip_count; i++)
        tr_clip_destroy(build->clips[i].motion);
    tr_release(&allocator, build->clips, build->clip_count, sizeof *build->clips);
    tr_release(&allocator, build->pieces, build->piece_count, sizeof *build->pieces);
    tr_release(&allocator, build->labels, build->label_count, sizeof *build->labels);
    tr_release(&allocator, build->states, build->state_capacity, sizeof *build->states);
    tr_release(&allocator, build, 1, sizeof *build);
}
