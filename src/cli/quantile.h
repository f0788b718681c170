// cli/quantile.h - quantiles of measured values. Internal to cli.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static inline int quantile_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The quantile of the values at this share; sorts them. NAN if there are none.
static inline double quantile(double *values, uint32_t count, double share) {
    if (count == 0)
        return NAN;
    qsort(values, count, sizeof *values, quantile_compare);
    uint32_t rank = (uint32_t)ceil(share * count);
    return values[rank > 0 ? rank - 1 : 0];
}
