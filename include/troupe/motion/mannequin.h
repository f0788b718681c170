// troupe/motion/mannequin.h - the character that comes with Troupe: a skeleton, a body and its proportions.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/manner.h"

TR_BEGIN_DECLARATIONS

// Builds of people. They differ in proportions and girths.
typedef enum tr_mannequin_shape {
    TR_SHAPE_ADULT, // mean proportions of adults
    TR_SHAPE_CHILD, // of about seven years: a large head, short legs
    TR_SHAPE_WOMAN,
    TR_SHAPE_MAN,
    TR_SHAPE_OLD,   // slight, with bent knees and a stoop (tr_mannequin_shape_manner)
    TR_SHAPE_HEAVY, // a body mass index of about 35
    TR_SHAPES
} tr_mannequin_shape;
// Returns the name of a shape, as in stage files: "adult", "child"...; NULL: there is no such shape.
TR_API const char *tr_mannequin_shape_name(tr_mannequin_shape shape);
// Returns the usual height of a shape [m]. TR_SHAPE_ADULT: 1.75.
TR_API float tr_mannequin_shape_height(tr_mannequin_shape shape);
// Returns how people of this shape move: older people take shorter steps, and so on. TR_SHAPE_ADULT: zero.
TR_API tr_manner tr_mannequin_shape_manner(tr_mannequin_shape shape);

typedef struct tr_mannequin_def {
    const tr_allocator *allocator;
    tr_mannequin_shape shape;
    float height;    // [m, 0.5 to 2.5]; 0: the usual height of the shape
    float color[3];  // of the body, linear [0, 1]; all 0: a warm grey
    uint32_t detail; // of the mesh: 0 normal (about 6,300 triangles), 1 coarse (about 1,000), for crowds
    // Joints in the fingers, for hands that grasp: 67 joints instead of 27. A finger has three joints and a
    // tip, "left_index_1" to "left_index_3" and "left_index_end", below the hand.
    bool fingers;
} tr_mannequin_def;

// Makes a mannequin. It has human proportions (segments as fractions of the height) and stands on y = 0
// facing +Z with the arms hanging a little off the body, palms in. Every joint has its role, its limits and
// the identity as rest rotation, so that its axes are the body's: X to the left, Y up, Z ahead. A positive
// turn about X bends the trunk forwards, bends the knee, and points the foot down; a negative turn lifts
// thigh and arm ahead and bends the elbow and the toes up. `skeleton` and `body` belong to the caller; `body`
// may be NULL. TR_INVALID: shape, height, colour or detail out of range.
TR_API tr_status tr_mannequin_make(const tr_mannequin_def *def, tr_skeleton **skeleton, tr_body **body,
                                   tr_error *error);

TR_END_DECLARATIONS
