// Searches for members of a crowd. Where many move, whether a plan is found soon depends much on when
// somebody sets out: several times are tried with little effort before one is tried with more.
#include "behavior_crowd_data.h"

#include "troupe/base/clock.h"

#include <stdio.h>
#include <string.h>

#define BESIDE_RINGS 10  // around a goal where somebody rests, at distances that grow by
#define BESIDE_STEP 0.3f // [m]
#define BESIDE_SECTORS 16

// How hard a plan is looked for: a search has a part of the budget; times to set out, and how far these are
// apart [s]. Greedy searches are for queries that are inflated: they go for the goal with more inflation and
// tell fewer places apart. What they find counts if it costs no more than the query's inflation allows beside
// what the character would expect if it were alone. Where the cheapest plan is wanted, but not found within
// the budget, any plan is better than none: the last search is inflated.
typedef struct crowd_effort {
    uint32_t part, times;
    double apart;
    bool is_greedy;
    float inflation; // at least; 0: that of the query
} crowd_effort;
static const crowd_effort inflated_efforts[] = {
    {5, 1, 1, true, 0}, {1, 1, 1, true, 0}, {5, 3, 1.2, false, 0}};
static const crowd_effort exact_efforts[] = {
    {14, 4, 1.5, false, 0}, {4, 5, 2, false, 0}, {1, 4, 8, false, 0}, {1, 4, 2, false, 2}};
#define GREED 3       // inflation of a greedy search
#define GREEDY_CELL 2 // times the size of the places that are told apart
#define GREEDY_ANGLE 3
#define GREEDY_SECONDS 2

// --- Goals ---

bool tr_crowd_may_rest(const tr_behavior_map *map, tr_vec2 at, uint32_t frame) {
    uint32_t column, row, last = map->slot_count - 1;
    return behavior_cell(map, at.x, at.z, &column, &row) &&
           behavior_cell_is_free(map, 0, column, row, last * map->slot_frames, UINT32_MAX) &&
           behavior_objects_are_clear(map, 0, column, row, behavior_last_slot(map, frame), last);
}

// Nobody can rest at a goal: the nearest place beside it is taken instead, if there is one.
static bool find_beside(const tr_behavior_map *map, tr_vec2 goal, uint32_t frame, tr_vec2 *place) {
    for (int ring = 1; ring <= BESIDE_RINGS; ring++)
        for (int sector = 0; sector < BESIDE_SECTORS; sector++) {
            float angle = (float)sector * (float)(2 * TR_PI / BESIDE_SECTORS);
            tr_vec2 at = behavior_from(behavior_axes_at(goal.x, goal.z, angle), 0, BESIDE_STEP * (float)ring);
            if (tr_crowd_may_rest(map, at, frame)) {
                *place = at;
                return true;
            }
        }
    return false;
}

bool tr_crowd_holds(const tr_behavior_crowd *crowd, uint32_t holder, uint32_t person) {
    const tr_behavior_query *query = &crowd->people[person].query;
    float apart = crowd_apart(crowd);
    tr_vec2 off = tr_vec2_subtract(crowd->people[holder].query.start, query->goals[query->goal_count - 1]);
    return holder != person && !crowd->members[holder].is_done &&
           off.x * off.x + off.z * off.z < apart * apart;
}

static bool is_held(const tr_behavior_crowd *crowd, uint32_t person) {
    for (uint32_t i = 0; i < crowd->count; i++)
        if (tr_crowd_holds(crowd, i, person))
            return true;
    return false;
}

// Does somebody rest at a goal on the way, in the end?
static bool is_rested_at(const tr_behavior_map *map, tr_vec2 goal) {
    uint32_t column, row;
    return behavior_cell(map, goal.x, goal.z, &column, &row) &&
           map->rest[(size_t)row * map->grid.columns + column] != BEHAVIOR_NEVER;
}

