// Crowds: batches of characters are planned at the same time, and committed one after the other.
//
// A character that has no plan yet stands at its start, for all the others. Those who find no plan like this
// are tried again when others have left. Who is left over then (everybody's goal is somebody's start) is
// taken to leave within a few seconds, and gets help (behavior_crowd_repair.c).
#include "behavior_crowd_data.h"

#include <string.h>

#define NODES_DEFAULT (1u << 15)
#define ACTIONS_DEFAULT 128
#define BATCH_LEAST 2 // a batch is a part of the crowd: most of its plans then meet nobody of the same batch
#define BATCH_MOST 64
#define BATCH_PART 32
#define HELP_ROUNDS 2
#define SPARES (CROWD_BLOCKERS + 2) // plans that are kept while others are tried

// --- Memory ---

static tr_status check_def(tr_behavior_crowd_def *def, tr_error *error) {
    def->node_max = def->node_max ? def->node_max : NODES_DEFAULT;
    def->actions_max = def->actions_max ? def->actions_max : ACTIONS_DEFAULT;
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
    tr_release(&crowd->allocator, crowd->queue, crowd->capacity, sizeof *crowd->queue);
    crowd->members = NULL;
    crowd->actions = NULL;
    crowd->queue = NULL;
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
        crowd->queue = tr_allocate(&crowd->allocator, count, sizeof *crowd->queue);
        crowd->capacity = count; // tr_release of what is NULL does nothing
        if (!crowd->members || !crowd->actions || !crowd->queue) {
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

// --- The work ---

static tr_status search_in_pass(tr_behavior_crowd *crowd, uint32_t person, uint32_t worker) {
    crowd_member *member = &crowd->members[person];
    tr_behavior_query query = tr_crowd_query(crowd, person);
    if (crowd->def.prioritised)
        return tr_crowd_search(crowd, person, worker, &query, &member->plan);
    return tr_crowd_search_times(crowd, person, worker, &query, &member->plan, &member->waits);
}

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
    float apart = tr_crowd_radius(crowd, person) + behavior_keep(&crowd->map->behavior->def);
    for (uint32_t i = 0; i < person; i++) { // the cells of the map say too much
        float x = crowd->people[i].query.start.x - at.x, z = crowd->people[i].query.start.z - at.z;
        if (x * x + z * z < apart * apart)
            return true;
    }
    return false;
}

// Straight from goal to goal [m].
static double trip_length(const tr_behavior_query *query) {
    tr_vec2 at = query->start;
    double length = 0;
    for (uint32_t i = 0; query->goals && i < query->goal_count && i < TR_BEHAVIOR_GOALS_MAX; i++) {
        length += (double)tr_vec2_length(tr_vec2_subtract(query->goals[i], at));
        at = query->goals[i];
    }
    return length;
}

// Until it has a plan, a character stands at its start: for a few seconds, in which it will leave; or for
// ever, as in the paper.
static bool place(tr_behavior_crowd *crowd, uint32_t person) {
    stand(crowd, person);
    return crowd->def.prioritised ? tr_crowd_commit(crowd, person) : tr_crowd_hold(crowd, person);
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
        member->length = trip_length(query);
        if (stands_in_other(crowd, i))
            return tr_fail(
                error, TR_INVALID,
                "character %u cannot start at (%g, %g): another one stands there, or it is outside the map",
                i, (double)query->start.x, (double)query->start.z);
        if (!place(crowd, i))
            return tr_fail(error, crowd->trouble != TR_OK ? crowd->trouble : TR_INVALID,
                           "character %u cannot be placed on the map", i);
    }
    return TR_OK;
}

