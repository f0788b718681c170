// Random graphs for tests of the search, as a domain of its callbacks, and a judge that shares nothing with
// it: sweeps over all edges until nothing changes.
#pragma once
#include "troupe/base/random.h"
#include "troupe/plan/search.h"

#include <string.h>

#define GRAPH_NODES_MAX 60
#define GRAPH_EDGES_MAX 7
#define GRAPH_STARTS_MAX 4

typedef struct graph {
    uint32_t node_count, edge_counts[GRAPH_NODES_MAX];
    uint32_t children[GRAPH_NODES_MAX][GRAPH_EDGES_MAX], costs[GRAPH_NODES_MAX][GRAPH_EDGES_MAX];
    bool goals[GRAPH_NODES_MAX];
    uint32_t estimates[GRAPH_NODES_MAX];
    uint32_t starts[GRAPH_STARTS_MAX], start_costs[GRAPH_STARTS_MAX], start_count;
    // What a judge finds.
    uint32_t from_starts[GRAPH_NODES_MAX], to_goal[GRAPH_NODES_MAX]; // UINT32_MAX: no way
    // What the callbacks saw.
    uint64_t expanded, followed;
} graph;

static inline void graph_expand(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    graph *g = user;
    (void)parent;
    g->expanded++;
    for (uint32_t i = 0; i < g->edge_counts[node]; i++, g->followed++)
        tr_search_follow(step, g->children[node][i], g->costs[node][i]);
}

static inline uint32_t graph_estimate(void *user, uint32_t node) {
    return ((const graph *)user)->estimates[node];
}

static inline bool graph_is_goal(void *user, uint32_t node) {
    return ((const graph *)user)->goals[node];
}

// Every way from a start to everywhere, and from everywhere to a goal.
static inline void graph_judge(graph *g) {
    memset(g->from_starts, 0xff, sizeof g->from_starts);
    memset(g->to_goal, 0xff, sizeof g->to_goal);
    for (uint32_t i = 0; i < g->start_count; i++)
        if (g->start_costs[i] < g->from_starts[g->starts[i]])
            g->from_starts[g->starts[i]] = g->start_costs[i];
    for (uint32_t node = 0; node < g->node_count; node++)
        if (g->goals[node])
            g->to_goal[node] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t node = 0; node < g->node_count; node++)
            for (uint32_t i = 0; i < g->edge_counts[node]; i++) {
                uint32_t child = g->children[node][i], cost = g->costs[node][i];
                if (g->from_starts[node] != UINT32_MAX && g->from_starts[node] + cost < g->from_starts[child])
                    changed = true, g->from_starts[child] = g->from_starts[node] + cost;
                if (g->to_goal[child] != UINT32_MAX && g->to_goal[child] + cost < g->to_goal[node])
                    changed = true, g->to_goal[node] = g->to_goal[child] + cost;
            }
    }
}

// The cheapest way from a start to a goal; UINT32_MAX when there is none.
static inline uint32_t graph_best(const graph *g) {
    uint32_t best = UINT32_MAX;
    for (uint32_t node = 0; node < g->node_count; node++)
        if (g->goals[node] && g->from_starts[node] < best)
            best = g->from_starts[node];
    return best;
}

static inline void graph_make(graph *g, tr_random *random) {
    memset(g, 0, sizeof *g);
    g->node_count = 1 + tr_random_below(random, GRAPH_NODES_MAX);
    uint32_t edges = 1 + tr_random_below(random, GRAPH_EDGES_MAX), cost_max = 1 + tr_random_below(random, 90);
    for (uint32_t node = 0; node < g->node_count; node++) {
        g->edge_counts[node] = tr_random_below(random, edges + 1);
        for (uint32_t i = 0; i < g->edge_counts[node]; i++) {
            g->children[node][i] = tr_random_below(random, g->node_count); // itself, and the same twice, too
            g->costs[node][i] = tr_random_below(random, cost_max + 1);
        }
        g->goals[node] = tr_random_below(random, g->node_count) < 2;
    }
    g->start_count = 1 + tr_random_below(random, GRAPH_STARTS_MAX);
    for (uint32_t i = 0; i < g->start_count; i++) {
        g->starts[i] = tr_random_below(random, g->node_count);
        g->start_costs[i] = tr_random_below(random, cost_max + 1);
    }
    graph_judge(g);
}

typedef enum graph_estimates { GRAPH_NONE, GRAPH_CONSISTENT, GRAPH_ADMISSIBLE } graph_estimates;

// Consistent: a fixed share of the true distance, and the most of all where there is no way. Admissible:
// the truth at one node, little or nothing at another.
static inline void graph_guess(graph *g, tr_random *random, graph_estimates kind) {
    uint32_t percent = tr_random_below(random, 101), most = 0;
    for (uint32_t node = 0; node < g->node_count; node++)
        if (g->to_goal[node] != UINT32_MAX && g->to_goal[node] > most)
            most = g->to_goal[node];
    for (uint32_t node = 0; node < g->node_count; node++) {
        uint32_t truth = g->to_goal[node] == UINT32_MAX ? most : g->to_goal[node];
        if (kind == GRAPH_CONSISTENT)
            g->estimates[node] = truth * percent / 100;
        else if (kind == GRAPH_ADMISSIBLE)
            g->estimates[node] = tr_random_below(random, 2) ? truth : tr_random_below(random, truth / 4 + 1);
        else
            g->estimates[node] = 0;
    }
}

static inline tr_search_domain graph_domain(graph *g, graph_estimates kind) {
    tr_search_domain domain = {g, graph_expand, kind == GRAPH_NONE ? NULL : graph_estimate, graph_is_goal,
                               kind != GRAPH_ADMISSIBLE};
    return domain;
}
