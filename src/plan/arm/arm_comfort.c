// How people hold the arm.
#include "arm_solve.h"

#include "troupe/base/scalar.h"

// The elbow of people is within some 15 degrees of the natural swivel: that counts more than the middle of
// the limits of a joint.
#define SWIVEL_WEIGHT 8.0 // of a right angle, squared
#define EASY_BEND 0.7     // of the wrist [rad]
#define BEND_WEIGHT 4.0   // of a radian more, squared

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

// A wrist bent by more than 40 degrees is what people avoid by moving the elbow.
static double bend_strain(const tr_posture *posture) {
    double sf, cf, sd, cd;
    tr_sin_cos(posture->q[TR_WRIST_FLEXION], &sf, &cf);
    tr_sin_cos(posture->q[TR_WRIST_DEVIATION], &sd, &cd);
    double cosine = cf * cd, sine = sqrt(cosine * cosine < 1 ? 1 - cosine * cosine : 0);
    double over = tr_arc_tangent(sine, cosine) - EASY_BEND;
    return over > 0 ? BEND_WEIGHT * over * over : 0;
}

float tr_arm_comfort(const tr_arm *arm, const tr_posture *posture) {
    double cost = 0;
    for (int k = 0; k < TR_ARM_JOINTS; k++)
        cost += comfort_weight[k] * strain(posture->q[k], comfort_middle[k], arm->low.q[k], arm->high.q[k]);
    held it = hold(arm, posture);
    double off = turn_between(it.swivel, natural(&it)) / (TR_PI / 2);
    cost += SWIVEL_WEIGHT * off * off + bend_strain(posture);
    // The cost is linear from the first degree of help on: help that is not needed is not given.
    cost += 3 * fabs(posture->q[TR_WAIST_LEAN]) + 2 * fabs(posture->q[TR_WAIST_TURN]) +
            2 * fabs(posture->q[TR_COLLAR]);
    return (float)cost;
}

// The direction of the goal turned towards the forearm, by as much as its tolerance allows: the hand that
// bends the wrist least.
static void ease_direction(const tr_arm *arm, const tr_posture *posture, tr_arm_goal *goal) {
    tr_vec3 points[4];
    tr_arm_points(arm, posture, points);
    tr_vec3 forearm = tr_vec3_subtract(points[2], points[1]);
    float length = tr_vec3_length(forearm), size = tr_vec3_length(goal->direction);
    if (!(length > 0) || !(size > 0))
        return;
    tr_vec3 axis = tr_vec3_scale(goal->direction, 1 / size), along = tr_vec3_scale(forearm, 1 / length);
    tr_vec3 side = tr_vec3_cross(axis, along);
    double sine = (double)tr_vec3_length(side), cosine = (double)tr_vec3_dot(axis, along);
    double angle = tr_arc_tangent(sine, cosine), most = 0.98 * (double)goal->tolerance;
    if (sine > 1e-6)
        goal->direction = tr_quat_rotate(tr_quat_about(side, angle < most ? angle : most), axis);
}

float tr_arm_most_comfortable(const tr_arm *arm, const float help[TR_ARM_HELP], const tr_arm_goal *goal,
                              tr_posture *posture) {
    static const float straight[3] = {0, 0, 0};
    // From the natural swivel [rad].
    static const float turns[] = {0,      0.15f, -0.15f, 0.3f, -0.3f, 0.5f, -0.5f, 0.75f,
                                  -0.75f, 1.1f,  -1.1f,  1.6f, -1.6f, 2.2f, -2.2f, 3.1f};
    tr_arm_family family;
    float best = INFINITY;
    if (tr_arm_solve(arm, help, goal, &family) != TR_OK)
        return best;
    float natural_one = tr_arm_natural_swivel(arm, &family);
    for (uint32_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        float off = turns[i] / (float)(TR_PI / 2);
        if ((float)SWIVEL_WEIGHT * off * off >
            best) // the elbow alone costs more, if the natural swivel is within the limits
            break;
        for (uint32_t branch = 0; branch < (goal->kind == TR_ARM_GOAL_POSE ? 4 : 2); branch++) {
            tr_arm_goal eased = *goal, plain = {.kind = TR_ARM_GOAL_POSITION, .wrist = goal->wrist};
            tr_posture tried;
            float swivel = natural_one + turns[i];
            if (goal->kind == TR_ARM_GOAL_DIRECTION) {
                if (!tr_arm_family_at(arm, &family, &plain, swivel, branch, straight, &tried))
                    continue;
                ease_direction(arm, &tried, &eased);
            }
            if (!tr_arm_family_at(arm, &family, &eased, swivel, branch, straight, &tried))
                continue;
            float cost = tr_arm_comfort(arm, &tried);
            if (cost < best)
                best = cost, *posture = tried;
        }
    }
    return best;
}
