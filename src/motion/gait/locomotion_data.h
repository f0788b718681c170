// What the parts of locomotion share. Internal.
#pragma once
#include "motion/gait/locomotion.h"

#define TR_LOCOMOTION_CHAIN_MAX 8 // joints above a thigh
#define TR_LOCOMOTION_KNOTS 8     // of two clips: both ends, the other foot's contact, two lift-offs of each

// The sequence of foot contacts in a stride, as far as phases can be aligned by it.
typedef enum tr_locomotion_order {
    TR_LOCOMOTION_LOOSE, // only its beginning is known
    TR_LOCOMOTION_STEPS, // the contact of the other foot is known as well
    TR_LOCOMOTION_WALK,  // each foot leaves after the other has come down
    TR_LOCOMOTION_RUN,   // each foot leaves before the other comes down
    TR_LOCOMOTION_ORDERS
} tr_locomotion_order;

// A cyclic clip. The walker's `phase` is piecewise linear in the clip's own share of the stride, so that
// contacts and lift-offs have the same phase in all clips of one order.
typedef struct tr_locomotion_stride {
    const tr_clip *clip;
    double duration; // [s]
    double start;    // when the left foot comes down [share of the stride]
    double contact;  // of the right foot [share after `start`]
    double lift[2];  // lift-offs of both feet, in order of time [share after `start`]
    tr_locomotion_order order;
    uint32_t knot_count;
    double phase[5], share[5]; // knots: both rise from 0 to 1
    float speed, rate;         // canonical [m/s], [strides/s]
    tr_vec2 direction;         // of travel, in the character's axes, unit length
} tr_locomotion_stride;

// Two clips in phase: the share of each stride at knots of the phase, linear in between.
typedef struct tr_locomotion_map {
    uint32_t count;
    double phase[TR_LOCOMOTION_KNOTS], lower[TR_LOCOMOTION_KNOTS], upper[TR_LOCOMOTION_KNOTS];
} tr_locomotion_map;

// The data of a leg for mixing: joints, and points of the sole in the ankle's axes.
typedef struct tr_locomotion_leg {
    uint32_t chain[TR_LOCOMOTION_CHAIN_MAX], chain_count; // from the root to the parent of the thigh
    uint32_t thigh, shank, ankle, toes;                   // `toes` may be TR_NONE
    // Metres per unit of the positions of these joints: rigs may be scaled.
    float chain_unit[TR_LOCOMOTION_CHAIN_MAX], thigh_unit, shank_unit, ankle_unit;
    tr_vec3 heel, ball; // in the axes of the ankle [m]
} tr_locomotion_leg;

// Pair i mixes clip i - 1, or the standing pose, with clip i. Its lines are first_line[i] to first_line[i +
// 1]; the last of them is the first of the next pair: the clip alone at its canonical speed.
struct tr_locomotion {
    tr_allocator allocator;
    const tr_clip *stand;
    double stand_duration; // 0 when it does not loop
    uint32_t joint_count, count;
    uint32_t first_run; // the clips from this one on run, those before it walk; `count`: all are one gait
    bool has_legs;      // with bones that are direct parents and children, and that no clip scales
    tr_locomotion_leg legs[2];
    float leg_length; // thigh and shank [m]
    tr_locomotion_stride strides[TR_LOCOMOTION_CLIPS_MAX];
    tr_locomotion_map maps[TR_LOCOMOTION_CLIPS_MAX];
    uint32_t first_line[TR_LOCOMOTION_CLIPS_MAX + 1];
    float span;       // the widest range of speeds that is mixed at once [m/s]
    float shift_time; // how long the weight moves over one foot before the first step [s]
    double begin[2];  // phases in mid-stance of each foot: where a step out of standing begins
    float speed[TR_LOCOMOTION_SPEEDS];
    float mix[TR_LOCOMOTION_SPEEDS]; // number of the pair plus blend
    float rate[TR_LOCOMOTION_SPEEDS];
    float slide[TR_LOCOMOTION_SPEEDS];
};

