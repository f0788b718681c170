// The outlook: what it costs to get to a goal on empty ground, which depends on where the goal is as seen
// from the character and on what it is doing. It knows what distances do not: that turning takes room, and
// that coming to rest takes a move. Values are on a lattice around the character, found by repeated
// improvement.
#include "behavior_search_data.h"
#include "troupe/base/hash.h"

#include <string.h>

#define SIDE 33    // lattice points on a side
#define REACH 8.0f // of the lattice, to each side [m]
#define STEP (2 * REACH / (SIDE - 1))
#define POINTS (SIDE * SIDE)
#define SWEEPS 40
#define CHANGE 0.01f // of a value that is worth another sweep, in metres at the least cost
#define PARAMETERS 3 // of a parametrised state

typedef struct outlook_maker {
    const tr_behavior *behavior;
    const behavior_outlook_action *actions; // PARAMETERS for each state
    float *costs;                           // [group][point]
    float tolerance, rate;
    bool rests; // the character has to come to rest
} outlook_maker;

static uint32_t outlook_size(const tr_behavior *behavior) {
    return behavior->group_count * POINTS;
}

void tr_behavior_outlook_release(tr_behavior_search *s) {
    for (int i = 0; i < 2; i++)
        tr_release(&s->allocator, s->outlooks[i].costs, s->outlook_size, sizeof(float));
    tr_release(&s->allocator, s->outlook_actions, s->outlook_states, PARAMETERS * sizeof *s->outlook_actions);
    memset(s->outlooks, 0, sizeof s->outlooks);
    s->outlook_actions = NULL;
    s->outlook_size = s->outlook_states = 0;
}

tr_status tr_behavior_outlook_reserve(tr_behavior_search *s, const tr_behavior *behavior) {
    uint32_t size = outlook_size(behavior), states = behavior->def.state_count;
    if (size <= s->outlook_size && states <= s->outlook_states)
        return TR_OK;
    tr_behavior_outlook_release(s);
    s->outlook_size = size;
    s->outlook_states = states;
    for (int i = 0; i < 2; i++)
        s->outlooks[i].costs = tr_allocate(&s->allocator, size, sizeof(float));
    s->outlook_actions = tr_allocate(&s->allocator, states, PARAMETERS * sizeof *s->outlook_actions);
    if (s->outlooks[0].costs && s->outlooks[1].costs && s->outlook_actions)
        return TR_OK;
    tr_behavior_outlook_release(s);
    return TR_OUT_OF_MEMORY;
}

// The cost of a point, between those of the lattice. Beyond it the rest of the way is straight.
static inline float look_up(const float *costs, float x, float z, float rate) {
    float ax = fabsf(x), az = fabsf(z), most = ax > az ? ax : az, beyond = 0;
    if (most > REACH) {
        float part = REACH / most;
        beyond = sqrtf(x * x + z * z) * (1 - part) * rate;
        x *= part;
        z *= part;
    }
    float c = (x + REACH) * (1 / STEP), r = (z + REACH) * (1 / STEP);
    c = c < 0 ? 0 : c > SIDE - 1.001f ? SIDE - 1.001f : c;
    r = r < 0 ? 0 : r > SIDE - 1.001f ? SIDE - 1.001f : r;
    uint32_t column = (uint32_t)c, row = (uint32_t)r;
    const float *at = costs + row * SIDE + column;
    float s = c - (float)column, t = r - (float)row;
    return beyond + (1 - t) * ((1 - s) * at[0] + s * at[1]) + t * ((1 - s) * at[SIDE] + s * at[SIDE + 1]);
}

// --- Making it ---

