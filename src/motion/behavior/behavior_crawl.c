// Crawling: the jog slows down, the right knee goes to the ground behind the left foot, then the hands, then
// the left knee. Hands and knees go on in diagonal pairs. The right foot comes up between the hands, the body
// stands up over it, and jogs on.
#include "behavior_parts.h"

#define DEGREE TR_GAIT_DEGREE
#define LOW_ROUNDS 8
#define SPEED 0.52  // of the crawl [m/s], for a body of 1.75 m
#define PERIOD 1.00 // of a cycle of four limbs [s]
#define SWING 0.40  // share of it
#define KNEE 0.070  // height of a knee on the ground [m]
#define WRIST 0.097
#define DRAGGING 0.024 // height of the lowest point of that foot [m]
#define FIRST 0.32     // when the right knee touches again, in cycles
#define FURTHEST 0.17  // of a knee ahead of its place under the hip [m]
#define TUCKED 25      // angle of the ankle over tucked toes [degrees]
#define INSTEP -138    // pitch of a foot that drags behind
#define BODY 0.75      // length of the way on which it has to be down, beside the bar's [m]

typedef struct crawl {
    double low;   // [0, 1]: how far the hips go back and the elbows bend
    double slant; // of the thighs
    double nod;   // [0, 1]: of the head
    double speed, period;
    double right, left; // when the knees touch first
    double down;        // when all limbs are on the ground
    uint32_t cycles;
    double foot_up, foot_down; // of the right foot that comes up
    double off;                // when the left knee leaves the ground
    double step, last, jog;    // left step, right step, left strike of the jog
    double drag;               // how far the shank rises whose foot drags behind
    double tucked, rise;       // pitch of the foot with its toes tucked under, and the rise of its shank
    double ankle[2];           // the ankle above and behind the ball then
    double middle, room;
} crawl;

static double mix(double a, double b, double share) {
    return a + (b - a) * share;
}

// The lowest shank whose foot stays off the ground.
static void measure_drag(const tr_behavior_plan *plan, crawl *c) {
    double length = (double)plan->rig->legs[0].lower_length, low = -0.1, high = 0.5;
    for (int i = 0; i < 30; i++) {
        double sine, cosine;
        c->drag = 0.5 * (low + high);
        tr_sin_cos(c->drag, &sine, &cosine);
        tr_gait_foot foot = {.pitch = INSTEP * DEGREE, .y = KNEE * plan->rig->scale + length * sine};
        double lowest = tr_gait_lowest(plan->rig, 0, &foot), right = tr_gait_lowest(plan->rig, 1, &foot);
        lowest = lowest < right ? lowest : right;
        *(lowest < DRAGGING * plan->rig->scale ? &low : &high) = c->drag;
    }
}

// The foot on its ball whose ankle bends as much as it may while the knee is on the ground before it.
static void measure_foot(const tr_behavior_plan *plan, crawl *c) {
    const tr_gait_rig *rig = plan->rig;
    c->tucked = -70 * DEGREE;
    for (int i = 0; i < 8; i++) {
        tr_gait_foot foot = {.pitch = c->tucked, .toes = -c->tucked};
        tr_gait_stand_on(rig, 0, TR_GAIT_ON_BALL, 0, 0, &foot);
        double ball = (double)(rig->ball[0].z - rig->heel[0].z);
        double length = (double)rig->legs[0].lower_length, sine = (foot.y - KNEE * rig->scale) / length;
        sine = sine < 0.5 ? sine : 0.5;
        c->rise = tr_arc_tangent(sine, sqrt(1 - sine * sine));
        c->ankle[0] = foot.y;
        c->ankle[1] = foot.z - ball;
        c->tucked = TUCKED * DEGREE - 90 * DEGREE - c->rise;
    }
}

