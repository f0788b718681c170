// Crossings: chains of behaviors across what a body cannot walk through.
#include "behavior_cross.h"

#include "behavior_edge.h"

#include <string.h>

#define HEADINGS 32
#define SPACING 0.1f         // between places at which the action is tried [m]
#define APART 1.0f           // of two crossings in the same direction [m]
#define RISE_TOLERANCE 0.15f // between a floor and what the moves of a chain rise [m]
#define STEP_LEAST 0.1f      // a floor that differs by less is the same one [m]
#define ROUNDS 6             // of bisection
#define EDGE_TOLERANCE 0.03f // between the floor at the end of a climb and that beyond the edge [m]

// ------------------------------------------------------------------------------------------------- chains

static bool is_ordinary(const tr_behavior_state *state) {
    return state->serves == 0 && !state->parametrised && state->moves[0].rise == 0;
}

// What the cheapest way from rest through a state costs, and from the beginning of a state to rest.
static void find_costs(const tr_behavior *behavior, float *out, float *back) {
    const tr_behavior_def *def = &behavior->def;
    for (uint32_t i = 0; i < def->state_count; i++) {
        float own = is_ordinary(&def->states[i]) ? (float)tr_behavior_cost(behavior, i, 0) : INFINITY;
        out[i] = def->states[i].begin == def->rest ? own : INFINITY;
        back[i] = def->states[i].end == def->rest ? own : INFINITY;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < def->state_count; i++) {
            const tr_behavior_state *state = &def->states[i];
            for (uint32_t k = 0; k < state->successor_count && is_ordinary(state); k++) {
                uint32_t next = state->successors[k];
                if (!is_ordinary(&def->states[next]))
                    continue;
                float there = out[i] + (float)tr_behavior_cost(behavior, next, 0);
                float here = back[next] + (float)tr_behavior_cost(behavior, i, 0);
                changed = changed || there < out[next] || here < back[i];
                out[next] = there < out[next] ? there : out[next];
                back[i] = here < back[i] ? here : back[i];
            }
        }
    }
}

static bool follows(const tr_behavior_state *state, uint32_t next) {
    for (uint32_t k = 0; k < state->successor_count; k++)
        if (state->successors[k] == next)
            return true;
    return false;
}

// The states before a special one, the last first. TR_NONE: there is no way to it.
static uint32_t find_before(const tr_behavior *behavior, const float *out, uint32_t special,
                            uint32_t states[BEHAVIOR_CHAIN_MOVES]) {
    const tr_behavior_def *def = &behavior->def;
    uint32_t count = 0, at = special;
    if (def->states[special].begin == def->rest)
        return 0;
    while (count < BEHAVIOR_CHAIN_MOVES) {
        uint32_t best = TR_NONE;
        for (uint32_t i = 0; i < def->state_count; i++)
            if (follows(&def->states[i], at) && out[i] < (best == TR_NONE ? INFINITY : out[best]))
                best = i;
        if (best == TR_NONE)
            return TR_NONE;
        states[count++] = at = best;
        if (def->states[best].begin == def->rest)
            return count;
    }
    return TR_NONE;
}

static uint32_t find_after(const tr_behavior *behavior, const float *back, uint32_t special,
                           uint32_t states[BEHAVIOR_CHAIN_MOVES]) {
    const tr_behavior_def *def = &behavior->def;
    uint32_t count = 0, at = special;
    if (def->states[special].end == def->rest)
        return 0;
    while (count < BEHAVIOR_CHAIN_MOVES) {
        uint32_t best = TR_NONE;
        for (uint32_t k = 0; k < def->states[at].successor_count; k++) {
            uint32_t i = def->states[at].successors[k];
            if (back[i] < (best == TR_NONE ? INFINITY : back[best]))
                best = i;
        }
        if (best == TR_NONE)
            return TR_NONE;
        states[count++] = at = best;
        if (def->states[best].end == def->rest)
            return count;
    }
    return TR_NONE;
}

