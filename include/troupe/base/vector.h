// troupe/base/vector.h - vectors, quaternions, affine maps and boxes. Metres and radians, Y up, right-handed.
//
// Plain structs of floats and functions of + - * / and sqrt only, evaluated in the order written: the same bits for
// every compiler and on WASM. Everything here is pure and safe on any thread.
#pragma once
#include "troupe/base/api.h"
#include <math.h>

TR_BEGIN_DECLARATIONS

typedef struct tr_vec2 {
    float x, z; // a point of the ground plane, seen from above
} tr_vec2;

typedef struct tr_vec3 {
    float x, y, z;
} tr_vec3;

// A unit quaternion is a rotation; x, y, z is the vector part (glTF's order).
typedef struct tr_quat {
    float x, y, z, w;
} tr_quat;

// p -> m * (p, 1): rotation, scale and shear in the first three columns, translation in the last.
typedef struct tr_affine {
    float m[3][4];
} tr_affine;

// Scale first, then rotate, then move.
typedef struct tr_transform {
    tr_vec3 position;
    tr_quat rotation;
    tr_vec3 scale;
} tr_transform;

// Closed; empty when min > max on any axis.
typedef struct tr_box {
    tr_vec3 min, max;
} tr_box;

static inline tr_vec3 tr_vec3_make(float x, float y, float z) {
    tr_vec3 v = {x, y, z};
    return v;
}
static inline tr_vec3 tr_vec3_add(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline tr_vec3 tr_vec3_subtract(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline tr_vec3 tr_vec3_scale(tr_vec3 a, float s) {
    return tr_vec3_make(a.x * s, a.y * s, a.z * s);
}
static inline float tr_vec3_dot(tr_vec3 a, tr_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline tr_vec3 tr_vec3_cross(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float tr_vec3_length(tr_vec3 a) {
    return sqrtf(tr_vec3_dot(a, a));
}
static inline bool tr_vec3_is_finite(tr_vec3 a) {
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static inline tr_box tr_box_empty(void) {
    tr_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    return box;
}
static inline bool tr_box_is_empty(tr_box box) {
    return !(box.min.x <= box.max.x && box.min.y <= box.max.y && box.min.z <= box.max.z);
}
static inline tr_box tr_box_include(tr_box box, tr_vec3 p) {
    box.min = tr_vec3_make(fminf(box.min.x, p.x), fminf(box.min.y, p.y), fminf(box.min.z, p.z));
    box.max = tr_vec3_make(fmaxf(box.max.x, p.x), fmaxf(box.max.y, p.y), fmaxf(box.max.z, p.z));
    return box;
}
static inline tr_box tr_box_union(tr_box a, tr_box b) {
    return tr_box_include(tr_box_include(a, b.min), b.max);
}

TR_API tr_affine tr_affine_identity(void);
TR_API tr_affine tr_affine_from_transform(tr_transform transform);
// A turn by `heading` about +Y (0 looks along +Z, positive turns from +Z towards +X) and a move to `position`.
TR_API tr_affine tr_affine_place(tr_vec3 position, double heading);
// First b, then a.
TR_API tr_affine tr_affine_multiply(const tr_affine *a, const tr_affine *b);
TR_API tr_vec3 tr_affine_apply(const tr_affine *a, tr_vec3 point);
// The smallest box around the image of `box` that can be told from its corners; empty stays empty.
TR_API tr_box tr_affine_apply_box(const tr_affine *a, tr_box box);
TR_API bool tr_affine_is_finite(const tr_affine *a);

TR_API tr_transform tr_transform_identity(void);
// Between a (t = 0) and b (t = 1): position and scale linearly, rotation the shorter way at constant speed to within
// 0.1 percent (normalised blending with a corrected parameter: no trigonometry, so the same bits everywhere).
TR_API tr_transform tr_transform_blend(tr_transform a, tr_transform b, float t);
TR_API tr_quat tr_quat_normalize(tr_quat q); // the identity for a zero or non-finite q
TR_API tr_quat tr_quat_about(tr_vec3 axis, double angle); // axis need not have unit length; zero gives the identity

TR_END_DECLARATIONS
