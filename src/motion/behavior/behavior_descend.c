// Down from a block. A low one: the left foot goes to the edge and bends, the right one comes down, the left
// one follows. A high one: both feet at the edge, a crouch, and a fall into both knees.
#include "behavior_parts.h"

#define DEGREE TR_GAIT_DEGREE
#define EDGE 0.60   // from where the body stands to the edge, for a body of 1.75 m [m]
#define BEYOND 0.78 // from the edge to where it stands in the end
#define LEAP 0.58   // the same for who leaps
#define ROUNDS 3
#define LONGEST 0.42 // flight [s]
#define TOES 0.20    // from the edge back to the ankles

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

typedef struct descent {
    double scale, slow, height, edge;
    double step[2], strike[2]; // the first foot, then the second one, leave and come down
} descent;

static tr_gait_plant flat(const tr_behavior_plan *plan, uint32_t side, double ankle, double begin,
                          double end) {
    tr_gait_plant plant = tr_gait_stand_plant(plan->rig, side, 0, 0, 0);
    plant.z = ankle + (double)plan->rig->heel[side].z;
    plant.begin = begin;
    plant.end = end;
    return plant;
}

static tr_behavior_stance *add(tr_behavior_plan *plan, uint32_t side, tr_gait_plant plant, double ground) {
    tr_behavior_stance *stance = tr_behavior_add_stance(plan, side, plant);
    stance->y = ground;
    return stance;
}

static tr_behavior_via via(const tr_behavior_plan *plan, uint32_t side, double time, double z, double y,
                           double pitch) {
    double x = (double)(plan->rig->hips_rest.x + plan->rig->hip_offset[side].x);
    return (tr_behavior_via){time, 1.05 * x, y, z, 0, pitch * DEGREE, 0};
}

static void add_key(tr_behavior_plan *plan, double time, double z, double up, double left,
                    const tr_behavior_posture_row *row) {
    tr_gait_state *state = tr_behavior_add_key(plan, time, row);
    state->up = up;
    state->ahead = z - tr_behavior_base(plan, time).z;
    state->left = left * plan->rig->scale;
}

static void begin(tr_behavior_plan *plan, descent *d) {
    d->scale = plan->rig->scale;
    d->slow = sqrt(d->scale);
    d->height = plan->height;
    d->edge = EDGE * d->scale;
}

static void lay_out(tr_behavior_plan *plan, const descent *d, double beyond, double from, double to) {
    tr_behavior_forget(plan);
    plan->stands_before = plan->stands_after = true;
    plan->begin_label = plan->end_label = TR_BEHAVIOR_CLIP_STANDS;
    double way = d->edge + beyond * d->scale, ramp = 0.45 * (to - from), speed = way / (to - from - ramp);
    tr_behavior_add_ramp(plan, from, from + ramp, speed);
    tr_behavior_add_ramp(plan, to - ramp, to, -speed);
    plan->exit.place = tr_behavior_base(plan, plan->duration);
    plan->exit.place.y = -d->height;
    plan->action = tr_behavior_time_over(plan, d->edge);
    tr_behavior_add_layer(plan, (tr_behavior_layer){.posture = TR_BEHAVIOR_STANDS});
}

// ------------------------------------------------------------------------------------------------- step down

// Down from a low block.
typedef struct step_down {
    double s, slow, h, edge;       // scale, its root, height of the block, where its edge is
    double deep;                   // [0, 1]
    double near_strike, off, down; // the left foot is at the edge; the right one leaves, comes down
    double follow, next, close;    // the left foot leaves, comes down; the right one is beside it
} step_down;

// The left foot goes to the edge, and on when the other one is down.
static void add_left(tr_behavior_plan *plan, const step_down *d) {
    double s = d->s, slow = d->slow, h = d->h;
    tr_gait_plant stands = tr_gait_stand_plant(plan->rig, 0, 0, 0, 0);
    stands.end = 0.22 * slow;
    stands.push = 20 * DEGREE;
    stands.push_time = 0.18 * slow;
    tr_behavior_add_stance(plan, 0, stands)->lift = 0.05 * s;
    tr_gait_plant near_foot = flat(plan, 0, d->edge - TOES * s, d->near_strike, d->follow);
    near_foot.strike = 6 * DEGREE;
    near_foot.strike_time = 0.10 * slow;
    near_foot.push = 56 * DEGREE;
    near_foot.push_time = 0.6 * slow;
    tr_behavior_stance *left = tr_behavior_add_stance(plan, 0, near_foot);
    double span = d->next - d->follow;
    left->via_count = 3;
    left->clears = true;
    left->vias[0] = via(plan, 0, d->follow + 0.28 * span, d->edge - 0.02 * s, 0.20 * s, -48);
    left->vias[1] = via(plan, 0, d->follow + 0.52 * span, d->edge + 0.26 * s, 0.16 * s - 0.3 * h, -40);
    left->vias[2] = via(plan, 0, d->follow + 0.80 * span, d->edge + 0.60 * s, 0.14 * s - h, -2);
    tr_gait_plant rest = tr_gait_stand_plant(plan->rig, 0, 0, plan->exit.place.z, 0);
    rest.begin = d->next;
    rest.strike = 4 * DEGREE;
    rest.strike_time = 0.08 * slow;
    add(plan, 0, rest, -h);
}

