#include "troupe/motion/stroke.h"

#include "logarithm.h"
#include "stroke_parts.h"

#include <math.h>

#define WIDTH_DEFAULT 0.05
// Fitts (1954), reciprocal tapping with a stylus of one ounce, as fast as accuracy allows; fitted by
// MacKenzie (1992): movement time = 12.8 ms + 94.7 ms / bit.
#define FITTS_INTERCEPT 0.0128
#define FITTS_SLOPE 0.0947
#define EASE 1.8            // that much longer people take when nobody hurries them
#define DURATION_MIN 0.08   // [s], but for braking
#define DURATION_MAX 3600.0 // [s]
#define LENGTH_MIN 1e-9     // [m]: less is no movement

double tr_stroke_fitts(double distance, double width) {
    if (!(distance > 0) || !(width > 0) || !isfinite(distance / width))
        return FITTS_INTERCEPT;
    // A target that reaches as far as the way is no difficulty at all.
    double ratio = 2 * distance / width;
    double bits = ratio > 1 ? tr_natural_logarithm(ratio) / 0.69314718055994530942 : 0;
    return FITTS_INTERCEPT + FITTS_SLOPE * bits;
}

static bool is_finite(const tr_posture *posture) {
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        if (!isfinite(posture->q[i]))
            return false;
    return true;
}

static tr_status check(const tr_sweep *sweep, const tr_stroke_params *params, tr_error *error) {
    if (sweep->count == 0 || !sweep->knots)
        return tr_fail(error, TR_INVALID, "a sweep without knots");
    for (uint32_t i = 0; i < sweep->count; i++)
        if (!is_finite(&sweep->knots[i]))
            return tr_fail(error, TR_INVALID, "knot %u of the sweep is not finite", i);
    if (!(params->duration >= 0 && params->duration <= DURATION_MAX))
        return tr_fail(error, TR_INVALID, "a stroke of %g s, it must be 0 to %g", params->duration,
                       DURATION_MAX);
    if (!(params->target_width >= 0 && isfinite(params->target_width)))
        return tr_fail(error, TR_INVALID, "a target %g m wide, it must be above 0",
                       (double)params->target_width);
    if (!(params->pace >= 0 && isfinite(params->pace)))
        return tr_fail(error, TR_INVALID, "a pace of %g, it must be above 0", (double)params->pace);
    if (params->velocity && !is_finite(params->velocity))
        return tr_fail(error, TR_INVALID, "the velocity at the start is not finite");
    return TR_OK;
}

// Knots fall on ends of intervals where there are not too many: between them the path is as smooth as can be.
static uint32_t intervals_for(uint32_t count) {
    uint32_t pieces = count - 1;
    return pieces >= TR_STROKE_SAMPLES ? TR_STROKE_SAMPLES : TR_STROKE_SAMPLES / pieces * pieces;
}

// How much faster than people's are the wrist or a joint, at their fastest, in the strokes as they are timed.
static double hurry_of(const tr_stroke *stroke, const stroke_path *path) {
    double most = 0;
    uint32_t k = 0;
    for (int i = 1; i < TR_STROKE_BEATS; i++) {
        double speed, way = tr_stroke_way_at(stroke, stroke->duration * i / TR_STROKE_BEATS, &speed);
        while (k + 1 < path->intervals && path->way[k + 1] <= way)
            k++;
        double here = path->haste[k] > path->haste[k + 1] ? path->haste[k] : path->haste[k + 1];
        most = here * speed > most ? here * speed : most;
    }
    return most;
}

// Brings the duration under what lets the start brake in time.
static void brake(tr_stroke *stroke) {
    if (stroke->start_speed * stroke->duration > STROKE_BRAKE * stroke->length)
        stroke->duration = STROKE_BRAKE * stroke->length / stroke->start_speed;
}