static void add_move(const tr_behavior *behavior, uint32_t state, uint32_t move, behavior_chain *chain) {
    const tr_behavior_move *from = &behavior->states[state].moves[move];
    behavior_axes axes = behavior_axes_at(chain->end.x, chain->end.z, chain->turn);
    chain->moves[chain->move_count++] = (tr_behavior_action){.state = state,
                                                             .move = move,
                                                             .parameter = from->parameter,
                                                             .frame = chain->frames,
                                                             .position = chain->end,
                                                             .heading = chain->turn};
    chain->cost += tr_behavior_cost(behavior, state, from->parameter);
    chain->end = behavior_from(axes, from->x, from->z);
    chain->turn += from->turn;
    chain->frames += from->frames;
}

static bool make_chain(const tr_behavior *behavior, const float *memory, uint32_t state, uint32_t move,
                       behavior_chain *chain) {
    uint32_t before[BEHAVIOR_CHAIN_MOVES], after[BEHAVIOR_CHAIN_MOVES];
    uint32_t ahead = find_before(behavior, memory, state, before);
    uint32_t on = find_after(behavior, memory + behavior->def.state_count, state, after);
    if (ahead == TR_NONE || on == TR_NONE || ahead + 1 + on > BEHAVIOR_CHAIN_MOVES)
        return false;
    *chain = (behavior_chain){.special = ahead, .band = behavior->states[state].serves};
    while (ahead > 0)
        add_move(behavior, before[--ahead], 0, chain);
    uint32_t index = behavior->infos[state].first_move + move;
    const behavior_move_info *info = &behavior->move_infos[index];
    behavior_axes axes = behavior_axes_at(chain->end.x, chain->end.z, chain->turn);
    chain->action = behavior_from(axes, info->action.x, info->action.z);
    chain->action_frame = info->action_frame;
    add_move(behavior, state, move, chain);
    for (uint32_t i = 0; i < on; i++)
        add_move(behavior, after[i], 0, chain);
    return true;
}

uint32_t tr_behavior_chains(const tr_behavior *behavior, float *memory,
                            behavior_chain chains[BEHAVIOR_CHAINS_MAX]) {
    uint32_t count = 0;
    find_costs(behavior, memory, memory + behavior->def.state_count);
    for (uint32_t i = 0; i < behavior->def.state_count; i++) {
        const tr_behavior_state *state = &behavior->states[i];
        bool climbs = behavior->def.bands[state->serves].climbs;
        uint32_t moves = state->parametrised && !climbs ? state->move_count : 1;
        for (uint32_t k = 0; k < moves && state->serves; k++) {
            behavior_chain chain;
            if (count == BEHAVIOR_CHAINS_MAX || !make_chain(behavior, memory, i, k, &chain))
                break;
            uint32_t at = count++;
            for (; at > 0 && chains[at - 1].cost > chain.cost; at--)
                chains[at] = chains[at - 1];
            chains[at] = chain;
        }
    }
    return count;
}

// ----------------------------------------------------------------------------------------------- crossings

static behavior_axes axes_of(const behavior_crossing *crossing, const behavior_chain *chain, uint32_t move) {
    behavior_axes begin = behavior_axes_at(crossing->from.x, crossing->from.z, crossing->heading);
    tr_vec2 at = behavior_from(begin, chain->moves[move].position.x, chain->moves[move].position.z);
    return behavior_axes_at(at.x, at.z, crossing->heading + chain->moves[move].heading);
}

static const behavior_sample *samples_of(const tr_behavior *behavior, const tr_behavior_action *action,
                                         uint32_t *count) {
    uint32_t index = behavior->infos[action->state].first_move + action->move;
    *count = behavior->move_infos[index].sample_count;
    return behavior->samples + behavior->move_infos[index].first_sample;
}

