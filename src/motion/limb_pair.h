// Both legs of a body bent at once, in the lanes of one register. Used by plant.c.
#pragma once
#include "troupe/motion/limb.h"

typedef struct limb_pair_goal {
    tr_vec3 position; // of the end, as in tr_limb_goal
    tr_quat rotation;
    float swivel;
    float least, most; // how near to the upper joint the end may come, and how far from it [m]
} limb_pair_goal;

// What tr_limb_reach does for each of two limbs, with the whole weight, in half the time and with 1e-6 of
// their length to spare. `left` is how far the ends stay from their goals. false, and nothing was changed:
// limbs with joints between, hanging on different joints, scaled or folded up, bones and goals that do not
// tell the way; tr_limb_reach knows what to do.
bool tr_limb_pair_reach(const tr_limb limbs[2], const tr_skeleton *skeleton, const limb_pair_goal goals[2],
                        tr_pose *pose, const tr_affine *place, tr_affine *model, float left[2]);
