// One step, planned when it begins: its duration, the paths of base point and hips, and how the feet roll.
#include "footstep_motion_parts.h"

#define REACH_MOST 1.1f    // from ankle to ankle over the ground, in leg lengths
#define RISE_MOST 0.6f     // and upwards or downwards
#define TIME_LONG 0.4f     // share of the time of a step that is proportional to its length
#define TIME_RISE 2.0f     // a metre up or down counts as this many metres of length (Blondel)
#define TIME_LEAST 0.9f    // of the step time
#define TIME_LAST 1.1f     // of the step time, for the last step, which brakes
#define TIME_DOWN 0.85f    // a step down a stair takes this share of one up
#define STAIR_RISE 0.15f   // of a stair [leg lengths]
#define STAIR_PASSED 0.3f  // of the distance by which the base point has passed the middle when a foot lands
#define TIME_TURN 0.25f    // extra share of the step time for each radian that it turns
#define SPEED_MOST 2.0f    // of the base point [m/s]
#define REST_SPEED 0.15f   // a slower body shifts its weight before it lifts a foot [m/s]
#define REST_SHARE 0.4f    // of such a step with both feet on the ground
#define SETTLE 0.5f        // to come to rest after the last step [s],
#define SETTLE_SPEED 0.5f  // and more for each m/s of its speed [s],
#define SETTLE_LEAST 0.25f // but less if the feet leave little room to stop, no less than this [s]
#define SETTLE_AHEAD 0.35f // of the distance from foot to foot, how far before their middle it stops
#define CLOSE_LEAST 0.2f   // feet nearer to each other need not be brought together [leg lengths]
#define CLOSE_LEVEL 0.02f  // floor within this height carries a sole [m]
#define CLOSE_NARROW 0.13f // how far apart feet are brought to stand, at least and at most [leg lengths]
#define CLOSE_WIDE 0.3f
#define CLOSE_SHIFT 0.03f // how far a foot is put behind or ahead of the other to find floor [leg lengths]
#define CLOSE_SPARE 0.01f // of the floor before and behind a sole [m]
#define CLOSE_ROWS 5      // samples of the floor along a sole
#define CLOSE_SOLE 0.3f   // half the width of a sole, as a share of half its length
#define SWAY 0.45f        // share of the way that the hips move over the standing foot
#define LOW_SHARE 0.3f    // height of the hips when a foot lands, from the lower foot to the higher
#define BACK_SHARE 0.4f   // of the lean, going down
#define SOONER 0.8f    // of the time with both feet on the ground, how much earlier mid-stance is going down,
#define SOONER_UP 0.5f // and up
#define AIR_TIME 0.35f // in which a foot in the air lands if nothing else is known [s]
#define AIR_LEAST 0.02f   // [s]
#define AIR_SPEED 1.5f    // at which a foot in the air reaches another place than where it would land [m/s]
#define DUE 1.05f         // a foot that lands within this many steps of the walk is the next
#define DONE_MOST 0.95f   // of a step that is taken over
#define LIFT_LEAST 0.06f  // of a step: the earliest moment when a foot leaves the ground
#define JOLT 0.6f         // how far a body that walks leaves its way in a time, over its square [m/s2],
#define JOLT_TURN 2.0f    // and turns [rad/s2]
#define SLOWED 0.5f       // of its speed that it may lose on the way there
#define WALK_SHARE 0.5f   // of the duration of a step that is taken over, the share set by the walk
#define WALK_LONGEST 1.4f // whose step counts for no longer than this many of the steps that follow
#define BOTH_LONG 1.2f    // after a long step the rear foot leaves sooner, for each leg length more

static float level_distance(tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z;
    return sqrtf(x * x + z * z);
}

// ------------------------------------------------------------------------------------------ where it goes

