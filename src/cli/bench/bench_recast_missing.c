// Replaces bench_recast.cpp where librecast-dev is not installed.
#include "bench.h"

#ifndef TROUPE_HAVE_RECAST
static const char refusal[] = "this build has no Recast (package librecast-dev)";

const char *bench_recast_measure(const tr_scene *scene, const tr_grid *grid, const bench_agent *agent,
                                 bench_recast_times *times) {
    (void)scene, (void)grid, (void)agent, (void)times;
    return refusal;
}

const char *bench_detour_build(const tr_scene *scene, const tr_grid *grid, const bench_agent *agent,
                               bench_detour **detour) {
    (void)scene, (void)grid, (void)agent;
    *detour = NULL;
    return refusal;
}

const char *bench_detour_query(bench_detour *detour, tr_vec3 start, tr_vec3 goal,
                               bench_detour_length *length) {
    (void)detour, (void)start, (void)goal, (void)length;
    return refusal;
}

bool bench_detour_snap(const bench_detour *detour, tr_vec3 reach, tr_vec3 *point) {
    (void)detour, (void)reach, (void)point;
    return false;
}

tr_vec3 bench_detour_point(const bench_detour *detour, float share, float u, float v) {
    (void)detour, (void)share, (void)u, (void)v;
    return tr_vec3_make(0, 0, 0);
}

const char *bench_detour_crowd(const tr_sample_crowd *people, const bench_crowd_setting *setting,
                               uint32_t warm_up, uint32_t ticks, bench_crowd_figures *figures) {
    (void)people, (void)setting, (void)warm_up, (void)ticks, (void)figures;
    return refusal;
}

void bench_detour_destroy(bench_detour *detour) {
    (void)detour;
}
#endif
