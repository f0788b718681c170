// One step of Algorithm 1: which actions a character may take (F), where they lead (T), and whether that is
// possible and new (G).
//
// The candidates of a place are put in the order of their totals, and only those are tested for collisions
// that are the best of all that waits: then the place goes back into the queue with the total of its next one
// (partial expansion: the same plans as if all were tested). Algorithm 1 as written, and truncated A*, test
// all of them at once.
#include "behavior_step.h"

#define CLIPS_NEAR 64 // among which a search picks
#define CLIPS_TRIED 4 // of a state, if the first ones collide
#define AIM_PLACES 24 // of the action of a special motion, along its parameters

// A move from the node that is expanded, and where it leads.
typedef struct behavior_candidate {
    behavior_step step;
    behavior_node child;
    uint32_t cost, estimate; // from the start of the search; to the goal
} behavior_candidate;

// The node that is expanded.
typedef struct expansion {
    tr_behavior_search *search;
    tr_search_step *step;
    uint32_t index;
    behavior_node node; // a copy: the tree grows meanwhile
    behavior_axes axes;
    float height;
    uint32_t candidate_count;
    bool is_eager;
} expansion;

// --- Memory ---

void tr_behavior_candidates_release(tr_behavior_search *s) {
    tr_release(&s->allocator, s->candidates, s->candidate_max, sizeof *s->candidates);
    tr_release(&s->allocator, s->order, s->candidate_max, sizeof *s->order);
    s->candidates = NULL;
    s->order = NULL;
    s->candidate_max = 0;
}

tr_status tr_behavior_candidates_reserve(tr_behavior_search *s, const tr_behavior *behavior) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        most += behavior->states[i].parametrised ? TR_BEHAVIOR_PARAMETERS_MAX + 1 : 1;
    if (most <= s->candidate_max)
        return TR_OK;
    tr_behavior_candidates_release(s);
    s->candidate_max = most;
    s->candidates = tr_allocate(&s->allocator, most, sizeof *s->candidates);
    s->order = tr_allocate(&s->allocator, most, sizeof *s->order);
    if (s->candidates && s->order)
        return TR_OK;
    tr_behavior_candidates_release(s);
    return TR_OUT_OF_MEMORY;
}

// --- G: collisions ---

static bool is_within(const expansion *e, const behavior_step *c, uint32_t band) {
    return behavior_step_serves(e->search->map, e->axes, e->node.frame, c, band);
}

// --- T, and the rest of G ---

uint32_t tr_behavior_estimate_at(const tr_behavior_search *s, const behavior_node *node, behavior_axes axes) {
    double x = (double)s->goals[node->leg].x - (double)node->x,
           z = (double)s->goals[node->leg].z - (double)node->z;
    double way = sqrt(x * x + z * z);
    uint32_t steps;
    if (s->query.heuristic == TR_BEHAVIOR_FIELD &&
        tr_behavior_field_steps(s, node->leg, node->x, node->z, &steps)) {
        double around = (double)(steps > 0 ? steps - 1 : 0) * (double)s->map->grid.cell * s->map->coarse;
        way = around > way ? around : way;
    }
    way -= (double)s->query.tolerance;
    double cost = (way > 0 ? way : 0) * s->behavior->rate;
    if (node->state != BEHAVIOR_NO_STATE)
        cost += s->behavior->infos[node->state].finish;
    if (s->query.heuristic == TR_BEHAVIOR_FIELD) {
        double outlook = tr_behavior_outlook_cost(s, node, axes);
        cost = outlook > cost ? outlook : cost;
    }
    double total = (cost + s->rest_of_way[node->leg]) * s->scale;
    return total < (double)UINT32_MAX / 2 ? (uint32_t)total : UINT32_MAX / 2;
}

// Where a move leads, and what it costs. false: nowhere, or too late (e->search->late says so).
static bool make_candidate(const expansion *e, const behavior_step *step, behavior_candidate *c,
                           behavior_lead *lead) {
    tr_behavior_search *s = e->search;
    c->step = *step;
    *lead = behavior_step_lead(s, &e->node, e->axes, e->height, step, &c->child, &c->cost);
    if (*lead != BEHAVIOR_LEADS)
        return false;
    behavior_axes axes = {c->child.x, c->child.z, e->axes.sine * step->cosine + e->axes.cosine * step->sine,
                          e->axes.cosine * step->cosine - e->axes.sine * step->sine};
    c->cost += e->step->cost;
    c->estimate = tr_behavior_estimate_at(s, &c->child, axes);
    return true;
}

