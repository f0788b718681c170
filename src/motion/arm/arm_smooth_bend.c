// Moves the knots of a path so that the jerk of the wrist in its timing is least: one Gauss-Newton step over
// the third differences of the wrist's places, plus a small term for those of the angles.
#include "arm_smooth_data.h"

#include <math.h>
#include <string.h>

#define ANGLE_WEIGHT 0.0025 // (5 cm/rad)^2: the weight of an angle's jerk
#define SLOPE_STEP 5e-3f    // [rad]

// The knots around u and their weights, as in plan/arm/arm_path.c, with the phantom knots beyond the ends
// folded in.
static void find_shares(uint32_t count, double u, arm_smooth_sample *sample) {
    uint32_t segment = u > 0 ? (uint32_t)u : 0;
    segment = segment + 2 > count ? count - 2 : segment;
    double t = u - segment, s = 1 - t;
    double share[4] = {s * s * s / 6, (4 + 3 * t * t * (t - 2)) / 6, (4 + 3 * s * s * (s - 2)) / 6,
                       t * t * t / 6};
    bool first = segment == 0, last = segment + 2 == count;
    if (first)
        share[1] += 2 * share[0], share[2] -= share[0];
    if (last)
        share[2] += 2 * share[3], share[1] -= share[3];
    // Always four existing knots: at the ends they begin one later or earlier.
    memset(sample->share, 0, sizeof sample->share);
    sample->first = first ? 0 : last ? count - 4 : segment - 1;
    for (uint32_t k = first ? 1 : 0; k < (last ? 3u : 4u); k++)
        sample->share[segment + k - 1 - sample->first] = share[k];
}

static void find_slopes(const tr_arm *arm, const uint32_t *angles, uint32_t count,
                        arm_smooth_sample *sample) {
    for (uint32_t i = 0; i < count; i++) {
        tr_posture low = sample->posture, high = sample->posture;
        tr_vec3 a[4], b[4];
        low.q[angles[i]] -= SLOPE_STEP;
        high.q[angles[i]] += SLOPE_STEP;
        tr_arm_points(arm, &low, a);
        tr_arm_points(arm, &high, b);
        double step = (double)high.q[angles[i]] - (double)low.q[angles[i]];
        for (int axis = 0; axis < 3; axis++)
            sample->slopes[axis][i] = ((double)(&b[2].x)[axis] - (double)(&a[2].x)[axis]) / step;
    }
}

static double third(double a, double b, double c, double d) {
    return (d - a) - 3 * (c - b);
}

static double wrist_jerk(const arm_smooth_sample *s, int axis) {
    return third(s[0].wrist[axis], s[1].wrist[axis], s[2].wrist[axis], s[3].wrist[axis]);
}

bool tr_arm_smooth_look(tr_arm_smooth *arm_smooth, const tr_arm *arm, const tr_posture *velocity, bool slopes,
                        arm_smooth_path *path) {
    tr_arm_path arm_path = {path->knots, path->count};
    tr_arm_timing arm_timing;
    tr_arm_timing_params params = {.velocity = velocity};
    if (tr_arm_timing_make(arm, &arm_path, &params, &arm_timing, NULL) != TR_OK || !(arm_timing.duration > 0))
        return false;
    double squares = 0, fastest = 0;
    for (int k = 0; k < SMOOTH_SAMPLES; k++) {
        arm_smooth_sample *sample = &arm_smooth->samples[k];
        double u = tr_arm_timing_u(&arm_timing, arm_timing.duration * (k - 3) / SMOOTH_STEPS);
        tr_vec3 points[4];
        find_shares(path->count, u, sample);
        sample->posture = tr_arm_path_at(&arm_path, u, NULL);
        tr_arm_points(arm, &sample->posture, points);
        for (int axis = 0; axis < 3; axis++)
            sample->wrist[axis] = (double)(&points[2].x)[axis];
        if (slopes)
            find_slopes(arm, arm_smooth->angles, arm_smooth->angle_count, sample);
        double moved = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = k > 0 ? sample->wrist[axis] - sample[-1].wrist[axis] : 0;
            double jerk = k > 2 ? wrist_jerk(sample - 3, axis) : 0;
            moved += d * d;
            squares += jerk * jerk;
        }
        fastest = moved > fastest ? moved : fastest;
    }
    // In time steps of 1: the movement lasts SMOOTH_STEPS.
    double steps = SMOOTH_STEPS;
    path->jerk = fastest > 0 ? steps * steps * steps * squares / fastest : 0;
    return path->jerk > 0;
}

// One residual: its value, and its derivatives by the knots from `first` on.
typedef struct arm_smooth_row {
    uint32_t first;
    double share[SMOOTH_SPAN][TR_ARM_ANGLES];
    double value;
} arm_smooth_row;

