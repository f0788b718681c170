// Feet that go from one stance to the next: the parts of starting, stopping, turning and side-stepping.
#include "gait_parts.h"

#define STEP 1e-4 // [s], for slopes by differences
#define LEAVING 0.5
#define LANDING 0.4

// A foot of the walk that the plan runs into or out of, relative to the plan's base.
static void cycle_foot(const tr_gait_plan *plan, uint32_t side, double time, tr_gait_foot *foot) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double since = time - plan->cycle_begin, shift = side ? .5 : 0;
    tr_gait_cycle_foot(cycle, side, since / cycle->period + shift, foot);
    foot->z += plan->cycle_place - shift * cycle->stride;
}

void tr_gait_plant_foot(const tr_gait_rig *rig, uint32_t side, const tr_gait_plant *plant, double time,
                        tr_gait_foot *foot) {
    double in = (time - plant->begin) / plant->strike_time;
    double out = (time - plant->end + plant->push_time) / plant->push_time;
    *foot = (tr_gait_foot){.yaw = plant->yaw, .contacts = TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES};
    tr_gait_sole sole = TR_GAIT_ON_BALL;
    if (in < 1 && plant->strike > 0) {
        foot->pitch = plant->strike * (1 - in) * (1 - in) * (1 + in);
        foot->contacts = TR_CONTACT_LEFT_HEEL;
        sole = TR_GAIT_ON_HEEL;
    } else if (out > 0) {
        foot->pitch = -plant->push * out * out;
        foot->toes = -foot->pitch;
        foot->contacts = TR_CONTACT_LEFT_TOES;
    }
    tr_gait_stand_on(rig, side, sole, plant->x, plant->z, foot);
}

// On the ground: as in the walk or as the plant says.
static void stand_foot(const tr_gait_plan *plan, uint32_t side, const tr_gait_plant *plant, double time,
                       tr_gait_foot *foot) {
    double in = (time - plant->begin) / plant->strike_time;
    if (plant->from_cycle || (plant->lands_from_cycle && in < 1)) {
        cycle_foot(plan, side, time, foot);
        if (in < 1 && plant->flatter > 0)
            tr_gait_pitch_on_heel(plan->rig, side, foot->pitch * (1 - plant->flatter), foot);
        return;
    }
    tr_gait_plant_foot(plan->rig, side, plant, time, foot);
}

double tr_gait_between(double x, const double from[2], const double to[2]) {
    double value = from[0] + (to[0] - from[0]) * tr_ease(x);
    if (x < LEAVING)
        value += tr_gait_cubic(x / LEAVING, 0, from[1] * LEAVING, 0, 0);
    if (x > 1 - LANDING)
        value += tr_gait_cubic((x - 1 + LANDING) / LANDING, 0, 0, 0, to[1] * LANDING);
    return value;
}

// Values and slopes of a foot when it leaves or comes down.
typedef struct foot_end {
    double x[2], y[2], z[2], yaw[2], pitch[2], toes[2];
} foot_end;

static foot_end end_of(const tr_gait_plan *plan, uint32_t side, const tr_gait_plant *plant, double time,
                       double direction, double span) {
    tr_gait_foot here, near;
    stand_foot(plan, side, plant, time, &here);
    stand_foot(plan, side, plant, time + direction * STEP, &near);
    double rate = direction * span / STEP;
    foot_end end = {{here.x, (near.x - here.x) * rate},
                    {here.y, (near.y - here.y) * rate},
                    {here.z, (near.z - here.z) * rate},
                    {here.yaw, (near.yaw - here.yaw) * rate},
                    {here.pitch, (near.pitch - here.pitch) * rate},
                    {here.toes, (near.toes - here.toes) * rate}};
    return end;
}

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

