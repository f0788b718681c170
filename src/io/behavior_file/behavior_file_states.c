// The states of a machine file and their moves.
#include "behavior_file_data.h"

#include "troupe/base/scalar.h"

#include <string.h>

// --- Moves ---

// A float that reads back the same.
static tr_status read_degrees(const machine_reading *reading, uint32_t object, float *angle) {
    double degrees = 0;
    tr_status status = tr_json_get_number(reading->json, object, "turn_degrees", TR_JSON_OPTIONAL, -720, 720,
                                          &degrees, reading->error);
    *angle = (float)(degrees * (TR_PI / 180));
    return status;
}

static tr_status read_disc(const machine_reading *reading, uint32_t value, uint32_t frames,
                           tr_behavior_disc *disc) {
    static const char form[] = "must be [frame, x, z] or [frame, x, z, band]";
    uint32_t count = tr_json_count(reading->json, value);
    double numbers[4] = {0};
    if (tr_json_kind_of(reading->json, value) != TR_JSON_ARRAY || count < 3 || count > 4)
        return tr_json_fail(reading->json, value, reading->error, "%s", form);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t item = tr_json_item(reading->json, value, i);
        bool whole = i == 0 || i == 3;
        numbers[i] = tr_json_number(reading->json, item);
        double low = whole ? 0 : -MACHINE_FILE_METRES_MAX, high = MACHINE_FILE_METRES_MAX;
        if (i == 0)
            high = (double)frames;
        else if (i == 3)
            high = (double)reading->file->def.band_count - 1;
        if (tr_json_kind_of(reading->json, item) != TR_JSON_NUMBER)
            return tr_json_fail(reading->json, item, reading->error, "is not a number; a disc %s", form);
        if (!(numbers[i] >= low && numbers[i] <= high) || (whole && floor(numbers[i]) != numbers[i]))
            return tr_json_fail(reading->json, item, reading->error, "is %g, it must be %s%g to %g",
                                numbers[i], whole ? "a whole number from " : "", low, high);
    }
    *disc =
        (tr_behavior_disc){(float)numbers[1], (float)numbers[2], (uint16_t)numbers[0], (uint8_t)numbers[3]};
    return TR_OK;
}

static tr_status read_discs(machine_reading *reading, uint32_t object, tr_behavior_move *move) {
    uint32_t list = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, object, "discs", TR_JSON_OPTIONAL, &list, reading->error);
    uint32_t count = tr_json_count(reading->json, list);
    if (status != TR_OK || count == 0)
        return status;
    tr_behavior_disc *discs = tr_machine_allocate(reading->file, count, sizeof *discs);
    if (!discs)
        return tr_machine_no_memory(reading);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        uint32_t value = tr_json_item(reading->json, list, i);
        status = read_disc(reading, value, move->frames, &discs[i]);
        if (status == TR_OK && i > 0 && discs[i].frame < discs[i - 1].frame)
            return tr_json_fail(reading->json, value, reading->error,
                                "is at frame %u, before the disc that it follows: frames must rise",
                                discs[i].frame);
    }
    move->discs = discs;
    move->disc_count = count;
    return status;
}

// The numbers of a move that the file has.
static tr_status read_numbers(machine_reading *reading, uint32_t object, tr_behavior_move *move) {
    const double most = MACHINE_FILE_METRES_MAX;
    tr_status status = tr_machine_get_count(reading, object, "frames", TR_JSON_REQUIRED, 1,
                                            MACHINE_FILE_FRAMES_MAX, &move->frames);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, object, "x", TR_JSON_OPTIONAL, -most, most, &move->x);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, object, "z", TR_JSON_OPTIONAL, -most, most, &move->z);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, object, "rise", TR_JSON_OPTIONAL, -most, most, &move->rise);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, object, "edge", TR_JSON_OPTIONAL, -most, most, &move->edge);
    if (status == TR_OK)
        status = read_degrees(reading, object, &move->turn);
    return status == TR_OK ? read_discs(reading, object, move) : status;
}

