// troupe/world/sample_crowd.h - people for the sample scenes, made to number and seed: where each of them
// starts, where it wants to go, how tall and how fast it is. Used by tests, benchmarks and `troupe gen
// crowd`.
#pragma once
#include "troupe/world/sample.h"

TR_BEGIN_DECLARATIONS

#define TR_SAMPLE_PERSON_RADIUS 0.3f // of everybody's disc [m]

typedef struct tr_sample_crowd_def {
    const char *kind;              // one of tr_sample_crowd_kind()
    const tr_allocator *allocator; // NULL: malloc
    uint32_t people;               // [1 to 100000]; 0: the kind's own number
    uint64_t seed;                 // of the people; the scene is that of seed 0
    float width, length;           // of the scene, as in tr_sample_def
} tr_sample_crowd_def;

typedef struct tr_sample_person {
    tr_vec3 start, goal; // on the floor; whole centimetres [m]
    float heading;       // towards the goal [rad]
    float height;        // 1.5 to 1.95 in steps of 0.05, so that ten characters serve a crowd [m]
    float speed;         // 1 to 1.6 in steps of 0.01 [m/s]
    uint32_t group;      // where it starts: which hall, arm or storey
} tr_sample_person;

TR_API uint32_t tr_sample_crowd_kind_count(void);
TR_API const char *tr_sample_crowd_kind(uint32_t index);    // NULL beyond the last
TR_API const char *tr_sample_crowd_summary(uint32_t index); // one line on who goes where

typedef struct tr_sample_crowd tr_sample_crowd;
// Starts are at least 0.8 m apart, and so are goals; all keep 0.4 m from walls and furniture, 0.25 m from
// edges, and on one piece of free ground. TR_NOT_FOUND: no such kind. TR_INVALID: more people than there is
// room for (the error says how many there is room for), or a bad size. The same def gives the same people,
// bit for bit, everywhere.
TR_API tr_status tr_sample_crowd_create(const tr_sample_crowd_def *def, tr_sample_crowd **crowd,
                                        tr_error *error);
TR_API void tr_sample_crowd_destroy(tr_sample_crowd *crowd); // NULL is allowed

// The scene, owned by the crowd, and the definition it was made from.
TR_API const tr_sample *tr_sample_crowd_scene(const tr_sample_crowd *crowd);
TR_API tr_sample_def tr_sample_crowd_scene_def(const tr_sample_crowd *crowd);
TR_API const tr_sample_person *tr_sample_crowd_people(const tr_sample_crowd *crowd, uint32_t *count);
// Where a person goes next, for crowds that never rest: trip 0 leads to its goal, each further trip to a
// random place, there and back again where the kind has several groups. Goals of such trips may coincide.
// The origin for a person that does not exist. Only reads: any thread.
TR_API tr_vec3 tr_sample_crowd_goal(const tr_sample_crowd *crowd, uint32_t person, uint32_t trip);

TR_END_DECLARATIONS
