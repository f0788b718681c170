#include "behavior_step.h"

#define NODES_DEFAULT (1u << 18)
#define NODES_MAX (1u << 24)

// --- Memory ---

static uint32_t table_for(uint32_t nodes) {
    uint32_t size = 16;
    while (size / 2 < nodes)
        size *= 2;
    return size;
}

tr_status tr_behavior_search_create(const tr_allocator *allocator, uint32_t node_max,
                                    tr_behavior_search **search, tr_error *error) {
    *search = NULL;
    node_max = node_max ? node_max : NODES_DEFAULT;
    if (node_max > NODES_MAX)
        return tr_fail(error, TR_INVALID, "node_max is %u, it must be at most %u", node_max, NODES_MAX);
    tr_allocator own = tr_allocator_or_default(allocator);
    tr_behavior_search *made = tr_allocate_zero(&own, 1, sizeof *made);
    if (made) {
        made->allocator = own;
        made->node_max = node_max;
        made->table_max = table_for(node_max);
        made->nodes = tr_allocate(&own, node_max, sizeof *made->nodes);
        made->table = tr_allocate(&own, made->table_max, sizeof *made->table);
        tr_search_def def = {.allocator = &own, .node_count = node_max, .queue = TR_SEARCH_HEAP};
        if (made->nodes && made->table && tr_search_create(&def, &made->core, NULL) == TR_OK) {
            *search = made;
            return TR_OK;
        }
        tr_behavior_search_destroy(made);
    }
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a behavior search over %u nodes", node_max);
}

void tr_behavior_search_destroy(tr_behavior_search *search) {
    if (!search)
        return;
    tr_allocator memory = search->allocator;
    tr_behavior_fields_release(search);
    tr_behavior_outlook_release(search);
    tr_behavior_planting_release(search);
    tr_search_destroy(search->core);
    tr_release(&memory, search->nodes, search->node_max, sizeof *search->nodes);
    tr_release(&memory, search->table, search->table_max, sizeof *search->table);
    tr_release(&memory, search->costs, search->cost_max, sizeof *search->costs);
    tr_release(&memory, search->samples, search->sample_max, sizeof *search->samples);
    tr_behavior_candidates_release(search);
    tr_release(&memory, search, 1, sizeof *search);
}

static bool grow(const tr_allocator *memory, void **block, uint32_t *count, uint32_t needed, size_t size) {
    if (*count >= needed)
        return true;
    tr_release(memory, *block, *count, size);
    *block = tr_allocate(memory, needed, size);
    *count = *block ? needed : 0;
    return *block != NULL;
}

tr_status tr_behavior_search_reserve(tr_behavior_search *s, const tr_behavior *behavior,
                                     const tr_behavior_map *map, uint32_t goal_count, tr_error *error) {
    void *costs = s->costs, *samples = s->samples;
    s->begun = false;
    behavior = behavior ? behavior : map->behavior;
    bool room = grow(&s->allocator, &costs, &s->cost_max, behavior->def.state_count, sizeof *s->costs);
    s->costs = costs;
    room = room && grow(&s->allocator, &samples, &s->sample_max, behavior->disc_max, sizeof *s->samples);
    s->samples = samples;
    if (goal_count > TR_BEHAVIOR_GOALS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u goals, the most is %d", goal_count,
                       TR_BEHAVIOR_GOALS_MAX);
    room = room && tr_behavior_candidates_reserve(s, behavior) == TR_OK;
    room = room && tr_behavior_outlook_reserve(s, behavior) == TR_OK;
    if (room && tr_behavior_fields_reserve(s, map, goal_count) == TR_OK)
        return TR_OK;
    return tr_fail(error, TR_OUT_OF_MEMORY, "no memory to plan on a map of %u x %u cells", map->grid.columns,
                   map->grid.rows);
}

// --- Queries ---

tr_behavior_query tr_behavior_query_default(void) {
    return (tr_behavior_query){.label = TR_NONE,
                               .tolerance = 0.5f,
                               .inflation = 1,
                               .queue_max = 500,
                               .cell = 0.25f,
                               .angle = (float)(TR_PI / 18),
                               .seconds = 0.5f,
                               .parameters = 3};
}

