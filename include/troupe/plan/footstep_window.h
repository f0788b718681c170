// troupe/plan/footstep_window.h - the next few footsteps over rough ground: a window that slides along a path
// step by step.
//
// Li, section 4.2: the lengths of the next n steps are a configuration (s_1 .. s_n), each between a least and
// a greatest length in m intervals. The planner finds the best configuration that a body can walk: soles that
// are carried, legs that reach, swings that clear the ground. One step is taken, and the window slides.
#pragma once
#include "troupe/plan/footstep.h"
#include "troupe/plan/stride.h"
#include "troupe/world/profile.h"

TR_BEGIN_DECLARATIONS

#define TR_FOOTSTEP_WINDOW_STEPS_MAX 6
#define TR_FOOTSTEP_WINDOW_INTERVALS_MAX 31

typedef enum tr_footstep_window_method {
    TR_FOOTSTEP_WINDOW_BEST,    // the best configuration of all, by branch and bound
    TR_FOOTSTEP_WINDOW_DESCENT, // as Li: breadth-first to one that is possible, then down to a local best
    TR_FOOTSTEP_WINDOW_EVERY    // the best by trying every configuration; for comparison
} tr_footstep_window_method;

// Start from tr_footstep_window_params_default(height).
typedef struct tr_footstep_window_params {
    uint32_t steps;     // n [1 to TR_FOOTSTEP_WINDOW_STEPS_MAX], 3
    uint32_t intervals; // m [1 to TR_FOOTSTEP_WINDOW_INTERVALS_MAX], 13
    tr_footstep_window_method method;
    float length_least, length_most; // from one foot to the other along the path [m, 0.01 to 10]
    float length_usual;              // s_init
    float rise_most, drop_most;      // from one foot to the next [m, 0 to 10]
    float slope_most;                // of a sole, in metres per metre [0 to 2], 0.47
    float level;                     // floor within this of the sole carries it [m, 0.001 to 1], 0.02
    float support_least;             // share of a sole that is carried, at least [0 to 1], 0.7
    float margin;                    // of heel and toes to what is higher [m, 0 to 1], 0.01
    float clear;                     // of a swinging sole over the ground [m, 0 to 1], 0.025
    float aside;                     // greatest distance of a foot from its lane [m, 0 to 1], 0.04
    // The criterion: weights of the energy [per J/kg] and of soles that are not wholly carried.
    float energy, quality;
    bool sagittal; // Li's setting: both feet walk over the line of the path itself, in its plane
    // Of steps to the side: how far the body moves with the step of the foot that leads [m]; of turns on the
    // spot: by how much that foot turns [rad, 0 to 1.4] and how far the feet are apart [m]. 0: by the height
    // of the body.
    float side_least, side_most, turn_most, turn_apart;
    // When a foot has landed, the centre of mass is over both feet and all between them, and the extrapolated
    // one is outside by at most this [m, 0 to 10], 0.05. 0: balance is not looked at.
    float balance;
} tr_footstep_window_params;
TR_API tr_footstep_window_params tr_footstep_window_params_default(float height);

// Energy of a step beyond that of level ground at the cheapest pace [J/kg]: the power of walking on the level
// by the length of steps, and Minetti's cost of slopes (2002). Below 0 where walking down is cheaper.
TR_API float tr_footstep_window_energy(float height, float length, float rise);

typedef struct tr_footstep_window tr_footstep_window;

// Creates a planner with room for windows of this size. TR_INVALID: a size is out of range. It serves one
// thread at a time.
TR_API tr_status tr_footstep_window_create(const tr_allocator *allocator, uint32_t steps, uint32_t intervals,
                                           uint32_t columns, tr_footstep_window **window, tr_error *error);
TR_API void tr_footstep_window_destroy(tr_footstep_window *window); // NULL is allowed

