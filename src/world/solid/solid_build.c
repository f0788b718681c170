// Trees of triangles: split where that makes the boxes small (binned surface area heuristic), then gathered
// into nodes of eight.
#include "solid_data.h"

#include <float.h>
#include <string.h>

#define BINS 16
#define HALVE_FROM 40 // levels: a deeper tree is halved by number, which always ends

// A triangle while the tree is built.
typedef struct item {
    float low[3], high[3];
    uint32_t number; // in the list
} item;

// A node with two children, while the tree is built: the nodes `child` and child + 1, or the items from
// `first` on.
typedef struct half_node {
    float low[3], high[3];
    uint32_t child; // 0: a leaf
    uint32_t first, count;
} half_node;

typedef struct builder {
    item *items;
    half_node *halves;
    uint32_t half_count;
    const solid_list *list;
    solid_tree made;
} builder;

typedef struct bin {
    float low[3], high[3];
    uint32_t count;
} bin;

static void bin_clear(bin *b) {
    for (int k = 0; k < 3; k++)
        b->low[k] = FLT_MAX, b->high[k] = -FLT_MAX;
    b->count = 0;
}

static void bin_grow(bin *b, const float low[3], const float high[3], uint32_t count) {
    for (int k = 0; k < 3; k++) {
        b->low[k] = low[k] < b->low[k] ? low[k] : b->low[k];
        b->high[k] = high[k] > b->high[k] ? high[k] : b->high[k];
    }
    b->count += count;
}

static double surface(const float low[3], const float high[3]) {
    double x = (double)high[0] - low[0], y = (double)high[1] - low[1], z = (double)high[2] - low[2];
    return x * y + y * z + z * x;
}

// The cost of testing the triangles of a bin: a packet is tested at once.
static double cost(const bin *b) {
    return b->count ? surface(b->low, b->high) * ((b->count + SOLID_WIDTH - 1) / SOLID_WIDTH) : 0;
}

static float twice_middle(const item *i, int axis) {
    return i->low[axis] + i->high[axis];
}

typedef struct cut {
    int axis;
    float from, scale; // a bin is (twice the middle - from) * scale
    uint32_t bins;     // bins below this one form the left half
} cut;

static uint32_t bin_of(const cut *at, const item *i) {
    float place = (twice_middle(i, at->axis) - at->from) * at->scale;
    return place > 0 ? place < BINS ? (uint32_t)place : BINS - 1 : 0;
}

// The best cut along one axis, if it is better than `best`.
static void try_axis(const item *items, uint32_t count, cut at, double *best_cost, cut *best) {
    bin bins[BINS], left;
    double right_costs[BINS];
    for (int i = 0; i < BINS; i++)
        bin_clear(&bins[i]);
    for (uint32_t i = 0; i < count; i++)
        bin_grow(&bins[bin_of(&at, &items[i])], items[i].low, items[i].high, 1);
    bin_clear(&left);
    for (int i = BINS - 1; i > 0; i--) {
        bin_grow(&left, bins[i].low, bins[i].high, bins[i].count);
        right_costs[i] = cost(&left);
    }
    bin_clear(&left);
    for (uint32_t i = 1; i < BINS; i++) {
        bin_grow(&left, bins[i - 1].low, bins[i - 1].high, bins[i - 1].count);
        double both = cost(&left) + right_costs[i];
        if (left.count > 0 && left.count < count && both < *best_cost) {
            *best_cost = both;
            *best = at;
            best->bins = i;
        }
    }
}

// Moves items of the left half to the front; returns their number, 0 when no cut separates them.
static uint32_t part_by_cost(item *items, uint32_t count) {
    float low[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, high[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            float at = twice_middle(&items[i], k);
            low[k] = at < low[k] ? at : low[k];
            high[k] = at > high[k] ? at : high[k];
        }
    double best_cost = INFINITY;
    cut best = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        float extent = high[k] - low[k];
        cut at = {k, low[k], BINS * 0.9999f / extent, 0};
        if (extent > 0 && isfinite(at.scale))
            try_axis(items, count, at, &best_cost, &best);
    }
    uint32_t left = 0;
    for (uint32_t i = 0; best.bins && i < count; i++)
        if (bin_of(&best, &items[i]) < best.bins) {
            item moved = items[i];
            items[i] = items[left];
            items[left++] = moved;
        }
    return left;
}

static void part(builder *b, uint32_t number, uint32_t depth) {
    half_node *node = &b->halves[number];
    item *items = b->items + node->first;
    uint32_t count = node->count;
    bin all;
    bin_clear(&all);
    for (uint32_t i = 0; i < count; i++)
        bin_grow(&all, items[i].low, items[i].high, 1);
    memcpy(node->low, all.low, sizeof node->low);
    memcpy(node->high, all.high, sizeof node->high);
    node->child = 0;
    if (count <= SOLID_WIDTH)
        return;
    uint32_t left = depth < HALVE_FROM ? part_by_cost(items, count) : 0;
    if (left == 0)
        left = count / 2;
    uint32_t child = b->half_count;
    b->half_count += 2;
    node->child = child;
    b->halves[child].first = node->first;
    b->halves[child].count = left;
    b->halves[child + 1].first = node->first + left;
    b->halves[child + 1].count = count - left;
    part(b, child, depth + 1);
    part(b, child + 1, depth + 1);
}

