// What makes a machine of behaviors valid.
#include "behavior_data.h"

static const char *name_of(const char *name) {
    return name ? name : "(no name)";
}

static tr_status check_bands(const tr_behavior_def *def, tr_error *error) {
    if (!def->bands || def->band_count == 0 || def->band_count > TR_BEHAVIOR_BANDS_MAX)
        return tr_fail(error, TR_INVALID, "a machine has %u bands of heights, it must have 1 to %d",
                       def->band_count, TR_BEHAVIOR_BANDS_MAX);
    for (uint32_t i = 0; i < def->band_count; i++) {
        const tr_behavior_band *band = &def->bands[i];
        if (!(band->low >= 0 && band->low < band->high && isfinite(band->high)))
            return tr_fail(error, TR_INVALID,
                           "band %u '%s' is from %g to %g m, it must begin at 0 or higher and end above that",
                           i, name_of(band->name), (double)band->low, (double)band->high);
    }
    return TR_OK;
}

static tr_status check_numbers(const tr_behavior_def *def, tr_error *error) {
    if (!def->labels || def->label_count == 0)
        return tr_fail(error, TR_INVALID, "a machine has no transition labels, it must have at least one");
    if (def->rest >= def->label_count)
        return tr_fail(error, TR_INVALID, "the label of rest is %u, there are %u labels", def->rest,
                       def->label_count);
    if (!(def->radius > 0 && isfinite(def->radius)))
        return tr_fail(error, TR_INVALID, "the radius is %g m, it must be above 0", (double)def->radius);
    if (!(def->core >= 0 && isfinite(def->core)) || (def->core > 0 && !def->discs_hold))
        return tr_fail(error, TR_INVALID,
                       "the radius of the core is %g m, it must be at least 0, and 0 unless discs hold",
                       (double)def->core);
    if (!(def->frames_per_second > 0 && isfinite(def->frames_per_second)))
        return tr_fail(error, TR_INVALID, "frames_per_second is %g, it must be above 0",
                       def->frames_per_second);
    if (!(def->up >= 0 && def->down >= 0 && isfinite(def->up) && isfinite(def->down)))
        return tr_fail(error, TR_INVALID, "up is %g and down is %g a metre, they must be at least 0",
                       (double)def->up, (double)def->down);
    if (!(def->idle >= 0 && isfinite(def->idle)))
        return tr_fail(error, TR_INVALID, "idle is %g m/s, it must be at least 0", (double)def->idle);
    if (!def->states || def->state_count == 0 || def->state_count > TR_BEHAVIOR_STATES_MAX)
        return tr_fail(error, TR_INVALID, "a machine has %u states, it must have 1 to %d", def->state_count,
                       TR_BEHAVIOR_STATES_MAX);
    return check_bands(def, error);
}

static tr_status check_discs(const tr_behavior_def *def, const tr_behavior_state *state,
                             const tr_behavior_move *move, tr_error *error) {
    if (move->disc_count && !move->discs)
        return tr_fail(error, TR_INVALID, "state '%s', move '%s': its %u discs are missing",
                       name_of(state->name), name_of(move->name), move->disc_count);
    if (def->discs_hold && (move->disc_count == 0 || move->discs[0].frame > 0))
        return tr_fail(error, TR_INVALID,
                       "state '%s', move '%s': it has no discs at frame 0, discs that hold the body begin "
                       "there",
                       name_of(state->name), name_of(move->name));
    for (uint32_t i = 0; i < move->disc_count; i++) {
        const tr_behavior_disc *disc = &move->discs[i];
        const char *problem = NULL;
        if (!isfinite(disc->x) || !isfinite(disc->z))
            problem = "its place is not finite";
        else if (disc->frame > move->frames)
            problem = "its frame is after the end of the move";
        else if (i > 0 && disc->frame < disc[-1].frame)
            problem = "its frame is before that of the disc before";
        else if (disc->band >= def->band_count)
            problem = "there is no such band";
        if (problem)
            return tr_fail(error, TR_INVALID,
                           "state '%s', move '%s', disc %u at (%g, %g), frame %u, band %u: %s",
                           name_of(state->name), name_of(move->name), i, (double)disc->x, (double)disc->z,
                           disc->frame, disc->band, problem);
    }
    return TR_OK;
}

static tr_status check_core(const tr_behavior_state *state, const tr_behavior_move *move, tr_error *error) {
    const char *problem = !move->core || move->core_count == 0 ? "it has none"
                          : move->core->frame > 0              ? "there is none at frame 0"
                          : state->parametrised                ? "the state is parametrised"
                                                               : NULL;
    for (uint32_t i = 0; !problem && i < move->core_count; i++) {
        const tr_behavior_disc *disc = &move->core[i];
        if (!(fabsf(disc->x) < 1e4f && fabsf(disc->z) < 1e4f))
            problem = "a place is out of range";
        else if (disc->frame > move->frames || (i > 0 && disc->frame < disc[-1].frame))
            problem = "a frame is before that of the disc before, or after the end of the move";
    }
    return problem ? tr_fail(error, TR_INVALID, "state '%s', move '%s', core discs: %s", name_of(state->name),
                             name_of(move->name), problem)
                   : TR_OK;
}

