// The options of `troupe route`, read and checked.
#pragma once
#include "route.h"

enum {
    OPTION_MAP = SCENE_OPTION_COUNT,
    OPTION_SCEN,
    OPTION_FROM,
    OPTION_TO,
    OPTION_PAIRS,
    OPTION_SEARCH,
    OPTION_METRIC,
    OPTION_NEIGHBOURS,
    OPTION_CUT_CORNERS,
    OPTION_REACH,
    OPTION_BUDGET,
    OPTION_SURFACE,
    OPTION_LAYER,
    OPTION_PERSON,
    OPTION_SPAN,
    OPTION_BORDER,
    OPTION_BORDER_CELLS,
    OPTION_REFINE,
    OPTION_EFFORT,
    OPTION_DROP,
    OPTION_NO_GUESS,
    OPTION_LINK,
    OPTION_LADDERS,
    OPTION_FOOTSTEPS,
    OPTION_TIMES,
    OPTION_SPEED,
    OPTION_BEHAVIORS,
    OPTION_INFLATION,
    OPTION_HEURISTIC,
    OPTION_TOLERANCE,
    OPTION_WEIGHT,
    OPTION_HEADING,
    OPTION_DEPART,
    OPTION_AS_WRITTEN,
    OPTION_MOMENT,
    OPTION_PNG,
    OPTION_PIXELS,
    OPTION_JSON,
    ROUTE_OPTION_COUNT
};
extern const argument_option route_options[ROUTE_OPTION_COUNT];

// Reads one argument; false: an error was reported.
bool route_option_read(route_request *request, int option, const char *value);
// Reads the options from OPTION_LAYER to OPTION_SPEED, which level maps do not have.
bool route_surface_option_read(route_request *request, int option, const char *value);
// Reads the options from OPTION_BEHAVIORS to OPTION_MOMENT.
bool route_behavior_option_read(route_request *request, int option, const char *value);
bool route_behavior_options_check(route_request *request);
// Checks that the options are compatible; false: an error was reported.
bool route_options_check(route_request *request);
bool route_surface_options_check(route_request *request);
// --from and --to, or --pairs.
bool route_orders_check(const route_request *request);
