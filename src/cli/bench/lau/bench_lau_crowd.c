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
#define PACE 2.3 // a jog with its turns, about [m/s]

typedef struct lau_crowd {
    const char *figure, *who;
    lau_scene scene;
    double seconds;   // of motion for each, about; 0: to one goal
    float inflation;  // of the search
    bool is_repaired; // who finds no plan gets help; otherwise as in the paper
    bool is_lean;     // the machine with smaller discs
    bool is_replayed; // to see whether anybody meets anybody
    bool is_large;    // takes minutes
    bool is_whole;    // the time is given for all together; otherwise for each
    double paper;     // its time [ms]
} lau_crowd;

typedef struct lau_totals {
    double seconds, worst_ms; // of motion in all; of the longest search
    uint64_t tests;
    uint32_t planned;
    uint64_t met; // pairs of bodies in each other, and frames in which they are
} lau_totals;

// Goals of the sample crowd, one trip after the other, until they are as far as asked for.
static uint32_t choose_goals(const lau_stand *stand, uint32_t person, tr_vec3 start, double metres,
                             tr_vec2 *goals) {
    uint32_t count = 0;
    double length = 0;
    tr_vec2 at = {start.x, start.z};
    do {
        tr_vec3 goal = tr_sample_crowd_goal(stand->crowd, person, count);
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
                "the same, replayed: pairs of bodies in each other, and frames", (double)totals->met,
                "frames", NAN);
    lau_add(bench, crowd->figure, "tests_per_s", "the same: moves tested for collisions in a second",
            (double)totals->tests / ms * 1e3, "1/s", NAN);
}

static bool measure(bench_report *bench, const tr_behavior *machine, const lau_crowd *crowd) {
    tr_error error = {0};
    lau_scene scene = crowd->scene;
    tr_behavior_crowd_def def = {.prioritised = !crowd->is_repaired};
    tr_behavior_crowd *planner = NULL;
    uint32_t count = 0;
    scene.seed = bench_seed(bench, scene.seed);
    lau_stand *stand = lau_open(machine, &scene, &error);
    if (stand)
        tr_sample_crowd_people(stand->crowd, &count);
    tr_behavior_person *people = calloc((size_t)count + 1, sizeof *people);
    tr_vec2 *goals = calloc((size_t)GOALS * count + 1, sizeof *goals);
    bool fine = stand && people && goals && tr_behavior_crowd_create(&def, &planner, &error) == TR_OK;
    if (fine) {
        fill_people(stand, tr_behavior_def_of(machine), crowd, people, goals);
        uint64_t begin = bench_thread_nanoseconds();
        tr_status status = tr_behavior_crowd_find(planner, stand->map, people, count, NULL, &error);
        double ms = (double)(bench_thread_nanoseconds() - begin) / 1e6;
        lau_totals totals = add_up(planner, tr_behavior_def_of(machine)->frames_per_second);
        fine = status == TR_OK || status == TR_PARTIAL;
        if (fine && crowd->is_replayed)
            totals.met = lau_replay(machine, planner, people, count);
        if (fine)
            report(bench, crowd, &totals, count, ms);
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
     .scene = {.crowd = "falling_tree", .cell = 0.1f, .seconds = 60},
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
     .who = "100 people on a field with carts",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 90},
     .inflation = 1.5f,
     .is_lean = true,
     .is_repaired = true,
     .is_replayed = true,
     .is_whole = true,
     .paper = 400000},
    {.figure = "crowd100_ordered",
     .who = "the same people in a fixed order, as in the paper: nobody gets help",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 90},
     .inflation = 1.5f,
     .is_lean = true,
     .is_replayed = true,
     .is_whole = true,
     .paper = 400000},
    {.figure = "crowd100_exact",
     .who = "the same people in that order, plans of least cost",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 90},
     .inflation = 1,
     .is_lean = true,
     .paper = 4000},
    {.figure = "crowd100_long",
     .who = "100 people through several goals",
     .scene = {.crowd = "crowd_field", .people = 100, .cell = 0.1f, .seconds = 150},
     .seconds = 40,
     .inflation = 1.5f,
     .is_lean = true,
     .is_repaired = true,
     .is_replayed = true,
     .is_large = true,
     .is_whole = true,
     .paper = 400000},
    {.figure = "crowd1000",
     .who = "1,000 people on a field with carts",
     .scene = {.crowd = "crowd_field", .people = 1000, .cell = 0.1f, .seconds = 120},
     .inflation = 1.5f,
     .is_lean = true,
     .is_repaired = true,
     .is_large = true,
     .is_whole = true,
     .paper = NAN},
};
#define CROWDS (sizeof crowds / sizeof *crowds)

bool lau_measure_crowds(bench_report *bench, const tr_behavior *human, const tr_behavior *lean,
                        const tr_behavior *horse) {
    bool fine = true;
    for (size_t i = 0; i < CROWDS && fine; i++) {
        bool gallops = strcmp(crowds[i].scene.crowd, "stampede") == 0;
        bench_progress(bench, "lau figures", 0.3 + 0.1 * (double)i);
        if (!crowds[i].is_large || bench_wants_large(bench))
            fine = measure(bench, gallops ? horse : crowds[i].is_lean ? lean : human, &crowds[i]);
    }
    return fine;
}
