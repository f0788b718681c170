#include "troupe/motion/arm_timing.h"
#include "motion/motion_archive.h"
#include "plan/plan_archive.h"

#include "motion/logarithm.h"
#include "arm_timing_parts.h"

#include <math.h>

#define WIDTH_DEFAULT 0.05
// Fitts (1954), reciprocal tapping with a stylus of one ounce, as fast as accuracy allows; fitted by
// MacKenzie (1992): movement time = 12.8 ms + 94.7 ms / bit.
#define FITTS_INTERCEPT 0.0128
#define FITTS_SLOPE 0.0947
#define EASE 1.8            // unhurried people take this many times as long
#define DURATION_MIN 0.08   // [s], except for braking
#define DURATION_MAX 3600.0 // [s]
#define LENGTH_MIN 1e-9     // [m]: a shorter way is no movement

double tr_arm_timing_fitts(double distance, double width) {
    if (!(distance > 0) || !(width > 0) || !isfinite(distance / width))
        return FITTS_INTERCEPT;
    // A target that is as wide as the distance has no difficulty.
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

static tr_status check(const tr_arm_path *arm_path, const tr_arm_timing_params *params, tr_error *error) {
    if (arm_path->count == 0 || !arm_path->knots)
        return tr_fail(error, TR_INVALID, "an arm path without knots cannot be timed");
    for (uint32_t i = 0; i < arm_path->count; i++)
        if (!is_finite(&arm_path->knots[i]))
            return tr_fail(error, TR_INVALID, "knot %u of the arm path is not finite", i);
    if (!(params->duration >= 0 && params->duration <= DURATION_MAX))
        return tr_fail(error, TR_INVALID, "the duration is %g s, it must be 0 to %g", params->duration,
                       DURATION_MAX);
    if (!(params->target_width >= 0 && isfinite(params->target_width)))
        return tr_fail(error, TR_INVALID, "the target is %g m wide, it must be above 0",
                       (double)params->target_width);
    if (!(params->pace >= 0 && isfinite(params->pace)))
        return tr_fail(error, TR_INVALID, "the pace is %g, it must be above 0", (double)params->pace);
    if (params->velocity && !is_finite(params->velocity))
        return tr_fail(error, TR_INVALID, "the velocity at the start is not finite");
    return TR_OK;
}

// Knots fall on ends of intervals if there are not too many: between knots the path is smoothest.
static uint32_t intervals_for(uint32_t count) {
    uint32_t pieces = count - 1;
    return pieces >= TR_ARM_TIMING_SAMPLES ? TR_ARM_TIMING_SAMPLES : TR_ARM_TIMING_SAMPLES / pieces * pieces;
}

// The greatest ratio of the speed of the wrist or a joint to a human's, over the timing.
static double hurry_of(const tr_arm_timing *arm_timing, const arm_timing_path *path) {
    double most = 0;
    uint32_t k = 0;
    for (int i = 1; i < TR_ARM_TIMING_BEATS; i++) {
        double speed,
            way = tr_arm_timing_way_at(arm_timing, arm_timing->duration * i / TR_ARM_TIMING_BEATS, &speed);
        while (k + 1 < path->intervals && path->way[k + 1] <= way)
            k++;
        double here = path->haste[k] > path->haste[k + 1] ? path->haste[k] : path->haste[k + 1];
        most = here * speed > most ? here * speed : most;
    }
    return most;
}

// Limits the duration so that the start can brake in time.
static void brake(tr_arm_timing *arm_timing) {
    if (arm_timing->start_speed * arm_timing->duration > TIMING_BRAKE * arm_timing->length)
        arm_timing->duration = TIMING_BRAKE * arm_timing->length / arm_timing->start_speed;
}

// From rest the timing has the same shape at every duration, and speeds shrink as it grows. From a moving
// start it is recomputed, and one iteration is accurate enough.
static void choose_duration(const arm_timing_path *path, const tr_arm_timing_params *params,
                            tr_arm_timing *arm_timing) {
    double width = params->target_width > 0 ? (double)params->target_width : WIDTH_DEFAULT;
    double pace = params->pace > 0 ? (double)params->pace : 1;
    arm_timing->duration = EASE * tr_arm_timing_fitts(path->wrist_length, width);
    if (arm_timing->duration < DURATION_MIN)
        arm_timing->duration = DURATION_MIN;
    brake(arm_timing);
    tr_arm_timing_beat(path, arm_timing);
    double hurry = hurry_of(arm_timing, path), longer = hurry > 1 ? hurry : 1;
    arm_timing->duration *= longer / pace;
    brake(arm_timing);
    if (arm_timing->start_speed > 0 && longer / pace != 1)
        tr_arm_timing_beat(path, arm_timing);
}

tr_status tr_arm_timing_make(const tr_arm *arm, const tr_arm_path *arm_path,
                             const tr_arm_timing_params *params, tr_arm_timing *arm_timing, tr_error *error) {
    static const tr_arm_timing_params plain = {0};
    params = params ? params : &plain;
    *arm_timing = (tr_arm_timing){.arm_path = *arm_path};
    tr_status status = check(arm_path, params, error);
    if (status != TR_OK)
        arm_timing->arm_path.count = 0;
    if (status != TR_OK || arm_path->count == 1)
        return status;
    arm_timing_path path;
    arm_timing->intervals = intervals_for(arm_path->count);
    tr_arm_timing_measure(arm, arm_timing, &path);
    bool finite = isfinite(arm_timing->length);
    if (!finite || !(arm_timing->length > LENGTH_MIN)) { // nothing moves
        double length = arm_timing->length;
        arm_timing->length = arm_timing->intervals = 0;
        return finite ? TR_OK
                      : tr_fail(error, TR_INVALID, "the arm path is %g m long, its length must be finite",
                                length);
    }
    if (params->velocity)
        arm_timing->start_speed = tr_arm_timing_start_speed(arm, arm_path, params->velocity);
    if (params->duration > 0) {
        arm_timing->duration = params->duration;
        brake(arm_timing);
        tr_arm_timing_beat(&path, arm_timing);
    } else {
        choose_duration(&path, params, arm_timing);
    }
    return TR_OK;
}

double tr_arm_timing_u(const tr_arm_timing *arm_timing, double time) {
    if (arm_timing->intervals == 0 || !(time < arm_timing->duration))
        return arm_timing->arm_path.count > 0 ? arm_timing->arm_path.count - 1.0 : 0;
    double speed, slope;
    return tr_arm_timing_u_of_way(arm_timing, tr_arm_timing_way_at(arm_timing, time, &speed), &slope);
}

tr_posture tr_arm_timing_at(const tr_arm_timing *arm_timing, double time, tr_posture *velocity) {
    double u = arm_timing->arm_path.count > 0 ? arm_timing->arm_path.count - 1.0 : 0, rate = 0;
    if (arm_timing->intervals > 0 && time < arm_timing->duration) {
        double speed, slope, way = tr_arm_timing_way_at(arm_timing, time, &speed);
        u = tr_arm_timing_u_of_way(arm_timing, way, &slope);
        rate = slope > 0 ? speed / slope : 0; // of u [1/s]
    }
    tr_posture posture = tr_arm_path_at(&arm_timing->arm_path, u, velocity);
    for (int i = 0; velocity && i < TR_ARM_ANGLES; i++)
        velocity->q[i] = (float)((double)velocity->q[i] * rate);
    return posture;
}

void tr_arm_timing_archive(tr_arm_timing *arm_timing, tr_posture *knots, uint32_t knot_max,
                           tr_archive *archive) {
    arm_timing->arm_path.count =
        tr_archive_count(archive, arm_timing->arm_path.count, knot_max, "knots of an arm path");
    for (uint32_t i = 0; i < arm_timing->arm_path.count; i++)
        tr_arm_archive_posture(&knots[i], archive);
    if (tr_archive_reads(archive))
        arm_timing->arm_path.knots = knots;
    tr_archive_double(archive, &arm_timing->duration);
    tr_archive_double(archive, &arm_timing->length);
    tr_archive_double(archive, &arm_timing->start_speed);
    arm_timing->intervals = tr_archive_choice(archive, arm_timing->intervals, TR_ARM_TIMING_SAMPLES + 1);
    tr_archive_check(archive, arm_timing->intervals == 0 || arm_timing->arm_path.count > 1,
                     "an arm timing without an arm path");
    if (arm_timing->intervals == 0)
        return;
    tr_archive_doubles(archive, arm_timing->way, arm_timing->intervals + 1);
    tr_archive_floats(archive, arm_timing->slope, arm_timing->intervals + 1);
    tr_archive_floats(archive, arm_timing->bend, arm_timing->intervals + 1);
    tr_archive_doubles(archive, arm_timing->beats, TR_ARM_TIMING_BEATS + 3);
}
