#include "troupe/motion/stroke.h"

#include "logarithm.h"

#include <math.h>

#define TURN_SHARE 0.03 // [m/rad]: a turn of the joints counts as this much way, so that turning takes time
#define WIDTH_DEFAULT 0.05
// Fitts (1954), reciprocal tapping with a stylus of one ounce, as fast as accuracy allows; fitted by
// MacKenzie (1992): movement time = 12.8 ms + 94.7 ms / bit.
#define FITTS_INTERCEPT 0.0128
#define FITTS_SLOPE 0.0947
#define EASE 1.8           // that much longer people take when nobody hurries them
#define BRAKE 2.5          // start speed times duration over length, at most: more would go past the end
#define WRIST_SPEED 1.8    // [m/s]
#define DURATION_MIN 0.08  // [s], but for braking
#define DURATION_MAX 3600. // [s]

// As fast as joints turn in everyday reaching [rad/s].
static const double joint_speeds[TR_ARM_ANGLES] = {4, 4, 4.5, 5, 6, 5, 5, 1.6, 1.6, 2};

// How the way changes with u at one place.
typedef struct way_slope {
    double all, wrist; // ds/du and that of the wrist alone [m]
    tr_posture joints; // change of the angles with u [rad]
    double moved[3];   // of the wrist
} way_slope;

static void add_turn(tr_vec3 axis, tr_vec3 arm, double speed, double moved[3]) {
    tr_vec3 v = tr_vec3_cross(axis, arm);
    moved[0] += speed * v.x;
    moved[1] += speed * v.y;
    moved[2] += speed * v.z;
}

// How fast the wrist moves when the angles of the arm change at `change`: every joint turns what hangs on it.
static void wrist_change(const tr_arm *arm, const tr_posture *posture, const tr_posture *change,
                         double moved[3]) {
    tr_arm_place put = tr_arm_put(arm, posture);
    double side = arm->side == TR_ARM_LEFT ? -1 : 1;
    const float *dq = change->q;
    tr_quat trunk = tr_affine_rotation(&put.trunk), base = tr_affine_rotation(&arm->base);
    const tr_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
    tr_vec3 from_shoulder = tr_vec3_subtract(put.wrist, put.shoulder);
    tr_quat raised = tr_quat_multiply(trunk, tr_quat_about(x, -(double)posture->q[TR_SHOULDER_FLEXION]));
    moved[0] = moved[1] = moved[2] = 0;
    add_turn(tr_quat_rotate(trunk, x), from_shoulder, -(double)dq[TR_SHOULDER_FLEXION], moved);
    add_turn(tr_quat_rotate(raised, z), from_shoulder, -side * (double)dq[TR_SHOULDER_ABDUCTION], moved);
    add_turn(tr_quat_rotate(put.upper, y), from_shoulder, side * (double)dq[TR_SHOULDER_ROTATION], moved);
    add_turn(tr_quat_rotate(put.upper, x), tr_vec3_subtract(put.wrist, put.elbow),
             -(double)dq[TR_ELBOW_FLEXION], moved);
    if (dq[TR_WAIST_LEAN] == 0 && dq[TR_WAIST_TURN] == 0 && dq[TR_COLLAR] == 0)
        return;
    tr_vec3 waist = tr_affine_apply(&arm->base, arm->waist),
            collar = tr_affine_apply(&put.trunk, arm->collar);
    tr_vec3 from_waist = tr_vec3_subtract(put.wrist, waist);
    add_turn(tr_quat_rotate(base, y), from_waist, side * (double)dq[TR_WAIST_TURN], moved);
    add_turn(tr_quat_rotate(trunk, x), from_waist, (double)dq[TR_WAIST_LEAN], moved);
    // The collar bone carries the shoulder along and does not turn the arm.
    add_turn(tr_quat_rotate(trunk, y), tr_vec3_subtract(put.shoulder, collar), side * (double)dq[TR_COLLAR],
             moved);
}

static double square_sum(const tr_posture *a, const tr_posture *b) {
    double sum = 0;
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        sum += (double)a->q[i] * (double)b->q[i];
    return sum;
}

static way_slope slope_at(const tr_arm *arm, const tr_sweep *sweep, double u) {
    way_slope slope;
    tr_posture posture = tr_sweep_at(sweep, u, &slope.joints);
    wrist_change(arm, &posture, &slope.joints, slope.moved);
    double wrist =
        slope.moved[0] * slope.moved[0] + slope.moved[1] * slope.moved[1] + slope.moved[2] * slope.moved[2];
    slope.wrist = sqrt(wrist);
    slope.all = sqrt(wrist + TURN_SHARE * TURN_SHARE * square_sum(&slope.joints, &slope.joints));
    return slope;
}

// ------------------------------------------------------------------------------------------ along the path

// What hurries most: wrist and joints over their speeds, for a change of the way by 1 m [s/m].
typedef struct way_haste {
    double most[TR_STROKE_SAMPLES + 1];
} way_haste;

