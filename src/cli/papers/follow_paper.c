#include "follow_paper.h"

#include "troupe/base/scalar.h"

#include <math.h>

tr_follow_params paper_follow_params(float speed) {
    tr_follow_params params = {.speed = speed,
                               .small_speed = 0.1f * speed,
                               .position_gain = 1,
                               .heading_gain = 5,
                               .speed_gain = 5,
                               .turn_gain = 10,
                               .turn_threshold = (float)(TR_PI / 4),
                               .look_ahead = 0.5f * speed,
                               .near_goal = speed,
                               .arrive = 0.05f,
                               .integrator = TR_FOLLOW_EULER,
                               .turn_in_place = false,
                               .turn_rate_max = INFINITY,
                               .acceleration_max = INFINITY,
                               .lateral_max = INFINITY,
                               .curve_constant = 0,
                               .side_speed = 0.35f * speed,
                               .corridor = INFINITY};
    return params;
}