// A move without numbers: they are to be measured from its motion.
static tr_status expect_measuring(const machine_reading *reading, uint32_t object,
                                  const tr_behavior_file_clip *clip, tr_behavior_move *move) {
    static const char *const numbers[] = {"x", "z", "turn_degrees", "rise", "edge", "discs"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (tr_machine_has(reading, object, numbers[i]))
            return tr_json_fail(reading->json, object, reading->error,
                                "has \"%s\" but no \"frames\": give all numbers of a move, or none to have "
                                "them measured",
                                numbers[i]);
    if (!clip->file && !reading->file->cast)
        return tr_json_fail(reading->json, object, reading->error,
                            "has no \"frames\", and no motion to measure them from: it needs a \"file\", or "
                            "the machine a \"motion\"");
    move->frames = clip->file ? clip->last - clip->first : 1;
    return TR_OK;
}

static tr_status read_clip(machine_reading *reading, uint32_t object, tr_behavior_file_clip *clip) {
    static const char *const of_files[] = {"figure", "first", "last", "extra", "mirrored"};
    clip->line = tr_json_line(reading->json, object);
    tr_status status = tr_machine_get_text(reading, object, "file", TR_JSON_OPTIONAL, &clip->file);
    if (status == TR_OK)
        status = tr_machine_get_text(reading, object, "clip", TR_JSON_OPTIONAL, &clip->name);
    if (status != TR_OK)
        return status;
    if (!clip->file) {
        for (size_t i = 0; i < sizeof of_files / sizeof *of_files; i++)
            if (tr_machine_has(reading, object, of_files[i]))
                return tr_json_fail(reading->json, tr_json_member(reading->json, object, of_files[i]),
                                    reading->error, "requires \"file\", the motion file that it is about");
        return TR_OK;
    }
    if (reading->file->cast)
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, "file"), reading->error,
                            "cannot be given: the machine takes its motion from the cast \"%s\"",
                            reading->file->cast);
    status = tr_machine_get_text(reading, object, "figure", TR_JSON_OPTIONAL, &clip->figure);
    if (status == TR_OK)
        status = tr_machine_get_count(reading, object, "first", TR_JSON_OPTIONAL, 0, MACHINE_FILE_NUMBER_MAX,
                                      &clip->first);
    if (status == TR_OK)
        status = tr_machine_get_count(reading, object, "last", TR_JSON_REQUIRED, 1, MACHINE_FILE_NUMBER_MAX,
                                      &clip->last);
    if (status == TR_OK)
        status = tr_machine_get_count(reading, object, "extra", TR_JSON_OPTIONAL, 0, 1000, &clip->extra);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, object, "mirrored", TR_JSON_OPTIONAL, &clip->mirrored,
                                     reading->error);
    if (status == TR_OK && (clip->first >= clip->last || clip->last - clip->first > MACHINE_FILE_FRAMES_MAX))
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, "last"), reading->error,
                            "is frame %u, it must be 1 to %u after first, which is %u", clip->last,
                            MACHINE_FILE_FRAMES_MAX, clip->first);
    return status;
}

static tr_status read_move(machine_reading *reading, uint32_t object, bool parametrised,
                           tr_behavior_move *move, tr_behavior_file_clip *clip) {
    static const char *const known[] = {"name",  "parameter",    "action", "frames",   "x",      "z",
                                        "rise",  "turn_degrees", "discs",  "file",     "figure", "clip",
                                        "first", "last",         "extra",  "mirrored", "edge",   NULL};
    if (tr_json_kind_of(reading->json, object) != TR_JSON_OBJECT)
        return tr_json_fail(reading->json, object, reading->error,
                            "must be an object with \"frames\" or a motion");
    tr_status status = tr_machine_check_keys(reading, object, known);
    if (status == TR_OK)
        status = tr_machine_get_text(reading, object, "name", TR_JSON_OPTIONAL, &move->name);
    if (status == TR_OK)
        status = read_clip(reading, object, clip);
    if (status != TR_OK)
        return status;
    clip->is_measured = !tr_machine_has(reading, object, "frames");
    status = clip->is_measured ? expect_measuring(reading, object, clip, move)
                               : read_numbers(reading, object, move);
    if (status == TR_OK && parametrised)
        status = tr_machine_get_float(reading, object, "parameter", TR_JSON_REQUIRED,
                                      -MACHINE_FILE_NUMBER_MAX, MACHINE_FILE_NUMBER_MAX, &move->parameter);
    else if (status == TR_OK && tr_machine_has(reading, object, "parameter"))
        return tr_json_fail(reading->json, tr_json_member(reading->json, object, "parameter"), reading->error,
                            "requires \"parametrised\": true in the state");
    move->action = TR_NONE;
    bool is_open = clip->is_measured && !clip->file; // how long it takes is not known yet
    if (status == TR_OK)
        status = tr_machine_get_count(reading, object, "action", TR_JSON_OPTIONAL, 0,
                                      is_open ? MACHINE_FILE_FRAMES_MAX : move->frames, &move->action);
    if (is_open && move->action != TR_NONE && move->action > move->frames)
        move->frames = move->action;
    return status;
}

