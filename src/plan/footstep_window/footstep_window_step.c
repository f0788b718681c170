// What a step costs, and whether it can be made.
#include "footstep_window_data.h"

#define WALK_RATIO 0.39f    // the square of a step by the speed of a walk, of an adult [m s]
#define ADULT 1.75f         // [m]
#define STANDING 2.23f      // power of walking at no speed [W/kg], and
#define MOVING 1.26f        // by the square of the speed [W s^2/(kg m^2)]
#define GRADIENT_MOST 0.45f // that was measured
#define STEADY 0.6f         // share of the time of a step that does not depend on its length, for short ones
#define HIGH 0.2f           // steps that rise or fall more are an effort of their own: [m]
#define HIGH_COST 120.0f    // by the square of what is beyond that [J/(kg m^2)]
#define LIFT_COST                                                                                            \
    3.1f // of lifting a foot: half of that for a leg, 0.16 of the mass, a quarter of the energy used [J/(kg
         // m)]
#define LIFT_FREE 0.15f // that ordinary steps need [m]

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

void tr_window_energy_begin(tr_footstep_window *window) {
    float size = window->query->height / ADULT;
    for (uint32_t i = 0; i <= window->query->params->intervals; i++) {
        float at = window_length(window, i) / size;
        window->cheapest[i] = size * level_excess(at > 0.05f ? at : 0.05f);
    }
}

static uint32_t pairs_before(uint32_t level, uint32_t intervals) {
    return window_places_before(level - 1, intervals) * (intervals + 1); // one for each place and length
}

// Swings are numbered by the place two levels before, and both lengths since.
static uint32_t swings_of(uint32_t level, uint32_t intervals) {
    uint32_t lengths = intervals + 1;
    return level == 1 ? lengths : window_level_places(level - 2, intervals) * lengths * lengths;
}

void tr_window_steps_begin(tr_footstep_window *window) {
    const tr_footstep_window_params *params = window->query->params;
    uint32_t count = pairs_before(params->steps + 1, params->intervals);
    for (uint32_t i = 0; i < count; i++)
        window->pairs[i].known = window->pairs[i].stood = false;
    if (++window->stamp == 0) { // after 2^32 plans old stamps would be valid again
        uint32_t swings = 0;
        for (uint32_t i = 1; i <= window->steps; i++)
            swings += swings_of(i, window->intervals);
        for (uint32_t i = 0; i < swings; i++)
            window->swings[i].stamp = 0;
        for (uint32_t i = 0; i < WINDOW_CONFIGURATIONS; i++)
            window->visited[i] = 0;
        window->stamp = 1;
    }
}

static float pair_cost(tr_footstep_window *window, uint32_t level, const window_place *from,
                       const window_place *to, uint32_t number) {
    const tr_footstep_window_params *params = window->query->params;
    float rise = to->foot.height - from->foot.height;
    tr_stride_reason reason = (tr_stride_reason)to->reason;
    if (reason == TR_STRIDE_FINE && rise > params->rise_most)
        reason = TR_STRIDE_TOO_HIGH;
    if (reason == TR_STRIDE_FINE && rise < -params->drop_most)
        reason = TR_STRIDE_TOO_DEEP;
    if (reason != TR_STRIDE_FINE) {
        window->found[level - 1][reason]++;
        return INFINITY;
    }
    float size = window->query->height / ADULT, at = window_length(window, number) / size;
    at = at > 0.05f ? at : 0.05f;
    float energy = window->cheapest[number];
    if (rise > 1e-4f || rise < -1e-4f)
        energy += size * slope_excess(at, rise / size);
    return params->energy * energy + params->quality * to->quality;
}

window_pair *tr_window_pair(tr_footstep_window *window, uint32_t level, uint32_t sum, uint32_t number) {
    uint32_t intervals = window->query->params->intervals;
    window_pair *pair = &window->pairs[pairs_before(level, intervals) + sum * (intervals + 1) + number];
    if (!pair->known) {
        const window_place *from = tr_window_place(window, level - 1, sum);
        const window_place *to = tr_window_place(window, level, sum + number);
        pair->cost = pair_cost(window, level, from, to, number);
        pair->known = true;
    }
    return pair;
}

