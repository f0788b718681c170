// A human and a horse for the behavior planner: their states, how far and how long each goes, and the discs
// that hold the body while it moves.
#include <troupe/motion/behavior_cast.h>
#include <troupe/motion/behavior_clip.h>

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

// A cast of one's own: clips on a skeleton, and the states they belong to.
static tr_status make_own(const tr_skeleton *skeleton, const tr_body *body, tr_behavior_cast **cast,
                          tr_error *error) {
    static const char *const labels[] = {"stands", "jogs"}, *const names[] = {"start", "jog", "jump", "end"};
    static const tr_behavior_clip_kind kinds[] = {TR_BEHAVIOR_CLIP_START, TR_BEHAVIOR_CLIP_JOG,
                                                  TR_BEHAVIOR_CLIP_JUMP, TR_BEHAVIOR_CLIP_END};
    tr_behavior_cast_clip clips[4];
    tr_behavior_cast_state states[4];
    tr_status status = TR_OK;
    uint32_t made = 0;
    for (; made < 4 && status == TR_OK; made++) {
        tr_behavior_clip_def def = {.skeleton = skeleton, .kind = kinds[made], .extra = 8};
        tr_behavior_clip_info info;
        tr_clip *motion = NULL;
        status = tr_behavior_clip_make(&def, &motion, &info, error);
        clips[made] = (tr_behavior_cast_clip){
            .motion = motion, .first = info.first, .last = info.last, .action = info.action};
        states[made] = (tr_behavior_cast_state){.name = names[made],
                                                .clips = &clips[made],
                                                .clip_count = 1,
                                                .begin = (uint32_t)info.begin,
                                                .end = (uint32_t)info.end,
                                                .weight = made == 2 ? 2 : 1,
                                                .serves = made == 2 ? TR_BEHAVIOR_CAST_MEASURE : 0};
    }
    tr_behavior_cast_def def = {.name = "jumper",
                                .skeleton = skeleton,
                                .body = body,
                                .labels = labels,
                                .label_count = 2,
                                .states = states,
                                .state_count = 4,
                                .margin = 0.02f,
                                .take_motions = true};
    if (status == TR_OK)
        status = tr_behavior_cast_create(&def, cast, error);
    for (uint32_t i = 0; i < made && status != TR_OK; i++)
        tr_clip_destroy((tr_clip *)clips[i].motion);
    return status;
}

int main(void) {
    tr_behavior_cast_human_def human = {.clips_max = 1, .seed = 7};
    tr_horse_def horse = {.height = 1.5f};
    tr_behavior_cast *casts[2] = {NULL, NULL};
    tr_error error = {0};
    int failed = tr_behavior_cast_human(&human, &casts[0], &error) != TR_OK ||
                 tr_behavior_cast_horse(&horse, &casts[1], &error) != TR_OK;
    tr_behavior_cast *own = NULL;
    failed = failed || make_own(casts[0]->skeleton, casts[0]->body, &own, &error) != TR_OK;
    for (int i = 0; i < 2 && !failed; i++)
        print_cast(casts[i]);
    if (!failed)
        print_cast(own);
    tr_behavior_cast_destroy(own);
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