// A footstep out of reach is moved closer to the standing foot.
static tr_footstep within_reach(const tr_legs *legs, const tr_footstep *stand, const tr_footstep *wanted,
                                float *shortfall) {
    float leg = tr_footstep_motion_leg(legs), most = REACH_MOST * leg, high = RISE_MOST * leg;
    tr_footstep footstep = *wanted;
    tr_vec3 way = tr_vec3_subtract(wanted->position, stand->position);
    float distance = sqrtf(way.x * way.x + way.z * way.z), size = fabsf(way.y), share = 1;
    if (distance > most)
        share = most / distance;
    if (size * share > high)
        share = high / size;
    if (share < 1)
        footstep.position = tr_vec3_add(stand->position, tr_vec3_scale(way, share));
    *shortfall = (1 - share) * tr_vec3_length(way);
    return footstep;
}

static footstep_motion_shape shape_of(const tr_footstep_motion_params *params, const tr_legs *legs,
                                      const tr_footstep_motion_foot *stand,
                                      const tr_footstep_motion_foot *next) {
    float leg = tr_footstep_motion_leg(legs);
    footstep_motion_shape shape = {.length = level_distance(stand->ankle, next->ankle) / leg,
                                   .rise = next->footstep.position.y - stand->footstep.position.y};
    float way = shape.length * leg;
    shape.slope = tr_footstep_motion_clamp(shape.rise / (way > 0.2f * leg ? way : 0.2f * leg), -1, 1);
    float turn = fabsf(tr_footstep_motion_wrap(next->footstep.heading - stand->footstep.heading));
    float usual = params->step_length > 0 ? params->step_length : TR_FOOTSTEP_MOTION_STEP * leg;
    float share = 1 - TIME_LONG + TIME_LONG * (way + TIME_RISE * fabsf(shape.rise)) / usual;
    share = share > TIME_LEAST ? share : TIME_LEAST;
    float down = tr_footstep_motion_clamp(-shape.rise / (STAIR_RISE * leg), 0, 1);
    shape.duration = params->step_time *
                     (share * (1 + (TIME_DOWN - 1) * down) + TIME_TURN * (turn > 0.2f ? turn - 0.2f : 0));
    return shape;
}

// The base point when foot `b` lands while foot `a` stands, with its heading.
typedef struct base_place {
    tr_vec3 position;
    float heading;
} base_place;

static base_place base_between(const tr_footstep_motion_state *state, float leg,
                               const tr_footstep_motion_foot *a, const tr_footstep_motion_foot *b, bool rests,
                               float heading) {
    base_place base;
    float turn_a = tr_footstep_motion_wrap(a->footstep.heading - heading);
    float turn_b = tr_footstep_motion_wrap(b->footstep.heading - heading);
    base.heading = heading + 0.5f * (turn_a + turn_b);
    double sine, cosine;
    tr_sin_cos((double)base.heading, &sine, &cosine);
    float low = a->footstep.position.y, high = b->footstep.position.y;
    if (low > high)
        low = b->footstep.position.y, high = a->footstep.position.y;
    base.position = tr_vec3_scale(tr_vec3_add(a->ankle, b->ankle), 0.5f);
    // A body that walks has passed the middle when a foot lands; on stairs less so.
    tr_vec3 step = tr_vec3_subtract(b->ankle, a->ankle);
    float stairs = tr_footstep_motion_clamp((high - low) / (STAIR_RISE * leg), 0, 1);
    float passed = (state->passed - 0.5f) * (1 - (1 - STAIR_PASSED) * stairs);
    float ahead = rests ? -state->stand_ankles : passed * (step.x * (float)sine + step.z * (float)cosine);
    base.position.x += ahead * (float)sine;
    base.position.z += ahead * (float)cosine;
    base.position.y = rests ? low : low + LOW_SHARE * (high - low);
    return base;
}

// The rate between two intervals with different mean rates; 0 if they have opposite signs.
static float rate_between(float a, float b) {
    return a * b > 0 ? 2 * a * b / (a + b) : 0;
}

