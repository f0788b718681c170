// Growing a tree of moves: the cheapest sequences first. Of those that end alike only a few are kept, each
// with another first move, so that the ends are spread evenly and a blocked way is not the only one.
#include "behavior_tree_data.h"

#include <stdlib.h>
#include <string.h>

#define ALIKE_MOST 8
#define BUNCH_SECTORS 8
#define BUNCHES 4 // their number squared, for each node, about

// A node while the tree grows.
typedef struct sprout {
    float x, z, heading, sine, cosine;
    uint32_t cost, state, frames;
    uint16_t first; // step that the sequence begins with
    uint8_t level;
} sprout;

// Ends that are alike.
typedef struct bucket {
    uint64_t key; // UINT64_MAX: it is empty
    uint16_t count, firsts[ALIKE_MOST];
} bucket;

typedef struct bunch_entry {
    uint64_t key;
    uint32_t node;
} bunch_entry;

typedef struct candidate {
    uint32_t parent, step;
} candidate;

typedef struct grower {
    tr_behavior_tree *tree;
    const tr_behavior *behavior;
    tree_root *root;
    sprout *sprouts; // of the nodes
    bucket *buckets;
    uint32_t bucket_count;
    candidate *candidates; // in the order in which they come
    uint32_t candidate_count, candidate_capacity;
    uint64_t *heap; // their costs and numbers
    uint32_t heap_count, heap_capacity;
    uint32_t *order; // of each node, in the order of costs: its number depth first
} grower;

// --- The queue ---

static bool heap_push(grower *g, uint64_t key) {
    void *heap = g->heap;
    bool room = tr_reserve(&g->tree->allocator, &heap, &g->heap_capacity, (uint64_t)g->heap_count + 1,
                           sizeof *g->heap);
    g->heap = heap;
    if (!room)
        return false;
    uint32_t place = g->heap_count++;
    for (; place > 0 && g->heap[(place - 1) / 4] > key; place = (place - 1) / 4)
        g->heap[place] = g->heap[(place - 1) / 4];
    g->heap[place] = key;
    return true;
}

static uint64_t heap_take(grower *g) {
    uint64_t first = g->heap[0], last = g->heap[--g->heap_count];
    uint32_t place = 0, count = g->heap_count;
    for (;;) {
        uint32_t child = 4 * place + 1, least = child;
        for (uint32_t i = child + 1; i < child + 4 && i < count; i++)
            least = g->heap[i] < g->heap[least] ? i : least;
        if (child >= count || g->heap[least] >= last)
            break;
        g->heap[place] = g->heap[least];
        place = least;
    }
    g->heap[place] = last;
    return first;
}

// --- Ends that are alike ---

static uint64_t key_of(const grower *g, const sprout *end) {
    const tr_behavior_tree *tree = g->tree;
    uint64_t column = (uint64_t)(int64_t)(end->x / tree->cell + 1e6f),
             row = (uint64_t)(int64_t)(end->z / tree->cell + 1e6f);
    float sector = (end->heading * (float)(0.5 / TR_PI) + 2) * (float)tree->sectors + 0.5f;
    uint64_t key = (column << 21 | row) * tree->sectors + (uint64_t)sector % tree->sectors;
    return key * tree->behavior->group_count + tree->behavior->infos[end->state].group;
}

static bucket *find_bucket(const grower *g, uint64_t key) {
    uint32_t place = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & (g->bucket_count - 1);
    while (g->buckets[place].key != UINT64_MAX && g->buckets[place].key != key)
        place = (place + 1) & (g->bucket_count - 1);
    return &g->buckets[place];
}

static bool has_room(const grower *g, const bucket *of, const sprout *end) {
    if (of->key == UINT64_MAX || end->level == 1)
        return true;
    for (uint32_t i = 0; i < of->count; i++)
        if (of->firsts[i] == end->first)
            return false;
    return of->count < g->tree->def.alike;
}

// --- Growing ---

