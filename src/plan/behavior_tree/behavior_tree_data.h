// plan/behavior_tree/behavior_tree_data.h - a tree of moves that is made beforehand, and how it is placed.
// Internal to plan/behavior_tree.
#pragma once
#include "plan/behavior/behavior_step.h"
#include "troupe/plan/behavior_tree.h"

// The tree of a list of states that a character may begin with. Nodes, ends and bunches of all roots lie in
// the same arrays. Nodes are in depth-first order, so that what follows a node is a range of them.
typedef struct tree_root {
    const uint32_t *states; // that it may begin with
    uint32_t state_count;
    uint32_t first, count; // of its nodes, and its ends
    uint32_t first_bunch, bunch_count;
} tree_root;

// Ends of a root that lie in the same square, face about the same way and may be followed by the same states.
typedef struct tree_bunch {
    float x, z, sine, cosine; // of their middle
    float radius;             // around it
    uint32_t cost, frames;    // of the cheapest
    uint32_t state;           // of one of them
    uint32_t first, end;      // ends
} tree_bunch;

// Where a node ends, as seen from the root: what a planner looks up.
typedef struct tree_end {
    float x, z, sine, cosine;
    uint32_t cost, frames, node; // node: from `first` of its root on
    uint32_t state;
} tree_end;

typedef struct tree_node {
    uint32_t parent; // from `first` of its root on; TR_NONE: it is a first move
    uint32_t step;
    uint32_t end; // after all that follow it
} tree_node;

struct tr_behavior_tree {
    tr_allocator allocator;
    tr_behavior_tree_def def;
    const tr_behavior *behavior;
    float *weights;       // of the states when the tree was made
    behavior_step *steps; // what a node may add
    uint32_t *first_step; // of each state; and the end
    uint32_t step_count, step_max;
    uint32_t *specials;      // steps of special behaviors, by the groups that they may follow
    uint32_t *first_special; // of each group; and the end
    uint32_t special_max;
    float special_reach;      // the furthest that they go until their actions [m]
    behavior_sample *samples; // of steps with parameters
    uint32_t sample_count, sample_max;
    uint32_t *beginners;   // the states, by the labels that they begin with
    tree_root *roots;      // of the groups, then of labels that are no group
    uint32_t *label_roots; // of each label
    uint32_t root_count, root_max;
    float cell; // of ends that are alike
    uint32_t sectors;
    tree_node *nodes;
    tree_end *ends;
    uint32_t node_count, node_capacity;
    uint32_t end_capacity;
    tree_bunch *bunches;
    uint32_t bunch_count, bunch_capacity;
    uint32_t node_most, bunch_most; // of a root
};

// Grows the tree of a root and appends its nodes and ends (behavior_tree_grow.c). false: no memory.
bool tr_behavior_tree_grow(tr_behavior_tree *tree, tree_root *root);
