// Shared by the parts of `troupe route --behaviors`.
#pragma once
#include "route.h"

#include "cli/behaviors/behaviors.h"
#include "troupe/plan/behavior_tree.h"

#define BEHAVIOR_ACTIONS_MAX 4096

// One character's plan.
typedef struct behavior_answer {
    tr_status status; // TR_OK, TR_PARTIAL, TR_NOT_FOUND, TR_LIMIT
    char reason[384];
    tr_vec3 start;
    tr_behavior_plan plan;
    tr_behavior_result result;
    double search_us;
    tr_behavior_place *places; // of the trees, if a picture is drawn
    uint32_t place_count;
} behavior_answer;

typedef struct behavior_world {
    const char *name;
    scene_job scene;
    behaviors_job machine;
    tr_behavior_map *map;
    tr_behavior_search *search;
    tr_behavior_tree *tree; // NULL: it searches without
    double tree_us;         // to make it
    tr_vec3 *floors;        // one for each character
    double build_us;        // of the map
} behavior_world;

uint32_t behavior_frame(const behavior_world *world, double seconds);
double behavior_seconds(const behavior_world *world, double frame);
const char *behavior_status_name(tr_status status);
double behavior_length(const tr_behavior_plan *plan); // along its places [m]

void behavior_print(const route_request *request, const behavior_world *world,
                    const behavior_answer *answers);
tr_status behavior_print_json(const route_request *request, const behavior_world *world,
                              const behavior_answer *answers, tr_error *error);
tr_status behavior_draw(const route_request *request, const behavior_world *world,
                        const behavior_answer *answers, tr_error *error);
