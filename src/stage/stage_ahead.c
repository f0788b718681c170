// Searches ahead: all members of the team search at the same time for the ways that the next actors in turn
// will need. A search reads only the ground and its query. A later query that is the same uses the result as
// if it had searched itself; all other results are dropped. Searching ahead therefore changes nothing but the
// time, and the budget counts only searches that are used.
#include "stage_data.h"

#include "troupe/base/clock.h"

#include <string.h>

#define EACH 8 // searches for each member of the team at a time

// Members of the team must not allocate. A search that needs more memory than its member has ends without a
// result, and the search is repeated when it is needed.
static void *resize_between(void *user, void *old, size_t old_size, size_t new_size) {
    stage_ahead *ahead = user;
    if (ahead->closed && new_size > 0)
        return NULL;
    return ahead->source.resize(ahead->source.user, old, old_size, new_size);
}

tr_status tr_stage_open_ahead(tr_stage *stage, tr_error *error) {
    stage_ahead *ahead = &stage->searches;
    ahead->source = stage->allocator;
    ahead->memory = (tr_allocator){resize_between, ahead};
    ahead->nodes = TUNE_ASIDE_NODES;
    ahead->member_count = tr_tasks_members(stage->def.tasks);
    if (ahead->member_count < 2)
        return TR_OK;
    ahead->members = tr_allocate_zero(&ahead->memory, ahead->member_count, sizeof *ahead->members);
    uint32_t count = EACH * ahead->member_count;
    ahead->plans = tr_allocate_zero(&ahead->memory, count, sizeof *ahead->plans);
    ahead->plan_capacity = ahead->plans ? count : 0;
    tr_status status = ahead->members && ahead->plans
                           ? TR_OK
                           : tr_fail(error, TR_OUT_OF_MEMORY, "no memory to search for ways");
    for (uint32_t i = 0; i < ahead->member_count && status == TR_OK; i++)
        status = tr_go_create(&ahead->memory, &ahead->members[i], error);
    for (uint32_t i = 0; i < count && status == TR_OK; i++)
        status = tr_way_create(&ahead->memory, STAGE_POINTS, STAGE_PIECES, &ahead->plans[i].way, error);
    return status;
}

void tr_stage_close_ahead(tr_stage *stage) {
    stage_ahead *ahead = &stage->searches;
    for (uint32_t i = 0; ahead->members && i < ahead->member_count; i++)
        tr_go_destroy(ahead->members[i]);
    for (uint32_t i = 0; i < ahead->plan_capacity; i++)
        tr_way_destroy(&ahead->memory, &ahead->plans[i].way);
    tr_release(&ahead->memory, ahead->members, ahead->member_count, sizeof *ahead->members);
    tr_release(&ahead->memory, ahead->plans, ahead->plan_capacity, sizeof *ahead->plans);
}

tr_status tr_stage_reserve_ahead(tr_stage *stage, tr_error *error) {
    stage_ahead *ahead = &stage->searches;
    tr_status status = TR_OK;
    for (uint32_t i = 0; ahead->members && i < ahead->member_count && status == TR_OK; i++)
        status = tr_go_reserve(ahead->members[i], stage->ground, ahead->nodes, error);
    return status;
}

static void search_part(void *user, uint32_t part, uint32_t member) {
    tr_stage *stage = user;
    stage_plan *plan = &stage->searches.plans[part];
    uint64_t begin = tr_clock_nanoseconds();
    plan->error = (tr_error){0};
    plan->status = tr_go_find(stage->searches.members[member], plan->ground, &plan->query, &plan->way,
                              &plan->result, &plan->error);
    plan->nanoseconds = tr_clock_nanoseconds() - begin;
}

// The number of searches that the rest of the budget is likely to allow, judged by the searches so far.
static uint32_t count_wanted(const tr_stage *stage) {
    const stage_ahead *ahead = &stage->searches;
    if (!stage->def.plan_budget)
        return ahead->plan_capacity;
    if (!ahead->asked)
        return ahead->member_count;
    uint64_t each = ahead->expanded / ahead->asked + 1;
    uint64_t left = stage->def.plan_budget > stage->expanded ? stage->def.plan_budget - stage->expanded : 0;
    uint64_t wanted = left / each + 1;
    return wanted < ahead->plan_capacity ? (uint32_t)wanted : ahead->plan_capacity;
}

static void collect(tr_stage *stage, uint32_t first, uint32_t most) {
    stage_ahead *ahead = &stage->searches;
    ahead->plan_count = 0;
    for (ahead->end = first; ahead->end < stage->actor_count && ahead->plan_count < most; ahead->end++) {
        stage_actor *who = tr_stage_planned(stage, ahead->end);
        if (!tr_stage_wants_way(stage, who))
            continue;
        stage_plan *plan = &ahead->plans[ahead->plan_count++];
        uint32_t count = tr_stage_goals(stage, who, &tr_stage_current(who)->order, plan->goals);
        plan->ground = tr_stage_known(stage, who);
        plan->query = tr_stage_query(stage, who, plan->goals, count, 1);
        plan->actor = who->id;
    }
}

// If a member ran out of room, the next searches get more.
static tr_status make_room(tr_stage *stage, tr_error *error) {
    stage_ahead *ahead = &stage->searches;
    if (!ahead->ran_out)
        return TR_OK;
    uint32_t before = ahead->nodes;
    ahead->nodes = before < UINT32_MAX / 4 ? 2 * before : before;
    tr_status status = tr_stage_reserve_ahead(stage, error);
    ahead->ran_out = status != TR_OK;
    ahead->nodes = status == TR_OK ? ahead->nodes : before;
    return status;
}

tr_status tr_stage_search_ahead(tr_stage *stage, uint32_t first, tr_error *error) {
    stage_ahead *ahead = &stage->searches;
    if (ahead->plan_capacity == 0 || first < ahead->end)
        return TR_OK;
    tr_status status = make_room(stage, error);
    if (status != TR_OK)
        return status;
    collect(stage, first, count_wanted(stage));
    if (ahead->plan_count < 2) { // a single search gains nothing
        ahead->plan_count = 0;
        return TR_OK;
    }
    ahead->closed = true;
    tr_tasks_run(stage->def.tasks, ahead->plan_count, search_part, stage);
    ahead->closed = false;
    for (uint32_t i = 0; i < ahead->plan_count; i++)
        ahead->ran_out = ahead->ran_out || ahead->plans[i].status == TR_OUT_OF_MEMORY;
    return TR_OK;
}

void tr_stage_drop_ahead(tr_stage *stage) {
    stage->searches.plan_count = stage->searches.end = 0;
}

static bool is_same(const tr_go_query *a, const tr_go_query *b) {
    return memcmp(a->sizes, b->sizes, sizeof a->sizes) == 0 &&
           memcmp(&a->start, &b->start, sizeof a->start) == 0 && a->goal_count == b->goal_count &&
           memcmp(a->goals, b->goals, a->goal_count * sizeof *a->goals) == 0 && a->speed == b->speed &&
           a->lane == b->lane && a->merge == b->merge && a->passes == b->passes && a->node_max == b->node_max;
}

const stage_plan *tr_stage_find_ahead(const tr_stage *stage, const stage_actor *who,
                                      const tr_go_query *query) {
    const stage_ahead *ahead = &stage->searches;
    for (uint32_t i = 0; i < ahead->plan_count; i++) {
        const stage_plan *plan = &ahead->plans[i];
        if (plan->actor == who->id)
            return plan->status != TR_OUT_OF_MEMORY && is_same(&plan->query, query) ? plan : NULL;
    }
    return NULL;
}