// From rest the timing is the same at every duration and speeds shrink as it grows; from a moving start it is
// made anew, and one round comes near enough.
static void choose_duration(const stroke_path *path, const tr_stroke_params *params, tr_stroke *stroke) {
    double width = params->target_width > 0 ? (double)params->target_width : WIDTH_DEFAULT;
    double pace = params->pace > 0 ? (double)params->pace : 1;
    stroke->duration = EASE * tr_stroke_fitts(path->wrist_length, width);
    if (stroke->duration < DURATION_MIN)
        stroke->duration = DURATION_MIN;
    brake(stroke);
    tr_stroke_beat(path, stroke);
    double hurry = hurry_of(stroke, path), longer = hurry > 1 ? hurry : 1;
    stroke->duration *= longer / pace;
    brake(stroke);
    if (stroke->start_speed > 0 && longer / pace != 1)
        tr_stroke_beat(path, stroke);
}

tr_status tr_stroke_make(const tr_arm *arm, const tr_sweep *sweep, const tr_stroke_params *params,
                         tr_stroke *stroke, tr_error *error) {
    static const tr_stroke_params plain = {0};
    params = params ? params : &plain;
    *stroke = (tr_stroke){.sweep = *sweep};
    tr_status status = check(sweep, params, error);
    if (status != TR_OK)
        stroke->sweep.count = 0;
    if (status != TR_OK || sweep->count == 1)
        return status;
    stroke_path path;
    stroke->intervals = intervals_for(sweep->count);
    tr_stroke_measure(arm, stroke, &path);
    bool finite = isfinite(stroke->length);
    if (!finite || !(stroke->length > LENGTH_MIN)) { // nothing moves
        double length = stroke->length;
        stroke->length = stroke->intervals = 0;
        return finite ? TR_OK : tr_fail(error, TR_INVALID, "a sweep that is %g m long", length);
    }
    if (params->velocity)
        stroke->start_speed = tr_stroke_start_speed(arm, sweep, params->velocity);
    if (params->duration > 0) {
        stroke->duration = params->duration;
        brake(stroke);
        tr_stroke_beat(&path, stroke);
    } else {
        choose_duration(&path, params, stroke);
    }
    return TR_OK;
}

double tr_stroke_u(const tr_stroke *stroke, double time) {
    if (stroke->intervals == 0 || !(time < stroke->duration))
        return stroke->sweep.count > 0 ? stroke->sweep.count - 1.0 : 0;
    double speed, slope;
    return tr_stroke_u_of_way(stroke, tr_stroke_way_at(stroke, time, &speed), &slope);
}

tr_posture tr_stroke_at(const tr_stroke *stroke, double time, tr_posture *velocity) {
    double u = stroke->sweep.count > 0 ? stroke->sweep.count - 1.0 : 0, rate = 0;
    if (stroke->intervals > 0 && time < stroke->duration) {
        double speed, slope, way = tr_stroke_way_at(stroke, time, &speed);
        u = tr_stroke_u_of_way(stroke, way, &slope);
        rate = slope > 0 ? speed / slope : 0; // of u [1/s]
    }
    tr_posture posture = tr_sweep_at(&stroke->sweep, u, velocity);
    for (int i = 0; velocity && i < TR_ARM_ANGLES; i++)
        velocity->q[i] = (float)((double)velocity->q[i] * rate);
    return posture;
}

void tr_stroke_archive(tr_stroke *stroke, tr_posture *knots, uint32_t knot_max, tr_archive *archive) {
    stroke->sweep.count = tr_archive_count(archive, stroke->sweep.count, knot_max, "knots of a path");
    for (uint32_t i = 0; i < stroke->sweep.count; i++)
        tr_arm_archive_posture(&knots[i], archive);
    if (tr_archive_reads(archive))
        stroke->sweep.knots = knots;
    tr_archive_double(archive, &stroke->duration);
    tr_archive_double(archive, &stroke->length);
    tr_archive_double(archive, &stroke->start_speed);
    stroke->intervals = tr_archive_choice(archive, stroke->intervals, TR_STROKE_SAMPLES + 1);
    tr_archive_check(archive, stroke->intervals == 0 || stroke->sweep.count > 1, "a stroke without a path");
    if (stroke->intervals == 0)
        return;
    tr_archive_doubles(archive, stroke->way, stroke->intervals + 1);
    tr_archive_floats(archive, stroke->slope, stroke->intervals + 1);
    tr_archive_floats(archive, stroke->bend, stroke->intervals + 1);
    tr_archive_doubles(archive, stroke->beats, TR_STROKE_BEATS + 3);
}
