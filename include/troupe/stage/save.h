// troupe/stage/save.h - saves a stage at work, and loads one that continues from there, bit for bit.
//
// A loaded stage does exactly what the saved one does: its poses, events, orders and plans are the same on
// every machine and for any number of threads. Saving changes nothing. The bytes are little-endian, carry a
// version and a checksum, and are the same on every machine: compare them to see whether two runs still
// agree.
#pragma once
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

// Writes the stage into `bytes`, which has room for `size` of them; `needed` receives how many there are.
// Call it at any time between two steps. It allocates nothing. The places, tags and removals of objects are
// saved, but not their meshes and trajectories. TR_LIMIT: there is not enough room. Call it with NULL and 0
// to ask for `needed`.
TR_API tr_status tr_stage_save(const tr_stage *stage, void *bytes, uint64_t size, uint64_t *needed,
                               tr_error *error);

typedef struct tr_stage_load_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the motion is the same, bit for bit
    // Must have the same objects in the same order, with the same meshes and trajectories. Loading restores
    // their places and tags, the time of the scene, and which objects were removed. Must outlive the stage.
    tr_scene *scene;
    // Those of all actors, in any order; they are recognised by their content. Must outlive the stage.
    const tr_character *const *characters;
    uint32_t character_count;
    // A stage of the same scene to replace, or NULL. It is destroyed if loading succeeds and stays if loading
    // fails. If its ground is of the same kind it is reused, so that going back in time takes a millisecond
    // or two instead of building the ground anew.
    tr_stage *instead;
} tr_stage_load_def;

// Makes a stage with the saved settings, ground, actors and orders. Two stages on one scene disturb each
// other: destroy the old one, or pass it as `instead`. On failure there is no stage and the scene is
// unchanged.
//   TR_BAD_FILE  the bytes are no save, have another version, or are truncated or damaged
//   TR_INVALID   an object or a character differs from the saved one; the error names it
TR_API tr_status tr_stage_load(const tr_stage_load_def *def, const void *bytes, uint64_t size,
                               tr_stage **stage, tr_error *error);

TR_END_DECLARATIONS
