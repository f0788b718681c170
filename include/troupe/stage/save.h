// troupe/stage/save.h - a stage at work into bytes, and a stage that goes on from them, bit for bit.
//
// A stage that is loaded does from then on exactly what the one that was saved does: the same poses, events,
// orders and plans, whatever the machine and the number of threads. Saving changes nothing. The bytes are
// little-endian, carry a version and a checksum, and are the same on every machine: comparing them tells
// whether two runs are still one.
#pragma once
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

// Write the stage into `bytes`, which has room for `size` of them; `needed` gets how many there are. Between
// two steps, at any time. No allocation. Objects are saved as they are placed, tagged and removed, not their
// meshes and trajectories.
// TR_LIMIT: there is not enough room. With NULL and 0 that is the way to ask for `needed`.
TR_API tr_status tr_stage_save(const tr_stage *stage, void *bytes, uint64_t size, uint64_t *needed,
                               tr_error *error);

typedef struct tr_stage_load_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the motion is the same, bit for bit
    // With the same objects: their meshes and trajectories in the same order. Where they are, their tags, the
    // scene's time and which were removed become what they were. Must outlive the stage.
    tr_scene *scene;
    // All that actors had, in any order: they are known by what they are made of. Must outlive the stage.
    const tr_character *const *characters;
    uint32_t character_count;
    // A stage of the same scene that goes: it is destroyed when loading succeeds, and stays when it fails.
    // Its ground is taken over where it is of the same kind, so that going back in time takes a millisecond
    // or two instead of building all ways anew. NULL: none.
    tr_stage *instead;
} tr_stage_load_def;

// Make a stage of what was saved: its settings, ground, actors and orders are as they were. Two stages on one
// scene disturb each other: destroy one that is replaced, or give it as `instead`. On failure there is no
// stage and the scene is as it was.
//   TR_BAD_FILE  the bytes are no save, of another version, cut off or damaged; the error says what
//   TR_INVALID   they do not fit: an object or a character is another; the error names it
TR_API tr_status tr_stage_load(const tr_stage_load_def *def, const void *bytes, uint64_t size,
                               tr_stage **stage, tr_error *error);

TR_END_DECLARATIONS
