// Steps of the lower body over the terrain of figure 6: the ground profile, the window, the whole step.
#include "bench_li.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TALL 1.75f
#define BEHIND 0.9f // of the profile behind the standing foot [m]
#define KNEE 0.45f
#define REACH 0.95f
#define COLUMNS 256
#define TERRAINS 40
#define WALK_MOST 20 // steps of one walk
#define TURNS 5      // each window is timed so often, and the least counts
#define ROW 30       // steps that are planned in a row
#define FRAME 30.0f  // frames a second
#define WINDOWS (TERRAINS * WALK_MOST)

typedef struct li_stand {
    tr_scene *scene;
    tr_solid *solid;
    tr_profile *profile;
    tr_footstep_window *window;
    tr_stride_body body;
    tr_footstep_window_params params;
    float goal, sum; // `sum`: of results, so that the compiler cannot remove the work
    tr_stride_foot feet[2];
    tr_stride_stand start;
    float lengths[TR_FOOTSTEP_WINDOW_STEPS_MAX];
    uint32_t length_count, side;
    float base;
    bool walks;
} li_stand;

typedef struct li_times {
    double cut[WINDOWS], best[WINDOWS], descent[WINDOWS], every[WINDOWS], step[WINDOWS];
    double excess; // of the cost of the descent over the best
    uint32_t count, examined;
    uint32_t differ; // windows in which the best is not that of trying everything
} li_times;

static void close_stand(li_stand *stand) {
    tr_solid_destroy(stand->solid);
    tr_scene_destroy(stand->scene);
    stand->solid = NULL, stand->scene = NULL;
}

static bool open_terrain(li_stand *stand, uint64_t seed, tr_error *error) {
    tr_sample_def def = {.name = "uneven", .seed = seed};
    tr_sample sample;
    if (tr_sample_make(&def, &sample, error) != TR_OK)
        return false;
    stand->scene = sample.scene;
    stand->goal = sample.goal.z;
    tr_solid_def solid = tr_solid_def_default(sample.scene);
    for (int i = 0; i < 2; i++)
        stand->feet[i] = (tr_stride_foot){.along = BEHIND, .aside = (i ? -0.5f : 0.5f) * stand->body.apart};
    stand->base = -0.4f - BEHIND;
    stand->walks = false;
    stand->side = stand->length_count = 0;
    return tr_solid_create(&solid, &stand->solid, error) == TR_OK;
}

// The profile around the feet, whose places are measured along its path.
static tr_status cut(li_stand *stand, tr_error *error) {
    float shift = stand->feet[1 - stand->side].along - BEHIND;
    stand->base += shift, stand->start.along -= shift;
    stand->feet[0].along -= shift, stand->feet[1].along -= shift;
    float room = BEHIND + (float)stand->params.steps * stand->params.length_most + 2 * stand->body.toe;
    const tr_vec2 path[2] = {{0, stand->base}, {0, stand->base + room}};
    tr_profile_query query = {stand->solid, path, 2, stand->feet[1 - stand->side].height, KNEE, REACH};
    return tr_profile_cut(stand->profile, &query, error);
}

static tr_status find(li_stand *stand, tr_footstep_window_method method, tr_footstep_window_plan *plan,
                      tr_error *error) {
    stand->params.method = method;
    tr_footstep_window_query query = {.profile = stand->profile,
                                      .body = &stand->body,
                                      .params = &stand->params,
                                      .height = TALL,
                                      .facing = 1,
                                      .side = stand->side,
                                      .feet = {stand->feet[0], stand->feet[1]},
                                      .start = stand->walks ? &stand->start : NULL,
                                      .lengths = stand->lengths,
                                      .length_count = stand->length_count};
    return tr_footstep_window_find(stand->window, &query, plan, error);
}

static void take(li_stand *stand, const tr_footstep_window_plan *plan) {
    tr_footstep_window_take(&plan->strides[0], stand->feet);
    stand->start = plan->strides[0].end;
    stand->walks = true;
    stand->side = 1 - stand->side;
    stand->length_count = plan->step_count - 1;
    memcpy(stand->lengths, plan->lengths + 1, stand->length_count * sizeof *plan->lengths);
}

// The poses of a step, 30 a second.
static void pose(li_stand *stand, const tr_stride *stride) {
    for (float time = 0; time < stride->duration; time += 1 / FRAME) {
        tr_stride_pose at;
        tr_stride_pose_at(&stand->body, stride, time / stride->duration, &at);
        stand->sum += at.knee[0];
    }
}

static double least_time(li_stand *stand, tr_footstep_window_method method, tr_footstep_window_plan *plan) {
    double least = INFINITY;
    for (int i = 0; i < TURNS; i++) {
        uint64_t begin = bench_thread_nanoseconds();
        find(stand, method, plan, NULL);
        double time = (double)(bench_thread_nanoseconds() - begin) * 1e-3;
        least = time < least ? time : least;
    }
    return least;
}

