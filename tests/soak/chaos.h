// Chaos: a stage on which orders, objects and actors change at random, and a judge of its own who looks at
// every tick. Used by tests/stage/test_chaos.c (a little) and by `make soak` (a lot).
//
//   chaos.c         one run from its seed to its end, and whether every order comes to an end
//   chaos_scene.c   where it happens
//   chaos_things.c  objects that come, move and go
//   chaos_acts.c    what is done to the stage between two steps
//   chaos_judge.c   what is checked after each step, with geometry and books of its own
#pragma once
#include "troupe/base/random.h"
#include "troupe/stage/stage.h"
#include "troupe/world/sample.h"

#define CHAOS_ACTORS 14
#define CHAOS_THINGS 24
#define CHAOS_QUEUE 4 // orders of one actor that have not ended, at most

typedef struct chaos_order {
    uint32_t number;
    tr_order order;
    uint32_t begun, ended; // events
    tr_order_state state;  // by the events
    double given;          // [s]
} chaos_order;

typedef struct chaos_person {
    tr_actor_id id;
    tr_character *character;
    float radius, height;
    float fastest;    // it may go, by all that it was ever told [m/s]
    tr_vec3 at;       // after the last step
    bool is_fresh;    // added or placed since
    bool stepped;     // it went over footsteps then
    double moved;     // when it last did [s]
    uint32_t inside;  // things that it touches, a bit for each
    uint32_t pressed; // things that were moved up to it, and are still there
    double out;       // until then it walks out of one [s]
    uint32_t deviations;
    tr_actor_id blocker;
    chaos_order *orders; // all of them, by number
    uint32_t order_count, order_capacity;
} chaos_person;

// An object that does not stay where it is.
typedef struct chaos_thing {
    uint32_t object;
    tr_vec3 half;        // of its box [m]
    tr_affine at;        // after the last step
    double moved;        // when it last did [s]
    tr_vec3 drift;       // moved by this each step, without a trajectory
    uint32_t drift_left; // for so many steps
    bool is_there, is_cart;
} chaos_thing;

typedef struct chaos_def {
    uint64_t seed;
    uint32_t ticks;  // of chaos
    double patience; // for all orders to end, once nothing changes any more [s]
    bool quiet;      // nothing is printed; else faults and who waits for whom
} chaos_def;

typedef struct chaos_result {
    uint32_t ticks, orders, done, failed, cancelled;
    uint32_t faults;  // of safety: each is a bug
    uint32_t endless; // orders that did not end
    uint32_t struck;  // times that a thing which moves touched somebody
    char first[300];  // the first fault
} chaos_result;

typedef struct chaos {
    const chaos_def *def;
    chaos_result *result;
    tr_random random;
    const char *scene_name;
    tr_scene *scene;
    tr_box area;
    uint32_t wall_count; // objects of the scene that never move come first
    uint32_t box_mesh;   // from -0.5 to 0.5
    tr_stage *stage;
    tr_allocator memory;
    uint32_t fails_in; // so many allocations of the stage; 0: never
    bool failed;       // one has, since this was last set to false
    tr_ground_link links[4];
    uint32_t link_count;
    chaos_person people[CHAOS_ACTORS], gone[CHAOS_ACTORS];
    uint32_t person_count, gone_count, person_max;
    chaos_thing things[CHAOS_THINGS];
    uint32_t thing_count;
    tr_actor_id last_id;
    double time; // of the last step [s]
    float *floats;
    uint32_t float_max;
} chaos;

// false: there was a fault.
bool chaos_run(const chaos_def *def, chaos_result *result);

// Memory is refused at random in some runs: is that what a call failed for?
bool chaos_is_short(chaos *c, tr_status status);
void chaos_fault(chaos *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
float chaos_between(chaos *c, float low, float high);
uint32_t chaos_below(chaos *c, uint32_t count);
bool chaos_chance(chaos *c, float share);
tr_vec3 chaos_point(chaos *c); // of the area, on some floor or off it
tr_actor_id chaos_somebody(chaos *c);
chaos_person *chaos_find(chaos *c, tr_actor_id id); // NULL: nobody

bool chaos_open_scene(chaos *c, tr_error *error);
void chaos_populate(chaos *c);
void chaos_act(chaos *c); // one thing at random
void chaos_act_on_things(chaos *c);
void chaos_move_things(chaos *c); // those that drift
void chaos_note_order(chaos *c, chaos_person *who, const tr_order *order, uint32_t number);
uint32_t chaos_open_orders(const chaos_person *who);

// After a step, of so many ticks.
void chaos_judge(chaos *c, tr_status status, uint32_t ticks);
// Does somebody who stands there touch the object, with a share of its radius?
bool chaos_touches(const chaos *c, const chaos_person *who, tr_vec3 at, float share, uint32_t object);
