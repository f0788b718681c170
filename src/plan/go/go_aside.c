// Out of the way: the nearest place to stand without a claim on it.
#include "go_data.h"

#define SIDE 81          // nodes of the window on a side: ten metres in each direction
#define PASS_PRICE 2.5f  // for passing a place where an actor stands that would have to move too [m]
#define STEP_RISE 0.1f   // a node with floor this much higher or lower beside it is on steps [m]
#define CLAIM_PRICE 1.0f // additional cost of a step on claimed ground, as a share of its length

bool tr_go_is_claimed(const tr_go_claim *claims, uint32_t claim_count, tr_vec3 point) {
    for (uint32_t i = 0; i < claim_count; i++) {
        float along = 0;
        float off = tr_way_distance(claims[i].way, claims[i].begin, point, 1.2f, &along);
        if (off < claims[i].width && along <= claims[i].end + 1e-3f)
            return true;
    }
    return false;
}

static bool is_fixed(const tr_go_walker *walker, tr_vec2 at) {
    for (uint32_t i = 0; i < walker->fixed_count; i++) {
        float x = walker->fixed[i].x - at.x, z = walker->fixed[i].z - at.z;
        if (x * x + z * z < walker->fixed_apart * walker->fixed_apart)
            return true;
    }
    return false;
}

// May it go there from here? It may always go away from a fixed actor.
static bool may_pass(const tr_go *go, const tr_go_walker *walker, uint32_t from, uint32_t to) {
    return walker->fixed_count == 0 || !is_fixed(walker, go_node_point(go, to)) ||
           from == go->side * go->side / 2;
}

// A body does not wait on steps, where it could not turn round.
static bool is_on_steps(const tr_go *go, const int32_t directions[8], uint32_t node) {
    for (uint32_t steps = go->steps[node]; steps; steps &= steps - 1) {
        uint32_t next = node + (uint32_t)directions[__builtin_ctz(steps)];
        if (fabsf(go->height[next] - go->height[node]) > STEP_RISE)
            return true;
    }
    return false;
}

tr_status tr_go_aside(tr_go *go, const tr_ground *ground, const tr_timeline *timeline,
                      const tr_go_walker *walker, tr_vec3 *place) {
    tr_go_open_window(go, ground, walker, SIDE, false);
    if (tr_go_fill_times(go, timeline, walker, 8, 1) != TR_OK)
        return TR_NOT_FOUND;
    uint32_t count = SIDE * SIDE, middle = count / 2;
    float *cost = go->to_go;
    int32_t directions[8];
    tr_go_directions(go, directions);
    for (uint32_t i = 0; i < count; i++)
        cost[i] = INFINITY;
    go->heap.count = 0;
    cost[middle] = 0;
    tr_go_push(&go->heap, 0, middle);
    while (go->heap.count) {
        go_entry entry = tr_go_pop(&go->heap);
        if (entry.key > cost[entry.item])
            continue;
        tr_vec2 at = go_node_point(go, entry.item);
        tr_vec3 here = tr_vec3_make(at.x, go->height[entry.item], at.z);
        bool stands_there = go->taken[entry.item] >> 63; // a body stands there for good
        bool claimed = tr_go_is_claimed(walker->claims, walker->claim_count, here);
        if (!stands_there && !claimed && entry.item != middle && !is_on_steps(go, directions, entry.item)) {
            *place = here;
            return TR_OK;
        }
        for (uint32_t steps = go->steps[entry.item]; steps; steps &= steps - 1) {
            uint32_t direction = (uint32_t)__builtin_ctz(steps),
                     next = entry.item + (uint32_t)directions[direction];
            bool diagonal = direction % 2;
            if (!may_pass(go, walker, entry.item, next))
                continue;
            float step = diagonal ? 1.41421356f * GO_STEP : GO_STEP;
            bool enters = go->taken[next] >> 63 && !stands_there;
            float more = entry.key + step * (claimed ? 1 + CLAIM_PRICE : 1) + (enters ? PASS_PRICE : 0);
            if (more < cost[next]) {
                cost[next] = more;
                tr_go_push(&go->heap, more, next);
            }
        }
    }
    return TR_NOT_FOUND;
}