static double haste_of(const way_slope *slope) {
    double most = slope->wrist / WRIST_SPEED;
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        double turn = fabs((double)slope->joints.q[i]) / joint_speeds[i];
        most = turn > most ? turn : most;
    }
    return slope->all > 0 ? most / slope->all : 0;
}

// Knots fall on ends of intervals where there are not too many: between them the path is as smooth as can be.
static uint32_t intervals_for(uint32_t count) {
    uint32_t pieces = count - 1;
    return pieces >= TR_STROKE_SAMPLES ? TR_STROKE_SAMPLES : TR_STROKE_SAMPLES / pieces * pieces;
}

// Simpson's rule over each interval; the bend at its ends from a parabola through the same three slopes, the
// mean of those of both sides.
static void measure_way(const tr_arm *arm, const tr_sweep *sweep, tr_stroke *stroke, way_haste *haste) {
    uint32_t n = stroke->intervals;
    double step = (sweep->count - 1.0) / n, way = 0;
    way_slope begin = slope_at(arm, sweep, 0);
    double begin_bend = 0;
    for (uint32_t k = 0; k < n; k++) {
        way_slope middle = slope_at(arm, sweep, (k + 0.5) * step), end = slope_at(arm, sweep, (k + 1) * step);
        double here = (4 * middle.all - 3 * begin.all - end.all) / step;
        double there = (3 * end.all - 4 * middle.all + begin.all) / step;
        stroke->way[k] = way;
        stroke->slope[k] = (float)begin.all;
        stroke->bend[k] = (float)(k == 0 ? here : 0.5 * (begin_bend + here));
        haste->most[k] = haste_of(&begin);
        way += step / 6 * (begin.all + 4 * middle.all + end.all);
        begin = end;
        begin_bend = there;
    }
    stroke->way[n] = stroke->length = way;
    stroke->slope[n] = (float)begin.all;
    stroke->bend[n] = (float)begin_bend;
    haste->most[n] = haste_of(&begin);
}

// The way at `t` [0, 1] of an interval: the quintic that has way, slope and bend at both ends.
static double way_in(const tr_stroke *stroke, uint32_t k, double step, double t, double *slope) {
    double a = (double)stroke->slope[k] * step, b = (double)stroke->slope[k + 1] * step;
    double c = (double)stroke->bend[k] * step * step, d = (double)stroke->bend[k + 1] * step * step;
    double gone = stroke->way[k + 1] - stroke->way[k];
    double c3 = 10 * gone - 6 * a - 4 * b - 1.5 * c + 0.5 * d;
    double c4 = -15 * gone + 8 * a + 7 * b + 1.5 * c - d;
    double c5 = 6 * gone - 3 * (a + b) - 0.5 * (c - d);
    *slope = a + t * (c + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)));
    return stroke->way[k] + t * (a + t * (0.5 * c + t * (c3 + t * (c4 + t * c5))));
}

// The u at which so much of the way is done: Newton's steps, kept inside what is known.
static double u_of_way(const tr_stroke *stroke, double way) {
    uint32_t low = 0, high = stroke->intervals;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(stroke->way[middle] <= way ? &low : &high) = middle;
    }
    double step = (stroke->sweep.count - 1.0) / stroke->intervals;
    double gone = stroke->way[low + 1] - stroke->way[low], from = 0, to = 1;
    double t = gone > 0 ? (way - stroke->way[low]) / gone : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int i = 0; i < 40; i++) {
        double slope, off = way_in(stroke, low, step, t, &slope) - way;
        *(off > 0 ? &to : &from) = t;
        double next = slope > 0 ? t - off / slope : -1;
        if (!(next > from && next < to))
            next = 0.5 * (from + to);
        if (fabs(next - t) < 1e-12)
            break;
        t = next;
    }
    return (low + t) * step;
}

// ------------------------------------------------------------------------------------------------ in time

// From `start` [mean speeds] to rest: the quintic with no acceleration at either end, and its speed. The
// speed is (1 - t)^2 (start (1 + 2 t) + (30 - 15 start) t^2), nowhere negative up to a start of 2.5.
static double progress(double t, double start, double *speed) {
    double rest = 1 - t;
    *speed = rest * rest * (start * (1 + 2 * t) + (30 - 15 * start) * t * t);
    return t * (start + t * t * (10 - 6 * start + t * (8 * start - 15 + t * (6 - 3 * start))));
}

// Of the whole length; `speed` [m/s].
static double way_at(const tr_stroke *stroke, double time, double *speed) {
    *speed = 0;
    if (!(stroke->duration > 0) || !(stroke->length > 0))
        return stroke->length;
    double t = time > 0 ? time / stroke->duration : 0; // not a number becomes 0
    t = t < 1 ? t : 1;
    double start = stroke->start_speed * stroke->duration / stroke->length;
    double done = progress(t, start < BRAKE ? start : BRAKE, speed);
    *speed *= stroke->length / stroke->duration;
    return done * stroke->length;
}

