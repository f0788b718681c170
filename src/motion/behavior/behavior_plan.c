// A plan over time: the base moves along speed ramps, postures take over from each other, feet go from stance
// to stance.
#include "behavior_parts.h"

#define PANELS 32             // of Simpson's rule along a turn
#define LEAN_OF_SPEEDING 0.45 // of the angle at which the body's weight and its acceleration balance
#define LEAN_OF_TURNING 0.5
#define UNCURL 0.08                     // [s], of the toes of a body of 1.75 m
#define TOES_SOFT (58 * TR_GAIT_DEGREE) // toes of people bend up by 75 degrees
#define TOES_ROOM (16 * TR_GAIT_DEGREE)
#define KNEELING_ASIDE 0.08
#define KNEELING_LIFT 0.02 // of a foot that goes back to kneel, or comes ahead [m]
#define STEP 1e-4          // [s], for slopes by differences

double tr_behavior_whole(const tr_behavior_plan *plan, double seconds) {
    return ceil(seconds * plan->rate - 1e-6) / plan->rate;
}

void tr_behavior_add_ramp(tr_behavior_plan *plan, double begin, double end, double by) {
    plan->ramps[plan->ramp_count++] = (tr_behavior_ramp){begin, end, by};
}

void tr_behavior_add_layer(tr_behavior_plan *plan, tr_behavior_layer layer) {
    plan->layers[plan->layer_count++] = layer;
}

void tr_behavior_add_bump(tr_behavior_plan *plan, size_t field, double begin, double end, double by) {
    plan->bumps[plan->bump_count++] = (tr_behavior_bump){field, begin, end, by};
}

tr_behavior_stance *tr_behavior_add_jog_stance(tr_behavior_plan *plan, uint32_t side, double begin,
                                               tr_behavior_jog jog) {
    tr_behavior_stance *stance = &plan->stances[side][plan->stance_count[side]++];
    *stance = (tr_behavior_stance){.begin = begin, .jogs = true, .jog = jog};
    stance->end = begin + plan->cycle.stance * plan->cycle.period;
    return stance;
}

tr_behavior_stance *tr_behavior_add_stance(tr_behavior_plan *plan, uint32_t side, tr_gait_plant plant) {
    tr_behavior_stance *stance = &plan->stances[side][plan->stance_count[side]++];
    *stance = (tr_behavior_stance){.begin = plant.begin, .end = plant.end, .plant = plant};
    stance->lift = 0.04 * plan->rig->scale;
    return stance;
}

// ------------------------------------------------------------------------------------------------------ base

// The integral of tr_ease from 0.
static double eased_way(double x) {
    return x <= 0 ? 0 : x >= 1 ? x - 0.5 : x * x * x * x * (2.5 + x * (x - 3));
}

static double ease_slope(double x) {
    return x <= 0 || x >= 1 ? 0 : 30 * x * x * (1 - x) * (1 - x);
}

static double way_at(const tr_behavior_plan *plan, double time) {
    double way = plan->first_speed * time;
    for (uint32_t i = 0; i < plan->ramp_count; i++) {
        const tr_behavior_ramp *ramp = &plan->ramps[i];
        double span = ramp->end - ramp->begin;
        way += ramp->by * span * eased_way((time - ramp->begin) / span);
    }
    return way;
}

static double speed_at(const tr_behavior_plan *plan, double time) {
    double speed = plan->first_speed;
    for (uint32_t i = 0; i < plan->ramp_count; i++) {
        const tr_behavior_ramp *ramp = &plan->ramps[i];
        speed += ramp->by * tr_ease((time - ramp->begin) / (ramp->end - ramp->begin));
    }
    return speed;
}

double tr_behavior_acceleration(const tr_behavior_plan *plan, double time) {
    double sum = 0;
    for (uint32_t i = 0; i < plan->ramp_count; i++) {
        const tr_behavior_ramp *ramp = &plan->ramps[i];
        double span = ramp->end - ramp->begin;
        sum += ramp->by / span * ease_slope((time - ramp->begin) / span);
    }
    return sum;
}

static double heading_at(const tr_behavior_plan *plan, double time) {
    return plan->turn * tr_ease(time / plan->duration);
}

double tr_behavior_turn_rate(const tr_behavior_plan *plan, double time) {
    return plan->turn / plan->duration * ease_slope(time / plan->duration);
}

