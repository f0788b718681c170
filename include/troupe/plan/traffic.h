// troupe/plan/traffic.h - who will be where and when, and ways over a surface through it: one person after
// the other, in space and time.
//
// Bandi & Thalmann 1998 leave several people and moving obstacles to the future. Here everybody whose way is
// known is a track of upright cylinders; the next one is planned around them, waiting where that is shorter
// than walking round. (Time-indexed maps of whole scenes are another thing and will come beside it.)
#pragma once
#include "troupe/plan/climb.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_traffic tr_traffic;
TR_API tr_status tr_traffic_create(const tr_allocator *allocator, tr_traffic **traffic, tr_error *error);
TR_API void tr_traffic_destroy(tr_traffic *traffic); // NULL is allowed
TR_API void tr_traffic_clear(tr_traffic *traffic);

// Where a cylinder stands on its lower end at a time; straight on to the next.
typedef struct tr_traffic_point {
    double time; // [s], strictly rising, within 1e9
    tr_vec3 position;
} tr_traffic_point;
typedef struct tr_traffic_track {
    const tr_traffic_point *points; // copied
    uint32_t point_count;
    float radius, height; // [m]
    bool stays; // after the last point it stands there for ever; else it is gone. Before the first it
                // stands at the first
} tr_traffic_track;
// Numbered from 0 on. TR_INVALID (nothing was added) names the point that breaks a rule.
TR_API tr_status tr_traffic_add(tr_traffic *traffic, const tr_traffic_track *track, tr_error *error);
// An object of a scene with a trajectory, as the cylinder around its box, looked at every 0.05 s from `begin`
// to `end` [s] and wide enough for what it does in between; it stays where it is then. One without a
// trajectory stands. TR_INVALID: no such object, an empty one, times that do not rise. TR_LIMIT: more than
// 65536 samples.
TR_API tr_status tr_traffic_add_object(tr_traffic *traffic, const tr_scene *scene, uint32_t object,
                                       double begin, double end, tr_error *error);
TR_API uint32_t tr_traffic_count(const tr_traffic *traffic);
// Does a cylinder that goes from one point to the other between two times keep off all tracks? Exact for
// straight pieces: no time between is missed; to touch is not to meet. With `to.time` INFINITY and equal
// positions it stands there from then on. false for what is not a number.
TR_API bool tr_traffic_is_free(const tr_traffic *traffic, tr_traffic_point from, tr_traffic_point to,
                               float radius, float height);

// Start from tr_traffic_params_default().
typedef struct tr_traffic_params {
    tr_climb_params climb; // border, links, effort, budget, drop and reach are used
    double begin;          // when the person is at the start [s]
    float speed;           // that it walks at [m/s, > 0]
    float margin;          // kept from others beside its radius [m, >= 0]
    double wait_max;       // it waits so long at most, in all [s, >= 0], 60
    uint32_t nodes_max;    // (cell, time) pairs looked at; memory for them is taken once, 1 << 18
} tr_traffic_params;
TR_API tr_traffic_params tr_traffic_params_default(void);
#define TR_TRAFFIC_BENDS_MAX 8192 // of one way
// Of the body of a person who plans: its radius, or 0.15 of its height where that is 0.
TR_API float tr_traffic_radius(const tr_person *person);

// The quickest way, as points with times: feed it back with tr_traffic_add for those who come after. A metre
// takes 1 / speed, one of rise `climb.up` times that more, one of fall `climb.down`; a link its cost, or its
// length where that is more. The person stays at its goal: nobody comes there afterwards. Waiting is two
// points at one place. Straight where the traffic allows; inner points follow the ground within 0.1 m. The
// way without the others is found first, by climb (its last result changes). TR_NOT_FOUND: no way, or none
// without meeting somebody (then `blocked_by`, may be NULL, gets the track that was met nearest to the goal,
// TR_NONE for none). TR_PARTIAL: nodes_max or the budget ran out; the points lead as near to the goal as it
// came. TR_LIMIT: more than point_max points, or TR_TRAFFIC_BENDS_MAX bends.
TR_API tr_status tr_traffic_find(tr_traffic *traffic, tr_climb *climb, const tr_traffic_params *params,
                                 tr_vec3 start, tr_vec3 goal, tr_traffic_point *points, uint32_t point_max,
                                 uint32_t *point_count, uint32_t *blocked_by, tr_error *error);

TR_END_DECLARATIONS
