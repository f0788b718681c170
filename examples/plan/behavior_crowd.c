// Twelve people on a square, each to the opposite side: a small machine of behaviors, and a plan for each in
// which nobody meets anybody.
#include "troupe/base/scalar.h"
#include "troupe/plan/behavior_crowd.h"

#include <stdio.h>

#define PEOPLE 12
#define SIDE 20.0f // of the square [m]

static tr_behavior *make_machine(tr_error *error) {
    static const char *const labels[] = {"stand", "jog"};
    static const tr_behavior_band bands[] = {{.name = "upright", .low = 0, .high = 1.8f}};
    static const tr_behavior_move moves[] = {
        {.name = "start", .z = 0.7f, .frames = 15, .action = TR_NONE},
        {.name = "jog", .z = 1.8f, .frames = 22, .action = TR_NONE},
        {.name = "left", .x = 0.6f, .z = 1.6f, .turn = 0.7f, .frames = 22, .action = TR_NONE},
        {.name = "right", .x = -0.6f, .z = 1.6f, .turn = -0.7f, .frames = 22, .action = TR_NONE},
        {.name = "wait", .z = 0.9f, .frames = 60, .action = TR_NONE},
        {.name = "end", .z = 0.7f, .frames = 15, .action = TR_NONE}};
    static const tr_behavior_state states[] = {
        {.name = "start", .moves = &moves[0], .move_count = 1, .begin = 0, .end = 1, .weight = 1},
        {.name = "jog", .moves = &moves[1], .move_count = 1, .begin = 1, .end = 1, .weight = 1},
        {.name = "left", .moves = &moves[2], .move_count = 1, .begin = 1, .end = 1, .weight = 1.1f},
        {.name = "right", .moves = &moves[3], .move_count = 1, .begin = 1, .end = 1, .weight = 1.1f},
        {.name = "wait", .moves = &moves[4], .move_count = 1, .begin = 1, .end = 1, .weight = 5},
        {.name = "end", .moves = &moves[5], .move_count = 1, .begin = 1, .end = 0, .weight = 1}};
    tr_behavior_def def = {.labels = labels,
                           .label_count = 2,
                           .bands = bands,
                           .band_count = 1,
                           .radius = 0.35f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = sizeof states / sizeof *states};
    tr_behavior *machine = NULL;
    return tr_behavior_create(&def, &machine, error) == TR_OK ? machine : NULL;
}

// On a circle; everybody looks at the middle, and goes to the other side of it.
static void make_people(tr_behavior_person *people, tr_vec2 *goals) {
    for (int i = 0; i < PEOPLE; i++) {
        double sine, cosine, angle = 2 * TR_PI * i / PEOPLE;
        tr_sin_cos(angle, &sine, &cosine);
        float x = SIDE * 0.4f * (float)sine, z = SIDE * 0.4f * (float)cosine;
        goals[i] = (tr_vec2){SIDE / 2 - x, SIDE / 2 - z};
        people[i].query = tr_behavior_query_default();
        people[i].query.start = (tr_vec2){SIDE / 2 + x, SIDE / 2 + z};
        people[i].query.heading = (float)(angle + TR_PI);
        people[i].query.goals = &goals[i];
        people[i].query.goal_count = 1;
        people[i].query.tolerance = 0.6f;
        people[i].query.inflation = 1.5f;
    }
}

int main(void) {
    static const char *const by[] = {"no plan", "in its turn", "sets out later", "in another order",
                                     "somebody steps aside"};
    tr_error error = {0};
    tr_behavior *machine = make_machine(&error);
    tr_behavior_map *map = NULL;
    tr_behavior_crowd *crowd = NULL;
    tr_behavior_map_def map_def = {.grid = {{0, 0}, 0.2f, 100, 100}, .behavior = machine};
    tr_behavior_crowd_def crowd_def = {0};
    tr_behavior_person people[PEOPLE] = {0};
    tr_vec2 goals[PEOPLE];
    if (!machine || tr_behavior_map_create(&map_def, &map, &error) != TR_OK ||
        tr_behavior_crowd_create(&crowd_def, &crowd, &error) != TR_OK) {
        printf("%s\n", error.message);
        return 1;
    }
    make_people(people, goals);
    tr_status status = tr_behavior_crowd_find(crowd, map, people, PEOPLE, NULL, &error);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        tr_behavior_crowd_view view;
        if (tr_behavior_crowd_look(crowd, i, &view))
            printf("%2u: %2u moves, there after %4.1f s, %s%s\n", i, view.plan->action_count,
                   view.plan->end_frame / 30.0, by[view.by], view.reason);
    }
    tr_behavior_crowd_destroy(crowd);
    tr_behavior_map_destroy(map);
    tr_behavior_destroy(machine);
    return status == TR_OK ? 0 : 1;
}
