// Liu & Badler 2003, table 1: reaching for the thermos and on to the teacup with the paper's planner, once
// with its collision test by depth buffer and once with the exact test.
#include "bench_liu.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"

#include <math.h>
#include <stdio.h>

#define STEPS_MAX 100000 // of a march, which fails long before
#define ARM_RADIUS 0.05  // of the upper arm [m]; the paper's is 0.18 units

// Table 1. Step sizes are given as parts of the arm's radius.
static const struct {
    const char *id;
    double units;
    double visited[2], solution[2], total_ms[2], per_step_ms[2]; // of tasks A and B
} table[2] = {
    {"006", 0.06, {57, 46}, {39, 32}, {1129, 1015}, {19.81, 22.06}},
    {"010", 0.1, {37, 32}, {27, 22}, {797, 687}, {21.54, 21.47}},
};

void liu_add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
             double paper) {
    bench_result result = {.value = value, .unit = unit, .paper = paper, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

static bool complain(const tr_error *error) {
    command_complain_of(error);
    return false;
}

static bool make_stand(bench_report *bench, liu_stand *stand) {
    tr_error error = {0};
    if (tr_sample_make(&(tr_sample_def){.name = "desk"}, &stand->sample, &error) != TR_OK)
        return complain(&error);
    stand->places = tr_sample_desk_places();
    stand->arm = tr_arm_default(TR_ARM_RIGHT, stand->places.height);
    tr_solid_def def = tr_solid_def_default(stand->sample.scene);
    tr_raster_def soft = {.backend = TR_RASTER_SOFT}, gl = {.backend = TR_RASTER_GL};
    if (tr_solid_create(&def, &stand->solid, &error) != TR_OK ||
        tr_raster_create(&soft, &stand->soft, &error) != TR_OK)
        return complain(&error);
    if (bench_wants_gl(bench) && tr_raster_create(&gl, &stand->gl, &error) != TR_OK)
        bench_note(bench, error.message);
    return true;
}

static void destroy_stand(liu_stand *stand) {
    tr_raster_destroy(stand->gl);
    tr_raster_destroy(stand->soft);
    tr_solid_destroy(stand->solid);
    tr_scene_destroy(stand->sample.scene);
}

// One march, from the start of task A or from its end.
typedef struct liu_run {
    march_search *march;
    tr_posture start;
    tr_vec3 goal;
    tr_status status;
} liu_run;

static void run_march(void *user) {
    liu_run *run = user;
    run->status = march_begin(run->march, &run->start, run->goal, NULL, NULL);
    for (uint32_t i = 0; run->status == TR_OK && i < STEPS_MAX; i++)
        run->status = march_step(run->march);
}

// How the arm is checked, and the id of the check: the paper's own setting has an empty one.
typedef struct liu_check {
    const char *id, *what;
    bool (*is_free)(void *user, const tr_posture *posture);
    void *user;
    bool is_paper, is_paper_600;
} liu_check;

static uint32_t count_touching(const liu_stand *stand, const march_result *way) {
    march_exact exact = {stand->solid, stand->arm};
    uint32_t touching = 0;
    for (uint32_t i = 0; i < way->count; i++)
        touching += !march_exact_is_free(&exact, &way->postures[i]);
    return touching;
}

static void report(bench_report *bench, const liu_stand *stand, const liu_check *check, int step, int task,
                   const march_result *way, double total_ms) {
    const struct {
        const char *name, *what, *unit;
        double value, paper;
    } figures[] = {
        {"visited", "nodes visited", "nodes", way->visited, table[step].visited[task]},
        {"solution", "nodes of the path", "nodes", way->count, table[step].solution[task]},
        {"touching", "of these collide by the exact check", "nodes", count_touching(stand, way), NAN},
        {"total_ms", "the whole plan", "ms", total_ms, table[step].total_ms[task]},
        {"per_step_ms", "for each node visited", "ms", total_ms / way->visited,
         table[step].per_step_ms[task]},
    };
    for (uint32_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        char id[64], what[160];
        double paper = check->is_paper ? figures[i].paper : NAN;
        if (check->is_paper_600 && i == 4)
            paper = 28; // "around 28 ms"; the paper does not say for which task
        snprintf(id, sizeof id, "liu.%s%s%c.%s.%s", check->id, check->id[0] ? "." : "", "ab"[task],
                 table[step].id, figures[i].name);
        snprintf(what, sizeof what, "task %c, step %g of an arm of 0.18, %s: %s", "AB"[task],
                 table[step].units, check->what, figures[i].what);
        liu_add(bench, id, what, figures[i].value, figures[i].unit, paper);
    }
}

static bool run_check(bench_report *bench, const liu_stand *stand, const liu_check *check) {
    const float hand[3] = {0};
    for (int step = 0; step < 2; step++) {
        march_def def = {.arm = stand->arm,
                         .step = (float)(table[step].units / 0.18 * ARM_RADIUS),
                         .is_free = check->is_free,
                         .user = check->user};
        liu_run run = {.march = NULL};
        tr_error error = {0};
        if (march_create(&def, &run.march, &error) != TR_OK)
            return complain(&error);
        bool fine = march_hold(&stand->arm, stand->places.start, hand, NULL, &run.start);
        for (int task = 0; task < 2 && fine; task++) {
            run.goal = task ? stand->places.teacup_wrist : stand->places.thermos_wrist;
            double nanoseconds = bench_time(run_march, &run);
            march_result way = march_look(run.march);
            fine = run.status == TR_DONE;
            if (fine) {
                report(bench, stand, check, step, task, &way, nanoseconds / 1e6);
                run.start = way.postures[way.count - 1];
            }
        }
        march_destroy(run.march);
        if (!fine) {
            command_complain("the march of the suite liu (%s, step %s) found no path", check->what,
                             table[step].id);
            return false;
        }
    }
    return true;
}

static bool run_depth(bench_report *bench, const liu_stand *stand, tr_raster *raster, uint32_t size,
                      tr_depth_comparison comparison, liu_check check) {
    march_depth_def def = march_depth_def_default(raster, stand->sample.scene, &stand->arm);
    def.size = size;
    def.comparison = comparison;
    march_depth *depth = NULL;
    tr_error error = {0};
    if (march_depth_create(&def, &depth, &error) != TR_OK)
        return complain(&error);
    check.is_free = march_depth_is_free;
    check.user = depth;
    bool fine = run_check(bench, stand, &check);
    if (march_depth_status(depth, &error) != TR_OK)
        fine = complain(&error);
    march_depth_destroy(depth);
    return fine;
}

static bool run_all(bench_report *bench, const liu_stand *stand) {
    march_exact exact = {stand->solid, stand->arm};
    const liu_check by_exact = {
        .id = "exact", .what = "exact check", .is_free = march_exact_is_free, .user = &exact};
    const liu_check soft = {.id = "", .what = "depth maps of 100 x 100 on soft", .is_paper = true};
    const liu_check soft_600 = {.id = "soft600", .what = "600 x 600 on soft", .is_paper_600 = true};
    const liu_check gl = {.id = "gl", .what = "100 x 100 on gl, read back", .is_paper = true};
    const liu_check gl_600 = {.id = "gl600", .what = "600 x 600 on gl, read back", .is_paper_600 = true};
    const liu_check card = {.id = "gl_card", .what = "100 x 100 on gl, compared there", .is_paper = true};
    const liu_check card_600 = {
        .id = "gl_card600", .what = "600 x 600 on gl, compared there", .is_paper_600 = true};
    bench_progress(bench, "liu: the two tasks", 0);
    bool fine = run_depth(bench, stand, stand->soft, 100, TR_DEPTH_READ_BACK, soft) &&
                run_check(bench, stand, &by_exact) &&
                run_depth(bench, stand, stand->soft, 600, TR_DEPTH_READ_BACK, soft_600);
    if (fine && stand->gl)
        fine = run_depth(bench, stand, stand->gl, 100, TR_DEPTH_READ_BACK, gl) &&
               run_depth(bench, stand, stand->gl, 100, TR_DEPTH_COMPARE_ON_CARD, card) &&
               run_depth(bench, stand, stand->gl, 600, TR_DEPTH_READ_BACK, gl_600) &&
               run_depth(bench, stand, stand->gl, 600, TR_DEPTH_COMPARE_ON_CARD, card_600);
    return fine;
}

bool bench_liu(bench_report *bench) {
    liu_stand stand = {.solid = NULL};
    bool fine = make_stand(bench, &stand);
    if (fine) {
        liu_add(bench, "liu.triangles", "of the desk (the paper: more than 30,000)",
                (double)tr_scene_triangle_count(stand.sample.scene), "triangles", 30000);
        fine = run_all(bench, &stand) && liu_compare(bench, &stand);
    }
    destroy_stand(&stand);
    return fine;
}
