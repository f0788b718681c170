// Impasses, which prioritised planning leaves open: somebody who finds no plan sets out later, goes before
// those in its way, or has them step aside. Everything here runs on one thread, in a fixed order.
#include "behavior_crowd_data.h"

#include <string.h>

#define ASIDE_RINGS 10  // around somebody in the way, at distances that grow by
#define ASIDE_STEP 0.6f // [m]
#define ASIDE_SECTORS 12
#define ASIDE_TRIED 4     // places
#define BODIES_APART 1.1f // a body that steps aside keeps this many times the sum of the radii away

// --- Planning with every effort ---

void tr_crowd_note_end(tr_behavior_crowd *crowd) {
    crowd->all_there = 0;
    for (uint32_t i = 0; i < crowd->count; i++) {
        uint32_t end = crowd->members[i].plan.end_frame;
        crowd->all_there = end >= crowd->all_there ? end + 1 : crowd->all_there;
    }
}

tr_status tr_crowd_search_own(tr_behavior_crowd *crowd, uint32_t person, bool *waits) {
    tr_behavior_query query = tr_crowd_query(crowd, person);
    tr_crowd_note_end(crowd);
    return tr_crowd_search_times(crowd, person, 0, &query, &crowd->members[person].plan, waits);
}

// --- The ideal plan, and who is in its way ---

// How the person would go if nobody else were there.
static bool find_ideal(tr_behavior_crowd *crowd, uint32_t person) {
    tr_behavior_query query = tr_crowd_query(crowd, person);
    uint32_t people = crowd->map->people_count;
    char reason[TR_BEHAVIOR_REASON_MAX];
    memcpy(reason, crowd->members[person].reason, sizeof reason);
    crowd->map->people_count = 0; // nobody is seen while this is 0
    tr_status status = tr_crowd_search(crowd, person, 0, &query, &crowd->ideal);
    crowd->map->people_count = people;
    if (status == TR_OK)
        memcpy(crowd->members[person].reason, reason, sizeof reason);
    return status == TR_OK; // else walls are the reason, and nobody can help
}

float tr_crowd_way_to(tr_vec2 from, tr_vec2 to, tr_vec2 at) {
    float x = to.x - from.x, z = to.z - from.z, length = x * x + z * z;
    float t = length > 0 ? ((at.x - from.x) * x + (at.z - from.z) * z) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    float off_x = from.x + t * x - at.x, off_z = from.z + t * z - at.z;
    return sqrtf(off_x * off_x + off_z * off_z);
}

static float least_distance(const tr_behavior_plan *plan, tr_vec2 at) {
    float least = INFINITY;
    for (uint32_t i = 0; i <= plan->action_count; i++) {
        tr_vec2 to = i < plan->action_count ? plan->actions[i].position : plan->end;
        float distance = tr_crowd_way_to(i > 0 ? plan->actions[i - 1].position : to, to, at);
        least = distance < least ? distance : least;
    }
    return least;
}

// Where the root is at a frame, straight from the beginning of each action to the next. `at` is the action of
// an earlier frame, and is moved on.
static tr_vec2 place_at(const tr_behavior_plan *plan, tr_vec2 start, uint32_t frame, uint32_t *at) {
    const tr_behavior_action *actions = plan->actions;
    while (*at + 1 < plan->action_count && actions[*at + 1].frame <= frame)
        ++*at;
    if (plan->action_count == 0 || frame >= plan->end_frame)
        return plan->end;
    if (frame < actions[0].frame)
        return start;
    bool is_last = *at + 1 == plan->action_count;
    tr_vec2 from = actions[*at].position, to = is_last ? plan->end : actions[*at + 1].position;
    uint32_t end = is_last ? plan->end_frame : actions[*at + 1].frame;
    float t = (float)(frame - actions[*at].frame) / (float)(end - actions[*at].frame);
    return (tr_vec2){from.x + t * (to.x - from.x), from.z + t * (to.z - from.z)};
}

