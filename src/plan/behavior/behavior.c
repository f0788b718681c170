#include "behavior_data.h"

#include <string.h>

// --- Copying ---

static size_t text_bytes(const char *text) {
    return text ? strlen(text) + 1 : 0;
}

static size_t count_text(const tr_behavior_def *def) {
    size_t bytes = text_bytes(def->name) + 1;
    for (uint32_t i = 0; i < def->label_count; i++)
        bytes += text_bytes(def->labels[i]);
    for (uint32_t i = 0; i < def->band_count; i++)
        bytes += text_bytes(def->bands[i].name);
    for (uint32_t i = 0; i < def->state_count; i++) {
        bytes += text_bytes(def->states[i].name);
        for (uint32_t k = 0; k < def->states[i].move_count; k++)
            bytes += text_bytes(def->states[i].moves[k].name);
    }
    return bytes;
}

static uint32_t count_successors(const tr_behavior_def *def, const tr_behavior_state *state) {
    uint32_t count = 0;
    if (state->successors)
        return state->successor_count;
    for (uint32_t i = 0; i < def->state_count; i++)
        count += def->states[i].begin == state->end;
    return count;
}

static void count_all(tr_behavior *made, const tr_behavior_def *def) {
    for (uint32_t i = 0; i < def->state_count; i++) {
        const tr_behavior_state *state = &def->states[i];
        made->move_count += state->move_count;
        made->successor_count += count_successors(def, state);
        for (uint32_t k = 0; k < state->move_count; k++) {
            const tr_behavior_move *move = &state->moves[k];
            uint32_t discs = move->disc_count ? move->disc_count : tr_behavior_default_discs(def, move, NULL);
            made->disc_count += discs;
            made->core_count += def->core > 0 ? move->core_count : 0;
            made->disc_max = discs > made->disc_max ? discs : made->disc_max;
        }
    }
    made->text_size = count_text(def);
}

static bool allocate_all(tr_behavior *made, const tr_behavior_def *def) {
    const tr_allocator *memory = &made->allocator;
    made->bands = tr_allocate(memory, def->band_count, sizeof *made->bands);
    made->labels = tr_allocate(memory, def->label_count, sizeof *made->labels);
    made->states = tr_allocate(memory, def->state_count, sizeof *made->states);
    made->infos = tr_allocate_zero(memory, def->state_count, sizeof *made->infos);
    made->moves = tr_allocate(memory, made->move_count, sizeof *made->moves);
    made->move_infos = tr_allocate_zero(memory, made->move_count, sizeof *made->move_infos);
    made->discs = tr_allocate(memory, made->disc_count, sizeof *made->discs);
    made->samples = tr_allocate(memory, made->disc_count, sizeof *made->samples);
    if (made->core_count > 0) {
        made->cores = tr_allocate(memory, made->core_count, sizeof *made->cores);
        made->core_samples = tr_allocate(memory, made->core_count, sizeof *made->core_samples);
        if (!made->cores || !made->core_samples)
            return false;
    }
    made->successors = tr_allocate(memory, made->successor_count, sizeof *made->successors);
    made->text = tr_allocate(memory, made->text_size, 1);
    return made->bands && made->labels && made->states && made->infos && made->moves && made->move_infos &&
           made->discs && made->samples && made->successors && made->text;
}

void tr_behavior_destroy(tr_behavior *behavior) {
    if (!behavior)
        return;
    tr_allocator memory = behavior->allocator;
    const tr_behavior_def *def = &behavior->def;
    tr_release(&memory, behavior->bands, def->band_count, sizeof *behavior->bands);
    tr_release(&memory, behavior->labels, def->label_count, sizeof *behavior->labels);
    tr_release(&memory, behavior->states, def->state_count, sizeof *behavior->states);
    tr_release(&memory, behavior->infos, def->state_count, sizeof *behavior->infos);
    tr_release(&memory, behavior->moves, behavior->move_count, sizeof *behavior->moves);
    tr_release(&memory, behavior->move_infos, behavior->move_count, sizeof *behavior->move_infos);
    tr_release(&memory, behavior->discs, behavior->disc_count, sizeof *behavior->discs);
    tr_release(&memory, behavior->samples, behavior->disc_count, sizeof *behavior->samples);
    tr_release(&memory, behavior->cores, behavior->core_count, sizeof *behavior->cores);
    tr_release(&memory, behavior->core_samples, behavior->core_count, sizeof *behavior->core_samples);
    tr_release(&memory, behavior->successors, behavior->successor_count, sizeof *behavior->successors);
    tr_release(&memory, behavior->text, behavior->text_size, 1);
    tr_release(&memory, behavior, 1, sizeof *behavior);
}

