// Reaching through clutter: third-party tasks on a desk, compared with OMPL and FCL.
#include "bench.h"
#include "bench_ompl.h"
#include "bench_reach_scenes.h"
#include "cli/commands.h"
#include "cli/reach/reach_job.h"
#include "troupe/base/random.h"

#include <math.h>
#include <stdio.h>

#define SEEDS 100
#define SMOOTHED_SEEDS 10
#define PEER_SEEDS 20
#define POSTURES 4096
#define ROUNDS 20

static const char *const ompl_name = "OMPL's RRT-Connect with FCL";

static void add_beside(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                       double peer_value) {
    bench_result result = {.value = value,
                           .unit = unit,
                           .paper = NAN,
                           .peer = isnan(peer_value) ? NULL : ompl_name,
                           .peer_value = peer_value};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

static void add(bench_report *bench, const char *id, const char *what, double value, const char *unit) {
    add_beside(bench, id, what, value, unit, NAN);
}

// An id of the suite for either goal: "reach.median_us" or "reach.pose.median_us".
static void add_for_beside(bench_report *bench, bool pose, const char *name, const char *what, double value,
                           const char *unit, double peer_value) {
    char id[64], words[160];
    snprintf(id, sizeof id, "reach.%s%s", pose ? "pose." : "", name);
    snprintf(words, sizeof words, "%s%s", what, pose ? ", with the direction of the hand" : "");
    add_beside(bench, id, words, value, unit, peer_value);
}

static void add_for(bench_report *bench, bool pose, const char *name, const char *what, double value,
                    const char *unit) {
    add_for_beside(bench, pose, name, what, value, unit, NAN);
}

// Times of the peer and the share of its paths that are free; NAN without the peer.
typedef struct peer_result {
    double plan_ms, median_ms, p95_ms, free_percent;
    double plan_cpu_ms, cpu_ms; // medians
} peer_result;

typedef struct check_stand {
    tr_reach *reach;
    tr_arm arm;
    tr_posture postures[POSTURES];
    double sum; // of the results, so that the compiler cannot remove the work
} check_stand;

static void check_all(void *user) {
    check_stand *stand = user;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < POSTURES; i++)
            stand->sum += tr_reach_clearance(stand->reach, &stand->postures[i], 1e-3f) < 0;
}

static void put_all(void *user) {
    check_stand *stand = user;
    tr_vec3 points[4];
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < POSTURES; i++) {
            tr_arm_points(&stand->arm, &stand->postures[i], points);
            stand->sum += points[3].x;
        }
}

static bool bench_checks(bench_report *bench, const reach_job *job) {
    tr_allocator memory = tr_allocator_default();
    check_stand *stand = tr_allocate_zero(&memory, 1, sizeof *stand);
    tr_random random = tr_random_seed(bench_seed(bench, 1));
    if (!stand) {
        command_complain("no memory for %d postures", POSTURES);
        return false;
    }
    stand->reach = job->reach;
    stand->arm = job->file.arm;
    for (int i = 0; i < POSTURES; i++)
        for (int k = 0; k < TR_ARM_JOINTS; k++)
            stand->postures[i].q[k] = tr_random_between(&random, stand->arm.low.q[k], stand->arm.high.q[k]);
    add(bench, "reach.check_ns", "exact check of one random posture for collisions with scene, body and arm",
        bench_time(check_all, stand) / ROUNDS / POSTURES, "ns");
    add(bench, "reach.points_ns", "positions of elbow, wrist and tip for one posture",
        bench_time(put_all, stand) / ROUNDS / POSTURES, "ns");
    tr_release(&memory, stand, 1, sizeof *stand);
    return true;
}

// The median of the tasks' median runs, and the worst (lowest) of all.
static void add_smoothness(bench_report *bench, bool pose, bool smoothed, const reach_report *report) {
    double ldlj[TR_REACH_FILE_TASKS_MAX], sparc[TR_REACH_FILE_TASKS_MAX], ldlj_worst = 0, sparc_worst = 0;
    uint32_t peaks = 0, count = 0;
    for (uint32_t i = 0; i < report->count; i++) {
        const reach_summary *task = &report->tasks[i];
        if (isnan(task->ldlj) || isnan(task->sparc))
            continue;
        ldlj[count] = task->ldlj;
        sparc[count++] = task->sparc;
        ldlj_worst = fmin(ldlj_worst, task->ldlj_worst);
        sparc_worst = fmin(sparc_worst, task->sparc_worst);
        peaks = task->speed_peaks > peaks ? task->speed_peaks : peaks;
    }
    if (count == 0)
        return;
    const struct {
        const char *name, *what;
        double value;
    } rows[] = {
        {"ldlj_worst", "log dimensionless jerk of the wrist, worst of all runs", ldlj_worst},
        {"ldlj_median", "median of the tasks' median runs", bench_median(ldlj, count)},
        {"sparc_worst", "spectral arc length of the wrist, worst of all runs", sparc_worst},
        {"sparc_median", "median of the tasks' median runs", bench_median(sparc, count)},
        {"speed_peaks_worst", "peaks of the wrist's speed, most in any run", peaks},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s%s", smoothed ? "smoothed." : "", rows[i].name);
        add_for(bench, pose, name, rows[i].what, rows[i].value, "");
    }
}

