// Crowds in constant motion, with whole bodies: the cost of a tick and the memory of an actor. An actor gets
// a new goal as soon as it has reached the last one; planning is part of the tick. One thread, and only its
// processor time counts, except for the first tick, in which every actor gets a way. DetourCrowd moves as
// many discs on the same square in the same run.
#include "bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/stage/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WARM_UP 150 // ticks: by then all are under way and have met others
#define TICKS 600
#define LONGEST_WARM_UP 20.0 // [s], in case a tick is slow
#define LONGEST 60.0         // [s]
#define HEIGHTS 10           // of people: 1.5 to 1.95 m
#define IDLE 100             // actors whose memory is measured
#define PEOPLE_LARGE 10000

// --- A stage with a crowd on it. All calls of the stage are in these functions. ---

typedef struct theatre {
    tr_sample_crowd *crowd;
    tr_character *characters[HEIGHTS];
    tr_stage *stage;
    tr_actor_id *actors; // ascending
    uint32_t *trips;     // begun by each
    uint32_t count;      // of people
    uint32_t done, failed;
    tr_error error;
} theatre;

static uint32_t height_of(const tr_sample_person *person) {
    return (uint32_t)((person->height - 1.5f) / 0.05f + 0.5f);
}

static bool make_characters(theatre *t) {
    for (uint32_t i = 0; i < HEIGHTS; i++) {
        tr_character_def def = {.height = 1.5f + 0.05f * (float)i, .detail = 1};
        if (tr_character_create(&def, &t->characters[i], &t->error) != TR_OK)
            return false;
    }
    return true;
}

static bool add_person(theatre *t, uint32_t index) {
    uint32_t count;
    const tr_sample_person *person = &tr_sample_crowd_people(t->crowd, &count)[index];
    tr_stage_actor_def def = {.character = t->characters[height_of(person)],
                              .position = person->start,
                              .heading = person->heading,
                              .radius = TR_SAMPLE_PERSON_RADIUS,
                              .speed = person->speed};
    return tr_stage_add_actor(t->stage, &def, &t->actors[index], &t->error) == TR_OK;
}

static bool send(theatre *t, uint32_t index) {
    tr_order order = {.kind = TR_ORDER_GO, .goal = tr_sample_crowd_goal(t->crowd, index, t->trips[index]++)};
    return tr_stage_order(t->stage, t->actors[index], &order, TR_ORDER_QUEUE, NULL, &t->error) == TR_OK;
}

