// motion/cast/mannequin_parts.h - the joints of the mannequin and the data that its skeleton, capsules and
// mesh share. Internal to motion/.
#pragma once
#include "skin.h"
#include "troupe/motion/body.h"
#include "troupe/motion/mannequin.h"

#define TR_MANNEQUIN_FINGERS 5   // thumb, index, middle, ring, little
#define TR_MANNEQUIN_PHALANGES 4 // joints of a finger: its three, and its tip

// Depth first, in the order of the skeleton.
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
    TR_MANNEQUIN_JOINTS,
    // Only where fingers have joints. They follow the end of their hand in the skeleton.
    TR_MANNEQUIN_LEFT_FINGERS = TR_MANNEQUIN_JOINTS,
    TR_MANNEQUIN_RIGHT_FINGERS = TR_MANNEQUIN_LEFT_FINGERS + TR_MANNEQUIN_FINGERS * TR_MANNEQUIN_PHALANGES,
    TR_MANNEQUIN_ALL_JOINTS = TR_MANNEQUIN_RIGHT_FINGERS + TR_MANNEQUIN_FINGERS * TR_MANNEQUIN_PHALANGES
} tr_mannequin_joint;

// The offset from a joint of the left arm or leg to the same joint on the right.
#define TR_MANNEQUIN_ARM_STEP (TR_MANNEQUIN_RIGHT_SHOULDER - TR_MANNEQUIN_LEFT_SHOULDER)
#define TR_MANNEQUIN_LEG_STEP (TR_MANNEQUIN_RIGHT_THIGH - TR_MANNEQUIN_LEFT_THIGH)

// The places of the joints at a height of 1, in the axes of the body: X to the left, Y up, Z forward.
extern const tr_vec3 tr_mannequin_places[TR_MANNEQUIN_JOINTS];

// The number of a joint in a skeleton with or without joints in the fingers.
uint32_t tr_mannequin_number(uint32_t joint, bool fingers);
// Fills in a joint of a finger (from TR_MANNEQUIN_LEFT_FINGERS on) of a body of this shape and height: all
// but its parent is as in the skeleton; the parent is a tr_mannequin_joint.
void tr_mannequin_fill_finger(tr_mannequin_shape shape, float height, uint32_t joint, tr_joint_def *made);
// The seams of a finger (0: the thumb) of the left hand, from its tip up, for a skin that begins with the
// joint before the tip. Returns that joint.
uint32_t tr_mannequin_finger_seams(uint32_t finger, tr_skin_seam seams[TR_MANNEQUIN_PHALANGES - 1]);

// What a point belongs to: another build moves it accordingly.
typedef enum tr_mannequin_region {
    TR_MANNEQUIN_IN_TRUNK,
    TR_MANNEQUIN_IN_HEAD,
    TR_MANNEQUIN_IN_ARM,
    TR_MANNEQUIN_IN_LEG,
    TR_MANNEQUIN_IN_FOOT
} tr_mannequin_region;
tr_mannequin_region tr_mannequin_region_of(uint32_t joint);
// Where a point of the reference body is in another build, both at a height of 1. The shape must exist.
tr_vec3 tr_mannequin_place(tr_mannequin_shape shape, tr_mannequin_region region, tr_vec3 place);
// How much larger girths are at a height of the reference body.
float tr_mannequin_girth(tr_mannequin_shape shape, tr_mannequin_region region, float y);

#define TR_MANNEQUIN_CAPSULES 20
// Fills `capsules` (room for TR_MANNEQUIN_CAPSULES) for a body of this height, and marks the pairs that are
// not tested (room for the square of that number).
void tr_mannequin_fill_capsules(tr_mannequin_shape shape, float height, tr_capsule *capsules,
                                bool *ignored_pairs);

// One ring of a surface along an axis, at a height of 1.
typedef struct tr_mannequin_ring {
    float along;      // the axis: Y, or Z for feet
    float x, off;     // centre: to the left, and across (Z, or Y for feet)
    float half;       // half the width, along X
    float fore, back; // across, to both sides (front and back, or top and sole)
    float square;     // 0 an ellipse, 1 nearly a rectangle
} tr_mannequin_ring;

// A closed surface: the first and the last ring are points.
typedef struct tr_mannequin_part {
    const tr_mannequin_ring *rings;
    uint32_t ring_count;
    uint32_t joint;            // the joint of the skin before the first seam
    const tr_skin_seam *seams; // along the axis
    uint32_t seam_count;
    bool along_z;     // a foot
    bool is_pair;     // there is one on the right as well
    uint8_t round[2]; // corners of a ring, for each level of detail
    uint8_t tall[2];  // rings, for each level of detail; 0: the part is left out
    uint8_t paint;    // 0: in the colour of the body; otherwise 1 + the number of its paint. These come last
    uint8_t finger;   // 1 + the number of the finger whose joints move it, where fingers have joints
} tr_mannequin_part;
#define TR_MANNEQUIN_PARTS 18
extern const tr_mannequin_part tr_mannequin_parts[TR_MANNEQUIN_PARTS];

// false: no memory, and nothing has to be released.
bool tr_mannequin_build_skin(const tr_mannequin_def *def, const tr_allocator *allocator, float height,
                             tr_skin *skin);
