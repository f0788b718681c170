// The figures of Lau & Kuffner 2005. The paper gives no sizes of its scenes: ours are rebuilt after its
// pictures, so nodes and times stand beside each other, and do not measure the same search.
#include "bench_lau_figures.h"

#include <math.h>
#include <stdio.h>

#define LEAN 0.35f      // radius of the discs of people in crowds: closer to the body, and more of them [m]
#define HORIZON 60.0    // that moving things are known for [s]
#define TIMES_DEARER 10 // what the careful character of figure 7 dislikes

// --- Figures 4 and 5: one scene, three searches ---

typedef struct lau_method {
    const char *name, *what;
    tr_behavior_method method;
    float inflation;
    double nodes; // of the paper
} lau_method;

static const lau_method methods[] = {
    {"astar", "A*", TR_BEHAVIOR_ASTAR, 1, 2241},
    {"truncated", "truncated A*", TR_BEHAVIOR_TRUNCATED, 1, 1977},
    {"inflated", "inflated A*, weight 2", TR_BEHAVIOR_ASTAR, 2, 1421},
};
#define METHODS (sizeof methods / sizeof *methods)

// The paper does not say how finely it tells places apart: here half a stride.
static void use_paper(tr_behavior_query *query) {
    query->as_written = true;
    query->cell = 1;
    query->angle = 0.35f;
}

static bool measure_method(bench_report *bench, lau_stand *stand, const lau_method *method, bool as_written) {
    const char *figure = as_written ? "figure4" : "figure4_fine";
    char name[40], what[140];
    tr_vec2 goal;
    tr_behavior_query query = lau_query_of(stand, &goal);
    if (as_written)
        use_paper(&query);
    query.method = method->method;
    query.inflation = method->inflation;
    double ms = lau_plan_ms(stand, &query);
    if (isnan(ms))
        return lau_complain(figure, &stand->error);
    snprintf(name, sizeof name, "%s_nodes", method->name);
    snprintf(what, sizeof what, "%s, %s: nodes of the tree", method->what,
             as_written ? "Algorithm 1 word by word, places of 1 m and 20 degrees"
                        : "a cheaper arrival replaces a dearer one, places of 0.25 m and 10 degrees");
    lau_add(bench, figure, name, what, stand->result.nodes, "nodes", as_written ? method->nodes : NAN);
    snprintf(name, sizeof name, "%s_ms", method->name);
    snprintf(what, sizeof what, "the same search: time for a plan of %u behaviors", stand->plan.action_count);
    lau_add(bench, figure, name, what, ms, "ms", as_written ? 400 : NAN);
    snprintf(name, sizeof name, "%s_cost", method->name);
    lau_add(bench, figure, name, "the same plan: its cost, in metres of jogging", stand->plan.cost, "m", NAN);
    return true;
}

static bool measure_figure4(bench_report *bench, const tr_behavior *machine) {
    lau_scene scene = {.sample = "behaviors", .seed = bench_seed(bench, 0), .cell = 0.1f, .seconds = HORIZON};
    tr_error error = {0};
    lau_stand *stand = lau_open(machine, &scene, &error);
    bool fine = stand != NULL || lau_complain("figure4", &error);
    for (size_t i = 0; fine && i < 2 * METHODS; i++)
        fine = measure_method(bench, stand, &methods[i % METHODS], i < METHODS);
    lau_close(stand);
    return fine;
}

// --- Figure 7: two sets of preferences ---

// One whose special behaviors and slopes cost more. The caller destroys it.
static tr_behavior *make_careful(const tr_behavior *machine, tr_error *error) {
    tr_behavior_def def = *tr_behavior_def_of(machine);
    tr_behavior *careful = NULL;
    def.allocator = NULL;
    def.up *= TIMES_DEARER;
    def.down *= TIMES_DEARER;
    tr_status status = tr_behavior_create(&def, &careful, error);
    for (uint32_t i = 0; i < def.state_count && status == TR_OK; i++)
        if (def.states[i].serves)
            status = tr_behavior_set_weight(careful, i, TIMES_DEARER * def.states[i].weight, error);
    return careful;
}

// How often a plan has a behavior that is for special obstacles, and how far it goes in all.
static uint32_t count_special(const lau_stand *stand, const tr_behavior *machine, double *metres) {
    uint32_t count = 0;
    *metres = 0;
    for (uint32_t i = 0; i < stand->plan.action_count; i++) {
        tr_vec2 from = stand->plan.actions[i].position;
        tr_vec2 to = i + 1 < stand->plan.action_count ? stand->plan.actions[i + 1].position : stand->plan.end;
        count += tr_behavior_def_of(machine)->states[stand->plan.actions[i].state].serves != 0;
        *metres += (double)hypotf(to.x - from.x, to.z - from.z);
    }
    return count;
}

