// One step, planned when it begins: its duration, the paths of base point and hips, how the feet roll, and
// how far the hips sink so that both legs reach all the time.
#include "footstep_motion_parts.h"

#define REACH_MOST 1.1f    // from ankle to ankle over the ground, in leg lengths
#define RISE_MOST 0.6f     // and upwards or downwards
#define STEP_LIKED 0.7f    // longer steps take more time [leg lengths]
#define TIME_LONG 0.7f     // extra share of the step time for each leg length that it is longer,
#define TIME_HIGH 0.45f    // for each leg length that it is higher,
#define TIME_TURN 0.25f    // and for each radian that it turns
#define SPEED_MOST 2.0f    // of the base point [m/s]
#define REST_SPEED 0.15f   // a slower body shifts its weight before it lifts a foot [m/s]
#define REST_SHARE 0.4f    // of such a step with both feet on the ground
#define SETTLE 0.5f        // to come to rest after the last step [s]
#define SETTLE_SPEED 0.5f  // and more for each m/s of its speed [s]
#define SWAY 0.45f         // share of the way that the hips move over the standing foot
#define LOW_SHARE 0.3f     // height of the hips when a foot lands, from the lower foot to the higher
#define BACK_SHARE 0.4f    // of the lean, going down
#define FLAT_BY 0.18f      // of a step: the foot that landed is flat from then on
#define HEEL_FROM 0.55f    // of a step: the heel of the standing foot rises from then on
#define KEEP 0.9f          // of the speed of a body that begins in the middle of a step
#define STRIKE_LEAST 0.05f // a foot that would land on its heel by less lands flat [rad]
#define HEEL_UP 0.05f      // a heel above this pitch has left the ground [rad]
#define EASY 0.9945f       // of a straight leg: knees keep a bend of about 12 degrees
#define SINK_MOST 0.35f    // of the leg
#define HIP_MOST 0.42f     // a thigh points no further back [rad]: 24 degrees; hips reach 30
#define SEARCH_ROUNDS 10
#define STRETCH 0.2f      // of the rise from foot to foot: the hips are higher by this in mid-stance
#define NEAR 0.2f         // of the interval between two knots: a need there is a need of the knot
#define SPARE 0.03f       // allowance for the curve between samples [m]
#define REST_SPARE 0.005f // for a body that comes to rest
#define SINK_SAMPLES 42   // over this step and the next
#define SINK_ROUNDS 8

static float leg_length(const tr_legs *legs) {
    return legs->limbs[0].upper_length + legs->limbs[0].lower_length;
}

static float level_distance(tr_vec3 a, tr_vec3 b) {
    float x = b.x - a.x, z = b.z - a.z;
    return sqrtf(x * x + z * z);
}

// ------------------------------------------------------------------------------------------ where it goes

