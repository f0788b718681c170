// A foot is in the air, held at one point (about which it turns as in the animation, with a fixed heading),
// or held at two points: flat and fixed. In each state it has a target. Its offset from that target when the
// state began dies away, starting with the speed that the foot had (a quintic, as in inertialization). So no
// change of state jumps: the step that detects the change still shows the old state, and the new one begins
// there.
#include "foot_lock_foot.h"

#include "motion/overlay/overlay_pull.h"
#include "troupe/base/scalar.h"

#define STRAIGHT_MOST 0.999f // of the length of a leg
#define STRAIGHT_EASY 0.992f // 14 degrees of knee: closer to straight a knee turns fast for small moves
#define SETTLE_TIME 0.12f    // a foot that came down high or tilted sinks to the ground within this time [s]
#define RISE_TIME 0.1f       // a foot in the air adapts to a higher floor within this time [s]
#define SINK_TIME 0.2f       // and to a lower one [s]
#define STEP_SHARE 0.25f     // height of a step back to the animation, as a share of its length
#define STEP_SMALL                                                                                           \
    0.012f                  // and this much more unless it is as short itself: a foot does not skim the floor
                            // [m]
#define STEP_MOST 0.06f     // and at most [m]
#define SOFT_HEIGHT 0.002f  // below this a foot in the air is increasingly lifted off the ground [m]
#define RISE_FREE 0.01f     // of the leg: a held foot that the animation raises by more follows it upwards
#define RISE_MAX 0.02f      // a heel that it raises by more above the toes is released, in spite of its label
#define TOUCH_HEIGHT 0.003f // a foot in the air that sinks to this height, flat, has landed [m]
#define TOUCH_RISE 0.004f   // and one that stands flat leaves the ground when it is raised by more [m]
#define OFFSET_REACH 0.15f  // of the speed of an offset: it carries the foot at most 3 cm further [m]
#define TURN_REACH 0.6f     // [rad]
#define PIVOT 0.6f          // a foot on its toes turns with a body that has turned over it by more [rad]
#define PIVOT_PULL 12.0f    // of the excess [1/s]
#define ROLL_EASY 0.986f    // of the leg: a foot on its toes that needs more of it rolls further
#define ROLL_PULL 60.0f     // how fast [1/s]
#define ROLL_MOST 0.5f      // [rad]
#define ROLL_ROUNDS 2       // for finding the roll
#define RATE_MAX 5.0f       // of an offset [m/s]: a faster one is noise
#define TURN_RATE_MAX 15.0f // [rad/s]

static const tr_vec3 none = {0, 0, 0};

// ---------------------------------------------------------------------------------------------- dying away

// From `begin` with `rate` to zero after `time`, where the rate and the second derivative are zero as well. A
// high rate is used up earlier, so that it adds less than a fifth of `reach` to the way.
static tr_vec3 remainder_of(tr_vec3 begin, tr_vec3 rate, float reach, float time, float since) {
    if (!(since < time))
        return none;
    float s = since / time, left = (1 - s) * (1 - s) * (1 - s);
    tr_vec3 rest = tr_vec3_scale(begin, left * (1 + 3 * s + 6 * s * s));
    float speed = tr_vec3_length(rate), rate_time = speed * time > reach ? reach / speed : time;
    if (!(since < rate_time))
        return rest;
    s = since / rate_time, left = (1 - s) * (1 - s) * (1 - s);
    return tr_vec3_add(rest, tr_vec3_scale(rate, left * s * (1 + 3 * s) * rate_time));
}

static tr_vec3 offset_of(const tr_foot_lock_foot *foot) {
    return remainder_of(foot->offset, foot->offset_rate, OFFSET_REACH, foot->offset_time, foot->offset_since);
}

static tr_quat turn_of(const tr_foot_lock_foot *foot) {
    return tr_quat_from_vector(
        remainder_of(foot->turn, foot->turn_rate, TURN_REACH, foot->turn_time, foot->turn_since));
}

static tr_vec3 at_most(tr_vec3 v, float size) {
    float length = tr_vec3_length(v);
    return length > size ? tr_vec3_scale(v, size / length) : v;
}

static tr_vec3 rate_between(tr_vec3 before, tr_vec3 now, float dt) {
    return dt > 0 ? tr_vec3_scale(tr_vec3_subtract(now, before), 1 / dt) : none;
}

