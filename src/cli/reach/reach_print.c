#include "cli/commands.h"
#include "cli/json_fields.h"
#include "reach_job.h"

#include <math.h>
#include <stdio.h>

const char *reach_by_name(tr_reach_by by) {
    static const char *const names[] = {"nothing", "line", "cells", "trees"};
    return by <= TR_REACH_BY_TREES ? names[by] : "unknown";
}

static void write_times(tr_json_writer *writer, const reach_spread *time, const reach_spread *cpu) {
    json_field_number(writer, "median_us", time->median);
    json_field_number(writer, "p95_us", time->p95);
    json_field_number(writer, "worst_us", time->worst);
    json_field_number(writer, "median_cpu_us", cpu->median);
    json_field_number(writer, "p95_cpu_us", cpu->p95);
}

static void write_by(tr_json_writer *writer, const reach_summary *summary) {
    tr_json_write_key(writer, "by");
    tr_json_write_object(writer);
    for (int i = TR_REACH_BY_LINE; i <= TR_REACH_BY_TREES; i++)
        json_field_count(writer, reach_by_name((tr_reach_by)i), summary->by[i]);
    tr_json_write_end(writer);
}

static void write_task(tr_json_writer *writer, const reach_summary *summary, bool pose) {
    bool refused = summary->collision_free < summary->solved;
    tr_json_write_object(writer);
    json_field_number(writer, "id", (double)summary->task->id);
    json_field_text(writer, "name", summary->task->name);
    json_field_count(writer, "runs", summary->runs);
    json_field_count(writer, "solved", summary->solved);
    write_times(writer, &summary->time, &summary->cpu);
    json_field_number(writer, "wrist_m", summary->wrist_m);
    json_field_number(writer, "length_rad", summary->length_rad);
    json_field_count(writer, "collision_free", summary->collision_free);
    json_field_text(writer, "fault", refused ? reach_fault_name(summary->finding.fault) : NULL);
    json_field_number(writer, "fault_depth", refused ? summary->finding.depth : NAN);
    json_field_text(writer, "reason",
                    summary->solved < summary->runs ? tr_reach_reason_name(summary->reason) : NULL);
    write_by(writer, summary);
    json_field_number(writer, "goal_wrist_error", summary->wrist_error);
    json_field_number(writer, "goal_pose_error", summary->hand_error);
    json_field_number(writer, "best_known_wrist_m", summary->task->best_wrist[pose]);
    json_field_number(writer, "ratio_to_best", summary->wrist_ratio);
    json_field_number(writer, "ldlj", summary->ldlj);
    json_field_number(writer, "sparc", summary->sparc);
    json_field_number(writer, "ldlj_worst", summary->ldlj_worst);
    json_field_number(writer, "sparc_worst", summary->sparc_worst);
    json_field_count(writer, "speed_peaks", summary->speed_peaks);
    json_field_number(writer, "duration_s", summary->duration);
    json_field_number(writer, "checks", summary->checks);
    json_field_number(writer, "search_us", summary->part_us[0]);
    json_field_number(writer, "shorten_us", summary->part_us[1]);
    json_field_number(writer, "smooth_us", summary->part_us[2]);
    json_field_number(writer, "arm_smooth_us", summary->smooth_us);
    tr_json_write_end(writer);
}

tr_status reach_print_json(const reach_job *job, const reach_request *request, const reach_report *report,
                           tr_error *error) {
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    json_field_text(&writer, "scene", request->scene ? request->scene : request->sample);
    json_field_text(&writer, "goal", request->pose ? "pose" : "position");
    json_field_text(&writer, "up", job->file.up == TR_UP_Z ? "z" : "y");
    json_field_count(&writer, "triangles", tr_solid_count(job->solid).triangles);
    tr_json_write_key(&writer, "tasks");
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < report->count; i++)
        write_task(&writer, &report->tasks[i], request->pose);
    tr_json_write_end(&writer);
    json_field_count(&writer, "runs", report->time_count);
    json_field_count(&writer, "solved", report->solved);
    json_field_count(&writer, "collision_free", report->collision_free);
    write_times(&writer, &report->time, &report->cpu_time);
    json_field_number(&writer, "worst_ratio_to_best", report->worst_ratio);
    json_field_number(&writer, "read_ms", job->read_ms);
    json_field_number(&writer, "prepare_ms", job->prepare_ms);
    json_field_count(&writer, "allocations", job->allocations);
    tr_json_write_end(&writer);
    return json_print(&writer, error);
}

static void print_number(double number, int width, int digits) {
    if (isnan(number))
        printf(" %*s", width, "-");
    else
        printf(" %*.*f", width, digits, number);
}

static void print_row(const reach_summary *summary) {
    char solved[32], by[32] = "";
    snprintf(solved, sizeof solved, "%u/%u", summary->solved, summary->runs);
    for (int i = TR_REACH_BY_TREES; i >= TR_REACH_BY_LINE; i--)
        if (summary->by[i] > 0)
            snprintf(by, sizeof by, "%s", reach_by_name((tr_reach_by)i));
    printf("%4lld ", (long long)summary->task->id);
    command_print_name(summary->task->name, 36);
    printf(" %9s %9u", solved, summary->collision_free);
    print_number(summary->time.median, 9, 0);
    print_number(summary->time.p95, 9, 0);
    print_number(summary->wrist_m, 7, 3);
    print_number(summary->wrist_ratio, 6, 2);
    print_number(summary->length_rad, 7, 2);
    print_number(summary->ldlj, 6, 1);
    print_number(summary->sparc, 6, 2);
    printf(" %5u  %s\n", summary->speed_peaks, by);
    if (summary->solved < summary->runs)
        printf("     %u of %u without a path: %s\n", summary->runs - summary->solved, summary->runs,
               tr_reach_reason_name(summary->reason));
    if (summary->collision_free < summary->solved)
        printf("     %u of %u rejected by the recheck: %s by %.3g\n",
               summary->solved - summary->collision_free, summary->solved,
               reach_fault_name(summary->finding.fault), summary->finding.depth);
}

void reach_print_table(const reach_job *job, const reach_request *request, const reach_report *report) {
    printf("%llu triangles, prepared in %.1f ms; goal: %s; %u runs of each task\n",
           (unsigned long long)tr_solid_count(job->solid).triangles, job->prepare_ms,
           request->pose ? "wrist and direction of the hand" : "wrist", report->runs);
    printf("%4s %-36s %9s %9s %9s %9s %7s %6s %7s %6s %6s %5s  %s\n", "id", "task", "solved", "free",
           "median us", "p95 us", "wrist m", "ratio", "rad", "ldlj", "sparc", "peaks", "by");
    for (uint32_t i = 0; i < report->count; i++)
        print_row(&report->tasks[i]);
    printf("all: %u of %u solved, %u free; median %.0f us, p95 %.0f us (processor time %.0f and %.0f us)\n",
           report->solved, report->time_count, report->collision_free, report->time.median, report->time.p95,
           report->cpu_time.median, report->cpu_time.p95);
}
