// What the search refuses, where its numbers end, its memory, and time as a budget.
#include "search_graph.h"
#include "test.h"
#include "troupe/base/clock.h"

#include <stdlib.h>

static const tr_search_budget no_limit = {0, 0};

// A row of nodes: 0, 1, 2, ... with the same cost for each step, or a cost of its own for the last.
typedef struct chain {
    uint32_t length, step, last_step, goal;
    uint32_t estimate, estimated; // of this node; 0 elsewhere
    uint64_t nanoseconds;         // that an expansion takes at least
} chain;

static void chain_expand(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    const chain *c = user;
    CHECK_INT(parent, node == 0 ? TR_NONE : node - 1);
    uint64_t begin = c->nanoseconds ? tr_clock_nanoseconds() : 0;
    while (c->nanoseconds && tr_clock_nanoseconds() - begin < c->nanoseconds) {
    }
    if (node + 1 < c->length)
        tr_search_follow(step, node + 1, node + 2 == c->length ? c->last_step : c->step);
}

static uint32_t chain_estimate(void *user, uint32_t node) {
    const chain *c = user;
    return node == c->estimated ? c->estimate : 0;
}

static bool chain_is_goal(void *user, uint32_t node) {
    return node == ((const chain *)user)->goal;
}

static tr_search_domain chain_domain(chain *c) {
    tr_search_domain domain = {c, chain_expand, chain_estimate, chain_is_goal, true};
    return domain;
}

static tr_search *make_search(tr_search_queue queue, uint32_t node_count, uint32_t span) {
    tr_search_def def = {.node_count = node_count, .queue = queue, .span = span};
    tr_search *search = NULL;
    CHECK_INT(tr_search_create(&def, &search, NULL), TR_OK);
    return search;
}

static tr_status begin_at_0(tr_search *search, const tr_search_domain *domain) {
    uint32_t start = 0;
    return tr_search_begin(search, domain, &start, NULL, 1);
}

TEST(a_bad_definition_gets_a_sentence) {
    const struct {
        tr_search_def def;
        const char *sentence;
    } bad[] = {
        {{.node_count = 0}, "0 nodes"},
        {{.node_count = 1u << 31}, "2147483648 nodes"},
        {{.node_count = UINT32_MAX}, "4294967295 nodes"},
        {{.node_count = 5, .queue = TR_SEARCH_BUCKETS}, "span of the buckets is 0"},
        {{.node_count = 5, .queue = TR_SEARCH_BUCKETS, .span = (1u << 20) + 1}, "is 1048577"},
        {{.node_count = 5, .queue = (tr_search_queue)2, .span = 5}, "there is no queue 2"},
    };
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        tr_error error = {0};
        tr_search *search = (tr_search *)&error;
        CHECK_INT(tr_search_create(&bad[i].def, &search, &error), TR_INVALID);
        CHECK_CONTAINS(error.message, bad[i].sentence);
        CHECK(search == NULL);
        CHECK_INT(tr_search_create(&bad[i].def, &search, NULL), TR_INVALID);
    }
    tr_search_destroy(NULL);
}

TEST(a_new_search_knows_nothing) {
    chain c = {.length = 3};
    tr_search_domain domain = chain_domain(&c);
    for (int queue = TR_SEARCH_HEAP; queue <= TR_SEARCH_BUCKETS; queue++) {
        tr_search *search = make_search((tr_search_queue)queue, 3, 10);
        CHECK_INT(tr_search_found(search), TR_NONE);
        CHECK_INT(tr_search_nearest(search), TR_NONE);
        for (uint32_t node = 0; node < 5; node++) { // beyond the last, too
            CHECK_INT(tr_search_cost(search, node), UINT32_MAX);
            CHECK_INT(tr_search_parent(search, node), TR_NONE);
            CHECK(!tr_search_is_expanded(search, node));
        }
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_NOT_FOUND);
        CHECK_INT(tr_search_count(search).expanded, 0);
        tr_search_destroy(search);
    }
}