static tr_vec3 turn_rate_between(tr_quat before, tr_quat now, float dt) {
    if (!(dt > 0))
        return none;
    return tr_vec3_scale(tr_quat_to_vector(tr_quat_multiply(now, tr_quat_conjugate(before))), 1 / dt);
}

static void begin_turn(tr_foot_lock_foot *foot, tr_quat shown, tr_quat target, tr_vec3 rate, float time) {
    foot->turn = tr_quat_to_vector(tr_quat_multiply(shown, tr_quat_conjugate(target)));
    foot->turn_rate = at_most(rate, TURN_RATE_MAX);
    foot->turn_time = time;
    foot->turn_since = 0;
}

// ------------------------------------------------------------------------------------------------ geometry

float tr_foot_lock_leg_most(const leg_view *leg) {
    float most = STRAIGHT_MOST * leg->straight;
    return leg->distance > most ? leg->distance : most;
}

float tr_foot_lock_leg_easy(const leg_view *leg) {
    float easy = STRAIGHT_EASY * leg->straight;
    return leg->distance > easy ? leg->distance : easy;
}

// The part of a rotation that is about +Y.
static tr_quat twist_of(tr_quat q) {
    float squared = q.y * q.y + q.w * q.w;
    if (!(squared > 1e-12f))
        return tr_quat_identity();
    float inverse = 1 / sqrtf(squared);
    return (tr_quat){0, q.y * inverse, 0, q.w * inverse};
}

// The rotation about +Y from the heading of one vector to that of another.
static tr_quat heading_between(tr_vec3 from, tr_vec3 to) {
    float cosine = from.x * to.x + from.z * to.z, sine = from.z * to.x - from.x * to.z;
    float size = sqrtf(cosine * cosine + sine * sine);
    tr_quat half = {0, sine, 0, size + cosine};
    if (cosine < 0) // the half angle from the sum that does not cancel
        half = (tr_quat){0, sine < 0 ? cosine - size : size - cosine, 0, sine < 0 ? -sine : sine};
    return twist_of(tr_quat_normalize(half));
}

// The points of the foot, relative to the ankle, when it has the rotation `rotation`.
typedef struct sole_points {
    tr_vec3 heel, toes;
} sole_points;

static sole_points points_at(const leg_view *leg, tr_quat rotation) {
    tr_quat turned = tr_quat_multiply(rotation, tr_quat_conjugate(leg->rotation));
    return (sole_points){tr_quat_rotate(turned, leg->heel), tr_quat_rotate(turned, leg->toes)};
}

static float lower_of(float a, float b) {
    return a < b ? a : b;
}

// The amount added to a height so that it ends above 0: nothing above SOFT_HEIGHT, all of it below
// -SOFT_HEIGHT.
static float lift_of(float height) {
    if (height >= SOFT_HEIGHT)
        return 0;
    if (height <= -SOFT_HEIGHT)
        return -height;
    return (SOFT_HEIGHT - height) * (SOFT_HEIGHT - height) / (4 * SOFT_HEIGHT);
}

// The height that becomes `height` when lifted.
static float before_lift(float height) {
    if (height >= SOFT_HEIGHT)
        return height;
    return height > 0 ? 2 * sqrtf(SOFT_HEIGHT * height) - SOFT_HEIGHT : -SOFT_HEIGHT;
}

static tr_vec3 at_distance(tr_vec3 from, tr_vec3 point, float now, float wanted) {
    if (now == wanted || !(now > 0))
        return point;
    return tr_vec3_add(from, tr_vec3_scale(tr_vec3_subtract(point, from), wanted / now));
}

static tr_vec3 lowered(tr_vec3 hip, float drop) {
    return tr_vec3_make(hip.x, hip.y - drop, hip.z);
}

static tr_vec3 raised(tr_vec3 ankle, float rise) {
    return tr_vec3_make(ankle.x, ankle.y + rise, ankle.z);
}

static void stop_at_rise(tr_foot_lock_foot *foot, float rise) {
    foot->rise = foot->rise_goal = rise;
    foot->rise_speed = foot->rise_pull = foot->rise_left = 0;
}

