// Reaching in scenes that are drawn at random, each with another person: shelves, a box, a window, a ring, a
// table to reach under, an engine, a hundred parts in the air.
#include "cli/quantile.h"
#include "bench_reach_scenes.h"
#include "bench_ompl.h"
#include "cli/commands.h"
#include "cli/reach/reach_draw.h"
#include "cli/reach/reach_job.h"
#include "cli/reach/reach_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TASKS 20 // in each scene
#define SCENES_FEW 2
#define SCENES_MANY 50 // with --large
#define ORACLE_NODES 60000
#define ORACLE_ITERATIONS 3000
#define BEST_OF 3            // runs of the oracle that say how short the wrist's path can be
#define BEST_ITERATIONS 3000 // of each
#define COMPARED 5           // tasks of each scene whose lengths are compared
#define PEER_TASKS 2         // of each scene that OMPL plans, too

static const char *const names[] = {"shelves", "box", "window", "ring", "under_table", "engine", "parts"};
#define NAMES ((uint32_t)(sizeof names / sizeof *names))

typedef struct scene_figures {
    double *us, *ratio, *ldlj, *ours_ms, *peer_ms; // of the tasks that can be solved
    uint32_t count, solved, free, ratio_count, ldlj_count, peer_count, peer_solved, peer_free;
    uint32_t wrong_proofs; // goals that were called unreachable and are not
} scene_figures;

typedef struct scene_stand {
    bench_report *bench;
    const char *name;
    reach_oracle *oracle;
    reach_job job;
    bench_ompl *ompl;
    scene_figures figures;
} scene_stand;

static void add(const scene_stand *stand, const char *what, const char *name, double value, const char *unit,
                bool peer) {
    bench_result result = {.value = value,
                           .unit = unit,
                           .paper = NAN,
                           .peer_value = NAN,
                           .by = peer ? "OMPL's RRT-Connect with FCL" : NULL};
    snprintf(result.id, sizeof result.id, "%s.%s.%s", peer ? "peers.ompl" : "reach", stand->name, name);
    snprintf(result.what, sizeof result.what, "%s: %s", stand->name, what);
    bench_add(stand->bench, &result);
}

static void compare_length(scene_stand *stand, const reach_task_run *run) {
    double best = INFINITY, wrist;
    for (uint64_t i = 0; i < BEST_OF; i++)
        if (reach_oracle_solves(stand->oracle, stand->job.reach, run->task, run->pose, 100 + i,
                                BEST_ITERATIONS, &wrist))
            best = fmin(best, wrist);
    if (best < INFINITY)
        stand->figures.ratio[stand->figures.ratio_count++] = run->run.finding.wrist_length / best;
}

static const char *run_peer(scene_stand *stand, const reach_task_run *run) {
    scene_figures *figures = &stand->figures;
    const tr_arm_goal *goal = run->pose ? &run->task->pose : &run->task->position;
    bench_ompl_run peer;
    reach_finding finding;
    const char *refusal = bench_ompl_plan(stand->ompl, run->task, run->pose, run->seed, &peer);
    if (refusal)
        return refusal;
    figures->ours_ms[figures->peer_count] = run->run.cpu_us / 1e3;
    figures->peer_ms[figures->peer_count++] = peer.cpu_ms;
    figures->peer_solved += peer.solved;
    figures->peer_free += peer.solved && reach_recheck_path(stand->job.recheck, &run->task->start, goal,
                                                            peer.path, peer.count, &finding);
    return NULL;
}

// A task counts if there is a path, by the planner or by the oracle.
static tr_status run_task(scene_stand *stand, uint32_t number, tr_error *error) {
    scene_figures *figures = &stand->figures;
    reach_task_run run = {.task = &stand->job.file.tasks[number], .pose = number & 1, .seed = number + 1};
    tr_status status = reach_job_run(&stand->job, run.task, run.pose, run.seed, &run.run, error);
    if (status != TR_OK)
        return status;
    bool solved = run.run.status == TR_OK;
    if (!solved && !reach_oracle_solves(stand->oracle, stand->job.reach, run.task, run.pose, run.seed,
                                        ORACLE_ITERATIONS, NULL))
        return TR_OK;
    figures->us[figures->count++] = run.run.cpu_us;
    figures->solved += solved;
    figures->wrong_proofs += run.run.status == TR_NOT_FOUND;
    if (solved) {
        status = reach_job_examine(&stand->job, run.task, run.pose, run.seed, &run.run, error);
        figures->free += run.run.finding.fault == REACH_FAULT_NONE;
        if (!isnan(run.run.smoothness.ldlj))
            figures->ldlj[figures->ldlj_count++] = run.run.smoothness.ldlj;
        if (number < COMPARED)
            compare_length(stand, &run);
    }
    const char *refusal = stand->ompl && number < PEER_TASKS ? run_peer(stand, &run) : NULL;
    if (refusal)
        bench_note(stand->bench, refusal);
    return status;
}

