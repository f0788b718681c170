// Writing a journal: entries are appended to a growing buffer.
#include "journal_data.h"
#include "motion/motion_archive.h"
#include "stage/actor/actor.h"
#include "stage/stage_data.h"
#include "troupe/base/hash.h"
#include "world/scene/scene_data.h"
#include "world/timeline/trajectory_data.h"

#include <string.h>

tr_status tr_journal_create(const tr_allocator *allocator, tr_journal **journal, tr_error *error) {
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_journal *made = tr_allocate_zero(&own, 1, sizeof *made);
    *journal = made;
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a journal");
    made->allocator = own;
    return TR_OK;
}

void tr_journal_destroy(tr_journal *journal) {
    if (!journal)
        return;
    tr_allocator own = journal->allocator;
    tr_release(&own, journal->bytes, journal->capacity, 1);
    tr_release(&own, journal->objects, journal->object_capacity, sizeof *journal->objects);
    tr_release(&own, journal, 1, sizeof *journal);
}

const void *tr_journal_bytes(const tr_journal *journal, uint64_t *size) {
    *size = journal->size;
    return journal->bytes;
}

tr_status tr_journal_status(const tr_journal *journal) {
    return journal->status;
}

uint64_t tr_journal_hash(const tr_stage *stage) {
    uint64_t hash = tr_hash(TR_HASH_START, &stage->tick, sizeof stage->tick);
    hash = tr_hash(hash, &stage->ahead, sizeof stage->ahead);
    for (uint32_t i = 0; i < stage->actor_count; i++) {
        tr_follow_state state = tr_actor_look(stage->actors[i]->actor).state;
        const float root[5] = {state.position.x, state.position.z, state.heading, state.speed,
                               state.turn_rate};
        hash = tr_hash(hash, &stage->actors[i]->id, sizeof(tr_actor_id));
        hash = tr_hash(hash, root, sizeof root);
    }
    return hash;
}

// --- One entry ---

// With the terminating zero, so that a reader need not copy the name. No name: no bytes.
static void archive_name(const char **name, tr_archive *archive) {
    uint32_t size =
        tr_archive_count(archive, *name ? (uint32_t)strlen(*name) + 1 : 0, UINT32_MAX, "bytes of a name");
    if (!tr_archive_reads(archive)) {
        tr_archive_bytes(archive, (char *)*name, size);
        return;
    }
    *name = size ? (const char *)archive->from + archive->at : NULL;
    tr_archive_check(archive, !size || archive->from[archive->at + size - 1] == 0,
                     "a name is not terminated");
    archive->at += size;
}

static void archive_add(journal_entry *entry, tr_archive *archive) {
    tr_stage_actor_def *def = &entry->add;
    archive_name(&def->name, archive);
    tr_archive_u64(archive, &entry->fingerprint);
    tr_save_loose(archive, &def->position.x, 3); // an unused height may be NaN
    tr_archive_bool(archive, &def->any_floor);
    tr_archive_float(archive, &def->heading);
    tr_archive_float(archive, &def->radius);
    tr_archive_float(archive, &def->height);
    tr_archive_float(archive, &def->speed);
    tr_archive_u64(archive, &def->seed);
    tr_archive_float(archive, &def->plain);
    tr_manner_archive(&def->manner, archive);
    tr_stage_eyes_archive(&def->eyes, archive);
}

static void archive_object(journal_entry *entry, tr_archive *archive) {
    tr_archive_u32(archive, &entry->number);
    if (entry->kind == JOURNAL_OBJECT_ADDED)
        tr_archive_u32(archive, &entry->mesh);
    if (entry->kind == JOURNAL_OBJECT_ADDED || entry->kind == JOURNAL_OBJECT_TAGGED)
        tr_archive_u32(archive, &entry->tags);
    if (entry->kind == JOURNAL_OBJECT_ADDED || entry->kind == JOURNAL_OBJECT_PLACED)
        tr_archive_affine(archive, &entry->placement);
    if (entry->kind != JOURNAL_OBJECT_MOTION)
        return;
    tr_archive_bool(archive, &entry->yes);
    tr_archive_bool(archive, &entry->loop);
    entry->count = tr_archive_count(archive, entry->count, UINT32_MAX - 1, "samples of a trajectory");
    for (uint32_t i = 0; i < entry->count && !tr_archive_reads(archive); i++) {
        double time = entry->times[i];
        tr_transform there = entry->transforms[i];
        tr_archive_double(archive, &time);
        tr_archive_transform(archive, &there);
    }
}

