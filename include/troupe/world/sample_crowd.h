// troupe/world/sample_crowd.h - people for the sample scenes, generated from a number and a seed: the start,
// goal, height and speed of each person. Used by tests, benchmarks and `troupe gen crowd`.
#pragma once
#include "troupe/world/sample.h"

TR_BEGIN_DECLARATIONS

#define TR_SAMPLE_PERSON_RADIUS 0.3f // of each person's disc [m]

typedef struct tr_sample_crowd_def {
    const char *kind;              // one of tr_sample_crowd_kind()
    const tr_allocator *allocator; // NULL: malloc
    uint32_t people;               // [1 to 100000]; 0: the kind's default
    uint64_t seed;                 // of the people; the scene always has seed 0
    float width, length;           // of the scene, as in tr_sample_def
} tr_sample_crowd_def;

typedef struct tr_sample_person {
    tr_vec3 start, goal; // on the floor; whole centimetres [m]
    float heading;       // towards the goal [rad]
    float height;        // 1.5 to 1.95 in steps of 0.05, so that ten characters serve a crowd [m]
    float speed;         // 1 to 1.6 in steps of 0.01 [m/s]
    uint32_t group;      // the hall, arm or storey where it starts
} tr_sample_person;

TR_API uint32_t tr_sample_crowd_kind_count(void);
TR_API const char *tr_sample_crowd_kind(uint32_t index);    // NULL beyond the last
TR_API const char *tr_sample_crowd_summary(uint32_t index); // one line that describes the routes

typedef struct tr_sample_crowd tr_sample_crowd;
// Starts are at least 0.8 m apart, and so are goals. All places are at least 0.4 m from walls and furniture
// and 0.25 m from edges, and lie on one connected piece of free ground. On the crowd_field, whose people jog,
// these are 1.8 m and 0.9 m, and nobody starts or ends where a cart comes by. TR_NOT_FOUND: no such kind.
// TR_INVALID: more people than there is room for (the error states how many fit), or a bad size. The same def
// gives the same people, bit for bit, on every machine.
TR_API tr_status tr_sample_crowd_create(const tr_sample_crowd_def *def, tr_sample_crowd **crowd,
                                        tr_error *error);
TR_API void tr_sample_crowd_destroy(tr_sample_crowd *crowd); // NULL is allowed

// The scene, which the crowd owns, and the definition that it was generated from.
TR_API const tr_sample *tr_sample_crowd_scene(const tr_sample_crowd *crowd);
TR_API tr_sample_def tr_sample_crowd_scene_def(const tr_sample_crowd *crowd);
TR_API const tr_sample_person *tr_sample_crowd_people(const tr_sample_crowd *crowd, uint32_t *count);
// Returns where a person goes next, for crowds that never rest. Trip 0 leads to the person's goal, each
// further trip to a random place. If the kind has several groups, the person goes back and forth between two
// of them. Goals of such trips may coincide. Returns the origin for a person that does not exist. Only reads:
// any thread may call it.
TR_API tr_vec3 tr_sample_crowd_goal(const tr_sample_crowd *crowd, uint32_t person, uint32_t trip);

TR_END_DECLARATIONS