static const char *copy_text(char **text, const char *from) {
    char *copy = *text;
    size_t bytes = text_bytes(from);
    if (!from)
        return NULL;
    memcpy(copy, from, bytes);
    *text += bytes;
    return copy;
}

// How many discs were copied.
typedef struct copied_discs {
    uint32_t discs, cores;
} copied_discs;

static void copy_move(tr_behavior *made, tr_behavior_move *move, char **text, copied_discs *copied) {
    tr_behavior_disc *discs = made->discs + copied->discs;
    move->core_count = made->def.core > 0 ? move->core_count : 0;
    if (move->core_count)
        memcpy(made->cores + copied->cores, move->core, move->core_count * sizeof *made->cores);
    move->core = move->core_count ? made->cores + copied->cores : NULL;
    copied->cores += move->core_count;
    move->name = copy_text(text, move->name);
    if (move->disc_count)
        memcpy(discs, move->discs, move->disc_count * sizeof *discs);
    else
        move->disc_count = tr_behavior_default_discs(&made->def, move, discs);
    move->discs = discs;
    copied->discs += move->disc_count;
}

static void copy_states(tr_behavior *made, const tr_behavior_def *def, char **text) {
    uint32_t first_move = 0, successor = 0;
    copied_discs copied = {0, 0};
    for (uint32_t i = 0; i < def->state_count; i++) {
        tr_behavior_state *state = &made->states[i];
        *state = def->states[i];
        state->name = copy_text(text, state->name);
        memcpy(made->moves + first_move, state->moves, state->move_count * sizeof *made->moves);
        state->moves = made->moves + first_move;
        made->infos[i].first_move = first_move;
        for (uint32_t k = 0; k < state->move_count; k++)
            copy_move(made, &made->moves[first_move + k], text, &copied);
        first_move += state->move_count;
        uint32_t *successors = made->successors + successor;
        for (uint32_t k = 0; k < def->state_count && !state->successors; k++)
            if (def->states[k].begin == state->end)
                made->successors[successor++] = k;
        for (uint32_t k = 0; state->successors && k < state->successor_count; k++)
            made->successors[successor++] = state->successors[k];
        state->successors = successors;
        state->successor_count = (uint32_t)(made->successors + successor - successors);
    }
}

static void copy_all(tr_behavior *made, const tr_behavior_def *def) {
    char *text = made->text;
    made->def.name = copy_text(&text, def->name);
    for (uint32_t i = 0; i < def->label_count; i++)
        made->labels[i] = copy_text(&text, def->labels[i]);
    for (uint32_t i = 0; i < def->band_count; i++) {
        made->bands[i] = def->bands[i];
        made->bands[i].name = copy_text(&text, def->bands[i].name);
    }
    copy_states(made, def, &text);
    made->def.allocator = &made->allocator;
    made->def.labels = made->labels;
    made->def.bands = made->bands;
    made->def.states = made->states;
}

// --- The graph ---

// Adds to the states that are marked all that follow them, or that they follow.
static void spread(const tr_behavior *made, bool *marked, bool forwards) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < made->def.state_count; i++) {
            const tr_behavior_state *state = &made->states[i];
            for (uint32_t k = 0; k < state->successor_count; k++) {
                uint32_t from = forwards ? i : state->successors[k], to = forwards ? state->successors[k] : i;
                changed = changed || (marked[from] && !marked[to]);
                marked[to] = marked[to] || marked[from];
            }
        }
    }
}

static const char *label_of(const tr_behavior *made, uint32_t label) {
    return made->labels[label] ? made->labels[label] : "(no name)";
}

static tr_status check_way(const tr_behavior *made, bool *marked, bool forwards, tr_error *error) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < made->def.state_count; i++) {
        marked[i] = (forwards ? made->states[i].begin : made->states[i].end) == made->def.rest;
        count += marked[i];
    }
    if (count == 0)
        return tr_fail(error, TR_INVALID, "no state %s label '%s', which is rest: there is no way to %s",
                       forwards ? "begins with" : "ends with", label_of(made, made->def.rest),
                       forwards ? "set out" : "stop");
    spread(made, marked, forwards);
    for (uint32_t i = 0; i < made->def.state_count; i++)
        if (!marked[i])
            return tr_fail(error, TR_INVALID, "state %u '%s' %s rest (label '%s')", i,
                           made->states[i].name ? made->states[i].name : "(no name)",
                           forwards ? "cannot be reached from" : "cannot get back to",
                           label_of(made, made->def.rest));
    return TR_OK;
}

