// motion/lanes.h - vectors and rotations of four limbs or bones at a time, one in each lane. Internal to
// motion/.
#pragma once

#define SIMD_LANES 4
#include "base/simd.h"

typedef struct lane_vectors {
    simd_float x, y, z;
} lane_vectors;

typedef struct lane_turns {
    simd_float x, y, z, w;
} lane_turns;

static inline lane_vectors lanes_add(lane_vectors a, lane_vectors b) {
    return (lane_vectors){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline lane_vectors lanes_subtract(lane_vectors a, lane_vectors b) {
    return (lane_vectors){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline lane_vectors lanes_scale(lane_vectors a, simd_float s) {
    return (lane_vectors){a.x * s, a.y * s, a.z * s};
}

static inline simd_float lanes_dot(lane_vectors a, lane_vectors b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline simd_float lanes_length(lane_vectors a) {
    return simd_sqrt(lanes_dot(a, a));
}

static inline lane_vectors lanes_cross(lane_vectors a, lane_vectors b) {
    return (lane_vectors){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline lane_vectors lanes_select(simd_int mask, lane_vectors yes, lane_vectors no) {
    return (lane_vectors){simd_select(mask, yes.x, no.x), simd_select(mask, yes.y, no.y),
                          simd_select(mask, yes.z, no.z)};
}

static inline lane_vectors lanes_rotate(lane_turns q, lane_vectors v) {
    lane_vectors axis = {q.x, q.y, q.z}, t = lanes_cross(axis, v);
    t = lanes_add(t, t);
    return lanes_add(v, lanes_add(lanes_scale(t, q.w), lanes_cross(axis, t)));
}

// b first, then a.
static inline lane_turns lanes_multiply(lane_turns a, lane_turns b) {
    return (lane_turns){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// b first, then the inverse of a.
static inline lane_turns lanes_multiply_back(lane_turns a, lane_turns b) {
    return (lane_turns){
        a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y, a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
        a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w, a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z};
}

static inline lane_turns lanes_unit(lane_turns q) {
    simd_float inverse = simd_set(1) / simd_sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (lane_turns){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

// The first two lanes twice; the last two twice; the first two of each.
static inline simd_float lanes_first(simd_float v) {
    return __builtin_shufflevector(v, v, 0, 1, 0, 1);
}

static inline simd_float lanes_last(simd_float v) {
    return __builtin_shufflevector(v, v, 2, 3, 2, 3);
}

static inline simd_float lanes_join(simd_float a, simd_float b) {
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}

static inline lane_vectors lanes_first_vectors(lane_vectors v) {
    return (lane_vectors){lanes_first(v.x), lanes_first(v.y), lanes_first(v.z)};
}

static inline lane_vectors lanes_last_vectors(lane_vectors v) {
    return (lane_vectors){lanes_last(v.x), lanes_last(v.y), lanes_last(v.z)};
}

static inline lane_vectors lanes_join_vectors(lane_vectors a, lane_vectors b) {
    return (lane_vectors){lanes_join(a.x, b.x), lanes_join(a.y, b.y), lanes_join(a.z, b.z)};
}

static inline lane_turns lanes_first_turns(lane_turns q) {
    return (lane_turns){lanes_first(q.x), lanes_first(q.y), lanes_first(q.z), lanes_first(q.w)};
}

static inline lane_turns lanes_last_turns(lane_turns q) {
    return (lane_turns){lanes_last(q.x), lanes_last(q.y), lanes_last(q.z), lanes_last(q.w)};
}

static inline lane_turns lanes_join_turns(lane_turns a, lane_turns b) {
    return (lane_turns){lanes_join(a.x, b.x), lanes_join(a.y, b.y), lanes_join(a.z, b.z),
                        lanes_join(a.w, b.w)};
}

// One rotation in four lanes: x, y, z and w.
typedef simd_float lane_turn;

static inline lane_turn lane_turn_products(lane_turn a, lane_turn b, simd_float signs_x, simd_float signs_y,
                                           simd_float signs_z) {
    simd_float w = __builtin_shufflevector(a, a, 3, 3, 3, 3), x = __builtin_shufflevector(a, a, 0, 0, 0, 0);
    simd_float y = __builtin_shufflevector(a, a, 1, 1, 1, 1), z = __builtin_shufflevector(a, a, 2, 2, 2, 2);
    return w * b + x * signs_x * __builtin_shufflevector(b, b, 3, 2, 1, 0) +
           y * signs_y * __builtin_shufflevector(b, b, 2, 3, 0, 1) +
           z * signs_z * __builtin_shufflevector(b, b, 1, 0, 3, 2);
}

// b first, then a.
static inline lane_turn lane_turn_multiply(lane_turn a, lane_turn b) {
    return lane_turn_products(a, b, (simd_float){1, -1, 1, -1}, (simd_float){1, 1, -1, -1},
                              (simd_float){-1, 1, 1, -1});
}

// b first, then the inverse of a.
static inline lane_turn lane_turn_back(lane_turn a, lane_turn b) {
    return lane_turn_products(a, b, (simd_float){-1, 1, -1, 1}, (simd_float){-1, -1, 1, 1},
                              (simd_float){1, -1, -1, 1});
}

static inline lane_turn lane_turn_unit(lane_turn q) {
    simd_float square = q * q;
    square = square + __builtin_shufflevector(square, square, 1, 0, 3, 2);
    square = square + __builtin_shufflevector(square, square, 2, 3, 0, 1);
    return q * (simd_set(1) / simd_sqrt(square));
}

static inline simd_float lanes_within_one(simd_float v) {
    return simd_min(simd_max(v, simd_set(0)), simd_set(1));
}

// The distances between the middle lines of limbs, each from one end to another, and where along both the
// nearest points are [0, 1]: the nearest points of two lines, each put back onto its limb for the other
// one's.
static inline simd_float lanes_between_limbs(lane_vectors a, lane_vectors a_end, lane_vectors b,
                                             lane_vectors b_end, simd_float *a_part, simd_float *b_part) {
    lane_vectors u = lanes_subtract(a_end, a), v = lanes_subtract(b_end, b), off = lanes_subtract(a, b);
    simd_float least = simd_set(1e-12f), uu = simd_max(lanes_dot(u, u), least),
               vv = simd_max(lanes_dot(v, v), least), uv = lanes_dot(u, v), uo = lanes_dot(u, off),
               vo = lanes_dot(v, off), skew = simd_max(uu * vv - uv * uv, least);
    simd_float s = lanes_within_one((uv * vo - uo * vv) / skew), t = lanes_within_one((uv * s + vo) / vv);
    s = lanes_within_one((uv * t - uo) / uu);
    *a_part = s;
    *b_part = t;
    return lanes_length(lanes_add(off, lanes_subtract(lanes_scale(u, s), lanes_scale(v, t))));
}