static void set_times(tr_behavior_plan *plan, crawl *c) {
    double period = plan->cycle.period, slow = sqrt(plan->rig->scale);
    // The head comes down first, then the hips go back over their heels.
    c->nod = c->low < 0.5 ? 2 * c->low : 1;
    c->slant = c->low < 0.5 ? 0 : 26 * DEGREE * (2 * c->low - 1);
    c->speed = mix(SPEED, 0.85 * SPEED, c->low) * slow;
    c->period = PERIOD * slow;
    c->right = period + 1.30 * slow;
    c->left = c->right + 0.60 * slow;
    c->down = c->left + 0.50 * slow;
    double far = plan->length + BODY * plan->rig->scale;
    c->cycles = (uint32_t)ceil(far / (c->speed * c->period)) + (c->slant > 0);
    c->foot_up = c->down + (c->cycles - 0.5 + FIRST) * c->period + 0.02 * slow;
    c->foot_down = c->foot_up + 0.58 * slow;
    c->off = c->foot_down + 0.24 * slow;
    c->step = c->off + 0.72 * slow;
    c->last = c->step + 0.44 * slow;
    plan->duration = tr_behavior_whole(plan, c->last + 1.5 * period);
    c->jog = plan->duration - period;
    c->last = c->jog - 0.5 * period;
}

static void set_speeds(tr_behavior_plan *plan, const crawl *c) {
    double slow = sqrt(plan->rig->scale), period = plan->cycle.period, walk = 1.05 * slow,
           rises = 0.24 * slow;
    tr_behavior_add_ramp(plan, 0.1 * period, period + 0.25 * slow, walk - plan->speed);
    tr_behavior_add_ramp(plan, period + 0.20 * slow, c->right, 0.12 * slow - walk);
    tr_behavior_add_ramp(plan, c->left + 0.30 * slow, c->down + 0.3 * slow, c->speed - 0.12 * slow);
    tr_behavior_add_ramp(plan, c->foot_up - 0.2 * slow, c->foot_down - 0.1 * slow, rises - c->speed);
    tr_behavior_add_ramp(plan, c->off + 0.05 * slow, c->step + 0.12 * slow, walk - rises);
    tr_behavior_add_ramp(plan, c->step, c->jog + 0.2 * period, plan->speed - walk);
}

// ------------------------------------------------------------------------------------------- knees and hands

static void add_knee(tr_behavior_plan *plan, const crawl *c, uint32_t side, double begin, double end) {
    tr_behavior_limb *knee = &plan->knees[side];
    double slant = knee->count == 0 || knee->count == c->cycles ? 0 : c->slant;
    double scale = plan->rig->scale, sine, cosine;
    tr_sin_cos(slant, &sine, &cosine);
    double ahead = (double)(plan->rig->hips_rest.z + plan->rig->hip_offset[side].z) +
                   sine * (double)plan->rig->legs[side].upper_length;
    double out = (double)(plan->rig->hips_rest.x + plan->rig->hip_offset[side].x);
    // Not so far ahead that the hips would have to come down for it.
    // The last one is not far ahead, because the hips are high when the right foot passes.
    double furthest = ((side == 0 && end == c->off ? 0.05 : FURTHEST) + 0.42 * sine) * scale;
    double middle = tr_behavior_base(plan, 0.5 * (begin + end)).z + ahead,
           first = tr_behavior_base(plan, begin).z + furthest;
    knee->touches[knee->count++] = (tr_behavior_touch){.begin = begin,
                                                       .end = end,
                                                       .x = out,
                                                       .y = plan->rig->ground + KNEE * scale,
                                                       .z = middle < first ? middle : first,
                                                       .shank = c->drag,
                                                       .pitch = INSTEP * DEGREE,
                                                       .lift = 0.028 * scale};
}

