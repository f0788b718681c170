// Heel strikes: where a heel is furthest ahead of the pelvis; the labels of the clip, if it has some, tell
// which of these are steps.
#include "likeness_parts.h"

#include <math.h>

#define LIFT_LEAST 0.1   // [s]: a foot that is off the ground for less has not been swung
#define STRIDE_LEAST 0.6 // [s]
#define TRAVEL_TIME 1.0  // [s]: over which the direction of travel is taken, about a stride
#define SPEED_LEAST 0.3  // [m/s]: slower motion has no direction of travel
#define LABEL_REACH 0.1  // [s]: how far a label may be from the strike that it is for

static bool has_labels(const audit_job *job) {
    for (uint32_t i = 0; i < job->count; i++)
        if (tr_clip_frame_contacts(job->clip, job->first + i))
            return true;
    return false;
}

static bool touches(const audit_job *job, uint32_t side, int64_t frame) {
    int64_t count = job->count;
    if (!job->round && (frame < 0 || frame >= count))
        return false;
    uint32_t labels = tr_clip_frame_contacts(job->clip, job->first + (uint32_t)((frame + count) % count));
    return labels & (side ? TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES
                          : TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES);
}

static void add(const audit_job *job, likeness_strikes *strikes, uint32_t side, double frame) {
    if (strikes->count[side] < strikes->room)
        strikes->times[side][strikes->count[side]++] = (job->first + frame) / job->rate;
}

// A foot strikes where it comes into contact after a swing. The contact began between two frames.
static void find_by_labels(const audit_job *job, likeness_strikes *strikes, uint32_t side) {
    int64_t least = (int64_t)(LIFT_LEAST * job->rate + 0.5);
    for (int64_t k = job->round ? 0 : 1; k < job->count; k++) {
        int64_t up = 0;
        while (up < least && !touches(job, side, k - 1 - up))
            up++;
        if (up == least && touches(job, side, k))
            add(job, strikes, side, (double)k - 0.5);
    }
}

// The pelvis and the heels in every frame; in a loop also before its first frame and after its last.
typedef struct strike_tracks {
    tr_vec3 *pelvis, *heels[2];
    double *reach; // how far a heel is ahead of the pelvis [m]
    size_t count;
    size_t padding; // frames before the first and after the last
} strike_tracks;

static bool make_tracks(const tr_allocator *allocator, strike_tracks *t) {
    t->pelvis = tr_allocate(allocator, t->count, sizeof *t->pelvis);
    t->reach = tr_allocate(allocator, t->count, sizeof *t->reach);
    for (int side = 0; side < 2; side++)
        t->heels[side] = tr_allocate(allocator, t->count, sizeof *t->heels[side]);
    return t->pelvis && t->reach && t->heels[0] && t->heels[1];
}

static void destroy_tracks(const tr_allocator *allocator, strike_tracks *t) {
    tr_release(allocator, t->pelvis, t->count, sizeof *t->pelvis);
    tr_release(allocator, t->reach, t->count, sizeof *t->reach);
    for (int side = 0; side < 2; side++)
        tr_release(allocator, t->heels[side], t->count, sizeof *t->heels[side]);
}

static void fill_tracks(audit_job *job, const likeness_joints *joints, const tr_foot feet[2],
                        strike_tracks *t) {
    for (size_t k = 0; k < t->count; k++) {
        tr_audit_place_frame(job, (int64_t)job->first + (int64_t)k - (int64_t)t->padding, true);
        t->pelvis[k] = tr_affine_position(&job->model[joints->hips]);
        for (int side = 0; side < 2; side++)
            t->heels[side][k] = tr_foot_heel(&feet[side], job->model);
    }
}

static void fill_reach(const audit_job *job, strike_tracks *t, int side) {
    size_t half = (size_t)(TRAVEL_TIME / 2 * job->rate + 0.5);
    for (size_t k = 0; k < t->count; k++) {
        size_t from = k > half ? k - half : 0, to = k + half < t->count ? k + half : t->count - 1;
        tr_vec3 way = tr_vec3_subtract(t->pelvis[to], t->pelvis[from]),
                off = tr_vec3_subtract(t->heels[side][k], t->pelvis[k]);
        double distance = (double)tr_vec3_distance_from_above(t->pelvis[to], t->pelvis[from]),
               time = (double)(to - from) / job->rate;
        t->reach[k] = distance > SPEED_LEAST * time && time > 0
                          ? ((double)off.x * way.x + (double)off.z * way.z) / distance
                          : -1;
    }
}

