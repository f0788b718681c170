// Planning with a tree beside an exhaustive search: it finds a plan exactly where there is one.
#include "behavior_replay.h"
#include "troupe/plan/behavior_tree.h"

#define ACTIONS 200

typedef struct tally {
    uint32_t found, none, special;
    double worst, ratios;
} tally;

static void compare(tr_behavior_search *search, const lattice *l, tr_random *random, tally *t) {
    static tr_behavior_action actions[ACTIONS];
    tr_behavior_plan plan = {.actions = actions, .action_max = ACTIONS};
    tr_behavior_tree_def def = {.behavior = l->behavior,
                                .node_max = 20 + tr_random_below(random, 500),
                                .cell = tr_random_below(random, 2) ? 0.5f : 0,
                                .alike = 1 + tr_random_below(random, 3),
                                .seed = tr_random_bits(random)};
    tr_behavior_tree *tree;
    tr_error error = {0};
    REQUIRE(tr_behavior_tree_create(&def, &tree, &error) == TR_OK);
    tr_behavior_query query = tr_behavior_query_default();
    query.start = l->start;
    query.heading = (float)l->heading * 1.57079633f;
    query.goals = l->goals;
    query.goal_count = l->goal_count;
    query.tolerance = 0.25f;
    query.cell = 0.5f;
    query.angle = 1.57079633f;
    query.seconds = TICK / 30.0f;
    query.frame_max = l->moves_at_all ? LAYERS * TICK : 0;
    query.inflation = 1 + 2 * tr_random_unit(random);
    query.heuristic = tr_random_below(random, 3) ? TR_BEHAVIOR_FIELD : TR_BEHAVIOR_STRAIGHT;
    double least = lattice_least(l);
    bool exists = least < (double)INFINITY;
    tr_status status = tr_behavior_tree_find(tree, search, l->map, &query, &plan, NULL, &error);
    CHECK_INT(status, exists ? TR_OK : TR_NOT_FOUND);
    if (status == TR_OK) {
        double cost = replay(l, &plan);
        CHECK_NEAR(plan.cost, cost, 0.01);
        CHECK(cost > least - 0.01);
        t->found++;
        t->ratios += least > 0 ? cost / least : 1;
        t->worst = least > 0 && cost / least > t->worst ? cost / least : t->worst;
    }
    t->none += !exists;
    for (uint32_t i = 0; i < plan.action_count && status == TR_OK; i++)
        t->special += actions[i].state == 6;
    tr_behavior_tree_destroy(tree);
}

static tally compare_many(uint64_t seed, uint32_t count, bool moves) {
    tr_random random = tr_random_seed(seed);
    tr_behavior_search *search = NULL;
    tally t = {0};
    if (tr_behavior_search_create(NULL, 1u << 18, &search, NULL) != TR_OK)
        return t;
    for (uint32_t i = 0; i < count; i++) {
        lattice l;
        if (lattice_make(&l, &random, moves))
            compare(search, &l, &random, &t);
        else
            test_failed(__FILE__, __LINE__, "a world could not be made");
        lattice_drop(&l);
    }
    tr_behavior_search_destroy(search);
    printf("  found %u, none %u, special %u, cost %.3f of the least, worst %.2f\n", t.found, t.none,
           t.special, t.ratios / t.found, t.worst);
    return t;
}

TEST(in_worlds_that_stand_still_a_tree_finds_a_plan_exactly_where_there_is_one) {
    tally t = compare_many(51, 1200, false);
    CHECK(t.found > 400 && t.none > 400 && t.special > 30);
    CHECK(t.ratios / t.found < 1.3);
}

TEST(in_worlds_that_move_a_tree_finds_a_plan_exactly_where_there_is_one) {
    tally t = compare_many(52, 450, true);
    CHECK(t.found > 150 && t.none > 150 && t.special > 10);
    CHECK(t.ratios / t.found < 1.3);
}