// Adds the place that a candidate leads to, if it is wanted. false: it collides.
static bool try_candidate(expansion *e, behavior_candidate *c) {
    tr_behavior_search *s = e->search;
    const behavior_step *step = &c->step;
    const tr_behavior_state *state = &s->behavior->states[step->state];
    c->child.key = tr_behavior_table_key(s, &c->child, s->behavior->infos[step->state].group);
    behavior_entry *entry = tr_behavior_table_find(s, c->child.key);
    if (!behavior_is_wanted(s, entry, c->cost))
        return true;
    s->tests++;
    const behavior_sample *samples =
        step->samples ? step->samples : behavior_step_samples(s->behavior, step, s->samples);
    if (!behavior_step_is_clear(s->map, s->moves, e->axes, e->node.frame, step, samples) ||
        (state->serves && !is_within(e, step, state->serves)))
        return false;
    if (s->node_count == s->node_max) {
        s->full = true;
        s->core->overflowed = true; // ends the search
        return true;
    }
    uint32_t index = s->node_count++;
    s->nodes[index] = c->child;
    tr_behavior_table_enter(s, entry, index);
    search_take(e->step, index, c->cost, c->estimate);
    return true;
}

// --- F ---

static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

// Which clip of a state a place tries first. A search picks among a number of neighbours, which the seed
// chooses: these stay in the nearest cache, however many clips there are.
static uint32_t pick_clip(const expansion *e, uint32_t state, uint32_t count) {
    const tr_behavior_query *query = &e->search->query;
    uint64_t chance = mix(query->seed + mix((uint64_t)e->index << 16 | state));
    if (query->as_written || count <= CLIPS_NEAR)
        return (uint32_t)((chance >> 32) * count >> 32);
    uint64_t first = (mix(query->seed ^ state) >> 32) * count >> 32;
    return (uint32_t)((first + chance % CLIPS_NEAR) % count);
}

// Tries a candidate; if its clip collides, the next ones of the same state. Nothing is read of the others.
static void try_clips(expansion *e, behavior_candidate *c) {
    const tr_behavior_search *s = e->search;
    uint32_t state = c->step.state, pick = c->step.move, count = s->behavior->states[state].move_count;
    uint32_t tries = s->query.as_written || s->behavior->states[state].parametrised ? 1 : CLIPS_TRIED;
    bool is_done = try_candidate(e, c);
    for (uint32_t i = 1; i < tries && i < count && !is_done; i++) {
        behavior_lead lead;
        uint32_t k = pick + i < count ? pick + i : pick + i - count;
        behavior_step step = behavior_step_of(s->behavior, state, k, s->costs[state]);
        is_done = make_candidate(e, &step, c, &lead) ? try_candidate(e, c) : lead == BEHAVIOR_LEADS_LATE;
    }
}

// Notes a candidate, in the order of the totals; those of the same total in the order in which they come.
static bool note(expansion *e, const behavior_step *step) {
    tr_behavior_search *s = e->search;
    behavior_candidate *c = &s->candidates[e->candidate_count];
    behavior_lead lead;
    if (!make_candidate(e, step, c, &lead))
        return lead == BEHAVIOR_LEADS_LATE;
    uint64_t key = (uint64_t)c->cost + c->estimate;
    key = (key < UINT32_MAX ? key : UINT32_MAX) << 32 | e->candidate_count;
    uint32_t place = e->candidate_count++;
    for (; !e->is_eager && place > 0 && s->order[place - 1] > key; place--)
        s->order[place] = s->order[place - 1];
    s->order[place] = key;
    return true;
}

// A clip of the state at random.
static void note_clip(expansion *e, uint32_t index) {
    const tr_behavior_search *s = e->search;
    uint32_t count = s->behavior->states[index].move_count;
    uint32_t pick = count > 1 ? pick_clip(e, index, count) : 0, tries = s->query.as_written ? 1 : CLIPS_TRIED;
    for (uint32_t i = 0; i < tries && i < count; i++) {
        uint32_t k = pick + i < count ? pick + i : pick + i - count;
        behavior_step step = behavior_step_of(s->behavior, index, k, s->costs[index]);
        if (note(e, &step))
            return;
    }
}

static behavior_step interpolate(const expansion *e, uint32_t index, float parameter) {
    return behavior_step_between(e->search->behavior, index, parameter);
}