static tr_status check_graph(const tr_behavior *made, tr_error *error) {
    bool *marked = tr_allocate(&made->allocator, made->def.state_count, sizeof *marked);
    if (!marked)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a machine of %u states",
                       made->def.state_count);
    tr_status status = check_way(made, marked, true, error);
    if (status == TR_OK)
        status = check_way(made, marked, false, error);
    tr_release(&made->allocator, marked, made->def.state_count, sizeof *marked);
    return status;
}

// --- What the search needs ---

static bool same_successors(const tr_behavior_state *a, const tr_behavior_state *b) {
    return a->end == b->end && a->successor_count == b->successor_count &&
           memcmp(a->successors, b->successors, a->successor_count * sizeof *a->successors) == 0;
}

static void find_groups(tr_behavior *made) {
    for (uint32_t i = 0; i < made->def.state_count; i++) {
        uint32_t k = 0;
        while (k < i && !same_successors(&made->states[k], &made->states[i]))
            k++;
        made->infos[i].group = k < i ? made->infos[k].group : made->group_count++;
    }
}

static void find_rate(tr_behavior *made) {
    made->rate = INFINITY;
    for (uint32_t i = 0; i < made->def.state_count; i++) {
        behavior_state_info *info = &made->infos[i];
        info->cost = info->distance * (double)made->states[i].weight;
        double rate = made->states[i].parametrised ? (double)made->states[i].weight
                      : info->longest > 0          ? info->cost / info->longest
                                                   : (double)INFINITY;
        made->rate = rate < made->rate ? rate : made->rate;
    }
}

// What a move of a state costs more than its metres at the rate of the machine, at least.
static double surplus_of(const tr_behavior *made, uint32_t state) {
    const behavior_state_info *info = &made->infos[state];
    double surplus = made->states[state].parametrised ? 0 : info->cost - made->rate * info->longest;
    return surplus > 0 ? surplus : 0;
}

// Coming to rest may take moves that are dear for their length, such as a stop.
static void find_finish(tr_behavior *made) {
    for (uint32_t i = 0; i < made->def.state_count; i++)
        made->infos[i].finish = made->states[i].end == made->def.rest ? 0 : (double)INFINITY;
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t i = 0; i < made->def.state_count; i++) {
            const tr_behavior_state *state = &made->states[i];
            for (uint32_t k = 0; k < state->successor_count; k++) {
                uint32_t next = state->successors[k];
                double finish = surplus_of(made, next) + made->infos[next].finish;
                if (finish < made->infos[i].finish) {
                    made->infos[i].finish = finish;
                    changes = true;
                }
            }
        }
    }
}

static void measure_state(tr_behavior *made, uint32_t index, uint32_t *sample, uint32_t *core) {
    const tr_behavior_state *state = &made->states[index];
    behavior_state_info *info = &made->infos[index];
    for (uint32_t k = 0; k < state->move_count; k++) {
        const tr_behavior_move *move = &state->moves[k];
        behavior_move_info *own = &made->move_infos[info->first_move + k];
        double way = behavior_way(move);
        made->fastest = way / move->frames > made->fastest ? way / move->frames : made->fastest;
        own->first_sample = *sample;
        own->sample_count = move->disc_count;
        own->first_core = *core;
        if (move->core_count)
            tr_behavior_sample(move->core, move->core_count, move->frames, true, made->core_samples + *core);
        *core += move->core_count;
        own->action_frame = behavior_action_frame(move);
        behavior_axes_turn(move->turn, &own->sine, &own->cosine);
        own->action = tr_behavior_disc_place(move->discs, move->disc_count, own->action_frame);
        if (made->def.bands[state->serves].climbs)
            own->action = tr_vec2_make(0, move->edge);
        float step = tr_behavior_sample(move->discs, move->disc_count, move->frames, made->def.discs_hold,
                                        made->samples + *sample);
        float hop = step + tr_behavior_gap(move);
        made->hop = hop > made->hop ? hop : made->hop;
        step = made->def.discs_hold ? 0 : step;
        made->step = step > made->step ? step : made->step;
        *sample += move->disc_count;
        float reach = tr_vec2_length(own->action);
        info->reach = reach > info->reach ? reach : info->reach;
        info->longest = way > info->longest ? way : info->longest;
        info->distance += tr_behavior_distance(&made->def, move);
    }
    info->distance /= state->move_count;
    if (state->serves)
        made->special_bands |= 1u << state->serves;
}

