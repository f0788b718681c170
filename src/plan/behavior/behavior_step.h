// plan/behavior/behavior_step.h - one move from a place: where it leads, what it costs, and whether it is
// possible. Internal to the planners of behaviors.
#pragma once
#include "behavior_edge.h"

#define BEHAVIOR_RISE_TOLERANCE 0.15f // between the rise of a move and that of the floor [m]

// A move that may be taken.
typedef struct behavior_step {
    float x, z, turn, sine, cosine, rise, parameter; // sine and cosine of the turn
    uint32_t frames, state, move, cost;
    tr_vec2 action;
    uint32_t action_frame, sample_count;
    const behavior_sample *samples; // NULL: those of the parameter
    const behavior_sample *core;
    uint32_t core_count;
} behavior_step;

// Cost of a state that has no parameter, in whole units: never less, so that no estimate is too much.
static inline uint32_t behavior_state_cost(const tr_behavior *behavior, uint32_t state) {
    double cost = behavior->infos[state].cost * BEHAVIOR_UNIT;
    uint32_t whole = cost < (double)UINT32_MAX / 2 ? (uint32_t)cost : UINT32_MAX / 2;
    return whole < cost ? whole + 1 : whole;
}

// A clip of a state that has no parameter.
static inline behavior_step behavior_step_of(const tr_behavior *behavior, uint32_t state, uint32_t clip,
                                             uint32_t cost) {
    const tr_behavior_move *move = &behavior->moves[behavior->infos[state].first_move + clip];
    const behavior_move_info *own = &behavior->move_infos[behavior->infos[state].first_move + clip];
    behavior_step step = {.x = move->x,
                          .z = move->z,
                          .turn = move->turn,
                          .sine = own->sine,
                          .cosine = own->cosine,
                          .rise = move->rise,
                          .frames = move->frames,
                          .state = state,
                          .move = clip,
                          .cost = cost,
                          .action = own->action,
                          .action_frame = own->action_frame,
                          .samples = behavior->samples + own->first_sample,
                          .sample_count = own->sample_count,
                          .core = behavior->core_samples + own->first_core,
                          .core_count = move->core_count};
    return step;
}

