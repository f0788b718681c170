// A window of nodes around a body: the nodes to which it can walk, and when others are there.
#define SIMD_LANES 4
#include "go_data.h"
#include "world/ground/ground_data.h"

#include "base/simd.h"

#include <string.h>

#define LEVEL_RISE 0.045f // floor that is higher by no more is still walked on [m]
#define LEVEL_FALL 0.012f

uint32_t tr_go_node_at(const tr_go *go, tr_vec3 point) {
    int half = (int)go->side / 2;
    float x = (point.x - go->middle.x) / GO_STEP, z = (point.z - go->middle.z) / GO_STEP;
    if (!(fabsf(x) <= (float)half + 0.49f && fabsf(z) <= (float)half + 0.49f))
        return TR_NONE;
    // Relative to the corner nothing is negative, so truncation rounds down.
    x = x + 0.5f + (float)half;
    z = z + 0.5f + (float)half;
    int column = (int)x, row = (int)z;
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

// Marks of the nodes with a rim around them, so that no test for the border of the window is needed.
typedef struct go_marks {
    uint8_t seen[RIM_SIDE * RIM_SIDE];
    uint8_t open[RIM_SIDE * RIM_SIDE + 8]; // eight are read at once
} go_marks;

static void clear_open(go_marks *marks, uint32_t side) {
    memset(marks->open, 0, (side + 2) * (side + 2) + 8);
}

static void clear_seen(go_marks *marks, uint32_t side) {
    uint32_t stride = side + 2;
    memset(marks->seen, 1, stride * stride);
    for (uint32_t row = 1; row <= side; row++)
        memset(&marks->seen[row * stride + 1], 0, side);
}

static uint64_t eight(const uint8_t *bytes) {
    uint64_t all;
    memcpy(&all, bytes, sizeof all);
    return all;
}

// Steps from eight nodes: every byte is 0 or 1, so none is shifted into the next.
static uint64_t steps_from(const uint8_t *above, const uint8_t *here, const uint8_t *below) {
    uint64_t right = eight(here + 2), under = eight(below + 1), left = eight(here), up = eight(above + 1);
    uint64_t diagonal = (right & under & eight(below + 2)) << 1 | (under & left & eight(below)) << 3 |
                        (left & up & eight(above)) << 5 | (up & right & eight(above + 2)) << 7;
    return (right | under << 2 | left << 4 | up << 6 | diagonal) & eight(here + 1) * 255;
}

// Steps to open nodes. Both nodes beside a diagonal one are open: no corner is cut.
static void find_steps(tr_go *go, const go_marks *marks) {
    uint32_t side = go->side, stride = side + 2;
    for (uint32_t row = 0; row < side; row++) {
        const uint8_t *above = &marks->open[row * stride], *here = above + stride, *below = here + stride;
        for (uint32_t i = 0; i < side; i += 8) {
            uint64_t steps = steps_from(above + i, here + i, below + i);
            memcpy(&go->steps[row * side + i], &steps, sizeof steps); // what is too much is overwritten
        }
    }
}

// The ground under the nodes: the columns and rows are the same for all nodes of a line.
typedef struct go_ground {
    const tr_ground *ground;
    const ground_size *size;
    uint32_t number; // of the size
    double nearest;
    uint32_t columns[GO_SIDE_MAX], rows[GO_SIDE_MAX]; // TR_NONE: outside the ground
} go_ground;

static void find_lines(const tr_go *go, const tr_ground *ground, uint32_t size, go_ground *found) {
    bool known = size < ground->size_count;
    const tr_grid *grid = &ground->grid;
    found->ground = ground;
    found->size = known ? &ground->sizes[size] : NULL;
    found->number = size;
    found->nearest = known ? found->size->body.foot_rise + ground->scale.unit : 0;
    for (uint32_t i = 0; i < go->side; i++) {
        tr_vec2 at = go_node_point(go, i * go->side + i);
        found->columns[i] =
            known ? ground_find_line(at.x, grid->origin.x, grid->cell, grid->columns) : TR_NONE;
        found->rows[i] = ground_find_line(at.z, grid->origin.z, grid->cell, grid->rows);
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

// --- The floor, if all of it has the same height ---

// A bit for each node of a row.
typedef struct go_rows {
    uint64_t plain[64]; // one cell to stand on, at the common height
    uint64_t open[64];  // and free
} go_rows;

// Nodes of a row whose columns are bits of the same word of the ground.
typedef struct go_word {
    uint32_t tile;  // column of tiles
    uint32_t cells; // the bits of the nodes in the word
    uint32_t first, end;
} go_word;

static uint32_t find_words(const tr_go *go, const go_ground *under, go_word *words) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < go->side; i++) {
        uint32_t tile = under->columns[i] / GROUND_TILE;
        if (count == 0 || words[count - 1].tile != tile)
            words[count++] = (go_word){tile, 0, i, i};
        words[count - 1].cells |= 1u << under->columns[i] % GROUND_TILE;
        words[count - 1].end = i + 1;
    }
    return count;
}

// The nodes of a word whose bits are set.
static uint64_t nodes_in(const go_ground *under, const go_word *word, uint32_t bits) {
    uint64_t nodes = 0;
    if ((bits & word->cells) == word->cells)
        return (~(uint64_t)0 >> (64 - (word->end - word->first))) << word->first;
    for (uint32_t i = word->first; i < word->end; i++)
        nodes |= (uint64_t)(bits >> under->columns[i] % GROUND_TILE & 1) << i;
    return nodes;
}

// Finds the plain and free nodes. false: the plain ones differ in height, or part of the window is outside
// the ground.
static bool find_plain(const tr_go *go, const go_ground *under, go_rows *rows, uint16_t *floor) {
    go_word words[64];
    uint32_t side = go->side;
    // Lines increase: their ends are enough.
    if (side > 64 || under->columns[0] == TR_NONE || under->columns[side - 1] == TR_NONE ||
        under->rows[0] == TR_NONE || under->rows[side - 1] == TR_NONE)
        return false;
    uint32_t word_count = find_words(go, under, words);
    const tr_ground *ground = under->ground;
    *floor = ground->tiles[ground_tile_of(ground, under->columns[side / 2], under->rows[side / 2])].floor;
    for (uint32_t row = 0; row < side; row++) {
        uint32_t z = under->rows[row], first = z / GROUND_TILE * ground->tile_columns;
        rows->plain[row] = rows->open[row] = 0;
        for (uint32_t i = 0; i < word_count; i++) {
            const ground_tile *tile = &ground->tiles[first + words[i].tile];
            uint32_t plain = tile->plain[z % GROUND_TILE],
                     open = plain & under->size->tiles[first + words[i].tile].plain[z % GROUND_TILE];
            if (plain & words[i].cells && tile->floor != *floor)
                return false;
            rows->plain[row] |= nodes_in(under, &words[i], plain);
            rows->open[row] |= nodes_in(under, &words[i], open);
        }
    }
    return true;
}

// Bits of `open` that are connected without a gap to those of `from`, which are among them.
static uint64_t spread(uint64_t from, uint64_t open) {
    uint64_t left = open, right = open, before = from, after = from;
    for (uint32_t by = 1; by < 64; by *= 2) { // as far as all bits between are open
        before |= left & before << by;
        after |= right & after >> by;
        left &= left << by;
        right &= right >> by;
    }
    return before | after;
}

// Over open nodes from the reached ones, row by row down and up again until nothing changes.
static void flood(uint64_t *reached, const uint64_t *open, uint32_t side) {
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < 2 * side; i++) {
            uint32_t row = i < side ? i : 2 * side - 1 - i;
            uint64_t beside = (row > 0 ? reached[row - 1] : 0) | (row + 1 < side ? reached[row + 1] : 0),
                     from = reached[row] | (beside & open[row]);
            if (from == reached[row])
                continue;
            reached[row] = spread(from, open[row]);
            more = true;
        }
    }
}

