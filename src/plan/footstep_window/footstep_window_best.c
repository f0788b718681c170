// The best configuration, by branch and bound. The bound of a place is the exact cost of the best steps
// behind it if swings cost nothing and never fail.
#include "footstep_window_data.h"

#include <string.h>

// Bounds and costs are sums of the same numbers in another order.
#define ROUNDING 1e-5f

// Bounds of all places of all levels, from the last one backwards.
static void bound_places(tr_footstep_window *window) {
    uint32_t intervals = window->query->params->intervals, target = window->target;
    for (uint32_t sum = 0; sum < window_level_places(target, intervals); sum++)
        window->bounds[window_places_before(target, intervals) + sum] = tr_window_rest(window, target, sum);
    for (uint32_t level = target; level-- > 0;) {
        const float *behind = window->bounds + window_places_before(level + 1, intervals);
        float *bounds = window->bounds + window_places_before(level, intervals);
        for (uint32_t sum = 0; sum < window_level_places(level, intervals); sum++) {
            float least = INFINITY;
            bool fine = tr_window_place(window, level, sum)->reason == TR_STRIDE_FINE;
            if (fine) {
                const float *row = tr_window_row(window, level + 1, sum);
                for (uint32_t i = 0; i <= intervals; i++) {
                    float cost = row[i] + behind[sum + i];
                    least = cost < least ? cost : least;
                }
            }
            bounds[sum] = least;
        }
    }
}

typedef struct window_branch {
    float bound;
    uint32_t number;
} window_branch;

// The lengths of the next step in the order of their bounds; those that lead nowhere are left out.
static uint32_t sort_branches(tr_footstep_window *window, uint32_t level, uint32_t sum,
                              window_branch *branches) {
    uint32_t intervals = window->query->params->intervals, count = 0;
    const float *behind = window->bounds + window_places_before(level, intervals);
    const float *row = tr_window_row(window, level, sum);
    for (uint32_t i = 0; i <= intervals; i++) {
        float bound = row[i] + behind[sum + i];
        if (!(bound < INFINITY))
            continue;
        uint32_t k = count++;
        for (; k > 0 && branches[k - 1].bound > bound; k--)
            branches[k] = branches[k - 1];
        branches[k] = (window_branch){bound, i};
    }
    return count;
}

static void descend(tr_footstep_window *window, uint32_t level, uint32_t sum, uint32_t last, float cost,
                    uint8_t *numbers) {
    if (level > window->target) {
        cost += tr_window_rest(window, window->target, sum);
        if (cost < window->best_cost) {
            window->best_cost = cost;
            memcpy(window->best, numbers, sizeof window->best);
        }
        return;
    }
    window_branch branches[TR_FOOTSTEP_WINDOW_INTERVALS_MAX + 1];
    uint32_t intervals = window->query->params->intervals;
    uint32_t count = sort_branches(window, level, sum, branches);
    const float *behind = window->bounds + window_places_before(level, intervals);
    for (uint32_t i = 0; i < count && cost + branches[i].bound < window->best_cost + ROUNDING; i++) {
        uint32_t number = branches[i].number;
        float step = tr_window_swing(window, level, sum, last, number, NULL);
        if (!(cost + step + behind[sum + number] < window->best_cost + ROUNDING))
            continue;
        numbers[level - 1] = (uint8_t)number;
        descend(window, level + 1, sum + number, number, cost + step, numbers);
    }
}

bool tr_window_best(tr_footstep_window *window) {
    uint8_t numbers[TR_FOOTSTEP_WINDOW_STEPS_MAX] = {0};
    bound_places(window);
    window->best_cost = INFINITY;
    if (window->bounds[0] < INFINITY)
        descend(window, 1, 0, 0, 0, numbers);
    return window->best_cost < INFINITY;
}

// Every configuration, one after the other.
static void enumerate(tr_footstep_window *window, uint32_t level, uint32_t sum, uint32_t last, float cost,
                      uint8_t *numbers) {
    if (level > window->target) {
        cost += tr_window_rest(window, window->target, sum);
        if (cost < window->best_cost) {
            window->best_cost = cost;
            memcpy(window->best, numbers, sizeof window->best);
        }
        return;
    }
    for (uint32_t i = 0; i <= window->query->params->intervals; i++) {
        float step = tr_window_swing(window, level, sum, last, i, NULL);
        numbers[level - 1] = (uint8_t)i;
        if (step < INFINITY)
            enumerate(window, level + 1, sum + i, i, cost + step, numbers);
    }
}

bool tr_window_every(tr_footstep_window *window) {
    uint8_t numbers[TR_FOOTSTEP_WINDOW_STEPS_MAX] = {0};
    window->best_cost = INFINITY;
    enumerate(window, 1, 0, 0, 0, numbers);
    return window->best_cost < INFINITY;
}