// The floor under a foot in the air moves to its goal on the quintic that keeps the present height, speed and
// acceleration and ends at rest. It also follows a goal that moves all the time.
static void follow_rise(tr_foot_lock_foot *foot, float goal, float dt) {
    if (goal != foot->rise_goal) {
        foot->rise_goal = goal;
        foot->rise_left = goal > foot->rise ? RISE_TIME : SINK_TIME;
    }
    if (!(foot->rise_left > dt)) {
        stop_at_rise(foot, goal);
        return;
    }
    float time = foot->rise_left, s = dt / time, left = 1 - s;
    float a = foot->rise - goal, b = 3 * a + foot->rise_speed * time;
    float c = 3 * (b - a) + foot->rise_pull * time * time / 2;
    float sum = a + s * (b + s * c), slope = b + 2 * c * s;
    foot->rise = goal + left * left * left * sum;
    foot->rise_speed = left * left * (left * slope - 3 * sum) / time;
    foot->rise_pull = left * (6 * sum - 6 * left * slope + 2 * left * left * c) / (time * time);
    foot->rise_left = time - dt;
    if (foot->rise < 0) // a fast descent that was prolonged
        foot->rise = foot->rise_speed = foot->rise_pull = 0;
}

// ------------------------------------------------------------------------------------------- in the air

// The place of the ankle with its offset. The line from the hip takes the offset as it is; the length of the
// leg has an offset of its own. So a leg that is bent in the animation bends as early, instead of trailing at
// full stretch.
static tr_vec3 with_offset(const tr_foot_lock_foot *foot, const leg_view *leg, tr_vec3 ankle, tr_vec3 hip) {
    tr_vec3 point = tr_vec3_add(ankle, offset_of(foot)), stretch = {foot->stretch, 0, 0};
    tr_vec3 stretch_rate = {foot->stretch_rate, 0, 0};
    float length = tr_vec3_length(tr_vec3_subtract(ankle, hip)) +
                   remainder_of(stretch, stretch_rate, OFFSET_REACH, foot->offset_time, foot->offset_since).x;
    float most = tr_foot_lock_leg_most(leg);
    return at_distance(hip, point, tr_vec3_length(tr_vec3_subtract(point, hip)),
                       length > most ? most : length);
}

// A foot that is released although its label says that it stands takes a step back to its place: it does not
// slide there.
static float step_lift(const tr_foot_lock_foot *foot) {
    if (!(foot->offset_since < foot->offset_time))
        return 0;
    float u = foot->offset_since / foot->offset_time, arc = u * (1 - u);
    float size = sqrtf(foot->offset.x * foot->offset.x + foot->offset.z * foot->offset.z);
    float height = STEP_SHARE * size + STEP_SMALL * size / (size + STEP_SMALL);
    height = height < STEP_MOST ? height : STEP_MOST;
    return 16 * height * arc * arc;
}

static ankle_goal goal_in_air(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                              const foot_news *news) {
    ankle_goal goal = {raised(leg->ankle, foot->rise), leg->rotation, false};
    sole_points points = {leg->heel, leg->toes};
    if (foot->turn_since < foot->turn_time) {
        goal.rotation = tr_quat_multiply(turn_of(foot), leg->rotation);
        points = points_at(leg, goal.rotation);
    }
    if (foot->offset_since < foot->offset_time)
        goal.position = with_offset(foot, leg, goal.position, lowered(leg->hip, news->drop));
    float floor = params->ground + foot->rise;
    goal.position.y += lift_of(goal.position.y + lower_of(points.heel.y, points.toes.y) - floor);
    goal.position.y += step_lift(foot);
    goal.position = tr_foot_lock_push(foot, params, leg, news, goal.position, points.heel, points.toes);
    return goal;
}

static float stretch_of(tr_vec3 hip, tr_vec3 shown, tr_vec3 meant) {
    return tr_vec3_length(tr_vec3_subtract(shown, hip)) - tr_vec3_length(tr_vec3_subtract(meant, hip));
}

