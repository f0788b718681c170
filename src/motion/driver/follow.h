// motion/driver/follow.h - steers a body along a route: the oriented disc of Kuffner 1998, 7.1 and 7.3, with
// its proportional-derivative control, and the extensions that the paper asked for.
#pragma once
#include "base/archive.h"
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

typedef enum tr_follow_integrator {
    TR_FOLLOW_EULER, // the paper's
    TR_FOLLOW_EXACT, // speeds and heading from the closed-form solution of the linear control, position along
                     // the arc
} tr_follow_integrator;

// Start from tr_follow_params_default(). Metres, radians, seconds.
typedef struct tr_follow_params {
    float speed;          // the canonical speed V of the clip [m/s, > 0]
    float small_speed;    // epsilon: speed while turning around [m/s, >= 0]
    float position_gain;  // k_p [1/s, > 0]
    float heading_gain;   // k_theta [1/s, > 0]
    float speed_gain;     // k_v [1/s, > 0]
    float turn_gain;      // k_omega [1/s, > 0]
    float turn_threshold; // theta_turn: beyond this error the body slows down and turns [rad, > 0]
    float look_ahead;     // how far ahead on the route the body aims, at full speed [m, > 0]
    float near_goal;      // below this remaining distance, the speed is k_p times it [m, > 0]
    float arrive;         // the body has arrived when it is this close to the end [m, > 0]
    tr_follow_integrator integrator;
    bool turn_in_place;     // at rest (start, end), turn before walking; otherwise walk in a curve
    float turn_rate_max;    // [rad/s, > 0, may be INFINITY]
    float acceleration_max; // [m/s^2, > 0, may be INFINITY], for speeding up and slowing down
    // A body at rest sets off gently: its acceleration is at most start_gain (speed + start_speed) while that
    // is less than acceleration_max.
    float start_gain;     // [1/s, >= 0]; 0: at once
    float start_speed;    // [m/s, > 0 with a start_gain]
    float lateral_max;    // sideways acceleration on curves [m/s^2, > 0, may be INFINITY]
    float curve_constant; // K of people's law v = K curvature^(-1/3) [m^(2/3)/s]; 0: not used
    float side_speed;     // speed of side-steps [m/s, > 0]
    float corridor; // the body stays within this distance of the route [m, > 0]: it slows down where it could
                    // not turn in time. INFINITY: the paper's laws alone
} tr_follow_params;

// Computes gains for a speed, a time step dt [s, > 0] and how far the body may get from the route [m, > 0]:
// critically damped, exact integration, turning in place, people's speed on curves. docs/internals/follow.md
// states the bound, and a test checks it.
tr_follow_params tr_follow_params_default(float speed, float dt, float corridor);
// Returns how far before the end of its route a body begins to brake from this speed [m].
float tr_follow_brake_distance(const tr_follow_params *params, float speed);
tr_status tr_follow_params_check(const tr_follow_params *params, tr_error *error);

// A prepared route: lengths, curvature, and the speed that each place allows. It may be replaced at any
// moment.
typedef struct tr_follow_route tr_follow_route;
tr_status tr_follow_route_create(const tr_allocator *allocator, uint32_t point_max, tr_follow_route **route,
                                 tr_error *error);
void tr_follow_route_destroy(tr_follow_route *route); // NULL is allowed
// Makes room for at least `point_max` points; the contents stay. TR_OUT_OF_MEMORY: the route is unchanged.
tr_status tr_follow_route_reserve(tr_follow_route *route, uint32_t point_max);
// Sets the route. `sideways` (may be NULL) marks those of the point_count - 1 pieces that are too narrow to
// walk forwards: there the body steps sideways. `final_heading` (may be NULL) is the heading to stand with at
// the end [rad]. Points that coincide (within 0.01 mm) are left out. No allocation. TR_INVALID: fewer than 1
// point, a point that is not finite or further out than TR_FOLLOW_EXTENT_MAX, or a bad parameter. TR_LIMIT:
// more than point_max points. On failure the route is unchanged.
#define TR_FOLLOW_EXTENT_MAX 1e7f // coordinates [m]
tr_status tr_follow_route_set(tr_follow_route *route, const tr_vec2 *points, uint32_t point_count,
                              const bool *sideways, const float *final_heading,
                              const tr_follow_params *params, tr_error *error);
// Copies a prepared route. TR_LIMIT: more points than there is room for; `to` is unchanged.
tr_status tr_follow_route_copy(tr_follow_route *to, const tr_follow_route *from);
float tr_follow_route_length(const tr_follow_route *route);
tr_vec2 tr_follow_route_point(const tr_follow_route *route, float along); // clamps
// Returns the distance of a point from the route, and where along the route the nearest point lies (may be
// NULL).
float tr_follow_route_distance(const tr_follow_route *route, tr_vec2 point, float *along);

typedef enum tr_follow_mode { TR_FOLLOW_WALK, TR_FOLLOW_TURN, TR_FOLLOW_SIDE, TR_FOLLOW_REST } tr_follow_mode;

// The oriented disc. Owned by the caller. Zero is valid: at rest at the origin, facing +Z, route not begun.
typedef struct tr_follow_state {
    tr_vec2 position;
    float heading;    // not wrapped [rad]
    float speed;      // along the heading [m/s]
    float side_speed; // to the left [m/s], 0 except in side-steps
    float turn_rate;  // [rad/s]
    float progress;   // along the route [m]; set it to 0 when the route is replaced
    tr_follow_mode mode;
    tr_vec2 remainder;   // part that the floats of `position` cannot hold [m]: matters far from the origin
    uint32_t piece, aim; // hints: pieces of the route with the body and its aim; any value is valid
} tr_follow_state;

// Advances by dt [s, > 0]. `speed_limit` [m/s, >= 0, INFINITY for none] is the speed that the world allows at
// present (a body may be in the way). Speed and heading are continuous when the route is replaced. Reads only
// its arguments: any thread, the same bits for the same input. Returns
//   TR_OK       still on the way
//   TR_DONE     at the end, at rest
//   TR_INVALID  an argument is out of range, not finite, or the route has no points; `state` is unchanged
tr_status tr_follow_step(tr_follow_state *state, const tr_follow_route *route, const tr_follow_params *params,
                         float speed_limit, float dt);
// Returns how far the disc must turn to face the aim of the next step [rad, -pi to pi, left is positive]; 0
// at the end of the route. A body that turns on the spot by this angle walks off straight.
float tr_follow_error(const tr_follow_state *state, const tr_follow_route *route,
                      const tr_follow_params *params);

// Writes or reads a state or a route. When a route is read, it is prepared again with the parameters that it
// was set with, which gives the same bits; room for it is made.
void tr_follow_archive_state(tr_follow_state *state, tr_archive *archive);
void tr_follow_archive_route(tr_follow_route *route, const tr_follow_params *params, tr_archive *archive);
