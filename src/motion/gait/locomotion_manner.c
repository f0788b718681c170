#include "locomotion_manner.h"
#include "locomotion_data.h"

#include "troupe/base/random.h"

#define CHANGE_PHASE 0.3 // the rate changes in this share of the stride after a contact, without a jump
#define MEMORY 0.5f // how much of its departure a step hands on to the next: those of people drift slowly
#define FRESH 0.8660254f // the rest, such that the deviation stays the same: sqrt(1 - MEMORY^2)
// A step begins at the rate of the last one: three tenths of its duration are still the other's, which takes
// so much of the deviation.
#define LOSS 0.89f

tr_locomotion_state tr_locomotion_standing(const tr_locomotion *locomotion, const tr_manner *manner) {
    tr_locomotion_state state = {.manner = manner};
    if (!manner)
        return state;
    state.phase = manner->phase < 1 ? (double)manner->phase : 0;
    state.stand_time = state.phase * locomotion->stand_duration;
    return state;
}

float tr_locomotion_own_rate(const tr_locomotion_state *state) {
    if (!state->manner)
        return 1;
    double since = (state->phase >= 0.5 ? state->phase - 0.5 : state->phase) / CHANGE_PHASE;
    float part = since < 1 ? (float)(since * since * (3 - 2 * since)) : 1;
    float pace = state->pace_before + (state->pace - state->pace_before) * part;
    return (1 + state->manner->cadence) * (1 + pace);
}

// Nearly normal, with deviation 1, and never beyond 3.5: the sum of four uniform numbers.
static float draw(const tr_locomotion_state *state) {
    tr_random random = tr_random_seed((uint64_t)state->manner->seed << 32 | state->steps);
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += tr_random_unit(&random);
    return (sum - 2) * 1.7320508f;
}

void tr_locomotion_next_step(tr_locomotion_state *state, bool right) {
    const tr_manner *manner = state->manner;
    if (!manner)
        return;
    // The step of the left foot begins when the right foot comes down. The drift is what is left of the last
    // step without its share of unevenness.
    float slower = 0.5f * (right ? manner->uneven : -manner->uneven);
    float drift = state->steps > 0 ? state->pace - slower : 0; // the last step was that of the other foot
    state->pace_before = state->pace;
    state->pace = MEMORY * drift + FRESH / LOSS * manner->variation * draw(state) - slower;
    state->steps++;
}
