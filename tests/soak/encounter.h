// Encounters of somebody with things that move: a cart that crosses a way, on level ground and on a bridge,
// and a door that shuts. Drawn from a seed, and judged with geometry of its own. Used by
// tests/stage/test_encounter.c (some) and by `make soak` (hundreds).
#pragma once
#include "troupe/stage/stage.h"

typedef enum encounter_kind {
    ENCOUNTER_CART_LEVEL,  // a cart crosses the way on an open floor
    ENCOUNTER_CART_BRIDGE, // and comes along or across a bridge
    ENCOUNTER_DOOR_SHUTS,  // a door slides shut before somebody, and stays so
    ENCOUNTER_DOOR_OPENS,  // and opens again
    ENCOUNTER_DOOR_DETOUR, // it stays shut, and there is another way
    ENCOUNTER_KINDS
} encounter_kind;

typedef struct encounter_result {
    float nearest;        // from the disc to the thing; negative: they touched [m]
    double time;          // when that was [s]
    double seconds;       // until the order ended
    tr_order_state state; // of the order
    char reason[TR_ORDER_REASON_MAX];
    bool was_in_the_way; // somebody stood where the thing went when it set out: a door cannot wait
} encounter_result;

const char *encounter_name(encounter_kind kind);
// false: there was no stage.
bool encounter_run(encounter_kind kind, uint64_t seed, encounter_result *result);
// How the order ended is as it should be. nearest is not looked at.
bool encounter_ended_well(encounter_kind kind, const encounter_result *result);
