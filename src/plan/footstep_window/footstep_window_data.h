// Shared by the files of the footstep window. Internal to plan/footstep_window.
#pragma once
#include "plan/stride/stride_data.h"
#include "plan/stride/stride_limits.h"
#include "troupe/plan/footstep_window.h"

#include <math.h>

// Lanes of each side: the middle, left and right of it, where the foot stands now, and all that lies between
// two of these, for feet that change lanes.
#define WINDOW_STANDS 3 // the lane of a foot that stands
#define WINDOW_PAIRS 4  // the first pair
#define WINDOW_LANES 10
#define WINDOW_CONFIGURATIONS 65536
#define WINDOW_MADE 64   // a power of two
#define STICKS_OUT 5e-3f // of a sole's plane, which shoes give way to [m]
#define HALF_LEAST 0.4f  // share of each half of a sole that is carried, at least

// What the profile holds over the width of a foot, column by column.
typedef struct window_lane {
    float *top, *under; // [m]
    float *high, *low;  // floor: highest and lowest of each column; -INFINITY in `low`: some of it is missing
    float aside;        // [m]
    uint32_t first, last; // rows
    bool ready;
    float *memory; // of the ranges
    stride_ranges ranges;
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

// By length, for an adult: the length, its inverse, and the excess of a level step [J/kg].
typedef struct window_costs {
    float lengths[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1], inverses[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1],
        cheapest[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1];
} window_costs;

typedef enum window_course {
    WINDOW_AHEAD, // straight along the path, in lanes
    WINDOW_SLANT, // along the path, but the body faces elsewhere
    WINDOW_ASIDE, // one foot leads, the other follows
    WINDOW_TURN
} window_course;

// A step that was planned, so that the steps of the plan are not planned again.
typedef struct window_made {
    uint32_t swing, stamp;
    tr_stride stride;
} window_made;

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
    window_made *made; // by numbers of swings, the last one of each remainder
    float *bounds;     // least cost of the steps behind a place
    uint32_t *visited; // stamps of configurations; NULL: there are too many
    uint32_t *queue;
    // The plan in progress:
    const tr_footstep_window_query *query;
    tr_footstep_window_plan *plan;
    tr_profile_view view;
    stride_limits limits;
    tr_stride_stand start;
    bool open;       // there is no overhang
    uint32_t target; // number of steps that is tried
    window_course course;
    float origin, interval; // of the places of the feet; the interval of a turn to the right is negative
    float least[2];         // lengths number 0: of the foot that leads, and of the other
    uint32_t lead;          // side of the foot that leads
    stride_heading heading; // of the body, along a path
    tr_vec2 pivot;          // of a turn: aside and along [m]
    float apart;            // of feet that stand at rest [m]
    float goal;             // of a turn [rad]
    float ahead;            // height of the floor beyond the steps [m]; NAN: unknown
    window_costs costs[2];  // of the foot that leads, and of the other
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
static inline uint32_t window_side(const tr_footstep_window *window, uint32_t level) {
    return (window->query->side + level + 1) & 1;
}

// 0 for steps of the foot that leads, 1 for those of the other.
static inline uint32_t window_part(const tr_footstep_window *window, uint32_t level) {
    return window->course < WINDOW_ASIDE || window_side(window, level) == window->lead ? 0 : 1;
}
static inline float window_length(const tr_footstep_window *window, uint32_t level, uint32_t number) {
    return window->least[window_part(window, level)] + (float)number * window->interval;
}

// --- footstep_window_course.c ---
void tr_window_course_begin(tr_footstep_window *window);
// Steps that the query needs, at most those of the window.
uint32_t tr_window_course_steps(const tr_footstep_window *window);
// Where a foot is put: without height and slope. false: that is beyond the goal.
bool tr_window_spot(const tr_footstep_window *window, uint32_t level, uint32_t sum, tr_stride_foot *foot);
// The length at which the paper's search begins.
float tr_window_usual(const tr_footstep_window *window, uint32_t level);

// --- footstep_window_turned.c ---
// Looks at a place for a sole that is turned; `place` has its foot without height.
tr_stride_reason tr_window_look_turned(const tr_footstep_window *window, window_place *place);

// --- footstep_window_lane.c ---
const window_lane *tr_window_lane(tr_footstep_window *window, uint32_t side, uint32_t lane);
void tr_window_lanes_begin(tr_footstep_window *window);
// The lane over which a foot passes from one of the first four to another, or to the same.
uint32_t tr_window_lane_between(const tr_footstep_window *window, uint32_t side, uint32_t from, uint32_t to);

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
