#include "troupe/base/scalar.h"

#include <math.h>

// Sine and cosine are computed together, in the two lanes of one register: the same sums in the same order as
// separate code, in half the instructions.
typedef double two_doubles __attribute__((vector_size(16)));

// Taylor polynomials on |r| <= pi/4, of the sine and of the cosine: the first terms left out are below 1e-17.
static inline two_doubles sine_and_cosine(double r) {
    double s = r * r;
    two_doubles squares = {s, s};
    two_doubles p = {1.0 / 355687428096000.0, 1.0 / 20922789888000.0 - s * (1.0 / 6402373705728000.0)};
    p = (two_doubles){-1.0 / 1307674368000.0, -1.0 / 87178291200.0} + squares * p;
    p = (two_doubles){1.0 / 6227020800.0, 1.0 / 479001600.0} + squares * p;
    p = (two_doubles){-1.0 / 39916800.0, -1.0 / 3628800.0} + squares * p;
    p = (two_doubles){1.0 / 362880.0, 1.0 / 40320.0} + squares * p;
    p = (two_doubles){-1.0 / 5040.0, -1.0 / 720.0} + squares * p;
    p = (two_doubles){1.0 / 120.0, 1.0 / 24.0} + squares * p;
    p = (two_doubles){-1.0 / 6.0, -0.5} + squares * p;
    return (two_doubles){r, 1.0} + (two_doubles){r * s, s} * p;
}

void tr_sin_cos(double angle, double *sine, double *cosine) {
    if (!(fabs(angle) < 1e6)) {
        *sine = *cosine = NAN;
        return;
    }
    // pi/2 in three parts of 33, 33 and 53 bits: the products with a quadrant below 2^20 are exact.
    const double part_1 = 1.57079632673412561417e+00, part_2 = 6.07710050630396597660e-11,
                 part_3 = 2.02226624879595063154e-21;
    double turns = angle * 0.63661977236758134308;
    long quadrant = (long)(turns + (turns >= 0 ? 0.5 : -0.5));
    double q = (double)quadrant;
    double r = ((angle - q * part_1) - q * part_2) - q * part_3;
    two_doubles both = sine_and_cosine(r);
    double s = quadrant & 1 ? both[1] : both[0], c = quadrant & 1 ? both[0] : both[1];
    *sine = quadrant & 2 ? -s : s;
    *cosine = (quadrant + 1) & 2 ? -c : c;
}

// For 0 <= t <= 1: atan(t) = atan(c) + atan((t - c) / (1 + t c)) with the nearest of nine fixed c = k/8
// leaves an argument below 1/16, where eight terms of the series are enough.
static double arc_tangent_unit(double t) {
    static const double at_eighths[9] = {0.0,
                                         0.12435499454676143503,
                                         0.24497866312686415417,
                                         0.35877067027057222039,
                                         0.46364760900080611621,
                                         0.55859931534356243597,
                                         0.64350110879328438680,
                                         0.71882999962162450541,
                                         0.78539816339744830962};
    int k = (int)(t * 8.0 + 0.5);
    double c = k / 8.0, u = (t - c) / (1.0 + t * c), s = u * u;
    double p = 1.0 / 13.0 - s * (1.0 / 15.0);
    p = -1.0 / 11.0 + s * p;
    p = 1.0 / 9.0 + s * p;
    p = -1.0 / 7.0 + s * p;
    p = 1.0 / 5.0 + s * p;
    p = -1.0 / 3.0 + s * p;
    return at_eighths[k] + (u + u * s * p);
}

double tr_arc_tangent(double y, double x) {
    double ay = fabs(y), ax = fabs(x);
    if (!(ay <= 1e300 && ax <= 1e300))
        return NAN;
    if (ax == 0 && ay == 0)
        return 0;
    double angle = ay <= ax ? arc_tangent_unit(ay / ax) : TR_PI / 2 - arc_tangent_unit(ax / ay);
    if (x < 0)
        angle = TR_PI - angle;
    return y < 0 ? -angle : angle;
}