TEST(a_beginning_that_is_refused_leaves_the_last_search_as_it_was) {
    chain c = {.length = 10, .step = 3, .last_step = 3, .goal = 6};
    tr_search_domain domain = chain_domain(&c), blind = domain, wild = domain;
    blind.expand = NULL;
    wild.is_consistent = false;
    const uint32_t beyond = 10, far = TR_NONE, two[2] = {0, 1}, apart[2] = {0, 1000},
                   too_dear[2] = {0, UINT32_MAX};
    for (int queue = TR_SEARCH_HEAP; queue <= TR_SEARCH_BUCKETS; queue++) {
        bool buckets = queue == TR_SEARCH_BUCKETS;
        tr_search *search = make_search((tr_search_queue)queue, 10, 60);
        REQUIRE(begin_at_0(search, &domain) == TR_OK);
        tr_search_budget three = {3, 0};
        CHECK_INT(tr_search_run(search, &domain, three, NULL), TR_PARTIAL);
        CHECK_INT(tr_search_begin(search, &domain, two, NULL, 0), TR_INVALID);
        CHECK_INT(tr_search_begin(search, &domain, &beyond, NULL, 1), TR_INVALID);
        CHECK_INT(tr_search_begin(search, &domain, &far, NULL, 1), TR_INVALID);
        CHECK_INT(begin_at_0(search, &blind), TR_INVALID);
        CHECK_INT(tr_search_begin(search, &domain, two, too_dear, 2), TR_LIMIT);
        if (buckets) {
            CHECK_INT(tr_search_begin(search, &domain, two, apart, 2), TR_INVALID); // not in one ring
            CHECK_INT(begin_at_0(search, &wild), TR_INVALID);
        }
        CHECK_INT(tr_search_count(search).expanded, 3);
        CHECK_INT(tr_search_cost(search, 3), 9);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_OK);
        CHECK_INT(tr_search_found(search), 6);
        CHECK_INT(tr_search_cost(search, 6), 18);
        tr_search_destroy(search);
    }
}

// 2^32 - 1 stands for "not reached": the dearest way costs one less.
TEST(costs_up_to_the_last_number_are_exact_and_beyond_it_the_limit_is_reported) {
    for (int queue = TR_SEARCH_HEAP; queue <= TR_SEARCH_BUCKETS; queue++) {
        tr_search *search = make_search((tr_search_queue)queue, 5000, 1u << 20);
        chain c = {.length = 4097, .step = 1u << 20, .goal = 4096}; // 4095 steps and the last
        tr_search_domain domain = chain_domain(&c);
        c.last_step = (1u << 20) - 2;
        REQUIRE(begin_at_0(search, &domain) == TR_OK);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_OK);
        CHECK_INT(tr_search_cost(search, 4096), UINT32_MAX - 1);
        for (uint32_t more = 1; more <= 2; more++) {
            c.last_step = (1u << 20) - 2 + more;
            REQUIRE(begin_at_0(search, &domain) == TR_OK);
            for (int call = 0; call < 3; call++) // it stays the answer
                CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_LIMIT);
            CHECK_INT(tr_search_found(search), TR_NONE);
            CHECK_INT(tr_search_cost(search, 4095), 4095u << 20);
            CHECK_INT(tr_search_cost(search, 4096), UINT32_MAX);
        }
        tr_search_destroy(search);
    }
}

TEST(totals_beyond_the_last_number_are_reported_too) {
    tr_search *search = make_search(TR_SEARCH_HEAP, 3, 0);
    chain c = {.length = 3, .step = 1000, .last_step = 1, .goal = 1, .estimated = 1};
    tr_search_domain domain = chain_domain(&c);
    const struct {
        uint32_t estimate;
        tr_status status;
    } cases[] = {{UINT32_MAX - 1001, TR_OK}, {UINT32_MAX - 1000, TR_LIMIT}, {UINT32_MAX - 999, TR_LIMIT}};
    for (uint32_t i = 0; i < 3; i++) {
        c.estimate = cases[i].estimate;
        REQUIRE(begin_at_0(search, &domain) == TR_OK);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), cases[i].status);
    }
    c.estimated = 0;
    c.estimate = UINT32_MAX - 1;
    CHECK_INT(begin_at_0(search, &domain), TR_OK);
    c.estimate = UINT32_MAX;
    CHECK_INT(begin_at_0(search, &domain), TR_LIMIT);
    tr_search_destroy(search);
}