static void search_part(void *user, uint32_t part, uint32_t worker) {
    tr_behavior_crowd *crowd = user;
    uint32_t person = crowd->queue[crowd->batch_first + part];
    search_in_pass(crowd, person, worker);
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

// Somebody cannot leave its start before others come by there: it is kept free for longer, and those are
// planned again who would come by meanwhile. Who cannot be keeps its plan. The person's body is not on the
// map, before and after.
static void keep_start(tr_behavior_crowd *crowd, uint32_t person) {
    crowd->members[person].holds_long = true;
    tr_crowd_hold(crowd, person);
    for (uint32_t i = 0; i < crowd->count && crowd->trouble == TR_OK; i++) {
        crowd_member *member = &crowd->members[i];
        if (i == person || !member->is_done || member->stays || !tr_crowd_comes_by(crowd, i, person))
            continue;
        tr_behavior_map_withdraw(crowd->map, i);
        if (!tr_crowd_is_clear(crowd, i, &member->plan)) {
            bool waits = false;
            tr_crowd_copy_plan(&crowd->kept[0], &member->plan);
            if (tr_crowd_search_own(crowd, i, &waits) == TR_OK) {
                member->by = TR_BEHAVIOR_BY_SWAP;
                member->replaced++;
            } else {
                tr_crowd_copy_plan(&member->plan, &crowd->kept[0]);
            }
        }
        tr_crowd_commit(crowd, i);
    }
    tr_behavior_map_withdraw(crowd->map, person);
}

// The plan of the batch counts if it meets nobody who was committed since. Who finds none goes on standing.
static void settle(tr_behavior_crowd *crowd, uint32_t person) {
    crowd_member *member = &crowd->members[person];
    tr_behavior_map_withdraw(crowd->map, person);
    member->plan = member->staged;
    bool found = member->status == TR_OK;
    if (found && !tr_crowd_is_clear(crowd, person, &member->plan))
        found = search_in_pass(crowd, person, 0) == TR_OK;
    bool hurries =
        tr_crowd_free_until(crowd, person, &crowd->people[person].query) != UINT32_MAX; // others come by
    if (!found && !crowd->def.prioritised && hurries) {
        keep_start(crowd, person);
        found = search_in_pass(crowd, person, 0) == TR_OK;
    }
    member->by = !found ? TR_BEHAVIOR_BY_NONE : member->waits ? TR_BEHAVIOR_BY_WINDOW : TR_BEHAVIOR_BY_ORDER;
    member->is_done = found && tr_crowd_commit(crowd, person);
    if (!member->is_done)
        place(crowd, person);
}

// With help of those in its way. If nothing helps it stands at its start for ever, and they go around.
static void settle_with_help(tr_behavior_crowd *crowd, uint32_t person) {
    crowd_member *member = &crowd->members[person];
    if (member->is_done) // it stepped aside for somebody
        return;
    tr_behavior_map_withdraw(crowd->map, person);
    crowd->allowance = tr_crowd_query(crowd, person).budget.expansions * CROWD_HELP;
    bool found = tr_crowd_search_own(crowd, person, &member->waits) == TR_OK;
    member->by = member->waits ? TR_BEHAVIOR_BY_WINDOW : TR_BEHAVIOR_BY_ORDER;
    found = found || tr_crowd_repair(crowd, person);
    crowd->allowance = UINT64_MAX;
    member->is_done = found && tr_crowd_commit(crowd, person);
    if (member->is_done)
        return;
    stay(crowd, person);
    mind_all(crowd);
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

// A batch of the queue: searched at the same time, then settled in order.
static tr_status plan_batch(tr_behavior_crowd *crowd, uint32_t first, uint32_t count, tr_error *error) {
    const uint32_t *queue = crowd->queue + first;
    for (uint32_t i = 0; i < count; i++)
        tr_behavior_map_withdraw(crowd->map, queue[i]);
    crowd->batch_first = first;
    tr_crowd_note_end(crowd);
    tr_tasks_run(crowd->def.tasks, count, search_part, crowd);
    for (uint32_t i = 0; i < count; i++) { // they stand until their turn
        crowd_member *member = &crowd->members[queue[i]];
        if (member->status == TR_INVALID)
            return tr_fail(error, TR_INVALID, "character %u: %s", queue[i], member->reason);
        member->staged = member->plan;
        place(crowd, queue[i]);
    }
    for (uint32_t i = 0; i < count && crowd->trouble == TR_OK; i++)
        settle(crowd, queue[i]);
    return crowd->trouble == TR_OK ? TR_OK : tr_fail(error, crowd->trouble, "no memory to plan a crowd");
}

static bool goes_before(const tr_behavior_crowd *crowd, uint32_t a, uint32_t b) {
    double first = crowd->members[a].length, second = crowd->members[b].length;
    return first < second || (!(first > second) && a < b);
}

// Queues all who have no plan. Those with the shortest trips go first: they are the first to rest at their
// goals, and nobody comes by there later who did not know.
static void fill_queue(tr_behavior_crowd *crowd) {
    crowd->queue_count = 0;
    for (uint32_t i = 0; i < crowd->count; i++)
        if (!crowd->members[i].is_done)
            crowd->queue[crowd->queue_count++] = i;
    for (uint32_t gap = crowd->queue_count / 2; gap > 0 && !crowd->def.prioritised; gap /= 2)
        for (uint32_t i = gap; i < crowd->queue_count; i++) {
            uint32_t person = crowd->queue[i], place = i;
            for (; place >= gap && goes_before(crowd, person, crowd->queue[place - gap]); place -= gap)
                crowd->queue[place] = crowd->queue[place - gap];
            crowd->queue[place] = person;
        }
}

static tr_status plan_queue(tr_behavior_crowd *crowd, const tr_behavior_crowd_progress *progress,
                            tr_error *error) {
    uint32_t batch = crowd->def.batch ? crowd->def.batch : crowd->count / BATCH_PART;
    if (crowd->def.batch == 0)
        batch = batch < BATCH_LEAST ? BATCH_LEAST : batch > BATCH_MOST ? BATCH_MOST : batch;
    uint32_t done = crowd->count - crowd->queue_count;
    tr_status status = TR_OK;
    for (uint32_t first = 0, size; first < crowd->queue_count && status == TR_OK; first += size) {
        size = crowd->queue_count - first < batch ? crowd->queue_count - first : batch;
        status = plan_batch(crowd, first, size, error);
        for (uint32_t i = first; i < first + size; i++)
            done += crowd->members[crowd->queue[i]].is_done;
        if (progress && progress->tell)
            progress->tell(progress->user, done, crowd->count);
    }
    return status;
}

// Those who found no plan get help, as long as their starts are kept free. Who finds none then stands there
// for ever, and the others go around.
static tr_status help(tr_behavior_crowd *crowd, const tr_behavior_crowd_progress *progress, tr_error *error) {
    fill_queue(crowd);
    for (uint32_t i = 0; i < crowd->queue_count && crowd->trouble == TR_OK; i++) {
        settle_with_help(crowd, crowd->queue[i]);
        if (progress && progress->tell)
            progress->tell(progress->user, crowd->count - crowd->queue_count + i + 1, crowd->count);
    }
    try_again(crowd);
    return crowd->trouble == TR_OK ? TR_OK : tr_fail(error, crowd->trouble, "no memory to plan a crowd");
}

tr_status tr_behavior_crowd_find(tr_behavior_crowd *crowd, tr_behavior_map *map,
                                 const tr_behavior_person *people, uint32_t count,
                                 const tr_behavior_crowd_progress *progress, tr_error *error) {
    crowd->map = map;
    crowd->people = people;
    crowd->count = 0;
    crowd->trouble = TR_OK;
    crowd->allowance = UINT64_MAX;
    tr_status status = reserve(crowd, count, error);
    if (status != TR_OK)
        return status;
    crowd->count = count;
    status = place_all(crowd, error);
    uint32_t missing = 0;
    fill_queue(crowd);
    if (status == TR_OK)
        status = plan_queue(crowd, progress, error);
    if (status == TR_OK && !crowd->def.prioritised)
        status = help(crowd, progress, error);
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

// Does a plan pass all goals of its query, and end at the last one?
static bool visits_goals(const tr_behavior_query *query, const tr_behavior_plan *plan) {
    float near = query->tolerance + 1e-3f;
    uint32_t leg = 0;
    for (uint32_t i = 0; i < plan->action_count && leg + 1 < query->goal_count;) {
        tr_vec2 from = plan->actions[i].position,
                to = i + 1 < plan->action_count ? plan->actions[i + 1].position : plan->end;
        if (tr_crowd_way_to(from, to, query->goals[leg]) <= near)
            leg++;
        else
            i++;
    }
    return leg + 1 == query->goal_count && tr_crowd_way_to(plan->end, plan->end, query->goals[leg]) <= near;
}

static bool is_beside(const tr_behavior_crowd *crowd, uint32_t person) {
    const crowd_member *member = &crowd->members[person];
    return member->by != TR_BEHAVIOR_BY_NONE && !visits_goals(&crowd->people[person].query, &member->plan);
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
