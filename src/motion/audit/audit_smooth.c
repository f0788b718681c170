// Smoothness: the jerk of all joints, the dimensionless jerk of the pelvis, and discontinuities at seams.
#include "audit_parts.h"
#include "motion/logarithm.h"
#include "motion/clip/clip_edit_parts.h"

#include <math.h>
#include <string.h>

#define JERK_RATE 30.0
#define LDLJ_WINDOW 1.1 // [s]
#define LDLJ_CUTOFF 6.0 // [Hz]
#define LDLJ_STEPS 11   // windows begin this many times per window
#define LDLJ_SPEED 0.2  // [m/s]: a standing body has no smoothness of movement
#define LDLJ_EDGE 0.2   // [s]
#define LDLJ_LEAST 1e-9 // smaller than in any motion
#define SEAM_REACH 3    // frames on each side; jumps there belong to the motion itself
#define SEAM_FRAMES (2 * SEAM_REACH + 3)

static void copy_positions(const audit_job *job, tr_vec3 *positions) {
    for (uint32_t i = 0; i < job->joint_count; i++)
        positions[i] = tr_affine_position(&job->model[i]);
}

static double third_difference(const tr_vec3 *p0, const tr_vec3 *p1, const tr_vec3 *p2, const tr_vec3 *p3) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = ((double)(&p3->x)[axis] - (&p0->x)[axis]) - 3 * ((double)(&p2->x)[axis] - (&p1->x)[axis]);
        sum += d * d;
    }
    return sqrt(sum);
}

// `rows` are four rows of joints, used in turn.
static void measure_jerk(audit_job *job, tr_vec3 *rows) {
    double begin = job->first / job->rate, duration = (job->count - (job->round ? 0 : 1)) / job->rate,
           sum = 0;
    uint64_t samples = (uint64_t)(duration * JERK_RATE + 1e-6) + (job->round ? 3 : 1), terms = 0;
    size_t joints = job->joint_count;
    for (uint64_t k = 0; k < samples; k++) {
        tr_audit_place_time(job, begin + (double)k / JERK_RATE, true);
        copy_positions(job, rows + (k & 3) * joints);
        for (size_t i = 0; k >= 3 && i < joints; i++, terms++)
            sum += third_difference(&rows[((k + 1) & 3) * joints + i], &rows[((k + 2) & 3) * joints + i],
                                    &rows[((k + 3) & 3) * joints + i], &rows[(k & 3) * joints + i]);
    }
    if (terms > 0)
        job->audit.jerk_30hz = (float)(sum / (double)terms * JERK_RATE * JERK_RATE * JERK_RATE);
}

// The pelvis over time: three rows of `frames` with `padding` before and behind.
typedef struct pelvis_track {
    double *axes[3];
    size_t frames, padding, room;
} pelvis_track;

static void fill_pelvis(audit_job *job, pelvis_track *track, uint32_t pelvis) {
    int64_t padding = (int64_t)track->padding, frames = (int64_t)track->frames;
    for (int64_t k = job->round ? -padding : 0; k < frames + (job->round ? padding : 0); k++) {
        tr_audit_place_frame(job, job->first + k, true);
        tr_vec3 place = tr_affine_position(&job->model[pelvis]);
        for (int axis = 0; axis < 3; axis++)
            track->axes[axis][padding + k] = (&place.x)[axis];
    }
    // Without frames before and after, the ends are reflected through their end points.
    for (int axis = 0; axis < 3 && !job->round; axis++) {
        double *begin = track->axes[axis] + padding, *end = begin + frames - 1;
        for (int64_t k = 1; k <= padding; k++) {
            begin[-k] = 2 * begin[0] - begin[k];
            end[k] = 2 * end[0] - end[-k];
        }
    }
}

