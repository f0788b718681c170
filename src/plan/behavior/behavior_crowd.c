// Crowds: batches of characters are planned at the same time, and committed one after the other.
#include "behavior_crowd_data.h"

#include "troupe/base/clock.h"
#include "troupe/base/scalar.h"

#include <stdio.h>
#include <string.h>

#define NODES_DEFAULT (1u << 15)
#define ACTIONS_DEFAULT 128
#define BATCH_DEFAULT 16
#define HOLD_SECONDS 4.0 // that a start is kept free for somebody who has not had its turn
#define BESIDE_RINGS 10  // around a goal where somebody rests, at distances that grow by
#define BESIDE_STEP 0.3f // [m]
#define BESIDE_SECTORS 16
#define SPARES (CROWD_BLOCKERS + 2) // plans that are kept while others are tried

// --- Memory ---

static tr_status check_def(tr_behavior_crowd_def *def, tr_error *error) {
    def->node_max = def->node_max ? def->node_max : NODES_DEFAULT;
    def->actions_max = def->actions_max ? def->actions_max : ACTIONS_DEFAULT;
    def->batch = def->batch ? def->batch : BATCH_DEFAULT;
    if (!(def->radius >= 0 && def->radius < 100))
        return tr_fail(error, TR_INVALID, "the radius of bodies is %g m, it must be 0 to 100",
                       (double)def->radius);
    if (def->actions_max > 1u << 20)
        return tr_fail(error, TR_INVALID, "actions_max is %u, it must be at most %u", def->actions_max,
                       1u << 20);
    return TR_OK;
}

static tr_status fill(tr_behavior_crowd *made, tr_error *error) {
    tr_allocator *memory = &made->allocator;
    made->search_count = tr_tasks_members(made->def.tasks);
    made->searches = tr_allocate_zero(memory, made->search_count, sizeof(void *));
    made->spare = tr_allocate(memory, (uint64_t)SPARES * made->def.actions_max, sizeof *made->spare);
    if (!made->searches || !made->spare)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a crowd");
    tr_status status = TR_OK;
    for (uint32_t i = 0; i < made->search_count && status == TR_OK; i++)
        status = tr_behavior_search_create(memory, made->def.node_max, &made->searches[i], error);
    for (uint32_t i = 0; i < SPARES; i++) {
        tr_behavior_plan *plan = i < CROWD_BLOCKERS + 1 ? &made->kept[i] : &made->ideal;
        plan->actions = made->spare + (size_t)i * made->def.actions_max;
        plan->action_max = made->def.actions_max;
    }
    return status;
}

tr_status tr_behavior_crowd_create(const tr_behavior_crowd_def *def, tr_behavior_crowd **crowd,
                                   tr_error *error) {
    *crowd = NULL;
    tr_behavior_crowd_def checked = *def;
    tr_status status = check_def(&checked, error);
    if (status != TR_OK)
        return status;
    tr_allocator memory = tr_allocator_or_default(def->allocator);
    tr_behavior_crowd *made = tr_allocate_zero(&memory, 1, sizeof *made);
    if (!made)
        return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a crowd");
    made->allocator = memory;
    made->def = checked;
    status = fill(made, error);
    if (status != TR_OK) {
        tr_behavior_crowd_destroy(made);
        return status;
    }
    *crowd = made;
    return TR_OK;
}

static void release_members(tr_behavior_crowd *crowd) {
    uint64_t actions = (uint64_t)crowd->capacity * crowd->def.actions_max;
    tr_release(&crowd->allocator, crowd->members, crowd->capacity, sizeof *crowd->members);
    tr_release(&crowd->allocator, crowd->actions, actions, sizeof *crowd->actions);
    crowd->members = NULL;
    crowd->actions = NULL;
    crowd->capacity = crowd->count = 0;
}

