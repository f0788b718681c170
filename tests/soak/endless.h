// People with endless orders in the office: whoever has arrived is sent somewhere else, for an hour. Nobody
// freezes, and the stage does not grow. Used by `make soak`, and for some minutes by
// tests/stage/test_endless.c.
#pragma once
#include "troupe/stage/stage.h"

typedef struct endless_def {
    uint64_t seed;
    uint32_t people;
    double seconds;  // of simulated time
    double settling; // after so long the stage has all the memory that it needs [s]
    double patience; // whoever has had an order and has not moved for so long is frozen [s]
    double tell;     // print a line every so many seconds; 0: never
} endless_def;

typedef struct endless_result {
    uint32_t trips, failed;
    double longest_stand;   // of somebody with an order [s]
    tr_actor_id who_stood;  //
    double stood_at;        // when that was [s]
    uint32_t frozen;        // people who stand so at the end
    uint32_t overlaps;      // pairs and ticks
    uint64_t settled_bytes; // that the stage held after `settling`
    uint64_t end_bytes;     // and at the end
} endless_result;

// false: there was no stage.
bool endless_run(const endless_def *def, endless_result *result);
