// A zero-phase low-pass filter: Butterworth of order 2, forwards and backwards.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"
#include "troupe/base/scalar.h"

// Two passes halve the power where a single pass leaves 1/sqrt(2) of it: the fourth root of sqrt(2) - 1.
#define TWO_PASSES 0.8022432629231502
// More repetitions of a loop than this add nothing to the padding.
#define ROUNDS_MAX 32

enum { TURN_PARTS = 4, MOVE_PARTS = 7, ALL_PARTS = 10 }; // of a joint: rotation, position, scale

typedef struct low_pass {
    double b0, a1, a2; // b1 is 2 b0, b2 is b0
} low_pass;

static low_pass design(double cutoff) {
    double s, c;
    tr_sin_cos(TR_PI * cutoff, &s, &c);
    double k = s / (c * TWO_PASSES), root = 1.41421356237309505 * k, square = k * k, sum = 1 + root + square;
    low_pass filter = {square / sum, 2 * (square - 1) / sum, (1 - root + square) / sum};
    return filter;
}

// Starts as if the first value had always been there.
static void run_filter(low_pass f, double *values, size_t count) {
    double x1 = values[0], x2 = x1, y1 = x1, y2 = x1;
    for (size_t i = 0; i < count; i++) {
        double x = values[i], y = f.b0 * (x + 2 * x1 + x2) - f.a1 * y1 - f.a2 * y2;
        x2 = x1, x1 = x, y2 = y1, y1 = y;
        values[i] = y;
    }
}

static void reverse(double *values, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        double swap = values[i];
        values[i] = values[count - 1 - i], values[count - 1 - i] = swap;
    }
}

void tr_clip_edit_low_pass(double *values, size_t count, double cutoff) {
    low_pass filter = design(cutoff);
    for (int pass = 0; pass < 2; pass++) {
        run_filter(filter, values, count);
        reverse(values, count);
    }
}

size_t tr_clip_edit_low_pass_padding(double cutoff, uint32_t count, bool loop) {
    // The filter forgets by a factor of e in a quarter of a period: three periods are enough for a float.
    double wanted = 3 / cutoff + 3, most = loop ? (double)ROUNDS_MAX * count : count - 1.0;
    return (size_t)(wanted < most ? wanted : most);
}

// All frames, joint by joint and part by part, so that each track is contiguous.
typedef struct track_table {
    float *values; // [joint][part][frame]
    double *padded;
    size_t frame_count, padding;
    uint32_t joint_count, parts;
} track_table;

static float *track_of(const track_table *table, uint32_t joint, uint32_t part) {
    return table->values + ((size_t)joint * table->parts + part) * table->frame_count;
}

static float *pose_part(tr_pose *pose, uint32_t part, uint32_t joint) {
    return part < TURN_PARTS   ? &pose->rotation[part][joint]
           : part < MOVE_PARTS ? &pose->position[part - TURN_PARTS][joint]
                               : &pose->scale[part - MOVE_PARTS][joint];
}

static void read_tracks(clip_edit_job *job, track_table *table) {
    for (uint32_t frame = 0; frame < table->frame_count; frame++) {
        tr_clip_get_frame(job->clip, frame, &job->pose);
        for (uint32_t joint = 0; joint < table->joint_count; joint++)
            for (uint32_t part = 0; part < table->parts; part++)
                track_of(table, joint, part)[frame] = *pose_part(&job->pose, part, joint);
    }
}

// q and -q are the same rotation, but not for a filter. Returns the sign with which a loop continues at its
// seam.
static double align_hemispheres(const track_table *table, uint32_t joint) {
    float *q[TURN_PARTS];
    for (uint32_t part = 0; part < TURN_PARTS; part++)
        q[part] = track_of(table, joint, part);
    size_t last = table->frame_count - 1;
    for (size_t i = 1; i <= last; i++) {
        float dot = 0;
        for (int part = 0; part < TURN_PARTS; part++)
            dot += q[part][i] * q[part][i - 1];
        for (int part = 0; part < TURN_PARTS && dot < 0; part++)
            q[part][i] = -q[part][i];
    }
    float dot = 0;
    for (int part = 0; part < TURN_PARTS; part++)
        dot += q[part][0] * q[part][last];
    return dot < 0 ? -1 : 1;
}

