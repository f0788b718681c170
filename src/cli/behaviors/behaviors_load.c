#include "behaviors.h"

#include "troupe/base/scalar.h"

#include <string.h>

tr_status behaviors_load(const char *source, behaviors_job *job, tr_error *error) {
    tr_bytes text = {NULL, 0};
    job->source = source;
    tr_status status = tr_file_read(NULL, source, &text, error);
    if (status == TR_OK)
        status = tr_behavior_file_read(text.data, text.size, source, NULL, &job->file, error);
    tr_bytes_free(NULL, &text);
    return status == TR_OK ? tr_behavior_create(&job->file.def, &job->machine, error) : status;
}

void behaviors_destroy(behaviors_job *job) {
    tr_behavior_destroy(job->machine);
    tr_behavior_file_destroy(&job->file);
    *job = (behaviors_job){.machine = NULL};
}

// Distances in states, by growing them until none gets shorter: from rest, or to rest.
static uint32_t measure_distances(const tr_behavior_def *def, bool from_rest, uint32_t *distances) {
    uint32_t farthest = 1;
    for (uint32_t i = 0; i < def->state_count; i++) {
        uint32_t label = from_rest ? def->states[i].begin : def->states[i].end;
        distances[i] = label == def->rest ? 1 : TR_NONE;
    }
    for (uint32_t round = 1, changed = 1; changed; round++) {
        changed = 0;
        for (uint32_t i = 0; i < def->state_count; i++)
            for (uint32_t k = 0; k < def->states[i].successor_count; k++) {
                uint32_t next = def->states[i].successors[k];
                uint32_t source = from_rest ? i : next, target = from_rest ? next : i;
                if (distances[source] != round || distances[target] != TR_NONE)
                    continue;
                distances[target] = farthest = round + 1;
                changed = 1;
            }
    }
    return farthest;
}

behaviors_totals behaviors_count(const tr_behavior_def *def, uint32_t *from_rest, uint32_t *to_rest) {
    behaviors_totals totals = {0};
    for (uint32_t i = 0; i < def->state_count; i++) {
        totals.moves += def->states[i].move_count;
        totals.edges += def->states[i].successor_count;
        for (uint32_t k = 0; k < def->states[i].move_count; k++)
            totals.frames += def->states[i].moves[k].frames;
    }
    if (from_rest && to_rest) {
        totals.from_rest = measure_distances(def, true, from_rest);
        totals.to_rest = measure_distances(def, false, to_rest);
    }
    return totals;
}

behaviors_means behaviors_mean(const tr_behavior_state *state) {
    behaviors_means means = {0};
    for (uint32_t i = 0; i < state->move_count; i++) {
        const tr_behavior_move *move = &state->moves[i];
        means.frames += (double)move->frames / state->move_count;
        means.metres +=
            sqrt((double)move->x * (double)move->x + (double)move->z * (double)move->z) / state->move_count;
        means.turn += (double)move->turn * (180 / TR_PI) / state->move_count;
    }
    return means;
}
