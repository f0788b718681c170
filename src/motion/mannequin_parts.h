// motion/mannequin_parts.h - the joints of the mannequin and what its skeleton, capsules and mesh share.
// Internal to motion/.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/mannequin.h"

// Depth first, as the skeleton numbers them.
typedef enum tr_mannequin_joint {
    TR_MANNEQUIN_HIPS,
    TR_MANNEQUIN_SPINE,
    TR_MANNEQUIN_CHEST,
    TR_MANNEQUIN_UPPER_CHEST,
    TR_MANNEQUIN_NECK,
    TR_MANNEQUIN_HEAD,
    TR_MANNEQUIN_HEAD_END,
    TR_MANNEQUIN_LEFT_SHOULDER,
    TR_MANNEQUIN_LEFT_UPPER_ARM,
    TR_MANNEQUIN_LEFT_FOREARM,
    TR_MANNEQUIN_LEFT_HAND,
    TR_MANNEQUIN_LEFT_HAND_END,
    TR_MANNEQUIN_RIGHT_SHOULDER,
    TR_MANNEQUIN_RIGHT_UPPER_ARM,
    TR_MANNEQUIN_RIGHT_FOREARM,
    TR_MANNEQUIN_RIGHT_HAND,
    TR_MANNEQUIN_RIGHT_HAND_END,
    TR_MANNEQUIN_LEFT_THIGH,
    TR_MANNEQUIN_LEFT_SHANK,
    TR_MANNEQUIN_LEFT_FOOT,
    TR_MANNEQUIN_LEFT_TOES,
    TR_MANNEQUIN_LEFT_TOES_END,
    TR_MANNEQUIN_RIGHT_THIGH,
    TR_MANNEQUIN_RIGHT_SHANK,
    TR_MANNEQUIN_RIGHT_FOOT,
    TR_MANNEQUIN_RIGHT_TOES,
    TR_MANNEQUIN_RIGHT_TOES_END,
    TR_MANNEQUIN_JOINTS
} tr_mannequin_joint;

// From a joint of the left arm or leg to the same on the right.
#define TR_MANNEQUIN_ARM_STEP (TR_MANNEQUIN_RIGHT_SHOULDER - TR_MANNEQUIN_LEFT_SHOULDER)
#define TR_MANNEQUIN_LEG_STEP (TR_MANNEQUIN_RIGHT_THIGH - TR_MANNEQUIN_LEFT_THIGH)

// Where the joints stand at a height of 1, in the axes of the body: X to the left, Y up, Z ahead.
extern const tr_vec3 tr_mannequin_places[TR_MANNEQUIN_JOINTS];

#define TR_MANNEQUIN_CAPSULES 20
// Fills `capsules` (room for TR_MANNEQUIN_CAPSULES) for a body of this height, and the pairs that are not
// tested (room for the square of it).
void tr_mannequin_fill_capsules(float height, tr_capsule *capsules, bool *ignored_pairs);
