// The search against a plain judge on random graphs, with a witness that hears every event and knows the
// rules. What it refuses, its limits and its memory are in test_search_limits.c.
#include "search_graph.h"
#include "test.h"
#include "troupe/base/hash.h"

#define SPAN 4096 // above every step of a total in the graphs

static tr_search *make_search(tr_search_queue queue, uint32_t node_count) {
    tr_search_def def = {.node_count = node_count, .queue = queue, .span = SPAN};
    tr_search *search = NULL;
    CHECK_INT(tr_search_create(&def, &search, NULL), TR_OK);
    return search;
}

// What the listener should hear, told by its own books: which nodes wait, at which costs.
typedef enum node_state { UNSEEN, WAITING, EXPANDED } node_state;
typedef struct witness {
    const graph *graph;
    tr_search_queue queue;
    bool is_consistent, has_arrived;
    node_state states[GRAPH_NODES_MAX];
    uint32_t costs[GRAPH_NODES_MAX], parents[GRAPH_NODES_MAX];
    uint64_t stamps[GRAPH_NODES_MAX], clock; // when it was put into the queue
    uint32_t current, nearest;               // the last that was expanded; with the least estimate
    uint64_t expanded, improved, reopened;
    uint64_t hash; // of all that was heard
} witness;

static void put(witness *w, uint32_t node, uint32_t parent, uint32_t cost) {
    w->states[node] = WAITING;
    w->costs[node] = cost;
    w->parents[node] = parent;
    w->stamps[node] = ++w->clock;
}

static witness witness_of(const graph *g, tr_search_queue queue, bool is_consistent) {
    witness w = {.graph = g, .queue = queue, .is_consistent = is_consistent};
    w.current = w.nearest = TR_NONE;
    w.hash = TR_HASH_START;
    for (uint32_t i = 0; i < g->start_count; i++) {
        uint32_t node = g->starts[i];
        if (w.states[node] == UNSEEN || g->start_costs[i] < w.costs[node]) {
            w.improved += w.states[node] == WAITING;
            put(&w, node, TR_NONE, g->start_costs[i]);
        }
    }
    return w;
}

// Of all that wait: the least total; among equals the dearest (heap) or the latest (buckets).
static void check_is_first(const witness *w, uint32_t node) {
    uint32_t total = w->costs[node] + w->graph->estimates[node];
    for (uint32_t other = 0; other < w->graph->node_count; other++) {
        if (w->states[other] != WAITING || other == node)
            continue;
        uint32_t its_total = w->costs[other] + w->graph->estimates[other];
        CHECK(its_total >= total);
        if (its_total == total)
            CHECK(w->queue == TR_SEARCH_HEAP ? w->costs[other] <= w->costs[node]
                                             : w->stamps[other] < w->stamps[node]);
    }
}

static void hear_expansion(witness *w, tr_search_event event, uint32_t node, uint32_t parent, uint32_t cost) {
    CHECK_INT(w->states[node], WAITING);
    CHECK_INT(cost, w->costs[node]);
    CHECK_INT(parent, w->parents[node]);
    check_is_first(w, node);
    w->states[node] = EXPANDED;
    w->current = node;
    w->expanded++;
    w->has_arrived = event == TR_SEARCH_ARRIVES;
    if (w->nearest == TR_NONE || w->graph->estimates[node] < w->graph->estimates[w->nearest])
        w->nearest = node;
}

static void hear_child(witness *w, tr_search_event event, uint32_t node, uint32_t parent, uint32_t cost) {
    REQUIRE(w->current != TR_NONE);
    CHECK_INT(parent, w->current);
    bool is_edge = false;
    for (uint32_t i = 0; i < w->graph->edge_counts[parent]; i++)
        is_edge |=
            w->graph->children[parent][i] == node && w->costs[parent] + w->graph->costs[parent][i] == cost;
    CHECK(is_edge);
    if (event == TR_SEARCH_IMPROVES) {
        CHECK_INT(w->states[node], WAITING);
        w->improved++;
    } else {
        CHECK(w->states[node] != WAITING);
    }
    CHECK(w->states[node] == UNSEEN || cost < w->costs[node]);
    if (w->states[node] == EXPANDED) {
        CHECK(!w->is_consistent);
        w->reopened++;
    }
    put(w, node, parent, cost);
}