static tr_status read_moves(machine_reading *reading, uint32_t object, tr_behavior_state *state) {
    tr_behavior_file *file = reading->file;
    uint32_t list = tr_json_member(reading->json, object, "moves"), count = state->move_count;
    tr_behavior_move *moves = tr_machine_allocate(file, count, sizeof *moves);
    if (!moves)
        return tr_machine_no_memory(reading);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        tr_behavior_file_clip *clip = &reading->clips[file->clip_count];
        moves[i].clip = file->clip_count++;
        status =
            read_move(reading, tr_json_item(reading->json, list, i), state->parametrised, &moves[i], clip);
        file->measured_count += clip->is_measured;
    }
    state->moves = moves;
    return status;
}

// --- States ---

static tr_status read_successors(machine_reading *reading, uint32_t object, uint32_t number,
                                 tr_behavior_state *state) {
    uint32_t list = TR_NONE;
    tr_status status =
        tr_json_get_array(reading->json, object, "successors", TR_JSON_OPTIONAL, &list, reading->error);
    uint32_t count = tr_json_count(reading->json, list);
    if (status != TR_OK || list == TR_NONE)
        return status;
    if (count == 0)
        return tr_json_fail(reading->json, list, reading->error,
                            "is empty; leave it out for all states that begin with the label of the end");
    uint32_t *successors = tr_machine_allocate(reading->file, count, sizeof *successors);
    if (!successors)
        return tr_machine_no_memory(reading);
    for (uint32_t i = 0; i < count && status == TR_OK; i++) {
        uint32_t value = tr_json_item(reading->json, list, i);
        status = tr_machine_names_find(reading, &reading->states, value, &successors[i]);
        if (status == TR_OK && reading->last_seen[successors[i]] == number)
            return tr_json_fail(reading->json, value, reading->error, "is \"%.60s\" for the second time",
                                reading->states.names[successors[i]]);
        if (status == TR_OK)
            reading->last_seen[successors[i]] = number;
    }
    state->successors = successors;
    state->successor_count = count;
    return status;
}

static tr_status read_label(const machine_reading *reading, uint32_t object, const char *key,
                            uint32_t *label) {
    if (!tr_machine_has(reading, object, key))
        return tr_json_fail(reading->json, object, reading->error, "has no \"%s\", a transition label", key);
    return tr_machine_names_find(reading, &reading->labels, tr_json_member(reading->json, object, key),
                                 label);
}

static tr_status read_serves(const machine_reading *reading, uint32_t object, tr_behavior_state *state) {
    uint32_t value = tr_json_member(reading->json, object, "serves");
    if (!tr_machine_has(reading, object, "serves"))
        return TR_OK;
    tr_status status = tr_machine_names_find(reading, &reading->bands, value, &state->serves);
    if (status == TR_OK && state->serves == 0)
        return tr_json_fail(reading->json, value, reading->error,
                            "is \"%.60s\", the first band; leave it out for an ordinary behavior",
                            reading->bands.names[0]);
    return status;
}

