// The tracks of the feet: where heel, ball and tip are in every frame, and what of them is in contact.
#include "audit_parts.h"

#include "troupe/motion/clip_edit.h"

#include <math.h>

static bool make_tracks(const tr_allocator *allocator, audit_tracks *f) {
    bool complete = true;
    for (int side = 0; side < 2; side++) {
        audit_foot *track = &f->tracks[side];
        for (int i = 0; i < AUDIT_POINTS; i++) {
            track->points[i] = tr_allocate(allocator, f->frames, sizeof *track->points[i]);
            track->heights[i] = tr_allocate(allocator, f->frames, sizeof *track->heights[i]);
            complete &= track->points[i] && track->heights[i];
        }
        track->labels = tr_allocate_zero(allocator, f->frames, sizeof *track->labels);
        track->settled = tr_allocate_zero(allocator, f->frames, sizeof *track->settled);
        complete &= track->labels && track->settled;
    }
    return complete;
}

void tr_audit_tracks_end(const tr_allocator *allocator, audit_tracks *f) {
    for (int side = 0; side < 2; side++) {
        audit_foot *track = &f->tracks[side];
        for (int i = 0; i < AUDIT_POINTS; i++) {
            tr_release(allocator, track->points[i], f->frames, sizeof *track->points[i]);
            tr_release(allocator, track->heights[i], f->frames, sizeof *track->heights[i]);
        }
        tr_release(allocator, track->labels, f->frames, sizeof *track->labels);
        tr_release(allocator, track->settled, f->frames, sizeof *track->settled);
    }
}

static float height_over_floor(const audit_job *job, tr_vec3 point) {
    float floor_height = tr_audit_scene_floor(&job->scene, point);
    return point.y - (isnan(floor_height) ? job->ground : floor_height);
}

static void fill_tracks(audit_job *job, audit_tracks *f, const tr_clip *labelled) {
    for (uint32_t k = 0; k < f->frames; k++) {
        tr_audit_place_frame(job, (int64_t)job->first + k, false);
        tr_audit_place_scene(job, (int64_t)job->first + k);
        uint32_t labels = tr_clip_frame_contacts(labelled, job->first + k % job->count);
        for (uint32_t side = 0; side < 2; side++) {
            if (!f->has_foot[side])
                continue;
            audit_foot *track = &f->tracks[side];
            track->points[AUDIT_HEEL][k] = tr_foot_heel(&f->feet[side], job->model);
            track->points[AUDIT_BALL][k] = tr_foot_ball(&f->feet[side], job->model);
            track->points[AUDIT_TIP][k] = tr_foot_tip(&f->feet[side], job->model);
            for (int i = 0; i < AUDIT_POINTS; i++)
                track->heights[i][k] = height_over_floor(job, track->points[i][k]);
            track->labels[k] = (uint8_t)(labels >> (side ? 2 : 0) & 3);
        }
    }
}

static bool has_labels(const tr_clip *clip) {
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++)
        if (tr_clip_frame_contacts(clip, i))
            return true;
    return false;
}

// If the ground and the labels are not given, they are found from the motion, on a copy.
static tr_status find_contacts(audit_job *job, tr_clip **copy, tr_error *error) {
    *copy = NULL;
    job->ground = job->params->ground;
    bool labelled = !job->params->find_contacts && has_labels(job->clip);
    if (labelled && !isnan(job->ground))
        return TR_OK;
    tr_contact_params params = tr_contact_params_default();
    params.height = job->params->contact_height, params.speed = job->params->contact_speed;
    params.ground = job->ground;
    tr_status status = tr_clip_edit_cut(&job->allocator, job->skeleton, job->clip, 0,
                                        tr_clip_frame_count(job->clip), copy, error);
    if (status == TR_OK)
        status = tr_clip_edit_contacts(job->skeleton, *copy, &params, &job->ground, error);
    if (labelled || status != TR_OK) {
        tr_clip_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

tr_status tr_audit_tracks_begin(audit_job *job, audit_tracks *f, tr_error *error) {
    *f = (audit_tracks){.frames = job->count * (job->round ? 2 : 1)};
    for (uint32_t side = 0; side < 2; side++)
        f->has_foot[side] = tr_foot_measure(job->skeleton, side, &f->feet[side]) == TR_OK;
    if (!f->has_foot[0] && !f->has_foot[1])
        return tr_fail(error, TR_NOT_FOUND, "the skeleton has no foot with a role");
    tr_clip *copy;
    tr_status status = find_contacts(job, &copy, error);
    if (status != TR_OK)
        return status;
    if (make_tracks(&job->allocator, f)) {
        fill_tracks(job, f, copy ? copy : job->clip);
        for (uint32_t side = 0; side < 2 && copy; side++)
            if (f->has_foot[side])
                tr_audit_settle(job, &f->tracks[side], f->frames);
    } else {
        tr_audit_tracks_end(&job->allocator, f);
        status = tr_audit_no_memory(error);
    }
    tr_clip_destroy(copy);
    return status;
}
