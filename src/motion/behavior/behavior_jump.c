// A running jump: one stride of run-up, take-off from the left foot, flight, landing on the right foot, two
// steps to get back into the jog.
//
// The hips rise out of the take-off into a parabola that ends where the leg can land. How high it goes is
// searched: the lowest flight in which the body clears the obstacle. The obstacle lies where it is cleared by
// most.
#include "behavior_parts.h"

#include <string.h>

#define DEGREE TR_GAIT_DEGREE
#define REACH_ROUNDS 3
#define RISE_ROUNDS 9
#define RISE_LEAST 0.05 // of the hips in the flight, for a body of 1.75 m [m]
#define RISE_MOST 0.74
#define SAMPLES 40 // of the motion that is tested against the obstacle
#define BINS 96
#define MARGIN 0.045  // between body and obstacle [m]
#define TAKE_OFF 0.21 // [s]
#define LANDING 0.27

// What is chosen about a jump.
typedef struct jump {
    double rise, speed;                       // of the hips in the flight; along the way
    double tuck;                              // of the legs [0, 1]
    double strike, off, top, land, low, step; // times
    double high_off, high_land;               // hips at the ends of the flight, as `up`
    double flight, stand;                     // how long; `stand` is the landing
    double middle, room; // where the obstacle lies, and by how much the body clears it there
} jump;

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

// Thigh, knee and ankle of a leg, as the hips of the plan are at a time.
static tr_behavior_via leg_via(const tr_behavior_plan *plan, uint32_t side, double time,
                               const double angles[3]) {
    const tr_gait_rig *rig = plan->rig;
    tr_behavior_place base = tr_behavior_base(plan, time);
    double up = tr_behavior_nodes_at(plan->heights, plan->height_count, time);
    double thigh = angles[0] * DEGREE, shank = (angles[0] - angles[1]) * DEGREE, sine[2], cosine[2];
    double upper = (double)rig->legs[side].upper_length, lower = (double)rig->legs[side].lower_length;
    tr_sin_cos(thigh, &sine[0], &cosine[0]);
    tr_sin_cos(shank, &sine[1], &cosine[1]);
    tr_behavior_via via = {.time = time, .pitch = shank + angles[2] * DEGREE};
    via.x = base.x + 0.8 * (double)(rig->hips_rest.x + rig->hip_offset[side].x);
    via.y = (double)(rig->hips_rest.y + rig->hip_offset[side].y) - rig->ground + up - upper * cosine[0] -
            lower * cosine[1];
    via.z = base.z + (double)(rig->hips_rest.z + rig->hip_offset[side].z) + upper * sine[0] + lower * sine[1];
    return via;
}

// The leg that takes off follows through and is drawn up behind the other one.
static void add_trailing(tr_behavior_plan *plan, tr_behavior_stance *stance, const jump *j) {
    double tuck = j->tuck, after = j->step - j->land;
    const struct {
        double time, angles[3];
    } rows[] = {
        {j->off + 0.24 * j->flight, {-15, mix(74, 92, tuck), -34}},
        {j->off + 0.48 * j->flight, {mix(6, 30, tuck), mix(116, 123, tuck), -36}},
        {j->off + 0.80 * j->flight, {mix(32, 68, tuck), mix(120, 123, tuck), -24}},
        {j->land + 0.08 * after, {mix(44, 60, tuck), mix(110, 118, tuck), -18}},
        {j->land + 0.42 * after, {50, 94, -4}},
        {j->land + 0.72 * after, {36, 52, 0}},
    };
    stance->via_count = sizeof rows / sizeof *rows;
    for (uint32_t i = 0; i < stance->via_count; i++)
        stance->vias[i] = leg_via(plan, 0, rows[i].time, rows[i].angles);
}

