// troupe/stage/character.h - a kind of character, ready to act: a mannequin of any size, or your own
// skeleton.
#pragma once
#include "troupe/motion/behavior_cast.h"
#include "troupe/motion/body.h"
#include "troupe/motion/clip.h"
#include "troupe/motion/mannequin.h"

TR_BEGIN_DECLARATIONS

// Create it once and use it for any number of actors, stages and threads: it never changes.
typedef struct tr_cast tr_character;

#define TR_CHARACTER_CYCLES_MAX 8

typedef struct tr_character_def {
    const tr_allocator *allocator; // NULL: malloc
    // For the mannequin; ignored if there is a skeleton.
    tr_mannequin_shape shape; // its actors also move as people of this shape do (tr_mannequin_shape_manner)
    float height;             // [m]; 0: the usual height of the shape
    float color[3];           // linear; all 0: the default
    uint32_t detail;          // of the mesh, see tr_mannequin_def
    // Your own skeleton, with roles (tr_role_guess); must outlive the character. NULL: the mannequin.
    const tr_skeleton *skeleton;
    const tr_body *body; // may be NULL
    // Your own clips on that skeleton, which must outlive the character; NULL: made from published gaits.
    const tr_clip *stand;
    // Walk, jog, run...: loops with base and contacts, each one stride that begins with the contact of the
    // left foot (tr_clip_edit_cycle, tr_gait_make), by rising speed.
    const tr_clip *const *cycles;
    uint32_t cycle_count; // [1, TR_CHARACTER_CYCLES_MAX]; 0 without cycles
    // Another character with which this one shares everything except `color` (all 0: the color as well); must
    // outlive this one. All other fields are then ignored. NULL: share nothing.
    const tr_character *like;
    // A character that moves by these behaviors alone, on any number of legs or wheels: it has their
    // skeleton, body and clip for standing, and no gait. Must outlive the character; colour and everything
    // above are then ignored. NULL: it walks.
    const tr_behavior_cast *performs;
    // Reports what the body cannot do: gaits are made as fast as its legs allow, and those that they cannot
    // do are left out. May be NULL.
    void (*note)(void *user, const char *sentence);
    void *note_user;
} tr_character_def;

// TR_NOT_FOUND: the skeleton lacks a leg with roles; the error names it. TR_INVALID: it does not stand
// upright at rest (an animal on four legs), does not face +Z there (tr_figure_turn), or custom clips do not
// fit.
TR_API tr_status tr_character_create(const tr_character_def *def, tr_character **character, tr_error *error);
TR_API void tr_character_destroy(tr_character *character); // NULL is allowed

// What it is made of, valid as long as the character is.
TR_API const tr_skeleton *tr_character_skeleton(const tr_character *character);
TR_API const tr_body *tr_character_body(const tr_character *character); // may be NULL
TR_API float tr_character_height(const tr_character *character);        // in the rest pose [m]
// Radius of the disc on the ground that the standing body lies over, by its capsules, with arms that hang
// [m]; 0: it has none. Of a character that only performs: the radius of its machine. For tr_stage_actor_def.
TR_API float tr_character_radius(const tr_character *character);
// Does it walk? Otherwise it moves by behaviors alone.
TR_API bool tr_character_walks(const tr_character *character);
// Speed of its fastest clip [m/s]; 0: it does not walk. Faster orders play that clip faster, up to twice its
// speed.
TR_API float tr_character_speed_max(const tr_character *character);

TR_END_DECLARATIONS