static void hear(void *user, tr_search_event event, uint32_t node, uint32_t parent, uint32_t cost,
                 uint32_t total) {
    witness *w = user;
    const uint32_t heard[5] = {(uint32_t)event, node, parent, cost, total};
    w->hash = tr_hash(w->hash, heard, sizeof heard);
    REQUIRE(node < w->graph->node_count);
    CHECK(!w->has_arrived);
    CHECK_INT(total, cost + w->graph->estimates[node]);
    if (event == TR_SEARCH_EXPANDS || event == TR_SEARCH_ARRIVES)
        hear_expansion(w, event, node, parent, cost);
    else
        hear_child(w, event, node, parent, cost);
}

// The search's books are the witness's: each event was heard, and nothing happened without one.
static void check_books(const tr_search *search, const witness *w) {
    const graph *g = w->graph;
    tr_search_counters counters = tr_search_count(search);
    uint64_t waiting = 0;
    for (uint32_t node = 0; node < g->node_count; node++) {
        bool is_seen = w->states[node] != UNSEEN;
        waiting += w->states[node] == WAITING;
        CHECK_INT(tr_search_cost(search, node), is_seen ? w->costs[node] : UINT32_MAX);
        CHECK_INT(tr_search_parent(search, node), is_seen ? w->parents[node] : TR_NONE);
        CHECK_INT(tr_search_is_expanded(search, node), w->states[node] == EXPANDED);
        if (w->states[node] != EXPANDED || (w->has_arrived && node == w->current))
            continue;
        for (uint32_t i = 0; i < g->edge_counts[node]; i++) // no edge was overlooked
            CHECK(w->states[g->children[node][i]] != UNSEEN &&
                  w->costs[g->children[node][i]] <= w->costs[node] + g->costs[node][i]);
    }
    CHECK_INT(counters.waiting, waiting);
    CHECK_INT(counters.expanded, w->expanded);
    CHECK_INT(counters.expanded, g->expanded + w->has_arrived);
    CHECK_INT(counters.generated, g->followed);
    CHECK_INT(counters.improved, w->improved);
    CHECK_INT(counters.reopened, w->reopened);
    CHECK_INT(tr_search_nearest(search), w->nearest);
}

// The way that the parents tell leads from a start and adds up.
static void check_way(const tr_search *search, const graph *g, uint32_t node) {
    uint32_t steps = 0;
    for (uint32_t parent; (parent = tr_search_parent(search, node)) != TR_NONE; node = parent) {
        REQUIRE(steps++ < g->node_count);
        bool is_edge = false;
        for (uint32_t i = 0; i < g->edge_counts[parent]; i++)
            is_edge |= g->children[parent][i] == node &&
                       tr_search_cost(search, parent) + g->costs[parent][i] == tr_search_cost(search, node);
        CHECK(is_edge);
    }
    bool is_start = false;
    for (uint32_t i = 0; i < g->start_count; i++)
        is_start |= g->starts[i] == node && g->start_costs[i] == tr_search_cost(search, node);
    CHECK(is_start);
}

static const tr_search_budget no_limit = {0, 0};

static tr_status search_graph(tr_search *search, graph *g, const tr_search_domain *domain, witness *w,
                              tr_search_budget budget) {
    g->expanded = g->followed = 0;
    CHECK_INT(tr_search_begin(search, domain, g->starts, g->start_costs, g->start_count), TR_OK);
    tr_search_listener listener = {hear, w};
    tr_status status;
    while ((status = tr_search_run(search, domain, budget, w ? &listener : NULL)) == TR_PARTIAL)
        CHECK(budget.expansions != 0);
    return status;
}

static void check_answer(const tr_search *search, const graph *g, tr_status status) {
    uint32_t best = graph_best(g);
    CHECK_INT(status, best == UINT32_MAX ? TR_NOT_FOUND : TR_OK);
    uint32_t found = tr_search_found(search);
    if (best == UINT32_MAX) {
        CHECK_INT(found, TR_NONE);
        return;
    }
    REQUIRE(found < g->node_count);
    CHECK(g->goals[found]);
    CHECK_INT(tr_search_cost(search, found), best);
    check_way(search, g, found);
}

