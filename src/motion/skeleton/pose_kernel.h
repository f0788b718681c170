// The inner loops over the joints of poses, compiled once for each width of SIMD (pose_4.c, pose_8.c). Every
// lane computes the same sums in the same order whatever the width, so the bits are the same.
//
// The arrays of a pose are padded to four joints: with eight lanes the last four of them fill half a vector.
#include "base/simd.h"
#include "pose_loops.h"

typedef float map_row __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

INLINE simd_float load_joints(const float *from, bool half) {
    return half ? simd_load_four(from) : simd_load(from);
}

INLINE void store_joints(float *to, simd_float v, bool half) {
    if (half)
        simd_store_four(to, v);
    else
        simd_store_float(to, v);
}

// ---------------------------------------------------------------- mixes

INLINE simd_float dot4(const simd_float a[4], const simd_float b[4]) {
    return a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3]);
}

// Along the shorter way, normalized.
INLINE void mix_some_rotations(const float *const a[4], const float *const b[4], simd_float to_a,
                               simd_float to_b, uint32_t first, bool half, float *const result[4]) {
    simd_float p[4], q[4], zero = simd_set(0);
    for (int i = 0; i < 4; i++) {
        p[i] = load_joints(a[i] + first, half);
        q[i] = load_joints(b[i] + first, half);
    }
    simd_float side = simd_select(dot4(p, q) < zero, zero - to_b, to_b);
    for (int i = 0; i < 4; i++)
        p[i] = p[i] * to_a + q[i] * side;
    simd_float inverse = simd_set(1) / simd_sqrt(dot4(p, p));
    for (int i = 0; i < 4; i++)
        store_joints(result[i] + first, p[i] * inverse, half);
}

void SIMD_NAME(tr_pose_mix_rotations)(const float *const a[4], const float *const b[4], float t,
                                      uint32_t stride, float *const result[4]) {
    simd_float to_a = simd_set(1 - t), to_b = simd_set(t);
    uint32_t i = 0;
    for (; i + SIMD_LANES <= stride; i += SIMD_LANES)
        mix_some_rotations(a, b, to_a, to_b, i, false, result);
    if (i < stride)
        mix_some_rotations(a, b, to_a, to_b, i, true, result);
}

void SIMD_NAME(tr_pose_mix_values)(const float *a, const float *b, float t, uint32_t stride, float *result) {
    simd_float to_a = simd_set(1 - t), to_b = simd_set(t);
    uint32_t i = 0;
    for (; i + SIMD_LANES <= stride; i += SIMD_LANES)
        store_joints(result + i, simd_load(a + i) * to_a + simd_load(b + i) * to_b, false);
    if (i < stride)
        store_joints(result + i, load_joints(a + i, true) * to_a + load_joints(b + i, true) * to_b, true);
}

// ---------------------------------------------------------------- maps

// Transposes four rows, with eight lanes twice side by side: those of four joints and of the next four.
INLINE void transpose(simd_float rows[4]) {
#if SIMD_LANES == 4
    simd_transpose(rows);
#else
    simd_float low01 = __builtin_shufflevector(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
    simd_float high01 = __builtin_shufflevector(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
    simd_float low23 = __builtin_shufflevector(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
    simd_float high23 = __builtin_shufflevector(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
    rows[0] = __builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13);
    rows[1] = __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15);
    rows[2] = __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13);
    rows[3] = __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15);
#endif
}

// Row `r` of the local map of joint `first + i` goes to rows[r][i], that of joint `first + 4 + i` to the
// upper half of it.
INLINE void local_rows(const tr_pose *pose, uint32_t first, bool half, simd_float rows[3][4]) {
    simd_float x = load_joints(pose->rotation[0] + first, half),
               y = load_joints(pose->rotation[1] + first, half),
               z = load_joints(pose->rotation[2] + first, half),
               w = load_joints(pose->rotation[3] + first, half);
    simd_float x2 = x + x, y2 = y + y, z2 = z + z;
    simd_float xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
    simd_float wx = w * x2, wy = w * y2, wz = w * z2, one = simd_set(1);
    rows[0][0] = one - (yy + zz), rows[0][1] = xy - wz, rows[0][2] = xz + wy;
    rows[1][0] = xy + wz, rows[1][1] = one - (xx + zz), rows[1][2] = yz - wx;
    rows[2][0] = xz - wy, rows[2][1] = yz + wx, rows[2][2] = one - (xx + yy);
    if (pose->scaled)
        for (int column = 0; column < 3; column++) {
            simd_float scale = load_joints(pose->scale[column] + first, half);
            for (int row = 0; row < 3; row++)
                rows[row][column] = rows[row][column] * scale;
        }
    for (int row = 0; row < 3; row++) {
        rows[row][3] = load_joints(pose->position[row] + first, half);
        transpose(rows[row]);
    }
}

INLINE void multiply_row(const float *m, map_row l0, map_row l1, map_row l2, float *result) {
    map_row moved = {0, 0, 0, m[3]}, zero = {0};
    moved = (m[0] - zero) * l0 + (m[1] - zero) * l1 + ((m[2] - zero) * l2 + moved);
    memcpy(result, &moved, sizeof moved);
}

