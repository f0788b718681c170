// Jogging and running: the same stride with a flight phase. Cadence, share of stance and leg angles follow
// common treadmill measurements between 1.8 and 6 m/s. The pelvis falls freely while both feet are off the
// ground.
#include "gait_parts.h"

#define GRAVITY 9.81
#define SLOWEST 1.8 // [m/s], for a body of 1.75 m
#define FASTEST 6.0

// Angles in degrees; phase 0 is the strike; `fast` goes from 0 to 1.
static void leg_curves(double fast, tr_gait_cycle *cycle) {
    double off = cycle->stance;
    cycle->hip = tr_gait_curve_of(
        3, (const double[][2]){{0, 22 + 5 * fast}, {off + .02, -15 + 5 * fast}, {.86, 35 + 22 * fast}});
    cycle->knee = tr_gait_curve_of(4, (const double[][2]){{0, 13 + 11 * fast},
                                                          {.45 * off, 40},
                                                          {off, 18 + 14 * fast},
                                                          {off + .30 - .02 * fast, 85 + 40 * fast}});
    cycle->ankle =
        tr_gait_curve_of(4, (const double[][2]){{0, -6}, {.5 * off, 14}, {off + .02, -24}, {.8, -4}});
    cycle->elbow = tr_gait_curve_of(2, (const double[][2]){{-.05, 86 + 4 * fast}, {.45, 98 + 6 * fast}});
}

// The force of the leg rises from 0 at the strike and is back at 0 when the foot leaves: as 1 - u^2 over the
// stance [-1, 1], or squared, which is more peaked. What it pushes against gravity turns the fall into the
// next flight.
static tr_gait_bounce bounce_of(double stance, double period, double peaked) {
    double step = 0.5 * period, half = 0.5 * step * stance, flight = 0.5 * step * (1 - stance);
    double mean = (1 - peaked) * 2 / 3 + peaked * 8 / 15; // of the force, relative to its greatest
    double force = GRAVITY * (flight / half + 1) / mean;
    return (tr_gait_bounce){stance, half * half, flight, GRAVITY, {force * (1 - peaked), force * peaked}};
}

// Twice the integral of the acceleration, from the middle of the stance.
static double push_at(const tr_gait_bounce *bounce, double u) {
    double square = u * u;
    double flat = square * (1. / 2 - square / 12),
           peaked = square * (1. / 2 - square * (1. / 6 - square / 30));
    return bounce->half * (bounce->force[0] * flat + bounce->force[1] * peaked - bounce->fall * square / 2);
}

double tr_gait_bounce_at(const tr_gait_bounce *bounce, double phase) {
    if (!(bounce->stance > 0))
        return 0;
    double step = tr_gait_fraction(2 * phase), fallen = bounce->fall * bounce->flight * bounce->flight / 2;
    if (step < bounce->stance)
        return push_at(bounce, 2 * step / bounce->stance - 1) - push_at(bounce, 1) - fallen;
    double u = 2 * (step - bounce->stance) / (1 - bounce->stance) - 1;
    return -fallen * u * u;
}

static void body_formulas(double fast, tr_gait_cycle *cycle) {
    double scale = cycle->rig->scale;
    cycle->bounce = bounce_of(2 * cycle->stance, cycle->period, .4 * (1 - fast));
    cycle->vertical_mean = .025 * scale; // at the top
    cycle->lateral_size = (.014 - .008 * fast) * scale;
    cycle->tilt = (tr_gait_wave){6 + 5 * fast, {-1.2, 0}, {1.6, 0}};
    cycle->torsion = (tr_gait_wave){0, {-5 - 5 * fast, 0}, {0, 0}};
    cycle->list = (tr_gait_wave){0, {0, 0}, {1.5, 0}};
    cycle->chest_turn = (tr_gait_wave){0, {6 + 4 * fast, 0}, {0, 0}};
    cycle->chest_sway = (tr_gait_wave){0, {-.8, 0}, {-1, 0}};
    cycle->lean = (5.5 + 4 * fast) * TR_GAIT_DEGREE;
    cycle->shoulder_mean = -(10 + 4 * fast) * TR_GAIT_DEGREE;
    cycle->shoulder_size = (14 + 5 * fast) * TR_GAIT_DEGREE;
    cycle->shoulder_early = .10 + .07 * fast;
    cycle->arm_abduction = 9 * TR_GAIT_DEGREE;
}

static void foot_formulas(double fast, tr_gait_cycle *cycle) {
    cycle->strike_pitch = (9 - 5 * fast) * TR_GAIT_DEGREE;
    cycle->flat_begin = 0.13 * cycle->stance;
    cycle->heel_off = 0.18 * cycle->stance;
    cycle->heel_turn = (0.70 - 0.08 * fast) * cycle->stance;
    cycle->turn_pitch = 28 * TR_GAIT_DEGREE;
    cycle->turn_slope = 2.6 - fast;
    cycle->push_pitch = 56 * TR_GAIT_DEGREE;
    cycle->ball_off = 0.90 * cycle->stance;
    cycle->toe_roll = 14 * TR_GAIT_DEGREE;
    cycle->clearance = 0.025 * cycle->rig->scale;
    cycle->lift_only = true;
    cycle->crouch = 0.006 * fast * cycle->rig->scale;
    cycle->toe_out = 4 * TR_GAIT_DEGREE;
    cycle->ankle_max = 40 * TR_GAIT_DEGREE;
    cycle->hip_max = 40 * TR_GAIT_DEGREE;
    cycle->plant_given = true;
    // The foot comes down so far ahead that the leg reaches as far back as ahead.
    cycle->plant = 0.53 * cycle->stance * cycle->stride - (0.25 - 0.012 * fast) * cycle->rig->scale;
    cycle->half_width = (.045 - .02 * fast) * cycle->rig->scale;
}

void tr_gait_run_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle) {
    double alike = speed / sqrt(rig->scale); // the speed of a body of 1.75 m with the same Froude number
    double fast = (alike - SLOWEST) / (FASTEST - SLOWEST);
    double period = 2 / (2.2 + 0.2 * alike);
    *cycle = (tr_gait_cycle){.rig = rig, .speed = speed};
    cycle->stance = .40 - (alike - 2) * (.065 - .005 * (alike - 2));
    double half_frames = floor(0.5 * period * sqrt(rig->scale) * rate + 0.5);
    cycle->period = 2 * (half_frames > 4 ? half_frames : 4) / rate;
    cycle->stride = speed * cycle->period;
    leg_curves(fast, cycle);
    body_formulas(fast, cycle);
    foot_formulas(fast, cycle);
}