// Do two plans come near each other at the same time?
static bool come_near(const tr_behavior_crowd *crowd, uint32_t person, uint32_t other, float near) {
    const tr_behavior_plan *a = &crowd->ideal, *b = &crowd->members[other].plan;
    uint32_t end = a->end_frame > b->end_frame ? a->end_frame : b->end_frame, i = 0, k = 0;
    for (uint32_t frame = crowd->people[person].query.frame; frame <= end; frame += crowd->map->slot_frames) {
        tr_vec2 p = place_at(a, crowd->people[person].query.start, frame, &i),
                q = place_at(b, crowd->people[other].query.start, frame, &k);
        if ((p.x - q.x) * (p.x - q.x) + (p.z - q.z) * (p.z - q.z) < near * near)
            return true;
    }
    return false;
}

// A move leads this far at most: a body that is further away at its beginning is not met.
static float longest_move(const tr_behavior *behavior) {
    double longest = 0;
    for (uint32_t i = 0; i < behavior->def.state_count; i++)
        longest = behavior->infos[i].longest > longest ? behavior->infos[i].longest : longest;
    return (float)longest;
}

bool tr_crowd_comes_by(const tr_behavior_crowd *crowd, uint32_t person, uint32_t other) {
    float near = crowd_apart(crowd) + longest_move(crowd_behavior(crowd, person));
    return least_distance(&crowd->members[person].plan, crowd->people[other].query.start) < near;
}

// Those in the way of the ideal plan.
static uint32_t find_blockers(const tr_behavior_crowd *crowd, uint32_t person,
                              uint32_t blockers[CROWD_BLOCKERS]) {
    uint32_t count = 0;
    float near = crowd_apart(crowd) + crowd->map->grid.cell;
    for (uint32_t i = 0; i < crowd->count && count < CROWD_BLOCKERS; i++)
        if (i != person && come_near(crowd, person, i, near))
            blockers[count++] = i;
    return count;
}

// --- Going before others ---

static void keep(tr_behavior_crowd *crowd, const uint32_t *blockers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        tr_crowd_copy_plan(&crowd->kept[i], &crowd->members[blockers[i]].plan);
        tr_behavior_map_withdraw(crowd->map, blockers[i]);
    }
}

static void put_back(tr_behavior_crowd *crowd, const uint32_t *blockers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        tr_behavior_map_withdraw(crowd->map, blockers[i]);
    for (uint32_t i = 0; i < count; i++) {
        tr_crowd_copy_plan(&crowd->members[blockers[i]].plan, &crowd->kept[i]);
        tr_crowd_commit(crowd, blockers[i]);
    }
}

// The blockers that have had their turn are planned again, after `person`, whose body is on the map.
static bool plan_again(tr_behavior_crowd *crowd, const uint32_t *blockers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = blockers[i];
        bool waits = false;
        if (tr_crowd_search_own(crowd, other, &waits) != TR_OK || !tr_crowd_commit(crowd, other))
            return false;
    }
    return true;
}

// The person goes first. Those that only stand at their start stay there: `person` has to get past them.
static bool swap_order(tr_behavior_crowd *crowd, uint32_t person, const uint32_t *blockers, uint32_t count) {
    uint32_t moved[CROWD_BLOCKERS], moved_count = 0;
    crowd_member *member = &crowd->members[person];
    for (uint32_t i = 0; i < count; i++)
        if (crowd->members[blockers[i]].is_done && !crowd->members[blockers[i]].stays)
            moved[moved_count++] = blockers[i];
    if (moved_count == 0)
        return false;
    keep(crowd, moved, moved_count);
    for (uint32_t i = 0; i < moved_count; i++) // they keep their starts
        tr_crowd_hold(crowd, moved[i]);
    bool waits = false;
    bool found = tr_crowd_search_own(crowd, person, &waits) == TR_OK;
    found = found && tr_crowd_commit(crowd, person);
    for (uint32_t i = 0; i < moved_count; i++)
        tr_behavior_map_withdraw(crowd->map, moved[i]);
    if (found && plan_again(crowd, moved, moved_count)) {
        tr_behavior_map_withdraw(crowd->map, person);
        for (uint32_t i = 0; i < moved_count; i++) {
            crowd->members[moved[i]].by = TR_BEHAVIOR_BY_SWAP;
            crowd->members[moved[i]].replaced++;
        }
        member->by = TR_BEHAVIOR_BY_SWAP;
        return true;
    }
    tr_behavior_map_withdraw(crowd->map, person);
    put_back(crowd, moved, moved_count);
    return false;
}