typedef enum tr_footstep_window_kind {
    // Along the path. The body faces `turn` away from it: near a quarter of a turn it steps to the side, one
    // foot after the other, and never crosses its legs. The profile must be wide enough for the feet.
    TR_FOOTSTEP_WINDOW_ALONG,
    // On the spot: the body turns until it faces `turn` and the feet are side by side. With the heading that
    // it has already, it only gathers its feet. The profile must reach all around the feet.
    TR_FOOTSTEP_WINDOW_TURN
} tr_footstep_window_kind;

typedef struct tr_footstep_window_query {
    const tr_profile *profile; // cut along the path; it must reach from behind the feet to beyond the steps
    const tr_stride_body *body;
    const tr_footstep_window_params *params;
    float height;           // of the body, for its energy [m, 0.1 to 10]
    float facing;           // 1: forwards along the path; -1: backwards
    uint32_t side;          // of the foot that moves first: 0 left, 1 right
    tr_stride_foot feet[2]; // where the left and the right foot stand
    const tr_stride_stand
        *start; // of the pelvis; NULL: as the feet suggest, at rest if they are side by side
    // The configuration from which TR_FOOTSTEP_WINDOW_DESCENT begins [m]: of the last plan without its first
    // step. Missing lengths are the usual one.
    const float *lengths;
    uint32_t length_count;
    // Returns whether a step may be taken: others check what the window does not know. May be NULL.
    bool (*allow)(void *user, const tr_stride *stride);
    // Sees every step that is examined, and what became of it. May be NULL.
    void (*see)(void *user, const tr_stride *stride, tr_stride_reason reason);
    void *user;
    tr_footstep_window_kind kind;
    float turn; // heading of the body to the left of the path; for a turn the one to reach [rad, -7 to 7]
} tr_footstep_window_query;

// The foot that should move first, by kind, turn and where the feet stand: the one that leads a turn or steps
// to the side, but the other one if it lags behind; along the path the one that is behind.
TR_API uint32_t tr_footstep_window_side(const tr_footstep_window_query *query);

typedef struct tr_footstep_window_plan {
    uint32_t step_count; // that can be taken: `steps` of the parameters, or fewer before an obstacle
    // By how much each step takes the body ahead [m]; to the side: from where it stands with the other foot
    // [m]; in a turn: from the heading of the other foot [rad].
    float lengths[TR_FOOTSTEP_WINDOW_STEPS_MAX];
    tr_stride strides[TR_FOOTSTEP_WINDOW_STEPS_MAX];
    tr_footstep footsteps[TR_FOOTSTEP_WINDOW_STEPS_MAX]; // in the world
    float cost;                                          // of all these steps
    tr_stride_reason reason; // what prevents step number step_count; TR_STRIDE_FINE if all can be taken
    uint32_t examined;       // steps whose swing was planned
} tr_footstep_window_plan;

// Plans the window. Every step ends on both feet, where the body can stop in balance. TR_OK: all steps, or
// those that a turn needs.
// TR_PARTIAL: fewer, and `reason` tells why there is no further one. TR_NOT_FOUND: not even one step is
// possible; `reason` tells why. TR_INVALID: a value is not finite or out of range. TR_LIMIT: the window is
// larger than the planner, or has more than 65536 configurations with TR_FOOTSTEP_WINDOW_DESCENT. Allocates
// nothing; the same bits everywhere.
TR_API tr_status tr_footstep_window_find(tr_footstep_window *window, const tr_footstep_window_query *query,
                                         tr_footstep_window_plan *plan, tr_error *error);

// Whether the legs stay clear of all triangles of a solid during a step: thighs and shins as capsules at
// `samples` moments. For `allow`, where lanes of a profile are not enough. `touched` (may be NULL) receives
// the share of the step at which something is touched first.
TR_API bool tr_footstep_window_clear(const tr_solid *solid, const tr_profile *profile,
                                     const tr_stride_body *body, const tr_stride *stride, uint32_t samples,
                                     float *touched);

// Copies where both feet stand after a step into `feet`, left and right, so that the next window begins
// there.
TR_API void tr_footstep_window_take(const tr_stride *stride, tr_stride_foot *feet);

TR_END_DECLARATIONS