// The other leg swings up with its knee, goes over the obstacle and reaches for the ground.
static void add_leading(tr_behavior_plan *plan, tr_behavior_stance *stance, const jump *j) {
    double tuck = j->tuck, contact = j->off - j->strike;
    const struct {
        double time, angles[3];
    } rows[] = {
        {j->strike + 0.10 * contact, {-2, mix(94, 100, tuck), -24}},
        {j->strike + 0.55 * contact, {40, mix(110, 117, tuck), -10}},
        {j->off + 0.02 * j->flight, {mix(68, 92, tuck), mix(100, 116, tuck), 0}},
        {j->off + 0.30 * j->flight, {mix(82, 105, tuck), mix(98, 119, tuck), 8}},
        {j->off + 0.60 * j->flight, {mix(74, 96, tuck), mix(84, 100, tuck), 10}},
        {j->off + 0.83 * j->flight, {mix(42, 50, tuck), mix(52, 62, tuck), 4}},
        {j->off + 0.94 * j->flight, {mix(33, 36, tuck), mix(46, 54, tuck), 4}},
    };
    stance->via_count = sizeof rows / sizeof *rows;
    for (uint32_t i = 0; i < stance->via_count; i++)
        stance->vias[i] = leg_via(plan, 1, rows[i].time, rows[i].angles);
}

// ------------------------------------------------------------------------------------------------- trunk

typedef struct posture_row {
    double tilt, lean, side_yaw, nod; // [degrees]
    double arms[2][3];                // flexion, abduction and elbow of the left arm, of the right arm
} posture_row;

static void add_key(tr_behavior_plan *plan, double time, const posture_row *row) {
    tr_behavior_key *key = &plan->keys[plan->key_count++];
    *key = (tr_behavior_key){.time = time};
    key->state.tilt = row->tilt * DEGREE;
    key->state.chest_lean = row->lean * DEGREE;
    key->state.chest_yaw = -row->side_yaw * DEGREE;
    key->state.yaw = 0.7 * row->side_yaw * DEGREE;
    key->state.head_nod = row->nod * DEGREE;
    for (int side = 0; side < 2; side++)
        key->state.arms[side] = (tr_gait_arm){row->arms[side][0] * DEGREE, row->arms[side][1] * DEGREE,
                                              row->arms[side][2] * DEGREE};
}

// Arms swing up against the legs, open for balance in the flight and come down with the landing.
static void add_postures(tr_behavior_plan *plan, const jump *j) {
    double far = j->tuck;
    const posture_row strike = {2, 1, -2, 2, {{-38, 14, 82}, {14, 14, 88}}};
    const posture_row push = {2, 2, 2, 0, {{8, 14, 86}, {-12, 18, 84}}};
    const posture_row off = {
        mix(4, 3, far), mix(5, 4, far), 8, 1, {{mix(44, 74, far), 16, 80}, {mix(-36, -42, far), 24, 70}}};
    const posture_row top = {mix(10, 16, far),
                             mix(12, 24, far),
                             6,
                             mix(5, 10, far),
                             {{mix(46, 66, far), 26, 62}, {mix(-30, -22, far), 42, 52}}};
    const posture_row reach = {
        mix(6, 4, far), mix(9, 14, far), -2, 8, {{mix(20, 34, far), 34, 56}, {mix(-10, -20, far), 46, 44}}};
    const posture_row land = {
        mix(7, 8, far), mix(10, 15, far), -4, 5, {{mix(4, 14, far), 28, 60}, {mix(2, -6, far), 38, 50}}};
    const posture_row low = {mix(11, 15, far), mix(15, 24, far), -5, 6, {{-26, 20, 70}, {24, 22, 70}}};
    add_key(plan, j->strike, &strike);
    add_key(plan, mix(j->strike, j->off, 0.5), &push);
    add_key(plan, j->off, &off);
    add_key(plan, mix(j->off, j->land, 0.46), &top);
    add_key(plan, mix(j->off, j->land, 0.82), &reach);
    add_key(plan, j->land + 0.03 * (j->low - j->land), &land);
    add_key(plan, j->low + 0.3 * (j->low - j->land), &low);
}

static void add_height(tr_behavior_plan *plan, double time, double value, double speed, double acceleration) {
    plan->heights[plan->height_count++] = (tr_behavior_node){time, value, speed, acceleration};
}

// ------------------------------------------------------------------------------------------------- whole

