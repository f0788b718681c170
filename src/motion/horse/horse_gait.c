// The gallop as a function of time: footfalls, hooves, trunk, head and tail.
#include "horse_gait.h"

#include "troupe/base/scalar.h"

#define DEGREE (TR_PI / 180)
#define GRAVITY 9.81

// Footfalls after that of the trailing hind leg, as shares of the stride: Muybridge's thoroughbred put its
// feet down 36, 96, 48 and 63 inches apart (Attitudes of Animals in Motion, 1881). Fore prints are 1.05 m
// ahead of where hind prints would be at the same time.
static const double footfalls[TR_HORSE_LEGS] = {0, .148, .373, .571};

// Where the toe is in the middle of its stance, at a height of 1: hind feet reach further under the body than
// when the horse stands.
static const double mid_stance[2] = {-.300, .485}; // hind, fore
static const double half_track[2] = {.090, .062};
static const double toe_lift[2] = {.140, .190}; // highest place of the toe in the swing

static const double lift_pitch = 35 * DEGREE,
                    breakover = .35; // of the hoof when the toe leaves; share of stance
static const double swing_pitch[2] = {80 * DEGREE, 100 * DEGREE};
static const double pitch_top = .3;             // share of the swing at which the hoof is pitched most
static const double pastern_sink = 20 * DEGREE; // of the loaded fetlock, below its place when standing
static const double knee_bend = 88 * DEGREE;

static double fraction(double x) {
    double part = x - floor(x);
    return part < 1 ? part : 0;
}

static double cosine_of(double turns) {
    double sine, cosine;
    tr_sin_cos(2 * TR_PI * fraction(turns), &sine, &cosine);
    return cosine;
}

// Witte, Hirst & Wilson 2006: stance and protraction of nine thoroughbreds from 9 to 17 m/s; linear, and
// carried on below. Horses of other heights move alike at speeds and times that grow with the root of the
// height.
void tr_horse_gallop_plan(double height, double speed, tr_horse_gallop *gallop) {
    double grown = sqrt(height / (double)TR_HORSE_HEIGHT), over = speed / grown - 9;
    double stance[2] = {.143 - .006125 * over, .131 - .00675 * over};
    double protraction[2] = {.355 - .003625 * over, .364 - .00275 * over};
    *gallop = (tr_horse_gallop){.height = height, .speed = speed, .gravity = GRAVITY};
    for (int pair = 0; pair < 2; pair++) {
        double stride = stance[pair] + protraction[pair];
        gallop->duty[pair] = stance[pair] / stride;
        gallop->period += 0.5 * stride * grown;
    }
    gallop->flight = 1 - footfalls[TR_HORSE_LEFT_FORE] - gallop->duty[1];
    for (int leg = 0; leg < TR_HORSE_LEGS; leg++)
        gallop->begin[leg] = 0.5 * gallop->flight + footfalls[leg];
}

// ----------------------------------------------------------------------------------------------------- turns

// The rate of a turn rises in the first part of the stride and falls in the last, so that at both ends the
// horse gallops straight.
static double turn_rate(const tr_horse_gallop *gallop, double phase) {
    double most = gallop->turn / (gallop->period * (1 - TR_HORSE_SWAY));
    return most * tr_ease(phase / TR_HORSE_SWAY) * tr_ease((1 - phase) / TR_HORSE_SWAY);
}

// The integral of tr_ease from 0 to x [0, 1].
static double ease_sum(double x) {
    return x * x * x * x * (2.5 + x * (x - 3));
}

static double heading_at(const tr_horse_gallop *gallop, double phase) {
    double most = gallop->turn / (1 - TR_HORSE_SWAY), ramp = TR_HORSE_SWAY;
    if (phase <= 0)
        return 0;
    if (phase >= 1)
        return gallop->turn;
    if (phase < ramp)
        return most * ramp * ease_sum(phase / ramp);
    if (phase > 1 - ramp)
        return gallop->turn - most * ramp * ease_sum((1 - phase) / ramp);
    return most * (phase - 0.5 * ramp);
}

typedef struct ground_place {
    double x, z, heading;
} ground_place;