static tr_status check_place(const tr_behavior_query *q, tr_error *error) {
    if (!isfinite(q->start.x) || !isfinite(q->start.z) || !(fabsf(q->heading) < 1e5f))
        return tr_fail(error, TR_INVALID, "the start is (%g, %g) with heading %g", (double)q->start.x,
                       (double)q->start.z, (double)q->heading);
    if (!q->goals || q->goal_count == 0 || q->goal_count > TR_BEHAVIOR_GOALS_MAX)
        return tr_fail(error, TR_INVALID, "there are %u goals, there must be 1 to %d",
                       q->goals ? q->goal_count : 0, TR_BEHAVIOR_GOALS_MAX);
    for (uint32_t i = 0; i < q->goal_count; i++)
        if (!(fabsf(q->goals[i].x) < 1e7f && fabsf(q->goals[i].z) < 1e7f))
            return tr_fail(error, TR_INVALID, "goal %u is (%g, %g)", i, (double)q->goals[i].x,
                           (double)q->goals[i].z);
    if (!(q->tolerance > 0 && q->tolerance <= 1e3f))
        return tr_fail(error, TR_INVALID, "the tolerance is %g m, it must be above 0 and at most 1000",
                       (double)q->tolerance);
    return TR_OK;
}

static tr_status check_method(const tr_behavior_query *q, tr_error *error) {
    if ((unsigned)q->method > TR_BEHAVIOR_TRUNCATED || (unsigned)q->heuristic > TR_BEHAVIOR_FIELD)
        return tr_fail(error, TR_INVALID, "there is no method %d with heuristic %d", (int)q->method,
                       (int)q->heuristic);
    if (!(q->inflation >= 1 && q->inflation <= 1e3f))
        return tr_fail(error, TR_INVALID, "the inflation is %g, it must be 1 to 1000", (double)q->inflation);
    if (q->method == TR_BEHAVIOR_TRUNCATED && q->queue_max == 0)
        return tr_fail(error, TR_INVALID, "queue_max is 0, it must be above 0");
    if (!(q->cell > 0 && isfinite(q->cell) && q->angle > 0 && isfinite(q->angle) && q->seconds > 0))
        return tr_fail(
            error, TR_INVALID,
            "the table has cells of %g m, sectors of %g rad and slots of %g s, these must be above 0",
            (double)q->cell, (double)q->angle, (double)q->seconds);
    if (q->parameters > TR_BEHAVIOR_PARAMETERS_MAX)
        return tr_fail(error, TR_INVALID, "%u parameters of each state are too many, the most is %d",
                       q->parameters, TR_BEHAVIOR_PARAMETERS_MAX);
    return TR_OK;
}

static tr_status check_machine(const tr_behavior *behavior, const tr_behavior_map *map,
                               const tr_behavior_query *q, tr_error *error) {
    const tr_behavior_def *def = &behavior->def, *own = &map->behavior->def;
    bool fits = def->radius <= own->radius && behavior_keep(def) <= behavior_keep(own) &&
                behavior->step <= map->behavior->step && def->band_count <= own->band_count &&
                !(def->frames_per_second > own->frames_per_second) &&
                !(def->frames_per_second < own->frames_per_second);
    for (uint32_t i = 0; fits && i < def->band_count; i++)
        fits = def->bands[i].low >= own->bands[i].low && def->bands[i].high <= own->bands[i].high;
    if (!fits)
        return tr_fail(error, TR_INVALID,
                       "the map was made for another machine: discs of %g m, %u bands and %g frames a second",
                       (double)own->radius, own->band_count, own->frames_per_second);
    if (q->label != TR_NONE && q->label >= def->label_count)
        return tr_fail(error, TR_INVALID, "the start has label %u, there are %u", q->label, def->label_count);
    return TR_OK;
}

// --- Beginning ---

static void begin_costs(tr_behavior_search *s) {
    for (uint32_t i = 0; i < s->behavior->def.state_count; i++)
        s->costs[i] = behavior_state_cost(s->behavior, i);
    s->scale = BEHAVIOR_UNIT * (double)s->query.inflation;
}

// What the legs after each goal are expected to cost.
static void begin_legs(tr_behavior_search *s) {
    const tr_behavior_query *q = &s->query;
    s->rest_of_way[q->goal_count - 1] = 0;
    for (uint32_t i = q->goal_count - 1; i-- > 0;) {
        tr_vec2 way = tr_vec2_subtract(s->goals[i + 1], s->goals[i]);
        double length = sqrt((double)way.x * (double)way.x + (double)way.z * (double)way.z);
        length -= 2 * (double)q->tolerance;
        double cost = (length > 0 ? length : 0) * s->behavior->rate;
        if (q->heuristic == TR_BEHAVIOR_FIELD) {
            double guess = tr_behavior_outlook_leg(s, i + 1, i > 0 ? s->goals[i - 1] : q->start);
            cost = guess > cost ? guess : cost;
        }
        s->rest_of_way[i] = cost + s->rest_of_way[i + 1];
    }
}

