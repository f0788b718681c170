// motion/horse/horse_parts.h - the joints of the horse and what its skeleton, skin and gaits share. Internal
// to motion/. Places are those of a horse with a height of 1 at the withers.
#pragma once
#include "motion/cast/skin.h"
#include "troupe/motion/horse.h"

// Depth first, in the order of the skeleton. The joints of a leg follow each other.
typedef enum tr_horse_joint {
    TR_HORSE_PELVIS,
    TR_HORSE_LOIN,
    TR_HORSE_THORAX,
    TR_HORSE_NECK,
    TR_HORSE_NECK_MIDDLE,
    TR_HORSE_HEAD,
    TR_HORSE_HEAD_END,
    TR_HORSE_TAIL,
    TR_HORSE_TAIL_MIDDLE,
    TR_HORSE_TAIL_LOW,
    TR_HORSE_TAIL_TIP,
    TR_HORSE_TAIL_END,
    TR_HORSE_LEFT_EAR,
    TR_HORSE_LEFT_SCAPULA,
    TR_HORSE_LEFT_HUMERUS,
    TR_HORSE_LEFT_RADIUS,
    TR_HORSE_LEFT_FORE_CANNON,
    TR_HORSE_LEFT_FORE_PASTERN,
    TR_HORSE_LEFT_FORE_HOOF,
    TR_HORSE_LEFT_FORE_TOE,
    TR_HORSE_LEFT_FEMUR,
    TR_HORSE_LEFT_TIBIA,
    TR_HORSE_LEFT_HIND_CANNON,
    TR_HORSE_LEFT_HIND_PASTERN,
    TR_HORSE_LEFT_HIND_HOOF,
    TR_HORSE_LEFT_HIND_TOE,
    TR_HORSE_RIGHT_EAR,
    TR_HORSE_RIGHT_SCAPULA,
    TR_HORSE_RIGHT_HIND_TOE = TR_HORSE_RIGHT_EAR + TR_HORSE_LEFT_HIND_TOE - TR_HORSE_LEFT_EAR,
    TR_HORSE_JOINTS
} tr_horse_joint;

#define TR_HORSE_MIDDLE TR_HORSE_LEFT_EAR // joints below this number are in the middle
#define TR_HORSE_SIDE_STEP (TR_HORSE_RIGHT_EAR - TR_HORSE_LEFT_EAR)
#define TR_HORSE_HEIGHT 1.6f // of the horses that were measured [m]

// The places of the joints of the middle and the left side; mirrored for the right.
extern const tr_vec3 tr_horse_places[TR_HORSE_RIGHT_EAR];
const char *tr_horse_joint_name(uint32_t joint);
uint32_t tr_horse_parent(uint32_t joint);

#define TR_HORSE_PAINTS 3
#define TR_HORSE_TUBES 19
extern const tr_tube tr_horse_tubes[TR_HORSE_TUBES];
