// Sines and cosines of all lanes at once, in single precision: for forward kinematics, which needs ten of
// them millions of times. Only + - * are used, so that a lane has the same bits for every width and on every
// machine. Define SIMD_LANES before including. Internal.
#pragma once
#include "simd.h"

// |angle| up to 1000 rad: error below 2e-7; an angle of 0 is exact. Larger angles lose digits; NaN and
// infinity give NaN.
static inline void simd_sin_cos(simd_float angle, simd_float *sine, simd_float *cosine) {
    // Adding 1.5 * 2^23 rounds to the nearest whole number and leaves it in the lowest bits.
    const float rounder = 12582912.0f;
    simd_float shifted = angle * 0.636619772f + rounder;
    simd_int quadrant = (simd_int)shifted;
    simd_float turns = shifted - rounder;
    // pi/2 in three parts; the first two have few enough digits for exact products.
    simd_float r = ((angle - turns * 1.5703125f) - turns * 4.83751296997e-4f) - turns * 7.54978995489e-8f;
    simd_float s = r * r;
    // Minimax polynomials on |r| <= pi/4.
    simd_float odd = r + r * s * (-1.6666654611e-1f + s * (8.3321608736e-3f + s * -1.9515295891e-4f));
    simd_float even =
        (1.0f - s * 0.5f) +
        s * s * (4.166664568298827e-2f + s * (-1.388731625493765e-3f + s * 2.443315711809948e-5f));
    simd_int swap = (quadrant & 1) != 0;
    simd_int sine_sign = (quadrant & 2) << 30, cosine_sign = ((quadrant + 1) & 2) << 30;
    *sine = (simd_float)((simd_int)simd_select(swap, even, odd) ^ sine_sign);
    *cosine = (simd_float)((simd_int)simd_select(swap, odd, even) ^ cosine_sign);
}
