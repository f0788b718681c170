// The tables of `troupe bench` as bar charts.
#pragma once
#include "bench.h"
#include "troupe/base/status.h"

// What one suite has measured.
typedef struct bench_chart {
    const char *name, *title;
    const bench_result *results;
    uint32_t count;
} bench_chart;

// Is `path` a place where pictures can be written? To be asked before what takes minutes. A path that ends in
// .png is a file, any other a folder, which is made where it is missing.
tr_status bench_plot_prepare(const char *path, tr_error *error);
// All charts as one picture, or each as NAME.png in the folder. `origin` is one line below the titles. A
// chart without results is left out.
tr_status bench_plot_write(const char *path, const bench_chart *charts, uint32_t count, const char *origin,
                           tr_error *error);