static tr_vec2 velocity_between(tr_vec2 a, tr_vec2 b) {
    float first = sqrtf(a.x * a.x + a.z * a.z), second = sqrtf(b.x * b.x + b.z * b.z);
    tr_vec2 sum = {a.x + b.x, a.z + b.z};
    float size = sqrtf(sum.x * sum.x + sum.z * sum.z), along = a.x * b.x + a.z * b.z;
    if (!(along > 0) || !(size > 0))
        return (tr_vec2){0, 0};
    // The more it turns, the slower.
    float speed = 2 * along / (first + second);
    return (tr_vec2){sum.x * speed / size, sum.z * speed / size};
}

static void go_on_to(tr_footstep_motion_state *state, int path, float from, float from_rate, float to,
                     float to_rate) {
    state->path[path] = (tr_footstep_motion_curve){from, from_rate, to, to_rate};
}

typedef struct path_now {
    footstep_motion_value values[TR_FOOTSTEP_MOTION_PATHS], waves[TR_FOOTSTEP_MOTION_WAVES];
} path_now;

static path_now look_at_path(const tr_footstep_motion_state *state) {
    path_now now;
    for (uint32_t i = 0; i < TR_FOOTSTEP_MOTION_PATHS; i++)
        now.values[i] = tr_footstep_motion_curve_at(&state->path[i], (float)state->time, state->duration);
    for (uint32_t i = 0; i < TR_FOOTSTEP_MOTION_WAVES; i++)
        now.waves[i] = tr_footstep_motion_wave_at(state, i, (float)state->time);
    return now;
}

// The base point goes to the middle between the feet; `then` is its goal after that, or NULL.
static void plan_path(tr_footstep_motion_state *state, const path_now *now, const base_place *to, float lean,
                      const base_place *then, float then_duration, float then_lean) {
    const footstep_motion_value *from = now->values;
    float time = state->duration;
    tr_vec2 velocity = {0, 0};
    float climb = 0, turn = 0, tilt = 0;
    if (then) {
        tr_vec2 a = {(to->position.x - from[TR_FOOTSTEP_MOTION_X].at) / time,
                     (to->position.z - from[TR_FOOTSTEP_MOTION_Z].at) / time};
        tr_vec2 b = {(then->position.x - to->position.x) / then_duration,
                     (then->position.z - to->position.z) / then_duration};
        velocity = velocity_between(a, b);
        climb = rate_between((to->position.y - from[TR_FOOTSTEP_MOTION_Y].at) / time,
                             (then->position.y - to->position.y) / then_duration);
        turn = rate_between((to->heading - from[TR_FOOTSTEP_MOTION_HEADING].at) / time,
                            (then->heading - to->heading) / then_duration);
        tilt = rate_between((lean - from[TR_FOOTSTEP_MOTION_LEAN].at) / time,
                            (then_lean - lean) / then_duration);
    }
    go_on_to(state, TR_FOOTSTEP_MOTION_X, from[TR_FOOTSTEP_MOTION_X].at, from[TR_FOOTSTEP_MOTION_X].rate,
             to->position.x, velocity.x);
    go_on_to(state, TR_FOOTSTEP_MOTION_Y, from[TR_FOOTSTEP_MOTION_Y].at, from[TR_FOOTSTEP_MOTION_Y].rate,
             to->position.y, climb);
    go_on_to(state, TR_FOOTSTEP_MOTION_Z, from[TR_FOOTSTEP_MOTION_Z].at, from[TR_FOOTSTEP_MOTION_Z].rate,
             to->position.z, velocity.z);
    go_on_to(state, TR_FOOTSTEP_MOTION_HEADING, from[TR_FOOTSTEP_MOTION_HEADING].at,
             from[TR_FOOTSTEP_MOTION_HEADING].rate, to->heading, turn);
    go_on_to(state, TR_FOOTSTEP_MOTION_LEAN, from[TR_FOOTSTEP_MOTION_LEAN].at,
             from[TR_FOOTSTEP_MOTION_LEAN].rate, lean, tilt);
}