// The parameter with which a move turns towards a point; false: no move of the state turns like that.
static bool aim_turn(const expansion *e, uint32_t index, tr_vec2 to, float *parameter) {
    const tr_behavior_state *state = &e->search->behavior->states[index];
    tr_vec2 way = tr_vec2_subtract(to, tr_vec2_make(e->node.x, e->node.z));
    float turn = behavior_turned((float)tr_arc_tangent((double)way.x, (double)way.z), -e->node.heading);
    for (uint32_t i = 0; i + 1 < state->move_count; i++) {
        float a = state->moves[i].turn, b = state->moves[i + 1].turn;
        if (a < b || a > b) {
            float t = (turn - a) / (b - a);
            if (t >= 0 && t <= 1) {
                *parameter = behavior_lerp(state->moves[i].parameter, state->moves[i + 1].parameter, t);
                return true;
            }
        }
    }
    return false;
}

// The parameter with which the action lands in the middle of the first within region along the parameters.
static bool aim_action(const expansion *e, uint32_t index, float *parameter) {
    const tr_behavior_state *state = &e->search->behavior->states[index];
    float low = state->moves[0].parameter, high = state->moves[state->move_count - 1].parameter, first = 0;
    bool inside = false;
    for (uint32_t i = 0; i <= AIM_PLACES; i++) {
        float at = i == AIM_PLACES ? high : low + (high - low) * (float)i / AIM_PLACES;
        behavior_step c = interpolate(e, index, at);
        bool is_in = is_within(e, &c, state->serves);
        if (is_in && !inside)
            first = at;
        if (is_in)
            *parameter = (first + at) / 2;
        else if (inside)
            return true;
        inside = is_in;
    }
    return inside;
}

// A state that climbs does so with the parameter that rises as the floor does.
static void note_climb(expansion *e, uint32_t index) {
    const tr_behavior_state *state = &e->search->behavior->states[index];
    tr_vec2 to = behavior_from(e->axes, state->moves[0].x, state->moves[0].z);
    float parameter, rise = tr_behavior_map_height(e->search->map, to) - e->height;
    if (!behavior_parameter_of_rise(state, rise, &parameter))
        return;
    behavior_step step = interpolate(e, index, parameter);
    note(e, &step);
}

static void note_parameters(expansion *e, uint32_t index) {
    const tr_behavior_search *s = e->search;
    const tr_behavior_state *state = &s->behavior->states[index];
    if (s->behavior->def.bands[state->serves].climbs) {
        note_climb(e, index);
        return;
    }
    float low = state->moves[0].parameter, high = state->moves[state->move_count - 1].parameter, aimed = low;
    uint32_t count = s->query.parameters;
    tr_vec2 to = s->query.heuristic == TR_BEHAVIOR_FIELD
                     ? tr_behavior_field_ahead(s, e->node.leg, e->node.x, e->node.z)
                     : s->goals[e->node.leg];
    if (state->serves ? aim_action(e, index, &aimed) : aim_turn(e, index, to, &aimed)) {
        aimed = aimed < low ? low : aimed > high ? high : aimed;
        behavior_step step = interpolate(e, index, aimed);
        note(e, &step);
    }
    for (uint32_t i = 0; i < count; i++) {
        float t = count > 1 ? (float)i / (float)(count - 1) : 0.5f;
        float parameter = t < 1 ? low + (high - low) * t : high;
        behavior_step step = interpolate(e, index, parameter < high ? parameter : high);
        note(e, &step);
    }
}

// Whether a special obstacle may be near enough.
static bool is_near(const expansion *e, uint32_t state, uint32_t band) {
    const tr_behavior_search *s = e->search;
    return behavior_special_bands(s, e->node.x, e->node.z, s->behavior->infos[state].reach) >> band & 1;
}

static void note_state(expansion *e, uint32_t index) {
    const tr_behavior_state *state = &e->search->behavior->states[index];
    if (state->serves && !is_near(e, index, state->serves))
        return;
    if (state->parametrised)
        note_parameters(e, index);
    else
        note_clip(e, index);
}

static void note_all(expansion *e, bool is_start) {
    const tr_behavior_search *s = e->search;
    const tr_behavior *behavior = s->behavior;
    if (is_start) {
        for (uint32_t i = 0; i < behavior->def.state_count; i++)
            if (behavior->states[i].begin == s->query.label)
                note_state(e, i);
        return;
    }
    const tr_behavior_state *state = &behavior->states[e->node.state];
    for (uint32_t i = 0; i < state->successor_count; i++)
        note_state(e, state->successors[i]);
}

