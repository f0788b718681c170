// A uniform cubic B-spline with natural ends: a phantom knot beyond each end, as far from it as the next knot
// and opposite, makes the spline begin at the first knot in the direction of the first leg.
#include "troupe/plan/arm_path.h"

#include <math.h>

// The weights of the knots around a segment at `t` [0, 1] of it, and their derivatives.
static void spread(double t, double weight[4], double slope[4]) {
    double s = 1 - t;
    weight[0] = s * s * s / 6;
    weight[1] = (4 + 3 * t * t * (t - 2)) / 6;
    weight[2] = (4 + 3 * s * s * (s - 2)) / 6;
    weight[3] = t * t * t / 6;
    slope[0] = -s * s / 2;
    slope[1] = t * (3 * t - 4) / 2;
    slope[2] = -s * (3 * s - 4) / 2;
    slope[3] = t * t / 2;
}

// Distributes the shares of the phantom knots over the knots that define them: 2 * end - next.
static void fold_ends(double share[4], bool first, bool last) {
    if (first)
        share[1] += 2 * share[0], share[2] -= share[0], share[0] = 0;
    if (last)
        share[2] += 2 * share[3], share[1] -= share[3], share[3] = 0;
}

static double clamp(double u, uint32_t count) {
    double last = count > 0 ? count - 1 : 0;
    return u > 0 ? (u < last ? u : last) : 0; // NaN becomes 0
}

tr_posture tr_arm_path_at(const tr_arm_path *arm_path, double u, tr_posture *velocity) {
    tr_posture posture = {{0}}, none = {{0}};
    if (velocity)
        *velocity = none;
    if (arm_path->count < 2)
        return arm_path->count == 1 ? arm_path->knots[0] : posture;
    u = clamp(u, arm_path->count);
    uint32_t segment = (uint32_t)u;
    if (segment + 2 > arm_path->count)
        segment = arm_path->count - 2;
    bool first = segment == 0, last = segment + 2 == arm_path->count;
    double weight[4], slope[4];
    spread(u - segment, weight, slope);
    fold_ends(weight, first, last);
    fold_ends(slope, first, last);
    const tr_posture *a = &arm_path->knots[first ? 0 : segment - 1], *b = &arm_path->knots[segment],
                     *c = &arm_path->knots[segment + 1],
                     *d = &arm_path->knots[last ? segment + 1 : segment + 2];
    for (int i = 0; i < TR_ARM_ANGLES; i++) {
        posture.q[i] =
            (float)(weight[0] * a->q[i] + weight[1] * b->q[i] + weight[2] * c->q[i] + weight[3] * d->q[i]);
        if (velocity)
            velocity->q[i] =
                (float)(slope[0] * a->q[i] + slope[1] * b->q[i] + slope[2] * c->q[i] + slope[3] * d->q[i]);
    }
    return posture;
}

double tr_arm_path_length(const tr_arm_path *arm_path, uint32_t samples) {
    double length = 0;
    tr_posture last = tr_arm_path_at(arm_path, 0, NULL);
    for (uint32_t k = 1; k <= samples; k++) {
        tr_posture next = tr_arm_path_at(arm_path, (arm_path->count - 1.0) * k / samples, NULL);
        double sum = 0;
        for (int i = 0; i < TR_ARM_ANGLES; i++) {
            double change = (double)next.q[i] - last.q[i];
            sum += change * change;
        }
        length += sqrt(sum);
        last = next;
    }
    return length;
}

double tr_arm_path_wrist_length(const tr_arm_path *arm_path, const tr_arm *arm, uint32_t samples) {
    double length = 0;
    tr_vec3 points[4];
    tr_posture posture = tr_arm_path_at(arm_path, 0, NULL);
    tr_arm_points(arm, &posture, points);
    for (uint32_t k = 1; k <= samples; k++) {
        tr_vec3 last = points[2];
        posture = tr_arm_path_at(arm_path, (arm_path->count - 1.0) * k / samples, NULL);
        tr_arm_points(arm, &posture, points);
        length += tr_vec3_length(tr_vec3_subtract(points[2], last));
    }
    return length;
}
