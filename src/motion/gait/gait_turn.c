// Turns on the spot and side-steps: one foot opens, the other follows.
#include "gait_parts.h"

#define TURN_OF_A_PAIR (62 * TR_GAIT_DEGREE) // covered by two steps
#define STEP_SECONDS 0.36
#define REST_SECONDS 0.10 // both feet on the ground between two steps
#define BEGIN_SECONDS 0.30
#define END_SECONDS 0.25
#define ASIDE_BEGIN_SECONDS 0.18 // of one step aside: time until the first foot leaves the ground
#define ASIDE_STEP_SECONDS 0.40
#define ASIDE_END_SECONDS 0.14
#define SIDE_SECONDS 0.80
#define SIDE_SAMPLES 120
#define CLOSED 0.13 // distance between the feet when they are closest in side-steps [m]

static bool turns_left(const tr_gait_plan *plan) {
    return plan->kind == TR_GAIT_TURN_LEFT || plan->kind == TR_GAIT_SIDE_LEFT ||
           plan->kind == TR_GAIT_STEP_LEFT;
}

// Headings grow from +Z towards +X, which is to the left of a body that faces +Z.
static double turn_angle(const tr_gait_plan *plan) {
    return turns_left(plan) ? plan->angle : -plan->angle;
}

void tr_gait_plan_turn(tr_gait_plan *plan) {
    double slow = sqrt(plan->rig->scale), angle = turn_angle(plan);
    uint32_t pairs = (uint32_t)ceil(plan->angle / TURN_OF_A_PAIR - 1e-6);
    double step = STEP_SECONDS * slow, rest = REST_SECONDS * slow, begin = BEGIN_SECONDS * slow;
    double last = begin + 2 * pairs * step + (2 * pairs - 1) * rest;
    plan->lift = 0.045 * plan->rig->scale;
    plan->duration = ceil((last + END_SECONDS * slow) * plan->rate) / plan->rate;
    plan->move_begin = 0.3 * begin;
    plan->move_end = last + 0.05 * slow;
    for (uint32_t side = 0; side < 2; side++) {
        // The foot on the inside of the turn opens.
        bool leads = (side == 0) == turns_left(plan);
        tr_gait_plant *plants = plan->plants[side];
        for (uint32_t i = 0; i <= pairs; i++) {
            plants[i] = tr_gait_stand_plant(plan->rig, side, 0, 0, angle * i / pairs);
            plants[i].push = 22 * TR_GAIT_DEGREE;
            plants[i].push_time = 0.8 * rest + 0.1 * slow;
            double before = begin + (2 * i + (leads ? 0 : 1)) * (step + rest);
            plants[i].begin = i > 0 ? before - 2 * (step + rest) + step : -1e9;
            plants[i].end = i < pairs ? before : 1e9;
        }
        plan->plant_count[side] = pairs + 1;
    }
}

// 1 in the middle of each step of a foot, 0 when both stand: the side to which the weight moves.
static double step_weight(const tr_gait_plan *plan, uint32_t side, double time) {
    double weight = 0, early = 0.12 * sqrt(plan->rig->scale);
    for (uint32_t i = 0; i + 1 < plan->plant_count[side]; i++) {
        double begin = plan->plants[side][i].end - early, end = plan->plants[side][i + 1].begin + early;
        double x = (time - begin) / (end - begin);
        if (x > 0 && x < 1)
            weight += 16 * x * x * (1 - x) * (1 - x);
    }
    return weight;
}

void tr_gait_turn_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    tr_gait_state stand;
    double moved = (time - plan->move_begin) / (plan->move_end - plan->move_begin), angle = turn_angle(plan);
    double left = step_weight(plan, 0, time), right = step_weight(plan, 1, time);
    double share = tr_ease(moved), ahead = tr_ease(time / (0.92 * plan->move_end)) - share;
    tr_gait_stand_state(plan->rig, 0, 0, &stand);
    *state = stand;
    state->heading = angle * share;
    state->left += 0.035 * plan->rig->scale * (right - left);
    state->up -= 0.012 * plan->rig->scale * tr_ease(2 * moved) * tr_ease(2 - 2 * moved);
    state->list = 1.5 * TR_GAIT_DEGREE * (right - left);
    // The eyes turn first, then the chest.
    state->head_yaw = angle * ahead * 1.2;
    state->chest_yaw = angle * ahead * 0.4;
    for (uint32_t side = 0; side < 2; side++) {
        state->arms[side].flexion += (side ? -5 : 5) * TR_GAIT_DEGREE * (right - left);
        state->arms[side].abduction += 5 * TR_GAIT_DEGREE * (right + left);
        tr_gait_plan_foot(plan, side, time, &state->feet[side]);
    }
}

// ------------------------------------------------------------------------------------------------ side-steps