static uint32_t make_packet(builder *b, const half_node *leaf) {
    uint32_t number = b->made.packet_count++;
    memset(&b->made.packets[number], 0, sizeof b->made.packets[number]);
    for (uint32_t lane = 0; lane < SOLID_WIDTH; lane++) {
        uint32_t slot = number * SOLID_WIDTH + lane;
        if (lane < leaf->count) {
            uint32_t triangle = b->items[leaf->first + lane].number;
            b->made.names[slot] = b->list->names[triangle];
            tr_solid_tree_set(&b->made, slot, &b->list->corners[3 * (size_t)triangle]);
        } else {
            b->made.names[slot] = (solid_name){TR_NONE, TR_NONE};
            for (int k = 0; k < 9; k++)
                b->made.packets[number].corner[k][lane] = NAN;
        }
    }
    return number;
}

// The node whose children are the parts of `half`: the largest part is opened until there are eight.
static uint32_t make_node(builder *b, const half_node *half) {
    uint32_t number = b->made.node_count++, parts[SOLID_WIDTH], count = 1;
    parts[0] = (uint32_t)(half - b->halves);
    while (count < SOLID_WIDTH) {
        uint32_t largest = TR_NONE;
        double largest_surface = -1;
        for (uint32_t i = 0; i < count; i++) {
            const half_node *candidate = &b->halves[parts[i]];
            double size = surface(candidate->low, candidate->high);
            if (candidate->child && size > largest_surface)
                largest = i, largest_surface = size;
        }
        if (largest == TR_NONE)
            break;
        uint32_t child = b->halves[parts[largest]].child;
        parts[largest] = child;
        parts[count++] = child + 1;
    }
    for (uint32_t i = 0; i < SOLID_WIDTH; i++) {
        uint32_t made = TR_NONE;
        if (i < count) {
            const half_node *child = &b->halves[parts[i]];
            made = child->child ? make_node(b, child) : SOLID_LEAF | make_packet(b, child);
        }
        b->made.nodes[number].child[i] = made;
    }
    return number;
}

static bool allocate_tree(solid_tree *made, uint32_t leaves, const tr_allocator *allocator) {
    made->packet_count = leaves;
    made->node_capacity = leaves; // every node has two parts or more, but for a root with a single leaf
    made->nodes = tr_allocate(allocator, made->node_capacity, sizeof *made->nodes);
    made->boxes = tr_allocate(allocator, made->node_capacity, sizeof *made->boxes);
    made->packets = tr_allocate(allocator, made->packet_count, sizeof *made->packets);
    made->names = tr_allocate(allocator, (size_t)made->packet_count * SOLID_WIDTH, sizeof *made->names);
    return made->nodes && made->boxes && made->packets && made->names;
}

void tr_solid_tree_release(solid_tree *tree, const tr_allocator *allocator) {
    tr_release(allocator, tree->nodes, tree->node_capacity, sizeof *tree->nodes);
    tr_release(allocator, tree->boxes, tree->node_capacity, sizeof *tree->boxes);
    tr_release(allocator, tree->packets, tree->packet_count, sizeof *tree->packets);
    tr_release(allocator, tree->names, (size_t)tree->packet_count * SOLID_WIDTH, sizeof *tree->names);
    memset(tree, 0, sizeof *tree);
}

uint64_t tr_solid_tree_bytes(const solid_tree *tree) {
    return (uint64_t)tree->node_capacity * (sizeof *tree->nodes + sizeof *tree->boxes) +
           (uint64_t)tree->packet_count * (sizeof *tree->packets + SOLID_WIDTH * sizeof *tree->names);
}

static void fill_items(builder *b) {
    for (uint32_t i = 0; i < b->list->count; i++) {
        tr_box box = tr_box_empty();
        for (int k = 0; k < 3; k++)
            box = tr_box_include(box, b->list->corners[3 * (size_t)i + k]);
        b->items[i] = (item){{box.min.x, box.min.y, box.min.z}, {box.max.x, box.max.y, box.max.z}, i};
    }
}

