// A tree of postures that grows at random and finds the nearest of them: a k-d tree with buckets. Internal.
#pragma once
#include "troupe/plan/arm.h"

#define REACH_NEAR_ROW 12    // floats of a posture, padded to whole vectors
#define REACH_NEAR_BUCKET 16 // postures of a leaf

typedef struct reach_part {
    float split;       // of `dimension`: smaller values are in the first child
    uint32_t child[2]; // of a leaf: the first is its bucket
    uint8_t dimension; // REACH_NEAR_LEAF: a leaf
    uint8_t count;     // of a leaf
} reach_part;
#define REACH_NEAR_LEAF 255

typedef struct reach_tree {
    float (*rows)[REACH_NEAR_ROW]; // of each node
    uint32_t *parent;
    uint32_t count, limit;
    reach_part *parts;
    uint32_t (*buckets)[REACH_NEAR_BUCKET];
    uint32_t part_count, bucket_count;
} reach_tree;

// Room for `limit` nodes; false: no memory. What was allocated is released by tr_reach_tree_release.
bool tr_reach_tree_reserve(reach_tree *tree, const tr_allocator *allocator, uint32_t limit);
void tr_reach_tree_release(reach_tree *tree, const tr_allocator *allocator);
void tr_reach_tree_clear(reach_tree *tree);
// Adds a node; there must be room.
uint32_t tr_reach_tree_add(reach_tree *tree, const tr_posture *posture, uint32_t parent);
tr_posture tr_reach_tree_at(const reach_tree *tree, uint32_t node);
// The node nearest to a posture, by the root of the sum of squares of all angles. The tree is not empty.
uint32_t tr_reach_tree_nearest(const reach_tree *tree, const tr_posture *to);