static sprout make_sprout(const grower *g, candidate c) {
    const behavior_step *step = &g->tree->steps[c.step];
    sprout from = {.cosine = 1};
    if (c.parent != TR_NONE)
        from = g->sprouts[c.parent];
    tr_vec2 at = behavior_from((behavior_axes){from.x, from.z, from.sine, from.cosine}, step->x, step->z);
    return (sprout){.x = at.x,
                    .z = at.z,
                    .heading = behavior_turned(from.heading, step->turn),
                    .sine = from.sine * step->cosine + from.cosine * step->sine,
                    .cosine = from.cosine * step->cosine - from.sine * step->sine,
                    .cost = from.cost + step->cost,
                    .state = step->state,
                    .first = c.parent == TR_NONE ? (uint16_t)c.step : from.first,
                    .frames = from.frames + step->frames,
                    .level = (uint8_t)(from.level + 1)};
}

static bool is_far(const sprout *end) { // beyond what keys tell apart, or their costs
    return !(fabsf(end->x) < 1e5f && fabsf(end->z) < 1e5f) || end->cost > UINT32_MAX / 4;
}

static bool add_candidate(grower *g, uint32_t parent, uint32_t step) {
    candidate c = {parent, step};
    sprout end = make_sprout(g, c);
    if (is_far(&end) || !has_room(g, find_bucket(g, key_of(g, &end)), &end))
        return true;
    void *candidates = g->candidates;
    bool room = tr_reserve(&g->tree->allocator, &candidates, &g->candidate_capacity,
                           (uint64_t)g->candidate_count + 1, sizeof c);
    g->candidates = candidates;
    if (!room || !heap_push(g, (uint64_t)end.cost << 32 | g->candidate_count))
        return false;
    g->candidates[g->candidate_count++] = c;
    return true;
}

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// At the root all clips are taken, so that one that collides is not the only one, and elsewhere one at
// random. Special behaviors follow later on only where the map has something for them: a planner adds them.
static bool add_state(grower *g, uint32_t parent, uint32_t state) {
    const tr_behavior_tree *tree = g->tree;
    uint32_t first = tree->first_step[state], end = tree->first_step[state + 1];
    if (parent != TR_NONE && g->behavior->states[state].serves)
        return true;
    if (parent != TR_NONE && !g->behavior->states[state].parametrised) {
        uint64_t chance = mix(tree->def.seed + mix((uint64_t)parent << 16 | state));
        first += (uint32_t)((chance >> 32) * (end - first) >> 32);
        end = first + 1;
    }
    bool fine = true;
    for (uint32_t step = first; step < end && fine; step++)
        fine = add_candidate(g, parent, step);
    return fine;
}

static bool add_successors(grower *g, uint32_t parent) {
    const tree_root *root = g->root;
    const uint32_t *states = root->states;
    uint32_t count = root->state_count;
    if (parent != TR_NONE) {
        const tr_behavior_state *state = &g->behavior->states[g->sprouts[parent].state];
        states = state->successors;
        count = state->successor_count;
    }
    bool fine = true;
    for (uint32_t i = 0; i < count && fine; i++)
        fine = add_state(g, parent, states[i]);
    return fine;
}

static bool add_node(grower *g, candidate c, const sprout *end, bucket *of, uint64_t key) {
    tr_behavior_tree *tree = g->tree;
    void *nodes = tree->nodes;
    bool fine = tr_reserve(&tree->allocator, &nodes, &tree->node_capacity, (uint64_t)tree->node_count + 1,
                           sizeof *tree->nodes);
    tree->nodes = nodes;
    if (!fine)
        return false;
    of->count = of->key == UINT64_MAX ? 0 : of->count;
    of->key = key;
    if (of->count < ALIKE_MOST)
        of->firsts[of->count++] = end->first;
    tree->nodes[tree->node_count++] = (tree_node){c.parent, c.step, 0};
    g->sprouts[g->root->count++] = *end;
    return true;
}

static bool take_candidate(grower *g, bool *is_added) {
    candidate c = g->candidates[(uint32_t)heap_take(g)];
    sprout end = make_sprout(g, c);
    uint64_t key = key_of(g, &end);
    bucket *of = find_bucket(g, key);
    *is_added = has_room(g, of, &end);
    return !*is_added || add_node(g, c, &end, of, key);
}

