// Both legs of a body looked at and bent at once, in the lanes of one register. Used by foot_lock.c.
#pragma once
#include "limb_lanes.h"
#include "troupe/motion/limb.h"

// Two limbs that hang on the same joint, as they are.
typedef struct limb_pair {
    const tr_limb *limbs; // 2 of them
    uint32_t above;       // what they hang on
    tr_quat axes;         // its rotation, in the axes that `model` is in
    lane_limbs shape;     // in its axes
    lane_turns bone_turns;
    simd_float distance; // from hip to end
} limb_pair;

// false: the limbs have joints between, hang on different ones, are scaled, mirrored or folded up.
bool tr_limb_pair_look(const tr_limb limbs[2], const tr_skeleton *skeleton, const tr_pose *pose,
                       const tr_affine *model, limb_pair *pair);
// The rotations of both ends, in the axes that `model` is in.
void tr_limb_pair_ends(const limb_pair *pair, const tr_pose *pose, tr_quat ends[2]);

typedef struct limb_pair_goal {
    tr_vec3 position; // of the end, as in tr_limb_goal
    tr_quat rotation;
    float swivel;
    float least, most; // how near to the upper joint the end may come, and how far from it [m]
} limb_pair_goal;

// What tr_limb_reach does for each of the two, with the whole weight, in half the time and with 1e-6 of their
// length to spare. The limbs are as they were looked at; what they hang on may have been moved since, not
// turned. `left` is how far the ends stay from their goals. false, and nothing was changed: bones and goals
// do not tell the way; tr_limb_reach knows what to do.
bool tr_limb_pair_reach(limb_pair *pair, const tr_skeleton *skeleton, const limb_pair_goal goals[2],
                        tr_pose *pose, const tr_affine *place, tr_affine *model, float left[2]);
