// A human and a horse for the behavior planner: their states, how far and how long each goes, and the discs
// that hold the body while it moves.
#include <troupe/motion/behavior_cast.h>

#include <stdio.h>

static void print_cast(const tr_behavior_cast *cast) {
    const tr_behavior_def *machine = tr_behavior_def_of(cast->machine);
    printf("%s: discs with a radius of %.2f m\n", cast->name, (double)machine->radius);
    for (uint32_t i = 0; i < machine->band_count; i++)
        printf("  band %u \"%s\": %.2f to %.2f m above the floor\n", i, machine->bands[i].name,
               (double)machine->bands[i].low, (double)machine->bands[i].high);
    for (uint32_t i = 0; i < machine->state_count; i++) {
        const tr_behavior_state *state = &machine->states[i];
        const tr_behavior_move *move = &state->moves[0];
        printf("  %-22s %s to %s: %5.2f m ahead, %5.2f m to the left, %4.0f degrees, %3u frames, %3u discs\n",
               state->name, machine->labels[state->begin], machine->labels[state->end], (double)move->z,
               (double)move->x, (double)move->turn * 57.2958, move->frames, move->disc_count);
    }
}

int main(void) {
    tr_behavior_cast_human_def human = {.clips_max = 1, .seed = 7};
    tr_horse_def horse = {.height = 1.5f};
    tr_behavior_cast *casts[2] = {NULL, NULL};
    tr_error error = {0};
    int failed = tr_behavior_cast_human(&human, &casts[0], &error) != TR_OK ||
                 tr_behavior_cast_horse(&horse, &casts[1], &error) != TR_OK;
    for (int i = 0; i < 2 && !failed; i++)
        print_cast(casts[i]);
    if (failed)
        fprintf(stderr, "%s\n", error.message);
    tr_behavior_cast_human_def giant = {.mannequin = {.height = 9}};
    tr_behavior_cast *none = NULL;
    if (tr_behavior_cast_human(&giant, &none, &error) == TR_INVALID)
        printf("refused: %s\n", error.message);
    tr_behavior_cast_destroy(casts[1]);
    tr_behavior_cast_destroy(casts[0]);
    return failed;
}