// Tries candidates until another place is better than the next one.
static void try_all(expansion *e) {
    tr_behavior_search *s = e->search;
    for (uint32_t i = e->node.tried; i < e->candidate_count && !s->full; i++) {
        uint32_t total = (uint32_t)(s->order[i] >> 32);
        if (!e->is_eager && i > e->node.tried && total >= search_least(s->core)) {
            s->nodes[e->index].tried = i;
            search_put_back(e->step, total);
            return;
        }
        try_clips(e, &s->candidates[(uint32_t)s->order[i]]);
    }
    s->nodes[e->index].tried = UINT32_MAX;
}

void tr_behavior_expand(void *user, uint32_t index, uint32_t parent, tr_search_step *step) {
    tr_behavior_search *s = user;
    const behavior_node *node = &s->nodes[index];
    s->repeated += node->tried > 0;
    if (parent != TR_NONE && tr_behavior_table_find(s, node->key)->node != index)
        return; // a cheaper way to this place was found since
    expansion e = {.search = s,
                   .step = step,
                   .index = index,
                   .node = *node,
                   .axes = behavior_axes_at(node->x, node->z, node->heading),
                   .height = tr_behavior_map_height(s->map, tr_vec2_make(node->x, node->z)),
                   .is_eager = s->query.as_written || s->query.method == TR_BEHAVIOR_TRUNCATED};
    note_all(&e, parent == TR_NONE);
    try_all(&e);
    if (s->query.method == TR_BEHAVIOR_TRUNCATED && s->core->heap_count / 2 >= s->query.queue_max)
        s->dropped += tr_search_truncate(s->core, s->query.queue_max);
}

// --- The goal ---

static bool is_free_for_ever(const tr_behavior_search *s, uint32_t band, tr_vec2 at, uint32_t frame) {
    uint32_t column, row;
    return behavior_cell(s->map, at.x, at.z, &column, &row) &&
           behavior_cell_is_free(s->map, band, column, row, frame, UINT32_MAX);
}

// The same for the last discs of a move, with things alone or with other characters as well.
static bool are_free_for_ever(const tr_behavior_search *s, const tr_behavior_disc *discs, uint32_t count,
                              behavior_axes axes, uint32_t frame, bool people) {
    const tr_behavior_map *map = s->map;
    for (uint32_t i = count; i-- > 0 && discs[i].frame == discs[count - 1].frame;) {
        tr_vec2 at = behavior_from(axes, discs[i].x, discs[i].z);
        uint32_t column, row;
        if (!behavior_cell(map, at.x, at.z, &column, &row) ||
            !behavior_cell_is_clear_of_things(map, discs[i].band, column, row, frame, UINT32_MAX) ||
            (people && !behavior_people_are_clear(map, column, row, behavior_last_slot(map, frame),
                                                  map->slot_count - 1)))
            return false;
    }
    return true;
}

// Whether a character can stay for ever where it is, with all its discs.
static bool can_rest(const tr_behavior_search *s, uint32_t index) {
    const behavior_node *node = &s->nodes[index];
    if (!s->moves)
        return true;
    if (node->state == BEHAVIOR_NO_STATE || s->behavior->states[node->state].parametrised)
        return is_free_for_ever(s, 0, tr_vec2_make(node->x, node->z), node->frame);
    const behavior_node *parent = &s->nodes[s->core->nodes[index].parent];
    behavior_axes axes = behavior_axes_at(parent->x, parent->z, parent->heading);
    const tr_behavior_move *move = &s->behavior->states[node->state].moves[node->move];
    bool has_core = move->core_count > 0;
    return are_free_for_ever(s, move->discs, move->disc_count, axes, node->frame, !has_core) &&
           (!has_core || are_free_for_ever(s, move->core, move->core_count, axes, node->frame, true));
}

bool tr_behavior_arrives(void *user, uint32_t index) {
    const tr_behavior_search *s = user;
    const behavior_node *node = &s->nodes[index];
    if (node->leg + 1u != s->query.goal_count)
        return false;
    float x = s->goals[node->leg].x - node->x, z = s->goals[node->leg].z - node->z;
    uint32_t label = node->state == BEHAVIOR_NO_STATE ? s->query.label : s->behavior->states[node->state].end;
    return x * x + z * z <= s->query.tolerance * s->query.tolerance && label == s->behavior->def.rest &&
           can_rest(s, index);
}

uint32_t tr_behavior_estimate(void *user, uint32_t index) {
    const tr_behavior_search *s = user;
    const behavior_node *node = &s->nodes[index];
    return tr_behavior_estimate_at(s, node, behavior_axes_at(node->x, node->z, node->heading));
}