// ---------------------------------------------------------------------------------------------- the hips

footstep_motion_value tr_footstep_motion_wave_at(const tr_footstep_motion_state *state, uint32_t wave,
                                                 float time) {
    if (time < state->middle)
        return tr_footstep_motion_curve_at(&state->wave[wave][0], time, state->middle);
    return tr_footstep_motion_curve_at(&state->wave[wave][1], time - state->middle,
                                       state->duration - state->middle);
}

void tr_footstep_motion_set_wave(tr_footstep_motion_state *state, int wave, footstep_motion_value from,
                                 footstep_motion_value middle, float to, float to_rate) {
    state->wave[wave][0] = (tr_footstep_motion_curve){from.at, from.rate, middle.at, middle.rate};
    state->wave[wave][1] = (tr_footstep_motion_curve){middle.at, middle.rate, to, to_rate};
}

// From the base point towards a foot, across the direction that the body faces.
static tr_vec2 sway_to(tr_vec3 foot, float x, float z, float heading) {
    double sine, cosine;
    tr_sin_cos((double)heading, &sine, &cosine);
    float left = (foot.x - x) * (float)cosine - (foot.z - z) * (float)sine;
    return (tr_vec2){SWAY * left * (float)cosine, -SWAY * left * (float)sine};
}

static void plan_sway(tr_footstep_motion_state *state, const path_now *now, bool goes_on) {
    const tr_footstep_motion_curve *path = state->path;
    float x = tr_footstep_motion_curve_at(&path[TR_FOOTSTEP_MOTION_X], state->middle, state->duration).at;
    float z = tr_footstep_motion_curve_at(&path[TR_FOOTSTEP_MOTION_Z], state->middle, state->duration).at;
    float heading =
        tr_footstep_motion_curve_at(&path[TR_FOOTSTEP_MOTION_HEADING], state->middle, state->duration).at;
    tr_vec2 here = sway_to(state->feet[1 - state->side].ankle, x, z, heading), rate = {0, 0};
    float left = (1 - state->done) * (1 - state->done);
    here = (tr_vec2){here.x * left, here.z * left};
    if (goes_on) {
        tr_vec2 there = sway_to(state->next.ankle, path[TR_FOOTSTEP_MOTION_X].to,
                                path[TR_FOOTSTEP_MOTION_Z].to, path[TR_FOOTSTEP_MOTION_HEADING].to);
        float share = 0.5f * (float)TR_PI * left / state->duration;
        rate = (tr_vec2){share * (there.x - here.x), share * (there.z - here.z)};
    }
    tr_footstep_motion_set_wave(state, TR_FOOTSTEP_MOTION_SWAY_X, now->waves[TR_FOOTSTEP_MOTION_SWAY_X],
                                (footstep_motion_value){here.x, 0}, 0, rate.x);
    tr_footstep_motion_set_wave(state, TR_FOOTSTEP_MOTION_SWAY_Z, now->waves[TR_FOOTSTEP_MOTION_SWAY_Z],
                                (footstep_motion_value){here.z, 0}, 0, rate.z);
}

// ----------------------------------------------------------------------------------------------- the step

// Where and when a body comes to rest between its feet: as far ahead as it needs to stop without turning
// back, within the room that the feet leave.
static float settle(const tr_footstep_motion_state *state, const path_now *now, float leg, base_place *base) {
    const footstep_motion_value *x = &now->values[TR_FOOTSTEP_MOTION_X],
                                *z = &now->values[TR_FOOTSTEP_MOTION_Z];
    float speed = sqrtf(x->rate * x->rate + z->rate * z->rate), time = SETTLE + SETTLE_SPEED * speed;
    if (!(speed > 0))
        return time;
    tr_vec2 ahead = {x->rate / speed, z->rate / speed};
    tr_vec3 apart = tr_vec3_subtract(state->feet[1].ankle, state->feet[0].ankle);
    float way = (base->position.x - x->at) * ahead.x + (base->position.z - z->at) * ahead.z;
    float level =
        1 - tr_footstep_motion_clamp(fabsf(apart.y) / (STAIR_RISE * leg), 0, 1); // the upper knee is bent
    float room = way + level * SETTLE_AHEAD * fabsf(apart.x * ahead.x + apart.z * ahead.z);
    float stop = tr_footstep_motion_clamp(room, TR_FOOTSTEP_MOTION_STOP * speed * SETTLE_LEAST,
                                          TR_FOOTSTEP_MOTION_STOP * speed * time);
    if (way > stop)
        return time;
    base->position.x += (stop - way) * ahead.x;
    base->position.z += (stop - way) * ahead.z;
    return stop / (TR_FOOTSTEP_MOTION_STOP * speed);
}