// The right one goes over it and down onto its ball.
static void add_right(tr_behavior_plan *plan, const step_down *d) {
    double s = d->s, slow = d->slow, h = d->h, deep = d->deep, span = d->down - d->off;
    tr_gait_plant other = tr_gait_stand_plant(plan->rig, 1, 0, 0, 0);
    other.end = d->off;
    other.push = 36 * DEGREE;
    other.push_time = 0.28 * slow;
    tr_behavior_stance *right = tr_behavior_add_stance(plan, 1, other);
    right->via_count = 3;
    right->clears = true;
    right->vias[0] = via(plan, 1, d->off + 0.30 * span, d->edge - 0.20 * s, 0.16 * s, -16);
    right->vias[1] = via(plan, 1, d->off + 0.56 * span, d->edge + 0.20 * s, 0.14 * s, -20);
    right->vias[2] =
        via(plan, 1, d->off + 0.84 * span, d->edge + 0.44 * s, 0.20 * s - mix(0.4, 0.75, deep) * h, -30);
    tr_gait_plant lands = flat(plan, 1, d->edge + 0.42 * s, d->down, d->next + 0.06 * slow);
    lands.strike = -18 * DEGREE;
    lands.strike_time = 0.10 * slow;
    lands.push = 34 * DEGREE;
    lands.push_time = 0.26 * slow;
    add(plan, 1, lands, -h)->lift = 0.05 * s;
    tr_gait_plant beside = tr_gait_stand_plant(plan->rig, 1, 0, plan->exit.place.z, 0);
    beside.begin = d->close;
    beside.strike = 3 * DEGREE;
    beside.strike_time = 0.08 * slow;
    add(plan, 1, beside, -h);
}

static void add_postures(tr_behavior_plan *plan, const step_down *d) {
    double s = d->s, slow = d->slow, h = d->h, deep = d->deep;
    const tr_behavior_posture_row near_row = {5, 8, -2, 8, {{-8, 10, 18}, {12, 10, 20}}};
    const tr_behavior_posture_row sinks = {
        mix(12, 20, deep), mix(20, 32, deep), 2, 16, {{18, 18, 30}, {-10, 20, 24}}};
    const tr_behavior_posture_row touches = {
        mix(10, 18, deep), mix(16, 28, deep), 3, 12, {{22, 20, 30}, {-14, 22, 26}}};
    const tr_behavior_posture_row bears = {10, 18, -2, 8, {{-6, 14, 24}, {12, 14, 26}}};
    const tr_behavior_posture_row ends = {3, 6, 0, 3, {{4, 8, 16}, {6, 8, 16}}};
    add_key(plan, d->near_strike, d->edge - (TOES + 0.06) * s, -0.03 * s, 0.02, &near_row);
    add_key(plan, mix(d->off, d->down, 0.55), d->edge - 0.10 * s, mix(-0.08, -0.16, deep) * s, 0.05, &sinks);
    add_key(plan, d->down, d->edge + mix(0.24, 0.17, deep) * s, 0.03 * s - h, 0.02, &touches);
    add_key(plan, d->down + 0.24 * slow, d->edge + 0.46 * s, -0.075 * s - h, -0.03, &bears);
    add_key(plan, d->next, plan->exit.place.z - 0.10 * s, -0.02 * s - h, 0, &ends);
    tr_behavior_add_layer(
        plan, (tr_behavior_layer){.begin = 0.02 * slow, .end = d->near_strike, .posture = TR_BEHAVIOR_KEYED});
    tr_behavior_add_layer(plan, (tr_behavior_layer){.begin = d->next - 0.1 * slow,
                                                    .end = plan->duration,
                                                    .posture = TR_BEHAVIOR_STANDS,
                                                    .ground = -h});
}