bool tr_behavior_crossing_is_clear(const tr_behavior_map *map, const behavior_chain *chain,
                                   const behavior_crossing *crossing, uint32_t frame) {
    for (uint32_t i = 0; i < chain->move_count; i++) {
        uint32_t count, begin = frame + chain->moves[i].frame;
        const behavior_sample *samples = samples_of(map->behavior, &chain->moves[i], &count);
        behavior_axes axes = axes_of(crossing, chain, i);
        for (uint32_t k = 0; k < count; k++) {
            tr_vec2 at = behavior_from(axes, samples[k].x, samples[k].z);
            uint32_t column, row, first = behavior_last_slot(map, begin + samples[k].from),
                                  last = behavior_last_slot(map, begin + samples[k].to);
            if (!behavior_cell(map, at.x, at.z, &column, &row) ||
                !behavior_objects_are_clear(map, samples[k].band, column, row, first, last))
                return false;
        }
    }
    return true;
}

// Walls, and where things that moved have come to rest.
static bool is_free(const tr_behavior_map *map, uint32_t band, uint32_t column, uint32_t row) {
    uint32_t last = map->slot_count - 1;
    return !(map->blocked[(size_t)row * map->grid.columns + column] >> band & 1) &&
           behavior_objects_are_clear(map, band, column, row, last, last);
}

static bool is_free_at(const tr_behavior_map *map, uint32_t band, tr_vec2 at) {
    uint32_t column, row;
    return behavior_cell(map, at.x, at.z, &column, &row) && is_free(map, band, column, row);
}

// The special move first: it fails most often.
bool tr_behavior_crossing_is_open(const tr_behavior_map *map, const behavior_chain *chain,
                                  const behavior_crossing *crossing) {
    for (uint32_t n = 0; n < chain->move_count; n++) {
        uint32_t i = (chain->special + n) % chain->move_count, count;
        const behavior_sample *samples = samples_of(map->behavior, &chain->moves[i], &count);
        behavior_axes axes = axes_of(crossing, chain, i);
        for (uint32_t k = 0; k < count; k++)
            if (!is_free_at(map, samples[k].band, behavior_from(axes, samples[k].x, samples[k].z)))
                return false;
    }
    return true;
}

static bool climbs(const tr_behavior_map *map, const behavior_chain *chain) {
    return map->behavior->def.bands[chain->band].climbs;
}

// Floors as high as the moves rise.
static bool floors_fit(const tr_behavior_map *map, const behavior_chain *chain, behavior_crossing *crossing) {
    float height = tr_behavior_map_height(map, (tr_vec2){crossing->from.x, crossing->from.z});
    crossing->from.y = height;
    for (uint32_t i = 0; i < chain->move_count; i++) {
        const tr_behavior_action *action = &chain->moves[i];
        behavior_axes axes = axes_of(crossing, chain, i);
        const tr_behavior_move *move = &map->behavior->states[action->state].moves[action->move];
        float then = tr_behavior_map_height(map, behavior_from(axes, move->x, move->z));
        float rise = move->rise;
        if (i == chain->special && climbs(map, chain))
            rise = then - height;
        if (i >= chain->special && !(fabsf(then - height - rise) < RISE_TOLERANCE))
            return false;
        height = then;
    }
    crossing->to.y = height;
    return true;
}

// The crossing of a chain whose action happens at a place. false: there is no room.
static bool make_crossing(const tr_behavior_map *map, const behavior_chain *chain, tr_vec2 action,
                          float heading, behavior_crossing *crossing) {
    behavior_axes axes = behavior_axes_at(0, 0, heading);
    tr_vec2 off = behavior_from(axes, chain->action.x, chain->action.z);
    tr_vec2 from = {action.x - off.x, action.z - off.z}, by = behavior_from(axes, chain->end.x, chain->end.z);
    tr_vec2 to = {from.x + by.x, from.z + by.z};
    *crossing = (behavior_crossing){.from = {from.x, 0, from.z},
                                    .to = {to.x, 0, to.z},
                                    .heading = heading,
                                    .end_heading = heading + chain->turn,
                                    .cost = (float)chain->cost};
    return is_free_at(map, 0, from) && is_free_at(map, 0, to) &&
           tr_behavior_crossing_is_open(map, chain, crossing) && floors_fit(map, chain, crossing);
}