static tr_behavior_place moved(const tr_behavior_plan *plan, tr_behavior_place place, double way) {
    (void)plan;
    double sine, cosine;
    tr_sin_cos(place.heading, &sine, &cosine);
    place.x += way * sine;
    place.z += way * cosine;
    return place;
}

tr_behavior_place tr_behavior_base(const tr_behavior_plan *plan, double time) {
    tr_behavior_place place = {0};
    if (plan->turn == 0) {
        place.z = way_at(plan, time);
        return place;
    }
    double step = time / PANELS;
    for (int i = 0; i < PANELS; i++)
        for (int k = 0; k < 3; k++) {
            double at = step * (i + 0.5 * k), sine, cosine;
            double weight = step / 6 * (k == 1 ? 4 : 1) * speed_at(plan, at);
            tr_sin_cos(heading_at(plan, at), &sine, &cosine);
            place.x += weight * sine;
            place.z += weight * cosine;
        }
    place.heading = heading_at(plan, time);
    return place;
}

tr_behavior_jog tr_behavior_jog_at(const tr_behavior_plan *plan, double time, double phase,
                                   tr_behavior_place place) {
    tr_behavior_jog jog = {time - phase * plan->cycle.period,
                           moved(plan, place, -phase * plan->cycle.stride)};
    return jog;
}

tr_behavior_jog tr_behavior_jog_over(const tr_behavior_plan *plan, uint32_t side, double begin) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double middle = begin + 0.5 * cycle->stance * cycle->period;
    double phase = 0.5 * cycle->stance + (side ? 0.5 : 0);
    return tr_behavior_jog_at(plan, middle, phase, tr_behavior_base(plan, middle));
}

void tr_behavior_enter(tr_behavior_plan *plan) {
    double half = 0.5 * plan->cycle.period;
    plan->begin_label = TR_BEHAVIOR_CLIP_LEFT;
    plan->first_speed = plan->speed;
    plan->entry = (tr_behavior_jog){0};
    tr_behavior_add_layer(plan, (tr_behavior_layer){.posture = TR_BEHAVIOR_JOGS, .jog = plan->entry});
    tr_behavior_add_jog_stance(plan, 1, -half, plan->entry);
    tr_behavior_add_jog_stance(plan, 0, 0, plan->entry);
}

void tr_behavior_leave(tr_behavior_plan *plan) {
    bool left = plan->exit_phase == 0;
    plan->end_label = left ? TR_BEHAVIOR_CLIP_LEFT : TR_BEHAVIOR_CLIP_RIGHT;
    plan->exit =
        tr_behavior_jog_at(plan, plan->duration, plan->exit_phase, tr_behavior_base(plan, plan->duration));
}

// ------------------------------------------------------------------------------------------------------ feet

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

static void mix_feet(const tr_gait_foot *a, const tr_gait_foot *b, double share, tr_gait_foot *foot) {
    *foot = (tr_gait_foot){.x = mix(a->x, b->x, share),
                           .y = mix(a->y, b->y, share),
                           .z = mix(a->z, b->z, share),
                           .yaw = mix(a->yaw, b->yaw, share),
                           .pitch = mix(a->pitch, b->pitch, share),
                           .toes = mix(a->toes, b->toes, share)};
}

static void jog_foot(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_jog *jog, double time,
                     tr_gait_foot *foot) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double shift = side ? 0.5 : 0, sine, cosine;
    tr_gait_cycle_foot(cycle, side, (time - jog->begin) / cycle->period + shift, foot);
    double x = foot->x, z = foot->z - shift * cycle->stride;
    tr_sin_cos(jog->place.heading, &sine, &cosine);
    foot->x = jog->place.x + cosine * x + sine * z;
    foot->z = jog->place.z + cosine * z - sine * x;
    foot->y += jog->place.y;
    foot->yaw += jog->place.heading;
}

static void rolling_foot(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_stance *stance,
                         double time, tr_gait_foot *foot) {
    const tr_gait_plant *plant = &stance->plant;
    double share = tr_ease((time - plant->begin) / (plant->end - plant->begin));
    *foot = (tr_gait_foot){.yaw = plant->yaw,
                           .pitch = -mix(plant->strike, plant->push, share),
                           .contacts = TR_CONTACT_LEFT_TOES};
    foot->toes = -foot->pitch;
    tr_gait_stand_on(plan->rig, side, TR_GAIT_ON_BALL, plant->x, plant->z, foot);
}