// `local` first, then `parent`; `upper`: the upper half of each row.
INLINE void multiply(const tr_affine *parent, simd_float l0, simd_float l1, simd_float l2, bool upper,
                     tr_affine *result) {
#if SIMD_LANES == 4
    (void)upper;
    for (int row = 0; row < 3; row++)
        multiply_row(parent->m[row], l0, l1, l2, result->m[row]);
#else // the first two rows at once
    const simd_int last = {0, 0, 0, -1, 0, 0, 0, -1};
    l0 = upper ? __builtin_shufflevector(l0, l0, 4, 5, 6, 7, 4, 5, 6, 7)
               : __builtin_shufflevector(l0, l0, 0, 1, 2, 3, 0, 1, 2, 3);
    l1 = upper ? __builtin_shufflevector(l1, l1, 4, 5, 6, 7, 4, 5, 6, 7)
               : __builtin_shufflevector(l1, l1, 0, 1, 2, 3, 0, 1, 2, 3);
    l2 = upper ? __builtin_shufflevector(l2, l2, 4, 5, 6, 7, 4, 5, 6, 7)
               : __builtin_shufflevector(l2, l2, 0, 1, 2, 3, 0, 1, 2, 3);
    simd_float m = simd_load(parent->m[0]), moved = (simd_float)((simd_int)m & last);
    simd_float x = __builtin_shufflevector(m, m, 0, 0, 0, 0, 4, 4, 4, 4),
               y = __builtin_shufflevector(m, m, 1, 1, 1, 1, 5, 5, 5, 5),
               z = __builtin_shufflevector(m, m, 2, 2, 2, 2, 6, 6, 6, 6);
    simd_store_float(result->m[0], x * l0 + y * l1 + (z * l2 + moved));
    multiply_row(parent->m[2], __builtin_shufflevector(l0, l0, 0, 1, 2, 3),
                 __builtin_shufflevector(l1, l1, 0, 1, 2, 3), __builtin_shufflevector(l2, l2, 0, 1, 2, 3),
                 result->m[2]);
#endif
}

INLINE const tr_affine *above(const uint32_t *parents, const tr_affine *root, uint32_t joint,
                              const tr_affine *model) {
    return parents[joint] == TR_NONE ? root : &model[parents[joint]];
}

// `count` joints from `first` on; always reads a vector, or half of one.
INLINE void update_some(const uint32_t *parents, const tr_pose *pose, const tr_affine *root, uint32_t first,
                        uint32_t count, bool half, tr_affine *model) {
    simd_float rows[3][4];
    local_rows(pose, first, half, rows);
    for (uint32_t i = 0; i < 4 && i < count; i++)
        multiply(above(parents, root, first + i, model), rows[0][i], rows[1][i], rows[2][i], false,
                 &model[first + i]);
    for (uint32_t i = 0; i < 4 && i + 4 < count && !half && SIMD_LANES == 8; i++)
        multiply(above(parents, root, first + 4 + i, model), rows[0][i], rows[1][i], rows[2][i], true,
                 &model[first + 4 + i]);
}

// One joint, where the pose may not have four more.
static void update_joint(const uint32_t *parents, const tr_pose *pose, const tr_affine *root, uint32_t joint,
                         tr_affine *model) {
    tr_quat q = tr_pose_rotation(pose, joint);
    float x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    float xx = q.x * x2, yy = q.y * y2, zz = q.z * z2, xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    float wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    map_row rows[3] = {{1 - (yy + zz), xy - wz, xz + wy, 0},
                       {xy + wz, 1 - (xx + zz), yz - wx, 0},
                       {xz - wy, yz + wx, 1 - (xx + yy), 0}};
    if (pose->scaled) {
        map_row scale = {pose->scale[0][joint], pose->scale[1][joint], pose->scale[2][joint], 1};
        for (int row = 0; row < 3; row++)
            rows[row] = rows[row] * scale;
    }
    for (int row = 0; row < 3; row++)
        rows[row][3] = pose->position[row][joint];
    const tr_affine *parent = above(parents, root, joint, model);
    for (int row = 0; row < 3; row++)
        multiply_row(parent->m[row], rows[0], rows[1], rows[2], model[joint].m[row]);
}

void SIMD_NAME(tr_pose_update)(const uint32_t *parents, const tr_pose *pose, const tr_affine *root,
                               uint32_t first, uint32_t end, tr_affine *model) {
    uint32_t readable = first == 0 ? pose->stride : end, i = first;
    for (; i < end && i + SIMD_LANES <= readable; i += SIMD_LANES)
        update_some(parents, pose, root, i, end - i, false, model);
    if (SIMD_LANES == 8 && i < end && i + 4 <= readable) {
        update_some(parents, pose, root, i, end - i, true, model);
        i += 4;
    }
    for (; i < end; i++)
        update_joint(parents, pose, root, i, model);
}
