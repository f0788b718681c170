#define _POSIX_C_SOURCE 200809L
#include "reach_job.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/motion/arm_timing.h"
#include "troupe/world/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CLEARANCE_CELL 0.025f // [m]
#define CHECKS_PER_NODE 12
#define SMOOTHNESS_RATE 200 // positions of the wrist per second
#define SMOOTHNESS_MAX 2048
#define SMOOTH_CLEARANCE 0.001f // [m]
#define SMOOTH_TRIES 16

static void *count_and_resize(void *user, void *old, size_t old_size, size_t new_size) {
    reach_memory *memory = user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    memory->calls++;
    return realloc(old, new_size);
}

static double milliseconds_since(uint64_t begin) {
    return (double)(tr_clock_nanoseconds() - begin) / 1e6;
}

static tr_status read_tasks(const reach_request *request, reach_job *job, tr_error *error) {
    tr_bytes text;
    tr_reach_file_options options = {
        .up = request->up, .note = command_note, .note_user = (void *)request->tasks};
    tr_status status = tr_file_read(NULL, request->tasks, &text, error);
    if (status != TR_OK)
        return status;
    status = tr_reach_file_read(text.data, text.size, request->tasks, &options, &job->file, error);
    tr_bytes_free(NULL, &text);
    return status;
}

// The scene is in the axes of the task file, unless its own format defines them.
static tr_status read_scene(const reach_request *request, reach_job *job, tr_error *error) {
    if (request->sample) {
        tr_sample sample;
        tr_status status = tr_sample_make(
            &(tr_sample_def){.name = request->sample, .seed = request->scene_seed}, &sample, error);
        job->scene = status == TR_OK ? sample.scene : NULL;
        return status;
    }
    tr_scene_read_options options = tr_scene_read_options_default();
    options.up = job->file.up;
    options.note = command_note;
    options.note_user = (void *)request->scene;
    tr_status status = tr_scene_create(NULL, &job->scene);
    return status == TR_OK ? tr_scene_file_read(request->scene, &options, job->scene, error)
                           : tr_fail(error, status, "no memory for the scene");
}

// The range of the arm, with a margin of a hand's breadth.
static tr_box reach_box(const tr_arm *arm) {
    float reach = 0.1f;
    for (int i = 0; i < TR_ARM_LINKS; i++)
        reach += arm->length[i];
    tr_vec3 shoulder = tr_affine_apply(&arm->base, arm->shoulder), half = {reach, reach, reach};
    return (tr_box){tr_vec3_subtract(shoulder, half), tr_vec3_add(shoulder, half)};
}

tr_status reach_job_prepare(const reach_request *request, reach_job *job, tr_error *error) {
    tr_reach_destroy(job->reach);
    tr_solid_destroy(job->solid);
    job->reach = NULL;
    job->solid = NULL;
    tr_allocator memory = {count_and_resize, &job->memory};
    tr_solid_def solid = tr_solid_def_default(job->scene);
    solid.allocator = &memory;
    solid.clearance_cell = CLEARANCE_CELL;
    solid.clearance_box = reach_box(&job->file.arm);
    uint64_t begin = tr_clock_nanoseconds();
    tr_status status = tr_solid_create(&solid, &job->solid, error);
    if (status != TR_OK)
        return status;
    tr_reach_def def = tr_reach_def_default(job->solid, &job->file.arm);
    def.allocator = &memory;
    def.bodies = job->file.bodies;
    def.body_count = job->file.body_count;
    def.self = job->file.self;
    if (!isnan(request->margin))
        def.margin = (float)request->margin;
    job->checks = request->checks ? (uint32_t)request->checks : tr_reach_params_default().checks_max;
    // As many nodes as that many checks can make: an edge takes about ten.
    if (job->checks / CHECKS_PER_NODE > def.nodes_max)
        def.nodes_max = job->checks / CHECKS_PER_NODE;
    status = tr_reach_create(&def, &job->reach, error);
    job->prepare_ms = milliseconds_since(begin);
    return status;
}

