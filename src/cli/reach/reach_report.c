// All runs of all tasks, and their statistics.
#include "reach_job.h"
#include "cli/quantile.h"

#include <math.h>
#include <stdlib.h>

static double median_of(double *values, uint32_t count) {
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, quantile_compare);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static reach_spread spread_of(const double *values, uint32_t count, double *scratch) {
    for (uint32_t i = 0; i < count; i++)
        scratch[i] = values[i];
    return (reach_spread){median_of(scratch, count), quantile(scratch, count, 0.95),
                          quantile(scratch, count, 1)};
}

// fmin and fmax ignore NAN.
static void take_solved(reach_summary *summary, const reach_run *run) {
    summary->solved++;
    summary->by[run->by]++;
    summary->wrist_error = fmax(summary->wrist_error, run->finding.wrist_error);
    summary->hand_error = fmax(summary->hand_error, run->finding.hand_error);
    summary->ldlj_worst = fmin(summary->ldlj_worst, run->smoothness.ldlj);
    summary->sparc_worst = fmin(summary->sparc_worst, run->smoothness.sparc);
    if (run->smoothness.speed_peaks > summary->speed_peaks)
        summary->speed_peaks = run->smoothness.speed_peaks;
    if (run->finding.fault == REACH_FAULT_NONE)
        summary->collision_free++;
    else
        summary->finding = run->finding;
}

static void write_path(tr_json_writer *paths, const reach_job *job, uint64_t seed, const reach_run *run) {
    tr_json_write_object(paths);
    tr_json_write_key(paths, "seed");
    tr_json_write_integer(paths, (int64_t)seed);
    tr_json_write_key(paths, "status");
    tr_json_write_text(paths, tr_status_name(run->status));
    tr_json_write_key(paths, "path");
    tr_json_write_array(paths);
    for (uint32_t i = 0; i < job->sample_count; i++) {
        tr_json_write_array(paths);
        for (uint32_t k = 0; k < (job->file.help ? TR_ARM_ANGLES : TR_ARM_JOINTS); k++)
            tr_json_write_float(paths, job->samples[i].q[k]);
        tr_json_write_end(paths);
    }
    tr_json_write_end(paths);
    tr_json_write_end(paths);
}

static void begin_paths(tr_json_writer *paths, const tr_reach_task *task, bool pose) {
    tr_json_write_object(paths);
    tr_json_write_key(paths, "id");
    tr_json_write_integer(paths, task->id);
    tr_json_write_key(paths, "goal");
    tr_json_write_text(paths, pose ? "pose" : "position");
    tr_json_write_key(paths, "runs");
    tr_json_write_array(paths);
}

// The values of the solved runs, to find their medians.
typedef struct middle_values {
    double *wrist, *length, *duration, *checks, *ldlj, *sparc, *arm_smooth, *parts[3];
    uint32_t count;
} middle_values;

static tr_status measure_task(reach_job *job, const reach_request *request, const reach_listener *listener,
                              reach_report *report, middle_values *middle, reach_summary *summary,
                              tr_error *error) {
    tr_status status = TR_OK;
    reach_run run = {0};
    double *times = report->times + report->time_count, *cpu = report->cpu + report->time_count;
    job->checked_count = 0;
    middle->count = 0;
    for (uint32_t i = 0; i < report->runs && status == TR_OK; i++) {
        status = reach_job_run(job, summary->task, request->pose, request->first_seed + i, &run, error);
        times[i] = run.us;
        cpu[i] = run.cpu_us;
    }
    for (uint32_t i = 0; i < report->runs && status == TR_OK; i++) {
        status = reach_job_examine(job, summary->task, request->pose, request->first_seed + i, &run, error);
        summary->runs++;
        if (status != TR_OK)
            break;
        if (run.status == TR_OK) {
            take_solved(summary, &run);
            middle->wrist[middle->count] = run.finding.wrist_length;
            middle->length[middle->count] = run.finding.length;
            middle->duration[middle->count] = run.duration;
            middle->ldlj[middle->count] = run.smoothness.ldlj;
            middle->sparc[middle->count] = run.smoothness.sparc;
            middle->arm_smooth[middle->count] = run.smooth_us;
            for (int k = 0; k < 3; k++)
                middle->parts[k][middle->count] = run.part_us[k];
            middle->checks[middle->count++] = run.checks;
        } else {
            summary->reason = run.reason;
        }
        if (listener->paths)
            write_path(listener->paths, job, request->first_seed + i, &run);
    }
    report->time_count += summary->runs;
    return status;
}

