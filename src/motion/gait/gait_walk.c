// The walking model of Boulic, Thalmann & Thalmann 1990, "A global human walking model with real-time
// kinematic personification": everything depends on the speed relative to the leg length. Angles are in
// degrees, as published; phase 0 is the heel strike.
#include "gait_parts.h"

#define STEP_WIDTH_SHARE 0.14 // of the leg including the foot

static tr_gait_curve hip_curve(double speed, double k) {
    if (speed < 0.5)
        return tr_gait_curve_of(2, (const double[][2]){{-.1, 50 * speed}, {.5, -30 * speed}});
    if (speed <= 1.3)
        return tr_gait_curve_of(2, (const double[][2]){{-.1, 25}, {.5, -15}});
    return tr_gait_curve_of(3, (const double[][2]){{-.1 + .2 * k, 25 + 5 * k}, {.5, -15}, {.9, 25 + 6 * k}});
}

static tr_gait_curve knee_curve(double speed, double k) {
    if (speed < 0.5)
        return tr_gait_curve_of(4, (const double[][2]){{.17, 3}, {.4, 3}, {.75, 140 * speed}, {1, 3}});
    if (speed <= 1.3)
        return tr_gait_curve_of(4, (const double[][2]){{.17, 3}, {.4, 3}, {.75, 70}, {1, 3}});
    return tr_gait_curve_of(
        4, (const double[][2]){
               {.17 - .05 * k, 3 + 22 * k}, {.4, 3}, {.75 - .05 * k, 70 - 5 * k}, {1 - .03 * k, 3 + 3 * k}});
}

static tr_gait_curve ankle_curve(double speed, double k, double stance) {
    if (speed < 0.5)
        return tr_gait_curve_of(5, (const double[][2]){{0, -3},
                                                       {.08, -3 - 30 * speed},
                                                       {.5, -3 + 22 * speed},
                                                       {stance, -3 - 34 * speed},
                                                       {.85, -3}});
    if (speed <= 1.3)
        return tr_gait_curve_of(5,
                                (const double[][2]){{0, -3}, {.08, -18}, {.5, 8}, {stance, -20}, {.85, -3}});
    return tr_gait_curve_of(5, (const double[][2]){{0, -3 + 5 * k},
                                                   {.08, -18 + 4 * k},
                                                   {.5 - .1 * k, 8 - 3 * k},
                                                   {stance, -20 - 8 * k},
                                                   {.85, -3 + 5 * k}});
}

static tr_gait_curve elbow_curve(double speed, double k) {
    double m = (speed - .5) / .8;
    if (speed < 0.5)
        return tr_gait_curve_of(
            3, (const double[][2]){{.05, 6 * speed + 3}, {.5, 34 * speed + 3}, {.9, 10 * speed + 3}});
    if (speed <= 1.3)
        return tr_gait_curve_of(
            3, (const double[][2]){{.05, 6 + 8 * m}, {.5 + .01 * m, 20 + 24 * m}, {.9, 8 + 9 * m}});
    return tr_gait_curve_of(
        3, (const double[][2]){{.05, 14 - 6 * k}, {.51 + .04 * k, 44 + 26 * k}, {.9 - .1 * k, 17 - 6 * k}});
}

// Feet that stay in place leave the pelvis less room than feet that may slide. The pelvis rises and runs
// ahead less than published, and slightly later: just enough that knees are as straight as human ones and
// every joint stays within its limits.
static void pelvis_formulas(double speed, tr_gait_cycle *cycle) {
    double slow = speed - speed * speed, scale = cycle->rig->scale;
    bool is_slow = speed < 0.5;
    double room = .0135 + (speed > 1.5 ? .015 * (speed - 1.5) : 0);
    double vertical = .015 * speed < room ? .015 * speed : room;
    cycle->vertical_size = vertical * scale;
    cycle->vertical_mean = -vertical * scale;
    cycle->vertical_phase = -.36; // published: -.35
    cycle->lateral_size = (is_slow ? .128 * slow : .032) * scale;
    cycle->forward_size = 0.3 * (is_slow ? .084 * slow : .021) * scale;
    cycle->forward_phase = 2 * (.625 - cycle->stance);
}

