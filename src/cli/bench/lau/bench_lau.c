// Lau & Kuffner 2005: the speed of the behavior planner, and how it depends on the number of clips.
#include "cli/bench/bench.h"
#include "cli/commands.h"
#include "troupe/base/clock.h"
#include "troupe/base/random.h"
#include "troupe/base/scalar.h"
#include "plan/behavior/behavior_search_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATES 15
#define LARGE 100000 // clips in a state, as in the paper
#define SIDE 40.0f   // of the square [m]
#define CELL 0.25f
#define PEOPLE 100
#define GOALS 3
#define ACTIONS 2000
#define SPOTS 40000
#define QUERIES 40
#define ROUNDS 9

typedef struct lau_stand {
    tr_behavior_move moves[STATES], *many;
    tr_behavior *behavior;
    tr_behavior_map *map;
    tr_behavior_search *search;
    tr_bitmap walls;
    tr_behavior_action actions[ACTIONS];
    tr_behavior_plan plan;
    tr_behavior_spot *spots;
    tr_behavior_result result;
    tr_random random;
    tr_error error;
    uint64_t clear;
} lau_stand;

static void add(bench_report *bench, const char *id, const char *what, double value, const char *unit,
                double paper) {
    bench_result result = {.value = value, .unit = unit, .paper = paper, .peer = NULL, .peer_value = NAN};
    snprintf(result.id, sizeof result.id, "%s", id);
    snprintf(result.what, sizeof result.what, "%s", what);
    bench_add(bench, &result);
}

// A person as in section 3.1: a start, an end, seven jogs, short jogs, a wait, at 30 frames a second.
static bool make_machine(lau_stand *stand, uint32_t clips) {
    static const struct {
        float x, z, turn, weight;
        uint32_t frames, begin, end;
    } rows[STATES] = {
        {0, 1.6f, 0, 1, 36, 0, 1},
        {0, 1.2f, 0, 1.5f, 30, 1, 0},
        {0, 2.2f, 0, 1, 25, 1, 1},
        {0.3f, 2.15f, 0.26f, 1.05f, 25, 1, 1},
        {0.55f, 2.05f, 0.52f, 1.1f, 25, 1, 1},
        {0.9f, 1.8f, 0.87f, 1.2f, 25, 1, 1},
        {-0.3f, 2.15f, -0.26f, 1.05f, 25, 1, 1},
        {-0.55f, 2.05f, -0.52f, 1.1f, 25, 1, 1},
        {-0.9f, 1.8f, -0.87f, 1.2f, 25, 1, 1},
        {0, 1.1f, 0, 1.02f, 13, 1, 1},
        {0.1f, 1.08f, 0.2f, 1.1f, 13, 1, 1},
        {-0.1f, 1.08f, -0.2f, 1.1f, 13, 1, 1},
        {0, 1.8f, 0, 5, 75, 1, 1},
        {0.7f, 1.3f, 1.57f, 1.6f, 45, 0, 1},
        {-0.7f, 1.3f, -1.57f, 1.6f, 45, 0, 1},
    };
    static const char *const labels[] = {"stand", "jog"};
    static const tr_behavior_band upright = {.name = "upright", .low = 0, .high = 1.8f};
    tr_behavior_state states[STATES];
    for (uint32_t i = 0; i < STATES; i++) {
        stand->moves[i] = (tr_behavior_move){.x = rows[i].x,
                                             .z = rows[i].z,
                                             .turn = rows[i].turn,
                                             .frames = rows[i].frames,
                                             .action = TR_NONE};
        states[i] = (tr_behavior_state){.moves = &stand->moves[i],
                                        .move_count = 1,
                                        .begin = rows[i].begin,
                                        .end = rows[i].end,
                                        .weight = rows[i].weight};
    }
    for (uint32_t i = 0; i < clips; i++)
        stand->many[i] = stand->moves[2];
    states[2].moves = stand->many; // the same clip many times, as in the paper
    states[2].move_count = clips;
    tr_behavior_def def = {.labels = labels,
                           .label_count = 2,
                           .bands = &upright,
                           .band_count = 1,
                           .radius = 0.3f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = STATES};
    return tr_behavior_create(&def, &stand->behavior, &stand->error) == TR_OK;
}

