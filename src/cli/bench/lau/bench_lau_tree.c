// Trees that are made beforehand (Lau & Kuffner 2006) beside the searches, on the same queries.
#include "bench_lau_figures.h"
#include "troupe/base/random.h"
#include "troupe/plan/behavior_tree.h"

#include <math.h>
#include <stdio.h>

#define QUERIES 60
#define EDGE 2.0f // of the scene, without starts and goals [m]

typedef struct lau_way {
    const char *name, *what;
    bool by_tree;
    tr_behavior_heuristic heuristic;
    float inflation;
} lau_way;

static const lau_way ways[] = {
    {"astar", "A*, straight heuristic, the cheapest plans", false, TR_BEHAVIOR_STRAIGHT, 1},
    {"field", "inflated A*, weight 2, field and outlook", false, TR_BEHAVIOR_FIELD, 2},
    {"query", "a tree that is made beforehand, weight 2, field", true, TR_BEHAVIOR_FIELD, 2},
};
#define WAYS (sizeof ways / sizeof *ways)

typedef struct lau_answer {
    double us, cost; // NAN: there is no plan
} lau_answer;

static tr_vec2 free_place(const lau_stand *stand, tr_random *random) {
    const tr_box *box = &stand->sample.ground;
    tr_vec2 place;
    do
        place = tr_vec2_make(tr_random_between(random, box->min.x + EDGE, box->max.x - EDGE),
                             tr_random_between(random, box->min.z + EDGE, box->max.z - EDGE));
    while (!tr_behavior_map_is_free(stand->map, 0, place, 0));
    return place;
}

static lau_answer plan(lau_stand *stand, const tr_behavior_tree *tree, const lau_way *way,
                       tr_behavior_query query) {
    query.heuristic = way->heuristic;
    query.inflation = way->inflation;
    uint64_t begin = bench_thread_nanoseconds();
    tr_status status = way->by_tree ? tr_behavior_tree_find(tree, stand->search, stand->map, &query,
                                                            &stand->plan, &stand->result, &stand->error)
                                    : tr_behavior_find(stand->search, NULL, stand->map, &query, &stand->plan,
                                                       &stand->result, &stand->error);
    lau_answer answer = {(double)(bench_thread_nanoseconds() - begin) / 1e3, (double)NAN};
    if (status == TR_OK)
        answer.cost = stand->plan.cost;
    return answer;
}

// Those queries count for which the exact search finds a plan.
static void report(bench_report *bench, lau_answer answers[WAYS][QUERIES], uint32_t count) {
    double medians[WAYS];
    for (size_t w = 0; w < WAYS; w++) {
        double times[QUERIES], ratio = 0;
        uint32_t exist = 0, found = 0;
        char name[40], what[140];
        for (uint32_t i = 0; i < count; i++) {
            if (isnan(answers[0][i].cost))
                continue;
            times[exist++] = answers[w][i].us;
            if (isnan(answers[w][i].cost))
                continue;
            found++;
            ratio += answers[0][i].cost > 0 ? answers[w][i].cost / answers[0][i].cost : 1;
        }
        if (exist == 0)
            return;
        medians[w] = bench_median(times, exist); // sorts them
        snprintf(name, sizeof name, "%s_us", ways[w].name);
        snprintf(what, sizeof what, "%s: median of %u plans", ways[w].what, exist);
        lau_add(bench, "tree", name, what, medians[w], "us", (double)NAN);
        snprintf(name, sizeof name, "%s_p99_us", ways[w].name);
        lau_add(bench, "tree", name, "the same: 99 of 100 are faster", times[(exist - 1) * 99 / 100], "us",
                (double)NAN);
        snprintf(name, sizeof name, "%s_cost_ratio", ways[w].name);
        lau_add(bench, "tree", name, "the same: mean cost, of that of A*", ratio / found, "times",
                (double)NAN);
        snprintf(name, sizeof name, "%s_missed", ways[w].name);
        lau_add(bench, "tree", name, "the same: plans that it does not find", 100.0 * (exist - found) / exist,
                "%", (double)NAN);
    }
    lau_add(bench, "tree", "speedup", "A* with the straight heuristic beside a tree: medians",
            medians[0] / medians[WAYS - 1], "times", (double)NAN);
    lau_add(bench, "tree", "field_speedup", "inflated A* with the field beside a tree: medians",
            medians[1] / medians[WAYS - 1], "times", (double)NAN);
}

bool lau_measure_tree(bench_report *bench, const tr_behavior *machine) {
    static lau_answer answers[WAYS][QUERIES];
    lau_scene scene = {.sample = "behaviors", .seed = bench_seed(bench, 0), .cell = 0.1f, .seconds = 1};
    tr_behavior_tree_def def = {.behavior = machine};
    tr_behavior_tree *tree = NULL;
    tr_error error = {0};
    lau_stand *stand = lau_open(machine, &scene, &error);
    uint64_t begin = bench_thread_nanoseconds();
    bool fine = stand && tr_behavior_tree_create(&def, &tree, &error) == TR_OK;
    double build = (double)(bench_thread_nanoseconds() - begin) / 1e6;
    fine = fine && tr_behavior_tree_reserve(tree, stand->search, stand->map, 1, &error) == TR_OK;
    if (!fine) {
        lau_close(stand);
        tr_behavior_tree_destroy(tree);
        return lau_complain("tree", &error);
    }
    lau_add(bench, "tree", "build_ms", "making the trees of a human", build, "ms", (double)NAN);
    lau_add(bench, "tree", "bytes", "their memory", (double)tr_behavior_tree_bytes(tree), "bytes",
            (double)NAN);
    tr_random random = tr_random_seed(bench_seed(bench, 83));
    for (uint32_t i = 0; i < QUERIES; i++) {
        bench_progress(bench, "lau tree", i / (double)QUERIES);
        tr_vec2 goal = free_place(stand, &random), start = free_place(stand, &random);
        tr_behavior_query query = lau_query((tr_vec3){start.x, 0, start.z}, &goal, 1);
        query.heading = tr_random_between(&random, -3, 3);
        for (size_t w = 0; w < WAYS; w++)
            answers[w][i] = plan(stand, tree, &ways[w], query);
    }
    report(bench, answers, QUERIES);
    lau_close(stand);
    tr_behavior_tree_destroy(tree);
    return true;
}
