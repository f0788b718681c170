// One step of Algorithm 1: which actions a character may take (F), where they lead (T), and whether that is
// possible and new (G).
#include "behavior_search_data.h"

#define CLIPS_NEAR 64        // among which a search picks
#define CLIPS_TRIED 4        // of a state, if the first ones collide
#define RISE_TOLERANCE 0.15f // between the rise of a move and that of the floor [m]
#define AIM_PLACES 24        // of the action of a special motion, along its parameters

// The node that is expanded.
typedef struct expansion {
    tr_behavior_search *search;
    tr_search_step *step;
    uint32_t index;
    behavior_node node; // a copy: the tree grows meanwhile
    behavior_axes axes;
    float height;
} expansion;

// A move that may be taken.
typedef struct candidate {
    float x, z, turn, rise, parameter;
    uint32_t frames, state, move, cost;
    tr_vec2 action;
    uint32_t action_frame, sample_count;
    const behavior_sample *samples; // NULL: those of the parameter
} candidate;

static float turned(float heading, float turn) {
    heading += turn;
    while (heading > (float)TR_PI)
        heading -= (float)(2 * TR_PI);
    while (heading <= -(float)TR_PI)
        heading += (float)(2 * TR_PI);
    return heading;
}

// --- G: collisions ---

static bool is_within(const expansion *e, const candidate *c, uint32_t band) {
    tr_vec2 at = behavior_from(e->axes, c->action.x, c->action.z);
    uint32_t column, row;
    return behavior_cell(e->search->map, at.x, at.z, &column, &row) &&
           behavior_cell_is_within(e->search->map, band, column, row, e->node.frame + c->action_frame);
}

// The samples between two moves; those of a parameter are computed only when they are tested.
static const behavior_sample *interpolate_samples(const expansion *e, const candidate *c) {
    const tr_behavior *behavior = e->search->behavior;
    const tr_behavior_state *state = &behavior->states[c->state];
    uint32_t lower;
    float t = behavior_between(state, c->parameter, &lower);
    const behavior_move_info *info = &behavior->move_infos[behavior->infos[c->state].first_move + lower];
    const behavior_sample *a = behavior->samples + info->first_sample, *b = a + info->sample_count;
    behavior_sample *samples = e->search->samples;
    for (uint32_t i = 0; i < c->sample_count; i++) {
        samples[i].x = behavior_lerp(a[i].x, b[i].x, t);
        samples[i].z = behavior_lerp(a[i].z, b[i].z, t);
        samples[i].from = (uint16_t)behavior_lerp(a[i].from, b[i].from, t); // rounded down, and `to` up
        samples[i].to = (uint16_t)(behavior_lerp(a[i].to, b[i].to, t) + 0.999f);
        samples[i].band = a[i].band;
    }
    return samples;
}

// --- T, and the rest of G ---

static bool rises_as_floor(const candidate *c, float rise) {
    float off = rise - c->rise;
    return fabsf(c->rise) < 0.05f || (off < RISE_TOLERANCE && off > -RISE_TOLERANCE);
}

static uint32_t slope_cost(const tr_behavior_def *def, float rise) {
    double cost = rise > 0 ? (double)rise * (double)def->up : (double)-rise * (double)def->down;
    return (uint32_t)(cost * BEHAVIOR_UNIT);
}

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

// Goals before the last one are visited where the straight line of a move passes them.
static void pass_goals(const tr_behavior_search *s, const behavior_node *from, behavior_node *to) {
    float x = to->x - from->x, z = to->z - from->z, square = x * x + z * z;
    while (to->leg + 1u < s->query.goal_count) {
        float gx = s->goals[to->leg].x - from->x, gz = s->goals[to->leg].z - from->z;
        float t = square > 0 ? (gx * x + gz * z) / square : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        gx -= t * x;
        gz -= t * z;
        if (gx * gx + gz * gz > s->query.tolerance * s->query.tolerance)
            return;
        to->leg++;
    }
}

