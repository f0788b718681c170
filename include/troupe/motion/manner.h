// troupe/motion/manner.h - how one person moves: a set of numbers that changes the motion of a character, and
// that differs from person to person and from mood to mood.
//
// The same clips serve everybody. A manner says how a person departs from them: quicker and shorter steps, a
// stoop, arms that swing less. Every number is a difference, so manners add up, and zero is the motion of the
// clips.
#pragma once
#include "troupe/base/status.h"

TR_BEGIN_DECLARATIONS

// Zero is valid: as the clips. Shares are of what the clips have.
typedef struct tr_manner {
    float speed;        // of a walk at its own pace [share, -0.6 to 0.6]
    float cadence;      // steps per second at a given speed: the steps get shorter [share, -0.2 to 0.25]
    float uneven;       // how much longer the steps of the left foot take than the right [share, -0.1 to 0.1]
    float variation;    // from step to step: standard deviation of their duration [share, 0 to 0.06]
    float arm_swing[2]; // of the left and the right arm [share, -1 to 1]
    float elbows;       // bent further [rad, -0.3 to 1.8]
    float arms_out;     // upper arms away from the body [rad, -0.1 to 0.5]
    float lean;         // of the whole trunk, forwards; the head stays upright [rad, -0.3 to 0.4]
    float stoop;        // of the upper back, forwards; the head stays upright [rad, -0.3 to 0.6]
    float tilt;         // of the trunk to the left [rad, -0.1 to 0.1]
    float head_down;    // the head, forwards [rad, -0.4 to 0.5]
    float crouch;       // how far the hips are lowered [share of the length of the legs, 0 to 0.12]
    float width;        // how much further out each foot is [share of the length of the legs, -0.02 to 0.1]
    float phase;        // when it breathes, and with which foot it begins to walk [0 to 1]
    uint32_t seed;      // of the variation from step to step
} tr_manner;

// Returns one person out of many: the same seed gives the same bits. `amount` [0 to 1; clamped] scales the
// differences; 1: as people differ, 0: no difference. The variation is 1 to 3 %, as measured on people. It
// leaves `speed` at 0.
TR_API tr_manner tr_manner_of_person(uint64_t seed, float amount);

// Styles, each from 0 (not at all) to 1. They mix.
typedef struct tr_style {
    float brisk, tired, cautious, carrying, proud; // carrying: a load in front of the body, with both hands
} tr_style;
// Returns the sum of the styles, each by its share. Values outside [0, 1] are clamped.
TR_API tr_manner tr_manner_of_style(const tr_style *style);

// Adds the numbers of both, within their limits. `phase` and `seed` are those of `b`, unless they are 0.
TR_API tr_manner tr_manner_add(const tr_manner *a, const tr_manner *b);
// TR_INVALID: a number is outside its limits or not finite; the error names it.
TR_API tr_status tr_manner_check(const tr_manner *manner, tr_error *error);

TR_END_DECLARATIONS