static void archive_order(journal_entry *entry, tr_archive *archive) {
    tr_archive_u32(archive, &entry->actor);
    tr_save_order(&entry->order, archive);
    entry->mode = (tr_order_mode)tr_archive_choice(archive, entry->mode, TR_ORDER_REPLACE + 1);
}

void tr_journal_archive(journal_entry *entry, tr_archive *archive) {
    uint8_t kind = (uint8_t)entry->kind;
    tr_archive_u8(archive, &kind);
    tr_archive_check(archive, kind < JOURNAL_KINDS, "unknown kind of call");
    entry->kind = kind < JOURNAL_KINDS ? (journal_kind)kind : JOURNAL_STEP;
    if (entry->kind == JOURNAL_STEP) {
        tr_archive_double(archive, &entry->dt);
        tr_archive_u64(archive, &entry->hash);
    } else if (entry->kind == JOURNAL_ADD) {
        archive_add(entry, archive);
    } else if (entry->kind == JOURNAL_ORDER) {
        archive_order(entry, archive);
    } else if (entry->kind >= JOURNAL_OBJECT_ADDED) {
        archive_object(entry, archive);
    } else {
        tr_archive_u32(archive, &entry->actor);
    }
    if (entry->kind == JOURNAL_PLACE || entry->kind == JOURNAL_LOOK)
        tr_archive_vec3(archive, &entry->point);
    if (entry->kind == JOURNAL_PLACE || entry->kind == JOURNAL_SPEED)
        tr_archive_float(archive, &entry->value);
    if (entry->kind == JOURNAL_LOOK || entry->kind == JOURNAL_LINK)
        tr_archive_bool(archive, &entry->yes);
    if (entry->kind == JOURNAL_CANCEL || entry->kind == JOURNAL_LINK)
        tr_archive_u32(archive, &entry->number);
    if (entry->kind == JOURNAL_STEER)
        tr_archive_vec2(archive, &entry->velocity);
    if (entry->kind == JOURNAL_DRAG)
        tr_save_drag(&entry->drag, archive);
}

void tr_journal_archive_head(journal_head *head, tr_archive *archive) {
    tr_archive_u32(archive, &head->magic);
    tr_archive_u32(archive, &head->version);
    tr_archive_u64(archive, &head->tick);
    tr_archive_u64(archive, &head->hash);
}

// --- Writing ---

static bool reserve(tr_journal *journal, uint64_t more) {
    void *bytes = journal->bytes;
    bool room = tr_reserve(&journal->allocator, &bytes, &journal->capacity, journal->size + more, 1);
    journal->bytes = bytes;
    journal->status = room ? journal->status : TR_OUT_OF_MEMORY;
    return room;
}

static void write(tr_journal *journal, journal_entry *entry) {
    tr_archive count = tr_archive_write(NULL, 0);
    if (journal->status != TR_OK)
        return;
    tr_journal_archive(entry, &count);
    if (!reserve(journal, count.at))
        return;
    tr_archive archive = tr_archive_write(journal->bytes + journal->size, count.at);
    tr_journal_archive(entry, &archive);
    journal->size += count.at;
}

// Takes over the present state of the objects as known.
static void know_objects(tr_journal *journal, const tr_scene *scene) {
    void *objects = journal->objects;
    bool room = tr_reserve(&journal->allocator, &objects, &journal->object_capacity, scene->object_count,
                           sizeof *journal->objects);
    journal->objects = objects;
    if (!room) {
        journal->status = TR_OUT_OF_MEMORY;
        return;
    }
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const scene_object *object = &scene->objects[i];
        journal->objects[i] =
            (journal_object){object->revision, object->trajectory_revision, object->placement, object->tags};
    }
    journal->object_count = scene->object_count;
    journal->scene_revision = scene->revision;
}

