// A machine file becomes a cast: the machine with its motion.
#include "behavior_file_open.h"

#include "troupe/base/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define METRES_OFF 0.01f // most by which written numbers may differ from the motion [m]
#define RADIANS_OFF 0.02f

tr_status tr_machine_blame_move(const machine_opening *opening, uint32_t state, uint32_t move,
                                tr_status status, const char *why) {
    const tr_behavior_file *file = opening->file;
    char sentence[300];
    snprintf(sentence, sizeof sentence, "%.299s", why);
    const tr_behavior_state *of = &file->def.states[state];
    tr_fail(opening->error, status == TR_OUT_OF_MEMORY ? status : TR_BAD_FILE,
            "states[%u].moves[%u] (%.40s): %s", state, move, of->name, sentence);
    opening->error->line = file->clips[of->moves[move].clip].line;
    return opening->error->status;
}

// --- The machine of a cast, with the numbers that the file has ---

typedef struct machine_numbers {
    tr_behavior_state *states;
    tr_behavior_move *moves;
    const tr_behavior_move **measured; // for each clip of the cast, what was measured from it
} machine_numbers;

static tr_status compare_numbers(const tr_behavior_move *written, const tr_behavior_move *measured,
                                 tr_error *error) {
    if (written->frames != measured->frames)
        return tr_fail(error, TR_BAD_FILE, "frames is %u, but its motion has %u", written->frames,
                       measured->frames);
    float x = written->x - measured->x, z = written->z - measured->z, turn = written->turn - measured->turn;
    if (!(x * x + z * z <= METRES_OFF * METRES_OFF) || !(fabsf(turn) <= RADIANS_OFF))
        return tr_fail(
            error, TR_BAD_FILE,
            "x, z and turn_degrees are %g, %g and %g, but its motion goes %g, %g and turns by %g; leave "
            "out all numbers to have them measured",
            (double)written->x, (double)written->z, (double)written->turn * (180 / TR_PI),
            (double)measured->x, (double)measured->z, (double)measured->turn * (180 / TR_PI));
    return TR_OK;
}

// The discs were measured with the radius, the bands and the rate of the cast.
static tr_status check_measure(const tr_behavior_file *file, const tr_behavior_def *measured,
                               tr_error *error) {
    const tr_behavior_def *def = &file->def;
    if (def->discs_hold != measured->discs_hold && file->measured_count < file->clip_count)
        return tr_fail(error, TR_BAD_FILE, "its discs are to be measured, which needs \"discs_hold\": %s",
                       measured->discs_hold ? "true" : "false");
    if (def->frames_per_second != measured->frames_per_second)
        return tr_fail(error, TR_BAD_FILE, "it is to be measured, but at %g frames per second, and not at %g",
                       measured->frames_per_second, def->frames_per_second);
    if (fabsf(def->radius - measured->radius) > 1e-4f)
        return tr_fail(error, TR_BAD_FILE, "it is to be measured, but with discs of %g m, and not of %g m",
                       (double)measured->radius, (double)def->radius);
    bool same = def->band_count == measured->band_count;
    for (uint32_t i = 0; i < def->band_count && same; i++)
        same = fabsf(def->bands[i].low - measured->bands[i].low) < 1e-3f &&
               fabsf(def->bands[i].high - measured->bands[i].high) < 1e-3f &&
               def->bands[i].climbs == measured->bands[i].climbs;
    return same ? TR_OK
                : tr_fail(error, TR_BAD_FILE,
                          "it is to be measured, but the bands of the file are not those of the cast");
}

