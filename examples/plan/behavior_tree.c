// A character in a game plans again and again: to where the player points. A tree of its moves is made once;
// each plan then looks up which sequence of moves ends best. Prints the tree, and the plans with and without
// it.
#include <stdio.h>
#include <troupe/troupe.h>

static tr_behavior *make_machine(void) {
    static const char *const labels[] = {"stand", "jog"};
    static const tr_behavior_band upright = {.name = "upright", .high = 1.8f};
    tr_behavior_move moves[] = {
        {.z = 0.7f, .frames = 15},
        {.z = 2, .frames = 24},
        {.x = 0.7f, .z = 1.6f, .turn = 0.8f, .frames = 24},
        {.x = -0.7f, .z = 1.6f, .turn = -0.8f, .frames = 24},
        {.z = 1, .frames = 12},
        {.z = 0.7f, .frames = 15},
    };
    tr_behavior_state states[] = {
        {.name = "start", .begin = 0, .end = 1, .weight = 2},
        {.name = "jog", .begin = 1, .end = 1, .weight = 1},
        {.name = "left", .begin = 1, .end = 1, .weight = 1.1f},
        {.name = "right", .begin = 1, .end = 1, .weight = 1.1f},
        {.name = "short", .begin = 1, .end = 1, .weight = 1.05f},
        {.name = "end", .begin = 1, .end = 0, .weight = 2},
    };
    for (int i = 0; i < 6; i++) {
        moves[i].action = TR_NONE;
        states[i].moves = &moves[i];
        states[i].move_count = 1;
    }
    tr_behavior_def def = {.labels = labels,
                           .label_count = 2,
                           .bands = &upright,
                           .band_count = 1,
                           .radius = 0.35f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = 6};
    tr_behavior *behavior = NULL;
    tr_behavior_create(&def, &behavior, NULL);
    return behavior;
}

// A hall of 30 m with a wall of 20 m across it.
static tr_behavior_map *make_map(const tr_behavior *behavior) {
    tr_behavior_map_def def = {.grid = {{0, 0}, 0.25f, 120, 120}, .behavior = behavior};
    tr_behavior_map *map = NULL;
    tr_bitmap wall;
    if (tr_behavior_map_create(&def, &map, NULL) != TR_OK || tr_bitmap_create(NULL, 120, 120, &wall) != TR_OK)
        return NULL;
    for (uint32_t column = 20; column < 100; column++)
        tr_bitmap_set(&wall, column, 60);
    tr_behavior_map_set(map, 0, &wall, NULL);
    tr_bitmap_destroy(NULL, &wall);
    return map;
}

static void print(const char *how, tr_status status, const tr_behavior_plan *plan,
                  const tr_behavior_result *result) {
    printf("  %-6s %s: %u moves to (%.1f, %.1f), cost %.1f; %u places expanded, %u moves tested\n", how,
           tr_status_name(status), plan->action_count, (double)plan->end.x, (double)plan->end.z, plan->cost,
           (uint32_t)result->expanded, (uint32_t)result->tests);
}

int main(void) {
    tr_behavior *behavior = make_machine();
    tr_behavior_map *map = behavior ? make_map(behavior) : NULL;
    tr_behavior_search *search = NULL;
    tr_behavior_tree *tree = NULL;
    tr_behavior_tree_def def = {.behavior = behavior};
    tr_error error;
    if (!map || tr_behavior_search_create(NULL, 0, &search, &error) != TR_OK ||
        tr_behavior_tree_create(&def, &tree, &error) != TR_OK ||
        tr_behavior_tree_reserve(tree, search, map, 1, &error) != TR_OK)
        return 1;
    float furthest = 0; // of the sequences that begin in a jog
    for (uint32_t i = 0; i < tr_behavior_tree_places(tree, 1); i++) {
        tr_behavior_place place;
        tr_behavior_tree_place(tree, 1, i, &place);
        furthest = place.position.z > furthest ? place.position.z : furthest;
    }
    printf("a tree of %u places, %.1f m ahead, %u kB\n", tr_behavior_tree_places(tree, 1), (double)furthest,
           (uint32_t)(tr_behavior_tree_bytes(tree) / 1024));
    tr_behavior_action actions[100];
    tr_behavior_plan plan = {.actions = actions, .action_max = 100};
    tr_behavior_result result;
    const tr_vec2 goals[] = {{15, 25}, {3, 4}, {26, 14}};
    tr_behavior_query query = tr_behavior_query_default();
    query.start = tr_vec2_make(15, 6);
    query.heuristic = TR_BEHAVIOR_FIELD; // which ends are best is a matter of the way that is left
    query.goal_count = 1;
    for (int i = 0; i < 3; i++) {
        query.goals = &goals[i];
        query.inflation = 2;
        printf("from (%.1f, %.1f) to (%.1f, %.1f)\n", (double)query.start.x, (double)query.start.z,
               (double)goals[i].x, (double)goals[i].z);
        tr_status status = tr_behavior_tree_find(tree, search, map, &query, &plan, &result, &error);
        print("tree", status, &plan, &result);
        if (status != TR_OK)
            return 1;
        query.inflation = 1;
        status = tr_behavior_find(search, NULL, map, &query, &plan, &result, &error);
        print("search", status, &plan, &result);
        query.start = plan.end; // and so on from there
        query.heading = plan.end_heading;
    }
    tr_behavior_tree_destroy(tree);
    tr_behavior_search_destroy(search);
    tr_behavior_map_destroy(map);
    tr_behavior_destroy(behavior);
    return 0;
}
