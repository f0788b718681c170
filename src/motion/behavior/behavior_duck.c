// Ducking: the jog slows down into steps without a flight, with bent knees and a trunk that leans forwards,
// as low as the bar demands, for as long as it takes; then it goes on.
#include "behavior_parts.h"

#define DEGREE TR_GAIT_DEGREE
#define DEPTH_ROUNDS 9
#define STEP 0.36 // of a shallow duck [s], for a body of 1.75 m
#define STEP_DEEP 0.42
#define OVERLAP 0.16 // of stances, as a share of a step
#define BODY 0.75    // length of the way on which the body has to be low, beside the bar's [m]

typedef struct duck {
    double depth;   // [0, 1]
    double speed;   // under the bar
    double first;   // strike of the first low step, by the left foot
    double step;    // time of a step
    uint32_t steps; // even
    double jog;     // the left foot strikes and jogs again
    double middle, room;
} duck;

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

static double strike_of(const duck *d, uint32_t step) {
    return d->first + step * d->step;
}

static void set_times(tr_behavior_plan *plan, duck *d) {
    double period = plan->cycle.period, slow = sqrt(plan->rig->scale);
    d->speed = plan->speed * mix(0.84, 0.46, d->depth);
    d->step = mix(STEP, STEP_DEEP, d->depth) * slow;
    d->first = period;
    double far = plan->length + BODY * plan->rig->scale, count = ceil(far / (d->speed * d->step)) + 1;
    d->steps = (uint32_t)count + ((uint32_t)count & 1);
    plan->duration = tr_behavior_whole(plan, d->first + d->steps * d->step + period);
    d->jog = plan->duration - period;
    d->step = (d->jog - d->first) / d->steps;
}

// One key in the middle of each stance; arms and chest swing against the legs.
static void add_postures(tr_behavior_plan *plan, const duck *d) {
    double depth = d->depth, scale = plan->rig->scale, up = -mix(0.04, 0.41, depth) * scale;
    double hang = mix(6, 70, depth), swing = mix(24, 16, depth), elbow = mix(84, 62, depth);
    for (uint32_t i = 0; i <= d->steps; i++) {
        double time = strike_of(d, i) + 0.5 * d->step, side = i & 1 ? -1 : 1;
        const tr_behavior_posture_row row = {mix(8, 36, depth),
                                             mix(14, 95, depth),
                                             side * mix(5, 3, depth),
                                             mix(8, 60, depth),
                                             {{hang - side * swing, mix(14, 20, depth), elbow - side * 8},
                                              {hang + side * swing, mix(14, 20, depth), elbow + side * 8}}};
        tr_gait_state *state = tr_behavior_add_key(plan, time, &row);
        state->ahead = -0.13 * depth * scale;
        state->left = side * 0.018 * scale;
        tr_behavior_add_height(plan, time, up + 0.012 * scale, 0, 0);
        tr_behavior_add_height(plan, time + 0.5 * d->step, up - 0.012 * scale, 0, 0);
    }
}

static void add_steps(tr_behavior_plan *plan, const duck *d) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double scale = plan->rig->scale, stance = (1 + OVERLAP) * d->step;
    for (uint32_t i = 0; i < d->steps; i++) {
        uint32_t side = i & 1;
        double begin = strike_of(d, i), middle = tr_behavior_base(plan, begin + 0.5 * stance).z;
        tr_gait_plant plant = {.x = (side ? -1 : 1) * mix(1.1, 1.5, d->depth) * cycle->half_width,
                               .z = middle + (double)plan->rig->heel[side].z - 0.02 * scale,
                               .yaw = (side ? -1 : 1) * mix(1, 2.2, d->depth) * cycle->toe_out,
                               .begin = begin,
                               .end = begin + stance,
                               .strike = mix(8, 3, d->depth) * DEGREE,
                               .strike_time = 0.2 * stance,
                               .push = mix(46, 26, d->depth) * DEGREE,
                               .push_time = 0.5 * stance};
        tr_behavior_add_stance(plan, side, plant)->lift = mix(0.09, 0.012, d->depth) * scale;
    }
}

static void lay_out(tr_behavior_plan *plan, duck *d) {
    double period = plan->cycle.period;
    tr_behavior_forget(plan);
    set_times(plan, d);
    tr_behavior_enter(plan);
    tr_behavior_add_ramp(plan, 0.1 * period, d->first + 0.5 * d->step, d->speed - plan->speed);
    tr_behavior_add_ramp(plan, d->jog - 0.9 * d->step, d->jog + 0.5 * period, plan->speed - d->speed);
    tr_behavior_leave(plan);
    tr_behavior_add_jog_stance(plan, 1, 0.5 * period, tr_behavior_jog_over(plan, 1, 0.5 * period));
    add_steps(plan, d);
    add_postures(plan, d);
    tr_behavior_add_jog_stance(plan, 0, d->jog, tr_behavior_jog_over(plan, 0, d->jog));
    tr_behavior_add_jog_stance(plan, 1, d->jog + 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 1, d->jog + 1.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 0, d->jog + period, plan->exit);
    tr_behavior_layer low = {d->first - 0.62 * period, d->first + 0.55 * d->step,
                             .posture = TR_BEHAVIOR_KEYED};
    tr_behavior_add_layer(plan, low);
    tr_behavior_layer jog = {d->jog - 0.95 * d->step, d->jog + 0.32 * period, .posture = TR_BEHAVIOR_JOGS};
    jog.jog = plan->exit;
    tr_behavior_add_layer(plan, jog);
}

static void try_depth(tr_behavior_plan *plan, duck *d, double depth) {
    tr_behavior_profile profile;
    d->depth = depth;
    lay_out(plan, d);
    tr_behavior_profile_make(plan, TR_BEHAVIOR_UNDER, d->first - 0.3 * plan->cycle.period,
                             d->jog + 0.3 * plan->cycle.period, &profile);
    d->room = tr_behavior_profile_place(plan, &profile, tr_behavior_base(plan, d->first).z,
                                        tr_behavior_base(plan, d->jog).z, &d->middle);
}

void tr_behavior_plan_duck(tr_behavior_plan *plan) {
    double low = 0, high = 1;
    duck d = {0};
    for (int i = 0; i < DEPTH_ROUNDS; i++) {
        double depth = 0.5 * (low + high);
        try_depth(plan, &d, depth);
        *(d.room > 0 ? &high : &low) = depth;
    }
    try_depth(plan, &d, high);
    plan->clear = d.room;
    plan->action = tr_behavior_time_over(plan, d.middle);
}