void tr_behavior_crowd_destroy(tr_behavior_crowd *crowd) {
    if (!crowd)
        return;
    tr_allocator memory = crowd->allocator;
    release_members(crowd);
    for (uint32_t i = 0; crowd->searches && i < crowd->search_count; i++)
        tr_behavior_search_destroy(crowd->searches[i]);
    tr_release(&memory, crowd->searches, crowd->search_count, sizeof(void *));
    tr_release(&memory, crowd->spare, (uint64_t)SPARES * crowd->def.actions_max, sizeof *crowd->spare);
    tr_release(&memory, crowd->spots, crowd->spot_max, sizeof *crowd->spots);
    tr_release(&memory, crowd, 1, sizeof *crowd);
}

static tr_status reserve(tr_behavior_crowd *crowd, uint32_t count, tr_error *error) {
    tr_status status = TR_OK;
    if (count > crowd->capacity) {
        release_members(crowd);
        uint64_t actions = (uint64_t)count * crowd->def.actions_max;
        crowd->members = tr_allocate_zero(&crowd->allocator, count, sizeof *crowd->members);
        crowd->actions = tr_allocate(&crowd->allocator, actions, sizeof *crowd->actions);
        crowd->capacity = count; // tr_release of what is NULL does nothing
        if (!crowd->members || !crowd->actions) {
            release_members(crowd);
            return tr_fail(error, TR_OUT_OF_MEMORY, "no memory for a crowd of %u", count);
        }
    }
    for (uint32_t w = 0; w < crowd->search_count && status == TR_OK;
         w++) // members of the team allocate nothing
        for (uint32_t i = 0; i < count && status == TR_OK; i++)
            status = tr_behavior_search_reserve(crowd->searches[w], crowd->people[i].behavior, crowd->map,
                                                crowd->people[i].query.goal_count, error);
    return status;
}

// --- Bodies on the map ---

// Grows the memory for spots; they are lost.
static bool reserve_spots(tr_behavior_crowd *crowd, uint32_t count) {
    if (count <= crowd->spot_max)
        return true;
    uint32_t wanted = count < 256 ? 256 : count + count / 2;
    tr_release(&crowd->allocator, crowd->spots, crowd->spot_max, sizeof *crowd->spots);
    crowd->spots = tr_allocate(&crowd->allocator, wanted, sizeof *crowd->spots);
    crowd->spot_max = crowd->spots ? wanted : 0;
    if (!crowd->spots)
        crowd->trouble = TR_OUT_OF_MEMORY;
    return crowd->spots != NULL;
}

// A body that stands has the discs with which moves begin at rest.
uint32_t tr_crowd_stand(tr_behavior_crowd *crowd, uint32_t person, tr_vec2 at, float heading,
                        uint32_t frame) {
    const tr_behavior *behavior = crowd_behavior(crowd, person);
    const tr_behavior_move *move = NULL;
    for (uint32_t i = 0; i < behavior->def.state_count && !move; i++)
        if (behavior->states[i].begin == behavior->def.rest)
            move = &behavior->states[i].moves[0];
    uint32_t count = 0;
    if (!move || !reserve_spots(crowd, move->disc_count + 1))
        return 0;
    behavior_axes axes = behavior_axes_at(at.x, at.z, heading);
    for (uint32_t i = 0; i < move->disc_count && move->discs[i].frame == 0; i++) {
        tr_vec2 spot = behavior_from(axes, move->discs[i].x, move->discs[i].z);
        crowd->spots[count++] = (tr_behavior_spot){spot.x, spot.z, frame};
    }
    if (count == 0)
        crowd->spots[count++] = (tr_behavior_spot){at.x, at.z, frame};
    return count;
}

