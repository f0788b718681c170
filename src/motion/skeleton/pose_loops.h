// motion/skeleton/pose_loops.h - the inner loops over the joints of poses, for each width of SIMD. Internal
// to motion/.
#pragma once
#include "troupe/motion/pose.h"

typedef struct pose_loops {
    // Mixes the rotations of `stride` joints [a multiple of 4], as unit quaternions, or values of them; `t` 0
    // gives `a`. The result may be `a` or `b`.
    void (*mix_rotations)(const float *const a[4], const float *const b[4], float t, uint32_t stride,
                          float *const result[4]);
    void (*mix_values)(const float *a, const float *b, float t, uint32_t stride, float *result);
    // Computes the maps of the joints [first, end) from those of their parents; `root` is above the others.
    void (*update)(const uint32_t *parents, const tr_pose *pose, const tr_affine *root, uint32_t first,
                   uint32_t end, tr_affine *model);
} pose_loops;

// `lanes`: 4, or 8 if simd_widest() says so.
const pose_loops *tr_pose_loops_of(uint32_t lanes);
// The fastest on this processor.
const pose_loops *tr_pose_loops(void);

void tr_pose_mix_rotations_4(const float *const a[4], const float *const b[4], float t, uint32_t stride,
                             float *const result[4]);
void tr_pose_mix_rotations_8(const float *const a[4], const float *const b[4], float t, uint32_t stride,
                             float *const result[4]);
void tr_pose_mix_values_4(const float *a, const float *b, float t, uint32_t stride, float *result);
void tr_pose_mix_values_8(const float *a, const float *b, float t, uint32_t stride, float *result);
void tr_pose_update_4(const uint32_t *parents, const tr_pose *pose, const tr_affine *root, uint32_t first,
                      uint32_t end, tr_affine *model);
void tr_pose_update_8(const uint32_t *parents, const tr_pose *pose, const tr_affine *root, uint32_t first,
                      uint32_t end, tr_affine *model);
