// motion/skeleton_data.h - what a skeleton is made of. Internal to motion/.
#pragma once
#include "troupe/motion/skeleton.h"

struct tr_skeleton {
    tr_allocator allocator;
    uint32_t joint_count;
    tr_joint_def *joints; // names point into `text`
    uint32_t *parents, *subtree_ends;
    tr_affine *rest_model;
    uint32_t with_role[TR_ROLE_COUNT];
    float height;
    bool scaled; // a rest scale differs from 1
    char *text;  // the skeleton's name, then those of the joints
    size_t text_size;
};