static void finish_task(reach_report *report, const reach_request *request, middle_values *middle,
                        reach_summary *summary) {
    uint32_t first = report->time_count - summary->runs;
    double best = summary->task->best_wrist[request->pose];
    summary->time = spread_of(report->times + first, summary->runs, report->scratch);
    summary->cpu = spread_of(report->cpu + first, summary->runs, report->scratch);
    summary->wrist_m = median_of(middle->wrist, middle->count);
    summary->length_rad = median_of(middle->length, middle->count);
    summary->duration = median_of(middle->duration, middle->count);
    summary->checks = median_of(middle->checks, middle->count);
    for (int k = 0; k < 3; k++)
        summary->part_us[k] = median_of(middle->parts[k], middle->count);
    summary->wrist_ratio = middle->count ? middle->wrist[middle->count - 1] / best : NAN;
    summary->ldlj = median_of(middle->ldlj, middle->count);
    summary->sparc = median_of(middle->sparc, middle->count);
    summary->smooth_us = median_of(middle->arm_smooth, middle->count);
    if (isinf(summary->ldlj_worst)) // nothing moved
        summary->ldlj = summary->sparc = summary->ldlj_worst = summary->sparc_worst = NAN;
    report->solved += summary->solved;
    report->collision_free += summary->collision_free;
    report->worst_ratio = fmax(report->worst_ratio, summary->wrist_ratio);
}

static void finish_report(reach_report *report) {
    report->time = spread_of(report->times, report->time_count, report->scratch);
    report->cpu_time = spread_of(report->cpu, report->time_count, report->scratch);
}

static tr_status measure_all(reach_job *job, const reach_request *request, const reach_listener *listener,
                             reach_report *report, middle_values *middle, tr_error *error) {
    tr_status status = TR_OK;
    reach_run waking = {0};
    for (uint32_t i = 0; i < job->file.task_count && status == TR_OK; i++) {
        const tr_reach_task *task = &job->file.tasks[i];
        if (request->task >= 0 && task->id != request->task)
            continue;
        if (report->count == 0) // warm-up: touches memory and wakes the processor
            status = reach_job_run(job, task, request->pose, request->first_seed, &waking, error);
        reach_summary *summary = &report->tasks[report->count++];
        *summary = (reach_summary){.task = task, .ldlj_worst = INFINITY, .sparc_worst = INFINITY};
        if (listener->paths)
            begin_paths(listener->paths, task, request->pose);
        if (status == TR_OK)
            status = measure_task(job, request, listener, report, middle, summary, error);
        if (listener->paths) {
            tr_json_write_end(listener->paths);
            tr_json_write_end(listener->paths);
        }
        if (status == TR_OK)
            finish_task(report, request, middle, summary);
        if (listener->progress)
            listener->progress(listener->user, (i + 1.0) / job->file.task_count);
    }
    return status;
}

tr_status reach_report_measure(reach_job *job, const reach_request *request, const reach_listener *listener,
                               reach_report *report, tr_error *error) {
    tr_allocator memory = tr_allocator_default();
    uint32_t tasks = job->file.task_count, runs = (uint32_t)request->runs;
    *report = (reach_report){.runs = runs, .count = 0, .worst_ratio = NAN};
    report->tasks = tr_allocate_zero(&memory, tasks, sizeof *report->tasks);
    report->times = tr_allocate(&memory, (size_t)tasks * runs, sizeof *report->times);
    report->cpu = tr_allocate(&memory, (size_t)tasks * runs, sizeof *report->cpu);
    report->scratch = tr_allocate(&memory, (size_t)tasks * runs, sizeof *report->scratch);
    middle_values middle = {0};
    double *middles = tr_allocate(&memory, (size_t)runs * 10, sizeof *middles);
    tr_status status;
    if (report->tasks && report->times && report->cpu && report->scratch && middles) {
        middle = (middle_values){.wrist = middles,
                                 .length = middles + runs,
                                 .duration = middles + 2 * runs,
                                 .checks = middles + 3 * runs,
                                 .ldlj = middles + 4 * runs,
                                 .sparc = middles + 5 * runs,
                                 .arm_smooth = middles + 6 * runs,
                                 .parts = {middles + 7 * runs, middles + 8 * runs, middles + 9 * runs}};
        status = measure_all(job, request, listener, report, &middle, error);
    } else {
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u tasks of %u runs", tasks, runs);
    }
    tr_release(&memory, middles, (size_t)runs * 10, sizeof *middles);
    if (status == TR_OK)
        finish_report(report);
    return status;
}

void reach_report_destroy(reach_report *report) {
    free(report->tasks);
    free(report->times);
    free(report->cpu);
    free(report->scratch);
    *report = (reach_report){0};
}