static tr_gait_plant take_off_plant(const tr_behavior_plan *plan, const jump *j) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double contact = j->off - j->strike, scale = plan->rig->scale;
    // The hips pass the ankle a little before the middle of the contact.
    double ankle = tr_behavior_base(plan, j->strike).z + 0.46 * contact * j->speed;
    return (tr_gait_plant){.x = cycle->half_width,
                           .z = ankle + (double)plan->rig->heel[0].z - 0.01 * scale,
                           .yaw = cycle->toe_out,
                           .begin = j->strike,
                           .end = j->off,
                           .strike = mix(7, 0, j->tuck) * DEGREE,
                           .strike_time = 0.2 * contact,
                           .push = 50 * DEGREE,
                           .push_time = 0.74 * contact};
}

static tr_gait_plant landing_plant(const tr_behavior_plan *plan, const jump *j) {
    const tr_gait_cycle *cycle = &plan->cycle;
    double scale = plan->rig->scale;
    double ankle = tr_behavior_base(plan, j->land).z + 0.24 * scale;
    return (tr_gait_plant){.x = -cycle->half_width,
                           .z = ankle + (double)plan->rig->heel[1].z,
                           .yaw = -cycle->toe_out,
                           .begin = j->land,
                           .end = j->land + j->stand,
                           .strike = 6 * DEGREE,
                           .strike_time = 0.16 * j->stand,
                           .push = 46 * DEGREE,
                           .push_time = 0.6 * j->stand};
}

static void forget(tr_behavior_plan *plan) {
    plan->ramp_count = plan->layer_count = plan->bump_count = plan->key_count = plan->height_count = 0;
    plan->stance_count[0] = plan->stance_count[1] = 0;
    plan->mass = (tr_behavior_mass){0};
}

static void set_times(tr_behavior_plan *plan, jump *j) {
    double period = plan->cycle.period, slow = sqrt(plan->rig->scale), gravity = TR_BEHAVIOR_GRAVITY;
    double rising = sqrt(2 * j->rise / gravity);
    double falling = sqrt(2 * (j->rise + j->high_off - j->high_land) / gravity);
    j->strike = period;
    j->off = j->strike + TAKE_OFF * slow * (1 + 0.12 * j->tuck);
    j->top = j->off + rising;
    j->flight = rising + falling;
    j->land = j->off + j->flight;
    // The faster it is the sooner the leg is stretched behind.
    double longest = 0.62 * plan->rig->scale / j->speed;
    j->stand = LANDING * slow * (1 + 0.15 * j->tuck);
    j->stand = j->stand < longest ? j->stand : longest;
    j->low = j->land + 0.54 * j->stand;
    j->step = j->land + 0.60 * period;
    plan->duration = tr_behavior_whole(plan, j->step + period);
    j->step = plan->duration - period;
    plan->action = j->top;
}

// The hips go down a little before the take-off, are thrown up, fall, and are caught softly.
static void set_heights(tr_behavior_plan *plan, const jump *j) {
    double gravity = TR_BEHAVIOR_GRAVITY, scale = plan->rig->scale, contact = j->off - j->strike;
    double throw = gravity * (j->top - j->off), fall = gravity * (j->land - j->top);
    double begin = j->high_off - 0.34 * throw *contact;
    double caught = j->land + 2.6 * (j->low - j->land);
    add_height(plan, j->strike - 0.12 * plan->cycle.period, begin + 0.004 * scale, -0.35 * sqrt(scale), 0);
    add_height(plan, j->strike, begin, -0.20 * sqrt(scale), 0);
    add_height(plan, j->off, j->high_off, throw, -gravity);
    add_height(plan, j->land, j->high_land, -fall, -gravity);
    add_height(plan, j->low, j->high_land - 0.36 * fall * (j->low - j->land), 0,
               0.6 * fall / (j->low - j->land));
    add_height(plan, caught, j->high_land - 0.02 * scale, 0, 0);
}

