// The figures of Lau & Kuffner 2005 on scenes rebuilt by troupe gen.
#pragma once
#include "cli/bench/bench.h"
#include "troupe/motion/behavior_cast.h"
#include "troupe/plan/behavior_crowd.h"

#define LAU_ACTIONS 1024 // of a plan

// Where to plan.
typedef struct lau_scene {
    const char *sample; // or
    const char *crowd;  // a kind of sample crowd
    uint32_t people;    // of the crowd; 0: its own number
    uint64_t seed;
    float cell;     // of the map [m]
    double seconds; // that moving things are known for
} lau_scene;

// A scene with its map, and a planner.
typedef struct lau_stand {
    tr_sample sample;
    tr_sample_crowd *crowd; // NULL: there is one character, with the start and the goal of the sample
    tr_raster *raster;
    tr_behavior_map *map;
    tr_behavior_search *search;
    tr_behavior_action actions[LAU_ACTIONS];
    tr_behavior_plan plan;
    tr_behavior_result result;
    tr_error error;
} lau_stand;

// NULL: *error says why.
lau_stand *lau_open(const tr_behavior *machine, const lau_scene *scene, tr_error *error);
void lau_close(lau_stand *stand);
// From a place to goals in a row, setting out towards the first.
tr_behavior_query lau_query(tr_vec3 start, const tr_vec2 *goals, uint32_t count);
// The same for the start and the goal of the sample.
tr_behavior_query lau_query_of(const lau_stand *stand, tr_vec2 *goal);
// Plans several times and returns the median [ms of this thread]; NAN: there is no plan, and stand->error
// says why.
double lau_plan_ms(lau_stand *stand, const tr_behavior_query *query);

// Adds "lau.FIGURE.NAME".
void lau_add(bench_report *bench, const char *figure, const char *name, const char *what, double value,
             const char *unit, double paper);
bool lau_complain(const char *figure, const tr_error *error); // returns false
// bench_lau_tree.c: trees that are made beforehand (Lau & Kuffner 2006).
bool lau_measure_tree(bench_report *bench, const tr_behavior *machine);
// bench_lau_crowd.c: figures with several characters.
bool lau_measure_crowds(bench_report *bench, const tr_behavior_cast *human, const tr_behavior_cast *walker,
                        const tr_behavior_cast *horse);
// bench_lau_frames.c: replays with real bodies. Counts pairs of bodies in each other and bodies in the scene,
// and frames in which they are. false: no memory.
typedef struct lau_frames {
    uint64_t pairs, scene;
} lau_frames;
bool lau_check_frames(const tr_behavior_cast *cast, const tr_behavior_crowd *crowd,
                      const tr_behavior_person *people, uint32_t count, tr_scene *scene, lau_frames *frames);
// bench_lau_replay.c: for each pair of bodies, the frames in which they are in each other; UINT64_MAX: no
// memory.
uint64_t lau_replay(const tr_behavior *machine, const tr_behavior_crowd *crowd,
                    const tr_behavior_person *people, uint32_t count);