static tr_status check_move(const tr_behavior_def *def, const tr_behavior_state *state, uint32_t index,
                            tr_error *error) {
    const tr_behavior_move *move = &state->moves[index];
    if (move->frames == 0 || move->frames > TR_BEHAVIOR_FRAMES_MAX)
        return tr_fail(error, TR_INVALID, "state '%s', move %u '%s' takes %u frames, it must take 1 to %d",
                       name_of(state->name), index, name_of(move->name), move->frames,
                       TR_BEHAVIOR_FRAMES_MAX);
    bool finite = isfinite(move->x) && isfinite(move->z) && isfinite(move->rise) && isfinite(move->edge);
    if (!finite || !(fabsf(move->x) < 1e4f && fabsf(move->z) < 1e4f && fabsf(move->rise) < 1e4f))
        return tr_fail(error, TR_INVALID, "state '%s', move %u '%s' goes (%g, %g) and rises by %g m",
                       name_of(state->name), index, name_of(move->name), (double)move->x, (double)move->z,
                       (double)move->rise);
    if (!(fabsf(move->turn) < 1e3f))
        return tr_fail(error, TR_INVALID, "state '%s', move %u '%s' turns by %g rad", name_of(state->name),
                       index, name_of(move->name), (double)move->turn);
    if (move->action != TR_NONE && move->action > move->frames)
        return tr_fail(error, TR_INVALID, "state '%s', move %u '%s': its action is at frame %u of %u",
                       name_of(state->name), index, name_of(move->name), move->action, move->frames);
    tr_status status = check_discs(def, state, move, error);
    return status == TR_OK && def->core > 0 ? check_core(state, move, error) : status;
}

static tr_status check_parameters(const tr_behavior_state *state, tr_error *error) {
    if (state->move_count < 2)
        return tr_fail(error, TR_INVALID,
                       "state '%s' is parametrised and has one move, it must have two or more",
                       name_of(state->name));
    const tr_behavior_move *first = state->moves;
    for (uint32_t i = 0; i < state->move_count; i++) {
        const tr_behavior_move *move = &state->moves[i];
        if (!isfinite(move->parameter) || (i > 0 && !(move->parameter > move[-1].parameter)))
            return tr_fail(
                error, TR_INVALID,
                "state '%s': the parameter of move %u is %g, parameters must rise from move to move",
                name_of(state->name), i, (double)move->parameter);
        bool same = move->disc_count == first->disc_count;
        for (uint32_t k = 0; same && k < move->disc_count; k++)
            same = move->discs[k].band == first->discs[k].band;
        if (!same)
            return tr_fail(
                error, TR_INVALID,
                "state '%s': moves 0 and %u differ in their number of discs or in the bands of these",
                name_of(state->name), i);
    }
    return TR_OK;
}

static tr_status check_successors(const tr_behavior_def *def, const tr_behavior_state *state,
                                  tr_error *error) {
    if (!state->successors && state->successor_count)
        return tr_fail(error, TR_INVALID, "state '%s': its %u successors are missing", name_of(state->name),
                       state->successor_count);
    for (uint32_t i = 0; i < state->successor_count; i++) {
        uint32_t next = state->successors[i];
        if (next >= def->state_count)
            return tr_fail(error, TR_INVALID, "state '%s': its successor %u is state %u, there are %u states",
                           name_of(state->name), i, next, def->state_count);
        if (def->states[next].begin != state->end)
            return tr_fail(
                error, TR_INVALID, "state '%s' ends with label '%s', its successor '%s' begins with another",
                name_of(state->name), name_of(def->labels[state->end]), name_of(def->states[next].name));
    }
    return TR_OK;
}

static tr_status check_state(const tr_behavior_def *def, uint32_t index, tr_error *error) {
    const tr_behavior_state *state = &def->states[index];
    if (!state->moves || state->move_count == 0)
        return tr_fail(error, TR_INVALID, "state %u '%s' has no moves", index, name_of(state->name));
    if (state->begin >= def->label_count || state->end >= def->label_count)
        return tr_fail(error, TR_INVALID, "state '%s' goes from label %u to label %u, there are %u labels",
                       name_of(state->name), state->begin, state->end, def->label_count);
    if (!(state->weight > 0 && state->weight <= 1e6f))
        return tr_fail(error, TR_INVALID, "state '%s' has weight %g, it must be above 0 and at most 1e6",
                       name_of(state->name), (double)state->weight);
    if (state->serves >= def->band_count)
        return tr_fail(error, TR_INVALID, "state '%s' serves band %u, there are %u bands",
                       name_of(state->name), state->serves, def->band_count);
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < state->move_count && status == TR_OK; i++)
        status = check_move(def, state, i, error);
    if (status == TR_OK && state->parametrised)
        status = check_parameters(state, error);
    return status;
}

tr_status tr_behavior_check(const tr_behavior_def *def, tr_error *error) {
    tr_status status = check_numbers(def, error);
    uint64_t moves = 0, discs = 0;
    for (uint32_t i = 0; status == TR_OK && i < def->state_count; i++) {
        status = check_state(def, i, error);
        for (uint32_t k = 0; status == TR_OK && k < def->states[i].move_count; k++)
            discs += def->states[i].moves[k].disc_count + 1;
        moves += def->states[i].move_count;
    }
    for (uint32_t i = 0; status == TR_OK && i < def->state_count; i++)
        status = check_successors(def, &def->states[i], error);
    if (status == TR_OK && (moves >= UINT32_MAX / 2 || discs >= UINT32_MAX / 2))
        status = tr_fail(error, TR_LIMIT, "a machine has more than 2^31 moves or discs");
    return status;
}
