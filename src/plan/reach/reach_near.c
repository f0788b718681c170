// A leaf that overflows is split across its widest dimension, between the two middle values. Nodes of a tree
// that grows at random come in no order, so that this stays balanced enough.
#define SIMD_LANES 4
#include "reach_near.h"
#include "base/simd.h"

#include <math.h>

bool tr_reach_tree_reserve(reach_tree *tree, const tr_allocator *allocator, uint32_t limit) {
    tree->limit = limit;
    bool all = true;
    all &= (tree->rows = tr_allocate(allocator, limit, sizeof *tree->rows)) != NULL;
    all &= (tree->parent = tr_allocate(allocator, limit, sizeof *tree->parent)) != NULL;
    // As a rule a split halves a bucket. Where equal values make it lopsided, buckets may run out: see split.
    all &= (tree->parts = tr_allocate(allocator, 2 * (size_t)limit, sizeof *tree->parts)) != NULL;
    all &= (tree->buckets = tr_allocate(allocator, limit / 4 + 2, sizeof *tree->buckets)) != NULL;
    return all;
}

void tr_reach_tree_release(reach_tree *tree, const tr_allocator *allocator) {
    size_t limit = tree->limit;
    tr_release(allocator, tree->rows, limit, sizeof *tree->rows);
    tr_release(allocator, tree->parent, limit, sizeof *tree->parent);
    tr_release(allocator, tree->parts, 2 * limit, sizeof *tree->parts);
    tr_release(allocator, tree->buckets, limit / 4 + 2, sizeof *tree->buckets);
}

void tr_reach_tree_clear(reach_tree *tree) {
    tree->count = 0;
    tree->part_count = tree->bucket_count = 1;
    tree->parts[0] = (reach_part){.dimension = REACH_NEAR_LEAF};
}

tr_posture tr_reach_tree_at(const reach_tree *tree, uint32_t node) {
    tr_posture posture;
    memcpy(posture.q, tree->rows[node], sizeof posture.q);
    return posture;
}

