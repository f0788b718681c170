// Finds the objects that move. The rectangles of a known mover are kept for all ticks within sight, in a
// ring: each look adds those that came into sight since the last one. An object at rest costs one comparison
// of revisions.
#include "timeline_data.h"

#include <string.h>

#define TIME_HAIR 1e-6 // beyond this difference of scene time and ticks all is sampled again [s]

static void release_ring(const tr_timeline *timeline, moving_object *mover) {
    tr_release(&timeline->allocator, mover->ring, timeline->ring_ticks, sizeof *mover->ring);
    tr_release(&timeline->allocator, mover->ring_boxes, timeline->ring_ticks / CHUNK,
               sizeof *mover->ring_boxes);
    mover->ring = NULL;
    mover->ring_boxes = NULL;
}

static void drop_mover(tr_timeline *timeline, object_memory *memory) {
    if (memory->mover == TR_NONE)
        return;
    uint32_t number = memory->mover, last = timeline->mover_count - 1;
    release_ring(timeline, &timeline->movers[number]);
    memory->mover = TR_NONE;
    timeline->mover_count = last;
    if (number == last)
        return;
    timeline->movers[number] = timeline->movers[last];
    timeline->objects[timeline->movers[number].object].mover = number;
}

// The mover of an object, created if there is none; NULL: no memory.
static moving_object *take_mover(tr_timeline *timeline, uint32_t object) {
    object_memory *memory = &timeline->objects[object];
    if (memory->mover != TR_NONE)
        return &timeline->movers[memory->mover];
    if (!tr_reserve(&timeline->allocator, (void **)&timeline->movers, &timeline->mover_capacity,
                    (uint64_t)timeline->mover_count + 1, sizeof *timeline->movers))
        return NULL;
    memory->mover = timeline->mover_count++;
    moving_object *made = &timeline->movers[memory->mover];
    *made = (moving_object){.object = object};
    return made;
}

// --- Known movers ---

static double scene_time(const tr_timeline *timeline, uint64_t tick) {
    return timeline->scene_offset + (double)tick * timeline->tick;
}

// The box around everything in the ring from now on, and around the resting place.
static void join_boxes(const tr_timeline *timeline, moving_object *mover) {
    flat_box box = tr_timeline_rectangle_box(&mover->still);
    for (uint64_t chunk = CHUNK_TICKS(timeline->now); chunk < mover->end; chunk += CHUNK)
        box = box_join(box, mover->ring_boxes[chunk % timeline->ring_ticks / CHUNK]);
    mover->box = box;
}

// A sample may put the object outside the world: then it stays where it is, as in tr_scene_set_time.
static moving_rectangle sample(const tr_timeline *timeline, const scene_object *object, double from,
                               double to, tr_transform *at) {
    moving_rectangle made = tr_timeline_sample(timeline->scene, object, from, to, at);
    flat_box box = tr_timeline_rectangle_box(&made);
    float far = 4 * TR_SCENE_EXTENT_MAX;
    bool is_sound = box.min_x >= -far && box.max_x <= far && box.min_z >= -far && box.max_z <= far &&
                    box.min_y >= -far && box.max_y <= far;
    return is_sound ? made : tr_timeline_rectangle(timeline->scene, object);
}

// Samples the ticks up to `end`.
static void sample_until(tr_timeline *timeline, const scene_object *object, moving_object *mover,
                         uint64_t end) {
    if (mover->end >= end)
        return;
    for (; mover->end < end; mover->end++) {
        uint64_t at = mover->end % timeline->ring_ticks;
        moving_rectangle *made = &mover->ring[at];
        *made = sample(timeline, object, scene_time(timeline, mover->end),
                       scene_time(timeline, mover->end + 1), &mover->last);
        flat_box box = tr_timeline_rectangle_box(made), *chunk = &mover->ring_boxes[at / CHUNK];
        bool is_first = at % CHUNK == 0 || mover->end == mover->begin;
        *chunk = is_first ? box : box_join(*chunk, box);
        mover->box = box_join(mover->box, box);
    }
    double time = scene_time(timeline, end);
    mover->still = sample(timeline, object, time, time, &mover->last);
    mover->box = box_join(mover->box, tr_timeline_rectangle_box(&mover->still));
}

static bool take_ring(const tr_timeline *timeline, moving_object *mover) {
    if (mover->ring)
        return true;
    mover->ring = tr_allocate(&timeline->allocator, timeline->ring_ticks, sizeof *mover->ring);
    mover->ring_boxes =
        tr_allocate(&timeline->allocator, timeline->ring_ticks / CHUNK, sizeof *mover->ring_boxes);
    mover->is_known = false; // the ring has no valid content yet
    return mover->ring && mover->ring_boxes;
}