static uint32_t index_of(const theatre *t, tr_actor_id actor) {
    uint32_t low = 0, high = t->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (t->actors[middle] <= actor)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// One tick; an actor that has ended its order gets the next.
static bool step(theatre *t) {
    tr_status status = tr_stage_step(t->stage, TR_STAGE_TICK, &t->error);
    if (status != TR_OK && status != TR_DONE)
        return false;
    uint32_t count;
    const tr_event *events = tr_stage_events(t->stage, &count);
    for (uint32_t i = 0; i < count; i++) {
        bool done = events[i].kind == TR_EVENT_ORDER_DONE, failed = events[i].kind == TR_EVENT_ORDER_FAILED;
        t->done += done;
        t->failed += failed;
        if ((done || failed) && !send(t, index_of(t, events[i].actor)))
            return false;
    }
    return true;
}

// The actual speed of a person as a share of its desired speed.
static double pace_of(const theatre *t, uint32_t index) {
    uint32_t count;
    tr_actor_view view = {0};
    tr_stage_look(t->stage, t->actors[index], &view);
    return (double)view.speed / (double)tr_sample_crowd_people(t->crowd, &count)[index].speed;
}

static tr_vec2 place_of(const theatre *t, uint32_t index) {
    tr_actor_view view = {0};
    tr_stage_look(t->stage, t->actors[index], &view);
    return tr_vec3_from_above(view.position);
}

static void close_theatre(theatre *t) {
    tr_stage_destroy(t->stage);
    for (uint32_t i = 0; i < HEIGHTS; i++)
        tr_character_destroy(t->characters[i]);
    tr_sample_crowd_destroy(t->crowd);
    free(t->actors);
    free(t->trips);
}

// Puts the people of a crowd on a stage of their scene, at rest.
static bool open_theatre(theatre *t, const bench_report *bench, const char *kind, uint32_t people,
                         const tr_allocator *allocator, tr_tasks *tasks) {
    tr_sample_crowd_def def = {.kind = kind, .people = people, .seed = bench_seed(bench, 1)};
    *t = (theatre){.count = 0};
    if (tr_sample_crowd_create(&def, &t->crowd, &t->error) != TR_OK || !make_characters(t))
        return false;
    tr_sample_crowd_people(t->crowd, &t->count);
    t->actors = calloc(t->count, sizeof *t->actors);
    t->trips = calloc(t->count, sizeof *t->trips);
    if (!t->actors || !t->trips) {
        tr_fail(&t->error, TR_OUT_OF_MEMORY, "no memory for %u people", t->count);
        return false;
    }
    tr_stage_def stage = tr_stage_def_default(tr_sample_crowd_scene(t->crowd)->scene);
    stage.allocator = allocator;
    stage.tasks = tasks;
    stage.area = tr_sample_crowd_scene(t->crowd)->ground;
    if (people >= PEOPLE_LARGE)
        stage.cell = 0.1f;
    return tr_stage_create(&stage, &t->stage, &t->error) == TR_OK;
}

// --- Measures ---

static void add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                const char *peer, double peer_value) {
    bench_result result = {
        .value = value, .unit = unit, .paper = NAN, .peer = peer, .peer_value = peer_value};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

// A figure of DetourCrowd with ours beside it.
static void add_theirs(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                       double ours) {
    bench_result result = {.value = value,
                           .unit = unit,
                           .paper = NAN,
                           .peer = "Troupe",
                           .peer_value = ours,
                           .by = "DetourCrowd, discs"};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct tick_figures {
    double mean, p99; // [ms]
    double overlap;   // share of people that overlap another by more than a tenth of the diameter
    double pace;      // mean, of all people
    uint32_t ticks, done, failed;
} tick_figures;

// Counts the people whose disc overlaps another: all pairs, outside the timed part.
static uint32_t count_overlaps(const theatre *t) {
    const float limit = 0.9f * 2 * TR_SAMPLE_PERSON_RADIUS;
    uint32_t count = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        tr_vec2 here = place_of(t, i);
        bool overlaps = false;
        for (uint32_t j = 0; j < t->count && !overlaps; j++) {
            tr_vec2 there = place_of(t, j);
            float x = there.x - here.x, z = there.z - here.z;
            overlaps = i != j && x * x + z * z < limit * limit;
        }
        count += overlaps;
    }
    return count;
}

static double seconds_since(uint64_t begin) {
    return (double)(tr_clock_nanoseconds() - begin) / 1e9;
}

static bool send_all(theatre *t) {
    for (uint32_t i = 0; i < t->count; i++)
        if (!add_person(t, i) || !send(t, i))
            return false;
    return true;
}

// Runs the crowd. A slow one ends early, as `ticks` shows. Overlaps are counted every second.
static bool run(theatre *t, tick_figures *figures) {
    double times[TICKS], sum = 0, pace = 0;
    uint64_t overlaps = 0, looks = 0, begin = tr_clock_nanoseconds();
    *figures = (tick_figures){.ticks = 0};
    if (!send_all(t))
        return false;
    for (uint32_t i = 0; i < WARM_UP && seconds_since(begin) < LONGEST_WARM_UP; i++)
        if (!step(t))
            return false;
    t->done = t->failed = 0;
    begin = tr_clock_nanoseconds();
    while (figures->ticks < TICKS && (figures->ticks == 0 || seconds_since(begin) < LONGEST)) {
        uint64_t tick = bench_thread_nanoseconds();
        if (!step(t))
            return false;
        times[figures->ticks] = (double)(bench_thread_nanoseconds() - tick) / 1e6;
        sum += times[figures->ticks++];
        if (figures->ticks % 30 != 0)
            continue;
        looks += t->count;
        overlaps += t->count <= 1000 ? count_overlaps(t) : 0;
        for (uint32_t i = 0; i < t->count; i++)
            pace += pace_of(t, i);
    }
    qsort(times, figures->ticks, sizeof *times, compare_doubles);
    figures->mean = sum / figures->ticks;
    figures->p99 = times[(figures->ticks - 1) * 99 / 100];
    figures->overlap = looks && t->count <= 1000 ? (double)overlaps / (double)looks : NAN;
    figures->pace = looks ? pace / (double)looks : NAN;
    figures->done = t->done;
    figures->failed = t->failed;
    return true;
}

static bool complain(theatre *t) {
    command_complain_of(&t->error);
    close_theatre(t);
    return false;
}

// DetourCrowd on the same crowd, with avoidance of medium quality and without separation: the fastest of the
// settings with the least overlap.
static bool measure_peer(bench_report *bench, const theatre *t, bench_crowd_figures *figures) {
    const bench_crowd_setting setting = {BENCH_CROWD_MEDIUM, false};
    const char *refusal = bench_detour_crowd(t->crowd, &setting, WARM_UP, TICKS, figures);
    if (refusal)
        bench_note(bench, refusal);
    return !refusal;
}

static void report_plaza(bench_report *bench, uint32_t people, const tick_figures *ours,
                         const bench_crowd_figures *theirs) {
    const char *peer = theirs ? "DetourCrowd, discs" : NULL;
    char id[64], what[160];
    snprintf(
        what, sizeof what,
        "%u people on a square, whole bodies; %u ticks, %u trips, %u failed, at %.0f %% of the desired speed",
        people, ours->ticks, ours->done, ours->failed, 100 * ours->pace);
    snprintf(id, sizeof id, "stage.plaza%u.tick_ms", people);
    add(bench, id, what, ours->mean, "ms", peer, theirs ? theirs->tick_ms : NAN);
    snprintf(id, sizeof id, "stage.plaza%u.tick_p99_ms", people);
    add(bench, id, what, ours->p99, "ms", peer, theirs ? theirs->tick_p99_ms : NAN);
    snprintf(id, sizeof id, "stage.plaza%u.tick_p99_by_mean", people);
    add(bench, id, "how evenly the work is spread over the ticks", ours->p99 / ours->mean, "times", peer,
        theirs ? theirs->tick_p99_ms / theirs->tick_ms : NAN);
    snprintf(id, sizeof id, "stage.plaza%u.person_us", people);
    add(bench, id, "a tick per person: constant if the cost is linear", 1e3 * ours->mean / people, "us", peer,
        theirs ? 1e3 * theirs->tick_ms / people : NAN);
    if (!isnan(ours->overlap)) {
        snprintf(id, sizeof id, "stage.plaza%u.overlap", people);
        add(bench, id, "share of people that overlap another by more than 10 % of the diameter",
            ours->overlap, "share", peer, theirs ? theirs->overlap : NAN);
    }
    if (!theirs)
        return;
    snprintf(
        what, sizeof what,
        "DetourCrowd, %u discs, medium avoidance, no separation; %u trips, at %.0f %% of the desired speed",
        people, theirs->trips, 100 * theirs->pace);
    snprintf(id, sizeof id, "peers.detourcrowd.%u.tick_ms", people);
    add_theirs(bench, id, what, theirs->tick_ms, "ms", ours->mean);
    snprintf(id, sizeof id, "peers.detourcrowd.%u.overlap", people);
    add_theirs(bench, id, what, theirs->overlap, "share", ours->overlap);
}

// Counts the bytes in use.
static void *count_bytes(void *user, void *old, size_t old_size, size_t new_size) {
    tr_allocator memory = tr_allocator_default();
    void *block = memory.resize(memory.user, old, old_size, new_size);
    if (block || new_size == 0)
        *(int64_t *)user += (int64_t)new_size - (int64_t)old_size;
    return block;
}

static bool bench_plaza(bench_report *bench, uint32_t people, double *mean) {
    theatre t;
    tick_figures ours;
    bench_crowd_figures theirs;
    int64_t held = 0;
    tr_allocator counting = {count_bytes, &held};
    char id[64];
    if (!open_theatre(&t, bench, "plaza", people, &counting, NULL) || !run(&t, &ours))
        return complain(&t);
    bool has_peer = measure_peer(bench, &t, &theirs);
    report_plaza(bench, people, &ours, has_peer ? &theirs : NULL);
    snprintf(id, sizeof id, "stage.plaza%u.megabytes", people);
    add(bench, id, "all memory of the stage: ground, timeline, planners, actors", (double)held / 1e6, "MB",
        NULL, NAN);
    close_theatre(&t);
    *mean = ours.mean;
    return true;
}

// The tick in which every actor gets its first way, in wall-clock time.
static bool bench_first_tick(bench_report *bench, uint32_t people, uint32_t threads) {
    theatre t;
    tr_tasks *tasks = NULL;
    char id[64], what[160];
    if (tr_tasks_create(NULL, threads, &tasks, NULL) != TR_OK)
        return false;
    bool good = open_theatre(&t, bench, "plaza", people, NULL, tasks) && send_all(&t);
    uint64_t begin = tr_clock_nanoseconds();
    good = good && step(&t);
    snprintf(id, sizeof id, "stage.plaza%u.first_tick_ms_%u_threads", people, threads);
    snprintf(what, sizeof what, "the tick in which %u people get their first way, without a budget", people);
    if (good)
        add(bench, id, what, 1e3 * seconds_since(begin), "ms", NULL, NAN);
    else
        command_complain_of(&t.error);
    close_theatre(&t);
    tr_tasks_destroy(tasks);
    return good;
}

static bool bench_building(bench_report *bench, const char *kind, uint32_t people) {
    theatre t;
    tick_figures ours;
    char id[64], what[160];
    if (!open_theatre(&t, bench, kind, people, NULL, NULL) || !run(&t, &ours))
        return complain(&t);
    snprintf(id, sizeof id, "stage.%s%u.tick_p99_us", kind, people);
    snprintf(
        what, sizeof what,
        "%u people in the %s; %u ticks, mean %.3g us, %u trips, %u failed, at %.0f %% of the desired speed",
        people, kind, ours.ticks, 1e3 * ours.mean, ours.done, ours.failed, 100 * ours.pace);
    add(bench, id, what, 1e3 * ours.p99, "us", NULL, NAN);
    close_theatre(&t);
    return true;
}

// Memory that each of IDLE actors adds to a stage that already has some and has taken a step.
static bool bench_memory(bench_report *bench) {
    int64_t held = 0, before;
    tr_allocator counting = {count_bytes, &held};
    theatre t;
    if (!open_theatre(&t, bench, "plaza", 2 * IDLE, &counting, NULL))
        return complain(&t);
    bool fine = true;
    for (uint32_t i = 0; i < IDLE && fine; i++)
        fine = add_person(&t, i);
    if (!fine || !step(&t))
        return complain(&t);
    before = held;
    for (uint32_t i = IDLE; i < 2 * IDLE && fine; i++)
        fine = add_person(&t, i);
    if (!fine || !step(&t))
        return complain(&t);
    add(bench, "stage.actor_bytes", "an idle, unrecorded actor, without its character",
        (double)(held - before) / IDLE, "bytes", NULL, NAN);
    close_theatre(&t);
    return true;
}

bool bench_stage(bench_report *bench) {
    double mean = 0;
    if (!bench_stage_ground(bench))
        return false;
    bench_progress(bench, "100 people on a square", 0);
    if (!bench_plaza(bench, 100, &mean))
        return false;
    bench_progress(bench, "1,000 people on a square", 0);
    if (!bench_plaza(bench, 1000, &mean))
        return false;
    for (uint32_t threads = 1; threads <= 2; threads++)
        if (!bench_first_tick(bench, 1000, threads))
            return false;
    // Ten times as many actors cost at least ten times as much: would that take less than a minute?
    bool large = bench_wants_large(bench) || 10 * mean * (WARM_UP + TICKS) < 60e3;
    bench_progress(bench, "10,000 people on a square", 0);
    if (large && !bench_plaza(bench, PEOPLE_LARGE, &mean))
        return false;
    if (!large)
        bench_note(bench, "10,000 people on a square take minutes: use --large");
    bench_progress(bench, "buildings", 0);
    return bench_building(bench, "office", 20) && bench_building(bench, "house", 10) && bench_memory(bench);
}
