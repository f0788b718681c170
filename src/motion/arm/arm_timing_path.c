// Measures the path of an arm: the length of the wrist's way, and the inverse from the way to the path.
#include "arm_timing_parts.h"
#include "troupe/base/scalar.h"

#include <math.h>

#define WRIST_SPEED 1.8 // [m/s]

// Joint speeds in everyday reaching [rad/s].
static const double joint_speeds[TR_ARM_ANGLES] = {4, 4, 4.5, 5, 6, 5, 5, 1.6, 1.6, 2};

// A point and its velocity.
typedef struct moving_point {
    double at[3], speed[3];
} moving_point;

// Rotates a point about an axis by an angle that changes at `rate`.
static void turn(int axis, double angle, double rate, moving_point *point) {
    double s, c, *at = point->at, *speed = point->speed;
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    tr_sin_cos(angle, &s, &c);
    // Sums only: gcc 12 contracts a difference next to a sum into one rounding on processors that support it.
    double a = at[i], b = at[j], v = speed[i], w = speed[j], back = -s, slower = -rate;
    at[i] = c * a + back * b;
    at[j] = s * a + c * b;
    speed[i] = c * v + back * w + slower * at[j];
    speed[j] = s * v + c * w + rate * at[i];
}

static void move(tr_vec3 by, moving_point *point) {
    point->at[0] += by.x;
    point->at[1] += by.y;
    point->at[2] += by.z;
}

static bool is_helped(const tr_arm *arm) {
    for (int i = TR_ARM_JOINTS; i < TR_ARM_ANGLES; i++)
        if (arm->low.q[i] != 0 || arm->high.q[i] != 0)
            return true;
    return false;
}

// The wrist in the world, by the formulas of plan/arm.h from the hand back to the trunk, and its velocity
// when the angles change at `change`.
static moving_point wrist_at(const tr_arm *arm, const tr_posture *posture, const tr_posture *change) {
    const float *q = posture->q, *v = change->q;
    double side = arm->side == TR_ARM_LEFT ? -1 : 1;
    moving_point wrist = {.at = {0, -(double)arm->length[1], 0}};
    turn(0, -(double)q[TR_ELBOW_FLEXION], -(double)v[TR_ELBOW_FLEXION], &wrist);
    wrist.at[1] -= (double)arm->length[0];
    turn(1, side * (double)q[TR_SHOULDER_ROTATION], side * (double)v[TR_SHOULDER_ROTATION], &wrist);
    turn(2, -side * (double)q[TR_SHOULDER_ABDUCTION], -side * (double)v[TR_SHOULDER_ABDUCTION], &wrist);
    turn(0, -(double)q[TR_SHOULDER_FLEXION], -(double)v[TR_SHOULDER_FLEXION], &wrist);
    if (is_helped(arm)) {
        moving_point shoulder = {{0}, {0}};
        move(tr_vec3_subtract(arm->shoulder, arm->collar), &shoulder);
        turn(1, side * (double)q[TR_COLLAR], side * (double)v[TR_COLLAR], &shoulder);
        for (int i = 0; i < 3; i++) {
            wrist.at[i] += shoulder.at[i];
            wrist.speed[i] += shoulder.speed[i];
        }
        move(tr_vec3_subtract(arm->collar, arm->waist), &wrist);
        turn(0, (double)q[TR_WAIST_LEAN], (double)v[TR_WAIST_LEAN], &wrist);
        turn(1, side * (double)q[TR_WAIST_TURN], side * (double)v[TR_WAIST_TURN], &wrist);
        move(arm->waist, &wrist);
    } else {
        move(arm->shoulder, &wrist);
    }
    moving_point world;
    for (int i = 0; i < 3; i++) {
        const float *row = arm->base.m[i];
        world.at[i] = row[0] * wrist.at[0] + row[1] * wrist.at[1] + row[2] * wrist.at[2] + row[3];
        world.speed[i] = row[0] * wrist.speed[0] + row[1] * wrist.speed[1] + row[2] * wrist.speed[2];
    }
    return world;
}

// The path at one u: its place (the wrist, and the angles as way), the derivative by u, and its magnitude.
typedef struct path_point {
    double place[TIMING_PARTS], change[TIMING_PARTS], slope, wrist_slope;
} path_point;

static path_point point_at(const tr_arm *arm, const tr_arm_path *arm_path, double u) {
    path_point point;
    tr_posture velocity, posture = tr_arm_path_at(arm_path, u, &velocity);
    moving_point wrist = wrist_at(arm, &posture, &velocity);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        point.place[i] = wrist.at[i];
        point.change[i] = wrist.speed[i];
        sum += point.change[i] * point.change[i];
    }
    point.wrist_slope = sqrt(sum);
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        point.place[3 + i] = TIMING_TURN_SHARE * (double)posture.q[i];
        point.change[3 + i] = TIMING_TURN_SHARE * (double)velocity.q[i];
        sum += point.change[3 + i] * point.change[3 + i];
    }
    point.slope = sqrt(sum);
    return point;
}

