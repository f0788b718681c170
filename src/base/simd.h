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
typedef int32_t simd_int __attribute__((vector_size(SIMD_LANES * 4)));     // also a mask: -1 true, 0 false
typedef uint32_t simd_bitset __attribute__((vector_size(SIMD_LANES * 4))); // 32 bits in each lane

static inline simd_float simd_load(const float *source) {
    simd_float v;
    memcpy(&v, source, sizeof v);
    return v;
}

// Four floats in the first lanes; 0 in the others, if there are more.
static inline simd_float simd_load_four(const float *source) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (simd_float)_mm256_zextps128_ps256(_mm_loadu_ps(source));
#else
    simd_float v = {0};
    memcpy(&v, source, 16);
    return v;
#endif
}

static inline void simd_store_four(float *target, simd_float v) {
#if defined(__AVX__) && SIMD_LANES == 8
    _mm_storeu_ps(target, _mm256_castps256_ps128((__m256)v));
#else
    memcpy(target, &v, 16);
#endif
}

static inline void simd_store(int32_t *target, simd_int v) {
    memcpy(target, &v, sizeof v);
}

static inline void simd_store_float(float *target, simd_float v) {
    memcpy(target, &v, sizeof v);
}

static inline simd_float simd_set(float value) {
    return value - (simd_float){0};
}

static inline simd_int simd_set_int(int32_t value) {
    return value - (simd_int){0};
}

// 0 in the first lane, 1 in the second...
static inline simd_int simd_numbers(void) {
    static const int32_t numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    simd_int v;
    memcpy(&v, numbers, sizeof v);
    return v;
}

static inline simd_float simd_select(simd_int mask, simd_float yes, simd_float no) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (simd_float)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#else
    return (simd_float)((mask & (simd_int)yes) | (~mask & (simd_int)no));
#endif
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
#if defined(__AVX2__) && SIMD_LANES == 8
    return (simd_int)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return simd_select_int(a < b, a, b);
#endif
}

static inline simd_int simd_max_int(simd_int a, simd_int b) {
#if defined(__AVX2__) && SIMD_LANES == 8
    return (simd_int)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return simd_select_int(a > b, a, b);
#endif
}

static inline simd_float simd_sqrt(simd_float v) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (simd_float)_mm256_sqrt_ps((__m256)v);
#elif defined(__SSE__) && SIMD_LANES == 4
    return (simd_float)_mm_sqrt_ps((__m128)v);
#elif defined(__wasm_simd128__) && SIMD_LANES == 4
    return (simd_float)wasm_f32x4_sqrt((v128_t)v);
#else
    for (int lane = 0; lane < SIMD_LANES; lane++)
        v[lane] = __builtin_sqrtf(v[lane]);
    return v;
#endif
}

#if SIMD_LANES == 4
// Transposes four rows.
static inline void simd_transpose(simd_float rows[4]) {
    simd_float low01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    simd_float high01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    simd_float low23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    simd_float high23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}
#endif

static inline simd_float simd_abs(simd_float v) {
    return (simd_float)((simd_int)v & 0x7fffffff);
}

// Towards minus infinity; |v| must be below 2^30.
static inline simd_int simd_floor(simd_float v) {
#if defined(__AVX__) && SIMD_LANES == 8
    return (simd_int)_mm256_cvttps_epi32(_mm256_floor_ps((__m256)v));
#else
    simd_int truncated = __builtin_convertvector(v, simd_int);
    return truncated + (__builtin_convertvector(truncated, simd_float) > v); // a true lane is -1
#endif
}

static inline simd_bitset simd_set_bits(uint32_t value) {
    return value - (simd_bitset){0};
}

// Shifts each lane by its own number of bits: 0 where `count` is negative or above 31.
static inline simd_bitset simd_shift_left(simd_bitset v, simd_int count) {
#if defined(__AVX2__) && SIMD_LANES == 8
    return (simd_bitset)_mm256_sllv_epi32((__m256i)v, (__m256i)count);
#else
    simd_int inside = (count >= 0) & (count < 31);
    simd_float power = (simd_float)(((count & inside) + 127) << 23); // 2^count, from its exponent
    simd_bitset shifted = v * (simd_bitset) __builtin_convertvector(power, simd_int);
    return ((simd_bitset)inside & shifted) | ((simd_bitset)(count == 31) & (v << 31));
#endif
}

// The bitwise OR of all lanes of `a` in the low half of 64 bits, and of all lanes of `b` in the high half.
static inline uint64_t simd_or_lanes(simd_bitset a, simd_bitset b) {
#if defined(__AVX2__) && SIMD_LANES == 8
    __m256i mixed = _mm256_or_si256(_mm256_unpacklo_epi32((__m256i)a, (__m256i)b),
                                    _mm256_unpackhi_epi32((__m256i)a, (__m256i)b));
    __m128i four = _mm_or_si128(_mm256_castsi256_si128(mixed), _mm256_extracti128_si256(mixed, 1));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(four, _mm_unpackhi_epi64(four, four)));
#elif defined(__SSE2__) && SIMD_LANES == 4
    __m128i mixed =
        _mm_or_si128(_mm_unpacklo_epi32((__m128i)a, (__m128i)b), _mm_unpackhi_epi32((__m128i)a, (__m128i)b));
    return (uint64_t)_mm_cvtsi128_si64(_mm_or_si128(mixed, _mm_unpackhi_epi64(mixed, mixed)));
#else
    uint32_t low = 0, high = 0;
    for (int lane = 0; lane < SIMD_LANES; lane++)
        low |= a[lane], high |= b[lane];
    return low | (uint64_t)high << 32;
#endif
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

// The mask with the lanes of `bits` true.
static inline simd_int simd_mask(uint32_t bits) {
    static const int32_t own[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    simd_int v;
    memcpy(&v, own, sizeof v);
    return (v & (int32_t)bits) != 0;
}