static bool look_at_known(tr_timeline *timeline, uint32_t number, const scene_object *object) {
    object_memory *memory = &timeline->objects[number];
    moving_object *mover = take_mover(timeline, number);
    if (!mover)
        return false;
    if (!take_ring(timeline, mover)) {
        drop_mover(timeline, memory);
        return false;
    }
    bool is_new = !mover->is_known || memory->trajectory_revision != object->trajectory_revision ||
                  mover->end < timeline->now;
    if (is_new) {
        mover->begin = mover->end = timeline->now;
        mover->last = tr_trajectory_sample(object->trajectory, scene_time(timeline, timeline->now));
        mover->still = tr_timeline_rectangle(timeline->scene, object);
        mover->box = tr_timeline_rectangle_box(&mover->still);
    }
    mover->is_known = true;
    uint64_t end = timeline->now + timeline->sight_ticks;
    double last = object->trajectory->loop ? INFINITY : tr_trajectory_end(object->trajectory);
    if (last < scene_time(timeline, end)) { // up to the tick at which it has come to rest
        double ticks = ceil((last - scene_time(timeline, timeline->now)) / timeline->tick + 1e-6);
        end = timeline->now + (ticks > 0 ? (uint64_t)ticks : 0);
    }
    sample_until(timeline, object, mover, end);
    if (timeline->now % CHUNK == 0)
        join_boxes(timeline, mover);
    return true;
}

// Whether its trajectory changes within sight.
static bool is_known_mover(const tr_timeline *timeline, object_memory *memory, const scene_object *object,
                           double time) {
    if (!object->trajectory)
        return false;
    if (memory->trajectory_revision != object->trajectory_revision || !(time < memory->change_end))
        tr_timeline_next_change(object->trajectory, time, &memory->change_begin, &memory->change_end);
    return memory->change_begin < time + timeline->sight_ticks * timeline->tick;
}

// --- Extrapolated movers ---

static bool same_box(tr_box a, tr_box b) {
    return a.min.x == b.min.x && a.min.y == b.min.y && a.min.z == b.min.z && a.max.x == b.max.x &&
           a.max.y == b.max.y && a.max.z == b.max.z;
}

static flat_box drift_box(const tr_timeline *timeline, const moving_object *mover) {
    flat_box box = tr_timeline_rectangle_box(&mover->still);
    moving_rectangle last;
    if (mover->end > timeline->now && tr_timeline_mover_at(timeline, mover, mover->end - 1, &last))
        box = box_join(box, tr_timeline_rectangle_box(&last));
    return box;
}

// Continues the motion since the last look. false: no memory.
static bool look_at_unknown(tr_timeline *timeline, uint32_t number, const scene_object *object) {
    object_memory *memory = &timeline->objects[number];
    uint64_t ticks = timeline->now > timeline->last_look ? timeline->now - timeline->last_look : 1;
    double x = ((double)object->bounds.min.x + object->bounds.max.x - memory->bounds.min.x -
                memory->bounds.max.x) /
               2 / (double)ticks,
           z = ((double)object->bounds.min.z + object->bounds.max.z - memory->bounds.min.z -
                memory->bounds.max.z) /
               2 / (double)ticks;
    if (sqrt(x * x + z * z) / timeline->tick > timeline->speed_max) {
        drop_mover(timeline, memory);
        return true;
    }
    moving_object *mover = take_mover(timeline, number);
    if (!mover)
        return false;
    release_ring(timeline, mover);
    mover->is_known = false;
    mover->begin = timeline->now;
    mover->end = timeline->now + timeline->doubt_ticks;
    mover->still = mover->drift = tr_timeline_rectangle(timeline->scene, object);
    mover->drift.move_x = (float)x;
    mover->drift.move_z = (float)z;
    mover->box = drift_box(timeline, mover);
    return true;
}

bool tr_timeline_restore_mover(tr_timeline *timeline, const moving_object *like) {
    const scene_object *object = &timeline->scene->objects[like->object];
    moving_object *mover = take_mover(timeline, like->object);
    if (!mover)
        return false;
    *mover = *like;
    mover->ring = NULL;
    mover->ring_boxes = NULL;
    if (!like->is_known) {
        mover->box = drift_box(timeline, mover);
        return true;
    }
    if (!take_ring(timeline, mover))
        return false;
    mover->is_known = true;
    mover->end = mover->begin;
    mover->last = tr_trajectory_sample(object->trajectory, scene_time(timeline, mover->begin));
    mover->box = tr_timeline_rectangle_box(&mover->still);
    sample_until(timeline, object, mover, like->end);
    return true;
}

bool tr_timeline_mover_at(const tr_timeline *timeline, const moving_object *mover, uint64_t tick,
                          moving_rectangle *rectangle) {
    if (mover->is_known) {
        *rectangle = tick < mover->end ? mover->ring[tick % timeline->ring_ticks] : mover->still;
        return true;
    }
    if (tick >= mover->end)
        return false;
    double ticks = (double)(tick - mover->begin), growth = (ticks + 1) * timeline->doubt * timeline->tick;
    *rectangle = mover->drift;
    rectangle->x = (float)(mover->drift.x + ticks * mover->drift.move_x);
    rectangle->z = (float)(mover->drift.z + ticks * mover->drift.move_z);
    rectangle->half_along += (float)growth;
    rectangle->half_across += (float)growth;
    return true;
}