static void begin_query(tr_behavior_search *s, const tr_behavior *behavior, const tr_behavior_map *map,
                        const tr_behavior_query *query, behavior_expander *expand) {
    s->behavior = behavior;
    s->map = map;
    s->query = *query;
    if (query->label == TR_NONE)
        s->query.label = behavior->def.rest;
    for (uint32_t i = 0; i < query->goal_count; i++)
        s->goals[i] = query->goals[i];
    s->query.goals = s->goals;
    s->moves = map->people_count > 0 || map->object_bands != 0;
    s->uses_near = behavior == map->behavior;
    s->frame_max = query->frame_max ? query->frame_max : UINT32_MAX - 2 * TR_BEHAVIOR_FRAMES_MAX;
    if (s->moves && s->frame_max >= tr_behavior_map_end(map))
        s->frame_max = tr_behavior_map_end(map) - 1;
    s->tests = s->dropped = s->repeated = 0;
    s->late = s->full = false;
    s->domain = (tr_search_domain){
        .user = s, .expand = expand, .estimate = tr_behavior_estimate, .is_goal = tr_behavior_arrives};
}

static tr_status begin_tree(tr_behavior_search *s, tr_error *error) {
    const tr_behavior_query *q = &s->query;
    if (!tr_behavior_table_begin(s))
        return tr_fail(error, TR_LIMIT,
                       "the table would tell more than 2^63 places apart: %g m, %g rad, %g s",
                       (double)q->cell, (double)q->angle, (double)q->seconds);
    if (q->heuristic == TR_BEHAVIOR_FIELD) {
        tr_behavior_fields_flood(s);
        tr_behavior_outlook_prepare(s);
    }
    begin_legs(s);
    float heading = q->heading;
    while (heading > (float)TR_PI)
        heading -= (float)(2 * TR_PI);
    while (heading <= -(float)TR_PI)
        heading += (float)(2 * TR_PI);
    s->query.heading = heading;
    s->nodes[0] = (behavior_node){
        .x = q->start.x, .z = q->start.z, .heading = heading, .frame = q->frame, .state = BEHAVIOR_NO_STATE};
    s->node_count = 1;
    while (s->nodes[0].leg + 1u < q->goal_count &&
           tr_vec2_length(tr_vec2_subtract(s->goals[s->nodes[0].leg], q->start)) <= q->tolerance)
        s->nodes[0].leg++;
    const uint32_t start = 0;
    if (tr_search_begin(s->core, &s->domain, &start, NULL, 1) != TR_OK)
        return tr_fail(error, TR_LIMIT, "a plan to the goal would cost more than 2^20");
    s->begun = true;
    return TR_OK;
}

// --- Results ---

static tr_status write_plan(const tr_behavior_search *s, uint32_t node, tr_behavior_plan *plan,
                            tr_error *error) {
    const search_node *links = s->core->nodes;
    uint32_t count = 0;
    for (uint32_t i = node; links[i].parent != TR_NONE; i = links[i].parent)
        count++;
    const behavior_node *last = &s->nodes[node];
    plan->action_count = 0;
    plan->end = tr_vec2_make(last->x, last->z);
    plan->end_heading = last->heading;
    plan->end_frame = last->frame;
    plan->cost = links[node].cost / BEHAVIOR_UNIT;
    if (count > plan->action_max)
        return tr_fail(error, TR_LIMIT, "the plan has %u actions, there is room for %u", count,
                       plan->action_max);
    plan->action_count = count;
    for (uint32_t i = node; links[i].parent != TR_NONE; i = links[i].parent) {
        const behavior_node *to = &s->nodes[i], *from = &s->nodes[links[i].parent];
        tr_vec2 at = tr_vec2_make(from->x, from->z);
        plan->actions[--count] = (tr_behavior_action){.state = to->state,
                                                      .move = to->move,
                                                      .parameter = to->parameter,
                                                      .frame = from->frame,
                                                      .position = at,
                                                      .heading = from->heading,
                                                      .height = tr_behavior_map_height(s->map, at),
                                                      .cost = links[links[i].parent].cost / BEHAVIOR_UNIT};
    }
    return TR_OK;
}

static uint32_t best_node(const tr_behavior_search *s) {
    uint32_t node = tr_search_found(s->core);
    node = node == TR_NONE ? tr_search_nearest(s->core) : node;
    return node == TR_NONE ? 0 : node;
}