TEST(a_total_out_of_the_span_is_reported_and_nothing_is_lost) {
    tr_search *search = make_search(TR_SEARCH_BUCKETS, 10, 100);
    chain wide = {.length = 5, .step = 3, .last_step = 1000, .goal = 4};
    chain falling = {.length = 5, .step = 3, .last_step = 3, .goal = 4, .estimated = 2, .estimate = 90};
    chain *broken[2] = {&wide, &falling}; // too far ahead; below what was expanded before
    for (uint32_t i = 0; i < 2; i++) {
        tr_search_domain domain = chain_domain(broken[i]);
        REQUIRE(begin_at_0(search, &domain) == TR_OK);
        for (int call = 0; call < 3; call++)
            CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_LIMIT);
        CHECK_INT(tr_search_found(search), TR_NONE);
        CHECK_INT(tr_search_cost(search, i ? 2 : 3), i ? 6 : 9);
        chain good = {.length = 10, .step = 100, .last_step = 100, .goal = 9};
        domain = chain_domain(&good);
        REQUIRE(begin_at_0(search, &domain) == TR_OK);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_OK);
        CHECK_INT(tr_search_cost(search, 9), 900);
    }
    tr_search_destroy(search);
}

TEST(starts_may_be_far_from_zero) {
    for (int queue = TR_SEARCH_HEAP; queue <= TR_SEARCH_BUCKETS; queue++) {
        tr_search *search = make_search((tr_search_queue)queue, 10, 60);
        chain c = {.length = 10, .step = 50, .last_step = 60, .goal = 9, .estimate = 40};
        tr_search_domain domain = chain_domain(&c);
        const uint32_t start = 0, cost = 3000000000;
        REQUIRE(tr_search_begin(search, &domain, &start, &cost, 1) == TR_OK);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_OK);
        CHECK_INT(tr_search_cost(search, 9), cost + 8 * 50 + 60);
        tr_search_destroy(search);
    }
}

// Rings are powers of two: what is out of the span but fits does no harm, the next one is reported.
TEST(the_first_total_that_does_not_fit_the_ring_is_reported) {
    tr_search *search = make_search(TR_SEARCH_BUCKETS, 10, 100);
    for (uint32_t step = 1; step < 300; step++) {
        chain c = {.length = 5, .step = 3, .last_step = step, .goal = 4};
        tr_search_domain domain = chain_domain(&c);
        REQUIRE(begin_at_0(search, &domain) == TR_OK);
        CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), step < 128 ? TR_OK : TR_LIMIT);
        CHECK_INT(tr_search_cost(search, 4), step < 128 ? 9 + step : UINT32_MAX);
    }
    tr_search_destroy(search);
}

static void expand_beyond(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    (void)user;
    (void)parent;
    tr_search_follow(step, node + 1, 1);
    tr_search_follow(step, TR_NONE, 1);
}

TEST(children_that_do_not_exist_are_not_followed) {
    tr_search *search = make_search(TR_SEARCH_BUCKETS, 7, 1);
    tr_search_domain domain = {.expand = expand_beyond, .is_consistent = true};
    REQUIRE(begin_at_0(search, &domain) == TR_OK);
    CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_NOT_FOUND);
    CHECK_INT(tr_search_count(search).expanded, 7);
    CHECK_INT(tr_search_count(search).generated, 6);
    tr_search_destroy(search);
}