// Squared magnitudes of the first and third derivative at a frame.
static void derive(const pelvis_track *track, size_t frame, double rate, double *speed, double *jerk) {
    *speed = *jerk = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double *p = track->axes[axis] + track->padding + frame;
        double v = (p[1] - p[-1]) * 0.5 * rate,
               j = (p[2] - 2 * p[1] + 2 * p[-1] - p[-2]) * 0.5 * rate * rate * rate;
        *speed += v * v;
        *jerk += j * j;
    }
}

static double window_smoothness(const pelvis_track *track, size_t begin, size_t window, double rate) {
    double most = 0, sum = 0, time = (double)window / rate;
    for (size_t k = begin; k < begin + window; k++) {
        double speed, jerk;
        derive(track, k, rate, &speed, &jerk);
        most = speed > most ? speed : most;
        sum += jerk;
    }
    if (most < LDLJ_SPEED * LDLJ_SPEED)
        return NAN;
    double smoothness = time * time * time / most * sum / rate;
    return -tr_natural_logarithm(smoothness > LDLJ_LEAST ? smoothness : LDLJ_LEAST);
}

tr_status tr_audit_pelvis(audit_job *job, tr_error *error) {
    size_t window = (size_t)(LDLJ_WINDOW * job->rate + 0.5), step = window / LDLJ_STEPS + 1;
    double cutoff = LDLJ_CUTOFF / job->rate;
    pelvis_track track = {.frames = job->count};
    if (job->round) // two passes, or as many as fill a window
        track.frames = job->count > window ? 2 * (size_t)job->count : job->count + window + 4;
    if (window < 8 || track.frames < window + 4)
        return TR_OK;
    track.padding =
        cutoff < 0.45 ? tr_clip_edit_low_pass_padding(cutoff, (uint32_t)track.frames, job->round) : 2;
    track.padding = track.padding < track.frames - 1 ? track.padding : track.frames - 1;
    track.room = track.frames + 2 * track.padding;
    double *block = tr_allocate(&job->allocator, track.room * 3, sizeof *block);
    if (!block)
        return tr_audit_no_memory(error);
    for (int axis = 0; axis < 3; axis++)
        track.axes[axis] = block + (size_t)axis * track.room;
    fill_pelvis(job, &track, tr_clip_edit_hips(job->skeleton));
    for (int axis = 0; axis < 3 && cutoff < 0.45; axis++)
        tr_clip_edit_low_pass(track.axes[axis], track.room, cutoff);
    // At the ends of a motion the filter has data on one side only: windows avoid them where possible.
    size_t edge = job->round ? 2 : (size_t)(LDLJ_EDGE * job->rate), room = (track.frames - window) / 2;
    edge = edge > room ? room : edge;
    edge = edge < 2 ? 2 : edge;
    for (size_t k = edge; k + window + edge <= track.frames; k += step) {
        float smoothness = (float)window_smoothness(&track, k, window, job->rate);
        if (!isnan(smoothness))
            job->ldlj_sum += (double)smoothness, job->ldlj_windows++;
        if (smoothness < job->audit.ldlj || isnan(job->audit.ldlj))
            job->audit.ldlj = smoothness;
    }
    tr_release(&job->allocator, block, track.room * 3, sizeof *block);
    return TR_OK;
}

// The change of a joint's velocity from one pair of frames to the next.
static double velocity_jump(const audit_job *job, const tr_vec3 *p0, const tr_vec3 *p1, const tr_vec3 *p2) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        double d = ((double)(&p2->x)[axis] - (&p1->x)[axis]) - ((double)(&p1->x)[axis] - (&p0->x)[axis]);
        sum += d * d;
    }
    return sqrt(sum) * job->rate;
}