static void plan_rest(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                      const path_now *now) {
    state->ends = true, state->steps = state->swings = false, state->done = 0;
    float heading = now->values[TR_FOOTSTEP_MOTION_HEADING].at;
    float leg = tr_footstep_motion_leg(view->legs);
    base_place base = base_between(state, leg, &state->feet[0], &state->feet[1], true, heading);
    float rest = settle(state, now, leg, &base);
    state->duration = state->lift_off = rest, state->middle = 0.5f * rest;
    state->time = 0;
    plan_path(state, now, &base, 0, NULL, 0, 0);
    for (uint32_t side = 0; side < 2; side++) {
        tr_footstep_motion_foot *foot = &state->feet[side];
        foot->down = (tr_footstep_motion_curve){foot->pitch, foot->pitch_rate, 0, 0};
        foot->down_end = rest;
        foot->up = (tr_footstep_motion_curve){0}, foot->up_begin = rest;
    }
    const footstep_motion_value still = {0, 0};
    tr_footstep_motion_set_wave(state, TR_FOOTSTEP_MOTION_SWAY_X, now->waves[TR_FOOTSTEP_MOTION_SWAY_X],
                                still, 0, 0);
    tr_footstep_motion_set_wave(state, TR_FOOTSTEP_MOTION_SWAY_Z, now->waves[TR_FOOTSTEP_MOTION_SWAY_Z],
                                still, 0, 0);
    if (!view->pose)
        return;
    tr_footstep_motion_plan_drop(state, view, now->waves[TR_FOOTSTEP_MOTION_DROP], NULL);
    // Feet that are apart keep the hips low.
    float low = tr_footstep_motion_sink_at(state, view, rest);
    state->wave[TR_FOOTSTEP_MOTION_DROP][1].to = low > 0 ? low : 0;
}

static float lean_of(const tr_footstep_motion_params *params, const footstep_motion_shape *shape) {
    return params->lean * shape->slope * (shape->slope < 0 ? BACK_SHARE : 1);
}

// The share of its step that a body which walks has completed when the motion begins, if the foot is the next
// to land.
static float share_done(const tr_footstep_motion_state *state) {
    const tr_footstep_motion_foot *foot = &state->feet[state->side];
    float whole = state->walk_time;
    if (!state->fresh || !(whole > 0) || !(foot->land_in > 0) || foot->land_in > DUE * whole)
        return state->fresh && foot->in_air && whole > 0 ? DONE_MOST : 0;
    return tr_footstep_motion_clamp(1 - foot->land_in / whole, 0, DONE_MOST);
}

// A foot in the air lands when it would have, or later if it has further to go.
static float time_to_land(const tr_footstep_motion_state *state, const path_now *now) {
    const tr_footstep_motion_foot *foot = &state->feet[state->side];
    bool due = foot->land_in > 0 && foot->land_in < DUE * state->walk_time;
    tr_vec3 off = tr_vec3_subtract(state->next.footstep.position, foot->footstep.position);
    float x = now->values[TR_FOOTSTEP_MOTION_X].rate, z = now->values[TR_FOOTSTEP_MOTION_Z].rate;
    float speed = sqrtf(x * x + z * z), ahead = speed > REST_SPEED ? (off.x * x + off.z * z) / speed : 0;
    float aside = tr_vec3_length(off);
    aside = sqrtf(aside * aside > ahead * ahead ? aside * aside - ahead * ahead : 0);
    // A foot that is not due has landed, except for the last millimetres.
    float own = due ? foot->land_in : state->walk_time > 0 ? AIR_LEAST : AIR_TIME;
    float time = own + ((ahead > 0 ? ahead : 0) + aside) / AIR_SPEED;
    return time > AIR_LEAST ? time : AIR_LEAST;
}

