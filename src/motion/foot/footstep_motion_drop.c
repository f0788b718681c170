// The drop of the hips in a step: how far they sink so that both legs reach all the time.
#include "footstep_motion_parts.h"

#define EASY 0.9945f     // of a straight leg: knees keep a bend of about 12 degrees
#define WALK_EASY 0.999f // the same of a leg that walks
#define SINK_MOST 0.35f  // of the leg
#define HIP_MOST 0.47f   // a thigh points no further back [rad]: 27 degrees; hips reach 30
#define SEARCH_ROUNDS 10
#define STRETCH 0.2f       // of the rise from foot to foot: the hips are higher by this in mid-stance
#define STRETCH_DOWN 0.06f // the same going down
#define NEAR 0.2f          // of the interval between two knots: a need there is a need of the knot
#define SPARE 0.03f        // allowance for the curve between samples [m]
#define REST_SPARE 0.005f  // for a body that comes to rest
#define SINK_SAMPLES 42    // over this step and the next
#define JOLT                                                                                                 \
    0.25f // how far the hips of a body that walks leave their height in a time, over its square [m/s2]
#define RISE 0.9f // how far the hips rise to mid-stance or sink from there in a time, over its square [m/s2]
#define SINK_ROUNDS 8

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

float tr_footstep_motion_sink_at(const tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                 float time) {
    tr_footstep_motion_body_at(state, view, time, false);
    tr_vec3 ahead = {view->place->m[0][2], view->place->m[1][2], view->place->m[2][2]};
    // The rest of a step of the walk may be as straight as the walk.
    const footstep_motion_comfort easy = {EASY + (WALK_EASY - EASY) * state->done, HIP_MOST};
    float most = -INFINITY, drop = tr_footstep_motion_wave_at(state, TR_FOOTSTEP_MOTION_DROP, time).at;
    for (uint32_t side = 0; side < 2; side++) {
        footstep_motion_pose pose = tr_footstep_motion_meant(state, view->legs, side, time);
        tr_vec3 hip = tr_affine_position(&view->model[view->legs->feet[side].thigh]);
        hip.y += drop;
        float needed = tr_footstep_motion_sink(&view->legs->limbs[side], hip, pose.ankle, ahead, easy);
        most = needed > most ? needed : most;
    }
    float limit = SINK_MOST * tr_footstep_motion_leg(view->legs);
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

void tr_footstep_motion_plan_drop(tr_footstep_motion_state *state, const tr_footstep_motion_view *view,
                                  footstep_motion_value from, const tr_footstep_motion_state *ahead) {
    sink_sample samples[SINK_SAMPLES];
    float begin[SINK_SAMPLES] = {0};
    uint32_t count = 0, own = SINK_SAMPLES / 3;
    tr_footstep_motion_set_wave(state, TR_FOOTSTEP_MOTION_DROP, from, (footstep_motion_value){0, 0}, 0, 0);
    const tr_footstep_motion_curve first = {0, from.rate, 0, 0};
    for (uint32_t half = 0; half < (ahead ? 3u : 2u); half++) {
        const tr_footstep_motion_state *step = half < 2 ? state : ahead;
        float low = half == 1 ? step->middle : 0, high = half == 1 ? step->duration : step->middle;
        for (uint32_t i = 0; i < own; i++) {
            sink_sample *sample = &samples[count];
            sample->knot = (int)half;
            sample->share = ((float)i + 0.5f) / (float)own;
            float time = low + sample->share * (high - low);
            sample->needed = tr_footstep_motion_sink_at(step, view, time);
            begin[count] = half ? 0 : tr_footstep_motion_curve_at(&first, time, step->middle).at;
            count++;
        }
    }
    // Stairs: a knee that is bent more than necessary in mid-stance straightens.
    float rise = state->next.footstep.position.y - state->feet[1 - state->side].footstep.position.y;
    float high = !state->steps ? 0 : rise > 0 ? -STRETCH * rise : STRETCH_DOWN * rise;
    float knots[4] = {from.at, high, 0, high};
    cover(samples, count, begin, knots);
    keep_up(samples, count, state->steps ? SPARE : REST_SPARE, knots);
    // They rise in mid-stance no further than the time allows.
    float before = state->middle, after = state->duration - state->middle;
    float least = from.at - RISE * before * before, later = knots[2] - RISE * after * after;
    least = least > later ? least : later;
    knots[1] = knots[1] > least ? knots[1] : least;
    // Hips that are low, as after a rest with one foot far ahead, take their time to come up as well.
    least = state->steps ? knots[1] - RISE * after * after : knots[2];
    knots[2] = knots[2] > least ? knots[2] : least;
    // The less of a step is left, the less the hips leave the way that they are on.
    // But if a leg is too short, they give in while there is time.
    float whole = state->duration * state->duration * JOLT, goes = state->done * from.rate;
    float there = from.at + goes * state->duration, most = there + whole;
    for (uint32_t i = own; i < 2 * own; i++)
        most = samples[i].needed > most ? samples[i].needed : most;
    if (state->done > 0)
        knots[2] = tr_footstep_motion_clamp(knots[2], there - whole, most);
    const tr_footstep_motion_curve rest = {from.at, from.rate, knots[2], goes};
    footstep_motion_value middle = tr_footstep_motion_curve_at(&rest, state->middle, state->duration);
    float over = state->steps ? state->done : 1;
    middle = (footstep_motion_value){knots[1] + over * (middle.at - knots[1]), over * middle.rate};
    tr_footstep_motion_set_wave(state, TR_FOOTSTEP_MOTION_DROP, from, middle, knots[2], goes);
}