static behavior_outlook_action action_of(const tr_behavior *behavior, uint32_t state, uint32_t index) {
    const tr_behavior_state *from = &behavior->states[state];
    tr_behavior_move move = from->moves[0];
    double cost = behavior->infos[state].cost, sine, cosine;
    if (from->parametrised) {
        float low = from->moves[0].parameter, high = from->moves[from->move_count - 1].parameter;
        float parameter =
            index + 1 < PARAMETERS ? low + (high - low) * (float)index / (PARAMETERS - 1) : high;
        tr_behavior_interpolate(behavior, state, parameter, &move, NULL);
        cost = tr_behavior_distance(&behavior->def, &move) * (double)from->weight;
    }
    tr_sin_cos((double)move.turn, &sine, &cosine);
    return (behavior_outlook_action){move.x, move.z, (float)sine, (float)cosine, (float)cost};
}

// What an action costs, with all that follows, towards a goal at (x, z). A goal on the way is passed by the
// end of the move only.
static float try_action(const outlook_maker *m, uint32_t state, uint32_t index, float x, float z) {
    const behavior_outlook_action *a = &m->actions[state * PARAMETERS + index];
    float dx = x - a->x, dz = z - a->z;
    float goal_x = dx * a->cosine - dz * a->sine, goal_z = dz * a->cosine + dx * a->sine;
    bool is_done = goal_x * goal_x + goal_z * goal_z <= m->tolerance * m->tolerance;
    if (is_done && (!m->rests || m->behavior->states[state].end == m->behavior->def.rest))
        return a->cost;
    return a->cost +
           look_up(m->costs + (size_t)m->behavior->infos[state].group * POINTS, goal_x, goal_z, m->rate);
}

static float best_action(const outlook_maker *m, const tr_behavior_state *from, float x, float z) {
    float best = INFINITY;
    for (uint32_t i = 0; i < from->successor_count; i++) {
        const tr_behavior_state *state = &m->behavior->states[from->successors[i]];
        if (state->serves)
            continue;
        for (uint32_t k = 0; k < (state->parametrised ? PARAMETERS : 1u); k++) {
            float cost = try_action(m, from->successors[i], k, x, z);
            best = cost < best ? cost : best;
        }
    }
    return best;
}

// Improves all points of the group of a state; returns the greatest change.
static float sweep(const outlook_maker *m, uint32_t member, bool backwards) {
    float *costs = m->costs + (size_t)m->behavior->infos[member].group * POINTS, change = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        uint32_t point = backwards ? POINTS - 1 - i : i;
        float x = (float)(point % SIDE) * STEP - REACH, z = (float)(point / SIDE) * STEP - REACH;
        bool is_there = x * x + z * z <= m->tolerance * m->tolerance;
        if (is_there && (!m->rests || m->behavior->states[member].end == m->behavior->def.rest))
            continue;
        float cost = best_action(m, &m->behavior->states[member], x, z);
        if (cost < INFINITY && cost > costs[point]) {
            change = cost - costs[point] > change ? cost - costs[point] : change;
            costs[point] = cost;
        }
    }
    return change;
}

static bool is_first_of_group(const tr_behavior *behavior, uint32_t state) {
    uint32_t first = 0;
    while (behavior->infos[first].group != behavior->infos[state].group)
        first++;
    return first == state;
}

static void make(const outlook_maker *m) {
    const tr_behavior *behavior = m->behavior;
    for (uint32_t i = 0; i < outlook_size(behavior); i++) { // from below: straight on
        float x = (float)(i % POINTS % SIDE) * STEP - REACH, z = (float)(i % POINTS / SIDE) * STEP - REACH;
        float way = sqrtf(x * x + z * z) - m->tolerance;
        m->costs[i] = way > 0 ? way * m->rate : 0;
    }
    float change = INFINITY;
    for (uint32_t round = 0; round < SWEEPS && change > CHANGE * m->rate; round++) {
        change = 0;
        for (uint32_t i = 0; i < behavior->def.state_count; i++) {
            float most = is_first_of_group(behavior, i) ? sweep(m, i, round % 2) : 0;
            change = most > change ? most : change;
        }
    }
}