// A body that walks goes on as it does. It leaves this way for its place between the feet as far as the time
// allows without a jolt.
static void keep_going(const tr_footstep_motion_state *state, const path_now *now, base_place *to) {
    const footstep_motion_value *x = &now->values[TR_FOOTSTEP_MOTION_X],
                                *z = &now->values[TR_FOOTSTEP_MOTION_Z],
                                *heading = &now->values[TR_FOOTSTEP_MOTION_HEADING];
    float time = state->duration, speed = sqrtf(x->rate * x->rate + z->rate * z->rate);
    if (!(speed > REST_SPEED))
        return;
    float most = JOLT * time * time;
    tr_vec2 off = {to->position.x - x->at - x->rate * time, to->position.z - z->at - z->rate * time};
    float size = sqrtf(off.x * off.x + off.z * off.z), share = size > most ? most / size : 1;
    float ahead = share * (off.x * x->rate + off.z * z->rate) / speed, least = -SLOWED * speed * time;
    float more = ahead < least ? (least - ahead) / speed : 0; // it never turns back
    to->position.x = x->at + x->rate * time + share * off.x + more * x->rate;
    to->position.z = z->at + z->rate * time + share * off.z + more * z->rate;
    float turned = heading->at + heading->rate * time, turn = JOLT_TURN * time * time;
    to->heading = turned + tr_footstep_motion_clamp(to->heading - turned, -turn, turn);
}

// A body that was stopped in a long step has further to go than from foot to foot, and may still sway back:
// it takes the time that it needs, so that it is not thrown forward. A curve without acceleration at its ends
// peaks at 15/8 of its mean rate from rest to rest; an initial rate lowers the peak by 7/16 of that rate.
static void take_time(tr_footstep_motion_state *state, const path_now *now, const base_place *to) {
    const footstep_motion_value *x = &now->values[TR_FOOTSTEP_MOTION_X],
                                *z = &now->values[TR_FOOTSTEP_MOTION_Z];
    tr_vec2 way = {to->position.x - x->at, to->position.z - z->at};
    float length = sqrtf(way.x * way.x + way.z * way.z);
    if (!(length > 0))
        return;
    float rate =
        tr_footstep_motion_clamp((way.x * x->rate + way.z * z->rate) / length, -SPEED_MOST, SPEED_MOST);
    float least = 1.875f * length / (SPEED_MOST + 0.4375f * rate);
    state->duration = state->duration > least ? state->duration : least;
}

// Is there floor under the whole sole, at the height of the footstep? Nothing may stick out beside its middle
// line either.
static bool has_floor(const tr_footstep_motion_params *params, const tr_footstep *footstep, float half) {
    double sine, cosine;
    tr_sin_cos((double)footstep->heading, &sine, &cosine);
    for (int i = 0; i < CLOSE_ROWS * 3 && params->floor; i++) {
        float along = half * (2 * (float)(i / 3) / (CLOSE_ROWS - 1) - 1),
              aside = half * CLOSE_SOLE * (float)(i % 3 - 1);
        tr_vec3 off = {along * (float)sine + aside * (float)cosine, 0,
                       along * (float)cosine - aside * (float)sine};
        float meant = footstep->position.y + along * footstep->pitch + aside * footstep->roll;
        float found = params->floor(params->floor_user, tr_vec3_add(footstep->position, off));
        if (!(fabsf(found - meant) < CLOSE_LEVEL))
            return false;
    }
    return true;
}