static void add_knees(tr_behavior_plan *plan, const crawl *c) {
    double slow = sqrt(plan->rig->scale), swing = SWING * c->period, half = 0.5 * c->period;
    double right = c->right, left = c->left;
    tr_behavior_limb *knees = plan->knees;
    for (uint32_t i = 0; i < c->cycles; i++) {
        double touch = c->down + (i + FIRST) * c->period;
        add_knee(plan, c, 1, right, touch - swing);
        right = touch;
        add_knee(plan, c, 0, left, touch + half - swing);
        left = touch + half;
    }
    add_knee(plan, c, 1, right, c->foot_up);
    add_knee(plan, c, 0, left, c->off);
    // The toes of the first touch and of the last one are tucked under.
    for (uint32_t side = 0; side < 2; side++) {
        tr_behavior_touch *ends[2] = {&knees[side].touches[0], &knees[side].touches[knees[side].count - 1]};
        ends[0]->shank = ends[1]->shank = c->rise;
        ends[0]->pitch = ends[1]->pitch = c->tucked;
    }
    knees[1].begin = c->right - 0.50 * slow;
    knees[1].end = c->foot_down;
    knees[1].stays[0] = true;
    knees[0].begin = c->right + 0.12 * slow;
    knees[0].end = c->off + 0.22 * slow;
    knees[0].stays[1] = true;
}

static void add_hand(tr_behavior_plan *plan, const crawl *c, uint32_t side, double begin, double end) {
    tr_behavior_limb *hand = &plan->hands[side];
    double scale = plan->rig->scale;
    double middle = tr_behavior_base(plan, 0.5 * (begin + end)).z + mix(0.54, 0.50, c->nod) * scale;
    double first = tr_behavior_base(plan, begin).z + (hand->count ? mix(0.67, 0.62, c->nod) : 0.58) * scale;
    hand->touches[hand->count++] = (tr_behavior_touch){.begin = begin,
                                                       .end = end,
                                                       .x = (side ? -1 : 1) * mix(0.19, 0.23, c->nod) * scale,
                                                       .y = plan->rig->ground + WRIST * scale,
                                                       .z = middle < first ? middle : first,
                                                       .lift = 0.06 * scale};
}

static void add_hands(tr_behavior_plan *plan, const crawl *c) {
    double slow = sqrt(plan->rig->scale), swing = SWING * c->period, half = 0.5 * c->period;
    double left = c->left + 0.24 * slow, right = c->left + 0.36 * slow, early = 0.05 * c->period;
    plan->hands[0].begin = left - 0.55 * slow;
    plan->hands[1].begin = right - 0.55 * slow;
    for (uint32_t i = 0; i < c->cycles; i++) {
        double touch = c->down + (i + FIRST) * c->period - early;
        add_hand(plan, c, 0, left, touch - swing);
        left = touch;
        add_hand(plan, c, 1, right, touch + half - swing);
        right = touch + half;
    }
    add_hand(plan, c, 0, left, c->foot_up);
    add_hand(plan, c, 1, right, c->foot_up + 0.10 * slow);
    plan->hands[0].end = c->foot_up + 0.70 * slow;
    plan->hands[1].end = c->foot_up + 0.95 * slow;
}

// -------------------------------------------------------------------------------------------------- feet

static tr_behavior_stance *add_step(tr_behavior_plan *plan, uint32_t side, double begin, double end,
                                    double ankle) {
    double strike = 6 * DEGREE, stance = end - begin;
    tr_gait_plant plant = {.x = (side ? -1.2 : 1.2) * plan->cycle.half_width,
                           .z = ankle + (double)plan->rig->heel[side].z,
                           .yaw = (side ? -1 : 1) * plan->cycle.toe_out,
                           .begin = begin,
                           .end = end,
                           .strike = strike,
                           .strike_time = 0.14 * stance,
                           .push = 40 * DEGREE,
                           .push_time = 0.4 * stance};
    return tr_behavior_add_stance(plan, side, plant);
}

// A foot on its ball, whose ankle is where the shank of a knee ends; from one pitch to another.
static void add_roll(tr_behavior_plan *plan, const crawl *c, uint32_t side, const tr_behavior_touch *knee,
                     const double times[2], const double pitches[2]) {
    double sine, cosine, length = (double)plan->rig->legs[side].lower_length;
    tr_sin_cos(c->rise, &sine, &cosine);
    double heel =
        knee->z - cosine * length - c->ankle[1] - (double)(plan->rig->ball[side].z - plan->rig->heel[side].z);
    tr_gait_plant plant = {.x = knee->x + (double)plan->rig->heel[side].x,
                           .z = heel,
                           .begin = times[0],
                           .end = times[1],
                           .strike = pitches[0],
                           .push = pitches[1]};
    tr_behavior_stance *stance = tr_behavior_add_stance(plan, side, plant);
    stance->rolls = true;
    stance->lift = 0.10 * plan->rig->scale;
}

