// All postures with the wrist at a point.
//
// With n the direction from shoulder to wrist, m the direction of the elbow across it, and A the angle at the
// shoulder between upper arm and n, the columns of R1 are  n x m,  -cos A n - sin A m,  sin A n - cos A m.
// m turns about n with the swivel, so that R1 is linear in its cosine and sine; with a straight arm (A = 0)
// the upper arm turns about itself, by the same formula.
#include "arm_solve.h"

#include "troupe/base/scalar.h"

// A wrist this far out of reach counts as reached, and one this near to the limit as reached with a straight
// arm [m]: between these the bend is rounding noise, and a tiny circle would take all freedom from an arm
// that can turn about its line.
#define SLACK 1e-6

arm_trunk tr_arm_trunk(const tr_arm *arm, const float help[TR_ARM_HELP]) {
    double side = arm->side == TR_ARM_LEFT ? -1 : 1;
    arm_trunk trunk = {side,
                       {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                       {side * arm->shoulder.x, arm->shoulder.y, arm->shoulder.z}};
    bool helped = false;
    for (int k = TR_ARM_JOINTS; k < TR_ARM_ANGLES; k++)
        helped |= arm->low.q[k] != 0 || arm->high.q[k] != 0;
    if (!helped)
        return trunk;
    double sl, cl, st, ct, sc, cc;
    tr_sin_cos(help[0], &sl, &cl);
    tr_sin_cos(help[1], &st, &ct);
    tr_sin_cos(help[2], &sc, &cc);
    trunk.turn = (arm_matrix){{{ct, st * sl, st * cl}, {0, cl, -sl}, {-st, ct * sl, ct * cl}}};
    double x = side * ((double)arm->shoulder.x - arm->collar.x), z = (double)arm->shoulder.z - arm->collar.z;
    arm_vector waist = {side * arm->waist.x, arm->waist.y, arm->waist.z};
    arm_vector root = {cc * x + sc * z + side * arm->collar.x - waist.x, arm->shoulder.y - waist.y,
                       cc * z - sc * x + arm->collar.z - waist.z};
    trunk.shoulder = arm_add(waist, arm_turn(&trunk.turn, root));
    return trunk;
}

// By the inverse, not the transpose: a base is orthogonal only to float precision, and the wrist should be
// exact.
static arm_vector base_inverse(const tr_affine *base, arm_vector v) {
    arm_vector column[3];
    for (int k = 0; k < 3; k++)
        column[k] = (arm_vector){base->m[0][k], base->m[1][k], base->m[2][k]};
    arm_vector x = arm_cross(column[1], column[2]), y = arm_cross(column[2], column[0]),
               z = arm_cross(column[0], column[1]);
    double scale = 1 / arm_dot(column[0], x);
    return (arm_vector){scale * arm_dot(x, v), scale * arm_dot(y, v), scale * arm_dot(z, v)};
}

arm_vector tr_arm_to_trunk(const tr_arm *arm, const arm_trunk *trunk, tr_vec3 direction) {
    arm_vector v = base_inverse(&arm->base, (arm_vector){direction.x, direction.y, direction.z});
    v.x *= trunk->side;
    return arm_back(&trunk->turn, v);
}

static arm_vector shoulder_to_wrist(const tr_arm *arm, const arm_trunk *trunk, tr_vec3 wrist) {
    arm_vector v = {(double)wrist.x - arm->base.m[0][3], (double)wrist.y - arm->base.m[1][3],
                    (double)wrist.z - arm->base.m[2][3]};
    v = base_inverse(&arm->base, v);
    v.x = trunk->side * v.x;
    return arm_back(&trunk->turn, arm_add(v, arm_scale(trunk->shoulder, -1)));
}

static tr_vec3 trunk_to_base(const arm_trunk *trunk, arm_vector v) {
    v = arm_turn(&trunk->turn, v);
    return tr_vec3_make((float)(trunk->side * v.x), (float)v.y, (float)v.z);
}

void tr_arm_circle_axes(arm_vector n, arm_vector *low, arm_vector *out) {
    // The part of (0, -1, 0) across n; of (-1, 0, 0), outwards, if n is vertical.
    arm_vector across = {n.x * n.y, n.y * n.y - 1, n.z * n.y};
    double level = n.x * n.x + n.z * n.z;
    if (level < 1e-10) {
        across = (arm_vector){n.x * n.x - 1, n.x * n.y, n.x * n.z};
        level = arm_dot(across, across);
    }
    *low = arm_scale(across, 1 / sqrt(level));
    *out = arm_cross(*low, n);
}

// The bend that puts the wrist at distance `d`, and the angle at the shoulder.
typedef struct triangle {
    double d, elbow_c, elbow_s, c, s;
} triangle;

// Far from the origin the goal itself is only as exact as its last digits.
double tr_arm_slack(tr_vec3 wrist) {
    double most =
        fabs((double)wrist.x) > fabs((double)wrist.y) ? fabs((double)wrist.x) : fabs((double)wrist.y);
    most = fabs((double)wrist.z) > most ? fabs((double)wrist.z) : most;
    return 2e-7 * most > SLACK ? 2e-7 * most : SLACK;
}

static tr_arm_reason find_triangle(const tr_arm *arm, double d, double slack, triangle *found) {
    double a = arm->length[0], b = arm->length[1], squares = a * a + b * b, twice = 2 * a * b, s, least, most;
    tr_sin_cos(arm->low.q[TR_ELBOW_FLEXION], &s, &most);
    tr_sin_cos(arm->high.q[TR_ELBOW_FLEXION], &s, &least);
    double furthest = sqrt(squares + twice * most), nearest = squares + twice * least;
    nearest = nearest > 0 ? sqrt(nearest) : 0;
    if (d > furthest + slack)
        return TR_ARM_TOO_FAR;
    if (d < nearest - slack)
        return TR_ARM_TOO_NEAR;
    d = d > furthest - slack ? furthest : d < nearest ? nearest : d;
    double c = (d * d - squares) / twice;
    c = c > most ? most : c < least ? least : c;
    c = c > 1 ? 1 : c < -1 ? -1 : c;
    found->d = d;
    found->elbow_c = c;
    found->elbow_s = sqrt((1 - c) * (1 + c));
    // A wrist in the shoulder has no direction, and the angle there is a right angle.
    found->c = d > SLACK ? (a + b * c) / d : 0;
    found->s = d > SLACK ? b * found->elbow_s / d : 1;
    double unit = 1 / sqrt(found->c * found->c + found->s * found->s);
    found->c *= unit;
    found->s *= unit;
    return TR_ARM_REACHES;
}

// R1 = [0] + cos(swivel) [1] + sin(swivel) [2], entries [row][column]; X1 = n x m = sin low - cos out.
static void shoulder_matrices(arm_vector n, arm_vector low, arm_vector out, const triangle *bend,
                              arm_matrix rows[3]) {
    const double along[3] = {n.x, n.y, n.z}, down[3] = {low.x, low.y, low.z}, side[3] = {out.x, out.y, out.z};
    double c = bend->c, s = bend->s;
    for (int i = 0; i < 3; i++) {
        double entries[3][3] = {{0, -c * along[i], s * along[i]},
                                {-side[i], -s * down[i], -c * down[i]},
                                {down[i], -s * side[i], -c * side[i]}};
        for (int k = 0; k < 3; k++)
            for (int column = 0; column < 3; column++)
                rows[k].m[i][column] = entries[k][column];
    }
}

static arm_linear entry(const arm_matrix rows[3], int i, int j, double sign) {
    return (arm_linear){{sign * rows[0].m[i][j], sign * rows[1].m[i][j], sign * rows[2].m[i][j]}};
}

static bool is_nothing(const arm_linear pair[2]) {
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += fabs(pair[k / 3].k[k % 3]);
    return sum < 1e-6;
}

// R1 = Rx(-flexion) Rz(-abduction) Ry(rotation).
static arm_triple shoulder_triple(const tr_arm *arm, const arm_matrix rows[3]) {
    const float *low = arm->low.q, *high = arm->high.q;
    arm_triple triple = {.middle = entry(rows, 0, 1, 1),
                         .first = {entry(rows, 1, 1, 1), entry(rows, 2, 1, -1)},
                         .last = {entry(rows, 0, 0, 1), entry(rows, 0, 2, 1)}};
    triple.bands = tr_arm_bands(low[TR_SHOULDER_ABDUCTION], high[TR_SHOULDER_ABDUCTION]);
    triple.first_arc = tr_arm_arc(low[TR_SHOULDER_FLEXION], high[TR_SHOULDER_FLEXION]);
    triple.last_arc = tr_arm_arc(low[TR_SHOULDER_ROTATION], high[TR_SHOULDER_ROTATION]);
    if (is_nothing(triple.first) && is_nothing(triple.last)) {
        // A straight arm, horizontal and sideways: only rotation - flexion (inwards: rotation + flexion) is
        // known.
        double up = triple.middle.k[0] > 0 ? 1 : -1;
        triple.last[0] = entry(rows, 1, 0, -up);
        triple.last[1] = entry(rows, 2, 0, -1);
        double from = up > 0 ? -(double)high[TR_SHOULDER_FLEXION] : low[TR_SHOULDER_FLEXION],
               to = up > 0 ? -(double)low[TR_SHOULDER_FLEXION] : high[TR_SHOULDER_FLEXION];
        triple.last_arc = tr_arm_arc(low[TR_SHOULDER_ROTATION] + from, high[TR_SHOULDER_ROTATION] + to);
        triple.first_arc.all = true;
        triple.last_alone = true;
    }
    return triple;
}

// H = Ry(pronation) Rx(flexion) Rz(deviation).
static arm_triple hand_triple(const tr_arm *arm, const arm_matrix rows[3]) {
    const float *low = arm->low.q, *high = arm->high.q;
    arm_triple triple = {.middle = entry(rows, 1, 2, -1),
                         .first = {entry(rows, 2, 2, 1), entry(rows, 0, 2, 1)},
                         .last = {entry(rows, 1, 1, 1), entry(rows, 1, 0, 1)}};
    triple.bands = tr_arm_bands(low[TR_WRIST_FLEXION], high[TR_WRIST_FLEXION]);
    triple.first_arc = tr_arm_arc(low[TR_FOREARM_PRONATION], high[TR_FOREARM_PRONATION]);
    triple.last_arc = tr_arm_arc(low[TR_WRIST_DEVIATION], high[TR_WRIST_DEVIATION]);
    return triple;
}

// The goal's rotation in the trunk's axes, relative to R2 = R1 Rx(-elbow): H = inverse of R2, times the goal.
static void hand_matrices(const tr_arm *arm, const arm_trunk *trunk, const triangle *bend, tr_quat rotation,
                          const arm_matrix shoulder[3], arm_matrix rows[3]) {
    arm_vector goal[3];
    for (int k = 0; k < 3; k++) {
        tr_vec3 axis = {k == 0, k == 1, k == 2};
        goal[k] = tr_arm_to_trunk(arm, trunk, tr_quat_rotate(rotation, axis));
    }
    goal[0] = arm_scale(goal[0], trunk->side);
    double ce = bend->elbow_c, se = bend->elbow_s;
    for (int k = 0; k < 3; k++) {
        const double(*m)[3] = shoulder[k].m;
        arm_vector x = {m[0][0], m[1][0], m[2][0]}, y = {m[0][1], m[1][1], m[2][1]},
                   z = {m[0][2], m[1][2], m[2][2]};
        arm_vector axis[3] = {x, arm_add(arm_scale(y, ce), arm_scale(z, -se)),
                              arm_add(arm_scale(y, se), arm_scale(z, ce))};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                rows[k].m[i][j] = arm_dot(axis[i], goal[j]);
    }
}

static void keep_rows(const arm_matrix rows[3], float kept[3][3][3]) {
    for (int k = 0; k < 27; k++)
        kept[k / 9][k / 3 % 3][k % 3] = (float)rows[k / 9].m[k / 3 % 3][k % 3];
}

// Which pieces between roots keep all limits, for each branch of shoulder and wrist. Returns whether any
// keeps those of the shoulder.
static bool test_pieces(const arm_triple *shoulder, const arm_triple *hand, const arm_roots *roots,
                        bool kept[4][ARM_ROOTS_MAX]) {
    bool any = false;
    for (uint32_t k = 0; k < (roots->count ? roots->count : 1); k++) {
        double c, s;
        tr_arm_roots_middle(roots, k, &c, &s);
        bool held[2] = {tr_arm_triple_holds(shoulder, c, s, 0), tr_arm_triple_holds(shoulder, c, s, 1)};
        bool some = held[0] || held[1];
        any |= some;
        for (uint32_t wrist = 0; wrist < (hand ? 2 : 1); wrist++) {
            bool turns = some && (!hand || tr_arm_triple_holds(hand, c, s, wrist));
            kept[2 * wrist][k] = turns && held[0];
            kept[2 * wrist + 1][k] = turns && held[1];
        }
    }
    return any;
}

static void collect_ranges(const arm_triple *shoulder, const arm_triple *hand, tr_arm_family *family) {
    arm_roots roots;
    roots.count = 0;
    tr_arm_triple_roots(shoulder, &roots);
    if (hand)
        tr_arm_triple_roots(hand, &roots);
    tr_arm_roots_sort(&roots);
    bool kept[4][ARM_ROOTS_MAX], any = test_pieces(shoulder, hand, &roots, kept);
    for (uint32_t branch = 0; branch < (hand ? 4 : 2); branch++)
        family->range_count +=
            tr_arm_roots_join(&roots, kept[branch], branch, family->ranges + family->range_count,
                              TR_ARM_RANGES_MAX - family->range_count);
    if (family->range_count == 0)
        family->reason = any ? TR_ARM_HAND_LIMITS : TR_ARM_LIMITS;
}

static bool is_quat(tr_quat q) {
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square > 1e-12f && square < 1e12f;
}

static bool goal_is_valid(const tr_arm_goal *goal, const float help[TR_ARM_HELP]) {
    if (!tr_vec3_is_finite(goal->wrist) || !isfinite(help[0]) || !isfinite(help[1]) || !isfinite(help[2]))
        return false;
    if (goal->kind == TR_ARM_GOAL_POSE)
        return is_quat(goal->rotation);
    if (goal->kind == TR_ARM_GOAL_DIRECTION) {
        float square = tr_vec3_dot(goal->direction, goal->direction);
        return square > 0 && isfinite(square);
    }
    return goal->kind == TR_ARM_GOAL_POSITION;
}

// The circle in the world.
static void keep_circle(const tr_arm *arm, const arm_trunk *trunk, const triangle *bend,
                        const arm_vector axes[3], tr_arm_family *family) {
    double reach = arm->length[0] * bend->c;
    arm_vector centre = arm_add(trunk->shoulder, arm_turn(&trunk->turn, arm_scale(axes[0], reach)));
    family->centre = tr_affine_apply(
        &arm->base, tr_vec3_make((float)(trunk->side * centre.x), (float)centre.y, (float)centre.z));
    family->low = tr_affine_turn(&arm->base, trunk_to_base(trunk, axes[1]));
    family->out = tr_affine_turn(&arm->base, trunk_to_base(trunk, axes[2]));
    family->radius = (float)(arm->length[0] * bend->s);
    family->elbow = (float)tr_arc_tangent(bend->elbow_s, bend->elbow_c);
}

tr_status tr_arm_solve(const tr_arm *arm, const float help[TR_ARM_HELP], const tr_arm_goal *goal,
                       tr_arm_family *family) {
    family->reason = TR_ARM_LIMITS;
    family->range_count = 0;
    family->radius = -1; // no circle yet
    if (!goal_is_valid(goal, help))
        return TR_INVALID;
    for (int k = 0; k < TR_ARM_HELP; k++)
        family->help[k] = help[k];
    arm_trunk trunk = tr_arm_trunk(arm, help);
    arm_vector t = shoulder_to_wrist(arm, &trunk, goal->wrist);
    double d = sqrt(arm_dot(t, t));
    if (!isfinite(d))
        return TR_INVALID;
    triangle bend;
    family->reason = find_triangle(arm, d, tr_arm_slack(goal->wrist), &bend);
    if (family->reason != TR_ARM_REACHES)
        return TR_NOT_FOUND;
    arm_vector axes[3] = {{0, -1, 0}, {0, 0, 0}, {0, 0, 0}};
    if (d > 1e-9)
        axes[0] = arm_scale(t, 1 / d);
    tr_arm_circle_axes(axes[0], &axes[1], &axes[2]);
    keep_circle(arm, &trunk, &bend, axes, family);
    arm_matrix rows[3], hand_rows[3];
    shoulder_matrices(axes[0], axes[1], axes[2], &bend, rows);
    keep_rows(rows, family->shoulder_rows);
    arm_triple shoulder = shoulder_triple(arm, rows), hand;
    bool posed = goal->kind == TR_ARM_GOAL_POSE;
    if (posed) {
        hand_matrices(arm, &trunk, &bend, tr_quat_normalize(goal->rotation), rows, hand_rows);
        keep_rows(hand_rows, family->hand_rows);
        hand = hand_triple(arm, hand_rows);
    }
    collect_ranges(&shoulder, posed ? &hand : NULL, family);
    return family->range_count ? TR_OK : TR_NOT_FOUND;
}