// The largest jump of every joint in the middle third of a loop. If a stride is cut when a foot comes down,
// the landing of the other foot half a stride later tells how much of the jump at the seam belongs to the
// motion itself.
static void usual_jumps(audit_job *job, tr_vec3 *rows, double *usual) {
    uint32_t frames = tr_clip_frame_count(job->clip);
    size_t joints = job->joint_count;
    memset(usual, 0, joints * sizeof *usual);
    for (uint32_t k = 0, first = frames / 3; first + k <= frames - frames / 3; k++) {
        tr_audit_place_frame(job, first + k, true);
        copy_positions(job, rows + k % 3 * joints);
        for (size_t i = 0; k >= 2 && i < joints; i++) {
            double jump = velocity_jump(job, &rows[(k + 1) % 3 * joints + i], &rows[(k + 2) % 3 * joints + i],
                                        &rows[k % 3 * joints + i]);
            usual[i] = jump > usual[i] ? jump : usual[i];
        }
    }
}

// The value of the joint on the other side; for one without a counterpart (an unnamed end) that of its next
// ancestor that has one. Joints in the middle of the body have none.
static double usual_of_other(const audit_job *job, const double *usual, uint32_t joint) {
    const uint32_t *parents = tr_skeleton_parents(job->skeleton);
    for (; joint != TR_NONE; joint = parents[joint]) {
        uint32_t other = tr_skeleton_mirror_of(job->skeleton, joint);
        if (other != joint)
            return usual[other];
    }
    return 0;
}

// The seam lies at `frame` or beside it. Measures the largest jump there, minus the largest of the jumps
// around it and of the `usual` one (NULL: none) of the joint on the other side.
static void measure_seam(audit_job *job, int64_t frame, tr_vec3 *rows, const double *usual) {
    int64_t last = (int64_t)tr_clip_frame_count(job->clip) - 1;
    const int64_t centre = SEAM_REACH + 1;
    size_t joints = job->joint_count;
    bool inside[SEAM_FRAMES];
    for (int64_t k = 0; k < SEAM_FRAMES; k++) {
        int64_t at = frame + k - centre;
        inside[k] = tr_clip_loops(job->clip) || (at >= 0 && at <= last);
        tr_audit_place_frame(job, at, true);
        copy_positions(job, rows + (size_t)k * joints);
    }
    for (uint32_t joint = 0; joint < job->joint_count; joint++) {
        double here = 0, around = usual ? usual_of_other(job, usual, joint) : 0;
        for (uint32_t k = 1; k + 1 < SEAM_FRAMES; k++) {
            if (!inside[k - 1] || !inside[k + 1])
                continue;
            const tr_vec3 *row = &rows[k * joints + joint];
            double jump = velocity_jump(job, row - joints, row, row + joints),
                   *most = k + 1 >= centre && k <= centre + 1 ? &here : &around;
            *most = jump > *most ? jump : *most;
        }
        if ((float)(here - around) > job->audit.seam_mps)
            job->audit.seam_mps = (float)(here - around);
    }
}

static void measure_seams(audit_job *job, tr_vec3 *rows, double *usual) {
    uint32_t frames = tr_clip_frame_count(job->clip);
    if (tr_clip_loops(job->clip)) {
        usual_jumps(job, rows, usual);
        measure_seam(job, frames, rows, usual);
    }
    for (uint32_t i = 0; job->params->seams && i < job->params->seam_count; i++) {
        double frame = job->params->seams[i] * job->rate;
        if (frame >= 0 && frame <= frames)
            measure_seam(job, (int64_t)(frame + 0.5), rows, NULL);
    }
}

tr_status tr_audit_smoothness(audit_job *job, tr_error *error) {
    size_t room = (size_t)job->joint_count * SEAM_FRAMES;
    tr_vec3 *rows = tr_allocate(&job->allocator, room, sizeof *rows);
    double *usual = tr_allocate(&job->allocator, job->joint_count, sizeof *usual);
    if (rows && usual) {
        measure_jerk(job, rows);
        measure_seams(job, rows, usual);
    }
    bool complete = rows && usual;
    tr_release(&job->allocator, rows, room, sizeof *rows);
    tr_release(&job->allocator, usual, job->joint_count, sizeof *usual);
    return complete ? tr_audit_pelvis(job, error) : tr_audit_no_memory(error);
}
