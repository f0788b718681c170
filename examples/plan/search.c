// Two jugs of 5 and 3 litres, a tap and a drain: measure 4 litres and waste as little water as can be. The
// search knows nothing of jugs; the domain says what can be done and what it costs.
#include "troupe/plan/search.h"

#include <stdio.h>

enum { LARGE = 5, SMALL = 3, WANTED = 4, NODES = (LARGE + 1) * (SMALL + 1) };

static uint32_t node_of(uint32_t large, uint32_t small) {
    return large * (SMALL + 1) + small;
}

// Every litre from the tap costs 10, and every move 1 besides.
static void expand(void *user, uint32_t node, uint32_t parent, tr_search_step *step) {
    (void)user;
    (void)parent;
    uint32_t large = node / (SMALL + 1), small = node % (SMALL + 1);
    tr_search_follow(step, node_of(LARGE, small), 1 + 10 * (LARGE - large)); // fill
    tr_search_follow(step, node_of(large, SMALL), 1 + 10 * (SMALL - small));
    tr_search_follow(step, node_of(0, small), 1); // empty
    tr_search_follow(step, node_of(large, 0), 1);
    uint32_t over = large < SMALL - small ? large : SMALL - small; // pour one into the other
    tr_search_follow(step, node_of(large - over, small + over), 1);
    over = small < LARGE - large ? small : LARGE - large;
    tr_search_follow(step, node_of(large + over, small - over), 1);
}

// What is missing must come from the tap: never more than the true cost, and consistent.
static uint32_t estimate(void *user, uint32_t node) {
    (void)user;
    uint32_t litres = node / (SMALL + 1) + node % (SMALL + 1);
    return litres < WANTED ? 10 * (WANTED - litres) : 0;
}

static bool is_goal(void *user, uint32_t node) {
    (void)user;
    return node / (SMALL + 1) == WANTED;
}

static void print_way(const tr_search *search, uint32_t node) {
    if (tr_search_parent(search, node) != TR_NONE)
        print_way(search, tr_search_parent(search, node));
    printf("  %u litres and %u litres, cost %u\n", node / (SMALL + 1), node % (SMALL + 1),
           tr_search_cost(search, node));
}

int main(void) {
    tr_error error;
    tr_search *search;
    const tr_search_def def = {.node_count = NODES, .queue = TR_SEARCH_HEAP};
    if (tr_search_create(&def, &search, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const tr_search_domain jugs = {NULL, expand, estimate, is_goal, true};
    const uint32_t start = node_of(0, 0);
    const tr_search_budget budget = {.expansions = 5}; // what a frame allows
    uint32_t calls = 0;
    tr_status status = tr_search_begin(search, &jugs, &start, NULL, 1);
    for (bool go_on = status == TR_OK; go_on; go_on = status == TR_PARTIAL) {
        status = tr_search_run(search, &jugs, budget, NULL);
        calls++;
    }
    bool found = status == TR_OK;
    if (found)
        print_way(search, tr_search_found(search));
    printf("%llu of %d nodes expanded in %u calls\n", (unsigned long long)tr_search_count(search).expanded,
           NODES, calls);
    printf("%.1f KB; not expanded:", (double)tr_search_bytes(search) / 1024);
    for (uint32_t node = 0; node < NODES; node++)
        if (!tr_search_is_expanded(search, node))
            printf(" %u+%u", node / (SMALL + 1), node % (SMALL + 1));
    printf("\n");
    tr_search_destroy(search);
    return found ? 0 : 1;
}
