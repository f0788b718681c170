// Brings a behavior map up to date with a scene in which things move that nobody announced. The cells of an
// object from now on are freed, those of others that were there too are marked again, and then its own.
#include "behavior_map_scene.h"
#include "world/scene/scene_data.h"

#include <string.h>

#define DOUBT 0.3f        // by default [m/s]
#define DOUBT_SECONDS 2.0 // by default [s]
#define SPEED_MOST 20.0f  // beyond this an object was put elsewhere [m/s]
#define STILL 1e-5f       // less is no motion [m]

// Cells that an object is going to block, kept until those of before are freed.
typedef struct watch_run {
    uint32_t band, first, last; // slots [first, last)
    tr_cells window;
    size_t words; // where its bits begin
} watch_run;

typedef struct watch_job {
    tr_behavior_map *map;
    const tr_behavior_scene *from;
    tr_behavior_change change; // in slots [first, last)
    uint32_t now;              // slot
    uint8_t *stale;            // for each object: its cells are to be made anew
    behavior_guess *guesses;   // for each object
    watch_run *runs;
    uint64_t *words;
    uint32_t run_count, run_capacity, word_count, word_capacity;
    tr_cells freed; // by all stale objects
} watch_job;

static void add_change(watch_job *job, tr_cells cells, uint32_t first, uint32_t last) {
    if (!behavior_has_cells(cells))
        return;
    if (!behavior_has_cells(job->change.cells)) {
        job->change.first = first;
        job->change.last = last;
    }
    job->change.cells = behavior_join(job->change.cells, cells);
    job->change.first = first < job->change.first ? first : job->change.first;
    job->change.last = last > job->change.last ? last : job->change.last;
}

// --- What has changed ---

static bool has_moved(const tr_affine *a, const tr_affine *b) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            if (fabsf(a->m[i][k] - b->m[i][k]) > STILL)
                return true;
    return false;
}

static behavior_guess guess_of(const watch_job *job, const behavior_object *before, const tr_affine *now,
                               double seconds) {
    double slot = job->map->slot_frames / job->map->behavior->def.frames_per_second;
    double known = job->from->doubt_seconds > 0 ? job->from->doubt_seconds : DOUBT_SECONDS;
    tr_vec3 way = tr_vec3_subtract(tr_affine_position(now), tr_affine_position(&before->placement));
    behavior_guess guess = {.doubt = job->from->doubt > 0 ? job->from->doubt : DOUBT,
                            .known = (uint32_t)ceil(known / slot)};
    float speed = seconds > 0 ? tr_vec3_length(way) / (float)seconds : INFINITY;
    if (!(speed <= SPEED_MOST)) {
        guess.known = 0;
        return guess;
    }
    guess.velocity = tr_vec3_scale(way, 1 / (float)seconds);
    return guess;
}

// Looks at one object. Returns whether the terrain has to be made anew.
static bool look(watch_job *job, uint32_t number, double seconds) {
    behavior_object *object = &job->map->scene_objects[number], before = *object;
    tr_behavior_scene_look(job->from->scene, number, object);
    bool moved = has_moved(&before.placement, &object->placement);
    job->stale[number] = false;
    job->guesses[number] = (behavior_guess){.known = 0};
    if (object->kind == BEHAVIOR_KNOWN) {
        job->stale[number] =
            before.kind != BEHAVIOR_KNOWN || before.trajectory_revision != object->trajectory_revision;
        return before.kind == BEHAVIOR_TERRAIN;
    }
    if (object->kind == BEHAVIOR_NOTHING) {
        job->stale[number] = before.kind == BEHAVIOR_KNOWN || before.kind == BEHAVIOR_GUESSED;
        return before.kind == BEHAVIOR_TERRAIN;
    }
    if (before.kind == BEHAVIOR_TERRAIN && before.revision == object->revision)
        return false;
    if (before.kind == BEHAVIOR_TERRAIN && !moved)
        return true; // touched, or tagged anew
    if (before.kind == BEHAVIOR_GUESSED && !moved && object->rests)
        return false;
    object->kind = BEHAVIOR_GUESSED;
    if (moved)
        job->guesses[number] = guess_of(job, &before, &object->placement, seconds);
    object->rests = job->guesses[number].known == 0;
    job->stale[number] = true;
    return before.kind == BEHAVIOR_TERRAIN || before.kind == BEHAVIOR_NOTHING;
}