static void stance_foot(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_stance *stance,
                        double time, tr_gait_foot *foot) {
    if (stance->jogs) {
        jog_foot(plan, side, &stance->jog, time, foot);
        return;
    }
    if (stance->rolls)
        rolling_foot(plan, side, stance, time, foot);
    else
        tr_gait_plant_foot(plan->rig, side, &stance->plant, time, foot);
    foot->y += stance->y;
}

// The six numbers of a foot and their slopes over a swing that takes `span`.
static void foot_end(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_stance *stance,
                     double time, double direction, double span, double end[6][2]) {
    tr_gait_foot here, near;
    stance_foot(plan, side, stance, time, &here);
    stance_foot(plan, side, stance, time + direction * STEP, &near);
    const double *a = &here.x, *b = &near.x;
    for (int i = 0; i < 6; i++) {
        end[i][0] = a[i];
        end[i][1] = (b[i] - a[i]) * direction * span / STEP;
    }
}

// Toes straighten at once: otherwise the speed with which they leave would carry them past their limit.
static double free_toes(const tr_behavior_plan *plan, double since, const double leave[2], double until,
                        const double strike[2]) {
    double time = UNCURL * sqrt(plan->rig->scale);
    return since < time   ? tr_gait_cubic(since / time, leave[0], leave[1] * time, 0, 0)
           : until < time ? tr_gait_cubic(until / time, strike[0], -strike[1] * time, 0, 0)
                          : 0;
}

// From a stance to another that is not a jog's, or the other way round. Near a jog the foot swings as there.
static void free_swing(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_stance *from,
                       const tr_behavior_stance *to, double time, tr_gait_foot *foot) {
    double span = to->begin - from->end, x = (time - from->end) / span, off = x * (1 - x);
    double a[6][2], b[6][2], *values = &foot->x;
    foot_end(plan, side, from, from->end, -1, span, a);
    foot_end(plan, side, to, to->begin, 1, span, b);
    *foot = (tr_gait_foot){0};
    for (int i = 0; i < 6; i++)
        values[i] = tr_gait_between(x, a[i], b[i]);
    double far = sqrt((b[0][0] - a[0][0]) * (b[0][0] - a[0][0]) + (b[2][0] - a[2][0]) * (b[2][0] - a[2][0]));
    foot->toes -= foot->toes > TOES_SOFT ? (foot->toes - TOES_SOFT) * (foot->toes - TOES_SOFT) /
                                               (foot->toes - TOES_SOFT + TOES_ROOM)
                                         : 0;
    // Long steps lift the foot higher, and raise the toes in time.
    foot->y += 16 * off * off * ((from->jogs ? to->lift : from->lift) + 0.05 * far);
    foot->pitch += 16 * off * off * x * 0.08;
    tr_gait_foot jog, swing = *foot;
    double late = from->end < 0 ? -from->end / span : 0.05; // a swing that was under way at the beginning
    double jogs = from->jogs ? 1 - tr_ease((x - late) / 0.65) : to->jogs ? tr_ease((x - 0.2) / 0.7) : 0;
    if (!(jogs > 0))
        return;
    stance_foot(plan, side, from->jogs ? from : to, time, &jog);
    mix_feet(&swing, &jog, jogs, foot);
}

// Lifts a swinging foot over a ground.
static void keep_over(const tr_behavior_plan *plan, uint32_t side, double ground, double off,
                      tr_gait_foot *foot) {
    double over = tr_gait_lowest(plan->rig, side, foot) - ground - 0.01 * off * plan->rig->scale;
    double round = 0.02 * off * plan->rig->scale;
    foot->y += 0.5 * (sqrt(over * over + round * round) - over);
}