static bool grow_from(grower *g, uint32_t node) {
    return g->sprouts[node].level == g->tree->def.levels || add_successors(g, node);
}

// All first moves come before any other, however dear they are.
static bool grow(grower *g) {
    bool fine = add_successors(g, TR_NONE), is_added;
    while (fine && g->heap_count > 0)
        fine = take_candidate(g, &is_added);
    for (uint32_t i = 0, count = g->root->count; fine && i < count; i++)
        fine = grow_from(g, i);
    while (fine && g->heap_count > 0 && g->root->count < g->tree->def.node_max) {
        fine = take_candidate(g, &is_added);
        if (fine && is_added)
            fine = grow_from(g, g->root->count - 1);
    }
    return fine;
}

// --- Depth first ---

static bool order_nodes(grower *g) {
    tr_behavior_tree *tree = g->tree;
    uint32_t count = g->root->count, *sizes = tr_allocate(&tree->allocator, 2 * (size_t)count, sizeof *sizes);
    uint32_t *next = sizes + count, first = 0;
    tree_node *nodes = tree->nodes + g->root->first,
              *sorted = tr_allocate(&tree->allocator, count, sizeof *nodes);
    bool fine = sizes && sorted;
    for (uint32_t i = 0; i < count && fine; i++)
        sizes[i] = 1;
    for (uint32_t i = count; i-- > 0 && fine;)
        if (nodes[i].parent != TR_NONE)
            sizes[nodes[i].parent] += sizes[i];
    for (uint32_t i = 0; i < count && fine; i++) { // parents cost less than what follows them
        uint32_t parent = nodes[i].parent, *place = parent == TR_NONE ? &first : &next[parent];
        g->order[i] = *place;
        *place += sizes[i];
        next[i] = g->order[i] + 1;
        sorted[g->order[i]] = (tree_node){parent == TR_NONE ? TR_NONE : g->order[parent], nodes[i].step,
                                          g->order[i] + sizes[i]};
    }
    if (fine && count)
        memcpy(nodes, sorted, count * sizeof *nodes);
    tr_release(&tree->allocator, sizes, 2 * (size_t)count, sizeof *sizes);
    tr_release(&tree->allocator, sorted, count, sizeof *sorted);
    return fine;
}

// --- Bunches of ends ---

// By square, sector and group. Ends with the same key form a bunch.
static uint64_t bunch_key(const grower *g, const sprout *end, float square) {
    uint64_t column = (uint64_t)(int64_t)(end->x / square + 1e6f),
             row = (uint64_t)(int64_t)(end->z / square + 1e6f);
    float sector = (end->heading * (float)(0.5 / TR_PI) + 2) * BUNCH_SECTORS + 0.5f;
    uint64_t key = (column << 21 | row) * BUNCH_SECTORS + (uint64_t)sector % BUNCH_SECTORS;
    return key * g->behavior->group_count + g->behavior->infos[end->state].group;
}

static int compare_keys(const void *left, const void *right) {
    const bunch_entry *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->node < b->node ? -1 : a->node > b->node;
}

// Sorts the nodes by bunches, and within a bunch by cost; returns how many bunches there are.
static uint32_t sort_by_square(const grower *g, bunch_entry *entries, float square) {
    uint32_t count = g->root->count, bunches = count > 0;
    for (uint32_t i = 0; i < count; i++)
        entries[i] = (bunch_entry){bunch_key(g, &g->sprouts[i], square), i};
    qsort(entries, count, sizeof *entries, compare_keys);
    for (uint32_t i = 1; i < count; i++)
        bunches += entries[i].key != entries[i - 1].key;
    return bunches;
}

static void measure_bunch(const tr_behavior_tree *tree, tree_bunch *bunch) {
    float sine = 0, cosine = 0;
    for (uint32_t i = bunch->first; i < bunch->end; i++) {
        const tree_end *end = &tree->ends[i];
        bunch->x += end->x;
        bunch->z += end->z;
        sine += end->sine;
        cosine += end->cosine;
    }
    float count = (float)(bunch->end - bunch->first), length = sqrtf(sine * sine + cosine * cosine);
    bunch->x /= count;
    bunch->z /= count;
    bunch->sine = length > 0 ? sine / length : 0;
    bunch->cosine = length > 0 ? cosine / length : 1;
    for (uint32_t i = bunch->first; i < bunch->end; i++) {
        float x = tree->ends[i].x - bunch->x, z = tree->ends[i].z - bunch->z, away = sqrtf(x * x + z * z);
        bunch->radius = away > bunch->radius ? away : bunch->radius;
    }
}

