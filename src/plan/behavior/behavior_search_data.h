// plan/behavior/behavior_search_data.h - what the parts of the behavior planner share. Internal to
// plan/behavior.
#pragma once
#include "behavior_map_data.h"
#include "plan/search_core.h"
#include "troupe/base/scalar.h"
#include "troupe/plan/behavior_search.h"

#define BEHAVIOR_UNIT 4096.0 // whole units of the search in a unit of cost
#define BEHAVIOR_NO_STATE 0xffff

// A place of the tree, and the move that leads to it.
typedef struct behavior_node {
    float x, z, heading, parameter;
    uint32_t frame, move;
    uint16_t state, leg; // leg: how many goals were visited
    uint32_t tried;      // candidates, in the order of their totals
    uint64_t key;        // in the table
} behavior_node;

typedef struct behavior_entry {
    uint64_t key;
    uint32_t node;
} behavior_entry;

// Steps from every coarse cell to a goal.
typedef struct behavior_field {
    uint16_t *steps;
    uint32_t last; // cells that were not reached are at least this far away
    bool is_whole; // they cannot be reached at all
} behavior_field;

// An action on empty ground, and what it costs to get to a goal from there (behavior_outlook.c).
typedef struct behavior_outlook_action {
    float x, z, sine, cosine, cost;
} behavior_outlook_action;
typedef struct behavior_outlook {
    float *costs;
    uint64_t signature; // of the machine
    float tolerance;
    bool is_made;
} behavior_outlook;

struct tr_behavior_search {
    tr_allocator allocator;
    tr_search *core;
    tr_search_domain domain;
    uint32_t node_max, node_count;
    behavior_node *nodes;
    behavior_entry *table; // table_size of table_max are in use
    uint32_t table_max, table_size, table_count, table_shift;
    // The query.
    const tr_behavior *behavior;
    const tr_behavior_map *map;
    tr_behavior_query query;
    tr_vec2 goals[TR_BEHAVIOR_GOALS_MAX];
    double rest_of_way[TR_BEHAVIOR_GOALS_MAX]; // cost from each goal on
    uint32_t *costs;                           // of each state
    uint32_t cost_max;
    behavior_sample *samples; // of an interpolated move
    uint32_t sample_max;
    struct behavior_candidate *candidates; // of the node that is expanded (behavior_expand.c)
    uint64_t *order;                       // their totals and numbers
    uint32_t candidate_max;
    double scale;          // from costs to inflated units of the search
    bool moves, uses_near; // something moves; the near regions of the map suit the machine
    uint32_t frame_max;
    uint64_t cells[2], headings, times; // of the table
    uint32_t time_frames;
    // Fields.
    uint32_t field_cells, field_words, field_count; // allocated
    behavior_field fields[TR_BEHAVIOR_GOALS_MAX];
    bool keeps_fields;            // those of the search before are those of this one
    uint64_t *waves;              // three bitmaps
    uint32_t *delayed;            // links of coarse cells that a wave enters later
    behavior_outlook outlooks[2]; // for goals on the way, and for rest at the last one
    behavior_outlook_action *outlook_actions;
    uint32_t outlook_size, outlook_states;
    // Counters.
    uint64_t tests, dropped, repeated; // repeated: places were taken from the queue once more
    bool late;                         // something was left out because the map or the query ends
    bool begun, full;
    // Of a search by a tree that is made beforehand (behavior_tree_find.c).
    const struct tr_behavior_tree *tree;
    struct behavior_planting *planting;
};

// A place on the ground with a heading, and the axes there.
typedef struct behavior_axes {
    float x, z, sine, cosine;
} behavior_axes;

static inline behavior_axes behavior_axes_at(float x, float z, float heading) {
    behavior_axes axes = {x, z, 0, 0};
    behavior_axes_turn(heading, &axes.sine, &axes.cosine);
    return axes;
}
static inline tr_vec2 behavior_from(behavior_axes axes, float x, float z) {
    return tr_vec2_make(axes.x + (x * axes.cosine + z * axes.sine),
                        axes.z + (z * axes.cosine - x * axes.sine));
}

