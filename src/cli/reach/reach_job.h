// Tasks for an arm, planned and rechecked: shared by `troupe reach` and the bench suite of that name.
#pragma once
#include "reach_recheck.h"
#include "troupe/io/json.h"
#include "troupe/motion/arm_smooth.h"
#include "troupe/motion/smoothness.h"

typedef struct reach_request {
    const char *scene, *sample, *tasks; // a scene file or a sample scene; the task file
    uint64_t scene_seed;                // of the sample scene
    tr_up_axis up;
    uint64_t checks;           // that a plan may take; 0: the default
    uint64_t runs, first_seed; // each run has the seed after that of the run before
    bool pose;
    int64_t task;      // only the task with this id; -1: all
    double margin;     // [m]; NAN: the default
    const char *paths; // file for all paths; NULL: none
    const char *depth; // folder for pictures of depth maps; NULL: none
    bool arm_smooth;   // smooth the paths after planning
    bool json, help;
} reach_request;

// An allocator that counts the allocations.
typedef struct reach_memory {
    uint64_t calls;
} reach_memory;

// All resources of a job, freed at the end. Zero is valid.
typedef struct reach_job {
    reach_memory memory;
    tr_reach_file file;
    tr_scene *scene;
    tr_solid *solid;
    tr_reach *reach;
    uint32_t checks;           // that a plan may take
    tr_arm_smooth *arm_smooth; // NULL: paths are used as planned
    reach_recheck *recheck;
    double read_ms, prepare_ms; // files; trees, clearances and the planner's memory
    uint64_t allocations;       // while planning: none
    tr_posture *samples;        // of the last path
    uint32_t sample_count, sample_capacity;
    tr_posture *checked; // the path rechecked last: most seeds give the same
    uint32_t checked_count, checked_capacity;
} reach_job;

tr_status reach_job_open(const reach_request *request, reach_job *job, tr_error *error);
void reach_job_close(reach_job *job);
// Builds trees, clearances and the planner again, as for another scene; job->prepare_ms gets the time.
tr_status reach_job_prepare(const reach_request *request, reach_job *job, tr_error *error);

// One planned run, with or without a path.
typedef struct reach_run {
    tr_status status;
    tr_reach_reason reason;
    tr_reach_by by;
    double us, cpu_us; // wall-clock time, and processor time, which excludes other programs
    double part_us[3]; // of these: search, shortening, smoothing
    double smooth_us;  // arm smoothing afterwards
    uint32_t checks;
    reach_finding finding; // if solved
    tr_smoothness smoothness;
    double duration; // [s]
} reach_run;
// Plans. Not TR_OK: out of memory, or an invalid task.
tr_status reach_job_run(reach_job *job, const tr_reach_task *task, bool pose, uint64_t seed, reach_run *run,
                        tr_error *error);
// Plans again (the same seed gives the same path), samples the path into job->samples and rechecks it. The
// times stay those of reach_job_run: plans are timed back to back, without the checks in between.
tr_status reach_job_examine(reach_job *job, const tr_reach_task *task, bool pose, uint64_t seed,
                            reach_run *run, tr_error *error);
// Samples an arm path densely enough that straight lines between the postures reproduce it: no angle changes
// by more than REACH_RECHECK_STEP or deviates from the line by more than 1e-5 rad.
bool reach_job_sample(reach_job *job, const tr_arm_path *arm_path);

// Distribution of the planning times [us].
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
    double wrist_ratio;             // of the longest to the best known; NAN if none is known
    double wrist_error, hand_error; // the worst
    double ldlj, sparc;             // medians
    double ldlj_worst, sparc_worst;
    double smooth_us;       // median
    double duration;        // median
    uint32_t speed_peaks;   // the most
    double checks;          // median
    tr_reach_reason reason; // of the last run that failed
    reach_finding finding;  // of the last path that the recheck rejected
} reach_summary;

typedef struct reach_report {
    reach_summary *tasks;
    uint32_t count;
    double *times, *cpu, *scratch; // of all runs [us]
    uint32_t runs;                 // of one task
    uint32_t time_count, solved, collision_free;
    reach_spread time, cpu_time;
    double worst_ratio; // NAN: no best known path to compare with
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
// Prints the measurements as one document or as a table.
tr_status reach_print_json(const reach_job *job, const reach_request *request, const reach_report *report,
                           tr_error *error);
void reach_print_table(const reach_job *job, const reach_request *request, const reach_report *report);