// A step out of the walk begins like the walk's own step, and one into it ends like it.
static void join_cycle(const tr_gait_plan *plan, uint32_t side, double time, double share, double flatter,
                       tr_gait_foot *foot) {
    tr_gait_foot walk;
    cycle_foot(plan, side, time, &walk);
    tr_gait_pitch_on_heel(plan->rig, side, walk.pitch * (1 - flatter), &walk);
    foot->x = mix(foot->x, walk.x, share);
    foot->y = mix(foot->y, walk.y, share);
    foot->z = mix(foot->z, walk.z, share);
    foot->yaw = mix(foot->yaw, walk.yaw, share);
    foot->pitch = mix(foot->pitch, walk.pitch, share);
    foot->toes = mix(foot->toes, walk.toes, share);
}

static void step_foot(const tr_gait_plan *plan, uint32_t side, const tr_gait_plant *from,
                      const tr_gait_plant *to, double time, tr_gait_foot *foot) {
    double span = to->begin - from->end, x = (time - from->end) / span, off = x * (1 - x);
    foot_end a = end_of(plan, side, from, from->end, -1, span),
             b = end_of(plan, side, to, to->begin, 1, span);
    double far = sqrt((b.x[0] - a.x[0]) * (b.x[0] - a.x[0]) + (b.z[0] - a.z[0]) * (b.z[0] - a.z[0]));
    *foot = (tr_gait_foot){.x = tr_gait_between(x, a.x, b.x),
                           .y = tr_gait_between(x, a.y, b.y),
                           .z = tr_gait_between(x, a.z, b.z),
                           .yaw = tr_gait_between(x, a.yaw, b.yaw),
                           .pitch = tr_gait_between(x, a.pitch, b.pitch),
                           .toes = tr_gait_between(x, a.toes, b.toes)};
    // Long steps lift the foot higher, and raise the toes in time.
    foot->y += 16 * off * off * (plan->lift + 0.05 * far);
    foot->pitch += 16 * off * off * x * 0.08;
    double walks = to->from_cycle ? tr_ease((x - 0.2) / 0.6) : 0;
    walks = from->from_cycle ? 1 - tr_ease((x - 0.1) / 0.65) : walks;
    if (walks > 0)
        join_cycle(plan, side, time, walks, to->flatter * tr_ease(x), foot);
}

void tr_gait_plan_foot(const tr_gait_plan *plan, uint32_t side, double time, tr_gait_foot *foot) {
    uint32_t count = plan->plant_count[side];
    const tr_gait_plant *plants = plan->plants[side];
    for (uint32_t i = 0; i < count; i++) {
        if (time <= plants[i].end || i + 1 == count) {
            stand_foot(plan, side, &plants[i], time, foot);
            return;
        }
        if (time < plants[i + 1].begin) {
            step_foot(plan, side, &plants[i], &plants[i + 1], time, foot);
            return;
        }
    }
}

void tr_gait_mix(const tr_gait_state *from, const tr_gait_state *to, double share, tr_gait_state *state) {
    state->left = mix(from->left, to->left, share);
    state->up = mix(from->up, to->up, share);
    state->ahead = mix(from->ahead, to->ahead, share);
    state->yaw = mix(from->yaw, to->yaw, share);
    state->tilt = mix(from->tilt, to->tilt, share);
    state->list = mix(from->list, to->list, share);
    state->roll = mix(from->roll, to->roll, share);
    state->chest_yaw = mix(from->chest_yaw, to->chest_yaw, share);
    state->chest_lean = mix(from->chest_lean, to->chest_lean, share);
    state->chest_side = mix(from->chest_side, to->chest_side, share);
    state->head_yaw = mix(from->head_yaw, to->head_yaw, share);
    state->head_nod = mix(from->head_nod, to->head_nod, share);
    state->head_side = mix(from->head_side, to->head_side, share);
    state->shrug = mix(from->shrug, to->shrug, share);
    for (int side = 0; side < 2; side++) {
        const tr_gait_arm *a = &from->arms[side], *b = &to->arms[side];
        state->arms[side] =
            (tr_gait_arm){mix(a->flexion, b->flexion, share), mix(a->abduction, b->abduction, share),
                          mix(a->elbow, b->elbow, share)};
    }
}