// Through the points of the stance that it leaves.
static void via_swing(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_stance *from,
                      const tr_behavior_stance *to, double time, tr_gait_foot *foot) {
    tr_behavior_via points[TR_BEHAVIOR_VIAS_MAX + 2];
    double a[6][2], b[6][2], *values = &foot->x;
    uint32_t count = from->via_count + 2;
    foot_end(plan, side, from, from->end, -1, 1, a);
    foot_end(plan, side, to, to->begin, 1, 1, b);
    points[0].time = from->end;
    points[count - 1].time = to->begin;
    for (uint32_t i = 0; i < from->via_count; i++)
        points[i + 1] = from->vias[i];
    for (int i = 0; i < 6; i++) {
        (&points[0].x)[i] = a[i][0];
        (&points[count - 1].x)[i] = b[i][0];
    }
    tr_behavior_curve curve = {&points[0].time, sizeof points[0] / sizeof(double), count};
    *foot = (tr_gait_foot){0};
    for (int i = 0; i < 6; i++) {
        const double slopes[2] = {a[i][1], b[i][1]};
        values[i] = tr_behavior_curve_at(&curve, (size_t)i, slopes, time);
    }
    foot->toes = free_toes(plan, time - from->end, a[5], to->begin - time, b[5]);
    if (!from->clears)
        return;
    double x = (time - from->end) / (to->begin - from->end), off = 16 * x * x * (1 - x) * (1 - x);
    double leaves = 1 - tr_ease((x - 0.15) / 0.2);
    keep_over(plan, side, from->y < to->y ? from->y : to->y, off, foot);
    if (leaves > 0 && from->y > to->y) {
        double before = foot->y;
        keep_over(plan, side, from->y, off, foot);
        foot->y = mix(before, foot->y, leaves);
    }
}

static void swing_foot(const tr_behavior_plan *plan, uint32_t side, const tr_behavior_stance *from,
                       const tr_behavior_stance *to, double time, tr_gait_foot *foot) {
    if (from->via_count > 0) {
        via_swing(plan, side, from, to, time, foot);
        return;
    }
    if (!from->jogs || !to->jogs) {
        free_swing(plan, side, from, to, time, foot);
        return;
    }
    double begin = from->end > 0 ? from->end : 0,
           end = to->begin < plan->duration ? to->begin : plan->duration;
    tr_gait_foot a, b;
    stance_foot(plan, side, from, time, &a);
    stance_foot(plan, side, to, time, &b);
    mix_feet(&a, &b, tr_ease((time - begin) / (end - begin)), foot);
}

double tr_behavior_free_share(const tr_behavior_plan *plan, uint32_t side, double time) {
    const tr_behavior_stance *stances = plan->stances[side];
    for (uint32_t i = 0; i + 1 < plan->stance_count[side]; i++) {
        double begin = stances[i].end, end = stances[i + 1].begin, x = (time - begin) / (end - begin);
        if (stances[i].via_count > 0 && x > 0 && x < 1)
            return tr_ease(4 * x) * tr_ease(9 * (1 - x));
    }
    return 0;
}

static void standing_foot(const tr_behavior_plan *plan, uint32_t side, double time, tr_gait_foot *foot) {
    uint32_t count = plan->stance_count[side];
    const tr_behavior_stance *stances = plan->stances[side];
    for (uint32_t i = 0; i < count; i++) {
        if (time <= stances[i].end || i + 1 == count) {
            stance_foot(plan, side, &stances[i], time, foot);
            return;
        }
        if (time < stances[i + 1].begin) {
            swing_foot(plan, side, &stances[i], &stances[i + 1], time, foot);
            return;
        }
    }
}

void tr_behavior_foot(const tr_behavior_plan *plan, uint32_t side, double time, tr_gait_foot *foot) {
    tr_gait_foot kneels, stands;
    double share = tr_behavior_kneeling_foot(plan, side, time, &kneels);
    if (share < 1)
        standing_foot(plan, side, time, foot);
    if (!(share > 0))
        return;
    stands = *foot;
    mix_feet(&stands, &kneels, share, foot);
    if (share == 1) {
        *foot = kneels;
        foot->contacts = TR_CONTACT_LEFT_KNEE; // of this leg: its foot goes with the knee
        return;
    }
    double off = 16 * share * share * (1 - share) * (1 - share), scale = plan->rig->scale;
    foot->x += (side ? -1 : 1) * off * KNEELING_ASIDE * scale;
    foot->y += off * KNEELING_LIFT * scale;
    double over = tr_gait_lowest(plan->rig, side, foot) - 0.03 * off * scale, round = 0.04 * off * scale;
    foot->y += 0.5 * (sqrt(over * over + round * round) - over);
}

// ------------------------------------------------------------------------------------------------------
// state