static void write_result(const tr_behavior_search *s, tr_behavior_result *result) {
    const behavior_node *node = &s->nodes[best_node(s)];
    tr_vec2 at = tr_vec2_make(node->x, node->z);
    *result = (tr_behavior_result){.nodes = s->node_count,
                                   .expanded = s->core->counters.expanded - s->repeated,
                                   .tests = s->tests,
                                   .dropped = s->dropped,
                                   .nearest = at,
                                   .distance = tr_vec2_length(tr_vec2_subtract(s->goals[node->leg], at))};
}

static tr_status go_on(tr_behavior_search *s, tr_search_budget budget, tr_behavior_plan *plan,
                       tr_behavior_result *result, tr_error *error) {
    tr_status status = search_run(s->core, &s->domain, budget, NULL);
    if (result)
        write_result(s, result);
    if (status == TR_NOT_FOUND)
        return tr_behavior_reason_after(s, error);
    tr_status written = write_plan(s, best_node(s), plan, error);
    if (written != TR_OK)
        return written;
    if (status == TR_LIMIT && s->full)
        return tr_fail(error, TR_LIMIT, "the tree is full: it has %u nodes", s->node_max);
    if (status == TR_LIMIT)
        return tr_fail(error, TR_LIMIT, "a plan costs more than 2^20");
    return status;
}

tr_status tr_behavior_find_by(behavior_expander *expand, tr_behavior_search *s, const tr_behavior *behavior,
                              const tr_behavior_map *map, const tr_behavior_query *query,
                              tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error) {
    s->begun = false;
    behavior = behavior ? behavior : map->behavior;
    plan->action_count = 0;
    if (result)
        *result = (tr_behavior_result){.nearest = query->start};
    tr_status status = check_place(query, error);
    if (status == TR_OK)
        status = check_method(query, error);
    if (status == TR_OK)
        status = check_machine(behavior, map, query, error);
    if (status == TR_OK)
        status = tr_behavior_search_reserve(s, behavior, map, query->goal_count, error);
    if (status != TR_OK)
        return status;
    begin_query(s, behavior, map, query, expand);
    s->node_count = 0;
    status = tr_behavior_reason_before(s, error);
    if (status != TR_OK)
        return status;
    begin_costs(s);
    status = begin_tree(s, error);
    return status == TR_OK ? go_on(s, query->budget, plan, result, error) : status;
}

tr_status tr_behavior_find(tr_behavior_search *s, const tr_behavior *behavior, const tr_behavior_map *map,
                           const tr_behavior_query *query, tr_behavior_plan *plan, tr_behavior_result *result,
                           tr_error *error) {
    s->tree = NULL;
    return tr_behavior_find_by(tr_behavior_expand, s, behavior, map, query, plan, result, error);
}

tr_status tr_behavior_find_again(tr_behavior_search *s, const tr_behavior *behavior,
                                 const tr_behavior_map *map, const tr_behavior_query *query,
                                 tr_behavior_plan *plan, tr_behavior_result *result, tr_error *error) {
    s->keeps_fields = s->begun && s->map == map && s->query.goal_count == query->goal_count &&
                      s->query.heuristic == query->heuristic;
    tr_status status = tr_behavior_find(s, behavior, map, query, plan, result, error);
    s->keeps_fields = false;
    return status;
}

tr_status tr_behavior_resume(tr_behavior_search *s, tr_search_budget budget, tr_behavior_plan *plan,
                             tr_behavior_result *result, tr_error *error) {
    if (!s->begun)
        return tr_fail(error, TR_INVALID, "there is no search to be resumed");
    return go_on(s, budget, plan, result, error);
}

double tr_behavior_expected(const tr_behavior_search *s) {
    const behavior_node *start = &s->nodes[0];
    if (!s->begun)
        return 0;
    return tr_behavior_estimate_at(s, start, behavior_axes_at(start->x, start->z, start->heading)) / s->scale;
}

uint32_t tr_behavior_search_places(const tr_behavior_search *search) {
    return search->begun ? search->node_count : 0;
}

bool tr_behavior_search_place(const tr_behavior_search *s, uint32_t index, tr_behavior_place *place) {
    if (index >= tr_behavior_search_places(s))
        return false;
    const behavior_node *node = &s->nodes[index];
    const search_node *link = &s->core->nodes[index];
    *place = (tr_behavior_place){.position = {node->x, node->z},
                                 .heading = node->heading,
                                 .frame = node->frame,
                                 .parent = link->parent,
                                 .state = node->state == BEHAVIOR_NO_STATE ? TR_NONE : node->state,
                                 .cost = link->cost / BEHAVIOR_UNIT,
                                 .expanded = tr_search_is_expanded(s->core, index) || node->tried};
    return true;
}
