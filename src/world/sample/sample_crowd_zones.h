// The zones of each scene that the people of each kind of crowd come from and go to. Internal.
#pragma once
#include "troupe/world/occupancy.h"
#include "troupe/world/sample.h"

#define CROWD_ZONES_MAX 4

// The zones between which person number i walks.
typedef enum crowd_pattern {
    CROWD_ONE_WAY,  // from zone 0 to zone 1
    CROWD_OPPOSITE, // spread evenly over the zones, each to the opposite one
    CROWD_TO_LAST,  // spread evenly over all zones but the last, and all of them to the last
    CROWD_MIXED,    // every pair of zones, the same one included
} crowd_pattern;

typedef struct crowd_plan {
    tr_box zones[CROWD_ZONES_MAX]; // rectangles at the height min.y
    uint32_t zone_count;
    crowd_pattern pattern;
    bool off_tracks;    // nobody starts or ends where an object with a trajectory comes by
    float clear, apart; // of places from walls; of starts from starts, and of goals from goals [m]; 0: usual
} crowd_plan;

typedef struct crowd_trip {
    uint32_t from, to; // zones
} crowd_trip;
crowd_trip crowd_trip_of(const crowd_plan *plan, uint32_t person);

// The free cells of a zone.
typedef struct crowd_cells {
    tr_grid grid;
    uint32_t *cells; // row * columns + column
    uint32_t count, capacity;
} crowd_cells;

typedef struct crowd_kind {
    const char *name, *summary, *scene;
    uint32_t people;       // by default
    bool sized_for_people; // the scene's size depends on the number of people
    void (*plan)(const tr_sample *scene, crowd_plan *plan);
} crowd_kind;
const crowd_kind *crowd_kind_find(const char *name); // NULL: there is none
