// troupe/plan/behavior_tree.h - plans behaviors with a tree of moves that is made beforehand (Lau & Kuffner
// 2006, "Precomputed search trees: planning for interactive goal-driven animation").
//
// The tree has all sequences of moves of a machine, from every label that a character may be in, as far as
// they go and thinned out so that their ends are spread evenly. To plan, it is placed where the character is.
// Its ends are looked up by where they are; only the moves on the way to the best of them are tested. Where
// the goal is further away than the tree reaches, trees are chained.
#pragma once
#include "troupe/plan/behavior_search.h"

TR_BEGIN_DECLARATIONS

// Zero is the default for each member but the machine.
typedef struct tr_behavior_tree_def {
    const tr_allocator *allocator; // NULL: malloc
    const tr_behavior *behavior;   // must outlive the tree
    // Of the tree of each label, which has all first moves in any case [up to 2^20]; 0: 2^12
    uint32_t node_max;
    uint32_t levels;     // moves in a row, at most [up to 64]; 0: 32
    uint32_t parameters; // how many parameters of a parametrised state are taken
                         // [up to TR_BEHAVIOR_PARAMETERS_MAX]; 0: 3
    // Ends count as alike if they are in the same square of this size [m], face the same sector of this angle
    // [rad] and may be followed by the same states. 0: a third of the mean length of the moves that go
    // somewhere; pi / 6.
    float cell, angle;
    uint32_t alike; // ends that are alike, at most; each begins with another move [up to 8]; 0: 2
    uint64_t seed;  // of the choice among the clips of a state
} tr_behavior_tree_def;

// Read-only once created: any number of threads may plan with it.
typedef struct tr_behavior_tree tr_behavior_tree;

// TR_INVALID: a value is out of range. TR_OUT_OF_MEMORY.
TR_API tr_status tr_behavior_tree_create(const tr_behavior_tree_def *def, tr_behavior_tree **tree,
                                         tr_error *error);
TR_API void tr_behavior_tree_destroy(tr_behavior_tree *tree); // NULL is allowed
TR_API uint64_t tr_behavior_tree_bytes(const tr_behavior_tree *tree);

// --- Plans ---
// Allocates what planning with this tree and a map of this size needs, in addition to what
// tr_behavior_search_reserve does. Otherwise the first query does.
TR_API tr_status tr_behavior_tree_reserve(const tr_behavior_tree *tree, tr_behavior_search *search,
                                          const tr_behavior_map *map, uint32_t goal_count, tr_error *error);

// Finds a plan, as tr_behavior_find does: the same queries, plans, statuses and reasons, and the same tests
// of moves. tr_behavior_resume goes on. What differs:
// - `expanded` of the result, and of the budget, counts trees that were placed.
// - The method must be TR_BEHAVIOR_ASTAR, and not `as_written`; `parameters` are those of the tree.
// - `inflation` and `heuristic` say which ends are the best: by their costs, plus the inflated cost that is
//   expected from there on. The straight heuristic knows no dead ends; TR_BEHAVIOR_FIELD is what serves well.
// - TR_INVALID also if a weight of the machine was changed since the tree was made.
TR_API tr_status tr_behavior_tree_find(const tr_behavior_tree *tree, tr_behavior_search *search,
                                       const tr_behavior_map *map, const tr_behavior_query *query,
                                       tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error);

// --- For pictures ---
// The tree of a label, placed at (0, 0) with heading 0.
TR_API uint32_t tr_behavior_tree_places(const tr_behavior_tree *tree, uint32_t label);
// Parents come first; that of the first moves is TR_NONE. `frame` counts from the beginning. false: there is
// no such place.
TR_API bool tr_behavior_tree_place(const tr_behavior_tree *tree, uint32_t label, uint32_t index,
                                   tr_behavior_place *place);

TR_END_DECLARATIONS