static tr_status read_state(machine_reading *reading, uint32_t object, uint32_t number,
                            tr_behavior_state *state) {
    static const char *const known[] = {"name",         "begin",      "end",   "weight", "serves",
                                        "parametrised", "successors", "moves", NULL};
    state->name = reading->states.names[number];
    state->weight = 1;
    tr_status status = tr_machine_check_keys(reading, object, known);
    if (status == TR_OK)
        status = read_label(reading, object, "begin", &state->begin);
    if (status == TR_OK)
        status = read_label(reading, object, "end", &state->end);
    if (status == TR_OK)
        status = tr_machine_get_float(reading, object, "weight", TR_JSON_OPTIONAL, 1e-6,
                                      MACHINE_FILE_NUMBER_MAX, &state->weight);
    if (status == TR_OK)
        status = read_serves(reading, object, state);
    if (status == TR_OK)
        status = tr_json_get_boolean(reading->json, object, "parametrised", TR_JSON_OPTIONAL,
                                     &state->parametrised, reading->error);
    if (status == TR_OK)
        status = read_successors(reading, object, number, state);
    return status == TR_OK ? read_moves(reading, object, state) : status;
}

// Names and numbers of moves first: states name each other, and all clips are one array.
static tr_status read_names(machine_reading *reading, uint32_t list, uint64_t *move_count) {
    uint32_t count = tr_json_count(reading->json, list);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t object = tr_json_item(reading->json, list, i), moves = TR_NONE;
        if (tr_json_kind_of(reading->json, object) != TR_JSON_OBJECT)
            return tr_json_fail(reading->json, object, reading->error,
                                "must be an object with name, begin, end and moves");
        if (!tr_machine_has(reading, object, "name"))
            return tr_json_fail(reading->json, object, reading->error, "has no \"name\"");
        tr_status status =
            tr_machine_names_add(reading, &reading->states, tr_json_member(reading->json, object, "name"));
        if (status == TR_OK)
            status =
                tr_json_get_array(reading->json, object, "moves", TR_JSON_REQUIRED, &moves, reading->error);
        if (status != TR_OK)
            return status;
        reading->made[i].move_count = tr_json_count(reading->json, moves);
        if (reading->made[i].move_count == 0)
            return tr_json_fail(reading->json, moves, reading->error, "is empty, a state needs a move");
        *move_count += reading->made[i].move_count;
    }
    return TR_OK;
}

tr_status tr_machine_read_states(machine_reading *reading) {
    tr_behavior_file *file = reading->file;
    uint32_t list = TR_NONE;
    uint64_t move_count = 0;
    tr_status status =
        tr_json_get_array(reading->json, reading->root, "states", TR_JSON_REQUIRED, &list, reading->error);
    uint32_t count = tr_json_count(reading->json, list);
    if (status == TR_OK && (count == 0 || count > TR_BEHAVIOR_STATES_MAX))
        return tr_json_fail(reading->json, list, reading->error, "has %u states, it must have 1 to %u", count,
                            TR_BEHAVIOR_STATES_MAX);
    if (status == TR_OK)
        status = tr_machine_names_begin(reading, &reading->states, count);
    if (status != TR_OK)
        return status;
    reading->made = tr_machine_allocate(file, count, sizeof *reading->made);
    reading->last_seen = tr_machine_allocate(file, count, sizeof *reading->last_seen);
    if (!reading->made || !reading->last_seen)
        return tr_machine_no_memory(reading);
    memset(reading->last_seen, 0xff, count * sizeof *reading->last_seen);
    status = read_names(reading, list, &move_count);
    if (status == TR_OK && move_count > TR_BEHAVIOR_FILE_MOVES_MAX)
        return tr_json_fail(reading->json, list, reading->error, "has more than %u moves",
                            TR_BEHAVIOR_FILE_MOVES_MAX);
    if (status != TR_OK)
        return status;
    reading->clips = tr_machine_allocate(file, (size_t)move_count, sizeof *reading->clips);
    if (!reading->clips)
        return tr_machine_no_memory(reading);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = read_state(reading, tr_json_item(reading->json, list, i), i, &reading->made[i]);
    file->def.states = reading->made;
    file->def.state_count = count;
    file->clips = reading->clips;
    return status;
}