// `sign`: the factor of each further loop; 0: no loop, the ends are reflected through their end points.
static void smooth_track(const track_table *table, float *track, double sign, double cutoff) {
    int64_t count = (int64_t)table->frame_count, padding = (int64_t)table->padding;
    for (int64_t i = -padding; i < count + padding; i++) {
        double value;
        if (sign == 0) {
            int64_t mirror = i < 0 ? -i : i >= count ? 2 * (count - 1) - i : i;
            double pivot = i < 0 ? track[0] : track[count - 1];
            value = mirror == i ? track[i] : 2 * pivot - track[mirror];
        } else {
            int64_t round = i >= 0 ? i / count : -((count - 1 - i) / count);
            value = track[i - round * count] * (round & 1 ? sign : 1);
        }
        table->padded[i + padding] = value;
    }
    tr_clip_edit_low_pass(table->padded, (size_t)(count + 2 * padding), cutoff);
    for (int64_t i = 0; i < count; i++)
        track[i] = (float)table->padded[i + padding];
}

static void smooth_tracks(const clip_edit_job *job, const track_table *table, double cutoff) {
    bool loop = tr_clip_loops(job->clip);
    const uint8_t *channels = tr_clip_channels(job->clip);
    for (uint32_t joint = 0; joint < table->joint_count; joint++) {
        double sign = loop ? align_hemispheres(table, joint) : 0;
        if (!loop)
            align_hemispheres(table, joint);
        for (uint32_t part = 0; part < table->parts; part++) {
            uint8_t needed = part < TURN_PARTS   ? TR_CHANNEL_TURNS
                             : part < MOVE_PARTS ? TR_CHANNEL_MOVES
                                                 : TR_CHANNEL_SCALES;
            if (channels[joint] & needed)
                smooth_track(table, track_of(table, joint, part), part < TURN_PARTS || !loop ? sign : 1,
                             cutoff);
        }
    }
}

static tr_status write_tracks(clip_edit_job *job, const track_table *table, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t frame = 0; frame < table->frame_count && status == TR_OK; frame++) {
        tr_clip_get_frame(job->clip, frame, &job->pose);
        for (uint32_t joint = 0; joint < table->joint_count; joint++)
            for (uint32_t part = 0; part < table->parts; part++)
                *pose_part(&job->pose, part, joint) = track_of(table, joint, part)[frame];
        status = tr_clip_edit_set_frame(job, frame, error); // which normalizes the rotations
        tr_clip_set_contacts(job->made, frame, tr_clip_frame_contacts(job->clip, frame));
        job->bases[frame] = tr_clip_frame_base(job->clip, frame);
    }
    return status;
}

static tr_status smooth_all(clip_edit_job *job, double cutoff, tr_error *error) {
    track_table table = {.frame_count = job->frame_count, .joint_count = tr_clip_joint_count(job->clip)};
    tr_clip_get_frame(job->clip, 0, &job->pose);
    table.parts = job->pose.scaled ? ALL_PARTS : MOVE_PARTS;
    table.padding = tr_clip_edit_low_pass_padding(cutoff, job->frame_count, tr_clip_loops(job->clip));
    size_t padded_count = table.frame_count + 2 * table.padding;
    size_t tracks = (size_t)table.joint_count * table.parts;
    table.values = tr_allocate(&job->allocator, table.frame_count, tracks * sizeof(float));
    table.padded = tr_allocate(&job->allocator, padded_count, sizeof *table.padded);
    tr_status status = TR_OK;
    if (table.values && table.padded) {
        read_tracks(job, &table);
        smooth_tracks(job, &table, cutoff);
        status = write_tracks(job, &table, error);
    } else {
        status = tr_clip_edit_no_memory(error, job->clip);
    }
    tr_release(&job->allocator, table.values, table.frame_count, tracks * sizeof(float));
    tr_release(&job->allocator, table.padded, padded_count, sizeof *table.padded);
    return status;
}

tr_status tr_clip_edit_smooth(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                              double cutoff_hertz, tr_clip **result, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    double rate = tr_clip_rate(clip), cutoff = cutoff_hertz / rate;
    if (!(cutoff > 1e-9 && cutoff < 0.4999))
        return tr_fail(error, TR_INVALID,
                       "the cutoff is %g Hz, it must be above 0 and below half the rate of %g Hz",
                       cutoff_hertz, rate);
    clip_edit_shape shape = tr_clip_edit_same(clip);
    clip_edit_job job;
    status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, NULL, error);
    if (status == TR_OK)
        status = smooth_all(&job, cutoff, error);
    if (status == TR_OK && tr_clip_has_base(clip))
        status = tr_clip_edit_set_base(&job, tr_clip_advance(clip), error);
    if (status == TR_OK)
        status = tr_clip_edit_copy_events(&job, 0, error);
    return tr_clip_edit_end(&job, status, result);
}
