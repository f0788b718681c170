// What a plan says at a time: numbers from tracks, the way of the base, the board.
#include "skateboarder_parts.h"

#define GRAVITY 9.81
#define COM_HEIGHT 0.98             // of a gliding body of 1.75 m, about
#define PIVOT (35 * TR_GAIT_DEGREE) // of the axis that trucks steer about: more steering leans the deck less
#define PUSHES_LEAN 0.35 // of what accelerations along the way want: feet on the ground do the rest
#define NEAR 0.05        // times between which accelerations are measured [s]

void tr_skater_add_key(tr_skater_track *track, double time, double value) {
    if (track->count == TR_SKATER_KEYS_MAX)
        return;
    track->time[track->count] = time;
    track->value[track->count++] = value;
}

// The slope at a key: the harmonic mean of those on either side, so that the curve never overshoots (Fritsch
// & Carlson 1980).
static double slope_at(const tr_skater_track *track, uint32_t i) {
    if (i == 0 || i + 1 == track->count)
        return 0;
    double before = (track->value[i] - track->value[i - 1]) / (track->time[i] - track->time[i - 1]);
    double after = (track->value[i + 1] - track->value[i]) / (track->time[i + 1] - track->time[i]);
    return before * after > 0 ? 2 * before * after / (before + after) : 0;
}

double tr_skater_track_at(const tr_skater_track *track, double time) {
    uint32_t i = 0;
    if (track->count == 0)
        return 0;
    if (time <= track->time[0])
        return track->value[0];
    if (time >= track->time[track->count - 1])
        return track->value[track->count - 1];
    while (time >= track->time[i + 1])
        i++;
    double length = track->time[i + 1] - track->time[i];
    return tr_gait_cubic((time - track->time[i]) / length, track->value[i], slope_at(track, i) * length,
                         track->value[i + 1], slope_at(track, i + 1) * length);
}

// ------------------------------------------------------------------------------------------------------- way

double tr_skater_plan_heading(const tr_skater_plan *plan, double time) {
    double begin = 0.06 * plan->duration, end = 0.94 * plan->duration;
    return plan->turn * tr_ease((time - begin) / (end - begin));
}

static double speed_at(const tr_skater_plan *plan, double time) {
    return tr_skater_track_at(&plan->numbers[TR_SKATER_SPEED], time);
}

// Moves a place on by a short time: Simpson's rule.
static void move_on(const tr_skater_plan *plan, double time, double by, tr_skater_place *place) {
    static const double parts[3] = {0, .5, 1}, weights[3] = {1, 4, 1};
    for (int i = 0; i < 3; i++) {
        double at = time + parts[i] * by, sine, cosine, step = weights[i] / 6 * by * speed_at(plan, at);
        tr_sin_cos(tr_skater_plan_heading(plan, at), &sine, &cosine);
        place->x += step * sine;
        place->z += step * cosine;
        place->way += step;
    }
}

void tr_skater_find_way(tr_skater_plan *plan) {
    tr_skater_place place = {0, 0, 0};
    for (uint32_t i = 0; i < TR_SKATER_PLACES; i++) {
        plan->places[i] = place;
        move_on(plan, i / TR_SKATER_PLACES_RATE, 1 / TR_SKATER_PLACES_RATE, &place);
    }
}

static tr_skater_place place_at(const tr_skater_plan *plan, double time) {
    double number = time <= 0 ? 0 : time * TR_SKATER_PLACES_RATE;
    uint32_t i = number < TR_SKATER_PLACES - 1 ? (uint32_t)number : TR_SKATER_PLACES - 1;
    tr_skater_place place = plan->places[i];
    move_on(plan, i / TR_SKATER_PLACES_RATE, time - i / TR_SKATER_PLACES_RATE, &place);
    return place;
}

double tr_skater_plan_way(const tr_skater_plan *plan, double time) {
    return place_at(plan, time).way;
}

tr_base tr_skater_plan_base(const tr_skater_plan *plan, double time) {
    tr_skater_place place = place_at(plan, time);
    return (tr_base){(float)place.x, (float)place.z, (float)tr_skater_plan_heading(plan, time)};
}

// --------------------------------------------------------------------------------------------------- state

