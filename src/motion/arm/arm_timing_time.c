// The timing along the path: the wrist has the least possible jerk, as in people (Todorov & Jordan 1998).
//
// The way over time is a cubic B-spline with even beats. Its jerk is constant between beats: the third
// difference of its control values. So the squared jerk of the wrist is a sum of squares of third differences
// of places on the path, each of which depends on four control values. The Gauss-Newton method with Levenberg
// damping needs a band of seven and a handful of iterations.
#include "arm_timing_parts.h"

#include <math.h>
#include <string.h>

#define POINTS (TR_ARM_TIMING_BEATS + 3)
#define FIRST 3                        // the three before are rest, or the start speed
#define LAST (TR_ARM_TIMING_BEATS - 1) // the three after are rest at the end
#define ROUNDS 12
#define GAIN_LEAST 1e-3 // the least gain of an iteration that is worth another
#define STEP_LEAST 0.05 // the least share of a step between control values that remains

#define ALONG_SHARE 1.0 // extra weight of jerk along the path: fewer dips in the speed
#define PARTS (TIMING_PARTS + 1)

// Control values, and their places on the path.
typedef struct beat_try {
    double way[POINTS], place[POINTS][PARTS], along[POINTS][PARTS];
    double jerk; // squared and summed
} beat_try;

// Between two ends of intervals, the cubic with the places and directions of both. Before the start and after
// the end the path continues straight.
static void place_on(const arm_timing_path *path, double way, uint32_t *k, double *place, double *along) {
    uint32_t n = path->intervals;
    while (*k + 1 < n && path->way[*k + 1] < way)
        ++*k;
    const double *p = path->place[*k], *q = path->place[*k + 1], *a = path->along[*k],
                 *b = path->along[*k + 1];
    double gone = path->way[*k + 1] - path->way[*k], t = gone > 0 ? (way - path->way[*k]) / gone : 0;
    double over = t < 0 ? way - path->way[*k] : t > 1 ? way - path->way[*k + 1] : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double s = 1 - t, share = t * t * (3 - 2 * t), into = gone * t * s * s, out = gone * t * t * s;
    double slope = gone > 0 ? 6 * t * s / gone : 0, begin = s * (s - 2 * t), end = t * (t - 2 * s);
    for (int i = 0; i < TIMING_PARTS; i++) {
        double d = q[i] - p[i];
        along[i] = slope * d + begin * a[i] + end * b[i];
        place[i] = p[i] + share * d + into * a[i] - out * b[i] + over * along[i];
    }
    place[TIMING_PARTS] = ALONG_SHARE * way;
    along[TIMING_PARTS] = ALONG_SHARE;
}

static inline double third(const double (*at)[PARTS], int i) {
    return (at[3][i] - at[0][i]) - 3 * (at[2][i] - at[1][i]);
}

static void evaluate(const arm_timing_path *path, beat_try *one) {
    uint32_t k = 0;
    for (int i = 0; i < POINTS; i++)
        place_on(path, one->way[i], &k, one->place[i], one->along[i]);
    one->jerk = 0;
    for (int j = 0; j + 3 < POINTS; j++)
        for (int i = 0; i < PARTS; i++) {
            double d = third((const double(*)[PARTS]) & one->place[j], i);
            one->jerk += d * d;
        }
}

// The band of the normal equations: row i has the columns i, i + 1, i + 2, i + 3.
typedef struct beat_band {
    double row[POINTS][4], side[POINTS];
} beat_band;

static void add_up(const beat_try *one, beat_band *band) {
    static const double weight[4] = {-1, 3, -3, 1};
    memset(band, 0, sizeof *band);
    for (int j = 0; j + 3 < POINTS; j++) {
        double jerk[PARTS];
        for (int i = 0; i < PARTS; i++)
            jerk[i] = third((const double(*)[PARTS]) & one->place[j], i);
        for (int a = 0; a < 4; a++) {
            const double *here = one->along[j + a];
            double sum = 0;
            for (int i = 0; i < PARTS; i++)
                sum += here[i] * jerk[i];
            band->side[j + a] -= weight[a] * sum;
            for (int b = a; b < 4; b++) {
                const double *there = one->along[j + b];
                double product = 0;
                for (int i = 0; i < PARTS; i++)
                    product += here[i] * there[i];
                band->row[j + a][b - a] += weight[a] * weight[b] * product;
            }
        }
    }
}