// Goes back to the animation from the pose and the speed of the last step: sets the offset that goal_in_air
// turns into that pose. The animation has left the ground by now, so this step already shows the foot in the
// air.
static void release(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                    float dt) {
    const tr_foot_lock_past *last = &foot->past[0], *before = &foot->past[1];
    sole_points points = points_at(leg, last->shown_rotation);
    tr_vec3 from = last->shown, meant = raised(last->meant, foot->rise);
    float distance = tr_vec3_length(tr_vec3_subtract(from, last->hip)), most = tr_foot_lock_leg_most(leg);
    if (distance > most) // the goal was not reached
        from = at_distance(last->hip, from, distance, most);
    float height = from.y + lower_of(points.heel.y, points.toes.y) - (params->ground + foot->rise);
    from.y += before_lift(height) - height;
    foot->held_heel = foot->held_toes = false;
    foot->roll = foot->roll_rate = 0; // the offset has it
    foot->offset = tr_vec3_subtract(from, meant);
    foot->stretch = stretch_of(last->hip, from, meant);
    foot->offset_rate = at_most(rate_between(tr_vec3_subtract(before->shown, before->meant),
                                             tr_vec3_subtract(last->shown, last->meant), foot->past_time),
                                RATE_MAX);
    tr_vec3 stretches[2] = {
        {stretch_of(last->hip, last->shown, meant), 0, 0},
        {stretch_of(before->hip, before->shown, raised(before->meant, foot->rise)), 0, 0}};
    foot->stretch_rate = at_most(rate_between(stretches[1], stretches[0], foot->past_time), RATE_MAX).x;
    foot->offset_time = params->release_time;
    tr_vec3 turn_rate =
        tr_vec3_subtract(turn_rate_between(before->shown_rotation, last->shown_rotation, foot->past_time),
                         turn_rate_between(before->meant_rotation, last->meant_rotation, foot->past_time));
    begin_turn(foot, last->shown_rotation, last->meant_rotation, turn_rate, params->release_time);
    foot->offset_since = foot->turn_since = lower_of(dt, params->release_time);
}

// ---------------------------------------------------------------------------------------------------- held

tr_quat tr_foot_lock_raise(tr_vec3 v, float room) {
    float flat = v.x * v.x + v.z * v.z, squared = flat + v.y * v.y - room * room;
    if (v.y >= -room || !(flat > 0) || !(squared > 0))
        return tr_quat_identity();
    float stretch = sqrtf(squared / flat);
    return tr_quat_between(v, tr_vec3_make(v.x * stretch, -room, v.z * stretch));
}

// How far the animation has raised the heel or the toes since they were held.
static float risen_by(const tr_foot_lock_foot *foot, const leg_view *leg, bool toes) {
    return leg->ankle.y + (toes ? leg->toes.y : leg->heel.y) - foot->lowest[toes];
}

static void note_lowest(tr_foot_lock_foot *foot, const leg_view *leg) {
    const float heights[2] = {leg->ankle.y + leg->heel.y, leg->ankle.y + leg->toes.y};
    const bool held[2] = {foot->held_heel, foot->held_toes};
    for (int i = 0; i < 2; i++)
        if (!held[i] || heights[i] < foot->lowest[i])
            foot->lowest[i] = heights[i];
}

// A held point does not move over the ground, but it leaves the ground when the animation clearly does: none
// of the first RISE_FREE, then increasingly more of the rest.
static float height_of_rise(float rise, float straight) {
    float dead = RISE_FREE * straight, more = rise - dead;
    if (!(more > 0))
        return 0;
    return more < dead ? more * more / (2 * dead) : more - dead / 2;
}

// People who turn over a foot turn it on its ball once the heel is up: otherwise the knee would be forced
// into the other leg. The ball stays where it is.
static tr_quat pivoted(tr_quat heading, float dt) {
    float side = heading.w < 0 ? -1.0f : 1.0f;
    double angle = 2 * tr_arc_tangent((double)(heading.y * side), (double)(heading.w * side));
    double size = fabs(angle), excess = size - (double)PIVOT;
    if (!(excess > 0))
        return heading;
    size = (double)PIVOT + excess / (1 + (double)(PIVOT_PULL * dt));
    return tr_quat_about(tr_vec3_make(0, 1, 0), angle < 0 ? -size : size);
}

// The turn about the toes, heel up, that brings the ankle to `distance` from the hip; at most ROLL_MOST.
// `off` is the ankle relative to the toes, and `to_hip` the hip.
static float roll_to(tr_vec3 off, tr_vec3 to_hip, float distance) {
    float flat = sqrtf(off.x * off.x + off.z * off.z), size = tr_vec3_length(off);
    if (!(flat > 0.1f * size))
        return 0;
    float along = (off.x * to_hip.x + off.z * to_hip.z) / flat, roll = 0;
    float wanted = 0.5f * (size * size + tr_vec3_dot(to_hip, to_hip) - distance * distance);
    float ahead = flat, up = off.y; // the offset as it is turned
    for (int round = 0; round < ROLL_ROUNDS; round++) {
        float slope = ahead * to_hip.y - up * along;
        if (!(slope > 0.1f * size * to_hip.y))
            break;
        roll += (wanted - ahead * along - up * to_hip.y) / slope;
        roll = roll < 0 ? 0 : roll < ROLL_MOST ? roll : ROLL_MOST;
        double sine, cosine;
        tr_sin_cos((double)roll, &sine, &cosine);
        ahead = flat * (float)cosine - off.y * (float)sine;
        up = off.y * (float)cosine + flat * (float)sine;
    }
    return roll;
}