// Times the window in front of the walker, and takes its first step. false: there is none.
static bool measure_window(li_stand *stand, li_times *times, tr_error *error) {
    tr_footstep_window_plan plan, other;
    double least = INFINITY;
    for (int i = 0; i < TURNS; i++) {
        uint64_t begin = bench_thread_nanoseconds();
        if (cut(stand, error) != TR_OK)
            return false;
        double time = (double)(bench_thread_nanoseconds() - begin) * 1e-3;
        least = time < least ? time : least;
    }
    if (find(stand, TR_FOOTSTEP_WINDOW_BEST, &plan, error) != TR_OK)
        return false;
    uint32_t at = times->count++;
    times->cut[at] = least;
    times->descent[at] = least_time(stand, TR_FOOTSTEP_WINDOW_DESCENT, &other);
    times->excess += (double)(other.cost - plan.cost);
    uint64_t begin = bench_thread_nanoseconds();
    find(stand, TR_FOOTSTEP_WINDOW_EVERY, &other, NULL);
    times->every[at] = (double)(bench_thread_nanoseconds() - begin) * 1e-3;
    times->differ += other.cost != plan.cost;
    times->best[at] = least_time(stand, TR_FOOTSTEP_WINDOW_BEST, &plan);
    times->examined += plan.examined;
    double posing = INFINITY;
    for (int i = 0; i < TURNS; i++) {
        begin = bench_thread_nanoseconds();
        pose(stand, &plan.strides[0]);
        double time = (double)(bench_thread_nanoseconds() - begin) * 1e-3;
        posing = time < posing ? time : posing;
    }
    times->step[at] = least + times->best[at] + posing;
    take(stand, &plan);
    return stand->base + plan.strides[0].to.along < stand->goal;
}

// 30 steps one after the other, on as many terrains as that needs [ms].
static bool measure_row(li_stand *stand, double *milliseconds, tr_error *error) {
    double rows[TERRAINS / 4];
    uint32_t count = 0;
    for (uint64_t seed = 1; count < TERRAINS / 4; seed += 2) {
        double total = 0;
        uint32_t steps = 0;
        for (uint64_t part = 0; steps < ROW; part++) {
            if (!open_terrain(stand, 100 * seed + part, error))
                return false;
            tr_footstep_window_plan plan;
            bool goes = true;
            uint64_t begin = bench_thread_nanoseconds();
            while (goes && steps < ROW) {
                goes = cut(stand, error) == TR_OK &&
                       find(stand, TR_FOOTSTEP_WINDOW_BEST, &plan, error) == TR_OK &&
                       stand->base + plan.strides[0].to.along < stand->goal;
                if (goes) {
                    take(stand, &plan);
                    steps++;
                }
            }
            total += (double)(bench_thread_nanoseconds() - begin) * 1e-6;
            close_stand(stand);
        }
        rows[count++] = total;
    }
    *milliseconds = bench_median(rows, count);
    return true;
}

static void add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                double paper) {
    bench_result result = {.value = value, .unit = unit, .paper = paper, .peer = NULL, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

static double mean(const double *values, uint32_t count) {
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / count : 0;
}

static void report(bench_report *bench, li_times *times, double row) {
    uint32_t count = times->count;
    add(bench, "li.profile_us", "ground profile of a window, cut from triangles, mean",
        mean(times->cut, count), "us", NAN);
    add(bench, "li.window_us", "best window of 3 steps in 13 intervals, figure 6, mean",
        mean(times->best, count), "us", NAN);
    add(bench, "li.window_examined", "steps whose swing is planned for a window, mean",
        (double)times->examined / count, "", NAN);
    add(bench, "li.descent_us", "the paper's search for a local best, mean", mean(times->descent, count),
        "us", NAN);
    add(bench, "li.descent_excess", "cost of the local best over the best, mean", times->excess / count,
        "J/kg", NAN);
    add(bench, "li.every_us", "trying all 2,744 configurations, mean", mean(times->every, count), "us", NAN);
    add(bench, "li.window_differs", "windows whose best is not that of trying everything",
        (double)times->differ, "", NAN);
    add(bench, "li.step_us", "a step of the lower body: profile, window, poses at 30 Hz, mean",
        mean(times->step, count), "us", 30000);
    add(bench, "li.steps30_ms", "30 steps planned in a row, profiles included", row, "ms", NAN);
    add(bench, "li.window_median_us", "best window, median", bench_median(times->best, count), "us", NAN);
}

static bool measure(bench_report *bench, li_stand *stand, li_times *times, tr_error *error) {
    for (uint64_t i = 0; i < TERRAINS; i++) {
        bench_progress(bench, "steps over uneven ground", (double)i / TERRAINS);
        if (!open_terrain(stand, bench_seed(bench, 1) + i, error))
            return false;
        for (int step = 0; step < WALK_MOST && measure_window(stand, times, error); step++) {
        }
        close_stand(stand);
    }
    double row;
    if (!measure_row(stand, &row, error))
        return false;
    report(bench, times, row);
    return true;
}

bool bench_li_steps(bench_report *bench) {
    tr_error error = {0};
    tr_allocator memory = tr_allocator_default();
    li_stand stand = {.body = tr_stride_body_default(TALL),
                      .params = tr_footstep_window_params_default(TALL)};
    tr_profile_def profile = tr_profile_def_default();
    profile.columns = COLUMNS;
    li_times *times = tr_allocate_zero(&memory, 1, sizeof *times);
    bool fine = times && tr_profile_create(&profile, &stand.profile, &error) == TR_OK &&
                tr_footstep_window_create(NULL, stand.params.steps, stand.params.intervals, COLUMNS,
                                          &stand.window, &error) == TR_OK &&
                measure(bench, &stand, times, &error);
    close_stand(&stand);
    tr_footstep_window_destroy(stand.window);
    tr_profile_destroy(stand.profile);
    tr_release(&memory, times, 1, sizeof *times);
    if (!fine)
        command_complain_of(&error);
    return fine;
}
