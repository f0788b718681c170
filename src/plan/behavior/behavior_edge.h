// plan/behavior/behavior_edge.h - edges of the floor, at which bodies climb. Internal.
#pragma once
#include "behavior_search_data.h"

#define BEHAVIOR_EDGE_ASIDE 0.6f  // of the radius: so far to both sides there is the edge as well
#define BEHAVIOR_EDGE_EARLY 0.01f // before the edge [m]
#define BEHAVIOR_EDGE_LATE 0.015f // after the cell of the edge [m]
#define BEHAVIOR_EDGE_EVEN 0.08f  // floors on both sides are as even as that [m]

// Whether one floor ends and another one begins at a place, across a heading.
static inline bool behavior_edge_is_at(const tr_behavior_map *map, behavior_axes axes, float before,
                                       float after) {
    float aside = BEHAVIOR_EDGE_ASIDE * map->behavior->def.radius;
    float late = 1 / map->per_metre + BEHAVIOR_EDGE_LATE;
    for (int i = -1; i <= 1; i++) {
        tr_vec2 near_side = behavior_from(axes, (float)i * aside, -BEHAVIOR_EDGE_EARLY);
        tr_vec2 far_side = behavior_from(axes, (float)i * aside, late);
        if (!(fabsf(tr_behavior_map_height(map, near_side) - before) < BEHAVIOR_EDGE_EVEN) ||
            !(fabsf(tr_behavior_map_height(map, far_side) - after) < BEHAVIOR_EDGE_EVEN))
            return false;
    }
    return true;
}

#define BEHAVIOR_EDGE_BEYOND 0.012f // a floor that is higher than the highest climb by less counts [m]

// The parameter with which a state rises by as much; false: none.
static inline bool behavior_parameter_of_rise(const tr_behavior_state *state, float rise, float *parameter) {
    for (uint32_t i = 0; i + 1 < state->move_count; i++) {
        float a = state->moves[i].rise, b = state->moves[i + 1].rise, t = (rise - a) / (b - a);
        float beyond = BEHAVIOR_EDGE_BEYOND / fabsf(b - a);
        if (t >= -beyond && t <= 1 + beyond) {
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            *parameter = behavior_lerp(state->moves[i].parameter, state->moves[i + 1].parameter, t);
            return true;
        }
    }
    return false;
}
