// From standing to walking and back, in two steps each.
#include "gait_parts.h"

#define SHIFT_SECONDS 0.50 // the weight moves to the left foot before the right one leaves
#define SETTLE_SECONDS 0.45

static void make_walk(tr_gait_plan *plan) {
    tr_gait_walk_formulas(plan->rig, plan->speed, plan->rate, &plan->cycle);
    tr_gait_cycle_plant(&plan->cycle, plan->rig);
    plan->lift = 0.035 * plan->rig->scale;
}

// A whole number of frames, so that the beginning and the end of a clip fall on frames.
static double whole(const tr_gait_plan *plan, double seconds) {
    return ceil(seconds * plan->rate - 1e-6) / plan->rate;
}

// The walk at a time of the plan, without its feet, with the base where the plan has it.
static void walk_state(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    tr_gait_cycle_at(&plan->cycle, time - plan->cycle_begin, state);
}

static double half_swing(const tr_gait_cycle *cycle) {
    return (1 - cycle->stance) * cycle->period;
}

// The right foot goes first, so that the left one comes down at the walk's phase 0.
void tr_gait_plan_start(tr_gait_plan *plan) {
    make_walk(plan);
    const tr_gait_cycle *cycle = &plan->cycle;
    double swing = half_swing(cycle), half = 0.5 * cycle->period, slow = sqrt(plan->rig->scale);
    double leave = SHIFT_SECONDS * slow, end = whole(plan, leave + swing + half), first = end - half;
    plan->duration = plan->cycle_begin = end;
    plan->move_begin = 0.3 * leave;
    plan->move_end = end;
    // A steady push covers half the distance that the walk would.
    plan->distance = 0.5 * plan->speed * (end - plan->move_begin);
    plan->cycle_place = plan->distance;
    for (uint32_t side = 0; side < 2; side++) {
        tr_gait_plant *plants = plan->plants[side];
        plants[0] = tr_gait_stand_plant(plan->rig, side, 0, 0, 0);
        plants[0].end = side ? first - swing : end - swing;
        plants[0].push = (side ? 0.6 : 0.75) * cycle->push_pitch;
        plants[0].push_time = side ? 0.8 * leave : half;
        plants[1] = (tr_gait_plant){.begin = side ? first : end, .end = 1e9, .from_cycle = true};
        plants[1].strike_time = cycle->flat_begin * cycle->period;
        plants[1].flatter = side ? 0.3 : 0; // a body that is not yet fast is nearer to the foot that lands
        plan->plant_count[side] = 2;
    }
}

// From rest to a speed over [0, 1]: the share of a distance that is half of what the full speed would cover.
static double speed_up(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * x * (2 - x); // slope 2 and no acceleration at the end; neither at the beginning
}

void tr_gait_start_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    tr_gait_state stand, walk;
    double moved = (time - plan->move_begin) / (plan->move_end - plan->move_begin);
    tr_gait_stand_state(plan->rig, 0, 0, &stand);
    walk_state(plan, time, &walk);
    tr_gait_mix(&stand, &walk, tr_ease(time / (0.9 * plan->duration)), state);
    double sideways = tr_ease(time / (0.9 * plan->plants[1][0].end));
    state->left = stand.left + (walk.left - stand.left) * sideways;
    state->base_x = state->heading = 0;
    state->base_z = plan->distance * speed_up(moved);
    for (uint32_t side = 0; side < 2; side++)
        tr_gait_plan_foot(plan, side, time, &state->feet[side]);
}

// The right foot makes a short step, the left one comes up beside it.
void tr_gait_plan_stop(tr_gait_plan *plan) {
    make_walk(plan);
    const tr_gait_cycle *cycle = &plan->cycle;
    double swing = half_swing(cycle), slow = sqrt(plan->rig->scale);
    double leave = (cycle->stance - .5) * cycle->period, land = leave + swing;
    double second = land + 0.10 * slow, rest = second + 1.05 * swing;
    plan->duration = whole(plan, rest + SETTLE_SECONDS * slow);
    plan->cycle_begin = plan->cycle_place = 0;
    plan->move_begin = 0;
    plan->move_end = rest + 0.2 * slow;
    plan->distance = 0.5 * plan->speed * plan->move_end;
    for (uint32_t side = 0; side < 2; side++) {
        tr_gait_plant *plants = plan->plants[side];
        tr_gait_foot strike;
        tr_gait_cycle_foot(cycle, side, 0, &strike);
        if (side) {
            plants[0] = (tr_gait_plant){.begin = -1e9, .end = leave, .from_cycle = true};
        } else {
            plants[0] = (tr_gait_plant){.x = cycle->half_width, .z = cycle->plant, .yaw = strike.yaw};
            plants[0].lands_from_cycle = true;
            plants[0].strike_time = cycle->flat_begin * cycle->period;
            plants[0].end = second;
            plants[0].push = 0.6 * cycle->push_pitch;
            plants[0].push_time = 0.6 * second;
        }
        plants[1] = tr_gait_stand_plant(plan->rig, side, 0, plan->distance, 0);
        plants[1].begin = side ? land : rest;
        plants[1].strike = side ? 0.5 * cycle->strike_pitch : 0;
        plants[1].strike_time = 0.12 * slow;
        plan->plant_count[side] = 2;
    }
}

void tr_gait_stop_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    tr_gait_state stand, walk;
    double moved = 1 - time / plan->move_end;
    tr_gait_stand_state(plan->rig, 0, 0, &stand);
    walk_state(plan, time, &walk);
    tr_gait_mix(&walk, &stand, tr_ease((time - 0.05 * plan->duration) / (0.9 * plan->duration)), state);
    state->base_x = state->heading = 0;
    state->base_z = plan->distance * (1 - speed_up(moved));
    for (uint32_t side = 0; side < 2; side++)
        tr_gait_plan_foot(plan, side, time, &state->feet[side]);
}
