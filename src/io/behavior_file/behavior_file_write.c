// Writes machine files.
#include "behavior_file_layout.h"
#include "troupe/base/scalar.h"
#include "troupe/io/behavior_file.h"
#include "troupe/io/json.h"

#include <string.h>

static void put_text(tr_json_writer *writer, const char *key, const char *text) {
    if (!text)
        return;
    tr_json_write_key(writer, key);
    tr_json_write_text(writer, text);
}

static void put_count(tr_json_writer *writer, const char *key, uint32_t count) {
    tr_json_write_key(writer, key);
    tr_json_write_integer(writer, count);
}

static void put_float(tr_json_writer *writer, const char *key, float number) {
    tr_json_write_key(writer, key);
    tr_json_write_float(writer, number);
}

static void put_unless_zero(tr_json_writer *writer, const char *key, float number) {
    if (number != 0)
        put_float(writer, key, number);
}

static float to_radians(double degrees) {
    return (float)(degrees * (TR_PI / 180));
}

// The number of degrees with the fewest digits that reads back as this angle.
static double to_degrees(float angle) {
    double degrees = (double)angle * (180 / TR_PI);
    for (double scale = 1; scale <= 1e9; scale *= 10) {
        double rounded = floor(degrees * scale + 0.5) / scale;
        if (to_radians(rounded) == angle)
            return rounded;
    }
    return degrees;
}

static void write_discs(tr_json_writer *writer, const tr_behavior_move *move) {
    if (move->disc_count == 0)
        return;
    tr_json_write_key(writer, "discs");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < move->disc_count; i++) {
        const tr_behavior_disc *disc = &move->discs[i];
        tr_json_write_array(writer);
        tr_json_write_integer(writer, disc->frame);
        tr_json_write_float(writer, disc->x);
        tr_json_write_float(writer, disc->z);
        if (disc->band != 0)
            tr_json_write_integer(writer, disc->band);
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_clip(tr_json_writer *writer, const tr_behavior_file_clip *clip) {
    put_text(writer, "file", clip->file);
    put_text(writer, "figure", clip->file ? clip->figure : NULL);
    put_text(writer, "clip", clip->name);
    if (!clip->file)
        return;
    put_count(writer, "first", clip->first);
    put_count(writer, "last", clip->last);
    if (clip->extra > 0)
        put_count(writer, "extra", clip->extra);
    if (clip->mirrored) {
        tr_json_write_key(writer, "mirrored");
        tr_json_write_boolean(writer, true);
    }
}

static void write_move(tr_json_writer *writer, const tr_behavior_file *file, const tr_behavior_move *move,
                       bool parametrised) {
    const tr_behavior_file_clip none = {.file = NULL};
    const tr_behavior_file_clip *clip = move->clip < file->clip_count ? &file->clips[move->clip] : &none;
    tr_json_write_object(writer);
    put_text(writer, "name", move->name);
    write_clip(writer, clip);
    if (parametrised)
        put_float(writer, "parameter", move->parameter);
    if (move->action != TR_NONE)
        put_count(writer, "action", move->action);
    if (!clip->is_measured) {
        put_count(writer, "frames", move->frames);
        put_unless_zero(writer, "x", move->x);
        put_unless_zero(writer, "z", move->z);
        if (move->turn != 0) {
            tr_json_write_key(writer, "turn_degrees");
            tr_json_write_number(writer, to_degrees(move->turn));
        }
        put_unless_zero(writer, "rise", move->rise);
        put_unless_zero(writer, "edge", move->edge);
        write_discs(writer, move);
    }
    tr_json_write_end(writer);
}

// Are the successors of a state all that begin with the label of its end, as if none were listed?
static bool has_all_successors(const tr_behavior_def *def, const tr_behavior_state *state) {
    uint32_t count = 0;
    bool same = true;
    for (uint32_t i = 0; i < def->state_count && same && state->successors; i++)
        if (def->states[i].begin == state->end) {
            same = count < state->successor_count && state->successors[count] == i;
            count++;
        }
    return !state->successors || (same && count == state->successor_count);
}

static void write_state(tr_json_writer *writer, const tr_behavior_file *file,
                        const tr_behavior_state *state) {
    tr_json_write_object(writer);
    put_text(writer, "name", state->name);
    put_text(writer, "begin", file->def.labels[state->begin]);
    put_text(writer, "end", file->def.labels[state->end]);
    put_float(writer, "weight", state->weight);
    if (state->serves != 0)
        put_text(writer, "serves", file->def.bands[state->serves].name);
    if (state->parametrised) {
        tr_json_write_key(writer, "parametrised");
        tr_json_write_boolean(writer, true);
    }
    if (!has_all_successors(&file->def, state)) {
        tr_json_write_key(writer, "successors");
        tr_json_write_array(writer);
        for (uint32_t i = 0; i < state->successor_count; i++)
            tr_json_write_text(writer, file->def.states[state->successors[i]].name);
        tr_json_write_end(writer);
    }
    tr_json_write_key(writer, "moves");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < state->move_count; i++)
        write_move(writer, file, &state->moves[i], state->parametrised);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

static void write_motion(tr_json_writer *writer, const tr_behavior_file *file) {
    if (!file->cast && !file->body)
        return;
    tr_json_write_key(writer, "motion");
    tr_json_write_object(writer);
    put_text(writer, file->cast ? "cast" : "body", file->cast ? file->cast : file->body);
    put_unless_zero(writer, "height", file->height);
    tr_json_write_end(writer);
}

static void write_bands(tr_json_writer *writer, const tr_behavior_def *def) {
    tr_json_write_key(writer, "bands");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < def->band_count; i++) {
        tr_json_write_object(writer);
        put_text(writer, "name", def->bands[i].name);
        put_float(writer, "low", def->bands[i].low);
        put_float(writer, "high", def->bands[i].high);
        if (def->bands[i].climbs) {
            tr_json_write_key(writer, "climbs");
            tr_json_write_boolean(writer, true);
        }
        tr_json_write_end(writer);
    }
    tr_json_write_end(writer);
}

