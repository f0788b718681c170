// stage/journal_entry.h - one call, as a journal holds it. Internal to stage/.
#pragma once
#include "base/archive.h"
#include "troupe/stage/journal.h"

typedef enum journal_kind {
    JOURNAL_STEP,
    JOURNAL_ADD,
    JOURNAL_REMOVE,
    JOURNAL_PLACE,
    JOURNAL_SPEED,
    JOURNAL_LOOK,
    JOURNAL_ORDER,
    JOURNAL_CANCEL,
    JOURNAL_STEER,
    JOURNAL_LINK,
    JOURNAL_OBJECT_ADDED,
    JOURNAL_OBJECT_PLACED,
    JOURNAL_OBJECT_TAGGED,
    JOURNAL_OBJECT_MOTION, // a trajectory
    JOURNAL_OBJECT_REMOVED,
    JOURNAL_KINDS
} journal_kind;

// Of each kind some of the fields count.
typedef struct journal_entry {
    journal_kind kind;
    tr_actor_id actor;
    tr_stage_actor_def add; // its name is in the bytes while reading; the character is known by
    uint64_t fingerprint;
    tr_order order;
    tr_order_mode mode;
    uint32_t number; // of an order, a link, an object
    bool yes;        // closed; there is a point to look at; there is a trajectory, and it loops (`loop`)
    bool loop;
    tr_vec3 point;
    float value;
    tr_vec2 velocity;
    double dt;
    uint64_t hash; // after the step
    tr_affine placement;
    uint32_t mesh, tags;
    // Samples of a trajectory: the scene's while writing; while reading the rest of the bytes holds them.
    const double *times;
    const tr_transform *transforms;
    uint32_t count;
} journal_entry;

// Write it down, if the stage has a journal.
void tr_stage_note(tr_stage *stage, const journal_entry *entry);
void tr_stage_note_add(tr_stage *stage, const tr_stage_actor_def *def);
// Before the step; and after it, when all that the stage has done to the scene is its own affair.
void tr_stage_note_step(tr_stage *stage, double dt);
void tr_stage_note_stepped(tr_stage *stage);
