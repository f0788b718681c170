// troupe/stage/journal.h - records the calls that a game makes on a stage, and plays them again.
//
// A journal holds what a stage cannot know by itself: actors that were added and removed, orders, steering,
// objects that the game moved, and the length of each step. Played on a stage in the same state, it gives the
// same bits. A step takes 17 bytes and an order about 140, so a journal can cover a whole session. Use it to
// replay a session, to reproduce a bug, or to repeat a run on another machine. A truncated journal plays as
// far as it goes.
#pragma once
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_journal tr_journal;
TR_API tr_status tr_journal_create(const tr_allocator *allocator, tr_journal **journal, tr_error *error);
TR_API void tr_journal_destroy(tr_journal *journal); // NULL is allowed

// From now on the journal records every call that changes the stage, and every object that is placed, tagged,
// added, removed or given a trajectory in between. NULL: stop recording. The journal begins anew with the
// current state of the stage, so set it on a new stage, or on one that you save or load at this moment. It
// must outlive the stage, unless you detach it with NULL.
TR_API tr_status tr_stage_set_journal(tr_stage *stage, tr_journal *journal);
// Returns the recording so far; valid until the next call. Little-endian, the same on every machine.
TR_API const void *tr_journal_bytes(const tr_journal *journal, uint64_t *size);
// Returns TR_OK if the journal is complete. TR_OUT_OF_MEMORY: the journal ends where memory ran out.
// TR_UNAVAILABLE: it ends where an object that is drawn by a callback was added or changed, which cannot be
// recorded.
TR_API tr_status tr_journal_status(const tr_journal *journal);

// Reads a journal. The bytes and characters belong to the caller. Begin with `at` and `steps` 0.
typedef struct tr_journal_reader {
    const void *bytes;
    uint64_t size;
    const tr_character *const *characters; // of all actors, in any order; recognised by their content
    uint32_t character_count;
    uint64_t at, steps; // bytes read and steps played so far
} tr_journal_reader;

// Makes the calls up to the next step, and that step. Calls that were refused are refused again.
//   TR_OK        a step was played
//   TR_DONE      the journal has ended
//   TR_BAD_FILE  the bytes are not a journal, have another version, or end in the middle of a call
//   TR_INVALID   the stage, its scene or the characters differ from the recorded ones: the step led
//                elsewhere or is impossible; the error says which
// After TR_BAD_FILE and TR_INVALID the stage is usable, but not in its recorded state.
TR_API tr_status tr_journal_play(tr_journal_reader *reader, tr_stage *stage, tr_error *error);

TR_END_DECLARATIONS
