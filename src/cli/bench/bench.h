// What the suites of `troupe bench` share: the list of results, timing, and the peers.
#pragma once
#include "cli/progress.h"
#include "troupe/base/api.h"
#include "troupe/world/sample_crowd.h"
#include "troupe/world/raster.h"

typedef struct bench_report bench_report;

// One figure. `paper` and `peer_value` are NAN, and `peer` NULL, where there is none.
typedef struct bench_result {
    char id[64];
    char what[160];
    double value;
    const char *unit; // static
    double paper;
    const char *peer; // static
    double peer_value;
    const char *by; // whose figure `value` is; NULL: ours. static
} bench_result;

// Goes on as the program with the peers, if that was built beside this one; else returns.
void bench_hand_over(int count, char **arguments);

void bench_add(bench_report *bench, const bench_result *result);
bool bench_wants_gl(const bench_report *bench);
bool bench_wants_large(const bench_report *bench); // what takes minutes, too
const char *bench_data(const bench_report *bench); // the folder of other people's maps and scenes
// The seed of whatever a suite draws at random. With --seed 0, the default, it is the suite's `own`, so that
// figures can be compared from run to run; other values of --seed share none with it.
uint64_t bench_seed(const bench_report *bench, uint64_t own);
// Say what is being measured; nothing in a pipe.
void bench_progress(bench_report *bench, const char *what, double share);

// What was left out and why, on stderr; the same sentence only once.
void bench_note(bench_report *bench, const char *sentence);

// The middle of `count` [1, ...] values; sorts them.
double bench_median(double *values, uint32_t count);
// How long this thread has worked so far [ns]: other programs on the machine do not count.
uint64_t bench_thread_nanoseconds(void);
// How long `work` takes [ns]: the median of five calls after one that is not counted.
double bench_time(void (*work)(void *user), void *user);

// The suites. Each adds its results; false: something failed and was told on stderr.
bool bench_kuffner(bench_report *bench);
bool bench_bandi(bench_report *bench);
bool bench_route(bench_report *bench);
bool bench_peers(bench_report *bench);
bool bench_scale(bench_report *bench);
bool bench_motion(bench_report *bench);
bool bench_liu(bench_report *bench);
bool bench_reach(bench_report *bench);
bool bench_stage(bench_report *bench);
// A part of the route suite, and one of the stage's.
bool bench_route_replan(bench_report *bench);
bool bench_stage_ground(bench_report *bench);

// Recast beside us, for the triangles that are in the scene now. Each call returns NULL, or why it could not
// be done; without Recast in the build that is "this build has no Recast".
typedef struct bench_agent {
    float height, radius, climb, slope; // [m], slope in degrees
    float cell_height;                  // Recast's vertical cell [m]
} bench_agent;

// Rasterisation alone, and the whole way to a navigation mesh, at the grid's cell size.
typedef struct bench_recast_times {
    double rasterize_ms, build_ms;
} bench_recast_times;
const char *bench_recast_measure(const tr_scene *scene, const tr_grid *grid, const bench_agent *agent,
                                 bench_recast_times *times);

// A mesh to ask for paths: made, asked, given back.
typedef struct bench_detour bench_detour;
const char *bench_detour_build(const tr_scene *scene, const tr_grid *grid, const bench_agent *agent,
                               bench_detour **detour);
// Of the straight path, from corner to corner [m].
typedef struct bench_detour_length {
    double flat; // seen from above
    double whole;
} bench_detour_length;
// A path that does not reach the goal is a refusal.
const char *bench_detour_query(bench_detour *detour, tr_vec3 start, tr_vec3 goal,
                               bench_detour_length *length);
// The nearest place on the mesh within `reach` in each direction; false: there is none.
bool bench_detour_snap(const bench_detour *detour, tr_vec3 reach, tr_vec3 *point);
// A place on the mesh: evenly spread over its area when share, u and v are spread over [0, 1).
tr_vec3 bench_detour_point(const bench_detour *detour, float share, float u, float v);
void bench_detour_destroy(bench_detour *detour);

// A crowd that never rests, walked by DetourCrowd at 30 ticks a second: discs of TR_SAMPLE_PERSON_RADIUS with
// the starts, speeds and goals of the people. `warm_up` ticks are not counted.
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
    double overlap;              // share of agents that overlap somebody by more than 10 % of the diameter
    double pace;                 // how fast they went, as a share of how fast they wanted to
    uint32_t trips;              // goals reached
} bench_crowd_figures;
const char *bench_detour_crowd(const tr_sample_crowd *people, const bench_crowd_setting *setting,
                               uint32_t warm_up, uint32_t ticks, bench_crowd_figures *figures);