bool tr_footstep_motion_closing(const tr_footstep_motion_state *state,
                                const tr_footstep_motion_params *params, const tr_legs *legs,
                                tr_footstep *closing) {
    path_now now = look_at_path(state);
    float x = now.values[TR_FOOTSTEP_MOTION_X].rate, z = now.values[TR_FOOTSTEP_MOTION_Z].rate;
    float leg = tr_footstep_motion_leg(legs);
    const tr_footstep *rear = &state->feet[state->side].footstep,
                      *front = &state->feet[1 - state->side].footstep;
    tr_vec3 way = tr_vec3_subtract(front->position, rear->position);
    if (x * x + z * z < REST_SPEED * REST_SPEED || !(way.x * x + way.z * z > 0) ||
        (level_distance(front->position, rear->position) < CLOSE_LEAST * leg && fabsf(way.y) < CLOSE_LEVEL))
        return false;
    double sine, cosine;
    tr_sin_cos((double)front->heading, &sine, &cosine);
    float left = -(way.x * (float)cosine - way.z * (float)sine), out = state->side == 0 ? 1 : -1;
    left = out * tr_footstep_motion_clamp(out * left, CLOSE_NARROW * leg, CLOSE_WIDE * leg);
    if (!params->floor && way.y != 0)
        return false;
    for (int i = 0; i < 3; i++) { // beside the other foot, or a little behind or ahead
        float ahead = CLOSE_SHIFT * leg * (float)(i == 1 ? -1 : i == 2 ? 1 : 0);
        tr_vec3 off = {left * (float)cosine + ahead * (float)sine, left * front->roll + ahead * front->pitch,
                       -left * (float)sine + ahead * (float)cosine};
        *closing = *front;
        closing->side = state->side;
        closing->position = tr_vec3_add(front->position, off);
        if (has_floor(params, closing, tr_footstep_motion_half_sole(&legs->feet[state->side]) + CLOSE_SPARE))
            return true;
    }
    return false;
}

// Sets the duration of the step. Returns the share of the whole step with both feet on the ground.
static float plan_time(tr_footstep_motion_state *state, const tr_footstep_motion_params *params,
                       const path_now *now, const footstep_motion_shape *before,
                       const footstep_motion_shape *shape, bool last) {
    float brakes = last ? TIME_LAST * params->step_time : 0;
    state->duration = shape->duration > brakes ? shape->duration : brakes;
    float longer = before->length > TR_FOOTSTEP_MOTION_STEP ? before->length - TR_FOOTSTEP_MOTION_STEP : 0;
    float share = params->both_share * tr_footstep_motion_clamp(1 - BOTH_LONG * longer, 0.5f, 1);
    float x = now->values[TR_FOOTSTEP_MOTION_X].rate, z = now->values[TR_FOOTSTEP_MOTION_Z].rate;
    if (x * x + z * z < REST_SPEED * REST_SPEED && share < REST_SHARE) {
        share = REST_SHARE;
        state->duration *= 1 + REST_SHARE - params->both_share;
    }
    state->done = share_done(state);
    if (state->done > 0) { // from the cadence of the walk to that of the footsteps
        float walk = tr_footstep_motion_clamp(state->walk_time / state->duration, 1, WALK_LONGEST);
        state->duration *= 1 + WALK_SHARE * (walk - 1);
    }
    bool lands = state->feet[state->side].in_air;
    state->duration = lands ? time_to_land(state, now) : (1 - state->done) * state->duration;
    return share;
}

