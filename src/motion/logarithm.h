// A natural logarithm with the same bits on every platform, for measures of smoothness and of time.
#pragma once

// For finite x > 0: splits off the power of two, then sums the series of the inverse hyperbolic tangent.
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