#define STEPS 64 // of Simpson's rule: an error far below a float's
static ground_place place_at(const tr_horse_gallop *gallop, double phase) {
    double inside = phase < 0 ? 0 : phase > 1 ? 1 : phase, x = 0, z = 0, sine, cosine;
    for (int i = 0; i <= STEPS; i++) {
        double weight = i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2;
        tr_sin_cos(heading_at(gallop, inside * i / STEPS), &sine, &cosine);
        x += weight * sine;
        z += weight * cosine;
    }
    double stride = gallop->speed * gallop->period, share = inside * stride / (3 * STEPS);
    ground_place place = {x * share, z * share, heading_at(gallop, inside)};
    tr_sin_cos(place.heading, &sine, &cosine);
    place.x += sine * (phase - inside) * stride;
    place.z += cosine * (phase - inside) * stride;
    return place;
}

tr_base tr_horse_gallop_base(const tr_horse_gallop *gallop, double time) {
    ground_place place = place_at(gallop, time / gallop->period);
    tr_base base = {(float)place.x, (float)place.z, (float)place.heading};
    return base;
}

static double lean_for(const tr_horse_gallop *gallop, double rate) {
    return tr_arc_tangent(gallop->speed * rate, gallop->gravity);
}

double tr_horse_gallop_lean(const tr_horse_gallop *gallop) {
    double lean = lean_for(gallop, turn_rate(gallop, 0.5));
    return lean < 0 ? -lean : lean;
}

// ---------------------------------------------------------------------------------------------------- hooves

// From 0, at rest, to `by` at s = 1 with this slope; without acceleration at either end.
static double quintic(double s, double by, double slope) {
    double cube = s * s * s, square = s * s;
    return by * cube * (10 - 15 * s + 6 * square) - slope * cube * (4 - 7 * s + 3 * square);
}

static double cubic(double s, double from, double from_slope, double to, double to_slope) {
    double square = s * s, cube = square * s;
    return (2 * cube - 3 * square + 1) * from + (cube - 2 * square + s) * from_slope +
           (3 * square - 2 * cube) * to + (cube - square) * to_slope;
}

// Rises from 0 and falls back to 0, at rest at both ends, highest (1) before the middle.
static double bump(double s, double early) {
    double x = s * (1 + early * (1 - s));
    return 64 * x * x * x * (1 - x) * (1 - x) * (1 - x);
}

static void swing_pitch_at(int pair, double duty, double s, tr_horse_hoof *hoof) {
    double leave_slope = 2 * lift_pitch * (1 - duty) / (breakover * duty);
    hoof->pitch = s < pitch_top
                      ? cubic(s / pitch_top, lift_pitch, leave_slope * pitch_top, swing_pitch[pair], 0)
                      : cubic((s - pitch_top) / (1 - pitch_top), swing_pitch[pair], 0, 0, 0);
}

void tr_horse_gallop_middle(const tr_horse_gallop *gallop, uint32_t leg, tr_horse_hoof *hoof) {
    int pair = tr_horse_is_fore(leg);
    bool right = leg == TR_HORSE_RIGHT_HIND || leg == TR_HORSE_RIGHT_FORE;
    *hoof = (tr_horse_hoof){.x = (right ? -1 : 1) * half_track[pair] * gallop->height,
                            .z = mid_stance[pair] * gallop->height,
                            .stands = true};
}

void tr_horse_stance_hoof(const tr_horse_gallop *gallop, uint32_t leg, double share, tr_horse_hoof *hoof) {
    double x = 2 * share - 1, load = (1 - x * x) * (1 - x * x);
    double lift = (share - (1 - breakover)) / breakover;
    tr_horse_gallop_middle(gallop, leg, hoof);
    hoof->pitch = lift > 0 ? lift_pitch * lift * lift : 0;
    hoof->pastern = .75 * hoof->pitch - pastern_sink * load;
}

void tr_horse_swing_hoof(const tr_horse_gallop *gallop, uint32_t leg, double share, tr_horse_hoof *hoof) {
    int pair = tr_horse_is_fore(leg);
    tr_horse_gallop_middle(gallop, leg, hoof);
    hoof->stands = false;
    hoof->y = toe_lift[pair] * gallop->height * bump(share, .35);
    swing_pitch_at(pair, gallop->duty[pair], share, hoof);
    hoof->pastern = .75 * hoof->pitch;
    hoof->knee = pair ? knee_bend * bump(share, .25) : 0;
}

