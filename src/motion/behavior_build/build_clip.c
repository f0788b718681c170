// The result: clips cut out of the captures, and the report.
#include "build_parts.h"
#include "troupe/motion/clip_edit.h"

#include <stdio.h>
#include <string.h>

static tr_status no_memory(tr_error *error) {
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the clips of a machine");
}

// When feet come down in a clip, by its labels.
static tr_status add_steps(tr_clip *clip, uint32_t first, uint32_t last) {
    static const uint32_t bits[2] = {TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES,
                                     TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES};
    static const char *const names[2] = {"left_step", "right_step"};
    tr_status status = TR_OK;
    for (uint32_t i = first > 0 ? first : 1; i < last; i++)
        for (int side = 0; side < 2 && status == TR_OK; side++)
            if ((tr_clip_frame_contacts(clip, i) & bits[side]) &&
                !(tr_clip_frame_contacts(clip, i - 1) & bits[side]))
                status = tr_clip_add_event(clip, i / tr_clip_rate(clip), names[side]);
    return status;
}

// Cuts a piece out of its track, with extra frames as far as there are any.
static tr_status cut_clip(const build_job *job, const build_piece *piece, const char *name,
                          tr_behavior_build_clip *clip, tr_error *error) {
    const build_track *track = &job->tracks[piece->track];
    uint32_t before = piece->begin / job->times, after = (track->count - 1 - piece->end) / job->times;
    before = before < job->extra ? before : job->extra;
    after = after < job->extra ? after : job->extra;
    uint32_t from = piece->begin - before * job->times, to = piece->end + after * job->times + 1;
    tr_clip *cut = NULL;
    tr_status status =
        tr_clip_edit_cut(&job->allocator, job->body.skeleton, track->clip, from, to, &cut, error);
    if (status == TR_OK)
        status = tr_clip_edit_resample(&job->made->allocator, job->body.skeleton, cut, job->rate,
                                       &clip->motion, error);
    tr_clip_destroy(cut);
    if (status != TR_OK)
        return status;
    clip->first = before;
    clip->last = before + (piece->end - piece->begin) / job->times;
    clip->action = (piece->action - from) / track->rate;
    status = tr_clip_set_name(clip->motion, name);
    if (status == TR_OK)
        status = add_steps(clip->motion, clip->first, clip->last);
    if (status == TR_OK)
        status = tr_clip_add_event(clip->motion, clip->action, "action");
    return status == TR_OUT_OF_MEMORY ? no_memory(error) : status;
}

static tr_status cut_state(build_job *job, uint32_t number, uint32_t *next, tr_error *error) {
    tr_behavior_build *made = job->made;
    tr_behavior_build_state *state = &made->states[number];
    tr_status status = TR_OK;
    state->clip = *next;
    for (uint32_t i = 0; i < job->piece_count && status == TR_OK; i++) {
        if (job->pieces[i].state != number)
            continue;
        char name[sizeof state->name + 16];
        snprintf(name, sizeof name, "%s/%u", state->name, *next - state->clip + 1);
        made->clips[*next].piece = i;
        status = cut_clip(job, &job->pieces[i], name, &made->clips[*next], error);
        ++*next;
    }
    return status;
}

// --- The report ---

static uint32_t number_of(const build_job *job, uint32_t label) {
    return build_label_lives(job, label) ? job->labels[label].number : TR_NONE;
}

static void report_piece(const build_job *job, const build_piece *piece, tr_behavior_piece *row) {
    const build_track *track = &job->tracks[piece->track];
    double rate = tr_clip_rate(job->def->captures[track->capture].clip);
    double scale = track->clip ? rate / track->rate : 0;
    tr_base way = track->clip ? build_piece_way(job, piece) : (tr_base){0, 0, 0};
    double seconds = track->clip ? build_piece_seconds(job, piece) : 0;
    *row = (tr_behavior_piece){
        .capture = track->capture,
        .mirrored = track->mirrored,
        .first = track->skipped + (uint32_t)(piece->begin * scale + 0.5),
        .last = track->skipped + (uint32_t)(piece->end * scale + 0.5),
        .kind = piece->kind,
        .begin = number_of(job, piece->labels[0]),
        .end = number_of(job, piece->labels[1]),
        .x = way.x,
        .z = way.z,
        .turn = way.heading,
        .speed = tr_vec2_length(tr_vec2_make(way.x, way.z)) / (float)(seconds > 0 ? seconds : 1),
        .seconds = seconds,
        .action = track->clip ? (piece->action - piece->begin) / track->rate : 0,
        .height = piece->height,
        .state = piece->state,
    };
    snprintf(row->reason, sizeof row->reason, "%s", piece->fault ? piece->fault : "");
}

tr_status build_clips_cut(build_job *job, tr_error *error) {
    tr_behavior_build *made = job->made;
    made->piece_count = job->piece_count;
    made->pieces = tr_allocate_zero(&made->allocator, job->piece_count, sizeof *made->pieces);
    made->clips = tr_allocate_zero(&made->allocator, made->clip_count, sizeof *made->clips);
    if (!made->pieces || !made->clips)
        return no_memory(error);
    for (uint32_t i = 0; i < job->piece_count; i++)
        report_piece(job, &job->pieces[i], &made->pieces[i]);
    tr_status status = TR_OK;
    uint32_t next = 0;
    for (uint32_t i = 0; i < made->state_count && status == TR_OK; i++)
        status = cut_state(job, i, &next, error);
    for (uint32_t i = 0; i < job->def->capture_count; i++) {
        bool used = false;
        for (uint32_t k = 0; k < made->piece_count; k++)
            used |= made->pieces[k].capture == i && made->pieces[k].state != TR_NONE;
        made->captures_used += used;
    }
    return status;
}
