// stage/save/journal_entry.h - one recorded call. Internal to stage/.
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
    JOURNAL_DRAG,
    JOURNAL_LINK,
    JOURNAL_OBJECT_ADDED,
    JOURNAL_OBJECT_PLACED,
    JOURNAL_OBJECT_TAGGED,
    JOURNAL_OBJECT_MOTION, // a trajectory
    JOURNAL_OBJECT_REMOVED,
    JOURNAL_KINDS
} journal_kind;

// Each kind uses some of the fields.
typedef struct journal_entry {
    journal_kind kind;
    tr_actor_id actor;
    tr_stage_actor_def add; // its name is in the bytes while reading; the character is known by
    uint64_t fingerprint;
    tr_order order;
    tr_order_mode mode;
    uint32_t number; // of an order, a link or an object
    bool yes;        // link closed; point to look at given; trajectory given (which loops: `loop`)
    bool loop;
    tr_vec3 point;
    float value;
    tr_vec2 velocity;
    tr_drag drag;
    double dt;
    uint64_t hash; // after the step
    tr_affine placement;
    uint32_t mesh, tags;
    // Samples of a trajectory: those of the scene while writing; while reading, the rest of the bytes holds
    // them.
    const double *times;
    const tr_transform *transforms;
    uint32_t count;
} journal_entry;

// Records a call, if the stage has a journal.
void tr_stage_note(tr_stage *stage, const journal_entry *entry);
void tr_stage_note_add(tr_stage *stage, const tr_stage_actor_def *def);
// Call them before and after the step. What the stage itself does to the scene in between is not recorded.
void tr_stage_note_step(tr_stage *stage, double dt);
void tr_stage_note_stepped(tr_stage *stage);
