// Playing a journal: makes the same calls again.
#include "journal_data.h"
#include "stage/stage_data.h"

#include <string.h>

static tr_status add_actor(const tr_journal_reader *reader, tr_stage *stage, journal_entry *entry,
                           tr_error *error) {
    tr_actor_id actor;
    for (uint32_t i = 0; i < reader->character_count && !entry->add.character; i++)
        if (reader->characters[i] && reader->characters[i]->fingerprint == entry->fingerprint)
            entry->add.character = reader->characters[i];
    if (!entry->add.character)
        return tr_fail(error, TR_INVALID, "the character of %.60s is not among the %u given characters",
                       entry->add.name ? entry->add.name : "an actor", reader->character_count);
    tr_stage_add_actor(stage, &entry->add, &actor, NULL); // it may have failed when it was recorded, too
    return TR_OK;
}

// The samples follow in the bytes.
static tr_status set_motion(tr_stage *stage, const journal_entry *entry, tr_archive *archive,
                            tr_error *error) {
    const tr_allocator *own = &stage->allocator;
    uint32_t count = entry->count;
    if (!entry->yes)
        return tr_scene_set_trajectory(stage->def.scene, entry->number, NULL, error);
    double *times = tr_allocate_zero(own, count, sizeof *times);
    tr_transform *transforms = tr_allocate_zero(own, count, sizeof *transforms);
    tr_status status =
        times && transforms ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a trajectory");
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        tr_archive_double(archive, &times[i]);
        tr_archive_transform(archive, &transforms[i]);
        status = archive->status;
    }
    tr_trajectory_def def = {times, transforms, count, entry->loop};
    if (status == TR_OK)
        status = tr_scene_set_trajectory(stage->def.scene, entry->number, &def, error);
    tr_release(own, times, count, sizeof *times);
    tr_release(own, transforms, count, sizeof *transforms);
    return status;
}

static tr_status change_object(tr_stage *stage, const journal_entry *entry, tr_archive *archive,
                               tr_error *error) {
    tr_scene *scene = stage->def.scene;
    tr_object_def def = {.mesh = entry->mesh, .placement = entry->placement, .tags = entry->tags};
    uint32_t number = entry->number;
    tr_status status = TR_OK;
    if (entry->kind == JOURNAL_OBJECT_ADDED) {
        status = tr_scene_add_object(scene, &def, &number, error);
        if (status == TR_OK && number != entry->number)
            return tr_fail(error, TR_INVALID, "object %u got number %u when it was added again",
                           entry->number, number);
    } else if (entry->kind == JOURNAL_OBJECT_PLACED) {
        status = tr_scene_place(scene, number, &entry->placement);
    } else if (entry->kind == JOURNAL_OBJECT_TAGGED) {
        status = tr_scene_set_tags(scene, number, entry->tags);
    } else if (entry->kind == JOURNAL_OBJECT_REMOVED) {
        status = tr_scene_remove_object(scene, number);
    } else {
        return set_motion(stage, entry, archive, error);
    }
    return status == TR_OK || status == TR_OUT_OF_MEMORY
               ? status
               : tr_fail(error, TR_INVALID, "the scene has no object %u to change", number);
}

// Calls that failed when they were recorded fail again: their errors do not matter.
static tr_status make_call(const tr_journal_reader *reader, tr_stage *stage, journal_entry *entry,
                           tr_archive *archive, tr_error *error) {
    switch (entry->kind) {
    case JOURNAL_ADD:
        return add_actor(reader, stage, entry, error);
    case JOURNAL_REMOVE:
        tr_stage_remove_actor(stage, entry->actor);
        return TR_OK;
    case JOURNAL_PLACE:
        tr_stage_place_actor(stage, entry->actor, entry->point, entry->value, NULL);
        return TR_OK;
    case JOURNAL_SPEED:
        tr_stage_set_speed(stage, entry->actor, entry->value);
        return TR_OK;
    case JOURNAL_LOOK:
        tr_stage_look_at(stage, entry->actor, entry->yes ? &entry->point : NULL, NULL);
        return TR_OK;
    case JOURNAL_ORDER:
        tr_stage_order(stage, entry->actor, &entry->order, entry->mode, NULL, NULL);
        return TR_OK;
    case JOURNAL_CANCEL:
        tr_stage_cancel(stage, entry->actor, entry->number);
        return TR_OK;
    case JOURNAL_STEER:
        tr_stage_steer(stage, entry->actor, entry->velocity, NULL);
        return TR_OK;
    case JOURNAL_DRAG:
        tr_stage_drag(stage, entry->actor, entry->drag, NULL);
        return TR_OK;
    case JOURNAL_LINK:
        tr_stage_close_link(stage, entry->number, entry->yes);
        return TR_OK;
    default:
        return change_object(stage, entry, archive, error);
    }
}

static tr_status play_step(tr_journal_reader *reader, tr_stage *stage, const journal_entry *entry,
                           tr_error *error) {
    tr_status status = tr_stage_step(stage, entry->dt, error);
    if (status != TR_OK && status != TR_DONE)
        return status;
    reader->steps++;
    if (tr_journal_hash(stage) == entry->hash)
        return TR_OK;
    return tr_fail(error, TR_INVALID, "step %llu, to %g s, differs from the recorded step",
                   (unsigned long long)reader->steps, tr_stage_time(stage));
}

static tr_status check_head(const tr_stage *stage, tr_archive *archive, tr_error *error) {
    journal_head head = {0};
    tr_journal_archive_head(&head, archive);
    if (!tr_archive_is_good(archive) || head.magic != JOURNAL_MAGIC)
        return tr_fail(error, TR_BAD_FILE, "these %llu bytes are not a journal",
                       (unsigned long long)archive->size);
    if (head.version != JOURNAL_VERSION)
        return tr_fail(error, TR_BAD_FILE, "the journal has version %u, this build reads version %u",
                       head.version, JOURNAL_VERSION);
    if (head.tick != stage->tick || head.hash != tr_journal_hash(stage))
        return tr_fail(error, TR_INVALID,
                       "the journal begins at tick %llu; the stage is at tick %llu, or its actors differ",
                       (unsigned long long)head.tick, (unsigned long long)stage->tick);
    return TR_OK;
}

tr_status tr_journal_play(tr_journal_reader *reader, tr_stage *stage, tr_error *error) {
    tr_archive archive = tr_archive_read(reader->bytes, reader->size, error);
    if (reader->at == 0) {
        tr_status status = check_head(stage, &archive, error);
        if (status != TR_OK)
            return status;
        reader->at = archive.at;
    }
    archive.at = reader->at < archive.size ? reader->at : archive.size;
    while (archive.at < archive.size) {
        journal_entry entry;
        memset(&entry, 0, sizeof entry);
        tr_journal_archive(&entry, &archive);
        if (!tr_archive_is_good(&archive))
            return archive.status;
        tr_status status = entry.kind == JOURNAL_STEP ? play_step(reader, stage, &entry, error)
                                                      : make_call(reader, stage, &entry, &archive, error);
        reader->at = archive.at;
        if (status != TR_OK || entry.kind == JOURNAL_STEP)
            return status;
    }
    return TR_DONE;
}
