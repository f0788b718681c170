// The kinds of clips: when the skateboarder pushes, turns, crouches and stops. Times and lengths are those of
// a body of 1.75 m. Speeds and heights are what one sees of skateboarders in streets: cruising at 2.5 m/s, a
// push that lasts a quarter of a second and adds 0.8 m/s, an ollie over 0.4 m in half a second of flight.
#include "skateboarder_parts.h"

#define SPEED 2.5 // of gliding [m/s]
#define DEGREE TR_GAIT_DEGREE
#define STAND_X -.215 // where the right foot stands, beside the board
#define STAND_Z -.02
#define STAND_YAW (-6 * DEGREE)

// What the body does at rest beside the board, when it pushes, and when it glides, squats or jumps. In the
// order of tr_skater_number from TR_SKATER_COM_UP to TR_SKATER_FRONT_ALONG.
#define FIRST TR_SKATER_COM_UP
#define LAST TR_SKATER_FRONT_ALONG
typedef struct posture {
    double com_up, com_left, com_ahead;               // [m]
    double yaw, tilt, chest_yaw, lean, head_yaw, nod; // [degrees]
    double left_arm[3], right_arm[3];                 // [degrees]
    double front_yaw, front_along;                    // [degrees], [m]
} posture;
static const posture stands = {-.050, -.10, .02, -4, 3, -3, 3, 0, 2, {4, 9, 12}, {2, 10, 14}, -14, .10};
static const posture pushes = {-.130, -.09, .08, -8, 22, -4, 36, 0, 12, {-8, 26, 38}, {10, 24, 42}, -18, .10};
static const posture glides = {0, .015, -.045, -58, 10, -42, 16, -8, 4, {8, 46, 36}, {-12, 44, 44}, -56, .17};
static const posture squats = {-.305, -.03, -.04,         -64,          34,  -50, 49,
                               -10,   8,    {34, 50, 48}, {10, 42, 50}, -56, .17};
static const posture coils = {-.21, -.02, -.04,          -62,           32,  -46, 46,
                              -10,  8,    {-22, 40, 30}, {-34, 40, 34}, -56, .17};
static const posture springs = {.06, 0, -.04, -54, 6, -40, 8, -8, 4, {52, 62, 34}, {36, 60, 40}, -56, .17};
static const posture tucks = {0, 0, -.04, -58, 24, -44, 34, -8, 10, {40, 70, 34}, {22, 66, 40}, -56, .17};
static const posture lands = {-.20, -.02, -.04,         -60,          34,  -44, 44,
                              -8,   8,    {30, 56, 40}, {14, 54, 44}, -56, .17};

static double number_of(const posture *from, uint32_t number) {
    double value = (&from->com_up)[number - FIRST];
    return number >= TR_SKATER_YAW && number <= TR_SKATER_FRONT_YAW ? value * DEGREE : value;
}

// The body is in a posture at a time; before and after it goes smoothly from and to others.
static void take(tr_skater_plan *plan, double time, const posture *to) {
    for (uint32_t i = FIRST; i <= LAST; i++)
        tr_skater_add_key(&plan->numbers[i], time, number_of(to, i));
}

static void hold(tr_skater_plan *plan, double begin, double end, const posture *to) {
    take(plan, begin, to);
    take(plan, end, to);
}

static void key(tr_skater_plan *plan, tr_skater_number number, double time, double value) {
    tr_skater_add_key(&plan->numbers[number], time, value);
}

static tr_skater_plant *add_plant(tr_skater_plan *plan, double begin, double end) {
    tr_skater_plant *plant = &plan->plants[plan->plant_count++];
    *plant = (tr_skater_plant){.begin = begin, .end = end, .anchor = begin, .x = STAND_X, .lift = .06};
    return plant;
}

static void on_board(tr_skater_plan *plan, double begin, double end) {
    add_plant(plan, begin, end)->on_board = true;
}

// The foot stands beside the board when the base is at its place at `anchor`.
static tr_skater_plant *stand_beside(tr_skater_plan *plan, double begin, double end, double anchor) {
    tr_skater_plant *plant = add_plant(plan, begin, end);
    plant->anchor = anchor, plant->z = STAND_Z, plant->yaw = STAND_YAW;
    return plant;
}

// The foot comes down so far ahead of the base, and leaves with its heel up.
static void push_off(tr_skater_plan *plan, double begin, double end, double ahead, double push) {
    tr_skater_plant *plant = add_plant(plan, begin, end);
    plant->z = ahead, plant->yaw = -4 * DEGREE, plant->push = push, plant->lift = .13;
}

#define FOR_EVER 1e6
#define HEEL_UP (42 * DEGREE)

