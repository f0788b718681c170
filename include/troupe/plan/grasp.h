// troupe/plan/grasp.h - takes hold of an object: where a hand fits it, how wide the hand opens on the way,
// and how its fingers close.
//
// The object is given as triangles, whatever its shape. Candidates come from all around it; fingers close
// bone by bone until they touch. A grip counts if contacts on opposite sides hold the object by friction, or
// if it rests on the hand.
#pragma once
#include "troupe/plan/hand.h"
#include "troupe/world/solid.h"

TR_BEGIN_DECLARATIONS

typedef enum tr_grip {
    TR_GRIP_POWER, // the palm and all fingers around it
    TR_GRIP_PINCH, // finger tips against the thumb
    TR_GRIP_HOOK,  // it hangs on bent fingers
    TR_GRIP_FLAT,  // it lies on the open hand
    TR_GRIPS
} tr_grip;
TR_API const char *tr_grip_name(tr_grip grip); // "power"...; NULL: there is no such grip

// Returns a hand that is about to take something this wide by a grip: `open` 1 is as wide as it gets, 0 is
// closed to a fist or until thumb and finger tips meet.
TR_API tr_hand_posture tr_grip_posture(const tr_hand_shape *hand, tr_grip grip, float open);

// One contact of a closed hand, in the axes of `solid`.
typedef struct tr_grasp_contact {
    uint32_t finger, bone; // finger TR_FINGERS: the palm, and one of its four corners
    tr_vec3 point;         // on the object [m]
    tr_vec3 inwards;       // the direction in which the hand presses there [unit length]
} tr_grasp_contact;
#define TR_GRASP_CONTACTS (TR_FINGERS * TR_FINGER_BONES + 4)

typedef struct tr_grasp {
    tr_grip grip;
    tr_vec3 wrist;    // of the hand when it holds the object [m]
    tr_quat rotation; // R3 of the hand there: the rotation of a TR_ARM_GOAL_POSE
    tr_vec3 approach; // the direction in which the hand arrives there [unit length]
    tr_hand_posture open, closed;
    tr_grasp_contact contacts[TR_GRASP_CONTACTS];
    uint32_t contact_count;
    float quality; // [0, 1]; how squarely contacts oppose each other, how many there are, how near the middle
} tr_grasp;

typedef struct tr_grasp_def {
    const tr_hand_shape *hand;
    const tr_solid *object; // the object alone
    tr_box bounds;          // of the object
    const tr_solid *others; // what the hand must not touch: the table under the object; NULL: nothing
    uint32_t grips;         // a bit for each grip: 1u << TR_GRIP_POWER...
    float friction;         // of skin on the object [> 0], 0.6
    float margin;           // from `others` [m, >= 0], 0.002
    // Candidates: directions to come from, 20, each through the middle of the object and square onto its
    // surface; turns of the hand about each direction, 8. The best of them are refined.
    uint32_t directions, rolls;
} tr_grasp_def;
TR_API tr_grasp_def tr_grasp_def_default(const tr_hand_shape *hand, const tr_solid *object, tr_box bounds);

// Closes the fingers of an open hand at a place on the object, and fills in `closed`, the contacts and the
// quality. TR_OK: it holds. TR_NOT_FOUND: it does not, or the open hand touches the object, or the hand
// touches `others`. Reads grip, wrist, rotation and open of `grasp`. No allocation.
TR_API tr_status tr_grasp_close(const tr_grasp_def *def, tr_grasp *grasp, tr_error *error);

// Finds grasps, the best first. TR_OK: `count` of them, at most `max`. TR_NOT_FOUND: none; the error says
// whether the object is too large for the hand. TR_INVALID: a value is out of range. The same input gives the
// same bits. No allocation.
TR_API tr_status tr_grasp_find(const tr_grasp_def *def, tr_grasp *grasps, uint32_t max, uint32_t *count,
                               tr_error *error);

TR_END_DECLARATIONS
