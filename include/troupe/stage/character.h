// troupe/stage/character.h - what characters of one kind share: skeleton, body, clips and how they are mixed.
#pragma once
#include "troupe/motion/body.h"
#include "troupe/motion/gait.h"
#include "troupe/motion/locomotion.h"
#include "troupe/motion/plant.h"
#include "troupe/motion/stepping.h"

TR_BEGIN_DECLARATIONS

#define TR_CHARACTER_TURNS 4 // turns on the spot, by 45, 90, 135 and 180 degrees

typedef struct tr_character_def {
    const tr_allocator *allocator; // NULL: malloc
    // The mannequin's: ignored where a skeleton is given.
    float height;    // [m]; 0: 1.75
    float color[3];  // linear; all 0: the mannequin's own
    uint32_t detail; // of the mesh, see tr_mannequin_def
    // A character of your own: with roles (tr_role_guess), kept by the caller as long as the character. NULL:
    // the mannequin.
    const tr_skeleton *skeleton;
    const tr_body *body; // may be NULL
    // Clips of your own on that skeleton, kept by the caller; NULL: made from the published gaits.
    const tr_clip *stand;
    const tr_clip *const *cycles; // walk, jog, run...: see tr_locomotion_def
    uint32_t cycle_count;
} tr_character_def;

// Read it as you like; it never changes. Made once, used by any number of actors and threads.
typedef struct tr_character {
    tr_allocator allocator;
    const tr_skeleton *skeleton;
    const tr_body *body; // may be NULL
    const tr_clip *stand;
    const tr_clip *cycles[TR_LOCOMOTION_CLIPS_MAX];
    uint32_t cycle_count;
    const tr_clip *turns[2][TR_CHARACTER_TURNS]; // left, right
    const tr_clip *sides[2];                     // one step aside, to the left, right
    tr_locomotion *locomotion;
    tr_legs legs;
    tr_stepping_stand stepping_stand;
    // Upper arm and forearm, left and right (TR_NONE: not there), and how they are turned when held close.
    uint32_t arms[2][2];
    tr_quat arms_close[2][2];
    float height; // in the rest pose [m]
    // What the character made itself, and gives back.
    tr_skeleton *own_skeleton;
    tr_body *own_body;
    bool own_stand, own_cycles;
} tr_character;

// TR_NOT_FOUND: the skeleton lacks roles; the error names one.
TR_API tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error);
TR_API void tr_character_destroy(tr_character *character); // NULL is allowed

TR_END_DECLARATIONS