static void plan_stand(tr_skater_plan *plan) {
    plan->duration = 4;
    take(plan, 0, &stands);
    key(plan, TR_SKATER_SPEED, 0, 0);
    // It breathes once in the clip, and shifts its weight a little.
    tr_skater_track *lean = &plan->numbers[TR_SKATER_LEAN], *left = &plan->numbers[TR_SKATER_COM_LEFT];
    tr_skater_add_key(lean, 1.6, lean->value[0] - 1.2 * DEGREE);
    tr_skater_add_key(lean, 4, lean->value[0]);
    tr_skater_add_key(left, 2.2, left->value[0] + .008);
    tr_skater_add_key(left, 4, left->value[0]);
    stand_beside(plan, -FOR_EVER, FOR_EVER, 0);
}

// Three pushes, and the foot steps onto the board.
static void launch(tr_skater_plan *plan, double time) {
    static const double speeds[][2] = {{.20, 0},     {.62, .80},   {1.02, .80},
                                       {1.30, 1.65}, {1.70, 1.65}, {1.95, SPEED}};
    for (uint32_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        key(plan, TR_SKATER_SPEED, time + speeds[i][0], speeds[i][1]);
    stand_beside(plan, plan->plant_count ? time : -FOR_EVER, time + .66, time)->push = HEEL_UP;
    plan->plants[plan->plant_count - 1].lift = .12;
    push_off(plan, time + 1.02, time + 1.34, .19, HEEL_UP);
    push_off(plan, time + 1.70, time + 1.98, .24, HEEL_UP);
    on_board(plan, time + 2.44, FOR_EVER);
    hold(plan, time + .42, time + 2.02, &pushes);
    take(plan, time + 2.8, &glides);
}

// The foot steps off the board, and brakes with two steps; the second one stays.
static void brake(tr_skater_plan *plan, double time) {
    static const double speeds[][2] = {{.50, SPEED}, {.82, 1.35}, {1.08, 1.35}, {1.52, 0}};
    for (uint32_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        key(plan, TR_SKATER_SPEED, time + speeds[i][0], speeds[i][1]);
    on_board(plan, -FOR_EVER, time + .12);
    plan->plants[plan->plant_count - 1].lift = .08;
    plan->plants[plan->plant_count - 1].aside = .075;
    push_off(plan, time + .50, time + .82, .31, .5 * HEEL_UP);
    take(plan, time, &glides);
    hold(plan, time + .48, time + 1.05, &pushes);
    take(plan, time + 1.66, &stands);
}

static void plan_start(tr_skater_plan *plan) {
    plan->duration = 84 / 30.0;
    plan->stands_before = true;
    key(plan, TR_SKATER_SPEED, 0, 0);
    take(plan, 0, &stands);
    launch(plan, 0);
}

static void plan_end(tr_skater_plan *plan) {
    plan->duration = 51 / 30.0;
    plan->stands_after = true;
    brake(plan, 0);
    stand_beside(plan, 1.08, FOR_EVER, plan->duration);
}

static void plan_wait(tr_skater_plan *plan) {
    const double begin = 51 / 30.0;
    plan->duration = 135 / 30.0;
    brake(plan, 0);
    take(plan, begin, &stands);
    uint32_t standing = plan->plant_count;
    launch(plan, begin);
    plan->plants[standing].begin = 1.08; // one stance from the last step of the brake to the first push
}

static void plan_push(tr_skater_plan *plan) {
    plan->duration = 42 / 30.0;
    key(plan, TR_SKATER_SPEED, .08, SPEED);
    key(plan, TR_SKATER_SPEED, .48, SPEED - .2);
    key(plan, TR_SKATER_SPEED, .72, SPEED);
    on_board(plan, -FOR_EVER, .10);
    plan->plants[0].aside = .06;
    push_off(plan, .48, .73, .26, HEEL_UP);
    on_board(plan, 1.16, FOR_EVER);
    take(plan, 0, &glides);
    hold(plan, .48, .70, &pushes);
    take(plan, plan->duration, &glides);
}

static void plan_glide(tr_skater_plan *plan) {
    plan->duration = 50 / 30.0;
    key(plan, TR_SKATER_SPEED, 0, SPEED);
    on_board(plan, -FOR_EVER, FOR_EVER);
    take(plan, 0, &glides);
    if (plan->turn == 0)
        return;
    // Into a turn the body sinks a little, the head looks where it goes, and the arms open.
    posture turns = glides;
    double side = plan->turn > 0 ? 1 : -1, share = fabs(plan->turn) / (50 * DEGREE);
    turns.com_up = -.05 * share;
    turns.head_yaw += 16 * side * share;
    turns.chest_yaw += 12 * side * share;
    turns.yaw += 6 * side * share;
    turns.left_arm[1] += 14 * share, turns.right_arm[1] += 14 * share;
    hold(plan, .4 * plan->duration, .6 * plan->duration, &turns);
    take(plan, plan->duration, &glides);
}

static void plan_duck(tr_skater_plan *plan) {
    plan->duration = 45 / 30.0;
    key(plan, TR_SKATER_SPEED, 0, SPEED);
    on_board(plan, -FOR_EVER, FOR_EVER);
    take(plan, 0, &glides);
    hold(plan, .55, .95, &squats);
    take(plan, plan->duration, &glides);
}

// It crouches, springs up and pops the tail; board and feet rise together, level out, and land as one.
static void plan_jump(tr_skater_plan *plan) {
    const double off = .74, on = 1.24;
    plan->duration = 52 / 30.0;
    plan->flight[0] = off, plan->flight[1] = on;
    plan->rise = .45;
    plan->fly_from = .06, plan->fly_to = 0;
    key(plan, TR_SKATER_SPEED, 0, SPEED);
    on_board(plan, -FOR_EVER, FOR_EVER);
    take(plan, 0, &glides);
    take(plan, .50, &coils);
    take(plan, off, &springs);
    take(plan, .5 * (off + on), &tucks);
    take(plan, on, &springs);
    take(plan, 1.42, &lands);
    take(plan, plan->duration, &glides);
    plan->spring[0] = .50, plan->spring[1] = coils.com_up;
    plan->absorb[0] = 1.42, plan->absorb[1] = lands.com_up;
    static const double pitches[][2] = {{.62, 0}, {.735, 24}, {.80, 22}, {.96, 2}, {1.06, -4}, {1.20, 0}};
    for (uint32_t i = 0; i < sizeof pitches / sizeof *pitches; i++)
        key(plan, TR_SKATER_PITCH, pitches[i][0], pitches[i][1] * DEGREE);
}

void tr_skater_make_plan(const tr_skateboarder_clip_def *def, tr_skater_plan *plan) {
    static void (*const kinds[TR_SKATEBOARDER_KINDS])(tr_skater_plan *) = {
        [TR_SKATEBOARDER_STAND] = plan_stand, [TR_SKATEBOARDER_START] = plan_start,
        [TR_SKATEBOARDER_GLIDE] = plan_glide, [TR_SKATEBOARDER_PUSH] = plan_push,
        [TR_SKATEBOARDER_JUMP] = plan_jump,   [TR_SKATEBOARDER_DUCK] = plan_duck,
        [TR_SKATEBOARDER_WAIT] = plan_wait,   [TR_SKATEBOARDER_END] = plan_end,
    };
    *plan = (tr_skater_plan){.turn = def->kind == TR_SKATEBOARDER_GLIDE ? (double)def->turn : 0};
    kinds[def->kind](plan);
    tr_skater_find_way(plan);
}

// ------------------------------------------------------------------------------------------------- behaviors

tr_skateboarder_behavior tr_skateboarder_get_behavior(uint32_t number) {
    static const struct {
        const char *name;
        tr_skateboarder_kind kind;
        float degrees, weight;
        double action;
    } rows[TR_SKATEBOARDER_BEHAVIORS] = {{"start", TR_SKATEBOARDER_START, 0, 1, -1},
                                         {"end", TR_SKATEBOARDER_END, 0, 1, -1},
                                         {"glide", TR_SKATEBOARDER_GLIDE, 0, 1, -1},
                                         {"left", TR_SKATEBOARDER_GLIDE, 20, 1.05f, -1},
                                         {"sharp_left", TR_SKATEBOARDER_GLIDE, 50, 1.15f, -1},
                                         {"right", TR_SKATEBOARDER_GLIDE, -20, 1.05f, -1},
                                         {"sharp_right", TR_SKATEBOARDER_GLIDE, -50, 1.15f, -1},
                                         {"push", TR_SKATEBOARDER_PUSH, 0, 1.1f, -1},
                                         {"jump", TR_SKATEBOARDER_JUMP, 0, 2.5f, .99},
                                         {"duck", TR_SKATEBOARDER_DUCK, 0, 2, .75},
                                         {"wait", TR_SKATEBOARDER_WAIT, 0, 6, -1}};
    if (number >= TR_SKATEBOARDER_BEHAVIORS)
        return (tr_skateboarder_behavior){.action = 0};
    tr_skateboarder_clip_def def = {.kind = rows[number].kind,
                                    .turn = (float)((double)rows[number].degrees * DEGREE)};
    tr_skater_plan plan;
    tr_skater_make_plan(&def, &plan);
    return (tr_skateboarder_behavior){.name = rows[number].name,
                                      .kind = def.kind,
                                      .turn = def.turn,
                                      .weight = rows[number].weight,
                                      .frames = (uint32_t)(plan.duration * 30 + 0.5),
                                      .extra_frames = 16,
                                      .stands_before = plan.stands_before,
                                      .stands_after = plan.stands_after,
                                      .action = rows[number].action};
}
