// How people hold the arm.
#include "arm_solve.h"

#include "troupe/base/scalar.h"

// The triangle of a posture, for a right arm in the trunk's axes.
typedef struct held {
    arm_vector n, low, out; // shoulder to wrist, and the axes of the circle
    double swivel;          // of the elbow
    double stretch;         // shoulder to wrist, over the length of both links
} held;

static held hold(const tr_arm *arm, const tr_posture *posture) {
    double sf, cf, sa, ca, sr, cr, se, ce, a = arm->length[0], b = arm->length[1];
    tr_sin_cos(posture->q[TR_SHOULDER_FLEXION], &sf, &cf);
    tr_sin_cos(posture->q[TR_SHOULDER_ABDUCTION], &sa, &ca);
    tr_sin_cos(posture->q[TR_SHOULDER_ROTATION], &sr, &cr);
    tr_sin_cos(posture->q[TR_ELBOW_FLEXION], &se, &ce);
    arm_vector u = {-sa, -ca * cf, ca * sf},
               z = {ca * sr, sf * cr - cf * sa * sr, sf * sa * sr + cf * cr}; // the third axis of R1
    // In the plane of these two the wrist is at (a + b cos, b sin) of the elbow's angle; orthogonal to that
    // is the side of the elbow, for a straight arm as well.
    double along = a + b * ce, aside = b * se, d = sqrt(along * along + aside * aside);
    double c = d > 1e-9 ? along / d : 0, s = d > 1e-9 ? aside / d : 1;
    held it = {.n = arm_add(arm_scale(u, c), arm_scale(z, s)), .stretch = d / (a + b)};
    arm_vector m = arm_add(arm_scale(u, s), arm_scale(z, -c));
    tr_arm_circle_axes(it.n, &it.low, &it.out);
    it.swivel = tr_arc_tangent(arm_dot(m, it.out), arm_dot(m, it.low));
    return it;
}

float tr_arm_swivel(const tr_arm *arm, const tr_posture *posture) {
    return (float)hold(arm, posture).swivel;
}

// Soechting & Flanders (1989), pointing with sight of the arm: elevation (from hanging) and yaw (outwards
// from ahead) of the upper arm are linear in distance [cm], azimuth and elevation of the target [degrees].
// Their subjects' arms were about 70 cm from the shoulder to the pointing tip.
static double natural(const held *it) {
    const double degree = TR_PI / 180, subject = 70;
    double level = sqrt(it->n.x * it->n.x + it->n.z * it->n.z), distance = subject * it->stretch,
           azimuth = tr_arc_tangent(-it->n.x, it->n.z) / degree,
           height = tr_arc_tangent(it->n.y, level) / degree;
    double elevation = -6.7 + 1.09 * distance + 1.10 * height, yaw = 67.7 + azimuth - 0.68 * distance;
    elevation = elevation < 0 ? 0 : elevation > 180 ? 180 : elevation;
    double se, ce, sy, cy;
    tr_sin_cos(elevation * degree, &se, &ce);
    tr_sin_cos(yaw * degree, &sy, &cy);
    arm_vector u = {-se * sy, -ce, se * cy};
    return tr_arc_tangent(arm_dot(u, it->out), arm_dot(u, it->low));
}

static double turn_between(double a, double b) {
    double turn = a - b;
    turn = turn > TR_PI ? turn - 2 * TR_PI : turn < -TR_PI ? turn + 2 * TR_PI : turn;
    return fabs(turn);
}

float tr_arm_natural_swivel(const tr_arm *arm, const tr_arm_family *family) {
    if (!(family->radius >= 0))
        return 0;
    const float(*across)[3] = family->shoulder_rows[1], (*down)[3] = family->shoulder_rows[2];
    double s, c, a = arm->length[0], b = arm->length[1];
    tr_sin_cos(family->elbow, &s, &c);
    held it = {.low = {down[0][0], down[1][0], down[2][0]},
               .out = {-across[0][0], -across[1][0], -across[2][0]},
               .stretch = sqrt(a * a + b * b + 2 * a * b * c) / (a + b)};
    it.n = arm_cross(it.out, it.low);
    double wish = natural(&it), best = wish, least = INFINITY;
    for (uint32_t k = 0; k < family->range_count; k++) {
        const tr_arm_range *range = &family->ranges[k];
        double lifted = wish < range->low ? wish + 2 * TR_PI : wish;
        if (lifted <= range->high)
            return (float)wish;
        double to_low = turn_between(wish, range->low),
               to_high = turn_between(wish, range->high - (range->high > TR_PI ? 2 * TR_PI : 0));
        double off = to_low < to_high ? to_low : to_high;
        if (off < least) {
            least = off;
            best = to_low < to_high ? range->low : range->high;
        }
    }
    return (float)best;
}

// The most comfortable posture [rad]: the upper arm hangs a little ahead and out, the elbow is bent, the hand
// straight.
static const float comfort_middle[TR_ARM_JOINTS] = {0.35f, 0.17f, 0.26f, 1.40f, 0, 0, 0};
static const float comfort_weight[TR_ARM_JOINTS] = {1, 1, 0.7f, 0.5f, 0.5f, 0.7f, 0.7f};

// 0 in the middle, 1 at the limit, quadratic, with a steep rise over the last quarter.
static double strain(double q, double middle, double low, double high) {
    middle = middle < low ? low : middle > high ? high : middle;
    double room = q > middle ? high - middle : middle - low, off = fabs(q - middle);
    double part = off > 0 && room > 1e-6 ? off / room : 0, last = part > 0.75 ? (part - 0.75) * 4 : 0;
    return part * part + last * last;
}

float tr_arm_comfort(const tr_arm *arm, const tr_posture *posture) {
    double cost = 0;
    for (int k = 0; k < TR_ARM_JOINTS; k++)
        cost += comfort_weight[k] * strain(posture->q[k], comfort_middle[k], arm->low.q[k], arm->high.q[k]);
    held it = hold(arm, posture);
    double off = turn_between(it.swivel, natural(&it)) / (TR_PI / 2);
    cost += off * off;
    // The cost is linear from the first degree of help on: help that is not needed is not given.
    cost += 3 * fabs(posture->q[TR_WAIST_LEAN]) + 2 * fabs(posture->q[TR_WAIST_TURN]) +
            2 * fabs(posture->q[TR_COLLAR]);
    return (float)cost;
}
