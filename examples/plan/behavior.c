// A machine of behaviors: a person who sets off, jogs, turns by any angle and stops. Prints what a turn of 30
// degrees costs and where it leads, before and after the user prefers straight ways.
#include <stdio.h>
#include <troupe/troupe.h>

int main(void) {
    static const char *const labels[] = {"stand", "jog"};
    static const tr_behavior_band upright = {.name = "upright", .low = 0, .high = 1.8f};
    tr_behavior_move start = {.z = 0.8f, .frames = 18}, jog = {.z = 2.2f, .frames = 24};
    tr_behavior_move stop = {.z = 0.8f, .frames = 18};
    tr_behavior_move turns[3];
    for (int i = 0; i < 3; i++) { // the parameter of a turn is its angle in degrees
        float side = (float)(i - 1);
        tr_behavior_move turn = {
            .x = 0.7f * side, .z = 2.1f, .turn = 0.79f * side, .frames = 24, .parameter = 45 * side};
        turns[i] = turn;
    }
    tr_behavior_state states[] = {
        {.name = "start", .moves = &start, .move_count = 1, .begin = 0, .end = 1, .weight = 1},
        {.name = "jog", .moves = &jog, .move_count = 1, .begin = 1, .end = 1, .weight = 1},
        {.name = "turn",
         .moves = turns,
         .move_count = 3,
         .begin = 1,
         .end = 1,
         .weight = 1.1f,
         .parametrised = true},
        {.name = "end", .moves = &stop, .move_count = 1, .begin = 1, .end = 0, .weight = 1},
    };
    tr_behavior_def def = {.name = "jogger",
                           .labels = labels,
                           .label_count = 2,
                           .bands = &upright,
                           .band_count = 1,
                           .radius = 0.35f,
                           .frames_per_second = 30,
                           .states = states,
                           .state_count = 4};
    tr_behavior *behavior = NULL;
    tr_error error;
    if (tr_behavior_create(&def, &behavior, &error) != TR_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    const tr_behavior_def *made = tr_behavior_def_of(behavior);
    for (uint32_t i = 0; i < made->state_count; i++)
        printf("%-6s %u successors, first move has %u discs\n", made->states[i].name,
               made->states[i].successor_count, made->states[i].moves[0].disc_count);
    tr_behavior_move move;
    if (tr_behavior_interpolate(behavior, 2, 30, &move, NULL) != TR_OK)
        return 1;
    printf("a turn by 30 degrees goes to (%.2f, %.2f) in %u frames and costs %.2f\n", (double)move.x,
           (double)move.z, move.frames, tr_behavior_cost(behavior, 2, 30));
    if (tr_behavior_set_weight(behavior, 2, 3, &error) != TR_OK)
        return 1;
    printf("for one who dislikes turning, %.2f\n", tr_behavior_cost(behavior, 2, 30));
    states[3].end = 1; // a machine that cannot stop is refused
    tr_behavior *endless = NULL;
    if (tr_behavior_create(&def, &endless, &error) != TR_INVALID)
        return 1;
    printf("%s\n", error.message);
    tr_behavior_destroy(behavior);
    return 0;
}
