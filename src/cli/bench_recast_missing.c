// In place of bench_recast.cpp where librecast-dev is not installed.
#include "cli/bench.h"

#ifndef TROUPE_HAVE_RECAST
const char *bench_recast_measure(const tr_scene *scene, const tr_grid *grid, float height, float radius,
                                 bench_recast_times *times) {
    (void)scene, (void)grid, (void)height, (void)radius, (void)times;
    return "this build has no Recast (package librecast-dev)";
}
#endif