static void add_feet(tr_behavior_plan *plan, const crawl *c) {
    double period = plan->cycle.period, scale = plan->rig->scale, slow = sqrt(scale);
    const tr_behavior_limb *knees = plan->knees;
    const tr_behavior_touch *down = &knees[1].touches[0], *up = &knees[0].touches[knees[0].count - 1];
    tr_behavior_add_jog_stance(plan, 1, 0.5 * period, tr_behavior_jog_over(plan, 1, 0.5 * period));
    add_step(plan, 0, period, period + 0.52 * slow, tr_behavior_base(plan, period + 0.22 * slow).z);
    // The right foot comes down on its sole and rolls onto its ball as the knee goes down.
    double flat[2] = {period + 0.40 * slow, period + 0.62 * slow}, level[2] = {0, 0};
    double rolls[2] = {flat[1], c->right}, bends[2] = {0, -c->tucked};
    add_roll(plan, c, 1, down, flat, level);
    add_roll(plan, c, 1, down, rolls, bends);
    add_step(plan, 0, period + 1.02 * slow, c->right + 0.14 * slow, down->z + 0.36 * scale)->lift =
        0.05 * scale;
    // Up: the right foot before the left knee, whose foot pushes off.
    add_step(plan, 1, c->foot_down, c->step + 0.12 * slow, up->z + 0.40 * scale)->plant.strike = 0;
    double pushes[2] = {c->off, c->off + 0.22 * slow}, points[2] = {-c->tucked, 60 * DEGREE};
    add_roll(plan, c, 0, up, pushes, points);
    double ahead = 0.06 * scale;
    add_step(plan, 0, c->step, c->last + 0.10 * slow,
             tr_behavior_base(plan, c->step + 0.24 * slow).z + ahead);
    add_step(plan, 1, c->last, c->jog + 0.02 * period,
             tr_behavior_base(plan, c->last + 0.2 * period).z + ahead)
        ->lift = 0.10 * scale;
    tr_behavior_add_jog_stance(plan, 0, c->jog, tr_behavior_jog_over(plan, 0, c->jog));
    tr_behavior_add_jog_stance(plan, 1, c->jog + 0.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 1, c->jog + 1.5 * period, plan->exit);
    tr_behavior_add_jog_stance(plan, 0, c->jog + period, plan->exit);
}

// ----------------------------------------------------------------------------------------------- postures

static void add_key(tr_behavior_plan *plan, double time, double up, double ahead,
                    const tr_behavior_posture_row *row) {
    tr_gait_state *state = tr_behavior_add_key(plan, time, row);
    state->up = up * plan->rig->scale;
    state->ahead = ahead * plan->rig->scale;
}