// Of all numbers that the outlook depends on.
static uint64_t signature_of(const tr_behavior_search *s) {
    const tr_behavior *behavior = s->behavior;
    uint64_t sum = behavior->def.state_count;
    for (uint32_t i = 0; i < behavior->def.state_count; i++) {
        const tr_behavior_state *state = &behavior->states[i];
        for (uint32_t k = 0; k < (state->parametrised ? state->move_count : 1); k++) {
            const tr_behavior_move *move = &state->moves[k];
            const float numbers[6] = {move->x,         move->z,       move->turn,
                                      move->parameter, state->weight, (float)behavior->infos[i].cost};
            sum = tr_hash(sum, numbers, sizeof numbers);
        }
        const uint32_t links[3] = {behavior->infos[i].group, state->end, state->serves};
        sum = tr_hash(sum, links, sizeof links);
        sum = tr_hash(sum, state->successors, state->successor_count * sizeof *state->successors);
    }
    return sum;
}

void tr_behavior_outlook_prepare(tr_behavior_search *s) {
    uint64_t signature = signature_of(s);
    for (uint32_t i = 0; i < 2; i++) {
        behavior_outlook *outlook = &s->outlooks[i];
        bool is_known = outlook->is_made && outlook->signature == signature &&
                        !(outlook->tolerance < s->query.tolerance) &&
                        !(outlook->tolerance > s->query.tolerance);
        if (is_known || (i == 0 && s->query.goal_count == 1))
            continue;
        for (uint32_t state = 0; state < s->behavior->def.state_count; state++)
            for (uint32_t k = 0; k < PARAMETERS; k++)
                s->outlook_actions[state * PARAMETERS + k] = action_of(s->behavior, state, k);
        outlook_maker m = {s->behavior,        s->outlook_actions,       outlook->costs,
                           s->query.tolerance, (float)s->behavior->rate, i == 1};
        make(&m);
        outlook->signature = signature;
        outlook->tolerance = s->query.tolerance;
        outlook->is_made = true;
    }
}

double tr_behavior_outlook_cost(const tr_behavior_search *s, const behavior_node *node, behavior_axes axes) {
    if (node->state == BEHAVIOR_NO_STATE)
        return 0;
    float dx = s->goals[node->leg].x - node->x, dz = s->goals[node->leg].z - node->z;
    float x = dx * axes.cosine - dz * axes.sine, z = dz * axes.cosine + dx * axes.sine;
    const behavior_outlook *outlook = &s->outlooks[node->leg + 1u == s->query.goal_count];
    const float *costs = outlook->costs + (size_t)s->behavior->infos[node->state].group * POINTS;
    return (double)look_up(costs, x, z, (float)s->behavior->rate);
}

double tr_behavior_outlook_leg(const tr_behavior_search *s, uint32_t leg, tr_vec2 before) {
    const behavior_outlook *outlook = &s->outlooks[leg + 1u == s->query.goal_count];
    tr_vec2 here = s->goals[leg - 1], way = tr_vec2_subtract(s->goals[leg], here);
    tr_vec2 ahead = tr_vec2_subtract(here, before);
    float length = tr_vec2_length(ahead), sine = length > 0 ? ahead.x / length : 0;
    float cosine = length > 0 ? ahead.z / length : 1, best = INFINITY, rate = (float)s->behavior->rate;
    float x = way.x * cosine - way.z * sine, z = way.z * cosine + way.x * sine;
    for (uint32_t group = 0; group < s->behavior->group_count; group++) {
        float cost = look_up(outlook->costs + (size_t)group * POINTS, x, z, rate);
        best = cost < best ? cost : best;
    }
    best -= s->query.tolerance * rate; // it turns already on the near side of the goal
    uint32_t steps;
    double around = 0;
    if (tr_behavior_field_steps(s, leg, here.x, here.z, &steps))
        around =
            ((double)steps * (double)s->map->grid.cell * s->map->coarse - 2 * (double)s->query.tolerance) *
            s->behavior->rate;
    return around > (double)best ? around : (double)best;
}
