// stage/journal_data.h - how a journal is kept. Internal to journal*.c.
#pragma once
#include "journal_entry.h"
#include "save_fields.h"

#define JOURNAL_MAGIC 0x4a505254u // "TRPJ"
#define JOURNAL_VERSION 1u

typedef struct journal_head {
    uint32_t magic, version;
    uint64_t tick, hash; // of the stage when it began
} journal_head;

// An object as it was when a call was last written down.
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
    double dt; // of the step under way
};

void tr_journal_archive_head(journal_head *head, tr_archive *archive);
// Of a JOURNAL_OBJECT_MOTION that is read the samples follow.
void tr_journal_archive(journal_entry *entry, tr_archive *archive);
// Of where everybody is: tells whether a step led where it should.
uint64_t tr_journal_hash(const tr_stage *stage);