// The hoof of a horse that gallops straight, in the axes of its base; `phase` [0, 1) counts from its
// footfall.
static void straight_hoof(const tr_horse_gallop *gallop, uint32_t leg, double phase, tr_horse_hoof *hoof) {
    int pair = tr_horse_is_fore(leg);
    double duty = gallop->duty[pair], stride = gallop->speed * gallop->period, half = 0.5 * duty * stride;
    double middle = mid_stance[pair] * gallop->height;
    if (phase <= duty) {
        tr_horse_stance_hoof(gallop, leg, phase / duty, hoof);
        hoof->z = middle - (2 * phase / duty - 1) * half;
        return;
    }
    double s = (phase - duty) / (1 - duty), slope = -stride * (1 - duty);
    tr_horse_swing_hoof(gallop, leg, s, hoof);
    hoof->z = cubic(s, middle - half, slope, middle + half, slope);
}

// A hoof that stands on a footprint of a turn, relative to where it would be on a straight: how far aside,
// ahead and turned, and how fast that changes with the phase.
typedef struct hoof_shift {
    double x, z, yaw, x_slope, z_slope, yaw_slope;
} hoof_shift;

static hoof_shift stance_shift(const tr_horse_gallop *gallop, uint32_t leg, double phase) {
    int pair = tr_horse_is_fore(leg);
    double half = 0.5 * gallop->duty[pair], sine, cosine;
    tr_horse_hoof middle, straight;
    straight_hoof(gallop, leg, half, &middle);
    straight_hoof(gallop, leg, phase - gallop->begin[leg], &straight);
    ground_place print = place_at(gallop, gallop->begin[leg] + half), base = place_at(gallop, phase);
    tr_sin_cos(print.heading, &sine, &cosine);
    double x = print.x + cosine * middle.x + sine * middle.z - base.x;
    double z = print.z - sine * middle.x + cosine * middle.z - base.z;
    tr_sin_cos(base.heading, &sine, &cosine);
    hoof_shift shift = {.x = cosine * x - sine * z - straight.x,
                        .z = sine * x + cosine * z - straight.z,
                        .yaw = print.heading - base.heading};
    double rate = turn_rate(gallop, phase) * gallop->period;
    shift.x_slope = -rate * (straight.z + shift.z);
    shift.z_slope = rate * (straight.x + shift.x);
    shift.yaw_slope = -rate;
    return shift;
}

static void add_shift(const hoof_shift *end, double share, double span, tr_horse_hoof *hoof) {
    hoof->x += quintic(share, end->x, end->x_slope * span);
    hoof->z += quintic(share, end->z, end->z_slope * span);
    hoof->yaw += quintic(share, end->yaw, end->yaw_slope * span);
}

// Between the ends of the clip and its footprint, a hoof comes to the shift that the print demands.
static void turn_hoof(const tr_horse_gallop *gallop, uint32_t leg, double phase, tr_horse_hoof *hoof) {
    double begin = gallop->begin[leg], end = begin + gallop->duty[tr_horse_is_fore(leg)];
    hoof_shift shift = stance_shift(gallop, leg, phase < begin ? begin : phase > end ? end : phase);
    if (phase < begin) {
        add_shift(&shift, phase / begin, begin, hoof);
    } else if (phase > end) {
        add_shift(&shift, (1 - phase) / (1 - end), -(1 - end), hoof);
    } else {
        hoof->x += shift.x;
        hoof->z += shift.z;
        hoof->yaw += shift.yaw;
    }
}

// ----------------------------------------------------------------------------------------------------- trunk

// The height of the trunk: free fall while no hoof stands, and in between what legs do that push with a
// steady force, which rises and falls as 1 - x^8. 0 at the top.
static double bounce(const tr_horse_gallop *gallop, double phase) {
    double stance = 0.5 * (1 - gallop->flight) * gallop->period, g = gallop->gravity;
    double fall = 0.5 * gallop->flight * gallop->period, push = g * gallop->period / (2 * stance) * 9 / 8;
    double x = (phase - 0.5) * gallop->period / stance, aloft = phase < 0.5 ? phase : 1 - phase;
    if (x <= -1 || x >= 1)
        return -0.5 * g * aloft * gallop->period * aloft * gallop->period;
    double square = x * x, eighth = square * square * square * square;
    double rise = stance * stance * (push * (square / 2 - square * eighth / 90) - g * square / 2);
    double edge = stance * stance * (push * (1.0 / 2 - 1.0 / 90) - g / 2);
    return rise - edge - 0.5 * g * fall * fall;
}