static void try_graphs(tr_search_queue queue, graph_estimates kind, uint64_t seed) {
    tr_random random = tr_random_seed(seed);
    tr_search *search = make_search(queue, GRAPH_NODES_MAX); // one for all: generations come and go
    static graph g;
    uint64_t reopened = 0, found = 0, missed = 0;
    for (int trial = 0; trial < 1500; trial++) {
        graph_make(&g, &random);
        graph_guess(&g, &random, kind);
        tr_search_domain domain = graph_domain(&g, kind);
        witness w = witness_of(&g, queue, domain.is_consistent);
        tr_status status = search_graph(search, &g, &domain, &w, no_limit);
        check_answer(search, &g, status);
        check_books(search, &w);
        if (domain.is_consistent) // then the first expansion is by a cheapest way
            for (uint32_t node = 0; node < g.node_count; node++)
                CHECK(!tr_search_is_expanded(search, node) ||
                      tr_search_cost(search, node) == g.from_starts[node]);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), status); // the answer stays
        reopened += w.reopened;
        found += status == TR_OK;
        missed += status == TR_NOT_FOUND;
    }
    CHECK(found > 300 && missed > 300);
    CHECK(kind == GRAPH_ADMISSIBLE ? reopened > 50 : reopened == 0);
    tr_search_destroy(search);
}

TEST(with_a_heap_and_no_estimate_it_is_dijkstra) {
    try_graphs(TR_SEARCH_HEAP, GRAPH_NONE, 1);
}

TEST(with_buckets_and_no_estimate_it_is_dijkstra) {
    try_graphs(TR_SEARCH_BUCKETS, GRAPH_NONE, 2);
}

TEST(a_star_with_a_consistent_estimate_and_a_heap_is_exact_and_expands_nothing_twice) {
    try_graphs(TR_SEARCH_HEAP, GRAPH_CONSISTENT, 3);
}

TEST(a_star_with_a_consistent_estimate_and_buckets_is_exact_and_expands_nothing_twice) {
    try_graphs(TR_SEARCH_BUCKETS, GRAPH_CONSISTENT, 4);
}

TEST(an_inconsistent_estimate_is_exact_by_expanding_again) {
    try_graphs(TR_SEARCH_HEAP, GRAPH_ADMISSIBLE, 5);
}

TEST(a_flood_without_a_goal_gives_the_cost_of_everything_within_reach) {
    tr_random random = tr_random_seed(6);
    for (int queue = TR_SEARCH_HEAP; queue <= TR_SEARCH_BUCKETS; queue++) {
        tr_search *search = make_search((tr_search_queue)queue, GRAPH_NODES_MAX);
        static graph g;
        for (int trial = 0; trial < 500; trial++) {
            graph_make(&g, &random);
            tr_search_domain domain = graph_domain(&g, GRAPH_NONE);
            domain.is_goal = NULL;
            witness w = witness_of(&g, (tr_search_queue)queue, true);
            CHECK_INT(search_graph(search, &g, &domain, &w, no_limit), TR_NOT_FOUND);
            CHECK_INT(tr_search_found(search), TR_NONE);
            check_books(search, &w);
            CHECK_INT(tr_search_count(search).waiting, 0);
            for (uint32_t node = 0; node < g.node_count; node++) {
                CHECK_INT(tr_search_cost(search, node), g.from_starts[node]);
                CHECK_INT(tr_search_is_expanded(search, node), g.from_starts[node] != UINT32_MAX);
            }
        }
        tr_search_destroy(search);
    }
}