static tr_status look_at_all(watch_job *job, double seconds, bool *terrain, tr_error *error) {
    tr_behavior_map *map = job->map;
    uint32_t count = tr_scene_object_count(job->from->scene);
    void *objects = map->scene_objects;
    bool room =
        tr_reserve(&map->allocator, &objects, &map->scene_object_capacity, count, sizeof *map->scene_objects);
    map->scene_objects = objects;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u objects", count);
    *terrain = false;
    for (; map->scene_object_count < count; map->scene_object_count++) {
        behavior_object *added = &map->scene_objects[map->scene_object_count];
        *added = (behavior_object){.kind = BEHAVIOR_TERRAIN};
        tr_behavior_scene_look(job->from->scene, map->scene_object_count, added);
        if (added->kind == BEHAVIOR_KNOWN)
            added->kind = BEHAVIOR_NOTHING; // it becomes known below
        *terrain |= added->kind == BEHAVIOR_TERRAIN;
    }
    for (uint32_t i = 0; i < count; i++)
        *terrain |= look(job, i, seconds);
    return TR_OK;
}

// --- The terrain ---

static tr_status remake_terrain(watch_job *job, tr_error *error) {
    tr_behavior_map *map = job->map;
    uint32_t columns = map->grid.columns, cells = columns * map->grid.rows;
    uint8_t *before = tr_allocate(&map->allocator, cells, sizeof *before);
    if (!before)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u cells", cells);
    memcpy(before, map->blocked, cells);
    tr_status status = tr_behavior_scene_make_terrain(map, job->from, error);
    for (uint32_t i = 0; i < cells && status == TR_OK; i++) {
        if (before[i] == map->blocked[i])
            continue;
        tr_cells cell = {i % columns, i / columns, i % columns + 1, i / columns + 1};
        add_change(job, cell, job->now, UINT32_MAX);
        job->change.blocks |= (map->blocked[i] & ~before[i]) != 0;
    }
    tr_release(&map->allocator, before, cells, sizeof *before);
    return status;
}

// --- Cells ---

static tr_status keep_run(void *user, uint32_t band, uint32_t first, uint32_t last, tr_cells window,
                          const tr_bitmap *cells) {
    watch_job *job = user;
    const tr_allocator *allocator = &job->map->allocator;
    size_t count = (size_t)cells->stride * cells->rows;
    void *runs = job->runs, *words = job->words;
    bool room =
        tr_reserve(allocator, &runs, &job->run_capacity, (uint64_t)job->run_count + 1, sizeof *job->runs);
    job->runs = runs;
    room = room && tr_reserve(allocator, &words, &job->word_capacity, (uint64_t)job->word_count + count,
                              sizeof *job->words);
    job->words = words;
    if (!room)
        return TR_OUT_OF_MEMORY;
    job->runs[job->run_count++] = (watch_run){band, first, last, window, job->word_count};
    memcpy(job->words + job->word_count, cells->words, count * sizeof *job->words);
    job->word_count += (uint32_t)count;
    return TR_OK;
}

static tr_bitmap bits_of(const watch_job *job, const watch_run *run) {
    tr_bitmap bits = {job->words + run->words, run->window.column_end - run->window.column_begin,
                      run->window.row_end - run->window.row_begin, 0};
    bits.stride = (bits.columns + 63) / 64 + 1;
    return bits;
}

// Whether something that a run blocks was free before.
static bool is_new(const watch_job *job, const watch_run *run) {
    const tr_behavior_map *map = job->map;
    tr_bitmap bits = bits_of(job, run);
    for (uint32_t row = 0; row < bits.rows; row++)
        for (uint32_t column = 0; column < bits.columns; column++) {
            uint32_t x = run->window.column_begin + column, z = run->window.row_begin + row;
            if (!tr_bitmap_get(&bits, column, row) ||
                (map->blocked[(size_t)z * map->grid.columns + x] >> run->band & 1))
                continue;
            for (uint32_t slot = run->first; slot < run->last; slot++)
                if (behavior_objects_are_clear(map, run->band, x, z, slot, slot))
                    return true;
        }
    return false;
}

