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
// apart [s].
typedef struct crowd_effort {
    uint32_t part, times;
    double apart;
} crowd_effort;
static const crowd_effort efforts[CROWD_EFFORTS] = {{14, 4, 1.5}, {4, 5, 2}, {1, 4, 8}};

// --- Goals ---

// Could somebody rest at a place, once all those have passed who have a plan? Things that move must not come
// by at any time.
static bool may_rest(const tr_behavior_map *map, tr_vec2 at, uint32_t frame) {
    uint32_t column, row, last = map->slot_count - 1;
    return behavior_cell(map, at.x, at.z, &column, &row) &&
           behavior_cell_is_free(map, 0, column, row, last * map->slot_frames, UINT32_MAX) &&
           behavior_objects_are_clear(map, 0, column, row, behavior_last_slot(map, frame), last);
}

// Nobody can rest at the last goal: the nearest place beside it is taken instead, if there is one.
static bool find_beside(const tr_behavior_map *map, tr_vec2 goal, uint32_t frame, tr_vec2 *place) {
    for (int ring = 1; ring <= BESIDE_RINGS; ring++)
        for (int sector = 0; sector < BESIDE_SECTORS; sector++) {
            float angle = (float)sector * (float)(2 * TR_PI / BESIDE_SECTORS);
            *place = behavior_from(behavior_axes_at(goal.x, goal.z, angle), 0, BESIDE_STEP * (float)ring);
            if (may_rest(map, *place, frame))
                return true;
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

// Searches to a goal that somebody rests at would visit every place in vain.
static void choose_goal(const tr_behavior_crowd *crowd, uint32_t person, crowd_goals *room,
                        tr_behavior_query *query) {
    tr_vec2 place, goal;
    if (!query->goals || query->goal_count == 0 || query->goal_count > TR_BEHAVIOR_GOALS_MAX)
        return; // the search complains
    goal = query->goals[query->goal_count - 1];
    if (may_rest(crowd->map, goal, query->frame) || is_held(crowd, person) ||
        !find_beside(crowd->map, goal, query->frame, &place))
        return;
    memcpy(room->goals, query->goals, query->goal_count * sizeof *query->goals);
    room->goals[query->goal_count - 1] = place;
    query->goals = room->goals;
}

// --- One search ---

tr_behavior_query tr_crowd_query(const tr_behavior_crowd *crowd, uint32_t person) {
    tr_behavior_query query = crowd->people[person].query;
    if (query.budget.expansions == 0)
        query.budget.expansions = query.inflation > 1 ? CROWD_EXPANSIONS : CROWD_EXPANSIONS_EXACT;
    return query;
}

static tr_status search_for(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
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
    tr_status status = tr_behavior_find(crowd->searches[worker], crowd->people[person].behavior, crowd->map,
                                        &limited, plan, &result, &error);
    if (crowd->allowance != UINT64_MAX) // one thread
        crowd->allowance -= result.expanded < crowd->allowance ? result.expanded : crowd->allowance;
    member->nanoseconds += tr_clock_nanoseconds() - begin;
    member->searches++;
    member->expanded += result.expanded;
    member->tests += result.tests;
    member->status = status;
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

tr_status tr_crowd_search(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                          const tr_behavior_query *query, tr_behavior_plan *plan) {
    tr_behavior_query chosen = *query;
    crowd_goals room;
    if (!crowd->def.prioritised)
        choose_goal(crowd, person, &room, &chosen);
    return search_for(crowd, person, worker, &chosen, plan);
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

// Searches at several times, with an effort.
static tr_status try_times(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                           const tr_behavior_query *query, uint32_t effort, uint32_t first,
                           tr_behavior_plan *plan, bool *waits) {
    const crowd_effort *e = &efforts[effort];
    double rate = crowd->map->behavior->def.frames_per_second;
    uint32_t until = tr_crowd_free_until(crowd, person, query);
    tr_behavior_query at = *query;
    tr_status status = TR_NOT_FOUND;
    at.budget.expansions = (at.budget.expansions + e->part - 1) / e->part;
    for (uint32_t i = 0; i < e->times && status != TR_OK && status != TR_INVALID; i++) {
        bool is_last = effort + 1 == CROWD_EFFORTS && i + 1 == e->times && crowd->all_there > first;
        at.frame = is_last ? crowd->all_there : first + (uint32_t)(e->apart * i * rate);
        if (i > 0 && (at.frame >= until || at.frame >= tr_behavior_map_end(crowd->map)))
            break;
        *waits = at.frame > query->frame;
        status = search_for(crowd, person, worker, &at, plan);
    }
    return status;
}

tr_status tr_crowd_search_times(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                                const tr_behavior_query *query, crowd_range range, tr_behavior_plan *plan,
                                bool *waits) {
    tr_behavior_query chosen = *query;
    crowd_goals room;
    *waits = false;
    choose_goal(crowd, person, &room, &chosen);
    uint32_t first = first_useful(crowd, person, &chosen), until = tr_crowd_free_until(crowd, person, query);
    first = first < until ? first : query->frame;
    tr_status status = TR_NOT_FOUND;
    for (uint32_t effort = range.first; effort <= range.last && status != TR_OK && status != TR_INVALID;
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