// Sets the moments of lift-off and mid-stance.
static void plan_moments(tr_footstep_motion_state *state, const footstep_motion_shape *shape, float share,
                         float leg) {
    const tr_footstep_motion_foot *foot = &state->feet[state->side];
    float off = (share - state->done) / (1 - state->done);
    off = foot->in_air || foot->floats ? 0 : off > LIFT_LEAST ? off : LIFT_LEAST;
    state->lift_off = off * state->duration;
    // On stairs the hips begin to sink earlier, so that they need not fall.
    float sooner = tr_footstep_motion_clamp(fabsf(shape->rise) / (STAIR_RISE * leg), 0, 1);
    sooner *= shape->rise < 0 ? SOONER : SOONER_UP;
    state->middle = 0.5f * (state->duration + (1 - sooner) * state->lift_off);
}

// Plans all of a step except the drop of the hips. Returns its state at the begin.
static path_now plan_feet_and_path(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                   const tr_footstep *footstep, const tr_footstep *after) {
    const tr_footstep_motion_params *params = view->params;
    const tr_legs *legs = view->legs;
    path_now now = look_at_path(state);
    float leg = tr_footstep_motion_leg(legs), short_of;
    state->side = footstep->side;
    state->ends = state->swings = false, state->steps = true;
    tr_footstep_motion_foot *stand = &state->feet[1 - state->side];
    tr_footstep reached = within_reach(legs, &stand->footstep, footstep, &state->shortfall);
    tr_footstep_motion_foot_set(&state->next, legs, &reached);
    footstep_motion_shape before = shape_of(params, legs, &state->feet[state->side], stand);
    footstep_motion_shape shape = shape_of(params, legs, stand, &state->next);
    float share = plan_time(state, params, &now, &before, &shape, !after);
    base_place to =
        base_between(state, leg, stand, &state->next, !after, now.values[TR_FOOTSTEP_MOTION_HEADING].at);
    if (state->fresh && state->walk_time > 0)
        keep_going(state, &now, &to);
    else
        take_time(state, &now, &to);
    plan_moments(state, &shape, share, leg);
    tr_footstep_motion_plan_feet(state, view, &before, &shape, after != NULL);

    base_place then = to;
    footstep_motion_shape next_shape = {0};
    if (after) {
        tr_footstep clamped = within_reach(legs, &state->next.footstep, after, &short_of);
        tr_footstep_motion_foot last;
        tr_footstep_motion_foot_set(&last, legs, &clamped);
        const tr_footstep_motion_foot *other = after->side == state->side ? stand : &state->next;
        next_shape = shape_of(params, legs, other, &last);
        then = base_between(state, leg, other, &last, false, to.heading);
    }
    state->time = 0;
    float lean = after ? 0.5f * (lean_of(params, &shape) + lean_of(params, &next_shape)) : 0;
    plan_path(state, &now, &to, lean, after ? &then : NULL, next_shape.duration,
              after ? lean_of(params, &next_shape) : 0);
    plan_sway(state, &now, after != NULL);
    return now;
}

void tr_footstep_motion_plan(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                             const tr_footstep *footsteps, uint32_t count) {
    if (count == 0) {
        path_now now = look_at_path(state);
        plan_rest(state, view, &now);
        return;
    }
    path_now now = plan_feet_and_path(state, view, &footsteps[0], count > 1 ? &footsteps[1] : NULL);
    if (!view->pose)
        return; // the rest is for the hips
    if (count < 2) {
        tr_footstep_motion_plan_drop(state, view, now.waves[TR_FOOTSTEP_MOTION_DROP], NULL);
        return;
    }
    // What the next step will need of the hips at its beginning is known now.
    tr_footstep_motion_state ahead = *state;
    ahead.fresh = false;
    ahead.time = ahead.duration;
    ahead.feet[1 - ahead.side].pitch = 0;
    tr_footstep_motion_land(&ahead);
    plan_feet_and_path(&ahead, view, &footsteps[1], count > 2 ? &footsteps[2] : NULL);
    const footstep_motion_value still = {0, 0};
    tr_footstep_motion_set_wave(&ahead, TR_FOOTSTEP_MOTION_DROP, still, still, 0, 0);
    tr_footstep_motion_plan_drop(state, view, now.waves[TR_FOOTSTEP_MOTION_DROP], &ahead);
}
