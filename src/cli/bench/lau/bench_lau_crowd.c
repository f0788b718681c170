// Figures of Lau & Kuffner 2005 with several characters, who plan one after the other among those before
// them. One thread; the time is that of the processor for all plans together.
#include "bench_lau_figures.h"
#include "troupe/base/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOALS 16 // in a row, at most
#define HEADINGS 24
#define PACE 0.75 // a walk with its turns and waits, along a straight line from goal to goal, about [m/s]
#define FAR 25.0f // from one goal to the next, if there are several [m]
#define DRAWS 64  // of a goal that is nearer
#define RUNS 3    // of which the median counts: the first one makes tables and takes memory

typedef struct lau_crowd {
    const char *figure, *who;
    lau_scene scene;
    double seconds;   // of motion for each, about; 0: to one goal
    float inflation;  // of the search
    bool is_repaired; // who finds no plan gets help; otherwise as in the paper
    bool walks;       // the walker
    bool is_replayed; // to see whether anybody meets anybody
    bool is_large;    // takes minutes
    bool is_whole;    // the time is given for all together; otherwise for each
    double paper;     // its time [ms]
} lau_crowd;

typedef struct lau_totals {
    double seconds, worst_ms; // of motion in all; of the longest search
    uint64_t tests;
    uint32_t planned, beside;
    uint64_t met; // pairs of discs in each other, and frames in which they are
    lau_frames frames;
} lau_totals;

// Goals of the sample crowd, one trip after the other, until they are as far as asked for. Of several, those
// that are too far away are left out: large fields have long trips.
static uint32_t choose_goals(const lau_stand *stand, uint32_t person, tr_vec3 start, double metres,
                             tr_vec2 *goals) {
    uint32_t count = 0, trip = 0;
    double length = 0;
    tr_vec2 at = {start.x, start.z};
    do {
        tr_vec3 goal = tr_sample_crowd_goal(stand->crowd, person, trip++);
        while (metres > 0 && hypotf(goal.x - at.x, goal.z - at.z) > FAR && trip % DRAWS != 0)
            goal = tr_sample_crowd_goal(stand->crowd, person, trip++);
        goals[count] = (tr_vec2){goal.x, goal.z};
        length += (double)hypotf(goals[count].x - at.x, goals[count].z - at.z);
        at = goals[count++];
    } while (length < metres && count < GOALS);
    return count;
}

// Can somebody set out in this direction: do the first moves from rest touch nothing, and come near no start?
static bool can_set_out(const lau_stand *stand, const tr_behavior_def *machine, uint32_t person,
                        float heading) {
    uint32_t count;
    const tr_sample_person *persons = tr_sample_crowd_people(stand->crowd, &count);
    const tr_behavior_state *state = machine->states;
    while (state->begin != machine->rest)
        state++;
    double sine, cosine;
    tr_sin_cos((double)heading, &sine, &cosine);
    for (uint32_t i = 0; i < state->moves->disc_count; i++) {
        const tr_behavior_disc *disc = &state->moves->discs[i];
        tr_vec2 at = {persons[person].start.x + disc->x * (float)cosine + disc->z * (float)sine,
                      persons[person].start.z - disc->x * (float)sine + disc->z * (float)cosine};
        if (!tr_behavior_map_is_free(stand->map, disc->band, at, disc->frame))
            return false;
        for (uint32_t k = 0; k < count; k++)
            if (k != person &&
                hypotf(persons[k].start.x - at.x, persons[k].start.z - at.z) < 2.5f * machine->radius)
                return false;
    }
    return true;
}

// The direction nearest to that of the goal in which somebody can set out.
static float choose_heading(const lau_stand *stand, const tr_behavior_def *machine, uint32_t person,
                            float heading) {
    for (int i = 0; i < HEADINGS; i++) {
        float turn = (float)((i + 1) / 2) * (i % 2 ? 1.0f : -1.0f) * (float)(2 * TR_PI / HEADINGS);
        if (can_set_out(stand, machine, person, heading + turn))
            return heading + turn;
    }
    return heading;
}