static bool is_level(float height, float own) {
    return height - own < LEVEL_RISE && height - own > -LEVEL_FALL;
}

// Tests the nodes beside reached ones that are not plain: those at the common height are open. false: one has
// another height and can be stepped on.
static bool try_odd(const tr_go *go, const go_ground *under, const tr_go_walker *walker, bool level,
                    float height, go_rows *rows, const uint64_t *reached, bool *more) {
    uint32_t side = go->side;
    uint64_t all = ~(uint64_t)0 >> (64 - side);
    for (uint32_t row = 0; row < side; row++) {
        uint64_t beside = reached[row] << 1 | reached[row] >> 1 | (row > 0 ? reached[row - 1] : 0) |
                          (row + 1 < side ? reached[row + 1] : 0);
        for (uint64_t odd = beside & ~rows->plain[row] & all; odd; odd &= odd - 1) {
            float its;
            uint64_t bit = odd & -odd;
            rows->plain[row] |= bit; // from now on like any plain one
            if (!is_free(go, under, row * side + (uint32_t)__builtin_ctzll(odd), height, &its))
                continue;
            if (its == height) {
                rows->open[row] |= bit;
                *more = true;
            } else if (!level || is_level(its, walker->position.y))
                return false;
        }
    }
    return true;
}

// Eight bits as bytes, each 0 or 1, the lowest first (little-endian).
static uint64_t bytes_of(uint64_t bits) {
    uint64_t own = (bits & 255) * 0x0101010101010101u & 0x8040201008040201u; // each byte its own bit
    return (own + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

// Marks the nodes of a row whose bits are set. What is written beyond the row is 0, like the rim, or is
// overwritten with the next row.
static void open_row(tr_go *go, go_marks *marks, uint32_t row, uint64_t bits, float height) {
    uint32_t side = go->side;
    uint8_t *open = &marks->open[(row + 1) * (side + 2) + 1];
    float *heights = &go->height[row * side];
    for (uint32_t i = 0; i < side; i += 8) {
        uint64_t bytes = bytes_of(bits >> i);
        memcpy(open + i, &bytes, sizeof bytes);
    }
    uint32_t i = 0;
    for (; i + 4 <= side; i += 4)
        simd_store_float(heights + i,
                         simd_select(simd_mask(bits >> i & 15), simd_set(height), simd_set(NAN)));
    for (; i < side; i++)
        heights[i] = bits >> i & 1 ? height : NAN;
}

// Most windows: a single floor, with objects on it and above. false: it is not so, and nothing was changed.
static bool open_plain(tr_go *go, const go_ground *under, const tr_go_walker *walker, bool level,
                       go_marks *marks) {
    go_rows rows;
    uint16_t units;
    uint32_t side = go->side, half = side / 2;
    if (!under->size || !find_plain(go, under, &rows, &units))
        return false;
    double floor = ground_height_of(under->ground, units);
    float height = (float)floor, own = walker->position.y;
    uint64_t middle = (uint64_t)1 << half, reached[64] = {0};
    if (own != height && (fabs(floor - own) > under->nearest || (level && !is_level(height, own)) ||
                          !(rows.plain[half - 1] & rows.plain[half + 1] & rows.plain[half] >> 1 &
                            rows.plain[half] << 1 & middle)))
        return false;
    reached[half] = middle;
    rows.open[half] |= middle;
    rows.plain[half] |= middle;
    for (bool more = true; more;) {
        flood(reached, rows.open, side);
        more = false;
        if (!try_odd(go, under, walker, level, height, &rows, reached, &more))
            return false;
    }
    for (uint32_t row = 0; row < side; row++)
        open_row(go, marks, row, reached[row], height);
    go->height[side * side / 2] = own;
    return true;
}

// From node to node: whether a node can be stood on depends on the height of the node before.
static void open_uneven(tr_go *go, const go_ground *under, const tr_go_walker *walker, bool level,
                        go_marks *marks) {
    uint32_t side = go->side, count = side * side, first = 0, last = 0, middle = count / 2, stride = side + 2;
    const int32_t steps[4] = {1, (int32_t)side, -1, -(int32_t)side},
                  marked[4] = {1, (int32_t)stride, -1, -(int32_t)stride};
    clear_seen(marks, side);
    for (uint32_t i = 0; i < count; i++)
        go->height[i] = NAN;
    go->height[middle] = walker->position.y;
    marks->seen[stride * stride / 2] = marks->open[stride * stride / 2] = 1;
    go->queue[last++] = middle;
    while (first < last) {
        uint32_t node = go->queue[first++], mark = (go->row[node] + 1u) * stride + go->column[node] + 1;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t next = node + (uint32_t)steps[i], next_mark = mark + (uint32_t)marked[i];
            if (marks->seen[next_mark])
                continue;
            float height;
            if (!is_free(go, under, next, go->height[node], &height))
                continue;
            marks->seen[next_mark] = 1;
            if (level && !is_level(height, walker->position.y))
                continue;
            go->height[next] = height;
            marks->open[next_mark] = 1;
            go->queue[last++] = next;
        }
    }
}

void tr_go_open_window(tr_go *go, const tr_ground *ground, const tr_go_walker *walker, uint32_t side,
                       bool level) {
    number_nodes(go, side);
    go->middle = walker->position;
    go_marks marks;
    clear_open(&marks, side);
    go_ground under;
    find_lines(go, ground, walker->size, &under);
    if (!open_plain(go, &under, walker, level, &marks))
        open_uneven(go, &under, walker, level, &marks);
    find_steps(go, &marks);
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
