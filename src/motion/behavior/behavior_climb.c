// Onto a block: the right foot steps up to it, both hands go onto its edge if it is high, the left foot goes
// up beside them, the right leg and the arms push, the body comes over the left foot and stands up.
#include "behavior_parts.h"

#define DEGREE TR_GAIT_DEGREE
#define EDGE 0.98   // from where the body stands to the edge, for a body of 1.75 m [m]
#define BEYOND 0.62 // from the edge to where it stands in the end
#define WRIST 0.097 // above what the hand lies on
#define REACH 0.01  // by which an arm reaches further than it has to [m]
#define LOWER_ROUNDS 4
#define BEND_ROUNDS 7
#define SAMPLES 16 // of the time in which the hands bear

// Times in seconds, places along the way in metres, heights above the ground.
typedef struct climb {
    double scale, slow, height; // of the block
    double high;                // [0, 1]: from a step to a block that is as high as the hips
    double bend;                // [0, 1]: of the trunk while the hands bear
    double lower;               // by how much the hips are lower then, because the arms are short
    double edge, near_foot;     // the right foot before it
    double step, strike;        // the right foot leaves, comes down
    double held, let_go;        // hands
    double lift, up;            // the left foot leaves, stands on the block
    double push;                // the right foot leaves
    double stand, close, done;  // the right foot stands on the block; the left one leaves, stands beside it
    double over;                // how much higher the hips are than standing when the left foot is up
    double hop;                 // [0, 1]: how much of that the right leg cannot give
} climb;

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

static void set_times(tr_behavior_plan *plan, climb *c) {
    double slow = c->slow, hops = c->hop > 0;
    c->step = 0.22 * slow;
    c->strike = c->step + 0.46 * slow;
    c->held = c->strike + 0.40 * slow;
    c->lift = c->strike + mix(0.16, 0.46, hops) * slow;
    c->up = c->lift + mix(0.56, 0.62, hops) * slow;
    c->push = c->up + (c->hop > 0 ? -mix(0.30, 0.37, c->hop) : 0.26) * slow;
    c->let_go = c->up - 0.11 * slow;
    c->stand = c->up + mix(0.72, 0.98, hops) * slow;
    c->close = c->stand + 0.14 * slow;
    c->done = c->close + 0.42 * slow;
    plan->duration = tr_behavior_whole(plan, c->done + 0.3 * slow);
}

// ------------------------------------------------------------------------------------------------------ feet

static tr_gait_plant flat(const tr_behavior_plan *plan, uint32_t side, double ankle, double begin,
                          double end) {
    tr_gait_plant plant = tr_gait_stand_plant(plan->rig, side, 0, 0, 0);
    plant.z = ankle + (double)plan->rig->heel[side].z;
    plant.begin = begin;
    plant.end = end;
    return plant;
}

static void push_off(tr_gait_plant *plant, double pitch, double time) {
    plant->push = pitch * DEGREE;
    plant->push_time = time;
}

static tr_behavior_via via(const tr_behavior_plan *plan, uint32_t side, double time, double z, double y,
                           double pitch) {
    double x = (double)(plan->rig->hips_rest.x + plan->rig->hip_offset[side].x);
    return (tr_behavior_via){time, 1.05 * x, y, z, 0, pitch * DEGREE, 0};
}

