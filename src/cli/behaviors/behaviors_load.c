#include "behaviors.h"

#include "cli/commands.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LACK_METRES 0.1 // less leads nowhere
#define LACK_DEGREES 1  // less is no turn

static bool is_cast(const char *source) {
    return strcmp(source, "human") == 0 || strcmp(source, "skateboarder") == 0 ||
           strcmp(source, "horse") == 0;
}

static tr_status load_cast(const char *source, float height, behaviors_job *job, tr_error *error) {
    job->file.cast = source;
    job->file.height = height;
    tr_horse_def horse = {.height = height};
    tr_behavior_cast_human_def human = {.mannequin.height = height};
    if (strcmp(source, "horse") == 0)
        return tr_behavior_cast_horse(&horse, &job->cast, error);
    if (strcmp(source, "human") == 0)
        return tr_behavior_cast_human(&human, &job->cast, error);
    tr_mannequin_def mannequin = {.height = height};
    return tr_behavior_cast_skateboarder(&mannequin, &job->cast, error);
}

static bool has_motion(const tr_behavior_file *file) {
    bool has = file->cast != NULL;
    for (uint32_t i = 0; i < file->clip_count && !has; i++)
        has = file->clips[i].file != NULL;
    return has;
}

static tr_status load_file(const char *source, behaviors_job *job, tr_error *error) {
    tr_bytes text = {NULL, 0};
    tr_behavior_file_options options = {.note = command_note, .note_user = (char *)source};
    tr_status status = tr_file_read(NULL, source, &text, error);
    if (status == TR_OK)
        status = tr_behavior_file_read(text.data, text.size, source, NULL, &job->file, error);
    tr_bytes_free(NULL, &text);
    if (status == TR_OK && has_motion(&job->file))
        return tr_behavior_file_open(&job->file, source, &options, &job->cast, error);
    return status == TR_OK ? tr_behavior_create(&job->file.def, &job->machine, error) : status;
}

tr_status behaviors_load(const char *source, float height, behaviors_job *job, tr_error *error) {
    job->source = source;
    if (height > 0 && !is_cast(source) && !tr_behavior_folder_exists(source))
        return tr_fail(error, TR_INVALID,
                       "--height is for characters with generated motion; \"%.100s\" is a file", source);
    tr_status status;
    if (is_cast(source))
        status = load_cast(source, height, job, error);
    else if (tr_behavior_folder_exists(source))
        status = behaviors_build(source, height, job, error);
    else
        status = load_file(source, job, error);
    if (status == TR_OK && job->cast)
        job->machine = job->cast->machine;
    return status;
}

void behaviors_destroy(behaviors_job *job) {
    if (!job->cast)
        tr_behavior_destroy(job->machine);
    if (job->folder.cast)
        tr_behavior_folder_destroy(&job->folder);
    else
        tr_behavior_cast_destroy(job->cast);
    tr_behavior_file_destroy(&job->file);
    *job = (behaviors_job){.machine = NULL};
}

// --- Writing ---

typedef struct writing {
    tr_behavior_state *states;
    tr_behavior_move *moves;
    tr_behavior_file_clip *clips;
} writing;

// The machine with its moves numbered one after the other, as clips of a file are.
static void fill_writing(const behaviors_job *job, bool numbers, writing *made, tr_behavior_file *file) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < file->def.state_count; i++) {
        tr_behavior_state *state = &made->states[i];
        *state = file->def.states[i];
        state->moves = made->moves + next;
        for (uint32_t k = 0; k < state->move_count; k++, next++) {
            made->moves[next] = file->def.states[i].moves[k];
            made->moves[next].clip = next;
            if (next < job->file.clip_count)
                made->clips[next] = job->file.clips[next];
            made->clips[next].is_measured = !numbers && job->cast;
        }
    }
    file->def.states = made->states;
    file->clips = made->clips;
    file->clip_count = next;
}

tr_status behaviors_write(const behaviors_job *job, bool numbers, const char *path, tr_error *error) {
    tr_behavior_file file = job->file;
    file.def = *tr_behavior_def_of(job->machine);
    uint32_t moves = behaviors_count(&file.def, NULL, NULL).moves;
    writing made = {malloc(file.def.state_count * sizeof *made.states), malloc(moves * sizeof *made.moves),
                    calloc(moves, sizeof *made.clips)};
    tr_bytes text = {NULL, 0};
    tr_status status = TR_OK;
    if (!made.states || !made.moves || !made.clips)
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u moves", moves);
    char motion[4096], name[4096];
    if (status == TR_OK) {
        fill_writing(job, numbers, &made, &file);
        snprintf(motion, sizeof motion, "%.*s.glb", (int)strlen(path) - 5, path); // ends with .json
        if (job->folder.build)
            status = behaviors_write_motion(job, motion, name, sizeof name, made.clips, error);
    }
    if (status == TR_OK)
        status = tr_behavior_file_write(&file, NULL, &text, error);
    if (status == TR_OK)
        status = tr_file_write(path, text.data, text.size, error);
    tr_bytes_free(NULL, &text);
    free(made.states);
    free(made.moves);
    free(made.clips);
    return status;
}

// --- Counting ---

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

const char *const behaviors_lack_words[BEHAVIORS_LACKS] = {
    "no behavior leads over open ground: all that lead anywhere are for obstacles",
    "no behavior turns left",
    "no behavior turns right",
};

bool behaviors_lacks(const tr_behavior_def *def, behaviors_lack what) {
    for (uint32_t i = 0; i < def->state_count; i++) {
        behaviors_means means = behaviors_mean(&def->states[i]);
        double amount = what == BEHAVIORS_LACK_GOING  ? means.metres / LACK_METRES
                        : what == BEHAVIORS_LACK_LEFT ? means.turn / LACK_DEGREES
                                                      : -means.turn / LACK_DEGREES;
        if (!def->states[i].serves && amount >= 1)
            return false;
    }
    return true;
}
