// A window of nodes around a walker: which of them it can walk to, and how far each is from where it wants
// to go.
#include "go_data.h"

#include <string.h>

#define LEVEL_RISE 0.045f // floor so much higher is still walked on [m]
#define LEVEL_FALL 0.012f
#define STANDS_PRICE 0.75f // for a step past somebody who stands [m]

uint32_t tr_go_node_at(const tr_go *go, tr_vec3 point) {
    int half = (int)go->side / 2;
    float x = (point.x - go->middle.x) / GO_STEP, z = (point.z - go->middle.z) / GO_STEP;
    if (!(fabsf(x) <= (float)half + 0.49f && fabsf(z) <= (float)half + 0.49f))
        return TR_NONE;
    int column = (int)floorf(x + 0.5f) + half, row = (int)floorf(z + 0.5f) + half;
    return (uint32_t)row * go->side + (uint32_t)column;
}

uint32_t tr_go_neighbour(const tr_go *go, uint32_t node, uint32_t direction) {
    static const int across[8] = {1, 1, 0, -1, -1, -1, 0, 1}, down[8] = {0, 1, 1, 1, 0, -1, -1, -1};
    int column = (int)(node % go->side) + across[direction], row = (int)(node / go->side) + down[direction];
    if (column < 0 || row < 0 || column >= (int)go->side || row >= (int)go->side)
        return TR_NONE;
    return (uint32_t)row * go->side + (uint32_t)column;
}

// Least key first; of equal keys the least item, so that the order is the same everywhere.
static bool is_less(go_entry a, go_entry b) {
    return a.key < b.key || (a.key == b.key && a.item < b.item);
}

void tr_go_push(tr_go *go, float key, uint32_t item) {
    if (go->heap_count == GO_STATES_MAX)
        return;
    go_entry entry = {key, item};
    uint32_t i = go->heap_count++;
    while (i > 0 && is_less(entry, go->heap[(i - 1) / 2])) {
        go->heap[i] = go->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    go->heap[i] = entry;
}

go_entry tr_go_pop(tr_go *go) {
    go_entry first = go->heap[0], last = go->heap[--go->heap_count];
    uint32_t i = 0, count = go->heap_count;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && is_less(go->heap[child + 1], go->heap[child]))
            child++;
        if (!is_less(go->heap[child], last))
            break;
        go->heap[i] = go->heap[child];
        i = child;
    }
    go->heap[i] = last;
    return first;
}

void tr_go_open_window(tr_go *go, const tr_ground *ground, const tr_go_walker *walker, uint32_t side,
                       bool level) {
    go->side = side;
    go->middle = walker->position;
    uint32_t count = side * side, first = 0, last = 0;
    for (uint32_t i = 0; i < count; i++)
        go->height[i] = NAN;
    uint8_t *seen = (uint8_t *)go->reached; // until the search begins
    memset(seen, 0, count);
    uint32_t middle = count / 2;
    go->height[middle] = walker->position.y;
    seen[middle] = 1;
    go->queue[last++] = middle;
    while (first < last) {
        uint32_t node = go->queue[first++];
        for (uint32_t direction = 0; direction < 8; direction += 2) {
            uint32_t next = tr_go_neighbour(go, node, direction);
            if (next == TR_NONE || seen[next])
                continue;
            tr_vec2 at = go_node_point(go, next);
            float height;
            if (!tr_ground_is_free(ground, walker->size, tr_vec3_make(at.x, go->height[node], at.z), &height))
                continue;
            seen[next] = 1;
            if (level &&
                !(height - walker->position.y < LEVEL_RISE && height - walker->position.y > -LEVEL_FALL))
                continue;
            go->height[next] = height;
            go->queue[last++] = next;
        }
    }
}

// Both nodes beside a diagonal step are free: no corner is cut.
static bool may_step(const tr_go *go, uint32_t node, uint32_t direction) {
    if (direction % 2 == 0)
        return true;
    uint32_t a = tr_go_neighbour(go, node, direction - 1), b = tr_go_neighbour(go, node, (direction + 1) % 8);
    return a != TR_NONE && b != TR_NONE && go->height[a] == go->height[a] && go->height[b] == go->height[b];
}

// Nodes along the way know how far it is from there.
static bool seed(tr_go *go, const tr_go_walker *walker) {
    float length = tr_way_length(walker->way), end = walker->until < length ? walker->until : length;
    bool any = false;
    uint32_t before = TR_NONE;
    for (float along = walker->along;; along += GO_STEP) {
        bool last = along >= end;
        along = last ? end : along;
        tr_vec3 point = tr_way_at(walker->way, along);
        uint32_t node = tr_go_node_at(go, point);
        if (node != TR_NONE && node != before && go->height[node] == go->height[node]) {
            tr_vec2 at = go_node_point(go, node);
            float x = at.x - point.x, z = at.z - point.z, to_go = length - along + sqrtf(x * x + z * z);
            if (to_go < go->to_go[node]) {
                go->to_go[node] = to_go;
                go->rejoins[node] = along;
                tr_go_push(go, to_go, node);
                any = true;
            }
        }
        before = node;
        if (last)
            return any;
    }
}

bool tr_go_fill_distances(tr_go *go, const tr_go_walker *walker) {
    uint32_t count = go->side * go->side;
    for (uint32_t i = 0; i < count; i++) {
        go->to_go[i] = INFINITY;
        go->next[i] = TR_NONE;
    }
    go->heap_count = 0;
    if (!seed(go, walker))
        return false;
    while (go->heap_count) {
        go_entry entry = tr_go_pop(go);
        if (entry.key > go->to_go[entry.item])
            continue;
        for (uint32_t direction = 0; direction < 8; direction++) {
            uint32_t next = tr_go_neighbour(go, entry.item, direction);
            if (next == TR_NONE || go->height[next] != go->height[next] ||
                !may_step(go, entry.item, direction))
                continue;
            float to_go = entry.key + (direction % 2 ? 1.41421356f * GO_STEP : GO_STEP);
            to_go += go->taken[next] >> 63 ? STANDS_PRICE : 0; // somebody is there for good
            if (to_go < go->to_go[next]) {
                go->to_go[next] = to_go;
                go->next[next] = entry.item;
                go->rejoins[next] = go->rejoins[entry.item];
                tr_go_push(go, to_go, next);
            }
        }
    }
    return true;
}

tr_status tr_go_fill_times(tr_go *go, const tr_timeline *timeline, const tr_go_walker *walker,
                           uint32_t slot) {
    float half = ((float)go->side * 0.5f) * GO_STEP;
    tr_timeline_window window = {
        .grid = {{go->middle.x - half, go->middle.z - half}, GO_STEP, go->side, go->side},
        .floor = go->height,
        .level = go->middle.y,
        .begin = walker->tick,
        .slot = slot,
        .word_count = 1,
        .radius = walker->radius,
        .height = walker->height,
        .margin = walker->margin,
        .self = walker->body};
    return tr_timeline_fill(timeline, &window, go->taken);
}