static void show_progress(void *user, double share) {
    bench_progress(user, "reaching", share);
}

static void add_tasks(bench_report *bench, bool pose, const reach_report *report, const peer_result *peer) {
    double runs = report->time_count;
    add_for_beside(bench, pose, "median_us",
                   "a plan: search, shortening, smoothing and proof; 12 tasks, 100 seeds",
                   report->time.median, "us", peer->median_ms * 1e3);
    add_for_beside(bench, pose, "p95_us", "95th percentile", report->time.p95, "us", peer->p95_ms * 1e3);
    add_for(bench, pose, "median_cpu_us", "median in processor time", report->cpu_time.median, "us");
    add_for(bench, pose, "p95_cpu_us", "95th percentile in processor time", report->cpu_time.p95, "us");
    add_for(bench, pose, "worst_us", "the longest", report->time.worst, "us");
    add_for(bench, pose, "success_percent", "plans with a path", 100 * report->solved / runs, "%");
    add_for_beside(bench, pose, "collision_free_percent", "plans whose path is free at steps of 0.02 rad",
                   100 * report->collision_free / runs, "%", peer->free_percent);
    add_for(bench, pose, "worst_wrist_ratio",
            "length of the wrist's path relative to the best known, worst of all", report->worst_ratio, "");
    add_smoothness(bench, pose, false, report);
    if (isnan(peer->median_ms))
        return;
    add_for(bench, pose, "speedup", "median of OMPL with FCL divided by ours, both in processor time",
            peer->cpu_ms * 1e3 / report->cpu_time.median, "x");
    add_for(bench, pose, "speedup_plan", "the same before OMPL simplifies its path",
            peer->plan_cpu_ms * 1e3 / report->cpu_time.median, "x");
}

static bool bench_tasks(bench_report *bench, reach_job *job, const reach_request *request,
                        const peer_result *peer) {
    tr_error error = {0};
    reach_report report;
    reach_listener listener = {.progress = show_progress, .user = bench};
    bool fine = reach_report_measure(job, request, &listener, &report, &error) == TR_OK;
    if (fine)
        add_tasks(bench, request->pose, &report, peer);
    else
        command_complain_of(&error);
    reach_report_destroy(&report);
    return fine;
}

// The same paths after smoothing.
static bool bench_smooth(bench_report *bench, reach_job *job, reach_request *request) {
    tr_error error = {0};
    reach_report report = {0};
    reach_listener listener = {.progress = show_progress, .user = bench};
    double spent[TR_REACH_FILE_TASKS_MAX];
    request->runs = SMOOTHED_SEEDS;
    bool fine = tr_arm_smooth_create(NULL, &job->arm_smooth, &error) == TR_OK &&
                reach_report_measure(job, request, &listener, &report, &error) == TR_OK;
    for (uint32_t i = 0; i < report.count; i++)
        spent[i] = report.tasks[i].smooth_us / 1e3;
    if (fine) {
        add_for(bench, request->pose, "smoothed.ms", "time of smoothing; 10 seeds",
                bench_median(spent, report.count), "ms");
        add_for(bench, request->pose, "smoothed.collision_free_percent", "paths still free of collisions",
                100.0 * report.collision_free / report.time_count, "%");
        add_smoothness(bench, request->pose, true, &report);
    } else {
        command_complain_of(&error);
    }
    reach_report_destroy(&report);
    tr_arm_smooth_destroy(job->arm_smooth);
    job->arm_smooth = NULL;
    request->runs = SEEDS;
    return fine;
}

typedef struct peer_times {
    double all[PEER_SEEDS * 64], plan[PEER_SEEDS * 64], cpu[PEER_SEEDS * 64], plan_cpu[PEER_SEEDS * 64];
    uint32_t count, solved, free;
} peer_times;

static const char *run_peer(bench_report *bench, reach_job *job, bench_ompl *ompl, bool pose,
                            peer_times *times) {
    *times = (peer_times){.count = 0};
    for (uint32_t i = 0; i < job->file.task_count && i < 64; i++)
        for (uint32_t seed = 1; seed <= PEER_SEEDS; seed++) {
            const tr_reach_task *task = &job->file.tasks[i];
            bench_ompl_run run;
            reach_finding finding;
            bench_progress(bench, "OMPL reaches", (double)i / job->file.task_count);
            const char *refusal = bench_ompl_plan(ompl, task, pose, bench_seed(bench, seed), &run);
            if (refusal)
                return refusal;
            times->plan[times->count] = run.plan_ms;
            times->plan_cpu[times->count] = run.plan_cpu_ms;
            times->cpu[times->count] = run.cpu_ms;
            times->all[times->count++] = run.plan_ms + run.simplify_ms;
            times->solved += run.solved;
            times->free += run.solved && reach_recheck_path(job->recheck, &task->start,
                                                            pose ? &task->pose : &task->position, run.path,
                                                            run.count, &finding);
        }
    return NULL;
}

