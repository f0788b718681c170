// The angles of one posture with the wrist at a point.
#include "arm_solve.h"

#include "troupe/base/scalar.h"

#define TOLERANCE 1e-4 // of limits [rad]
#define LOCKED 1e-6    // on the cosine of a middle angle: its neighbours turn about the same line

arm_matrix tr_arm_rows_at(const float rows[3][3][3], double c, double s) {
    arm_matrix at;
    for (int k = 0; k < 9; k++) {
        int i = k / 3, j = k % 3;
        at.m[i][j] = rows[0][i][j] + c * rows[1][i][j] + s * rows[2][i][j];
    }
    return at;
}

// The angle, or the same angle plus or minus a turn, clamped to its limits; false: it is too far out.
static bool clamp_angle(const tr_arm *arm, tr_arm_angle joint, double tolerance, double *angle) {
    double low = arm->low.q[joint], high = arm->high.q[joint], at = *angle;
    at = at < low - tolerance ? at + 2 * TR_PI : at > high + tolerance ? at - 2 * TR_PI : at;
    *angle = at < low ? low : at > high ? high : at;
    return at >= low - tolerance && at <= high + tolerance;
}

static bool fit(const tr_arm *arm, tr_arm_angle joint, double angle, tr_posture *posture) {
    bool fits = clamp_angle(arm, joint, TOLERANCE, &angle);
    posture->q[joint] = (float)angle;
    return fits;
}

// If first and last angle turn about the same line, only last - slope * first = `both` is known: the first
// angle nearest to 0 that leaves both within their limits.
static double share(const tr_arm *arm, tr_arm_angle first, tr_arm_angle last, double both, double slope) {
    double best = 0;
    bool found = false;
    for (int turn = -2; turn <= 2; turn++) {
        double from = slope * (arm->low.q[last] - both - turn * 2 * TR_PI),
               to = slope * (arm->high.q[last] - both - turn * 2 * TR_PI);
        double low = slope > 0 ? from : to, high = slope > 0 ? to : from;
        low = low > arm->low.q[first] ? low : arm->low.q[first];
        high = high < arm->high.q[first] ? high : arm->high.q[first];
        if (low > high + TOLERANCE)
            continue;
        double near = low > 0 ? low : high < 0 ? high : 0;
        if (!found || fabs(near) < fabs(best))
            best = near;
        found = true;
    }
    return best;
}

// The first and the last of three angles. If the middle one is near a right angle, these two turn about
// nearly the same line, and each alone is ill-conditioned: the last is computed with the first undone, and
// what is clamped off one of them is given to the other, so that both together are right.
typedef struct neighbours {
    tr_arm_angle first, last;
    double c, s;        // of the first, times the cosine of the middle one
    double middle;      // sine
    double cross[2][2]; // sine and cosine of the last, from sine and cosine of the first
} neighbours;

static double last_angle(const neighbours *it, double s, double c) {
    return tr_arc_tangent(s * it->cross[0][0] + c * it->cross[0][1],
                          s * it->cross[1][0] + c * it->cross[1][1]);
}

static bool fit_neighbours(const tr_arm *arm, const neighbours *it, double flat, tr_posture *posture) {
    double first, last, s, c, tolerance = TOLERANCE + 2e-7 / (flat > LOCKED ? flat : LOCKED);
    if (flat > LOCKED)
        first = tr_arc_tangent(it->s, it->c);
    else
        first = share(arm, it->first, it->last, last_angle(it, 0, 1), it->middle > 0 ? 1 : -1);
    if (!clamp_angle(arm, it->first, tolerance, &first))
        return false;
    tr_sin_cos(first, &s, &c);
    double told = last = last_angle(it, s, c);
    if (!clamp_angle(arm, it->last, tolerance, &last))
        return false;
    double cut = last - told;
    cut = cut > TR_PI ? cut - 2 * TR_PI : cut < -TR_PI ? cut + 2 * TR_PI : cut;
    posture->q[it->last] = (float)last;
    posture->q[it->first] = (float)(first + it->middle * cut);
    return true;
}