void tr_behavior_plan_step_down(tr_behavior_plan *plan) {
    descent from;
    begin(plan, &from);
    double slow = from.slow;
    step_down d = {.s = from.scale, .slow = slow, .h = from.height, .edge = from.edge};
    d.deep = (d.h / d.s - 0.2) / 0.25;
    d.near_strike = 0.64 * slow;
    d.off = d.near_strike + 0.10 * slow;
    d.down = d.off + 0.78 * slow;
    d.follow = d.down + 0.01 * slow;
    d.next = d.follow + 0.60 * slow;
    d.close = d.next + 0.44 * slow;
    plan->duration = tr_behavior_whole(plan, d.close + 0.30 * slow);
    lay_out(plan, &from, BEYOND, 0.05 * slow, d.close + 0.05 * slow);
    add_left(plan, &d);
    add_right(plan, &d);
    add_postures(plan, &d);
}

// ----------------------------------------------------------------------------------------------------- leap

typedef struct leap {
    double steps[2][2];                // when the feet go to the edge: leave, strike
    double deep, off, land, low, rest; // times: of the crouch; of the flight; when the knees are bent most
    double high_off, high_land;        // hips at the ends of the flight, above standing on the block
    double flight;
} leap;

static void set_leap(tr_behavior_plan *plan, const descent *d, leap *l) {
    double slow = d->slow, fall = l->high_off - l->high_land;
    l->steps[0][0] = 0.20 * slow, l->steps[0][1] = 0.60 * slow;
    l->steps[1][0] = 0.70 * slow, l->steps[1][1] = 1.08 * slow;
    l->deep = 1.36 * slow;
    l->off = 1.58 * slow;
    l->flight = sqrt(2 * fall / TR_BEHAVIOR_GRAVITY);
    l->land = l->off + l->flight;
    l->low = l->land + 0.25 * slow;
    // The same for blocks of all heights, so that what is in between can be mixed.
    l->rest = l->off + (LONGEST + 1.15) * slow;
    plan->duration = tr_behavior_whole(plan, l->rest + 0.2 * slow);
}

static void add_leap_heights(tr_behavior_plan *plan, const descent *d, const leap *l) {
    double s = d->scale, gravity = TR_BEHAVIOR_GRAVITY, speed = gravity * l->flight;
    tr_behavior_add_height(plan, 0, 0, 0, 0);
    tr_behavior_add_height(plan, l->steps[1][1], -0.07 * s, -0.25 * sqrt(s), 0);
    tr_behavior_add_height(plan, l->deep, l->high_off - 0.07 * s, 0, 0);
    tr_behavior_add_height(plan, l->off, l->high_off, 0, -gravity);
    tr_behavior_add_height(plan, l->land, l->high_land, -speed, -gravity);
    tr_behavior_add_height(plan, l->low, l->high_land - 0.36 * speed * (l->low - l->land), 0,
                           0.6 * speed / (l->low - l->land));
    tr_behavior_add_height(plan, l->rest, -d->height - 0.004 * s, 0, 0);
}

static void add_leap_postures(tr_behavior_plan *plan, const descent *d, const leap *l) {
    double s = d->scale, slow = d->slow, near_edge = d->edge - TOES * s, end = plan->exit.place.z;
    const tr_behavior_posture_row steps = {4, 7, -2, 8, {{-10, 10, 18}, {14, 10, 20}}};
    const tr_behavior_posture_row stands = {6, 12, 0, 16, {{-12, 12, 20}, {-8, 12, 20}}};
    const tr_behavior_posture_row crouches = {22, 48, 0, 26, {{-34, 14, 16}, {-34, 14, 16}}};
    const tr_behavior_posture_row leaves = {18, 36, 0, 22, {{18, 20, 30}, {16, 20, 30}}};
    const tr_behavior_posture_row falls = {8, 18, 0, 18, {{44, 34, 36}, {42, 34, 36}}};
    const tr_behavior_posture_row lands = {14, 26, 0, 14, {{36, 30, 34}, {34, 30, 34}}};
    const tr_behavior_posture_row bends = {26, 50, 0, 16, {{24, 18, 34}, {22, 18, 34}}};
    const tr_behavior_posture_row rises = {14, 26, 0, 8, {{10, 12, 26}, {10, 12, 26}}};
    add_key(plan, l->steps[0][1], near_edge - 0.10 * s, 0, 0.02, &steps);
    add_key(plan, l->steps[1][1], near_edge - 0.04 * s, 0, 0, &stands);
    add_key(plan, l->deep, near_edge - 0.02 * s, 0, 0, &crouches);
    add_key(plan, l->off, d->edge - 0.06 * s, 0, 0, &leaves);
    add_key(plan, mix(l->off, l->land, 0.55), mix(d->edge - 0.06 * s, end - 0.10 * s, 0.55), 0, 0, &falls);
    add_key(plan, l->land, end - 0.10 * s, 0, 0, &lands);
    add_key(plan, l->low, end - 0.05 * s, 0, 0, &bends);
    add_key(plan, l->low + 0.36 * slow, end - 0.05 * s, 0, 0, &rises);
}