// The withers are high over the hind stance and low over the fore stance; the pelvis is tucked under while
// the hind legs reach ahead; the neck goes down as the fore legs carry, and the head keeps steady.
static void move_trunk(const tr_horse_gallop *gallop, double phase, bool turning, tr_horse_state *state) {
    state->up = bounce(gallop, phase) - gallop->lowering;
    state->pitch = -4 * DEGREE * cosine_of(phase - .22);
    state->tuck = 9 * DEGREE * cosine_of(phase - .06);
    state->neck = 11 * DEGREE + 5 * DEGREE * cosine_of(phase - .75);
    state->neck_bow = -5 * DEGREE - 3 * DEGREE * cosine_of(phase - .80);
    state->nod = -7 * DEGREE + 3 * DEGREE * cosine_of(phase - .70);
    state->tail = 42 * DEGREE + 9 * DEGREE * cosine_of(phase - .35);
    state->ear = 12 * DEGREE;
    state->roll = turning ? lean_for(gallop, turn_rate(gallop, phase)) : 0;
    state->bend = .35 * state->roll;
    state->tail_sway = -.5 * state->roll;
    // The outer legs of a leaning horse have to reach further.
    double sine, cosine;
    tr_sin_cos(state->roll, &sine, &cosine);
    state->up -= half_track[0] * gallop->height * (sine < 0 ? -sine : sine);
}

void tr_horse_gallop_at(const tr_horse_gallop *gallop, double time, tr_horse_state *state) {
    double phase = time / gallop->period;
    *state = (tr_horse_state){0};
    bool turning = gallop->turn != 0 && phase > 0 && phase < 1;
    move_trunk(gallop, fraction(phase), turning, state);
    for (uint32_t leg = 0; leg < TR_HORSE_LEGS; leg++) {
        double duty = gallop->duty[tr_horse_is_fore(leg)], after = fraction(phase - gallop->begin[leg]);
        double s = (after - duty) / (1 - duty);
        straight_hoof(gallop, leg, after, &state->hooves[leg]);
        if (!turning)
            continue;
        turn_hoof(gallop, leg, phase, &state->hooves[leg]);
        // A hoof in the air leans with its leg; one that comes down is level.
        state->hooves[leg].roll = s > 0 ? state->roll * tr_ease(s / .25) * tr_ease((1 - s) / .25) : 0;
    }
}

#define LOWERING_STEP .004
#define LOWERING_MOST .100
#define LOWERING_PHASES 60

void tr_horse_gallop_lower(tr_horse_gallop *gallop, tr_horse_rig *rig) {
    tr_horse_gallop straight = *gallop;
    straight.turn = 0;
    for (double lower = 0; lower <= LOWERING_MOST; lower += LOWERING_STEP) {
        gallop->lowering = straight.lowering = lower * gallop->height;
        rig->worst_miss = 0;
        for (int i = 0; i < LOWERING_PHASES; i++) {
            tr_horse_state state;
            tr_horse_gallop_at(&straight, straight.period * i / LOWERING_PHASES, &state);
            tr_horse_pose(rig, &state);
        }
        if (rig->worst_miss < LOWERING_STEP * LOWERING_STEP * gallop->height)
            break;
    }
    // Between the phases that were tried, and in turns, a little is left for the legs to give.
    gallop->lowering += 2 * LOWERING_STEP * gallop->height;
    rig->worst_miss = 0;
}

// ------------------------------------------------------------------------------------------------------
// stand

void tr_horse_stand_at(double height, double phase, tr_horse_state *state) {
    *state = (tr_horse_state){.up = -.003 * height * (1 - cosine_of(phase)),
                              .neck = 2 * DEGREE * cosine_of(phase - .2),
                              .nod = 2 * DEGREE * cosine_of(phase - .3),
                              .tail_sway = 7 * DEGREE * cosine_of(2 * phase),
                              .ear = 10 * DEGREE * (1 - cosine_of(phase - .6))};
    for (uint32_t leg = 0; leg < TR_HORSE_LEGS; leg++) {
        bool right = leg == TR_HORSE_RIGHT_HIND || leg == TR_HORSE_RIGHT_FORE;
        tr_vec3 toe =
            tr_horse_places[tr_horse_is_fore(leg) ? TR_HORSE_LEFT_FORE_TOE : TR_HORSE_LEFT_HIND_TOE];
        state->hooves[leg] = (tr_horse_hoof){
            .x = (right ? -1 : 1) * height * (double)toe.x, .z = height * (double)toe.z, .stands = true};
    }
}