static void add_left(tr_behavior_plan *plan, const climb *c) {
    double s = c->scale, h = c->height, span = c->up - c->lift, slow = c->slow;
    tr_gait_plant stands = tr_gait_stand_plant(plan->rig, 0, 0, 0, 0);
    stands.end = c->lift;
    push_off(&stands, 46, 0.34 * slow);
    tr_behavior_stance *from = tr_behavior_add_stance(plan, 0, stands);
    // From a step, and from a hop, in which the foot passes below the hip.
    const double hop = c->hop > 0, flight = c->up - c->push;
    const struct {
        double time, z, y, pitch;
    } rows[2][4] = {{{c->lift + 0.34 * span, -0.54 * s, 0.23 * s + 0.36 * h, -30},
                     {c->lift + 0.64 * span, -0.38 * s, h + 0.11 * s, -40},
                     {c->lift + 0.78 * span, -0.17 * s, h + 0.20 * s, -2},
                     {c->lift + 0.90 * span, 0.02 * s, h + 0.14 * s, 2}},
                    {{mix(c->lift, c->push, 0.5), -0.68 * s, 0.43 * s, -34},
                     {c->push, -0.42 * s, 0.16 * s + 0.485 * h, -20},
                     {c->push + 0.55 * flight, -0.40 * s, h + 0.11 * s, -50},
                     {c->push + 0.80 * flight, -0.225 * s, h + 0.195 * s, -4}}};
    from->via_count = 4;
    from->clears = true;
    for (uint32_t i = 0; i < 4; i++) {
        from->vias[i] =
            via(plan, 0, mix(rows[0][i].time, rows[1][i].time, hop),
                c->edge + mix(rows[0][i].z, rows[1][i].z, hop), mix(rows[0][i].y, rows[1][i].y, hop),
                mix(rows[0][i].pitch, rows[1][i].pitch, hop));
        from->vias[i].x += hop * (i == 0 ? 0.02 : i == 3 ? 0.09 : 0.08) * s;
        from->vias[i].yaw += hop * 0.08;
    }
    tr_gait_plant up = flat(plan, 0, c->edge + 0.16 * s, c->up, c->close);
    up.strike = 2 * DEGREE;
    up.strike_time = 0.08 * slow;
    push_off(&up, 40, 0.30 * slow);
    tr_behavior_stance *stance = tr_behavior_add_stance(plan, 0, up);
    stance->y = h;
    stance->lift = 0.07 * s;
    tr_gait_plant rest = tr_gait_stand_plant(plan->rig, 0, 0, plan->exit.place.z, 0);
    rest.begin = c->done;
    rest.strike = 3 * DEGREE;
    rest.strike_time = 0.08 * slow;
    tr_behavior_add_stance(plan, 0, rest)->y = h;
}

static void add_right(tr_behavior_plan *plan, const climb *c) {
    double s = c->scale, h = c->height, slow = c->slow, span = c->stand - c->push, hop = c->hop > 0;
    tr_gait_plant stands = tr_gait_stand_plant(plan->rig, 1, 0, 0, 0);
    stands.end = c->step;
    push_off(&stands, 24, 0.20 * slow);
    tr_behavior_add_stance(plan, 1, stands)->lift = 0.05 * s;
    tr_gait_plant near_foot = flat(plan, 1, c->near_foot, c->strike, c->push);
    near_foot.strike = 8 * DEGREE;
    near_foot.strike_time = 0.12 * slow;
    push_off(&near_foot, 56, 0.36 * slow);
    tr_behavior_stance *from = tr_behavior_add_stance(plan, 1, near_foot);
    from->via_count = 4;
    from->clears = true;
    from->vias[0] = via(plan, 1, c->push + 0.13 * span, c->near_foot + 0.02 * s, 0.27 * s + 0.28 * h, -62);
    from->vias[1] = via(plan, 1, c->push + mix(0.46, 0.42, hop) * span, c->edge - mix(0.14, 0.40, hop) * s,
                        h + mix(0.23, -0.04, hop) * s, -58);
    from->vias[2] = via(plan, 1, c->push + mix(0.70, 0.68, hop) * span, c->edge + mix(0.20, 0, hop) * s,
                        h + mix(0.24, 0.26, hop) * s, -24);
    from->vias[3] = via(plan, 1, c->push + 0.88 * span, c->edge + 0.46 * s, h + 0.15 * s, 4);
    tr_gait_plant up = tr_gait_stand_plant(plan->rig, 1, 0, plan->exit.place.z, 0);
    up.begin = c->stand;
    up.strike = 6 * DEGREE;
    up.strike_time = 0.10 * slow;
    tr_behavior_add_stance(plan, 1, up)->y = h;
}

static void add_hands(tr_behavior_plan *plan, const climb *c) {
    double s = c->scale, slow = c->slow;
    for (uint32_t side = 0; side < 2; side++) {
        tr_behavior_limb *hand = &plan->hands[side];
        double later = side ? 0.05 * slow : 0;
        hand->begin = c->held - 0.34 * slow + later;
        hand->end = c->let_go + 0.40 * slow + later;
        hand->ground = c->height;
        hand->touches[hand->count++] = (tr_behavior_touch){.begin = c->held + later,
                                                           .end = c->let_go + later,
                                                           .x = (side ? -0.25 : 0.25) * s,
                                                           .y = plan->rig->ground + c->height + WRIST * s,
                                                           .z = c->edge + 0.07 * s};
    }
}

