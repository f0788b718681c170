// A running jump: one stride of run-up, take-off from the left foot, flight, landing on the right foot, two
// steps to get back into the jog.
//
// The hips rise out of the take-off into a parabola that ends where the leg can land. How high it goes is
// searched: the lowest flight in which the body clears the obstacle. The obstacle lies where it is cleared by
// most.
#include "behavior_parts.h"

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

// Arms swing up against the legs, open for balance in the flight and come down with the landing.
static void add_postures(tr_behavior_plan *plan, const jump *j) {
    double far = j->tuck;
    const tr_behavior_posture_row strike = {2, 1, -2, 2, {{-38, 14, 82}, {14, 14, 88}}};
    const tr_behavior_posture_row push = {2, 2, 2, 0, {{8, 14, 86}, {-12, 18, 84}}};
    const tr_behavior_posture_row off = {
        mix(4, 3, far), mix(5, 4, far), 8, 1, {{mix(44, 74, far), 16, 80}, {mix(-36, -42, far), 24, 70}}};
    const tr_behavior_posture_row top = {mix(10, 16, far),
                                         mix(12, 24, far),
                                         6,
                                         mix(5, 10, far),
                                         {{mix(46, 66, far), 26, 62}, {mix(-30, -22, far), 42, 52}}};
    const tr_behavior_posture_row reach = {
        mix(6, 4, far), mix(9, 14, far), -2, 8, {{mix(20, 34, far), 34, 56}, {mix(-10, -20, far), 46, 44}}};
    const tr_behavior_posture_row land = {
        mix(7, 8, far), mix(10, 15, far), -4, 5, {{mix(4, 14, far), 28, 60}, {mix(2, -6, far), 38, 50}}};
    const tr_behavior_posture_row low = {
        mix(11, 15, far), mix(15, 24, far), -5, 6, {{-26, 20, 70}, {24, 22, 70}}};
    tr_behavior_add_key(plan, j->strike, &strike);
    tr_behavior_add_key(plan, mix(j->strike, j->off, 0.5), &push);
    tr_behavior_add_key(plan, j->off, &off);
    tr_behavior_add_key(plan, mix(j->off, j->land, 0.46), &top);
    tr_behavior_add_key(plan, mix(j->off, j->land, 0.82), &reach);
    tr_behavior_add_key(plan, j->land + 0.03 * (j->low - j->land), &land);
    tr_behavior_add_key(plan, j->low + 0.3 * (j->low - j->land), &low);
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
    tr_behavior_add_height(plan, j->strike - 0.12 * plan->cycle.period, begin + 0.004 * scale,
                           -0.35 * sqrt(scale), 0);
    tr_behavior_add_height(plan, j->strike, begin, -0.20 * sqrt(scale), 0);
    tr_behavior_add_height(plan, j->off, j->high_off, throw, -gravity);
    tr_behavior_add_height(plan, j->land, j->high_land, -fall, -gravity);
    tr_behavior_add_height(plan, j->low, j->high_land - 0.36 * fall * (j->low - j->land), 0,
                           0.6 * fall / (j->low - j->land));
    tr_behavior_add_height(plan, caught, j->high_land - 0.02 * scale, 0, 0);
}

static void lay_out(tr_behavior_plan *plan, jump *j) {
    double period = plan->cycle.period, contact = 0;
    tr_behavior_forget(plan);
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

// Where the obstacle is cleared by most.
static void place(tr_behavior_plan *plan, jump *j) {
    tr_behavior_profile profile;
    double scale = plan->rig->scale;
    tr_behavior_profile_make(plan, TR_BEHAVIOR_OVER, j->strike, mix(j->land, j->low, 0.5), &profile);
    double begin = tr_behavior_base(plan, j->off).z - 0.2 * scale,
           end = tr_behavior_base(plan, j->land).z + 0.2 * scale;
    j->room = tr_behavior_profile_place(plan, &profile, begin, end, &j->middle);
}

static void try_rise(tr_behavior_plan *plan, jump *j, double rise) {
    j->rise = rise;
    j->high_off = 0.06 * plan->rig->scale;
    j->high_land = -0.02 * plan->rig->scale;
    reach(plan, j);
    place(plan, j);
}

void tr_behavior_plan_jump(tr_behavior_plan *plan) {
    double scale = plan->rig->scale, height = plan->height / scale, length = plan->length / scale;
    double low = RISE_LEAST * scale, high = RISE_MOST * scale;
    jump j = {0};
    j.tuck = (height - 0.1) / 0.8;
    j.speed = plan->speed + (0.12 + 0.92 * length) * sqrt(scale);
    try_rise(plan, &j, low);
    high = j.room > 0 ? low : high;
    for (int i = 0; i < RISE_ROUNDS && high > low; i++) {
        double rise = 0.5 * (low + high);
        try_rise(plan, &j, rise);
        *(j.room > 0 ? &high : &low) = rise;
    }
    if (j.rise != high)
        try_rise(plan, &j, high);
    plan->clear = j.room;
    plan->action = tr_behavior_time_over(plan, j.middle);
}