static float height_at(const tr_behavior_map *map, behavior_axes axes, float aside, float along) {
    return tr_behavior_map_height(map, behavior_from(axes, aside, along));
}

// The edge on one line; false: none.
static bool edge_on_line(const tr_behavior_map *map, behavior_axes axes, float aside, bool rises, float reach,
                         float *along, float *rise) {
    float step = 0.5f / map->per_metre, best = INFINITY;
    uint32_t count = (uint32_t)(2 * reach / step) + 1;
    float before = height_at(map, axes, aside, -reach);
    for (uint32_t i = 1; i <= count; i++) {
        float at = -reach + step * (float)i, here = height_at(map, axes, aside, at), by = here - before;
        if ((rises ? by : -by) > STEP_LEAST && fabsf(at) < fabsf(best)) {
            float low = at - step, high = at;
            for (int k = 0; k < ROUNDS; k++) {
                float middle = 0.5f * (low + high);
                float off = height_at(map, axes, aside, middle) - before;
                *((rises ? off : -off) > STEP_LEAST ? &high : &low) = middle;
            }
            best = at;
            *along = low;
            *rise = by;
        }
        before = here;
    }
    return best < INFINITY;
}

// The edge at which the floor rises, or falls, that is nearest to a place along its heading: how far ahead
// the first of its parts is that a body as wide as the disc goes over, and by how much the floor rises there.
static bool edge_near(const tr_behavior_map *map, behavior_axes axes, bool rises, float reach, float *along,
                      float *rise) {
    float aside = BEHAVIOR_EDGE_ASIDE * map->behavior->def.radius;
    if (!edge_on_line(map, axes, 0, rises, reach, along, rise))
        return false;
    for (int i = -1; i <= 1; i += 2) {
        float other, by;
        if (!edge_on_line(map, axes, (float)i * aside, rises, reach, &other, &by))
            return false;
        *along = other < *along ? other : *along;
    }
    return true;
}

// Up or down the edge of a floor that is nearest to a place along a heading.
static bool make_climb(const tr_behavior_map *map, const behavior_chain *chain, tr_vec2 near, float heading,
                       behavior_crossing *crossing) {
    const tr_behavior_state *state = &map->behavior->states[chain->moves[chain->special].state];
    behavior_axes axes = behavior_axes_at(near.x, near.z, heading);
    float along, rise;
    if (!edge_near(map, axes, state->moves[0].rise > 0, map->behavior->def.radius, &along, &rise) ||
        !behavior_parameter_of_rise(state, rise, &crossing->parameter))
        return false;
    float parameter = crossing->parameter;
    tr_vec2 edge = behavior_from(axes, 0, along);
    if (!make_crossing(map, chain, edge, heading, crossing))
        return false;
    axes = behavior_axes_at(edge.x, edge.z, heading);
    crossing->parameter = parameter;
    const tr_behavior_def *def = &map->behavior->def;
    crossing->cost += rise > 0 ? rise * def->up : -rise * def->down;
    return fabsf(crossing->to.y - crossing->from.y - rise) < EDGE_TOLERANCE &&
           behavior_edge_is_at(map, axes, crossing->from.y, crossing->to.y);
}

// Directions in which there is a crossing already, a word for every square of APART x APART.
typedef struct cross_taken {
    uint32_t *headings;
    uint32_t columns, rows, side; // cells of the map in a square
} cross_taken;

static tr_status add(const tr_allocator *allocator, behavior_crossings *crossings,
                     const behavior_crossing *crossing, tr_error *error) {
    void *list = crossings->list;
    if (crossings->count == BEHAVIOR_CROSSINGS_MAX)
        return tr_fail(error, TR_LIMIT, "there are more than %d crossings", BEHAVIOR_CROSSINGS_MAX);
    bool room = tr_reserve(allocator, &list, &crossings->room, (uint64_t)crossings->count + 1,
                           sizeof *crossings->list);
    crossings->list = list;
    if (!room)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for crossings");
    crossings->list[crossings->count++] = *crossing;
    return TR_OK;
}