// A foot that the body leaves behind rolls further over its toes, before the leg is straight: people do that
// rather than lower their hips.
static void roll_up(tr_foot_lock_foot *foot, const leg_view *leg, const foot_news *news, tr_vec3 toes,
                    ankle_goal *goal) {
    tr_vec3 off = tr_vec3_scale(toes, -1),
            to_hip = tr_vec3_subtract(news->hip, tr_vec3_add(goal->position, toes));
    float easy = ROLL_EASY * leg->straight;
    easy = leg->distance > easy ? leg->distance : easy;
    bool far = tr_vec3_length(tr_vec3_subtract(to_hip, off)) > easy;
    tr_overlay_pull(ROLL_PULL, far ? roll_to(off, to_hip, easy) : 0, news->dt, &foot->roll, &foot->roll_rate);
    if (!(foot->roll > 1e-4f))
        return;
    float flat = sqrtf(off.x * off.x + off.z * off.z);
    if (!(flat > 0))
        return;
    tr_vec3 axis = {-off.z / flat, 0, off.x / flat};
    tr_quat turn = tr_quat_about(axis, (double)foot->roll);
    goal->rotation = tr_quat_multiply(turn, goal->rotation);
    goal->position = tr_vec3_add(goal->position, tr_vec3_subtract(tr_quat_rotate(turn, off), off));
}

static ankle_goal goal_held(tr_foot_lock_foot *foot, const leg_view *leg, const foot_news *news) {
    float dt = news->dt;
    ankle_goal goal = {.held = true};
    if (foot->held_heel && foot->held_toes) {
        goal.rotation = foot->flat;
    } else {
        tr_quat step = tr_quat_multiply(leg->rotation, tr_quat_conjugate(foot->past[0].meant_rotation));
        foot->heading = twist_of(tr_quat_multiply(foot->heading, tr_quat_conjugate(twist_of(step))));
        if (foot->on_toes)
            foot->heading = pivoted(foot->heading, dt);
        goal.rotation = tr_quat_multiply(foot->heading, leg->rotation);
    }
    if (foot->turn_since < foot->turn_time) {
        goal.rotation = tr_quat_multiply(turn_of(foot), goal.rotation);
    }
    tr_vec3 held = foot->on_toes ? foot->toes : foot->heel;
    note_lowest(foot, leg);
    float height = offset_of(foot).y + height_of_rise(risen_by(foot, leg, foot->on_toes), leg->straight);
    held.y += height;
    sole_points points = points_at(leg, goal.rotation);
    tr_vec3 other = foot->on_toes ? tr_vec3_subtract(points.heel, points.toes)
                                  : tr_vec3_subtract(points.toes, points.heel);
    float room = height > 0 ? height : 0; // it is below the floor only while it comes up from there
    if (other.y < -room) {
        goal.rotation = tr_quat_multiply(tr_foot_lock_raise(other, room), goal.rotation);
        points = points_at(leg, goal.rotation);
    }
    goal.position = tr_vec3_subtract(held, foot->on_toes ? points.toes : points.heel);
    if (foot->on_toes && !foot->held_heel)
        roll_up(foot, leg, news, points.toes, &goal);
    return goal;
}

// Holds the heel or the toes where they are shown; from there they sink to the floor (or come up to it, if
// the floor was known too late).
static void hold_point(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                       const ankle_goal *shown, bool toes, float dt) {
    sole_points points = points_at(leg, shown->rotation);
    tr_vec3 from_ankle = toes ? points.toes : points.heel, point = tr_vec3_add(shown->position, from_ankle);
    tr_quat back = tr_quat_multiply(foot->past[0].shown_rotation, tr_quat_conjugate(shown->rotation));
    tr_vec3 before = tr_vec3_add(foot->past[0].shown, tr_quat_rotate(back, from_ankle));
    float floor = params->ground + foot->rise;
    float height = point.y - floor, rate = rate_between(before, point, dt).y;
    foot->on_toes = toes;
    point.y = floor;
    *(toes ? &foot->toes : &foot->heel) = point;
    foot->offset_time = foot->offset_since = 0;
    if (!(height > 1e-6f || height < -1e-4f))
        return;
    rate = rate > 0 || height < 0 ? 0 : rate;
    foot->offset = tr_vec3_make(0, height, 0);
    foot->offset_rate = tr_vec3_make(0, rate, 0);
    foot->offset_time = SETTLE_TIME;
    if (height > 0 && -rate * SETTLE_TIME > 2.5f * height) // otherwise it would sink below and come up again
        foot->offset_time = 2.5f * height / -rate;
}

