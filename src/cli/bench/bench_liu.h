// The set-up of the suite `liu`: the desk, the arm in front of it, and the collision checks.
#pragma once
#include "bench.h"
#include "cli/papers/march.h"

typedef struct liu_stand {
    tr_sample sample;
    tr_sample_desk places;
    tr_arm arm;
    tr_solid *solid;
    tr_raster *soft, *gl; // gl may be NULL
} liu_stand;

// One figure; `paper` is NAN if the paper has none.
void liu_add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
             double paper);
// Depth maps and the exact check on the same random postures: where and why they differ.
bool liu_compare(bench_report *bench, const liu_stand *stand);
