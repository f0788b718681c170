// What a step costs with its swing, and whether it can be made.
#include "footstep_window_data.h"

#define LIFT_COST 3.1f  // of lifting a foot: half of it for the leg, 0.16 of the mass [J/(kg m)]
#define LIFT_FREE 0.15f // that ordinary steps need [m]

// Swings are numbered by the place two levels before, and both lengths since.
static uint32_t swings_of(uint32_t level, uint32_t intervals) {
    uint32_t lengths = intervals + 1;
    return level == 1 ? lengths : window_level_places(level - 2, intervals) * lengths * lengths;
}

void tr_window_steps_begin(tr_footstep_window *window) {
    if (++window->stamp != 0)
        return;
    // After 2^32 plans old stamps would be valid again.
    uint32_t swings = 0, places = window_places_before(window->steps + 1, window->intervals);
    for (uint32_t i = 1; i <= window->steps; i++)
        swings += swings_of(i, window->intervals);
    for (uint32_t i = 0; i < swings; i++)
        window->swings[i].stamp = 0;
    for (uint32_t i = 0; i < places; i++)
        window->row_stamps[i] = 0;
    for (uint32_t i = 0; i < places * (window->intervals + 1); i++)
        window->stands[i].stamp = 0;
    for (uint32_t i = 0; i < WINDOW_CONFIGURATIONS; i++)
        window->visited[i] = 0;
    for (uint32_t i = 0; i < WINDOW_MADE; i++)
        window->made[i].stamp = 0;
    window->stamp = 1;
}

static const tr_stride_stand *stand_of(tr_footstep_window *window, uint32_t level, uint32_t sum,
                                       uint32_t number) {
    uint32_t intervals = window->query->params->intervals;
    uint32_t place = window_places_before(level - 1, intervals) + sum;
    window_stand *stand = &window->stands[place * (intervals + 1) + number];
    if (stand->stamp != window->stamp) {
        const tr_stride_foot *rear = &tr_window_place(window, level - 1, sum)->foot;
        const tr_stride_foot *front = &tr_window_place(window, level, sum + number)->foot;
        stand->stand = tr_stride_between_within(window->query->body, &window->limits, window->query->facing,
                                                window_side(window, level - 1), rear, front);
        stand->stamp = window->stamp;
    }
    return &stand->stand;
}

static tr_stride_lane lane_for(tr_footstep_window *window, uint32_t side, uint32_t number) {
    const window_lane *lane = tr_window_lane(window, side, number);
    return (tr_stride_lane){lane->top, window->open ? NULL : lane->under, window->view.columns,
                            window->view.cell};
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
    const tr_stride_stand *end = stand_of(window, level, sum, number);
    if (window->course != WINDOW_AHEAD || step.from.turn != 0 || step.stance.turn != 0 ||
        step.start.turn != 0) {
        step.ground = &window->view;
        return tr_stride_plan_within(&step, &window->limits, NULL, end, stride);
    }
    uint32_t over = tr_window_lane_between(window, side, from_lane, to->lane);
    step.swing = lane_for(window, side, over);
    step.stand = lane_for(window, 1 - side, stance->lane);
    stride_ranges ranges[2] = {tr_window_lane(window, side, over)->ranges,
                               tr_window_lane(window, 1 - side, stance->lane)->ranges};
    return tr_stride_plan_within(&step, &window->limits, ranges, end, stride);
}

static bool keeps_balance(const tr_footstep_window_query *query, const tr_stride *stride) {
    if (!(query->params->balance > 0))
        return true;
    tr_stride_balance balance;
    tr_stride_balance_at(query->body, stride, 1, &balance);
    return balance.standing >= 0 && balance.moving >= -query->params->balance;
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
    window_made *made = &window->made[index & (WINDOW_MADE - 1)];
    if (swing->stamp == window->stamp && !stride)
        return swing->cost;
    if (swing->stamp == window->stamp && made->stamp == window->stamp && made->swing == index) {
        *stride = made->stride;
        return swing->cost;
    }
    float cost = tr_window_row(window, level, sum)[number];
    if (cost < INFINITY) {
        made->swing = index, made->stamp = window->stamp;
        tr_stride_reason reason = plan_swing(window, level, sum, last, number, &made->stride);
        bool known = swing->stamp == window->stamp;
        if (reason == TR_STRIDE_FINE && !known && !keeps_balance(query, &made->stride))
            reason = TR_STRIDE_BALANCE;
        if (reason == TR_STRIDE_FINE && !known && query->allow && !query->allow(query->user, &made->stride))
            reason = TR_STRIDE_VETO;
        if (!known) {
            window->plan->examined++;
            if (query->see)
                query->see(query->user, &made->stride, reason);
        }
        float lift = made->stride.lift - LIFT_FREE;
        cost += lift > 0 ? query->params->energy * LIFT_COST * lift : 0;
        if (reason != TR_STRIDE_FINE) {
            window->found[level - 1][reason]++;
            cost = INFINITY;
        }
        if (stride)
            *stride = made->stride;
    }
    if (swing->stamp != window->stamp)
        *swing = (window_swing){window->stamp, cost};
    return cost;
}