// A footstep out of reach is moved closer to the standing foot.
static tr_footstep within_reach(const tr_legs *legs, const tr_footstep *stand, const tr_footstep *wanted,
                                float *shortfall) {
    float leg = leg_length(legs), most = REACH_MOST * leg, high = RISE_MOST * leg;
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

// The shape of a step, from the standing foot and the one that comes down.
typedef struct step_shape {
    float length; // from foot to foot, in leg lengths
    float rise;   // [m]
    float slope;  // of the rise
    float duration;
} step_shape;

static step_shape shape_of(const tr_footstep_motion_params *params, const tr_legs *legs,
                           const tr_footstep_motion_foot *stand, const tr_footstep_motion_foot *next) {
    float leg = leg_length(legs);
    step_shape shape = {.length = level_distance(stand->ankle, next->ankle) / leg,
                        .rise = next->footstep.position.y - stand->footstep.position.y};
    float way = shape.length * leg;
    shape.slope = tr_footstep_motion_clamp(shape.rise / (way > 0.2f * leg ? way : 0.2f * leg), -1, 1);
    float turn = fabsf(tr_footstep_motion_wrap(next->footstep.heading - stand->footstep.heading));
    float longer = shape.length > STEP_LIKED ? shape.length - STEP_LIKED : 0;
    shape.duration = params->step_time * (1 + TIME_LONG * longer + TIME_HIGH * fabsf(shape.rise) / leg +
                                          TIME_TURN * (turn > 0.2f ? turn - 0.2f : 0));
    return shape;
}

// The base point when both feet stand there, with its heading.
typedef struct base_place {
    tr_vec3 position;
    float heading;
} base_place;

static base_place base_between(const tr_footstep_motion_state *state, const tr_footstep_motion_foot *a,
                               const tr_footstep_motion_foot *b, bool rests, float heading) {
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
    base.position.x -= state->stand_ankles * (float)sine;
    base.position.z -= state->stand_ankles * (float)cosine;
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

static void set_wave(tr_footstep_motion_state *state, int wave, footstep_motion_value from, float middle,
                     float to, float to_rate) {
    state->wave[wave][0] = (tr_footstep_motion_curve){from.at, from.rate, middle, 0};
    state->wave[wave][1] = (tr_footstep_motion_curve){middle, 0, to, to_rate};
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
    here = (tr_vec2){here.x * (1 - state->done), here.z * (1 - state->done)};
    if (goes_on) {
        tr_vec2 there = sway_to(state->next.ankle, path[TR_FOOTSTEP_MOTION_X].to,
                                path[TR_FOOTSTEP_MOTION_Z].to, path[TR_FOOTSTEP_MOTION_HEADING].to);
        float share = 0.5f * (float)TR_PI * (1 - state->done) / state->duration;
        rate = (tr_vec2){share * (there.x - here.x), share * (there.z - here.z)};
    }
    set_wave(state, TR_FOOTSTEP_MOTION_SWAY_X, now->waves[TR_FOOTSTEP_MOTION_SWAY_X], here.x, 0, rate.x);
    set_wave(state, TR_FOOTSTEP_MOTION_SWAY_Z, now->waves[TR_FOOTSTEP_MOTION_SWAY_Z], here.z, 0, rate.z);
}

// How far the thigh of a leg points backwards [rad], with its hip `up` above and `behind` before its ankle.
static float stretch_of_hip(const tr_limb *limb, float behind, float up) {
    double upper = (double)limb->upper_length, lower = (double)limb->lower_length;
    double squared = (double)behind * (double)behind + (double)up * (double)up, distance = sqrt(squared);
    double cosine = distance > 0 ? (upper * upper + squared - lower * lower) / (2 * upper * distance) : 1;
    double sine = 1 - cosine * cosine;
    return (float)(tr_arc_tangent((double)behind, (double)up) -
                   tr_arc_tangent(sine > 0 ? sqrt(sine) : 0, cosine));
}

float tr_footstep_motion_sink(const tr_limb *limb, tr_vec3 hip, tr_vec3 ankle, tr_vec3 ahead,
                              footstep_motion_comfort comfort) {
    float easy = comfort.straight * (limb->upper_length + limb->lower_length);
    easy = easy < limb->reach_max ? easy : limb->reach_max;
    tr_vec3 line = tr_vec3_subtract(hip, ankle);
    float left = easy * easy - line.x * line.x - line.z * line.z;
    float drop = left > 0 ? line.y - sqrtf(left) : line.y, behind = line.x * ahead.x + line.z * ahead.z;
    if (!(left > 0) || stretch_of_hip(limb, behind, line.y - drop) <= comfort.stretch)
        return drop;
    float low = drop, high = drop + 0.25f * easy;
    for (int i = 0; i < SEARCH_ROUNDS; i++) {
        float middle = 0.5f * (low + high);
        bool fits = stretch_of_hip(limb, behind, line.y - middle) <= comfort.stretch;
        low = fits ? low : middle;
        high = fits ? middle : high;
    }
    return high;
}

// How far the hips must sink at a time, relative to no drop; negative: how much higher they could be.
static float sink_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view, float time) {
    tr_footstep_motion_body_at(state, view, time, false);
    tr_vec3 ahead = {view->place->m[0][2], view->place->m[1][2], view->place->m[2][2]};
    const footstep_motion_comfort easy = {EASY, HIP_MOST};
    float most = -INFINITY, drop = tr_footstep_motion_wave_at(state, TR_FOOTSTEP_MOTION_DROP, time).at;
    for (uint32_t side = 0; side < 2; side++) {
        footstep_motion_pose pose = tr_footstep_motion_meant(state, view->legs, side, time);
        tr_vec3 hip = tr_affine_position(&view->model[view->legs->feet[side].thigh]);
        hip.y += drop;
        float needed = tr_footstep_motion_sink(&view->legs->limbs[side], hip, pose.ankle, ahead, easy);
        most = needed > most ? needed : most;
    }
    float limit = SINK_MOST * leg_length(view->legs);
    return most < limit ? most : limit;
}

// A sample of the needed drop, and the two knots between which it lies: the begin of the step (given),
// mid-stance, the end, and mid-stance of the next.
typedef struct sink_sample {
    float needed, share; // share of the interval from one knot to the next
    int knot;
} sink_sample;

static float drop_at(const float knots[4], const sink_sample *sample, float begin) {
    float w = tr_ease_float(sample->share);
    return knots[sample->knot] * (1 - w) + knots[sample->knot + 1] * w + (sample->knot == 0 ? begin : 0);
}

// Raises the knots until the curve through them covers every sample, starting with the needs close to them.
static void cover(const sink_sample *samples, uint32_t count, const float *begin, float knots[4]) {
    for (uint32_t i = 0; i < count; i++) {
        int near = samples[i].share < NEAR ? samples[i].knot : samples[i].knot + 1;
        bool close = samples[i].share < NEAR || samples[i].share > 1 - NEAR;
        if (close && near > 0 && samples[i].needed > knots[near])
            knots[near] = samples[i].needed;
    }
    for (int round = 0; round < SINK_ROUNDS; round++)
        for (uint32_t i = 0; i < count; i++) {
            const sink_sample *sample = &samples[i];
            float lacking = sample->needed - drop_at(knots, sample, begin[i]);
            if (!(lacking > 0))
                continue;
            float w = tr_ease_float(sample->share), v = 1 - w;
            if (sample->knot == 0) {
                knots[1] += w > 0.35f ? lacking / w : 0;
                continue;
            }
            float size = v * v + w * w;
            knots[sample->knot] += lacking * v / size;
            knots[sample->knot + 1] += lacking * w / size;
        }
}

// What comes too late for a sample near the begin is not compensated later: no knot is lower than the lowest
// need around it.
static void keep_up(const sink_sample *samples, uint32_t count, float spare, float knots[4]) {
    for (int knot = 1; knot < 4; knot++) {
        float most = -INFINITY;
        for (uint32_t i = 0; i < count; i++)
            if ((samples[i].knot == knot || samples[i].knot + 1 == knot) && samples[i].needed > most)
                most = samples[i].needed;
        most = most > 0 ? most + spare : spare;
        knots[knot] = knots[knot] < most ? knots[knot] : most;
    }
}

static void plan_drop(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                      const path_now *now, const tr_footstep_motion_state *ahead) {
    sink_sample samples[SINK_SAMPLES];
    float begin[SINK_SAMPLES] = {0};
    uint32_t count = 0, own = SINK_SAMPLES / 3;
    footstep_motion_value from = now->waves[TR_FOOTSTEP_MOTION_DROP];
    set_wave(state, TR_FOOTSTEP_MOTION_DROP, from, 0, 0, 0);
    const tr_footstep_motion_curve first = {0, from.rate, 0, 0};
    for (uint32_t half = 0; half < (ahead ? 3u : 2u); half++) {
        const tr_footstep_motion_state *step = half < 2 ? state : ahead;
        float low = half == 1 ? step->middle : 0, high = half == 1 ? step->duration : step->middle;
        for (uint32_t i = 0; i < own; i++) {
            sink_sample *sample = &samples[count];
            sample->knot = (int)half;
            sample->share = ((float)i + 0.5f) / (float)own;
            float time = low + sample->share * (high - low);
            sample->needed = sink_at(step, view, time);
            begin[count] = half ? 0 : tr_footstep_motion_curve_at(&first, time, step->middle).at;
            count++;
        }
    }
    // Stairs: a knee that is bent more than necessary in mid-stance straightens.
    float rise = fabsf(state->next.footstep.position.y - state->feet[1 - state->side].footstep.position.y);
    float high = state->steps ? -STRETCH * rise : 0;
    float knots[4] = {from.at, high, 0, high};
    cover(samples, count, begin, knots);
    keep_up(samples, count, state->steps ? SPARE : REST_SPARE, knots);
    set_wave(state, TR_FOOTSTEP_MOTION_DROP, from, knots[1], knots[2], 0);
}

// ---------------------------------------------------------------------------------------------- the feet

// How the foot lands: on level ground with the heel, on a lower footstep with the toes. `swing_rise`: from
// where it left the ground.
static float landing_pitch(const step_shape *shape, float swing_rise, float leg) {
    float rise = shape->rise / leg, own = 0.7f * fabsf(swing_rise) / leg;
    float level = 1 - (own > fabsf(rise) ? own : fabsf(rise)) / 0.1f;
    float stride = tr_footstep_motion_clamp(shape->length / STEP_LIKED, 0, 1.2f);
    float strike = level > 0 && stride > 0.3f ? 0.26f * level * (stride - 0.3f) / 0.7f : 0;
    if (level > 0)
        return strike > STRIKE_LEAST ? -strike : 0;
    return rise < 0 ? 0.35f * tr_footstep_motion_clamp((-rise - 0.1f) / 0.1f, 0, 1) : 0;
}

// The pitch of the rear foot's heel when the other foot lands, and when it leaves the ground itself.
static float heel_at_landing(const step_shape *shape, float leg) {
    float sinks = shape->rise < 0 ? -shape->rise / leg : 0;
    return tr_footstep_motion_clamp(0.4f * (shape->length - 0.15f) + 0.9f * sinks, 0, 0.5f);
}

static float heel_at_leaving(const step_shape *shape, float leg) {
    float high = shape->rise < 0 ? -0.6f * shape->rise : 1.3f * shape->rise;
    return tr_footstep_motion_clamp(0.2f + 0.75f * shape->length + high / leg, 0.2f, 0.95f);
}

static void keep_pitch(tr_footstep_motion_foot *foot) {
    foot->down = foot->up = (tr_footstep_motion_curve){foot->pitch, 0, foot->pitch, 0};
    foot->down_end = foot->up_begin = 0;
}

// The standing foot becomes flat and then raises its heel; the foot that will swing rolls off.
static void plan_rolls(tr_footstep_motion_state *state, const step_shape *before, const step_shape *shape,
                       bool goes_on, float leg) {
    tr_footstep_motion_foot *stand = &state->feet[1 - state->side], *swing = &state->feet[state->side];
    float flat_by = FLAT_BY * state->duration, time = state->duration * (1 - HEEL_FROM);
    stand->down = (tr_footstep_motion_curve){stand->pitch, stand->pitch_rate, 0, 0};
    stand->down_end = flat_by;
    float heel = goes_on ? heel_at_landing(shape, leg) : 0;
    stand->up = (tr_footstep_motion_curve){0, 0, heel, 1.6f * heel / time};
    stand->up_begin = HEEL_FROM * state->duration;
    if (stand->pitch > HEEL_UP && state->done > 0) { // already rolls off
        float more = heel > stand->pitch ? heel : stand->pitch;
        stand->down = (tr_footstep_motion_curve){stand->pitch, stand->pitch_rate, more, stand->up.to_rate};
        stand->down_end = stand->up_begin = state->duration;
    }
    if (!(state->lift_off > 0)) { // already in the air
        keep_pitch(swing);
        return;
    }
    float leaves = heel_at_leaving(before, leg);
    leaves = leaves > swing->pitch ? leaves : swing->pitch;
    swing->down = (tr_footstep_motion_curve){swing->pitch, swing->pitch_rate, leaves,
                                             0.8f * (leaves - swing->pitch) / state->lift_off};
    swing->down_end = state->lift_off;
    swing->up = swing->down, swing->up_begin = state->duration;
}

footstep_motion_pose tr_footstep_motion_meant(const tr_footstep_motion_state *state, const tr_legs *legs,
                                              uint32_t side, float time) {
    const tr_footstep_motion_foot *foot = &state->feet[side];
    if (state->steps && side == state->side && time > state->lift_off)
        return tr_footstep_motion_swing_at(state, legs, time);
    return tr_footstep_motion_foot_pose(foot, legs, side,
                                        tr_footstep_motion_foot_pitch(foot, time, state->duration).at);
}

void tr_footstep_motion_land(tr_footstep_motion_state *state) {
    if (state->steps) {
        state->feet[state->side] = state->next;
        tr_footstep_motion_foot *other = &state->feet[1 - state->side];
        if (other->pitch <=
            tr_footstep_motion_foot_pitch(other, state->duration, state->duration).at + 1e-4f) {
            footstep_motion_value pitch =
                tr_footstep_motion_foot_pitch(other, state->duration, state->duration);
            other->pitch = pitch.at, other->pitch_rate = pitch.rate;
        }
        other->bend = other->pitch > 0 ? other->pitch : 0;
        state->side = 1 - state->side;
    }
    state->steps = state->swings = false;
}

// ----------------------------------------------------------------------------------------------- the step

static void plan_rest(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                      const path_now *now) {
    state->ends = true, state->steps = state->swings = false, state->done = 0;
    float x = now->values[TR_FOOTSTEP_MOTION_X].rate, z = now->values[TR_FOOTSTEP_MOTION_Z].rate;
    float settle = SETTLE + SETTLE_SPEED * sqrtf(x * x + z * z);
    state->duration = state->lift_off = settle, state->middle = 0.5f * settle;
    float heading = now->values[TR_FOOTSTEP_MOTION_HEADING].at;
    base_place base = base_between(state, &state->feet[0], &state->feet[1], true, heading);
    state->time = 0;
    plan_path(state, now, &base, 0, NULL, 0, 0);
    for (uint32_t side = 0; side < 2; side++) {
        tr_footstep_motion_foot *foot = &state->feet[side];
        foot->down = (tr_footstep_motion_curve){foot->pitch, foot->pitch_rate, 0, 0};
        foot->down_end = settle;
        foot->up = (tr_footstep_motion_curve){0}, foot->up_begin = settle;
    }
    set_wave(state, TR_FOOTSTEP_MOTION_SWAY_X, now->waves[TR_FOOTSTEP_MOTION_SWAY_X], 0, 0, 0);
    set_wave(state, TR_FOOTSTEP_MOTION_SWAY_Z, now->waves[TR_FOOTSTEP_MOTION_SWAY_Z], 0, 0, 0);
    if (!view->pose)
        return;
    plan_drop(state, view, now, NULL);
    // Feet that are apart keep the hips low.
    float low = sink_at(state, view, settle);
    state->wave[TR_FOOTSTEP_MOTION_DROP][1].to = low > 0 ? low : 0;
}

static float lean_of(const tr_footstep_motion_params *params, const step_shape *shape) {
    return params->lean * shape->slope * (shape->slope < 0 ? BACK_SHARE : 1);
}

// The share of its step that a body with a foot in the air has completed, estimated from the distance left
// and its speed.
static float share_done(const tr_footstep_motion_state *state, const path_now *now, const base_place *to) {
    if (!state->feet[state->side].in_air)
        return 0;
    float x = now->values[TR_FOOTSTEP_MOTION_X].rate, z = now->values[TR_FOOTSTEP_MOTION_Z].rate;
    float way_x = to->position.x - now->values[TR_FOOTSTEP_MOTION_X].at;
    float way_z = to->position.z - now->values[TR_FOOTSTEP_MOTION_Z].at;
    float speed = sqrtf(x * x + z * z), way = sqrtf(way_x * way_x + way_z * way_z);
    float slow = REST_SPEED * state->duration;
    return 1 - tr_footstep_motion_clamp((way + slow) / (speed * state->duration + slow), 0.4f, 1);
}

// A body that is nearly there is not slowed down for that: it goes further.
static void keep_going(const tr_footstep_motion_state *state, const path_now *now, base_place *to) {
    const footstep_motion_value *x = &now->values[TR_FOOTSTEP_MOTION_X],
                                *z = &now->values[TR_FOOTSTEP_MOTION_Z];
    tr_vec2 way = {to->position.x - x->at, to->position.z - z->at};
    float speed = sqrtf(x->rate * x->rate + z->rate * z->rate);
    float lacking = KEEP * speed - (way.x * x->rate + way.z * z->rate) / (speed * state->duration);
    if (!(speed > REST_SPEED) || !(lacking > 0))
        return;
    to->position.x += lacking * state->duration * x->rate / speed;
    to->position.z += lacking * state->duration * z->rate / speed;
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

// Plans all of a step except the drop of the hips. Returns its state at the begin.
static path_now plan_feet_and_path(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                   const tr_footstep *footstep, const tr_footstep *after) {
    const tr_footstep_motion_params *params = view->params;
    const tr_legs *legs = view->legs;
    path_now now = look_at_path(state);
    float leg = leg_length(legs), short_of;
    state->side = footstep->side;
    state->ends = state->swings = false, state->steps = true;
    tr_footstep_motion_foot *stand = &state->feet[1 - state->side];
    tr_footstep reached = within_reach(legs, &stand->footstep, footstep, &state->shortfall);
    tr_footstep_motion_foot_set(&state->next, legs, &reached);
    step_shape before = shape_of(params, legs, &state->feet[state->side], stand);
    step_shape shape = shape_of(params, legs, stand, &state->next);
    state->duration = shape.duration;
    float share = params->both_share;
    float x = now.values[TR_FOOTSTEP_MOTION_X].rate, z = now.values[TR_FOOTSTEP_MOTION_Z].rate;
    if (x * x + z * z < REST_SPEED * REST_SPEED && share < REST_SHARE) {
        share = REST_SHARE;
        state->duration *= 1 + REST_SHARE - params->both_share;
    }
    base_place to =
        base_between(state, stand, &state->next, !after, now.values[TR_FOOTSTEP_MOTION_HEADING].at);
    state->done = share_done(state, &now, &to);
    state->duration *= 1 - state->done;
    if (state->done > 0)
        keep_going(state, &now, &to);
    take_time(state, &now, &to);
    state->lift_off = state->feet[state->side].in_air ? 0 : share * state->duration;
    state->middle = 0.5f * (state->lift_off + state->duration);

    float land = landing_pitch(
        &shape, state->next.footstep.position.y - state->feet[state->side].footstep.position.y, leg);
    state->next.pitch = land;
    state->next.pitch_rate = -1.2f * land / (FLAT_BY * state->duration);
    plan_rolls(state, &before, &shape, after != NULL, leg);
    if (view->pose) {
        const tr_footstep_motion_foot *swing = &state->feet[state->side];
        footstep_motion_value off = tr_footstep_motion_foot_pitch(swing, state->lift_off, state->duration);
        tr_footstep_motion_swing_plan(state, params, legs, off, off.at > 0 ? off.at : 0);
    }

    base_place then = to;
    step_shape next_shape = {0};
    if (after) {
        tr_footstep clamped = within_reach(legs, &state->next.footstep, after, &short_of);
        tr_footstep_motion_foot last;
        tr_footstep_motion_foot_set(&last, legs, &clamped);
        const tr_footstep_motion_foot *other = after->side == state->side ? stand : &state->next;
        next_shape = shape_of(params, legs, other, &last);
        then = base_between(state, other, &last, false, to.heading);
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
        plan_drop(state, view, &now, NULL);
        return;
    }
    // What the next step will need of the hips at its beginning is known now.
    tr_footstep_motion_state ahead = *state;
    ahead.time = ahead.duration;
    ahead.feet[1 - ahead.side].pitch = 0;
    tr_footstep_motion_land(&ahead);
    plan_feet_and_path(&ahead, view, &footsteps[1], count > 2 ? &footsteps[2] : NULL);
    set_wave(&ahead, TR_FOOTSTEP_MOTION_DROP, (footstep_motion_value){0, 0}, 0, 0, 0);
    plan_drop(state, view, &now, &ahead);
}