// Breathes and sways as long as it stands undisturbed; the less the shorter that is.
static void stand_at(const tr_behavior_plan *plan, const tr_behavior_layer *layer, double time,
                     tr_gait_state *state) {
    double idle = layer->idle_seconds, since = time - layer->end;
    tr_gait_stand_state(plan->rig, 0, 0, state);
    state->up += layer->ground;
    if (!(since > 0 && since < idle))
        return;
    double share = since / idle, breaths = floor(idle / 4 + 0.5);
    tr_gait_state still = *state, alive;
    tr_gait_stand_state(plan->rig, (breaths > 1 ? breaths : 1) * share, share, &alive);
    tr_gait_mix(&still, &alive, tr_ease(idle / 4), state);
}

static void posture_at(const tr_behavior_plan *plan, const tr_behavior_layer *layer, double time,
                       tr_gait_state *state) {
    if (layer->posture == TR_BEHAVIOR_JOGS)
        tr_gait_cycle_at(&plan->cycle, time - layer->jog.begin, state);
    else if (layer->posture == TR_BEHAVIOR_STANDS)
        stand_at(plan, layer, time, state);
    else
        tr_behavior_keys_at(plan, time, state);
}

// Who speeds up leans forwards, who turns leans into the turn and looks ahead.
static void lean(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    double forwards =
        LEAN_OF_SPEEDING * tr_arc_tangent(tr_behavior_acceleration(plan, time), TR_BEHAVIOR_GRAVITY);
    double rate = tr_behavior_turn_rate(plan, time);
    double aside = LEAN_OF_TURNING * tr_arc_tangent(rate * speed_at(plan, time), TR_BEHAVIOR_GRAVITY);
    state->tilt += 0.5 * forwards;
    state->chest_lean += forwards;
    state->list -= 0.2 * aside;
    state->chest_side -= aside;
    state->head_side -= 0.4 * aside;
    state->head_yaw += 0.16 * rate * plan->cycle.period;
    state->chest_yaw += 0.06 * rate * plan->cycle.period;
}

static void add_bumps(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    for (uint32_t i = 0; i < plan->bump_count; i++) {
        const tr_behavior_bump *bump = &plan->bumps[i];
        double x = (time - bump->begin) / (bump->end - bump->begin), off = x * (1 - x);
        if (x > 0 && x < 1)
            *(double *)((char *)state + bump->field) += 16 * off * off * bump->by;
    }
}

static void outside_at(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    bool before = time < 0, stands = before ? plan->stands_before : plan->stands_after;
    const tr_behavior_jog *jog = before ? &plan->entry : &plan->exit;
    tr_behavior_place place = jog->place;
    if (stands) {
        tr_gait_stand_state(plan->rig, 0, 0, state);
    } else {
        tr_gait_cycle_at(&plan->cycle, time - jog->begin, state);
        place = moved(plan, place, plan->speed * (time - jog->begin));
    }
    state->base_x = place.x;
    state->base_z = place.z;
    state->heading = place.heading;
    state->up += place.y;
    for (uint32_t side = 0; side < 2; side++) {
        if (stands)
            tr_behavior_foot(plan, side, before ? 0 : plan->duration, &state->feet[side]);
        else
            jog_foot(plan, side, jog, time, &state->feet[side]);
    }
}

void tr_behavior_at(const tr_behavior_plan *plan, double time, tr_gait_state *state) {
    if (time < 0 || time > plan->duration) {
        outside_at(plan, time, state);
        return;
    }
    posture_at(plan, &plan->layers[0], time, state);
    for (uint32_t i = 1; i < plan->layer_count; i++) {
        const tr_behavior_layer *layer = &plan->layers[i];
        double share = tr_ease((time - layer->begin) / (layer->end - layer->begin));
        if (!(share > 0))
            continue;
        tr_gait_state below = *state, above;
        posture_at(plan, layer, time, &above);
        tr_gait_mix(&below, &above, share, state);
    }
    lean(plan, time, state);
    add_bumps(plan, time, state);
    tr_behavior_place base = tr_behavior_base(plan, time);
    state->base_x = base.x;
    state->base_z = base.z;
    state->heading = base.heading;
    state->up += base.y;
    for (uint32_t side = 0; side < 2; side++)
        tr_behavior_foot(plan, side, time, &state->feet[side]);
}