// The turn rate of the foot minus that of `target`; its heading stops at once, and so does its place.
static tr_vec3 rate_without_heading(const tr_foot_lock_foot *foot, const ankle_goal *shown, tr_vec3 target,
                                    float dt) {
    tr_vec3 rate = turn_rate_between(foot->past[0].shown_rotation, shown->rotation, dt);
    return tr_vec3_make(rate.x - target.x, 0, rate.z - target.z);
}

static void hold_heading(tr_foot_lock_foot *foot, const leg_view *leg, const ankle_goal *shown, float dt) {
    foot->heading = twist_of(tr_quat_multiply(shown->rotation, tr_quat_conjugate(leg->rotation)));
    tr_vec3 meant = turn_rate_between(foot->past[0].meant_rotation, leg->rotation, dt);
    begin_turn(foot, shown->rotation, tr_quat_multiply(foot->heading, leg->rotation),
               rate_without_heading(foot, shown, meant, dt), SETTLE_TIME);
}

static void hold_flat(tr_foot_lock_foot *foot, const leg_view *leg, const ankle_goal *shown, float dt) {
    sole_points points = points_at(leg, shown->rotation);
    tr_vec3 ahead = tr_vec3_subtract(points.toes, points.heel), rest = leg->ahead;
    foot->flat = tr_quat_multiply(heading_between(rest, ahead), leg->sole);
    sole_points flat = points_at(leg, foot->flat);
    if (foot->on_toes)
        foot->heel = tr_vec3_add(foot->toes, tr_vec3_subtract(flat.heel, flat.toes));
    else
        foot->toes = tr_vec3_add(foot->heel, tr_vec3_subtract(flat.toes, flat.heel));
    begin_turn(foot, shown->rotation, foot->flat, rate_without_heading(foot, shown, none, dt), SETTLE_TIME);
}

// ------------------------------------------------------------------------------------------------ the step

static bool is_low(const tr_foot_lock_params *params, float rise, const ankle_goal *shown,
                   tr_vec3 from_ankle) {
    return shown->position.y + from_ankle.y - (params->ground + rise) <= params->capture_height;
}

// Labels of captures last longer than the contact: a heel that the animation lifts while the toes stay is
// released. Otherwise the leg would be stretched to hold a flat foot on the ground.
static uint32_t without_risen(tr_foot_lock_foot *foot, const leg_view *leg, uint32_t contacts) {
    float heel = risen_by(foot, leg, false), toes = risen_by(foot, leg, true);
    if (foot->held_heel && foot->held_toes && heel - toes > RISE_MAX * leg->straight)
        foot->heel_risen = true;
    if (contacts != 3)
        foot->heel_risen = false;
    return foot->heel_risen ? 2 : contacts;
}

// Labels lag where a body slows down in the middle of a step: the animation has put the foot down and still
// moves it. A foot that has landed flat stands, and one that stands flat stays until it is raised.
static uint32_t with_touch(const tr_foot_lock_foot *foot, const tr_foot_lock_params *params,
                           const leg_view *leg, const ankle_goal *shown, const foot_news *news) {
    uint32_t contacts = foot->strayed ? 0 : news->contacts;
    bool settled =
        !(foot->rise_left > 0) && news->rise == foot->rise; // otherwise it is still moving to another floor
    if (contacts != 0 || foot->strayed || !settled)
        return contacts;
    if (foot->held_heel || foot->held_toes) {
        bool low = risen_by(foot, leg, false) < TOUCH_RISE && risen_by(foot, leg, true) < TOUCH_RISE;
        return foot->held_heel && foot->held_toes && low ? 3 : 0;
    }
    sole_points points = points_at(leg, shown->rotation);
    float lowest = shown->position.y - params->ground - foot->rise;
    bool flat = lowest + points.heel.y < TOUCH_HEIGHT && lowest + points.toes.y < TOUCH_HEIGHT;
    return flat && shown->position.y < foot->past[0].shown.y ? 3 : 0;
}

