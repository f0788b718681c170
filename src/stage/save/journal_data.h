// stage/save/journal_data.h - internal data of a journal. Internal to journal*.c.
#pragma once
#include "journal_entry.h"
#include "save_fields.h"

#define JOURNAL_MAGIC 0x4a505254u // "TRPJ"
#define JOURNAL_VERSION 4u

typedef struct journal_head {
    uint32_t magic, version;
    uint64_t tick, hash; // of the stage when it began
} journal_head;

// An object as it was when the last call was recorded.
typedef struct journal_object {
    uint64_t revision, trajectory_revision;
    tr_affine placement;
    uint32_t tags;
} journal_object;

struct tr_journal {
    tr_allocator allocator;
    uint8_t *bytes;
    uint64_t size;
    uint32_t capacity;
    tr_status status;
    journal_object *objects;
    uint32_t object_count, object_capacity;
    uint64_t scene_revision;
    double dt; // of the current step
};

void tr_journal_archive_head(journal_head *head, tr_archive *archive);
// When a JOURNAL_OBJECT_MOTION is read, its samples follow in the bytes.
void tr_journal_archive(journal_entry *entry, tr_archive *archive);
// A hash of the places of all actors, which shows whether a replayed step gave the recorded result.
uint64_t tr_journal_hash(const tr_stage *stage);