// -------------------------------------------------------------------------------------------------- postures

// The hips are `up` above where they are when the body stands, at a place along the way.
static void add_key(tr_behavior_plan *plan, double time, double z, double up,
                    const tr_behavior_posture_row *row) {
    tr_gait_state *state = tr_behavior_add_key(plan, time, row);
    state->up = up;
    state->ahead = z - tr_behavior_base(plan, time).z;
}

static void add_aside(tr_behavior_plan *plan, double left) {
    plan->keys[plan->key_count - 1].state.left = left * plan->rig->scale;
}

static void add_postures(tr_behavior_plan *plan, const climb *c) {
    double s = c->scale, h = c->height, u = c->high, slow = c->slow, b = c->bend > 0 ? c->bend : 0;
    double holds = c->bend < 0 ? 0 : 1, bear = mix(8, 30, u), lean = mix(mix(22, 34, u), 82, b),
           tilt = mix(mix(10, 14, u), 22, b);
    const tr_behavior_posture_row steps = {4, 7, 3, 4, {{16, 9, 20}, {-12, 9, 16}}};
    const tr_behavior_posture_row nears = {
        mix(5, 12, u),
        mix(10, 26, u),
        0,
        mix(8, 4, u),
        {{mix(-14, 62, u), 14, mix(22, 70, u)}, {mix(26, 62, u), 14, mix(30, 70, u)}}};
    const tr_behavior_posture_row bears = {
        mix(12, mix(30, 18, u), holds),
        mix(26, 72 - 36 * u, holds),
        0,
        mix(10, 26 - 19 * u, holds),
        {{mix(-26, bear, u), 16, mix(26, 50, u)}, {mix(34, bear, u), 16, mix(40, 50, u)}}};
    tr_behavior_posture_row pushes = bears;
    pushes.lean = mix(0.6 * lean + 0.4 * bears.lean, bears.lean, c->hop);
    pushes.nod = mix(0.36 * lean, bears.nod, c->hop);
    const tr_behavior_posture_row lands = {
        tilt,
        lean,
        -3,
        mix(6, 0.6 * lean - 10, holds),
        {{mix(-24, bear, u), 18, mix(30, 40, u)}, {mix(36, bear, u), 18, mix(44, 40, u)}}};
    const tr_behavior_posture_row pulls = {
        mix(14, 24, u), mix(26, 58, u), -3, mix(10, 20, u), {{-8, 16, 30}, {14, 16, 34}}};
    const tr_behavior_posture_row rises = {
        mix(9, 16, u), mix(14, 30, u), 2, 6, {{18, 14, 30}, {-12, 14, 24}}};
    const tr_behavior_posture_row stands = {3, 6, 1, 2, {{2, 8, 14}, {4, 8, 14}}};
    double near_hips = c->near_foot - mix(0.10, 0.16, u) * s, least = c->hop > 0 ? -0.06 * s : 0;
    double over = (c->over > least ? c->over : least) - c->lower;
    add_key(plan, mix(c->step, c->strike, 0.5), 0.16 * s, -0.02 * s, &steps);
    add_aside(plan, 0.03);
    add_key(plan, c->strike + 0.06 * slow, near_hips, mix(-0.04, -0.07, u) * s, &nears);
    add_aside(plan, -0.02);
    add_key(plan, mix(c->strike, c->lift, 0.86), c->near_foot - 0.04 * s,
            (holds ? mix(-0.29, -0.16, c->hop) : -0.05) * s - c->lower, &bears);
    add_aside(plan, -0.05);
    if (c->push < c->up)
        add_key(plan, c->push, c->near_foot + 0.08 * s, mix(-0.16, 0.05, c->hop) * s - c->lower, &pushes);
    add_key(plan, c->up, c->edge - mix(0.27, 0.28, holds) * s, over, &lands);
    add_aside(plan, 0.02);
    add_key(plan, mix(c->up, c->stand, 0.42), c->edge + 0.02 * s, mix(over, h, 0.42), &pulls);
    add_aside(plan, 0.05);
    add_key(plan, mix(c->up, c->stand, 0.78), c->edge + 0.22 * s, mix(over, h, 0.82), &rises);
    add_aside(plan, 0.04);
    add_key(plan, c->stand + 0.10 * slow, c->edge + 0.44 * s, h - 0.025 * s, &stands);
    add_aside(plan, -0.02);
}

