// What the sources of `follow` share: the prepared route and the small functions of a step.
#pragma once
#include "motion/driver/follow.h"
#include "troupe/base/scalar.h"

#include <math.h>

// A point where the prepared route bends, and the piece that begins there. One or two cache lines: a step
// reads the knots around the body and those around its aim.
typedef struct follow_knot {
    double x, z;
    double ux, uz;      // direction of the piece; for the last knot that of the piece before
    double length;      // of the piece; 0 for the last knot
    double distance;    // from the start, along the prepared route
    double along;       // the same along the route as it was given
    double along_scale; // given metres per metre of the piece, at least 1
    double bend;        // at this knot, in either direction [rad]
    float speed_square; // square of the speed allowed here, in view of all that follows
    uint32_t section;   // the knot that ends this section: the aim does not look past it
    uint32_t side;      // the piece of the next side-step, this one included; TR_NONE: none
    uint32_t band : 30; // the band of its piece
    uint32_t sideways : 1, stop : 1;
} follow_knot;

// A piece of the route before its bends were rounded; the corridor lies around these. The last one has length
// 0.
typedef struct follow_band {
    double x, z, ux, uz, length;
    bool stop; // the body turns on the spot at its beginning
} follow_band;

// Values derived from the parameters for one step length: the same in every step, and partly expensive.
typedef struct follow_control {
    tr_follow_params params; // the parameters that it was made for
    float dt;                // the step length that it was made for; 0: none
    double half;             // of the step [s]
    // The error e and the turn rate w follow e' = -w, w' = k_w (k_t e - w): this map advances them by half a
    // step.
    double ee, ew, we, ww;
    double turn_fade, speed_fade;  // share of a first-order difference that is left after half a step
    double speed_step;             // the most that a speed changes in half a step [m/s]
    double grow, grow_more;        // a speed v becomes at most grow v + grow_more within half a step
    double lead_time;              // after which the heading responds [s]
    double wall, turn_wall, brake; // of the corridor: see corridor_speed, turning_speed
    double stop_way;               // distance to stop from 1 m/s inside the walls [m]
} follow_control;

struct tr_follow_route {
    tr_allocator allocator;
    uint32_t point_max;
    uint32_t point_count, knot_count, band_count;
    float length;    // as given
    tr_vec2 *points; // as given, without coincident ones
    double *along;   // of each point
    bool *sideways;  // of the piece that begins at each point
    follow_knot *knots;
    follow_band *bands;
    bool has_final_heading;
    float final_heading;
    follow_control control; // for the announced parameters
};

// Like tr_follow_params_check, without a message; called in each step.
bool tr_follow_params_are_good(const tr_follow_params *params);

// Shares of the corridor: by how much preparation may move the route, and the walls for which the body
// brakes. The rest is for turning while it brakes.
#define FOLLOW_SIMPLIFY 0.1
#define FOLLOW_ROUND 0.4
#define FOLLOW_WALL 0.8
#define FOLLOW_TURN_WALL 0.6 // for a body that counts on its steering to stay inside
#define FOLLOW_AIM_LEAST 0.5
#define FOLLOW_CUT 0.5 // how much of a corner the straight line to the aim may cut off
// Shares of the greatest acceleration: for planning ahead, and for staying inside the walls.
#define FOLLOW_COMFORT 0.5
#define FOLLOW_BRAKE 0.8

static inline double follow_least(double a, double b) {
    return a < b ? a : b;
}

static inline double follow_most(double a, double b) {
    return a > b ? a : b;
}

// Written so that compilers emit minimum and maximum instructions.
static inline double follow_clamp(double value, double low, double high) {
    double most = high < value ? high : value;
    return low > most ? low : most;
}

// The inverse cube root, for x > 0: splits off powers of eight, then takes Newton steps, each of which
// doubles the number of digits.
static inline double follow_inverse_cube_root(double x) {
    double scale = 1;
    for (; x > 8; x *= 0.125)
        scale *= 0.5;
    for (; x < 1; x *= 8)
        scale *= 2;
    double y = 1.1 - 0.075 * x;
    for (int i = 0; i < 5; i++)
        y = y * (4 - x * y * y * y) * (1.0 / 3);
    return y * scale;
}

