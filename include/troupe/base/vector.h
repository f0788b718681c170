// troupe/base/vector.h - vectors, quaternions, affine maps and boxes. Metres and radians, Y up, right-handed.
//
// Plain structs of floats. The functions use only + - * / and sqrt, evaluated in the order written: they give
// the same bits for every compiler and on WASM. All of them are pure and safe on any thread.
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

// A closed box; empty if min > max on any axis.
typedef struct tr_box {
    tr_vec3 min, max;
} tr_box;

static inline tr_vec2 tr_vec2_make(float x, float z) {
    tr_vec2 v = {x, z};
    return v;
}
static inline tr_vec2 tr_vec2_add(tr_vec2 a, tr_vec2 b) {
    return tr_vec2_make(a.x + b.x, a.z + b.z);
}
static inline tr_vec2 tr_vec2_subtract(tr_vec2 a, tr_vec2 b) {
    return tr_vec2_make(a.x - b.x, a.z - b.z);
}
static inline tr_vec2 tr_vec2_scale(tr_vec2 a, float s) {
    return tr_vec2_make(a.x * s, a.z * s);
}
static inline float tr_vec2_dot(tr_vec2 a, tr_vec2 b) {
    return a.x * b.x + a.z * b.z;
}
static inline float tr_vec2_length(tr_vec2 a) {
    return sqrtf(tr_vec2_dot(a, a));
}

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
static inline float tr_vec3_distance(tr_vec3 a, tr_vec3 b) {
    return tr_vec3_length(tr_vec3_subtract(a, b));
}
// Projects a point onto the ground plane.
static inline tr_vec2 tr_vec3_from_above(tr_vec3 a) {
    return tr_vec2_make(a.x, a.z);
}
// The distance between two points seen from above.
static inline float tr_vec3_distance_from_above(tr_vec3 a, tr_vec3 b) {
    return tr_vec2_length(tr_vec2_subtract(tr_vec3_from_above(a), tr_vec3_from_above(b)));
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
// Uses comparisons instead of fminf and fmaxf, which may return either zero for 0 and -0 and so differ
// between C libraries. Ignores coordinates that are NaN.
static inline tr_box tr_box_union(tr_box a, tr_box b) {
    tr_box both = {{b.min.x < a.min.x ? b.min.x : a.min.x, b.min.y < a.min.y ? b.min.y : a.min.y,
                    b.min.z < a.min.z ? b.min.z : a.min.z},
                   {b.max.x > a.max.x ? b.max.x : a.max.x, b.max.y > a.max.y ? b.max.y : a.max.y,
                    b.max.z > a.max.z ? b.max.z : a.max.z}};
    return both;
}
static inline tr_box tr_box_include(tr_box box, tr_vec3 p) {
    tr_box point = {p, p};
    return tr_box_union(box, point);
}

TR_API tr_affine tr_affine_identity(void);
TR_API tr_affine tr_affine_from_transform(tr_transform transform);
// Rotates by `heading` about +Y (0 looks along +Z, positive turns from +Z towards +X) and moves to
// `position`.
TR_API tr_affine tr_affine_place(tr_vec3 position, double heading);
// Applies b first, then a.
TR_API tr_affine tr_affine_multiply(const tr_affine *a, const tr_affine *b);
static inline tr_vec3 tr_affine_apply(const tr_affine *a, tr_vec3 p) {
    return tr_vec3_make(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                        a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                        a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
}
// Returns the box around the images of the corners of `box`; an empty box stays empty.
TR_API tr_box tr_affine_apply_box(const tr_affine *a, tr_box box);
TR_API bool tr_affine_is_finite(const tr_affine *a);

TR_API tr_transform tr_transform_identity(void);
// Blends between a (t = 0) and b (t = 1): position and scale linearly, exact at both ends; rotation the
// shorter way at constant speed, within 1e-6 radians. Rotations need not have unit length.
TR_API tr_transform tr_transform_blend(tr_transform a, tr_transform b, float t);
TR_API tr_quat tr_quat_normalize(tr_quat q); // the identity for a zero or non-finite q
// A rotation by `angle` [rad, as for tr_sin_cos] about `axis`, of any length; a zero or non-finite axis gives
// the identity.
TR_API tr_quat tr_quat_about(tr_vec3 axis, double angle);

// Applies b first, then a.
static inline tr_quat tr_quat_multiply(tr_quat a, tr_quat b) {
    tr_quat q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                 a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                 a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}
static inline tr_quat tr_quat_identity(void) {
    tr_quat q = {0, 0, 0, 1};
    return q;
}
// The inverse rotation of a unit quaternion.
static inline tr_quat tr_quat_conjugate(tr_quat q) {
    tr_quat opposite = {-q.x, -q.y, -q.z, q.w};
    return opposite;
}
// Rotates a vector by a unit quaternion.
static inline tr_vec3 tr_quat_rotate(tr_quat q, tr_vec3 v) {
    tr_vec3 axis = {q.x, q.y, q.z};
    tr_vec3 t = tr_vec3_scale(tr_vec3_cross(axis, v), 2);
    return tr_vec3_add(v, tr_vec3_add(tr_vec3_scale(t, q.w), tr_vec3_cross(axis, t)));
}
// Returns the smallest rotation from the direction of `from` to that of `to`; the identity if one of them is
// zero, half a turn about some perpendicular axis if they are opposite.
TR_API tr_quat tr_quat_between(tr_vec3 from, tr_vec3 to);
// Converts between a rotation and its axis times angle [rad, 0 to pi].
TR_API tr_vec3 tr_quat_to_vector(tr_quat q);
TR_API tr_quat tr_quat_from_vector(tr_vec3 v);
// Blends from a (t = 0) to b (t = 1), the shorter way at constant speed, within 1e-6 radians.
TR_API tr_quat tr_quat_blend(tr_quat a, tr_quat b, float t);
// Returns the rotation of an affine map whose columns are orthogonal, whatever their lengths. A mirrored map
// has no rotation: the result is then that of the map with one axis reversed.
TR_API tr_quat tr_affine_rotation(const tr_affine *a);
// Decomposes a map into position, rotation and scale; shear is lost.
TR_API tr_transform tr_affine_to_transform(const tr_affine *a);
// Inverts a map. false: the map flattens space (or is not finite); nothing was written.
TR_API bool tr_affine_invert(const tr_affine *a, tr_affine *inverse);
static inline tr_vec3 tr_affine_position(const tr_affine *a) {
    return tr_vec3_make(a->m[0][3], a->m[1][3], a->m[2][3]);
}
// Rotates and scales a direction, without translation.
static inline tr_vec3 tr_affine_turn(const tr_affine *a, tr_vec3 v) {
    return tr_vec3_make(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                        a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                        a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

TR_END_DECLARATIONS