// A state with a parameter.
static inline behavior_step behavior_step_between(const tr_behavior *behavior, uint32_t index,
                                                  float parameter) {
    const tr_behavior_state *state = &behavior->states[index];
    tr_behavior_move move;
    uint32_t lower;
    tr_behavior_interpolate(behavior, index, parameter, &move, NULL);
    float t = behavior_between(state, parameter, &lower);
    const behavior_move_info *a = &behavior->move_infos[behavior->infos[index].first_move + lower],
                             *b = a + 1;
    double cost = tr_behavior_distance(&behavior->def, &move) * (double)state->weight * BEHAVIOR_UNIT;
    behavior_step step = {
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
    behavior_axes_turn(move.turn, &step.sine, &step.cosine);
    return step;
}

// The samples of a step with a parameter, between those of two moves.
static inline const behavior_sample *behavior_step_samples(const tr_behavior *behavior,
                                                           const behavior_step *step,
                                                           behavior_sample *samples) {
    uint32_t lower;
    float t = behavior_between(&behavior->states[step->state], step->parameter, &lower);
    const behavior_move_info *info = &behavior->move_infos[behavior->infos[step->state].first_move + lower];
    const behavior_sample *a = behavior->samples + info->first_sample, *b = a + info->sample_count;
    for (uint32_t i = 0; i < step->sample_count; i++) {
        samples[i].x = behavior_lerp(a[i].x, b[i].x, t);
        samples[i].z = behavior_lerp(a[i].z, b[i].z, t);
        samples[i].from = (uint16_t)behavior_lerp(a[i].from, b[i].from, t); // rounded down, and `to` up
        samples[i].to = (uint16_t)(behavior_lerp(a[i].to, b[i].to, t) + 0.999f);
        samples[i].band = a[i].band;
    }
    return samples;
}

static inline float behavior_turned(float heading, float turn) {
    heading += turn;
    while (heading > (float)TR_PI)
        heading -= (float)(2 * TR_PI);
    while (heading <= -(float)TR_PI)
        heading += (float)(2 * TR_PI);
    return heading;
}

// Whether a step collides with nothing; `samples`: its own, or those of its parameter.
static inline bool behavior_step_is_clear(const tr_behavior_map *map, bool moves, behavior_axes axes,
                                          uint32_t frame, const behavior_step *step,
                                          const behavior_sample *samples) {
    if (step->core_count == 0 || !moves)
        return behavior_is_clear(map, moves, axes, frame, samples, step->sample_count);
    return behavior_is_clear_of_people(map, axes, frame, step->core, step->core_count) &&
           behavior_is_clear_of_things(map, axes, frame, samples, step->sample_count);
}

// Whether the action of a special motion that begins at a frame happens where it serves.
static inline bool behavior_step_serves(const tr_behavior_map *map, behavior_axes axes, uint32_t frame,
                                        const behavior_step *step, uint32_t band) {
    tr_vec2 at = behavior_from(axes, step->action.x, step->action.z);
    uint32_t column, row;
    if (map->behavior->def.bands[band].climbs) {
        float height = tr_behavior_map_height(map, tr_vec2_make(axes.x, axes.z));
        behavior_axes there = {at.x, at.z, axes.sine, axes.cosine};
        return behavior_edge_is_at(map, there, height, height + step->rise);
    }
    return behavior_cell(map, at.x, at.z, &column, &row) &&
           behavior_cell_is_within(map, band, column, row, frame + step->action_frame);
}

static inline bool behavior_rises_as_floor(const behavior_step *step, float rise) {
    float off = rise - step->rise;
    return fabsf(step->rise) < 0.05f || (off < BEHAVIOR_RISE_TOLERANCE && off > -BEHAVIOR_RISE_TOLERANCE);
}

static inline uint32_t behavior_slope_cost(const tr_behavior_def *def, float rise) {
    double cost = rise > 0 ? (double)rise * (double)def->up : (double)-rise * (double)def->down;
    return (uint32_t)(cost * BEHAVIOR_UNIT);
}

// Goals before the last one are visited where the straight line of a move passes them.
static inline void behavior_pass_goals(const tr_behavior_search *s, const behavior_node *from,
                                       behavior_node *to) {
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

typedef enum behavior_lead {
    BEHAVIOR_LEADS,
    BEHAVIOR_LEADS_NOWHERE, // off the map, or the floor does not rise like the move
    BEHAVIOR_LEADS_LATE     // it ends after the query
} behavior_lead;

// Where a step leads from a place with these axes and this height of the floor; its cost with that of the
// slope. Whether anything is in the way is not looked at.
static inline behavior_lead behavior_step_lead(tr_behavior_search *s, const behavior_node *from,
                                               behavior_axes axes, float height, const behavior_step *step,
                                               behavior_node *to, uint32_t *cost) {
    tr_vec2 at = behavior_from(axes, step->x, step->z);
    uint32_t column, row;
    float rise = 0;
    *to = (behavior_node){.x = at.x,
                          .z = at.z,
                          .heading = behavior_turned(from->heading, step->turn),
                          .parameter = step->parameter,
                          .frame = from->frame + step->frames,
                          .move = step->move,
                          .state = (uint16_t)step->state,
                          .leg = from->leg};
    *cost = step->cost;
    if (!behavior_cell(s->map, at.x, at.z, &column, &row))
        return BEHAVIOR_LEADS_NOWHERE;
    if (to->frame > s->frame_max) {
        s->late = true;
        return BEHAVIOR_LEADS_LATE;
    }
    if (s->map->heights) {
        rise = s->map->heights[(size_t)row * s->map->grid.columns + column] - height;
        *cost += behavior_slope_cost(&s->behavior->def, rise);
    }
    if (!behavior_rises_as_floor(step, rise))
        return BEHAVIOR_LEADS_NOWHERE;
    if (s->query.goal_count > 1)
        behavior_pass_goals(s, from, to);
    return BEHAVIOR_LEADS;
}

// Whether the place of an entry is new, or is reached at less cost than before.
static inline bool behavior_is_wanted(const tr_behavior_search *s, const behavior_entry *entry,
                                      uint32_t cost) {
    if (entry->node == TR_NONE)
        return true;
    if (s->query.as_written || s->core->nodes[entry->node].cost <= cost)
        return false;
    bool is_expanded = (s->core->states[entry->node] & 1) || s->nodes[entry->node].tried;
    return !is_expanded || s->query.inflation <= 1;
}

// The bands whose special obstacles may be near enough. Where something moves, that is not known from the map
// alone: within this reach of it every band is.
static inline uint32_t behavior_special_bands(const tr_behavior_search *s, float x, float z, float metres) {
    const tr_behavior_map *map = s->map;
    uint32_t column, row, all = s->behavior->special_bands;
    if (!s->uses_near || !behavior_cell(map, x, z, &column, &row))
        return all;
    uint32_t near = map->near[(size_t)row * map->grid.columns + column];
    if (!(map->object_bands & 1))
        return near;
    const tr_cells *area = &map->object_area;
    float reach = metres * map->per_metre + 2;
    bool is_close = (float)column + reach >= (float)area->column_begin &&
                    (float)column <= (float)area->column_end + reach &&
                    (float)row + reach >= (float)area->row_begin &&
                    (float)row <= (float)area->row_end + reach;
    return is_close ? all : near;
}