uint32_t tr_crowd_spots(tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_plan *plan) {
    const tr_behavior_query *query = &crowd->people[person].query;
    uint32_t count = 0, before = tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
    if (before == 0 || plan->action_count == 0)
        return before;
    if (plan->actions[0].frame == query->frame)
        before = 0;
    const tr_behavior *behavior = crowd_behavior(crowd, person);
    tr_status status =
        tr_behavior_plan_spots(behavior, plan, crowd->spots + before, crowd->spot_max - before, &count);
    if (status == TR_LIMIT) { // once more, with room
        if (!reserve_spots(crowd, before + count))
            return 0;
        if (before)
            tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
        status =
            tr_behavior_plan_spots(behavior, plan, crowd->spots + before, crowd->spot_max - before, &count);
    }
    return status == TR_OK ? before + count : 0;
}

static float radius_of(const tr_behavior_crowd *crowd, uint32_t person) {
    return crowd->def.radius > 0 ? crowd->def.radius : crowd_behavior(crowd, person)->def.radius;
}

// Remembers that memory ran out: the crowd is then given up.
static bool is_committed(tr_behavior_crowd *crowd, tr_status status) {
    if (status == TR_OUT_OF_MEMORY)
        crowd->trouble = status;
    return status == TR_OK;
}

bool tr_crowd_commit(tr_behavior_crowd *crowd, uint32_t person) {
    uint32_t count = tr_crowd_spots(crowd, person, &crowd->members[person].plan);
    return count && is_committed(crowd, tr_behavior_map_commit(crowd->map, person, crowd->spots, count,
                                                               radius_of(crowd, person), NULL));
}

bool tr_crowd_hold(tr_behavior_crowd *crowd, uint32_t person) {
    const tr_behavior_query *query = &crowd->people[person].query;
    uint32_t count = tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
    uint32_t end = tr_crowd_hold_end(crowd, person), last = tr_behavior_map_end(crowd->map) - 1;
    if (count == 0 || !reserve_spots(crowd, 2 * count))
        return false;
    tr_crowd_stand(crowd, person, query->start, query->heading, query->frame);
    for (uint32_t i = 0; i < count; i++) {
        crowd->spots[count + i] = crowd->spots[i];
        crowd->spots[count + i].frame = end < last ? end : last;
    }
    return is_committed(crowd, tr_behavior_map_visit(crowd->map, person, crowd->spots, 2 * count,
                                                     radius_of(crowd, person), NULL));
}

uint32_t tr_crowd_hold_end(const tr_behavior_crowd *crowd, uint32_t person) {
    double frames = HOLD_SECONDS * crowd->map->behavior->def.frames_per_second;
    return crowd->people[person].query.frame + (uint32_t)frames;
}

// The spots of a frame are touched from the frame of those before to that of those after.
bool tr_crowd_is_clear(tr_behavior_crowd *crowd, uint32_t person, const tr_behavior_plan *plan) {
    uint32_t count = tr_crowd_spots(crowd, person, plan), from = 0;
    const tr_behavior_map *map = crowd->map;
    if (count == 0)
        return false;
    from = crowd->spots[0].frame;
    for (uint32_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && crowd->spots[next].frame == crowd->spots[first].frame;)
            next++;
        uint32_t to = next < count ? crowd->spots[next].frame : UINT32_MAX;
        for (uint32_t i = first; i < next; i++) {
            uint32_t column, row;
            if (!behavior_cell(map, crowd->spots[i].x, crowd->spots[i].z, &column, &row) ||
                !behavior_people_are_clear(map, column, row, behavior_last_slot(map, from),
                                           behavior_last_slot(map, to)))
                return false;
        }
        from = crowd->spots[first].frame;
    }
    return true;
}

// --- Searching ---

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

// Searches to a goal that somebody rests at would visit every place in vain.
static void choose_goal(const tr_behavior_crowd *crowd, crowd_goals *room, tr_behavior_query *query) {
    tr_vec2 place, goal;
    if (!query->goals || query->goal_count == 0 || query->goal_count > TR_BEHAVIOR_GOALS_MAX)
        return; // the search complains
    goal = query->goals[query->goal_count - 1];
    if (may_rest(crowd->map, goal, query->frame) || !find_beside(crowd->map, goal, query->frame, &place))
        return;
    memcpy(room->goals, query->goals, query->goal_count * sizeof *query->goals);
    room->goals[query->goal_count - 1] = place;
    query->goals = room->goals;
}