static void write_labels(tr_json_writer *writer, const tr_behavior_def *def) {
    tr_json_write_key(writer, "labels");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < def->label_count; i++)
        tr_json_write_text(writer, def->labels[i]);
    tr_json_write_end(writer);
    put_text(writer, "rest", def->labels[def->rest]);
}

static void write_machine(tr_json_writer *writer, const tr_behavior_file *file) {
    const tr_behavior_def *def = &file->def;
    tr_json_write_object(writer);
    put_text(writer, "name", def->name);
    tr_json_write_key(writer, "frames_per_second");
    tr_json_write_number(writer, def->frames_per_second);
    put_float(writer, "radius", def->radius);
    put_unless_zero(writer, "up", def->up);
    put_unless_zero(writer, "down", def->down);
    put_unless_zero(writer, "idle", def->idle);
    if (def->discs_hold) {
        tr_json_write_key(writer, "discs_hold");
        tr_json_write_boolean(writer, true);
    }
    write_motion(writer, file);
    write_bands(writer, def);
    write_labels(writer, def);
    tr_json_write_key(writer, "states");
    tr_json_write_array(writer);
    for (uint32_t i = 0; i < def->state_count; i++)
        write_state(writer, file, &def->states[i]);
    tr_json_write_end(writer);
    tr_json_write_end(writer);
}

static tr_status check_name(const char *what, uint32_t number, const char *name, const char *other,
                            tr_error *error) {
    if (!name || !name[0])
        return tr_fail(error, TR_INVALID, "%s %u has no name, which a machine file needs", what, number);
    if (other && strcmp(name, other) == 0)
        return tr_fail(error, TR_INVALID, "two %ss are named '%.60s', a machine file needs different names",
                       what, name);
    return TR_OK;
}

static tr_status check_names(const tr_behavior_def *def, tr_error *error) {
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < def->label_count && status == TR_OK; i++)
        for (uint32_t k = 0; k <= i && status == TR_OK; k++)
            status = check_name("label", i, def->labels[i], k < i ? def->labels[k] : NULL, error);
    for (uint32_t i = 0; i < def->band_count && status == TR_OK; i++)
        for (uint32_t k = 0; k <= i && status == TR_OK; k++)
            status = check_name("band", i, def->bands[i].name, k < i ? def->bands[k].name : NULL, error);
    for (uint32_t i = 0; i < def->state_count && status == TR_OK; i++)
        for (uint32_t k = 0; k <= i && status == TR_OK; k++)
            status = check_name("state", i, def->states[i].name, k < i ? def->states[k].name : NULL, error);
    return status;
}

tr_status tr_behavior_file_write(const tr_behavior_file *file, const tr_allocator *allocator, tr_bytes *text,
                                 tr_error *error) {
    *text = (tr_bytes){NULL, 0};
    tr_behavior *behavior = NULL;
    tr_behavior_def def = file->def;
    def.allocator = allocator;
    for (uint32_t i = 0; i < file->clip_count; i++)
        def.discs_hold &= !file->clips[i].is_measured;
    tr_status status = tr_behavior_create(&def, &behavior, error);
    tr_behavior_destroy(behavior);
    if (status == TR_OK)
        status = check_names(&file->def, error);
    if (status != TR_OK)
        return status;
    tr_json_writer writer = tr_json_writer_begin(allocator);
    tr_bytes compact = {NULL, 0};
    write_machine(&writer, file);
    status = tr_json_writer_finish(&writer, &compact, error);
    if (status == TR_OK)
        status = tr_json_lay_out(&compact, allocator, text, error);
    tr_bytes_free(allocator, &compact);
    return status;
}
