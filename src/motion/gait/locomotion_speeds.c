// The mix while the speed changes. Between the speeds of two clips every place of the body goes in a straight
// line over the speed, and at the speed of a clip the line has a bend: a body that speeds up would be jolted
// there, the more the shorter the ticks are. So a body shows the mean of the mixes from the speed a moment
// ago to that of now. It has no bend, and at a steady speed it is the mix of that speed.
#include "locomotion_data.h"

#include <math.h>

#define LATE 0.15f // how long ago the other speed was [s]
#define LATE_LEAST 1e-4f
#define STEADY 1e-3f // ranges of speeds narrower than this are points [m/s]
#define SLOW 0.2f    // [m/s]: below it the range narrows, so that a body that stops has come to rest

void tr_locomotion_find_span(tr_locomotion *locomotion) {
    float least = locomotion->strides[0].speed;
    for (uint32_t i = 1; i < locomotion->count; i++)
        least = fminf(least, locomotion->strides[i].speed - locomotion->strides[i - 1].speed);
    locomotion->span = least;
}

void tr_locomotion_follow_speed(tr_locomotion_state *state, float speed, float dt) {
    float shown = speed * tr_locomotion_start_share(state);
    if (!(state->late > 0) || !isfinite(state->late) || !(speed > 0) || !(dt > 0))
        state->late = speed > 0 ? fmaxf(shown, LATE_LEAST) : 0;
    else
        state->late += (shown - state->late) * (dt / (LATE + dt));
}

float tr_locomotion_other_speed(const tr_locomotion *locomotion, const tr_locomotion_state *state,
                                float speed, float shown) {
    float off = state->late - speed * tr_locomotion_start_share(state);
    if (!(state->late > 0) || !(fabsf(off) > STEADY))
        return shown;
    float most = locomotion->span * shown * shown / (shown * shown + SLOW * SLOW);
    return shown + off * most / (most + fabsf(off)); // less than `most`, without a bend
}

static bool find_knot(const tr_locomotion *locomotion, float slow, float fast, bool runs, float *knot) {
    uint32_t first = runs ? locomotion->first_run : 0, end = runs ? locomotion->count : locomotion->first_run;
    for (uint32_t i = first; i < end; i++)
        if (locomotion->strides[i].speed > slow && locomotion->strides[i].speed < fast) {
            *knot = locomotion->strides[i].speed;
            return true;
        }
    return false;
}

static tr_locomotion_find find_point(const tr_locomotion *locomotion, float speed, float shown, bool runs) {
    tr_locomotion_find mix = tr_locomotion_find_mix(locomotion, speed, runs);
    if (speed > 0)
        mix.rate *= shown / speed;
    return mix;
}

tr_locomotion_find tr_locomotion_find_mean(const tr_locomotion *locomotion, float slow, float fast,
                                           float shown, bool runs) {
    float knot;
    if (!find_knot(locomotion, slow, fast, runs, &knot))
        return find_point(locomotion, 0.5f * (slow + fast), shown, runs);
    // Both sides of the clip at whose speed the bend is, by their shares of the range.
    float speeds[2] = {0.5f * (slow + knot), 0.5f * (knot + fast)}, upper = (fast - knot) / (fast - slow);
    const tr_locomotion_find low = tr_locomotion_find_mix(locomotion, speeds[0], runs),
                             high = tr_locomotion_find_mix(locomotion, speeds[1], runs);
    float lower = 1 - upper, way = lower * speeds[0] / low.rate + upper * speeds[1] / high.rate;
    tr_locomotion_find mix = upper < 0.5f ? low : high;
    mix.rate = shown / way;
    mix.slide = lower * low.slide + upper * high.slide;
    float place = lower * ((float)low.pair + low.blend) + upper * ((float)high.pair + high.blend);
    if (high.pair == low.pair) {
        mix.blend = place - (float)low.pair;
        mix.stands = low.stands || high.stands;
        return mix;
    }
    mix.pair = place < (float)high.pair ? low.pair : high.pair;
    mix.stands = mix.pair == low.pair && low.stands;
    mix.blend = place - (float)mix.pair;
    mix.first = low.pair;
    mix.first_stands = low.stands;
    mix.third = upper * high.blend;
    mix.within = (lower * low.blend + upper * (1 - high.blend)) / (1 - mix.third);
    return mix;
}
