// Two random trees, from the start and from all goals, that grow towards each other (RRT-Connect, Kuffner &
// LaValle 2000): the last resort, which finds a path if there is one, given time.
#include "reach_data.h"

#include <math.h>

#define RANGE 0.8f      // longest edge [rad]
#define LEAST_HALF 0.1f // [rad] of half an edge, which is tried where the whole is not free
#define HAND_SPREAD 0.5f
#define GOAL_EVERY 8 // samples from one posture at the goal that is drawn to the next

static float draw(tr_reach *reach, int i) {
    return tr_random_between(&reach->random, reach->arm.low.q[i], reach->arm.high.q[i]);
}

// Anywhere within the limits; the hand half of the time around the straight path from the start to a goal,
// because turning it seldom helps.
static tr_posture sample(tr_reach *reach) {
    const tr_posture *goal = &reach->goals[tr_random_below(&reach->random, reach->goal_count)].posture;
    float share = tr_random_unit(&reach->random);
    bool near_hand = tr_random_unit(&reach->random) < 0.5f;
    tr_posture posture = tr_reach_between(&reach->start, goal, share);
    for (int i = 0; i < (int)reach->dimensions; i++) {
        bool is_hand = i >= TR_FOREARM_PRONATION && i < TR_ARM_JOINTS;
        if (is_hand && near_hand)
            posture.q[i] += tr_random_between(&reach->random, -1, 1) * HAND_SPREAD;
        else
            posture.q[i] = draw(reach, i);
    }
    return tr_arm_clamp(&reach->arm, posture);
}

typedef enum growth { TRAPPED, ADVANCED, REACHED } growth;

// One edge from the nearest node; half of it where the whole is not free.
static growth grow(tr_reach *reach, reach_tree *tree, const tr_posture *to, uint32_t *node) {
    uint32_t from = tr_reach_tree_nearest(tree, to);
    tr_posture posture = tr_reach_tree_at(tree, from), target = *to;
    float gap = sqrtf(tr_reach_gap(&posture, to)), length = gap > RANGE ? RANGE : gap;
    *node = from;
    if (gap < 1e-6f)
        return REACHED;
    if (tree->count == tree->limit)
        return TRAPPED;
    if (gap > RANGE)
        target = tr_reach_between(&posture, to, RANGE / gap);
    bool whole = tr_reach_edge(reach, &posture, &target);
    if (!whole) {
        target = tr_reach_between(&posture, to, 0.5f * length / gap);
        if (0.5f * length < LEAST_HALF || !tr_reach_edge(reach, &posture, &target))
            return TRAPPED;
    }
    *node = tr_reach_tree_add(tree, &target, from);
    return whole && gap <= RANGE ? REACHED : ADVANCED;
}

static bool take_path(tr_reach *reach, uint32_t from_start, uint32_t from_goal) {
    const reach_tree *start = &reach->trees[0], *goal = &reach->trees[1];
    uint32_t count = 0, total = 0;
    for (uint32_t node = from_start; node != TR_NONE; node = start->parent[node])
        count++;
    for (uint32_t node = goal->parent[from_goal]; node != TR_NONE; node = goal->parent[node])
        total++;
    total += count;
    if (total > REACH_WAY_MAX)
        return false;
    uint32_t place = count;
    for (uint32_t node = from_start; node != TR_NONE; node = start->parent[node])
        reach->knots[--place] = tr_reach_tree_at(start, node);
    for (uint32_t node = goal->parent[from_goal]; node != TR_NONE; node = goal->parent[node])
        reach->knots[count++] = tr_reach_tree_at(goal, node);
    reach->knot_count = total;
    return true;
}

static void plant(tr_reach *reach) {
    tr_reach_tree_clear(&reach->trees[0]);
    tr_reach_tree_clear(&reach->trees[1]);
    tr_reach_tree_add(&reach->trees[0], &reach->start, TR_NONE);
    for (uint32_t i = 0; i < reach->goal_count; i++)
        tr_reach_tree_add(&reach->trees[1], &reach->goals[i].posture, TR_NONE);
}

bool tr_reach_by_trees(tr_reach *reach) {
    reach_tree *starts = &reach->trees[0], *goals = &reach->trees[1];
    plant(reach);
    for (uint32_t turn = 0; !tr_reach_out_of_budget(reach); turn++) {
        bool swapped = goals->count < starts->count; // the smaller tree grows first
        reach_tree *tree = swapped ? goals : starts, *other = swapped ? starts : goals;
        if (tree->count == tree->limit || other->count == other->limit)
            return false;
        const reach_goal *drawn = turn % GOAL_EVERY == 0 ? tr_reach_draw_goal(reach) : NULL;
        if (drawn && goals->count < goals->limit)
            tr_reach_tree_add(goals, &drawn->posture, TR_NONE);
        uint32_t node, met;
        tr_posture target = sample(reach);
        if (grow(reach, tree, &target, &node) == TRAPPED)
            continue;
        target = tr_reach_tree_at(tree, node);
        growth end;
        do
            end = grow(reach, other, &target, &met);
        while (end == ADVANCED && !tr_reach_out_of_budget(reach));
        reach->result.nodes = starts->count + goals->count;
        if (end == REACHED && take_path(reach, swapped ? met : node, swapped ? node : met))
            return true;
    }
    return false;
}