// Whole turns from end to end, so that wheels are in all clips as they are in the others.
static double spin_at(const tr_skater_plan *plan, double time) {
    double spin = tr_skater_plan_way(plan, time) / (double)TR_SKATER_WHEEL;
    double all = tr_skater_plan_way(plan, plan->duration) / (double)TR_SKATER_WHEEL;
    double whole = 2 * TR_PI * (double)(int64_t)(all / (2 * TR_PI) + 0.5);
    spin += (whole - all) * tr_ease((time / plan->duration - 0.2) / 0.6);
    double turns = spin / (2 * TR_PI), full = (double)(int64_t)turns;
    return 2 * TR_PI * (turns - full);
}

static void place_board(tr_skater_state *state) {
    const double *n = state->numbers;
    tr_vec3 axis = {0, TR_SKATER_WHEEL, 0}, up = {0, TR_SKATER_DECK - TR_SKATER_WHEEL, 0};
    tr_vec3 along = {0, 0, 1}, across = {1, 0, 0}, back = {0, TR_SKATER_WHEEL, -TR_SKATER_AXLE};
    tr_quat rolled = tr_quat_about(along, -state->roll), pitched = tr_quat_about(across, -n[TR_SKATER_PITCH]);
    tr_vec3 level = tr_vec3_add(axis, tr_quat_rotate(rolled, up));
    state->board = tr_vec3_add(back, tr_quat_rotate(pitched, tr_vec3_subtract(level, back)));
    state->board.y += (float)state->lift;
    state->board_turn = tr_quat_multiply(pitched, rolled);
}

// The height of the centre of mass: in the air it falls freely, and it leaves and arrives with the speed of
// its flight.
static double height_at(const tr_skater_plan *plan, double time, double planned) {
    double begin = plan->flight[0], end = plan->flight[1], air = end - begin, t = time - begin;
    if (!(time > plan->spring[0] && time < plan->absorb[0]))
        return planned;
    double speed = (plan->fly_to - plan->fly_from) / air + 0.5 * GRAVITY * air, fall = speed - GRAVITY * air;
    if (time < begin) {
        double rising = begin - plan->spring[0];
        return tr_gait_cubic(1 + t / rising, plan->spring[1], 0, plan->fly_from, speed * rising);
    }
    if (time > end) {
        double landing = plan->absorb[0] - end;
        return tr_gait_cubic((time - end) / landing, plan->fly_to, fall * landing, plan->absorb[1], 0);
    }
    return plan->fly_from + speed * t - 0.5 * GRAVITY * t * t;
}

void tr_skater_state_at(const tr_skater_plan *plan, double time, tr_skater_state *state) {
    double *n = state->numbers;
    for (uint32_t i = 0; i < TR_SKATER_NUMBERS; i++)
        n[i] = tr_skater_track_at(&plan->numbers[i], time);
    double rate =
        (tr_skater_plan_heading(plan, time + 1e-3) - tr_skater_plan_heading(plan, time - 1e-3)) / 2e-3;
    double faster = (speed_at(plan, time + NEAR) - speed_at(plan, time - NEAR)) / (2 * NEAR);
    double speed = n[TR_SKATER_SPEED], curve = speed > 0 ? rate / speed : 0, sine, cosine;
    state->lean[0] = tr_arc_tangent(speed * rate, GRAVITY);
    state->lean[1] = -PUSHES_LEAN * tr_arc_tangent(faster, GRAVITY);
    state->steer = tr_arc_tangent(curve * (double)TR_SKATER_AXLE, 1);
    tr_sin_cos(PIVOT, &sine, &cosine);
    state->roll = state->steer * cosine / sine;
    double half = 0.5 * (plan->flight[1] - plan->flight[0]);
    double x = half > 0 ? (time - plan->flight[0]) / half - 1 : 1;
    state->lift = x > -1 && x < 1 ? plan->rise * (1 - x * x) * (1 + 0.25 * x * x) : 0;
    state->flies = x > -1 && x < 1;
    state->spin = spin_at(plan, time);
    place_board(state);
    double left, back, upright = COM_HEIGHT + n[TR_SKATER_COM_UP];
    tr_sin_cos(state->lean[0], &left, &cosine);
    tr_sin_cos(state->lean[1], &back, &sine);
    state->com[0] = n[TR_SKATER_COM_LEFT] + upright * left;
    state->com[1] = height_at(plan, time, n[TR_SKATER_COM_UP] - upright * (1 - cosine));
    state->com[2] = n[TR_SKATER_COM_AHEAD] - upright * back;
}