static const tr_stride_stand *stand_of(tr_footstep_window *window, uint32_t level, uint32_t sum,
                                       uint32_t number) {
    window_pair *pair = tr_window_pair(window, level, sum, number);
    if (!pair->stood) {
        const tr_stride_foot *rear = &tr_window_place(window, level - 1, sum)->foot;
        const tr_stride_foot *front = &tr_window_place(window, level, sum + number)->foot;
        pair->stand = tr_stride_between_within(window->query->body, &window->limits, window->query->facing,
                                               window_side(window, level - 1), rear, front);
        pair->stood = true;
    }
    return &pair->stand;
}

static tr_stride_lane lane_for(tr_footstep_window *window, uint32_t side, uint32_t number) {
    const window_lane *lane = tr_window_lane(window, side, number);
    return (tr_stride_lane){lane->top, lane->under, window->view.columns, window->view.cell};
}

static tr_stride_reason plan_swing(tr_footstep_window *window, uint32_t level, uint32_t sum, uint32_t last,
                                   uint32_t number, tr_stride *stride) {
    const tr_footstep_window_query *query = window->query;
    uint32_t side = window_side(window, level);
    const window_place *stance = tr_window_place(window, level - 1, sum);
    const window_place *to = tr_window_place(window, level, sum + number);
    tr_stride_query step = {.body = query->body,
                            .facing = query->facing,
                            .side = side,
                            .stance = stance->foot,
                            .to = to->foot,
                            .clear = query->params->clear};
    uint32_t from_lane = WINDOW_STANDS;
    if (level == 1) {
        step.from = query->feet[side];
        step.start = window->start;
    } else {
        const window_place *from = tr_window_place(window, level - 2, sum - last);
        step.from = from->foot;
        from_lane = level == 2 ? WINDOW_STANDS : from->lane;
        step.start = *stand_of(window, level - 1, sum - last, last);
    }
    // Where the foot changes lanes it passes over both.
    step.swing = lane_for(window, side, to->lane);
    step.stand = lane_for(window, 1 - side, stance->lane);
    const tr_stride_stand *end = stand_of(window, level, sum, number);
    tr_stride_reason reason = tr_stride_plan_within(&step, &window->limits, end, stride);
    if (reason == TR_STRIDE_FINE && from_lane != to->lane &&
        window->lane[side][from_lane].aside != window->lane[side][to->lane].aside) {
        tr_stride other;
        step.swing = lane_for(window, side, from_lane);
        reason = tr_stride_plan_within(&step, &window->limits, end, &other);
        if (other.lift > stride->lift)
            *stride = other;
    }
    return reason;
}

float tr_window_swing(tr_footstep_window *window, uint32_t level, uint32_t sum, uint32_t last,
                      uint32_t number, tr_stride *stride) {
    const tr_footstep_window_query *query = window->query;
    uint32_t intervals = query->params->intervals, lengths = intervals + 1, index = number;
    for (uint32_t i = 1; i < level; i++)
        index += swings_of(i, intervals);
    if (level > 1)
        index += ((sum - last) * lengths + last) * lengths;
    window_swing *swing = &window->swings[index];
    if (swing->stamp == window->stamp && !stride)
        return swing->cost;
    float cost = tr_window_pair(window, level, sum, number)->cost;
    tr_stride own;
    tr_stride *made = stride ? stride : &own;
    if (cost < INFINITY) {
        tr_stride_reason reason = plan_swing(window, level, sum, last, number, made);
        bool known = swing->stamp == window->stamp;
        if (reason == TR_STRIDE_FINE && !known && query->allow && !query->allow(query->user, made))
            reason = TR_STRIDE_VETO;
        if (!known) {
            window->plan->examined++;
            if (query->see)
                query->see(query->user, made, reason);
        }
        float lift = made->lift - LIFT_FREE;
        cost += lift > 0 ? query->params->energy * LIFT_COST * lift : 0;
        if (reason != TR_STRIDE_FINE) {
            window->found[level - 1][reason]++;
            cost = INFINITY;
        }
    }
    if (swing->stamp != window->stamp)
        *swing = (window_swing){window->stamp, cost};
    return cost;
}