static void lay_out(tr_behavior_plan *plan, climb *c) {
    tr_behavior_forget(plan);
    plan->stands_before = plan->stands_after = true;
    plan->begin_label = plan->end_label = TR_BEHAVIOR_CLIP_STANDS;
    double way = c->edge + BEYOND * c->scale, begin = 0.05 * c->slow, end = c->done;
    double ramp = 0.8 * c->slow, speed = way / (end - begin - ramp);
    tr_behavior_add_ramp(plan, begin, begin + ramp, speed);
    tr_behavior_add_ramp(plan, end - ramp, end, -speed);
    plan->exit.place = tr_behavior_base(plan, plan->duration);
    plan->exit.place.y = c->height;
    tr_behavior_add_layer(plan, (tr_behavior_layer){.posture = TR_BEHAVIOR_STANDS});
    tr_behavior_add_layer(
        plan, (tr_behavior_layer){.begin = 0.02 * c->slow, .end = c->strike, .posture = TR_BEHAVIOR_KEYED});
    tr_behavior_add_layer(plan, (tr_behavior_layer){.begin = c->stand - 0.2 * c->slow,
                                                    .end = plan->duration,
                                                    .posture = TR_BEHAVIOR_STANDS,
                                                    .ground = c->height});
    add_left(plan, c);
    add_right(plan, c);
    if (c->bend >= 0)
        add_hands(plan, c);
    add_postures(plan, c);
}

// By how much an arm is too short for its hand while the hand stands, at most. Shoulders that go along with
// the arms are left out.
static double lack(const tr_behavior_plan *plan, const climb *c) {
    tr_gait_rig *rig = plan->rig;
    double worst = -1;
    for (uint32_t side = 0; side < 2; side++) {
        tr_limb arm;
        const tr_behavior_touch *touch = &plan->hands[side].touches[0];
        if (tr_limb_measure(rig->skeleton, rig->arms[side], rig->forearms[side], rig->hands[side], &arm,
                            NULL) != TR_OK)
            return 0;
        for (int i = 0; i <= SAMPLES; i++) {
            tr_gait_state state;
            tr_behavior_pose_at(plan, mix(touch->begin, touch->end, (double)i / SAMPLES), &state);
            tr_vec3 at = {(float)(touch->x - state.base_x), (float)touch->y,
                          (float)(touch->z - state.base_z)};
            double far = (double)tr_vec3_distance(tr_affine_position(&rig->model[rig->arms[side]]), at);
            worst = far - (double)arm.reach_max > worst ? far - (double)arm.reach_max : worst;
        }
    }
    rig->worst_miss = 0;
    return worst + REACH * c->scale;
}

static void begin(tr_behavior_plan *plan, climb *c) {
    c->scale = plan->rig->scale;
    c->slow = sqrt(c->scale);
    c->height = plan->height;
    c->edge = EDGE * c->scale;
    c->over = c->height - (c->hop > 0 ? 0.485 : 0.5) * c->scale;
    set_times(plan, c);
    c->near_foot = c->edge - (c->hop > 0 ? mix(0.46, 0.61, c->hop) : 0.40) * c->scale;
}

static void finish(tr_behavior_plan *plan, const climb *c) {
    plan->action = tr_behavior_time_over(plan, c->edge);
}

void tr_behavior_plan_step_up(tr_behavior_plan *plan) {
    climb c = {.bend = -1};
    begin(plan, &c);
    lay_out(plan, &c);
    finish(plan, &c);
}

void tr_behavior_plan_climb(tr_behavior_plan *plan) {
    double tall = (plan->height / plan->rig->scale - 0.45) / 0.5;
    climb c = {.high = mix(0.15, 1, tall), .hop = mix(0.05, 1, tall)};
    double low = 0, high = 1;
    begin(plan, &c);
    for (int i = 0; i < BEND_ROUNDS; i++) {
        c.bend = 0.5 * (low + high);
        lay_out(plan, &c);
        *(lack(plan, &c) < 0 ? &high : &low) = c.bend;
    }
    c.bend = high;
    lay_out(plan, &c);
    for (int i = 0; i < LOWER_ROUNDS; i++) {
        double missing = lack(plan, &c);
        if (missing < 0)
            break;
        c.lower += 1.2 * missing + 0.002 * c.scale;
        lay_out(plan, &c);
    }
    finish(plan, &c);
}