static bool make_square(lau_stand *stand, double seconds) {
    tr_behavior_map_def def = {.grid = {{0, 0}, CELL, (uint32_t)(SIDE / CELL), (uint32_t)(SIDE / CELL)},
                               .behavior = stand->behavior,
                               .seconds = seconds};
    return tr_behavior_map_create(&def, &stand->map, &stand->error) == TR_OK &&
           tr_behavior_map_set(stand->map, 0, &stand->walls, &stand->error) == TR_OK;
}

static void drop_machine(lau_stand *stand) {
    tr_behavior_map_destroy(stand->map);
    tr_behavior_destroy(stand->behavior);
    stand->map = NULL;
    stand->behavior = NULL;
}

static bool begin(lau_stand *stand, uint64_t seed) {
    uint32_t cells = (uint32_t)(SIDE / CELL);
    memset(stand, 0, sizeof *stand);
    stand->random = tr_random_seed(seed);
    stand->plan.actions = stand->actions;
    stand->plan.action_max = ACTIONS;
    stand->many = malloc(LARGE * sizeof *stand->many);
    stand->spots = malloc(SPOTS * sizeof *stand->spots);
    if (!stand->many || !stand->spots || tr_bitmap_create(NULL, cells, cells, &stand->walls) != TR_OK ||
        tr_behavior_search_create(NULL, 1u << 16, &stand->search, &stand->error) != TR_OK) {
        tr_fail(&stand->error, TR_OUT_OF_MEMORY, "no memory for the behavior planner");
        return false;
    }
    for (uint32_t i = 0; i < 12; i++) // blocks of 1.5 m, here and there
        for (uint32_t k = 0, c = tr_random_below(&stand->random, cells - 6),
                      r = tr_random_below(&stand->random, cells - 6);
             k < 36; k++)
            tr_bitmap_set(&stand->walls, c + k % 6, r + k / 6);
    return true;
}

static void end(lau_stand *stand) {
    drop_machine(stand);
    tr_behavior_search_destroy(stand->search);
    tr_bitmap_destroy(NULL, &stand->walls);
    free(stand->many);
    free(stand->spots);
}

// A place that is free at the beginning, or in the end.
static tr_vec2 free_place(lau_stand *stand, uint32_t frame) {
    tr_vec2 place;
    do
        place = tr_vec2_make(tr_random_between(&stand->random, 2, SIDE - 2),
                             tr_random_between(&stand->random, 2, SIDE - 2));
    while (!tr_behavior_map_is_free(stand->map, 0, place, frame));
    return place;
}

static tr_behavior_query make_query(lau_stand *stand, tr_vec2 *goals, uint32_t goal_count) {
    tr_behavior_query query = tr_behavior_query_default();
    query.start = free_place(stand, 0);
    for (uint32_t i = 0; i < goal_count; i++)
        goals[i] = free_place(stand, tr_behavior_map_end(stand->map) - 1);
    tr_vec2 way = tr_vec2_subtract(goals[0], query.start);
    query.heading = (float)tr_arc_tangent((double)way.x, (double)way.z);
    query.goals = goals;
    query.goal_count = goal_count;
    query.seed = tr_random_bits(&stand->random);
    return query;
}

// --- The number of clips ---

typedef struct lau_queries {
    lau_stand *stand;
    tr_behavior_query queries[QUERIES];
    tr_vec2 goals[QUERIES];
} lau_queries;

static void plan_all(void *user) {
    lau_queries *all = user;
    lau_stand *stand = all->stand;
    for (uint32_t i = 0; i < QUERIES; i++)
        tr_behavior_find(stand->search, NULL, stand->map, &all->queries[i], &stand->plan, &stand->result,
                         NULL);
}

// Processor time of some work [ns]: the median of several rounds.
static double time_thread(void (*work)(void *user), void *user) {
    double times[ROUNDS];
    work(user);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        uint64_t start = bench_thread_nanoseconds();
        work(user);
        times[i] = (double)(bench_thread_nanoseconds() - start);
    }
    return bench_median(times, ROUNDS);
}