// Sweeps all stale objects, without writing anything yet.
static tr_status sweep_stale(watch_job *job, tr_error *error) {
    tr_behavior_map *map = job->map;
    behavior_sweep_sink keep = {keep_run, job};
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < map->scene_object_count && status == TR_OK; i++) {
        behavior_object *object = &map->scene_objects[i];
        if (!job->stale[i])
            continue;
        uint32_t old_last = object->last, first_run = job->run_count;
        job->freed = behavior_join(job->freed, object->area);
        if (old_last > job->now)
            add_change(job, object->area, job->now, old_last);
        object->area = (tr_cells){0, 0, 0, 0};
        object->first = object->last = 0;
        if (object->kind == BEHAVIOR_NOTHING)
            continue;
        uint32_t last = map->slot_count;
        if (object->kind == BEHAVIOR_GUESSED && job->guesses[i].known > 0 &&
            job->guesses[i].known < map->slot_count - job->now)
            last = job->now + job->guesses[i].known;
        status =
            tr_behavior_scene_sweep_object(map, job->from, i, job->now, last, &job->guesses[i], &keep, error);
        for (uint32_t run = first_run; run < job->run_count; run++) {
            add_change(job, job->runs[run].window, job->runs[run].first, job->runs[run].last);
            job->change.blocks = job->change.blocks || is_new(job, &job->runs[run]);
        }
    }
    return status;
}

// Frees what stale objects had, and writes those that were there as well, and then the new cells.
static tr_status write(watch_job *job, tr_error *error) {
    tr_behavior_map *map = job->map;
    behavior_sweep_sink occupy = {tr_behavior_scene_occupy, map};
    tr_status status = TR_OK;
    if (behavior_has_cells(job->freed))
        tr_behavior_map_clear_cells(map, job->freed, job->now, map->slot_count - 1);
    for (uint32_t i = 0; i < map->scene_object_count && status == TR_OK; i++) {
        behavior_object *object = &map->scene_objects[i];
        if (job->stale[i] || (object->kind != BEHAVIOR_KNOWN && object->kind != BEHAVIOR_GUESSED) ||
            !behavior_meet(object->area, job->freed))
            continue;
        behavior_guess rests = {.known = 0};
        status =
            tr_behavior_scene_sweep_object(map, job->from, i, job->now, object->last, &rests, &occupy, error);
    }
    for (uint32_t i = 0; i < job->run_count && status == TR_OK; i++) {
        tr_bitmap bits = bits_of(job, &job->runs[i]);
        const watch_run *run = &job->runs[i];
        status = tr_behavior_scene_occupy(map, run->band, run->first, run->last, run->window, &bits);
        if (status != TR_OK)
            tr_fail(error, status, "no memory for the cells of a moving object");
    }
    return status;
}

static tr_status update(watch_job *job, double seconds, tr_error *error) {
    const tr_allocator *allocator = &job->map->allocator;
    uint32_t count = tr_scene_object_count(job->from->scene);
    bool terrain = false;
    job->stale = tr_allocate(allocator, count, sizeof *job->stale);
    job->guesses = tr_allocate(allocator, count, sizeof *job->guesses);
    tr_status status = job->stale && job->guesses
                           ? look_at_all(job, seconds, &terrain, error)
                           : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u objects", count);
    if (status == TR_OK && terrain)
        status = remake_terrain(job, error);
    if (status == TR_OK)
        status = sweep_stale(job, error);
    if (status == TR_OK)
        status = write(job, error);
    tr_release(allocator, job->stale, count, sizeof *job->stale);
    tr_release(allocator, job->guesses, count, sizeof *job->guesses);
    tr_release(allocator, job->runs, job->run_capacity, sizeof *job->runs);
    tr_release(allocator, job->words, job->word_capacity, sizeof *job->words);
    return status;
}

tr_status tr_behavior_map_update(tr_behavior_map *map, const tr_behavior_scene *from, uint32_t frame,
                                 tr_behavior_change *change, tr_error *error) {
    const tr_behavior_change nothing = {.first = 0};
    if (change)
        *change = nothing;
    tr_status status = tr_behavior_scene_check(from, error);
    if (status == TR_OK && map->scene_object_count == 0)
        status = tr_fail(error, TR_INVALID, "the map was not built from a scene");
    if (status == TR_OK && frame < map->scene_frame)
        status = tr_fail(error, TR_INVALID, "frame %u is before that of the last update, %u", frame,
                         map->scene_frame);
    if (status != TR_OK)
        return status;
    watch_job job = {.map = map, .from = from, .now = behavior_last_slot(map, frame)};
    double seconds = (frame - map->scene_frame) / map->behavior->def.frames_per_second;
    status = update(&job, seconds, error);
    if (status != TR_OK) {
        map->scene_object_count = 0;
        return status;
    }
    map->scene_frame = frame;
    if (change && behavior_has_cells(job.change.cells)) {
        *change = job.change;
        change->first = job.change.first * map->slot_frames;
        change->last = job.change.last >= map->slot_count ? UINT32_MAX : job.change.last * map->slot_frames;
    }
    return TR_OK;
}
