// People who all go the same way through a corridor: how fast they walk, by how many there are on a square
// metre. Whole bodies on a stage, as games have them.
#pragma once
#include "troupe/base/status.h"
#include "troupe/base/vector.h"

typedef struct density_corridor_def {
    double density;       // people on a square metre, from wall to wall [> 0]
    double width, length; // of the corridor, and of the part of it that is full of people at first [m]
    double body, margin;  // radius of a disc; least distance between two [m]
    double speed, spread; // that people wish for: mean, and standard deviation [m/s]
    double settle, watch; // time before the measurement, and of the measurement [s]
    uint64_t seed;
} density_corridor_def;
// A corridor 3 m wide, bodies of people, and what people wish for.
density_corridor_def density_corridor_def_default(double density);

typedef struct density_figures {
    uint32_t people;
    double density, speed; // means of what was measured [people/m2, m/s]
    double wish;           // mean of what they wished for [m/s]
    double halts;          // share of the time in which people stood still
    double nearest;        // least distance between two discs [m]; negative: they overlapped
    uint32_t failed;       // orders
    double tick_ms;
} density_figures;
tr_status density_corridor_measure(const density_corridor_def *def, density_figures *figures,
                                   tr_error *error);
