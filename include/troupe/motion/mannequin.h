// troupe/motion/mannequin.h - the character that comes with Troupe: a skeleton, a body and its proportions.
#pragma once
#include "troupe/motion/body.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_mannequin_def {
    const tr_allocator *allocator;
    float height;    // [m, 0.5 to 2.5]; 0: 1.75
    float color[3];  // of the body, linear [0, 1]; all 0: a warm grey
    uint32_t detail; // of the mesh: 0 normal (about 5,000 triangles), 1 coarse (about 900), for crowds
} tr_mannequin_def;

// Human proportions (segments as fractions of the height), standing on y = 0 facing +Z with the arms hanging
// a little off the body, palms in. Every joint has its role, its limits and unit rest rotation, so that its
// axes are the body's: X to the left, Y up, Z ahead. About X, a positive turn bends the trunk forwards, the
// knee, and the foot down; a negative one lifts thigh and arm ahead and bends the elbow and the toes up.
// `skeleton` and `body` are the caller's; `body` may be NULL. TR_INVALID: height, colour or detail out of
// range.
TR_API tr_status tr_mannequin_make(const tr_mannequin_def *def, tr_skeleton **skeleton, tr_body **body,
                                   tr_error *error);

TR_END_DECLARATIONS