tr_status reach_job_open(const reach_request *request, reach_job *job, tr_error *error) {
    uint64_t begin = tr_clock_nanoseconds();
    *job = (reach_job){0};
    tr_status status = read_tasks(request, job, error);
    if (status == TR_OK)
        status = read_scene(request, job, error);
    job->read_ms = milliseconds_since(begin);
    if (status == TR_OK)
        status = reach_job_prepare(request, job, error);
    if (status == TR_OK && request->arm_smooth)
        status = tr_arm_smooth_create(NULL, &job->arm_smooth, error);
    if (status == TR_OK)
        status = reach_recheck_create(job->scene, &job->file, &job->recheck, error);
    return status;
}

void reach_job_close(reach_job *job) {
    tr_allocator memory = tr_allocator_default();
    tr_release(&memory, job->samples, job->sample_capacity, sizeof *job->samples);
    tr_release(&memory, job->checked, job->checked_capacity, sizeof *job->checked);
    reach_recheck_destroy(job->recheck);
    tr_arm_smooth_destroy(job->arm_smooth);
    tr_reach_destroy(job->reach);
    tr_solid_destroy(job->solid);
    tr_scene_destroy(job->scene);
    tr_reach_file_destroy(&job->file);
}

static bool add_sample(reach_job *job, const tr_posture *posture) {
    tr_allocator memory = tr_allocator_default();
    if (!tr_reserve(&memory, (void **)&job->samples, &job->sample_capacity, (uint64_t)job->sample_count + 1,
                    sizeof *job->samples))
        return false;
    job->samples[job->sample_count++] = *posture;
    return true;
}

static bool is_straight(const tr_posture *a, const tr_posture *middle, const tr_posture *b) {
    for (int i = 0; i < TR_ARM_ANGLES; i++)
        if (fabs((double)b->q[i] - a->q[i]) > REACH_RECHECK_STEP ||
            fabs(middle->q[i] - ((double)a->q[i] + b->q[i]) / 2) > 1e-5)
            return false;
    return true;
}

// A midpoint alone misses a bend that reverses there, so the first two levels are always split.
static bool sample_between(reach_job *job, const tr_arm_path *arm_path, double begin, const tr_posture *a,
                           double end, const tr_posture *b, int level) {
    tr_posture middle = tr_arm_path_at(arm_path, (begin + end) / 2, NULL);
    if (level >= 16 || (level >= 2 && is_straight(a, &middle, b)))
        return add_sample(job, b);
    return sample_between(job, arm_path, begin, a, (begin + end) / 2, &middle, level + 1) &&
           sample_between(job, arm_path, (begin + end) / 2, &middle, end, b, level + 1);
}

bool reach_job_sample(reach_job *job, const tr_arm_path *arm_path) {
    job->sample_count = 0;
    if (arm_path->count == 0)
        return true;
    tr_posture from = tr_arm_path_at(arm_path, 0, NULL);
    bool fine = add_sample(job, &from);
    for (uint32_t i = 1; i < arm_path->count && fine; i++) {
        tr_posture to = tr_arm_path_at(arm_path, i, NULL);
        fine = sample_between(job, arm_path, i - 1, &from, i, &to, 0);
        from = to;
    }
    return fine;
}

// Smoothness of the wrist as in the motion: along the path with its arm timing.
static tr_status measure_smoothness(const reach_job *job, const tr_arm_path *arm_path, reach_run *run,
                                    tr_error *error) {
    tr_arm_timing arm_timing;
    tr_vec3 wrists[SMOOTHNESS_MAX];
    tr_status status =
        tr_arm_timing_make(&job->file.arm, arm_path, &(tr_arm_timing_params){0}, &arm_timing, error);
    if (status != TR_OK)
        return status;
    run->duration = arm_timing.duration;
    run->smoothness = (tr_smoothness){.ldlj = NAN, .sparc = NAN};
    uint32_t count = (uint32_t)fmin(SMOOTHNESS_MAX, floor(arm_timing.duration * SMOOTHNESS_RATE) + 1);
    if (count < 8 || !(arm_timing.length > 1e-3))
        return TR_OK;
    for (uint32_t i = 0; i < count; i++) {
        tr_vec3 points[4];
        tr_posture posture = tr_arm_timing_at(&arm_timing, arm_timing.duration * i / (count - 1), NULL);
        tr_arm_points(&job->file.arm, &posture, points);
        wrists[i] = points[2];
    }
    return tr_smoothness_measure(wrists, count, (count - 1) / arm_timing.duration, NULL, &run->smoothness,
                                 error);
}

