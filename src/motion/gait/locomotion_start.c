// The first step out of standing. The feet are side by side, so it is half as long as the steps of the walk.
// First the weight moves over one foot while both stand. Then the other foot swings: its whole swing is
// played while the body goes half a step, so the phase runs faster. The walk grows out of the standing pose
// meanwhile.
#include "locomotion_data.h"

#include <math.h>

#define SHIFT_TIME 0.40f // of a leg of 0.9 m [s]: people take 0.4 to 0.6 s until the first foot leaves
#define USUAL_LEG 0.9f   // [m]
#define HALF_STEP 0.30   // of a stride: the way of the body while the first foot swings
#define FASTER 1.75      // two fifths into the swing, as a multiple of what is needed on average
#define EARLY 1.3        // how much sooner than in mid-swing it is fastest,
#define PEAK 4.63        // 1 divided by the largest s (1 - s) (EARLY - s)
#define FROM 0.5         // of the double support, where the phase begins
#define LEAVES 0.15      // of the swing: the foot leaves the ground this much later than in the walk
#define HEEL_RISES 0.5f  // share of the shift after which the heel may rise
#define FLAT_UNTIL 1.5f  // until then the other foot is flat, whatever the clip says
#define GROWN 1.5f       // by then the walk has its full share
#define BEGUN 1e-6f      // just begun
#define LEFT (TR_CONTACT_LEFT_HEEL | TR_CONTACT_LEFT_TOES)
#define RIGHT (TR_CONTACT_RIGHT_HEEL | TR_CONTACT_RIGHT_TOES)

void tr_locomotion_start_find(tr_locomotion *locomotion, const tr_skeleton *skeleton) {
    tr_foot foot;
    float leg = USUAL_LEG;
    if (tr_foot_measure(skeleton, 0, &foot) == TR_OK) {
        const tr_affine *rest = tr_skeleton_rest_model(skeleton);
        tr_vec3 hip = tr_affine_position(&rest[foot.thigh]), knee = tr_affine_position(&rest[foot.shank]),
                ankle = tr_affine_position(&rest[foot.ankle]), heel = tr_foot_heel(&foot, rest);
        leg = tr_vec3_length(tr_vec3_subtract(hip, knee)) + tr_vec3_length(tr_vec3_subtract(knee, ankle)) +
              fabsf(ankle.y - heel.y);
    }
    locomotion->shift_time = SHIFT_TIME * sqrtf(leg / USUAL_LEG);
}

uint32_t tr_locomotion_first_stance(const tr_locomotion_state *state) {
    return state->start > 0 ? state->phase >= 0.5 : TR_NONE;
}

// The foot that came down last stays.
bool tr_locomotion_start_begin(const tr_locomotion *locomotion, tr_locomotion_state *state) {
    const tr_locomotion_stride *stride = &locomotion->strides[0];
    if (stride->order != TR_LOCOMOTION_WALK)
        return false;
    uint32_t first = state->phase >= 0.5 ? 2 : 0;
    state->phase = stride->phase[first] + FROM * (stride->phase[first + 1] - stride->phase[first]);
    state->start = BEGUN;
    return true;
}

void tr_locomotion_start_step(const tr_locomotion *locomotion, const tr_locomotion_map *map, float blend,
                              double rate, double dt, tr_locomotion_state *state) {
    const tr_locomotion_stride *stride = &locomotion->strides[0];
    uint32_t first = state->phase >= 0.5 ? 2 : 0;
    double both = stride->phase[first + 1], contact = stride->phase[first + 2],
           lift = both + LEAVES * (contact - both);
    if (state->start < 1) {
        double shift = (double)state->start + dt / (double)locomotion->shift_time;
        double from = stride->phase[first] + FROM * (both - stride->phase[first]);
        dt = shift > 1 ? (shift - 1) * (double)locomotion->shift_time : 0;
        state->start = shift < 1 ? (float)shift : 1;
        double done = state->start;
        state->phase = from + (lift - from) * done * done * done;
    }
    if (state->start < 1 || !(dt > 0))
        return;
    // Faster in the swing, at the rate of the walk at both ends: on average the whole swing in half a step.
    // Late in the swing the hips are about to slow down, and haste would jolt them.
    double swung = (double)state->start - 1, hurry = FASTER * ((contact - lift) / HALF_STEP - 1);
    double phase = tr_locomotion_map_advance(
        map, blend, state->phase, rate * dt * (1 + hurry * PEAK * swung * (1 - swung) * (EARLY - swung)));
    bool landed = phase < state->phase || phase >= contact;
    state->start = landed ? 0 : (float)(1 + (phase - lift) / (contact - lift));
    state->phase = phase;
}

float tr_locomotion_start_share(const tr_locomotion_state *state) {
    float s = state->start / GROWN;
    return state->start > 0 && s < 1 ? s * s * (3 - 2 * s) : 1;
}

uint32_t tr_locomotion_start_labels(const tr_locomotion_state *state, uint32_t labels) {
    uint32_t stance = tr_locomotion_first_stance(state);
    if (stance == TR_NONE)
        return labels;
    uint32_t stays = stance ? RIGHT : LEFT, swings = stance ? LEFT : RIGHT;
    uint32_t down = state->start < HEEL_RISES ? stays | swings : state->start < FLAT_UNTIL ? stays : 0;
    uint32_t toes = state->start < 1 ? swings & (TR_CONTACT_LEFT_TOES | TR_CONTACT_RIGHT_TOES) : 0;
    return labels | down | toes;
}