static tr_status run_scene(scene_stand *stand, uint64_t seed, tr_error *error) {
    reach_draw_def def = {.sample = stand->name, .scene_seed = seed, .seed = seed + 1, .count = TASKS};
    reach_request request = {.margin = NAN};
    stand->job = (reach_job){.scene = NULL};
    stand->ompl = NULL;
    tr_status status = reach_draw(&def, &stand->job.scene, &stand->job.file, error);
    if (status == TR_NOT_FOUND) { // too narrow for this person
        bench_note(stand->bench, error->message);
        return TR_OK;
    }
    if (status == TR_OK)
        status = reach_job_prepare(&request, &stand->job, error);
    if (status == TR_OK)
        status = reach_recheck_create(stand->job.scene, &stand->job.file, &stand->job.recheck, error);
    const char *refusal =
        status == TR_OK ? bench_ompl_create(stand->job.scene, &stand->job.file, &stand->ompl) : NULL;
    if (refusal)
        bench_note(stand->bench, refusal);
    for (uint32_t i = 0; i < TASKS && status == TR_OK; i++)
        status = run_task(stand, i, error);
    bench_ompl_destroy(stand->ompl);
    reach_job_close(&stand->job);
    return status;
}

static void report(scene_stand *stand) {
    scene_figures *figures = &stand->figures;
    uint32_t count = figures->count;
    add(stand, "tasks that a path solves, of those drawn at random", "tasks", count, "", false);
    add(stand, "of these solved by default", "solved", 100.0 * figures->solved / count, "%", false);
    add(stand, "paths free at steps of 0.02 rad", "collision_free_percent",
        100.0 * figures->free / figures->solved, "%", false);
    add(stand, "goals wrongly called unreachable", "wrong_proofs", figures->wrong_proofs, "", false);
    add(stand, "a plan, in processor time", "median_us", quantile(figures->us, count, 0.5), "us", false);
    add(stand, "95th percentile", "p95_us", quantile(figures->us, count, 0.95), "us", false);
    add(stand, "the longest", "worst_us", quantile(figures->us, count, 1), "us", false);
    add(stand, "the wrist's path by the shortest of three runs of the oracle, 99th percentile",
        "wrist_ratio_p99", quantile(figures->ratio, figures->ratio_count, 0.99), "", false);
    add(stand, "log dimensionless jerk of the wrist", "ldlj_median",
        quantile(figures->ldlj, figures->ldlj_count, 0.5), "", false);
    add(stand, "95 % are better than this", "ldlj_p5", quantile(figures->ldlj, figures->ldlj_count, 0.05), "",
        false);
    if (figures->peer_count == 0)
        return;
    double ours = quantile(figures->ours_ms, figures->peer_count, 0.5),
           peer = quantile(figures->peer_ms, figures->peer_count, 0.5);
    add(stand, "RRT-Connect and its simplification, in processor time; at most 5 s", "median_ms", peer, "ms",
        true);
    add(stand, "solved in 5 s", "solved", 100.0 * figures->peer_solved / figures->peer_count, "%", true);
    add(stand, "simplified paths free at steps of 0.02 rad", "collision_free_percent",
        100.0 * figures->peer_free / figures->peer_count, "%", true);
    add(stand, "median of OMPL with FCL divided by ours, on the same tasks", "speedup", peer / ours, "x",
        false);
}

static bool run_name(scene_stand *stand, uint32_t scenes, double *values) {
    uint32_t most = scenes * TASKS;
    tr_error error = {0};
    stand->figures = (scene_figures){.us = values,
                                     .ratio = values + most,
                                     .ldlj = values + 2 * most,
                                     .ours_ms = values + 3 * most,
                                     .peer_ms = values + 4 * most};
    for (uint32_t i = 0; i < scenes; i++) {
        bench_progress(stand->bench, stand->name, (double)i / scenes);
        if (run_scene(stand, bench_seed(stand->bench, 1 + i), &error) != TR_OK)
            return command_complain_of(&error), false;
    }
    report(stand);
    return true;
}

bool bench_reach_scenes(bench_report *bench) {
    uint32_t scenes = bench_wants_large(bench) ? SCENES_MANY : SCENES_FEW;
    scene_stand stand = {.bench = bench};
    tr_allocator memory = tr_allocator_default();
    tr_error error = {0};
    double *values = tr_allocate(&memory, (size_t)5 * scenes * TASKS, sizeof *values);
    bool fine = values && reach_oracle_create(ORACLE_NODES, &stand.oracle, &error) == TR_OK;
    if (!fine)
        command_complain("no memory for the scenes to reach into");
    for (uint32_t k = 0; k < NAMES && fine; k++) {
        stand.name = names[k];
        fine = run_name(&stand, scenes, values);
    }
    reach_oracle_destroy(stand.oracle);
    tr_release(&memory, values, (size_t)5 * scenes * TASKS, sizeof *values);
    return fine;
}
