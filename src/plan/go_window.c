// A window of nodes around a walker: which of them it can walk to, and how far each is from where it wants
// to go.
#include "go_data.h"
#include "world/ground_data.h"

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

static const int across[8] = {1, 1, 0, -1, -1, -1, 0, 1}, down[8] = {0, 1, 1, 1, 0, -1, -1, -1};

void tr_go_directions(const tr_go *go, int32_t directions[8]) {
    for (uint32_t i = 0; i < 8; i++)
        directions[i] = down[i] * (int32_t)go->side + across[i];
}

static uint64_t entry_of(float key, uint32_t item) {
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return (uint64_t)bits << 32 | item;
}

void tr_go_push(go_heap *heap, float key, uint32_t item) {
    if (heap->count == GO_STATES_MAX)
        return;
    uint64_t entry = entry_of(key, item);
    uint32_t i = heap->count++;
    while (i > 0 && entry < heap->entries[(i - 1) / 2]) {
        heap->entries[i] = heap->entries[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap->entries[i] = entry;
}

static float key_of(uint64_t entry) {
    uint32_t bits = (uint32_t)(entry >> 32);
    float key;
    memcpy(&key, &bits, sizeof key);
    return key;
}

go_entry tr_go_pop(go_heap *heap) {
    uint64_t *entries = heap->entries, first = entries[0], last = entries[--heap->count];
    uint32_t i = 0, count = heap->count;
    for (uint32_t child = 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && entries[child + 1] < entries[child];
        if (last < entries[child])
            break;
        entries[i] = entries[child];
        i = child;
    }
    entries[i] = last;
    return (go_entry){key_of(first), (uint32_t)first};
}

// --- The floor ---

static void number_nodes(tr_go *go, uint32_t side) {
    if (go->side == side)
        return;
    go->side = side;
    for (uint32_t i = 0; i < side * side; i++) {
        go->column[i] = (uint8_t)(i % side);
        go->row[i] = (uint8_t)(i / side);
    }
}

#define RIM_SIDE (GO_SIDE_MAX + 2)

// Marks of the nodes with a rim around them, so that nobody asks where the window ends.
typedef struct go_marks {
    uint8_t seen[RIM_SIDE * RIM_SIDE], open[RIM_SIDE * RIM_SIDE];
} go_marks;

static void clear_marks(go_marks *marks, uint32_t side) {
    uint32_t stride = side + 2;
    memset(marks->open, 0, stride * stride);
    memset(marks->seen, 1, stride * stride);
    for (uint32_t row = 1; row <= side; row++)
        memset(&marks->seen[row * stride + 1], 0, side);
}

// Steps to open nodes. Both nodes beside a diagonal one are open: no corner is cut.
static void find_steps(tr_go *go, const go_marks *marks) {
    uint32_t side = go->side, stride = side + 2;
    for (uint32_t row = 0; row < side; row++) {
        const uint8_t *above = &marks->open[row * stride], *here = above + stride, *below = here + stride;
        uint8_t *steps = &go->steps[row * side];
        for (uint32_t i = 0; i < side; i++) {
            uint8_t right = here[i + 2], under = below[i + 1], left = here[i], up = above[i + 1];
            uint8_t straight = (uint8_t)(right | under << 2 | left << 4 | up << 6),
                    diagonal =
                        (uint8_t)((right & under & below[i + 2]) << 1 | (under & left & below[i]) << 3 |
                                  (left & up & above[i]) << 5 | (up & right & above[i + 2]) << 7);
            steps[i] = here[i + 1] ? straight | diagonal : 0;
        }
    }
}

// The ground under the nodes: where its columns and rows are is the same for all nodes of a line.
typedef struct go_ground {
    const tr_ground *ground;
    const ground_size *size;
    uint32_t number; // of the size
    double nearest;
    uint32_t columns[GO_SIDE_MAX], rows[GO_SIDE_MAX]; // TR_NONE: beyond the ground
} go_ground;

static void find_lines(const tr_go *go, const tr_ground *ground, uint32_t size, go_ground *found) {
    bool known = size < ground->size_count;
    found->ground = ground;
    found->size = known ? &ground->sizes[size] : NULL;
    found->number = size;
    found->nearest = known ? found->size->body.foot_rise + ground->scale.unit : 0;
    for (uint32_t i = 0; i < go->side; i++) {
        tr_vec2 at = go_node_point(go, i * go->side + i);
        uint32_t other;
        if (!known || !ground_find_column(ground, at.x, ground->grid.origin.z, &found->columns[i], &other))
            found->columns[i] = TR_NONE;
        if (!ground_find_column(ground, ground->grid.origin.x, at.z, &other, &found->rows[i]))
            found->rows[i] = TR_NONE;
    }
}

// tr_ground_is_free for a node.
static bool is_free(const tr_go *go, const go_ground *under, uint32_t node, float y, float *height) {
    uint32_t x = under->columns[go->column[node]], z = under->rows[go->row[node]];
    if (x == TR_NONE || z == TR_NONE)
        return false;
    uint32_t tile = ground_tile_of(under->ground, x, z);
    const ground_tile *cells = &under->ground->tiles[tile];
    if (!ground_is_plain(cells->plain, x, z)) {
        tr_vec2 at = go_node_point(go, node);
        return tr_ground_is_free(under->ground, under->number, tr_vec3_make(at.x, y, at.z), height);
    }
    double floor = ground_height_of(under->ground, cells->floor);
    *height = (float)floor;
    return fabs(floor - y) <= under->nearest && ground_is_plain(under->size->tiles[tile].plain, x, z);
}

void tr_go_open_window(tr_go *go, const tr_ground *ground, const tr_go_walker *walker, uint32_t side,
                       bool level) {
    number_nodes(go, side);
    go->middle = walker->position;
    uint32_t count = side * side, first = 0, last = 0, middle = count / 2, stride = side + 2;
    const int32_t steps[4] = {1, (int32_t)side, -1, -(int32_t)side},
                  marked[4] = {1, (int32_t)stride, -1, -(int32_t)stride};
    go_marks marks;
    clear_marks(&marks, side);
    go_ground under;
    find_lines(go, ground, walker->size, &under);
    for (uint32_t i = 0; i < count; i++)
        go->height[i] = NAN;
    go->height[middle] = walker->position.y;
    marks.seen[stride * stride / 2] = marks.open[stride * stride / 2] = 1;
    go->queue[last++] = middle;
    while (first < last) {
        uint32_t node = go->queue[first++], mark = (go->row[node] + 1u) * stride + go->column[node] + 1;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t next = node + (uint32_t)steps[i], next_mark = mark + (uint32_t)marked[i];
            if (marks.seen[next_mark])
                continue;
            float height;
            if (!is_free(go, &under, next, go->height[node], &height))
                continue;
            marks.seen[next_mark] = 1;
            if (level &&
                !(height - walker->position.y < LEVEL_RISE && height - walker->position.y > -LEVEL_FALL))
                continue;
            go->height[next] = height;
            marks.open[next_mark] = 1;
            go->queue[last++] = next;
        }
    }
    find_steps(go, &marks);
}

// --- Distances ---

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
                tr_go_push(&go->far, to_go, node);
                any = true;
            }
        }
        before = node;
        if (last)
            return any;
    }
}