// The greatest ratio of the wrist's and the joints' speeds to human ones, per metre of way [s/m].
static double haste_of(const path_point *point) {
    double most = point->wrist_slope / WRIST_SPEED;
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        double turn = fabs(point->change[3 + i]) / (TIMING_TURN_SHARE * joint_speeds[i]);
        most = turn > most ? turn : most;
    }
    return point->slope > 0 ? most / point->slope : 0;
}

static void keep(const path_point *point, uint32_t k, arm_timing_path *path) {
    path->haste[k] = haste_of(point);
    for (int i = 0; i < TIMING_PARTS; i++) {
        path->place[k][i] = point->place[i];
        path->along[k][i] = point->slope > 0 ? point->change[i] / point->slope : 0;
    }
}

// Simpson's rule over each interval. The bend at its ends comes from a parabola through the same three
// slopes, as the mean of both sides.
void tr_arm_timing_measure(const tr_arm *arm, tr_arm_timing *arm_timing, arm_timing_path *path) {
    const tr_arm_path *arm_path = &arm_timing->arm_path;
    uint32_t n = arm_timing->intervals;
    double step = (arm_path->count - 1.0) / n, way = 0, before = 0;
    path_point begin = point_at(arm, arm_path, 0);
    path->intervals = n;
    path->wrist_length = 0;
    for (uint32_t k = 0; k < n; k++) {
        path_point middle = point_at(arm, arm_path, (k + 0.5) * step),
                   end = point_at(arm, arm_path, (k + 1) * step);
        double here = (4 * middle.slope - 3 * begin.slope - end.slope) / step;
        arm_timing->way[k] = path->way[k] = way;
        arm_timing->slope[k] = (float)begin.slope;
        arm_timing->bend[k] = (float)(k == 0 ? here : 0.5 * (before + here));
        keep(&begin, k, path);
        way += step / 6 * (begin.slope + 4 * middle.slope + end.slope);
        path->wrist_length += step / 6 * (begin.wrist_slope + 4 * middle.wrist_slope + end.wrist_slope);
        before = (3 * end.slope - 4 * middle.slope + begin.slope) / step;
        begin = end;
    }
    arm_timing->way[n] = path->way[n] = arm_timing->length = way;
    arm_timing->slope[n] = (float)begin.slope;
    arm_timing->bend[n] = (float)before;
    keep(&begin, n, path);
}

double tr_arm_timing_start_speed(const tr_arm *arm, const tr_arm_path *arm_path, const tr_posture *velocity) {
    path_point start = point_at(arm, arm_path, 0);
    if (!(start.slope > 0))
        return 0;
    tr_posture first = tr_arm_path_at(arm_path, 0, NULL);
    moving_point wrist = wrist_at(arm, &first, velocity);
    double along = 0;
    for (int i = 0; i < 3; i++)
        along += wrist.speed[i] * start.change[i];
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        along += TIMING_TURN_SHARE * (double)velocity->q[i] * start.change[3 + i];
    return along > 0 ? along / start.slope : 0;
}

// The way at `t` [0, 1] of an interval: the quintic with the way, slope and bend of both ends.
static double way_in(const tr_arm_timing *arm_timing, uint32_t k, double step, double t, double *slope) {
    double a = (double)arm_timing->slope[k] * step, b = (double)arm_timing->slope[k + 1] * step;
    double c = (double)arm_timing->bend[k] * step * step, d = (double)arm_timing->bend[k + 1] * step * step;
    double gone = arm_timing->way[k + 1] - arm_timing->way[k];
    double c3 = 10 * gone - 6 * a - 4 * b - 1.5 * c + 0.5 * d;
    double c4 = -15 * gone + 8 * a + 7 * b + 1.5 * c - d;
    double c5 = 6 * gone - 3 * (a + b) - 0.5 * (c - d);
    *slope = a + t * (c + t * (3 * c3 + t * (4 * c4 + t * 5 * c5)));
    return arm_timing->way[k] + t * (a + t * (0.5 * c + t * (c3 + t * (c4 + t * c5))));
}

// Newton steps, clamped to the known interval.
double tr_arm_timing_u_of_way(const tr_arm_timing *arm_timing, double way, double *slope) {
    uint32_t low = 0, high = arm_timing->intervals;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        *(arm_timing->way[middle] <= way ? &low : &high) = middle;
    }
    double step = (arm_timing->arm_path.count - 1.0) / arm_timing->intervals;
    double gone = arm_timing->way[low + 1] - arm_timing->way[low], from = 0, to = 1;
    double t = gone > 0 ? (way - arm_timing->way[low]) / gone : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int i = 0; i < 40; i++) {
        double off = way_in(arm_timing, low, step, t, slope) - way;
        *(off > 0 ? &to : &from) = t;
        double next = *slope > 0 ? t - off / *slope : -1;
        if (!(next > from && next < to))
            next = 0.5 * (from + to);
        if (fabs(next - t) < 1e-12)
            break;
        t = next;
    }
    *slope = *slope > 0 ? *slope / step : 0;
    return (low + t) * step;
}
