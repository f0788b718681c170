// motion/skeleton/skeleton_data.h - the data of a skeleton. Internal to motion/.
#pragma once
#include "troupe/motion/skeleton.h"

// The angles between which a rotation is certainly inside a joint's limit: about the twist axis, then about
// the next two.
typedef struct joint_range {
    float low[3], high[3];
    float sure; // a rotation away from rest is inside if its squared w is above this; 1: never for sure
    uint8_t axes[3];
    bool active;      // has a limit
    bool rest_turned; // the rest rotation is not the identity
} joint_range;

struct tr_skeleton {
    tr_allocator allocator;
    uint32_t joint_count;
    tr_joint_def *joints; // names point into `text`
    joint_range *ranges;
    uint32_t *parents, *subtree_ends;
    tr_affine *rest_model;
    uint32_t with_role[TR_ROLE_COUNT];
    tr_sole soles[2];
    float height;
    bool scaled; // a rest scale differs from 1
    char *text;  // the name of the skeleton, then those of the joints
    size_t text_size;
};

// From the joint's limit and its rest rotation.
joint_range tr_skeleton_range(const tr_joint_def *joint);