static void fill_people(const lau_stand *stand, const tr_behavior_def *machine, const lau_crowd *crowd,
                        tr_behavior_person *people, tr_vec2 *goals) {
    uint32_t count;
    const tr_sample_person *persons = tr_sample_crowd_people(stand->crowd, &count);
    for (uint32_t i = 0; i < count; i++) {
        tr_vec2 *own = goals + (size_t)GOALS * i;
        uint32_t goal_count = choose_goals(stand, i, persons[i].start, PACE * crowd->seconds, own);
        people[i].query = lau_query(persons[i].start, own, goal_count);
        if (!crowd->walks) // walkers turn on the spot
            people[i].query.heading = choose_heading(stand, machine, i, people[i].query.heading);
        people[i].query.heuristic = TR_BEHAVIOR_FIELD;
        people[i].query.inflation = crowd->inflation;
    }
}

static lau_totals add_up(const tr_behavior_crowd *planner, double frames_per_second) {
    lau_totals totals = {0};
    tr_behavior_crowd_view view;
    for (uint32_t i = 0; tr_behavior_crowd_look(planner, i, &view); i++) {
        totals.worst_ms = fmax(totals.worst_ms, view.microseconds / 1e3);
        totals.tests += view.tests;
        if (view.by == TR_BEHAVIOR_BY_NONE)
            continue;
        totals.beside += view.beside;
        totals.planned++;
        totals.seconds += (double)view.plan->end_frame / frames_per_second;
    }
    return totals;
}

static void report(bench_report *bench, const lau_crowd *crowd, const lau_totals *totals, uint32_t count,
                   double ms) {
    char what[160];
    snprintf(what, sizeof what, "%s: time %s to plan %.1f s of motion each", crowd->who,
             crowd->is_whole ? "for all" : "for each",
             totals->planned ? totals->seconds / totals->planned : 0);
    lau_add(bench, crowd->figure, crowd->is_whole ? "total_ms" : "ms", what,
            crowd->is_whole ? ms : ms / count, "ms", crowd->paper);
    lau_add(bench, crowd->figure, "worst_ms", "the same: the longest search", totals->worst_ms, "ms", NAN);
    lau_add(bench, crowd->figure, "failed", "the same: characters without a plan",
            100.0 * (count - totals->planned) / count, "%", NAN);
    if (crowd->is_replayed)
        lau_add(bench, crowd->figure, "meetings",
                "the same, replayed: pairs of bodies whose discs are in each other, and frames",
                (double)totals->met, "frames", NAN);
    if (crowd->is_replayed && crowd->walks) {
        lau_add(bench, crowd->figure, "touching",
                "the same, replayed limb by limb: pairs of bodies in each other, and frames",
                (double)totals->frames.pairs, "frames", NAN);
        lau_add(bench, crowd->figure, "in_scene",
                "the same: bodies in triangles of the scene, and frames (each third is looked at)",
                (double)totals->frames.scene, "frames", NAN);
    }
    lau_add(bench, crowd->figure, "beside",
            "the same: characters that pass or stop beside a goal, where another one rests",
            100.0 * totals->beside / count, "%", NAN);
    lau_add(bench, crowd->figure, "tests_per_s", "the same: moves tested for collisions in a second",
            (double)totals->tests / ms * 1e3, "1/s", NAN);
}

// Plans several times: the median of the times, and the least of the longest searches.
static tr_status plan_crowd(tr_behavior_crowd *planner, lau_stand *stand, const tr_behavior_person *people,
                            uint32_t count, double frames_per_second, lau_totals *totals, double *ms,
                            tr_error *error) {
    double times[RUNS], worst = (double)INFINITY;
    tr_status status = TR_OK;
    uint32_t runs = count > 200 ? 1 : RUNS;
    for (uint32_t i = 0; i < runs && (status == TR_OK || status == TR_PARTIAL); i++) {
        tr_behavior_map_withdraw_all(stand->map);
        uint64_t begin = bench_thread_nanoseconds();
        status = tr_behavior_crowd_find(planner, stand->map, people, count, NULL, error);
        times[i] = (double)(bench_thread_nanoseconds() - begin) / 1e6;
        *totals = add_up(planner, frames_per_second);
        worst = fmin(worst, totals->worst_ms);
    }
    totals->worst_ms = worst;
    *ms = bench_median(times, runs);
    return status;
}