void tr_gait_plan_side(tr_gait_plan *plan) {
    double slow = sqrt(plan->rig->scale), half_frames = floor(0.5 * SIDE_SECONDS * slow * plan->rate + 0.5);
    plan->duration = 2 * half_frames / plan->rate;
    plan->loop = true;
    plan->distance = plan->speed * plan->duration;
    plan->lift = 0.04 * plan->rig->scale;
    plan->half_width = 0.5 * (CLOSED * plan->rig->scale + 0.5 * plan->distance);
    double worst = 0;
    for (uint32_t i = 0; i < SIDE_SAMPLES; i++) {
        tr_gait_state state;
        tr_gait_side_at(plan, plan->duration * i / SIDE_SAMPLES, &state);
        double excess = tr_gait_excess(plan->rig, &state);
        worst = excess > worst ? excess : worst;
    }
    plan->lowering = worst;
}

// The leading foot steps in the first half of the cycle, the other in the second.
static void side_plants(const tr_gait_plan *plan, double round, tr_gait_plan *around) {
    double toward = turns_left(plan) ? 1 : -1, period = plan->duration;
    *around = *plan;
    for (uint32_t side = 0; side < 2; side++) {
        bool leads = (side == 0) == turns_left(plan);
        for (int i = 0; i < 3; i++) {
            // The foot stands where it lies beside the base in the middle of its stance.
            double middle = (round + i - 1 + (leads ? -.25 : .25)) * period;
            double base = toward * plan->speed * middle, out = side ? -plan->half_width : plan->half_width;
            tr_gait_plant *plant = &around->plants[side][i];
            *plant = (tr_gait_plant){.z = (double)plan->rig->heel[side].z,
                                     .x = base + out,
                                     .begin = middle - .30 * period,
                                     .end = middle + .30 * period,
                                     .strike_time = 1,
                                     .push = 18 * TR_GAIT_DEGREE,
                                     .push_time = 0.12 * period};
        }
        around->plant_count[side] = 3;
    }
}

void tr_gait_side_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    tr_gait_state stand;
    tr_gait_plan around;
    double toward = turns_left(plan) ? 1 : -1, rounds = time / plan->duration;
    side_plants(plan, floor(rounds + 1e-9), &around);
    tr_gait_stand_state(plan->rig, 0, 0, &stand);
    *state = stand;
    state->base_x = toward * plan->speed * time;
    // Low when the feet are apart, in the middle of the cycle.
    state->up -= (0.022 - 0.012 * tr_gait_cosine(rounds)) * plan->rig->scale + plan->lowering;
    state->left = toward * 0.02 * plan->rig->scale * tr_gait_sine(rounds);
    state->list = -toward * 1.5 * TR_GAIT_DEGREE * tr_gait_sine(rounds);
    for (uint32_t side = 0; side < 2; side++) {
        state->arms[side].abduction += 4 * TR_GAIT_DEGREE;
        state->arms[side].elbow += 15 * TR_GAIT_DEGREE;
        tr_gait_plan_foot(&around, side, time, &state->feet[side]);
    }
}

// -------------------------------------------------------------------------------------------- one step aside

void tr_gait_plan_step(tr_gait_plan *plan) {
    double slow = sqrt(plan->rig->scale), step = ASIDE_STEP_SECONDS * slow, rest = REST_SECONDS * slow;
    double begin = ASIDE_BEGIN_SECONDS * slow, last = begin + 2 * step + rest;
    plan->lift = 0.035 * plan->rig->scale;
    plan->duration = ceil((last + ASIDE_END_SECONDS * slow) * plan->rate) / plan->rate;
    plan->move_begin = 0.3 * begin;
    plan->move_end = last + 0.05 * slow;
    plan->distance = plan->speed * plan->duration;
    for (uint32_t side = 0; side < 2; side++) {
        bool leads = (side == 0) == turns_left(plan);
        double leaves = leads ? begin : begin + step + rest, way = turns_left(plan) ? 1 : -1;
        for (uint32_t i = 0; i < 2; i++) {
            tr_gait_plant *plant = &plan->plants[side][i];
            *plant = tr_gait_stand_plant(plan->rig, side, i ? way * plan->distance : 0, 0, 0);
            plant->push = 15 * TR_GAIT_DEGREE;
            plant->push_time = 0.8 * rest + 0.1 * slow;
            plant->begin = i ? leaves + step : -1e9;
            plant->end = i ? 1e9 : leaves;
        }
        plan->plant_count[side] = 2;
    }
}

void tr_gait_step_at(const tr_gait_plan *plan, double time, tr_gait_state *state) {
    double moved = (time - plan->move_begin) / (plan->move_end - plan->move_begin);
    double left = step_weight(plan, 0, time), right = step_weight(plan, 1, time);
    double amid = tr_ease(3 * moved) * tr_ease(3 - 3 * moved);
    tr_gait_stand_state(plan->rig, 0, 0, state);
    state->base_x = (turns_left(plan) ? 1 : -1) * plan->distance * tr_ease(moved);
    state->left += 0.03 * plan->rig->scale * (right - left);
    state->up -= 0.012 * plan->rig->scale * amid;
    state->list = 1.5 * TR_GAIT_DEGREE * (right - left);
    for (uint32_t side = 0; side < 2; side++) {
        // Keeps the arms out of the way of the thighs.
        state->arms[side].abduction += 7 * TR_GAIT_DEGREE * amid;
        state->arms[side].elbow += 12 * TR_GAIT_DEGREE * amid;
        tr_gait_plan_foot(plan, side, time, &state->feet[side]);
    }
}
