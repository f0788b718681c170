// troupe/plan/search.h - a best-first search over any graph: Dijkstra, A*, weighted A*. Route, surface_route
// (by effort) and reach run on it; planners of your own can.
//
// The search keeps the nodes, the queue, the budget and the counters. A domain supplies the meaning of a
// node, its edges, an estimate of the distance to the goal, and the goal test. Costs are whole numbers (fixed
// point: the domain chooses the unit), so that the order of expansion, and with it the result, is the same on
// every platform.
#pragma once
#include "troupe/base/allocator.h"
#include "troupe/base/status.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_search tr_search;

typedef enum tr_search_queue {
    TR_SEARCH_HEAP,   // any costs; among equal totals the node furthest from the start comes first
    TR_SEARCH_BUCKETS // a bucket for each total: faster, where totals never step by more than `span`; among
                      // equal totals the node generated last comes first
} tr_search_queue;

typedef struct tr_search_def {
    const tr_allocator *allocator; // NULL: malloc
    uint32_t node_count;           // nodes are 0 to node_count - 1 [1, 2^31)
    tr_search_queue queue;
    uint32_t span; // TR_SEARCH_BUCKETS: the most by which a child's total exceeds its parent's [1, 2^20]
} tr_search_def;

// Allocates all memory: 17 bytes a node, and 16 more with a heap. Nothing allocates afterwards.
TR_API tr_status tr_search_create(const tr_search_def *def, tr_search **search, tr_error *error);
TR_API void tr_search_destroy(tr_search *search); // NULL is allowed
TR_API uint64_t tr_search_bytes(const tr_search *search);

// Limits of one call, after which it returns TR_PARTIAL; 0 means no limit. Time is checked every 64
// expansions. Only a search that is cut short by microseconds may differ from run to run.
typedef struct tr_search_budget {
    uint64_t expansions, microseconds;
} tr_search_budget;

typedef struct tr_search_counters {
    uint64_t expanded;  // nodes taken from the queue: the node's edges were followed, or it was the goal
    uint64_t generated; // edges followed
    uint64_t improved;  // nodes reached again more cheaply while in the queue
    uint64_t reopened;  // the same after they had been expanded (only where the estimate is inconsistent)
    uint64_t waiting;   // nodes now in the queue
} tr_search_counters;

typedef enum tr_search_event {
    TR_SEARCH_EXPANDS,
    TR_SEARCH_GENERATES,
    TR_SEARCH_IMPROVES,
    TR_SEARCH_ARRIVES
} tr_search_event;

// Is told of every step, for pictures and pages. `total` is cost + estimate. Must not call back into the
// search.
typedef struct tr_search_listener {
    void (*hear)(void *user, tr_search_event event, uint32_t node, uint32_t parent, uint32_t cost,
                 uint32_t total);
    void *user;
} tr_search_listener;

// A domain's expand calls this for each edge. `cost` is that of the edge. A child that is not a valid node is
// ignored.
typedef struct tr_search_step tr_search_step;
TR_API void tr_search_follow(tr_search_step *step, uint32_t child, uint32_t cost);

// Callbacks must be deterministic: the same node gives the same answer throughout a search.
typedef struct tr_search_domain {
    void *user;
    void (*expand)(void *user, uint32_t node, uint32_t parent,
                   tr_search_step *step);            // parent TR_NONE for a start
    uint32_t (*estimate)(void *user, uint32_t node); // never more than the true cost; NULL: 0 (Dijkstra)
    bool (*is_goal)(void *user, uint32_t node);      // NULL: none, the search floods every reachable node
    bool is_consistent; // no estimate exceeds its neighbour's by more than the edge costs: no node is ever
                        // expanded twice
} tr_search_domain;

// Discards the last search and begins a new one with these start nodes at these costs (NULL: 0). The time
// does not depend on the number of nodes, except for every 127th call. A listener is not told of start nodes.
// TR_INVALID: there is no start, a start is not a valid node, `expand` is missing, or the queue has buckets
// and the domain is not consistent or the totals of the starts lie further apart than the span. TR_LIMIT: the
// total of a start is 2^32 - 1 or more. On failure the last search is unchanged.
TR_API tr_status tr_search_begin(tr_search *search, const tr_search_domain *domain, const uint32_t *starts,
                                 const uint32_t *costs, uint32_t count);
// Continues the search. TR_OK: a goal was reached by a cheapest path (tr_search_found). TR_NOT_FOUND: every
// reachable node was expanded and none is a goal. TR_PARTIAL: the budget ran out; call again to continue.
// TR_LIMIT: a cost or a total reached 2^32 - 1 or more, or a total left the span of the buckets; the search
// is over.
TR_API tr_status tr_search_run(tr_search *search, const tr_search_domain *domain, tr_search_budget budget,
                               const tr_search_listener *listener);

TR_API uint32_t tr_search_found(const tr_search *search); // the goal reached; TR_NONE before
TR_API uint32_t
tr_search_nearest(const tr_search *search); // the expanded node with the least estimate; TR_NONE if none
TR_API uint32_t tr_search_cost(const tr_search *search,
                               uint32_t node); // from the start; UINT32_MAX when not reached
TR_API uint32_t tr_search_parent(const tr_search *search,
                                 uint32_t node); // TR_NONE for a start or when not reached
TR_API bool tr_search_is_expanded(const tr_search *search, uint32_t node);
TR_API tr_search_counters tr_search_count(const tr_search *search);

TR_END_DECLARATIONS
