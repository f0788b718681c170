#include "behaviors.h"
#include "cli/commands.h"
#include "cli/json_fields.h"
#include "troupe/base/scalar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A name column as wide as the longest name, within reason.
static int column_of(const tr_behavior_def *def, bool labels) {
    size_t width = labels ? 5 : 6;
    uint32_t count = labels ? def->label_count : def->state_count;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = strlen(labels ? def->labels[i] : def->states[i].name);
        width = length > width ? length : width;
    }
    return width < 28 ? (int)width + 1 : 29;
}

static void print_head(const behaviors_job *job, const tr_behavior_def *def, const behaviors_totals *totals) {
    printf("%-9s %s, %g frames per second, radius %g m\n", "machine", def->name ? def->name : job->source,
           def->frames_per_second, (double)def->radius);
    if (job->file.cast)
        printf("%-9s generated clips of the %s\n", "motion", job->file.cast);
    else if (job->file.body)
        printf("%-9s clips of files, on %s\n", "motion", job->file.body);
    if (job->folder.build) {
        uint32_t used = 0;
        for (uint32_t i = 0; i < job->folder.build->piece_count; i++)
            used += job->folder.build->pieces[i].state != TR_NONE;
        printf("%-9s %u of %u captures, cut into %u pieces, of which %u are used%s\n", "motion",
               job->folder.build->captures_used, job->folder.capture_count, job->folder.build->piece_count,
               used, job->folder.build->never_stands ? "; nobody stands in them" : "");
    }
    printf("%-9s ", "bands");
    for (uint32_t i = 0; i < def->band_count; i++)
        printf("%s%s %.2f to %.2f m", i ? ", " : "", def->bands[i].name, (double)def->bands[i].low,
               (double)def->bands[i].high);
    printf("\n%-9s ", "labels");
    for (uint32_t i = 0; i < def->label_count; i++)
        printf("%s%s%s", i ? ", " : "", def->labels[i], i == def->rest ? " (rest)" : "");
    printf("\n%-9s %u, with %u clips of %" PRIu64 " frames in all (%.1f s), and %u transitions\n", "states",
           def->state_count, totals->moves, totals->frames, (double)totals->frames / def->frames_per_second,
           totals->edges);
    printf(
        "%-9s every state follows from rest as number %u at the latest, and rest is reached again as number "
        "%u\n",
        "reached", totals->from_rest, totals->to_rest);
    for (behaviors_lack what = 0; what < BEHAVIORS_LACKS; what++)
        if (behaviors_lacks(def, what))
            printf("%-9s %s\n", "lacks", behaviors_lack_words[what]);
    putchar('\n');
}

static void print_state(const tr_behavior_def *def, const tr_behavior_state *state, int names, int labels) {
    behaviors_means means = behaviors_mean(state);
    command_print_name(state->name, names);
    putchar(' ');
    command_print_name(def->labels[state->begin], labels);
    putchar(' ');
    command_print_name(def->labels[state->end], labels);
    printf(" %5u %7.1f %6.2f %7.2f %7.1f %7.3g %5u  %s%s\n", state->move_count, means.frames,
           means.frames / def->frames_per_second, means.metres, means.turn, (double)state->weight,
           state->successor_count, state->serves ? def->bands[state->serves].name : "",
           state->parametrised ? " (parametrised)" : "");
}

void behaviors_print(const behaviors_job *job) {
    const tr_behavior_def *def = tr_behavior_def_of(job->machine);
    uint32_t *distances = malloc(2 * (size_t)def->state_count * sizeof *distances);
    if (!distances)
        return;
    behaviors_totals totals = behaviors_count(def, distances, distances + def->state_count);
    int names = column_of(def, false), labels = column_of(def, true);
    print_head(job, def, &totals);
    printf("%-*s %-*s %-*s %5s %7s %6s %7s %7s %7s %5s  %s\n", names, "state", labels, "begin", labels, "end",
           "clips", "frames", "s", "m", "degrees", "weight", "next", "serves");
    for (uint32_t i = 0; i < def->state_count; i++)
        print_state(def, &def->states[i], names, labels);
    free(distances);
}

void behaviors_print_pieces(const behaviors_job *job) {
    printf("\n%-24s %7s %7s  %-6s %7s %7s  %s\n", "capture", "first", "last", "kind", "m", "degrees",
           "used as");
    for (uint32_t i = 0; job->folder.build && i < job->folder.build->piece_count; i++) {
        const tr_behavior_piece *piece = &job->folder.build->pieces[i];
        const char *kind = tr_behavior_piece_name(piece->kind);
        command_print_name(job->folder.captures[piece->capture], 24);
        printf(" %7u %7u  %-6s %7.2f %7.1f  %s%s%s\n", piece->first, piece->last, kind ? kind : "",
               sqrt((double)piece->x * (double)piece->x + (double)piece->z * (double)piece->z),
               (double)piece->turn * (180 / TR_PI),
               piece->state == TR_NONE ? "not used: " : job->folder.build->states[piece->state].name,
               piece->state == TR_NONE ? piece->reason : "", piece->mirrored ? ", mirrored" : "");
    }
}

