// troupe/stage/character.h - a kind of character, ready to act: a mannequin of any size, or your own
// skeleton.
#pragma once
#include "troupe/motion/cast.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_character_def {
    const tr_allocator *allocator; // NULL: malloc
    // For the mannequin; ignored if there is a skeleton.
    float height;    // [m]; 0: 1.75
    float color[3];  // linear; all 0: the default
    uint32_t detail; // of the mesh, see tr_mannequin_def
    // Your own skeleton, with roles (tr_role_guess); must outlive the character. NULL: the mannequin.
    const tr_skeleton *skeleton;
    const tr_body *body; // may be NULL
    // Your own clips on that skeleton, which must outlive the character; NULL: made from published gaits.
    const tr_clip *stand;
    const tr_clip *const *cycles; // walk, jog, run...: see tr_locomotion_def
    uint32_t cycle_count;
    // Another character with which this one shares everything except `color` (all 0: the color as well); must
    // outlive this one. All other fields are then ignored. NULL: share nothing.
    const tr_cast *like;
} tr_character_def;

typedef tr_cast tr_character;

// TR_NOT_FOUND: the skeleton lacks roles; the error names one.
TR_API tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error);
TR_API void tr_character_destroy(tr_character *character); // NULL is allowed

TR_END_DECLARATIONS
