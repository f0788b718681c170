// From walking to running and back. Walks are mixed with walks and runs with runs. A change of gait is a
// decision: then each foot goes over from one gait to the other while it swings, so that a standing foot
// keeps standing as in the gait it came down in.
#include "locomotion_data.h"
#include "troupe/base/scalar.h"

#include <math.h>

// How much faster than recorded the fastest clip of a gait may be played.
#define OVERSPEED 2.0f
// A run slower than this share of the slowest clip fades into standing: only a body that stops at once gets
// there, because others walk long before.
#define UNDERSPEED 0.45f
// Walking turns into running, and running into walking, at these shares of the way from the fastest walk to
// the slowest run. In between a body keeps its gait.
#define RUNS_FROM 0.40f
#define RUNS_BY_DEFAULT 0.33f
#define WALKS_FROM 0.20f
// The speed counts that the body would have this much later [s], because a change takes a stride.
#define AHEAD 0.2f
#define SMOOTHING 0.1f          // of the acceleration [s]
#define ACCELERATION_MOST 10.0f // of a body; the speed jumped if it is greater [m/s^2]
// A swing with less than this left [strides] is finished in the old gait.
#define SWING_LEAST 0.30
// The body takes this long [strides], from when the first foot begins.
#define BODY_STRIDES 0.9
#define LEFT (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES)
#define RIGHT (TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES)

// From standing, the blend begins level, because the knees of straight legs bend like its square root, and
// goes on at the rate of the next line. Steps are too short there, by millimetres.
static float first_blend(const float mix[3], float part) {
    float rise = mix[1] - mix[0], rate = rise > 0 ? (mix[2] - mix[1]) / rise : 1;
    rate = rate < 0 ? 0 : rate < 3 ? rate : 3; // so that it rises all the way
    return part * part * (3 - rate + (rate - 2) * part);
}

static tr_locomotion_find of_lines(const tr_locomotion *locomotion, uint32_t pair, float speed) {
    float low = pair ? locomotion->strides[pair - 1].speed : 0, high = locomotion->strides[pair].speed;
    uint32_t first = locomotion->first_line[pair], lines = locomotion->first_line[pair + 1] - first;
    float place = (speed - low) / (high - low) * (float)lines;
    uint32_t line = (uint32_t)place < lines ? (uint32_t)place : lines - 1;
    float part = place - (float)line;
    line += first;
    const float *mix = &locomotion->mix[line], *rate = &locomotion->rate[line],
                *slide = &locomotion->slide[line];
    float blended = line == 0 ? first_blend(mix, part) : part;
    float behind = line == 0 && part > 0 ? speed * fabsf(1 - blended / part) : 0;
    return (tr_locomotion_find){.pair = pair,
                                .stands = pair == 0,
                                .blend = mix[0] - (float)pair + (mix[1] - mix[0]) * blended,
                                .rate = rate[0] + (rate[1] - rate[0]) * part,
                                .slide = slide[0] + (slide[1] - slide[0]) * part + behind};
}

// A clip alone, faster or slower than recorded.
static tr_locomotion_find of_clip(const tr_locomotion *locomotion, uint32_t clip, float ratio) {
    ratio = ratio < OVERSPEED ? ratio : OVERSPEED;
    return (tr_locomotion_find){.pair = clip,
                                .stands = clip == 0,
                                .blend = 1,
                                .rate = ratio * locomotion->strides[clip].rate,
                                .slide = ratio * locomotion->slide[locomotion->first_line[clip + 1]]};
}

tr_locomotion_find tr_locomotion_find_mix(const tr_locomotion *locomotion, float speed, bool runs) {
    uint32_t first = runs ? locomotion->first_run : 0, end = runs ? locomotion->count : locomotion->first_run;
    uint32_t pair = first;
    while (pair + 1 < end && speed >= locomotion->strides[pair].speed)
        pair++;
    float ratio = speed / locomotion->strides[pair].speed;
    if (ratio >= 1)
        return of_clip(locomotion, pair, ratio);
    if (pair > first || pair == 0)
        return of_lines(locomotion, pair, speed);
    tr_locomotion_find slow = of_clip(locomotion, pair, ratio > UNDERSPEED ? ratio : UNDERSPEED);
    if (ratio < UNDERSPEED) {
        slow.stands = true;
        slow.blend = tr_ease_float(ratio / UNDERSPEED);
    }
    return slow;
}

