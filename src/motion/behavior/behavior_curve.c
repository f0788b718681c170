// Curves of a plan: through points, through nodes whose speed and acceleration are given, and whole postures
// through keys.
#include "behavior_parts.h"

// On [0, 1] with value, slope and second derivative at both ends.
static double quintic(double x, const double a[3], const double b[3]) {
    double way = b[0] - a[0], square = x * x, cube = square * x;
    double third = 10 * way - 6 * a[1] - 4 * b[1] - 1.5 * a[2] + 0.5 * b[2];
    double fourth = -15 * way + 8 * a[1] + 7 * b[1] + 1.5 * a[2] - b[2];
    double fifth = 6 * way - 3 * (a[1] + b[1]) - 0.5 * (a[2] - b[2]);
    return a[0] + a[1] * x + 0.5 * a[2] * square + cube * (third + fourth * x + fifth * square);
}

double tr_behavior_nodes_at(const tr_behavior_node *nodes, uint32_t count, double time) {
    uint32_t i = 0;
    if (count == 0)
        return 0;
    while (i + 2 < count && time >= nodes[i + 1].time)
        i++;
    const tr_behavior_node *from = &nodes[i], *to = &nodes[i + 1 < count ? i + 1 : i];
    double span = to->time - from->time, x = span > 0 ? (time - from->time) / span : 0;
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    const double a[3] = {from->value, from->speed * span, from->acceleration * span * span};
    const double b[3] = {to->value, to->speed * span, to->acceleration * span * span};
    return span > 0 ? quintic(x, a, b) : from->value;
}

static double time_of(const tr_behavior_curve *curve, uint32_t i) {
    return curve->points[i * curve->stride];
}

static double value_of(const tr_behavior_curve *curve, size_t field, uint32_t i) {
    return curve->points[i * curve->stride + 1 + field];
}

// Value, slope and second derivative of the parabola through a point and its neighbours.
static void point_of(const tr_behavior_curve *curve, size_t field, const double *slopes, uint32_t i,
                     double at[3]) {
    uint32_t last = curve->count - 1, middle = i == 0 ? 1 : i == last ? last - 1 : i;
    at[0] = value_of(curve, field, i);
    if (slopes && (i == 0 || i == last)) {
        at[1] = slopes[i > 0];
        at[2] = 0;
        return;
    }
    if (last < 2) {
        at[1] = at[2] = 0;
        return;
    }
    double before = time_of(curve, middle) - time_of(curve, middle - 1);
    double after = time_of(curve, middle + 1) - time_of(curve, middle);
    double first = (value_of(curve, field, middle) - value_of(curve, field, middle - 1)) / before;
    double second = (value_of(curve, field, middle + 1) - value_of(curve, field, middle)) / after;
    at[2] = 2 * (second - first) / (before + after);
    at[1] = (second * before + first * after) / (before + after);
    at[1] += at[2] * (time_of(curve, i) - time_of(curve, middle));
}

double tr_behavior_curve_at(const tr_behavior_curve *curve, size_t field, const double slopes[2],
                            double time) {
    uint32_t i = 0;
    while (i + 2 < curve->count && time >= time_of(curve, i + 1))
        i++;
    double a[3], b[3], span = time_of(curve, i + 1) - time_of(curve, i),
                       x = (time - time_of(curve, i)) / span;
    point_of(curve, field, slopes, i, a);
    point_of(curve, field, slopes, i + 1, b);
    a[1] *= span;
    b[1] *= span;
    a[2] *= span * span;
    b[2] *= span * span;
    return quintic(x < 0 ? 0 : x > 1 ? 1 : x, a, b);
}

#define FIRST_FIELD offsetof(tr_gait_state, left)
#define FIELDS ((offsetof(tr_gait_state, feet) - FIRST_FIELD) / sizeof(double))

void tr_behavior_keys_at(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    const tr_behavior_curve curve = {&plan->keys[0].time, sizeof plan->keys[0] / sizeof(double),
                                     plan->key_count};
    const double rest[2] = {0, 0};
    const size_t skipped = FIRST_FIELD / sizeof(double);
    double *values = &state->left;
    *state = (tr_gait_state){0};
    for (size_t i = 0; i < FIELDS; i++)
        values[i] = tr_behavior_curve_at(&curve, skipped + i, rest, time);
    if (plan->height_count > 0)
        state->up = tr_behavior_nodes_at(plan->heights, plan->height_count, time);
}

tr_gait_state *tr_behavior_add_key(tr_behavior_plan *plan, double time, const tr_behavior_posture_row *row) {
    tr_behavior_key *key = &plan->keys[plan->key_count++];
    *key = (tr_behavior_key){.time = time};
    key->state.tilt = row->tilt * TR_GAIT_DEGREE;
    key->state.chest_lean = row->lean * TR_GAIT_DEGREE;
    key->state.chest_yaw = -row->twist * TR_GAIT_DEGREE;
    key->state.yaw = 0.7 * row->twist * TR_GAIT_DEGREE;
    key->state.head_nod = row->nod * TR_GAIT_DEGREE;
    for (int side = 0; side < 2; side++)
        key->state.arms[side] =
            (tr_gait_arm){row->arms[side][0] * TR_GAIT_DEGREE, row->arms[side][1] * TR_GAIT_DEGREE,
                          row->arms[side][2] * TR_GAIT_DEGREE};
    return &key->state;
}

void tr_behavior_add_height(tr_behavior_plan *plan, double time, double value, double speed,
                            double acceleration) {
    plan->heights[plan->height_count++] = (tr_behavior_node){time, value, speed, acceleration};
}

void tr_behavior_forget(tr_behavior_plan *plan) {
    plan->ramp_count = plan->layer_count = plan->bump_count = plan->key_count = plan->height_count = 0;
    plan->stance_count[0] = plan->stance_count[1] = 0;
    plan->mass = (tr_behavior_mass){0};
    for (int side = 0; side < 2; side++) {
        plan->knees[side].count = plan->hands[side].count = 0;
    }
}