static peer_result add_peer(bench_report *bench, bool pose, peer_times *times) {
    peer_result peer = {.plan_ms = bench_median(times->plan, times->count),
                        .median_ms = bench_median(times->all, times->count),
                        .free_percent = 100.0 * times->free / times->count,
                        .plan_cpu_ms = bench_median(times->plan_cpu, times->count),
                        .cpu_ms = bench_median(times->cpu, times->count)};
    peer.p95_ms = times->all[times->count * 19 / 20]; // sorted by now
    const struct {
        const char *name, *what, *unit;
        double value;
    } rows[] = {
        {"plan_median_ms", "OMPL's RRT-Connect (range 0.8, step 0.05 rad) with FCL, before simplification",
         "ms", peer.plan_ms},
        {"median_ms", "and with its simplification: 12 tasks, 20 seeds", "ms", peer.median_ms},
        {"p95_ms", "95th percentile", "ms", peer.p95_ms},
        {"median_cpu_ms", "median in processor time, simplification included", "ms", peer.cpu_ms},
        {"success_percent", "runs with a path in 5 s", "%", 100.0 * times->solved / times->count},
        {"collision_free_percent", "runs whose simplified path is free at steps of 0.02 rad", "%",
         peer.free_percent},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bench_result result = {
            .value = rows[i].value, .unit = rows[i].unit, .paper = NAN, .peer_value = NAN, .by = ompl_name};
        snprintf(result.id, sizeof result.id, "peers.ompl.reach.%s%s", pose ? "pose." : "", rows[i].name);
        snprintf(result.what, sizeof result.what, "%s", rows[i].what);
        bench_add(bench, &result);
    }
    return peer;
}

static void bench_peer(bench_report *bench, reach_job *job, peer_result peers[2]) {
    bench_ompl *ompl;
    peer_times times;
    const char *refusal = bench_ompl_create(job->scene, &job->file, &ompl);
    for (int pose = 0; pose < 2; pose++) {
        peers[pose] = (peer_result){NAN, NAN, NAN, NAN, NAN, NAN};
        if (!refusal)
            refusal = run_peer(bench, job, ompl, pose == 1, &times);
        if (!refusal)
            peers[pose] = add_peer(bench, pose == 1, &times);
    }
    bench_ompl_destroy(ompl);
    if (refusal)
        bench_note(bench, refusal);
}

static bool bench_prepare(bench_report *bench, reach_job *job, const reach_request *request) {
    tr_error error = {0};
    double times[5];
    for (int i = 0; i < 5; i++) {
        if (reach_job_prepare(request, job, &error) != TR_OK) {
            command_complain_of(&error);
            return false;
        }
        times[i] = job->prepare_ms;
    }
    add(bench, "reach.prepare_ms", "30,532 triangles into trees, clearances around the shoulder",
        bench_median(times, 5), "ms");
    return true;
}

static bool bench_job(bench_report *bench, reach_job *job, reach_request *request) {
    peer_result peers[2];
    bool fine = bench_prepare(bench, job, request) && bench_checks(bench, job);
    if (fine)
        bench_peer(bench, job, peers);
    for (int pose = 0; pose < 2 && fine; pose++) {
        request->pose = pose == 1;
        fine = bench_tasks(bench, job, request, &peers[pose]) && bench_smooth(bench, job, request);
    }
    if (fine)
        add(bench, "reach.allocations", "while 2,400 paths were planned", (double)job->allocations, "");
    return fine;
}

bool bench_reach(bench_report *bench) {
    char scene[1024], tasks[1024];
    tr_error error = {0};
    reach_job job;
    reach_request request = {.scene = scene,
                             .tasks = tasks,
                             .runs = SEEDS,
                             .first_seed = bench_seed(bench, 1),
                             .task = -1,
                             .margin = NAN};
    snprintf(scene, sizeof scene, "%s/reach/desk_scene.obj", bench_data(bench));
    snprintf(tasks, sizeof tasks, "%s/reach/tasks.json", bench_data(bench));
    bench_progress(bench, "reaching", 0);
    tr_status status = reach_job_open(&request, &job, &error);
    bool fine = status == TR_OK;
    if (fine)
        fine = bench_job(bench, &job, &request);
    else if (status == TR_NO_FILE)
        bench_note(bench, "the reach suite: the data folder lacks reach/desk_scene.obj and reach/tasks.json");
    else
        command_complain_of(&error);
    reach_job_close(&job);
    return (fine || status == TR_NO_FILE) && bench_reach_scenes(bench);
}