tr_behavior_query tr_crowd_query(const tr_behavior_crowd *crowd, uint32_t person) {
    tr_behavior_query query = crowd->people[person].query;
    if (query.budget.expansions == 0)
        query.budget.expansions = CROWD_EXPANSIONS;
    return query;
}

tr_status tr_crowd_search(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker,
                          const tr_behavior_query *query, tr_behavior_plan *plan) {
    crowd_member *member = &crowd->members[person];
    tr_behavior_result result = {0};
    tr_behavior_query chosen = *query;
    crowd_goals room;
    tr_error error = {0};
    uint64_t begin = tr_clock_nanoseconds();
    if (!crowd->def.prioritised)
        choose_goal(crowd, &room, &chosen);
    tr_status status = tr_behavior_find(crowd->searches[worker], crowd->people[person].behavior, crowd->map,
                                        &chosen, plan, &result, &error);
    member->nanoseconds += tr_clock_nanoseconds() - begin;
    member->searches++;
    member->expanded += result.expanded;
    member->tests += result.tests;
    member->status = status;
    if (status == TR_PARTIAL)
        snprintf(member->reason, sizeof member->reason, "no plan was found within %llu expansions",
                 (unsigned long long)query->budget.expansions);
    else if (status != TR_OK)
        snprintf(member->reason, sizeof member->reason, "%.150s", error.message);
    if (status != TR_OK)
        plan->action_count = 0;
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

// --- The work ---

static void stand(tr_behavior_crowd *crowd, uint32_t person) {
    const tr_behavior_query *query = &crowd->people[person].query;
    tr_behavior_plan *plan = &crowd->members[person].plan;
    plan->action_count = 0;
    plan->end = query->start;
    plan->end_heading = query->heading;
    plan->end_frame = query->frame;
    plan->cost = 0;
}

// Does the body of somebody who stands touch that of another who was placed before?
static bool stands_in_other(tr_behavior_crowd *crowd, uint32_t person) {
    const tr_behavior_query *query = &crowd->people[person].query;
    tr_vec2 at = query->start;
    uint32_t column, row;
    if (!behavior_cell(crowd->map, at.x, at.z, &column, &row))
        return true; // outside the map
    uint32_t slot = behavior_last_slot(crowd->map, query->frame);
    if (behavior_people_are_clear(crowd->map, column, row, slot, slot))
        return false;
    float apart = radius_of(crowd, person) + crowd->map->behavior->def.radius;
    for (uint32_t i = 0; i < person; i++) { // the cells of the map say too much
        float x = crowd->people[i].query.start.x - at.x, z = crowd->people[i].query.start.z - at.z;
        if (x * x + z * z < apart * apart)
            return true;
    }
    return false;
}

// Everybody stands at the start, where nobody else may stand.
static tr_status place_all(tr_behavior_crowd *crowd, tr_error *error) {
    for (uint32_t i = 0; i < crowd->count; i++) {
        crowd_member *member = &crowd->members[i];
        *member = (crowd_member){.status = TR_OK};
        member->plan.actions = crowd->actions + (size_t)i * crowd->def.actions_max;
        member->plan.action_max = crowd->def.actions_max;
        const tr_behavior_query *query = &crowd->people[i].query;
        if (!isfinite(query->start.x) || !isfinite(query->start.z) || !(fabsf(query->heading) < 1e5f))
            return tr_fail(error, TR_INVALID, "character %u starts at (%g, %g) with heading %g", i,
                           (double)query->start.x, (double)query->start.z, (double)query->heading);
        stand(crowd, i);
        if (stands_in_other(crowd, i))
            return tr_fail(
                error, TR_INVALID,
                "character %u cannot start at (%g, %g): another one stands there, or it is outside the map",
                i, (double)query->start.x, (double)query->start.z);
        if (!tr_crowd_hold(crowd, i))
            return tr_fail(error, crowd->trouble != TR_OK ? crowd->trouble : TR_INVALID,
                           "character %u cannot be placed on the map", i);
    }
    return TR_OK;
}

static void search_part(void *user, uint32_t part, uint32_t worker) {
    tr_behavior_crowd *crowd = user;
    uint32_t person = crowd->batch_first + part;
    if (crowd->members[person].is_done) // it stepped aside for somebody
        return;
    tr_behavior_query query = tr_crowd_query(crowd, person);
    tr_crowd_search(crowd, person, worker, &query, &crowd->members[person].plan);
}

// Its start becomes an obstacle for ever.
static void stay(tr_behavior_crowd *crowd, uint32_t person) {
    crowd_member *member = &crowd->members[person];
    member->by = TR_BEHAVIOR_BY_NONE;
    member->is_done = member->stays = true;
    member->is_minded = false;
    stand(crowd, person);
    tr_crowd_commit(crowd, person);
}

// A character stays at its start. Those that were to come by there are planned again, or stay as well.
static void mind(tr_behavior_crowd *crowd, uint32_t person) {
    crowd->members[person].is_minded = true;
    for (uint32_t i = 0; i < crowd->count && crowd->trouble == TR_OK; i++) {
        crowd_member *member = &crowd->members[i];
        if (i == person || !member->is_done || member->stays || !tr_crowd_comes_by(crowd, i, person))
            continue;
        tr_behavior_map_withdraw(crowd->map, i);
        bool waits = false, clear = tr_crowd_is_clear(crowd, i, &member->plan);
        if (!clear) {
            clear = tr_crowd_search_own(crowd, i, &waits) == TR_OK;
            member->by = TR_BEHAVIOR_BY_SWAP;
            member->replaced++;
        }
        if (!clear || !tr_crowd_commit(crowd, i))
            stay(crowd, i);
    }
}

static void mind_all(tr_behavior_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->count; i++)
        if (crowd->members[i].stays && !crowd->members[i].is_minded) {
            mind(crowd, i);
            i = UINT32_MAX; // others may stay now: from the beginning
        }
}

