// One step of Algorithm 1: which actions a character may take (F), where they lead (T), and whether that is
// possible and new (G).
#include "behavior_step.h"

#define CLIPS_NEAR 64 // among which a search picks
#define CLIPS_TRIED 4 // of a state, if the first ones collide
#define AIM_PLACES 24 // of the action of a special motion, along its parameters

// The node that is expanded.
typedef struct expansion {
    tr_behavior_search *search;
    tr_search_step *step;
    uint32_t index;
    behavior_node node; // a copy: the tree grows meanwhile
    behavior_axes axes;
    float height;
} expansion;

// --- G: collisions ---

static bool is_within(const expansion *e, const behavior_step *c, uint32_t band) {
    return behavior_step_serves(e->search->map, e->axes, e->node.frame, c, band);
}

// --- T, and the rest of G ---

// Whether a place is new, or cheaper than before.
static bool is_wanted(const expansion *e, const behavior_entry *entry, uint32_t cost) {
    const tr_search *core = e->search->core;
    if (entry->node == TR_NONE)
        return true;
    if (e->search->query.as_written || core->nodes[entry->node].cost <= cost)
        return false;
    bool is_expanded = core->states[entry->node] & 1;
    return !is_expanded || e->search->query.inflation <= 1;
}

// Adds the place that a candidate leads to, if it may be taken. false: it collides.
static bool try_candidate(expansion *e, const behavior_step *c) {
    tr_behavior_search *s = e->search;
    const tr_behavior_state *state = &s->behavior->states[c->state];
    behavior_node child;
    uint32_t cost;
    behavior_lead lead = behavior_step_lead(s, &e->node, e->axes, e->height, c, &child, &cost);
    if (lead != BEHAVIOR_LEADS)
        return lead == BEHAVIOR_LEADS_LATE;
    cost += e->step->cost;
    child.key = tr_behavior_table_key(s, &child, s->behavior->infos[c->state].group);
    behavior_entry *entry = tr_behavior_table_find(s, child.key);
    if (!is_wanted(e, entry, cost))
        return true;
    s->tests++;
    const behavior_sample *samples =
        c->samples ? c->samples : behavior_step_samples(s->behavior, c, s->samples);
    if (!behavior_is_clear(s->map, s->moves, e->axes, e->node.frame, samples, c->sample_count) ||
        (state->serves && !is_within(e, c, state->serves)))
        return false;
    if (s->node_count == s->node_max) {
        s->full = true;
        s->core->overflowed = true; // ends the search
        return true;
    }
    uint32_t index = s->node_count++;
    s->nodes[index] = child;
    tr_behavior_table_enter(s, entry, index);
    search_take(e->step, index, cost, tr_behavior_estimate(s, index));
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

// A clip of the state at random; if it collides, the next ones. Nothing is read of the others.
static void try_clips(expansion *e, uint32_t index) {
    const tr_behavior_search *s = e->search;
    const tr_behavior *behavior = s->behavior;
    const tr_behavior_state *state = &behavior->states[index];
    uint32_t count = state->move_count, tries = s->query.as_written ? 1 : CLIPS_TRIED;
    uint32_t pick = count > 1 ? pick_clip(e, index, count) : 0;
    for (uint32_t i = 0; i < tries && i < count; i++) {
        uint32_t k = pick + i < count ? pick + i : pick + i - count;
        behavior_step c = behavior_step_of(behavior, index, k, s->costs[index]);
        if (try_candidate(e, &c))
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

static void try_parameters(expansion *e, uint32_t index) {
    const tr_behavior_search *s = e->search;
    const tr_behavior_state *state = &s->behavior->states[index];
    float low = state->moves[0].parameter, high = state->moves[state->move_count - 1].parameter, aimed = low;
    uint32_t count = s->query.parameters;
    tr_vec2 to = s->query.heuristic == TR_BEHAVIOR_FIELD
                     ? tr_behavior_field_ahead(s, e->node.leg, e->node.x, e->node.z)
                     : s->goals[e->node.leg];
    if (state->serves ? aim_action(e, index, &aimed) : aim_turn(e, index, to, &aimed)) {
        aimed = aimed < low ? low : aimed > high ? high : aimed;
        behavior_step c = interpolate(e, index, aimed);
        try_candidate(e, &c);
    }
    for (uint32_t i = 0; i < count; i++) {
        float t = count > 1 ? (float)i / (float)(count - 1) : 0.5f;
        float parameter = t < 1 ? low + (high - low) * t : high;
        behavior_step c = interpolate(e, index, parameter < high ? parameter : high);
        try_candidate(e, &c);
    }
}

// Whether a special obstacle may be near enough. Where something moves, that is not known from the map alone.
static bool is_near(const expansion *e, uint32_t state, uint32_t band) {
    const tr_behavior_search *s = e->search;
    const tr_behavior_map *map = s->map;
    uint32_t column, row;
    if (!s->uses_near || !behavior_cell(map, e->node.x, e->node.z, &column, &row))
        return true;
    if (map->near[(size_t)row * map->grid.columns + column] >> band & 1)
        return true;
    if (!(map->object_bands & 1))
        return false;
    const tr_cells *area = &map->object_area;
    float reach = s->behavior->infos[state].reach * map->per_metre + 2;
    return (float)column + reach >= (float)area->column_begin &&
           (float)column <= (float)area->column_end + reach && (float)row + reach >= (float)area->row_begin &&
           (float)row <= (float)area->row_end + reach;
}

static void try_state(expansion *e, uint32_t index) {
    const tr_behavior_state *state = &e->search->behavior->states[index];
    if (e->search->full || (state->serves && !is_near(e, index, state->serves)))
        return;
    if (state->parametrised)
        try_parameters(e, index);
    else
        try_clips(e, index);
}

void tr_behavior_expand(void *user, uint32_t index, uint32_t parent, tr_search_step *step) {
    tr_behavior_search *s = user;
    const tr_behavior *behavior = s->behavior;
    const behavior_node *node = &s->nodes[index];
    (void)parent;
    if (parent != TR_NONE && tr_behavior_table_find(s, node->key)->node != index)
        return; // a cheaper way to this place was found since
    expansion e = {s,
                   step,
                   index,
                   *node,
                   behavior_axes_at(node->x, node->z, node->heading),
                   tr_behavior_map_height(s->map, tr_vec2_make(node->x, node->z))};
    if (parent == TR_NONE) {
        for (uint32_t i = 0; i < behavior->def.state_count; i++)
            if (behavior->states[i].begin == s->query.label)
                try_state(&e, i);
    } else {
        const tr_behavior_state *state = &behavior->states[node->state];
        for (uint32_t i = 0; i < state->successor_count; i++)
            try_state(&e, state->successors[i]);
    }
    if (s->query.method == TR_BEHAVIOR_TRUNCATED && s->core->heap_count / 2 >= s->query.queue_max)
        s->dropped += tr_search_truncate(s->core, s->query.queue_max);
}

// --- The goal ---

static bool is_free_for_ever(const tr_behavior_search *s, uint32_t band, tr_vec2 at, uint32_t frame) {
    uint32_t column, row;
    return behavior_cell(s->map, at.x, at.z, &column, &row) &&
           behavior_cell_is_free(s->map, band, column, row, frame, UINT32_MAX);
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
    const tr_behavior_disc *discs = move->discs, *last = discs + move->disc_count - 1;
    bool is_free = true;
    for (const tr_behavior_disc *disc = last; is_free && disc >= discs && disc->frame == last->frame; disc--)
        is_free = is_free_for_ever(s, disc->band, behavior_from(axes, disc->x, disc->z), node->frame);
    return is_free;
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
        double outlook = tr_behavior_outlook_cost(s, node);
        cost = outlook > cost ? outlook : cost;
    }
    double total = (cost + s->rest_of_way[node->leg]) * s->scale;
    return total < (double)UINT32_MAX / 2 ? (uint32_t)total : UINT32_MAX / 2;
}