tr_status tr_solid_tree_build(solid_tree *tree, const tr_allocator *allocator, const solid_list *list,
                              tr_error *error) {
    builder b = {.list = list};
    uint32_t count = list->count;
    if (count > 0) {
        b.items = tr_allocate(allocator, count, sizeof *b.items);
        b.halves = tr_allocate(allocator, count, 2 * sizeof *b.halves);
        bool ready = b.items && b.halves;
        if (ready) {
            fill_items(&b);
            b.halves[0].first = 0;
            b.halves[0].count = count;
            b.half_count = 1;
            part(&b, 0, 0);
            ready = allocate_tree(&b.made, (b.half_count + 1) / 2, allocator);
        }
        if (ready) {
            b.made.packet_count = 0;
            make_node(&b, &b.halves[0]);
            b.made.triangle_count = count;
            tr_solid_tree_refit(&b.made);
        } else {
            tr_solid_tree_release(&b.made, allocator);
        }
        tr_release(allocator, b.items, count, sizeof *b.items);
        tr_release(allocator, b.halves, count, 2 * sizeof *b.halves);
        if (!ready)
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a tree of %u triangles", count);
    }
    tr_solid_tree_release(tree, allocator);
    *tree = b.made;
    return TR_OK;
}

// The error of distances in floats. Corners are relative to the line, so the size of the triangle matters,
// not its place. The distance to a thin triangle is measured to its edges alone: no point of the triangle is
// further from an edge than its height.
static float slack_of(const tr_vec3 corners[3]) {
    double longest = 0, edges[3][3];
    for (int i = 0; i < 3; i++) {
        tr_vec3 from = corners[i], to = corners[(i + 1) % 3];
        double edge[3] = {(double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z};
        double squared = edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2];
        longest = squared > longest ? squared : longest;
        memcpy(edges[i], edge, sizeof edge);
    }
    const double *e = edges[0], *f = edges[1];
    double normal[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]};
    double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    longest = sqrt(longest);
    double height = longest > 0 ? area / longest : 0;
    bool thin = height < 1e-4 * longest || longest < 1e-7;
    double slack = 4e-6 * longest + (thin ? height : 0);
    return thin ? -(float)(slack + FLT_MIN) : (float)slack;
}

void tr_solid_tree_set(solid_tree *tree, uint32_t slot, const tr_vec3 corners[3]) {
    solid_packet *packet = &tree->packets[slot / SOLID_WIDTH];
    uint32_t lane = slot % SOLID_WIDTH;
    for (int i = 0; i < 3; i++) {
        packet->corner[3 * i][lane] = corners[i].x;
        packet->corner[3 * i + 1][lane] = corners[i].y;
        packet->corner[3 * i + 2][lane] = corners[i].z;
    }
    packet->slack[lane] = slack_of(corners);
}

// Skips corners that are NaN.
static tr_box packet_box(const solid_packet *packet) {
    tr_box box = tr_box_empty();
    for (int corner = 0; corner < 3; corner++)
        for (int lane = 0; lane < SOLID_WIDTH; lane++)
            box = tr_box_include(box, tr_vec3_make(packet->corner[3 * corner][lane],
                                                   packet->corner[3 * corner + 1][lane],
                                                   packet->corner[3 * corner + 2][lane]));
    return box;
}

void tr_solid_node_set(solid_node *node, uint32_t child, tr_box box) {
    const float low[3] = {box.min.x, box.min.y, box.min.z}, high[3] = {box.max.x, box.max.y, box.max.z};
    for (int k = 0; k < 3; k++) {
        float middle = 0.5f * low[k] + 0.5f * high[k];
        float above = high[k] - middle, below = middle - low[k];
        bool empty = !(low[k] <= high[k]);
        node->middle[k][child] = empty ? 0 : middle;
        // Every query rounds differences of coordinates a few times, by 1e-7 of their size.
        node->half[k][child] = empty ? -1e30f : (above > below ? above : below) * 1.000004f;
    }
}

void tr_solid_tree_refit(solid_tree *tree) {
    for (uint32_t number = tree->node_count; number-- > 0;) {
        solid_node *node = &tree->nodes[number];
        tree->boxes[number] = tr_box_empty();
        for (uint32_t i = 0; i < SOLID_WIDTH; i++) {
            uint32_t child = node->child[i];
            tr_box box = tr_box_empty();
            if (child != TR_NONE)
                box =
                    child & SOLID_LEAF ? packet_box(&tree->packets[child & ~SOLID_LEAF]) : tree->boxes[child];
            tr_solid_node_set(node, i, box);
            tree->boxes[number] = tr_box_union(tree->boxes[number], box);
        }
    }
}

void tr_solid_tree_drop(solid_tree *tree, uint32_t object) {
    for (uint32_t slot = 0; slot < tree->packet_count * SOLID_WIDTH; slot++) {
        if (tree->names[slot].object != object)
            continue;
        solid_packet *packet = &tree->packets[slot / SOLID_WIDTH];
        for (int k = 0; k < 9; k++)
            packet->corner[k][slot % SOLID_WIDTH] = NAN;
        tree->names[slot].object = TR_NONE;
        tree->triangle_count--;
    }
    tr_solid_tree_refit(tree);
}
