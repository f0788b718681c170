// troupe/io/behavior_folder.h - a folder of captured motions becomes a kind of character with a machine of
// behaviors (motion/behavior_build.h), worn by the mannequin.
#pragma once
#include "troupe/io/behavior_file.h"
#include "troupe/motion/behavior_build.h"

TR_BEGIN_DECLARATIONS

#define TR_BEHAVIOR_FOLDER_FILES_MAX 4096 // motion files in a folder

typedef struct tr_behavior_folder_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_mannequin_def mannequin;    // that wears the captures
    // Rate, extra frames, tolerance, clips and sides; the rest is not used.
    tr_behavior_build_def how;
    void (*note)(void *user, const char *sentence); // reports files that were left out; may be NULL
    void *note_user;
} tr_behavior_folder_def;

// What was made of a folder; owns everything. Zero is valid.
typedef struct tr_behavior_folder {
    tr_allocator allocator;
    tr_behavior_build *build; // has the motions of the cast
    tr_behavior_cast *cast;
    char **captures; // names of the files, one for each capture: tr_behavior_piece refers to them
    uint32_t capture_count;
} tr_behavior_folder;

// Is there a folder at this path?
TR_API bool tr_behavior_folder_exists(const char *path);

// Reads the motion files of a folder on the disk (.bvh, .glb, .gltf), in the order of their names, and makes
// a machine of all motions in them. Files that cannot be read are left out and noted. TR_NO_FILE: the folder
// cannot be read, or has no motion file. TR_LIMIT: it has more than TR_BEHAVIOR_FOLDER_FILES_MAX.
// TR_NOT_FOUND: the captures hold no locomotion, or nothing in them can be repeated; the error says what was
// found. Errors of tr_behavior_build_make, tr_behavior_cast_create and tr_mannequin_make as there. On failure
// *made is empty.
TR_API tr_status tr_behavior_folder_read(const char *path, const tr_behavior_folder_def *def,
                                         tr_behavior_folder *made, tr_error *error);
TR_API void tr_behavior_folder_destroy(tr_behavior_folder *folder);

TR_END_DECLARATIONS