bool tr_go_begin_distances(tr_go *go, const tr_go_walker *walker) {
    uint32_t count = go->side * go->side;
    for (uint32_t i = 0; i < count; i++) {
        go->to_go[i] = INFINITY;
        go->next[i] = TR_NONE;
    }
    go->far.count = 0;
    return seed(go, walker);
}

// From the way outwards (Dijkstra), until the node is nearer than all that is still to be looked at: searches
// ask for few nodes.
float tr_go_distance(tr_go *go, uint32_t node) {
    int32_t directions[8];
    tr_go_directions(go, directions);
    while (go->far.count && go->to_go[node] > key_of(go->far.entries[0])) {
        go_entry entry = tr_go_pop(&go->far);
        if (entry.key > go->to_go[entry.item])
            continue;
        for (uint32_t steps = go->steps[entry.item]; steps; steps &= steps - 1) {
            uint32_t direction = (uint32_t)__builtin_ctz(steps),
                     next = entry.item + (uint32_t)directions[direction];
            float to_go = entry.key + (direction % 2 ? 1.41421356f * GO_STEP : GO_STEP);
            to_go += go->taken[next] >> 63 ? STANDS_PRICE : 0; // somebody is there for good
            if (to_go < go->to_go[next]) {
                go->to_go[next] = to_go;
                go->next[next] = entry.item;
                go->rejoins[next] = go->rejoins[entry.item];
                tr_go_push(&go->far, to_go, next);
            }
        }
    }
    return go->to_go[node];
}

// --- Times ---

tr_status tr_go_fill_times(tr_go *go, const tr_timeline *timeline, const tr_go_walker *walker, uint32_t slot,
                           uint32_t pace) {
    float half = ((float)go->side * 0.5f) * GO_STEP;
    tr_timeline_window window = {
        .grid = {{go->middle.x - half, go->middle.z - half}, GO_STEP, go->side, go->side},
        .floor = go->height,
        .level = go->middle.y,
        .begin = walker->tick,
        .slot = slot,
        .pace = pace,
        .word_count = 1,
        .radius = walker->radius,
        .height = walker->height,
        .margin = walker->margin,
        .self = walker->body};
    return tr_timeline_fill(timeline, &window, go->taken);
}