// Fills in what the labels of the clip tell. TR_INVALID: a foot never touches the ground.
tr_status tr_locomotion_stride_find(tr_locomotion_stride *stride, tr_error *error);
// Chooses the knots of all strides and the maps of the pairs.
void tr_locomotion_align(tr_locomotion *locomotion);
// The shares of both clips at a phase [0, 1].
void tr_locomotion_map_at(const tr_locomotion_map *map, double phase, double *lower, double *upper);
// The phase after another `strides` [>= 0] at a blend.
double tr_locomotion_map_advance(const tr_locomotion_map *map, float blend, double phase, double strides);
static inline double tr_locomotion_time(const tr_locomotion_stride *stride, double share) {
    return (stride->start + share) * stride->duration;
}

void tr_locomotion_legs_find(tr_locomotion *locomotion, const tr_skeleton *skeleton);
// Mixes `lower` (blend 0) and `upper` (1): all joints, and the legs such that the feet are between their
// places. `stands`: `lower` is the standing pose. `manner` (may be NULL) crouches and sets the feet apart.
// `result` may be one of the two.
void tr_locomotion_blend(const tr_locomotion *locomotion, const tr_pose *lower, const tr_pose *upper,
                         float blend, bool stands, const tr_manner *manner, tr_pose *result);

// The same for a walk and a run, each in its own mix, as far as the feet and the body of the state have come
// from one to the other. `moves`: 0 for a body that nearly stands, whose two poses are alike, to 1.
void tr_locomotion_blend_gaits(const tr_locomotion *locomotion, const tr_pose *walk, const tr_pose *run,
                               const tr_locomotion_state *state, float moves, tr_pose *result);

// The mix of one gait.
typedef struct tr_locomotion_find {
    uint32_t pair;
    bool stands; // the standing pose is mixed with the clip of the pair
    float blend, rate, slide;
    // While the speed passes that of a clip, three clips are mixed: those of the pair `first` by `within`,
    // and the result with the next clip by `third`. 0: only the pair.
    uint32_t first;
    bool first_stands;
    float within, third;
} tr_locomotion_find;
tr_locomotion_find tr_locomotion_find_mix(const tr_locomotion *locomotion, float speed, bool runs);
// The mean of the mixes of all speeds between two, which differ by `span` at most, with steps as quick as
// `speed` needs them (locomotion_speeds.c).
tr_locomotion_find tr_locomotion_find_mean(const tr_locomotion *locomotion, float slow, float fast,
                                           float speed, bool runs);
// Lets the speed of the mix follow for dt [s].
void tr_locomotion_follow_speed(tr_locomotion_state *state, float speed, float dt);
// The other end of the range of speeds that a body at `speed` mixes, if one end is `shown`.
float tr_locomotion_other_speed(const tr_locomotion *locomotion, const tr_locomotion_state *state,
                                float speed, float shown);
void tr_locomotion_find_span(tr_locomotion *locomotion);
// Whether a body that has no gait yet runs at a speed.
bool tr_locomotion_runs_at(const tr_locomotion *locomotion, float speed);
// Chooses the gait for the next `dt` [s] at a speed.
void tr_locomotion_choose_gait(const tr_locomotion *locomotion, tr_locomotion_state *state, float speed,
                               float dt);
// Whether a foot or the body is not yet in the gait that it is to have.
bool tr_locomotion_changes(const tr_locomotion_state *state);
// Lets feet that are in the air change their gait while the phase goes from `phase` to that of the state.
// `labels` are the contacts of walk and run after that.
void tr_locomotion_change_feet(tr_locomotion_state *state, double phase, const uint32_t labels[2]);

// The first step out of standing (locomotion_start.c).
void tr_locomotion_start_find(tr_locomotion *locomotion, const tr_skeleton *skeleton);
// Begins it; false: these clips have no such step.
bool tr_locomotion_start_begin(const tr_locomotion *locomotion, tr_locomotion_state *state);
// Advances it, with the phase, by dt at a rate of strides.
void tr_locomotion_start_step(const tr_locomotion *locomotion, const tr_locomotion_map *map, float blend,
                              double rate, double dt, tr_locomotion_state *state);
// The share of the speed that the mix shows, and the contacts, given those of the clips.
float tr_locomotion_start_share(const tr_locomotion_state *state);
uint32_t tr_locomotion_start_labels(const tr_locomotion_state *state, uint32_t labels);

// The natural step rate of a pair at a speed.
float tr_locomotion_pair_rate(const tr_locomotion *locomotion, uint32_t pair, float speed);
// Fills the table; lines and maps must be set.
tr_status tr_locomotion_fill(tr_locomotion *locomotion, const tr_skeleton *skeleton, tr_error *error);
