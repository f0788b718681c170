// The control of Kuffner 1998, 7.3, and the laws added to it: as fast as the curve, the corridor, the stop
// ahead and the world allow.
#include "follow_data.h"

#include "troupe/base/scalar.h"

#include <math.h>
#include <string.h>

#define SIDE_LEAD 1.0      // time to turn before a side-step begins [s]
#define SIDE_TURNED 0.3    // a smaller error counts as turned to the heading of a side-step [rad]
#define AIM_STRAIGHT 0.02  // a route that bends less counts as straight, also for a body at the wall [rad]
#define AIM_SLOPE 0.15     // the body returns to it at this angle [rad]
#define AIM_BEND 1.0       // the body looks around a bend of at most this much [rad]
#define LEAD_BRAKE 0.125   // share of the greatest acceleration: the body slows down soon before a curve
#define STOP_TURN 0.3      // share of the turn that the present rate would make until the body rests
#define REST_SPEED 0.01    // a slower body is at rest [m/s]
#define REST_TURN 0.02     // [rad/s]
#define REST_HEADING 0.005 // a smaller error counts as the final heading [rad]

// The piece that contains the progress: nearly always the one of the previous step.
static uint32_t find_piece(const tr_follow_route *route, const tr_follow_state *state) {
    const follow_knot *k = route->knots;
    uint32_t pieces = route->knot_count - 1, low = 0, high = pieces;
    if (pieces == 0)
        return 0;
    if (state->piece < pieces && (float)k[state->piece].along <= state->progress &&
        state->progress <= (float)k[state->piece + 1].along)
        return state->piece;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if ((float)k[middle].along <= state->progress)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Places the body relative to its piece.
static inline void stand_beside(follow_step *step) {
    const follow_knot *k = &step->route->knots[step->piece];
    double dx = step->body.x - k->x, dz = step->body.z - k->z, t = dx * k->ux + dz * k->uz;
    step->along = follow_clamp(t, 0, k->length);
    step->across = dx * k->uz - dz * k->ux;
    step->distance = k->distance + step->along;
    double over = t - step->along;
    if (k->length == 0) // a route of one point
        step->gap = sqrt(dx * dx + dz * dz);
    else
        step->gap = over == 0 ? fabs(step->across) : sqrt(over * over + step->across * step->across);
}

// Advances to the piece that the body is at: past the bisector of the bend; where the body has to turn on the
// spot, past the end of the piece.
static void locate(follow_step *step) {
    const follow_knot *k = &step->route->knots[step->piece],
                      *last = step->route->knots + step->route->knot_count - 1;
    double x = step->body.x, z = step->body.z;
    for (; k + 1 < last; k++) {
        if (k[1].stop) {
            double t = (x - k->x) * k->ux + (z - k->z) * k->uz;
            if (t < k->length - follow_least(step->params->arrive, 0.5 * k->length))
                break;
        } else if ((x - k[1].x) * (k->ux + k[1].ux) + (z - k[1].z) * (k->uz + k[1].uz) < 0)
            break;
    }
    step->piece = (uint32_t)(k - step->route->knots);
    stand_beside(step);
    step->goal = sqrt((last->x - x) * (last->x - x) + (last->z - z) * (last->z - z));
}

// Aims at the point of the route that is `ahead` of the body, but not past the end of the section.
static inline void take_aim(follow_step *step, double ahead, bool beyond) {
    const follow_knot *knots = step->route->knots;
    uint32_t end = knots[step->piece].section, j = step->aim;
    double wanted = step->distance + ahead, past = wanted - knots[end].distance;
    if (past >= 0) {
        j = end > step->piece ? end - 1 : end;
        // Aiming straight on past the end keeps the heading steady there; a body beside its way aims at the
        // end.
        double fair =
            beyond ? 1 - fabs(step->across) / follow_most(0.5 * (double)step->params->arrive, 1e-6) : 0;
        fair = j == step->piece && step->along < knots[j].length ? follow_most(fair, 0) : 0;
        step->aim_x = knots[end].x + knots[j].ux * past * fair - step->body.x;
        step->aim_z = knots[end].z + knots[j].uz * past * fair - step->body.z;
    } else {
        j = j < step->piece ? step->piece : j >= end ? end - 1 : j;
        while (j > step->piece && knots[j].distance > wanted)
            j--;
        while (j + 1 < end && knots[j + 1].distance <= wanted)
            j++;
        double t = wanted - knots[j].distance;
        step->aim_x = knots[j].x + knots[j].ux * t - step->body.x;
        step->aim_z = knots[j].z + knots[j].uz * t - step->body.z;
    }
    step->aim = j;
    step->reach = sqrt(step->aim_x * step->aim_x + step->aim_z * step->aim_z);
}

// How far the body must turn to face along (x, z) [rad, -pi to pi].
static double error_to(const follow_body *body, double x, double z) {
    return follow_angle(x * body->cosine - z * body->sine, x * body->sine + z * body->cosine);
}

static double error_to_heading(const follow_body *body, double heading) {
    double sine, cosine;
    tr_sin_cos(heading - body->heading, &sine, &cosine);
    return tr_arc_tangent(sine, cosine);
}

// At half a turn both directions are equal: keeps turning as before.
static double keep_turning(double error, double turn_rate) {
    if (fabs(error) > 2.8 && error * turn_rate < 0)
        return error > 0 ? error - 2 * TR_PI : error + 2 * TR_PI;
    return error;
}

// Kuffner 1998, 7.3.
static follow_order order_of_paper(follow_step *step, double limit) {
    const tr_follow_params *p = step->params;
    take_aim(step, p->look_ahead, false);
    step->error = error_to(&step->body, step->aim_x, step->aim_z);
    const follow_knot *k = step->route->knots, *last = &k[step->route->knot_count - 1];
    double speed = fabs(step->error) <= (double)p->turn_threshold ? p->speed : p->small_speed;
    if (last->distance - step->distance < (double)p->near_goal)
        speed = (double)p->position_gain * step->goal;
    follow_order order = {.heading_error = step->error,
                          .speed = follow_least(speed, limit),
                          .speed_max = INFINITY,
                          .turns = true};
    return order;
}

// The speed, at most `speed`, for the arc that leads from the body to its aim.
static double curve_speed(const follow_step *step, double speed) {
    const tr_follow_params *p = step->params;
    if (!(step->reach > 1e-9))
        return speed;
    double across = fabs(step->aim_x * step->body.cosine - step->aim_z * step->body.sine),
           ahead = step->aim_x * step->body.sine + step->aim_z * step->body.cosine,
           curvature = 2 * (ahead > 0 ? across / step->reach : 1) / step->reach, constant = p->curve_constant;
    if (constant > 0 && speed * speed * speed * curvature > constant * constant * constant)
        speed = constant * follow_inverse_cube_root(curvature);
    if (speed * curvature > (double)p->turn_rate_max)
        speed = (double)p->turn_rate_max / curvature;
    if (speed * speed * curvature > (double)p->lateral_max)
        speed = sqrt((double)p->lateral_max / curvature);
    double turn_rate = fabs(step->body.turn_rate);
    return speed * turn_rate > (double)p->lateral_max ? (double)p->lateral_max / turn_rate : speed;
}

// The distance at which the next side-step begins.
static double side_begin(const follow_step *step, const follow_knot *k) {
    return step->route->knots[k->side].distance;
}

// The speed that the route ahead allows: bends, side-steps, the end.
static double route_speed(const follow_step *step, double limit) {
    const tr_follow_params *p = step->params;
    const follow_knot *k = &step->route->knots[step->piece],
                      *last = step->route->knots + step->route->knot_count - 1;
    double brake = 2 * FOLLOW_COMFORT * (double)p->acceleration_max, speed = follow_least(p->speed, limit),
           square = speed * speed, left = follow_most(last->distance - step->distance, step->goal);
    // The control reaches a commanded speed after 1 / k_v, so the speed wanted at that time is commanded now.
    double then = step->distance + step->speed / (double)p->speed_gain;
    for (bool more = k < last; more; k++, more = k < last && k->distance < then) {
        double way = follow_most(k[1].distance - then, 0);
        square = follow_least(square, k[1].speed_square + brake * way);
    }
    k = &step->route->knots[step->piece];
    double near_goal = p->near_goal, gain = p->position_gain;
    if (left > near_goal)
        square = follow_least(square, gain * near_goal * gain * near_goal + brake * (left - near_goal));
    else
        square = follow_least(square, gain * left * gain * left);
    if (k->side != TR_NONE) {
        double side = p->side_speed, to_side = side_begin(step, k) - SIDE_LEAD * side - step->distance;
        square = follow_least(square, side * side + brake * follow_most(to_side, 0));
    }
    return sqrt(square);
}

// The turn to the heading of a side-step: across the piece, the nearer way.
static double error_to_side(const follow_step *step, const follow_knot *k) {
    double error = error_to(&step->body, k->uz, -k->ux);
    if (fabs(error) > TR_PI / 2)
        error = error_to(&step->body, -k->uz, k->ux);
    return error;
}

// Controls the velocity over the ground, in whatever direction the body faces: before a side-step, in it, and
// until the body has turned back.
static follow_order order_of_side(follow_step *step, double speed, bool turned_back) {
    const tr_follow_params *p = step->params;
    const follow_knot *k = &step->route->knots[step->piece];
    speed = follow_least(speed, p->side_speed);
    if (!turned_back) {
        const follow_knot *side = &step->route->knots[k->side];
        step->error = error_to_side(step, side);
        double away = fabs(step->error) - SIDE_TURNED;
        if (away > 0) { // waits before the gap until it has turned
            double brake = 2 * FOLLOW_COMFORT * (double)p->acceleration_max,
                   way = follow_most(side->distance - step->distance - 0.02, 0);
            speed = follow_least(speed, sqrt(brake * way));
        }
    }
    double x = step->reach > 1e-9 ? step->aim_x / step->reach : 0,
           z = step->reach > 1e-9 ? step->aim_z / step->reach : 0;
    follow_order order = {.heading_error = step->error,
                          .speed = speed,
                          .speed_max = tr_follow_corridor_speed(step, x, z, speed),
                          .turns = true,
                          .free = true,
                          .x = x,
                          .z = z};
    if (step->speed > REST_SPEED) { // any motion in another direction must stop inside the walls as well
        const follow_body *b = &step->body;
        double way_x = (b->speed * b->sine + b->side_speed * b->cosine) / step->speed,
               way_z = (b->speed * b->cosine - b->side_speed * b->sine) / step->speed;
        order.brakes = step->speed > tr_follow_corridor_speed(step, way_x, way_z, step->speed);
    }
    return order;
}

// The direction in which the body moves until its heading responds to a new order: it keeps turning to its
// aim.
static void turning_direction(const follow_step *step, double speed, double *x, double *z) {
    const follow_body *b = &step->body;
    double turn =
        b->turn_rate * follow_least(0.5 * step->lead_time, STOP_TURN * speed * step->control->stop_way);
    if (turn * step->error <= 0) {
        *x = b->sine, *z = b->cosine;
        return;
    }
    turn = fabs(turn) < fabs(step->error) ? turn : step->error;
    double square = turn * turn, sine = turn * (1 - square / 6),
           cosine = 1 - square / 2 + square * square / 24;
    *x = b->sine * cosine + b->cosine * sine;
    *z = b->cosine * cosine - b->sine * sine;
}

static follow_order order_of_walk(follow_step *step, double speed) {
    const tr_follow_params *p = step->params;
    double away = fabs(step->error), turn = p->turn_threshold;
    if (speed > 0) {
        speed = curve_speed(step, speed);
        double least = p->turn_in_place ? 0 : follow_least(p->small_speed, speed);
        if (away > turn * 0.5)
            speed = follow_most(least, speed * follow_clamp(2 - 2 * away / turn, 0, 1));
    }
    const follow_body *b = &step->body;
    double x, z;
    turning_direction(step, follow_most(b->speed, speed), &x, &z);
    bool free = tr_follow_has_room(step, x, z, follow_most(b->speed, speed));
    follow_order order = {.heading_error = step->error,
                          .speed = speed,
                          .speed_max = free ? INFINITY : tr_follow_turning_speed(step, x, z, step->speed),
                          .turns = true};
    return order;
}

// How far the route is straight from the place of the body on, up to `most`.
static double straight_ahead(const follow_step *step, double most) {
    const follow_knot *k = &step->route->knots[step->piece], *end = &step->route->knots[k->section];
    double bend = 0;
    while (++k < end && k->distance - step->distance < most) {
        bend += k->bend;
        if (bend > AIM_STRAIGHT)
            break;
    }
    return follow_least(k->distance - step->distance, most);
}

// How far ahead to aim: further at higher speed, so that the body does not oscillate, but not beyond a bend
// so large that the straight line to the aim means little. Where the route is straight a slow body looks
// further ahead as well, because otherwise a body that stands a little beside it would turn to it and then
// back again. Outside the corridor there may be walls.
static double aim_distance(const follow_step *step) {
    const tr_follow_params *p = step->params;
    const follow_knot *k = &step->route->knots[step->piece], *end = &step->route->knots[k->section];
    double longest = p->look_ahead, shortest = follow_least(longest, FOLLOW_AIM_LEAST * (double)p->corridor),
           ahead = follow_clamp(longest * step->speed / p->speed, shortest, longest), bend = 0;
    if (ahead < longest && step->gap <= (double)p->corridor)
        ahead = follow_most(ahead, straight_ahead(step, follow_least(longest, step->gap / AIM_SLOPE)));
    while (++k < end && k->distance - step->distance < ahead) {
        bend += k->bend;
        if (bend > AIM_BEND)
            return follow_most(k->distance - step->distance, shortest);
    }
    return ahead;
}

// A point of the body's section.
static follow_place place_at(const follow_step *step, double distance) {
    const follow_knot *knots = step->route->knots;
    uint32_t end = knots[step->piece].section, j = step->piece;
    while (j + 1 < end && knots[j + 1].distance <= distance)
        j++;
    double t = follow_least(distance, knots[end].distance) - knots[j].distance;
    return (follow_place){knots[j].x + knots[j].ux * t, knots[j].z + knots[j].uz * t};
}

// A body that aims at a point ahead cuts curves. The control responds after 1 / k_theta, so a body on its way
// has to face now where the way leads then. This is the difference between that direction and the direction
// to the aim, seen from the way.
static double curve_error(const follow_step *step, double ahead) {
    const tr_follow_params *p = step->params;
    const follow_knot *k = &step->route->knots[step->piece];
    double time = step->lead_time, slower = LEAD_BRAKE * (double)p->acceleration_max * time,
           lead = time * follow_most(step->speed - slower, 0.5 * step->speed),
           half = 0.5 * (double)p->corridor;
    if (step->distance + follow_most(ahead, lead + half) <= k[1].distance)
        return 0; // straight on
    follow_place here = place_at(step, step->distance), aim = place_at(step, step->distance + ahead),
                 from = place_at(step, follow_most(step->distance + lead - half, k->distance)),
                 to = place_at(step, step->distance + lead + half);
    double cx = aim.x - here.x, cz = aim.z - here.z, tx = to.x - from.x, tz = to.z - from.z;
    return follow_angle(tx * cz - tz * cx, tx * cx + tz * cz);
}

// Chooses the aim. Returns its distance along the route.
static inline double find_aim(follow_step *step) {
    const follow_knot *k = &step->route->knots[step->piece];
    double ahead;
    for (;;) {
        ahead = aim_distance(step);
        take_aim(step, ahead, true);
        // A route that folds inside the corridor can bring the body to its aim before it has walked the way
        // in between; that way counts as walked.
        double left = step->route->knots[k->section].distance - step->distance;
        if (step->reach > 0.3 * follow_least(ahead, left) || step->piece + 1 >= k->section)
            break;
        step->piece++, k++;
        stand_beside(step);
    }
    return ahead;
}

// Chooses the aim, and the turn that it needs.
static inline void aim_ahead(follow_step *step) {
    double ahead = find_aim(step);
    step->error = keep_turning(error_to(&step->body, step->aim_x, step->aim_z), step->body.turn_rate);
    if (step->speed > REST_SPEED)
        step->error += curve_error(step, ahead);
}

static follow_order order_of_ours(follow_step *step, double limit, tr_follow_mode *mode) {
    const tr_follow_params *p = step->params;
    aim_ahead(step);
    const follow_knot *k = &step->route->knots[step->piece];
    double speed = limit > 0 ? route_speed(step, limit) : 0;
    bool aside = k->sideways || (k->side != TR_NONE &&
                                 side_begin(step, k) - step->distance < SIDE_LEAD * (double)p->side_speed),
         turned_back = fabs(step->error) < 0.5 * SIDE_TURNED && fabs(step->body.side_speed) < 0.05;
    if (aside || (*mode == TR_FOLLOW_SIDE && !turned_back)) {
        *mode = TR_FOLLOW_SIDE;
        return order_of_side(step, speed, !aside);
    }
    follow_order order = order_of_walk(step, speed);
    *mode = fabs(step->error) > (double)p->turn_threshold ? TR_FOLLOW_TURN : TR_FOLLOW_WALK;
    return order;
}

// At the end: comes to rest with the final heading. true: done.
static bool rest(follow_step *step, tr_follow_mode *mode, follow_order *order) {
    follow_body *body = &step->body;
    memset(order, 0, sizeof *order);
    order->speed_max = INFINITY;
    order->free = *mode == TR_FOLLOW_SIDE;
    bool faces = true;
    if (step->route->has_final_heading) {
        order->turns = true;
        order->heading_error =
            keep_turning(error_to_heading(body, step->route->final_heading), body->turn_rate);
        faces = fabs(order->heading_error) < REST_HEADING;
    }
    if (!faces && !order->free)
        *mode = TR_FOLLOW_TURN;
    if (!faces || step->speed > REST_SPEED || fabs(body->turn_rate) > REST_TURN)
        return false;
    body->speed = body->side_speed = body->turn_rate = 0;
    *mode = TR_FOLLOW_REST;
    return true;
}

static bool state_is_good(const tr_follow_state *s) {
    float sum = s->position.x + s->position.z + s->heading + s->speed + s->side_speed + s->turn_rate +
                s->progress + s->remainder.x + s->remainder.z;
    return isfinite(sum) && fabsf(s->heading) < 1e5f;
}

// The nearest float, and the remainder. Not inlined: gcc 12 at -O3 pairs two of these into a vector and then
// removes the conversion to float and back.
__attribute__((noinline)) static float split(double value, float *rest_of_it) {
    float nearest = (float)value;
    *rest_of_it = (float)(value - (double)nearest);
    return nearest;
}

// The position is stored as two floats, so that small steps far from the origin are not lost.
static void store(tr_follow_state *state, const follow_step *step) {
    const follow_body *b = &step->body;
    const follow_knot *k = &step->route->knots[step->piece];
    state->position.x = split(b->x, &state->remainder.x);
    state->position.z = split(b->z, &state->remainder.z);
    state->heading = (float)b->heading;
    state->speed = (float)b->speed, state->side_speed = (float)b->side_speed;
    state->turn_rate = (float)b->turn_rate;
    state->progress = (float)(k->along + step->along * k->along_scale);
    state->piece = step->piece, state->aim = step->aim;
}

static inline void begin_step(follow_step *step, const tr_follow_state *state, const tr_follow_route *route,
                              const tr_follow_params *params) {
    follow_body *body = &step->body;
    step->route = route;
    step->params = params;
    body->x = (double)state->position.x + state->remainder.x;
    body->z = (double)state->position.z + state->remainder.z;
    body->heading = state->heading;
    body->speed = state->speed, body->side_speed = state->side_speed;
    body->turn_rate = state->turn_rate;
    tr_sin_cos(body->heading, &body->sine, &body->cosine);
    step->piece = find_piece(route, state);
    step->aim = state->aim;
    step->speed = state->side_speed == 0
                      ? fabs(body->speed)
                      : sqrt(body->speed * body->speed + body->side_speed * body->side_speed);
    locate(step);
}

static float error_of(const tr_follow_state *state, const tr_follow_route *route,
                      const tr_follow_params *params) {
    follow_step step;
    begin_step(&step, state, route, params);
    step.lead_time = 1 / (double)params->heading_gain;
    if (step.piece + 2 >= route->knot_count && step.goal <= (double)params->arrive)
        return 0;
    if (params->corridor < INFINITY)
        find_aim(&step);
    else
        take_aim(&step, params->look_ahead, false);
    return (float)error_to(&step.body, step.aim_x, step.aim_z);
}

float tr_follow_error(const tr_follow_state *state, const tr_follow_route *route,
                      const tr_follow_params *params) {
    bool good = route->knot_count > 0 && tr_follow_params_are_good(params) && state_is_good(state);
    return good ? error_of(state, route, params) : 0;
}

float tr_follow_look(const tr_follow_state *state, const tr_follow_route *route) {
    return route->knot_count > 0 ? error_of(state, route, &route->control.params) : 0;
}

void tr_follow_announce(tr_follow_route *route, const tr_follow_params *params, float dt) {
    route->control = tr_follow_control_make(params, dt);
}

static tr_status advance(tr_follow_state *state, const tr_follow_route *route, const follow_control *control,
                         float speed_limit) {
    const tr_follow_params *params = &control->params;
    if (route->knot_count == 0 || !(speed_limit >= 0))
        return TR_INVALID;
    follow_step step;
    begin_step(&step, state, route, params);
    step.control = control;
    step.lead_time = control->lead_time;
    tr_follow_mode mode = state->mode;
    follow_order order;
    bool at_last = step.piece + 2 >= route->knot_count, done = false;
    if (at_last && step.goal <= (double)params->arrive)
        done = rest(&step, &mode, &order);
    else if (params->corridor < INFINITY)
        order = order_of_ours(&step, speed_limit, &mode);
    else
        order = order_of_paper(&step, speed_limit), mode = TR_FOLLOW_WALK;
    if (!done && params->integrator == TR_FOLLOW_EXACT)
        tr_follow_integrate_exact(&step.body, &order, control);
    else if (!done)
        tr_follow_integrate_euler(&step.body, &order, params, control->dt);
    store(state, &step);
    state->mode = mode;
    return done ? TR_DONE : TR_OK;
}

tr_status tr_follow_step(tr_follow_state *state, const tr_follow_route *route, const tr_follow_params *params,
                         float speed_limit, float dt) {
    if (!tr_follow_params_are_good(params) || !(dt > 0 && dt < INFINITY) || !state_is_good(state))
        return TR_INVALID;
    follow_control made = tr_follow_control_make(params, dt);
    return advance(state, route, &made, speed_limit);
}

tr_status tr_follow_advance(tr_follow_state *state, const tr_follow_route *route, float speed_limit) {
    return advance(state, route, &route->control, speed_limit);
}