static tr_status fill_move(machine_opening *opening, const tr_behavior_cast *cast,
                           const machine_numbers *numbers, uint32_t state, uint32_t index, uint32_t clip) {
    const tr_behavior_move *written = &opening->file->def.states[state].moves[index];
    const tr_behavior_move *measured = numbers->measured[clip];
    bool is_measured = opening->file->clips[written->clip].is_measured;
    tr_error why = {0};
    tr_status status = is_measured ? check_measure(opening->file, tr_behavior_def_of(cast->machine), &why)
                                   : compare_numbers(written, measured, &why);
    if (status != TR_OK)
        return tr_machine_blame_move(opening, state, index, status, why.message);
    tr_behavior_move *move = &numbers->moves[written->clip];
    *move = is_measured ? *measured : *written;
    move->clip = clip;
    move->name = written->name ? written->name : measured->name;
    move->parameter = written->parameter;
    if (written->action != TR_NONE)
        move->action = written->action;
    if (is_measured && written->action != TR_NONE && written->action > measured->frames)
        return tr_machine_blame_move(opening, state, index, TR_BAD_FILE, "action is after its end");
    return TR_OK;
}

static tr_status fill_machine(machine_opening *opening, tr_behavior_cast *cast, const uint32_t *clips,
                              const machine_numbers *numbers) {
    const tr_behavior_def *def = &opening->file->def, *measured = tr_behavior_def_of(cast->machine);
    for (uint32_t i = 0; i < measured->state_count; i++)
        for (uint32_t k = 0; k < measured->states[i].move_count; k++)
            numbers->measured[measured->states[i].moves[k].clip] = &measured->states[i].moves[k];
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < def->state_count && status == TR_OK; i++) {
        numbers->states[i] = def->states[i];
        numbers->states[i].moves = numbers->moves + def->states[i].moves->clip;
        for (uint32_t k = 0; k < def->states[i].move_count && status == TR_OK; k++)
            status = fill_move(opening, cast, numbers, i, k, clips[def->states[i].moves[k].clip]);
    }
    tr_behavior_def made = *def;
    made.allocator = &opening->allocator;
    made.states = numbers->states;
    if (opening->file->measured_count > 0)
        made.discs_hold = measured->discs_hold;
    tr_behavior *machine = NULL;
    if (status == TR_OK)
        status = tr_behavior_create(&made, &machine, opening->error);
    if (status != TR_OK)
        return status;
    tr_behavior_destroy(cast->machine);
    cast->machine = machine;
    return TR_OK;
}

// Gives the cast the machine of the file. `clips`: for each move the number of its clip in the cast.
static tr_status set_machine(machine_opening *opening, tr_behavior_cast *cast, const uint32_t *clips) {
    const tr_behavior_file *file = opening->file;
    const tr_allocator *allocator = &opening->allocator;
    machine_numbers numbers = {
        tr_allocate(allocator, file->def.state_count, sizeof *numbers.states),
        tr_allocate(allocator, file->clip_count, sizeof *numbers.moves),
        tr_allocate_zero(allocator, cast->clip_count, sizeof *numbers.measured),
    };
    tr_status status = TR_OK;
    if (!numbers.states || !numbers.moves || !numbers.measured)
        status = tr_fail(opening->error, TR_OUT_OF_MEMORY, "no memory for a machine of behaviors");
    if (status == TR_OK)
        status = fill_machine(opening, cast, clips, &numbers);
    tr_release(allocator, numbers.states, file->def.state_count, sizeof *numbers.states);
    tr_release(allocator, numbers.moves, file->clip_count, sizeof *numbers.moves);
    tr_release(allocator, numbers.measured, cast->clip_count, sizeof *numbers.measured);
    return status;
}

// --- Casts with generated clips ---

static tr_status make_cast(const machine_opening *opening, tr_behavior_cast **cast) {
    const tr_behavior_file *file = opening->file;
    if (strcmp(file->cast, "horse") == 0) {
        tr_horse_def horse = {.allocator = &opening->allocator, .height = file->height};
        return tr_behavior_cast_horse(&horse, cast, opening->error);
    }
    if (strcmp(file->cast, "human") == 0) {
        tr_behavior_cast_human_def human = {.allocator = &opening->allocator,
                                            .mannequin.height = file->height,
                                            .frames_per_second = file->def.frames_per_second,
                                            .radius = file->def.radius};
        return tr_behavior_cast_human(&human, cast, opening->error);
    }
    tr_mannequin_def mannequin = {.allocator = &opening->allocator, .height = file->height};
    return tr_behavior_cast_skateboarder(&mannequin, cast, opening->error);
}