static void add_postures(tr_behavior_plan *plan, const crawl *c) {
    double slow = sqrt(plan->rig->scale), period = plan->cycle.period;
    double cosine, sine, thigh = (double)plan->rig->legs[0].upper_length / plan->rig->scale;
    tr_sin_cos(c->slant, &sine, &cosine);
    double down = (plan->rig->ground - (double)(plan->rig->hips_rest.y + plan->rig->hip_offset[0].y)) /
                      plan->rig->scale +
                  KNEE + thigh * cosine;
    double nod = mix(24, 74, c->nod), tilt = mix(66, 70, c->nod), lean = mix(78, 98, c->nod);
    const tr_behavior_posture_row walks = {8, 12, 2, 8, {{-6, 12, 50}, {10, 12, 50}}};
    const tr_behavior_posture_row sinks = {16, 30, 0, 20, {{12, 14, 34}, {6, 14, 34}}};
    const tr_behavior_posture_row bends = {22, 38, -2, 24, {{32, 14, 28}, {26, 14, 28}}};
    const tr_behavior_posture_row kneels = {19, 46, -3, 28, {{46, 14, 26}, {42, 14, 26}}};
    const tr_behavior_posture_row reaches = {29, 60, 3, 28, {{72, 14, 20}, {66, 14, 22}}};
    const tr_behavior_posture_row crawls = {tilt, lean, 0, nod, {{84, 12, 18}, {84, 12, 18}}};
    const tr_behavior_posture_row lifts = {28, 54, 4, 24, {{60, 14, 30}, {66, 14, 24}}};
    const tr_behavior_posture_row stands = {31, 46, 4, 14, {{22, 14, 40}, {34, 14, 34}}};
    const tr_behavior_posture_row rises = {22, 28, -2, 8, {{4, 14, 52}, {20, 12, 46}}};
    add_key(plan, period, -0.02, 0, &walks);
    add_key(plan, period + 0.60 * slow, -0.13, 0, &sinks);
    add_key(plan, c->right - 0.30 * slow, mix(-0.13, down, 0.6), 0, &bends);
    add_key(plan, c->right, down, 0, &kneels);
    add_key(plan, c->left - 0.10 * slow, down + 0.05, 0, &reaches);
    add_key(plan, c->left + 0.24 * slow, down, 0, &crawls);
    for (uint32_t i = 1; i <= 2 * c->cycles; i++) {
        double sway = (i & 1 ? 1 : -1) * 4.0;
        tr_behavior_posture_row row = crawls;
        row.twist = sway;
        add_key(plan, c->down + (0.5 * i + FIRST - 0.5) * c->period, down, 0, &row);
        plan->keys[plan->key_count - 1].state.left = (i & 1 ? -1 : 1) * 0.02 * plan->rig->scale;
    }
    add_key(plan, c->foot_down, down, 0, &lifts);
    add_key(plan, c->off + 0.05 * slow, down + 0.01, 0, &stands);
    add_key(plan, mix(c->off, c->step, 0.62), -0.14, 0, &rises);
    add_key(plan, c->step + 0.18 * slow, -0.04, 0, &walks);
}

static void lay_out(tr_behavior_plan *plan, crawl *c) {
    double period = plan->cycle.period, slow = sqrt(plan->rig->scale);
    tr_behavior_forget(plan);
    set_times(plan, c);
    tr_behavior_enter(plan);
    set_speeds(plan, c);
    tr_behavior_leave(plan);
    add_knees(plan, c);
    add_hands(plan, c);
    add_feet(plan, c);
    add_postures(plan, c);
    tr_behavior_layer keyed = {0.35 * period, period + 0.25 * slow, .posture = TR_BEHAVIOR_KEYED};
    tr_behavior_add_layer(plan, keyed);
    tr_behavior_layer jog = {c->step, c->jog + 0.30 * period, .posture = TR_BEHAVIOR_JOGS, .jog = plan->exit};
    tr_behavior_add_layer(plan, jog);
}

static void try_low(tr_behavior_plan *plan, crawl *c, double low) {
    tr_behavior_profile profile;
    c->low = low;
    lay_out(plan, c);
    tr_behavior_profile_make(plan, TR_BEHAVIOR_UNDER, plan->cycle.period, c->step, &profile);
    c->room = tr_behavior_profile_place(plan, &profile, tr_behavior_base(plan, c->right).z,
                                        tr_behavior_base(plan, c->off).z, &c->middle);
}

void tr_behavior_plan_crawl(tr_behavior_plan *plan) {
    double low = 0, high = 1;
    crawl c = {0};
    measure_foot(plan, &c);
    measure_drag(plan, &c);
    try_low(plan, &c, 0);
    high = c.room > 0 ? 0 : high;
    for (int i = 0; i < LOW_ROUNDS && high > low; i++) {
        double middle = 0.5 * (low + high);
        try_low(plan, &c, middle);
        *(c.room > 0 ? &high : &low) = middle;
    }
    if (c.low != high)
        try_low(plan, &c, high);
    plan->clear = c.room;
    plan->action = tr_behavior_time_over(plan, c.middle);
}