static void lay_out(tr_behavior_plan *plan, jump *j) {
    double period = plan->cycle.period, contact = 0;
    forget(plan);
    set_times(plan, j);
    contact = j->off - j->strike;
    tr_behavior_enter(plan);
    tr_behavior_add_ramp(plan, 0.1 * period, j->strike + 0.3 * contact, j->speed - plan->speed);
    tr_behavior_add_ramp(plan, j->land, j->step + 0.5 * period, plan->speed - j->speed);
    tr_behavior_leave(plan);
    set_heights(plan, j);
    add_postures(plan, j);
    tr_behavior_stance *right =
        tr_behavior_add_jog_stance(plan, 1, 0.5 * period, tr_behavior_jog_over(plan, 1, 0.5 * period));
    add_leading(plan, right, j);
    tr_behavior_stance *left = tr_behavior_add_stance(plan, 0, take_off_plant(plan, j));
    add_trailing(plan, left, j);
    tr_behavior_add_stance(plan, 1, landing_plant(plan, j))->lift = 0.10 * plan->rig->scale;
    tr_behavior_add_jog_stance(plan, 0, j->step, tr_behavior_jog_over(plan, 0, j->step));
    tr_behavior_add_jog_stance(plan, 1, j->step + 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 1, j->step + 1.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 0, j->step + period, plan->exit);
    tr_behavior_layer keyed = {j->strike - 0.30 * period, j->strike + 0.6 * contact,
                               .posture = TR_BEHAVIOR_KEYED};
    tr_behavior_add_layer(plan, keyed);
    tr_behavior_layer jog = {j->low, j->step + 0.45 * period, .posture = TR_BEHAVIOR_JOGS, .jog = plan->exit};
    tr_behavior_add_layer(plan, jog);
    plan->mass = (tr_behavior_mass){
        j->strike - 0.3 * period, j->strike + 0.5 * contact, j->low, j->step + 0.2 * period, 0, 0};
}

// The centre of mass and the hips agree at the take-off.
static void weigh(tr_behavior_plan *plan, const jump *j) {
    tr_gait_state state;
    tr_behavior_mass mass = plan->mass;
    plan->mass.end = plan->mass.begin;
    tr_behavior_pose_at(plan, j->off, &state);
    tr_vec3 centre = tr_behavior_mass_centre(plan->rig);
    plan->mass = mass;
    plan->mass.y = (double)centre.y;
    plan->mass.z = (double)centre.z;
}

static double worst_excess(const tr_behavior_plan *plan, double from, double to) {
    double worst = -1;
    for (int i = 0; i <= 6; i++) {
        tr_gait_state state;
        tr_behavior_pose_at(plan, mix(from, to, i / 6.0), &state);
        double excess = tr_gait_excess(plan->rig, &state);
        worst = excess > worst ? excess : worst;
    }
    return worst;
}

// The ends of the flight are as high as the legs on the ground allow.
static void reach(tr_behavior_plan *plan, jump *j) {
    double scale = plan->rig->scale;
    for (int i = 0; i < REACH_ROUNDS; i++) {
        lay_out(plan, j);
        weigh(plan, j);
        j->high_off -= worst_excess(plan, mix(j->strike, j->off, 0.5), j->off) + 0.012 * scale;
        j->high_land -= worst_excess(plan, j->land, mix(j->land, j->low, 0.4)) + 0.045 * scale;
    }
    lay_out(plan, j);
    weigh(plan, j);
}

// ---------------------------------------------------------------------------------------------- obstacle

// The lowest point of the body above each piece of the way, over all the time.
typedef struct profile {
    double from, width; // of the first piece, of each piece
    double low[BINS];
} profile;

static void lower_profile(profile *p, double z, double y) {
    double at = (z - p->from) / p->width;
    if (at >= 0 && at < BINS && y < p->low[(int)at])
        p->low[(int)at] = y;
}

#define POINTS 12
static void body_points(const tr_behavior_plan *plan, const tr_gait_state *state, double points[POINTS][2]) {
    const tr_gait_rig *rig = plan->rig;
    double scale = rig->scale;
    for (uint32_t side = 0; side < 2; side++) {
        const tr_foot *foot = &rig->feet[side];
        const tr_vec3 at[POINTS / 2] = {tr_foot_heel(foot, rig->model),
                                        tr_foot_ball(foot, rig->model),
                                        tr_foot_tip(foot, rig->model),
                                        tr_affine_position(&rig->model[foot->ankle]),
                                        tr_affine_position(&rig->model[foot->shank]),
                                        tr_affine_position(&rig->model[foot->thigh])};
        static const double thick[POINTS / 2] = {0.02, 0.015, 0.02, 0.055, 0.075, 0.11};
        for (int i = 0; i < POINTS / 2; i++) {
            points[POINTS / 2 * side + (uint32_t)i][0] = state->base_z + (double)at[i].z;
            points[POINTS / 2 * side + (uint32_t)i][1] = (double)at[i].y - rig->ground - thick[i] * scale;
        }
    }
}

