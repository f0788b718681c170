// Walking: stride, cadence and stance follow Boulic, Thalmann & Thalmann 1990, "A global human walking model
// with real-time kinematic personification", from the speed relative to the leg length. How the body moves
// over the stride are means over captured people (gait_figures.h).
#include "gait_figures.h"
#include "gait_parts.h"

#define STEP_WIDTH_SHARE 0.14 // of the leg including the foot

// A wave from its figures: the mean, if it has one, then cosine and sine of each harmonic.
static tr_gait_wave wave_of(const double *figures, bool has_mean, int harmonics, double unit) {
    tr_gait_wave wave = {.mean = has_mean ? figures[0] * unit : 0};
    const double *parts = figures + has_mean;
    for (int i = 0; i < harmonics; i++) {
        wave.cosine[i] = parts[2 * i] * unit;
        wave.sine[i] = parts[2 * i + 1] * unit;
    }
    return wave;
}

static void body_figures(const double *figures, tr_gait_cycle *cycle) {
    double scale = cycle->rig->scale;
    cycle->rise = wave_of(&figures[TR_FIGURE_UP], false, 3, scale);
    cycle->advance = wave_of(&figures[TR_FIGURE_AHEAD], false, 2, scale);
    cycle->aside = wave_of(&figures[TR_FIGURE_ASIDE], false, 2, scale);
    cycle->list = wave_of(&figures[TR_FIGURE_LIST], false, 2, 1);
    cycle->torsion = wave_of(&figures[TR_FIGURE_TORSION], false, 2, 1);
    cycle->tilt = wave_of(&figures[TR_FIGURE_TILT], true, 2, 1);
    cycle->chest_sway = wave_of(&figures[TR_FIGURE_CHEST_SWAY], false, 2, 1);
    cycle->chest_turn = wave_of(&figures[TR_FIGURE_CHEST_TURN], false, 2, 1);
    cycle->chest_lean = wave_of(&figures[TR_FIGURE_CHEST_LEAN], true, 2, 1);
    cycle->head_sway = wave_of(&figures[TR_FIGURE_HEAD_SWAY], false, 2, 1);
    cycle->head_turn = wave_of(&figures[TR_FIGURE_HEAD_TURN], false, 2, 1);
    cycle->nod = wave_of(&figures[TR_FIGURE_NOD], true, 2, 1);
    cycle->arm_swing = wave_of(&figures[TR_FIGURE_ARM], true, 2, 1);
    cycle->elbow_swing = wave_of(&figures[TR_FIGURE_ELBOW], true, 2, 1);
    cycle->arm_abduction = 5 * TR_GAIT_DEGREE;
}

static void foot_figures(const double *figures, tr_gait_cycle *cycle) {
    double scale = cycle->rig->scale;
    tr_gait_shape *shape = &cycle->shape;
    shape->given = true;
    shape->strike_slope = figures[TR_FIGURE_STRIKE_SLOPE];
    shape->rise[0] = figures[TR_FIGURE_RISE_SQUARE];
    shape->rise[1] = figures[TR_FIGURE_RISE_CUBE];
    shape->rise[2] = 1 - shape->rise[0] - shape->rise[1];
    shape->toes_off = figures[TR_FIGURE_TOES_OFF] * TR_GAIT_DEGREE;
    shape->toes_middle = figures[TR_FIGURE_TOES_MIDDLE] * TR_GAIT_DEGREE;
    shape->toes_swing = figures[TR_FIGURE_TOES_SWING] * TR_GAIT_DEGREE;
    for (int i = 0; i < TR_GAIT_SHAPE_PARTS; i++) {
        shape->z[i] = figures[TR_FIGURE_SWING_Z + i] * scale;
        shape->y[i] = i > 0 ? figures[TR_FIGURE_SWING_Y + i - 1] * scale : 0;
        shape->pitch[i] = figures[TR_FIGURE_SWING_PITCH + i] * TR_GAIT_DEGREE;
    }
    cycle->strike_pitch = figures[TR_FIGURE_STRIKE_PITCH] * TR_GAIT_DEGREE;
    cycle->flat_begin = figures[TR_FIGURE_FLAT_BEGIN];
    cycle->heel_off = figures[TR_FIGURE_HEEL_OFF];
    cycle->push_pitch = figures[TR_FIGURE_PUSH_PITCH] * TR_GAIT_DEGREE;
    cycle->ball_off = cycle->stance - figures[TR_FIGURE_BALL_OFF];
    cycle->plant_given = true;
    cycle->plant = figures[TR_FIGURE_PLANT] * scale;
    cycle->lowering_least = figures[TR_FIGURE_LOWERING] * scale;
    cycle->clearance = 0.018 * scale;
    cycle->crouch = 0.002 * scale;
    cycle->toe_out = 6 * TR_GAIT_DEGREE;
    double leg = cycle->rig->leg_length + cycle->rig->ankle_height;
    cycle->half_width = 0.5 * STEP_WIDTH_SHARE * leg;
}

void tr_gait_walk_formulas(const tr_gait_rig *rig, double speed, double rate, tr_gait_cycle *cycle) {
    // Like a body of 1.75 m at the same Froude number: the formulas come from adults, and a child's short
    // legs are not fast ones.
    double relative = speed * sqrt(rig->scale) / rig->leg_length, period = 1.346 / sqrt(relative);
    *cycle = (tr_gait_cycle){.rig = rig, .speed = speed};
    cycle->stance = (0.752 * period - 0.143) / period;
    // An even number of frames, so that left and right steps are equal.
    double half_frames = floor(0.5 * period * sqrt(rig->scale) * rate + 0.5);
    cycle->period = 2 * (half_frames > 4 ? half_frames : 4) / rate;
    cycle->stride = speed * cycle->period;
    double figures[TR_GAIT_FIGURES];
    tr_gait_figures_at(speed / sqrt(rig->scale), figures);
    body_figures(figures, cycle);
    foot_figures(figures, cycle);
}