// The plan of the batch counts if it meets nobody who was committed since.
static void settle(tr_behavior_crowd *crowd, uint32_t person, bool repairs) {
    crowd_member *member = &crowd->members[person];
    tr_behavior_query query = tr_crowd_query(crowd, person);
    if (member->is_done)
        return;
    tr_behavior_map_withdraw(crowd->map, person);
    member->plan = member->staged;
    bool found = member->status == TR_OK && tr_crowd_is_clear(crowd, person, &member->plan), waits = false;
    if (!found)
        found = repairs ? tr_crowd_search_own(crowd, person, &waits) == TR_OK
                        : tr_crowd_search(crowd, person, 0, &query, &member->plan) == TR_OK;
    member->by = waits ? TR_BEHAVIOR_BY_WINDOW : TR_BEHAVIOR_BY_ORDER;
    found = found || (repairs && tr_crowd_repair(crowd, person));
    member->is_done = true;
    if (!found || !tr_crowd_commit(crowd, person)) {
        stay(crowd, person);
        mind_all(crowd);
    }
}

// Nobody comes by where they stand: perhaps they can set out later.
static void try_again(tr_behavior_crowd *crowd) {
    for (uint32_t i = 0; i < crowd->count && crowd->trouble == TR_OK; i++) {
        crowd_member *member = &crowd->members[i];
        bool waits = false;
        if (!member->stays)
            continue;
        tr_behavior_map_withdraw(crowd->map, i);
        if (tr_crowd_search_own(crowd, i, &waits) == TR_OK && tr_crowd_commit(crowd, i)) {
            member->by = TR_BEHAVIOR_BY_WINDOW;
            member->stays = false;
        } else {
            stay(crowd, i);
            member->is_minded = true;
        }
    }
}

