// One step of the oriented disc: the Euler step of the paper, and the linear control solved in closed form.
#include "follow_data.h"

#include "troupe/base/scalar.h"

#include <math.h>

// Sine and cosine of a small angle by series; of any other by the exact functions.
static void turn_of(double angle, double *sine, double *cosine) {
    if (!(angle < 0.3 && angle > -0.3)) {
        tr_sin_cos(angle, sine, cosine);
        return;
    }
    double s = angle * angle;
    *sine = angle * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880)))));
    *cosine = 1 - s * (0.5 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s * (1.0 / 3628800)))));
}

typedef double two_doubles __attribute__((vector_size(16)));

// Sines and cosines of two small angles in parallel, by series; of any others by the exact functions.
static inline void turns_of(two_doubles angle, two_doubles *sine, two_doubles *cosine) {
    bool small = fabs(angle[0]) < 0.3 && fabs(angle[1]) < 0.3;
    for (int i = 0; i < 2 && !small; i++) {
        double s, c;
        turn_of(angle[i], &s, &c);
        (*sine)[i] = s, (*cosine)[i] = c;
    }
    if (!small)
        return;
    two_doubles s = angle * angle;
    *sine = angle * (1 - s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880)))));
    *cosine = 1 - s * (0.5 - s * (1.0 / 24 - s * (1.0 / 720 - s * (1.0 / 40320 - s * (1.0 / 3628800)))));
}

// e to the power of -x, for x >= 0, within 1e-13: a Pade quotient below 1/2, squared as often as x was
// halved.
static double decay(double x) {
    if (!(x < 64))
        return 0;
    uint32_t halvings = 0;
    for (; x > 0.5; halvings++)
        x *= 0.5;
    double y = x * x, even = 1 + y * (1.0 / 9 + y * (1.0 / 1008)),
           odd = x * (0.5 + y * (1.0 / 72 + y * (1.0 / 30240))), result = (even - odd) / (even + odd);
    for (; halvings > 0; halvings--)
        result *= result;
    return result;
}

// The exponential of the matrix. With m = k_w / 2 and D = m^2 - k_w k_t it is
// exp(-m t) (cosh(sqrt(D) t) I + sinh(sqrt(D) t) / sqrt(D) (A + m I)): both are series in D t^2, so that
// overdamped, critical and oscillating control need no special cases. Long steps are halved and squared.
typedef struct heading_map {
    double ee, ew, we, ww;
} heading_map;

static heading_map heading_after(double heading_gain, double turn_gain, double time) {
    double m = turn_gain * 0.5, product = turn_gain * heading_gain;
    uint32_t halvings = 0;
    for (; (m * m + product) * time * time > 0.5 && halvings < 64; halvings++)
        time *= 0.5;
    double q = (m * m - product) * time * time;
    double even = 1 + q * (1.0 / 2 + q * (1.0 / 24 + q * (1.0 / 720 + q * (1.0 / 40320 + q / 3628800))));
    double odd =
        time * (1 + q * (1.0 / 6 + q * (1.0 / 120 + q * (1.0 / 5040 + q * (1.0 / 362880 + q / 39916800)))));
    double fade = decay(m * time);
    heading_map a = {fade * (even + odd * m), -fade * odd, fade * odd * product, fade * (even - odd * m)};
    for (; halvings > 0; halvings--) {
        heading_map b = {a.ee * a.ee + a.ew * a.we, a.ee * a.ew + a.ew * a.ww, a.we * a.ee + a.ww * a.we,
                         a.we * a.ew + a.ww * a.ww};
        a = b;
    }
    return a;
}

follow_control tr_follow_control_make(const tr_follow_params *params, float dt) {
    double half = dt * 0.5, brake = 2 * FOLLOW_BRAKE * (double)params->acceleration_max;
    heading_map map = heading_after(params->heading_gain, params->turn_gain, half);
    bool gentle = params->start_gain > 0;
    double grow = gentle ? 1 / decay((double)params->start_gain * half) : 1;
    follow_control control = {.params = *params,
                              .dt = dt,
                              .half = half,
                              .ee = map.ee,
                              .ew = map.ew,
                              .we = map.we,
                              .ww = map.ww,
                              .turn_fade = decay((double)params->turn_gain * half),
                              .speed_fade = decay((double)params->speed_gain * half),
                              .speed_step = (double)params->acceleration_max * half,
                              .grow = grow,
                              .grow_more = gentle ? (double)params->start_speed * (grow - 1) : INFINITY,
                              .lead_time = 1 / (double)params->heading_gain + 0.5 * (double)dt,
                              .wall = FOLLOW_WALL * (double)params->corridor,
                              .turn_wall = FOLLOW_TURN_WALL * (double)params->corridor,
                              .brake = brake,
                              .stop_way = 1 / brake};
    return control;
}

// Heading and turn rate after half the step and after the whole step.
static inline void turn_body(const follow_body *body, const follow_order *order,
                             const follow_control *control, double heading[2], double rate[2]) {
    const tr_follow_params *params = &control->params;
    double wanted = order->turns ? (double)params->heading_gain * order->heading_error : 0,
           greatest = params->turn_rate_max;
    if (!order->turns || wanted > greatest || wanted < -greatest) {
        // The wanted rate is constant: the rate approaches it at first order.
        double goal = follow_clamp(wanted, -greatest, greatest), gain = params->turn_gain,
               fade = control->turn_fade, away = body->turn_rate - goal, half = control->half;
        heading[0] = body->heading + goal * half + away * (1 - fade) / gain;
        heading[1] = body->heading + goal * half * 2 + away * (1 - fade * fade) / gain;
        rate[0] = goal + away * fade;
        rate[1] = goal + away * fade * fade;
        return;
    }
    double goal = body->heading + order->heading_error, error = order->heading_error, turn = body->turn_rate;
    for (int i = 0; i < 2; i++) {
        double next = control->ee * error + control->ew * turn;
        turn = control->we * error + control->ww * turn;
        error = next;
        heading[i] = goal - error;
        rate[i] = turn;
    }
}