// --- JSON ---

static void write_pieces(tr_json_writer *writer, const behaviors_job *job) {
    tr_json_write_key(writer, "pieces");
    if (!job->folder.build) {
        tr_json_write_null(writer);
        return;
    }
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < job->folder.build->piece_count; i++) {
        const tr_behavior_piece *piece = &job->folder.build->pieces[i];
        tr_json_write_object(writer);
        json_field_text(writer, "capture", job->folder.captures[piece->capture]);
        json_field_boolean(writer, "mirrored", piece->mirrored);
        json_field_count(writer, "first", piece->first);
        json_field_count(writer, "last", piece->last);
        json_field_text(writer, "kind", tr_behavior_piece_name(piece->kind));
        json_field_text(writer, "state",
                        piece->state == TR_NONE ? NULL : job->folder.build->states[piece->state].name);
        json_field_text(writer, "reason", piece->reason);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_bands(tr_json_writer *writer, const tr_behavior_def *def) {
    tr_json_write_key(writer, "bands");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < def->band_count; i++) {
        tr_json_write_object(writer);
        json_field_text(writer, "name", def->bands[i].name);
        json_field_float(writer, "low", def->bands[i].low);
        json_field_float(writer, "high", def->bands[i].high);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
    tr_json_write_key(writer, "labels");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < def->label_count; i++)
        tr_json_write_text(writer, def->labels[i]);
    tr_json_write_end(writer);
    json_field_text(writer, "rest", def->labels[def->rest]);
}

static void write_state(tr_json_writer *writer, const tr_behavior *machine, uint32_t number,
                        const uint32_t distances[2]) {
    const tr_behavior_def *def = tr_behavior_def_of(machine);
    const tr_behavior_state *state = &def->states[number];
    behaviors_means means = behaviors_mean(state);
    uint64_t frames = 0;
    for (uint32_t i = 0; i < state->move_count; i++)
        frames += state->moves[i].frames;
    tr_json_write_object(writer);
    json_field_text(writer, "name", state->name);
    json_field_text(writer, "begin", def->labels[state->begin]);
    json_field_text(writer, "end", def->labels[state->end]);
    json_field_float(writer, "weight", state->weight);
    json_field_text(writer, "serves", state->serves ? def->bands[state->serves].name : NULL);
    json_field_boolean(writer, "parametrised", state->parametrised);
    json_field_count(writer, "moves", state->move_count);
    json_field_count(writer, "frames", frames);
    json_field_number(writer, "seconds", means.frames / def->frames_per_second);
    json_field_number(writer, "metres", means.metres);
    json_field_number(writer, "turn_degrees", means.turn);
    json_field_count(writer, "from_rest", distances[0]);
    json_field_count(writer, "to_rest", distances[1]);
    tr_json_write_key(writer, "successors");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < state->successor_count; i++)
        tr_json_write_text(writer, def->states[state->successors[i]].name);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

tr_status behaviors_print_json(const behaviors_job *job, const char *written, const char *picture,
                               tr_error *error) {
    const tr_behavior_def *def = tr_behavior_def_of(job->machine);
    uint32_t count = def->state_count, *distances = malloc(2 * (size_t)count * sizeof *distances);
    if (!distances)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for %u states", count);
    behaviors_totals totals = behaviors_count(def, distances, distances + count);
    tr_json_writer writer = tr_json_writer_begin(NULL);
    tr_json_write_object(&writer);
    json_field_text(&writer, "source", job->source);
    json_field_text(&writer, "name", def->name);
    json_field_text(&writer, "cast", job->file.cast);
    json_field_number(&writer, "frames_per_second", def->frames_per_second);
    json_field_float(&writer, "radius", def->radius);
    json_field_float(&writer, "up", def->up);
    json_field_float(&writer, "down", def->down);
    write_bands(&writer, def);
    json_field_count(&writer, "state_count", count);
    json_field_count(&writer, "moves", totals.moves);
    json_field_count(&writer, "frames", totals.frames);
    json_field_number(&writer, "seconds", (double)totals.frames / def->frames_per_second);
    json_field_count(&writer, "transitions", totals.edges);
    json_field_count(&writer, "from_rest", totals.from_rest);
    json_field_count(&writer, "to_rest", totals.to_rest);
    tr_json_write_key(&writer, "lacks");
    tr_json_write_array(&writer);
    for (behaviors_lack what = 0; what < BEHAVIORS_LACKS; what++)
        if (behaviors_lacks(def, what))
            tr_json_write_text(&writer, behaviors_lack_words[what]);
    tr_json_write_end(&writer);
    tr_json_write_key(&writer, "states");
    tr_json_write_array(&writer);
    for (uint32_t i = 0; i < count; i++)
        write_state(&writer, job->machine, i, (uint32_t[2]){distances[i], distances[count + i]});
    tr_json_write_end(&writer);
    write_pieces(&writer, job);
    json_field_text(&writer, "written", written);
    json_field_text(&writer, "picture", picture);
    tr_json_write_end(&writer);
    free(distances);
    return json_print(&writer, error);
}