static void add_row(tr_arm_smooth *arm_smooth, const arm_smooth_row *row, double weight) {
    uint32_t n = arm_smooth->angle_count, inner = arm_smooth->now.count - 2;
    for (uint32_t a = 0; a < SMOOTH_SPAN; a++) {
        uint32_t knot = row->first + a; // the first and the last knot do not move
        if (knot < 1 || knot > inner)
            continue;
        for (uint32_t i = 0; i < n; i++) {
            double here = weight * row->share[a][i];
            uint32_t unknown = (knot - 1) * n + i;
            if (here == 0)
                continue;
            arm_smooth->side[unknown] -= here * row->value;
            for (uint32_t b = 0; b <= a; b++)
                for (uint32_t j = 0; j < (b == a ? i + 1 : n) && row->first + b >= 1; j++)
                    arm_smooth->band[unknown][unknown - ((row->first + b - 1) * n + j)] +=
                        here * row->share[b][j];
        }
    }
}

// The residuals of four consecutive samples: three of the wrist, and one of each angle.
static void add_samples(tr_arm_smooth *arm_smooth, const arm_smooth_sample *s) {
    static const double weight[4] = {-1, 3, -3, 1};
    uint32_t n = arm_smooth->angle_count;
    double spread[SMOOTH_SPAN] = {0};
    for (int axis = 0; axis < 3; axis++) {
        arm_smooth_row row = {.first = s->first, .value = wrist_jerk(s, axis)};
        for (int z = 0; z < 4; z++)
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t at = s[z].first + k - s->first; // outside the band: ignored
                for (uint32_t i = 0; i < n && at < SMOOTH_SPAN; i++)
                    row.share[at][i] += weight[z] * s[z].share[k] * s[z].slopes[axis][i];
            }
        add_row(arm_smooth, &row, 1);
    }
    for (int z = 0; z < 4; z++)
        for (uint32_t k = 0; k < 4; k++)
            if (s[z].first + k - s->first < SMOOTH_SPAN)
                spread[s[z].first + k - s->first] += weight[z] * s[z].share[k];
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t angle = arm_smooth->angles[i];
        for (uint32_t a = 0; a < SMOOTH_SPAN; a++) {
            uint32_t knot = s->first + a;
            if (knot < 1 || knot + 1 >= arm_smooth->now.count || spread[a] == 0)
                continue;
            uint32_t unknown = (knot - 1) * n + i;
            double value = third(s[0].posture.q[angle], s[1].posture.q[angle], s[2].posture.q[angle],
                                 s[3].posture.q[angle]);
            arm_smooth->side[unknown] -= ANGLE_WEIGHT * spread[a] * value;
            for (uint32_t b = 0; b <= a; b++)
                if (s->first + b >= 1)
                    arm_smooth->band[unknown][(a - b) * n] += ANGLE_WEIGHT * spread[a] * spread[b];
        }
    }
}

// Cholesky decomposition within the band; `side` becomes the solution.
static void solve(tr_arm_smooth *arm_smooth) {
    uint32_t half = SMOOTH_SPAN * arm_smooth->angle_count;
    for (uint32_t row = 0; row < arm_smooth->unknowns; row++) {
        uint32_t begin = row + 1 > half ? row + 1 - half : 0;
        for (uint32_t column = begin; column <= row; column++) {
            uint32_t from = column + 1 > half ? column + 1 - half : 0;
            double sum = arm_smooth->band[row][row - column];
            for (uint32_t k = from > begin ? from : begin; k < column; k++)
                sum -= arm_smooth->band[row][row - k] * arm_smooth->band[column][column - k];
            arm_smooth->band[row][row - column] = column < row  ? sum / arm_smooth->band[column][0]
                                                  : sum > 1e-14 ? sqrt(sum)
                                                                : 1e-7;
        }
        for (uint32_t k = begin; k < row; k++)
            arm_smooth->side[row] -= arm_smooth->band[row][row - k] * arm_smooth->side[k];
        arm_smooth->side[row] /= arm_smooth->band[row][0];
    }
    for (uint32_t row = arm_smooth->unknowns; row-- > 0;) {
        arm_smooth->side[row] /= arm_smooth->band[row][0];
        uint32_t begin = row + 1 > half ? row + 1 - half : 0;
        for (uint32_t k = begin; k < row; k++)
            arm_smooth->side[k] -= arm_smooth->band[row][row - k] * arm_smooth->side[row];
    }
}

void tr_arm_smooth_bend(tr_arm_smooth *arm_smooth, const tr_arm *arm) {
    uint32_t n = arm_smooth->angle_count, count = arm_smooth->now.count;
    arm_smooth->unknowns = (count - 2) * n;
    memset(arm_smooth->band, 0, arm_smooth->unknowns * sizeof *arm_smooth->band);
    memset(arm_smooth->side, 0, arm_smooth->unknowns * sizeof *arm_smooth->side);
    for (int k = 0; k + 3 < SMOOTH_SAMPLES; k++)
        add_samples(arm_smooth, &arm_smooth->samples[k]);
    for (uint32_t i = 0; i < arm_smooth->unknowns; i++)
        arm_smooth->band[i][0] += arm_smooth->firmness[i / n + 1];
    solve(arm_smooth);
    arm_smooth->next = arm_smooth->now;
    for (uint32_t k = 1; k + 1 < count; k++) {
        for (uint32_t i = 0; i < n; i++)
            arm_smooth->next.knots[k].q[arm_smooth->angles[i]] += (float)arm_smooth->side[(k - 1) * n + i];
        arm_smooth->next.knots[k] = tr_arm_clamp(arm, arm_smooth->next.knots[k]);
    }
}