double tr_stroke_fitts(double distance, double width) {
    if (!(distance > 0) || !(width > 0) || !isfinite(distance / width))
        return FITTS_INTERCEPT;
    // A target that reaches as far as the way is no difficulty at all.
    double ratio = 2 * distance / width;
    double bits = ratio > 1 ? tr_natural_logarithm(ratio) / 0.69314718055994530942 : 0;
    return FITTS_INTERCEPT + FITTS_SLOPE * bits;
}

// How much faster than people the movement would be at this duration, at its fastest.
static double hurry_of(const tr_stroke *stroke, const way_haste *haste, double duration) {
    double most = 0, start = stroke->start_speed * duration / stroke->length;
    uint32_t k = 0;
    for (int i = 0; i <= TR_STROKE_SAMPLES; i++) {
        double speed, done = progress((double)i / TR_STROKE_SAMPLES, start < BRAKE ? start : BRAKE, &speed);
        while (k < stroke->intervals && stroke->way[k + 1] <= done * stroke->length)
            k++;
        double next = k < stroke->intervals ? haste->most[k + 1] : 0;
        double here = haste->most[k] > next ? haste->most[k] : next;
        double hurry = here * speed * stroke->length / duration;
        most = hurry > most ? hurry : most;
    }
    return most;
}

static double choose_duration(const tr_stroke *stroke, const way_haste *haste, const tr_stroke_params *params,
                              double wrist_length) {
    double width = params->target_width > 0 ? (double)params->target_width : WIDTH_DEFAULT;
    double pace = params->pace > 0 ? (double)params->pace : 1;
    double duration = EASE * tr_stroke_fitts(wrist_length, width);
    // From rest the speeds shrink as the duration grows; from a moving start a few rounds come near it.
    for (int i = 0; i < 4; i++) {
        double hurry = hurry_of(stroke, haste, duration);
        if (hurry > 1)
            duration *= hurry;
    }
    duration /= pace;
    return duration > DURATION_MIN ? duration : DURATION_MIN;
}

// ------------------------------------------------------------------------------------------------ making

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

// How fast the start goes along the path: what of it points that way, measured as the way is.
static double start_speed(const tr_arm *arm, const tr_sweep *sweep, const tr_posture *velocity) {
    way_slope slope = slope_at(arm, sweep, 0);
    if (!(slope.all > 0))
        return 0;
    tr_posture first = tr_sweep_at(sweep, 0, NULL);
    double moved[3];
    wrist_change(arm, &first, velocity, moved);
    double along = moved[0] * slope.moved[0] + moved[1] * slope.moved[1] + moved[2] * slope.moved[2] +
                   TURN_SHARE * TURN_SHARE * square_sum(velocity, &slope.joints);
    return along > 0 ? along / slope.all : 0;
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
    stroke->intervals = intervals_for(sweep->count);
    way_haste haste;
    measure_way(arm, sweep, stroke, &haste);
    if (!isfinite(stroke->length))
        return tr_fail(error, TR_INVALID, "a sweep that is %g m long", stroke->length);
    if (!(stroke->length > 1e-9)) { // nothing moves
        stroke->length = stroke->intervals = 0;
        return TR_OK;
    }
    if (params->velocity)
        stroke->start_speed = start_speed(arm, sweep, params->velocity);
    double wrist_length = tr_sweep_wrist_length(sweep, arm, 32);
    stroke->duration =
        params->duration > 0 ? params->duration : choose_duration(stroke, &haste, params, wrist_length);
    if (stroke->start_speed * stroke->duration > BRAKE * stroke->length)
        stroke->duration = BRAKE * stroke->length / stroke->start_speed;
    return TR_OK;
}

double tr_stroke_u(const tr_stroke *stroke, double time) {
    if (stroke->intervals == 0 || !(time < stroke->duration))
        return stroke->sweep.count > 0 ? stroke->sweep.count - 1.0 : 0;
    double speed;
    return u_of_way(stroke, way_at(stroke, time, &speed));
}

tr_posture tr_stroke_at(const tr_stroke *stroke, double time, tr_posture *velocity) {
    double u = tr_stroke_u(stroke, time), speed = 0;
    tr_posture posture = tr_sweep_at(&stroke->sweep, u, velocity);
    if (!velocity)
        return posture;
    if (stroke->intervals > 0 && time < stroke->duration)
        way_at(stroke, time, &speed);
    double step = stroke->intervals > 0 ? (stroke->sweep.count - 1.0) / stroke->intervals : 1, slope = 0;
    if (speed > 0) {
        double at = u / step;
        uint32_t k = at < stroke->intervals ? (uint32_t)at : stroke->intervals - 1;
        way_in(stroke, k, step, at - k, &slope);
    }
    double rate = slope > 0 ? speed * step / slope : 0; // of u [1/s]
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        velocity->q[i] = (float)((double)velocity->q[i] * rate);
    return posture;
}