static bool measure_clips(bench_report *bench, lau_stand *stand) {
    static lau_queries all;
    double times[2];
    all.stand = stand;
    for (uint32_t i = 0; i < 2; i++) {
        bench_progress(bench, "clips", i / 2.0);
        if (!make_machine(stand, i ? LARGE : 1) || !make_square(stand, 60))
            return false;
        for (uint32_t k = 0; k < QUERIES && i == 0; k++) {
            all.queries[k] = make_query(stand, &all.goals[k], 1);
            all.queries[k].inflation = 1.1f;
        }
        times[i] = time_thread(plan_all, &all);
        drop_machine(stand);
    }
    add(bench, "lau.database100k.slowdown", "planning time with 100,000 clips in a state instead of one",
        times[1] / times[0], "times", 2);
    return true;
}

// --- Moves, and one character in a crowd ---

#define MOVES 200000

// Moves of all states from random places at random times, in a crowd.
static void test_moves(void *user) {
    lau_stand *stand = user;
    const tr_behavior *behavior = stand->behavior;
    tr_random random = tr_random_seed(5);
    stand->clear = 0;
    for (uint32_t i = 0; i < MOVES / 20; i++) {
        behavior_axes axes =
            behavior_axes_at(tr_random_between(&random, 1, SIDE - 1), tr_random_between(&random, 1, SIDE - 1),
                             tr_random_between(&random, -3, 3));
        uint32_t frame = tr_random_below(&random, 900);
        for (uint32_t k = 0; k < 20; k++) { // as many as an expansion has
            const behavior_move_info *move = &behavior->move_infos[k % STATES];
            stand->clear += behavior_is_clear(stand->map, true, axes, frame,
                                              behavior->samples + move->first_sample, move->sample_count);
        }
    }
}

static tr_status plan_one(lau_stand *stand, uint32_t who, double *milliseconds) {
    tr_vec2 goals[GOALS];
    tr_behavior_query query = make_query(stand, goals, GOALS);
    query.inflation = 1.5f;
    query.heuristic = TR_BEHAVIOR_FIELD;
    query.tolerance = 0.7f;
    uint64_t start = bench_thread_nanoseconds();
    tr_status status = tr_behavior_find(stand->search, NULL, stand->map, &query, &stand->plan, &stand->result,
                                        &stand->error);
    uint32_t count;
    *milliseconds = (double)(bench_thread_nanoseconds() - start) / 1e6;
    if (status == TR_OK)
        status = tr_behavior_plan_spots(stand->behavior, &stand->plan, stand->spots, SPOTS, &count);
    if (status == TR_OK)
        status = tr_behavior_map_commit(stand->map, who, stand->spots, count, 0.3f, &stand->error);
    return status;
}

static bool measure_crowd(bench_report *bench, lau_stand *stand) {
    double times[PEOPLE], seconds = 0, all = 0;
    uint32_t planned = 0;
    if (!make_machine(stand, 1) || !make_square(stand, 120) ||
        tr_behavior_search_reserve(stand->search, stand->behavior, stand->map, GOALS, &stand->error) != TR_OK)
        return false;
    for (uint32_t who = 0; who < PEOPLE; who++) {
        bench_progress(bench, "crowd", who / (double)PEOPLE);
        if (plan_one(stand, who, &times[planned]) != TR_OK)
            continue;
        seconds += stand->plan.end_frame / 30.0;
        all += times[planned++];
    }
    add(bench, "lau.character_ms", "a plan through three goals among others: median of 100 who plan in turn",
        bench_median(times, planned), "ms", NAN);
    add(bench, "lau.character_mean_ms", "the same, mean", all / planned, "ms", NAN);
    add(bench, "lau.character_worst_ms", "the same, the slowest", times[planned - 1], "ms", NAN);
    add(bench, "lau.character_seconds", "motion that such a plan lasts, mean", seconds / planned, "s", NAN);
    add(bench, "lau.character_planned", "of 100, who found a plan", planned, "characters", NAN);
    double time = time_thread(test_moves, stand);
    add(bench, "lau.clip_tests_per_s", "moves tested for collisions in that crowd", MOVES / time * 1e9,
        "moves/s", NAN);
    return true;
}

bool bench_lau(bench_report *bench) {
    static lau_stand stand;
    bool fine =
        begin(&stand, bench_seed(bench, 71)) && measure_clips(bench, &stand) && measure_crowd(bench, &stand);
    end(&stand);
    if (!fine)
        command_complain_of(&stand.error);
    return fine && bench_lau_figures(bench);
}
