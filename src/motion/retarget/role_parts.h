// motion/retarget/role_parts.h - what the sources of role share: the meaning of a name, and the tree of
// joints.
#pragma once
#include "troupe/motion/role.h"

// The part that the name of a joint tells, before the tree decides its role.
typedef enum tr_role_part {
    TR_PART_UNKNOWN, // the name tells nothing
    TR_PART_IGNORED, // a finger, a target of inverse kinematics, hair, ...
    TR_PART_HIPS,
    TR_PART_SPINE,
    TR_PART_NECK,
    TR_PART_HEAD,
    TR_PART_COLLAR,
    TR_PART_SHOULDER, // the collar bone or the upper arm, depending on the other joints of the arm
    TR_PART_UPPER_ARM,
    TR_PART_ARM, // any of the three
    TR_PART_FOREARM,
    TR_PART_HAND,
    TR_PART_HIP, // of one side: the thigh, or a helper above it
    TR_PART_THIGH,
    TR_PART_LEG, // any of the leg
    TR_PART_SHANK,
    TR_PART_FOOT,
    TR_PART_TOES,
    TR_PART_COUNT
} tr_role_part;

typedef enum tr_role_side { TR_SIDE_NONE, TR_SIDE_LEFT, TR_SIDE_RIGHT, TR_SIDE_COUNT } tr_role_side;

typedef struct tr_role_reading {
    tr_role_part part;
    tr_role_side side;
    bool is_end; // the name marks the end of a chain
} tr_role_reading;
tr_role_reading tr_role_read_name(const char *name);

// The joints, and which of them has each role so far (TR_NONE: none).
typedef struct tr_role_tree {
    const tr_role_joint *joints;
    uint32_t count;
    float size;   // of the box around all joints, its largest side
    float middle; // x halfway between its sides
    uint32_t found[TR_ROLE_COUNT];
} tr_role_tree;

uint32_t tr_role_parent(const tr_role_tree *tree, uint32_t joint);               // TR_NONE for a root
bool tr_role_is_below(const tr_role_tree *tree, uint32_t joint, uint32_t above); // not for itself
uint32_t tr_role_common(const tr_role_tree *tree, uint32_t a, uint32_t b);
uint32_t tr_role_next_along(const tr_role_tree *tree, uint32_t joint); // the child with the longest limb
// Guesses from the tree and the rest pose alone, for the limbs of which nothing was found.
void tr_role_guess_from_tree(tr_role_tree *tree);