static void make_profile(const tr_behavior_plan *plan, const jump *j, profile *p) {
    double before[POINTS][2], now[POINTS][2], from = j->strike, to = mix(j->land, j->low, 0.5);
    p->from = tr_behavior_base(plan, j->strike).z - 0.3 * plan->rig->scale;
    p->width = (tr_behavior_base(plan, j->low).z + 0.5 * plan->rig->scale - p->from) / BINS;
    for (int i = 0; i < BINS; i++)
        p->low[i] = 10;
    for (int i = 0; i <= SAMPLES; i++) {
        tr_gait_state state;
        tr_behavior_pose_at(plan, mix(from, to, (double)i / SAMPLES), &state);
        body_points(plan, &state, now);
        for (int k = 0; i > 0 && k < POINTS; k++) {
            int steps = (int)(fabs(now[k][0] - before[k][0]) / p->width) + 1;
            for (int step = 0; step <= steps; step++) {
                double share = (double)step / steps;
                lower_profile(p, mix(before[k][0], now[k][0], share), mix(before[k][1], now[k][1], share));
            }
        }
        memcpy(before, now, sizeof now);
    }
}

static double room_at(const profile *p, double from, double to) {
    double room = 10;
    for (int i = 0; i < BINS; i++) {
        double begin = p->from + i * p->width;
        if (begin + p->width > from && begin < to)
            room = p->low[i] < room ? p->low[i] : room;
    }
    return room;
}

// Where an obstacle of a length is cleared by most.
static void place_obstacle(const tr_behavior_plan *plan, jump *j, double height, double length) {
    profile p;
    double margin = MARGIN * plan->rig->scale, half = 0.5 * length + margin;
    make_profile(plan, j, &p);
    j->room = -10;
    double begin = tr_behavior_base(plan, j->off).z - 0.2 * plan->rig->scale,
           end = tr_behavior_base(plan, j->land).z + 0.2 * plan->rig->scale;
    for (int i = 0; i <= 80; i++) {
        double middle = mix(begin, end, i / 80.0);
        double room = room_at(&p, middle - half, middle + half) - height - margin;
        if (room > j->room) {
            j->room = room;
            j->middle = middle;
        }
    }
}

static void try_rise(tr_behavior_plan *plan, jump *j, double rise, double height, double length) {
    j->rise = rise;
    j->high_off = 0.06 * plan->rig->scale;
    j->high_land = -0.02 * plan->rig->scale;
    reach(plan, j);
    place_obstacle(plan, j, height, length);
}

// The time at which the base is over the middle of the obstacle.
static double time_over(const tr_behavior_plan *plan, double middle) {
    double low = 0, high = plan->duration;
    for (int i = 0; i < 50; i++) {
        double half = 0.5 * (low + high);
        *(tr_behavior_base(plan, half).z < middle ? &low : &high) = half;
    }
    return 0.5 * (low + high);
}

void tr_behavior_plan_jump(tr_behavior_plan *plan) {
    double scale = plan->rig->scale, height = plan->height / scale, length = plan->length / scale;
    double low = RISE_LEAST * scale, high = RISE_MOST * scale;
    jump j = {0};
    j.tuck = (height - 0.1) / 0.8;
    j.speed = plan->speed + (0.12 + 0.92 * length) * sqrt(scale);
    try_rise(plan, &j, low, plan->height, plan->length);
    high = j.room > 0 ? low : high;
    for (int i = 0; i < RISE_ROUNDS && high > low; i++) {
        double rise = 0.5 * (low + high);
        try_rise(plan, &j, rise, plan->height, plan->length);
        *(j.room > 0 ? &high : &low) = rise;
    }
    if (j.rise != high)
        try_rise(plan, &j, high, plan->height, plan->length);
    plan->clear = j.room;
    plan->action = time_over(plan, j.middle);
}