static bool measure_preference(bench_report *bench, const tr_behavior *machine, const char *name,
                               const char *what) {
    lau_scene scene = {.sample = "hill", .seed = bench_seed(bench, 0), .cell = 0.05f, .seconds = 1};
    tr_error error = {0};
    char id[40], text[140];
    double metres;
    lau_stand *stand = lau_open(machine, &scene, &error);
    if (!stand)
        return lau_complain("figure7", &error);
    tr_vec2 goal;
    tr_behavior_query query = lau_query_of(stand, &goal);
    double ms = lau_plan_ms(stand, &query);
    bool fine = !isnan(ms) || lau_complain("figure7", &stand->error);
    if (fine) {
        snprintf(id, sizeof id, "%s_ms", name);
        snprintf(text, sizeof text, "%s: time for a plan of %.1f s", what,
                 (double)stand->plan.end_frame / tr_behavior_def_of(machine)->frames_per_second);
        lau_add(bench, "figure7", id, text, ms, "ms", NAN);
        snprintf(id, sizeof id, "%s_special", name);
        uint32_t special = count_special(stand, machine, &metres);
        lau_add(bench, "figure7", id, "the same plan: jumps and the like", special, "behaviors", NAN);
        snprintf(id, sizeof id, "%s_length", name);
        lau_add(bench, "figure7", id, "the same plan: its way", metres, "m", NAN);
    }
    lau_close(stand);
    return fine;
}

static bool measure_figure7(bench_report *bench, const tr_behavior *machine) {
    tr_error error = {0};
    tr_behavior *careful = make_careful(machine, &error);
    if (!careful)
        return lau_complain("figure7", &error);
    bool fine = measure_preference(bench, machine, "normal", "over a hill and a log") &&
                measure_preference(bench, careful, "careful", "jumps and slopes cost ten times as much");
    tr_behavior_destroy(careful);
    return fine;
}

// --- Figure 8, top: stops, and jumps when the time has come ---

static bool measure_skateboarder(bench_report *bench, const tr_behavior *machine) {
    lau_scene scene = {.sample = "hook", .seed = bench_seed(bench, 0), .cell = 0.04f, .seconds = HORIZON};
    tr_error error = {0};
    char what[140];
    double metres;
    lau_stand *stand = lau_open(machine, &scene, &error);
    if (!stand)
        return lau_complain("figure8_skateboarder", &error);
    tr_vec2 goal;
    tr_behavior_query query = lau_query_of(stand, &goal);
    double ms = lau_plan_ms(stand, &query);
    bool is_found = !isnan(ms);
    lau_add(bench, "figure8_skateboarder", "failed", "a skateboarder past a hook that slides, without a plan",
            !is_found, "characters", NAN);
    if (is_found) {
        snprintf(what, sizeof what, "a skateboarder past a hook that slides: time for a plan of %.1f s",
                 (double)stand->plan.end_frame / tr_behavior_def_of(machine)->frames_per_second);
        lau_add(bench, "figure8_skateboarder", "ms", what, ms, "ms", 1000);
        lau_add(bench, "figure8_skateboarder", "special", "the same plan: jumps and the like",
                count_special(stand, machine, &metres), "behaviors", NAN);
    }
    lau_close(stand);
    return true;
}

bool bench_lau_figures(bench_report *bench) {
    tr_behavior_cast_human_def human = {.mannequin.detail = 1};
    tr_behavior_cast_human_def walker = {
        .set = TR_BEHAVIOR_CLIPS_WALKER, .mannequin.detail = 1, .radius = LEAN};
    tr_horse_def horse = {.detail = 1};
    tr_mannequin_def skateboarder = {.detail = 1};
    tr_behavior_cast *casts[4] = {NULL, NULL, NULL, NULL};
    tr_error error = {0};
    bench_progress(bench, "lau figures", 0);
    bool fine = (tr_behavior_cast_human(&human, &casts[0], &error) == TR_OK &&
                 tr_behavior_cast_horse(&horse, &casts[1], &error) == TR_OK &&
                 tr_behavior_cast_skateboarder(&skateboarder, &casts[2], &error) == TR_OK &&
                 tr_behavior_cast_human(&walker, &casts[3], &error) == TR_OK) ||
                lau_complain("casts", &error);
    fine = fine && measure_figure4(bench, casts[0]->machine);
    bench_progress(bench, "lau figures", 0.1);
    fine = fine && lau_measure_tree(bench, casts[0]->machine);
    bench_progress(bench, "lau figures", 0.15);
    fine = fine && measure_figure7(bench, casts[0]->machine);
    bench_progress(bench, "lau figures", 0.2);
    fine = fine && measure_skateboarder(bench, casts[2]->machine);
    bench_progress(bench, "lau figures", 0.3);
    fine = fine && lau_measure_crowds(bench, casts[0], casts[3], casts[1]);
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        tr_behavior_cast_destroy(casts[i]);
    return fine;
}