// Searches to a goal that somebody rests at would visit every place in vain.
static void choose_goals(tr_behavior_crowd *crowd, uint32_t person, crowd_goals *room,
                         tr_behavior_query *query) {
    const tr_behavior_map *map = crowd->map;
    if (!query->goals || query->goal_count == 0 || query->goal_count > TR_BEHAVIOR_GOALS_MAX)
        return; // the search complains
    uint32_t last = query->goal_count - 1;
    memcpy(room->goals, query->goals, query->goal_count * sizeof *query->goals);
    bool moves = false;
    for (uint32_t i = 0; i < last; i++)
        if (is_rested_at(map, room->goals[i]))
            moves = find_beside(map, query->goals[i], query->frame, &room->goals[i]) || moves;
    if (!tr_crowd_may_rest(map, room->goals[last], query->frame) && !is_held(crowd, person))
        moves = find_beside(map, query->goals[last], query->frame, &room->goals[last]) || moves;
    query->goals = room->goals;
    crowd->members[person].moves_goals = moves;
}

// --- One search ---

tr_behavior_query tr_crowd_query(const tr_behavior_crowd *crowd, uint32_t person) {
    tr_behavior_query query = crowd->people[person].query;
    if (query.budget.expansions == 0)
        query.budget.expansions = query.inflation > 1 ? CROWD_EXPANSIONS : CROWD_EXPANSIONS_EXACT;
    return query;
}

// `again`: for the same start and goals as the search of this worker before.
static tr_status search_for(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker, bool again,
                            const tr_behavior_query *query, tr_behavior_plan *plan) {
    crowd_member *member = &crowd->members[person];
    tr_behavior_result result = {0};
    tr_error error = {0};
    tr_behavior_query limited = *query;
    uint64_t most = query->budget.expansions, begin = tr_clock_nanoseconds();
    if (crowd->allowance == 0) { // the reason of the last search stands
        plan->action_count = 0;
        return TR_NOT_FOUND;
    }
    limited.budget.expansions = most > 0 && most < crowd->allowance ? most : crowd->allowance;
    tr_status status = (again ? tr_behavior_find_again : tr_behavior_find)(
        crowd->searches[worker], crowd->people[person].behavior, crowd->map, &limited, plan, &result, &error);
    if (crowd->allowance != UINT64_MAX) // one thread
        crowd->allowance -= result.expanded < crowd->allowance ? result.expanded : crowd->allowance;
    member->nanoseconds += tr_clock_nanoseconds() - begin;
    member->searches++;
    member->expanded += result.expanded;
    member->tests += result.tests;
    member->status = status;
    member->expected = tr_behavior_expected(crowd->searches[worker]);
    if (status == TR_PARTIAL)
        snprintf(
            member->reason, sizeof member->reason,
            "no plan was found within %llu expansions: the nearest place is (%.2f, %.2f), %.2f m from a goal",
            (unsigned long long)query->budget.expansions, (double)result.nearest.x, (double)result.nearest.z,
            (double)result.distance);
    else if (status != TR_OK)
        snprintf(member->reason, sizeof member->reason, "%.150s", error.message);
    if (status != TR_OK)
        plan->action_count = 0;
    return status;
}

static tr_status search_greedily(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker, bool again,
                                 const tr_behavior_query *query, tr_behavior_plan *plan) {
    tr_behavior_query at = *query;
    at.inflation = at.inflation > GREED ? at.inflation : GREED;
    at.cell *= GREEDY_CELL;
    at.angle *= GREEDY_ANGLE;
    at.seconds *= GREEDY_SECONDS;
    return search_for(crowd, person, worker, again, &at, plan);
}

tr_status tr_crowd_search(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                          const tr_behavior_query *query, tr_behavior_plan *plan) {
    tr_behavior_query chosen = *query;
    crowd_goals room;
    if (!crowd->def.prioritised)
        choose_goals(crowd, person, &room, &chosen);
    return search_for(crowd, person, worker, false, &chosen, plan);
}

// --- Times to set out ---

// Who comes to its last goal before somebody else has passed there cannot rest: the time to set out with
// which it arrives just then, at its fastest.
static uint32_t first_useful(const tr_behavior_crowd *crowd, uint32_t person,
                             const tr_behavior_query *query) {
    if (!query->goals || query->goal_count == 0 || query->goal_count > TR_BEHAVIOR_GOALS_MAX)
        return query->frame;
    tr_vec2 at = query->start;
    double length = -(double)query->tolerance;
    for (uint32_t i = 0; i < query->goal_count; i++) {
        length += (double)tr_vec2_length(tr_vec2_subtract(query->goals[i], at));
        at = query->goals[i];
    }
    uint32_t quiet = tr_behavior_map_rest_from(crowd->map, at, query->tolerance);
    double frames = length / crowd_behavior(crowd, person)->fastest;
    if (quiet == UINT32_MAX || frames < 0 || quiet < query->frame + frames)
        return query->frame;
    return quiet - (uint32_t)frames;
}