static tr_status plan_batch(tr_behavior_crowd *crowd, uint32_t first, uint32_t count, tr_error *error) {
    for (uint32_t i = first; i < first + count; i++)
        if (!crowd->members[i].is_done)
            tr_behavior_map_withdraw(crowd->map, i);
    crowd->batch_first = first;
    tr_tasks_run(crowd->def.tasks, count, search_part, crowd);
    for (uint32_t i = first; i < first + count; i++) { // they stand until their turn
        if (crowd->members[i].is_done)
            continue;
        crowd->members[i].staged = crowd->members[i].plan;
        stand(crowd, i);
        tr_crowd_hold(crowd, i);
    }
    for (uint32_t i = first; i < first + count && crowd->trouble == TR_OK; i++) {
        if (crowd->members[i].status == TR_INVALID)
            return tr_fail(error, TR_INVALID, "character %u: %s", i, crowd->members[i].reason);
        settle(crowd, i, !crowd->def.prioritised);
    }
    return crowd->trouble == TR_OK ? TR_OK : tr_fail(error, crowd->trouble, "no memory to plan a crowd");
}

tr_status tr_behavior_crowd_find(tr_behavior_crowd *crowd, tr_behavior_map *map,
                                 const tr_behavior_person *people, uint32_t count,
                                 const tr_behavior_crowd_progress *progress, tr_error *error) {
    crowd->map = map;
    crowd->people = people;
    crowd->count = 0;
    crowd->trouble = TR_OK;
    tr_status status = reserve(crowd, count, error);
    if (status != TR_OK)
        return status;
    crowd->count = count;
    status = place_all(crowd, error);
    uint32_t missing = 0;
    for (uint32_t first = 0, size; first < count && status == TR_OK; first += size) {
        size = count - first < crowd->def.batch ? count - first : crowd->def.batch;
        status = plan_batch(crowd, first, size, error);
        if (progress && progress->tell)
            progress->tell(progress->user, first + size, count);
    }
    if (status == TR_OK && !crowd->def.prioritised)
        try_again(crowd);
    if (status == TR_OK && crowd->trouble != TR_OK)
        status = tr_fail(error, crowd->trouble, "no memory to plan a crowd");
    if (status != TR_OK) {
        crowd->count = 0;
        tr_behavior_map_withdraw_all(map);
        return status;
    }
    for (uint32_t i = 0; i < count; i++)
        missing += crowd->members[i].by == TR_BEHAVIOR_BY_NONE;
    return missing ? TR_PARTIAL : TR_OK;
}

static bool is_beside(const tr_behavior_crowd *crowd, uint32_t person) {
    const tr_behavior_query *query = &crowd->people[person].query;
    const crowd_member *member = &crowd->members[person];
    tr_vec2 goal = query->goals[query->goal_count - 1], end = member->plan.end;
    float x = goal.x - end.x, z = goal.z - end.z, near = query->tolerance + 1e-3f;
    return member->by != TR_BEHAVIOR_BY_NONE && x * x + z * z > near * near;
}

bool tr_behavior_crowd_look(const tr_behavior_crowd *crowd, uint32_t person, tr_behavior_crowd_view *view) {
    if (person >= crowd->count)
        return false;
    const crowd_member *member = &crowd->members[person];
    *view = (tr_behavior_crowd_view){.by = member->by,
                                     .plan = &member->plan,
                                     .beside = is_beside(crowd, person),
                                     .searches = member->searches,
                                     .replaced = member->replaced,
                                     .expanded = member->expanded,
                                     .tests = member->tests,
                                     .microseconds = (double)member->nanoseconds / 1000};
    if (member->by == TR_BEHAVIOR_BY_NONE)
        memcpy(view->reason, member->reason, sizeof view->reason);
    return true;
}