// The change of the control values.
static void solve(const beat_band *band, double caution, double change[POINTS]) {
    double rows[POINTS][4];
    memcpy(rows, band->row, sizeof rows);
    memset(change, 0, POINTS * sizeof *change);
    for (int i = FIRST; i <= LAST; i++) {
        rows[i][0] += caution * rows[i][0];
        change[i] = band->side[i];
    }
    for (int i = FIRST; i <= LAST; i++) {
        double pivot = rows[i][0] > 0 ? 1 / rows[i][0] : 0;
        for (int b = 1; b < 4 && i + b <= LAST; b++) {
            double factor = rows[i][b] * pivot;
            for (int c = b; c < 4; c++)
                rows[i + b][c - b] -= factor * rows[i][c];
            change[i + b] -= factor * change[i];
        }
    }
    for (int i = LAST; i >= FIRST; i--) {
        double sum = change[i];
        for (int b = 1; b < 4 && i + b <= LAST; b++)
            sum -= rows[i][b] * change[i + b];
        change[i] = rows[i][0] > 0 ? sum / rows[i][0] : 0;
    }
}

// The share of the change that keeps the control values in order.
static double step_of(const double way[POINTS], const double change[POINTS]) {
    double step = 1;
    for (int i = FIRST - 1; i <= LAST; i++) {
        double gap = way[i + 1] - way[i], shrinks = change[i] - change[i + 1];
        if (shrinks > 0 && step * shrinks > (1 - STEP_LEAST) * gap)
            step = (1 - STEP_LEAST) * gap / shrinks;
    }
    return step;
}

// One iteration: the first damping that improves the result. Returns the share of the jerk that was gained.
static double improve(const arm_timing_path *path, beat_try *now, beat_try *next, double *caution) {
    beat_band band;
    double change[POINTS];
    add_up(now, &band);
    for (int attempt = 0; attempt < 5; attempt++) {
        solve(&band, *caution, change);
        double step = step_of(now->way, change);
        for (int i = 0; i < POINTS; i++)
            next->way[i] = now->way[i] + step * change[i];
        evaluate(path, next);
        if (next->jerk < now->jerk) {
            double gain = 1 - next->jerk / now->jerk;
            *now = *next;
            *caution *= 0.3;
            return gain;
        }
        *caution *= 8;
    }
    return 0;
}

void tr_arm_timing_beat(const arm_timing_path *path, tr_arm_timing *arm_timing) {
    beat_try now, next;
    double start = arm_timing->start_speed * arm_timing->duration / arm_timing->length, speed;
    double pace = start < TIMING_BRAKE ? start : TIMING_BRAKE;
    for (int i = 0; i < POINTS; i++) {
        double t = (i - 1.0) / TR_ARM_TIMING_BEATS;
        now.way[i] = i < FIRST  ? pace * t * arm_timing->length
                     : i > LAST ? arm_timing->length
                                : tr_arm_timing_progress(t, pace, &speed) * arm_timing->length;
    }
    evaluate(path, &now);
    double caution = 1e-3;
    for (int i = 0; i < ROUNDS; i++)
        if (improve(path, &now, &next, &caution) < GAIN_LEAST)
            break;
    memcpy(arm_timing->beats, now.way, sizeof arm_timing->beats);
}

// The speed is (1 - t)^2 (start (1 + 2 t) + (30 - 15 start) t^2), nowhere negative up to a start of 2.5.
double tr_arm_timing_progress(double t, double start, double *speed) {
    double rest = 1 - t;
    *speed = rest * rest * (start * (1 + 2 * t) + (30 - 15 * start) * t * t);
    return t * (start + t * t * (10 - 6 * start + t * (8 * start - 15 + t * (6 - 3 * start))));
}

double tr_arm_timing_way_at(const tr_arm_timing *arm_timing, double time, double *speed) {
    double at = time > 0 ? time / arm_timing->duration * TR_ARM_TIMING_BEATS : 0; // NaN becomes 0
    int k = at < TR_ARM_TIMING_BEATS ? (int)at : TR_ARM_TIMING_BEATS - 1;
    double t = at < TR_ARM_TIMING_BEATS ? at - k : 1, s = 1 - t;
    const double *c = &arm_timing->beats[k];
    double a = c[1] - c[0], b = c[2] - c[1], d = c[3] - c[2];
    *speed =
        0.5 * (s * s * a + (1 + 2 * t * s) * b + t * t * d) * (TR_ARM_TIMING_BEATS / arm_timing->duration);
    return (s * s * s * c[0] + (4 + 3 * t * t * (t - 2)) * c[1] + (4 + 3 * s * s * (s - 2)) * c[2] +
            t * t * t * c[3]) /
           6;
}