// A speed that approaches `goal` at first order, changing by at most `most`.
static inline double near_speed(double speed, double goal, double fade, double most) {
    return speed + follow_clamp((goal - speed) * (1 - fade), -most, most);
}

// Simpson's rule over the step, for a speed along a direction that turns.
static inline void walk(follow_body *body, const follow_order *order, const follow_control *control,
                        const double heading[2]) {
    double fade = control->speed_fade, most = control->speed_step;
    double ahead[3] = {body->speed}, side[3] = {body->side_speed};
    for (int i = 0; i < 2; i++) {
        double next = near_speed(ahead[i], order->speed, fade, most),
               grown = follow_most(ahead[i], 0) * control->grow + control->grow_more;
        next = follow_least(next, grown);
        ahead[i + 1] = follow_least(next, follow_most(order->speed_max, ahead[i] - most));
    }
    for (int i = 0; i < 2 && body->side_speed != 0; i++)
        side[i + 1] = near_speed(side[i], 0, fade, most);
    two_doubles turned_sine, turned_cosine;
    turns_of((two_doubles){heading[0], heading[1]} - body->heading, &turned_sine, &turned_cosine);
    two_doubles sine = body->sine * turned_cosine + body->cosine * turned_sine,
                cosine = body->cosine * turned_cosine - body->sine * turned_sine;
    two_doubles way = {ahead[0] * body->sine + side[0] * body->cosine,
                       ahead[0] * body->cosine - side[0] * body->sine};
    for (int i = 0; i < 2; i++) {
        double weight = i ? 1 : 4;
        way += weight * (two_doubles){ahead[i + 1] * sine[i] + side[i + 1] * cosine[i],
                                      ahead[i + 1] * cosine[i] - side[i + 1] * sine[i]};
    }
    way = way * control->half / 3;
    body->x += way[0];
    body->z += way[1];
    body->speed = ahead[2], body->side_speed = side[2];
    body->sine = sine[1], body->cosine = cosine[1];
}

// Side-steps: the velocity over the ground approaches the wanted one, in whatever direction the body faces.
static void step_aside(follow_body *body, const follow_order *order, const follow_control *control,
                       const double heading[2]) {
    double x = body->speed * body->sine + body->side_speed * body->cosine,
           z = body->speed * body->cosine - body->side_speed * body->sine,
           speed = order->brakes ? 0 : follow_least(order->speed, order->speed_max);
    double half = control->half, fade = order->brakes ? 0 : control->speed_fade, most = control->speed_step;
    double sum_x = x, sum_z = z, sine, cosine;
    for (int i = 0; i < 2; i++) {
        double dx = (order->x * speed - x) * (1 - fade), dz = (order->z * speed - z) * (1 - fade),
               size = dx * dx + dz * dz, part = size > most * most ? most / sqrt(size) : 1,
               weight = i ? 1 : 4;
        x += dx * part, z += dz * part;
        sum_x += weight * x, sum_z += weight * z;
    }
    turn_of(heading[1] - body->heading, &sine, &cosine);
    double turned_sine = body->sine * cosine + body->cosine * sine,
           turned_cosine = body->cosine * cosine - body->sine * sine;
    body->x += sum_x * half / 3;
    body->z += sum_z * half / 3;
    body->sine = turned_sine, body->cosine = turned_cosine;
    body->speed = x * turned_sine + z * turned_cosine;
    body->side_speed = x * turned_cosine - z * turned_sine;
}

void tr_follow_integrate_exact(follow_body *body, const follow_order *order, const follow_control *control) {
    double heading[2], rate[2];
    turn_body(body, order, control, heading, rate);
    if (order->free)
        step_aside(body, order, control, heading);
    else
        walk(body, order, control, heading);
    body->heading = heading[1], body->turn_rate = rate[1];
}

// Kuffner 1998, 7.1: everything continues as it was at the beginning of the step.
void tr_follow_integrate_euler(follow_body *body, const follow_order *order, const tr_follow_params *params,
                               double dt) {
    double wanted = order->turns ? (double)params->heading_gain * order->heading_error : 0;
    wanted = follow_clamp(wanted, -(double)params->turn_rate_max, params->turn_rate_max);
    double alpha = (double)params->turn_gain * (wanted - body->turn_rate), most = params->acceleration_max;
    double x = body->speed * body->sine + body->side_speed * body->cosine,
           z = body->speed * body->cosine - body->side_speed * body->sine;
    double goal = follow_least(order->speed, order->speed_max), goal_side = 0;
    if (order->free) {
        goal_side = goal * (order->x * body->cosine - order->z * body->sine);
        goal *= order->x * body->sine + order->z * body->cosine;
    }
    double ahead = follow_clamp((double)params->speed_gain * (goal - body->speed), -most, most),
           side = follow_clamp((double)params->speed_gain * (goal_side - body->side_speed), -most, most);
    body->x += x * dt;
    body->z += z * dt;
    body->heading += body->turn_rate * dt;
    body->speed += ahead * dt;
    body->side_speed += side * dt;
    body->turn_rate += alpha * dt;
}