// States of nodes carry the number of the search in seven bits: what was seen 127 searches ago must not
// count.
TEST(hundreds_of_searches_do_not_see_each_other) {
    for (int queue = TR_SEARCH_HEAP; queue <= TR_SEARCH_BUCKETS; queue++) {
        tr_search *search = make_search((tr_search_queue)queue, 100, 8);
        for (uint32_t i = 0; i < 600; i++) {
            chain c = {.length = i % 127 == 0 ? 100 : 1 + i % 5, .step = 1 + i % 7, .last_step = 8};
            c.goal = i % 2 ? 1 : TR_NONE; // every other one ends with something still waiting, or nearly
            tr_search_domain domain = chain_domain(&c);
            REQUIRE(begin_at_0(search, &domain) == TR_OK);
            bool found = c.goal < c.length;
            CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), found ? TR_OK : TR_NOT_FOUND);
            uint32_t seen = found ? 2 : c.length;
            CHECK_INT(tr_search_count(search).expanded, seen);
            for (uint32_t node = 0; node < 100; node++) {
                uint32_t cost = node * c.step - (node && node + 1 == c.length ? c.step - 8 : 0);
                CHECK_INT(tr_search_cost(search, node), node < seen ? cost : UINT32_MAX);
                CHECK_INT(tr_search_is_expanded(search, node), node < seen);
            }
        }
        tr_search_destroy(search);
    }
}

// Buckets far apart in a wide ring: the two levels of bits that find the next one, around the end of the
// ring.
TEST(rings_of_every_width_find_the_next_bucket) {
    tr_random random = tr_random_seed(10);
    for (uint32_t bits = 0; bits <= 20; bits++) {
        uint32_t span = bits % 2 || bits == 0 ? 1u << bits : (1u << bits) - 1; // which fills its ring
        tr_search *search = make_search(TR_SEARCH_BUCKETS, GRAPH_NODES_MAX, span);
        static graph g;
        for (int trial = 0; trial < 60; trial++) {
            graph_make(&g, &random);
            for (uint32_t node = 0; node < g.node_count; node++)
                for (uint32_t i = 0; i < g.edge_counts[node]; i++)
                    g.costs[node][i] = trial % 2 ? tr_random_below(&random, span + 1)
                                                 : span - tr_random_below(&random, span < 8 ? span : 8);
            for (uint32_t i = 0; i < g.start_count; i++)
                g.start_costs[i] = tr_random_below(&random, span + 1);
            graph_judge(&g);
            tr_search_domain domain = graph_domain(&g, GRAPH_NONE);
            domain.is_goal = NULL;
            CHECK_INT(tr_search_begin(search, &domain, g.starts, g.start_costs, g.start_count), TR_OK);
            CHECK_INT(tr_search_run(search, &domain, no_limit, NULL), TR_NOT_FOUND);
            for (uint32_t node = 0; node < g.node_count; node++)
                CHECK_INT(tr_search_cost(search, node), g.from_starts[node]);
        }
        tr_search_destroy(search);
    }
}

TEST(a_budget_of_time_stops_at_a_64th_expansion_and_going_on_ends_the_same) {
    tr_search *search = make_search(TR_SEARCH_HEAP, 1000, 0);
    chain c = {.length = 1000, .step = 2, .last_step = 5, .goal = 999, .nanoseconds = 500};
    tr_search_domain domain = chain_domain(&c);
    REQUIRE(begin_at_0(search, &domain) == TR_OK);
    tr_search_budget one = {0, 1}; // 64 expansions take 30 microseconds and more
    tr_status status;
    uint32_t calls = 0;
    uint64_t before = 0;
    while ((status = tr_search_run(search, &domain, one, NULL)) == TR_PARTIAL && calls < 1000) {
        uint64_t expanded = tr_search_count(search).expanded;
        CHECK_INT(expanded % 64, 63);
        CHECK(expanded > before); // each call goes on
        before = expanded;
        calls++;
    }
    CHECK_INT(status, TR_OK);
    CHECK_INT(calls, 15); // after 63, 127, ..., 959
    CHECK_INT(tr_search_cost(search, 999), 998 * 2 + 5);
    CHECK_INT(tr_search_count(search).expanded, 1000);
    tr_search_destroy(search);
}

