// SIMD through one portable layer: the vector extensions of gcc and clang (x86, ARM, WASM), with the
// processor's own instruction where the compilers do not find it. Define SIMD_LANES (4 or 8) before
// including. Internal.
//
// Every operation works lane by lane in IEEE single precision, so a result never depends on the number of
// lanes.
#pragma once
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

typedef float simd_float __attribute__((vector_size(SIMD_LANES * 4)));
typedef int32_t simd_int __attribute__((vector_size(SIMD_LANES * 4))); // also a mask: -1 true, 0 false

static inline simd_float simd_load(const float *source) {
    simd_float v;
    memcpy(&v, source, sizeof v);
    return v;
}

static inline void simd_store(int32_t *target, simd_int v) {
    memcpy(target, &v, sizeof v);
}

static inline simd_float simd_set(float value) {
    return value - (simd_float){0};
}

static inline simd_int simd_set_int(int32_t value) {
    return value - (simd_int){0};
}

static inline simd_float simd_select(simd_int mask, simd_float yes, simd_float no) {
    return (simd_float)((mask & (simd_int)yes) | (~mask & (simd_int)no));
}

static inline simd_int simd_select_int(simd_int mask, simd_int yes, simd_int no) {
    return (mask & yes) | (~mask & no);
}

static inline simd_float simd_min(simd_float a, simd_float b) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (simd_float)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE__) && SIMD_LANES == 4
    return (simd_float)_mm_min_ps((__m128)a, (__m128)b);
#elif defined(__wasm_simd128__) && SIMD_LANES == 4
    return (simd_float)wasm_f32x4_pmin((v128_t)b, (v128_t)a);
#else
    return simd_select(a < b, a, b);
#endif
}

static inline simd_float simd_max(simd_float a, simd_float b) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (simd_float)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE__) && SIMD_LANES == 4
    return (simd_float)_mm_max_ps((__m128)a, (__m128)b);
#elif defined(__wasm_simd128__) && SIMD_LANES == 4
    return (simd_float)wasm_f32x4_pmax((v128_t)b, (v128_t)a);
#else
    return simd_select(a > b, a, b);
#endif
}

static inline simd_int simd_min_int(simd_int a, simd_int b) {
    return simd_select_int(a < b, a, b);
}

static inline simd_int simd_max_int(simd_int a, simd_int b) {
    return simd_select_int(a > b, a, b);
}

static inline simd_float simd_abs(simd_float v) {
    return (simd_float)((simd_int)v & 0x7fffffff);
}

// Towards minus infinity; |v| must be below 2^30.
static inline simd_int simd_floor(simd_float v) {
    simd_int truncated = __builtin_convertvector(v, simd_int);
    return truncated + (__builtin_convertvector(truncated, simd_float) > v); // a true lane is -1
}

// One bit for each lane whose mask is true.
static inline uint32_t simd_bits(simd_int mask) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE__) && SIMD_LANES == 4
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#elif defined(__wasm_simd128__) && SIMD_LANES == 4
    return (uint32_t)wasm_i32x4_bitmask((v128_t)mask);
#else
    uint32_t bits = 0;
    for (int lane = 0; lane < SIMD_LANES; lane++)
        bits |= (uint32_t)(mask[lane] & 1) << lane;
    return bits;
#endif
}
