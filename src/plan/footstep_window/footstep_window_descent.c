// Li's own search: breadth-first from the initial configuration to one that is possible, then to the best
// neighbour as long as there is a better one. Neighbours differ by one interval in one step.
#include "footstep_window_data.h"

#include <string.h>

static uint32_t encode(const tr_footstep_window *window, const uint8_t *numbers) {
    uint32_t lengths = window->query->params->intervals + 1, code = 0;
    for (uint32_t i = window->target; i-- > 0;)
        code = code * lengths + numbers[i];
    return code;
}

static void decode(const tr_footstep_window *window, uint32_t code, uint8_t *numbers) {
    uint32_t lengths = window->query->params->intervals + 1;
    for (uint32_t i = 0; i < window->target; i++, code /= lengths)
        numbers[i] = (uint8_t)(code % lengths);
}

static float cost_of(tr_footstep_window *window, const uint8_t *numbers) {
    uint32_t sum = 0, last = 0;
    float cost = 0;
    for (uint32_t i = 0; i < window->target && cost < INFINITY; i++) {
        cost += tr_window_swing(window, i + 1, sum, last, numbers[i], NULL);
        last = numbers[i];
        sum += last;
    }
    return cost < INFINITY ? cost + tr_window_rest(window, window->target, sum) : cost;
}

// Neighbour number 0 to 2 * steps - 1; false: it is outside.
static bool neighbour(const tr_footstep_window *window, const uint8_t *numbers, uint32_t number,
                      uint8_t *other) {
    memcpy(other, numbers, TR_FOOTSTEP_WINDOW_STEPS_MAX);
    uint8_t *moved = &other[number / 2];
    if (number % 2 == 0 ? *moved == window->query->params->intervals : *moved == 0)
        return false;
    *moved = (uint8_t)(number % 2 == 0 ? *moved + 1 : *moved - 1);
    return true;
}

static bool find_possible(tr_footstep_window *window, const uint8_t *initial) {
    uint32_t head = 0, tail = 0;
    // Configurations of fewer steps have codes of their own.
    uint32_t mark = window->stamp * (TR_FOOTSTEP_WINDOW_STEPS_MAX + 1) + window->target;
    window->queue[tail++] = encode(window, initial);
    window->visited[window->queue[0]] = mark;
    while (head < tail) {
        uint8_t numbers[TR_FOOTSTEP_WINDOW_STEPS_MAX] = {0}, other[TR_FOOTSTEP_WINDOW_STEPS_MAX];
        decode(window, window->queue[head++], numbers);
        float cost = cost_of(window, numbers);
        if (cost < INFINITY) {
            memcpy(window->best, numbers, sizeof window->best);
            window->best_cost = cost;
            return true;
        }
        for (uint32_t i = 0; i < 2 * window->target; i++) {
            if (!neighbour(window, numbers, i, other))
                continue;
            uint32_t code = encode(window, other);
            if (window->visited[code] != mark) {
                window->visited[code] = mark;
                window->queue[tail++] = code;
            }
        }
    }
    return false;
}

static bool improve(tr_footstep_window *window) {
    uint8_t other[TR_FOOTSTEP_WINDOW_STEPS_MAX], best[TR_FOOTSTEP_WINDOW_STEPS_MAX] = {0};
    float least = window->best_cost;
    for (uint32_t i = 0; i < 2 * window->target; i++) {
        if (!neighbour(window, window->best, i, other))
            continue;
        float cost = cost_of(window, other);
        if (cost < least) {
            least = cost;
            memcpy(best, other, sizeof best);
        }
    }
    if (!(least < window->best_cost))
        return false;
    window->best_cost = least;
    memcpy(window->best, best, sizeof best);
    return true;
}

bool tr_window_descent(tr_footstep_window *window) {
    const tr_footstep_window_query *query = window->query;
    uint32_t intervals = query->params->intervals;
    uint8_t initial[TR_FOOTSTEP_WINDOW_STEPS_MAX] = {0};
    for (uint32_t i = 0; i < window->target; i++) {
        float length = i < query->length_count ? query->lengths[i] : tr_window_usual(window, i + 1);
        float more = length - window_length(window, i + 1, 0);
        float number = window->interval != 0 ? more / window->interval + 0.5f : 0;
        initial[i] = (uint8_t)(number <= 0 ? 0 : number >= (float)intervals ? intervals : (uint32_t)number);
    }
    window->best_cost = INFINITY;
    if (!find_possible(window, initial))
        return false;
    while (improve(window)) {
    }
    return true;
}