static bool replay(const tr_behavior_cast *cast, const tr_behavior_crowd *planner, const lau_stand *stand,
                   const tr_behavior_person *people, uint32_t count, const lau_crowd *crowd,
                   lau_totals *totals) {
    totals->met = lau_replay(cast->machine, planner, people, count);
    return !crowd->walks ||
           lau_check_frames(cast, planner, people, count, stand->sample.scene, &totals->frames);
}

static bool measure(bench_report *bench, const tr_behavior_cast *cast, const lau_crowd *crowd) {
    tr_error error = {0};
    lau_scene scene = crowd->scene;
    const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
    tr_behavior_crowd_def def = {.prioritised = !crowd->is_repaired};
    tr_behavior_crowd *planner = NULL;
    uint32_t count = 0;
    scene.seed = bench_seed(bench, scene.seed);
    lau_stand *stand = lau_open(cast->machine, &scene, &error);
    if (stand)
        tr_sample_crowd_people(stand->crowd, &count);
    tr_behavior_person *people = calloc((size_t)count + 1, sizeof *people);
    tr_vec2 *goals = calloc((size_t)GOALS * count + 1, sizeof *goals);
    bool fine = stand && people && goals && tr_behavior_crowd_create(&def, &planner, &error) == TR_OK;
    if (fine) {
        double ms;
        lau_totals totals;
        fill_people(stand, machine, crowd, people, goals);
        tr_status status =
            plan_crowd(planner, stand, people, count, machine->frames_per_second, &totals, &ms, &error);
        fine = status == TR_OK || status == TR_PARTIAL;
        if (fine && crowd->is_replayed)
            fine = replay(cast, planner, stand, people, count, crowd, &totals);
        if (fine)
            report(bench, crowd, &totals, count, ms);
        if (fine && crowd->is_large)
            lau_add(bench, crowd->figure, "map_mb", "the same: memory of the map",
                    (double)tr_behavior_map_bytes(stand->map) / 1e6, "MB", NAN);
    }
    if (!fine)
        lau_complain(crowd->figure, &error);
    tr_behavior_crowd_destroy(planner);
    free(people);
    free(goals);
    lau_close(stand);
    return fine;
}

static const lau_crowd crowds[] = {
    {.figure = "figure6",
     .who = "three people past a falling tree",
     .scene = {.crowd = "falling_tree", .cell = 0.05f, .seconds = 60},
     .inflation = 1,
     .is_repaired = true,
     .paper = 1000},
    {.figure = "figure8_horses",
     .who = "three horses among rolling things",
     .scene = {.crowd = "stampede", .cell = 0.1f, .seconds = 60},
     .inflation = 1,
     .is_repaired = true,
     .paper = 500},
    {.figure = "crowd100",
     .who = "100 walkers through several goals",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 140},
     .seconds = 40,
     .inflation = 1.5f,
     .walks = true,
     .is_repaired = true,
     .is_replayed = true,
     .is_whole = true,
     .paper = 400000},
    {.figure = "crowd100_ordered",
     .who = "the same walkers in a fixed order, as in the paper: nobody gets help",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 140},
     .seconds = 40,
     .inflation = 1.5f,
     .walks = true,
     .is_replayed = true,
     .is_whole = true,
     .paper = 400000},
    {.figure = "crowd100_exact",
     .who = "100 walkers to one goal in that order, plans of least cost",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 90},
     .inflation = 1,
     .walks = true,
     .paper = 4000},
    {.figure = "crowd1000",
     .who = "1,000 walkers through several goals",
     .scene = {.crowd = "crowd_field", .people = 1000, .cell = 0.1f, .seconds = 140},
     .seconds = 40,
     .inflation = 1.5f,
     .walks = true,
     .is_repaired = true,
     .is_large = true,
     .is_whole = true,
     .paper = NAN},
};
#define CROWDS (sizeof crowds / sizeof *crowds)

bool lau_measure_crowds(bench_report *bench, const tr_behavior_cast *human, const tr_behavior_cast *walker,
                        const tr_behavior_cast *horse) {
    bool fine = true;
    for (size_t i = 0; i < CROWDS && fine; i++) {
        bool gallops = strcmp(crowds[i].scene.crowd, "stampede") == 0;
        bench_progress(bench, "lau figures", 0.3 + 0.1 * (double)i);
        if (!crowds[i].is_large || bench_wants_large(bench))
            fine = measure(bench, gallops ? horse : crowds[i].walks ? walker : human, &crowds[i]);
    }
    return fine;
}
