// Cuts a clip, changes its frame rate, or warps its time.
#include "troupe/motion/clip_edit.h"
#include "clip_edit_parts.h"

#define HAIR 1e-6         // of a frame: the error that rounding may leave in a whole number
#define ROUNDS_MAX 100000 // of a loop in one warp

tr_status tr_clip_edit_cut(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                           uint32_t begin, uint32_t end, tr_clip **result, tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    clip_edit_shape shape = tr_clip_edit_same(clip);
    if (begin >= end || end > shape.frame_count)
        return tr_fail(error, TR_INVALID, "frames %u to %u are not a range of a clip of %u frames", begin,
                       end, shape.frame_count);
    shape.loop = shape.loop && end - begin == shape.frame_count;
    shape.frame_count = end - begin;
    clip_edit_job job;
    status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, NULL, error);
    for (uint32_t i = 0; i < shape.frame_count && status == TR_OK; i++) {
        tr_clip_get_frame(clip, begin + i, &job.pose);
        status = tr_clip_edit_set_frame(&job, i, error);
        tr_clip_set_contacts(job.made, i, tr_clip_frame_contacts(clip, begin + i));
        job.bases[i] = tr_clip_frame_base(clip, begin + i);
    }
    if (status == TR_OK && tr_clip_has_base(clip))
        status = tr_clip_edit_set_base(&job, tr_clip_advance(clip), error);
    if (status == TR_OK)
        status = tr_clip_edit_copy_events(&job, begin / shape.rate, error);
    return tr_clip_edit_end(&job, status, result);
}

// The number of frames for `duration` seconds. A loop keeps its duration: its rate is the nearest one with a
// whole number of frames.
static tr_status shape_for(double duration, double rate, bool loop, clip_edit_shape *shape, tr_error *error) {
    double steps = duration * rate;
    if (!(steps < TR_CLIP_FRAMES_MAX))
        return tr_fail(error, TR_LIMIT, "%g s at %g frames per second are %g frames, the most is %u",
                       duration, rate, steps, TR_CLIP_FRAMES_MAX);
    shape->loop = loop;
    shape->rate = rate;
    shape->frame_count = (uint32_t)(steps + (loop ? 0.5 : HAIR)) + (loop ? 0 : 1);
    if (shape->frame_count == 0)
        shape->frame_count = 1;
    if (loop && duration > 0)
        shape->rate = shape->frame_count / duration;
    if (!(shape->rate <= 10000))
        return tr_fail(error, TR_LIMIT, "a loop of %g s needs more than 10000 frames per second", duration);
    return TR_OK;
}

// Frame `frame` of the new clip is the source at `time`.
static tr_status take_moment(clip_edit_job *job, uint32_t frame, double time, tr_error *error) {
    tr_clip_sample(job->clip, time, &job->pose);
    tr_clip_set_contacts(job->made, frame,
                         tr_clip_contacts(job->clip, time + HAIR / tr_clip_rate(job->clip)));
    job->bases[frame] = tr_clip_base(job->clip, time);
    return tr_clip_edit_set_frame(job, frame, error);
}

tr_status tr_clip_edit_resample(const tr_allocator *allocator, const tr_skeleton *skeleton,
                                const tr_clip *clip, double frames_per_second, tr_clip **result,
                                tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status != TR_OK)
        return status;
    if (!(frames_per_second > 0 && frames_per_second <= 10000))
        return tr_fail(error, TR_INVALID,
                       "the rate is %g frames per second, it must be above 0 and at most 10000",
                       frames_per_second);
    clip_edit_shape shape = {0};
    status = shape_for(tr_clip_duration(clip), frames_per_second, tr_clip_loops(clip), &shape, error);
    if (status != TR_OK)
        return status;
    clip_edit_job job;
    status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, NULL, error);
    for (uint32_t i = 0; i < shape.frame_count && status == TR_OK; i++)
        status = take_moment(&job, i, i / shape.rate, error);
    if (status == TR_OK && tr_clip_has_base(clip))
        status = tr_clip_edit_set_base(&job, tr_clip_advance(clip), error);
    if (status == TR_OK)
        status = tr_clip_edit_copy_events(&job, 0, error);
    return tr_clip_edit_end(&job, status, result);
}

// A monotone cubic through points (Fritsch and Carlson): it never falls where they do not.
typedef struct time_curve {
    const double *from, *to;
    double *slopes;
    uint32_t count;
} time_curve;

static double secant(const time_curve *curve, uint32_t i) {
    return (curve->to[i + 1] - curve->to[i]) / (curve->from[i + 1] - curve->from[i]);
}

static void find_slopes(const time_curve *curve, bool loop) {
    uint32_t last = curve->count - 1;
    for (uint32_t i = 0; i <= last; i++) {
        double before = i > 0 ? secant(curve, i - 1) : loop ? secant(curve, last - 1) : secant(curve, 0);
        double after = i < last ? secant(curve, i) : loop ? secant(curve, 0) : secant(curve, last - 1);
        curve->slopes[i] = before == 0 || after == 0 ? 0 : (before + after) * 0.5;
    }
    // A slope belongs to two pieces. One pass over all pieces leaves each inside the circle of radius 3,
    // because slopes only become smaller.
    for (uint32_t i = 0; i < last; i++) {
        double d = secant(curve, i);
        if (d == 0)
            continue;
        double a = curve->slopes[i] / d, b = curve->slopes[i + 1] / d, square = a * a + b * b;
        if (square > 9) {
            double shrink = 3 / sqrt(square);
            curve->slopes[i] = shrink * a * d;
            curve->slopes[i + 1] = shrink * b * d;
        }
    }
    if (loop) { // one and the same moment
        double least = curve->slopes[0] < curve->slopes[last] ? curve->slopes[0] : curve->slopes[last];
        curve->slopes[0] = curve->slopes[last] = least;
    }
}