// R1 = Rx(-flexion) Rz(-abduction) Ry(rotation).
static bool shoulder_angles(const tr_arm *arm, const arm_matrix *r, uint32_t branch, tr_posture *posture) {
    const double(*m)[3] = r->m;
    double sign = branch & 1 ? -1 : 1, flat = sqrt(m[1][1] * m[1][1] + m[2][1] * m[2][1]);
    neighbours it = {.first = TR_SHOULDER_FLEXION,
                     .last = TR_SHOULDER_ROTATION,
                     .c = sign * m[1][1],
                     .s = -sign * m[2][1],
                     .middle = m[0][1],
                     .cross = {{-m[1][0], -m[2][0]}, {m[1][2], m[2][2]}}};
    return fit(arm, TR_SHOULDER_ABDUCTION, tr_arc_tangent(m[0][1], sign * flat), posture) &&
           fit_neighbours(arm, &it, flat, posture);
}

// H = Ry(pronation) Rx(flexion) Rz(deviation).
static bool hand_angles(const tr_arm *arm, const arm_matrix *h, uint32_t branch, tr_posture *posture) {
    const double(*m)[3] = h->m;
    double sign = branch & 2 ? -1 : 1, flat = sqrt(m[2][2] * m[2][2] + m[0][2] * m[0][2]);
    neighbours it = {.first = TR_FOREARM_PRONATION,
                     .last = TR_WRIST_DEVIATION,
                     .c = sign * m[2][2],
                     .s = sign * m[0][2],
                     .middle = -m[1][2],
                     .cross = {{m[2][1], -m[0][1]}, {-m[2][0], m[0][0]}}};
    return fit(arm, TR_WRIST_FLEXION, tr_arc_tangent(-m[1][2], sign * flat), posture) &&
           fit_neighbours(arm, &it, flat, posture);
}

// Ry(-pronation) d = (sin deviation, -cos flexion cos deviation, -sin flexion cos deviation).
static arm_triple pointing_triple(const tr_arm *arm, arm_vector d) {
    const float *low = arm->low.q, *high = arm->high.q;
    arm_triple triple = {.middle = {{0, d.x, -d.z}},
                         .first = {{{-d.y, 0, 0}}, {{0, -d.z, -d.x}}},
                         .last = {{{0, 1, 0}}, {{0, 0, 1}}},
                         .last_alone = true};
    triple.bands = tr_arm_bands(low[TR_WRIST_DEVIATION], high[TR_WRIST_DEVIATION]);
    triple.first_arc = tr_arm_arc(low[TR_WRIST_FLEXION], high[TR_WRIST_FLEXION]);
    triple.last_arc = tr_arm_arc(low[TR_FOREARM_PRONATION], high[TR_FOREARM_PRONATION]);
    return triple;
}

static bool point_with(const tr_arm *arm, arm_vector d, double pronation, tr_posture *posture) {
    double s, c;
    tr_sin_cos(pronation, &s, &c);
    double across = c * d.x - s * d.z, ahead = -(s * d.x + c * d.z), flat = sqrt(d.y * d.y + ahead * ahead);
    for (double sign = 1; sign >= -1; sign -= 2)
        if (fit(arm, TR_FOREARM_PRONATION, pronation, posture) &&
            fit(arm, TR_WRIST_FLEXION, tr_arc_tangent(sign * ahead, -sign * d.y), posture) &&
            fit(arm, TR_WRIST_DEVIATION, tr_arc_tangent(across, sign * flat), posture))
            return true;
    return false;
}