static bool was_checked(const reach_job *job) {
    return job->sample_count > 0 && job->sample_count == job->checked_count &&
           memcmp(job->samples, job->checked, job->sample_count * sizeof *job->samples) == 0;
}

static bool remember(reach_job *job) {
    tr_allocator memory = tr_allocator_default();
    if (!tr_reserve(&memory, (void **)&job->checked, &job->checked_capacity, job->sample_count,
                    sizeof *job->checked))
        return false;
    memcpy(job->checked, job->samples, job->sample_count * sizeof *job->samples);
    job->checked_count = job->sample_count;
    return true;
}

// Copies the knots of the path to `knots` and smooths them there.
static tr_status arm_smooth_path(reach_job *job, tr_arm_path *path, tr_posture *knots, reach_run *run,
                                 tr_error *error) {
    uint64_t begin = tr_clock_nanoseconds();
    tr_arm_smooth_params params = {.clearance = SMOOTH_CLEARANCE, .tries = SMOOTH_TRIES};
    memcpy(knots, path->knots, path->count * sizeof *knots);
    path->knots = knots;
    tr_status status =
        tr_arm_smooth_run(job->arm_smooth, job->reach, &params, knots, path->count, NULL, error);
    run->smooth_us = (double)(tr_clock_nanoseconds() - begin) / 1e3;
    return status;
}

// Skipped if the path is the one of the previous run, whose finding is still in `run`.
static tr_status examine(reach_job *job, const tr_reach_task *task, const tr_arm_goal *goal, reach_run *run,
                         tr_error *error) {
    tr_arm_path path = tr_reach_last(job->reach)->path;
    tr_posture knots[TR_ARM_SMOOTH_KNOTS_MAX];
    if (job->arm_smooth && path.count <= TR_ARM_SMOOTH_KNOTS_MAX) {
        tr_status status = arm_smooth_path(job, &path, knots, run, error);
        if (status != TR_OK)
            return status;
    }
    if (!reach_job_sample(job, &path))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the samples of a path");
    if (was_checked(job))
        return TR_OK;
    reach_recheck_path(job->recheck, &task->start, goal, job->samples, job->sample_count, &run->finding);
    tr_status status = measure_smoothness(job, &path, run, error);
    if (status == TR_OK && !remember(job))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the samples of a path");
    return status;
}

// Processor time of this thread [us].
static double processor_time(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

tr_status reach_job_run(reach_job *job, const tr_reach_task *task, bool pose, uint64_t seed, reach_run *run,
                        tr_error *error) {
    tr_reach_params params = tr_reach_params_default();
    const tr_arm_goal *goal = pose ? &task->pose : &task->position;
    params.seed = seed;
    params.help = job->file.help;
    params.checks_max = job->checks;
    double cpu = processor_time();
    uint64_t calls = job->memory.calls, begin = tr_clock_nanoseconds();
    tr_status status = tr_reach_plan(job->reach, &task->start, goal, &params, error);
    run->us = (double)(tr_clock_nanoseconds() - begin) / 1e3;
    run->cpu_us = processor_time() - cpu;
    job->allocations += job->memory.calls - calls;
    const tr_reach_result *result = tr_reach_last(job->reach);
    run->status = status;
    run->reason = result->reason;
    run->by = result->by;
    run->checks = result->checks;
    run->part_us[0] = result->search_us;
    run->part_us[1] = result->shorten_us;
    run->part_us[2] = result->smooth_us;
    return status == TR_OK || status == TR_NOT_FOUND || status == TR_PARTIAL ? TR_OK : status;
}

tr_status reach_job_examine(reach_job *job, const tr_reach_task *task, bool pose, uint64_t seed,
                            reach_run *run, tr_error *error) {
    double us = run->us, cpu_us = run->cpu_us;
    tr_status status = reach_job_run(job, task, pose, seed, run, error);
    run->us = us, run->cpu_us = cpu_us;
    job->sample_count = 0;
    if (status != TR_OK || run->status != TR_OK)
        return status;
    return examine(job, task, pose ? &task->pose : &task->position, run, error);
}
