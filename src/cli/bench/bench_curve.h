// Figures that form a curve, as points on a plane that are joined by lines: ours, and those of the paper.
#pragma once
#include "bench.h"
#include "troupe/io/picture.h"

typedef struct bench_curve {
    const bench_result *results; // those with an `axis`, by rising `at`, are its points
    uint32_t count;
    const char *quantity;
    float left, right, top, bottom; // of the plane, without its words [pixels]
    float text;                     // height of words [pixels]
    tr_color ours, paper, ink, grid;
} bench_curve;
bool bench_curve_has(const bench_result *result); // is it a point of a curve?
void bench_curve_draw(const bench_curve *curve, tr_picture *picture);