static void add_ends(grower *g, const bunch_entry *entries) {
    tr_behavior_tree *tree = g->tree;
    tree_root *root = g->root;
    for (uint32_t i = 0; i < root->count; i++) { // as many as nodes
        uint32_t node = entries[i].node;
        const sprout *end = &g->sprouts[node];
        tree->ends[root->first + i] = (tree_end){end->x,    end->z,      end->sine,      end->cosine,
                                                 end->cost, end->frames, g->order[node], end->state};
        if (i > 0 && entries[i].key == entries[i - 1].key)
            continue;
        tree->bunches[tree->bunch_count++] = (tree_bunch){
            .cost = end->cost, .frames = end->frames, .state = end->state, .first = root->first + i};
        root->bunch_count++;
    }
    for (uint32_t i = 0; i < root->bunch_count; i++) {
        tree_bunch *bunch = &tree->bunches[root->first_bunch + i];
        bunch->end = i + 1 < root->bunch_count ? bunch[1].first : root->first + root->count;
        measure_bunch(tree, bunch);
    }
}

// To find the best end, all bunches are looked at and then the ends of a few: both should be few.
static bool make_bunches(grower *g) {
    tr_behavior_tree *tree = g->tree;
    tree_root *root = g->root;
    uint32_t count = root->count, bunches = 0;
    void *ends = tree->ends, *block = tree->bunches;
    bunch_entry *entries = tr_allocate(&tree->allocator, count, sizeof *entries);
    float square = tree->cell;
    do {
        bunches = entries ? sort_by_square(g, entries, square) : 0;
        square *= 1.25f;
    } while ((uint64_t)bunches * bunches > BUNCHES * (uint64_t)count && square < 1e5f);
    root->first_bunch = tree->bunch_count;
    bool fine = entries && tr_reserve(&tree->allocator, &ends, &tree->end_capacity, tree->node_count,
                                      sizeof *tree->ends);
    tree->ends = ends;
    fine = fine && tr_reserve(&tree->allocator, &block, &tree->bunch_capacity,
                              (uint64_t)tree->bunch_count + bunches, sizeof *tree->bunches);
    tree->bunches = block;
    if (fine)
        add_ends(g, entries);
    tr_release(&tree->allocator, entries, count, sizeof *entries);
    return fine;
}

static void release(grower *g) {
    const tr_allocator *memory = &g->tree->allocator;
    tr_release(memory, g->order, g->tree->def.node_max, sizeof *g->order);
    tr_release(memory, g->sprouts, g->tree->def.node_max, sizeof *g->sprouts);
    tr_release(memory, g->buckets, g->bucket_count, sizeof *g->buckets);
    tr_release(memory, g->candidates, g->candidate_capacity, sizeof *g->candidates);
    tr_release(memory, g->heap, g->heap_capacity, sizeof *g->heap);
}

bool tr_behavior_tree_grow(tr_behavior_tree *tree, tree_root *root) {
    grower g = {.tree = tree, .behavior = tree->behavior, .root = root, .bucket_count = 16};
    while (g.bucket_count / 2 < tree->def.node_max)
        g.bucket_count *= 2;
    g.sprouts = tr_allocate(&tree->allocator, tree->def.node_max, sizeof *g.sprouts);
    g.order = tr_allocate(&tree->allocator, tree->def.node_max, sizeof *g.order);
    g.buckets = tr_allocate(&tree->allocator, g.bucket_count, sizeof *g.buckets);
    root->first = tree->node_count;
    bool fine = g.sprouts && g.order && g.buckets;
    if (fine) {
        memset(g.buckets, 0xff, g.bucket_count * sizeof *g.buckets);
        fine = grow(&g) && order_nodes(&g);
    }
    fine = fine && make_bunches(&g);
    release(&g);
    return fine;
}