// The angle of (x, y) like tr_arc_tangent, within 1e-9, at a third of the cost: a polynomial in the square of
// the smaller over the larger, evaluated in pairs.
static inline double follow_angle(double y, double x) {
    double ay = fabs(y), ax = fabs(x), large = follow_most(ax, ay), t = follow_least(ax, ay);
    if (large == 0)
        return 0;
    t /= large;
    double s = t * t, s2 = s * s, s4 = s2 * s2;
    double low = (0.9999999996145245 - 0.33333323665617726 * s) +
                 (0.19999595853985652 - 0.1427904841493705 * s) * s2,
           middle = (0.11053784741520431 - 0.08796117515299216 * s) +
                    (0.06710113895217773 - 0.044273666972021605 * s) * s2,
           high = (0.022203453826587068 - 0.007166164391383062 * s) + 0.0010844926512800156 * s2;
    double angle = t * (low + (middle + high * s4) * s4);
    if (ay > ax)
        angle = TR_PI / 2 - angle;
    if (x < 0)
        angle = TR_PI - angle;
    return y < 0 ? -angle : angle;
}

// The order of the control for one step.
typedef struct follow_order {
    double heading_error; // [rad, -pi to pi]
    double speed;         // forward; in all if it moves freely [m/s]
    double speed_max;     // not exceeded at the end of the step if braking allows it
    bool turns;           // false: the turn rate only dies away
    bool free;            // moves in any direction (side-steps), towards `x`, `z`
    bool brakes;          // as hard as possible, while it moves freely
    double x, z;          // unit direction
} follow_order;

// The body in double precision, during one step.
typedef struct follow_body {
    double x, z, heading, speed, side_speed, turn_rate;
    double sine, cosine; // of the heading
} follow_body;

void tr_follow_integrate_euler(follow_body *body, const follow_order *order, const tr_follow_params *params,
                               double dt);
void tr_follow_integrate_exact(follow_body *body, const follow_order *order, const follow_control *control);
follow_control tr_follow_control_make(const tr_follow_params *params, float dt);

// For callers that step often with the same parameters. Announce them, after a check, when the route is set.
// Then tr_follow_advance is tr_follow_step with these parameters and this dt, without the checks of the
// parameters and of the state, which comes from the previous step. The results have the same bits.
void tr_follow_announce(tr_follow_route *route, const tr_follow_params *params, float dt);
tr_status tr_follow_advance(tr_follow_state *state, const tr_follow_route *route, float speed_limit);
// The same for tr_follow_error.
float tr_follow_look(const tr_follow_state *state, const tr_follow_route *route);

typedef struct follow_place {
    double x, z;
} follow_place;

// The data of one step.
typedef struct follow_step {
    const tr_follow_route *route;
    const tr_follow_params *params;
    const follow_control *control; // NULL if only the aim is needed
    follow_body body;
    double speed;         // of the body, in any direction
    double lead_time;     // see follow_control
    uint32_t piece, aim;  // pieces of the route
    double along, across; // place of the body on its piece: along it (clamped), to its left
    double gap;           // from the piece
    double distance;      // from the start of the route, along the prepared one
    double goal;          // straight to the end
    double aim_x, aim_z;  // from the body
    double reach;         // distance to it
    double error;         // of the heading
} follow_step;

// Is there certainly room to stop from `speed`, straight on along (x, z)?
bool tr_follow_has_room(const follow_step *step, double x, double z, double speed);
// The speed, if it is below `wanted`, from which the body can stop inside the walls: straight on along (x,
// z), or if it steers while it brakes.
double tr_follow_corridor_speed(const follow_step *step, double x, double z, double wanted);
double tr_follow_turning_speed(const follow_step *step, double x, double z, double wanted);