static tr_status cross_cell(const tr_behavior_map *map, const behavior_chain *chain, uint32_t number,
                            uint32_t column, uint32_t row, uint32_t *taken, const tr_allocator *allocator,
                            behavior_crossings *crossings, tr_error *error) {
    float cell = map->grid.cell;
    tr_vec2 action = {map->grid.origin.x + ((float)column + 0.5f) * cell,
                      map->grid.origin.z + ((float)row + 0.5f) * cell};
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < HEADINGS && status == TR_OK; i++) {
        float heading = (float)(2 * TR_PI) * ((float)i - HEADINGS / 2 + 1) / HEADINGS;
        behavior_crossing crossing;
        if (*taken >> i & 1)
            continue;
        bool made = climbs(map, chain) ? make_climb(map, chain, action, heading, &crossing)
                                       : make_crossing(map, chain, action, heading, &crossing);
        if (!made)
            continue;
        crossing.chain = number;
        *taken |= 1u << i;
        status = add(allocator, crossings, &crossing, error);
    }
    return status;
}

static tr_status cross_all(const tr_behavior_map *map, const behavior_chain *chain, uint32_t number,
                           const cross_taken *taken, const tr_allocator *allocator,
                           behavior_crossings *crossings, tr_error *error) {
    uint32_t apart = (uint32_t)(SPACING * map->per_metre);
    apart = apart > 0 ? apart : 1;
    tr_status status = TR_OK;
    for (uint32_t row = 0; row < map->grid.rows; row += apart)
        for (uint32_t column = 0; column < map->grid.columns && status == TR_OK; column += apart) {
            if (is_free(map, 0, column, row) || !is_free(map, chain->band, column, row))
                continue;
            size_t square = (size_t)(row / taken->side) * taken->columns + column / taken->side;
            square += climbs(map, chain) ? (size_t)taken->columns * taken->rows : 0;
            status = cross_cell(map, chain, number, column, row, &taken->headings[square], allocator,
                                crossings, error);
        }
    return status;
}

tr_status tr_behavior_cross(const tr_behavior_map *map, const behavior_chain *chains, uint32_t chain_count,
                            const tr_allocator *allocator, behavior_crossings *crossings, tr_error *error) {
    cross_taken taken = {.side = (uint32_t)(APART * map->per_metre)};
    taken.side = taken.side > 0 ? taken.side : 1;
    taken.columns = map->grid.columns / taken.side + 1;
    taken.rows = map->grid.rows / taken.side + 1;
    size_t squares = 2 * (size_t)taken.columns * taken.rows; // those of climbs apart
    crossings->count = 0;
    taken.headings = tr_allocate_zero(allocator, squares, sizeof *taken.headings);
    tr_status status = taken.headings ? TR_OK : tr_fail(error, TR_OUT_OF_MEMORY, "no memory for crossings");
    for (uint32_t i = 0; i < chain_count && status == TR_OK; i++)
        status = cross_all(map, &chains[i], i, &taken, allocator, crossings, error);
    tr_release(allocator, taken.headings, squares, sizeof *taken.headings);
    return status;
}

tr_status tr_behavior_crossing_plan(const behavior_chain *chain, const behavior_crossing *crossing,
                                    tr_behavior_plan *plan) {
    behavior_axes begin = behavior_axes_at(crossing->from.x, crossing->from.z, crossing->heading);
    if (plan->action_max < chain->move_count)
        return TR_LIMIT;
    for (uint32_t i = 0; i < chain->move_count; i++) {
        tr_behavior_action *action = &plan->actions[i];
        *action = chain->moves[i];
        action->position = behavior_from(begin, action->position.x, action->position.z);
        action->heading += crossing->heading;
        action->height = crossing->from.y;
        if (crossing->parameter > 0 && i == chain->special)
            action->parameter = crossing->parameter;
    }
    plan->action_count = chain->move_count;
    plan->end = (tr_vec2){crossing->to.x, crossing->to.z};
    plan->end_heading = crossing->end_heading;
    plan->end_frame = chain->frames;
    plan->cost = chain->cost;
    return TR_OK;
}