// --- Stepping aside ---

// Places where a body is out of the way of the ideal plan, near where it is in it. Returns their number.
static uint32_t find_asides(const tr_behavior_crowd *crowd, uint32_t other, tr_vec2 at,
                            tr_vec2 places[ASIDE_TRIED]) {
    uint32_t count = 0;
    float clear = BODIES_APART * crowd_apart(crowd) + longest_move(crowd_behavior(crowd, other)) * 0.1f;
    for (int ring = 1; ring <= ASIDE_RINGS && count < ASIDE_TRIED; ring++)
        for (int sector = 0; sector < ASIDE_SECTORS && count < ASIDE_TRIED; sector++) {
            behavior_axes axes =
                behavior_axes_at(at.x, at.z, (float)sector * (float)(2 * TR_PI / ASIDE_SECTORS));
            tr_vec2 place = behavior_from(axes, 0, ASIDE_STEP * (float)ring);
            if (tr_behavior_map_is_free(crowd->map, 0, place, UINT32_MAX) &&
                least_distance(&crowd->ideal, place) > clear)
                places[count++] = place;
        }
    return count;
}

// `other` goes to `place`, `person` passes, and `other` goes on to its goals. Both bodies are off the map.
static bool pass_aside(tr_behavior_crowd *crowd, uint32_t person, uint32_t other, tr_vec2 place) {
    crowd_member *aside = &crowd->members[other];
    tr_behavior_query first = tr_crowd_query(crowd, other), second = first;
    bool waits = false;
    first.goals = &place;
    first.goal_count = 1;
    if (tr_crowd_search(crowd, other, 0, &first, &aside->plan) != TR_OK || !tr_crowd_commit(crowd, other))
        return false;
    bool passes = tr_crowd_search_own(crowd, person, &waits) == TR_OK &&
                  tr_crowd_is_clear(crowd, person, &crowd->members[person].plan) &&
                  tr_crowd_commit(crowd, person);
    tr_behavior_map_withdraw(crowd->map, other);
    if (!passes)
        return false;
    second.start = aside->plan.end;
    second.heading = aside->plan.end_heading;
    second.frame = aside->plan.end_frame;
    tr_behavior_plan *rest = &crowd->kept[CROWD_BLOCKERS];
    bool found = tr_crowd_search_times(crowd, other, 0, &second, rest, &waits) == TR_OK &&
                 tr_crowd_append_plan(&aside->plan, rest) && tr_crowd_is_clear(crowd, other, &aside->plan);
    tr_behavior_map_withdraw(crowd->map, person);
    return found && tr_crowd_commit(crowd, other);
}

// One of the blockers steps aside: at its start, or from its goal, to which it returns.
static bool step_aside(tr_behavior_crowd *crowd, uint32_t person, const uint32_t *blockers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = blockers[i];
        crowd_member *aside = &crowd->members[other];
        tr_vec2 places[ASIDE_TRIED];
        uint32_t place_count = find_asides(crowd, other, crowd->people[other].query.start, places);
        keep(crowd, &other, 1);
        for (uint32_t k = 0; k < place_count; k++) {
            if (!pass_aside(crowd, person, other, places[k]))
                continue;
            aside->by = crowd->members[person].by = TR_BEHAVIOR_BY_ASIDE;
            aside->replaced++;
            aside->is_done = true; // its plan is settled, whether or not it has had its turn
            return true;
        }
        tr_behavior_map_withdraw(crowd->map, person);
        put_back(crowd, &other, 1);
    }
    return false;
}

bool tr_crowd_repair(tr_behavior_crowd *crowd, uint32_t person) {
    uint32_t blockers[CROWD_BLOCKERS];
    if (!find_ideal(crowd, person))
        return false;
    uint32_t count = find_blockers(crowd, person, blockers);
    crowd_member *member = &crowd->members[person];
    char reason[TR_BEHAVIOR_REASON_MAX];
    memcpy(reason, member->reason, sizeof reason);
    bool found = swap_order(crowd, person, blockers, count) || step_aside(crowd, person, blockers, count);
    if (!found)
        memcpy(member->reason, reason, sizeof reason);
    return found;
}
