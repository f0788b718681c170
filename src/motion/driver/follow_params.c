// The parameters for a speed, a time step and a corridor, and their check.
#include "follow_data.h"

#include "troupe/base/scalar.h"

#include <math.h>

// The heading loop has a double pole at -2 k_theta when k_omega = 4 k_theta. Aiming at a look-ahead distance
// L closes a loop around it, s (s + 2 k_theta)^2 + 4 k_theta^2 v / L = 0, whose poles are all real (no
// oscillation) as long as L >= 27/8 v / k_theta. Holding the aim for a step delays it by half a step, which
// the look-ahead compensates; and 2 k_theta dt stays below 1/2, where a held control is still nearly
// continuous.
tr_follow_params tr_follow_params_default(float speed, float dt, float corridor) {
    double heading_gain = follow_least(6, 0.25 / (double)dt), speed_gain = follow_least(6, 0.5 / (double)dt),
           position_gain = speed_gain / 4, acceleration = 2 * follow_most(1, (double)speed / 1.5);
    double look_ahead = (double)speed * (27.0 / 8 / heading_gain + (double)dt);
    tr_follow_params params = {.speed = speed,
                               .small_speed = 0.1f * speed,
                               .position_gain = (float)position_gain,
                               .heading_gain = (float)heading_gain,
                               .speed_gain = (float)speed_gain,
                               .turn_gain = (float)(4 * heading_gain),
                               .turn_threshold = (float)(TR_PI / 3),
                               .look_ahead = (float)look_ahead,
                               .near_goal =
                                   (float)(FOLLOW_COMFORT * acceleration / (position_gain * position_gain)),
                               .arrive = (float)follow_least(0.02, 0.1 * (double)corridor),
                               .integrator = TR_FOLLOW_EXACT,
                               .turn_in_place = true,
                               .turn_rate_max = 2.5f,
                               .acceleration_max = (float)acceleration,
                               .lateral_max = 2.5f,
                               .curve_constant = 0.95f * speed,
                               .side_speed = (float)follow_least(0.5, 0.35 * (double)speed),
                               .corridor = corridor};
    return params;
}

bool tr_follow_params_are_good(const tr_follow_params *p) {
    return p->speed > 0 && p->speed < INFINITY && p->small_speed >= 0 && p->small_speed < INFINITY &&
           p->position_gain > 0 && p->position_gain < INFINITY && p->heading_gain > 0 &&
           p->heading_gain < 1e6f && p->speed_gain > 0 && p->speed_gain < 1e6f && p->turn_gain > 0 &&
           p->turn_gain < 1e6f && p->turn_threshold > 0 && p->look_ahead > 0 && p->look_ahead < INFINITY &&
           p->near_goal > 0 && p->near_goal < INFINITY && p->arrive > 0 && p->arrive < INFINITY &&
           (p->integrator == TR_FOLLOW_EULER || p->integrator == TR_FOLLOW_EXACT) && p->turn_rate_max > 0 &&
           p->acceleration_max > 0 && p->start_gain >= 0 && p->start_gain < 1e3f &&
           (p->start_gain == 0 || (p->start_speed > 0 && p->start_speed < INFINITY)) && p->lateral_max > 0 &&
           p->curve_constant >= 0 && p->curve_constant < INFINITY && p->side_speed > 0 &&
           p->side_speed < INFINITY && p->corridor > 0 &&
           (p->corridor == INFINITY || p->acceleration_max < INFINITY);
}

float tr_follow_brake_distance(const tr_follow_params *params, float speed) {
    double v = fabs((double)speed), slow = (double)params->position_gain * (double)params->near_goal;
    double brake = 2 * FOLLOW_COMFORT * (double)params->acceleration_max;
    double left = v < slow ? v / (double)params->position_gain
                           : (double)params->near_goal + (v * v - slow * slow) / brake;
    return (float)left;
}

tr_status tr_follow_params_check(const tr_follow_params *p, tr_error *error) {
    const struct {
        const char *name;
        float value;
        bool zero, infinite;
        float most;
    } fields[] = {{"speed", p->speed, false, false, INFINITY},
                  {"small_speed", p->small_speed, true, false, INFINITY},
                  {"position_gain", p->position_gain, false, false, INFINITY},
                  {"heading_gain", p->heading_gain, false, false, 1e6f},
                  {"speed_gain", p->speed_gain, false, false, 1e6f},
                  {"turn_gain", p->turn_gain, false, false, 1e6f},
                  {"turn_threshold", p->turn_threshold, false, true, INFINITY},
                  {"look_ahead", p->look_ahead, false, false, INFINITY},
                  {"near_goal", p->near_goal, false, false, INFINITY},
                  {"arrive", p->arrive, false, false, INFINITY},
                  {"turn_rate_max", p->turn_rate_max, false, true, INFINITY},
                  {"acceleration_max", p->acceleration_max, false, p->corridor == INFINITY, INFINITY},
                  {"start_gain", p->start_gain, true, false, 1e3f},
                  {"start_speed", p->start_speed, p->start_gain == 0, false, INFINITY},
                  {"lateral_max", p->lateral_max, false, true, INFINITY},
                  {"curve_constant", p->curve_constant, true, false, INFINITY},
                  {"side_speed", p->side_speed, false, false, INFINITY},
                  {"corridor", p->corridor, false, true, INFINITY}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        float value = fields[i].value;
        bool good = (value > 0 || (fields[i].zero && value == 0)) &&
                    (value < fields[i].most || (fields[i].infinite && value == INFINITY));
        if (!good)
            return tr_fail(error, TR_INVALID, "%s is %g, it must be %s 0%s", fields[i].name, (double)value,
                           fields[i].zero ? "at least" : "above", fields[i].infinite ? "" : " and finite");
    }
    if (p->integrator != TR_FOLLOW_EULER && p->integrator != TR_FOLLOW_EXACT)
        return tr_fail(error, TR_INVALID, "integrator is %d, which is unknown", (int)p->integrator);
    return TR_OK;
}
