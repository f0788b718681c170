// The criterion: what steps cost by their lengths and rises, without their swings.
#define SIMD_LANES 4
#include "base/simd.h"
#include "footstep_window_data.h"

#define WALK_RATIO 0.39f    // the square of a step by the speed of a walk, of an adult [m s]
#define ADULT 1.75f         // [m]
#define STANDING 2.23f      // power of walking at no speed [W/kg], and
#define MOVING 1.26f        // by the square of the speed [W s^2/(kg m^2)]
#define GRADIENT_MOST 0.45f // that was measured
#define STEADY 0.6f         // share of the time of a step that does not depend on its length, for short ones
#define HIGH 0.2f           // steps that rise or fall more are an effort of their own: [m]
#define HIGH_COST 200.0f    // by the square of what is beyond that [J/(kg m^2)]
#define SIDE_MOVING 7.0f    // as MOVING, to the side: cheapest at 0.56 m/s (Handford & Srinivasan 2014: 0.6)
#define SIDE_TIME 0.65f     // of the two steps that move the body to the side [s]
#define FOLLOW_COST 20.0f   // of the other foot, by the square of what it stands too far or too near
#define TURN_COST 0.5f      // of a step of a turn, by the square of its angle [J/(kg rad^2)],
#define UNEQUAL_COST 1.0f   // of feet that face different ways, and
#define TURN_LEFT 2.0f      // of what is left of a turn [J/(kg rad)]
#define FOOT_WAY 0.35f      // that a foot moves in such steps, for the slope of its step [m]

// Cost of walking on a slope [J/(kg m)], Minetti et al. 2002.
static float slope_cost(float i) {
    return ((((280.5f * i - 58.7f) * i - 76.8f) * i + 51.9f) * i + 19.6f) * i + 2.5f;
}

// A step on level ground: its power by the speed that people choose for long steps; they take short ones at
// nearly the same rate. For an adult [J/kg].
static float level_energy(float length) {
    float usual = sqrtf(WALK_RATIO * sqrtf(STANDING / MOVING)), time = WALK_RATIO / length;
    if (length < usual)
        time = WALK_RATIO / usual * (STEADY + (1 - STEADY) * length / usual);
    float speed = length / time;
    return (STANDING + MOVING * speed * speed) * time;
}

// Beyond that of the cheapest steps.
static float level_excess(float length) {
    return level_energy(length) - 2 * sqrtf(STANDING * MOVING) * length;
}

static float slope_excess(float length, float rise) {
    float gradient = rise / length, high = fabsf(rise) - HIGH;
    float effort = high > 0 ? HIGH_COST * high * high : 0;
    if (fabsf(gradient) <= GRADIENT_MOST)
        return effort + length * (slope_cost(gradient) - slope_cost(0));
    // Steeper: by the height alone.
    float most = rise > 0 ? GRADIENT_MOST : -GRADIENT_MOST;
    return effort + rise / most * slope_cost(most) - length * slope_cost(0);
}

// What it costs to gain or lose height on steep ground [J/kg]. The window ends where the steps end, but the
// climb behind it must be walked, too: without this a walker would put off every stair.
float tr_window_climb(const tr_footstep_window *window, float rise) {
    float most = rise > 0 ? GRADIENT_MOST : -GRADIENT_MOST;
    return window->query->params->energy * rise / most * slope_cost(most);
}

float tr_footstep_window_energy(float height, float length, float rise) {
    float size = height / ADULT, at = fabsf(length) / size;
    at = at > 0.05f ? at : 0.05f;
    return size * (level_excess(at) + slope_excess(at, rise / size));
}

// Costs of the steps of one row: four lengths at a time.
static void fill_row(const tr_footstep_window *window, const window_costs *costs, float from,
                     const float *heights, const float *stand_costs, float *row) {
    const tr_footstep_window_params *params = window->query->params;
    float size = window->query->height / ADULT, per = 1 / size;
    float up = slope_cost(GRADIENT_MOST) / GRADIENT_MOST, down = -slope_cost(-GRADIENT_MOST) / GRADIENT_MOST;
    for (uint32_t i = 0; i <= params->intervals; i += 4) {
        simd_float rise = simd_load(heights + i) - simd_set(from), r = rise * simd_set(per);
        simd_float length = simd_load(costs->lengths + i), g = r * simd_load(costs->inverses + i);
        simd_float gentle = simd_set(280.5f) * g - simd_set(58.7f);
        gentle = gentle * g - simd_set(76.8f);
        gentle = gentle * g + simd_set(51.9f);
        gentle = length * ((gentle * g + simd_set(19.6f)) * g);
        simd_float steep =
            r * simd_select(r > simd_set(0), simd_set(up), simd_set(down)) - length * simd_set(slope_cost(0));
        simd_int is_gentle = (g <= simd_set(GRADIENT_MOST)) & (g >= simd_set(-GRADIENT_MOST));
        simd_float high = simd_max(r, -r) - simd_set(HIGH);
        high = simd_max(high, simd_set(0));
        simd_float excess =
            simd_load(costs->cheapest + i) +
            simd_set(size) * (simd_select(is_gentle, gentle, steep) + simd_set(HIGH_COST) * high * high);
        simd_float cost = simd_set(params->energy) * excess + simd_load(stand_costs + i);
        simd_int fits = (rise <= simd_set(params->rise_most)) & (rise >= simd_set(-params->drop_most));
        simd_store_float(row + i, simd_select(fits, cost, simd_set(INFINITY)));
    }
}

