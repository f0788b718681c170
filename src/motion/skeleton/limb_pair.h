// Both legs of a body examined and bent at once, in the lanes of one register. Used by foot_lock.c.
#pragma once
#include "limb_lanes.h"
#include "troupe/motion/limb.h"

// The present state of two limbs that have the same parent.
typedef struct limb_pair {
    const tr_limb *limbs; // 2 of them
    uint32_t above;       // their parent
    tr_quat axes;         // its rotation, in the axes of `model`
    lane_limbs shape;     // in its axes
    lane_turns bone_turns;
    simd_float distance; // from hip to end
} limb_pair;

// false: the limbs have joints in between, have different parents, are scaled, mirrored or folded up.
bool tr_limb_pair_look(const tr_limb limbs[2], const tr_skeleton *skeleton, const tr_pose *pose,
                       const tr_affine *model, limb_pair *pair);
// The rotations of both ends, in the axes of `model`.
void tr_limb_pair_ends(const limb_pair *pair, const tr_pose *pose, tr_quat ends[2]);

typedef struct limb_pair_goal {
    tr_vec3 position; // of the end, as in tr_limb_goal
    tr_quat rotation;
    float swivel;
    float least, most; // the least and the greatest distance of the end from the upper joint [m]
} limb_pair_goal;

// Does the work of tr_limb_reach for both limbs, with the full weight, in half the time and within 1e-6 of
// their length. The limbs must be as they were examined; their parent may have moved since, but not turned.
// `left` is the distance that remains between the ends and their goals. false, and nothing was changed: bones
// and goals do not define the plane; use tr_limb_reach.
bool tr_limb_pair_reach(limb_pair *pair, const tr_skeleton *skeleton, const limb_pair_goal goals[2],
                        tr_pose *pose, const tr_affine *place, tr_affine *model, float left[2]);
