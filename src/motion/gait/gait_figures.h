// motion/gait/gait_figures.h - the walk of people as figures: how pelvis, trunk, arms and feet move over a
// stride at a speed. Internal to motion/. Angles in degrees, lengths in metres for a body of 1.75 m, times in
// shares of the stride from the strike of the heel.
#pragma once

#define TR_GAIT_SHAPE_PARTS 5 // terms of a curve over the swing

enum {
    // The foot on the ground.
    TR_FIGURE_STRIKE_PITCH,
    TR_FIGURE_STRIKE_SLOPE, // of the pitch, in strike pitches over the time until the sole is flat
    TR_FIGURE_FLAT_BEGIN,
    TR_FIGURE_HEEL_OFF,
    TR_FIGURE_RISE_SQUARE, // weights of the second and the third power of the time as the heel rises;
    TR_FIGURE_RISE_CUBE,   // the fourth has the rest
    TR_FIGURE_PUSH_PITCH,
    TR_FIGURE_BALL_OFF,    // before the end of the stance
    TR_FIGURE_TOES_OFF,    // how far the toes are bent when they leave
    TR_FIGURE_TOES_MIDDLE, // in mid-swing,
    TR_FIGURE_TOES_SWING,  // and late in the swing
    TR_FIGURE_PLANT,
    TR_FIGURE_LOWERING,
    // What the foot does in the swing beside the cubic between its ends.
    TR_FIGURE_SWING_Z,
    TR_FIGURE_SWING_Y = TR_FIGURE_SWING_Z + TR_GAIT_SHAPE_PARTS, // the first term follows from the clearance
    TR_FIGURE_SWING_PITCH = TR_FIGURE_SWING_Y + TR_GAIT_SHAPE_PARTS - 1,
    // Waves: cosine and sine of each harmonic, after the mean where there is one.
    TR_FIGURE_UP = TR_FIGURE_SWING_PITCH + TR_GAIT_SHAPE_PARTS,
    TR_FIGURE_AHEAD = TR_FIGURE_UP + 6,
    TR_FIGURE_ASIDE = TR_FIGURE_AHEAD + 4,
    TR_FIGURE_LIST = TR_FIGURE_ASIDE + 4,
    TR_FIGURE_TORSION = TR_FIGURE_LIST + 4,
    TR_FIGURE_TILT = TR_FIGURE_TORSION + 4,
    TR_FIGURE_CHEST_SWAY = TR_FIGURE_TILT + 5,
    TR_FIGURE_CHEST_TURN = TR_FIGURE_CHEST_SWAY + 4,
    TR_FIGURE_CHEST_LEAN = TR_FIGURE_CHEST_TURN + 4,
    TR_FIGURE_HEAD_SWAY = TR_FIGURE_CHEST_LEAN + 5,
    TR_FIGURE_HEAD_TURN = TR_FIGURE_HEAD_SWAY + 4,
    TR_FIGURE_NOD = TR_FIGURE_HEAD_TURN + 4,
    TR_FIGURE_ARM = TR_FIGURE_NOD + 5,
    TR_FIGURE_ELBOW = TR_FIGURE_ARM + 5,
    TR_GAIT_FIGURES = TR_FIGURE_ELBOW + 5
};

// The figures at a speed of a body of 1.75 m [m/s].
void tr_gait_figures_at(double speed, double figures[TR_GAIT_FIGURES]);
