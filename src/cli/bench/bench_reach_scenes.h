// A part of the suite `reach`: scenes and tasks that are drawn at random.
#pragma once
#include "bench.h"
#include "cli/reach/reach_job.h"

// One task of a drawn scene, planned once.
typedef struct reach_task_run {
    const tr_reach_task *task;
    bool pose;
    uint64_t seed;
    reach_run run;
} reach_task_run;

bool bench_reach_scenes(bench_report *bench);