// Decides what is held from now on.
static void change_contacts(tr_foot_lock_foot *foot, const tr_foot_lock_params *params, const leg_view *leg,
                            const ankle_goal *shown, const foot_news *news) {
    uint32_t contacts = with_touch(foot, params, leg, shown, news);
    contacts = without_risen(foot, leg, contacts);
    float dt = news->dt;
    if ((contacts & 1) == foot->held_heel && contacts >> 1 == foot->held_toes)
        return;
    sole_points points = points_at(leg, shown->rotation);
    bool heel = contacts & 1 && (foot->held_heel || is_low(params, news->rise, shown, points.heel));
    bool toes = contacts & 2 && (foot->held_toes || is_low(params, news->rise, shown, points.toes));
    if (heel == foot->held_heel && toes == foot->held_toes)
        return;
    if (!heel && !toes) {
        if (news->plane)
            tr_foot_lock_change_ground(foot, news->plane);
        release(foot, params, leg, dt);
        return;
    }
    bool was_held = foot->held_heel || foot->held_toes;
    note_lowest(foot, leg); // for a point that is held from now on: here
    foot->held_heel = heel, foot->held_toes = toes;
    foot->roll = foot->roll_rate = 0;
    if (!was_held) {
        foot->push = foot->push_rate = (tr_vec2){0, 0};
        stop_at_rise(foot, news->rise);
        hold_point(foot, params, leg, shown, !heel || (toes && points.toes.y < points.heel.y), dt);
    } else if (foot->on_toes ? !toes : !heel)
        hold_point(foot, params, leg, shown, toes, dt);
    if (heel && toes)
        hold_flat(foot, leg, shown, dt);
    else
        hold_heading(foot, leg, shown, dt);
}

void tr_foot_lock_foot_forget(tr_foot_lock_foot *foot, const leg_view *leg, float rise) {
    tr_foot_lock_past now = {leg->hip, leg->ankle, leg->ankle, leg->rotation, leg->rotation};
    *foot = (tr_foot_lock_foot){.heading = tr_quat_identity(),
                                .flat = tr_quat_identity(),
                                .thigh = foot->thigh,
                                .ground = foot->ground,
                                .past = {now, now}};
    stop_at_rise(foot, rise);
}

static void remember(tr_foot_lock_foot *foot, const leg_view *leg, const ankle_goal *goal, float drop,
                     float dt) {
    if (dt > 0) { // otherwise it is the same step again
        foot->past[1] = foot->past[0];
        foot->past_time = dt;
    }
    foot->past[0] = (tr_foot_lock_past){lowered(leg->hip, drop), leg->ankle, goal->position, leg->rotation,
                                        goal->rotation};
}

ankle_goal tr_foot_lock_foot_step(tr_foot_lock_foot *foot, const tr_foot_lock_params *params,
                                  const leg_view *leg, const foot_news *news) {
    float dt = news->dt, drop = news->drop;
    foot->offset_since = lower_of(foot->offset_since + dt, foot->offset_time);
    foot->turn_since = lower_of(foot->turn_since + dt, foot->turn_time);
    bool held = foot->held_heel || foot->held_toes;
    if (!held && (news->contacts == 0 || !(foot->offset_since < foot->offset_time)))
        foot->strayed = false;
    if (!held)
        follow_rise(foot, news->rise, dt);
    if (!held && news->plane)
        foot->ground = *news->plane;
    ankle_goal goal = held ? goal_held(foot, leg, news) : goal_in_air(foot, params, leg, news);
    tr_vec3 stray = tr_vec3_subtract(goal.position, leg->ankle);
    stray.y = 0;
    float distance = tr_vec3_length(stray);
    if (held && !(distance <= 4 * params->stray_max)) {
        tr_foot_lock_foot_forget(foot, leg, news->rise);
        if (news->plane)
            foot->ground = *news->plane;
        held = false;
        goal = goal_in_air(foot, params, leg, news);
    }
    foot->strayed = foot->strayed || (held && distance > params->stray_max);
    change_contacts(foot, params, leg, &goal, news);
    if (held && !foot->held_heel && !foot->held_toes) {
        follow_rise(foot, news->rise, dt);
        goal = goal_in_air(foot, params, leg, news);
    }
    remember(foot, leg, &goal, drop, dt);
    return goal;
}
