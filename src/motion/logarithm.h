// The natural logarithm with one answer everywhere, for measures of smoothness and of time.
#pragma once

// Of x > 0, finite: powers of two out of the way, then the series of the inverse hyperbolic tangent.
static inline double tr_natural_logarithm(double x) {
    int exponent = 0;
    for (; x > 1.5; exponent++)
        x *= 0.5;
    for (; x < 0.75; exponent--)
        x *= 2;
    double z = (x - 1) / (x + 1), s = z * z, sum = 0;
    for (int n = 25; n >= 1; n -= 2)
        sum = 1.0 / n + s * sum;
    return exponent * 0.69314718055994530942 + 2 * z * sum;
}
