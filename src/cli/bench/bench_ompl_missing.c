// Replaces bench_ompl.cpp where libompl-dev and libfcl-dev are not installed.
#include "bench_ompl.h"

#ifndef TROUPE_HAVE_OMPL
static const char refusal[] = "this build has no OMPL (packages libompl-dev and libfcl-dev)";

const char *bench_ompl_create(const tr_scene *scene, const tr_reach_file *file, bench_ompl **ompl) {
    (void)scene, (void)file;
    *ompl = NULL;
    return refusal;
}

void bench_ompl_destroy(bench_ompl *ompl) {
    (void)ompl;
}

const char *bench_ompl_plan(bench_ompl *ompl, const tr_reach_task *task, bool pose, uint64_t seed,
                            bench_ompl_run *run) {
    (void)ompl, (void)task, (void)pose, (void)seed, (void)run;
    return refusal;
}

bool bench_ompl_touches(bench_ompl *ompl, const tr_posture *posture) {
    (void)ompl, (void)posture;
    return true;
}
#endif