// Both feet leave the edge and fall below the hips, more and more stretched.
static void add_leap_feet(tr_behavior_plan *plan, const descent *d, const leap *l) {
    double s = d->scale, slow = d->slow, end = plan->exit.place.z;
    for (uint32_t side = 0; side < 2; side++) {
        tr_gait_plant stands = tr_gait_stand_plant(plan->rig, side, 0, 0, 0);
        stands.end = l->steps[side][0];
        stands.push = 22 * DEGREE;
        stands.push_time = 0.18 * slow;
        tr_behavior_add_stance(plan, side, stands)->lift = 0.05 * s;
        tr_gait_plant edge = flat(plan, side, d->edge - TOES * s, l->steps[side][1], l->off);
        edge.strike = 5 * DEGREE;
        edge.strike_time = 0.10 * slow;
        edge.push = 52 * DEGREE;
        edge.push_time = 0.26 * slow;
        tr_behavior_stance *from = tr_behavior_add_stance(plan, side, edge);
        from->via_count = 2;
        from->clears = true;
        for (uint32_t i = 0; i < 2; i++) {
            double share = i ? 0.72 : 0.38, time = mix(l->off, l->land, share);
            double hips =
                (double)(plan->rig->hips_rest.y + plan->rig->hip_offset[side].y) - plan->rig->ground;
            double up = hips + tr_behavior_nodes_at(plan->heights, plan->height_count, time);
            double y = up - (i ? 0.76 : 0.58) * s, least = i ? -1e9 : 0.11 * s;
            from->vias[i] = via(plan, side, time, i ? mix(d->edge, end, 0.72) : d->edge + 0.10 * s,
                                y > least ? y : least, i ? -26 : -30);
        }
        tr_gait_plant lands = tr_gait_stand_plant(plan->rig, side, 0, end, 0);
        lands.begin = l->land;
        lands.strike = -24 * DEGREE;
        lands.strike_time = 0.09 * slow;
        add(plan, side, lands, -d->height);
    }
}

static void lay_leap(tr_behavior_plan *plan, const descent *d, leap *l) {
    double slow = d->slow;
    set_leap(plan, d, l);
    lay_out(plan, d, LEAP, 0.05 * slow, l->off + LONGEST * slow + 0.25 * slow);
    add_leap_heights(plan, d, l);
    add_leap_postures(plan, d, l);
    add_leap_feet(plan, d, l);
    tr_behavior_layer keyed = {.begin = 0.02 * slow, .end = l->steps[0][1], .posture = TR_BEHAVIOR_KEYED};
    tr_behavior_layer stands = {.begin = l->low + 0.1 * slow, .end = plan->duration, .ground = -d->height};
    stands.posture = TR_BEHAVIOR_STANDS;
    tr_behavior_add_layer(plan, keyed);
    tr_behavior_add_layer(plan, stands);
    // The centre of mass and the hips agree when the feet leave.
    tr_gait_state state;
    tr_behavior_pose_at(plan, l->off, &state);
    tr_vec3 centre = tr_behavior_mass_centre(plan->rig);
    plan->mass =
        (tr_behavior_mass){l->deep,          l->off - 0.04 * slow, l->land + 0.05 * slow, l->low + 0.3 * slow,
                           (double)centre.y, (double)centre.z};
}

static double worst_excess(const tr_behavior_plan *plan, double from, double to) {
    double worst = -1;
    for (int i = 0; i <= 6; i++) {
        tr_gait_state state;
        tr_behavior_pose_at(plan, mix(from, to, i / 6.0), &state);
        double excess = tr_gait_excess(plan->rig, &state);
        worst = excess > worst ? excess : worst;
    }
    return worst;
}

void tr_behavior_plan_leap_down(tr_behavior_plan *plan) {
    descent d;
    begin(plan, &d);
    leap l = {.high_off = -0.25 * d.scale, .high_land = -d.height - 0.04 * d.scale};
    // As high as the legs that land allow.
    for (int i = 0; i < ROUNDS; i++) {
        lay_leap(plan, &d, &l);
        l.high_land -= worst_excess(plan, l.land, mix(l.land, l.low, 0.4)) + 0.03 * d.scale;
    }
    lay_leap(plan, &d, &l);
}
