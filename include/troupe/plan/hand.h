// troupe/plan/hand.h - the model of a human hand for planners: fingers whose bones bend, and where they are.
//
// The axes of a hand are those of R3 in arm.h: the origin is the wrist, the straight fingers point along -Y
// and the thumb's side is Z. The palm of a left hand faces -X, that of a right hand X. The module does not
// depend on skeletons (see motion/hand_rig.h).
#pragma once
#include "troupe/plan/arm.h"
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

#define TR_FINGERS 5 // thumb, index, middle, ring, little
#define TR_FINGER_BONES 3

typedef enum tr_finger_name { TR_THUMB, TR_INDEX, TR_MIDDLE, TR_RING, TR_LITTLE } tr_finger_name;

// One finger, in the axes of the hand with all angles at 0. A thumb's first joint is its saddle at the wrist.
typedef struct tr_finger {
    uint32_t bones;                      // [0, TR_FINGER_BONES]; 0: the hand lacks this finger
    tr_vec3 joints[TR_FINGER_BONES + 1]; // where each bone begins, and the middle of the ball at the tip [m]
    tr_vec3 hinge;                       // a positive turn about it bends the finger [unit length]
    float low[TR_FINGER_BONES], high[TR_FINGER_BONES]; // limits of bending [rad]
    float radius[TR_FINGER_BONES];                     // of the flesh [m, > 0]
} tr_finger;

typedef struct tr_hand_shape {
    tr_arm_side side;
    tr_finger fingers[TR_FINGERS];
    tr_vec3 palm;                // the middle of the palm's skin [m]
    tr_vec3 heel, knuckles;      // the line inside the palm from the wrist to between the knuckles [m]
    float thickness;             // half of that of the palm [m, > 0]
    float palm_width;            // half of it, from that line along Z [m, >= 0]
    float swing_max, oppose_max; // of the thumb [rad]
} tr_hand_shape;

// The angles of a hand [rad]. All 0: as at rest, fingers nearly straight.
typedef struct tr_hand_posture {
    float bend[TR_FINGERS][TR_FINGER_BONES];
    float swing;  // of the thumb, away from the index finger in the plane of the palm
    float oppose; // of the thumb, across the palm, towards the other fingers
} tr_hand_posture;

// Returns a hand with human proportions and limits for a person of this height [m].
TR_API tr_hand_shape tr_hand_default(tr_arm_side side, float height);
// TR_INVALID, with the value: lengths, radii, limits or hinges are out of range or not finite, or the hand
// lacks a thumb or an index finger.
TR_API tr_status tr_hand_check(const tr_hand_shape *hand, tr_error *error);
// Returns the posture with each angle clamped to its limits.
TR_API tr_hand_posture tr_hand_clamp(const tr_hand_shape *hand, tr_hand_posture posture);
// Returns the posture between two, angle by angle; `share` 0 is `a`, 1 is `b`.
TR_API tr_hand_posture tr_hand_blend(const tr_hand_posture *a, const tr_hand_posture *b, float share);

// Where the bones of one finger are, in the axes of the hand.
typedef struct tr_finger_place {
    tr_vec3 joints[TR_FINGER_BONES + 1];
    tr_quat turns[TR_FINGER_BONES]; // of each bone, from its rest
} tr_finger_place;
TR_API tr_finger_place tr_hand_put(const tr_hand_shape *hand, const tr_hand_posture *posture,
                                   uint32_t finger);

// The whole hand as capsules: the bones of all fingers, thumb first, then the palm. `place` moves the hand;
// it must not scale. Returns their number, at most TR_HAND_CAPSULES. `fingers` (may be NULL) receives the
// finger of each capsule; TR_FINGERS for the palm.
#define TR_HAND_CAPSULES (TR_FINGERS * TR_FINGER_BONES + 2)
TR_API uint32_t tr_hand_capsules(const tr_hand_shape *hand, const tr_hand_posture *posture,
                                 const tr_affine *place, tr_solid_capsule *capsules, uint32_t *fingers);

TR_END_DECLARATIONS
