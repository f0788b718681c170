// Saves and restores a timeline: motions, and the state of moving objects. The index, boxes and samples of
// trajectories are recomputed from these.
#include "timeline_data.h"
#include "timeline_archive.h"

static void archive_track(tr_timeline *timeline, uint32_t body, tr_archive *archive) {
    tr_timeline_track track = tr_timeline_track_of(timeline, body);
    tr_vec3 positions[TR_TIMELINE_TICKS_MAX];
    tr_archive_float(archive, &track.radius);
    tr_archive_float(archive, &track.height);
    tr_archive_u64(archive, &track.begin);
    uint32_t count = tr_archive_count(archive, track.count, TR_TIMELINE_TICKS_MAX, "ticks of a motion");
    for (uint32_t i = 0; i < count; i++) {
        if (!tr_archive_reads(archive))
            positions[i] = tr_vec3_make(track.x[i], track.y[i], track.z[i]);
        tr_archive_vec3(archive, &positions[i]);
    }
    if (!tr_archive_reads(archive))
        return;
    bool good = count > 0 && is_measure(track.radius) && is_measure(track.height) &&
                track.begin <= TICK_LIMIT && tr_timeline_is_sound(positions, count);
    tr_archive_check(archive, good, "a motion is empty, too long or out of range");
    if (!tr_archive_is_good(archive))
        return;
    timeline->blocks[body]->track = (laid_track){.radius = track.radius, .height = track.height};
    if (count > timeline->ticks_max) {
        tr_timeline_store(timeline, body, track.begin, positions, 1);
        if (tr_timeline_reserve(timeline, body, count, NULL) != TR_OK) {
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for a motion of %u ticks", count);
            return;
        }
    }
    timeline->blocks[body]->track = (laid_track){.radius = track.radius, .height = track.height};
    tr_timeline_store(timeline, body, track.begin, positions, count);
}

// The free numbers, the next one first: future bodies get the same numbers.
static void archive_free(tr_timeline *timeline, tr_archive *archive) {
    uint32_t *link = &timeline->free_body, count = timeline->body_count - timeline->body_live;
    for (uint32_t i = 0; i < count; i++) {
        tr_archive_u32(archive, link);
        bool good = *link < timeline->body_count && timeline->places[*link].slot == TR_NONE &&
                    (!tr_archive_reads(archive) || timeline->places[*link].level != LEVELS);
        tr_archive_check(archive, good,
                         "a body number in the list of free numbers is in use or listed twice");
        if (!tr_archive_is_good(archive))
            return;
        if (tr_archive_reads(archive))
            timeline->places[*link].level = LEVELS; // marks it as listed
        link = &timeline->nodes[*link].next;
    }
    if (tr_archive_reads(archive))
        *link = TR_NONE;
}

static void archive_bodies(tr_timeline *timeline, tr_archive *archive) {
    uint32_t count = tr_archive_count(archive, timeline->body_count, TR_NONE - 1, "bodies"), number;
    while (tr_archive_reads(archive) && timeline->body_count < count)
        if (!tr_timeline_add_number(timeline, &number)) {
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for %u bodies", count);
            return;
        }
    for (uint32_t i = 0; i < count; i++) {
        bool there = body_is_there(timeline, i);
        tr_archive_bool(archive, &there);
        if (there && tr_archive_reads(archive) && !tr_timeline_index_reserve(timeline))
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for %u bodies", count);
        if (!tr_archive_is_good(archive))
            return;
        if (there)
            archive_track(timeline, i, archive);
        else if (tr_archive_reads(archive))
            timeline->places[i].level = 0;
    }
    archive_free(timeline, archive);
}

// Revisions are valid in this process only: the archive stores whether the object has changed since.
static void archive_memory(object_memory *memory, const scene_object *object, tr_archive *archive) {
    bool gone =
        object->removed && !memory->is_there && memory->mover == TR_NONE; // no further change is possible
    bool same = memory->revision == object->revision || gone,
         same_motion = memory->trajectory_revision == object->trajectory_revision || gone;
    tr_archive_bool(archive, &same);
    tr_archive_bool(archive, &same_motion);
    tr_archive_double(archive, &memory->change_begin);
    tr_archive_double(archive, &memory->change_end);
    tr_archive_box(archive, &memory->bounds);
    tr_archive_bool(archive, &memory->is_there);
    if (!tr_archive_reads(archive))
        return;
    memory->revision = same ? object->revision : UINT64_MAX;
    memory->trajectory_revision = same_motion ? object->trajectory_revision : UINT64_MAX;
}