TEST(the_greatest_budgets_are_no_limit) {
    tr_search *search = make_search(TR_SEARCH_BUCKETS, 1000, 5);
    chain c = {.length = 1000, .step = 2, .last_step = 5, .goal = 999};
    tr_search_domain domain = chain_domain(&c);
    REQUIRE(begin_at_0(search, &domain) == TR_OK);
    tr_search_budget ten = {10, 0}, all = {UINT64_MAX, UINT64_MAX}, wraps = {0, UINT64_MAX / 1000 + 1};
    CHECK_INT(tr_search_run(search, &domain, ten, NULL), TR_PARTIAL);
    CHECK_INT(tr_search_run(search, &domain, all, NULL), TR_OK);
    REQUIRE(begin_at_0(search, &domain) == TR_OK);
    CHECK_INT(tr_search_run(search, &domain, wraps, NULL), TR_OK);
    tr_search_destroy(search);
}

static bool create(const tr_allocator *allocator, tr_search_queue queue, uint32_t span) {
    tr_search_def def = {allocator, 100, queue, span};
    tr_search *search;
    tr_error error = {0};
    tr_status status = tr_search_create(&def, &search, &error);
    CHECK((status == TR_OK) == (search != NULL));
    if (status != TR_OK) {
        CHECK_INT(status, TR_OUT_OF_MEMORY);
        CHECK_CONTAINS(error.message, "100 nodes");
    }
    tr_search_destroy(search);
    return status == TR_OK;
}
static bool create_heap(const tr_allocator *allocator) {
    return create(allocator, TR_SEARCH_HEAP, 0);
}
static bool create_buckets(const tr_allocator *allocator) {
    return create(allocator, TR_SEARCH_BUCKETS, 1000);
}
static bool create_both(const tr_allocator *allocator) {
    return create(allocator, TR_SEARCH_HEAP, 1000);
}

TEST(nothing_leaks_whichever_allocation_fails) {
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_heap), 4);
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_buckets), 6);
    CHECK_INT(CHECK_EVERY_ALLOCATION_FAILURE(create_both), 7);
}

TEST(the_bytes_are_those_of_the_allocator_and_searching_takes_no_more) {
    for (uint32_t bits = 0; bits <= 21; bits++) {
        test_memory memory = {0};
        tr_allocator allocator = test_memory_allocator(&memory);
        tr_search_def def = {&allocator, 1 + bits * 977, TR_SEARCH_BUCKETS, (1u << bits) - (bits == 20)};
        if (bits == 21) {
            def.queue = TR_SEARCH_HEAP;
            def.span = 0;
        }
        tr_search *search;
        REQUIRE(tr_search_create(&def, &search, NULL) == TR_OK);
        CHECK_INT(tr_search_bytes(search), memory.live_bytes);
        uint64_t per_node = def.queue == TR_SEARCH_HEAP ? 33 : 17;
        CHECK(memory.live_bytes >= per_node * def.node_count);
        if (def.queue == TR_SEARCH_HEAP)
            CHECK(memory.live_bytes < per_node * def.node_count + 512);
        uint64_t calls = memory.calls;
        for (int search_number = 0; search_number < 130; search_number++) {
            chain c = {.length = def.node_count, .step = 1, .last_step = 1, .goal = TR_NONE};
            tr_search_domain domain = chain_domain(&c);
            CHECK_INT(begin_at_0(search, &domain), TR_OK);
            tr_search_budget budget = {search_number ? 50 : 0, 0};
            tr_search_run(search, &domain, budget, NULL);
        }
        CHECK_INT(memory.calls, calls);
        tr_search_destroy(search);
        CHECK_INT(memory.live_bytes, 0);
    }
}