// The last discs first: those at the beginning are near a place that is known to be free.
// Whether a move collides with nothing: with walls alone, or with what moves as well.
static inline bool behavior_is_clear_of_walls(const tr_behavior_map *map, behavior_axes axes,
                                              const behavior_sample *samples, uint32_t count) {
    const uint8_t *blocked = map->blocked;
    size_t columns = map->grid.columns;
    for (uint32_t i = count; i-- > 0;) {
        tr_vec2 at = behavior_from(axes, samples[i].x, samples[i].z);
        uint32_t column, row;
        if (!behavior_cell(map, at.x, at.z, &column, &row) ||
            (blocked[row * columns + column] >> samples[i].band & 1))
            return false;
    }
    return true;
}
// With walls and objects, or with other characters alone.
static inline bool behavior_is_clear_of_things(const tr_behavior_map *map, behavior_axes axes, uint32_t frame,
                                               const behavior_sample *samples, uint32_t count) {
    if (!map->object_bands)
        return behavior_is_clear_of_walls(map, axes, samples, count);
    for (uint32_t i = count; i-- > 0;) {
        tr_vec2 at = behavior_from(axes, samples[i].x, samples[i].z);
        uint32_t column, row;
        if (!behavior_cell(map, at.x, at.z, &column, &row) ||
            !behavior_cell_is_clear_of_things(map, samples[i].band, column, row, frame + samples[i].from,
                                              frame + samples[i].to))
            return false;
    }
    return true;
}
static inline bool behavior_is_clear_of_people(const tr_behavior_map *map, behavior_axes axes, uint32_t frame,
                                               const behavior_sample *samples, uint32_t count) {
    for (uint32_t i = count; i-- > 0 && map->people_count > 0;) {
        tr_vec2 at = behavior_from(axes, samples[i].x, samples[i].z);
        uint32_t column, row;
        if (!behavior_cell(map, at.x, at.z, &column, &row) ||
            !behavior_people_are_clear(map, column, row, behavior_last_slot(map, frame + samples[i].from),
                                       behavior_last_slot(map, frame + samples[i].to)))
            return false;
    }
    return true;
}
static inline bool behavior_is_clear(const tr_behavior_map *map, bool moves, behavior_axes axes,
                                     uint32_t frame, const behavior_sample *samples, uint32_t count) {
    if (!moves)
        return behavior_is_clear_of_walls(map, axes, samples, count);
    for (uint32_t i = count; i-- > 0;) {
        tr_vec2 at = behavior_from(axes, samples[i].x, samples[i].z);
        uint32_t column, row;
        if (!behavior_cell(map, at.x, at.z, &column, &row) ||
            !behavior_cell_is_free(map, samples[i].band, column, row, frame + samples[i].from,
                                   frame + samples[i].to))
            return false;
    }
    return true;
}

// F, T and G of Algorithm 1 (behavior_expand.c).
tr_status tr_behavior_candidates_reserve(tr_behavior_search *search, const tr_behavior *behavior);
void tr_behavior_candidates_release(tr_behavior_search *search);
void tr_behavior_expand(void *search, uint32_t node, uint32_t parent, tr_search_step *step);
bool tr_behavior_arrives(void *search, uint32_t node);
uint32_t tr_behavior_estimate(void *search, uint32_t node);
// What the rest of the way is expected to cost from a place with these axes.
uint32_t tr_behavior_estimate_at(const tr_behavior_search *search, const behavior_node *node,
                                 behavior_axes axes);
// tr_behavior_find, with another way to expand a node.
typedef void behavior_expander(void *search, uint32_t node, uint32_t parent, tr_search_step *step);
tr_status tr_behavior_find_by(behavior_expander *expand, tr_behavior_search *search,
                              const tr_behavior *behavior, const tr_behavior_map *map,
                              const tr_behavior_query *query, tr_behavior_plan *plan,
                              tr_behavior_result *result, tr_error *error);
void tr_behavior_planting_release(tr_behavior_search *search);

// The table of visited places (behavior_table.c). false: the table would have too many places.
bool tr_behavior_table_begin(tr_behavior_search *search);
// The entry of a key: that which it has, or an empty one for it (its node is TR_NONE).
behavior_entry *tr_behavior_table_find(tr_behavior_search *search, uint64_t key);
// Enters a node that was added to the tree.
void tr_behavior_table_enter(tr_behavior_search *search, behavior_entry *entry, uint32_t node);
uint64_t tr_behavior_table_key(const tr_behavior_search *search, const behavior_node *node, uint32_t group);

// Fields (behavior_field.c).
tr_status tr_behavior_fields_reserve(tr_behavior_search *search, const tr_behavior_map *map, uint32_t count);
void tr_behavior_fields_release(tr_behavior_search *search);
// Floods from each goal until the goal before it, or the start, is reached and a little more.
void tr_behavior_fields_flood(tr_behavior_search *search);
// Steps from a point to goal `leg`; false: not known.
bool tr_behavior_field_steps(const tr_behavior_search *search, uint32_t leg, float x, float z,
                             uint32_t *steps);
// The direction in which the way to goal `leg` goes on.
tr_vec2 tr_behavior_field_ahead(const tr_behavior_search *search, uint32_t leg, float x, float z);

// The outlook (behavior_outlook.c). It is made when it is first needed, and kept for queries like that.
tr_status tr_behavior_outlook_reserve(tr_behavior_search *search, const tr_behavior *behavior);
void tr_behavior_outlook_release(tr_behavior_search *search);
void tr_behavior_outlook_prepare(tr_behavior_search *search);
// `axes`: of the node.
double tr_behavior_outlook_cost(const tr_behavior_search *search, const behavior_node *node,
                                behavior_axes axes);
// The expected cost from goal `leg` - 1, to which a character comes straight from `before`, to goal `leg`.
double tr_behavior_outlook_leg(const tr_behavior_search *search, uint32_t leg, tr_vec2 before);

// tr_behavior_find once more, for a query with the same start, goals and heuristic, and with the same map:
// fields are not made again.
tr_status tr_behavior_find_again(tr_behavior_search *search, const tr_behavior *behavior,
                                 const tr_behavior_map *map, const tr_behavior_query *query,
                                 tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error);
// The cost that is expected from the start of the last search; 0: it did not begin.
double tr_behavior_expected(const tr_behavior_search *search);

// Why a search cannot succeed, before it (TR_OK: it may), and why it did not (behavior_reason.c).
tr_status tr_behavior_reason_before(const tr_behavior_search *search, tr_error *error);
tr_status tr_behavior_reason_after(const tr_behavior_search *search, tr_error *error);
