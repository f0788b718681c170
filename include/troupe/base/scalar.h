// troupe/base/scalar.h - the few functions of libm that differ between C libraries, with the same results on
// every machine.
//
// + - * / and sqrt are exact in IEEE 754 and the same on every machine; sin, cos and atan2 are not. The
// functions below use only the exact operations, so that a plan has the same bits under glibc, musl and WASM.
// They are pure, and any thread may call them.
#pragma once
#include "troupe/base/api.h"

TR_BEGIN_DECLARATIONS

#define TR_PI 3.14159265358979323846

// Computes sine and cosine of an angle [rad, |angle| < 1e6; beyond that, and for NaN or infinity, both are
// NaN]. Error below 4e-16. Exact for an angle of 0.
TR_API void tr_sin_cos(double angle, double *sine, double *cosine);

// Returns the angle of the point (x, y) [rad, -pi to pi], 0 for the origin. Error below 1e-15. The sign of a
// zero is ignored: the angle of (-1, -0.0) is pi. NaN if a coordinate is not a number or beyond 1e300.
TR_API double tr_arc_tangent(double y, double x);

// Rises from 0 at 0 to 1 at 1 with the least jerk, at rest at both ends. Clamps x to [0, 1].
static inline double tr_ease(double x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * x * (10 + x * (6 * x - 15));
}
static inline float tr_ease_float(float x) {
    x = x < 0 ? 0 : x > 1 ? 1 : x;
    return x * x * x * (10 + x * (6 * x - 15));
}

TR_END_DECLARATIONS
