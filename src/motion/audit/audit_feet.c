// Feet: standing feet must not slide, nothing may sink in, and swinging feet must clear the ground.
#include "audit_parts.h"

#include "troupe/motion/clip_edit.h"

#include <math.h>

#define SKATE_HEIGHT 0.025 // [m], Zhang et al. 2018 (MANN)
#define SKATE_RATE 30.0    // [Hz]
#define SWING_FROM 0.4     // the middle of a swing, where the foot passes the other leg
#define SWING_TO 0.7
#define SWING_FRAMES_LEAST 4

typedef struct feet_job {
    audit_job *job;
    tr_foot feet[2];
    bool has_foot[2];
    uint32_t frames; // of the tracks: a loop is played twice
    audit_foot tracks[2];
    double slide_sum;
} feet_job;

static bool make_tracks(feet_job *f) {
    const tr_allocator *allocator = &f->job->allocator;
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

static void destroy_tracks(feet_job *f) {
    const tr_allocator *allocator = &f->job->allocator;
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

static void fill_tracks(feet_job *f, const tr_clip *labelled) {
    audit_job *job = f->job;
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

static double apart(tr_vec3 a, tr_vec3 b) {
    double x = (double)a.x - b.x, z = (double)a.z - b.z;
    return sqrt(x * x + z * z);
}

static double furthest(const tr_vec3 *points, uint32_t begin, uint32_t end) {
    double most = 0;
    for (uint32_t k = begin + 1; k < end; k++) {
        double off = apart(points[k], points[begin]);
        most = off > most ? off : most;
    }
    return most;
}

// Toes stand on the ball or on the tip: a foot that rolls off turns about one of them while the other moves.
static void measure_plant(feet_job *f, const audit_foot *track, bool toes, uint32_t begin, uint32_t end) {
    tr_audit *audit = &f->job->audit;
    const tr_vec3 *points = track->points[toes ? AUDIT_BALL : AUDIT_HEEL];
    double slide = furthest(points, begin, end);
    if (toes && furthest(track->points[AUDIT_TIP], begin, end) < slide) {
        points = track->points[AUDIT_TIP];
        slide = furthest(points, begin, end);
    }
    audit->plants++;
    f->slide_sum += slide;
    if ((float)(slide * 1000) > audit->slide_mm_max)
        audit->slide_mm_max = (float)(slide * 1000);
    for (uint32_t k = begin + 1; k < end; k++) {
        float speed = (float)(apart(points[k], points[k - 1]) * f->job->rate);
        audit->plant_speed_max = speed > audit->plant_speed_max ? speed : audit->plant_speed_max;
    }
}

// The intervals of a track in which some of `bits` are set (or none of them): calls take(begin, end) for
// each. For a loop, those that begin in the first pass, in full length; an interval without end is one pass.
typedef void (*take_stretch)(feet_job *f, const audit_foot *track, bool toes, uint32_t begin, uint32_t end);
static void each_stretch(feet_job *f, const audit_foot *track, uint8_t bits, bool set, take_stretch take,
                         bool toes) {
    uint32_t count = f->job->count, from = f->job->round ? 1 : 0, until = f->job->round ? count : count - 1;
    bool any = false;
    for (uint32_t k = from; k <= until; k++) {
        if (((track->labels[k] & bits) != 0) != set || (k > 0 && ((track->labels[k - 1] & bits) != 0) == set))
            continue;
        uint32_t end = k;
        while (end < f->frames && end - k < count && ((track->labels[end] & bits) != 0) == set)
            end++;
        take(f, track, toes, k, end);
        any = true;
    }
    if (!any && f->job->round && ((track->labels[0] & bits) != 0) == set)
        take(f, track, toes, 0, count);
}

// A swing that is cut off at an end of the motion has no known middle.
static void measure_swing(feet_job *f, const audit_foot *track, bool toes, uint32_t begin, uint32_t end) {
    (void)toes;
    if (begin == 0 || end >= f->frames || end - begin < SWING_FRAMES_LEAST)
        return;
    double length = end - begin;
    uint32_t from = begin + (uint32_t)ceil(SWING_FROM * length), to = begin + (uint32_t)(SWING_TO * length);
    for (uint32_t k = from; k <= to && k < end; k++)
        for (int i = AUDIT_BALL; i <= AUDIT_TIP; i++) {
            float height = track->heights[i][k] * 1000, *least = &f->job->audit.clearance_mm_min;
            if (height < *least || (isnan(*least) && !isnan(height)))
                *least = height;
        }
}

// 2 to the power of x, for 0 <= x <= 1.
static double power_of_two(double x) {
    double y = x * 0.69314718055994530942, sum = 1;
    for (int n = 16; n >= 1; n--)
        sum = 1 + y / n * sum;
    return sum;
}

static void measure_skating(feet_job *f) {
    const audit_job *job = f->job;
    uint32_t stride = (uint32_t)(job->rate / SKATE_RATE + 0.5), samples = 0;
    stride = stride < 1 ? 1 : stride;
    double sum = 0;
    for (uint32_t side = 0; side < 2; side++)
        for (uint32_t k = stride; f->has_foot[side] && k < f->frames && k < job->count + stride;
             k += stride) {
            const audit_foot *track = &f->tracks[side];
            double height = track->heights[AUDIT_BALL][k], share = height > 0 ? height / SKATE_HEIGHT : 0;
            samples++;
            if (share < 1)
                sum += apart(track->points[AUDIT_BALL][k], track->points[AUDIT_BALL][k - stride]) *
                       job->rate / stride * (2 - power_of_two(share));
        }
    if (samples > 0)
        f->job->audit.skate_mm = (float)(sum / samples * 1000 / SKATE_RATE);
}

static void measure_penetration(feet_job *f) {
    float *most = &f->job->audit.penetration_mm_max;
    for (uint32_t side = 0; side < 2; side++)
        for (int i = 0; f->has_foot[side] && i < AUDIT_POINTS; i++)
            for (uint32_t k = 0; k < f->job->count; k++) {
                float depth = f->tracks[side].heights[i][k] * -1000;
                *most = depth > *most ? depth : *most;
            }
}

static bool has_labels(const tr_clip *clip) {
    for (uint32_t i = 0; i < tr_clip_frame_count(clip); i++)
        if (tr_clip_frame_contacts(clip, i))
            return true;
    return false;
}

// If the ground and the labels are not given, they are found from the motion, on a copy.
static tr_status find_contacts(feet_job *f, tr_clip **copy, tr_error *error) {
    audit_job *job = f->job;
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

static void measure_feet(feet_job *f) {
    for (uint32_t side = 0; side < 2; side++) {
        if (!f->has_foot[side])
            continue;
        const audit_foot *track = &f->tracks[side];
        each_stretch(f, track, 1, true, measure_plant, false);
        each_stretch(f, track, 2, true, measure_plant, true);
        each_stretch(f, track, 3, false, measure_swing, false);
    }
    if (f->job->audit.plants > 0)
        f->job->audit.slide_mm_mean = (float)(f->slide_sum / f->job->audit.plants * 1000);
    measure_skating(f);
    measure_penetration(f);
}

tr_status tr_audit_feet(audit_job *job, tr_error *error) {
    feet_job f = {.job = job, .frames = job->count * (job->round ? 2 : 1)};
    for (uint32_t side = 0; side < 2; side++)
        f.has_foot[side] = tr_foot_measure(job->skeleton, side, &f.feet[side]) == TR_OK;
    if (!f.has_foot[0] && !f.has_foot[1])
        return tr_fail(error, TR_NOT_FOUND, "the skeleton has no foot with a role");
    tr_clip *copy;
    tr_status status = find_contacts(&f, &copy, error);
    if (status != TR_OK)
        return status;
    if (make_tracks(&f)) {
        fill_tracks(&f, copy ? copy : job->clip);
        for (uint32_t side = 0; side < 2 && copy; side++)
            if (f.has_foot[side])
                tr_audit_settle(job, &f.tracks[side], f.frames);
        measure_feet(&f);
    } else
        status = tr_audit_no_memory(error);
    destroy_tracks(&f);
    tr_clip_destroy(copy);
    return status;
}
