// Shared by the files of the footstep window. Internal to plan/footstep_window.
#pragma once
#include "plan/stride/stride_limits.h"
#include "troupe/plan/footstep_window.h"

#include <math.h>

#define WINDOW_LANES 4  // of each side: the middle, left and right of it, and where the foot stands now
#define WINDOW_STANDS 3 // the lane of a foot that stands
#define WINDOW_CONFIGURATIONS 65536

// What the profile holds over the width of a foot, column by column.
typedef struct window_lane {
    float *top, *under; // [m]
    float *high, *low;  // floor: highest and lowest of each column; -INFINITY in `low`: some of it is missing
    float aside;        // [m]
    uint32_t first, last; // rows
    bool ready;
} window_lane;

// A place for a sole.
typedef struct window_place {
    tr_stride_foot foot;
    float quality; // [0, 1]: 0 is the best
    float support;
    uint8_t lane, reason;
    bool known;
} window_place;

// Both feet at the end of a step.
typedef struct window_stand {
    uint32_t stamp; // of the plan for which this was computed
    tr_stride_stand stand;
} window_stand;

typedef struct window_swing {
    uint32_t stamp; // of the plan for which this was computed
    float cost;     // of the step, with what the swing adds; INFINITY: not possible
} window_swing;

struct tr_footstep_window {
    tr_allocator allocator;
    uint32_t steps, intervals, columns; // room
    uint32_t stamp;
    float *lanes; // memory of all lanes
    window_lane lane[2][WINDOW_LANES];
    window_place *places; // of each level
    // The same as structure of arrays: heights, and costs of standing there (INFINITY: not possible).
    float *heights, *stand_costs;
    // Costs of the steps from each place, by their lengths, without their swings (INFINITY: not possible). A
    // row has room for whole vectors.
    float *rows;
    uint32_t *row_stamps;
    window_stand *stands; // of each place and length
    window_swing *swings;
    float *bounds;     // least cost of the steps behind a place
    uint32_t *visited; // stamps of configurations; NULL: there are too many
    uint32_t *queue;
    // The plan in progress:
    const tr_footstep_window_query *query;
    tr_footstep_window_plan *plan;
    tr_profile_view view;
    stride_limits limits;
    tr_stride_stand start;
    uint32_t target; // number of steps that is tried
    float origin, interval;
    float ahead; // height of the floor beyond the steps [m]; NAN: unknown
    // By length, for an adult: the length, its inverse, and the excess of a level step [J/kg].
    float lengths[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1], inverses[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1],
        cheapest[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1];
    uint32_t found[TR_FOOTSTEP_WINDOW_STEPS_MAX][TR_STRIDE_REASONS]; // reasons, by step
    uint8_t best[TR_FOOTSTEP_WINDOW_STEPS_MAX];
    float best_cost;
};

// Steps are numbered from 1; level 0 is the standing foot. Places of a level are numbered by the sum of the
// numbers of the lengths that lead there.
static inline uint32_t window_level_places(uint32_t level, uint32_t intervals) {
    return level * intervals + 1;
}
static inline uint32_t window_places_before(uint32_t level, uint32_t intervals) {
    return intervals * level * (level - 1) / 2 + level; // levels 0 to level - 1
}
static inline float window_length(const tr_footstep_window *window, uint32_t number) {
    return window->query->params->length_least + (float)number * window->interval;
}
static inline uint32_t window_side(const tr_footstep_window *window, uint32_t level) {
    return (window->query->side + level + 1) & 1;
}

// --- footstep_window_lane.c ---
const window_lane *tr_window_lane(tr_footstep_window *window, uint32_t side, uint32_t lane);
void tr_window_lanes_begin(tr_footstep_window *window);

// --- footstep_window_place.c ---
const window_place *tr_window_place(tr_footstep_window *window, uint32_t level, uint32_t sum);
void tr_window_places_begin(tr_footstep_window *window);

static inline uint32_t window_row_room(uint32_t intervals) {
    return (intervals + 4) & ~3u;
}

// --- footstep_window_cost.c ---
// Costs of the steps to `level` from a place of the level before, by their lengths, without their swings.
const float *tr_window_row(tr_footstep_window *window, uint32_t level, uint32_t sum);
// Why a step is not possible before its swing is looked at.
tr_stride_reason tr_window_row_reason(tr_footstep_window *window, uint32_t level, uint32_t sum,
                                      uint32_t number);
void tr_window_costs_begin(tr_footstep_window *window);
float tr_window_climb(const tr_footstep_window *window, float rise);
// Cost of what lies behind the last step, which ends at this place.
float tr_window_rest(tr_footstep_window *window, uint32_t level, uint32_t sum);

// --- footstep_window_step.c ---
// Cost of step `level` that ends `number` intervals after the place `sum` of the level before, which was
// reached by `last` intervals. `stride` (may be NULL) receives the step.
float tr_window_swing(tr_footstep_window *window, uint32_t level, uint32_t sum, uint32_t last,
                      uint32_t number, tr_stride *stride);
void tr_window_steps_begin(tr_footstep_window *window);

// --- footstep_window_best.c, footstep_window_descent.c ---
// Find a configuration of window->target steps: window->best and best_cost. false: there is none.
bool tr_window_best(tr_footstep_window *window);
bool tr_window_every(tr_footstep_window *window);
bool tr_window_descent(tr_footstep_window *window);
