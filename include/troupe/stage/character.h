// troupe/stage/character.h - a kind of character, made ready: a mannequin of any size, or a skeleton of your
// own.
#pragma once
#include "troupe/motion/cast.h"

TR_BEGIN_DECLARATIONS

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
    // A character that this one is like in all but `color` (all 0: in that, too). They share all else, so
    // that `like` must outlive it; whatever else stands here is ignored. NULL: a character of its own.
    const tr_cast *like;
} tr_character_def;

typedef tr_cast tr_character;

// TR_NOT_FOUND: the skeleton lacks roles; the error names one.
TR_API tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error);
TR_API void tr_character_destroy(tr_character *character); // NULL is allowed

TR_END_DECLARATIONS