// How pelvis, chest and head turn: the means of the same people, as waves whose sizes grow with the speed.
static void sway_formulas(double alike, tr_gait_cycle *cycle) {
    double begun = alike < 1 ? alike : 1, fast = alike > .5 ? alike - .5 : 0;
    cycle->list = (tr_gait_wave){0, {-4.1 * begun, -.95 * begun}, {2.2 * begun, -.55 * begun}};
    cycle->torsion = (tr_gait_wave){0, {-4.6 * fast, -.5 * fast}, {-1.75 * alike, .3 * fast}};
    cycle->tilt = (tr_gait_wave){2.6 * alike, {.95 * begun, 0}, {.25 * begun, 0}};
    cycle->chest_turn = (tr_gait_wave){0, {2.6 * begun, -.65 * begun}, {.1 * begun, .3 * begun}};
    cycle->chest_sway = (tr_gait_wave){0, {-1.3 * begun, .33 * begun}, {-1.6 * fast, 0}};
    cycle->chest_lean = (tr_gait_wave){1.4 * alike, {.9 * begun, 0}, {-.15 * begun, 0}};
    cycle->head_turn = (tr_gait_wave){0, {1.4 * begun, 0}, {0, 0}};
    cycle->head_sway = (tr_gait_wave){0, {-1 * begun, 0}, {-.5 * begun, 0}};
    cycle->nod = (tr_gait_wave){7 * begun, {.1 * begun, 0}, {-begun, 0}};
}

// How the foot rolls over heel, ball and tip, from the foot angle of the formulas. The height of the heel
// when the other foot takes over is found when the feet are placed.
static void foot_formulas(double speed, tr_gait_cycle *cycle) {
    cycle->strike_pitch = (14 + 5.6 * speed) * TR_GAIT_DEGREE;
    cycle->flat_begin = 0.085;
    cycle->heel_off = 0.17;
    cycle->heel_turn = 0.5;
    cycle->turn_pitch = 20 * TR_GAIT_DEGREE;
    cycle->turn_slope = 2.6;
    cycle->push_pitch = (52 + 10 * speed) * TR_GAIT_DEGREE;
    cycle->ball_off = cycle->stance - 0.10;
    cycle->toe_roll = (22 + 12 * speed) * TR_GAIT_DEGREE;
    cycle->clearance = 0.018 * cycle->rig->scale;
    cycle->crouch = 0.006 * cycle->rig->scale;
    cycle->toe_out = 6 * TR_GAIT_DEGREE;
    cycle->ankle_max = 12.5 * TR_GAIT_DEGREE;
    cycle->hip_max = 16.5 * TR_GAIT_DEGREE;
    double leg = cycle->rig->leg_length + cycle->rig->ankle_height;
    cycle->half_width = 0.5 * STEP_WIDTH_SHARE * leg;
}

void tr_gait_walk_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle) {
    // Like a body of 1.75 m at the same Froude number: the formulas come from adults, and a child's short
    // legs are not fast ones.
    double relative = speed * sqrt(rig->scale) / rig->leg_length, k = (relative - 1.3) / 1.7;
    double period = 1.346 / sqrt(relative);
    *cycle = (tr_gait_cycle){.rig = rig, .speed = speed};
    cycle->stance = (0.752 * period - 0.143) / period;
    // An even number of frames, so that left and right steps are equal.
    double half_frames = floor(0.5 * period * sqrt(rig->scale) * rate + 0.5);
    cycle->period = 2 * (half_frames > 4 ? half_frames : 4) / rate;
    cycle->stride = speed * cycle->period;
    cycle->hip = hip_curve(relative, k);
    cycle->knee = knee_curve(relative, k);
    cycle->ankle = ankle_curve(relative, k, cycle->stance);
    cycle->elbow = elbow_curve(relative, k);
    double alike = speed / sqrt(rig->scale), swings = alike > .36 ? alike - .36 : 0;
    cycle->shoulder_mean = -(2 + 5 * (alike < 1 ? alike : 1)) * TR_GAIT_DEGREE;
    cycle->shoulder_size = 11.5 * swings * TR_GAIT_DEGREE;
    cycle->arm_abduction = 5 * TR_GAIT_DEGREE;
    pelvis_formulas(relative, cycle);
    sway_formulas(alike, cycle);
    foot_formulas(relative, cycle);
}
