// troupe/motion/blend.h - mixes poses: any number at once, parts of the body, differences on top.
//
// Pure, no allocation, lane by lane: the same bits everywhere. `result` may be one of the poses. All poses
// have the same joint count.
#pragma once
#include "troupe/motion/pose.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_blend_layer {
    const tr_pose *pose;
    float weight;      // [>= 0]
    const float *mask; // one factor for each joint [0, 1], as long as the pose's `stride`; NULL: all 1
} tr_blend_layer;

// The weighted mean of the layers, joint by joint: weights are divided by their sum. Rotations are added on
// the side of the sum so far and normalised. A joint whose weights sum to less than 1e-4 takes `rest`.
TR_API void tr_blend(const tr_blend_layer *layers, uint32_t count, const tr_pose *rest, tr_pose *result);
// Blends from a (t = 0) to b (t = 1).
TR_API void tr_blend_two(const tr_pose *a, const tr_pose *b, float t, tr_pose *result);
// Computes the difference from `reference` to `pose`, for adding to other poses.
TR_API void tr_blend_difference(const tr_pose *pose, const tr_pose *reference, tr_pose *difference);
// Adds a difference to a pose, scaled by `weight`; `mask` as above.
TR_API void tr_blend_add(tr_pose *pose, const tr_pose *difference, float weight, const float *mask);
// Sets a mask to `value` for `joint` and its descendants. `mask` has room for the pose's stride; other joints
// are unchanged.
TR_API void tr_blend_mask_subtree(const tr_skeleton *skeleton, uint32_t joint, float value, float *mask);

TR_END_DECLARATIONS