// Adds the place that a candidate leads to, if it may be taken. false: it collides.
static bool try_candidate(expansion *e, const candidate *c) {
    tr_behavior_search *s = e->search;
    const tr_behavior_state *state = &s->behavior->states[c->state];
    tr_vec2 at = behavior_from(e->axes, c->x, c->z);
    behavior_node child = {.x = at.x,
                           .z = at.z,
                           .heading = turned(e->node.heading, c->turn),
                           .parameter = c->parameter,
                           .frame = e->node.frame + c->frames,
                           .move = c->move,
                           .state = (uint16_t)c->state,
                           .leg = e->node.leg};
    uint32_t column, row;
    if (!behavior_cell(s->map, at.x, at.z, &column, &row))
        return false;
    if (child.frame > s->frame_max) {
        s->late = true;
        return true;
    }
    uint32_t cost = e->step->cost + c->cost;
    if (s->map->heights) {
        float rise = s->map->heights[(size_t)row * s->map->grid.columns + column] - e->height;
        if (!rises_as_floor(c, rise))
            return false;
        cost += slope_cost(&s->behavior->def, rise);
    } else if (!rises_as_floor(c, 0)) {
        return false;
    }
    if (s->query.goal_count > 1)
        pass_goals(s, &e->node, &child);
    child.key = tr_behavior_table_key(s, &child, s->behavior->infos[c->state].group);
    behavior_entry *entry = tr_behavior_table_find(s, child.key);
    if (!is_wanted(e, entry, cost))
        return true;
    s->tests++;
    const behavior_sample *samples = c->samples ? c->samples : interpolate_samples(e, c);
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
    const behavior_state_info *info = &behavior->infos[index];
    uint32_t count = state->move_count, tries = s->query.as_written ? 1 : CLIPS_TRIED;
    uint32_t pick = count > 1 ? pick_clip(e, index, count) : 0;
    for (uint32_t i = 0; i < tries && i < count; i++) {
        uint32_t k = pick + i < count ? pick + i : pick + i - count;
        const tr_behavior_move *move = &behavior->moves[info->first_move + k];
        const behavior_move_info *own = &behavior->move_infos[info->first_move + k];
        candidate c = {.x = move->x,
                       .z = move->z,
                       .turn = move->turn,
                       .rise = move->rise,
                       .frames = move->frames,
                       .state = index,
                       .move = k,
                       .cost = s->costs[index],
                       .action = own->action,
                       .action_frame = own->action_frame,
                       .samples = behavior->samples + own->first_sample,
                       .sample_count = own->sample_count};
        if (try_candidate(e, &c))
            return;
    }
}

static candidate interpolate(const expansion *e, uint32_t index, float parameter) {
    const tr_behavior *behavior = e->search->behavior;
    const tr_behavior_state *state = &behavior->states[index];
    tr_behavior_move move;
    uint32_t lower;
    tr_behavior_interpolate(behavior, index, parameter, &move, NULL);
    float t = behavior_between(state, parameter, &lower);
    const behavior_move_info *a = &behavior->move_infos[behavior->infos[index].first_move + lower],
                             *b = a + 1;
    double cost = tr_behavior_distance(&behavior->def, &move) * (double)state->weight * BEHAVIOR_UNIT;
    candidate c = {
        .x = move.x,
        .z = move.z,
        .turn = move.turn,
        .rise = move.rise,
        .parameter = parameter,
        .frames = move.frames,
        .state = index,
        .move = t < 0.5f ? lower : lower + 1,
        .cost = (uint32_t)cost + 1,
        .action = {behavior_lerp(a->action.x, b->action.x, t), behavior_lerp(a->action.z, b->action.z, t)},
        .action_frame = behavior_lerp_frames(a->action_frame, b->action_frame, t),
        .sample_count = a->sample_count};
    return c;
}

// The parameter with which a move turns towards a point; false: no move of the state turns like that.
static bool aim_turn(const expansion *e, uint32_t index, tr_vec2 to, float *parameter) {
    const tr_behavior_state *state = &e->search->behavior->states[index];
    tr_vec2 way = tr_vec2_subtract(to, tr_vec2_make(e->node.x, e->node.z));
    float turn = turned((float)tr_arc_tangent((double)way.x, (double)way.z), -e->node.heading);
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
        candidate c = interpolate(e, index, at);
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
        candidate c = interpolate(e, index, aimed);
        try_candidate(e, &c);
    }
    for (uint32_t i = 0; i < count; i++) {
        float t = count > 1 ? (float)i / (float)(count - 1) : 0.5f;
        float parameter = t < 1 ? low + (high - low) * t : high;
        candidate c = interpolate(e, index, parameter < high ? parameter : high);
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