// Records what has changed of one object.
static void note_object(tr_journal *journal, const tr_scene *scene, uint32_t number) {
    const scene_object *object = &scene->objects[number];
    bool added = number >= journal->object_count;
    const journal_object *known = added ? NULL : &journal->objects[number];
    journal_entry entry = {
        .number = number, .mesh = object->mesh, .placement = object->placement, .tags = object->tags};
    if (added && object->mesh != TR_NONE)
        write(journal, (entry.kind = JOURNAL_OBJECT_ADDED, &entry));
    else if (object->drawn.emit)
        journal->status = journal->status == TR_OK ? TR_UNAVAILABLE : journal->status;
    if (object->removed) {
        write(journal, (entry.kind = JOURNAL_OBJECT_REMOVED, &entry));
        return;
    }
    const tr_trajectory *trajectory = object->trajectory;
    if (added ? trajectory != NULL : object->trajectory_revision != known->trajectory_revision) {
        entry.yes = trajectory != NULL;
        entry.loop = trajectory && trajectory->loop;
        entry.count = trajectory ? trajectory->count : 0;
        entry.times = trajectory ? trajectory->times : NULL;
        entry.transforms = trajectory ? trajectory->transforms : NULL;
        write(journal, (entry.kind = JOURNAL_OBJECT_MOTION, &entry));
    }
    if (!added && object->tags != known->tags)
        write(journal, (entry.kind = JOURNAL_OBJECT_TAGGED, &entry));
    if (!added && memcmp(&object->placement, &known->placement, sizeof known->placement) != 0)
        write(journal, (entry.kind = JOURNAL_OBJECT_PLACED, &entry));
}

static void note_scene(tr_journal *journal, const tr_scene *scene) {
    if (journal->scene_revision == scene->revision && journal->object_count == scene->object_count)
        return;
    for (uint32_t i = 0; i < scene->object_count; i++) {
        const journal_object *known = i < journal->object_count ? &journal->objects[i] : NULL;
        if (!known || known->revision != scene->objects[i].revision ||
            known->trajectory_revision != scene->objects[i].trajectory_revision)
            note_object(journal, scene, i);
    }
    know_objects(journal, scene);
}

void tr_stage_note(tr_stage *stage, const journal_entry *entry) {
    if (!stage->journal)
        return;
    journal_entry copy = *entry;
    note_scene(stage->journal, stage->def.scene);
    write(stage->journal, &copy);
}

void tr_stage_note_add(tr_stage *stage, const tr_stage_actor_def *def) {
    tr_stage_note(stage, &(journal_entry){
                             .kind = JOURNAL_ADD, .add = *def, .fingerprint = def->character->fingerprint});
}

void tr_stage_note_step(tr_stage *stage, double dt) {
    if (!stage->journal)
        return;
    note_scene(stage->journal, stage->def.scene);
    stage->journal->dt = dt;
}

// The result of the step is known only now.
void tr_stage_note_stepped(tr_stage *stage) {
    if (!stage->journal)
        return;
    journal_entry entry = {.kind = JOURNAL_STEP, .dt = stage->journal->dt, .hash = tr_journal_hash(stage)};
    write(stage->journal, &entry);
    know_objects(stage->journal, stage->def.scene);
}

tr_status tr_stage_set_journal(tr_stage *stage, tr_journal *journal) {
    stage->journal = journal;
    if (!journal)
        return TR_OK;
    journal_head head = {JOURNAL_MAGIC, JOURNAL_VERSION, stage->tick, tr_journal_hash(stage)};
    tr_archive count = tr_archive_write(NULL, 0);
    journal->size = 0;
    journal->status = TR_OK;
    tr_journal_archive_head(&head, &count);
    if (reserve(journal, count.at)) {
        tr_archive archive = tr_archive_write(journal->bytes, count.at);
        tr_journal_archive_head(&head, &archive);
        journal->size = count.at;
    }
    know_objects(journal, stage->def.scene);
    return journal->status;
}
