// Shared by the suites of `troupe bench`: the list of results, timing, and the peers (other libraries).
#pragma once
#include "cli/progress.h"
#include "troupe/base/api.h"
#include "troupe/world/sample_crowd.h"
#include "troupe/world/raster.h"

typedef struct bench_report bench_report;

// One figure. Without a paper's or peer's value, `paper` and `peer_value` are NAN and `peer` is NULL.
typedef struct bench_result {
    char id[64];
    char what[160];
    double value;
    const char *unit; // static
    double paper;
    const char *peer; // static
    double peer_value;
    const char *by; // whose figure `value` is; NULL: ours. static
    // Figures that form a curve: what is measured along its other axis, and where. NULL: a bar. static
    const char *axis;
    double at;
} bench_result;

// Continues as the program with the peers if that was built next to this one; otherwise returns.
void bench_hand_over(int count, char **arguments);

void bench_add(bench_report *bench, const bench_result *result);
bool bench_wants_gl(const bench_report *bench);
bool bench_wants_large(const bench_report *bench); // include what takes minutes
const char *bench_data(const bench_report *bench); // the folder of third-party maps and scenes
// Returns the seed for whatever a suite draws at random. With --seed 0, the default, it is the suite's `own`,
// so that figures can be compared from run to run; other values of --seed share none with it.
uint64_t bench_seed(const bench_report *bench, uint64_t own);
// Shows what is being measured, but only on a terminal.
void bench_progress(bench_report *bench, const char *what, double share);

// Reports on stderr what was skipped and why; the same sentence only once.
void bench_note(bench_report *bench, const char *sentence);

// The median of `count` [1, ...] values; sorts them.
double bench_median(double *values, uint32_t count);
// Processor time of this thread so far [ns]: other programs on the machine do not count.
uint64_t bench_thread_nanoseconds(void);
// Time that `work` takes [ns]: the median of five calls after one that is not counted.
double bench_time(void (*work)(void *user), void *user);

// The suites. Each adds its results; false: an error was reported on stderr.
bool bench_kuffner(bench_report *bench);
bool bench_bandi(bench_report *bench);
bool bench_route(bench_report *bench);
bool bench_peers(bench_report *bench);
bool bench_scale(bench_report *bench);
bool bench_motion(bench_report *bench);
bool bench_liu(bench_report *bench);
bool bench_reach(bench_report *bench);
bool bench_lau(bench_report *bench);
bool bench_li(bench_report *bench);
bool bench_stage(bench_report *bench);
bool bench_density(bench_report *bench);
// A part of the lau suite: the figures of the paper.
bool bench_lau_figures(bench_report *bench);
// A part of the stage suite.
bool bench_stage_ground(bench_report *bench);

// Recast on the triangles that are in the scene now. Each call returns NULL, or the reason why it failed; in
// a build without Recast that is "this build has no Recast".
typedef struct bench_agent {
    float height, radius, climb, slope; // [m], slope in degrees
    float cell_height;                  // Recast's vertical cell [m]
} bench_agent;

// Rasterisation alone, and the whole build of a navigation mesh, at the grid's cell size.
typedef struct bench_recast_times {
    double rasterize_ms, build_ms;
} bench_recast_times;
const char *bench_recast_measure(const tr_scene *scene, const tr_grid *grid, const bench_agent *agent,
                                 bench_recast_times *times);

// A mesh for path queries: created, queried, destroyed.
typedef struct bench_detour bench_detour;
const char *bench_detour_build(const tr_scene *scene, const tr_grid *grid, const bench_agent *agent,
                               bench_detour **detour);
// Length of the straightened path, from corner to corner [m].
typedef struct bench_detour_length {
    double flat; // projected onto the ground
    double whole;
} bench_detour_length;
// A path that does not reach the goal counts as a failure.
const char *bench_detour_query(bench_detour *detour, tr_vec3 start, tr_vec3 goal,
                               bench_detour_length *length);
// The nearest point on the mesh within `reach` in each direction; false: there is none.
bool bench_detour_snap(const bench_detour *detour, tr_vec3 reach, tr_vec3 *point);
// A point on the mesh, uniform over its area if share, u and v are uniform in [0, 1).
tr_vec3 bench_detour_point(const bench_detour *detour, float share, float u, float v);
void bench_detour_destroy(bench_detour *detour);

// A crowd in constant motion, moved by DetourCrowd at 30 ticks per second: discs of TR_SAMPLE_PERSON_RADIUS
// with the starts, speeds and goals of the people. `warm_up` ticks are not counted.
typedef enum bench_crowd_quality {
    BENCH_CROWD_LOW,
    BENCH_CROWD_MEDIUM,
    BENCH_CROWD_GOOD,
    BENCH_CROWD_HIGH
} bench_crowd_quality;
typedef struct bench_crowd_setting {
    bench_crowd_quality quality; // of obstacle avoidance
    bool separation;
} bench_crowd_setting;
typedef struct bench_crowd_figures {
    double tick_ms, tick_p99_ms; // mean and 99th percentile
    double overlap;              // share of agents that overlap another by more than 10 % of the diameter
    double pace;                 // actual speed as a share of the desired speed
    uint32_t trips;              // goals reached
} bench_crowd_figures;
const char *bench_detour_crowd(const tr_sample_crowd *people, const bench_crowd_setting *setting,
                               uint32_t warm_up, uint32_t ticks, bench_crowd_figures *figures);
