// Two people go through a room with a wall that has a low log in it. The first one jumps over the log. The
// second one plans among what the first one will do. Prints both plans, and how the search went.
#include <stdio.h>
#include <troupe/troupe.h>

static tr_behavior *make_machine(void) {
    static const char *const labels[] = {"stand", "jog"};
    static const tr_behavior_band bands[] = {{.name = "upright", .low = 0, .high = 1.8f},
                                             {.name = "jump", .low = 0.6f, .high = 2.3f}};
    tr_behavior_move start = {.z = 0.7f, .frames = 15}, jog = {.z = 2, .frames = 24},
                     stop = {.z = 0.7f, .frames = 15};
    tr_behavior_move left = {.x = 0.7f, .z = 1.6f, .turn = 0.8f, .frames = 24};
    tr_behavior_move right = {.x = -0.7f, .z = 1.6f, .turn = -0.8f, .frames = 24},
                     wait = {.z = 0.9f, .frames = 45};
    tr_behavior_disc flight[9]; // in the air over the middle part
    for (uint32_t i = 0; i < 9; i++)
        flight[i] =
            (tr_behavior_disc){.z = 0.4f * (float)i, .frame = (uint16_t)(5 * i), .band = i >= 2 && i <= 6};
    tr_behavior_move jump = {.z = 3.2f, .frames = 40, .action = TR_NONE, .discs = flight, .disc_count = 9};
    tr_behavior_state states[] = {
        {.name = "start", .moves = &start, .move_count = 1, .begin = 0, .end = 1, .weight = 2},
        {.name = "jog", .moves = &jog, .move_count = 1, .begin = 1, .end = 1, .weight = 1},
        {.name = "left", .moves = &left, .move_count = 1, .begin = 1, .end = 1, .weight = 1.1f},
        {.name = "right", .moves = &right, .move_count = 1, .begin = 1, .end = 1, .weight = 1.1f},
        {.name = "wait", .moves = &wait, .move_count = 1, .begin = 1, .end = 1, .weight = 5},
        {.name = "jump", .moves = &jump, .move_count = 1, .begin = 1, .end = 1, .weight = 1.6f, .serves = 1},
        {.name = "end", .moves = &stop, .move_count = 1, .begin = 1, .end = 0, .weight = 2},
    };
    tr_behavior_def def = {.labels = labels,
                           .label_count = 2,
                           .bands = bands,
                           .band_count = 2,
                           .radius = 0.35f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = 7};
    tr_behavior *behavior = NULL;
    tr_behavior_create(&def, &behavior, NULL);
    return behavior;
}

// A wall across the room: high in both bands, but for a low piece in the middle.
static bool build_wall(tr_behavior_map *map) {
    const tr_grid *grid = tr_behavior_map_grid(map);
    tr_bitmap wall;
    bool built = true;
    if (tr_bitmap_create(NULL, grid->columns, grid->rows, &wall) != TR_OK)
        return false;
    for (uint32_t band = 2; band-- > 0 && built;) {
        for (uint32_t column = 0; column < grid->columns; column++)
            if (band == 0 || column < 34 || column > 46)
                tr_bitmap_set(&wall, column, 40);
        built = tr_behavior_map_set(map, band, &wall, NULL) == TR_OK;
    }
    tr_bitmap_destroy(NULL, &wall);
    return built;
}

static void print_plan(const tr_behavior *behavior, const tr_behavior_plan *plan,
                       const tr_behavior_result *result) {
    const tr_behavior_def *def = tr_behavior_def_of(behavior);
    for (uint32_t i = 0; i < plan->action_count; i++)
        printf("%s%s", i ? ", " : "  ", def->states[plan->actions[i].state].name);
    printf("\n  at (%.2f, %.2f) after %.1f s; cost %.2f; %u nodes, %u moves tested\n", (double)plan->end.x,
           (double)plan->end.z, plan->end_frame / def->frames_per_second, plan->cost, result->nodes,
           (uint32_t)result->tests);
}

int main(void) {
    tr_behavior *behavior = make_machine();
    tr_behavior_map_def def = {.grid = {{0, 0}, 0.25f, 80, 80}, .behavior = behavior};
    tr_behavior_map *map = NULL;
    tr_behavior_search *search = NULL;
    if (!behavior || tr_behavior_map_create(&def, &map, NULL) != TR_OK || !build_wall(map) ||
        tr_behavior_search_create(NULL, 0, &search, NULL) != TR_OK)
        return 1;
    tr_behavior_action actions[100];
    tr_behavior_plan plan = {.actions = actions, .action_max = 100};
    tr_behavior_spot spots[2000];
    tr_behavior_result result;
    tr_error error;
    const tr_vec2 ends[2] = {{10, 3}, {10, 17}};
    tr_behavior_search_reserve(search, behavior, map, 1,
                               NULL); // from here on nothing is allocated while planning
    for (uint32_t who = 0; who < 2; who++) {
        tr_behavior_query query = tr_behavior_query_default();
        query.start = ends[who];
        query.heading = who ? 3.14f : 0;
        tr_vec2 goal = {ends[1 - who].x + 1.5f, ends[1 - who].z};
        query.goals = &goal;
        query.goal_count = 1;
        query.inflation = 1.5f;
        query.budget.expansions = 20; // in small pieces, as a game would
        uint32_t spot_count, pieces = 1;
        tr_status status = tr_behavior_find(search, NULL, map, &query, &plan, &result, &error);
        for (; status == TR_PARTIAL; pieces++)
            status = tr_behavior_resume(search, query.budget, &plan, &result, &error);
        if (status != TR_OK) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        printf("%s, planned in %u pieces:\n", who ? "Ben" : "Ada", pieces);
        print_plan(behavior, &plan, &result);
        if (tr_behavior_plan_spots(behavior, &plan, spots, 2000, &spot_count) != TR_OK ||
            tr_behavior_map_commit(map, who, spots, spot_count, 0.35f, &error) != TR_OK)
            return 1;
    }
    tr_behavior_place place;
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < tr_behavior_search_places(search); i++) // the tree, for a picture
        if (tr_behavior_search_place(search, i, &place) && place.frame > deepest)
            deepest = place.frame;
    printf("the last place of the tree is at %.1f s\n", deepest / 30.0);
    tr_behavior_search_destroy(search);
    tr_behavior_map_destroy(map);
    tr_behavior_destroy(behavior);
    return 0;
}