// The domain inflates its estimates; the answer is then dearer by no more than that, with or without
// expanding again (Likhachev 2003), and comes sooner.
TEST(inflated_estimates_are_no_dearer_than_their_factor_and_expand_less) {
    tr_random random = tr_random_seed(7);
    tr_search *search = make_search(TR_SEARCH_HEAP, GRAPH_NODES_MAX);
    uint64_t plain = 0, inflated = 0, dearer = 0;
    static graph g;
    for (int trial = 0; trial < 3000; trial++) {
        uint32_t halves = 3 + tr_random_below(&random, 6); // 1.5 to 4
        graph_make(&g, &random);
        graph_guess(&g, &random, GRAPH_CONSISTENT);
        tr_search_domain domain = graph_domain(&g, GRAPH_CONSISTENT);
        search_graph(search, &g, &domain, NULL, no_limit);
        plain += tr_search_count(search).expanded;
        for (uint32_t node = 0; node < g.node_count; node++)
            g.estimates[node] = g.estimates[node] * halves / 2;
        domain.is_consistent = trial % 2;
        witness w = witness_of(&g, TR_SEARCH_HEAP, domain.is_consistent);
        tr_status status = search_graph(search, &g, &domain, &w, no_limit);
        inflated += tr_search_count(search).expanded;
        uint32_t best = graph_best(&g), found = tr_search_found(search);
        CHECK_INT(status, best == UINT32_MAX ? TR_NOT_FOUND : TR_OK);
        if (status != TR_OK)
            continue;
        check_way(search, &g, found);
        CHECK(g.goals[found] && 2 * tr_search_cost(search, found) <= halves * best);
        dearer += tr_search_cost(search, found) > best;
    }
    CHECK(dearer > 20); // or the factor did nothing
    CHECK(inflated < plain);
    tr_search_destroy(search);
}

TEST(small_budgets_one_after_the_other_do_what_one_call_does) {
    tr_random random = tr_random_seed(8);
    static graph g;
    for (int trial = 0; trial < 1500; trial++) {
        tr_search_queue queue = trial % 2 ? TR_SEARCH_BUCKETS : TR_SEARCH_HEAP;
        graph_estimates kind = (graph_estimates)(trial % 3);
        if (queue == TR_SEARCH_BUCKETS && kind == GRAPH_ADMISSIBLE)
            kind = GRAPH_CONSISTENT;
        graph_make(&g, &random);
        graph_guess(&g, &random, kind);
        tr_search_domain domain = graph_domain(&g, kind);
        tr_search *search = make_search(queue, g.node_count);
        witness whole = witness_of(&g, queue, domain.is_consistent), parts = whole;
        tr_status status = search_graph(search, &g, &domain, &whole, no_limit);
        tr_search_counters counters = tr_search_count(search);
        tr_search_budget budget = {1 + tr_random_below(&random, 9), 0};
        CHECK_INT(search_graph(search, &g, &domain, &parts, budget), status);
        check_books(search, &parts);
        CHECK_HASH(parts.hash, whole.hash);
        CHECK_INT(tr_search_count(search).generated, counters.generated);
        CHECK_INT(tr_search_count(search).waiting, counters.waiting);
        tr_search_destroy(search);
    }
}

TEST(a_budget_counts_expansions_exactly_and_the_nearest_so_far_is_known) {
    tr_random random = tr_random_seed(9);
    tr_search *search = make_search(TR_SEARCH_HEAP, GRAPH_NODES_MAX);
    static graph g;
    uint64_t partial = 0;
    for (int trial = 0; trial < 300; trial++) {
        graph_make(&g, &random);
        graph_guess(&g, &random, GRAPH_CONSISTENT);
        tr_search_domain domain = graph_domain(&g, GRAPH_CONSISTENT);
        witness w = witness_of(&g, TR_SEARCH_HEAP, true);
        tr_search_listener listener = {hear, &w};
        REQUIRE(tr_search_begin(search, &domain, g.starts, g.start_costs, g.start_count) == TR_OK);
        CHECK_INT(tr_search_nearest(search), TR_NONE);
        for (uint64_t calls = 1;; calls++) {
            tr_search_budget budget = {2, 0};
            tr_status status = tr_search_run(search, &domain, budget, &listener);
            CHECK_INT(tr_search_nearest(search), w.nearest);
            if (status != TR_PARTIAL)
                break;
            partial++;
            CHECK_INT(tr_search_count(search).expanded, 2 * calls);
            CHECK_INT(tr_search_found(search), TR_NONE);
            CHECK(tr_search_count(search).waiting > 0);
        }
    }
    CHECK(partial > 300);
    tr_search_destroy(search);
}
