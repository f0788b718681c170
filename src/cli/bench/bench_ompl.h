// OMPL and FCL for comparison: RRT-Connect for the same arm, scene and tasks, and FCL's own collision check
// of a posture.
#pragma once
#include "troupe/io/reach_file.h"

TR_BEGIN_DECLARATIONS

typedef struct bench_ompl bench_ompl;

// Each call returns NULL, or the reason why it failed; in a build without OMPL that is "this build has no
// OMPL". The triangles that are in the scene now become one tree of oriented boxes. Only a right arm without
// the trunk is supported.
const char *bench_ompl_create(const tr_scene *scene, const tr_reach_file *file, bench_ompl **ompl);
void bench_ompl_destroy(bench_ompl *ompl);

typedef struct bench_ompl_run {
    bool solved;
    double plan_ms, simplify_ms;
    double plan_cpu_ms, cpu_ms; // processor time: of the plan, and in all
    const tr_posture *path;     // valid until the next run
    uint32_t count;
} bench_ompl_run;
// RRT-Connect, range 0.8, edges checked every 0.05 rad, then OMPL's simplification. Goals are sampled during
// planning: a random swivel of the elbow and random angles of the hand, within the limits (and the tolerance
// of the direction).
const char *bench_ompl_plan(bench_ompl *ompl, const tr_reach_task *task, bool pose, uint64_t seed,
                            bench_ompl_run *run);
// FCL's check of one posture: the links against the triangles. Body and self-collisions are computed
// separately.
bool bench_ompl_touches(bench_ompl *ompl, const tr_posture *posture);

TR_END_DECLARATIONS
