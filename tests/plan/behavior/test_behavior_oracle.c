// The planner beside an exhaustive search: it finds a plan exactly where there is one, and the cheapest.
#include "behavior_replay.h"

#define ACTIONS 200

typedef struct planner {
    tr_behavior_search *search;
    tr_behavior_action actions[ACTIONS];
    tr_behavior_plan plan;
    tr_behavior_result result;
    tr_error error;
} planner;

static bool make_planner(planner *p) {
    memset(p, 0, sizeof *p);
    p->plan.actions = p->actions;
    p->plan.action_max = ACTIONS;
    return tr_behavior_search_create(NULL, 1u << 18, &p->search, NULL) == TR_OK;
}

static tr_behavior_query query_of(const lattice *l) {
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
    return query;
}

static double find(planner *p, const lattice *l, const tr_behavior_query *query) {
    tr_status status = tr_behavior_find(p->search, NULL, l->map, query, &p->plan, &p->result, &p->error);
    if (status == TR_NOT_FOUND)
        return (double)INFINITY;
    if (status != TR_OK)
        test_failed(__FILE__, __LINE__, "%s: %s", tr_status_name(status), p->error.message);
    double cost = replay(l, &p->plan);
    CHECK_NEAR(p->plan.cost, cost, 0.01);
    return cost;
}

typedef struct tally {
    uint32_t found, none, special, dearer, cut;
    uint64_t nodes, written_nodes, inflated_nodes, field_nodes;
} tally;

static void compare(planner *p, const lattice *l, tr_random *random, tally *t) {
    tr_behavior_query query = query_of(l);
    double least = lattice_least(l), cost = find(p, l, &query);
    bool exists = least < (double)INFINITY;
    CHECK_INT(cost < (double)INFINITY, exists);
    if (exists)
        CHECK_NEAR(cost, least, 0.01);
    *(exists ? &t->found : &t->none) += 1;
    t->nodes += p->result.nodes;
    for (uint32_t i = 0; exists && i < p->plan.action_count; i++)
        t->special += p->plan.actions[i].state == 6;
    query.as_written = true; // keeps who comes first: finds a plan, not always the cheapest
    cost = find(p, l, &query);
    CHECK_INT(cost < (double)INFINITY, exists);
    CHECK(!exists || cost > least - 0.01);
    t->dearer += exists && cost > least + 0.01;
    t->written_nodes += p->result.nodes;
    query.as_written = false;
    query.inflation = 1 + 2 * tr_random_unit(random);
    cost = find(p, l, &query);
    CHECK_INT(cost < (double)INFINITY, exists);
    CHECK(!exists || (cost > least - 0.01 && cost < least * (double)query.inflation + 0.01));
    t->inflated_nodes += p->result.nodes;
    query.heuristic = TR_BEHAVIOR_FIELD;
    query.inflation = 1;
    cost = find(p, l, &query);
    CHECK_INT(cost < (double)INFINITY, exists);
    CHECK(!exists || (cost > least - 0.01 && cost < least * 1.5 + 0.01));
    t->field_nodes += p->result.nodes;
    query.heuristic = TR_BEHAVIOR_STRAIGHT;
    query.method = TR_BEHAVIOR_TRUNCATED;
    query.queue_max = 1 + tr_random_below(random, 60);
    cost = find(p, l, &query);
    CHECK(!(cost < least - 0.01));
    CHECK(cost < (double)INFINITY || !exists || p->result.dropped > 0);
    t->cut += p->result.dropped > 0;
}

static tally compare_many(uint64_t seed, uint32_t count, bool moves) {
    tr_random random = tr_random_seed(seed);
    static planner p;
    tally t = {0};
    if (!make_planner(&p))
        return t;
    for (uint32_t i = 0; i < count; i++) {
        lattice l;
        if (lattice_make(&l, &random, moves))
            compare(&p, &l, &random, &t);
        else
            test_failed(__FILE__, __LINE__, "a world could not be made");
        lattice_drop(&l);
    }
    tr_behavior_search_destroy(p.search);
    return t;
}

TEST(in_worlds_that_stand_still_the_cheapest_plan_is_found_exactly_where_there_is_one) {
    tally t = compare_many(41, 2000, false);
    CHECK(t.found > 400 && t.none > 400 && t.special > 30 && t.cut > 100);
    CHECK(t.inflated_nodes < t.nodes && t.field_nodes <= t.nodes && t.dearer > 50);
}

TEST(in_worlds_that_move_the_cheapest_plan_is_found_exactly_where_there_is_one) {
    tally t = compare_many(42, 700, true);
    CHECK(t.found > 150 && t.none > 150 && t.special > 10);
}