bool tr_timeline_may_stay(const tr_timeline *timeline, const moving_object *mover, moving_rectangle *place) {
    *place = mover->still;
    if (!mover->is_known)
        return true;
    double moves = timeline->objects[mover->object].change_begin;
    return moves > scene_time(timeline, timeline->now) &&
           tr_timeline_mover_at(timeline, mover, timeline->now, place);
}

// --- A look ---

static void forget_objects(tr_timeline *timeline) {
    for (uint32_t i = 0; i < timeline->mover_count; i++)
        release_ring(timeline, &timeline->movers[i]);
    timeline->mover_count = 0;
    timeline->object_count = 0;
    timeline->scene = NULL;
    if (timeline->moving_capacity > 0)
        memset(timeline->moving, 0, timeline->moving_capacity * sizeof *timeline->moving);
}

static bool look_at(tr_timeline *timeline, uint32_t number, double time) {
    const scene_object *object = &timeline->scene->objects[number];
    object_memory *memory = &timeline->objects[number];
    bool is_same = memory->revision == object->revision && !object->trajectory,
         is_mover = memory->mover != TR_NONE;
    if (is_same && (!is_mover || timeline->last_look == timeline->now))
        return true; // at rest, or checked already
    bool is_there =
        !object->removed && !(object->tags & TR_TAG_CHARACTER) && !tr_box_is_empty(object->bounds);
    bool was_there = memory->is_there, done = true;
    if (is_there && is_known_mover(timeline, memory, object, time))
        done = look_at_known(timeline, number, object);
    else if (is_there && was_there && !object->trajectory && !same_box(memory->bounds, object->bounds))
        done = look_at_unknown(timeline, number, object);
    else
        drop_mover(timeline, memory);
    if (!done)
        return false; // the object's state stays, for the next look
    memory->is_there = is_there;
    memory->revision = object->revision;
    memory->trajectory_revision = object->trajectory_revision;
    memory->bounds = object->bounds;
    return true;
}

// All samples are invalid: the scene's time was set to another value.
static void forget_samples(tr_timeline *timeline, double offset) {
    timeline->scene_offset = offset;
    for (uint32_t i = 0; i < timeline->object_count; i++)
        timeline->objects[i].trajectory_revision = UINT64_MAX;
}

bool tr_timeline_reserve_objects(tr_timeline *timeline, const tr_scene *scene) {
    uint32_t count = scene->object_count;
    uint32_t words = (count + 63) / 64, had = timeline->moving_capacity;
    if (!tr_reserve(&timeline->allocator, (void **)&timeline->objects, &timeline->object_capacity, count,
                    sizeof *timeline->objects) ||
        !tr_reserve(&timeline->allocator, (void **)&timeline->moving, &timeline->moving_capacity, words,
                    sizeof *timeline->moving))
        return false;
    for (uint32_t i = had; i < timeline->moving_capacity; i++)
        timeline->moving[i] = 0;
    for (uint32_t i = timeline->object_count; i < count; i++)
        timeline->objects[i] = (object_memory){.mover = TR_NONE};
    return true;
}

void tr_timeline_mark_movers(tr_timeline *timeline) {
    if (timeline->moving_capacity > 0)
        memset(timeline->moving, 0, timeline->moving_capacity * sizeof *timeline->moving);
    for (uint32_t i = 0; i < timeline->mover_count; i++) {
        uint32_t object = timeline->movers[i].object;
        timeline->moving[object / 64] |= (uint64_t)1 << (object % 64);
    }
}

tr_status tr_timeline_watch(tr_timeline *timeline, const tr_scene *scene, tr_error *error) {
    double time = scene->time, offset = time - (double)timeline->now * timeline->tick;
    if (timeline->scene != scene || timeline->scene_identity != scene->identity ||
        timeline->object_count > scene->object_count) {
        forget_objects(timeline);
        timeline->scene_identity = scene->identity;
        timeline->looked_at = 0;
    }
    if (!(fabs(offset - timeline->scene_offset) <= TIME_HAIR))
        forget_samples(timeline, offset);
    if (!tr_timeline_reserve_objects(timeline, scene))
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to watch %u objects", scene->object_count);
    timeline->scene = scene;
    timeline->object_count = scene->object_count;
    // A look that ran out of memory continues where it stopped: earlier objects have been checked in this
    // tick.
    uint32_t next = timeline->looked_tick == timeline->now ? timeline->looked_at : 0;
    timeline->looked_tick = timeline->now;
    for (timeline->looked_at = next; timeline->looked_at < scene->object_count; timeline->looked_at++)
        if (!look_at(timeline, timeline->looked_at, time))
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for the motion of an object");
    timeline->looked_at = 0;
    timeline->last_look = timeline->now;
    tr_timeline_mark_movers(timeline);
    return TR_OK;
}

const uint64_t *tr_timeline_moving(const tr_timeline *timeline, uint32_t *object_count) {
    *object_count = timeline->object_count;
    return timeline->moving;
}
