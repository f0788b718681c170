// plan/behavior/behavior_data.h - a machine of behaviors as its planner reads it. Internal to plan/behavior.
#pragma once
#include "troupe/base/scalar.h"
#include "troupe/plan/behavior.h"

// A disc as the search tests it. The body is between this disc and its neighbours in time, so the place has
// to be free from the frame of the discs before to that of the discs after.
typedef struct behavior_sample {
    float x, z;
    uint16_t from, frame, to;
    uint16_t band;
} behavior_sample;

// What the search needs of a state before it picks a move. The moves of a state with many of them are not
// read until one is picked.
typedef struct behavior_state_info {
    double distance;     // that a move counts for, averaged over the moves [m]
    double cost;         // weight times distance; a parametrised state has one for each parameter instead
    double longest;      // the furthest that a move goes [m]
    double finish;       // least that is paid beyond the rate of the machine until rest, after a move
    float reach;         // the furthest that a move goes until its action [m]
    uint32_t group;      // states with the same successors have the same group
    uint32_t first_move; // in the list of all moves
} behavior_state_info;

typedef struct behavior_move_info {
    tr_vec2 action; // where the body is when the action happens, in the axes of the beginning
    uint32_t action_frame;
    uint32_t first_sample, sample_count, first_core; // core_count of the move
    float sine, cosine;                              // of its turn
} behavior_move_info;

struct tr_behavior {
    tr_allocator allocator;
    tr_behavior_def def;
    tr_behavior_band *bands;
    tr_behavior_state *states;
    tr_behavior_move *moves;
    tr_behavior_disc *discs;
    uint32_t *successors;
    const char **labels;
    char *text;
    behavior_state_info *infos;
    behavior_move_info *move_infos;
    behavior_sample *samples; // as many as discs
    tr_behavior_disc *cores;
    behavior_sample *core_samples; // as many as cores
    uint32_t move_count, disc_count, core_count, successor_count, group_count;
    uint32_t disc_max; // of a move
    size_t text_size;
    float
        step;  // the furthest that a disc moves until the next frame with discs; 0 if discs hold the body [m]
    float hop; // the same also between moves, and if discs hold the body [m]
    double rate;            // no metre costs less than this
    double fastest;         // metres in a frame, at most
    uint32_t special_bands; // bit b: a state serves band b
};

// Checks a definition (behavior_check.c).
tr_status tr_behavior_check(const tr_behavior_def *def, tr_error *error);
// The discs of a move that has none of its own.
uint32_t tr_behavior_default_discs(const tr_behavior_def *def, const tr_behavior_move *move,
                                   tr_behavior_disc *discs);
// Distance that a move counts for [m].
double tr_behavior_distance(const tr_behavior_def *def, const tr_behavior_move *move);
// The samples of some discs; returns the furthest that a disc moves between two frames with discs. `hold`:
// see tr_behavior_def.
float tr_behavior_sample(const tr_behavior_disc *discs, uint32_t count, uint32_t frames, bool hold,
                         behavior_sample *samples);
// From the discs of a move to where it begins and where it ends: what is between the discs of two moves [m].
float tr_behavior_gap(const tr_behavior_move *move);
// Where the body is at a frame: the middle of its discs at the last frame with discs that is not later.
tr_vec2 tr_behavior_disc_place(const tr_behavior_disc *discs, uint32_t count, uint32_t frame);

// The radius with which characters keep apart, and the discs of a move with which they do.
static inline float behavior_keep(const tr_behavior_def *def) {
    return def->core > 0 ? def->core : def->radius;
}
static inline const tr_behavior_disc *behavior_keep_discs(const tr_behavior_def *def,
                                                          const tr_behavior_move *move, uint32_t *count) {
    *count = def->core > 0 ? move->core_count : move->disc_count;
    return def->core > 0 ? move->core : move->discs;
}

static inline double behavior_way(const tr_behavior_move *move) {
    double x = (double)move->x, z = (double)move->z;
    return sqrt(x * x + z * z);
}
// The moves on either side of a parameter, and how far it is from the first to the second [0, 1].
static inline float behavior_between(const tr_behavior_state *state, float parameter, uint32_t *lower) {
    uint32_t i = 0;
    while (i + 2 < state->move_count && state->moves[i + 1].parameter <= parameter)
        i++;
    float low = state->moves[i].parameter, high = state->moves[i + 1].parameter;
    *lower = i;
    return (parameter - low) / (high - low);
}
static inline void behavior_axes_turn(float turn, float *sine, float *cosine) {
    double s, c;
    tr_sin_cos((double)turn, &s, &c);
    *sine = (float)s;
    *cosine = (float)c;
}
static inline float behavior_lerp(float a, float b, float t) {
    return a + (b - a) * t;
}
static inline uint32_t behavior_lerp_frames(uint32_t a, uint32_t b, float t) {
    return (uint32_t)(behavior_lerp((float)a, (float)b, t) + 0.5f);
}
static inline tr_behavior_disc behavior_blend_disc(const tr_behavior_disc *a, const tr_behavior_disc *b,
                                                   float t) {
    tr_behavior_disc disc = {behavior_lerp(a->x, b->x, t), behavior_lerp(a->z, b->z, t),
                             (uint16_t)behavior_lerp_frames(a->frame, b->frame, t), a->band};
    return disc;
}
static inline uint32_t behavior_action_frame(const tr_behavior_move *move) {
    return move->action == TR_NONE ? move->frames / 2 : move->action;
}