tr_status tr_behavior_create(const tr_behavior_def *def, tr_behavior **behavior, tr_error *error) {
    *behavior = NULL;
    tr_status status = tr_behavior_check(def, error);
    if (status != TR_OK)
        return status;
    tr_allocator own = tr_allocator_or_default(def->allocator);
    tr_behavior *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a machine of behaviors");
    made->allocator = own;
    made->def = *def;
    count_all(made, def);
    if (allocate_all(made, def)) {
        copy_all(made, def);
        status = check_graph(made, error);
    } else {
        status = tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a machine of %u moves", made->move_count);
    }
    if (status != TR_OK) {
        tr_behavior_destroy(made);
        return status;
    }
    find_groups(made);
    for (uint32_t i = 0, sample = 0, core = 0; i < def->state_count; i++)
        measure_state(made, i, &sample, &core);
    find_rate(made);
    find_finish(made);
    *behavior = made;
    return TR_OK;
}

const tr_behavior_def *tr_behavior_def_of(const tr_behavior *behavior) {
    return &behavior->def;
}

// --- Parameters and weights ---

static void blend_move(const tr_behavior_move *a, const tr_behavior_move *b, float t,
                       tr_behavior_move *move) {
    *move = t < 0.5f ? *a : *b;
    move->x = behavior_lerp(a->x, b->x, t);
    move->z = behavior_lerp(a->z, b->z, t);
    move->turn = behavior_lerp(a->turn, b->turn, t);
    move->rise = behavior_lerp(a->rise, b->rise, t);
    move->edge = behavior_lerp(a->edge, b->edge, t);
    move->frames = behavior_lerp_frames(a->frames, b->frames, t);
    move->action = behavior_lerp_frames(behavior_action_frame(a), behavior_action_frame(b), t);
}

tr_status tr_behavior_interpolate(const tr_behavior *behavior, uint32_t state, float parameter,
                                  tr_behavior_move *move, tr_behavior_disc *discs) {
    if (state >= behavior->def.state_count || !behavior->states[state].parametrised)
        return TR_INVALID;
    const tr_behavior_state *from = &behavior->states[state];
    if (!(parameter >= from->moves[0].parameter && parameter <= from->moves[from->move_count - 1].parameter))
        return TR_INVALID;
    uint32_t lower;
    float t = behavior_between(from, parameter, &lower);
    const tr_behavior_move *a = &from->moves[lower], *b = a + 1;
    blend_move(a, b, t, move);
    move->parameter = parameter;
    move->discs = discs;
    for (uint32_t i = 0; discs && i < a->disc_count; i++)
        discs[i] = behavior_blend_disc(&a->discs[i], &b->discs[i], t);
    return TR_OK;
}

double tr_behavior_cost(const tr_behavior *behavior, uint32_t state, float parameter) {
    if (state >= behavior->def.state_count)
        return 0;
    tr_behavior_move move;
    if (!behavior->states[state].parametrised)
        return behavior->infos[state].cost;
    if (tr_behavior_interpolate(behavior, state, parameter, &move, NULL) != TR_OK)
        return 0;
    return tr_behavior_distance(&behavior->def, &move) * (double)behavior->states[state].weight;
}

tr_status tr_behavior_set_weight(tr_behavior *behavior, uint32_t state, float weight, tr_error *error) {
    if (state >= behavior->def.state_count)
        return tr_fail(error, TR_INVALID, "there is no state %u, the machine has %u", state,
                       behavior->def.state_count);
    if (!(weight > 0 && weight <= 1e6f))
        return tr_fail(error, TR_INVALID, "state '%s' has weight %g, it must be above 0 and at most 1e6",
                       behavior->states[state].name ? behavior->states[state].name : "(no name)",
                       (double)weight);
    behavior->states[state].weight = weight;
    find_rate(behavior);
    find_finish(behavior);
    return TR_OK;
}
