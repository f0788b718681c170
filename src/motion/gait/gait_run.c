// Jogging and running: the same stride with a flight phase. Cadence, share of stance and leg angles follow
// common treadmill measurements between 1.8 and 4.2 m/s. The pelvis falls freely while both feet are off the
// ground.
#include "gait_parts.h"

#define GRAVITY 9.81
#define SLOWEST 1.8 // [m/s], for a body of 1.75 m
#define FASTEST 4.2

// Angles in degrees; phase 0 is the strike; `fast` goes from 0 to 1.
static void leg_curves(double fast, tr_gait_cycle *cycle) {
    double off = cycle->stance;
    cycle->hip =
        tr_gait_curve_of(3, (const double[][2]){{0, 27 + 6 * fast}, {off + .02, -15}, {.85, 36 + 22 * fast}});
    cycle->knee = tr_gait_curve_of(
        4, (const double[][2]){
               {0, 14 + 4 * fast}, {.45 * off, 40}, {off, 18}, {off + .30 - .02 * fast, 85 + 35 * fast}});
    cycle->ankle =
        tr_gait_curve_of(4, (const double[][2]){{0, -6}, {.5 * off, 14}, {off + .02, -24}, {.8, -4}});
    cycle->elbow = tr_gait_curve_of(2, (const double[][2]){{.05, 78 + 8 * fast}, {.55, 96 + 6 * fast}});
}

static void body_formulas(double fast, double period, tr_gait_cycle *cycle) {
    double scale = cycle->rig->scale, swing = 4 * TR_PI / period;
    // The acceleration at the top of the arc is that of free fall.
    cycle->vertical_size = 0.9 * GRAVITY / (swing * swing) * scale;
    cycle->vertical_mean = -(0.020 + 0.004 * fast) * scale;
    cycle->vertical_phase = -cycle->stance - .25;
    cycle->lateral_size = (.014 - .006 * fast) * scale;
    cycle->forward_size = 0;
    cycle->tilt = (tr_gait_wave){6 + 5 * fast, {-1.2, 0}, {1.6, 0}};
    cycle->torsion = (tr_gait_wave){0, {-6 - 4 * fast, 0}, {0, 0}};
    cycle->list = (tr_gait_wave){0, {0, 0}, {1.5, 0}};
    cycle->chest_turn = (tr_gait_wave){0, {5 + 4 * fast, 0}, {0, 0}};
    cycle->chest_sway = (tr_gait_wave){0, {-.8, 0}, {-1, 0}};
    cycle->lean = (6 + 5 * fast) * TR_GAIT_DEGREE;
    cycle->shoulder_mean = -6 * TR_GAIT_DEGREE;
    cycle->shoulder_size = (24 + 16 * fast) * TR_GAIT_DEGREE;
    cycle->arm_abduction = 9 * TR_GAIT_DEGREE;
}

static void foot_formulas(double fast, tr_gait_cycle *cycle) {
    cycle->strike_pitch = (9 - 3 * fast) * TR_GAIT_DEGREE;
    cycle->flat_begin = 0.055;
    cycle->heel_off = 0.22 * cycle->stance;
    cycle->heel_turn = 0.72 * cycle->stance;
    cycle->turn_pitch = 20 * TR_GAIT_DEGREE;
    cycle->push_pitch = (58 + 6 * fast) * TR_GAIT_DEGREE;
    cycle->ball_off = cycle->stance - 0.05;
    cycle->toe_roll = 24 * TR_GAIT_DEGREE;
    cycle->clearance = 0.025 * cycle->rig->scale;
    cycle->lift_only = true;
    cycle->toe_out = 4 * TR_GAIT_DEGREE;
    cycle->ankle_max = 28 * TR_GAIT_DEGREE;
    cycle->hip_max = 28 * TR_GAIT_DEGREE;
    cycle->plant_given = true;
    cycle->plant = (.10 + .12 * fast) * cycle->rig->scale;
    cycle->half_width = (.045 - .015 * fast) * cycle->rig->scale;
}

void tr_gait_run_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle) {
    double alike = speed / sqrt(rig->scale); // the speed of a body of 1.75 m with the same Froude number
    double fast = (alike - SLOWEST) / (FASTEST - SLOWEST);
    double period = 120 / (138 + 8.8 * alike);
    *cycle = (tr_gait_cycle){.rig = rig, .speed = speed};
    cycle->stance = .425 - .115 * fast;
    double half_frames = floor(0.5 * period * sqrt(rig->scale) * rate + 0.5);
    cycle->period = 2 * (half_frames > 4 ? half_frames : 4) / rate;
    cycle->stride = speed * cycle->period;
    leg_curves(fast, cycle);
    body_formulas(fast, period, cycle);
    foot_formulas(fast, cycle);
}
