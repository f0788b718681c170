// Jogging: a stride, a step, out of standing and back to it. Strides and steps of a walk are the same with
// another cycle.
#include "behavior_parts.h"

#define STAY_DEFAULT 1.0 // [s]

// The feet of both ends are those of straight jogs: the turn lies between the left stance at the beginning
// and the right one.
void tr_behavior_plan_jog(tr_behavior_plan *plan) {
    double period = plan->cycle.period;
    plan->duration = period;
    plan->turn = (double)(plan->def->mirrored ? -plan->def->turn : plan->def->turn);
    plan->action = 0.5 * period;
    tr_behavior_enter(plan);
    tr_behavior_leave(plan);
    tr_behavior_add_jog_stance(plan, 1, 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 1, 1.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 0, period, plan->exit);
}

void tr_behavior_plan_short(tr_behavior_plan *plan) {
    double period = plan->cycle.period;
    plan->duration = 0.5 * period;
    plan->turn = (double)(plan->def->mirrored ? -plan->def->turn : plan->def->turn);
    plan->exit_phase = 0.5;
    plan->action = 0.25 * period;
    tr_behavior_enter(plan);
    tr_behavior_leave(plan);
    tr_behavior_add_jog_stance(plan, 1, 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 0, period, plan->exit);
}

// The right foot goes first, then left, right, and the left foot strikes at the end. The body has its speed
// when the last of these steps begins.
static void start_from(tr_behavior_plan *plan, double begin) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double period = cycle->period, slow = sqrt(plan->rig->scale), scale = plan->rig->scale;
    double leave = begin + 0.34 * slow, first = leave + 0.42 * period;
    double end = tr_behavior_whole(plan, first + 1.5 * period);
    first = end - 1.5 * period;
    tr_behavior_place from = tr_behavior_base(plan, begin);
    plan->duration = end;
    tr_behavior_add_ramp(plan, begin + 0.10 * slow, end - 0.3 * period, plan->speed);
    tr_behavior_leave(plan);
    for (uint32_t side = 0; side < 2; side++) {
        tr_gait_plant plant = tr_gait_stand_plant(plan->rig, side, from.x, from.z, from.heading);
        if (plan->stance_count[side] == 0) {
            plant.begin = -1e9;
            tr_behavior_add_stance(plan, side, plant);
        }
        tr_behavior_stance *stand = &plan->stances[side][plan->stance_count[side] - 1];
        stand->end = stand->plant.end = side ? leave : first + 0.05 * period;
        stand->plant.push = (side ? 0.6 : 0.85) * cycle->push_pitch;
        stand->plant.push_time = side ? 0.75 * (leave - begin) : 0.45 * period;
        stand->lift = 0.05 * scale;
    }
    tr_behavior_place strike = tr_behavior_base(plan, first);
    tr_gait_plant plant = {.x = strike.x - cycle->half_width,
                           .z = strike.z + 0.08 * scale,
                           .yaw = -cycle->toe_out,
                           .begin = first,
                           .end = first + 0.46 * period,
                           .strike = 0.5 * cycle->strike_pitch,
                           .strike_time = 0.06 * period,
                           .push = 0.9 * cycle->push_pitch,
                           .push_time = 0.34 * period};
    tr_behavior_add_stance(plan, 1, plant)->lift = 0.12 * scale;
    tr_behavior_add_jog_stance(plan, 0, end - period, tr_behavior_jog_over(plan, 0, end - period));
    tr_behavior_add_jog_stance(plan, 1, end - 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 1, end + 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 0, end, plan->exit);
    tr_behavior_layer jog = {begin + 0.1 * slow, end - 0.5 * period, .posture = TR_BEHAVIOR_JOGS};
    jog.jog = plan->exit;
    tr_behavior_add_layer(plan, jog);
    // The weight goes over the left foot before the right one leaves.
    tr_behavior_add_bump(plan, offsetof(tr_gait_state, left), begin, first, 0.035 * scale);
}

// The right foot takes one more step, the left one brakes, the right one comes up beside it.
static double stop_at_once(tr_behavior_plan *plan) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double period = cycle->period, scale = plan->rig->scale, slow = sqrt(scale);
    double brake = period, close = 1.6 * period, end = tr_behavior_whole(plan, close + 0.40 * slow);
    plan->duration = end;
    tr_behavior_add_ramp(plan, 0.15 * period, 1.75 * period, -plan->speed);
    tr_behavior_place rest = tr_behavior_base(plan, end);
    tr_behavior_add_jog_stance(plan, 1, 0.5 * period, tr_behavior_jog_over(plan, 1, 0.5 * period));
    for (uint32_t side = 0; side < 2; side++) {
        tr_gait_plant plant = tr_gait_stand_plant(plan->rig, side, rest.x, rest.z, rest.heading);
        plant.begin = side ? close : brake;
        plant.strike = (side ? 3 : 8) * TR_GAIT_DEGREE;
        plant.strike_time = (side ? 0.08 : 0.11) * slow;
        tr_behavior_add_stance(plan, side, plant)->lift = 0.10 * scale;
    }
    tr_behavior_layer stand = {0.25 * period, 1.9 * period, .posture = TR_BEHAVIOR_STANDS};
    stand.end = stand.end < end ? stand.end : end;
    tr_behavior_add_layer(plan, stand);
    // Knees give way under the braking body.
    tr_behavior_add_bump(plan, offsetof(tr_gait_state, up), 0.75 * period, 1.9 * period, -0.05 * scale);
    return end;
}

void tr_behavior_plan_start(tr_behavior_plan *plan) {
    plan->stands_before = true;
    plan->begin_label = TR_BEHAVIOR_CLIP_STANDS;
    tr_behavior_add_layer(plan, (tr_behavior_layer){.posture = TR_BEHAVIOR_STANDS});
    start_from(plan, 0);
    plan->action = 0.5 * plan->duration;
}

void tr_behavior_plan_end(tr_behavior_plan *plan) {
    tr_behavior_enter(plan);
    stop_at_once(plan);
    plan->stands_after = true;
    plan->end_label = TR_BEHAVIOR_CLIP_STANDS;
    plan->exit.place = tr_behavior_base(plan, plan->duration);
    plan->action = 0.5 * plan->duration;
}

void tr_behavior_plan_wait(tr_behavior_plan *plan) {
    tr_behavior_enter(plan);
    double stood = stop_at_once(plan), seconds = tr_behavior_whole(plan, plan->def->seconds);
    plan->layers[plan->layer_count - 1].idle_seconds = seconds;
    start_from(plan, stood + seconds);
    plan->action = stood + 0.5 * seconds;
}

void tr_behavior_plan_stay(tr_behavior_plan *plan) {
    double seconds = plan->def->seconds > 0 ? plan->def->seconds : STAY_DEFAULT;
    plan->duration = tr_behavior_whole(plan, seconds);
    plan->stands_before = plan->stands_after = true;
    plan->begin_label = plan->end_label = TR_BEHAVIOR_CLIP_STANDS;
    plan->action = 0.5 * plan->duration;
    tr_behavior_add_layer(plan,
                          (tr_behavior_layer){.posture = TR_BEHAVIOR_STANDS, .idle_seconds = plan->duration});
    for (uint32_t side = 0; side < 2; side++) {
        tr_gait_plant plant = tr_gait_stand_plant(plan->rig, side, 0, 0, 0);
        plant.begin = -1e9;
        plant.end = 1e9;
        tr_behavior_add_stance(plan, side, plant);
    }
}