const float *tr_window_row(tr_footstep_window *window, uint32_t level, uint32_t sum) {
    uint32_t intervals = window->query->params->intervals;
    uint32_t place = window_places_before(level - 1, intervals) + sum;
    float *row = window->rows + (size_t)place * window_row_room(window->intervals);
    if (window->row_stamps[place] == window->stamp)
        return row;
    window->row_stamps[place] = window->stamp;
    for (uint32_t i = 0; i <= intervals; i++)
        tr_window_place(window, level, sum + i);
    uint32_t to = window_places_before(level, intervals) + sum;
    fill_row(window, &window->costs[window_part(window, level)],
             tr_window_place(window, level - 1, sum)->foot.height, window->heights + to,
             window->stand_costs + to, row);
    return row;
}

tr_stride_reason tr_window_row_reason(tr_footstep_window *window, uint32_t level, uint32_t sum,
                                      uint32_t number) {
    const tr_footstep_window_params *params = window->query->params;
    const window_place *to = tr_window_place(window, level, sum + number);
    float rise = to->foot.height - tr_window_place(window, level - 1, sum)->foot.height;
    if (to->reason != TR_STRIDE_FINE)
        return (tr_stride_reason)to->reason;
    return rise > params->rise_most    ? TR_STRIDE_TOO_HIGH
           : rise < -params->drop_most ? TR_STRIDE_TOO_DEEP
                                       : TR_STRIDE_FINE;
}

// A step of the foot that leads to the side: both steps that move the body on, beyond the cheapest pace.
static float side_excess(float length) {
    float speed = length / SIDE_TIME;
    return (STANDING + SIDE_MOVING * speed * speed) * SIDE_TIME - 2 * sqrtf(STANDING * SIDE_MOVING) * length;
}

// What a length of a step costs on level ground, for an adult [J/kg].
static float level_cost(const tr_footstep_window *window, uint32_t part, float length) {
    if (window->course < WINDOW_ASIDE)
        return level_excess(length);
    if (window->course == WINDOW_ASIDE)
        return part == 0 ? side_excess(length) : FOLLOW_COST * length * length;
    return (part == 0 ? TURN_COST : UNEQUAL_COST) * length * length;
}

void tr_window_costs_begin(tr_footstep_window *window) {
    float size = window->query->height / ADULT;
    for (uint32_t part = 0; part < (window->course < WINDOW_ASIDE ? 1 : 2); part++) {
        window_costs *costs = &window->costs[part];
        for (uint32_t i = 0; i <= TR_FOOTSTEP_WINDOW_INTERVALS_MAX; i++) {
            float at = window->least[part] + (float)i * window->interval;
            at = window->course == WINDOW_TURN ? at : at / size;
            float length = window->course < WINDOW_ASIDE ? at : FOOT_WAY;
            costs->lengths[i] = length = length > 0.05f ? length : 0.05f;
            costs->inverses[i] = 1 / length;
            costs->cheapest[i] = size * level_cost(window, part, window->course < WINDOW_ASIDE ? length : at);
        }
    }
}

// The mean height of the floor where the window ends, over the length of a step.
static float floor_ahead(tr_footstep_window *window) {
    const tr_footstep_window_params *params = window->query->params;
    const window_lane *lane = tr_window_lane(window, 0, 0);
    float cell = window->view.cell,
          end = (window->origin + (float)params->steps * params->length_most) / cell;
    uint32_t last = end <= 0 ? 0 : end >= (float)window->view.columns ? window->view.columns : (uint32_t)end;
    uint32_t count = 0, wanted = (uint32_t)(params->length_most / cell);
    float sum = 0;
    for (uint32_t i = last; i-- > 0 && count <= wanted;)
        if (lane->high[i] > -INFINITY) {
            sum += lane->high[i];
            count++;
        }
    return count ? sum / (float)count : INFINITY;
}

float tr_window_rest(tr_footstep_window *window, uint32_t level, uint32_t sum) {
    const window_place *place = tr_window_place(window, level, sum);
    if (place->reason != TR_STRIDE_FINE)
        return INFINITY;
    if (window->course == WINDOW_TURN)
        return window->query->params->energy * TURN_LEFT * fabsf(window->goal - place->foot.turn);
    if (window->course != WINDOW_AHEAD)
        return 0;
    if (isnan(window->ahead))
        window->ahead = floor_ahead(window);
    float rise = window->ahead - place->foot.height;
    return rise > -10 && rise < 10 ? tr_window_climb(window, rise) : 0;
}