// Zeni, Richards & Higginson 2008: a heel strikes where it is furthest ahead of the pelvis. A parabola
// through the frames around it finds the moment between them.
static void find_by_reach(const audit_job *job, const strike_tracks *t, likeness_strikes *strikes,
                          uint32_t side) {
    size_t near = (size_t)(STRIDE_LEAST / 2 * job->rate + 0.5);
    for (size_t k = t->padding > 1 ? t->padding : 1; k + 1 < t->count && k < t->padding + job->count; k++) {
        size_t from = k > near ? k - near : 0, to = k + near < t->count ? k + near : t->count - 1;
        double here = t->reach[k];
        bool highest = here > 0;
        for (size_t i = from; i <= to && highest; i++)
            highest = i == k || (i < k ? t->reach[i] < here : t->reach[i] <= here);
        if (!highest || t->reach[k - 1] < 0 || t->reach[k + 1] < 0)
            continue;
        double before = t->reach[k - 1], after = t->reach[k + 1], bend = before - 2 * here + after;
        add(job, strikes, side,
            (double)k - (double)t->padding + (bend < 0 ? 0.5 * (before - after) / bend : 0));
    }
}

static tr_status find_in_motion(audit_job *job, const likeness_joints *joints, likeness_strikes *strikes,
                                tr_error *error) {
    strike_tracks t = {.padding = job->round ? (size_t)(TRAVEL_TIME * job->rate) : 0};
    t.count = job->count + 2 * t.padding;
    tr_foot feet[2];
    tr_status status = TR_OK;
    for (uint32_t side = 0; side < 2 && status == TR_OK; side++)
        status = tr_foot_measure(job->skeleton, side, &feet[side]);
    if (status != TR_OK)
        return tr_fail(error, status, "the skeleton lacks the role of a foot");
    if (make_tracks(&job->allocator, &t)) {
        fill_tracks(job, joints, feet, &t);
        for (uint32_t side = 0; side < 2; side++) {
            fill_reach(job, &t, (int)side);
            find_by_reach(job, &t, strikes, side);
        }
    } else
        status = tr_audit_no_memory(error);
    destroy_tracks(&job->allocator, &t);
    return status;
}

// Labels come on in the first frame, or in the second, in which the heel stands; people have none. So that
// frame rates agree and all are measured alike, a strike moves to the nearest moment found in the motion.
static void move_to_motion(const audit_job *job, const likeness_strikes *found, likeness_strikes *strikes) {
    double round = job->round ? job->count / job->rate : INFINITY;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t i = 0; i < strikes->count[side]; i++) {
            double least = LABEL_REACH, off = 0, label = strikes->times[side][i];
            for (uint32_t k = 0; k < found->count[side]; k++) {
                double apart = found->times[side][k] - label;
                apart -= apart > round / 2 ? round : apart < -round / 2 ? -round : 0;
                if (fabs(apart) < least)
                    least = fabs(apart), off = apart;
            }
            strikes->times[side][i] = label + off;
        }
}

static tr_status make_strikes(const audit_job *job, likeness_strikes *strikes, tr_error *error) {
    // There are two frames at least for each strike; a loop has the strikes of two rounds.
    *strikes = (likeness_strikes){.room = 2 * (job->count / 2 + 2)};
    for (uint32_t side = 0; side < 2; side++)
        strikes->times[side] = tr_allocate(&job->allocator, strikes->room, sizeof *strikes->times[side]);
    if (strikes->times[0] && strikes->times[1])
        return TR_OK;
    tr_likeness_strikes_destroy(&job->allocator, strikes);
    return tr_audit_no_memory(error);
}

static tr_status find_with_labels(audit_job *job, const likeness_strikes *found, likeness_strikes *strikes,
                                  tr_error *error) {
    tr_status status = make_strikes(job, strikes, error);
    for (uint32_t side = 0; side < 2 && status == TR_OK; side++)
        find_by_labels(job, strikes, side);
    if (status == TR_OK)
        move_to_motion(job, found, strikes);
    return status;
}

tr_status tr_likeness_strikes_find(audit_job *job, const likeness_joints *joints, likeness_strikes *strikes,
                                   tr_error *error) {
    likeness_strikes found;
    tr_status status = make_strikes(job, &found, error);
    if (status != TR_OK)
        return status;
    status = find_in_motion(job, joints, &found, error);
    bool labelled = !job->params->find_contacts && has_labels(job);
    if (status == TR_OK && labelled)
        status = find_with_labels(job, &found, strikes, error);
    else if (status == TR_OK)
        *strikes = found;
    if (labelled || status != TR_OK)
        tr_likeness_strikes_destroy(&job->allocator, &found);
    for (uint32_t side = 0; side < 2 && status == TR_OK && job->round; side++)
        for (uint32_t i = 0, once = strikes->count[side]; i < once; i++)
            add(job, strikes, side, strikes->times[side][i] * job->rate - job->first + job->count);
    return status;
}

void tr_likeness_strikes_destroy(const tr_allocator *allocator, likeness_strikes *strikes) {
    for (uint32_t side = 0; side < 2; side++)
        tr_release(allocator, strikes->times[side], strikes->room, sizeof *strikes->times[side]);
}
