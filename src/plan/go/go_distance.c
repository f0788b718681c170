// Distances from the nodes of a window to the goal of a body: from the way outwards (Dijkstra), as far as a
// search needs them.
#include "go_data.h"

#define STANDS_PRICE 0.75f // for a step past a standing body [m]

// --- Bins ---

// The last bin holds everything farther.
static uint32_t bin_of(const go_bins *bins, float key) {
    float bin = (key - bins->begin) * (1 / GO_STEP);
    return bin < (float)(GO_BINS - 1) ? (uint32_t)bin : GO_BINS - 1;
}

static void put(go_bins *bins, float key, uint32_t node) {
    if (bins->count == GO_STATES_MAX)
        return; // there is room for all
    uint32_t bin = bin_of(bins, key), entry = bins->count++;
    for (; bins->end <= bin; bins->end++)
        bins->firsts[bins->end] = TR_NONE;
    bins->entries[entry] = (go_bin_entry){key, node, bins->firsts[bin]};
    bins->firsts[bin] = entry;
}

static go_bin_entry take(go_bins *bins) {
    uint32_t *place = &bins->firsts[bins->bin];
    if (bins->bin == GO_BINS - 1) // take the nearest: steps may lead back into this bin
        for (uint32_t *other = place; *other != TR_NONE; other = &bins->entries[*other].next)
            if (bins->entries[*other].key < bins->entries[*place].key)
                place = other;
    go_bin_entry taken = bins->entries[*place];
    *place = taken.next;
    return taken;
}

// --- Distances ---

// The distances of nodes along the way are known. Returns their number, in `queue`.
static uint32_t find_seeds(tr_go *go, const tr_go_walker *walker) {
    float length = tr_way_length(walker->way), end = walker->until < length ? walker->until : length;
    uint32_t before = TR_NONE, count = 0;
    for (float along = walker->along;; along += GO_STEP) {
        bool last = along >= end;
        along = last ? end : along;
        tr_vec3 point = tr_way_at(walker->way, along);
        uint32_t node = tr_go_node_at(go, point);
        if (node != before && go_is_open(go, node)) {
            tr_vec2 at = go_node_point(go, node);
            float x = at.x - point.x, z = at.z - point.z, to_go = length - along + sqrtf(x * x + z * z);
            if (to_go < go->to_go[node] && count < GO_NODES_MAX) {
                go->to_go[node] = to_go;
                go->rejoins[node] = along;
                go->queue[count++] = node;
            }
        }
        before = node;
        if (last)
            return count;
    }
}

bool tr_go_begin_distances(tr_go *go, const tr_go_walker *walker) {
    uint32_t count = go->side * go->side;
    for (uint32_t i = 0; i < count; i++)
        go->to_go[i] = INFINITY;
    for (uint32_t i = 0; i < count; i++)
        go->next[i] = TR_NONE;
    uint32_t seeds = find_seeds(go, walker);
    go_bins *bins = &go->far;
    bins->begin = INFINITY;
    bins->bin = bins->end = bins->count = 0;
    for (uint32_t i = 0; i < seeds; i++)
        bins->begin = go->to_go[go->queue[i]] < bins->begin ? go->to_go[go->queue[i]] : bins->begin;
    for (uint32_t i = 0; i < seeds; i++)
        put(bins, go->to_go[go->queue[i]], go->queue[i]);
    return seeds > 0;
}

// Nothing in the queue leads to the node on a shorter way, or on one shorter than `most`.
static bool is_settled(tr_go *go, uint32_t node, float most) {
    go_bins *bins = &go->far;
    while (bins->bin < bins->end && bins->firsts[bins->bin] == TR_NONE)
        bins->bin++;
    if (bins->bin == bins->end || bins->begin + (float)bins->bin * GO_STEP >= most)
        return true;
    uint32_t bin = bin_of(bins, go->to_go[node]);
    return bin <= bins->bin && bin < GO_BINS - 1;
}

float tr_go_distance(tr_go *go, uint32_t node, float most) {
    static const float lengths[2] = {GO_STEP, 1.41421356f * GO_STEP};
    int32_t directions[8];
    if (is_settled(go, node, most))
        return go->to_go[node];
    tr_go_directions(go, directions);
    while (!is_settled(go, node, most)) {
        go_bin_entry entry = take(&go->far);
        if (entry.key > go->to_go[entry.node])
            continue;
        for (uint32_t steps = go->steps[entry.node]; steps; steps &= steps - 1) {
            uint32_t direction = (uint32_t)__builtin_ctz(steps),
                     next = entry.node + (uint32_t)directions[direction];
            float to_go = entry.key + lengths[direction % 2];
            if (to_go >= go->to_go[next])
                continue;                                      // for most nodes
            to_go += go->taken[next] >> 63 ? STANDS_PRICE : 0; // a body is there for good
            if (to_go < go->to_go[next]) {
                go->to_go[next] = to_go;
                go->next[next] = entry.node;
                go->rejoins[next] = go->rejoins[entry.node];
                put(&go->far, to_go, next);
            }
        }
    }
    return go->to_go[node];
}