// The widest dimension of a full bucket, with the two values next to its middle.
static uint8_t widest(const reach_tree *tree, const uint32_t *bucket, float *spread) {
    uint8_t best = 0;
    *spread = 0;
    for (uint8_t d = 0; d < TR_ARM_ANGLES; d++) {
        float low = INFINITY, high = -INFINITY;
        for (int i = 0; i < REACH_NEAR_BUCKET; i++) {
            float value = tree->rows[bucket[i]][d];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        if (high - low > *spread)
            *spread = high - low, best = d;
    }
    return best;
}

// Sorts a bucket by one dimension.
static void sort(const reach_tree *tree, uint32_t *bucket, uint8_t dimension) {
    for (int i = 1; i < REACH_NEAR_BUCKET; i++) {
        uint32_t node = bucket[i];
        int k = i;
        for (; k > 0 && tree->rows[bucket[k - 1]][dimension] > tree->rows[node][dimension]; k--)
            bucket[k] = bucket[k - 1];
        bucket[k] = node;
    }
}

// Splits a full leaf; false: there is no more room. A leaf whose postures are all equal keeps the first of
// them.
static bool split(reach_tree *tree, uint32_t number) {
    reach_part *part = &tree->parts[number];
    uint32_t *bucket = tree->buckets[part->child[0]];
    float spread;
    uint8_t dimension = widest(tree, bucket, &spread);
    if (!(spread > 0)) {
        part->count = 1;
        return true;
    }
    if (tree->bucket_count == tree->limit / 4 + 2 || tree->part_count + 2 > 2 * tree->limit)
        return false;
    sort(tree, bucket, dimension);
    // Of equal values around the middle all go to one side.
    int half = REACH_NEAR_BUCKET / 2;
    while (half > 0 && tree->rows[bucket[half - 1]][dimension] == tree->rows[bucket[half]][dimension])
        half--;
    if (half == 0)
        for (half = REACH_NEAR_BUCKET / 2;
             tree->rows[bucket[half - 1]][dimension] == tree->rows[bucket[half]][dimension];)
            half++;
    uint32_t first = tree->part_count, other = tree->bucket_count++;
    tree->part_count += 2;
    tree->parts[first] =
        (reach_part){.child = {part->child[0]}, .dimension = REACH_NEAR_LEAF, .count = (uint8_t)half};
    tree->parts[first + 1] = (reach_part){
        .child = {other}, .dimension = REACH_NEAR_LEAF, .count = (uint8_t)(REACH_NEAR_BUCKET - half)};
    memcpy(tree->buckets[other], bucket + half, (size_t)(REACH_NEAR_BUCKET - half) * sizeof *bucket);
    part->split = tree->rows[bucket[half]][dimension];
    part->dimension = dimension;
    part->child[0] = first, part->child[1] = first + 1;
    return true;
}

// The leaf that a posture belongs to.
static uint32_t leaf_of(const reach_tree *tree, const float *row) {
    uint32_t number = 0;
    while (tree->parts[number].dimension != REACH_NEAR_LEAF) {
        const reach_part *part = &tree->parts[number];
        number = part->child[row[part->dimension] >= part->split];
    }
    return number;
}

uint32_t tr_reach_tree_add(reach_tree *tree, const tr_posture *posture, uint32_t parent) {
    uint32_t node = tree->count++;
    float *row = tree->rows[node];
    memcpy(row, posture->q, sizeof posture->q);
    for (int i = TR_ARM_ANGLES; i < REACH_NEAR_ROW; i++)
        row[i] = 0;
    tree->parent[node] = parent;
    uint32_t leaf = leaf_of(tree, row);
    if (tree->parts[leaf].count == REACH_NEAR_BUCKET) {
        if (!split(tree, leaf))
            return node; // not found, but still a parent
        leaf = leaf_of(tree, row);
    }
    reach_part *part = &tree->parts[leaf];
    tree->buckets[part->child[0]][part->count++] = node;
    return node;
}

typedef struct near_search {
    const reach_tree *tree;
    simd_float to[REACH_NEAR_ROW / SIMD_LANES];
    float row[REACH_NEAR_ROW], off[REACH_NEAR_ROW]; // distance from the box of the part, by dimension
    float best;
    uint32_t node;
} near_search;

static void scan(near_search *search, const reach_part *part) {
    const uint32_t *bucket = search->tree->buckets[part->child[0]];
    for (int i = 0; i < part->count; i++) {
        const float *row = search->tree->rows[bucket[i]];
        simd_float sum = simd_set(0);
        for (int k = 0; k < REACH_NEAR_ROW / SIMD_LANES; k++) {
            simd_float gap = simd_load(row + k * SIMD_LANES) - search->to[k];
            sum += gap * gap;
        }
        float square = (sum[0] + sum[1]) + (sum[2] + sum[3]);
        if (square < search->best || (square == search->best && bucket[i] < search->node))
            search->best = square, search->node = bucket[i];
    }
}

// `square` is the squared distance from the box of the part.
static void look(near_search *search, uint32_t number, float square) {
    const reach_part *part = &search->tree->parts[number];
    if (part->dimension != REACH_NEAR_LEAF) {
        float side = search->row[part->dimension] - part->split, old = search->off[part->dimension];
        uint32_t near = part->child[side >= 0], far = part->child[side < 0];
        look(search, near, square);
        square += side * side - old * old;
        // Rounding must not hide the nearest.
        if (square * 0.9999f > search->best)
            return;
        search->off[part->dimension] = side;
        look(search, far, square);
        search->off[part->dimension] = old;
        return;
    }
    scan(search, part);
}

uint32_t tr_reach_tree_nearest(const reach_tree *tree, const tr_posture *to) {
    near_search search = {.tree = tree, .best = INFINITY};
    memcpy(search.row, to->q, sizeof to->q);
    for (int k = 0; k < REACH_NEAR_ROW / SIMD_LANES; k++)
        search.to[k] = simd_load(search.row + k * SIMD_LANES);
    look(&search, 0, 0);
    return search.node;
}
