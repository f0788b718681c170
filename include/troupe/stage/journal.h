// troupe/stage/journal.h - the calls that a game made on a stage, written down and made again.
//
// A journal holds what a stage cannot know by itself: actors that came and went, orders, steering, objects
// that the game moved, the time of each step. Played on a stage at the same state it leads to the same bits.
// It is small (a step takes 17 bytes, an order some 140), so a whole session fits: for replays, for a bug
// that shall happen again, for a run on another machine. A journal that was cut off plays as far as it goes.
#pragma once
#include "troupe/stage/stage.h"

TR_BEGIN_DECLARATIONS

typedef struct tr_journal tr_journal;
TR_API tr_status tr_journal_create(const tr_allocator *allocator, tr_journal **journal, tr_error *error);
TR_API void tr_journal_destroy(tr_journal *journal); // NULL is allowed

// From now on every call that changes the stage is written down, and every object that was placed, tagged,
// added, removed or given a trajectory in between; NULL: no more. The journal begins anew, at the state that
// the stage has now: a new stage, or one that was saved or loaded at this moment. It must outlive the stage
// or be taken from it.
TR_API tr_status tr_stage_set_journal(tr_stage *stage, tr_journal *journal);
// What was written so far; valid until the next call. Little-endian, the same on every machine.
TR_API const void *tr_journal_bytes(const tr_journal *journal, uint64_t *size);
// TR_OK. TR_OUT_OF_MEMORY: the journal ends where there was no more memory. TR_UNAVAILABLE: a drawn object
// was added or touched, which cannot be written down; the journal ends there.
TR_API tr_status tr_journal_status(const tr_journal *journal);

// Somebody who reads a journal. The bytes and characters are the caller's. Begin with `at` and `steps` 0.
typedef struct tr_journal_reader {
    const void *bytes;
    uint64_t size;
    const tr_character *const *characters; // all that actors were added with; known by what they are made of
    uint32_t character_count;
    uint64_t at, steps; // how far it is: bytes, and steps that were played
} tr_journal_reader;

// Make the calls up to the next step, and that step. Calls that were refused are refused again.
//   TR_OK        a step was played
//   TR_DONE      the journal has ended
//   TR_BAD_FILE  the bytes are no journal, of another version, or end in the middle of a call
//   TR_INVALID   the stage, its scene or the characters are not those that it was written with: the step led
//                elsewhere, or it cannot be made; the error says which
// After TR_BAD_FILE and TR_INVALID the stage can be used, but is not what it was.
TR_API tr_status tr_journal_play(tr_journal_reader *reader, tr_stage *stage, tr_error *error);

TR_END_DECLARATIONS
