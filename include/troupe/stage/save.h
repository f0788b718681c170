// troupe/stage/save.h - saves a running stage, and loads it so that it continues bit for bit.
//
// A loaded stage does exactly what the saved one does: its poses, events, orders and plans are the same on
// every machine and for any number of threads. Saving changes nothing. The bytes are little-endian, carry a
// version and a checksum, and are the same on every machine: compare the bytes to see whether two runs still
// agree.
#pragma once
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

// Writes the stage into `bytes`, a buffer of `size` bytes; `needed` receives the number of bytes of the save.
// May be called at any time between two steps. Allocates nothing. The places, tags and removals of objects
// are saved, but not their meshes and trajectories. TR_LIMIT: the buffer is too small. Call it with NULL and
// 0 to query `needed`.
TR_API tr_status tr_stage_save(const tr_stage *stage, void *bytes, uint64_t size, uint64_t *needed,
                               tr_error *error);

typedef struct tr_stage_load_def {
    const tr_allocator *allocator; // NULL: malloc
    tr_tasks *tasks;               // NULL: one thread; the motion is the same, bit for bit
    // Must have the same objects in the same order, with the same meshes and trajectories. Loading restores
    // their places and tags, the time of the scene, and which objects were removed. Must outlive the stage.
    tr_scene *scene;
    // The characters of all actors, in any order; they are recognised by their content. Must outlive the
    // stage.
    const tr_character *const *characters;
    uint32_t character_count;
    // A stage of the same scene to replace, or NULL. It is destroyed if loading succeeds and kept if loading
    // fails. If its ground is of the same kind, that ground is reused: going back in time then takes a
    // millisecond or two, because the ground is not rebuilt.
    tr_stage *instead;
} tr_stage_load_def;

// Creates a stage with the saved settings, ground, actors and orders. Two stages on one scene disturb each
// other: destroy the old one, or pass it as `instead`. On failure there is no stage and the scene is
// unchanged.
//   TR_BAD_FILE  the bytes are not a save, have another version, or are truncated or damaged
//   TR_INVALID   an object or a character differs from the saved one; the error names it
TR_API tr_status tr_stage_load(const tr_stage_load_def *def, const void *bytes, uint64_t size,
                               tr_stage **stage, tr_error *error);

TR_END_DECLARATIONS