static uint32_t count_efforts(const tr_behavior_query *query) {
    return query->inflation > 1 ? sizeof inflated_efforts / sizeof *inflated_efforts
                                : sizeof exact_efforts / sizeof *exact_efforts;
}

// Searches at several times, with an effort.
static tr_status try_times(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                           const tr_behavior_query *query, uint32_t effort, uint32_t first,
                           tr_behavior_plan *plan, bool *waits) {
    const crowd_effort *e = query->inflation > 1 ? &inflated_efforts[effort] : &exact_efforts[effort];
    bool is_last_effort = effort + 1 == count_efforts(query);
    double rate = crowd->map->behavior->def.frames_per_second;
    uint32_t until = tr_crowd_free_until(crowd, person, query);
    double apart = e->apart * rate;
    if (until > first && until != UINT32_MAX && apart * e->times > until - first)
        apart = (double)(until - first) / e->times; // all of them before something comes by the start
    tr_behavior_query at = *query;
    tr_status status = TR_NOT_FOUND;
    at.budget.expansions = (at.budget.expansions + e->part - 1) / e->part;
    at.inflation = at.inflation > e->inflation ? at.inflation : e->inflation;
    for (uint32_t i = 0; i < e->times && status != TR_OK && status != TR_INVALID; i++) {
        bool is_last = is_last_effort && i + 1 == e->times && crowd->all_there > first;
        at.frame = is_last ? crowd->all_there : first + (uint32_t)(apart * i);
        if (i > 0 && (at.frame >= until || at.frame >= tr_behavior_map_end(crowd->map)))
            break;
        *waits = at.frame > query->frame;
        at.seed = query->seed + effort;
        bool again = effort > 0 || i > 0;
        status = e->is_greedy ? search_greedily(crowd, person, worker, again, &at, plan)
                              : search_for(crowd, person, worker, again, &at, plan);
        if (status == TR_OK && e->is_greedy &&
            plan->cost > (double)query->inflation * crowd->members[person].expected)
            status = TR_NOT_FOUND;
    }
    return status;
}

tr_status tr_crowd_search_times(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                                const tr_behavior_query *query, tr_behavior_plan *plan, bool *waits) {
    tr_behavior_query chosen = *query;
    crowd_goals room;
    *waits = false;
    choose_goals(crowd, person, &room, &chosen);
    uint32_t first = first_useful(crowd, person, &chosen), until = tr_crowd_free_until(crowd, person, query);
    first = first < until ? first : query->frame;
    tr_status status = TR_NOT_FOUND;
    for (uint32_t effort = 0; effort < count_efforts(query) && status != TR_OK && status != TR_INVALID;
         effort++)
        status = try_times(crowd, person, worker, &chosen, effort, first, plan, waits);
    return status;
}

void tr_crowd_copy_plan(tr_behavior_plan *to, const tr_behavior_plan *from) {
    tr_behavior_action *actions = to->actions;
    uint32_t max = to->action_max;
    *to = *from;
    to->actions = actions;
    to->action_max = max;
    memcpy(actions, from->actions, from->action_count * sizeof *actions);
}

bool tr_crowd_append_plan(tr_behavior_plan *plan, const tr_behavior_plan *more) {
    if (plan->action_count + more->action_count > plan->action_max)
        return false;
    memcpy(plan->actions + plan->action_count, more->actions, more->action_count * sizeof *plan->actions);
    for (uint32_t i = 0; i < more->action_count; i++)
        plan->actions[plan->action_count + i].cost += plan->cost;
    plan->action_count += more->action_count;
    plan->end = more->end;
    plan->end_heading = more->end_heading;
    plan->end_frame = more->end_frame;
    plan->cost += more->cost;
    return true;
}