// The speed at a share of the way from the fastest walk to the slowest run.
static float between_gaits(const tr_locomotion *locomotion, float share) {
    const tr_locomotion_stride *run = &locomotion->strides[locomotion->first_run];
    return run[-1].speed + (run->speed - run[-1].speed) * share;
}

bool tr_locomotion_runs_at(const tr_locomotion *locomotion, float speed) {
    return locomotion->first_run < locomotion->count && speed >= between_gaits(locomotion, RUNS_BY_DEFAULT);
}

static bool runs(const tr_locomotion_state *state) {
    return state->gait == TR_LOCOMOTION_RUNS;
}

bool tr_locomotion_changes(const tr_locomotion_state *state) {
    float goal = runs(state) ? 1 : 0;
    return state->run[0] != goal || state->run[1] != goal || state->run_body != goal;
}

static void set_gait(tr_locomotion_state *state, bool run) {
    state->gait = run ? TR_LOCOMOTION_RUNS : TR_LOCOMOTION_WALKS;
    state->run[0] = state->run[1] = state->run_body = run ? 1 : 0;
    state->acceleration = 0;
}

static bool is_share(float value) {
    return value >= 0 && value <= 1;
}

void tr_locomotion_choose_gait(const tr_locomotion *locomotion, tr_locomotion_state *state, float speed,
                               float dt) {
    bool known = (state->gait == TR_LOCOMOTION_WALKS || state->gait == TR_LOCOMOTION_RUNS) &&
                 is_share(state->run[0]) && is_share(state->run[1]) && is_share(state->run_body);
    if (speed == 0 || !(state->speed > 0) || !known) {
        // A gait that was given is kept; one of a body that stood is chosen anew.
        set_gait(state, known && state->speed > 0 && speed > 0 ? runs(state)
                                                               : tr_locomotion_runs_at(locomotion, speed));
        return;
    }
    if (dt > 0) {
        float raw = (speed - state->speed) / dt, step = dt / (SMOOTHING + dt);
        bool jumped = !(fabsf(raw) <= ACCELERATION_MOST);
        float smooth = isfinite(state->acceleration) ? state->acceleration : 0;
        state->acceleration = jumped ? 0 : smooth + (raw - smooth) * step;
    }
    if (locomotion->first_run == locomotion->count || tr_locomotion_changes(state))
        return;
    // A body that has not left the speeds of its gait may be about to stop changing its speed.
    float soon = speed + state->acceleration * AHEAD, walk = between_gaits(locomotion, WALKS_FROM),
          run = between_gaits(locomotion, RUNS_FROM);
    if (runs(state) ? soon < walk && speed < run : soon > run && speed > walk)
        state->gait = runs(state) ? TR_LOCOMOTION_WALKS : TR_LOCOMOTION_RUNS;
}

void tr_locomotion_change_feet(tr_locomotion_state *state, double phase, const uint32_t labels[2]) {
    float goal = runs(state) ? 1 : 0;
    double on = state->phase - phase;
    bool any = state->run_body != 1 - goal;
    on += on < 0 ? 1 : 0;
    for (uint32_t side = 0; side < 2; side++) {
        float *run = &state->run[side];
        double left = (side ? 0.5 : 1) - phase; // until the foot comes down
        left += left <= 0 ? 1 : 0;
        if (*run == goal)
            continue;
        bool begun = *run != 1 - goal;
        if (!begun && ((labels[!runs(state)] & (side ? RIGHT : LEFT)) || left < SWING_LEAST))
            continue;
        *run = on < left ? *run + (goal - *run) * (float)(on / left) : goal;
        any = true;
    }
    float part = any ? (float)(on / BODY_STRIDES) : 0, body = state->run_body + (goal > 0 ? part : -part);
    state->run_body = body < 0 ? 0 : body > 1 ? 1 : body;
}
