// Tasks for an arm, planned and rechecked: what `troupe reach` and the bench suite of that name share.
#pragma once
#include "reach_recheck.h"
#include "troupe/io/json.h"
#include "troupe/motion/arm_smooth.h"
#include "troupe/motion/smoothness.h"

typedef struct reach_request {
    const char *scene, *sample, *tasks; // a file or a sample scene; the task file
    tr_up_axis up;
    uint64_t runs, first_seed; // each run has the seed after that of the run before
    bool pose;
    int64_t task;      // the only one with this id; -1: all
    double margin;     // [m]; NAN: what is usual
    const char *paths; // file for all paths; NULL: none
    const char *depth; // folder for pictures of depth maps; NULL: none
    bool arm_smooth;   // paths are bent until the hand goes smoothly, after they were planned
    bool json, help;
} reach_request;

// An allocator that counts what is asked of it.
typedef struct reach_memory {
    uint64_t calls;
} reach_memory;

// All that is made on the way, to be given back at the end. Zero is valid.
typedef struct reach_job {
    reach_memory memory;
    tr_reach_file file;
    tr_scene *scene;
    tr_solid *solid;
    tr_reach *reach;
    tr_arm_smooth *arm_smooth; // NULL: paths are taken as planned
    reach_recheck *recheck;
    double read_ms, prepare_ms; // files; trees, clearances and the planner's memory
    uint64_t allocations;       // while planning: none
    tr_posture *samples;        // of the last path
    uint32_t sample_count, sample_capacity;
    tr_posture *checked; // the path that was rechecked last: most seeds give the same
    uint32_t checked_count, checked_capacity;
} reach_job;

tr_status reach_job_open(const reach_request *request, reach_job *job, tr_error *error);
void reach_job_close(reach_job *job);
// Trees, clearances and the planner once more, as for another scene; job->prepare_ms is what it took.
tr_status reach_job_prepare(const reach_request *request, reach_job *job, tr_error *error);

// One path found or not.
typedef struct reach_run {
    tr_status status;
    tr_reach_reason reason;
    tr_reach_by by;
    double us, cpu_us; // by the clock; of the processor, which others may have had in between
    double part_us[3]; // of that: search, shortening, smoothing
    double smooth_us;  // and after it
    uint32_t checks;
    reach_finding finding; // where it is solved
    tr_smoothness smoothness;
    double duration; // [s]
} reach_run;
// Plan. Not TR_OK: memory, or a task that is no task.
tr_status reach_job_run(reach_job *job, const tr_reach_task *task, bool pose, uint64_t seed, reach_run *run,
                        tr_error *error);
// Plan once more (the same seed has the same path), sample the path into job->samples and recheck it. The
// times stay those of reach_job_run: plans are timed one after the other, without what looks at them in
// between.
tr_status reach_job_examine(reach_job *job, const tr_reach_task *task, bool pose, uint64_t seed,
                            reach_run *run, tr_error *error);
// Postures along an arm path, so near to each other that straight lines between them are it: no angle changes
// by more than REACH_RECHECK_STEP, or leaves the line by more than 1e-5 rad.
bool reach_job_sample(reach_job *job, const tr_arm_path *arm_path);

// How long plans took [us].
typedef struct reach_spread {
    double median, p95, worst;
} reach_spread;

// All runs of one task.
typedef struct reach_summary {
    const tr_reach_task *task;
    uint32_t runs, solved, collision_free;
    uint32_t by[TR_REACH_BY_TREES + 1];
    reach_spread time, cpu;
    double part_us[3];              // search, shortening, smoothing; medians
    double wrist_m, length_rad;     // medians
    double wrist_ratio;             // of the longest to the best known; NAN
    double wrist_error, hand_error; // the worst
    double ldlj, sparc;             // medians
    double ldlj_worst, sparc_worst;
    double smooth_us;       // median
    double duration;        // median
    uint32_t speed_peaks;   // the most
    double checks;          // median
    tr_reach_reason reason; // of the last run that failed
    reach_finding finding;  // of the last path that was refused
} reach_summary;

typedef struct reach_report {
    reach_summary *tasks;
    uint32_t count;
    double *times, *cpu, *scratch; // of all runs [us]
    uint32_t runs;                 // of one task
    uint32_t time_count, solved, collision_free;
    reach_spread time, cpu_time;
    double worst_ratio; // NAN: nothing to compare with
} reach_report;

// `paths` (may be NULL) gets every path, inside an array that the caller has opened. `progress` may be NULL.
typedef struct reach_listener {
    tr_json_writer *paths;
    void (*progress)(void *user, double share);
    void *user;
} reach_listener;
tr_status reach_report_measure(reach_job *job, const reach_request *request, const reach_listener *listener,
                               reach_report *report, tr_error *error);
void reach_report_destroy(reach_report *report);

const char *reach_by_name(tr_reach_by by);
// Print what was measured, as one document or as a table.
tr_status reach_print_json(const reach_job *job, const reach_request *request, const reach_report *report,
                           tr_error *error);
void reach_print_table(const reach_job *job, const reach_request *request, const reach_report *report);