static void archive_rectangle(moving_rectangle *rectangle, tr_archive *archive) {
    tr_archive_float(archive, &rectangle->x);
    tr_archive_float(archive, &rectangle->z);
    tr_archive_float(archive, &rectangle->move_x);
    tr_archive_float(archive, &rectangle->move_z);
    tr_archive_float(archive, &rectangle->along_x);
    tr_archive_float(archive, &rectangle->along_z);
    tr_archive_float(archive, &rectangle->half_along);
    tr_archive_float(archive, &rectangle->half_across);
    tr_archive_float(archive, &rectangle->low);
    tr_archive_float(archive, &rectangle->high);
}

static void archive_mover(tr_timeline *timeline, uint32_t number, tr_archive *archive) {
    bool reads = tr_archive_reads(archive);
    moving_object mover = {0};
    if (!reads)
        mover = timeline->movers[number];
    if (!reads && mover.is_known && mover.begin < timeline->now) // earlier ticks are not saved
        mover.begin = timeline->now < mover.end ? timeline->now : mover.end;
    mover.object = tr_archive_choice(archive, mover.object, timeline->object_count);
    tr_archive_bool(archive, &mover.is_known);
    tr_archive_u64(archive, &mover.begin);
    tr_archive_u64(archive, &mover.end);
    archive_rectangle(&mover.still, archive);
    if (!mover.is_known)
        archive_rectangle(&mover.drift, archive);
    if (!reads || !tr_archive_is_good(archive))
        return;
    const scene_object *object = &timeline->scene->objects[mover.object];
    uint64_t most = mover.is_known ? timeline->ring_ticks : timeline->doubt_ticks;
    bool good = timeline->objects[mover.object].mover == TR_NONE && mover.end >= mover.begin &&
                mover.end - mover.begin <= most && mover.begin < TICK_LIMIT &&
                (!mover.is_known || object->trajectory);
    tr_archive_check(archive, good,
                     "a moving object is listed twice, has no trajectory or has an invalid time range");
    if (tr_archive_is_good(archive) && !tr_timeline_restore_mover(timeline, &mover))
        tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory for the motion of an object");
}

static void archive_objects(tr_timeline *timeline, const tr_scene *scene, tr_archive *archive) {
    uint32_t count = tr_archive_count(archive, timeline->object_count, scene->object_count, "objects");
    if (tr_archive_reads(archive)) {
        if (!tr_timeline_reserve_objects(timeline, scene))
            tr_archive_fail(archive, TR_OUT_OF_MEMORY, "no memory to watch %u objects", count);
        if (!tr_archive_is_good(archive))
            return;
        timeline->object_count = count;
        timeline->scene = count ? scene : NULL;
        timeline->scene_identity = scene->identity;
    }
    for (uint32_t i = 0; i < count; i++)
        archive_memory(&timeline->objects[i], &scene->objects[i], archive);
    uint32_t movers = tr_archive_count(archive, timeline->mover_count, count, "moving objects");
    for (uint32_t i = 0; i < movers && tr_archive_is_good(archive); i++)
        archive_mover(timeline, i, archive);
    if (tr_archive_reads(archive))
        tr_timeline_mark_movers(timeline);
}

void tr_timeline_archive(tr_timeline *timeline, const tr_scene *scene, tr_archive *archive) {
    tr_archive_u64(archive, &timeline->now);
    tr_archive_u64(archive, &timeline->last_look);
    tr_archive_u64(archive, &timeline->looked_tick);
    tr_archive_u32(archive, &timeline->looked_at);
    tr_archive_double(archive, &timeline->scene_offset);
    tr_archive_check(archive, timeline->now <= TICK_LIMIT && timeline->last_look <= timeline->now,
                     "a time is out of range");
    if (tr_archive_is_good(archive))
        archive_bodies(timeline, archive);
    if (tr_archive_is_good(archive))
        archive_objects(timeline, scene, archive);
}