// The pronation nearest to `wish` that lets the hand point along `d` is `wish` itself or an end of a range.
static bool point_hand(const tr_arm *arm, arm_vector d, float wish, tr_posture *posture) {
    float low = arm->low.q[TR_FOREARM_PRONATION], high = arm->high.q[TR_FOREARM_PRONATION];
    wish = !(wish > low) ? low : wish > high ? high : wish;
    if (point_with(arm, d, wish, posture))
        return true;
    arm_triple triple = pointing_triple(arm, d);
    arm_roots roots;
    roots.count = 0;
    tr_arm_triple_roots(&triple, &roots);
    tr_arm_roots_sort(&roots);
    double best = INFINITY, least = INFINITY;
    for (uint32_t branch = 0; branch < 2; branch++) {
        bool kept[ARM_ROOTS_MAX];
        for (uint32_t k = 0; k < roots.count; k++) {
            double c, s;
            tr_arm_roots_middle(&roots, k, &c, &s);
            kept[k] = tr_arm_triple_holds(&triple, c, s, branch);
        }
        tr_arm_range ranges[ARM_ROOTS_MAX];
        uint32_t count = roots.count ? tr_arm_roots_join(&roots, kept, branch, ranges, ARM_ROOTS_MAX) : 0;
        for (uint32_t k = 0; k < 2 * count; k++) {
            double end = k & 1 ? ranges[k / 2].high : ranges[k / 2].low;
            end = end > high + TOLERANCE ? end - 2 * TR_PI : end < low - TOLERANCE ? end + 2 * TR_PI : end;
            if (fabs(end - wish) < least) {
                least = fabs(end - wish);
                best = end;
            }
        }
    }
    return least < INFINITY && point_with(arm, d, best, posture);
}

// The forearm's axes: R2 = R1 Rx(-elbow).
static arm_vector to_forearm(const arm_matrix *r1, double elbow, arm_vector v) {
    double s, c;
    tr_sin_cos(elbow, &s, &c);
    arm_vector in = arm_back(r1, v);
    return (arm_vector){in.x, c * in.y - s * in.z, s * in.y + c * in.z};
}

static bool turn_hand(const tr_arm *arm, const tr_arm_family *family, const tr_arm_goal *goal,
                      const arm_matrix *r1, double c, double s, uint32_t branch, const float hand[3],
                      tr_posture *posture) {
    if (goal->kind == TR_ARM_GOAL_POSE) {
        arm_matrix h = tr_arm_rows_at(family->hand_rows, c, s);
        return hand_angles(arm, &h, branch, posture);
    }
    if (goal->kind == TR_ARM_GOAL_DIRECTION) {
        arm_trunk trunk = tr_arm_trunk(arm, family->help);
        arm_vector d = to_forearm(r1, family->elbow, tr_arm_to_trunk(arm, &trunk, goal->direction));
        double length = sqrt(arm_dot(d, d));
        return length > 0 && length < INFINITY && point_hand(arm, arm_scale(d, 1 / length), hand[0], posture);
    }
    for (int k = 0; k < 3; k++)
        posture->q[TR_FOREARM_PRONATION + k] = hand[k];
    return true;
}

bool tr_arm_family_at(const tr_arm *arm, const tr_arm_family *family, const tr_arm_goal *goal, float swivel,
                      uint32_t branch, const float hand[3], tr_posture *posture) {
    double s, c;
    tr_sin_cos(swivel, &s, &c);
    if (!(family->radius >= 0) || isnan(s))
        return false;
    tr_posture found;
    for (int k = 0; k < TR_ARM_HELP; k++)
        if (!fit(arm, (tr_arm_angle)(TR_ARM_JOINTS + k), family->help[k], &found))
            return false;
    arm_matrix r1 = tr_arm_rows_at(family->shoulder_rows, c, s);
    if (!shoulder_angles(arm, &r1, branch, &found) || !fit(arm, TR_ELBOW_FLEXION, family->elbow, &found) ||
        !turn_hand(arm, family, goal, &r1, c, s, branch, hand, &found))
        return false;
    *posture = tr_arm_clamp(arm, found);
    return true;
}
