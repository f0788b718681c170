// Edges of the floor: where one floor ends and a higher or a lower one begins.
#include "behavior_edge.h"

#define STEP_LEAST 0.1f // a floor that differs by less is the same one [m]
#define ROUNDS 6        // of bisection

static float height_at(const tr_behavior_map *map, behavior_axes axes, float aside, float along) {
    return tr_behavior_map_height(map, behavior_from(axes, aside, along));
}

// The edge on one line; false: none.
static bool edge_on_line(const tr_behavior_map *map, behavior_axes axes, float aside, bool rises, float reach,
                         float *along, float *rise) {
    float step = 0.5f / map->per_metre, best = INFINITY;
    uint32_t count = (uint32_t)(2 * reach / step) + 1;
    float before = height_at(map, axes, aside, -reach);
    for (uint32_t i = 1; i <= count; i++) {
        float at = -reach + step * (float)i, here = height_at(map, axes, aside, at), by = here - before;
        if ((rises ? by : -by) > STEP_LEAST && fabsf(at) < fabsf(best)) {
            float low = at - step, high = at;
            for (int k = 0; k < ROUNDS; k++) {
                float middle = 0.5f * (low + high);
                float off = height_at(map, axes, aside, middle) - before;
                *((rises ? off : -off) > STEP_LEAST ? &high : &low) = middle;
            }
            best = at;
            *along = low;
            *rise = by;
        }
        before = here;
    }
    return best < INFINITY;
}

bool tr_behavior_edge_near(const tr_behavior_map *map, behavior_axes axes, bool rises, float reach,
                           float *along, float *rise) {
    float aside = BEHAVIOR_EDGE_ASIDE * map->behavior->def.radius;
    if (!edge_on_line(map, axes, 0, rises, reach, along, rise))
        return false;
    for (int i = -1; i <= 1; i += 2) {
        float other, by;
        if (!edge_on_line(map, axes, (float)i * aside, rises, reach, &other, &by))
            return false;
        *along = other < *along ? other : *along;
    }
    return true;
}