// "jog/2" is the second clip of the state jog; without a name it is that of the move.
static tr_status find_clip(const machine_opening *opening, const tr_behavior_def *from, uint32_t state,
                           uint32_t index, uint32_t *clip) {
    const tr_behavior_state *wanted = &opening->file->def.states[state];
    const char *name = opening->file->clips[wanted->moves[index].clip].name;
    const char *sign = name ? strrchr(name, '/') : NULL;
    size_t length = sign ? (size_t)(sign - name) : strlen(name ? name : wanted->name);
    unsigned long number = sign ? strtoul(sign + 1, NULL, 10) : name ? 1 : index + 1;
    const char *text = name ? name : wanted->name;
    char why[200];
    for (uint32_t i = 0; i < from->state_count; i++) {
        const tr_behavior_state *found = &from->states[i];
        if (strlen(found->name) != length || strncmp(found->name, text, length) != 0)
            continue;
        if (number >= 1 && number <= found->move_count) {
            *clip = found->moves[number - 1].clip;
            return TR_OK;
        }
        snprintf(why, sizeof why, "the cast has %u clips of \"%.*s\", there is no number %lu",
                 found->move_count, (int)(length < 60 ? length : 60), text, number);
        return tr_machine_blame_move(opening, state, index, TR_BAD_FILE, why);
    }
    snprintf(why, sizeof why, "the cast has no state \"%.*s\"", (int)(length < 60 ? length : 60), text);
    return tr_machine_blame_move(opening, state, index, TR_BAD_FILE, why);
}

static tr_status open_cast(machine_opening *opening, uint32_t *clips, tr_behavior_cast **cast) {
    tr_status status = make_cast(opening, cast);
    for (uint32_t i = 0; i < opening->file->def.state_count && status == TR_OK; i++)
        for (uint32_t k = 0; k < opening->file->def.states[i].move_count && status == TR_OK; k++)
            status = find_clip(opening, tr_behavior_def_of((*cast)->machine), i, k,
                               &clips[opening->file->def.states[i].moves[k].clip]);
    return status;
}

// --- All ---

tr_status tr_behavior_file_open(const tr_behavior_file *file, const char *path,
                                const tr_behavior_file_options *options, tr_behavior_cast **cast,
                                tr_error *error) {
    tr_error unwanted;
    const tr_behavior_file_options none = {0};
    machine_opening opening = {.file = file,
                               .path = path ? path : "",
                               .options = options ? *options : none,
                               .error = error ? error : &unwanted};
    *cast = NULL;
    memset(opening.error, 0, sizeof *opening.error);
    opening.allocator = tr_allocator_or_default(opening.options.allocator);
    uint32_t *clips = tr_allocate(&opening.allocator, file->clip_count, sizeof *clips);
    tr_status status = TR_OK;
    if (!clips)
        status = tr_fail(opening.error, TR_OUT_OF_MEMORY, "no memory for %u moves", file->clip_count);
    for (uint32_t i = 0; i < file->clip_count && status == TR_OK; i++)
        clips[i] = i;
    if (status == TR_OK)
        status = file->cast ? open_cast(&opening, clips, cast) : tr_machine_open_files(&opening, cast);
    if (status == TR_OK)
        status = set_machine(&opening, *cast, clips);
    tr_release(&opening.allocator, clips, file->clip_count, sizeof *clips);
    if (status != TR_OK) {
        tr_behavior_cast_destroy(*cast);
        *cast = NULL;
    }
    if (status != TR_OK && !opening.error->file[0] && path)
        tr_error_set_file(opening.error, path);
    return status;
}