static double curve_at(const time_curve *curve, double from) {
    uint32_t low = 0, high = curve->count - 1;
    if (!(from > curve->from[0]))
        return curve->to[0];
    if (from >= curve->from[high])
        return curve->to[high];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (from < curve->from[middle])
            high = middle;
        else
            low = middle;
    }
    double width = curve->from[high] - curve->from[low], t = (from - curve->from[low]) / width, u = 1 - t;
    return curve->to[low] * u * u * (1 + 2 * t) + curve->to[high] * t * t * (3 - 2 * t) +
           width * t * u * (curve->slopes[low] * u - curve->slopes[high] * t);
}

// The first time at which the source's time `to` is played.
static double curve_inverse(const time_curve *curve, double to) {
    double low = curve->from[0], high = curve->from[curve->count - 1];
    for (int i = 0; i < 100; i++) {
        double middle = low + (high - low) * 0.5;
        if (curve_at(curve, middle) < to)
            low = middle;
        else
            high = middle;
    }
    return high;
}

// A loop may be played several times, and its events repeat as often. They are added loop by loop, because
// adding in order of time is fast.
static tr_status warp_events(clip_edit_job *job, const time_curve *curve, tr_error *error) {
    double first = curve->to[0], last = curve->to[curve->count - 1], duration = tr_clip_duration(job->clip);
    bool goes_round = tr_clip_loops(job->clip) && duration > 0;
    double round = goes_round ? floor(first / duration) - 1 : 0,
           end = goes_round ? floor(last / duration) : 0;
    tr_status status = TR_OK;
    for (; round <= end && status == TR_OK; round++)
        for (uint32_t i = 0; i < tr_clip_event_count(job->clip) && status == TR_OK; i++) {
            tr_clip_event event = tr_clip_get_event(job->clip, i);
            double time = event.time + round * duration;
            bool again = tr_clip_loops(job->made) && time >= last; // the seam counts once
            if (time >= first && time <= last && !again)
                status = tr_clip_edit_add_event(job, curve_inverse(curve, time) - curve->from[0], event.name,
                                                error);
        }
    return status;
}

static tr_status check_curve(const tr_clip *clip, const double *from, const double *to, uint32_t count,
                             tr_error *error) {
    if (!from || !to || count < 2)
        return tr_fail(error, TR_INVALID, "a warp needs at least two moments, not %u", count);
    for (uint32_t i = 0; i < count; i++) {
        if (!(from[i] > -1e9 && from[i] < 1e9) || !(to[i] > -1e9 && to[i] < 1e9))
            return tr_fail(error, TR_INVALID, "moment %u plays %g s at %g s, both must be within 1e9 s", i,
                           to[i], from[i]);
        if (i > 0 && (!(from[i] > from[i - 1]) || !(to[i] >= to[i - 1])))
            return tr_fail(error, TR_INVALID,
                           "moment %u plays %g s at %g s, not after moment %u (%g s at %g s)", i, to[i],
                           from[i], i - 1, to[i - 1], from[i - 1]);
    }
    double rounds = (to[count - 1] - to[0]) / tr_clip_duration(clip);
    if (tr_clip_loops(clip) && rounds > ROUNDS_MAX)
        return tr_fail(error, TR_LIMIT, "the warp plays a loop %g times, the most is %d", rounds, ROUNDS_MAX);
    return TR_OK;
}

// Is the last moment the same as the first, a whole number of loops later?
static bool warps_to_loop(const tr_clip *clip, const time_curve *curve) {
    double duration = tr_clip_duration(clip);
    if (!tr_clip_loops(clip) || !(duration > 0))
        return false;
    double rounds = (curve->to[curve->count - 1] - curve->to[0]) / duration, whole = floor(rounds + 0.5);
    return whole >= 1 && rounds - whole < 1e-6 && whole - rounds < 1e-6;
}

static tr_status warp_frames(clip_edit_job *job, const time_curve *curve, const clip_edit_shape *shape,
                             tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < shape->frame_count && status == TR_OK; i++)
        status = take_moment(job, i, curve_at(curve, curve->from[0] + i / shape->rate), error);
    if (status == TR_OK && tr_clip_has_base(job->clip)) {
        tr_base end = tr_clip_base(job->clip, curve->to[curve->count - 1]);
        status = tr_clip_edit_set_base(job, tr_base_difference(job->bases[0], end), error);
    }
    return status == TR_OK ? warp_events(job, curve, error) : status;
}

tr_status tr_clip_edit_warp(const tr_allocator *allocator, const tr_skeleton *skeleton, const tr_clip *clip,
                            const double *from, const double *to, uint32_t count, tr_clip **result,
                            tr_error *error) {
    tr_status status = tr_clip_edit_check(skeleton, clip, result, error);
    if (status == TR_OK)
        status = check_curve(clip, from, to, count, error);
    if (status != TR_OK)
        return status;
    time_curve curve = {from, to, NULL, count};
    bool loop = warps_to_loop(clip, &curve);
    clip_edit_shape shape = {0};
    status = shape_for(from[count - 1] - from[0], tr_clip_rate(clip), loop, &shape, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(allocator);
    curve.slopes = tr_allocate(&own, count, sizeof *curve.slopes);
    if (!curve.slopes)
        return tr_clip_edit_no_memory(error, clip);
    find_slopes(&curve, loop);
    clip_edit_job job;
    status = tr_clip_edit_begin(&job, allocator, skeleton, clip, &shape, NULL, error);
    if (status == TR_OK)
        status = warp_frames(&job, &curve, &shape, error);
    status = tr_clip_edit_end(&job, status, result);
    tr_release(&own, curve.slopes, count, sizeof *curve.slopes);
    return status;
}
